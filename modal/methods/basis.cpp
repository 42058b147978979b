// Chooses the shapes that a body is reduced to: modes that the model holds already, or those of the
// method in the options.
#include "methods/basis.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "methods/automatic.h"
#include "methods/craig_bampton.h"
#include "methods/craig_chang.h"
#include "methods/krylov.h"

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

/// Normal modes of the component with only its own constraints.
Basis dynamic_basis(const FeModel& model,
                    const ReduceOptions& options,
                    Diagnostics& diagnostics,
                    Progress& progress,
                    ReduceReport& report) {
  Basis basis = computed_basis(model, free_normal_modes(options), diagnostics, progress, report);
  warn_of_fewer_modes(options, normal_count(basis.modes), diagnostics);
  return basis;
}

}  // namespace

std::int64_t wanted_modes(const ReduceOptions& options) {
  constexpr std::int64_t kDefaultModes = 20;
  if (options.normal) return *options.normal;
  return options.fmax_hz ? 0 : kDefaultModes;
}

std::int64_t normal_count(const ModeSet& modes) {
  return std::count_if(modes.modes.begin(), modes.modes.end(), [](const ModeInfo& mode) {
    return mode.kind == ModeKind::dynamic;
  });
}

bool takes_default_number(const ReduceOptions& options) {
  return !options.normal && !options.fmax_hz;
}

void warn_of_fewer_modes(const ReduceOptions& options,
                         std::int64_t found,
                         Diagnostics& diagnostics) {
  if (takes_default_number(options) && found < wanted_modes(options))
    diagnostics.warn("fewer-modes",
                     fmt::format("only {} normal modes exist; all of them are taken", found));
}

ModeRequest free_normal_modes(const ReduceOptions& options) {
  ModeRequest request;
  request.normal = wanted_modes(options);
  request.at_most = takes_default_number(options);
  if (options.normal != 0) request.fmax_hz = options.fmax_hz;
  request.solve = options.solve;
  return request;
}

Basis computed_basis(const FeModel& model,
                     const ModeRequest& request,
                     Diagnostics& diagnostics,
                     Progress& progress,
                     ReduceReport& report) {
  ComputedModes computed = compute_modes(model, request, diagnostics, progress);
  report.solve = computed.report;
  return {std::move(computed.modes), {}};
}

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
      return guyan_basis(model, options, diagnostics, progress, report);
    case Method::craig_bampton:
      return craig_bampton_basis(model, options, diagnostics, progress, report);
    case Method::craig_chang:
      return craig_chang_basis(model, options, diagnostics, progress, report);
    case Method::dynamic:
      return dynamic_basis(model, options, diagnostics, progress, report);
    case Method::krylov:
      return krylov_basis(model, options, diagnostics, progress, report);
    case Method::automatic:
      return automatic_basis(model, options, diagnostics, progress, report);
  }
  throw UsageError("method", "unknown reduction method");
}

}  // namespace femflex::modal
