#pragma once

#include <filesystem>
#include <string_view>

namespace femflex::io {

/// A file that appears under its name only when it is whole: write to `temporary()`, then
/// `commit()`. Without commit (an exception, Ctrl-C) the destructor removes the temporary. Links
/// are followed; a device or a pipe is never replaced: it receives the bytes at commit.
class AtomicFile {
 public:
  /// @throws UsageError  the folder does not exist or cannot be written
  explicit AtomicFile(std::filesystem::path target);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();

  const std::filesystem::path& temporary() const { return temporary_; }
  const std::filesystem::path& target() const { return target_; }
  /// Renames the temporary to the target, replacing an older file.
  /// @throws UsageError  the rename fails, or a device does not take all of it
  void commit();

 private:
  void pour();

  std::filesystem::path target_, place_, temporary_;  // as named, with links followed, beside it
  bool pending_ = true;
  bool is_stream_ = false;  // device or pipe
};

/// Writes `text` whole or not at all.
/// @throws UsageError  the file cannot be written
void write_file(const std::filesystem::path& target, std::string_view text);

}  // namespace femflex::io
