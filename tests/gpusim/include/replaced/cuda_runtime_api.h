// Stands in for the vendor's header where kernels are compiled for the host.
#pragma once
#include "gpusim/language.h"
