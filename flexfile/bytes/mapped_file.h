#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace femflex::flexfile {

/// The bytes of a file, mapped read-only.
class MappedFile {
 public:
  /// @throws UsageError  no such file or a folder;  ParseError  an empty file
  explicit MappedFile(const std::filesystem::path& path);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  MappedFile(MappedFile&&) = delete;
  MappedFile& operator=(MappedFile&&) = delete;
  ~MappedFile();

  const std::string& name() const { return name_; }  ///< the path as given
  std::string_view bytes() const { return bytes_; }

 private:
  std::string name_;
  std::string_view bytes_;
  void* mapping_ = nullptr;
};

}  // namespace femflex::flexfile
