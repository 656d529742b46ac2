# tenon_layer(<name> USES <layers...> [LIBRARIES <targets...>] [PRECOMPILED <group>])
#
# A layer of the core: an OBJECT library of core/<name>/*.cpp that sees core/<name>/include and the include folders of
# the layers it uses, and no others, so that an upward include does not build.
function(tenon_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "" "PRECOMPILED" "USES;LIBRARIES")
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp
       ${CMAKE_CURRENT_SOURCE_DIR}/${name}/validate/*.cpp)
  add_library(tenon_${name} OBJECT ${sources})
  target_include_directories(tenon_${name} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/${name}/include)
  list(TRANSFORM layer_USES PREPEND tenon_)
  target_link_libraries(tenon_${name} PUBLIC ${layer_USES} ${layer_LIBRARIES})
  if(layer_PRECOMPILED)
    tenon_precompile(tenon_${name} ${layer_PRECOMPILED})
  endif()
  tenon_unity(tenon_${name})
  set_property(GLOBAL APPEND PROPERTY TENON_LAYERS tenon_${name})
endfunction()
