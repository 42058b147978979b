// Writes to a temporary file "NAME.PID-N.part" beside the target and renames it at commit. A lock
// on the part, and the process id in its name, tell parts left by killed programs from those still
// in use.
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
#include "femflex/io/hdf5_file.h"

namespace femflex::io {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kSuffix = ".part";
// File names have at most 255 bytes (NAME_MAX). The temporary file (called the part) needs some 20
// of them for process and number.
constexpr std::size_t kMaxStem = 220;

/// Common prefix of the names of all parts of a file.
std::string stem_of(const fs::path& target) {
  return target.filename().string().substr(0, kMaxStem) + ".";
}

/// The file to which `target` leads through symbolic links; it need not exist.
fs::path resolved(const fs::path& target) {
  std::error_code error;
  if (fs::is_regular_file(target, error)) return fs::canonical(target, error);
  fs::path path = target;
  constexpr int kMaxLinks = 40;  // the limit of the Linux kernel
  for (int k = 0; k < kMaxLinks && fs::is_symlink(path, error) && !fs::exists(path, error); ++k)
    path = path.parent_path() / fs::read_symlink(path, error);
  return path;
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

/// Splits "NAME.PID-N.part"; the process id is 0 if the name has another form.
PartName parse_part_name(const std::string& name) {
  if (!name.ends_with(kSuffix)) return {};
  const std::size_t end = name.size() - kSuffix.size();
  const std::size_t dot = end == 0 ? std::string::npos : name.rfind('.', end - 1);
  if (dot == std::string::npos) return {};
  const char* const suffix = name.data() + end;
  int process = 0;
  unsigned number = 0;
  const auto [dash, pid_error] = std::from_chars(name.data() + dot + 1, suffix, process);
  if (pid_error != std::errc() || dash == suffix || *dash != '-') return {};
  const auto [number_end, number_error] = std::from_chars(dash + 1, suffix, number);
  if (number_error != std::errc() || number_end != suffix) return {};
  return {name.substr(0, dot + 1), process};
}

/// True if the process that wrote the part has ended and nobody holds the lock. False if the file
/// system does not support locks.
bool is_abandoned(const fs::path& part, pid_t process) {
  if (::kill(process, 0) == 0 || errno != ESRCH) return false;
  const int descriptor = ::open(part.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return false;
  struct flock lock = whole_file_lock();
  const bool is_free = ::fcntl(descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type == F_UNLCK;
  ::close(descriptor);
  return is_free;
}

/// True if the part starts with the signature of HDF5.
bool begins_as_hdf5(const fs::path& part) {
  const int descriptor = ::open(part.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  std::array<char, kHdf5Signature.size()> head{};
  const auto count = ::pread(descriptor, head.data(), head.size(), 0);
  ::close(descriptor);
  return count == std::ssize(head) && std::string_view(head.data(), head.size()) == kHdf5Signature;
}

/// Parts of one file, or of all files in a folder, that `wanted` accepts.
template <class Wanted>
std::vector<PartialOutput> parts_of(const fs::path& target, Wanted&& wanted) {
  std::error_code error;
  const bool is_folder = fs::is_directory(target, error);
  const fs::path real_target = resolved(target);
  const fs::path folder = is_folder ? target : real_target.parent_path();
  std::vector<PartialOutput> out;
  for (fs::directory_iterator each(folder.empty() ? "." : folder, error), end;
       !error && each != end;
       each.increment(error)) {
    const fs::path name = each->path().filename();
    const PartName parsed = parse_part_name(name.string());
    if (parsed.process <= 0 || !(is_folder || parsed.stem == stem_of(real_target))) continue;
    if (!wanted(each->path(), parsed.process)) continue;
    const fs::path written_file =
        is_folder ? folder / parsed.stem.substr(0, parsed.stem.size() - 1) : target;
    out.push_back({folder / name, written_file, begins_as_hdf5(each->path())});
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return out;
}

/// Throws that `target` cannot be written, with the reason `error` (errno).
[[noreturn]] void refuse(const fs::path& target, int error) {
  throw UsageError("cannot-write",
                   fmt::format("cannot be written: {}", std::strerror(error)),
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
  std::error_code ignored;
  if (fs::is_directory(target_, ignored))
    throw UsageError("output-is-folder", "is a folder", {target_.string()}, "name a file");
  if (target_.filename().empty())
    throw UsageError("cannot-write", "is not a file name", {target_.string()}, "name a file");
  const bool is_file = fs::is_regular_file(target_, ignored);
  is_stream_ = !is_file && fs::exists(target_, ignored);
  real_target_ = resolved(target_);
  part_ = is_stream_ ? fs::temp_directory_path() : real_target_.parent_path();
  part_ /= fmt::format("{}{}-{}{}", stem_of(real_target_), ::getpid(), serial++, kSuffix);
  if (target_.filename().string().size() > NAME_MAX) refuse(target_, ENAMETOOLONG);
  // A file that its owner has made read-only is not replaced, even if the folder permits it.
  if (is_file && ::access(real_target_.c_str(), W_OK) != 0) refuse(target_, errno);
  // Create the part now, so that an unwritable folder is found before hours of work.
  constexpr mode_t kMode = 0666;  // before the umask is applied
  descriptor_ = ::open(part_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, kMode);
  if (descriptor_ < 0) refuse(target_, errno);
  // no name needed: commit() reads it through the descriptor
  if (is_stream_) ::unlink(part_.c_str());
  if (struct stat old = {}; is_file && ::stat(real_target_.c_str(), &old) == 0)
    // best effort: on file systems without permissions the file keeps the default mode
    static_cast<void>(::fchmod(descriptor_, old.st_mode & 0777U));
  // without support for locks the part is only protected by the process id in its name
  struct flock lock = whole_file_lock();
  static_cast<void>(::fcntl(descriptor_, F_OFD_SETLK, &lock));
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : target_(std::move(other.target_)),
      real_target_(std::move(other.real_target_)),
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
  if (const int error = write_at(size_, bytes.data(), bytes.size()); error != 0) fail(error);
}

int AtomicFile::write_at(std::uint64_t offset, const void* bytes, std::size_t count) noexcept {
  const char* from = static_cast<const char*>(bytes);
  while (count > 0) {
    const auto written = ::pwrite(descriptor_, from, count, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written == 0 ? ENOSPC : errno;
    from += written;
    offset += static_cast<std::uint64_t>(written);
    count -= static_cast<std::size_t>(written);
    size_ = std::max(size_, offset);
  }
  return 0;
}

int AtomicFile::read_at(std::uint64_t offset, void* bytes, std::size_t count) const noexcept {
  char* into = static_cast<char*>(bytes);
  while (count > 0) {
    const auto received = ::pread(descriptor_, into, count, static_cast<off_t>(offset));
    if (received < 0 && errno == EINTR) continue;
    if (received < 0) return errno;
    if (received == 0) {
      std::memset(into, 0, count);
      return 0;
    }
    into += received;
    offset += static_cast<std::uint64_t>(received);
    count -= static_cast<std::size_t>(received);
  }
  return 0;
}

int AtomicFile::resize(std::uint64_t size) noexcept {
  if (size == size_) return 0;
  if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) return errno;
  size_ = size;
  return 0;
}

int AtomicFile::reserve(std::uint64_t first, std::uint64_t end) noexcept {
  if (end <= first) return 0;
  while (::fallocate(descriptor_, 0, static_cast<off_t>(first), static_cast<off_t>(end - first)) !=
         0) {
    if (errno == EOPNOTSUPP || errno == ENOSYS || errno == EINVAL) return 0;
    if (errno != EINTR) return errno;
  }
  size_ = std::max(size_, end);
  return 0;
}

void AtomicFile::fail(int error) const {
  std::string message =
      fmt::format("cannot be written: {}", error == 0 ? "unknown error" : std::strerror(error));
  if (size_ > 0) message += fmt::format(" after {}", bytes_text(static_cast<double>(size_)));
  std::error_code ignored;
  const fs::path folder = part_.has_parent_path() ? part_.parent_path() : fs::path(".");
  const fs::space_info space = fs::space(folder, ignored);
  if (error == ENOSPC && !ignored)
    message += fmt::format(" ({} are free)", bytes_text(static_cast<double>(space.available)));
  if (!is_stream_ && fs::exists(real_target_, ignored))
    message += "; the existing file is unchanged";
  throw UsageError("cannot-write",
                   message,
                   {target_.string()},
                   error == EFBIG ? "raise the limit of the size of files (ulimit -f)"
                                  : "free space, or write to another disk");
}

void AtomicFile::commit_as(const fs::path& path) {
  if (!is_open()) fail(EBADF);
  if (is_stream_) {
    copy_to_stream();
    return;
  }
  // Network file systems may report a full disk only at close(). There is no fsync, because for
  // many small files it would cost more than the writing itself, and written data are lost only if
  // the machine itself fails.
  if (::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) {
    const int error = errno;
    ::unlink(part_.c_str());
    fail(error);
  }
  if (::rename(part_.c_str(), path.c_str()) == 0) return;
  const int error = errno;
  ::unlink(part_.c_str());
  refuse(path, error);
}

void AtomicFile::copy_to_stream() {
  const int out = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
  if (out < 0) refuse(target_, errno);
  std::array<char, 65536> buffer{};
  int error = 0;
  for (std::uint64_t offset = 0; offset < size_ && error == 0;) {
    const auto count =
        static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), size_ - offset));
    error = read_at(offset, buffer.data(), count);
    for (std::size_t sent = 0; sent < count && error == 0;) {
      const auto written = ::write(out, buffer.data() + sent, count - sent);
      if (written > 0)
        sent += static_cast<std::size_t>(written);
      else if (written == 0 || errno != EINTR)
        error = written == 0 ? ENOSPC : errno;
    }
    offset += count;
  }
  if (::close(out) != 0 && error == 0 && errno != EINTR) error = errno;
  ::close(std::exchange(descriptor_, -1));
  if (error != 0)
    throw UsageError("cannot-write",
                     fmt::format("took only a part of the bytes: {}", std::strerror(error)),
                     {target_.string()},
                     "write to a file");
}

void write_file(const fs::path& target, std::string_view text) {
  AtomicFile file(target);
  file.append(text);
  file.commit();
}

std::vector<PartialOutput> abandoned_outputs(const fs::path& target) {
  return parts_of(target, is_abandoned);
}

std::vector<PartialOutput> own_unfinished_outputs(const fs::path& target) {
  return parts_of(target, [](const fs::path&, pid_t process) { return process == ::getpid(); });
}

fs::path partial_of(const fs::path& target) {
  std::error_code ignored;
  // the folder as the user wrote it, unless a link leads elsewhere
  const fs::path path = fs::is_symlink(target, ignored) ? resolved(target) : target;
  fs::path out = path.parent_path() / path.stem();
  out += ".partial";
  out += path.extension();
  return out;
}

fs::path path_for_unfinished(const fs::path& target) {
  std::error_code ignored;
  return fs::is_regular_file(target, ignored) ? partial_of(target) : target;
}

}  // namespace femflex::io
