# tenon_next_headers(<plugin.h> <folder> <folder>): headers of the next minor version, with one slot more at the end of
# tenon_devices, and of the next major version. Sets tenon_abi_major and tenon_abi_minor to those of plugin.h.
function(tenon_replace_once variable what by)
  string(FIND "${${variable}}" "${what}" first)
  string(FIND "${${variable}}" "${what}" last REVERSE)
  if(first EQUAL -1 OR NOT first EQUAL last)
    message(FATAL_ERROR "tests/abi: expected once in plugin.h: ${what}")
  endif()
  string(REPLACE "${what}" "${by}" out "${${variable}}")
  set(${variable} "${out}" PARENT_SCOPE)
endfunction()

# Adds a version to the end of the header's list and makes it the current one.
function(tenon_add_version variable major minor)
  string(REGEX MATCH "#define TENON_ABI TENON_ABI_VERSION\\([0-9]+, [0-9]+\\)" now "${${variable}}")
  tenon_replace_once(${variable} "${now}" "#define TENON_ABI TENON_ABI_VERSION(${major}, ${minor})")
  string(REGEX MATCH "  X\\(${tenon_abi_major}, ${tenon_abi_minor}, UINT64_C\\([0-9a-fx]+\\), ([0-9]+)\\)" newest "${${variable}}")
  tenon_replace_once(${variable} "${newest}"
                     "${newest} \\\n  X(${major}, ${minor}, UINT64_C(0x746573740000000${minor}), ${CMAKE_MATCH_1})")
  set(${variable} "${${variable}}" PARENT_SCOPE)
endfunction()

function(tenon_write_header folder text)
  file(WRITE ${folder}/tenon/plugin.h.new "${text}")
  file(COPY_FILE ${folder}/tenon/plugin.h.new ${folder}/tenon/plugin.h ONLY_IF_DIFFERENT)
endfunction()

function(tenon_next_headers header next next_major)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
  file(READ ${header} current)
  if(NOT current MATCHES "#define TENON_ABI TENON_ABI_VERSION\\(([0-9]+), ([0-9]+)\\)")
    message(FATAL_ERROR "tests/abi: plugin.h does not define TENON_ABI as expected")
  endif()
  set(tenon_abi_major ${CMAKE_MATCH_1})
  set(tenon_abi_minor ${CMAKE_MATCH_2})
  math(EXPR following_minor "${tenon_abi_minor} + 1")
  math(EXPR following_major "${tenon_abi_major} + 1")

  set(text "${current}")
  tenon_add_version(text ${tenon_abi_major} ${following_minor})
  tenon_replace_once(text "} tenon_devices;" "  int32_t (*next_slot)(tenon_stream*);\n} tenon_devices;")
  tenon_write_header(${next} "${text}")

  set(text "${current}")
  tenon_add_version(text ${following_major} 0)
  string(REGEX MATCH "#define TENON_ABI_OLDEST TENON_ABI_VERSION\\([0-9]+, [0-9]+\\)" oldest "${text}")
  tenon_replace_once(text "${oldest}" "#define TENON_ABI_OLDEST TENON_ABI")
  tenon_write_header(${next_major} "${text}")

  set(tenon_abi_major ${tenon_abi_major} PARENT_SCOPE)
  set(tenon_abi_minor ${tenon_abi_minor} PARENT_SCOPE)
endfunction()
