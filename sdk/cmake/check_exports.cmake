# Refuses a plugin that exports anything but tenon_plugin_query: another plugin's symbol of the same name would replace
# its own, or be replaced by it. Run as: cmake -DNM=... -DLIBRARY=... -P check_exports.cmake
execute_process(COMMAND "${NM}" -D --defined-only "${LIBRARY}"
                OUTPUT_VARIABLE listing RESULT_VARIABLE status ERROR_VARIABLE words)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "cannot list the symbols of ${LIBRARY}: ${words}")
endif()

string(REGEX MATCHALL "[^\n]+" lines "${listing}")
set(surplus "")
set(entry_point FALSE)
foreach(line IN LISTS lines)
  string(REGEX REPLACE "^.* ([^ ]+)$" "\\1" symbol "${line}")
  string(REGEX REPLACE "@.*$" "" symbol "${symbol}")
  if(symbol STREQUAL "tenon_plugin_query")
    set(entry_point TRUE)
  elseif(NOT line MATCHES " A [^ ]+$")  # absolute symbols are names of versions
    list(APPEND surplus "${symbol}")
  endif()
endforeach()

if(NOT entry_point)
  message(FATAL_ERROR "${LIBRARY} does not export tenon_plugin_query: define it as extern \"C\" with TENON_EXPORT")
endif()
if(surplus)
  list(JOIN surplus "\n  " names)
  message(FATAL_ERROR "${LIBRARY} exports more than tenon_plugin_query:\n  ${names}\n"
                      "Build it with tenon_add_plugin(), and leave its visibility flags and version script as they are.")
endif()
