# Writes the translation unit of one source of kernels: the source itself, and the entries of the kernels in it.
#   TEXT  the preprocessed source    SOURCE  its path    UNIT  what is written
file(READ "${TEXT}" text)
string(REGEX REPLACE "[ \n\t]+" " " text "${text}")
# As language.h expands __global__ and __launch_bounds__, which may stand before the type or behind it.
set(bounds "( __attribute__\\(\\(gpusim_launch_bounds\\([^()]*\\)\\)\\))?")
set(kernel "__attribute__\\(\\(visibility\\(\"default\"\\), noinline\\)\\)${bounds} void${bounds} ([A-Za-z0-9_]+) ?\\(")
string(REGEX MATCHALL "${kernel}" found "${text}")
set(entries "")
foreach(match IN LISTS found)
  string(REGEX REPLACE ".* ([A-Za-z0-9_]+) ?\\($" "\\1" name "${match}")
  set(arguments "\"${name}\"")
  if(match MATCHES "gpusim_launch_bounds\\(([^()]*)\\)")
    string(APPEND arguments ", ${CMAKE_MATCH_1}")
  endif()
  string(APPEND entries "    ::gpusim::Entry<&${name}>::named(${arguments}),\n")
endforeach()
if(entries STREQUAL "")
  message(FATAL_ERROR "[gpusim] no kernel in ${SOURCE}: a kernel is `extern \"C\" __global__ void name(...)`")
endif()
file(WRITE "${UNIT}" "// Written by collect.cmake.
#include \"gpusim/language.h\"
#include \"${SOURCE}\"
#include \"gpusim/table.h\"
[[gnu::section(\"gpusim_entries\"), gnu::used]] static gpusim_kernel gpusim_entries_of_this_unit[] = {
${entries}};
")
