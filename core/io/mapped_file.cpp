// Maps an input file into memory with mmap(), and releases pages that have been read, in steps of
// 16 MiB.
#include "femflex/io/mapped_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "femflex/errors.h"

#include "open_input.h"

namespace femflex::io {

MappedFile::MappedFile(const std::filesystem::path& path) : name_(path.string()) {
  const int file = open_input(path);
  struct stat info {};
  const bool is_regular = ::fstat(file, &info) == 0 && S_ISREG(info.st_mode);
  const std::size_t size = is_regular ? static_cast<std::size_t>(info.st_size) : 0;
  if (size > 0) mapping_ = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  const int reason = errno;
  ::close(file);
  if (!is_regular)
    throw UsageError("not-a-file", "is not a regular file", {name_}, "give the path of a file");
  if (size == 0) throw ParseError("empty", "is empty", {name_}, "export it again");
  if (mapping_ == MAP_FAILED) {
    mapping_ = nullptr;
    throw UsageError("cannot-read",
                     fmt::format("cannot be mapped into memory: {}", std::strerror(reason)),
                     {name_});
  }
  bytes_ = {static_cast<const char*>(mapping_), size};
  ::madvise(mapping_, size, MADV_SEQUENTIAL);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : name_(std::move(other.name_)),
      bytes_(other.bytes_),
      mapping_(std::exchange(other.mapping_, nullptr)),
      released_(other.released_) {}

MappedFile::~MappedFile() {
  if (mapping_ != nullptr) ::munmap(mapping_, bytes_.size());
}

void MappedFile::release_before(std::size_t offset) {
  constexpr std::size_t kStride = std::size_t{16} << 20U;
  const std::size_t until = std::min(offset, bytes_.size()) / kStride * kStride;
  if (until <= released_) return;
  ::madvise(static_cast<char*>(mapping_) + released_, until - released_, MADV_DONTNEED);
  released_ = until;
}

}  // namespace femflex::io
