// Files of matrices of a superelement: MATLAB (the fields of Simscape's Reduced Order Flexible
// Solid) and NASTRAN OUTPUT4. docs/formats/superelements.md.
#pragma once

#include <filesystem>

#include "femflex/diagnostics.h"
#include "femflex/flex_body.h"
#include "femflex/flexfile/superelement.h"

#include "document/matrix_file.h"

namespace femflex::tools {

/// True for the endings .mat and .op4.
bool is_superelement_matrix_file(const std::filesystem::path& path);

/// .mat: K, M, C of the interface DOFs and modes, P the origins of the interface frames, Q their
/// rotations (unit quaternions, scalar first), nodes their numbers; .op4: KAAX, MAAX and, with
/// damping, BAAX, and a file NAME.asm with their points.
/// Modes that do not act are left out; a warning tells of these, and of what else has no place.
/// @throws ModelError  the body has no interface that its modes move; .mat: a node has no rotations
/// @throws UsageError  the file cannot be written
void write_matrices_of_superelement(const FlexBody& body,
                                    const std::filesystem::path& path,
                                    MatLevel level,
                                    flexfile::FrameMotion frame,
                                    Diagnostics& diagnostics);

}  // namespace femflex::tools
