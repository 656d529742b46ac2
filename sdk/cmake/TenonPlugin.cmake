# tenon_add_plugin(): builds a plugin as the host wants it, and writes its manifest.
#
#   tenon_add_plugin(<name>
#     SOURCES <file>...
#     DEVICES <kind>:<class>[:software]...      class: cpu, gpu, npu, other
#     [LIBRARIES <target>...]
#     [OUTPUT_DIRECTORY <folder>])              default: TENON_PLUGIN_OUTPUT_DIR, lib/tenon-plugins of the build tree
#
# makes the target tenon_plugin_<name>, the library tenon_<name>.so and beside it <name>.tenon.json, which are installed
# into lib/tenon-plugins unless a folder was given. Everything in the
# manifest but the devices is asked of the fresh library itself, so that the two cannot drift apart. The build fails if
# the library exports more than tenon_plugin_query.
include_guard(GLOBAL)
include(GNUInstallDirs)

set(TENON_SDK_CMAKE_DIR "${CMAKE_CURRENT_LIST_DIR}")

function(tenon_add_plugin name)
  cmake_parse_arguments(PARSE_ARGV 1 plugin "" "OUTPUT_DIRECTORY" "SOURCES;DEVICES;LIBRARIES")
  if(plugin_UNPARSED_ARGUMENTS OR NOT plugin_SOURCES)
    message(FATAL_ERROR "tenon_add_plugin(${name}): expected SOURCES, DEVICES, LIBRARIES, OUTPUT_DIRECTORY; "
                        "found ${plugin_UNPARSED_ARGUMENTS}")
  endif()

  set(target tenon_plugin_${name})
  add_library(${target} MODULE ${plugin_SOURCES})
  target_link_libraries(${target} PRIVATE tenon_sdk ${plugin_LIBRARIES})
  tenon_plugin_flags(${target})

  tenon_plugin_output_directory(folder "${plugin_OUTPUT_DIRECTORY}")
  set(manifest "${folder}/${name}.tenon.json")
  set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME tenon_${name} SUFFIX ".so"
                        LIBRARY_OUTPUT_DIRECTORY "$<1:${folder}>" TENON_MANIFEST "${manifest}")
  tenon_plugin_manifest_program(helper)
  add_custom_command(TARGET ${target} POST_BUILD
    COMMAND ${CMAKE_COMMAND} -E rm -f "${manifest}"
    COMMAND ${CMAKE_COMMAND} "-DNM=${CMAKE_NM}" "-DLIBRARY=$<TARGET_FILE:${target}>"
            -P "${TENON_SDK_CMAKE_DIR}/check_exports.cmake"
    COMMAND ${helper} "$<TARGET_FILE:${target}>" "${manifest}" ${plugin_DEVICES}
    BYPRODUCTS "${manifest}" VERBATIM)

  if(NOT plugin_OUTPUT_DIRECTORY AND NOT TENON_PLUGIN_OUTPUT_DIR)
    install(TARGETS ${target} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/tenon-plugins")
    install(FILES "${manifest}" DESTINATION "${CMAKE_INSTALL_LIBDIR}/tenon-plugins")
  endif()
endfunction()

# What makes plugins keep to themselves: hidden symbols, no process-wide unique ones, nothing undefined, own libraries
# found beside the plugin; and what strict numerics need of a compiler.
function(tenon_plugin_flags target)
  set_target_properties(${target} PROPERTIES
    C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON POSITION_INDEPENDENT_CODE ON
    INSTALL_RPATH "$ORIGIN" BUILD_RPATH_USE_ORIGIN ON
    LINK_DEPENDS "${TENON_SDK_CMAKE_DIR}/plugin.map")
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:C,CXX>:-ffp-contract=off>
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-gnu-unique>)
  target_link_options(${target} PRIVATE
    "LINKER:--version-script=${TENON_SDK_CMAKE_DIR}/plugin.map" "LINKER:--build-id=sha1")
  tenon_uses_clang_sanitizer(sanitized)
  if(NOT sanitized)  # clang leaves the sanitizer's symbols to the program
    target_link_options(${target} PRIVATE "LINKER:-z,defs")
  endif()
endfunction()

function(tenon_uses_clang_sanitizer out)
  get_directory_property(options COMPILE_OPTIONS)
  set(${out} FALSE PARENT_SCOPE)
  foreach(language C CXX)  # a plugin in C needs no C++
    if(CMAKE_${language}_COMPILER_ID MATCHES "Clang" AND "${CMAKE_${language}_FLAGS} ${options}" MATCHES "-fsanitize")
      set(${out} TRUE PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

function(tenon_plugin_output_directory out wanted)
  if(NOT wanted)
    set(wanted "${TENON_PLUGIN_OUTPUT_DIR}")
  endif()
  if(NOT wanted)
    set(wanted "${CMAKE_BINARY_DIR}/lib/tenon-plugins")
  endif()
  set(${out} "${wanted}" PARENT_SCOPE)
endfunction()

function(tenon_plugin_manifest_program out)
  if(TARGET tenon-manifest)
    set(${out} tenon-manifest PARENT_SCOPE)
  elseif(TARGET Tenon::tenon-manifest)
    set(${out} Tenon::tenon-manifest PARENT_SCOPE)
  else()
    message(FATAL_ERROR "tenon_add_plugin() needs the SDK: add_subdirectory(sdk) or find_package(TenonSDK)")
  endif()
endfunction()
