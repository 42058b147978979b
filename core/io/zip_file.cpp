// Local headers with the entries, then the central directory, then its end: APPNOTE 6.3.4 of the
// format, sections 4.3.7, 4.3.12 and 4.3.16. Readers trust the directory, not the local headers.
#include "femflex/io/zip_file.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <zlib.h>

#include "femflex/errors.h"

namespace femflex::io {
namespace {

constexpr std::uint32_t kLocalMark = 0x04034b50;
constexpr std::uint32_t kCentralMark = 0x02014b50;
constexpr std::uint32_t kEndMark = 0x06054b50;
constexpr std::uint16_t kNeedsVersion = 20;                  // 2.0, for deflate and folders
constexpr std::uint16_t kMadeBy = 3 << 8 | 20;               // Unix; the attributes contain Unix
                                                             // modes
constexpr std::uint16_t kUtf8 = 1 << 11;                     // names are UTF-8
constexpr std::uint16_t kNewYear1980 = 0 << 9 | 1 << 5 | 1;  // earliest date of the format
constexpr std::uint32_t kReadable = 0100644U << 16;          // a file, rw-r--r--

void put16(std::string& out, std::uint32_t x) {
  out += static_cast<char>(x & 0xff);
  out += static_cast<char>(x >> 8 & 0xff);
}
void put32(std::string& out, std::uint32_t x) {
  put16(out, x & 0xffff);
  put16(out, x >> 16);
}

/// The CRC-32 check sum of the format.
std::uint32_t sum_of(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

constexpr int kRawWindow = -15;  // window of zlib: 32 KB, without a zlib header

/// The bytes as a raw deflate stream.
std::string deflated(const std::string& bytes) {
  z_stream stream{};
  constexpr int kMemory = 8;
  if (deflateInit2(
          &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kRawWindow, kMemory, Z_DEFAULT_STRATEGY) !=
      Z_OK)
    throw UsageError("zip", "zlib cannot begin to pack");
  std::string out(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  // zlib only reads, but its field is not const
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int status = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) throw UsageError("zip", "zlib cannot pack an entry");
  return out;
}

/// The fields that the local header and the directory have in common, from the version on.
std::string common_header(const ZipEntry& entry, ZipMethod method, std::size_t packed) {
  std::string out;
  put16(out, kNeedsVersion);
  put16(out, kUtf8);
  put16(out, static_cast<std::uint32_t>(method));
  put16(out, 0);  // midnight
  put16(out, kNewYear1980);
  put32(out, sum_of(entry.bytes));
  put32(out, static_cast<std::uint32_t>(packed));
  put32(out, static_cast<std::uint32_t>(entry.bytes.size()));
  put16(out, static_cast<std::uint32_t>(entry.name.size()));
  put16(out, 0);  // no extra field
  return out;
}

// --- reading
constexpr std::size_t kEndSize = 22, kCentralSize = 46, kLocalSize = 30;
constexpr std::size_t kLongestComment = 65535;
constexpr std::uint32_t kWide = 0xffffffff;  // the value is in the extension for large archives
constexpr std::uint64_t kMostUnpacked = std::uint64_t{4} << 30;  // largest total size of the
                                                                 // entries
// a deflate stream unpacks to at most 1032 times its size; kEmptyStream allows for empty entries
constexpr std::size_t kMostGrowth = 1032, kEmptyStream = 64;
constexpr std::uint32_t kFormatMask = 0170000, kLink = 0120000;  // bits of Unix modes

/// The directory of an archive.
class Directory {
 public:
  struct Item {
    std::string name;
    std::uint32_t flags = 0, method = 0, sum = 0;
    std::size_t packed = 0, size = 0, local = 0;
    bool is_link = false;
  };

  Directory(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {
    const std::size_t at = end_record();
    const std::size_t count = number(at + 10, 2);
    std::size_t place = number(at + 16, 4);
    std::uint64_t unpacked = 0;
    std::set<std::string> names;
    for (std::size_t k = 0; k < count; ++k) {
      Item item = item_at(place);
      if (!names.insert(item.name).second) fail("two entries are called " + item.name);
      unpacked += item.size;
      if (unpacked > kMostUnpacked) fail("its entries have more than 4 GB");
      items.push_back(std::move(item));
    }
  }

  /// The bytes of an entry.
  std::string unpacked(const Item& item) const {
    if ((item.flags & 1U) != 0) fail(item.name + " is encrypted");
    if (item.is_link) fail(item.name + " is a link");
    if (number(item.local, 4) != kLocalMark) fail(item.name + " has no local header");
    const std::size_t start =
        item.local + kLocalSize + number(item.local + 26, 2) + number(item.local + 28, 2);
    const std::string_view packed = piece(start, item.packed);
    std::string out;
    if (item.method == static_cast<std::uint32_t>(ZipMethod::stored))
      out = packed;
    else if (item.method == static_cast<std::uint32_t>(ZipMethod::deflated))
      out = inflated(packed, item);
    else
      fail(fmt::format("{} is packed by method {}; expected 0 or 8", item.name, item.method));
    if (out.size() != item.size || sum_of(out) != item.sum)
      fail(item.name + " is damaged: its sum does not fit");
    return out;
  }

  std::vector<Item> items;

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw ParseError("zip", "not an archive that can be read: " + why, {.file = file_});
  }
  std::string_view piece(std::size_t at, std::size_t size) const {
    if (at > bytes_.size() || size > bytes_.size() - at) fail("it is cut off");
    return bytes_.substr(at, size);
  }
  std::uint32_t number(std::size_t at, std::size_t size) const {
    std::uint32_t out = 0;
    const std::string_view raw = piece(at, size);
    for (std::size_t k = size; k-- > 0;)
      out = out << 8 | static_cast<unsigned char>(raw[k]);
    return out;
  }

  /// Position of the end record of the directory; a comment may follow it.
  std::size_t end_record() const {
    if (bytes_.size() < kEndSize) fail("it is too short");
    const std::size_t last = bytes_.size() - kEndSize;
    const std::size_t first = last - std::min(last, kLongestComment);
    for (std::size_t at = last + 1; at-- > first;)
      if (number(at, 4) == kEndMark && at + kEndSize + number(at + 20, 2) == bytes_.size())
        return at;
    fail("its directory is missing");
  }

  /// Reads the directory entry at `place`, and moves `place` to the next one.
  Item item_at(std::size_t& place) const {
    if (number(place, 4) != kCentralMark) fail("its directory is damaged");
    Item out;
    const std::uint32_t maker = number(place + 4, 2) >> 8;
    out.flags = number(place + 8, 2);
    out.method = number(place + 10, 2);
    out.sum = number(place + 16, 4);
    out.packed = number(place + 20, 4);
    out.size = number(place + 24, 4);
    const std::size_t name = number(place + 28, 2), extra = number(place + 30, 2),
                      comment = number(place + 32, 2);
    out.is_link = maker == kMadeBy >> 8 && (number(place + 38, 4) >> 16 & kFormatMask) == kLink;
    out.local = number(place + 42, 4);
    if (out.packed == kWide || out.size == kWide || out.local == kWide)
      fail("it is one of the 64-bit extension");
    if (out.size / kMostGrowth > out.packed + kEmptyStream) fail("a size in it is false");
    out.name = piece(place + kCentralSize, name);
    check_place_of(out.name);
    place += kCentralSize + name + extra + comment;
    return out;
  }

  void check_place_of(const std::string& name) const {
    const bool is_odd = name.empty() || name.front() == '/' ||
                        name.find('\\') != std::string::npos ||
                        name.find('\0') != std::string::npos || name.find(':') != std::string::npos;
    bool climbs = false;
    for (std::size_t from = 0; from <= name.size();) {
      const std::size_t slash = std::min(name.find('/', from), name.size());
      climbs = climbs || name.substr(from, slash - from) == "..";
      from = slash + 1;
    }
    if (is_odd || climbs) fail(fmt::format("the entry '{}' leads out of its folder", name));
  }

  std::string inflated(std::string_view packed, const Item& item) const {
    std::string out(item.size, '\0');
    z_stream stream{};
    if (inflateInit2(&stream, kRawWindow) != Z_OK) fail("zlib cannot begin to unpack");
    char none = 0;  // zlib needs an output address even for no output
    // zlib only reads, but its field is not const
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.empty() ? &none : out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    const int status = inflate(&stream, Z_FINISH);
    const bool is_whole = status == Z_STREAM_END && stream.total_out == out.size();
    inflateEnd(&stream);
    if (!is_whole) fail(item.name + " is damaged");
    return out;
  }

  std::string_view bytes_;
  const std::string& file_;
};

}  // namespace

std::string zip_bytes(const std::vector<ZipEntry>& entries, ZipMethod method) {
  std::string out, directory;
  for (const ZipEntry& entry : entries) {
    constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max() / 2;
    if (entry.bytes.size() > kMost || out.size() > kMost)
      throw UsageError("too-large", fmt::format("'{}' is too large for an archive", entry.name));
    const std::optional<std::string> packed =
        method == ZipMethod::deflated ? std::optional(deflated(entry.bytes)) : std::nullopt;
    const std::string& data = packed ? *packed : entry.bytes;
    const std::string header = common_header(entry, method, data.size());
    put32(directory, kCentralMark);
    put16(directory, kMadeBy);
    directory += header;
    put16(directory, 0);  // no comment
    put16(directory, 0);  // disk
    put16(directory, 0);  // internal attributes
    put32(directory, kReadable);
    put32(directory, static_cast<std::uint32_t>(out.size()));
    directory += entry.name;
    put32(out, kLocalMark);
    out += header + entry.name;
    out += data;
  }
  const auto start = static_cast<std::uint32_t>(out.size());
  out += directory;
  put32(out, kEndMark);
  put16(out, 0);
  put16(out, 0);
  put16(out, static_cast<std::uint32_t>(entries.size()));
  put16(out, static_cast<std::uint32_t>(entries.size()));
  put32(out, static_cast<std::uint32_t>(directory.size()));
  put32(out, start);
  put16(out, 0);
  return out;
}

std::vector<ZipEntry> unzip(std::string_view bytes,
                            const std::string& file,
                            const std::function<bool(std::string_view)>& wanted) {
  const Directory directory(bytes, file);
  std::vector<ZipEntry> out;
  for (const Directory::Item& item : directory.items)
    if (!item.name.ends_with('/') && wanted(item.name))
      out.push_back({item.name, directory.unpacked(item)});
  return out;
}

std::vector<std::string> zip_names(std::string_view bytes, const std::string& file) {
  const Directory directory(bytes, file);
  std::vector<std::string> out;
  for (const Directory::Item& item : directory.items)
    out.push_back(item.name);
  return out;
}

std::string_view first_zip_name(std::string_view head) {
  constexpr std::size_t kSizeByte = 26, kNameByte = 30;  // in the header before the entry
  if (!head.starts_with("PK\x03\x04") || head.size() < kNameByte) return {};
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(head[at]); };
  return head.substr(kNameByte, byte(kSizeByte) + 256U * byte(kSizeByte + 1));
}

}  // namespace femflex::io
