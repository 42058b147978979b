#pragma once

#include <filesystem>

#include "femflex/flex_body.h"

namespace femflex::flexfile {

/// glTF 2.0 binary: the surface of the body, one morph target and one looping animation per mode.
/// Largest motion of a mode: `amplitude` of the size of the body. Z up becomes Y up by a node.
void write_gltf(const FlexBody& body, const std::filesystem::path& path, double amplitude);

}  // namespace femflex::flexfile
