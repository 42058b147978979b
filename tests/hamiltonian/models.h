// Small lattices and a short form of run(), for tests of lattices.
#pragma once

#include "femflex/hamiltonian/generators.h"
#include "femflex/hamiltonian/integrate.h"
#include "femflex/hamiltonian/lattice_system.h"

namespace femflex::hamiltonian {

/// A point mass in the plane z = 0.
inline LatticeNode node_at(std::int64_t id, double x, double y, double mass, bool held = false) {
  LatticeNode node;
  node.id = id;
  node.position = Eigen::Vector3d(x, y, 0.0);
  node.mass = mass;
  node.fixed = {held, held, held};
  return node;
}

inline Spring linear(std::int32_t a, std::int32_t b, double k, double d) {
  Spring spring;
  spring.a = a;
  spring.b = b;
  spring.law = SpringLaw::linear;
  spring.stiffness = k;
  spring.rest_length = d;
  return spring;
}

/// Spring pendulum of benchmarks/elastic_pendulum: m = 1, k = 40, l0 = 1, from (1.2, 0) at rest.
inline Lattice elastic_pendulum() {
  Lattice lattice;
  lattice.dimension = 2;
  lattice.gravity = Eigen::Vector3d(0.0, -9.81, 0.0);
  LatticeNode pivot;
  pivot.id = 1;
  pivot.fixed = {true, true, false};
  LatticeNode bob;
  bob.id = 2;
  bob.position = Eigen::Vector3d(1.2, 0.0, 0.0);
  bob.mass = 1.0;
  lattice.nodes = {pivot, bob};
  Spring spring;
  spring.b = 1;
  spring.law = SpringLaw::linear;
  spring.stiffness = 40.0;
  spring.rest_length = 1.0;
  lattice.springs = {spring};
  return make_lattice(lattice);
}

inline RunResult run_quietly(const HamiltonianSystem& system,
                             const State& start,
                             Integrator integrator,
                             double h,
                             double end,
                             SampleSink* sink = nullptr) {
  RunOptions options;
  options.integrator = integrator;
  options.step = h;
  options.end = end;
  options.relative_tolerance = 1e-12;
  options.absolute_tolerance = 1e-13;
  Diagnostics diagnostics;
  return run(system, start, options, sink, diagnostics, no_progress());
}

}  // namespace femflex::hamiltonian
