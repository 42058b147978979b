// Local headers with the entries, then the central directory, then its end: APPNOTE 6.3.4 of the
// format, sections 4.3.7, 4.3.12 and 4.3.14 to 4.3.16. Readers trust the directory, not the local
// headers.
#include "femflex/io/zip_file.h"

#include <algorithm>
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
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

constexpr int kRawWindow = -15;  // window of zlib: 32 KB, without a zlib header

/// Lets zlib convert `in` into `out`, in pieces that its 32-bit counts can hold. Returns how many
/// bytes of `out` were written; nothing if the stream did not end there.
/// @param step  deflate() or inflate()
std::optional<std::size_t> converted(z_stream& stream,
                                     int (*step)(z_stream*, int),
                                     std::string_view in,
                                     std::string& out) {
  constexpr std::size_t kPiece = std::size_t{1} << 30U;
  char none = 0;  // zlib needs an output address even for no output
  std::size_t taken = 0, given = 0;
  while (true) {
    const std::size_t input = std::min(kPiece, in.size() - taken);
    const std::size_t room = std::min(kPiece, out.size() - given);
    // zlib only reads, but its field is not const
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data() + taken));
    stream.avail_in = static_cast<uInt>(input);
    stream.next_out = reinterpret_cast<Bytef*>(out.empty() ? &none : out.data() + given);
    stream.avail_out = static_cast<uInt>(room);
    const int status = step(&stream, taken + input == in.size() ? Z_FINISH : Z_NO_FLUSH);
    const bool has_moved = stream.avail_in < input || stream.avail_out < room;
    taken += input - stream.avail_in;
    given += room - stream.avail_out;
    if (status == Z_STREAM_END) return given;
    if ((status != Z_OK && status != Z_BUF_ERROR) || !has_moved) return std::nullopt;
  }
}

