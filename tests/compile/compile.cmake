# Compiles SOURCE with COMPILER, the folders INCLUDES and the header PRECOMPILED (precompile.cmake). A source that holds
# a line `// expected: TEXT` must fail, with exactly one error (or as many as a line `// errors: N` says) whose first line
# holds TEXT; another one must compile without a warning.
file(READ ${SOURCE} program)
set(flags -std=c++20 -fsyntax-only -include ${PRECOMPILED})
foreach(folder IN LISTS INCLUDES)
  list(APPEND flags -I${folder})
endforeach()

if(NOT program MATCHES "// expected: ([^\n]*)")
  execute_process(COMMAND ${COMPILER} ${flags} -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror ${SOURCE}
                  RESULT_VARIABLE status ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "does not compile:\n${output}")
  endif()
  return()
endif()
set(expected "${CMAKE_MATCH_1}")
set(errors_expected 1)
if(program MATCHES "// errors: ([0-9]+)")
  set(errors_expected ${CMAKE_MATCH_1})
endif()

set(ENV{LC_ALL} C)  # plain quotation marks
execute_process(COMMAND ${COMPILER} ${flags} ${SOURCE} RESULT_VARIABLE status ERROR_VARIABLE output)
if(status EQUAL 0)
  message(FATAL_ERROR "compiles, though it should not; expected: ${expected}")
endif()
if(NOT output MATCHES "error: ([^\n]*)")
  message(FATAL_ERROR "fails without an error line:\n${output}")
endif()
set(line "${CMAKE_MATCH_1}")
# clang gives the text in pieces, the 14th letter by letter.
string(REGEX REPLACE "\"}, Text<[0-9]+>{\"" "" line "${line}")
string(REPLACE "', '" "" line "${line}")
string(FIND "${line}" "${expected}" position)
if(position EQUAL -1)
  message(FATAL_ERROR "expected: ${expected}\nfound:    ${line}\n\n${output}")
endif()

string(REGEX REPLACE "[^\n]*error: [^\n]*" "@" marked "${output}")
string(REGEX REPLACE "[^@]" "" marks "${marked}")
string(LENGTH "${marks}" errors)
if(NOT errors EQUAL errors_expected)
  message(FATAL_ERROR "found ${errors} errors, expected ${errors_expected}:\n${output}")
endif()
