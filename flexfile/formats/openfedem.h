// Writer of reduced parts for openfedem: NAME.ftl with the nodes and faces, and the matrices
// NAME_S.fmx (stiffness), NAME_M.fmx (mass), NAME_G.fmx (gravity). docs/formats/superelements.md.
#pragma once

#include <filesystem>

#include "femflex/flex_body.h"
#include "femflex/flexfile/superelement.h"

namespace femflex::flexfile {

/// Writes the four files; `path` is that of the .ftl.
/// @throws ModelError  the body has no interface that its modes move
void write_openfedem(const FlexBody& body, const std::filesystem::path& path, FrameMotion frame);

}  // namespace femflex::flexfile
