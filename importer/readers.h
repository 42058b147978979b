// Interface of the readers: recognise a format by the first bytes of a file, and read the file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

#include "femflex/diagnostics.h"
#include "femflex/importer/contents.h"
#include "femflex/importer/read_contents.h"
#include "femflex/progress.h"

namespace femflex::importer {

/// The first bytes of a file (unpacked if gzip), enough to detect its format.
struct FileHead {
  std::string_view bytes;  ///< the first 64 KiB or less
  std::uint64_t size = 0;  ///< size of the whole file [bytes]
};

/// One format: how to recognise it and how to read it. A new format is a new pair of files and one
/// line in readers.cpp. The first reader in the table that recognises a file reads it, so strict
/// ones come first.
struct Reader {
  std::string_view format;
  bool (*recognises)(const FileHead&);
  FileContents (*read)(const std::filesystem::path&, const ReadOptions&, Diagnostics&, Progress&);
};

/// All readers, in the order in which they are tried.
std::span<const Reader> readers();

}  // namespace femflex::importer
