// Reader and writer of Exudyn's reduced bodies (ObjectFFRFreducedOrderInterface, file version 1):
// the same keys as NPZ for numpy and as HDF5 for Exudyn itself, whose own NPZ form contains pickled
// objects. Translations only. Keys: docs/formats/exudyn.md.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "femflex/diagnostics.h"
#include "femflex/flex_body.h"

namespace femflex::flexfile {

// True if the file has this form; for NPZ, judged by its first bytes alone.
bool is_exudyn_npz(std::string_view head);
bool is_exudyn_hdf5(const std::filesystem::path& path);
/// True for a file of either form that holds node numbers; files that Exudyn wrote hold none.
bool has_node_numbers(const std::filesystem::path& path);
/// @param file  name for messages
FlexBody parse_exudyn_npz(std::string_view bytes,
                          const std::string& file,
                          Diagnostics& diagnostics);
FlexBody read_exudyn_npz(const std::filesystem::path& path, Diagnostics& diagnostics);
FlexBody read_exudyn_hdf5(const std::filesystem::path& path, Diagnostics& diagnostics);
void write_exudyn_npz(const FlexBody& body,
                      const std::filesystem::path& path,
                      Diagnostics& diagnostics);
void write_exudyn_hdf5(const FlexBody& body,
                       const std::filesystem::path& path,
                       Diagnostics& diagnostics);

}  // namespace femflex::flexfile
