// Reads the matrices of CalculiX (one `row column value` per line) and its `.dof` files (one
// `node.direction` per row of a matrix). If a `.dof` file of the same name lies beside a matrix, it
// names the rows of the matrix.
#include "calculix/matrix_files.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/lines.h"
#include "femflex/number.h"
#include "femflex/text.h"

#include "bytes/line_steps.h"
#include "first_lines.h"
#include "matrix_entries.h"
#include "role_by_name.h"

namespace femflex::importer {
namespace {

/// Takes "nan", "-inf" and the like, as programs write them where a computation has failed.
bool take_not_finite(std::string_view& line, double& value) {
  const std::string word = lower_case(trimmed(line));
  const std::string_view text = std::string_view(word).substr(word.starts_with('-') ? 1 : 0);
  if (text != "nan" && text != "inf" && text != "infinity") return false;
  value = std::numeric_limits<double>::quiet_NaN();
  line = {};
  return true;
}

/// Reads `row column value`, a NaN for a value that is not finite; false if the line has another
/// form.
bool take_entry_line(std::string_view line, std::int64_t& row, std::int64_t& col, double& value) {
  return take_integer(line, row) && take_integer(line, col) &&
         (line.empty() || line.front() == ' ' || line.front() == '\t') &&
         (take_real(line, value) || take_not_finite(line, value)) && trimmed(line).empty();
}

/// Reads `node.direction`, direction 0 (temperature) to 6; false if the line has another form.
bool take_dof_line(std::string_view line, Dof& dof) {
  std::int64_t node = 0;
  std::int64_t direction = 0;
  line = trimmed(line);
  if (!take_integer(line, node) || line.size() < 2 || line.front() != '.') return false;
  line.remove_prefix(1);
  if (line.front() < '0' || line.front() > '9' || !take_integer(line, direction) || !line.empty())
    return false;
  if (node < 1 || direction < 0 || direction > 6) return false;
  dof = {node, static_cast<std::int8_t>(direction)};
  return true;
}

bool is_blank(std::string_view line) {
  return trimmed(line).empty();
}

}  // namespace

bool is_calculix_matrix(const FileHead& head) {
  std::int64_t row = 0;
  std::int64_t col = 0;
  double value = 0.0;
  return first_lines_fit(head, kTestedLines, is_blank, [&](std::string_view line) {
    return take_entry_line(line, row, col, value) && row > 0 && col > 0;
  });
}

bool is_calculix_dof(const FileHead& head) {
  Dof dof;
  // direction 0 is legal, but in a file of unknown type `101.0` is more likely a real number
  return first_lines_fit(head, kTestedLines, is_blank, [&](std::string_view line) {
    return take_dof_line(line, dof) && dof.component > 0;
  });
}

RawMatrix read_entry_lines(InputFile& file, Progress& progress) {
  constexpr bool kIsComplex = false;
  MatrixEntries entries(kIsComplex);
  Lines lines(file.bytes());
  // one entry per 32 bytes of the file, so that few reallocations are needed
  entries.reserve(file.bytes().size() / 32 + 16);
  constexpr std::int64_t kMaxIndex = std::numeric_limits<std::int32_t>::max();
  std::int64_t row = 0;
  std::int64_t col = 0;
  std::int64_t size = 0;
  double value = 0.0;
  while (lines.next()) {
    const std::string_view line = lines.line();
    if (!take_entry_line(line, row, col, value)) {
      if (trimmed(line).empty()) continue;
      throw ParseError("entry",
                       fmt::format("'{}' is not 'row column value'", line.substr(0, 60)),
                       {file.name(), lines.number()},
                       "the file is truncated or not a matrix of CalculiX");
    }
    if (row < 1 || col < 1 || row > kMaxIndex || col > kMaxIndex) {
      throw ParseError(
          "entry",
          fmt::format("entry ({}, {}): rows and columns go from 1 to {}", row, col, kMaxIndex),
          {file.name(), lines.number()});
    }
    if (!std::isfinite(value))
      throw ParseError("not-finite",
                       fmt::format("entry ({}, {}) is not a number: the FE code could not compute "
                                   "this matrix",
                                   row,
                                   col),
                       {file.name(), lines.number()},
                       "find the error in the deck (constraints, elements without volume or "
                       "material), and make the matrix again");
    entries.add(static_cast<std::int32_t>(row - 1), static_cast<std::int32_t>(col - 1), value);
    size = std::max({size, row, col});
    report_lines(file, lines, progress);
  }
  RawMatrix matrix;
  matrix.rows = size;
  matrix.cols = size;
  matrix.layout = RawMatrix::Layout::coordinate;
  matrix.form = RawMatrix::Form::symmetric;
  if (entries.has_above() && !entries.has_below()) matrix.triangle = RawMatrix::Triangle::upper;
  if (entries.has_below() && !entries.has_above()) matrix.triangle = RawMatrix::Triangle::lower;
  entries.finish(matrix);
  return matrix;
}

std::vector<Dof> read_dof_lines(InputFile& file, Progress& progress) {
  std::vector<Dof> dofs;
  Lines lines(file.bytes());
  while (lines.next()) {
    Dof dof;
    if (trimmed(lines.line()).empty()) continue;
    if (!take_dof_line(lines.line(), dof)) {
      throw ParseError("dof",
                       fmt::format("'{}' is not 'node.direction'", lines.line().substr(0, 60)),
                       {file.name(), lines.number()});
    }
    dofs.push_back(dof);
    report_lines(file, lines, progress);
  }
  return dofs;
}

FileContents read_calculix_matrix(const std::filesystem::path& path,
                                  const ReadOptions& /*options*/,
                                  Diagnostics& diagnostics,
                                  Progress& progress) {
  InputFile file(path);
  FileContents contents;
  contents.encoding = "ascii";
  RawMatrix matrix = read_entry_lines(file, progress);
  matrix.name = role_of_file(file.name());
  std::filesystem::path dof_path = path;
  if (dof_path.extension() == ".gz") dof_path.replace_extension();
  dof_path.replace_extension(".dof");
  std::error_code ignored;
  if (dof_path != path && std::filesystem::is_regular_file(dof_path, ignored)) {
    InputFile dof_file(dof_path);
    std::vector<Dof> dofs = read_dof_lines(dof_file, progress);
    // empty rows at the end do not appear in the matrix file, so that the list may be longer
    if (static_cast<std::int64_t>(dofs.size()) >= matrix.rows) {
      matrix.rows = matrix.cols = static_cast<std::int64_t>(dofs.size());
      contents.row_map = dofs;
      matrix.col_dofs = dofs;
      matrix.row_dofs = std::move(dofs);
    } else if (2 * static_cast<std::int64_t>(dofs.size()) == matrix.rows) {
      contents.row_map = std::move(dofs);
      diagnostics.warn(
          "cyclic-symmetry",
          "the matrix has twice the rows of its .dof file: taken as the complex matrix "
          "of one sector (*CYCLIC SYMMETRY MODEL), with its real part on the diagonal "
          "blocks; its rows are not assigned to nodes",
          {path.string()});
    } else {
      diagnostics.warn("dof-file",
                       fmt::format("{} lists {} rows, but the matrix has {}: the list is not used",
                                   dof_path.string(),
                                   dofs.size(),
                                   matrix.rows),
                       {path.string()});
    }
  }
  contents.matrices.push_back(std::move(matrix));
  return contents;
}

FileContents read_calculix_dof(const std::filesystem::path& path,
                               const ReadOptions& /*options*/,
                               Diagnostics& /*diagnostics*/,
                               Progress& progress) {
  InputFile file(path);
  FileContents contents;
  contents.encoding = "ascii";
  contents.row_map = read_dof_lines(file, progress);
  return contents;
}

}  // namespace femflex::importer
