// Computes modes of the component while its interface is free: rigid modes from the node positions,
// static solutions, normal modes, and elastic solutions under loads. All use one ShiftedFactor.
#include "methods/free_modes.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "dense/symmetric_eigen.h"
#include "methods/krylov.h"
#include "solve/mechanism_messages.h"
#include "solve/model_modes.h"
#include "solve/projection.h"
#include "solve/rigid_columns.h"
#include "solve/rigid_modes.h"
#include "solve/shifted_factor.h"
#include "solve/static_solutions.h"

namespace femflex::modal {
namespace {

/// The numbers of all unknowns, in order.
std::vector<std::int64_t> all_unknowns(const System& system) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(system.size()));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// The modes of one request; add_all() puts them into the collector.
class FreeModes {
 public:
  explicit FreeModes(const ModeWork& work)
      : work_(work),
        system_(work.system),
        factor_(system_.K, system_.M, system_.group, work.request.solve),
        unknowns_(all_unknowns(system_)),
        is_free_(work.request.fixed == ModeRequest::Boundary::none),
        loads_interface_(work.request.attachment || work.request.residual_attachment),
        truncates_(is_free_ && work.request.modal_truncation),
        is_loaded_(loads_interface_ || truncates_ || work.request.krylov > 0) {
    if (is_loaded_ && !work.model.interface_nodes.empty()) interface_ = interface_unknowns();
    const bool moves_as_one = is_loaded_ && interface_.empty();
    motions_ = moves_as_one ? std::vector{rigid_columns(work.model, system_)}
                            : rigid_columns_of_parts(work.model, system_, factor_, interface_);
    rigid_ = rigid_modes(factor_, motions_);
    factor_.allow_for_rigid_noise(rigid_);
  }

  void add_all() {
    if (is_free_ && work_.request.static_loads) add_static_solutions();
    add_normal_modes();
    if (!is_loaded_) return;
    // factor the matrix with which the elastic solutions are found
    if (rigid_.cols() > 0)
      factor_shifted_stiffness(factor_, names());
    else
      factor_stiffness(factor_, names());
    if (loads_interface_) add_attachment_modes();
    if (truncates_) {
      const Eigen::MatrixXd f = work_.load_columns();
      work_.modes.add(ModeKind::modal_truncation,
                      system_.expand(without_normal(elastic(f), f)),
                      "load cases less the normal modes' share");
    }
    if (work_.request.krylov > 0) add_krylov_vectors();
  }

 private:
  NamedUnknowns names() const { return {work_.model, system_, unknowns_}; }
  std::vector<std::int64_t> interface_unknowns() const {
    return modal::interface_unknowns(work_.model, system_, work_.request.dofs);
  }
  Eigen::MatrixXd elastic(const Eigen::MatrixXd& f) const {
    return elastic_solutions(factor_, names(), rigid_, f);
  }

  void add_static_solutions() {
    factor_stiffness(factor_, names());
    Eigen::MatrixXd x = work_.load_columns();
    factor_.solve(x);
    work_.modes.add(ModeKind::static_, system_.expand(x), "load cases");
  }

  void add_normal_modes() {
    const ModeRequest& request = work_.request;
    NormalRequest wanted = work_.normal_request();
    const bool is_limited = !wanted.all && (wanted.count > 0 || !wanted.limit);
    const bool adds_rigid = request.rigid && is_limited && wanted.count < rigid_.cols();
    if (adds_rigid) wanted.count = rigid_.cols();
    if (!is_free_ || !work_.wants_normal(wanted)) return;
    normal_ = normal_modes(factor_, names(), rigid_, wanted, request.solve, work_.progress);
    if (adds_rigid)
      work_.diagnostics.warn(
          "rigid-modes",
          fmt::format("the {} rigid modes are always included: {} normal modes would not "
                      "let the part move",
                      rigid_.cols(),
                      request.normal));
    warn_of_mechanisms(factor_, names(), motions_, normal_, work_.diagnostics);
    work_.check_definite(normal_);
    work_.keep_band(normal_);
    work_.report = normal_.report;
    work_.modes.add_normal(normal_, system_.expand(normal_.X), "computed");
  }

  /// The solution u under the loads f without its part phi phi' f / lambda in each elastic normal
  /// mode.
  Eigen::MatrixXd without_normal(Eigen::MatrixXd u, const Eigen::MatrixXd& f) const {
    const Eigen::Index elastic = normal_.X.cols() - normal_.report.rigid_modes;
    if (elastic == 0) return u;
    const Eigen::MatrixXd Phi = normal_.X.rightCols(elastic);
    const Eigen::VectorXd lambda = normal_.lambda.tail(elastic);
    const Eigen::VectorXd before = u.colwise().norm();
    add_product(u, Phi, lambda.cwiseInverse().asDiagonal() * transposed_product(Phi, f), -1.0);
    remove_share(u, Phi, system_.M);
    clear_round_off(before, u);
    return u;
  }

  void add_attachment_modes() {
    const Eigen::MatrixXd f = unit_columns(system_.size(), interface_unknowns());
    const Eigen::MatrixXd u = elastic(f);
    if (work_.request.attachment)
      work_.modes.add(ModeKind::attachment, system_.expand(u), "unit forces on the interface DOFs");
    if (work_.request.residual_attachment)
      work_.modes.add(ModeKind::residual_attachment,
                      system_.expand(without_normal(u, f)),
                      "unit forces on the interface DOFs less the normal modes' share");
  }

  void add_krylov_vectors() {
    const Eigen::MatrixXd inputs = work_.model.loads.empty()
                                       ? unit_columns(system_.size(), interface_unknowns())
                                       : work_.load_columns();
    const auto solve = [this](const Eigen::MatrixXd& f) { return elastic(f); };
    work_.modes.add(ModeKind::krylov,
                    system_.expand(krylov_vectors(
                        system_.M, solve, rigid_, inputs, work_.request.krylov, work_.progress)),
                    "moment matching of the inputs");
  }

  const ModeWork& work_;
  const System& system_;
  ShiftedFactor factor_;  // factorisation of K - sigma M of the whole system
  std::vector<std::int64_t> unknowns_;
  bool is_free_;          // false if the interface is fixed for normal modes and load cases
  bool loads_interface_;  // true if attachment modes of either kind are requested
  bool truncates_;        // true if load cases are truncated here
  bool is_loaded_;        // true if elastic solutions are needed
  std::vector<std::int64_t> interface_;
  // rigid motions of each part that K does not connect to the others
  std::vector<Eigen::MatrixXd> motions_;
  Eigen::MatrixXd rigid_;  // rigid modes, M-orthonormal
  NormalModes normal_;
};

}  // namespace

void add_free_modes(const ModeWork& work) {
  FreeModes(work).add_all();
}

}  // namespace femflex::modal
