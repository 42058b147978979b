// Writer of superelements for Project Chrono: matrices for ChModalAssembly::DoModalReduction as
// Matrix Market files, and a JSON file that names them and the nodes.
// docs/formats/superelements.md.
#pragma once

#include <filesystem>

#include "femflex/flex_body.h"
#include "femflex/flexfile/superelement.h"

namespace femflex::flexfile {

/// Writes `path` (NAME.chrono.json) and beside it NAME_K.mtx, NAME_M.mtx and, with damping,
/// NAME_R.mtx, in SI. Rows: six DOFs of each interface node, then the modes, which are Chrono's
/// internal coordinates.
/// @param frame  see FrameMotion
/// @throws ModelError  an interface node without rotations
void write_chrono(const FlexBody& body, const std::filesystem::path& path, FrameMotion frame);

}  // namespace femflex::flexfile
