// Reads and writes NPZ files: ZIP archives whose members are NPY arrays of numbers or texts.
#include "bytes/npz.h"

#include <bit>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/io/npy.h"
#include "femflex/io/zip_file.h"

#include "bytes/text_sink.h"

namespace femflex::flexfile {
namespace {

static_assert(std::endian::native == std::endian::little,
              "arrays are written in the byte order of memory");

constexpr std::string_view kNpyEnding = ".npy";

void append(std::string& out, const void* data, std::size_t size) {
  const std::size_t at = out.size();
  out.resize(at + size);
  if (size > 0) std::memcpy(out.data() + at, data, size);
}

/// Reads an NPY member; every error names it.
class NpyReader {
 public:
  NpyReader(std::string_view bytes, std::string file, std::string member)
      : bytes_(bytes), file_(std::move(file)), member_(std::move(member)) {
    header_ = io::read_npy_header(
        bytes_, [this](const char*, const std::string& what, std::size_t) { fail(what); });
    bytes_.remove_prefix(header_.size);
  }

  bool is_pickled() const { return header_.kind == 'O'; }

  NpyArray array() const {
    const bool is_text = header_.kind == 'U' || header_.kind == 'S';
    if (header_.extents.size() > 2)
      fail(fmt::format("is an array of {} dimensions, expected up to 2", header_.extents.size()));
    if (header_.kind == 'c' || header_.width > kMaxWidth ||
        (!is_text && !io::has_npy_numbers(header_)))
      fail(fmt::format("items of type '{}' are not supported", header_.type));
    const std::uint64_t count = item_count();
    const std::uint64_t size =
        header_.kind == 'U' ? sizeof(char32_t) * header_.width : header_.width;
    if (size > 0 && count > bytes_.size() / size)
      fail(fmt::format(
          "declares {} values of {} bytes, but has {} bytes", count, size, bytes_.size()));
    NpyArray out;
    if (!is_text) {
      out.numbers = numbers();
      return out;
    }
    if (count != 1) fail(fmt::format("is an array of {} texts, expected one", count));
    out.is_text = true;
    out.text = io::npy_text(
        bytes_, header_, [this](const char*, const std::string& what, std::size_t) { fail(what); });
    return out;
  }

 private:
  /// Largest width of a text item; no member that is read here has a wider one.
  static constexpr std::size_t kMaxWidth = std::size_t{1} << 20U;

  [[noreturn]] void fail(const std::string& what) const {
    throw ParseError("npy", what, {file_, -1, -1, -1, member_});
  }

  std::uint64_t item_count() const {
    std::uint64_t count = 1;
    for (const std::int64_t extent : header_.extents) {
      const auto e = static_cast<std::uint64_t>(extent);
      if (e != 0 && count > (std::uint64_t{1} << 60U) / e)
        fail("declares more values than a file can have");
      count *= e;
    }
    return count;
  }

  Eigen::MatrixXd numbers() const {
    const std::vector<std::int64_t>& extents = header_.extents;
    const Eigen::Index rows = extents.empty() ? 1 : extents[0];
    const Eigen::Index cols = extents.size() < 2 ? 1 : extents[1];
    Eigen::MatrixXd out(rows, cols);
    for (Eigen::Index k = 0; k < rows * cols; ++k) {
      const Eigen::Index row = header_.is_fortran_order ? k % rows : k / cols;
      const Eigen::Index col = header_.is_fortran_order ? k / rows : k % cols;
      out(row, col) =
          io::npy_real(bytes_.data() + static_cast<std::size_t>(k) * header_.width, header_);
    }
    return out;
  }

  std::string_view bytes_;
  std::string file_, member_;
  io::NpyHeader header_;
};

}  // namespace

std::string npy_of_numbers(const Eigen::Ref<const Eigen::MatrixXd>& numbers,
                           const std::vector<std::int64_t>& extents) {
  const Eigen::MatrixXd packed = numbers;  // copied, so that columns follow each other without gaps
  std::string out = io::npy_header("<f8", extents.size() > 1, extents);
  append(out, packed.data(), static_cast<std::size_t>(packed.size()) * sizeof(double));
  return out;
}

std::string npy_of_integers(const std::vector<std::int64_t>& values,
                            const std::vector<std::int64_t>& extents) {
  std::string out = io::npy_header("<i8", false, extents);
  append(out, values.data(), values.size() * sizeof(std::int64_t));
  return out;
}

std::string npy_of_text(const std::string& text) {
  return io::npy_of_texts({text}, {});
}

bool is_zip(std::string_view head) {
  return head.starts_with("PK\x03\x04");
}

void write_npz(const std::filesystem::path& path,
               const std::vector<std::pair<std::string, std::string>>& members) {
  TextSink out(path);
  io::ZipWriter archive([&](std::string_view bytes) { out.put(bytes); });
  try {
    for (const auto& [name, data] : members)
      archive.add(name + std::string(kNpyEnding), data, io::ZipMethod::stored);
  } catch (const UsageError& error) {
    if (error.code() != "too-large") throw;
    throw ModelError("too-large", error.message(), {path.string()}, "write the .hdf5 form instead");
  }
  archive.finish();
  out.commit();
}

std::map<std::string, NpyArray> read_npz(std::string_view bytes,
                                         const std::string& file,
                                         std::vector<std::string>& pickled) {
  std::map<std::string, NpyArray> arrays;
  const auto all = [](std::string_view) { return true; };
  io::visit_zip(bytes, file, all, [&](std::string name, std::string_view content) {
    if (name.ends_with(kNpyEnding)) name.resize(name.size() - kNpyEnding.size());
    const NpyReader member(content, file, name);
    if (member.is_pickled())
      pickled.push_back(name);
    else
      arrays[name] = member.array();
  });
  return arrays;
}

}  // namespace femflex::flexfile
