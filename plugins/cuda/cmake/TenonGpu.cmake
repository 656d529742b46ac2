# Kernels as code objects inside a plugin: what plugins/cuda and plugins/rocm share.
include_guard(GLOBAL)

set(TENON_GPU_IMAGES "" CACHE PATH "Another build folder, up to date and for the same targets, whose kernels are taken")

# tenon_gpu_objects(<out> FOLDER <folder> COMPILER <command>...)
#
# Compiles each kernels/<family>.cu by `<command> <family>.cu -o <folder>/<family>.image`, with all that the compiler says
# of registers and shared memory in <family>.resources; the images' names in <out>.
function(tenon_gpu_objects out)
  cmake_parse_arguments(PARSE_ARGV 1 object "" "FOLDER" "COMPILER")
  cmake_path(GET CMAKE_CURRENT_FUNCTION_LIST_DIR PARENT_PATH shared)
  file(GLOB kernels CONFIGURE_DEPENDS "${shared}/kernels/*.cu")
  file(GLOB headers CONFIGURE_DEPENDS "${shared}/kernels/*.h" "${PROJECT_SOURCE_DIR}/sdk/include/tenon/*.h"
       "${PROJECT_SOURCE_DIR}/sdk/include/tenon/strict/*.h")
  file(MAKE_DIRECTORY "${object_FOLDER}")
  set(objects "")
  foreach(kernel IN LISTS kernels)
    cmake_path(GET kernel STEM family)
    set(object "${object_FOLDER}/${family}.image")
    set(resources "${object_FOLDER}/${family}.resources")
    add_custom_command(OUTPUT "${object}" BYPRODUCTS "${resources}"
      COMMAND ${CMAKE_COMMAND} "-DRESOURCES=${resources}" -P "${shared}/cmake/compile.cmake" -- ${object_COMPILER}
              "-I${PROJECT_SOURCE_DIR}/sdk/include" "${kernel}" -o "${object}"
      DEPENDS "${kernel}" ${headers} "${shared}/cmake/compile.cmake"
      COMMENT "Kernels of ${family}" VERBATIM)
    list(APPEND objects "${object}")
  endforeach()
  set(${out} "${objects}" PARENT_SCOPE)
endfunction()

# tenon_gpu_copies(<out> FOLDER <folder>): the same, as the build TENON_GPU_IMAGES has them.
function(tenon_gpu_copies out)
  cmake_parse_arguments(PARSE_ARGV 1 object "" "FOLDER" "")
  cmake_path(GET CMAKE_CURRENT_FUNCTION_LIST_DIR PARENT_PATH shared)
  file(GLOB kernels CONFIGURE_DEPENDS "${shared}/kernels/*.cu")
  cmake_path(RELATIVE_PATH object_FOLDER BASE_DIRECTORY "${PROJECT_BINARY_DIR}" OUTPUT_VARIABLE within)
  file(MAKE_DIRECTORY "${object_FOLDER}")
  set(objects "")
  foreach(kernel IN LISTS kernels)
    cmake_path(GET kernel STEM family)
    foreach(kind image resources)
      set(copy "${object_FOLDER}/${family}.${kind}")
      add_custom_command(OUTPUT "${copy}" COMMAND ${CMAKE_COMMAND} -E copy "${TENON_GPU_IMAGES}/${within}/${family}.${kind}" "${copy}"
                         DEPENDS "${TENON_GPU_IMAGES}/${within}/${family}.${kind}" COMMENT "" VERBATIM)
    endforeach()
    list(APPEND objects "${object_FOLDER}/${family}.image" "${object_FOLDER}/${family}.resources")
  endforeach()
  set(${out} "${objects}" PARENT_SCOPE)
endfunction()

