// Writer of superelements for OpenFAST's module ExtPtfm (FlexASCII), as its versions 3, 4 and 5
// read them. docs/formats/superelements.md.
#pragma once

#include <filesystem>

#include "femflex/flex_body.h"
#include "femflex/flexfile/superelement.h"

namespace femflex::flexfile {

/// Dimension, mass, stiffness, damping, weight, and rows of loads that are zero, in SI with z up.
/// @throws ModelError  the interface is not one node with six DOFs
void write_ext_ptfm(const FlexBody& body, const std::filesystem::path& path, FrameMotion frame);

}  // namespace femflex::flexfile
