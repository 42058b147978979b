// Recovers the inner nodes of an external superelement (EXTSEOUT): MUG1 gives the displacements of
// the points that TUG1 lists, along their CD axes, for a unit displacement of each DOF of the
// a-set.
#include "model/recovery.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace femflex::importer {
namespace {

/// MUG1 with the file that holds it; `matrix` is null if there is none.
struct Recovery {
  const FileContents* file = nullptr;
  const RawMatrix* matrix = nullptr;
  bool is_transposed = false;  ///< MUG1T: a row per DOF of the a-set
};

Recovery find_recovery(const Gathered& gathered) {
  for (const FileContents& file : gathered.files)
    for (const RawMatrix& matrix : file.matrices) {
      const std::string& name = matrix.inner_name.empty() ? matrix.name : matrix.inner_name;
      if (matrix.is_complex || matrix.rows < 2 || matrix.cols < 1) continue;
      if (name == "MUG1") return {&file, &matrix, false};
      if (name == "MUG1T") return {&file, &matrix, true};
    }
  return {};
}

std::vector<Dof> rows_of_recovery(const Gathered& gathered, std::int64_t count) {
  for (const FileContents& file : gathered.files)
    if (static_cast<std::int64_t>(file.recovery_rows.size()) == count) return file.recovery_rows;
  return {};
}

/// The DOFs of the columns of MUG1: those of EXTRN, else those of K.
std::vector<Dof> columns_of_recovery(const Gathered& gathered,
                                     const Matrices& matrices,
                                     std::int64_t count) {
  std::vector<Dof> boundary = gathered.geometry.interface;
  const std::unordered_set<std::int64_t> scalar(gathered.geometry.scalar_points.begin(),
                                                gathered.geometry.scalar_points.end());
  for (Dof& dof : boundary)
    if (scalar.contains(dof.node)) dof.component = 0;
  for (const Dof& dof : gathered.geometry.generalised)
    if (std::find(boundary.begin(), boundary.end(), dof) == boundary.end()) boundary.push_back(dof);
  if (static_cast<std::int64_t>(boundary.size()) == count) return boundary;
  if (static_cast<std::int64_t>(matrices.local.size()) == count) return matrices.local;
  return {};
}

/// True if each row of a DOF of the boundary is that of a unit matrix.
bool keeps_boundary(const Eigen::MatrixXd& G,
                    const std::vector<Dof>& rows,
                    const std::vector<Dof>& columns) {
  constexpr double kRoundOff =
      1e-6;  // far above that of the matrices, which are of double precision
  std::map<Dof, Eigen::Index> column_of;
  for (std::size_t k = 0; k < columns.size(); ++k)
    column_of.emplace(columns[k], static_cast<Eigen::Index>(k));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto it = column_of.find(rows[k]);
    if (it == column_of.end()) continue;
    Eigen::RowVectorXd row = G.row(static_cast<Eigen::Index>(k));
    row(it->second) -= 1.0;
    if (row.cwiseAbs().maxCoeff() > kRoundOff) return false;
  }
  return true;
}

/// G with rows and columns in basic directions; `rows` and `columns` become those of the result.
void to_basic(const Gathered& gathered,
              Eigen::MatrixXd& G,
              std::vector<Dof>& rows,
              std::vector<Dof>& columns) {
  std::vector<Dof> kept;
  std::vector<Eigen::Index> from;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (rows[k].component < 0) continue;
    kept.push_back(rows[k]);
    from.push_back(static_cast<Eigen::Index>(k));
  }
  G = Eigen::MatrixXd(G(from, Eigen::all));
  const BasicTransform left = transform_to_basic(gathered, kept);
  const BasicTransform right = transform_to_basic(gathered, columns);
  if (!left.is_identity) G = (left.T * G).eval();
  if (!right.is_identity) G = (G * Eigen::MatrixXd(right.T).transpose()).eval();
  rows = left.rows;
  columns = right.rows;
}