# tenon_gpu_images(<out> COMPILER <command>...)
#
# Gives in <out> a source file that embeds the objects as the table of host/images.h.
function(tenon_gpu_images out)
  cmake_parse_arguments(PARSE_ARGV 1 image "" "" "COMPILER")
  cmake_path(GET CMAKE_CURRENT_FUNCTION_LIST_DIR PARENT_PATH shared)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/images")
  if(TENON_GPU_IMAGES)
    tenon_gpu_copies(objects FOLDER "${folder}")
  else()
    tenon_gpu_objects(objects FOLDER "${folder}" COMPILER ${image_COMPILER})
  endif()
  set(embedded "")
  set(declared "")
  set(rows "")
  foreach(object IN LISTS objects)
    if(object MATCHES "\\.resources$")
      continue()
    endif()
    cmake_path(GET object STEM family)
    string(APPEND embedded "    \".balign 4096\\n\"\n    \"tenon_gpu_image_${family}: .incbin \\\"${object}\\\"\\n\"\n")
    string(APPEND declared "extern const unsigned char tenon_gpu_image_${family}[];\n")
    string(APPEND rows "    {\"${family}\", tenon_gpu_image_${family}},\n")
  endforeach()
  set(TENON_IMAGES_EMBEDDED "${embedded}")
  set(TENON_IMAGES_DECLARED "${declared}")
  set(TENON_IMAGES_ROWS "${rows}")
  configure_file("${shared}/cmake/images.cpp.in" "${folder}/images.cpp" @ONLY)
  set_source_files_properties("${folder}/images.cpp" PROPERTIES OBJECT_DEPENDS "${objects}")
  set(${out} "${folder}/images.cpp" PARENT_SCOPE)
endfunction()

# tenon_gpu_plugin(<kind> COMPILER <command>... TARGETS <target>... MINIMUM_VERSION <number> SOURCES <file>...)
#
# The target's property TENON_GPU_COMPILER is the command, by which tests/cuda compiles for other targets.
function(tenon_gpu_plugin kind)
  cmake_parse_arguments(PARSE_ARGV 1 gpu "" "MINIMUM_VERSION" "COMPILER;TARGETS;SOURCES")
  cmake_path(GET CMAKE_CURRENT_FUNCTION_LIST_DIR PARENT_PATH shared)
  file(GLOB sources CONFIGURE_DEPENDS "${shared}/host/*.cpp" "${shared}/ops/*.cpp")
  tenon_gpu_images(images COMPILER ${gpu_COMPILER})
  tenon_add_plugin(${kind} SOURCES ${sources} ${gpu_SOURCES} ${images} LIBRARIES ${CMAKE_DL_LIBS} DEVICES ${kind}:gpu)
  string(JOIN " " targets ${gpu_TARGETS})
  target_include_directories(tenon_plugin_${kind} PRIVATE "${shared}")
  target_compile_definitions(tenon_plugin_${kind} PRIVATE
    TENON_PLUGIN_VERSION="${PROJECT_VERSION}" TENON_GPU_KIND="${kind}" TENON_GPU_TARGETS="${targets}"
    TENON_GPU_MINIMUM_VERSION=${gpu_MINIMUM_VERSION})
  set_target_properties(tenon_plugin_${kind} PROPERTIES TENON_GPU_COMPILER "${gpu_COMPILER}")
  tenon_gpu_sanitized(tenon_plugin_${kind})
endfunction()

# The driver's functions are called by signatures of our own (host/driver.h), in which handles are void*. tests/cuda
# compares them with the vendors'; to clang's sanitizer they are other types.
function(tenon_gpu_sanitized target)
  if(TENON_SANITIZE MATCHES "undefined" AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_compile_options(${target} PRIVATE -fno-sanitize=function)
  endif()
endfunction()

# A toolkit that is not there skips its plugin, unless the option insists.
function(tenon_gpu_skip option what)
  if(${option} STREQUAL "ON")
    message(FATAL_ERROR "${option}=ON, but ${what}: install it, or leave ${option} at AUTO")
  endif()
  message(STATUS "${option}: skipped, ${what}")
endfunction()
