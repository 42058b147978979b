// The table of integration methods: their names in files and options, and their properties.
#include <array>
#include <cstddef>
#include <string>

#include "femflex/errors.h"
#include "femflex/hamiltonian/integrate.h"
#include "femflex/name_table.h"

#include "integrators/methods.h"

namespace femflex::hamiltonian {
namespace {

constexpr bool kYes = true, kNo = false;
constexpr Treatment kTogether = Treatment::together;
constexpr Treatment kInTurn = Treatment::in_turn;
constexpr Treatment kSplitting = Treatment::splitting;

// in the order of the enumeration
// clang-format off
constexpr std::array kMethods = {
    //                                            name         order treatment any step adaptive
    Method{Integrator::euler,               "euler",               1, kTogether,  kNo,  kNo},
    Method{Integrator::semi_implicit_euler, "semi-implicit-euler", 1, kInTurn,    kNo,  kNo},
    Method{Integrator::adams_bashforth_2,   "ab2",                 2, kTogether,  kNo,  kNo},
    Method{Integrator::adams_bashforth_3,   "ab3",                 3, kTogether,  kNo,  kNo},
    Method{Integrator::leapfrog,            "leapfrog",            2, kSplitting, kNo,  kNo},
    Method{Integrator::runge_kutta_4,       "rk4",                 4, kTogether,  kNo,  kNo},
    Method{Integrator::symplectic_4,        "symplectic4",         4, kSplitting, kNo,  kNo},
    Method{Integrator::implicit_midpoint,   "implicit-midpoint",   2, kTogether,  kYes, kNo},
    Method{Integrator::dormand_prince,      "dormand-prince",      5, kTogether,  kYes, kYes}};
// clang-format on

constexpr bool is_in_order() {
  for (std::size_t k = 0; k < kMethods.size(); ++k)
    if (static_cast<std::size_t>(kMethods[k].integrator) != k) return false;
  return true;
}
static_assert(is_in_order());

}  // namespace

const Method& method_of(Integrator integrator) {
  return kMethods[static_cast<std::size_t>(integrator)];
}

std::string_view name_of(Integrator integrator) {
  return method_of(integrator).name;
}

Integrator parse_integrator(std::string_view name) {
  for (const Method& method : kMethods)
    if (method.name == name) return method.integrator;
  refuse_name(name, integrator_names(), "unknown-integrator", "an integrator");
}

std::vector<std::string> integrator_names() {
  std::vector<std::string> names;
  for (const Method& method : kMethods)
    names.emplace_back(method.name);
  return names;
}

}  // namespace femflex::hamiltonian
