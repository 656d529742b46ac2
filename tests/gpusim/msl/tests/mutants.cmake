# The kernels with one fault planted in each: tests that do not see one see nothing. A line of `mutants` is
#   name ~ source that is compiled ~ file that is changed ~ what stands there ~ what stands there instead
# with @ for each semicolon, and becomes the library gpusim_metal_mutant_<name>.
set(mutants
    "products_without_barrier~products~products.h~    threadgroup_barrier(mem_flags::mem_threadgroup)@\n    const uint count~    const uint count"
    "products_reloaded_early~products~products.h~    threadgroup_barrier(mem_flags::mem_threadgroup)@  // before the next slab is loaded~"
    "products_flag_not_cleared~products~products.h~  if (thread_number == 0u) atomic_store_explicit(memory.tiny, 0u, memory_order_relaxed)@~"
    "products_without_exact_fold~products~products.h~if (Strict && tiny)~if (false)"
    "products_from_the_last_k~products~products.h~left + k * TileShape<Tile>::pitch + row~left + (count - 1u - k) * TileShape<Tile>::pitch + row"
    "products_beyond_the_rows~products~products.h~row >= rows || k >= depth~k >= depth"
    "sums_without_barrier~rows~teams.h~  threadgroup_barrier(mem_flags::mem_threadgroup)@  // before anybody writes there again~"
    "sums_in_pairs~rows~teams.h~member.shared[i + team_lanes / 2]~member.shared[team_lanes - 1 - i]"
    "sums_by_working_teams_only~rows~teams.h~  threadgroup_barrier(mem_flags::mem_threadgroup)@\n  real lanes~  if (member.works) threadgroup_barrier(mem_flags::mem_threadgroup)@\n  real lanes"
    "quads_beyond_the_end~elementwise~language.h~first + 4u <= count) return~first < count) return"
    "subnormals_left_to_the_device~elementwise~exact.h~if ((product << 1) - 0x01000000u <= 0xfe000000u) return product@~return product@")

set(mutant_targets "")
foreach(mutant IN LISTS mutants)
  string(REPLACE "~" ";" parts "${mutant}")
  list(GET parts 0 name)
  list(GET parts 1 source)
  list(GET parts 2 file)
  list(GET parts 3 from)
  list(GET parts 4 to)
  string(REPLACE "@" ";" from "${from}")
  string(REPLACE "@" ";" to "${to}")
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/mutants/${name}")
  file(GLOB originals "${PROJECT_SOURCE_DIR}/plugins/metal/kernels/*.h"
       "${PROJECT_SOURCE_DIR}/plugins/metal/kernels/${source}.metal")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${originals})
  foreach(original IN LISTS originals)
    cmake_path(GET original FILENAME filename)
    file(READ "${original}" text)
    if(filename STREQUAL file)
      string(FIND "${text}" "${from}" at)
      if(at EQUAL -1)
        message(FATAL_ERROR "[msl] the mutant ${name} finds no line to change in ${file}: say in mutants.cmake what stands there now")
      endif()
      string(REPLACE "${from}" "${to}" text "${text}")
    endif()
    file(CONFIGURE OUTPUT "${folder}/${filename}" CONTENT "${text}" @ONLY)
  endforeach()
  msl_kernels(gpusim_metal_mutant_${name} SOURCES "${folder}/${source}.metal" INCLUDES ${metal_includes} INSTRUMENTED)
  list(APPEND mutant_targets gpusim_metal_mutant_${name})
endforeach()
