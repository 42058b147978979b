// Computes modes of the component with its interface fixed, with one factorisation of K_ii.
// Notation: b are the interface unknowns, i the others.
#include "methods/held_modes.h"

#include <vector>

#include "dense/symmetric_eigen.h"
#include "solve/mechanism_messages.h"
#include "solve/model_modes.h"
#include "solve/projection.h"
#include "solve/rigid_columns.h"
#include "solve/rigid_modes.h"
#include "solve/shifted_factor.h"
#include "solve/static_solutions.h"

namespace femflex::modal {
namespace {

/// The modes of one request; add_all() puts them into the collector.
class HeldModes {
 public:
  explicit HeldModes(const ModeWork& work)
      : work_(work),
        part_(
            partition(work.system, interface_unknowns(work.model, work.system, work.request.dofs))),
        factor_(part_.K_ii, part_.M_ii, part_.group_i, work.request.solve),
        // the constructor of ShiftedFactor is in another file, out of the analyser's sight
        // NOLINTNEXTLINE(clang-analyzer-optin.cplusplus.UninitializedObject)
        is_fixed_(work.request.fixed == ModeRequest::Boundary::interface) {}

  void add_all() {
    const ModeRequest& request = work_.request;
    const bool with_constraint_modes =
        request.constraint && request.constraint_sense == ModeRequest::ConstraintSense::unit_motion;
    const bool with_loads = is_fixed_ && (request.static_loads || request.modal_truncation);
    if (with_constraint_modes || with_loads || request.inertia_relief)
      factor_stiffness(factor_, names());
    if (with_constraint_modes) add_constraint_modes();
    if (request.inertia_relief) add_inertia_relief();
    if (!is_fixed_) return;
    Eigen::MatrixXd loads;
    if (with_loads) loads = work_.load_columns()(part_.i, Eigen::all);
    if (request.static_loads) {
      Eigen::MatrixXd x = loads;
      factor_.solve(x);
      work_.modes.add(ModeKind::static_, on_all(x), "load cases, interface held");
    }
    const NormalModes normal = add_normal_modes();
    if (request.modal_truncation) add_truncation(loads, normal);
  }

 private:
  NamedUnknowns names() const { return {work_.model, work_.system, part_.i}; }
  Eigen::MatrixXd on_all(const Eigen::MatrixXd& x_i) const {
    return work_.system.expand(scatter(part_.i, x_i, work_.system.size()));
  }

  void add_constraint_modes() {
    Eigen::MatrixXd x = scatter(part_.i, constraint_modes(factor_, part_), work_.system.size());
    for (std::size_t k = 0; k < part_.b.size(); ++k)
      x(part_.b[k], static_cast<Eigen::Index>(k)) = 1.0;
    work_.modes.add(ModeKind::constraint,
                    work_.system.expand(x),
                    "unit motion of one interface DOF, the others held");
  }

  void add_inertia_relief() {
    const FeModel& model = work_.model;
    // all masses accelerate, including those of fixed DOFs
    const Eigen::MatrixXd load = work_.system.restrict_load(
        -symmetric_product(*model.mass, rigid_body_shapes(model, model.dofs, middle(model))));
    std::vector<Eigen::Index> moving;  // a planar component has three of the six motions
    for (Eigen::Index j = 0; j < load.cols(); ++j)
      if (load.col(j).cwiseAbs().maxCoeff() > 0.0) moving.push_back(j);
    Eigen::MatrixXd x = load(part_.i, moving);
    factor_.solve(x);
    work_.modes.add(
        ModeKind::inertia_relief, on_all(x), "unit rigid accelerations, interface held");
  }

  NormalModes add_normal_modes() {
    NormalModes normal;
    const NormalRequest wanted = work_.normal_request();
    if (!work_.wants_normal(wanted)) return normal;
    if (part_.i.empty() && wanted.count == 0) return normal;  // none below any limit
    const Eigen::MatrixXd no_rigid(part_.K_ii.rows(), 0);
    normal = normal_modes(factor_, names(), no_rigid, wanted, work_.request.solve, work_.progress);
    warn_of_mechanisms(factor_, names(), {}, normal, work_.diagnostics);
    work_.check_definite(normal);
    work_.keep_band(normal);
    work_.report = normal.report;
    work_.modes.add_normal(normal, on_all(normal.X), "computed, interface held");
    return normal;
  }

  void add_truncation(const Eigen::MatrixXd& loads, const NormalModes& normal) {
    Eigen::MatrixXd f = loads;
    if (normal.X.cols() > 0)
      add_product(
          f, symmetric_product(part_.M_ii, normal.X), transposed_product(normal.X, loads), -1.0);
    clear_round_off(loads.colwise().norm(), f);
    factor_stiffness(factor_, names());
    factor_.solve(f);
    remove_share(f, normal.X, part_.M_ii);
    work_.modes.add(
        ModeKind::modal_truncation, on_all(f), "load cases less the normal modes' share");
  }

  const ModeWork& work_;
  Partition part_;
  ShiftedFactor factor_;  // factorisation of K_ii
  bool is_fixed_;         // true if the interface is fixed for normal modes and loads as well
};

}  // namespace

void add_held_modes(const ModeWork& work) {
  HeldModes(work).add_all();
}

}  // namespace femflex::modal
