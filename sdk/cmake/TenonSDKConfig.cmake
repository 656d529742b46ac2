# find_package(TenonSDK): the target tenon_sdk and the function tenon_add_plugin(). Found wherever the tree was moved to.
include("${CMAKE_CURRENT_LIST_DIR}/TenonSDKTargets.cmake")
if(NOT TARGET tenon_sdk)
  add_library(tenon_sdk INTERFACE IMPORTED)
  target_link_libraries(tenon_sdk INTERFACE Tenon::tenon_sdk)
endif()
include("${CMAKE_CURRENT_LIST_DIR}/TenonPlugin.cmake")
