// Recognises files of unsupported formats, for error messages that name the format and a remedy.
#pragma once

#include <optional>
#include <string_view>

#include "readers.h"

namespace femflex::importer {

/// A file format that is not read, and how its contents can be exported.
struct ForeignFormat {
  std::string_view name;    ///< name with its article: "an ANSYS .full file"
  std::string_view remedy;  ///< what the user can do
};

/// Identifies the format of a file that no reader accepts: by its first bytes, or by its extension
/// if the format has no signature. Empty if the format is not known.
std::optional<ForeignFormat> foreign_format(const FileHead& head, std::string_view extension);

}  // namespace femflex::importer
