// Translates between the enumeration Integrator and the names of the integration methods in files
// and options.
#include <array>
#include <string>

#include "femflex/errors.h"
#include "femflex/hamiltonian/integrate.h"

namespace femflex::hamiltonian {
namespace {

struct Named {
  Integrator integrator;
  std::string_view name;
};
// in the order of the enumeration
constexpr std::array kNames = {Named{Integrator::euler, "euler"},
                               Named{Integrator::semi_implicit_euler, "semi-implicit-euler"},
                               Named{Integrator::adams_bashforth_2, "ab2"},
                               Named{Integrator::adams_bashforth_3, "ab3"},
                               Named{Integrator::leapfrog, "leapfrog"},
                               Named{Integrator::runge_kutta_4, "rk4"},
                               Named{Integrator::symplectic_4, "symplectic4"},
                               Named{Integrator::implicit_midpoint, "implicit-midpoint"},
                               Named{Integrator::dormand_prince, "dormand-prince"}};

}  // namespace

std::string_view name_of(Integrator integrator) {
  return kNames[static_cast<std::size_t>(integrator)].name;
}

Integrator parse_integrator(std::string_view name) {
  std::string known;
  for (const Named& named : kNames) {
    if (named.name == name) return named.integrator;
    known += (known.empty() ? "" : ", ") + std::string(named.name);
  }
  throw UsageError("unknown-integrator", "no integrator '" + std::string(name) + "'", {}, known);
}

std::vector<std::string> integrator_names() {
  std::vector<std::string> names;
  for (const Named& named : kNames)
    names.emplace_back(named.name);
  return names;
}

}  // namespace femflex::hamiltonian
