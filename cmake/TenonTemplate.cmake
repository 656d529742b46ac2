# tenon_embed_template(<target> <folder>)
#
# Makes the files of a folder a part of the target: `plugin_template()` of cli/plugin_template.h. They stay files, so
# that they can be read, compiled and tested.
function(tenon_embed_template target folder)
  file(GLOB files RELATIVE "${folder}" CONFIGURE_DEPENDS "${folder}/*")
  set(rows "")
  foreach(file IN LISTS files)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${folder}/${file}")
    file(READ "${folder}/${file}" text)
    string(APPEND rows "    {\"${file}\", R\"~~~(${text})~~~\"},\n")
  endforeach()
  set(source "${CMAKE_CURRENT_BINARY_DIR}/plugin_template.cpp")
  file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT "// Made by cmake/TenonTemplate.cmake.
#include \"plugin_template.h\"

namespace tenon::cli {

std::span<const TemplateFile> plugin_template() {
  static constexpr TemplateFile files[] = {
@rows@  };
  return files;
}

}  // namespace tenon::cli
")
  target_sources(${target} PRIVATE "${source}")
endfunction()
