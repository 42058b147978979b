// Writes the Hamiltonian of a lattice as one polynomial. docs/theory/hamiltonian.md eq. (8).
#include <array>
#include <cmath>
#include <string>

#include "femflex/errors.h"
#include "femflex/hamiltonian/polynomial.h"

namespace femflex::hamiltonian {
namespace {

/// A term of a polynomial under construction, a product of at most four states.
struct Term {
  double coefficient = 0.0;
  std::vector<std::int32_t> variables;
};
using Terms = std::vector<Term>;

Terms times(const Terms& a, const Terms& b) {
  Terms out;
  out.reserve(a.size() * b.size());
  for (const Term& x : a) {
    for (const Term& y : b) {
      Term z{x.coefficient * y.coefficient, x.variables};
      z.variables.insert(z.variables.end(), y.variables.begin(), y.variables.end());
      out.push_back(std::move(z));
    }
  }
  return out;
}

void add(Polynomial& out, double factor, const Terms& terms) {
  for (const Term& term : terms) {
    if (factor * term.coefficient == 0.0) continue;
    out.coefficients.push_back(factor * term.coefficient);
    out.variables_per_term.push_back(static_cast<std::int32_t>(term.variables.size()));
    out.variables.insert(out.variables.end(), term.variables.begin(), term.variables.end());
  }
}

[[noreturn]] void refuse(const std::string& what) {
  throw ModelError("no-polynomial", what + " cannot be part of a polynomial Hamiltonian");
}

void check(const Lattice& lattice) {
  if (!lattice.hinges.empty()) refuse("a rotational spring");
  if (!lattice.motions.empty()) refuse("a prescribed motion");
  if (lattice.friction != 0.0) refuse("friction");
  if (lattice.hub) refuse("R");
  for (const LatticeNode& node : lattice.nodes) {
    if (node.damping.is_active()) refuse("damping");
  }
  for (const Spring& spring : lattice.springs) {
    const bool free_length = spring.law == SpringLaw::linear && spring.rest_length == 0.0;
    if (spring.law != SpringLaw::quartic && !free_length)
      refuse("a spring that is neither quartic nor linear without rest length");
    if (spring.reference == Reference::current) refuse("a rest length that is not defined yet");
    if (spring.tension_only || std::isfinite(spring.break_force) ||
        std::isfinite(spring.break_elongation) || std::isfinite(spring.break_stress))
      refuse("a spring that goes slack or breaks");
    if (spring.damping.is_active()) refuse("damping");
  }
  for (const Load& load : lattice.loads) {
    if (!load.history.is_constant() || std::isfinite(load.from) || std::isfinite(load.until) ||
        load.until_step != std::numeric_limits<std::int64_t>::max())
      refuse("a load that changes with time");
  }
}

}  // namespace

Polynomial as_polynomial(const Lattice& lattice, PolynomialOrigin origin) {
  check(lattice);
  const int dim = lattice.dimension;
  Polynomial out;
  out.dimension = dim;
  out.states = static_cast<std::int32_t>(lattice.nodes.size()) * 2 * dim;
  const std::vector<double> mass = nodal_masses(lattice);
  const bool absolute = origin == PolynomialOrigin::absolute;
  // coordinate = constant + state; fixed coordinates are constant
  const auto coordinate = [&](std::int32_t node, int axis) {
    const LatticeNode& n = lattice.nodes[static_cast<std::size_t>(node)];
    Terms terms;
    const bool held = n.fixed[static_cast<std::size_t>(axis)];
    if (held || !absolute) terms.push_back({n.position(axis), {}});
    if (!held) terms.push_back({1.0, {node * 2 * dim + axis}});
    return terms;
  };
  const auto difference = [&](std::int32_t a, std::int32_t b, int axis) {
    Terms terms = coordinate(b, axis);
    double constant = 0.0;
    for (Term term : coordinate(a, axis)) {
      term.coefficient = -term.coefficient;
      terms.push_back(std::move(term));
    }
    Terms merged;
    for (Term& term : terms) {
      if (term.variables.empty())
        constant += term.coefficient;  // start positions cancel here, before any power is formed
      else
        merged.push_back(std::move(term));
    }
    if (constant != 0.0) merged.push_back({constant, {}});
    return merged;
  };
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(lattice.nodes.size()); ++i) {
    for (int axis = 0; axis < dim; ++axis) {
      const double m = mass[static_cast<std::size_t>(i)];
      const std::int32_t p = i * 2 * dim + dim + axis;
      if (!lattice.nodes[static_cast<std::size_t>(i)].fixed[static_cast<std::size_t>(axis)])
        add(out, 0.5 / m, {{1.0, {p, p}}});
      add(out, -m * lattice.gravity(axis), coordinate(i, axis));
    }
  }
  for (const Spring& spring : lattice.springs) {
    Terms squared;  // L^2 - d^2
    double constant = -spring.rest_length * spring.rest_length;
    for (int axis = 0; axis < dim; ++axis) {
      const Terms d = difference(spring.a, spring.b, axis);
      for (Term& term : times(d, d)) {
        if (term.variables.empty())
          constant += term.coefficient;
        else
          squared.push_back(std::move(term));
      }
    }
    if (constant != 0.0) squared.push_back({constant, {}});
    add(out,
        0.5 * spring.stiffness,
        spring.law == SpringLaw::quartic ? times(squared, squared) : squared);
  }
  for (const Load& load : lattice.loads) {
    for (int axis = 0; axis < dim; ++axis)
      add(out, -load.force(axis) * load.history.constant, coordinate(load.node, axis));
  }
  return make_polynomial(std::move(out));
}

std::vector<double> start_states(const Lattice& lattice, PolynomialOrigin origin) {
  const std::vector<double> mass = nodal_masses(lattice);
  std::vector<double> states;
  for (std::size_t i = 0; i < lattice.nodes.size(); ++i) {
    const LatticeNode& node = lattice.nodes[i];
    for (int axis = 0; axis < lattice.dimension; ++axis)
      states.push_back(origin == PolynomialOrigin::absolute ? node.position(axis) : 0.0);
    for (int axis = 0; axis < lattice.dimension; ++axis)
      states.push_back(node.fixed[static_cast<std::size_t>(axis)] ? 0.0
                                                                  : mass[i] * node.velocity(axis));
  }
  return states;
}

}  // namespace femflex::hamiltonian
