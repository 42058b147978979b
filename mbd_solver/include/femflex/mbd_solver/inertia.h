// inertia_fault(): whether a body can have given moments of inertia. The reader of system files and
// the compiler of systems use it.
#pragma once

#include <cstdint>
#include <string>

#include <Eigen/Core>

namespace femflex::mbd_solver {

/// Why no body has given moments of inertia.
struct InertiaFault {
  enum class Kind : std::uint8_t {
    none,
    negative,  ///< a principal moment is negative
    too_large  ///< one exceeds the sum of the other two
  };
  Kind kind = Kind::none;
  std::string text{};  ///< empty without a fault
};

/// Checks the tensor of inertia about the mass centre [kg m^2]. One principal moment is at most the
/// sum of the other two and, in a flat body, equal to it up to the rounding of files. In the plane
/// only the moment about z matters.
InertiaFault inertia_fault(const Eigen::Matrix3d& J, bool is_planar);

}  // namespace femflex::mbd_solver
