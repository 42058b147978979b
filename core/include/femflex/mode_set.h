// Mode shapes of an FE model, with the kind, number and eigenvalue of each.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include "femflex/dof_map.h"

namespace femflex {

/// How a shape was obtained.
enum class ModeKind : std::uint8_t {
  dynamic,  ///< normal (vibration) mode
  static_,  ///< displacement under a load case
  /// displacement when one interface DOF moves by 1 and the other interface DOFs are fixed
  constraint,
  attachment,           ///< displacement under a unit force on one interface DOF
  residual_attachment,  ///< attachment mode minus the part that the kept normal modes span
  inertia_relief,       ///< displacement under the inertia load of a unit acceleration
  /// displacement under the part of a load that the kept modes do not represent
  modal_truncation,
  krylov,  ///< moment-matching vector
  rigid,   ///< rigid-body motion
  given,   ///< a shape of unknown origin
};

/// "dynamic", "static", "constraint", "inertia-relief", ...
std::string_view name_of(ModeKind kind);
/// @throws UsageError  no such kind
ModeKind parse_mode_kind(std::string_view name);

/// What is known of one shape. An unknown eigenvalue or generalised mass is NaN.
struct ModeInfo {
  ModeKind kind = ModeKind::given;
  std::int64_t number = 0;  ///< 1-based within its kind: "static:1"
  double eigenvalue = std::numeric_limits<double>::quiet_NaN();        ///< omega^2 [1/time^2]
  double generalised_mass = std::numeric_limits<double>::quiet_NaN();  ///< [mass] or [inertia]
  std::string source;  ///< file and table, or the computation that made it
  double generalised_stiffness() const { return eigenvalue * generalised_mass; }
};

/// "static:1": how users and files name a mode.
std::string label_of(const ModeInfo& mode);

/// Shapes U as read or computed, not orthogonal in general: u = U eta.
struct ModeSet {
  DofMap rows;             ///< which DOF each row of `shapes` is; directions are basic
  Eigen::MatrixXd shapes;  ///< U (rows x modes) [model length, rad] per unit eta
  std::vector<ModeInfo> modes;

  std::int64_t count() const { return static_cast<std::int64_t>(modes.size()); }
};

/// Checks that the sizes of rows, shapes and modes fit each other and that all shapes are finite.
/// @throws ModelError
ModeSet make_mode_set(DofMap rows, Eigen::MatrixXd shapes, std::vector<ModeInfo> modes);

/// Shapes of `modes` on other rows: rows that `modes` does not hold become zero.
Eigen::MatrixXd shapes_on(const ModeSet& modes, const DofMap& rows);

/// The modes of `set`, then those of `more`. Rows become the union; numbering continues within each
/// kind.
ModeSet merged(const ModeSet& set, const ModeSet& more);

}  // namespace femflex
