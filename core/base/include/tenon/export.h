// export.h: marks what libtenon.so offers to programs. Everything else is hidden.
#pragma once

#define TENON_API __attribute__((visibility("default")))
