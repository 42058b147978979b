// Drives: applies loads that change with time and prescribed motions to single DOFs of a network,
// before and after each step of a kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/tiled_network.h"

namespace femflex::hamiltonian::tiles {

/// The arrays of one axis of a network in one step; the number of a node is at place * stride.
struct AxisArrays {
  const double* x = nullptr;
  double* x_next = nullptr;  ///< may be x
  double* u = nullptr;
  const double* a = nullptr;  ///< accelerations of a network with dampers along bonds, else null
};

/// Loads and prescribed motions of single DOFs. A kernel does not know them: loads are added to the
/// velocities before and after the kernel runs. The kernel treats prescribed DOFs as free;
/// afterwards they are set to the prescribed position, and the force on them is found from the
/// velocity that the kernel gave them.
class Drives {
 public:
  struct Dof {
    std::int32_t place = 0;  ///< index of the node in memory
    std::uint8_t axis = 0;
    double inverse_mass = 0.0;  ///< 1/m in the kernel
  };
  Drives() = default;
  /// @param steps  largest number of steps per pass
  Drives(std::vector<Dof> loaded,
         std::vector<Dof> prescribed,
         std::vector<Dof> observed,
         int steps);

  bool empty() const { return steps_.empty(); }
  bool needs_positions() const { return !observed_.empty(); }
  /// Copies the positions of the observed DOFs to the drive of the first step of a pass.
  void read_positions(const AxisArrays* axes, std::int64_t stride);
  /// The drive of the s-th step of a pass, for the caller to fill in.
  Drive& of(int s) { return steps_[static_cast<std::size_t>(s)]; }

  /// Adds half the impulse of the loads just before the start of the step and keeps the positions
  /// of the driven DOFs, before the kernel runs.
  /// @param s      number of the step in the pass
  /// @param first  first node that the kernel computes; `last` is one after its last node
  void before(int s,
              std::int64_t first,
              std::int64_t last,
              const AxisArrays* axes,
              std::int64_t stride,
              double h);
  /// Gives the prescribed DOFs their speeds, for the dampers at them.
  /// @param v  velocities of each axis
  void set_speeds(
      int s, std::int64_t first, std::int64_t last, double* const* v, std::int64_t stride);
  /// Adds half the impulse of the loads just after the start of the step and sets the prescribed
  /// DOFs, after the kernel has run.
  void after(int s,
             std::int64_t first,
             std::int64_t last,
             const AxisArrays* axes,
             std::int64_t stride,
             double h);

  double load_work() const;
  double support_work() const;
  std::vector<double> last_moves() const { return last_move_; }
  /// Sets the last displacements of the prescribed DOFs to zero, for a new start.
  void restart();

 private:
  struct DrivenDof {
    Dof dof;
    bool is_prescribed = false;
    std::size_t index = 0;  // among the loaded or the prescribed DOFs
    double start = 0.0;     // [m] position at the start of the step
    // of a prescribed DOF: its index among the loaded DOFs, -1: not loaded
    std::ptrdiff_t load = -1;
  };
  void find_loads();
  std::span<DrivenDof> within(std::int64_t first, std::int64_t last);

  std::vector<DrivenDof> driven_;  // by place
  std::vector<Dof> observed_;
  std::vector<Drive> steps_;
  std::vector<double> load_work_, support_work_, last_move_;  // of each DOF
};

}  // namespace femflex::hamiltonian::tiles
