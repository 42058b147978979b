// Writes output files that appear under their name only when they are complete, and finds temporary
// files of unfinished outputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

namespace femflex::io {

/// A file that appears under its name only when it is complete: append(), then commit(). The bytes
/// go to a temporary file (called the part) next to the target, "NAME.PID-N.part"; without commit
/// (an exception, Ctrl-C) the destructor removes it. Links are followed. A device or a pipe is
/// never replaced: it receives the bytes at commit.
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
  /// true until commit() is called, even if commit() then fails
  bool is_open() const { return descriptor_ >= 0; }

  /// @throws UsageError  the disk is full or fails
  void append(std::string_view bytes);
  /// @throws UsageError  the rename fails, or a device or the disk does not take all of it
  void commit() { commit_as(real_target_); }
  /// As commit(), under another name in the folder of the target (a device keeps its own).
  void commit_as(const std::filesystem::path& path);
  /// Throws "cannot be written" with the reason `error` (errno), the number of bytes written so far
  /// and a remedy.
  /// @throws UsageError  always
  [[noreturn]] void fail(int error) const;

  // --- access by position; these functions do not throw but return errno, or 0 if they succeed
  int write_at(std::uint64_t offset, const void* bytes, std::size_t count) noexcept;
  /// Bytes never written read as zeros.
  int read_at(std::uint64_t offset, void* bytes, std::size_t count) const noexcept;
  /// Cuts the part, or extends it with zeros.
  int resize(std::uint64_t size) noexcept;
  /// Reserves disk space from `first` to `end`, gaps included, if the file system supports it.
  int reserve(std::uint64_t first, std::uint64_t end) noexcept;

 private:
  /// Writes the bytes of the part to a device or a pipe.
  void copy_to_stream();

  // the path as given; the same with links followed; the temporary file next to that
  std::filesystem::path target_, real_target_, part_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  bool is_stream_ = false;  // the target is a device or a pipe
};

/// Writes the whole `text` or nothing.
/// @throws UsageError  the file cannot be written
void write_file(const std::filesystem::path& target, std::string_view text);

/// A part (temporary file) of an output that has not been committed.
struct PartialOutput {
  std::filesystem::path path;
  std::filesystem::path target;  ///< the file that was to be written
  /// true if it is an HDF5 file; it then holds everything up to the last Hdf5File::flush()
  bool is_readable = false;
};
/// Parts of `target` (a file, or a folder with all its files) left by programs that were killed.
std::vector<PartialOutput> abandoned_outputs(const std::filesystem::path& target);
/// Parts of `target` that this process has left or still writes.
std::vector<PartialOutput> own_unfinished_outputs(const std::filesystem::path& target);

/// Name for the finished part of an unfinished result: "run.partial.h5" for "run.h5".
std::filesystem::path partial_of(const std::filesystem::path& target);
/// The file for the rows of an unfinished run: `target` or, if that file exists,
/// partial_of(target), so that a complete result is never replaced by a partial one.
std::filesystem::path path_for_unfinished(const std::filesystem::path& target);

/// Number of bytes in readable form, such as "1.9 MB".
std::string bytes_text(double bytes);

}  // namespace femflex::io
