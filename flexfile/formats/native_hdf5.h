// Reads and writes the native body file .fbm (HDF5; docs/formats/fbm.md lists the fields), and the
// sidecar of a FLEX file, which has the fields that FLEX itself does not contain.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "femflex/diagnostics.h"
#include "femflex/flex_body.h"
#include "femflex/io/hdf5_file.h"

namespace femflex::flexfile {

/// True if the file is HDF5 with the format name of a body.
bool is_fbm(const std::filesystem::path& path);

FlexBody read_fbm(const std::filesystem::path& path, Diagnostics& diagnostics);
/// @param deflate  compression of the arrays: 0 (none) to 9
void write_fbm(const FlexBody& body, const std::filesystem::path& path, int deflate);

/// Writes a sidecar; it replaces the file at `path` when the caller commits it.
/// @param hash  SHA-256 of the FLEX file it belongs to
io::Hdf5File make_sidecar(const FlexBody& body,
                          const std::filesystem::path& path,
                          const std::string& flex_name,
                          const std::string& hash);

/// Adds the contents of the sidecar at `path` to `body`. Does nothing if there is no such file. A
/// sidecar of another FLEX file is ignored with a warning. Returns true if the sidecar was used.
bool read_sidecar(const std::filesystem::path& path,
                  std::string_view flex_text,
                  FlexBody& body,
                  Diagnostics& diagnostics);

}  // namespace femflex::flexfile
