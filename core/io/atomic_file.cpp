#include "femflex/io/atomic_file.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <climits>
#include <csignal>
#include <cstring>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "femflex/errors.h"

namespace femflex::io {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kEnding = ".part";
// File names have at most 255 bytes (NAME_MAX). The temporary file (called the part) needs some 20
// of them for process and number.
constexpr std::size_t kLongestStem = 220;

/// Common prefix of the names of all parts of a file.
std::string stem_of(const fs::path& target) {
  return target.filename().string().substr(0, kLongestStem) + ".";
}

/// The file to which `target` leads through symbolic links; it need not exist.
fs::path place_of(const fs::path& target) {
  std::error_code fault;
  if (fs::is_regular_file(target, fault)) return fs::canonical(target, fault);
  fs::path place = target;
  constexpr int kMostLinks = 40;  // the limit of the Linux kernel
  for (int k = 0; k < kMostLinks && fs::is_symlink(place, fault) && !fs::exists(place, fault); ++k)
    place = place.parent_path() / fs::read_symlink(place, fault);
  return place;
}

/// A lock that is released when the program ends for any reason. HDF5 uses flock(); this fcntl lock
/// does not conflict with it.
struct flock whole_file_lock() {
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return lock;
}

struct PartName {
  std::string stem;   // name before the process id, with the dot at its end
  pid_t process = 0;  // 0: not the name of a part
};

/// "NAME.PID-N.part"
PartName taken_apart(const std::string& name) {
  if (!name.ends_with(kEnding)) return {};
  const std::size_t end = name.size() - kEnding.size();
  const std::size_t dot = end == 0 ? std::string::npos : name.rfind('.', end - 1);
  if (dot == std::string::npos) return {};
  const char* const last = name.data() + end;
  int process = 0;
  unsigned number = 0;
  const auto [dash, fault] = std::from_chars(name.data() + dot + 1, last, process);
  if (fault != std::errc() || dash == last || *dash != '-') return {};
  const auto [stop, bad] = std::from_chars(dash + 1, last, number);
  if (bad != std::errc() || stop != last) return {};
  return {name.substr(0, dot + 1), process};
}

/// True if neither the lock nor the process exists any more. If the file system does not support
/// locks, parts are left alone.
bool is_abandoned(const fs::path& part, pid_t process) {
  if (::kill(process, 0) == 0 || errno != ESRCH) return false;
  const int descriptor = ::open(part.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return false;
  struct flock lock = whole_file_lock();
  const bool is_free = ::fcntl(descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type == F_UNLCK;
  ::close(descriptor);
  return is_free;
}

bool begins_as_hdf5(const fs::path& part) {
  const int descriptor = ::open(part.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  std::array<char, 8> head{};
  const auto got = ::pread(descriptor, head.data(), head.size(), 0);
  ::close(descriptor);
  return got == 8 && std::string_view(head.data(), 8) == "\x89HDF\r\n\x1a\n";
}

/// Parts of one file, or of all files in a folder, that `wanted` accepts.
template <class Wanted>
std::vector<LeftPart> parts_of(const fs::path& target, Wanted&& wanted) {
  std::error_code fault;
  const bool is_folder = fs::is_directory(target, fault);
  const fs::path place = place_of(target);
  const fs::path folder = is_folder ? target : place.parent_path();
  std::vector<LeftPart> out;
  for (fs::directory_iterator each(folder.empty() ? "." : folder, fault), none;
       !fault && each != none;
       each.increment(fault)) {
    const fs::path name = each->path().filename();
    const PartName found = taken_apart(name.string());
    if (found.process <= 0 || !(is_folder || found.stem == stem_of(place))) continue;
    if (!wanted(each->path(), found.process)) continue;
    const fs::path whole =
        is_folder ? folder / found.stem.substr(0, found.stem.size() - 1) : target;
    out.push_back({folder / name, whole, begins_as_hdf5(each->path())});
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return out;
}

[[noreturn]] void refuse(const fs::path& target, int fault) {
  throw UsageError("cannot-write",
                   fmt::format("cannot be written: {}", std::strerror(fault)),
                   {target.string()},
                   "check that the folder exists and is writable");
}

}  // namespace

std::string bytes_text(double bytes) {
  constexpr std::array kNames = {"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t k = 0;
  for (; bytes >= 1000.0 && k + 1 < kNames.size(); ++k)
    bytes /= 1000.0;
  return fmt::format("{:.3g} {}", bytes, kNames[k]);
}

AtomicFile::AtomicFile(fs::path target) : target_(std::move(target)) {
  static std::atomic<unsigned> serial{0};
  std::error_code fault;
  if (fs::is_directory(target_, fault))
    throw UsageError("output-is-folder", "is a folder", {target_.string()}, "name a file");
  if (target_.filename().empty())
    throw UsageError("cannot-write", "is not a file name", {target_.string()}, "name a file");
  const bool is_file = fs::is_regular_file(target_, fault);
  is_stream_ = !is_file && fs::exists(target_, fault);
  place_ = place_of(target_);
  part_ = is_stream_ ? fs::temp_directory_path() : place_.parent_path();
  part_ /= fmt::format("{}{}-{}{}", stem_of(place_), ::getpid(), serial++, kEnding);
  if (target_.filename().string().size() > NAME_MAX) refuse(target_, ENAMETOOLONG);
  // A file that its owner has made read-only is not replaced, even if the folder permits it.
  if (is_file && ::access(place_.c_str(), W_OK) != 0) refuse(target_, errno);
  // Create the part now, so that an unwritable folder is found before hours of work.
  constexpr mode_t kMode = 0666;  // before the umask is applied
  descriptor_ = ::open(part_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, kMode);
  if (descriptor_ < 0) refuse(target_, errno);
  // no name needed: commit() reads it through the descriptor
  if (is_stream_) ::unlink(part_.c_str());
  if (struct stat old = {}; is_file && ::stat(place_.c_str(), &old) == 0)
    static_cast<void>(::fchmod(descriptor_, old.st_mode & 0777U));
  struct flock lock = whole_file_lock();
  static_cast<void>(::fcntl(descriptor_, F_OFD_SETLK, &lock));
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : target_(std::move(other.target_)),
      place_(std::move(other.place_)),
      part_(std::move(other.part_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_(other.size_),
      is_stream_(other.is_stream_) {}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  if (!is_stream_) ::unlink(part_.c_str());
}

void AtomicFile::append(std::string_view bytes) {
  if (const int fault = write_at(size_, bytes.data(), bytes.size()); fault != 0) fail(fault);
}

int AtomicFile::write_at(std::uint64_t place, const void* bytes, std::size_t count) noexcept {
  const char* from = static_cast<const char*>(bytes);
  while (count > 0) {
    const auto done = ::pwrite(descriptor_, from, count, static_cast<off_t>(place));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return done == 0 ? ENOSPC : errno;
    from += done;
    place += static_cast<std::uint64_t>(done);
    count -= static_cast<std::size_t>(done);
    size_ = std::max(size_, place);
  }
  return 0;
}

int AtomicFile::read_at(std::uint64_t place, void* bytes, std::size_t count) const noexcept {
  char* into = static_cast<char*>(bytes);
  while (count > 0) {
    const auto done = ::pread(descriptor_, into, count, static_cast<off_t>(place));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return errno;
    if (done == 0) {
      std::memset(into, 0, count);
      return 0;
    }
    into += done;
    place += static_cast<std::uint64_t>(done);
    count -= static_cast<std::size_t>(done);
  }
  return 0;
}

int AtomicFile::resize(std::uint64_t size) noexcept {
  if (size == size_) return 0;
  if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) return errno;
  size_ = size;
  return 0;
}

int AtomicFile::make_room(std::uint64_t first, std::uint64_t end) noexcept {
  if (end <= first) return 0;
  while (::fallocate(descriptor_, 0, static_cast<off_t>(first), static_cast<off_t>(end - first)) !=
         0) {
    if (errno == EOPNOTSUPP || errno == ENOSYS || errno == EINVAL) return 0;
    if (errno != EINTR) return errno;
  }
  size_ = std::max(size_, end);
  return 0;
}

void AtomicFile::fail(int fault) const {
  std::string message =
      fmt::format("cannot be written: {}", fault == 0 ? "unknown fault" : std::strerror(fault));
  if (size_ > 0) message += fmt::format(" after {}", bytes_text(static_cast<double>(size_)));
  std::error_code ignored;
  const fs::path folder = part_.has_parent_path() ? part_.parent_path() : fs::path(".");
  const fs::space_info space = fs::space(folder, ignored);
  if (fault == ENOSPC && !ignored)
    message += fmt::format(" ({} are free)", bytes_text(static_cast<double>(space.available)));
  if (!is_stream_ && fs::exists(place_, ignored)) message += "; the existing file is unchanged";
  throw UsageError("cannot-write",
                   message,
                   {target_.string()},
                   fault == EFBIG ? "raise the limit of the size of files (ulimit -f)"
                                  : "free space, or write to another disk");
}

void AtomicFile::commit_as(const fs::path& place) {
  if (!is_open()) fail(EBADF);
  if (is_stream_) {
    pour();
    return;
  }
  // Network file systems may report a full disk only at close(). There is no fsync, because for
  // many small files it would cost more than the writing itself, and written data are lost only if
  // the machine itself fails.
  if (::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) {
    const int fault = errno;
    ::unlink(part_.c_str());
    fail(fault);
  }
  if (::rename(part_.c_str(), place.c_str()) == 0) return;
  const int fault = errno;
  ::unlink(part_.c_str());
  refuse(place, fault);
}

void AtomicFile::pour() {
  const int out = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
  if (out < 0) refuse(target_, errno);
  std::array<char, 65536> piece{};
  int fault = 0;
  for (std::uint64_t at = 0; at < size_ && fault == 0;) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), size_ - at));
    fault = read_at(at, piece.data(), count);
    for (std::size_t sent = 0; sent < count && fault == 0;) {
      const auto done = ::write(out, piece.data() + sent, count - sent);
      if (done > 0)
        sent += static_cast<std::size_t>(done);
      else if (done == 0 || errno != EINTR)
        fault = done == 0 ? ENOSPC : errno;
    }
    at += count;
  }
  if (::close(out) != 0 && fault == 0 && errno != EINTR) fault = errno;
  ::close(std::exchange(descriptor_, -1));
  if (fault != 0)
    throw UsageError("cannot-write",
                     fmt::format("took only a part of the bytes: {}", std::strerror(fault)),
                     {target_.string()},
                     "write to a file");
}

void write_file(const fs::path& target, std::string_view text) {
  AtomicFile file(target);
  file.append(text);
  file.commit();
}

std::vector<LeftPart> left_parts(const fs::path& target) {
  return parts_of(target, is_abandoned);
}

std::vector<LeftPart> own_parts(const fs::path& target) {
  return parts_of(target, [](const fs::path&, pid_t process) { return process == ::getpid(); });
}

fs::path partial_of(const fs::path& target) {
  std::error_code fault;
  // the folder as the user wrote it, unless a link leads elsewhere
  const fs::path place = fs::is_symlink(target, fault) ? place_of(target) : target;
  fs::path out = place.parent_path() / place.stem();
  out += ".partial";
  out += place.extension();
  return out;
}

fs::path unfinished_place(const fs::path& target) {
  std::error_code ignored;
  return fs::is_regular_file(target, ignored) ? partial_of(target) : target;
}

}  // namespace femflex::io
