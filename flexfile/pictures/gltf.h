// Writes glTF 2.0 pictures of a body and its modes.
#pragma once

#include <filesystem>

#include "femflex/flex_body.h"

namespace femflex::flexfile {

/// Writes glTF 2.0 binary: the surface of the body, one morph target and one looping animation per
/// mode. The largest motion of a mode is `amplitude` times the size of the body. A parent node
/// rotates from Z up to Y up.
void write_gltf(const FlexBody& body, const std::filesystem::path& path, double amplitude);

}  // namespace femflex::flexfile
