// Chooses the back end that factors sparse symmetric matrices: by name, or the best one built in.
#include "solve/factorisation.h"

#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "femflex/errors.h"

namespace femflex::modal {
namespace {

using Maker = std::unique_ptr<Factorisation> (*)(int threads);

struct BackendRow {
  Backend backend;
  std::string_view name;
  Maker make;
};

/// The back ends, best first.
constexpr std::array<BackendRow, 4> kBackends{{
    {Backend::supernodal, "supernodal", make_supernodal_factorisation},
    {Backend::cholmod, "cholmod", [](int) { return make_cholmod_factorisation(); }},
    {Backend::mumps, "mumps", [](int) { return make_mumps_factorisation(); }},
    {Backend::eigen, "eigen", [](int) { return make_eigen_factorisation(); }},
}};

}  // namespace

std::unique_ptr<LanczosBasis> Factorisation::make_basis(Eigen::Index rows,
                                                        Eigen::Index columns,
                                                        int threads) const {
  return std::make_unique<LocalBasis>(rows, columns, threads);
}

SparseMatrix combined(const SparseMatrix& K, double sigma, const SparseMatrix& M) {
  SparseMatrix a = K - sigma * M;
  a.makeCompressed();
  return a;
}

std::vector<std::string> backend_names() {
  std::vector<std::string> names;
  for (const BackendRow& entry : kBackends)
    if (entry.make(1) != nullptr) names.emplace_back(entry.name);
  return names;
}

Backend parse_backend(std::string_view name) {
  if (name == "auto") return Backend::automatic;
  for (const BackendRow& entry : kBackends)
    if (entry.name == name) {
      if (entry.make(1) == nullptr) break;
      return entry.backend;
    }
  throw UsageError("unknown-backend",
                   fmt::format("no sparse back end called '{}' is built in", name),
                   {},
                   fmt::format("use auto or one of {}", fmt::join(backend_names(), ", ")));
}

std::unique_ptr<Factorisation> make_factorisation(Backend backend, int threads) {
  for (const BackendRow& entry : kBackends) {
    if (backend != Backend::automatic && backend != entry.backend) continue;
    if (std::unique_ptr<Factorisation> factor = entry.make(threads)) return factor;
    if (backend == Backend::automatic) continue;
    throw UsageError("unknown-backend",
                     fmt::format("the back end {} is not built in", entry.name),
                     {},
                     fmt::format("use one of {}", fmt::join(backend_names(), ", ")));
  }
  return make_eigen_factorisation();
}

}  // namespace femflex::modal
