// The entries of the binary fields of CalculiX result files, and how they become rows of shapes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "femflex/byte_order.h"

#include "raw_shapes.h"

namespace femflex::importer {

/// The entries of a binary field: an id of 4 bytes and `stored` reals of `real_width` bytes each.
struct BinaryEntries {
  const char* start = nullptr;
  std::size_t count = 0, stored = 0, real_width = 0;

  std::size_t stride() const { return sizeof(std::int32_t) + stored * real_width; }
  /// Rows of each entry in a matrix: the reals, filled up with zeros to three or six.
  std::size_t rows() const { return static_cast<std::size_t>(components_for(stored)); }
  std::int64_t id(std::size_t k) const { return load<std::int32_t>(start + k * stride(), false); }
};

/// Copies the reals of all entries (`places` null), or of those at `places`, into rows() rows each,
/// missing ones as zero. Returns false if a value is not finite. An entry has up to six reals.
bool copy_entries(const BinaryEntries& entries, const std::vector<std::size_t>* places, double* to);

}  // namespace femflex::importer
