// Maps an input file into memory, or unpacks it with zlib if it starts like a gzip file.
#include "bytes/input_file.h"

#include <algorithm>
#include <utility>

#include <zlib.h>

#include "femflex/errors.h"
#include "femflex/text.h"

namespace femflex::importer {
namespace {

/// Unpacks gzip data. Memory grows with the bytes actually unpacked, never with what a header
/// claims.
std::string unpack(std::string_view packed, const std::string& name) {
  constexpr std::size_t kMaxUnpacked = std::size_t{1}
                                       << 36U;  // 64 GiB, far more than any FE export
  z_stream stream{};
  constexpr int kGzipHeader = 16;  // zlib: added to the window bits, it selects the gzip format
  if (inflateInit2(&stream, kGzipHeader + MAX_WBITS) != Z_OK)
    throw ParseError("gzip", "cannot be unpacked", {name});
  std::string out;
  std::string chunk(1U << 20U, '\0');  // 1 MiB of output at a time
  int status = Z_OK;
  std::size_t consumed = 0;
  const auto fail = [&](const char* what) {
    inflateEnd(&stream);
    throw ParseError("gzip", what, {name, -1, -1, static_cast<std::int64_t>(consumed)});
  };
  while (status != Z_STREAM_END) {
    if (stream.avail_in == 0) {
      // zlib counts its input in 32 bits: 1 GiB at a time
      const std::size_t count = std::min<std::size_t>(packed.size() - consumed, 1U << 30U);
      if (count == 0) fail("the gzip data end early: the file is truncated");
      stream.next_in = reinterpret_cast<Bytef*>(
          const_cast<char*>(packed.data() + consumed));  // NOLINT: zlib's API
      stream.avail_in = static_cast<uInt>(count);
      consumed += count;
    }
    stream.next_out = reinterpret_cast<Bytef*>(chunk.data());  // NOLINT: zlib's API
    stream.avail_out = static_cast<uInt>(chunk.size());
    status = inflate(&stream, Z_NO_FLUSH);
    if (status != Z_OK && status != Z_STREAM_END) fail("the gzip data are damaged");
    out.append(chunk.data(), chunk.size() - stream.avail_out);
    if (out.size() > kMaxUnpacked) fail("unpacks to more than the limit of 64 GiB");
    // a gzip file may have several members
    if (status == Z_STREAM_END && (stream.avail_in > 0 || consumed < packed.size()))
      status = inflateReset(&stream) == Z_OK ? Z_OK : Z_STREAM_END;
  }
  inflateEnd(&stream);
  return out;
}

}  // namespace

InputFile::InputFile(const std::filesystem::path& path) : file_(path), bytes_(file_.bytes()) {
  if (bytes_.starts_with("\x1f\x8b")) {
    unpacked_ = unpack(bytes_, name());
    bytes_ = unpacked_;
    if (bytes_.empty()) throw ParseError("empty", "is empty after unpacking", {name()});
  }
  bytes_ = without_byte_order_mark(bytes_);
}

InputFile::InputFile(InputFile&& other) noexcept
    : file_(std::move(other.file_)), bytes_(other.bytes_), unpacked_(std::move(other.unpacked_)) {
  if (unpacked_.empty()) return;
  // set again, because moving a short string copies its characters
  bytes_ = without_byte_order_mark(unpacked_);
}

void InputFile::release_before(std::size_t offset) {
  if (unpacked_.empty()) file_.release_before(offset);
}

}  // namespace femflex::importer
