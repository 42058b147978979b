// The coordinate systems of a universal file (data set 18), in which its nodes may be defined.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "femflex/importer/contents.h"

namespace femflex::importer {

/// Appends the systems of the lines of a data set 18 to `systems`. Four lines each: number, type,
/// reference system, colour, method; a name; then, in the reference system, the origin, a point on
/// the x axis and one in the xz plane. Types other than 0, Cartesian, count as cylindrical.
/// @return index of the first line that is not as it should be; none if all are
std::optional<std::size_t> read_universal_systems(std::span<const std::string_view> lines,
                                                  std::vector<RawSystem>& systems);

}  // namespace femflex::importer
