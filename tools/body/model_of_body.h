// The FE model from which a flexible body was reduced: found by the digests of its FE files.
#pragma once

#include <filesystem>

#include "femflex/fe_model.h"
#include "femflex/flex_body.h"

namespace femflex::tools {

/// The native model (`.fe.h5`) in `folder` that holds materials and sections and was imported from
/// the FE files that the body names.
/// @throws UsageError  there is none
std::filesystem::path model_file_of(const FlexBody& body, const std::filesystem::path& folder);

/// Checks that the body was reduced from `model`: the same FE files where both name them, and the
/// same positions of the nodes that both have.
/// @throws ModelError  another model, or a body that was moved since
void check_model_of_body(const FeModel& model, const FlexBody& body);

}  // namespace femflex::tools
