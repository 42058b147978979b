// ZIP archives: entries stored or deflated in the order given, the same bytes for the same content;
// and their directory read back with every size, name and sum checked.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace femflex::tools {

struct ZipEntry {
  std::string name;  ///< with '/' between folders
  std::string bytes;
};

enum class ZipMethod : std::uint16_t { stored = 0, deflated = 8 };

/// The bytes of an archive.
/// @throws UsageError  an entry, or the archive, has 2 GB and more
std::string zip_bytes(const std::vector<ZipEntry>& entries, ZipMethod method);

/// Reads the entries of an archive whose names `wanted` accepts, in the order of its directory.
/// Names of folders are left out.
/// @param file    for messages
/// @throws ParseError  no archive, or a damaged one; a name that leads out of the folder in which
/// the archive is unpacked; a link; an encrypted entry; another method than stored and deflated;
/// entries of more than 4 GB in all
std::vector<ZipEntry> unzip(std::string_view bytes,
                            const std::string& file,
                            const std::function<bool(std::string_view)>& wanted);

/// The names of all entries, folders included.
/// @throws ParseError  as unzip()
std::vector<std::string> zip_names(std::string_view bytes, const std::string& file);

}  // namespace femflex::tools
