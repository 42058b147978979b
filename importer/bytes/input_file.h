// Opens the input files of all readers, plain or gzip, as one view of bytes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "femflex/io/mapped_file.h"

namespace femflex::importer {

/// The bytes of a file, memory-mapped; a gzip file is unpacked into memory. Parsers walk through
/// `bytes()` once from front to back and call release_before() now and then, so that even a large
/// file uses little memory.
class InputFile {
 public:
  /// @throws UsageError  no such file or a folder;  ParseError  empty, or damaged gzip
  explicit InputFile(const std::filesystem::path& path);
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&&) = delete;
  ~InputFile() = default;

  const std::string& name() const { return file_.name(); }  ///< the path as given
  /// The bytes without the UTF-8 byte-order mark that editors put at the start of a text. No
  /// supported binary format begins with its three bytes.
  std::string_view bytes() const { return bytes_; }
  bool unpacked() const { return !unpacked_.empty(); }  ///< true if the file was gzip'd
  /// Declares that the pages before `offset` will not be read again.
  void release_before(std::size_t offset);

 private:
  io::MappedFile file_;
  std::string_view bytes_;
  std::string unpacked_;  ///< contents of a gzip'd file; empty otherwise
};

}  // namespace femflex::importer