/// The bytes as a raw deflate stream.
std::string deflated(std::string_view bytes) {
  z_stream stream{};
  constexpr int kMemory = 8;
  if (deflateInit2(
          &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kRawWindow, kMemory, Z_DEFAULT_STRATEGY) !=
      Z_OK)
    throw UsageError("zip", "zlib cannot begin to pack");
  std::string out(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  const std::optional<std::size_t> size = converted(stream, deflate, bytes, out);
  deflateEnd(&stream);
  if (!size) throw UsageError("zip", "zlib cannot pack an entry");
  out.resize(*size);
  return out;
}

/// The fields that the local header and the directory have in common, from the version on.
std::string common_header(std::string_view name,
                          std::string_view bytes,
                          ZipMethod method,
                          std::size_t packed) {
  std::string out;
  put16(out, kNeedsVersion);
  put16(out, kUtf8);
  put16(out, static_cast<std::uint32_t>(method));
  put16(out, 0);  // midnight
  put16(out, kNewYear1980);
  put32(out, sum_of(bytes));
  put32(out, static_cast<std::uint32_t>(packed));
  put32(out, static_cast<std::uint32_t>(bytes.size()));
  put16(out, static_cast<std::uint32_t>(name.size()));
  put16(out, 0);  // no extra field
  return out;
}

// --- reading
constexpr std::size_t kEndSize = 22, kCentralSize = 46, kLocalSize = 30;
constexpr std::size_t kLongestComment = 65535;
// The extension for large archives, ZIP64: a second end record, found by a locator before the
// first, and the field kWideField of a directory entry for each value that is kWide there.
constexpr std::uint32_t kWideEndMark = 0x06064b50, kLocatorMark = 0x07064b50;
constexpr std::size_t kLocatorSize = 20;
constexpr std::uint32_t kWide = 0xffffffff;
constexpr std::uint64_t kWideField = 1;
// Largest total size of the entries: this many bytes, or this many times the size of the archive.
constexpr std::uint64_t kMostUnpacked = std::uint64_t{4} << 30, kUsualGrowth = 16;
// a deflate stream unpacks to at most 1032 times its size; kEmptyStream allows for empty entries
constexpr std::size_t kMostGrowth = 1032, kEmptyStream = 64;
constexpr std::uint32_t kFormatMask = 0170000, kLink = 0120000;  // bits of Unix modes

/// The directory of an archive.
class Directory {
 public:
  struct Item {
    std::string name;
    std::uint32_t flags = 0, method = 0, sum = 0;
    std::uint64_t packed = 0, size = 0, local = 0;
    bool is_link = false;
  };

  Directory(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {
    const std::size_t at = end_record();
    std::uint64_t count = number(at + 10, 2), place = number(at + 16, 4);
    if (at >= kLocatorSize && number(at - kLocatorSize, 4) == kLocatorMark) {
      const std::uint64_t wide = wide_number(at - kLocatorSize + 8);
      if (number(wide, 4) != kWideEndMark) fail("its directory is missing");
      count = wide_number(wide + 32);
      place = wide_number(wide + 48);
    }
    const std::uint64_t most = std::max<std::uint64_t>(kMostUnpacked, kUsualGrowth * bytes_.size());
    std::uint64_t unpacked = 0;
    std::set<std::string> names;
    for (std::uint64_t k = 0; k < count; ++k) {
      Item item = item_at(place);
      if (!names.insert(item.name).second) fail("two entries are called " + item.name);
      unpacked += item.size;
      if (unpacked > most)
        fail(fmt::format("its entries have more than {:.1f} GB", static_cast<double>(most) * 1e-9),
             "pack it without compression, or split it");
      items.push_back(std::move(item));
    }
  }

  /// The bytes of an entry: a part of the archive, or `buffer` if they had to be unpacked.
  std::string_view unpacked(const Item& item, std::string& buffer) const {
    if ((item.flags & 1U) != 0) fail(item.name + " is encrypted", "pack it without a password");
    if (item.is_link) fail(item.name + " is a link", "pack the file itself");
    if (number(item.local, 4) != kLocalMark) fail(item.name + " has no local header");
    const std::size_t start =
        item.local + kLocalSize + number(item.local + 26, 2) + number(item.local + 28, 2);
    std::string_view out = piece(start, item.packed);
    if (item.method == static_cast<std::uint32_t>(ZipMethod::deflated)) {
      buffer = inflated(out, item);
      out = buffer;
    } else if (item.method != static_cast<std::uint32_t>(ZipMethod::stored)) {
      fail(fmt::format("{} is packed by method {}; expected 0 or 8", item.name, item.method),
           "pack it with deflate, or without compression");
    }
    if (out.size() != item.size) fail(item.name + " is damaged: its two sizes differ");
    if (sum_of(out) != item.sum) fail(item.name + " is damaged: its checksum is wrong");
    return out;
  }

  std::vector<Item> items;

 private:
  [[noreturn]] void fail(const std::string& why,
                         const char* fix =
                             "the file is truncated or damaged: export it, or copy "
                             "it, again") const {
    throw ParseError("zip", "not an archive that can be read: " + why, {.file = file_}, fix);
  }
  std::string_view piece(std::uint64_t at, std::uint64_t size) const {
    if (at > bytes_.size() || size > bytes_.size() - at) fail("it is cut off");
    return bytes_.substr(static_cast<std::size_t>(at), static_cast<std::size_t>(size));
  }
  std::uint64_t wide_number(std::uint64_t at) const {
    return number(at, 4) | std::uint64_t{number(at + 4, 4)} << 32U;
  }
  std::uint32_t number(std::uint64_t at, std::size_t size) const {
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
  Item item_at(std::uint64_t& place) const {
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
    read_wide_values(place + kCentralSize + name, extra, out);
    if (out.packed > bytes_.size()) fail("it is cut off");
    if (out.size / kMostGrowth > out.packed + kEmptyStream) fail("a size in it is false");
    out.name = piece(place + kCentralSize, name);
    check_place_of(out.name);
    place += kCentralSize + name + extra + comment;
    return out;
  }

  /// Replaces the values that a directory entry leaves to its field of 64-bit values: those that
  /// are kWide, in this order.
  void read_wide_values(std::uint64_t at, std::size_t extra, Item& item) const {
    std::vector<std::uint64_t*> wide;
    for (std::uint64_t* value : {&item.size, &item.packed, &item.local})
      if (*value == kWide) wide.push_back(value);
    for (const std::uint64_t end = at + extra; !wide.empty() && at + 4 <= end;) {
      const std::uint32_t field = number(at, 2), size = number(at + 2, 2);
      at += 4;
      if (field == kWideField && wide.size() * 8 <= size && at + size <= end) {
        for (std::size_t k = 0; k < wide.size(); ++k)
          *wide[k] = wide_number(at + 8 * k);
        return;
      }
      at += size;
    }
    if (!wide.empty()) fail("an entry lacks its 64-bit sizes");
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
    std::string out(static_cast<std::size_t>(item.size), '\0');
    z_stream stream{};
    if (inflateInit2(&stream, kRawWindow) != Z_OK) fail("zlib cannot begin to unpack");
    const std::optional<std::size_t> size = converted(stream, inflate, packed, out);
    inflateEnd(&stream);
    if (size != out.size()) fail(item.name + " is damaged: it cannot be unpacked");
    return out;
  }

  std::string_view bytes_;
  const std::string& file_;
};

}  // namespace

void ZipWriter::add(std::string_view name, std::string_view bytes, ZipMethod method) {
  // Positions and sizes have 32 bits, of which kWide is taken, and the number of entries has 16.
  const auto check = [&](std::uint64_t size) {
    const std::uint64_t entry = kLocalSize + kCentralSize + 2 * name.size() + size;
    if (written_ + directory_.size() + entry + kEndSize >= kWide)
      throw UsageError("too-large", fmt::format("with '{}' the archive exceeds 4 GiB", name));
  };
  constexpr std::uint32_t kMostEntries = 0xffff, kLongestName = 0xffff;
  if (count_ == kMostEntries)
    throw UsageError("too-large", fmt::format("an archive holds at most {} entries", kMostEntries));
  if (name.size() > kLongestName)
    throw UsageError("too-large",
                     fmt::format("a name in an archive has at most {} bytes, this one has {}",
                                 kLongestName,
                                 name.size()));
  check(method == ZipMethod::stored ? bytes.size() : 0);
  if (bytes.size() >= kWide)
    throw UsageError("too-large", fmt::format("'{}' is too large for an archive", name));
  std::string packed;
  if (method == ZipMethod::deflated) {
    packed = deflated(bytes);
    check(packed.size());
  }
  const std::string_view data = method == ZipMethod::deflated ? packed : bytes;
  const std::string header = common_header(name, bytes, method, data.size());
  put32(directory_, kCentralMark);
  put16(directory_, kMadeBy);
  directory_ += header;
  put16(directory_, 0);  // no comment
  put16(directory_, 0);  // disk
  put16(directory_, 0);  // internal attributes
  put32(directory_, kReadable);
  put32(directory_, static_cast<std::uint32_t>(written_));
  directory_ += name;
  std::string local;
  put32(local, kLocalMark);
  local += header;
  local += name;
  put_(local);
  put_(data);
  written_ += local.size() + data.size();
  ++count_;
}

void ZipWriter::finish() {
  std::string end;
  put32(end, kEndMark);
  put16(end, 0);
  put16(end, 0);
  put16(end, count_);
  put16(end, count_);
  put32(end, static_cast<std::uint32_t>(directory_.size()));
  put32(end, static_cast<std::uint32_t>(written_));
  put16(end, 0);
  put_(directory_ + end);
}

std::string zip_bytes(const std::vector<ZipEntry>& entries, ZipMethod method) {
  std::string out;
  ZipWriter writer([&](std::string_view bytes) { out += bytes; });
  for (const ZipEntry& entry : entries)
    writer.add(entry.name, entry.bytes, method);
  writer.finish();
  return out;
}

void visit_zip(std::string_view bytes,
               const std::string& file,
               const std::function<bool(std::string_view)>& wanted,
               const std::function<void(const std::string& name, std::string_view bytes)>& take) {
  const Directory directory(bytes, file);
  for (const Directory::Item& item : directory.items) {
    if (item.name.ends_with('/') || !wanted(item.name)) continue;
    std::string buffer;
    take(item.name, directory.unpacked(item, buffer));
  }
}

std::vector<ZipEntry> unzip(std::string_view bytes,
                            const std::string& file,
                            const std::function<bool(std::string_view)>& wanted) {
  std::vector<ZipEntry> out;
  visit_zip(bytes, file, wanted, [&](const std::string& name, std::string_view content) {
    out.push_back({name, std::string(content)});
  });
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
