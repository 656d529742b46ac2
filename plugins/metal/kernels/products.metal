// Products of matrices: each element is a fold from +0 over ascending k, the product rounded, then added.
#include "matrices.h"

using namespace tenon_metal;

TENON_MATMUL(products_matmul, tile, true)
TENON_MATMUL(products_matmul_small, small_tile, true)
TENON_LINEAR(products_linear, tile, true)
TENON_LINEAR(products_linear_small, small_tile, true)
TENON_SCORES(products_scores, tile)
TENON_SCORES(products_scores_small, small_tile)
