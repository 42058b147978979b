// Local headers with the packed entries, then the central directory, then its end: APPNOTE 6.3.4 of
// the format, sections 4.3.7, 4.3.12 and 4.3.16. Every entry is packed (method 8, deflate).
#include "document/zip_file.h"

#include <cstdint>
#include <limits>

#include <fmt/format.h>
#include <zlib.h>

#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"

namespace femflex::tools {
namespace {

constexpr std::uint32_t kLocalMark = 0x04034b50;
constexpr std::uint32_t kCentralMark = 0x02014b50;
constexpr std::uint32_t kEndMark = 0x06054b50;
constexpr std::uint16_t kNeedsVersion = 20;     // 2.0, for deflate and folders
constexpr std::uint16_t kMadeBy = 3 << 8 | 20;  // Unix: the attributes are file modes
constexpr std::uint16_t kUtf8 = 1 << 11;        // names are UTF-8
constexpr std::uint16_t kDeflated = 8;
constexpr std::uint16_t kNewYear1980 = 0 << 9 | 1 << 5 | 1;  // the first day of the format
constexpr std::uint32_t kReadable = 0100644U << 16;          // a file, rw-r--r--

void put16(std::string& out, std::uint32_t x) {
  out += static_cast<char>(x & 0xff);
  out += static_cast<char>(x >> 8 & 0xff);
}
void put32(std::string& out, std::uint32_t x) {
  put16(out, x & 0xffff);
  put16(out, x >> 16);
}

/// The bytes as a raw deflate stream.
std::string deflated(const std::string& bytes) {
  z_stream stream{};
  constexpr int kRawWindow = -15, kMemory = 8;
  if (deflateInit2(
          &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kRawWindow, kMemory, Z_DEFAULT_STRATEGY) !=
      Z_OK)
    throw UsageError("zip", "zlib cannot begin to pack");
  std::string out(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  // zlib reads, but its field is not const
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

/// The fields that the local header and the directory share, from the version on.
std::string common_header(const ZipEntry& entry, const std::string& packed) {
  std::string out;
  put16(out, kNeedsVersion);
  put16(out, kUtf8);
  put16(out, kDeflated);
  put16(out, 0);  // midnight
  put16(out, kNewYear1980);
  const uLong sum = crc32(
      0, reinterpret_cast<const Bytef*>(entry.bytes.data()), static_cast<uInt>(entry.bytes.size()));
  put32(out, static_cast<std::uint32_t>(sum));
  put32(out, static_cast<std::uint32_t>(packed.size()));
  put32(out, static_cast<std::uint32_t>(entry.bytes.size()));
  put16(out, static_cast<std::uint32_t>(entry.name.size()));
  put16(out, 0);  // no extra field
  return out;
}

}  // namespace

void write_zip(const std::vector<ZipEntry>& entries, const std::filesystem::path& path) {
  std::string out, directory;
  for (const ZipEntry& entry : entries) {
    constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max();
    if (entry.bytes.size() > kMost / 2 || out.size() > kMost / 2)
      throw UsageError("zip", fmt::format("'{}' is too large for an archive", entry.name));
    const std::string packed = deflated(entry.bytes);
    const std::string header = common_header(entry, packed);
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
    out += header + entry.name + packed;
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
  io::write_file(path, out);
}

}  // namespace femflex::tools
