// Reads and writes ZIP archives. Written archives have their entries stored or deflated in the
// given order, and equal content gives equal bytes. When reading, all sizes, names and check sums
// are checked.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace femflex::io {

struct ZipEntry {
  std::string name;  ///< with '/' between folders
  std::string bytes;
};

enum class ZipMethod : std::uint16_t { stored = 0, deflated = 8 };

/// The bytes of an archive.
/// @throws UsageError  an entry, or the archive, is larger than 2 GB
std::string zip_bytes(const std::vector<ZipEntry>& entries, ZipMethod method);

/// Reads the entries of an archive whose names `wanted` accepts, in the order of its directory,
/// without folders.
/// @param file    for messages
/// @throws ParseError  not an archive, or a damaged one; a name outside the folder of the archive;
/// a link; an encrypted entry; a method other than stored and deflated; entries of more than 4 GB
/// in total
std::vector<ZipEntry> unzip(std::string_view bytes,
                            const std::string& file,
                            const std::function<bool(std::string_view)>& wanted);

/// The names of all entries, including folders.
/// @throws ParseError  see unzip()
std::vector<std::string> zip_names(std::string_view bytes, const std::string& file);

/// The name of the first entry, from the first bytes of an archive; empty if they hold none.
std::string_view first_zip_name(std::string_view head);

}  // namespace femflex::io
