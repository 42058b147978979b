// ZIP archives: packed entries in the order given, the same bytes for the same content.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace femflex::tools {

struct ZipEntry {
  std::string name;  ///< with '/' between folders
  std::string bytes;
};

/// Writes an archive.
/// @throws UsageError  the file cannot be written, or an entry or the archive has more than 2 GB
void write_zip(const std::vector<ZipEntry>& entries, const std::filesystem::path& path);

}  // namespace femflex::tools
