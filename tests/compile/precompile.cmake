# Precompiles mlp.h with COMPILER and the folders INCLUDES, as the header PRECOMPILED.
set(flags -std=c++20)
foreach(folder IN LISTS INCLUDES)
  list(APPEND flags -I${folder})
endforeach()
file(WRITE ${PRECOMPILED} "#include \"${CMAKE_CURRENT_LIST_DIR}/mlp.h\"\n")
execute_process(COMMAND ${COMPILER} ${flags} -x c++-header ${PRECOMPILED} -o ${PRECOMPILED}.gch
                RESULT_VARIABLE status ERROR_VARIABLE output)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "mlp.h does not compile:\n${output}")
endif()
