# What is done to the kernels. Texts are short, so that most changes of a kernel leave them.
set(race "data race")
set(bounds "out of bounds|is not strict")  # the battery of a device that opens may come first
set(values "found .*, expected|is not strict")  # the values of a case are others
set(any "data race|${bounds}|uninitialised read|barrier in divergent|stuck|${values}")

# -- in the normal run ----------------------------------------------------------------------------------------------

gpusim_mutation(transpose_barrier layout.cu "  __syncthreads();" "" "${race}|uninitialised read" OPS permute QUICK)
gpusim_mutation(scan_one_too_far sequences.cu "if (i >= size) return;" "if (i > size) return;" "${bounds}"
                OPS selective_scan QUICK)
gpusim_mutation(sum_of_the_wrong_lanes teams.h "shuffle_xor(value, half)" "shuffle_xor(value, 1)" "${values}"
                SOURCES sequences.cu OPS scaled_dot_product_attention QUICK)

# -- bounds ---------------------------------------------------------------------------------------------------------

gpusim_mutation(pack_one_too_many pack.h "if (i < packs)" "if (i <= packs)" "${bounds}")
gpusim_mutation(rest_one_too_many pack.h "i - packs < n % " "i - packs <= n % " "${bounds}")
gpusim_mutation(product_rows_unguarded products.h "if (row >= extents.rows) continue;" "" "${bounds}")
gpusim_mutation(product_columns_unguarded products.h "if (column >= extents.columns) continue;" "" "${bounds}")
gpusim_mutation(transpose_rows_unguarded layout.cu "row + i < shape.rows && " "" "${bounds}|${values}")
gpusim_mutation(transpose_columns_unguarded layout.cu "column + j < shape.columns && " "" "${any}")
gpusim_mutation(copy_one_too_far layout.cu "if (i >= shape.blocks * shape.count) return;"
                "if (i > shape.blocks * shape.count) return;" "${bounds}")
gpusim_mutation(norm_one_too_far normalisers.cu "if (i >= (packs ? n / width : n)) return;"
                "if (i > (packs ? n / width : n)) return;" "${bounds}")
gpusim_mutation(modes_one_too_far fourier.cu "if (row >= rows) return;" "if (row > rows) return;" "${bounds}")
gpusim_mutation(row_that_is_not_there teams.h "row < rows" "row <= rows" "${bounds}")

# -- lanes ----------------------------------------------------------------------------------------------------------

gpusim_mutation(tree_over_two_rows teams.h "half = lanes / 2" "half = lanes" "${values}")
gpusim_mutation(tree_without_its_last_level teams.h "half != 0" "half != 1" "${values}")
gpusim_mutation(tile_of_another_thread layout.cu "= tile[fast][j]" "= tile[fast][j ^ 1]" "${values}|uninitialised read")
gpusim_mutation(shared_index_beyond layout.cu "= tile[fast][j]" "= tile[fast][j + 1]" "${any}")
gpusim_mutation(columns_changed_over reductions.h "values[lane][column] = value" "values[column][lane] = value" "${values}")

# -- what is not initialised ----------------------------------------------------------------------------------------

gpusim_mutation(product_begins_anywhere products.h "T sums[Tile::per_thread][Tile::per_thread] = {};"
                "T sums[Tile::per_thread][Tile::per_thread];" "${values}")
gpusim_mutation(count_begins_anywhere reductions.cu "std::uint64_t mine = 0;" "std::uint64_t mine;" "${values}")

# -- every barrier left out -----------------------------------------------------------------------------------------

# Those that nobody misses, each with its reason. One that somebody misses fails.
set(needless
    teams.h:5)  # the last one of a staged sum: whatever comes next has one before it writes there, but for empty rows

foreach(path IN LISTS kernel_files)
  cmake_path(GET path FILENAME file)
  string(REPLACE "." "_" stem "${file}")
  file(STRINGS "${path}" barriers REGEX "^ *__syncthreads\\(\\);")
  list(LENGTH barriers count)
  if(count EQUAL 0)
    continue()
  endif()
  foreach(nth RANGE 1 ${count})
    set(says "${any}")
    if("${file}:${nth}" IN_LIST needless)
      set(says nobody)
    endif()
    gpusim_mutation(barrier_${nth}_of_${stem} ${file} "  __syncthreads()" "  static_cast<void>(0)" "${says}" NTH ${nth})
  endforeach()
endforeach()
