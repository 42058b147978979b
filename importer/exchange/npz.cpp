// Reads NPZ files: the arrays by their names, or the parts of one sparse matrix of scipy, whose
// indices are checked against its size.
#include "exchange/npz.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/io/npy.h"
#include "femflex/io/zip_file.h"

#include "bytes/input_file.h"
#include "exchange/named_arrays.h"
#include "exchange/npy.h"
#include "raw_matrix.h"

namespace femflex::importer {
namespace {

constexpr std::string_view kNpyEnding = ".npy";

/// The parts of a sparse matrix that scipy wrote.
class SparseParts {
 public:
  SparseParts(const std::map<std::string, std::string>& members, std::string file)
      : members_(members), file_(std::move(file)) {}

  RawMatrix matrix(const std::string& name) const {
    RawMatrix out;
    out.name = name;
    out.layout = RawMatrix::Layout::sparse;
    const std::vector<std::int64_t> sizes = integers("shape");
    constexpr std::int64_t kMaxIndex = std::numeric_limits<std::int32_t>::max();
    if (sizes.size() != 2 || sizes[0] < 1 || sizes[1] < 1 || sizes[0] > kMaxIndex ||
        sizes[1] > kMaxIndex)
      fail("shape", "expected two sizes from 1 to 2^31 - 1");
    out.rows = sizes[0];
    out.cols = sizes[1];
    const io::NpyHeader header = header_of("data");
    out.is_complex = header.kind == 'c';
    out.is_single = header.kind != 'i' && header.kind != 'u' && header.part_width() == 4;
    const std::string format = text("format");
    if (format == "csr" || format == "csc")
      read_compressed(format == "csr", out);
    else if (format == "coo")
      read_entries(out);
    else if (format == "dia")
      read_diagonals(out);
    else
      fail("format", fmt::format("'{}' is not csr, csc, coo or dia", format.substr(0, 20)));
    return out;
  }

 private:
  [[noreturn]] void fail(const std::string& member, const std::string& what) const {
    throw ParseError("npz",
                     what,
                     {file_, -1, -1, -1, member},
                     "write it with scipy.sparse.save_npz() from a csr, csc or coo matrix");
  }

  const std::string& bytes_of(const std::string& member) const {
    const auto found = members_.find(member);
    if (found == members_.end()) fail(member, "the array is missing");
    return found->second;
  }

  io::NpyHeader header_of(const std::string& member) const {
    return io::read_npy_header(
        bytes_of(member),
        [&](const char*, const std::string& what, std::size_t) { fail(member, what); });
  }

  /// A single text.
  std::string text(const std::string& member) const {
    const io::NpyHeader header = header_of(member);
    return io::npy_text(
        std::string_view(bytes_of(member)).substr(header.size),
        header,
        [&](const char*, const std::string& what, std::size_t) { fail(member, what); });
  }

  /// Number of items of an array, checked against its bytes.
  std::size_t count_of(const std::string& member, const io::NpyHeader& header) const {
    if (!io::has_npy_numbers(header) || header.width == 0)
      fail(member, fmt::format("items of type '{}' are not numbers", header.type));
    const std::size_t held = (bytes_of(member).size() - header.size) / header.width;
    std::uint64_t count = 1;
    for (const std::int64_t extent : header.extents) {
      count *= static_cast<std::uint64_t>(extent);
      if (extent < 0 || count > held) fail(member, "has fewer items than it says");
    }
    return static_cast<std::size_t>(count);
  }

  std::vector<std::int64_t> integers(const std::string& member) const {
    const io::NpyHeader header = header_of(member);
    if (header.kind != 'i' && header.kind != 'u') fail(member, "expected whole numbers");
    const std::size_t count = count_of(member, header);
    const char* at = bytes_of(member).data() + header.size;
    std::vector<std::int64_t> out(count);
    const bool is_small = header.width == sizeof(std::int32_t) && !header.is_swapped;
    for (std::size_t k = 0; k < count; ++k, at += header.width) {
      if (is_small) {
        std::int32_t value = 0;
        std::memcpy(&value, at, sizeof value);
        out[k] = value;
        continue;
      }
      constexpr double kMost = 9e15;  // whole numbers up to this one are exact as doubles
      const double value = io::npy_real(at, header);
      if (!(std::abs(value) < kMost)) fail(member, "a number is too large");
      out[k] = static_cast<std::int64_t>(value);
    }
    return out;
  }

  /// Indices from 0 below `limit`.
  std::vector<std::int32_t> indices(const std::string& member, std::int64_t limit) const {
    const std::vector<std::int64_t> given = integers(member);
    std::vector<std::int32_t> out(given.size());
    for (std::size_t k = 0; k < given.size(); ++k) {
      if (given[k] < 0 || given[k] >= limit)
        fail(member, fmt::format("the index {} is outside 0 to {}", given[k], limit - 1));
      out[k] = static_cast<std::int32_t>(given[k]);
    }
    return out;
  }

  std::vector<double> values() const {
    const io::NpyHeader header = header_of("data");
    const std::size_t parts = header.kind == 'c' ? 2 : 1;
    const std::size_t count = parts * count_of("data", header);
    const char* at = bytes_of("data").data() + header.size;
    std::vector<double> out(count);
    const bool is_plain = header.kind != 'i' && header.kind != 'u' && !header.is_swapped &&
                          header.part_width() == sizeof(double);
    if (is_plain && count > 0) std::memcpy(out.data(), at, count * sizeof(double));
    for (std::size_t k = 0; k < count; ++k, at += header.part_width()) {
      if (!is_plain) out[k] = io::npy_real(at, header);
      if (!std::isfinite(out[k])) fail("data", "a number is not finite");
    }
    return out;
  }

