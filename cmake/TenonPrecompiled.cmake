# tenon_precompiled(<name> [LIBRARIES <targets...>] [OPTIONS <compile options...>] HEADERS <headers...>)
# tenon_precompile(<target> <name>)
#
# Headers that most files of a group include are read once for the group. A group's headers are those that each of its
# members may include anyway, so a layer sees no more with them than without. TENON_PRECOMPILE=OFF builds without, which
# shows a file that leans on another's includes.
option(TENON_PRECOMPILE "Read common headers once for each group of files" ON)

file(WRITE ${PROJECT_BINARY_DIR}/precompiled/nothing.cpp.new "// Compiled for its precompiled header alone.\n")
file(COPY_FILE ${PROJECT_BINARY_DIR}/precompiled/nothing.cpp.new ${PROJECT_BINARY_DIR}/precompiled/nothing.cpp
     ONLY_IF_DIFFERENT)

set(tenon_standard_headers
    <algorithm> <array> <cstddef> <cstdint> <cstring> <filesystem> <memory> <optional> <span> <string> <string_view>
    <utility> <variant> <vector> <tenon/result.h>)

function(tenon_precompiled name)
  if(NOT TENON_PRECOMPILE)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 group "" "" "LIBRARIES;OPTIONS;HEADERS")
  add_library(tenon_precompiled_${name} OBJECT ${PROJECT_BINARY_DIR}/precompiled/nothing.cpp)
  foreach(library IN LISTS group_LIBRARIES)  # no link: a layer may itself use this group
    target_include_directories(tenon_precompiled_${name} PRIVATE
                               $<TARGET_PROPERTY:${library},INTERFACE_INCLUDE_DIRECTORIES>)
    target_compile_definitions(tenon_precompiled_${name} PRIVATE
                               $<TARGET_PROPERTY:${library},INTERFACE_COMPILE_DEFINITIONS>)
  endforeach()
  target_compile_options(tenon_precompiled_${name} PRIVATE ${group_OPTIONS})
  target_compile_options(tenon_precompiled_${name} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-array-bounds>)
  target_precompile_headers(tenon_precompiled_${name} PRIVATE ${tenon_standard_headers} ${group_HEADERS})
endfunction()

# g++ forgets what of a precompiled header came from the system, and so shows the false alarms of -Warray-bounds that it
# has in std::string (GCC bug 105651). A build without precompiled headers keeps the warning.
function(tenon_precompile target name)
  if(TENON_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM tenon_precompiled_${name})
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-array-bounds>)
  endif()
endfunction()
