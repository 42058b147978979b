// System: K and M of a model on its independent DOFs, after constraints and rigid elements are
// removed. Partition: the same, split by interface and interior.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/diagnostics.h"
#include "femflex/fe_model.h"
#include "femflex/sparse.h"

namespace femflex::modal {

/// K and M on the unknowns x, the DOFs that remain after constraints, rigid elements and empty rows
/// are removed: u = T x; this K is T' K T of the model, this M is T' M T. Units of the model.
struct System {
  SparseMatrix K, M;  ///< lower triangles, on the unknowns x
  SparseMatrix T;     ///< (model DOFs x unknowns)
  /// (unknowns x model DOFs), S T = 1; gives the unknowns of a motion that obeys T
  SparseMatrix S;
  std::vector<std::int64_t> row_of;      ///< model row of each unknown
  std::vector<std::int64_t> unknown_of;  ///< unknown of each model row, -1 if it has none
  /// true for model rows that depend on others through a rigid element
  std::vector<bool> tied;
  std::vector<std::int32_t> group;  ///< node of each unknown, numbered densely
  bool is_selection = true;         ///< true if T only leaves rows out
  std::int64_t massless = 0;        ///< number of unknowns without mass

  Eigen::Index size() const { return K.rows(); }
  /// u = T x.
  Eigen::MatrixXd expand(const Eigen::MatrixXd& x) const;
  /// T' f.
  Eigen::MatrixXd restrict_load(const Eigen::MatrixXd& f) const;
  /// x = S u: the inverse of expand() on motions that obey T.
  Eigen::MatrixXd restrict_shape(const Eigen::MatrixXd& u) const;
};

/// Builds the system. DOFs in FeModel::fixed are removed; rows that rigid elements make dependent
/// follow the DOFs that they depend on; DOFs and directions of rotation without stiffness and mass
/// (the normal of a shell, also an inclined one) are removed with a warning; massless ones stay
/// (they are condensed in every solve) and are counted in a warning.
/// @throws ModelError  no K or M, an indefinite M, a DOF fixed and dependent at once
System build_system(const FeModel& model, Diagnostics& diagnostics);

/// Unknowns of the interface nodes or, if `dofs` is not empty, of these DOFs, in that order.
/// @throws ModelError  no interface, or an interface node or DOF that depends on others (which are
/// named), cannot move or has no row
std::vector<std::int64_t> interface_unknowns(const FeModel& model,
                                             const System& system,
                                             const std::vector<Dof>& dofs);

/// K and M split by fixed (b, boundary) and free (i, interior) unknowns.
struct Partition {
  std::vector<std::int64_t> b, i;
  SparseMatrix K_ii, M_ii;  ///< lower triangles
  SparseMatrix K_ib, M_ib;  ///< full rectangles
  SparseMatrix K_bb, M_bb;  ///< lower triangles
  std::vector<std::int32_t> group_i;
};
Partition partition(const System& system, const std::vector<std::int64_t>& held);

/// Puts `x_i` into the rows `rows` of all unknowns; all other rows are zero.
Eigen::MatrixXd scatter(const std::vector<std::int64_t>& rows,
                        const Eigen::MatrixXd& x_i,
                        Eigen::Index size);

/// "12/T1, 12/R3 and 40 more".
std::string name_dofs(const FeModel& model, const std::vector<std::int64_t>& rows);

}  // namespace femflex::modal