/// Adds one equation per DOF of a node of the model that has no row in the matrices.
void add_equations(const Eigen::MatrixXd& G,
                   const std::vector<Dof>& rows,
                   const std::vector<Dof>& columns,
                   FeModel& model) {
  constexpr double kNegligible = 1e-15;  // relative to the largest factor of its column
  RigidElement element{"MUG1", 1, {}, {}, "123456"};
  std::unordered_set<std::int64_t> taken;  // nodes already listed
  const auto list = [&](std::vector<std::int64_t>& to, std::int64_t node) {
    if (taken.insert(node).second) to.push_back(node);
  };
  for (const Dof& dof : columns)
    if (dof.component > 0) list(element.independent, dof.node);
  const Eigen::RowVectorXd largest = G.cwiseAbs().colwise().maxCoeff();
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Dof& dof = rows[k];
    if (dof.component <= 0 || model.dofs.find(dof) >= 0 || find_node(model, dof.node) == nullptr)
      continue;
    ConstraintEquation equation{dof, {}, static_cast<std::int64_t>(model.rigid_elements.size())};
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const double factor = G(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(j));
      if (std::abs(factor) > kNegligible * largest(static_cast<Eigen::Index>(j)))
        equation.terms.push_back({columns[j], factor});
    }
    model.constraints.push_back(std::move(equation));
    list(element.dependent, dof.node);
  }
  if (!element.dependent.empty()) model.rigid_elements.push_back(std::move(element));
}

/// Tells what a superelement with inner nodes still lacks.
void warn_of_limits(const Recovery& recovery, const FeModel& model, Diagnostics& diagnostics) {
  std::unordered_set<std::int64_t> moving;
  for (const Dof& dof : model.dofs.rows())
    if (dof.component > 0) moving.insert(dof.node);
  for (const ConstraintEquation& equation : model.constraints)
    moving.insert(equation.dependent.node);
  std::int64_t still = 0;
  std::int64_t first = 0;
  for (const Node& node : model.nodes)
    if (!moving.contains(node.id) && still++ == 0) first = node.id;
  if (still > 0)
    diagnostics.warn("nodes-without-recovery",
                     fmt::format("{} of {} nodes have no rows in the matrices and no recovery in "
                                 "MUG1: they do not move; the first is node {}",
                                 still,
                                 model.nodes.size(),
                                 first),
                     {recovery.file->path});
  diagnostics.warn("superelement-mass",
                   "the mass matrix of a superelement does not tell where the masses of its inner "
                   "nodes are: invariants 5, 8 and 9 of its bodies, the forces of fast rotation on "
                   "the deformed body, are those of the boundary alone",
                   {recovery.file->path});
}

void warn_left_out(const Recovery& recovery, const std::string& why, Diagnostics& diagnostics) {
  diagnostics.warn("no-recovery",
                   fmt::format("the recovery {} ({} x {}) is not used: {}",
                               recovery.is_transposed ? "MUG1T" : "MUG1",
                               recovery.matrix->rows,
                               recovery.matrix->cols,
                               why),
                   {recovery.file->path});
}

}  // namespace

void recover_inner_nodes(const Gathered& gathered,
                         const Matrices& matrices,
                         FeModel& model,
                         Diagnostics& diagnostics) {
  const Recovery recovery = find_recovery(gathered);
  if (recovery.matrix == nullptr || !matrices.stiffness) return;
  const RawMatrix& raw = *recovery.matrix;
  const std::int64_t count = recovery.is_transposed ? raw.cols : raw.rows;
  const std::int64_t width = recovery.is_transposed ? raw.rows : raw.cols;
  std::vector<Dof> rows = rows_of_recovery(gathered, count);
  if (rows.empty()) {
    warn_left_out(recovery,
                  fmt::format("no table TUG1 names its {} rows; give the .pch or .op2 file that "
                              "EXTSEOUT wrote with it",
                              count),
                  diagnostics);
    return;
  }
  std::vector<Dof> columns = recovery.is_transposed && !raw.row_dofs.empty()
                                 ? raw.row_dofs
                                 : columns_of_recovery(gathered, matrices, width);
  if (columns.empty()) {
    warn_left_out(recovery,
                  fmt::format("neither EXTRN nor the stiffness matrix names its {} columns", width),
                  diagnostics);
    return;
  }
  Eigen::MatrixXd G(full_matrix(raw));
  if (recovery.is_transposed) G.transposeInPlace();
  if (!keeps_boundary(G, rows, columns)) {
    warn_left_out(recovery,
                  "it does not keep the displacements of the boundary; its columns are in another "
                  "order than EXTRN",
                  diagnostics);
    return;
  }
  to_basic(gathered, G, rows, columns);
  add_equations(G, rows, columns, model);
  warn_of_limits(recovery, model, diagnostics);
}

}  // namespace femflex::importer
