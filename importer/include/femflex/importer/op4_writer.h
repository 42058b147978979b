// Writes NASTRAN OUTPUT4 matrix files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "femflex/importer/contents.h"

namespace femflex::importer {

/// How write_op4() writes. The layout applies to all matrices of the file.
struct Op4Format {
  enum class Layout : std::uint8_t { dense, nonbigmat, bigmat };
  Layout layout = Layout::bigmat;
  bool ascii = false;
  bool big_endian = false;  ///< binary only
  int word_bytes = 4;       ///< binary only: 4, or 8 for the 64-bit form
};

/// Writes matrices as NASTRAN OUTPUT4, in order; real or complex, in double precision (single if
/// `is_single` is set). ASCII carries 17 digits, so that doubles are read back exactly.
/// @throws UsageError  the file cannot be written, or a size does not fit the layout
void write_op4(std::span<const RawMatrix> matrices,
               const Op4Format& format,
               const std::filesystem::path& path);

}  // namespace femflex::importer
