// Maps input files into memory.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace femflex::io {

/// The bytes of a file, mapped read-only into memory.
class MappedFile {
 public:
  /// @throws UsageError  no such file, a folder, a pipe;  ParseError  an empty file
  explicit MappedFile(const std::filesystem::path& path);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&&) = delete;
  ~MappedFile();

  const std::string& name() const { return name_; }  ///< the path as given
  std::string_view bytes() const { return bytes_; }
  /// Declares that the pages before `offset` will not be read again; reading a file once from front
  /// to back then uses little memory.
  void release_before(std::size_t offset);

 private:
  std::string name_;
  std::string_view bytes_;
  void* mapping_ = nullptr;
  std::size_t released_ = 0;
};

}  // namespace femflex::io
