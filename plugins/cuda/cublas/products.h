// products.h: which calls of cuBLAS compute products of dense row-major matrices. Values and pure functions; any
// thread.
#pragma once
#include <cstdint>
#include <vector>

#include "tenon/plugin/signature.h"

namespace tenon::gpu::cublas {

/// Matrices in a row: how many, and how far apart those of each operand and of the result stand, in elements; 0 is the
/// same one again.
struct Batch {
  std::int64_t count = 1, left = 0, right = 0, result = 0;
};

/// Where a call begins, in elements.
struct Place {
  std::int64_t left = 0, right = 0, result = 0;
};

/// Products of one shape: (rows, depth) by (depth, columns), in as many calls as there are places.
struct Products {
  std::int64_t rows = 0, columns = 0, depth = 0;
  Batch batch{};              // of each call
  std::vector<Batch> around;  // the axes whose batches are calls of their own, outermost first

  std::uint64_t calls() const;
  std::vector<Place> places() const;
};

/// More calls than that cost more than one kernel that finds its matrices itself.
inline constexpr std::uint64_t most_calls = 64;

/// (..., m, k) by (..., k, n), whose leading axes broadcast to the result's. Ranks and extents are the operation's.
Products products_of(const plugin::TensorView& left, const plugin::TensorView& right, const plugin::TensorView& result);

}  // namespace tenon::gpu::cublas
