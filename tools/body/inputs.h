// Opens the files that users name, for the verbs: determines their kind, and loads FE models and
// bodies.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "femflex/diagnostics.h"
#include "femflex/fe_model.h"
#include "femflex/flex_body.h"
#include "femflex/progress.h"
#include "femflex/units.h"

#include "document/file_kind.h"

namespace femflex::tools {

/// The kind of a file, determined from its content; FileKind::unknown if no reader recognises it.
/// @throws UsageError  no such file, or it is a folder
/// @throws ParseError  the file is empty
FileKind kind_of(const std::filesystem::path& path);

/// Sets the units of a model whose file does not give units.
/// @param name  name of the model, for messages
/// @throws UsageError  its file gives other units
void set_units(FeModel& model, const Units& units, const std::string& name);

/// Loads an FE model from a native file or from a single file of an FE code.
/// @param units  units of a file that gives none
/// @throws UsageError  no such file, a file of another kind, or other units than in the file
FeModel load_model(const std::filesystem::path& path,
                   const std::optional<Units>& units,
                   Diagnostics& diagnostics,
                   Progress& progress);

/// Loads a flexible body of any format.
/// @param units  units of a file that gives none
/// @throws UsageError  no such file, or a file of another kind
FlexBody load_body(const std::filesystem::path& path,
                   const std::optional<Units>& units,
                   Diagnostics& diagnostics,
                   Progress& progress);

}  // namespace femflex::tools
