#include "femflex/io/atomic_file.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "femflex/errors.h"

namespace femflex::io {
namespace fs = std::filesystem;

AtomicFile::AtomicFile(fs::path target) : target_(std::move(target)) {
  static std::atomic<unsigned> serial{0};
  std::error_code fault;
  if (fs::is_directory(target_, fault))
    throw UsageError("output-is-folder", "is a folder", {target_.string()}, "name a file");
  const bool is_file = fs::is_regular_file(target_, fault);
  is_stream_ = !is_file && fs::exists(target_, fault);
  place_ = is_file ? fs::canonical(target_) : target_;
  temporary_ = is_stream_ ? fs::temp_directory_path() / target_.filename() : place_;
  temporary_ += fmt::format(".{}-{}.part", ::getpid(), serial++);
  // Try at once: hours of work should not end at an unwritable folder.
  if (std::ofstream probe(temporary_, std::ios::binary); !probe)
    throw UsageError("cannot-write",
                     fmt::format("cannot be written: {}", std::strerror(errno)),
                     {target_.string()},
                     "check that the folder exists and is writable");
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : target_(std::move(other.target_)),
      place_(std::move(other.place_)),
      temporary_(std::move(other.temporary_)),
      pending_(std::exchange(other.pending_, false)),
      is_stream_(other.is_stream_) {}

AtomicFile::~AtomicFile() {
  if (!pending_) return;
  std::error_code ignored;
  fs::remove(temporary_, ignored);
}

void AtomicFile::commit() {
  std::error_code fault;
  if (is_stream_) {
    pour();
    return;
  }
  fs::rename(temporary_, place_, fault);
  if (fault)
    throw UsageError(
        "cannot-write", fmt::format("cannot be written: {}", fault.message()), {target_.string()});
  pending_ = false;
}

void AtomicFile::pour() {
  {
    std::ifstream in(temporary_, std::ios::binary);
    std::ofstream out(target_, std::ios::binary);
    if (in.peek() != std::ifstream::traits_type::eof()) out << in.rdbuf();
    out.close();
    if (!in || !out)
      throw UsageError("cannot-write", "took only a part of the bytes", {target_.string()});
  }
  std::error_code ignored;
  fs::remove(temporary_, ignored);
  pending_ = false;
}

void write_file(const fs::path& target, std::string_view text) {
  AtomicFile file(target);
  std::ofstream out(file.temporary(), std::ios::binary | std::ios::trunc);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (!out)
    throw UsageError("cannot-write", "the disk took only a part", {target.string()}, "free space");
  file.commit();
}

}  // namespace femflex::io
