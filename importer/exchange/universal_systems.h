// The coordinate systems of a universal file (data set 18), in which its nodes may be defined.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "femflex/importer/contents.h"

namespace femflex::importer {

/// Reads the lines of a data set 18 behind `systems`. Four lines each: number, type, reference
/// system, colour, method; a name; then, in the reference system, the origin, a point on the x axis
/// and one in the xz plane. Types other than 0, Cartesian, count as cylindrical.
/// @return the first line that is not as it should be; empty if all are
std::string_view read_universal_systems(std::span<const std::string_view> lines,
                                        std::vector<RawSystem>& systems);

}  // namespace femflex::importer
