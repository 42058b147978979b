// Reads one input file of any supported format.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/importer/contents.h"
#include "femflex/progress.h"

namespace femflex::importer {

/// How read_contents() reads a file.
struct ReadOptions {
  std::string format;  ///< overrides detection; empty: detected from the content
  /// Nodes whose rows of shapes are wanted, ascending; null: all. OP2, .frd and .rst leave out the
  /// rows of other nodes while they read, so that memory follows the wanted rows alone.
  const std::vector<std::int64_t>* keep_nodes = nullptr;

  bool keeps(std::int64_t node) const {
    return keep_nodes == nullptr ||
           std::binary_search(keep_nodes->begin(), keep_nodes->end(), node);
  }
};

/// The format of a file, by its content alone: "op4", "op2", "bulk", ...; "" if it is unknown.
/// @throws UsageError  no such file;  ParseError  an empty file
std::string detect_format(const std::filesystem::path& path);

/// Reads a whole file of any supported format.
/// @throws UsageError  no such file;  ParseError  unknown format, or a file that breaks its format
FileContents read_contents(const std::filesystem::path& path,
                           const ReadOptions& options,
                           Diagnostics& diagnostics,
                           Progress& progress = no_progress());

}  // namespace femflex::importer
