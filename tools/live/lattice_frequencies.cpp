// Computes the lowest natural frequencies and damping ratios of a lattice in its present state.
#include "live/lattice_frequencies.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <unordered_map>

#include <fmt/format.h>

#include "femflex/diagnostics.h"
#include "femflex/errors.h"
#include "femflex/hamiltonian/lattice_to_fe.h"
#include "femflex/modal/compute_modes.h"

namespace femflex::live {

using hamiltonian::LatticeSystem;
using hamiltonian::State;

namespace {

constexpr std::int64_t kLowest = 20;       // number of frequencies to show
constexpr std::int64_t kMostRigid = 6;     // rigid modes of a free lattice
constexpr std::size_t kMostDofs = 60'000;  // computation takes some seconds, in which the run waits
constexpr double kProbe = 1e-6;            // modal velocity for the derivative of damping forces

constexpr double kFirstShift = 1e-7;  // magnitude of the first negative shift, relative to the
                                      // largest eigenvalue
constexpr double kShiftGrowth = 10.0;

/// phi' C phi for a shape of unit modal mass: the derivative of the damping forces, by differences.
double damping_along(const LatticeSystem& system,
                     const State& state,
                     const std::vector<double>& shape) {
  const auto dim = static_cast<std::size_t>(system.lattice().dimension);
  double sum = 0.0;
  std::vector<double> p(shape.size());
  std::vector<double> f(shape.size());
  for (const double sign : {1.0, -1.0}) {
    for (std::size_t i = 0; i < p.size(); ++i)
      p[i] = state.p[i] + sign * kProbe * system.masses()[i / dim] * shape[i];
    std::fill(f.begin(), f.end(), 0.0);
    system.add_dissipation(state.memory, state.q, p, f);
    for (std::size_t i = 0; i < f.size(); ++i)
      sum -= sign * shape[i] * f[i] / (2.0 * kProbe);
  }
  return sum;
}

/// The lowest modes. A lattice in motion may have negative eigenvalues; the solver finds them if
/// its shift is below them.
/// @param largest  estimate of the largest eigenvalue [rad^2/s^2]
modal::ComputedModes lowest_modes(const FeModel& model, double largest) {
  modal::ModeRequest request;
  request.normal = std::min(kLowest + kMostRigid, static_cast<std::int64_t>(model.mass->rows()));
  request.solve.sturm_check = false;
  Diagnostics ignored;
  try {
    return modal::compute_modes(model, request, ignored);
  } catch (const ModelError&) {
    if (!(largest > 0.0)) throw;
  }
  for (double share = kFirstShift;; share *= kShiftGrowth) {
    request.solve.shift = -share * largest;
    try {
      return modal::compute_modes(model, request, ignored);
    } catch (const ModelError&) {
      if (share >= 1.0) throw;
    }
  }
}

/// A mode in the order of the lattice's DOFs; 0 at fixed DOFs.
std::vector<double> shape_on(const LatticeSystem& system, const ModeSet& modes, Eigen::Index mode) {
  const auto dim = static_cast<std::size_t>(system.lattice().dimension);
  std::unordered_map<std::int64_t, std::size_t> node_of;
  for (std::size_t i = 0; i < system.lattice().nodes.size(); ++i)
    node_of.emplace(system.lattice().nodes[i].id, i);
  std::vector<double> out(system.dof_count(), 0.0);
  for (Eigen::Index row = 0; row < modes.shapes.rows(); ++row) {
    const Dof& dof = modes.rows[row];
    const auto axis = static_cast<std::size_t>(dof.component - 1);
    if (axis < dim) out[node_of.at(dof.node) * dim + axis] = modes.shapes(row, mode);
  }
  return out;
}

}  // namespace

std::vector<LiveFrequency> lowest_frequencies(const LatticeSystem& system, const State& state) {
  if (system.dof_count() > kMostDofs)
    throw UsageError(
        "too-large",
        fmt::format("frequencies are computed for up to {} DOFs, and this model has {}",
                    kMostDofs,
                    system.dof_count()));
  const FeModel model = to_fe_model(system, state, hamiltonian::HeldDofs::leave_out);
  const modal::ComputedModes computed =
      lowest_modes(model, std::pow(system.fastest_motion(state).omega, 2));
  std::vector<LiveFrequency> out;
  for (Eigen::Index mode = 0; mode < computed.modes.count(); ++mode) {
    const double value = computed.modes.modes[static_cast<std::size_t>(mode)].eigenvalue;
    const bool is_free =
        mode < computed.report.rigid_modes || !std::isfinite(value) || value == 0.0;
    const double omega = is_free ? 0.0 : std::sqrt(std::abs(value));
    LiveFrequency each{omega / (2.0 * std::numbers::pi), !is_free && value < 0.0 ? -1.0 : 0.0};
    if (!is_free && value > 0.0 && system.is_dissipative())
      each.damping =
          damping_along(system, state, shape_on(system, computed.modes, mode)) / (2.0 * omega);
    out.push_back(each);
  }
  if (out.size() > static_cast<std::size_t>(kLowest)) out.resize(kLowest);
  return out;
}

}  // namespace femflex::live
