# gpusim_kernels(<target> SOURCES <.cu>... [INCLUDES <folder>...] [DEFINITIONS ...] [INSTRUMENTED])
#
# A library of kernels for the simulator, from unmodified sources: each is preprocessed, its kernels are found by their
# attribute, and one translation unit holds the source and their entries (include/gpusim/table.h).

# What an instrumented kernel's calls are renamed to by the linker; core/callbacks.cpp defines each as __wrap_<name>.
set(gpusim_callbacks __tsan_init __tsan_func_entry __tsan_func_exit __tsan_read_range __tsan_write_range
    __ubsan_handle_out_of_bounds __ubsan_handle_type_mismatch_v1 memcpy memmove memcmp memset)
foreach(bytes IN ITEMS 1 2 4 8 16)
  list(APPEND gpusim_callbacks __tsan_read${bytes} __tsan_write${bytes})
  if(NOT bytes EQUAL 1)
    list(APPEND gpusim_callbacks __tsan_unaligned_read${bytes} __tsan_unaligned_write${bytes})
  endif()
endforeach()
list(TRANSFORM gpusim_callbacks PREPEND "LINKER:--wrap=" OUTPUT_VARIABLE gpusim_wrap_options)

# A barrier or a shuffle in the source must stay one call, and be seen to be called from one place: GCC would otherwise
# make two of one where branches stand before and behind it.
#
# Where a fault does not end the process the compilers call the function of that name, else one that aborts.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(gpusim_instrument_options -fsanitize=thread,bounds-strict,alignment -fsanitize-recover=bounds-strict,alignment
      --param tsan-instrument-func-entry-exit=0 -fno-thread-jumps)
else()
  set(gpusim_instrument_options -fsanitize=thread,bounds,alignment -fsanitize-recover=bounds,alignment
      -mllvm -tsan-instrument-func-entry-exit=0)
endif()

function(gpusim_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 kernels "INSTRUMENTED" "" "SOURCES;INCLUDES;DEFINITIONS")
  set(includes ${gpusim_source_dir}/include ${gpusim_source_dir}/include/replaced ${kernels_INCLUDES})
  set(include_flags ${includes})
  list(TRANSFORM include_flags PREPEND "-I")
  set(definition_flags ${kernels_DEFINITIONS})
  list(TRANSFORM definition_flags PREPEND "-D")
  set(units)
  foreach(source IN LISTS kernels_SOURCES)
    cmake_path(ABSOLUTE_PATH source)
    cmake_path(GET source STEM stem)
    set(unit "${CMAKE_CURRENT_BINARY_DIR}/${target}/${stem}.cpp")
    set(text "${CMAKE_CURRENT_BINARY_DIR}/${target}/${stem}.i")
    add_custom_command(OUTPUT ${unit}
      COMMAND ${CMAKE_COMMAND} -E make_directory "${CMAKE_CURRENT_BINARY_DIR}/${target}"
      COMMAND ${CMAKE_CXX_COMPILER} -E -P -x c++ -std=c++20 -w ${include_flags} ${definition_flags}
              -DGPUSIM_COLLECTING -include gpusim/language.h -MMD -MT ${unit} -MF ${unit}.d ${source} -o ${text}
      COMMAND ${CMAKE_COMMAND} -DSOURCE=${source} -DTEXT=${text} -DUNIT=${unit}
              -P ${gpusim_source_dir}/cmake/collect.cmake
      DEPENDS ${source} ${gpusim_source_dir}/cmake/collect.cmake DEPFILE ${unit}.d VERBATIM)
    list(APPEND units ${unit})
  endforeach()
  add_library(${target} MODULE ${units} ${gpusim_source_dir}/core/kernel_table.cpp)
  target_include_directories(${target} PRIVATE ${includes})
  target_link_libraries(${target} PRIVATE gpusim)
  # A local variable that nobody wrote holds a pattern, which shows in results, and not what lay there before, which may
  # be right.
  # The order matters: whatever sanitizer the build has is off before ours comes on.
  target_compile_options(${target} PRIVATE -fno-sanitize=all -gdwarf-4
                                           -ftrivial-auto-var-init=pattern -Wno-conversion -Wno-shadow -Wno-unknown-pragmas
                                           -Wno-unused -Wno-pedantic $<$<CXX_COMPILER_ID:Clang>:-Wno-pass-failed>)
  if(kernels_INSTRUMENTED)
    target_compile_options(${target} PRIVATE -O1 -fno-omit-frame-pointer ${gpusim_instrument_options})
    target_link_options(${target} PRIVATE ${gpusim_wrap_options})
  else()
    target_compile_options(${target} PRIVATE -O2)
  endif()
  target_compile_definitions(${target} PRIVATE GPUSIM_INSTRUMENTED=$<BOOL:${kernels_INSTRUMENTED}>
                                               ${kernels_DEFINITIONS})
  set_target_properties(${target} PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/gpusim")
endfunction()
