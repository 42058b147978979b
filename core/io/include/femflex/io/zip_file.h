// Reads and writes ZIP archives. Written archives have their entries stored or deflated in the
// given order, and equal content gives equal bytes. When reading, all sizes, names and check sums
// are checked.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace femflex::io {

struct ZipEntry {
  std::string name;  ///< with '/' between folders
  std::string bytes;
};

enum class ZipMethod : std::uint16_t { stored = 0, deflated = 8 };

/// Writes an archive entry by entry; finish() completes it with the directory.
class ZipWriter {
 public:
  /// @param put  takes the bytes of the archive, piece by piece
  explicit ZipWriter(std::function<void(std::string_view)> put) : put_(std::move(put)) {}

  /// @throws UsageError  "too-large": the archive would exceed 4 GiB or 65535 entries
  void add(std::string_view name, std::string_view bytes, ZipMethod method);
  void finish();

 private:
  std::function<void(std::string_view)> put_;
  std::string directory_;
  std::uint64_t written_ = 0;
  std::uint32_t count_ = 0;
};

/// The bytes of an archive.
/// @throws UsageError  see ZipWriter
std::string zip_bytes(const std::vector<ZipEntry>& entries, ZipMethod method);

/// Passes the entries of an archive whose names `wanted` accepts to `take`, in the order of its
/// directory, without folders. Archives of the 64-bit extension (ZIP64) are read, too.
/// @param file  for messages
/// @param take  the bytes are valid only during the call; stored ones are not copied
/// @throws ParseError  not an archive, or a damaged one; a name outside the folder of the archive;
/// a link; an encrypted entry; a method other than stored and deflated; entries of more than 4 GiB
/// in total and of more than 16 times the size of the archive
void visit_zip(std::string_view bytes,
               const std::string& file,
               const std::function<bool(std::string_view)>& wanted,
               const std::function<void(const std::string& name, std::string_view bytes)>& take);

/// The entries that visit_zip() passes on.
std::vector<ZipEntry> unzip(std::string_view bytes,
                            const std::string& file,
                            const std::function<bool(std::string_view)>& wanted);

/// The names of all entries, including folders.
/// @throws ParseError  see visit_zip()
std::vector<std::string> zip_names(std::string_view bytes, const std::string& file);

/// The name of the first entry, from the first bytes of an archive; empty if they hold none.
std::string_view first_zip_name(std::string_view head);

}  // namespace femflex::io
