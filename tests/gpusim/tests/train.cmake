# Trains on the CPU and on a simulated GPU, and compares what is saved.
#   TENON, DATA, FOLDER, DEVICE, STEPS; the simulator's settings are in the environment
file(MAKE_DIRECTORY "${FOLDER}")
foreach(device IN ITEMS cpu ${DEVICE})
  execute_process(
    COMMAND ${TENON} train mlp --data ${DATA} --hidden 32 --steps ${STEPS} --batch 33 --dtype ieee754exec
            --device ${device} --save ${FOLDER}/${device}.safetensors
    RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(failed)
    message(FATAL_ERROR "training on ${device} ended with ${failed}:\n${said}")
  endif()
  file(SHA256 ${FOLDER}/${device}.safetensors hash_${device})
endforeach()
if(NOT hash_cpu STREQUAL "${hash_${DEVICE}}")
  message(FATAL_ERROR "${DEVICE} has other bits than the CPU: ${hash_${DEVICE}}, expected ${hash_cpu}")
endif()
