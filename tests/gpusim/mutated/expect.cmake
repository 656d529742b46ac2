# A mutation must be noticed at both widths of warps: the cases of some operations fail, and words tell how.
#   PROGRAM  gpusim_conformance    LIBRARY, CHECKED  of kernels, the mutated ones first    OPS  "all" or names with commas
#   SAYS     a regular expression; or "nobody", where all must stay silent
foreach(width IN ITEMS 32 64)
  set(environment "TENON_GPUSIM_KERNELS=${LIBRARY}:${CHECKED}" TENON_GPUSIM_WARP=${width})
  if(NOT OPS STREQUAL "all")
    list(APPEND environment "GPUSIM_OPS=${OPS}")
  endif()
  execute_process(COMMAND ${CMAKE_COMMAND} -E env ${environment} "${PROGRAM}" --gtest_brief=1
                  --gtest_filter=*/cuda_float32 RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(SAYS STREQUAL "nobody")
    if(NOT status EQUAL 0)
      message(FATAL_ERROR "[gpusim] noticed, though it is said to be needless, with warps of ${width} lanes: ${said}")
    endif()
    continue()
  endif()
  if(status EQUAL 0)
    message(FATAL_ERROR "[gpusim] nobody noticed it, with warps of ${width} lanes: ${said}")
  endif()
  if(NOT said MATCHES "${SAYS}")
    message(FATAL_ERROR "[gpusim] noticed, but not as \"${SAYS}\", with warps of ${width} lanes: ${said}")
  endif()
endforeach()
