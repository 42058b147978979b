// Steps of a reduction between chosen shapes and a body: remove dependent shapes, orthogonalise
// the others, find rigid-body motions. Used by reduce().
#pragma once

#include <vector>

#include <Eigen/Core>

#include "femflex/diagnostics.h"
#include "femflex/fe_model.h"
#include "femflex/flex_body.h"
#include "femflex/modal/reduce.h"
#include "femflex/progress.h"

#include "methods/basis.h"

namespace femflex::modal {

/// Mass and stiffness on a set of shapes, SI.
struct ReducedPencil {
  Eigen::MatrixXd m;
  Eigen::MatrixXd k;
};

/// Chosen shapes that are linearly independent.
struct ReducedSet {
  Basis basis;
  Eigen::MatrixXd U;     ///< on model.dofs, or on its own rows if the model has none; units of
                         ///< the model
  ReducedPencil pencil;  ///< U' M U, U' K U
  /// Empty, or the combinations of columns in which massless motions follow the others statically:
  /// only U `follow` can vibrate. docs/theory/modal.md eq. (46).
  Eigen::MatrixXd follow;
};

/// Removes dependent shapes from `basis`, each with its reason in `rejected`. This comes first,
/// because they would make m singular for every method. Columns that lack mass of their own stay in
/// a set of a floating part that will be orthogonalised, if they have stiffness: they follow the
/// others. Without them, the set would lose rigid motions.
/// @throws ModelError  nothing is left, or neither matrices nor modes give mass and stiffness
ReducedSet independent_set(const FeModel& model,
                           Basis basis,
                           const ReduceOptions& options,
                           std::vector<RejectedMode>& rejected,
                           Diagnostics& diagnostics,
                           Progress& progress);

/// The set unchanged, or made orthogonal: shapes U V. docs/theory/modal.md eq. (4).
struct ColumnSet {
  Eigen::MatrixXd V;
  Eigen::VectorXd lambda;  ///< eigenvalue of each column [rad^2/s^2]
  ReducedPencil pencil;    ///< on U V
};
ColumnSet column_set(const FeModel& model, const ReducedSet& set, bool orthogonalised);

/// Which columns of U V are rigid-body motions: they store only negligible strain energy and lie in
/// the span of the rigid motions that K does not resist. The span is measured in the M norm if
/// there is an M: DOFs left out for lack of stiffness and mass do not move in a rigid mode.
std::vector<bool> which_are_rigid(const FeModel& model,
                                  const ReducedSet& set,
                                  const ColumnSet& columns);

/// Columns without energy that are not rigid motions: parts that K does not connect, mechanisms.
/// They have one eigenvalue with the rigid motions, so that an eigensolver mixes them by chance.
/// Turns these columns of an orthogonalised set: first the rigid motions in the order of geometry
/// (translations, then rotations), then the others, M-orthogonal to them, with an eigenvalue of 0.
/// @return  for each column, whether it is one of the others
std::vector<bool> separate_zero_energy(const FeModel& model,
                                       const ReducedSet& set,
                                       ColumnSet& columns);

}  // namespace femflex::modal
