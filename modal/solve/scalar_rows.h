// ScalarRows: fills the rows of scalar points in shapes that are known at the nodes, as those of
// bodies are.
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

  /// Fills the rows of scalar points in `u`, in the units of the model: as at rest, or, where that
  /// comes nearer to the known mass of a column, as in a mode. Points that K does not hold move as
  /// their mass makes them.
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

/// Warns of modes whose motion the nodes of a body do not tell: scalar points of the model that
/// move by themselves have a part of their mass.
/// @param shapes  of unit mass, on the DOFs of the model
/// @param hz      frequency of each; only those up to `last_hz` are told
/// @param limit   share of the mass from which it is told, at least 1e-3
void warn_of_scalar_points(const FeModel& model,
                           const Eigen::MatrixXd& shapes,
                           const Eigen::VectorXd& hz,
                           double last_hz,
                           double limit,
                           Diagnostics& diagnostics);

}  // namespace femflex::modal
