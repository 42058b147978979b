// Reads and writes NPZ files: NPY arrays (first part) inside a ZIP archive (second part), with the
// checksums of zlib.
#include "bytes/npz.h"

#include <bit>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <zlib.h>

#include "femflex/errors.h"
#include "femflex/io/npy.h"

#include "bytes/text_sink.h"

namespace femflex::flexfile {
namespace {

static_assert(std::endian::native == std::endian::little,
              "arrays are written in the byte order of memory");

// --- NPY

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
    const bool is_unicode = header_.kind == 'U';
    const bool is_text = is_unicode || header_.kind == 'S';
    if (header_.extents.size() > 2) fail("has more than two extents");
    if (header_.kind == 'c' || header_.is_swapped || header_.width > kMaxWidth ||
        (!is_text && !io::has_npy_numbers(header_)))
      fail(fmt::format("items of type '{}' are not supported", header_.type));
    const std::uint64_t count = item_count();
    const std::uint64_t size = is_unicode ? 4 * header_.width : header_.width;
    if (size > 0 && count > bytes_.size() / size)
      fail(fmt::format(
          "claims {} values of {} bytes, but has {} bytes", count, size, bytes_.size()));
    NpyArray out;
    if (!is_text) {
      out.numbers = numbers();
      return out;
    }
    if (count != 1) fail("is not a single text");
    out.is_text = true;
    for (std::size_t k = 0; k < header_.width; ++k)
      if (const char c = bytes_[is_unicode ? 4 * k : k]; c != '\0') out.text.push_back(c);
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
        fail("claims more values than a file can have");
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

// --- ZIP

template <class T>
void put_little(std::string& out, T value) {
  append(out, &value, sizeof value);
}

template <class T>
T get_little(std::string_view bytes, std::size_t at) {
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

std::uint32_t crc_of(std::string_view bytes) {
  uLong crc = crc32(0, nullptr, 0);
  for (std::size_t at = 0; at < bytes.size(); at += 1U << 30U) {
    const std::string_view part = bytes.substr(at, 1U << 30U);
    crc = crc32(crc,
                reinterpret_cast<const Bytef*>(part.data()),  // NOLINT: zlib's API
                static_cast<uInt>(part.size()));
  }
  return static_cast<std::uint32_t>(crc);
}

/// Fields that the local and the central header of a ZIP member share.
std::string zip_fields(std::string_view name, std::string_view data, std::uint32_t crc) {
  std::string out;
  put_little<std::uint16_t>(out, 20);  // version needed
  put_little<std::uint16_t>(out, 0);
  put_little<std::uint16_t>(out, 0);  // stored
  put_little<std::uint16_t>(out, 0);  // time and date fixed: the same content gives the same bytes
  put_little<std::uint16_t>(out, 0x21);  // 1980-01-01
  put_little<std::uint32_t>(out, crc);
  put_little<std::uint32_t>(out, static_cast<std::uint32_t>(data.size()));
  put_little<std::uint32_t>(out, static_cast<std::uint32_t>(data.size()));
  put_little<std::uint16_t>(out, static_cast<std::uint16_t>(name.size()));
  put_little<std::uint16_t>(out, 0);  // extra
  return out;
}

/// Unpacks deflated data to exactly `size` bytes; false if that is impossible. Deflate packs at
/// most about 1030 bytes into one, so a larger claim is refused before memory is allocated.
bool inflate_raw(std::string_view packed, std::uint64_t size, std::string& out) {
  if (packed.size() > (1U << 30U) || size / 1100 > packed.size()) return false;
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return false;
  out.resize(static_cast<std::size_t>(size));
  stream.next_in =
      reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));  // NOLINT: zlib's API
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());  // NOLINT: zlib's API
  stream.avail_out = static_cast<uInt>(out.size());
  const int status = inflate(&stream, Z_FINISH);
  const bool is_complete = status == Z_STREAM_END && stream.avail_out == 0;
  inflateEnd(&stream);
  return is_complete;
}

}  // namespace