  void read_compressed(bool by_rows, RawMatrix& out) const {
    CompressedLines lines;
    lines.are_rows = by_rows;
    lines.start = integers("indptr");
    lines.index = indices("indices", by_rows ? out.cols : out.rows);
    lines.values = values();
    const std::size_t parts = out.is_complex ? 2 : 1;
    const auto count = static_cast<std::size_t>(by_rows ? out.rows : out.cols);
    if (lines.start.size() != count + 1 || lines.start.front() != 0 ||
        lines.start.back() > static_cast<std::int64_t>(lines.index.size()) ||
        lines.values.size() != parts * lines.index.size())
      fail("indptr", "does not fit the sizes of the matrix and of its values");
    for (std::size_t k = 1; k < lines.start.size(); ++k)
      if (lines.start[k] < lines.start[k - 1]) fail("indptr", "does not ascend");
    const auto used = static_cast<std::size_t>(lines.start.back());
    lines.index.resize(used);
    lines.values.resize(parts * used);
    set_compressed(out, std::move(lines));
  }

  void read_entries(RawMatrix& out) const {
    const std::vector<std::int32_t> row = indices("row", out.rows);
    const std::vector<std::int32_t> col = indices("col", out.cols);
    const std::vector<double> value = values();
    const std::size_t parts = out.is_complex ? 2 : 1;
    if (col.size() != row.size() || value.size() != parts * row.size())
      fail("data", "rows, columns and values are not of one number");
    std::vector<RawEntry> entries(row.size());
    for (std::size_t k = 0; k < row.size(); ++k)
      entries[k] = {row[k], col[k], value[parts * k], parts == 2 ? value[2 * k + 1] : 0.0};
    set_entries(out, std::move(entries));
  }

  /// Line k of `data` is the diagonal offsets[k]; its entry j stands in column j.
  void read_diagonals(RawMatrix& out) const {
    const std::vector<std::int64_t> offsets = integers("offsets");
    const std::vector<double> value = values();
    const io::NpyHeader header = header_of("data");
    if (out.is_complex || header.is_fortran_order || header.extents.size() != 2 ||
        static_cast<std::size_t>(header.extents[0]) != offsets.size())
      fail("data", "expected one line of real numbers for each diagonal");
    const std::int64_t width = header.extents[1];
    std::vector<RawEntry> entries;
    for (std::size_t d = 0; d < offsets.size(); ++d)
      for (std::int64_t col = 0; col < std::min(width, out.cols); ++col) {
        const std::int64_t row = col - offsets[d];
        const double entry =
            value[d * static_cast<std::size_t>(width) + static_cast<std::size_t>(col)];
        if (row < 0 || row >= out.rows || entry == 0.0) continue;
        entries.push_back(
            {static_cast<std::int32_t>(row), static_cast<std::int32_t>(col), entry, 0.0});
      }
    set_entries(out, std::move(entries));
  }

  const std::map<std::string, std::string>& members_;
  std::string file_;
};

}  // namespace

bool is_npz(const FileHead& head) {
  return io::first_zip_name(head.bytes).ends_with(kNpyEnding);
}

FileContents read_npz(const std::filesystem::path& path,
                      const ReadOptions& /*options*/,
                      Diagnostics& diagnostics,
                      Progress& progress) {
  const InputFile file(path);
  const auto is_array = [](std::string_view name) { return name.ends_with(kNpyEnding); };
  std::map<std::string, std::string> members;
  for (io::ZipEntry& entry : io::unzip(file.bytes(), file.name(), is_array))
    members[entry.name.substr(0, entry.name.size() - kNpyEnding.size())] = std::move(entry.bytes);
  FileContents contents;
  contents.encoding = "binary";
  contents.endian = "little";
  contents.program = "numpy";
  std::vector<RawMatrix> arrays;
  if (members.contains("format") && members.contains("shape") && members.contains("data")) {
    contents.program = "scipy";
    arrays.push_back(SparseParts(members, file.name()).matrix(path.stem().string()));
  } else {
    for (const auto& member : members) {
      const std::string& name = member.first;
      const std::string& bytes = member.second;
      const io::NpyHeader header =
          io::read_npy_header(bytes, [&](const char*, const std::string& what, std::size_t) {
            throw ParseError("npz", what, {file.name(), -1, -1, -1, name});
          });
      const bool is_matrix = header.kind != 'b' && io::has_npy_numbers(header) &&
                             (header.extents.size() == 1 || header.extents.size() == 2);
      if (is_matrix)
        arrays.push_back(
            npy_matrix(bytes, fmt::format("{}:{}", file.name(), name), name, progress));
      else if (is_node_array(name))
        throw ParseError("array",
                         fmt::format("{} has {} dimensions and items of type '{}', which cannot "
                                     "be read",
                                     name,
                                     header.extents.size(),
                                     header.type),
                         {file.name(), -1, -1, -1, name},
                         "write it as a table of int64 or float64");
      else
        contents.unread.push_back({name, 1});
    }
  }
  add_named_arrays(std::move(arrays), file.name(), contents);
  if (contents.matrices.empty() && contents.grids.empty())
    diagnostics.warn("no-arrays", "the file has no array that is a matrix", {file.name()});
  return contents;
}

}  // namespace femflex::importer
