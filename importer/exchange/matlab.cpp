// Turns the variables of MATLAB files of level 5 and 7.3 into matrices.
#include "exchange/matlab.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/io/hdf5_file.h"
#include "femflex/io/mat5.h"

#include "bytes/input_file.h"
#include "exchange/named_arrays.h"
#include "raw_matrix.h"

namespace femflex::importer {
namespace {

constexpr std::int64_t kMostRows = std::numeric_limits<std::int32_t>::max();

RawMatrix matrix_of_size(const std::string& name, std::uint64_t rows, std::uint64_t cols) {
  RawMatrix out;
  out.name = name;
  out.rows = static_cast<std::int64_t>(rows);
  out.cols = static_cast<std::int64_t>(cols);
  return out;
}

RawMatrix full_array(const std::string& name,
                     std::uint64_t rows,
                     std::uint64_t cols,
                     std::vector<double> values) {
  RawMatrix out = matrix_of_size(name, rows, cols);
  out.layout = RawMatrix::Layout::dense;
  out.is_dense = true;
  out.values = std::move(values);
  return out;
}

/// @throws ParseError  a value is not finite
void check_finite(const RawMatrix& matrix, const std::string& file) {
  for (const double value : matrix.values)
    if (!std::isfinite(value))
      throw ParseError("not-finite", "a number is not finite", {file, -1, -1, -1, matrix.name});
}

std::vector<RawMatrix> read_level5(const InputFile& file, FileContents& contents) {
  std::vector<RawMatrix> out;
  io::MatFile variables = io::read_mat5(file.bytes(), file.name());
  for (io::MatArray& array : variables.arrays) {
    if (array.values.empty()) continue;
    out.push_back(full_array(array.name, array.rows, array.columns, std::move(array.values)));
  }
  for (io::MatSparse& sparse : variables.sparse) {
    if (sparse.rows == 0 || sparse.columns == 0) continue;
    out.push_back(matrix_of_size(sparse.name, sparse.rows, sparse.columns));
    set_compressed(
        out.back(),
        {false, std::move(sparse.start), std::move(sparse.row), std::move(sparse.values)});
  }
  for (const std::string& name : variables.others)
    contents.unread.push_back({name.empty() ? "variable without a name" : name, 1});
  return out;
}

/// Variables of a file of level 7.3.
class MatlabHdf5 {
 public:
  explicit MatlabHdf5(const io::Hdf5File& file) : file_(file) {}

  std::vector<RawMatrix> read(FileContents& contents) const {
    std::vector<RawMatrix> out;
    for (const std::string& name : file_.children("/")) {
      const std::string path = "/" + name;
      if (file_.has_attribute(path, "MATLAB_sparse") && file_.has(path + "/data"))
        out.push_back(sparse(name));
      else if (is_full(path))
        out.push_back(dense(name));
      else if (!name.starts_with('#'))  // #refs#, #subsystem#: parts of structs and cells
        contents.unread.push_back({name, 1});
    }
    return out;
  }

 private:
  [[noreturn]] void fail(const std::string& path, const std::string& what) const {
    throw ParseError("mat", what, {file_.name(), -1, -1, -1, path});
  }

  /// True for a full array of real numbers of two dimensions.
  bool is_full(const std::string& path) const {
    const bool has_class = file_.has_attribute(path, "MATLAB_class");
    const std::string kind = has_class ? file_.text_attribute(path, "MATLAB_class") : "double";
    const bool is_number =
        kind == "double" || kind == "single" || kind.starts_with("int") || kind.starts_with("uint");
    if (!is_number || file_.has_attribute(path, "MATLAB_empty")) return false;
    try {
      return file_.shape(path).size() == 2 && file_.fields(path).empty();
    } catch (const ParseError&) {  // a group, or another kind of data set
      return false;
    }
  }

  RawMatrix dense(const std::string& name) const {
    const std::vector<std::uint64_t> extents = file_.shape("/" + name);
    RawMatrix out = full_array(name, extents[1], extents[0], file_.read_reals("/" + name));
    if (out.rows < 1 || out.cols < 1 || out.rows > kMostRows || out.cols > kMostRows)
      fail("/" + name, "the array is empty or has more than 2^31 rows or columns");
    return out;
  }

  RawMatrix sparse(const std::string& name) const {
    const std::string path = "/" + name;
    const std::int64_t rows = file_.integer_attribute(path, "MATLAB_sparse");
    CompressedLines columns;
    columns.values = file_.read_reals(path + "/data");
    columns.start = file_.read_integers(path + "/jc");
    const std::vector<std::int64_t> given = file_.read_integers(path + "/ir");
    if (rows < 1 || rows > kMostRows || columns.start.size() < 2 || columns.start.front() != 0 ||
        columns.start.back() != static_cast<std::int64_t>(given.size()) ||
        columns.values.size() != given.size())
      fail(path, "rows, starts of columns and values do not fit each other");
    for (std::size_t k = 1; k < columns.start.size(); ++k)
      if (columns.start[k] < columns.start[k - 1]) fail(path + "/jc", "does not ascend");
    for (const std::int64_t row : given) {
      if (row < 0 || row >= rows) fail(path + "/ir", "an entry is outside");
      columns.index.push_back(static_cast<std::int32_t>(row));
    }
    RawMatrix out =
        matrix_of_size(name, static_cast<std::uint64_t>(rows), columns.start.size() - 1);
    set_compressed(out, std::move(columns));
    return out;
  }

  const io::Hdf5File& file_;
};

}  // namespace

bool is_matlab(const FileHead& head) {
  return head.bytes.starts_with("MATLAB 7.3") || io::is_mat5(head.bytes);
}

FileContents read_matlab(const std::filesystem::path& path,
                         const ReadOptions& /*options*/,
                         Diagnostics& /*diagnostics*/,
                         Progress& /*progress*/) {
  const InputFile file(path);
  FileContents contents;
  contents.encoding = "binary";
  contents.program = "MATLAB";
  std::vector<RawMatrix> arrays;
  if (file.bytes().starts_with("MATLAB 7.3")) {
    const io::Hdf5File stored = file.unpacked()
                                    ? io::Hdf5File::from_memory(file.bytes(), file.name())
                                    : io::Hdf5File::open(path);
    arrays = MatlabHdf5(stored).read(contents);
  } else {
    arrays = read_level5(file, contents);
    constexpr std::size_t kOrderByte = 126;
    contents.endian = file.bytes().substr(kOrderByte, 2) == "MI" ? "big" : "little";
  }
  for (const RawMatrix& array : arrays)
    check_finite(array, file.name());
  add_named_arrays(std::move(arrays), file.name(), contents);
  return contents;
}

}  // namespace femflex::importer
