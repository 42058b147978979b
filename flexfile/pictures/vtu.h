// Writes VTK pictures of a body and its modes (ParaView).
#pragma once

#include <filesystem>

#include "femflex/flex_body.h"

namespace femflex::flexfile {

/// Writes a VTK XML unstructured grid with all modes as point arrays `mode_007_12.34Hz`
/// (translations, unscaled), the node ids as `grid_id`, element ids as `element_id`. Binary,
/// appended raw.
void write_vtu(const FlexBody& body, const std::filesystem::path& path);

/// Writes NAME.pvd and, in the same folder, one NAME_001.vtu per mode: "time" is the number of the
/// mode, `displacement` its shape, scaled so that the largest motion is `amplitude` times the size
/// of the body.
void write_pvd(const FlexBody& body, const std::filesystem::path& path, double amplitude);

}  // namespace femflex::flexfile
