#pragma once

#include <filesystem>
#include <string_view>

namespace femflex::io {

/// A file that appears under its name only when it is whole: write to `temporary()`, then
/// `commit()`. Without commit (an exception, Ctrl-C) the destructor removes the temporary.
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
  /// @throws UsageError  the rename fails
  void commit();

 private:
  std::filesystem::path target_, temporary_;
  bool pending_ = true;
};

/// Writes `text` whole or not at all.
/// @throws UsageError  the file cannot be written
void write_file(const std::filesystem::path& target, std::string_view text);

}  // namespace femflex::io
