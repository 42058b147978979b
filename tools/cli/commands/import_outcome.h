// What the verbs import and solve show of a model: its figures and proofs.
#pragma once

#include <filesystem>
#include <optional>

#include "femflex/importer/import_model.h"

#include "session.h"

namespace femflex::cli {

/// JSON document and text of an imported model. The model itself moves into the outcome.
Outcome show_import(importer::ImportResult result,
                    const std::optional<std::filesystem::path>& output);

}  // namespace femflex::cli