std::string npy_of(const Eigen::Ref<const Eigen::MatrixXd>& numbers,
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

std::string npy_of_text(std::string_view text) {
  // numpy has no text of width 0: an empty one is one NUL
  const std::string_view content = text.empty() ? std::string_view("\0", 1) : text;
  std::string out = io::npy_header(fmt::format("<U{}", content.size()), false, {});
  for (const char c : content)
    put_little<std::uint32_t>(out, static_cast<unsigned char>(c));
  return out;
}

bool is_zip(std::string_view head) {
  return head.starts_with("PK\x03\x04");
}

void write_npz(const std::filesystem::path& path,
               const std::vector<std::pair<std::string, std::string>>& members) {
  std::uint64_t total = 0;
  for (const auto& [name, data] : members)
    total += data.size() + 200;
  if (total > 0xf0000000ULL)
    throw ModelError("too-large",
                     "an .npz file cannot exceed 4 GiB",
                     {path.string()},
                     "write the .hdf5 form instead");
  TextSink out(path);
  std::string central;
  for (const auto& [key, data] : members) {
    const std::string name = key + ".npy";
    const std::string fields = zip_fields(name, data, crc_of(data));
    const auto offset = static_cast<std::uint32_t>(out.written());
    out.put(std::string_view("PK\x03\x04", 4));
    out.put(fields + name);
    out.put(data);
    central += std::string("PK\x01\x02", 4);
    put_little<std::uint16_t>(central, 20);  // version made by
    central += fields;
    put_little<std::uint16_t>(central, 0);  // comment
    put_little<std::uint16_t>(central, 0);  // disk
    put_little<std::uint16_t>(central, 0);
    put_little<std::uint32_t>(central, 0);
    put_little<std::uint32_t>(central, offset);
    central += name;
  }
  const auto start = static_cast<std::uint32_t>(out.written());
  std::string end("PK\x05\x06", 4);
  put_little<std::uint32_t>(end, 0);
  put_little<std::uint16_t>(end, static_cast<std::uint16_t>(members.size()));
  put_little<std::uint16_t>(end, static_cast<std::uint16_t>(members.size()));
  put_little<std::uint32_t>(end, static_cast<std::uint32_t>(central.size()));
  put_little<std::uint32_t>(end, start);
  put_little<std::uint16_t>(end, 0);
  out.put(central + end);
  out.commit();
}

std::map<std::string, NpyArray> read_npz(std::string_view bytes,
                                         const std::string& file,
                                         std::vector<std::string>& pickled) {
  const auto fail = [&](const std::string& what, std::size_t at) {
    throw ParseError("zip",
                     what,
                     {file, -1, -1, static_cast<std::int64_t>(at)},
                     "the file is truncated or damaged: export it again");
  };
  const std::size_t end = bytes.rfind(std::string_view("PK\x05\x06", 4));
  if (end == std::string_view::npos || bytes.size() - end < 22)
    fail("there is no table of contents at the end of the file", bytes.size());
  const std::size_t count = get_little<std::uint16_t>(bytes, end + 10);
  std::size_t at = get_little<std::uint32_t>(bytes, end + 16);
  std::map<std::string, NpyArray> arrays;
  for (std::size_t k = 0; k < count; ++k) {
    if (at > bytes.size() || bytes.size() - at < 46 ||
        bytes.substr(at, 4) != std::string_view("PK\x01\x02", 4))
      fail(fmt::format("entry {} of the table of contents is damaged", k + 1), at);
    const auto method = get_little<std::uint16_t>(bytes, at + 10);
    const auto crc = get_little<std::uint32_t>(bytes, at + 16);
    const std::size_t packed = get_little<std::uint32_t>(bytes, at + 20);
    const std::size_t size = get_little<std::uint32_t>(bytes, at + 24);
    const std::size_t name_size = get_little<std::uint16_t>(bytes, at + 28);
    const std::size_t extra_size = std::size_t{get_little<std::uint16_t>(bytes, at + 30)} +
                                   get_little<std::uint16_t>(bytes, at + 32);
    const std::size_t local = get_little<std::uint32_t>(bytes, at + 42);
    if (bytes.size() - at - 46 < name_size + extra_size)
      fail(fmt::format("entry {} of the table of contents is damaged", k + 1), at);
    std::string name(bytes.substr(at + 46, name_size));
    at += 46 + name_size + extra_size;
    if (local > bytes.size() || bytes.size() - local < 30 || !is_zip(bytes.substr(local)))
      fail(fmt::format("member {} is not where the table of contents says", name), local);
    const std::size_t data = local + 30 + get_little<std::uint16_t>(bytes, local + 26) +
                             get_little<std::uint16_t>(bytes, local + 28);
    if (data > bytes.size() || packed > bytes.size() - data)
      fail(fmt::format("member {} reaches beyond the file", name), local);
    std::string_view content = bytes.substr(data, packed);
    std::string unpacked;
    if (method == 8) {
      if (!inflate_raw(content, size, unpacked))
        fail(fmt::format("member {} cannot be unpacked", name), data);
      content = unpacked;
    } else if (method != 0 || size != packed) {
      fail(fmt::format(
               "member {} has the unsupported compression method {}, or wrong sizes", name, method),
           local);
    }
    if (crc_of(content) != crc) fail(fmt::format("checksum of member {} is wrong", name), data);
    if (name.ends_with(".npy")) name.resize(name.size() - 4);
    const NpyReader member(content, file, name);
    if (member.is_pickled())
      pickled.push_back(name);
    else
      arrays[name] = member.array();
  }
  return arrays;
}

}  // namespace femflex::flexfile
