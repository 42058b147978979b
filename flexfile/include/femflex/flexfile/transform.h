// Transforms flexible bodies: to another frame, to other units, to a subset of modes or nodes.
#pragma once

#include <cstdint>
#include <vector>

#include <Eigen/Core>

#include "femflex/diagnostics.h"
#include "femflex/flex_body.h"
#include "femflex/units.h"

namespace femflex::flexfile {

/// The same body in another body frame: c -> Q c + offset, Q orthogonal (a reflection if det Q =
/// -1: rotations are axial vectors). Modal coordinates, m, k and b are unchanged; invariants follow
/// the parallel-axis rules. Of a node's rotary inertia only the diagonal is kept, as bodies store
/// it; `diagnostics` reports it if that loses something.
/// @throws UsageError  Q is not orthogonal to 1e-9
FlexBody transformed(const FlexBody& body,
                     const Eigen::Matrix3d& Q,
                     const Eigen::Vector3d& offset,
                     Diagnostics& diagnostics);

/// Reflection in the plane through the origin with this normal.
Eigen::Matrix3d mirror(const Eigen::Vector3d& normal);

/// Converts a body whose numbers are in `units` to SI. Modal coordinates keep their numbers, so
/// that shapes scale with length, m with mass length^2 and k with mass length^2 / time^2.
FlexBody from_units(const FlexBody& body, const Units& units);
/// The inverse of from_units(), for files whose reader works in `units`.
FlexBody to_units(const FlexBody& body, const Units& units);

/// Keeps these modes (0-based), in this order.
/// @throws UsageError  no such mode, or one given twice
FlexBody with_modes(const FlexBody& body, const std::vector<Eigen::Index>& modes);

/// Keeps these nodes. Mass and invariants remain those of the whole body; elements and interface
/// nodes that lose a node are removed.
/// @throws UsageError  no such node
FlexBody with_nodes(const FlexBody& body, const std::vector<std::int64_t>& ids);

}  // namespace femflex::flexfile
