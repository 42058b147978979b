// Opens the files that users name: finds their kind, loads models and bodies, reads lists of DOFs.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "femflex/diagnostics.h"
#include "femflex/fe_model.h"
#include "femflex/flex_body.h"
#include "femflex/progress.h"
#include "femflex/units.h"

#include "document/file_kind.h"

namespace femflex::tools {

/// @throws UsageError  no such file, or a folder;  ParseError  an empty file
FileKind kind_of(const std::filesystem::path& path);

/// Gives a model the units that its file left open.
/// @param name  name of the model, for messages
/// @throws UsageError  the model has other units
void set_units(FeModel& model, const Units& units, const std::string& name);

/// A native FE model, or a file of an FE code taken as it is.
/// @param units  overrides or adds what the file says
FeModel load_model(const std::filesystem::path& path,
                   const std::optional<Units>& units,
                   Diagnostics& diagnostics,
                   Progress& progress);

FlexBody load_body(const std::filesystem::path& path,
                   const std::optional<Units>& units,
                   Diagnostics& diagnostics,
                   Progress& progress);

/// DOFs "3/T3, 12/R1, 501/S, 7": a node alone means all six.
/// @throws UsageError
std::vector<Dof> parse_dofs(std::string_view text);

}  // namespace femflex::tools
