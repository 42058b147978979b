#include "femflex/modal/compute_modes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <numbers>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "dense/symmetric_eigen.h"
#include "solve/memory.h"
#include "solve/normal_modes.h"
#include "solve/projection.h"
#include "solve/rigid_modes.h"
#include "solve/shifted_factor.h"
#include "solve/static_answers.h"
#include "solve/system.h"

namespace femflex::modal {
namespace {

/// Collects shapes of several kinds on the DOFs of the model.
class Collector {
 public:
  void add(ModeKind kind, Eigen::MatrixXd u, const std::string& source) {
    for (Eigen::Index j = 0; j < u.cols(); ++j) {
      const auto same = std::count_if(
          infos_.begin(), infos_.end(), [&](const ModeInfo& info) { return info.kind == kind; });
      infos_.push_back({.kind = kind, .number = same + 1, .source = source});
    }
    blocks_.push_back(std::move(u));
  }
  void add_normal(const NormalModes& modes, Eigen::MatrixXd u, const std::string& source) {
    const auto count = static_cast<std::size_t>(u.cols());
    add(ModeKind::dynamic, std::move(u), source);
    for (std::size_t j = 0; j < count; ++j) {
      ModeInfo& info = infos_[infos_.size() - count + j];
      info.eigenvalue = modes.lambda(static_cast<Eigen::Index>(j));
      info.generalised_mass = 1.0;
    }
  }
  std::size_t mark() const { return blocks_.size(); }
  /// Forgets what came after the mark.
  void rewind(std::size_t mark) {
    for (; blocks_.size() > mark; blocks_.pop_back())
      infos_.resize(infos_.size() - static_cast<std::size_t>(blocks_.back().cols()));
  }
  ModeSet finish(const FeModel& model) && {
    const auto count = static_cast<Eigen::Index>(infos_.size());
    if (blocks_.size() == 1)
      return make_mode_set(model.dofs, std::move(blocks_.front()), std::move(infos_));
    Eigen::MatrixXd shapes(model.dofs.size(), count);
    Eigen::Index at = 0;
    for (Eigen::MatrixXd& block : blocks_) {
      shapes.middleCols(at, block.cols()) = block;
      at += block.cols();
      block.resize(0, 0);
    }
    return make_mode_set(model.dofs, std::move(shapes), std::move(infos_));
  }

