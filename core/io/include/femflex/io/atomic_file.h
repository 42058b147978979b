#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

namespace femflex::io {

/// A file that appears under its name only when it is complete: append(), then commit(). The bytes
/// go to a part next to the target, "NAME.PID-N.part"; without commit (an exception, Ctrl-C) the
/// destructor removes it. Links are followed. A device or a pipe is never replaced: it receives the
/// bytes at commit.
class AtomicFile {
 public:
  /// @throws UsageError  the folder does not exist or cannot be written, or `target` is a folder
  explicit AtomicFile(std::filesystem::path target);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();

  const std::filesystem::path& part() const { return part_; }
  const std::filesystem::path& target() const { return target_; }
  std::uint64_t size() const { return size_; }
  bool is_open() const { return descriptor_ >= 0; }  ///< until commit, also one that failed

  /// @throws UsageError  the disk is full or fails
  void append(std::string_view bytes);
  /// @throws UsageError  the rename fails, or a device or the disk does not take all of it
  void commit() { commit_as(place_); }
  /// As commit(), under another name in the folder of the target (a device keeps its own).
  void commit_as(const std::filesystem::path& place);
  /// Reports "cannot be written" for the reason `fault` (errno), with the bytes written so far and
  /// a remedy.
  /// @throws UsageError  always
  [[noreturn]] void fail(int fault) const;

  // --- access by position, for callers that must not throw: returns errno, or 0
  int write_at(std::uint64_t place, const void* bytes, std::size_t count) noexcept;
  /// Bytes never written read as zeros.
  int read_at(std::uint64_t place, void* bytes, std::size_t count) const noexcept;
  int resize(std::uint64_t size) noexcept;
  /// Reserves disk space from `first` to `end`, gaps included, where the file system supports it.
  int make_room(std::uint64_t first, std::uint64_t end) noexcept;

 private:
  void pour();

  std::filesystem::path target_, place_, part_;  // as named, with links followed, next to it
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  bool is_stream_ = false;  // device or pipe
};

/// Writes the whole `text` or nothing.
/// @throws UsageError  the file cannot be written
void write_file(const std::filesystem::path& target, std::string_view text);

/// A part that no running program writes to: left by a program that was killed.
struct LeftPart {
  std::filesystem::path path;
  std::filesystem::path target;  ///< the intended file
  bool is_readable = false;      ///< an HDF5 file with all that was published (see Hdf5File::flush)
};
/// Parts of `target` (a file, or a folder with all its files) whose programs are gone.
std::vector<LeftPart> left_parts(const std::filesystem::path& target);
/// Parts of `target` that this process has left or still writes.
std::vector<LeftPart> own_parts(const std::filesystem::path& target);

/// "run.partial.h5" for "run.h5".
std::filesystem::path partial_of(const std::filesystem::path& target);
/// Where an unfinished run puts its rows: under the requested name or, if that file exists, under
/// partial_of() it, so that a complete result is never replaced by a partial one.
std::filesystem::path unfinished_place(const std::filesystem::path& target);

/// "1.9 MB": bytes for people.
std::string bytes_text(double bytes);

}  // namespace femflex::io
