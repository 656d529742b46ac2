# Asks abidiff what changed between two libraries with all types of plugin.h; fails if a table did more than grow at its
# end. It sees the parameters of slots, which the recorded layouts do not. ABIDIFF, PREVIOUS, CURRENT: files.
if(NOT EXISTS "${ABIDIFF}")
  execute_process(COMMAND ${CMAKE_COMMAND} -E echo "skipped: abidiff is not installed (package abigail-tools)")
  return()
endif()
execute_process(COMMAND ${ABIDIFF} --leaf-changes-only ${PREVIOUS} ${CURRENT} OUTPUT_VARIABLE report ERROR_VARIABLE words
                RESULT_VARIABLE status)
if(NOT status MATCHES "^(0|4)$")  # 4: something changed
  message(FATAL_ERROR "abidiff ended with ${status}: ${words}${report}")
endif()
if(report MATCHES "data member change|deletion|[1-9][0-9]* Removed")
  message(FATAL_ERROR "a table did more than grow at its end:\n${report}")
endif()
