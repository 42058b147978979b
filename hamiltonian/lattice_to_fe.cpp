#include "femflex/hamiltonian/lattice_to_fe.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "forces/lattice_impl.h"

namespace femflex::hamiltonian {

FeModel to_fe_model(const LatticeSystem& system, const State& state, HeldDofs held) {
  const Lattice& lattice = system.lattice();
  const auto dim = static_cast<std::size_t>(lattice.dimension);
  const std::size_t n = system.dof_count();
  FeModel model;
  model.name = lattice.name;
  model.units = Units{};
  model.provenance.program = "femflex lattice";

  // rows in the order of rising node ids
  std::vector<std::size_t> order(lattice.nodes.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return lattice.nodes[a].id < lattice.nodes[b].id;
  });
  std::vector<Dof> rows;
  std::vector<std::int64_t> row_of(n, -1);
  for (const std::size_t i : order) {
    Node node;
    node.id = lattice.nodes[i].id;
    for (std::size_t axis = 0; axis < dim; ++axis) {
      node.position(static_cast<Eigen::Index>(axis)) = state.q[i * dim + axis];
      const Dof dof{node.id, static_cast<std::int8_t>(axis + 1)};
      const bool is_held = system.inverse_masses()[i * dim + axis] == 0.0;
      if (is_held) model.fixed.push_back(dof);
      if (is_held && held == HeldDofs::leave_out) continue;
      row_of[i * dim + axis] = static_cast<std::int64_t>(rows.size());
      rows.push_back(dof);
    }
    model.nodes.push_back(node);
  }
  if (held == HeldDofs::keep) model.fixed.clear();

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
  for (std::size_t i = 0; i < n; ++i) {
    if (row_of[i] >= 0) mass.push_back({row_of[i], row_of[i], system.masses()[i / dim]});
  }
  const auto size = static_cast<std::int64_t>(rows.size());
  model.stiffness = assemble(size, size, stiffness);
  model.mass = assemble(size, size, mass);
  model.dofs = DofMap(std::move(rows));

  ElementBlock rods{"CROD", 2, {}, {}};
  for (std::size_t s = 0; s < lattice.springs.size(); ++s) {
    rods.ids.push_back(static_cast<std::int64_t>(s) + 1);
    for (const std::int32_t end : {lattice.springs[s].a, lattice.springs[s].b})
      rods.connectivity.push_back(lattice.nodes[static_cast<std::size_t>(end)].id);
  }
  if (!rods.ids.empty()) model.elements.push_back(std::move(rods));

  if (!lattice.loads.empty()) {
    std::vector<double> f(n, 0.0);
    system.add_load({state.time,
                     std::numeric_limits<double>::max(),
                     std::numeric_limits<std::int64_t>::max() - 1},
                    f);
    LoadCase load;
    load.id = 1;
    load.label = "loads of the lattice";
    load.load = Eigen::VectorXd::Zero(size);
    for (std::size_t i = 0; i < n; ++i) {
      if (row_of[i] >= 0) load.load(row_of[i]) = f[i];
    }
    model.loads.push_back(std::move(load));
    for (const Load& each : lattice.loads) {
      for (std::size_t axis = 0; axis < dim; ++axis) {
        if (row_of[static_cast<std::size_t>(each.node) * dim + axis] < 0) continue;
        model.interface_nodes.push_back(lattice.nodes[static_cast<std::size_t>(each.node)].id);
        break;
      }
    }
    std::sort(model.interface_nodes.begin(), model.interface_nodes.end());
    model.interface_nodes.erase(
        std::unique(model.interface_nodes.begin(), model.interface_nodes.end()),
        model.interface_nodes.end());
  }
  return make_fe_model(std::move(model));
}

}  // namespace femflex::hamiltonian
