// Computes the error of the interface frequency response if only some fixed-interface modes are
// kept, for the method `auto`.
#pragma once

#include <complex>
#include <vector>

#include <Eigen/Core>

#include "methods/interface_response.h"
#include "solve/normal_modes.h"

namespace femflex::modal {

using Choice = std::vector<Eigen::Index>;  ///< indices of fixed-interface modes

/// Gives the response of the interface with a choice of fixed-interface modes, docs/theory/modal.md
/// eq. (17).
struct Interface {
  Eigen::MatrixXd k_bb, m_bb;
  Eigen::MatrixXd p;  ///< b x modes: coupling mass of each normal mode
  Eigen::VectorXd lambda;
  double loss_factor = 0.0;

  Eigen::MatrixXcd stiffness(double w2, const Choice& modes) const;
  Choice all() const;
};

/// The interface with the modes `normal`.
Interface interface_of(const InterfaceSampler& sampler, const NormalModes& normal);

/// A frequency at which the response of a choice is tested.
struct Target {
  double w2 = 0.0;
  Eigen::MatrixXcd H;  ///< receptance of the full model
  double size = 0.0;   ///< reference size of its errors; at first the norm of H
};

/// The receptance of the full model as a target, its size the norm of H.
Target target_of(const InterfaceScale& scale, const InterfaceSample& sample);

/// Error of the receptance with `modes` at the target, relative to target.size.
double error_at(const Interface& inter,
                const InterfaceScale& scale,
                const Target& target,
                const Choice& modes);

/// The largest error among every `stride`-th target.
double max_error(const Interface& inter,
                 const InterfaceScale& scale,
                 const std::vector<Target>& targets,
                 const Choice& modes,
                 std::size_t stride = 1);

/// True if the choice meets the tolerance at every target. A target that fails moves to the front:
/// it will most likely fail for the next choice, too.
bool meets_tolerance(const Interface& inter,
                     const InterfaceScale& scale,
                     std::vector<Target>& targets,
                     const Choice& modes,
                     double tolerance);

/// For each mode, the largest error caused by leaving out only this mode, docs/theory/modal.md eq.
/// (37).
Eigen::VectorXd omission_errors(const Interface& inter,
                                const InterfaceScale& scale,
                                const std::vector<Target>& targets);

}  // namespace femflex::modal
