# How everything here is compiled. Plugins have flags of their own beyond these, in sdk/cmake/TenonPlugin.cmake.

option(TENON_TESTS "Build the tests" ON)
option(TENON_EXAMPLES "Build the examples" ${TENON_TESTS})
option(TENON_BENCH "Build the benchmarks (needs Google Benchmark)" OFF)
option(TENON_UNITY "Compile files of a layer or program together: a third of the time from nothing, more after a change" OFF)
option(TENON_WERROR "Treat warnings as errors" ON)
set(TENON_SANITIZE "" CACHE STRING "Sanitizers to build with, as in -fsanitize=: address,undefined or thread")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Kind of build" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

# The build tree can be moved: what is found at run time is found relative to the files themselves.
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib")

# No multiply-add is ever fused behind our back: strict numerics define one rounding per operation.
add_compile_options(-ffp-contract=off)
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow $<$<COMPILE_LANGUAGE:CXX>:-Wconversion>)
# g++ 12 sees overlaps and overflows in inlined std::string and constexpr buffers where there are none (GCC bugs 105651
# and 105329); g++ 13 no longer does.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict> $<$<COMPILE_LANGUAGE:CXX>:-Wno-stringop-overflow>)
endif()
if(TENON_WERROR)
  add_compile_options(-Werror)
endif()
if(TENON_SANITIZE)
  add_compile_options(-fsanitize=${TENON_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${TENON_SANITIZE})
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(tl-expected REQUIRED)
find_package(Boost 1.74 REQUIRED)

# tenon_unity(<target>): its files may be compiled together. Plugins are not: a name of theirs may stand in each file.
function(tenon_unity target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${TENON_UNITY} UNITY_BUILD_BATCH_SIZE 8)
  if(TENON_UNITY)
    target_compile_options(${target} PRIVATE -Wno-shadow)  # the names of a neighbouring file are in sight
  endif()
endfunction()
