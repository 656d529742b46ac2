# tenon_metal_sources(<out> [LIBRARY <.metallib>]): the plugin's sources, with a rule that embeds its kernels.
set(tenon_metal_folder "${CMAKE_CURRENT_LIST_DIR}")

function(tenon_metal_sources out)
  cmake_parse_arguments(PARSE_ARGV 1 metal "" "LIBRARY" "")
  set(kernels "${tenon_metal_folder}/kernels")
  file(GLOB inputs CONFIGURE_DEPENDS "${kernels}/*.metal" "${kernels}/*.h")
  set(unit "${CMAKE_CURRENT_BINARY_DIR}/metal_sources.cpp")
  add_custom_command(OUTPUT "${unit}"
    COMMAND ${CMAKE_COMMAND} "-DOUT=${unit}" "-DFOLDER=${kernels}" "-DSDK=${PROJECT_SOURCE_DIR}/sdk/include"
            "-DLIBRARY=${metal_LIBRARY}" -P "${tenon_metal_folder}/embed.cmake"
    DEPENDS ${inputs} ${metal_LIBRARY} "${tenon_metal_folder}/embed.cmake"
            "${PROJECT_SOURCE_DIR}/sdk/include/tenon/elementwise.h"
    COMMENT "Embedding the kernels of Metal" VERBATIM)
  file(GLOB sources CONFIGURE_DEPENDS "${tenon_metal_folder}/*.cpp" "${tenon_metal_folder}/*.mm"
                                      "${tenon_metal_folder}/capsules/*.cpp")
  set(${out} ${sources} "${unit}" PARENT_SCOPE)
endfunction()
