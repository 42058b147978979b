// ScalarRows: computes the rows of scalar points of shapes that are known at the nodes only, such
// as those of a body.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <Eigen/Core>

#include "femflex/diagnostics.h"
#include "femflex/fe_model.h"
#include "femflex/sparse.h"

#include "solve/shifted_factor.h"
#include "solve/system.h"

namespace femflex::modal {

bool has_scalar_points(const FeModel& model);

/// Rows of scalar points (incompatible modes and knots of elements, modal coordinates of
/// superelements) that follow from those of the nodes: at rest K_ii u_i = -K_in u_n, in a mode with
/// the eigenvalue lambda (K_ii - lambda M_ii) u_i = -(K_in - lambda M_in) u_n.
/// docs/theory/modal.md section "Rows that a body does not hold".
class ScalarRows {
 public:
  /// Does nothing if the model has no scalar point that can move, or no K and M.
  explicit ScalarRows(const FeModel& model);
  bool empty() const { return scalar_rows_.empty(); }

  /// Fills the rows of scalar points in `u` (units of the model): first by the static solution;
  /// where its mass is wrong, by the solution at the eigenvalue, if its mass is nearer. Points
  /// without stiffness follow from their mass.
  /// @param lambda  u' K u / u' M u of each column
  /// @param mass    u' M u of each column
  /// @return  error of the mass of each column, relative to it
  Eigen::VectorXd fill(Eigen::MatrixXd& u,
                       const Eigen::VectorXd& lambda,
                       const Eigen::VectorXd& mass);

 private:
  void solve_inner(Eigen::MatrixXd& x) const;
  void fill_modes(Eigen::MatrixXd& u,
                  const Eigen::VectorXd& lambda,
                  const Eigen::VectorXd& mass,
                  Eigen::VectorXd& error);
  Eigen::VectorXd mass_of(const Eigen::MatrixXd& x) const;
  void put(const Eigen::MatrixXd& x, Eigen::Index first, Eigen::MatrixXd& u) const;

  System system_;
  std::vector<std::int64_t> scalar_rows_;  // rows of the model that follow the nodes
  std::vector<std::int64_t> inner_;        // unknowns of scalar points
  SparseMatrix K_ii_, M_ii_;
  std::vector<std::int32_t> group_;
  std::optional<ShiftedFactor> factor_;
};

/// Warns of modes whose motion does not follow from the nodes of the body: scalar points of the
/// model hold a part of their mass.
/// @param shapes  of unit mass, on the DOFs of the model
/// @param hz      frequency of each; only those up to `last_hz` are reported
/// @param limit   smallest share of the mass that is reported, at least 1e-3
void warn_of_scalar_points(const FeModel& model,
                           const Eigen::MatrixXd& shapes,
                           const Eigen::VectorXd& hz,
                           double last_hz,
                           double limit,
                           Diagnostics& diagnostics);

}  // namespace femflex::modal
