# Compiles every text that the plugin embeds, alone, as Metal does where the build had no compiler for it.
cmake_minimum_required(VERSION 3.22)
file(REMOVE_RECURSE "${TEXTS}")
execute_process(COMMAND ${CMAKE_COMMAND} -DOUT=${TEXTS}/unit.cpp -DFOLDER=${FOLDER} -DSDK=${SDK} -DTEXTS=${TEXTS}
                        -P "${EMBED}" COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(language UNIX_COMMAND "${LANGUAGE}")
file(GLOB sources "${FOLDER}/*.metal")
foreach(source IN LISTS sources)
  cmake_path(GET source FILENAME name)
  file(STRINGS "${TEXTS}/${name}" includes REGEX "^#include \"")
  if(includes)
    message(FATAL_ERROR "${name} still includes ${includes}")
  endif()
  execute_process(COMMAND ${CLANG} ${language} "-I${INCLUDES}" -fsyntax-only "${TEXTS}/${name}"
                  COMMAND_ERROR_IS_FATAL ANY)
endforeach()
