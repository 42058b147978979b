#include "bytes/input_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "femflex/errors.h"

namespace femflex::importer {
namespace {

/// Unpacks gzip'd bytes. Grows with what really comes out, never with what a header claims.
std::string unpack(std::string_view packed, const std::string& name) {
  constexpr std::size_t most = std::size_t{1} << 36U;  // 64 GiB: far beyond any FE export
  z_stream stream{};
  if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK)
    throw ParseError("gzip", "cannot be unpacked", {name});
  std::string out;
  std::string chunk(1U << 20U, '\0');
  int status = Z_OK;
  std::size_t taken = 0;
  const auto fail = [&](const char* what) {
    inflateEnd(&stream);
    throw ParseError("gzip", what, {name, -1, -1, static_cast<std::int64_t>(taken)});
  };
  while (status != Z_STREAM_END) {
    if (stream.avail_in == 0) {
      const std::size_t take = std::min<std::size_t>(packed.size() - taken, 1U << 30U);
      if (take == 0) fail("the gzip data end early: the file is truncated");
      stream.next_in =
          reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + taken));  // NOLINT: zlib's API
      stream.avail_in = static_cast<uInt>(take);
      taken += take;
    }
    stream.next_out = reinterpret_cast<Bytef*>(chunk.data());  // NOLINT: zlib's API
    stream.avail_out = static_cast<uInt>(chunk.size());
    status = inflate(&stream, Z_NO_FLUSH);
    if (status != Z_OK && status != Z_STREAM_END) fail("the gzip data are damaged");
    out.append(chunk.data(), chunk.size() - stream.avail_out);
    if (out.size() > most) fail("unpacks to more than 64 GiB");
    if (status == Z_STREAM_END && (stream.avail_in > 0 || taken < packed.size()))
      status =
          inflateReset(&stream) == Z_OK ? Z_OK : Z_STREAM_END;  // members may follow each other
  }
  inflateEnd(&stream);
  return out;
}

}  // namespace

InputFile::InputFile(const std::filesystem::path& path) : name_(path.string()) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    throw UsageError("file-missing",
                     fmt::format("cannot be opened: {}", std::strerror(errno)),
                     {name_},
                     "check the name");
  struct stat info {};
  const bool regular = ::fstat(file, &info) == 0 && S_ISREG(info.st_mode);
  if (regular && info.st_size > 0) {
    mapped_size_ = static_cast<std::size_t>(info.st_size);
    mapping_ = ::mmap(nullptr, mapped_size_, PROT_READ, MAP_PRIVATE, file, 0);
  }
  ::close(file);
  if (!regular) throw UsageError("not-a-file", "is not a regular file", {name_}, "name a file");
  if (mapped_size_ == 0)
    throw ParseError("empty", "is empty", {name_}, "write it again with the FE code");
  if (mapping_ == MAP_FAILED) {
    mapping_ = nullptr;
    throw UsageError("file-missing", "cannot be mapped into memory", {name_});
  }
  ::madvise(mapping_, mapped_size_, MADV_SEQUENTIAL);
  bytes_ = {static_cast<const char*>(mapping_), mapped_size_};
  if (bytes_.size() > 2 && bytes_.substr(0, 2) == "\x1f\x8b") {
    try {
      unpacked_ = unpack(bytes_, name_);
    } catch (...) {
      ::munmap(mapping_, mapped_size_);
      throw;
    }
    bytes_ = unpacked_;
    if (bytes_.empty()) {
      ::munmap(mapping_, mapped_size_);
      throw ParseError("empty", "unpacks to nothing", {name_});
    }
  }
}

InputFile::InputFile(InputFile&& other) noexcept
    : name_(std::move(other.name_)),
      bytes_(other.bytes_),
      unpacked_(std::move(other.unpacked_)),
      mapping_(std::exchange(other.mapping_, nullptr)),
      mapped_size_(other.mapped_size_),
      released_(other.released_) {
  if (!unpacked_.empty()) bytes_ = unpacked_;
}

InputFile::~InputFile() {
  if (mapping_ != nullptr) ::munmap(mapping_, mapped_size_);
}

void InputFile::release_before(std::size_t offset) {
  if (!unpacked_.empty()) return;
  constexpr std::size_t stride = std::size_t{16} << 20U;
  const std::size_t until = std::min(offset, mapped_size_) / stride * stride;
  if (until <= released_) return;
  ::madvise(static_cast<char*>(mapping_) + released_, until - released_, MADV_DONTNEED);
  released_ = until;
}

}  // namespace femflex::importer
