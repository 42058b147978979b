// Reads NASTRAN OUTPUT4 matrix files (.op4).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "femflex/diagnostics.h"
#include "femflex/importer/contents.h"
#include "femflex/progress.h"

#include "bytes/input_file.h"
#include "readers.h"

namespace femflex::importer {

/// NASTRAN OUTPUT4: a plain sequence of matrices, ASCII or binary (docs/formats/op4.md).
bool is_op4(const FileHead& head);
FileContents read_op4(const std::filesystem::path& path,
                      const ReadOptions& options,
                      Diagnostics& diagnostics,
                      Progress& progress);

/// The two encodings; both add to contents.matrices.
void read_op4_binary(InputFile& file, FileContents& contents, Progress& progress);
void read_op4_ascii(InputFile& file, FileContents& contents, Progress& progress);

/// Header of one matrix, as both encodings give it.
struct Op4Header {
  std::int64_t cols = 0;
  std::int64_t rows = 0;  ///< negative if strings have BIGMAT (two-word) headers
  std::int64_t form = 0;
  std::int64_t type = 0;  ///< 1 real single, 2 real double, 3 complex single, 4 complex double
  std::string name;
};

/// An empty matrix with this header.
/// @throws ParseError  impossible sizes, form or type
RawMatrix make_op4_matrix(const Op4Header& header, const Where& where);

/// Storage of a column: one run of rows, or strings with two-word (bigmat) or one-word headers.
enum class Op4Column : std::uint8_t { run, bigmat, nonbigmat };

/// Sets the layout of `matrix`, which has a column of this kind; one column of strings outweighs
/// any number of runs.
void note_layout(Op4Column kind, RawMatrix& matrix);

/// A string of a column. Its one-word header is 65536 (length + 1) + row.
struct Op4String {
  std::int64_t length = 0;  ///< [words]
  std::int64_t row = 0;     ///< row of its first value, 1-based
};
inline Op4String unpacked_string(std::int64_t header) {
  return {header / 65536 - 1, header % 65536};
}

/// Describes the error of a run of `count` values at (row, col), 0-based; the text is 1-based.
std::string describe_run_error(std::string_view error,
                               const RawMatrix& matrix,
                               std::int64_t row,
                               std::int64_t col,
                               std::int64_t count);

}  // namespace femflex::importer
