// Computes the shapes of a Craig-Bampton or Guyan reduction. Factors K_ii once, for the constraint
// modes and for the eigensolver. The reduced stiffness follows without a product U' K U.
#include "methods/craig_bampton.h"

#include <algorithm>
#include <numbers>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/frequency.h"

#include "dense/symmetric_eigen.h"
#include "solve/dense_pairs.h"
#include "solve/hertz.h"
#include "solve/mechanism_messages.h"
#include "solve/memory.h"
#include "solve/model_modes.h"
#include "solve/projection.h"
#include "solve/static_solutions.h"

namespace femflex::modal {

Basis CraigBampton::basis(const FeModel& model, const std::vector<Eigen::Index>& chosen) const {
  const Eigen::Index nb = k_bb.cols();
  const auto nn = static_cast<Eigen::Index>(chosen.size());
  // Shapes take much memory: where unknowns are rows of the model, no second copy is made.
  const bool on_model = system.is_selection;
  const auto rows_of = [&](const std::vector<std::int64_t>& unknowns) {
    std::vector<std::int64_t> rows = unknowns;
    if (on_model)
      for (std::int64_t& row : rows)
        row = system.row_of[static_cast<std::size_t>(row)];
    return rows;
  };
  const std::vector<std::int64_t> interior = rows_of(part.i), boundary = rows_of(part.b);
  Eigen::MatrixXd x = Eigen::MatrixXd::Zero(on_model ? model.dofs.size() : system.size(), nb + nn);
  std::vector<ModeInfo> infos;
  for (Eigen::Index j = 0; j < nb; ++j) {
    for (std::size_t i = 0; i < interior.size(); ++i)
      x(interior[i], j) = psi(static_cast<Eigen::Index>(i), j);
    ModeInfo info{.kind = ModeKind::constraint, .number = j + 1};
    if (interface) {
      x(boundary, j) = interface->Y.col(j);
      info.eigenvalue = interface->lambda(j);
      info.generalised_mass = 1.0;
      info.source = "characteristic constraint mode of the interface";
    } else {
      const auto at = static_cast<std::size_t>(j);
      x(boundary[at], j) = 1.0;
      const Dof& dof = model.dofs[system.row_of[static_cast<std::size_t>(part.b[at])]];
      info.source = fmt::format("unit motion of {}", to_string(dof));
    }
    infos.push_back(std::move(info));
  }
  for (Eigen::Index j = 0; j < nn; ++j) {
    const Eigen::Index mode = chosen[static_cast<std::size_t>(j)];
    for (std::size_t i = 0; i < interior.size(); ++i)
      x(interior[i], nb + j) = normal.X(static_cast<Eigen::Index>(i), mode);
    infos.push_back({.kind = ModeKind::dynamic,
                     .number = mode + 1,
                     .eigenvalue = normal.lambda(mode),
                     .generalised_mass = 1.0,
                     .source = "computed, interface held"});
  }
  Basis out;
  out.modes =
      make_mode_set(model.dofs, on_model ? std::move(x) : system.expand(x), std::move(infos));
  // No product with U is needed, because constraint and fixed-interface modes are K-orthogonal.
  Eigen::MatrixXd k = Eigen::MatrixXd::Zero(nb + nn, nb + nn);
  k.topLeftCorner(nb, nb) = k_bb;
  for (Eigen::Index j = 0; j < nn; ++j)
    k(nb + j, nb + j) = normal.lambda(chosen[static_cast<std::size_t>(j)]);
  out.k = std::move(k);
  return out;
}

CraigBamptonSolver::CraigBamptonSolver(const FeModel& model,
                                       const SolveOptions& options,
                                       Diagnostics& diagnostics,
                                       std::optional<std::int64_t> interface_modes)
    : model_(model), options_(options) {
  parts_.system = build_system(model, diagnostics);
  const std::vector<Dof> whole_interface;
  with_mechanisms_held(model, parts_.system, &whole_interface, diagnostics, [&] {
    factor_.reset();
    parts_.part = partition(parts_.system, interface_unknowns(model, parts_.system, {}));
    const Partition& part = parts_.part;
    const Eigen::Index shapes = interface_modes.value_or(static_cast<std::int64_t>(part.b.size()));
    const auto b = static_cast<Eigen::Index>(part.b.size());
    if (interface_modes)
      check_memory(b, b, memory_limit(), diagnostics);  // dense matrices on the interface
    else
      warn_of_large_interface(parts_.system.size(), b, diagnostics);
    check_memory(parts_.system.size(),
                 shapes,
                 memory_limit(),
                 diagnostics,
                 "reduce the interface (--interface-modes 300), take fewer interface nodes, or a "
                 "machine with more memory");
    if (!part.i.empty()) {
      factor_ = std::make_unique<ShiftedFactor>(part.K_ii, part.M_ii, part.group_i, options);
      factor_stiffness(*factor_, {model, parts_.system, part.i});
    }
    find_constraint_modes(interface_modes);
  });
}

void CraigBamptonSolver::find_constraint_modes(std::optional<std::int64_t> interface_modes) {
  const Partition& part = parts_.part;
  if (interface_modes) {
    const InterfacePencil pencil = factor_
                                       ? interface_pencil(*factor_, part)
                                       : InterfacePencil{mirrored(part.K_bb), mirrored(part.M_bb)};
    parts_.interface = modal::interface_modes(pencil, *interface_modes);
    const Eigen::MatrixXd& Y = parts_.interface->Y;
    parts_.k_bb = parts_.interface->lambda.asDiagonal();
    parts_.psi = -(part.K_ib * Y);
    if (factor_) factor_->solve(parts_.psi);
    return;
  }
  const Eigen::MatrixXd K_bb = mirrored(part.K_bb);
  if (!factor_) {
    parts_.psi.resize(0, K_bb.cols());
    parts_.k_bb = K_bb;
    return;
  }
  parts_.psi = constraint_modes(*factor_, part);
  const Eigen::MatrixXd k = K_bb + part.K_ib.transpose() * parts_.psi;
  parts_.k_bb = 0.5 * (k + k.transpose());
}

void CraigBamptonSolver::forget_whole_matrices() {
  System& system = parts_.system;
  const Eigen::Index n = system.size();  // size() stays
  system.K = SparseMatrix(n, n);
  system.M = SparseMatrix(n, n);
}

void CraigBamptonSolver::forget_factor() {
  factor_.reset();
  for (SparseMatrix* each : {&parts_.part.K_ii, &parts_.part.M_ii})
    *each = SparseMatrix();
}

std::int64_t CraigBamptonSolver::possible_modes() const {
  return dofs_with_mass(parts_.part.M_ii);
}

void CraigBamptonSolver::find_normal_modes(const NormalRequest& request, Progress& progress) {
  const Eigen::Index ni = parts_.part.K_ii.rows();
  parts_.normal.X.resize(ni, 0);
  if (ni == 0 || (request.count == 0 && !request.limit)) return;
  if (request.at_most && possible_modes() == 0) return;
  NormalRequest placed = request;
  placed.places = [&] { return places_of({model_, parts_.system, parts_.part.i}); };
  parts_.normal = normal_modes(*factor_, Eigen::MatrixXd(ni, 0), placed, options_, progress);
}

namespace {

/// The basis with all normal modes of `request`.
Basis whole_basis(CraigBamptonSolver& solver,
                  const FeModel& model,
                  const NormalRequest& request,
                  Progress& progress,
                  ReduceReport& report) {
  solver.forget_whole_matrices();
  solver.find_normal_modes(request, progress);
  solver.forget_factor();
  report.solve = solver.parts().normal.report;
  if (const std::optional<InterfaceModes>& modes = solver.parts().interface)
    report.interface = {.kept = modes->lambda.size(),
                        .of = static_cast<std::int64_t>(solver.parts().part.b.size()),
                        .highest_hz = frequency_hz(modes->lambda(modes->lambda.size() - 1) *
                                                   model.units->eigenvalue())};
  std::vector<Eigen::Index> all(static_cast<std::size_t>(solver.parts().normal.lambda.size()));
  std::iota(all.begin(), all.end(), 0);
  return solver.parts().basis(model, all);
}

}  // namespace

Basis craig_bampton_basis(const FeModel& model,
                          const ReduceOptions& options,
                          Diagnostics& diagnostics,
                          Progress& progress,
                          ReduceReport& report) {
  CraigBamptonSolver solver(model, options.solve, diagnostics, options.interface_modes);
  NormalRequest request;
  request.count = wanted_modes(options);
  request.at_most = takes_default_number(options);
  if (options.fmax_hz && options.normal != 0)
    request.limit = eigenvalue_of_hz(model, *options.fmax_hz);
  request.foretell = [&](std::int64_t count) {
    const CraigBampton& parts = solver.parts();
    check_memory(parts.system.size(), parts.k_bb.cols() + count, memory_limit(), diagnostics);
  };
  Basis basis = whole_basis(solver, model, request, progress, report);
  warn_of_fewer_modes(options, solver.parts().normal.lambda.size(), diagnostics);
  return basis;
}

Basis guyan_basis(const FeModel& model,
                  const ReduceOptions& options,
                  Diagnostics& diagnostics,
                  Progress& progress,
                  ReduceReport& report) {
  CraigBamptonSolver solver(model, options.solve, diagnostics, options.interface_modes);
  return whole_basis(solver, model, {}, progress, report);
}

}  // namespace femflex::modal