 private:
  std::vector<Eigen::MatrixXd> blocks_;
  std::vector<ModeInfo> infos_;
};

Eigen::MatrixXd unit_columns(Eigen::Index rows, const std::vector<std::int64_t>& ones) {
  Eigen::MatrixXd e = Eigen::MatrixXd::Zero(rows, static_cast<Eigen::Index>(ones.size()));
  for (std::size_t k = 0; k < ones.size(); ++k)
    e(ones[k], static_cast<Eigen::Index>(k)) = 1.0;
  return e;
}

Eigen::MatrixXd load_columns(const FeModel& model, const System& system) {
  if (model.loads.empty())
    throw ModelError("no-loads", "the model holds no load cases", {}, "import some");
  Eigen::MatrixXd f(model.dofs.size(), static_cast<Eigen::Index>(model.loads.size()));
  for (std::size_t k = 0; k < model.loads.size(); ++k)
    f.col(static_cast<Eigen::Index>(k)) = model.loads[k].load;
  return system.restrict_load(f);
}

/// Columns of which nothing but round-off is left become zero.
void clear_noise(const Eigen::VectorXd& length_before, Eigen::MatrixXd& u) {
  for (Eigen::Index j = 0; j < u.cols(); ++j)
    if (!(length_before(j) > 0.0) || u.col(j).norm() < 1e-11 * length_before(j)) u.col(j).setZero();
}

/// The share of M-orthonormal shapes Phi in u, zero but for round-off, goes.
void take_out(Eigen::MatrixXd& u, const Eigen::MatrixXd& Phi, const SparseMatrix& M) {
  if (Phi.cols() > 0) add_product(u, Phi, transposed_product(Phi, symmetric_product(M, u)), -1.0);
}

double eigenvalue_at(double hz, const FeModel& model) {
  if (!model.units)
    throw ModelError("no-units",
                     "a frequency in Hz needs the time unit of the model",
                     {},
                     "say the units, for example --units mm-t-s");
  const double omega = 2.0 * std::numbers::pi * hz * model.units->time;
  return omega * omega;
}

NormalRequest normal_request(const ModeRequest& request, const FeModel& model) {
  NormalRequest normal;
  normal.count = request.fmin_hz ? 0 : request.normal;  // of a band the first ones, taken below
  normal.all = request.all;
  if (request.fmax_hz) normal.limit = eigenvalue_at(*request.fmax_hz, model);
  return normal;
}

/// Leaves the modes of the band that was asked for.
void keep_band(const ModeRequest& request, const FeModel& model, NormalModes& normal) {
  if (!request.fmin_hz) return;
  const double least = eigenvalue_at(*request.fmin_hz, model);
  const Eigen::Index before = (normal.lambda.array() < least).count();
  Eigen::Index count = normal.lambda.size() - before;
  if (request.normal > 0) count = std::min<Eigen::Index>(count, request.normal);
  normal.lambda = normal.lambda.segment(before, count).eval();
  normal.X = normal.X.middleCols(before, count).eval();
  normal.report.rigid_modes = std::max<std::int64_t>(0, normal.report.rigid_modes - before);
}

/// K may be indefinite where the user gave a shift for it, and nowhere else.
void refuse_negative(const ModeRequest& request, const NormalModes& normal) {
  if (normal.report.negative_modes == 0 || request.solve.shift) return;
  throw ModelError(
      "indefinite-stiffness",
      fmt::format("K is indefinite: {} eigenvalues lie below zero, the lowest at {:.4g}",
                  normal.report.negative_modes,
                  normal.lambda.minCoeff()),
      {},
      "look for elements of negative stiffness, or give a --shift below them");
}

/// Answers of the part with its interface held: fixed-interface modes, constraint modes, ...
void held_modes(const FeModel& model,
                const System& system,
                const ModeRequest& request,
                Diagnostics& diagnostics,
                Progress& progress,
                Collector& modes,
                SolveReport& report) {
  const Partition part = partition(system, interface_unknowns(model, system, request.dofs));
  ShiftedFactor factor(part.K_ii, part.M_ii, part.group_i, request.solve);
  const auto on_all = [&](const Eigen::MatrixXd& x_i) {
    return system.expand(scatter(part.i, x_i, system.size()));
  };
  const bool fixed = request.fixed == ModeRequest::Boundary::interface;
  const bool unit_motion =
      request.constraint && request.constraint_sense == ModeRequest::ConstraintSense::unit_motion;
  if (unit_motion || (fixed && (request.static_loads || request.modal_truncation)) ||
      request.inertia_relief)
    hold_stiffness(factor, model, system, part.i);
  if (unit_motion) {
    Eigen::MatrixXd x = scatter(part.i, constraint_answers(factor, part), system.size());
    for (std::size_t k = 0; k < part.b.size(); ++k)
      x(part.b[k], static_cast<Eigen::Index>(k)) = 1.0;
    modes.add(ModeKind::constraint,
              system.expand(x),
              "unit motion of one interface DOF, the others held");
  }
  if (request.inertia_relief) {
    // all masses accelerate, those of held DOFs too
    const Eigen::MatrixXd load = system.restrict_load(
        -symmetric_product(*model.mass, rigid_body_shapes(model, model.dofs, middle(model))));
    std::vector<Eigen::Index> moving;  // a planar part knows three of the six
    for (Eigen::Index j = 0; j < load.cols(); ++j)
      if (load.col(j).cwiseAbs().maxCoeff() > 0.0) moving.push_back(j);
    Eigen::MatrixXd x = load(part.i, moving);
    factor.solve(x);
    modes.add(ModeKind::inertia_relief, on_all(x), "unit rigid accelerations, interface held");
  }
  if (!fixed) return;
  NormalModes normal;
  const NormalRequest wanted = normal_request(request, model);
  Eigen::MatrixXd loads;
  if (request.static_loads || request.modal_truncation)
    loads = load_columns(model, system)(part.i, Eigen::all);
  if (request.static_loads) {
    Eigen::MatrixXd x = loads;
    factor.solve(x);
    modes.add(ModeKind::static_, on_all(x), "load cases, interface held");
  }
  const Eigen::MatrixXd none(part.K_ii.rows(), 0);
  if (wanted.count > 0 || wanted.limit || wanted.all) {
    normal =
        named_normal_modes(factor, model, system, part.i, none, wanted, request.solve, progress);
    warn_of_mechanisms(factor, model, system, part.i, {}, normal, diagnostics);
    refuse_negative(request, normal);
    keep_band(request, model, normal);
    report = normal.report;
    modes.add_normal(normal, on_all(normal.X), "computed, interface held");
  }
  if (request.modal_truncation) {
    Eigen::MatrixXd f = loads;
    if (normal.X.cols() > 0)
      add_product(
          f, symmetric_product(part.M_ii, normal.X), transposed_product(normal.X, loads), -1.0);
    clear_noise(loads.colwise().norm(), f);
    hold_stiffness(factor, model, system, part.i);
    factor.solve(f);
    take_out(f, normal.X, part.M_ii);
    modes.add(ModeKind::modal_truncation, on_all(f), "load cases less the normal modes' share");
  }
}

/// Moment-matching vectors, M-orthonormal: the known motions `start`, then the answers to the
/// inputs, then the answers to M times the last ones.  docs/theory/modal.md eq. (30).
Eigen::MatrixXd krylov_vectors(
    const SparseMatrix& M,
    const std::function<Eigen::MatrixXd(const Eigen::MatrixXd&)>& answers,
    const Eigen::MatrixXd& start,
    const Eigen::MatrixXd& inputs,
    std::int64_t steps,
    Progress& progress) {
  Eigen::MatrixXd basis = start;
  Eigen::MatrixXd next = inputs;
  for (std::int64_t step = 0; step < steps; ++step) {
    progress.step(static_cast<double>(step));
    next = answers(next);
    const Eigen::Index known = basis.cols();
    for (Eigen::Index j = 0; j < next.cols(); ++j) {
      Eigen::VectorXd x = next.col(j);
      const Eigen::VectorXd Mx0 = symmetric_product(M, x);
      const double before = std::sqrt(std::max(0.0, x.dot(Mx0)));
      if (!(before > 0.0)) continue;
      double length = 0.0;
      for (int pass = 0; pass < 3; ++pass) {
        const Eigen::VectorXd Mx = symmetric_product(M, x);
        x -= basis * (basis.transpose() * Mx);
        length = std::sqrt(std::max(0.0, x.dot(symmetric_product(M, x).col(0))));
        if (!(length > 1e-10 * before)) break;
      }
      if (!(length > 1e-10 * before)) continue;
      x /= length;
      basis.conservativeResize(Eigen::NoChange, basis.cols() + 1);
      basis.rightCols<1>() = x;
    }
    if (basis.cols() == known) break;
    next = symmetric_product(M, basis.rightCols(basis.cols() - known));
  }
  return basis;
}

/// Answers of the part as its own constraints leave it.
void free_modes(const FeModel& model,
                const System& system,
                const ModeRequest& request,
                Diagnostics& diagnostics,
                Progress& progress,
                Collector& modes,
                SolveReport& report) {
  ShiftedFactor factor(system.K, system.M, system.group, request.solve);
  std::vector<std::int64_t> everything(static_cast<std::size_t>(system.size()));
  std::iota(everything.begin(), everything.end(), 0);
  const bool forces = request.attachment || request.residual_attachment;
  const bool answers_loads = forces || request.modal_truncation || request.krylov > 0;
  std::vector<std::int64_t> interface;
  if (answers_loads && !model.interface_nodes.empty())
    interface = interface_unknowns(model, system, request.dofs);
  const bool moves_as_one = answers_loads && interface.empty();
  const std::vector<Eigen::MatrixXd> motions =
      moves_as_one ? std::vector{rigid_columns(model, system)}
                   : rigid_columns_of_parts(model, system, factor, interface);
  const Eigen::MatrixXd rigid = rigid_modes(factor, motions);
  factor.stay_below(rigid);
  if (request.static_loads) {
    hold_stiffness(factor, model, system, everything);
    Eigen::MatrixXd x = load_columns(model, system);
    factor.solve(x);
    modes.add(ModeKind::static_, system.expand(x), "load cases");
  }
  NormalModes normal;
  NormalRequest wanted = normal_request(request, model);
  const bool is_limited = !wanted.all && (wanted.count > 0 || !wanted.limit);
  const bool adds_rigid = request.rigid && is_limited && wanted.count < rigid.cols();
  if (adds_rigid) wanted.count = rigid.cols();
  if (request.fixed == ModeRequest::Boundary::none &&
      (wanted.count > 0 || wanted.limit || wanted.all)) {
    normal = named_normal_modes(
        factor, model, system, everything, rigid, wanted, request.solve, progress);
    if (adds_rigid)
      diagnostics.warn("rigid-modes",
                       fmt::format("the {} rigid modes are always in: {} normal modes would not "
                                   "let the part move",
                                   rigid.cols(),
                                   request.normal));
    warn_of_mechanisms(factor, model, system, everything, motions, normal, diagnostics);
    refuse_negative(request, normal);
    keep_band(request, model, normal);
    report = normal.report;
    modes.add_normal(normal, system.expand(normal.X), "computed");
  }
  if (!answers_loads) return;
  // the factor that the elastic answers rest on
  if (rigid.cols() > 0)
    shift_stiffness(factor, model, system, everything);
  else
    hold_stiffness(factor, model, system, everything);
  // the share of the normal modes: phi phi' f / lambda, elastic ones alone
  const Eigen::Index elastic = normal.X.cols() - normal.report.rigid_modes;
  const Eigen::MatrixXd Phi = normal.X.rightCols(elastic);
  const Eigen::VectorXd lambda = normal.lambda.tail(elastic);
  const auto less_normal = [&](Eigen::MatrixXd u, const Eigen::MatrixXd& f) {
    if (elastic == 0) return u;
    const Eigen::VectorXd before = u.colwise().norm();
    add_product(u, Phi, lambda.cwiseInverse().asDiagonal() * transposed_product(Phi, f), -1.0);
    take_out(u, Phi, system.M);
    clear_noise(before, u);
    return u;
  };
  if (forces) {
    const Eigen::MatrixXd f =
        unit_columns(system.size(), interface_unknowns(model, system, request.dofs));
    const Eigen::MatrixXd u = named_elastic_answers(factor, model, system, everything, rigid, f);
    if (request.attachment)
      modes.add(ModeKind::attachment, system.expand(u), "unit forces on the interface DOFs");
    if (request.residual_attachment)
      modes.add(ModeKind::residual_attachment,
                system.expand(less_normal(u, f)),
                "unit forces on the interface DOFs less the normal modes' share");
  }
  if (request.modal_truncation) {
    const Eigen::MatrixXd f = load_columns(model, system);
    modes.add(ModeKind::modal_truncation,
              system.expand(less_normal(
                  named_elastic_answers(factor, model, system, everything, rigid, f), f)),
              "load cases less the normal modes' share");
  }
  if (request.krylov > 0) {
    const Eigen::MatrixXd inputs =
        model.loads.empty()
            ? unit_columns(system.size(), interface_unknowns(model, system, request.dofs))
            : load_columns(model, system);
    const auto answers = [&](const Eigen::MatrixXd& f) {
      return named_elastic_answers(factor, model, system, everything, rigid, f);
    };
    modes.add(
        ModeKind::krylov,
        system.expand(krylov_vectors(system.M, answers, rigid, inputs, request.krylov, progress)),
        "moment matching of the inputs");
  }
}

/// Modes that are certain to come: those of the interface, of the load cases, and those counted.
Eigen::Index least_count(const FeModel& model, const System& system, const ModeRequest& request) {
  const int each_dof = (request.constraint ? 1 : 0) + (request.attachment ? 1 : 0) +
                       (request.residual_attachment ? 1 : 0);
  Eigen::Index count = request.normal;
  if (request.static_loads) count += static_cast<Eigen::Index>(model.loads.size());
  if (each_dof > 0 && !model.interface_nodes.empty())
    count += each_dof *
             static_cast<Eigen::Index>(interface_unknowns(model, system, request.dofs).size());
  return count;
}

void check_request(const ModeRequest& request) {
  if (request.normal < 0 || request.krylov < 0)
    throw UsageError("count", "the number of modes is negative");
  if (request.fmax_hz && !(*request.fmax_hz > 0.0 && std::isfinite(*request.fmax_hz)))
    throw UsageError("fmax",
                     fmt::format("{} Hz is not a valid upper frequency", *request.fmax_hz),
                     {},
                     "give a frequency above zero");
  if (request.fmin_hz && !(request.fmax_hz && *request.fmin_hz < *request.fmax_hz))
    throw UsageError("band", "a lower frequency needs an upper one above it");
  if (request.fixed == ModeRequest::Boundary::interface &&
      (request.attachment || request.residual_attachment))
    throw UsageError("attachment",
                     "attachment modes load the interface, so it cannot be held",
                     {},
                     "leave out --fixed interface");
}

}  // namespace

ComputedModes compute_modes(const FeModel& model,
                            const ModeRequest& request,
                            Diagnostics& diagnostics,
                            Progress& progress) {
  check_request(request);
  const DenseThreads dense(request.solve.threads);
  System system = build_system(model, diagnostics);
  check_memory(system.size(), least_count(model, system, request), memory_limit(), diagnostics);
  Collector modes;
  ComputedModes out;
  const bool fixed = request.fixed == ModeRequest::Boundary::interface;
  const bool all_but_one =
      request.constraint && request.constraint_sense == ModeRequest::ConstraintSense::all_but_one;
  if (all_but_one) {
    // one DOF moves under its own force: u_j = F / K_jj
    const std::vector<std::int64_t> unknowns = interface_unknowns(model, system, request.dofs);
    Eigen::MatrixXd x = unit_columns(system.size(), unknowns);
    for (std::size_t k = 0; k < unknowns.size(); ++k) {
      const double stiffness = system.K.coeff(unknowns[k], unknowns[k]);
      if (!(stiffness > 0.0))
        throw ModelError(
            "no-stiffness",
            fmt::format(
                "DOF {} has no stiffness of its own",
                to_string(model.dofs[system.row_of[static_cast<std::size_t>(unknowns[k])]])));
      x.col(static_cast<Eigen::Index>(k)) *= request.unit_force / stiffness;
    }
    modes.add(ModeKind::constraint, system.expand(x), "force on one DOF, all others held");
  }
  const bool with_held = fixed || (request.constraint && !all_but_one) || request.inertia_relief;
  const bool with_free = !fixed || request.krylov > 0;
  for (const bool held : {true, false}) {
    if (!(held ? with_held : with_free)) continue;
    const std::size_t mark = modes.mark();
    with_mechanisms_held(model, system, held ? &request.dofs : nullptr, diagnostics, [&] {
      modes.rewind(mark);
      (held ? held_modes : free_modes)(
          model, system, request, diagnostics, progress, modes, out.report);
    });
  }
  out.modes = std::move(modes).finish(model);
  if (out.modes.count() == 0)
    throw UsageError("nothing-asked",
                     request.fmax_hz ? fmt::format("there is no mode between {} and {} Hz",
                                                   request.fmin_hz.value_or(0.0),
                                                   *request.fmax_hz)
                                     : std::string("no modes were asked for"),
                     {},
                     "ask for some, for example --normal 20");
  if (out.report.worst_residual > 2.0 * request.solve.residual)
    diagnostics.warn(
        "residual",
        fmt::format("|K phi - lambda M phi| of a mode stays at {:.1e} |K phi|: beside so stiff a "
                    "mesh its shape would need more digits than a number has",
                    out.report.worst_residual));
  return out;
}

}  // namespace femflex::modal
