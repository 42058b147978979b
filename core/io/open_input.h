// Opens input files for reading, with one set of errors for all readers.
#pragma once

#include <filesystem>

namespace femflex::io {

/// A descriptor of the file, open for reading; the caller closes it. Does not wait for a pipe.
/// @throws UsageError  no such file, or it cannot be opened
int open_input(const std::filesystem::path& path);

}  // namespace femflex::io
