// Signs in the drawing of a model: an arrow for a load, a bracket for a hinge between two springs.
// The drawings of lattices and systems use them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "live/live_model.h"

namespace femflex::live {

/// Largest number of drawn signs of each kind.
constexpr std::size_t kMostSigns = 2000;

using Arrow = std::array<Eigen::Vector3d, 4>;    ///< foot, tip, two ends of the head
using Bracket = std::array<Eigen::Vector3d, 3>;  ///< end, middle near the corner, end

/// Adds the vertices and lines of an arrow to the end of a drawing. @return index of its first
/// vertex
std::uint32_t add_arrow(Drawing& drawing, std::int32_t item);
/// Adds those of a bracket. @return index of its first vertex
std::uint32_t add_bracket(Drawing& drawing, std::int32_t item);

/// An arrow from `foot` in the direction of a load. Its length increases with |load| / largest, but
/// small loads stay visible; a load of zero has no length.
/// @param size  of the whole drawing [m]
Arrow arrow(const Eigen::Vector3d& foot, const Eigen::Vector3d& load, double largest, double size);

/// A bracket around the corner of two springs; it is also visible if they are in one line.
Bracket bracket(const Eigen::Vector3d& corner,
                const Eigen::Vector3d& end_a,
                const Eigen::Vector3d& end_b);

/// Writes x, y, z of the vertices from `first` on.
void put_places(std::span<const Eigen::Vector3d> places,
                std::size_t first,
                std::vector<float>& out);

}  // namespace femflex::live
