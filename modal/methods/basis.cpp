#include "methods/basis.h"

#include <utility>

#include "femflex/errors.h"

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

}  // namespace

Basis choose_basis(const FeModel& model,
                   const ReduceOptions& options,
                   Diagnostics& /*diagnostics*/,
                   Progress& /*progress*/,
                   ReduceReport& /*report*/) {
  if (options.method == Method::given) return given_basis(model, options);
  throw UsageError("method", "this method is not built in");
}

}  // namespace femflex::modal
