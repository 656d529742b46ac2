# What a configuration says of plugins whose toolkits are not there: one line each, or an error where they are asked for.
#   cmake -DSOURCE= -DFOLDER= -DGENERATOR= -DCXX= -DCC= -P configure.cmake
file(REMOVE_RECURSE "${FOLDER}")
set(without_toolkits -DTENON_NVCC= -DTENON_HIPCC= -DGLSLC=)

# configure(<option>...): what it says in `said`, its exit status in `status`.
macro(configure)
  execute_process(COMMAND ${CMAKE_COMMAND} -S "${SOURCE}" -B "${FOLDER}" -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${CXX}"
                          "-DCMAKE_C_COMPILER=${CC}" -DTENON_TESTS=ON -DTENON_CUDA=AUTO -DTENON_ROCM=AUTO
                          -DTENON_VULKAN=AUTO ${without_toolkits} ${ARGN}
                  RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE complained)
  string(APPEND said "${complained}")
endmacro()

function(expect_status expected)
  if(expected STREQUAL "success" AND NOT status EQUAL 0 OR expected STREQUAL "error" AND status EQUAL 0)
    message(FATAL_ERROR "expected ${expected}, found ${status}:\n${said}")
  endif()
endfunction()

# Words may be wrapped where they are an error's.
function(expect_times times words)
  string(REGEX REPLACE "[ \n]+" " " flat "${said}")
  string(REGEX MATCHALL "${words}" found "${flat}")
  list(LENGTH found count)
  if(NOT count EQUAL times)
    message(FATAL_ERROR "expected ${times} times \"${words}\", found ${count}:\n${said}")
  endif()
endfunction()

configure()
expect_status(success)
expect_times(1 "-- TENON_CUDA: skipped, nvcc was not found")
expect_times(1 "-- TENON_ROCM: skipped, hipcc was not found")
expect_times(1 "-- plugin vulkan is skipped: it needs glslc and")
expect_times(1 "nvcc")
expect_times(1 "hipcc")
expect_times(2 "glslc")  # the tool, and the package that has it

configure(-DTENON_CUDA=ON)
expect_status(error)
expect_times(1 "TENON_CUDA=ON, but nvcc was not found")
configure(-DTENON_ROCM=ON)
expect_status(error)
expect_times(1 "TENON_ROCM=ON, but hipcc was not found")
configure(-DTENON_VULKAN=ON)
expect_status(error)
expect_times(1 "TENON_VULKAN=ON, but glslc is")

configure(-DTENON_NVCC=${CMAKE_COMMAND} -DTENON_HIPCC=${CMAKE_COMMAND} -DGLSLC=${CMAKE_COMMAND} -DVULKAN_HEADERS=)
expect_status(success)
expect_times(1 "-- TENON_CUDA: skipped, ${CMAKE_COMMAND} does not run")
expect_times(1 "-- TENON_ROCM: skipped, ${CMAKE_COMMAND} does not run")
expect_times(1 "-- plugin vulkan is skipped: it needs glslc and vulkan/vulkan_core.h")

configure(-DTENON_CUDA=OFF -DTENON_ROCM=OFF -DTENON_VULKAN=OFF)
expect_status(success)
expect_times(0 "nvcc|hipcc|glslc")
expect_times(1 "-- gpusim: no plugin to run on the fakes, neither cuda nor rocm is built")

file(REMOVE_RECURSE "${FOLDER}")
