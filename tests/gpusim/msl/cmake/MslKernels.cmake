# msl_kernels(<target> SOURCES <.metal>... [INCLUDES <folder>...] [DEFINITIONS ...] [INSTRUMENTED] [GRADUAL])
#
# GRADUAL: for a device that keeps subnormals (include/msl/arithmetic.h).
#
# A library of kernels for the simulator from unmodified .metal sources, like gpusim_kernels (../cmake). clang's
# "C++ for OpenCL" compiles each: its address spaces are Metal's. A threadgroup variable, which comes out as an ordinary
# one, is made thread_local in between, where the core looks for it; and `bind` writes the entries.
find_program(MSL_CLANG NAMES clang-14 clang)
set(msl_source_dir ${CMAKE_CURRENT_LIST_DIR}/..)

set(msl_language_options -x cl -cl-std=clc++2021 -cl-single-precision-constant -cl-no-stdinc -nostdinc
    --target=${CMAKE_HOST_SYSTEM_PROCESSOR}-linux-gnu -fno-fast-math -ffp-contract=off -fPIC -gdwarf-4
    -ftrivial-auto-var-init=pattern -fno-omit-frame-pointer
    -Wall -Wextra -Wc++98-c++11-c++14-compat -Werror -Wno-unknown-attributes -Wno-unused-const-variable)

function(msl_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 kernels "INSTRUMENTED;GRADUAL" "" "SOURCES;INCLUDES;DEFINITIONS")
  set(flags ${msl_source_dir}/include ${kernels_INCLUDES})
  list(TRANSFORM flags PREPEND "-I")
  set(definitions ${kernels_DEFINITIONS})
  list(TRANSFORM definitions PREPEND "-D")
  list(APPEND flags ${definitions})
  set(optimise -O2)
  if(kernels_INSTRUMENTED)
    set(optimise -O1 -fsanitize=thread,bounds,alignment -fsanitize-recover=bounds,alignment
        -mllvm -tsan-instrument-func-entry-exit=0)
  endif()
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${target}")
  set(parts "")
  foreach(source IN LISTS kernels_SOURCES)
    cmake_path(ABSOLUTE_PATH source)
    cmake_path(GET source STEM stem)
    set(part "${folder}/${stem}")
    add_custom_command(OUTPUT ${part}.o ${part}.cpp
      COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
      COMMAND ${MSL_CLANG} ${msl_language_options} ${flags} -E -P -MD -MT ${part}.o -MF ${part}.d ${source} -o ${part}.i
      COMMAND msl_bind ${part}.i ${part}.cpp
      COMMAND ${MSL_CLANG} ${msl_language_options} ${flags} ${optimise} -Xclang -disable-llvm-passes -S -emit-llvm
              ${source} -o ${part}.ll
      COMMAND sed -E -i "s/^(@_ZZ[0-9][^ ]* =) internal (unnamed_addr )?global/\\1 hidden thread_local global/"
              ${part}.ll
      COMMAND ${MSL_CLANG} -Wno-override-module -fPIC -ffp-contract=off -fno-omit-frame-pointer ${optimise}
              -c ${part}.ll -o ${part}.o
      DEPENDS ${source} msl_bind DEPFILE ${part}.d COMMENT "Compiling ${stem}.metal for the simulator" VERBATIM)
    list(APPEND parts ${part}.o ${part}.cpp)
  endforeach()
  add_library(${target} MODULE ${parts} ${msl_source_dir}/runtime.cpp ${gpusim_source_dir}/core/kernel_table.cpp)
  target_include_directories(${target} PRIVATE ${msl_source_dir}/include ${gpusim_source_dir}/include)
  target_link_libraries(${target} PRIVATE gpusim)
  target_compile_options(${target} PRIVATE -fno-sanitize=all -O2 -fno-omit-frame-pointer -Wno-psabi)
  target_compile_definitions(${target} PRIVATE GPUSIM_INSTRUMENTED=$<BOOL:${kernels_INSTRUMENTED}>)
  if(kernels_GRADUAL)
    target_compile_definitions(${target} PRIVATE MSL_GRADUAL)
  endif()
  if(kernels_INSTRUMENTED)
    target_link_options(${target} PRIVATE ${gpusim_wrap_options})
  endif()
  set_target_properties(${target} PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/gpusim")
endfunction()
