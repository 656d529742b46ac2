// plants.h: included before every source of the plugin that has bugs.
#pragma once

extern "C" bool gpusim_is_planted(const char* bug);  // TENON_GPUSIM_PLANT names the one that is on

inline bool planted(const char* bug) { return gpusim_is_planted(bug); }
