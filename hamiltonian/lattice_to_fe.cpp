// Turns a lattice in a state into an FE model: orders nodes by their ids, copies the tangent
// stiffness and the nodal masses to sparse matrices, and sums the loads to one load case.
#include "femflex/hamiltonian/lattice_to_fe.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace femflex::hamiltonian {
namespace {

/// The nodes of an FE model and its matrix rows, in ascending order of node ids.
struct Numbering {
  std::vector<Dof> rows;
  std::vector<std::int64_t> row_of;  ///< row per DOF of the lattice, -1: left out
};

Numbering add_nodes(const LatticeSystem& system,
                    const State& state,
                    HeldDofs held,
                    FeModel& model) {
  const Lattice& lattice = system.lattice();
  const auto dim = static_cast<std::size_t>(lattice.dimension);
  std::vector<std::size_t> order(lattice.nodes.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return lattice.nodes[a].id < lattice.nodes[b].id;
  });
  Numbering out;
  out.row_of.assign(system.dof_count(), -1);
  for (const std::size_t i : order) {
    Node node;
    node.id = lattice.nodes[i].id;
    for (std::size_t axis = 0; axis < dim; ++axis) {
      node.position(static_cast<Eigen::Index>(axis)) = state.q[i * dim + axis];
      const Dof dof{node.id, static_cast<std::int8_t>(axis + 1)};
      const bool is_held = system.inverse_masses()[i * dim + axis] == 0.0;
      if (is_held && held == HeldDofs::leave_out) {
        model.fixed.push_back(dof);
        continue;
      }
      out.row_of[i * dim + axis] = static_cast<std::int64_t>(out.rows.size());
      out.rows.push_back(dof);
    }
    model.nodes.push_back(node);
  }
  return out;
}

void add_matrices(const LatticeSystem& system,
                  const State& state,
                  const Numbering& numbering,
                  FeModel& model) {
  const std::vector<std::int64_t>& row_of = numbering.row_of;
  const auto dim = static_cast<std::size_t>(system.lattice().dimension);
  const SparseMatrix tangent = system.full_tangent(state);
  std::vector<Entry> stiffness;
  for (Eigen::Index column = 0; column < tangent.outerSize(); ++column) {
    for (SparseMatrix::InnerIterator it(tangent, column); it; ++it) {
      const std::int64_t a = row_of[static_cast<std::size_t>(it.row())];
      const std::int64_t b = row_of[static_cast<std::size_t>(it.col())];
      if (a >= 0 && b >= 0) stiffness.push_back({std::max(a, b), std::min(a, b), it.value()});
    }
  }
  std::vector<Entry> mass;
  for (std::size_t i = 0; i < row_of.size(); ++i) {
    if (row_of[i] >= 0) mass.push_back({row_of[i], row_of[i], system.masses()[i / dim]});
  }
  const auto size = static_cast<std::int64_t>(numbering.rows.size());
  model.stiffness = assemble(size, size, stiffness);
  model.mass = assemble(size, size, mass);
}

void add_rods(const Lattice& lattice, FeModel& model) {
  ElementBlock rods{"CROD", 2, {}, {}};
  for (std::size_t s = 0; s < lattice.springs.size(); ++s) {
    rods.ids.push_back(static_cast<std::int64_t>(s) + 1);
    for (const std::int32_t end : {lattice.springs[s].a, lattice.springs[s].b})
      rods.connectivity.push_back(lattice.nodes[static_cast<std::size_t>(end)].id);
  }
  if (!rods.ids.empty()) model.elements.push_back(std::move(rods));
}

/// Adds the loads without an end as one load case, and their nodes as interface nodes.
void add_loads(const LatticeSystem& system,
               const State& state,
               const Numbering& numbering,
               FeModel& model) {
  const Lattice& lattice = system.lattice();
  if (lattice.loads.empty()) return;
  const std::vector<std::int64_t>& row_of = numbering.row_of;
  const auto dim = static_cast<std::size_t>(lattice.dimension);
  std::vector<double> f(row_of.size(), 0.0);
  system.add_load(Instant::lasting(state.time), f);
  LoadCase load;
  load.id = 1;
  load.label = "loads of the lattice";
  load.load = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(numbering.rows.size()));
  for (std::size_t i = 0; i < f.size(); ++i) {
    if (row_of[i] >= 0) load.load(row_of[i]) = f[i];
  }
  model.loads.push_back(std::move(load));
  std::vector<std::int64_t>& loaded = model.interface_nodes;
  for (const Load& each : lattice.loads) {
    for (std::size_t axis = 0; axis < dim; ++axis) {
      if (row_of[static_cast<std::size_t>(each.node) * dim + axis] < 0) continue;
      loaded.push_back(lattice.nodes[static_cast<std::size_t>(each.node)].id);
      break;
    }
  }
  std::sort(loaded.begin(), loaded.end());
  loaded.erase(std::unique(loaded.begin(), loaded.end()), loaded.end());
}

}  // namespace

FeModel to_fe_model(const LatticeSystem& system, const State& state, HeldDofs held) {
  FeModel model;
  model.name = system.lattice().name;
  model.units = Units{};
  model.provenance.program = "femflex lattice";
  Numbering numbering = add_nodes(system, state, held, model);
  add_matrices(system, state, numbering, model);
  add_rods(system.lattice(), model);
  add_loads(system, state, numbering, model);
  model.dofs = DofMap(std::move(numbering.rows));
  return make_fe_model(std::move(model));
}

}  // namespace femflex::hamiltonian
