// The nodes whose shapes an import keeps beside those of the interface, so that large result files
// fit into memory: `--keep-nodes set:INTERFACE`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace femflex::importer {

/// Which nodes to keep: ids, a node set of the files, or the ids in a text file.
struct KeptNodes {
  std::vector<std::int64_t> ids;
  std::string set;                            ///< empty: no set
  std::optional<std::filesystem::path> file;  ///< ids between blanks, commas or lines; # comments
};

/// Parses a list 1-20,25 or set:NAME; any other text is the path of a file.
/// @throws UsageError  an empty text or a wrong list
KeptNodes parse_kept_nodes(const std::string& text);

}  // namespace femflex::importer
