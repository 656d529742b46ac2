# tenon_precompiled(<name> [FOR_PROGRAMS] [LIBRARIES <targets...>] [OPTIONS <compile options...>] HEADERS <headers...>)
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
    <utility> <variant> <vector>)

# g++ forgets what of a precompiled header came from the system, and so shows the false alarms that it has in std::string
# (GCC bug 105651). A build without precompiled headers keeps these warnings.
set(tenon_false_alarms $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-array-bounds>
                       $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-stringop-overread>)

function(tenon_precompiled name)
  if(NOT TENON_PRECOMPILE)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 group "FOR_PROGRAMS" "" "LIBRARIES;OPTIONS;HEADERS")
  add_library(tenon_precompiled_${name} OBJECT ${PROJECT_BINARY_DIR}/precompiled/nothing.cpp)
  target_compile_options(tenon_precompiled_${name} PRIVATE ${group_OPTIONS})
  target_compile_options(tenon_precompiled_${name} PRIVATE ${tenon_false_alarms})
  if(group_FOR_PROGRAMS)
    target_link_libraries(tenon_precompiled_${name} PRIVATE ${group_LIBRARIES})
    # The code of programs is position-independent in a way of its own.
    set_target_properties(tenon_precompiled_${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(tenon_precompiled_${name} PRIVATE -fPIE)
  else()
    foreach(layer IN LISTS group_LIBRARIES)  # no link: the layer may itself use this group
      target_include_directories(tenon_precompiled_${name} PRIVATE
                                 $<TARGET_PROPERTY:${layer},INTERFACE_INCLUDE_DIRECTORIES>)
      target_compile_definitions(tenon_precompiled_${name} PRIVATE
                                 $<TARGET_PROPERTY:${layer},INTERFACE_COMPILE_DEFINITIONS>)
    endforeach()
  endif()
  target_precompile_headers(tenon_precompiled_${name} PRIVATE ${tenon_standard_headers} ${group_HEADERS})
endfunction()

function(tenon_precompile target name)
  if(TENON_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM tenon_precompiled_${name})
    target_compile_options(${target} PRIVATE ${tenon_false_alarms})
  endif()
endfunction()
