// Finds the FE model from which a flexible body was reduced, by the digests of its FE files. The
// verb stress and the reader of gauges use it.
#pragma once

#include <filesystem>

#include "femflex/fe_model.h"
#include "femflex/flex_body.h"

namespace femflex::tools {

/// The native model (`.fe.h5`) in `folder` that contains materials and sections and was imported
/// from the FE files of the body.
/// @throws UsageError  there is none
std::filesystem::path model_file_of(const FlexBody& body, const std::filesystem::path& folder);

/// Checks that the body was reduced from `model`: the FE files are the same if both list them, and
/// common nodes have the same positions.
/// @throws ModelError  it is another model, or the body was moved afterwards
void check_model_of_body(const FeModel& model, const FlexBody& body);

}  // namespace femflex::tools
