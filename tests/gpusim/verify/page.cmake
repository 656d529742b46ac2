# tools/verification by what CTest says: what failed or is not there is told, and fails; what was skipped is told.
#   TOOL  the script    FOLDER  of this test
file(REMOVE_RECURSE "${FOLDER}")
file(WRITE "${FOLDER}/build/CMakeCache.txt" "TENON_CUDA_TARGETS:STRING=sm_80;sm_90\nTENON_ROCM_TARGETS:STRING=gfx90a\n")
# run(<words of CTest>): the page in `page`, the exit status in `status`.
macro(run words)
  file(WRITE "${FOLDER}/tools/ctest" "#!/bin/sh\ncat <<'EOF'\n${words}\nEOF\n")
  file(CHMOD "${FOLDER}/tools/ctest" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env "PATH=${FOLDER}/tools:$ENV{PATH}" "${TOOL}" "${FOLDER}/build" "${FOLDER}/page"
                  RESULT_VARIABLE status ERROR_VARIABLE complained)
  set(page "")
  if(EXISTS "${FOLDER}/page")
    file(READ "${FOLDER}/page" page)
    file(REMOVE "${FOLDER}/page")
  endif()
endmacro()
function(expect text pattern)
  if(NOT text MATCHES "${pattern}")
    message(FATAL_ERROR "expected ${pattern}, found:\n${text}")
  endif()
endfunction()

run("100% tests passed, 0 tests failed out of 7")
expect("${status}" "^0$")
expect("${page}" "\n. cuda . L0 . budget of every kernel, built for sm_80, sm_90 . 7 passed .\n")
expect("${page}" "\n. cuda, rocm . L1 . the simulator [^|]* . 14 passed .\n")

run("3/7 Test #3: X ...***Skipped   0.01 sec\n100% tests passed, 0 tests failed out of 7\nThe following tests did not run:\n\t3 - X (Skipped)")
expect("${status}" "^0$")
expect("${page}" "\n. rocm . L0 . [^|]* . 6 passed, ..1 not run.. .\n")

run("71% tests passed, 2 tests failed out of 7")
expect("${status}" "^1$")
expect("${page}" "\n. vulkan . V . [^|]* . 5 passed, ..2 failed.. .\n")

run("No tests were found!!!")
expect("${status}" "^1$")
expect("${page}" "\n. cuda . L0 . [^|]* . 0 passed, ..some not there.. .\n")
expect("${complained}" "not everything is there.*; there are none of .GpuBudget")

run("  Test #12: devices_NOT_BUILT\n  Test #13: gpusim_plugins_NOT_BUILT\n100% tests passed, 0 tests failed out of 7")
expect("${status}" "^1$")
expect("${complained}" "tests are not built: devices gpusim_plugins\n  next: cmake --build ")
expect("${page}" "^$")
file(REMOVE_RECURSE "${FOLDER}")
