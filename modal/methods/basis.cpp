#include "methods/basis.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "methods/component_modes.h"

namespace femflex::modal {
namespace {

Basis given_basis(const FeModel& model, const ReduceOptions& options) {
  if (model.modes.count() == 0)
    throw ModelError("no-modes",
                     "the model holds no modes to choose from",
                     {},
                     "compute some (femflex modes), or reduce with --method craig-bampton");
  const std::vector<Eigen::Index> columns = columns_of(model.modes, options.select);
  Basis basis;
  basis.modes.rows = model.modes.rows;
  basis.modes.shapes = model.modes.shapes(Eigen::all, columns);
  for (const Eigen::Index col : columns)
    basis.modes.modes.push_back(model.modes.modes[static_cast<std::size_t>(col)]);
  return basis;
}

/// How many normal modes to ask for; 0: all up to fmax_hz. The default number is an offer, not a
/// demand: a small model gives what it has.
std::int64_t wanted_modes(const ReduceOptions& options,
                          std::int64_t exist,
                          Diagnostics& diagnostics) {
  constexpr std::int64_t usual = 20;
  if (options.normal) return *options.normal;
  if (options.fmax_hz) return 0;
  if (exist < usual)
    diagnostics.warn("fewer-modes",
                     fmt::format("only {} normal modes exist; all of them are taken", exist));
  return std::min(usual, exist);
}

Basis craig_bampton_basis(const FeModel& model,
                          const ReduceOptions& options,
                          Diagnostics& diagnostics,
                          Progress& progress,
                          ReduceReport& report) {
  CraigBamptonSolver solver(model, options.solve, diagnostics);
  NormalRequest request;
  if (options.method == Method::craig_bampton) {
    request.count = wanted_modes(options, solver.possible_modes(), diagnostics);
    if (options.fmax_hz && options.normal != 0)
      request.limit = eigenvalue_of_hz(model, *options.fmax_hz);
  }
  solver.find_normal_modes(request, progress);
  report.solve = solver.parts().normal.report;
  std::vector<Eigen::Index> all(static_cast<std::size_t>(solver.parts().normal.lambda.size()));
  std::iota(all.begin(), all.end(), 0);
  return solver.parts().basis(model, all);
}

/// Free normal modes, with the residual flexibility of the interface (Craig-Chang, MacNeal-Rubin)
/// or without.
Basis free_basis(const FeModel& model,
                 const ReduceOptions& options,
                 Diagnostics& diagnostics,
                 Progress& progress,
                 ReduceReport& report) {
  ModeRequest request;
  request.normal = wanted_modes(options, model.dofs.size(), diagnostics);
  if (options.normal != 0) request.fmax_hz = options.fmax_hz;
  request.residual_attachment = request.rigid = options.method == Method::craig_chang;
  request.solve = options.solve;
  ComputedModes computed = compute_modes(model, request, diagnostics, progress);
  report.solve = computed.report;
  return {std::move(computed.modes), {}};
}

/// Vectors whose projection matches the moments of the transfer function.
Basis krylov_basis(const FeModel& model,
                   const ReduceOptions& options,
                   Diagnostics& diagnostics,
                   Progress& progress,
                   ReduceReport& report) {
  if (options.krylov <= 0)
    throw UsageError("krylov", fmt::format("{} vectors an input are none", options.krylov));
  ModeRequest request;
  request.krylov = options.krylov;
  request.solve = options.solve;
  ComputedModes computed = compute_modes(model, request, diagnostics, progress);
  report.solve = computed.report;
  return {std::move(computed.modes), {}};
}

}  // namespace

Basis choose_basis(const FeModel& model,
                   const ReduceOptions& options,
                   Diagnostics& diagnostics,
                   Progress& progress,
                   ReduceReport& report) {
  if (options.method != Method::given && !options.select.empty())
    throw UsageError("select",
                     fmt::format("a selection chooses among the modes of the model, but --method "
                                 "{} computes its own",
                                 name_of(options.method)),
                     {},
                     "leave out one of them");
  switch (options.method) {
    case Method::given:
      return given_basis(model, options);
    case Method::guyan:
    case Method::craig_bampton:
      return craig_bampton_basis(model, options, diagnostics, progress, report);
    case Method::craig_chang:
    case Method::dynamic:
      return free_basis(model, options, diagnostics, progress, report);
    case Method::krylov:
      return krylov_basis(model, options, diagnostics, progress, report);
    case Method::automatic:
      return automatic_basis(model, options, diagnostics, progress, report);
  }
  throw UsageError("method", "unknown reduction method");
}

}  // namespace femflex::modal
