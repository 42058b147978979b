#pragma once

#include <optional>
#include <string_view>

#include "readers.h"

namespace femflex::importer {

/// A kind of file that is not read, and how its contents can be had.
struct ForeignFormat {
  std::string_view name;    ///< with its article: "an ANSYS .full file"
  std::string_view remedy;  ///< what the user can do
};

/// What a file is that no reader claims, by its first bytes; by its ending where formats have no
/// mark of their own. Empty where neither tells.
std::optional<ForeignFormat> foreign_format(const FileHead& head, std::string_view ending);

}  // namespace femflex::importer
