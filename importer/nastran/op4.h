#pragma once

#include <filesystem>
#include <string>

#include "femflex/diagnostics.h"
#include "femflex/importer/contents.h"
#include "femflex/progress.h"

#include "bytes/input_file.h"
#include "readers.h"

namespace femflex::importer {

/// NASTRAN OUTPUT4: a plain sequence of matrices, ASCII or binary (docs/formats/op4.md).
bool claims_op4(const FileHead& head);
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
  std::int64_t rows = 0;  ///< negative: strings are of the BIGMAT kind
  std::int64_t form = 0;
  std::int64_t type = 0;  ///< 1 real single, 2 real double, 3 complex single, 4 complex double
  std::string name;
};

/// An empty matrix of this header.
/// @throws ParseError  impossible sizes, form or type
RawMatrix make_op4_matrix(const Op4Header& header, const Where& where);

}  // namespace femflex::importer
