#include "femflex/hamiltonian/generators.h"

#include <cmath>
#include <string>

namespace femflex::hamiltonian {
namespace {

Spring between(const Lattice& lattice, std::int32_t a, std::int32_t b, double k, SpringLaw law) {
  Spring spring;
  spring.a = a;
  spring.b = b;
  spring.law = law;
  spring.stiffness = k;
  spring.rest_length = (lattice.nodes[static_cast<std::size_t>(b)].position -
                        lattice.nodes[static_cast<std::size_t>(a)].position)
                           .norm();
  return spring;
}

}  // namespace

Lattice make_block(const BlockOptions& o) {
  std::size_t total = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    const bool used = static_cast<int>(i) < o.dimension;
    if (o.nodes[i] < 1 || o.nodes[i] > 100000000 || (!used && o.nodes[i] != 1))
      throw ModelError("bad-block",
                       "a block has at least one node each way, and one beyond its dimension");
    if (used && o.nodes[i] > 1 && !(o.size[i] > 0.0 && std::isfinite(o.size[i])))
      throw ModelError("bad-block", "the size of a block must be positive");
    total *= static_cast<std::size_t>(o.nodes[i]);
    if (total > 500000000) throw ModelError("bad-block", "a block of more than 5e8 nodes");
  }
  Lattice lattice;
  lattice.dimension = o.dimension;
  const int nx = o.nodes[0], ny = o.nodes[1], nz = o.nodes[2];
  const auto at = [nx, ny](int x, int y, int z) { return x + nx * (y + ny * z); };
  const auto step = [&](std::size_t i) {
    return o.nodes[i] > 1 ? o.size[i] / (o.nodes[i] - 1) : 0.0;
  };
  const std::array<double, 3> cell = {step(0), step(1), step(2)};
  lattice.nodes.reserve(total);
  for (int z = 0; z < nz; ++z) {
    for (int y = 0; y < ny; ++y) {
      for (int x = 0; x < nx; ++x) {
        LatticeNode node;
        node.id = at(x, y, z) + 1;
        node.position = Eigen::Vector3d(x * cell[0], y * cell[1], z * cell[2]);
        node.mass = o.node_mass;
        lattice.nodes.push_back(node);
      }
    }
  }
  // the neighbours ahead of a node; the others come with those
  const auto link = [&](int x, int y, int z, int dx, int dy, int dz) {
    const int u = x + dx;
    const int v = y + dy;
    const int w = z + dz;
    if (u < 0 || u >= nx || v < 0 || v >= ny || w < 0 || w >= nz) return;
    const int kind = std::abs(dx) + std::abs(dy) + std::abs(dz);
    if ((kind == 2 && !o.face_diagonals) || (kind == 3 && !o.space_diagonals)) return;
    lattice.springs.push_back(between(
        lattice, at(x, y, z), at(u, v, w), kind == 1 ? o.stiffness : o.diagonal_stiffness, o.law));
  };
  lattice.springs.reserve(total * (o.dimension == 3 ? 13 : o.dimension == 2 ? 4 : 1));
  for (int z = 0; z < nz; ++z) {
    for (int y = 0; y < ny; ++y) {
      for (int x = 0; x < nx; ++x) {
        link(x, y, z, 1, 0, 0);
        for (int dx = -1; dx <= 1; ++dx)
          link(x, y, z, dx, 1, 0);
        for (int dy = -1; dy <= 1; ++dy) {
          for (int dx = -1; dx <= 1; ++dx)
            link(x, y, z, dx, dy, 1);
        }
      }
    }
  }
  return make_lattice(std::move(lattice));
}

Lattice make_ladder(const LadderOptions& o) {
  if (o.columns < 2) throw ModelError("bad-ladder", "a ladder has at least two columns");
  Lattice lattice;
  lattice.dimension = 2;
  const int n = o.columns;
  for (int i = 0; i < 2 * n; ++i) {
    const bool top = i >= n;
    LatticeNode node;
    node.id = i + 1;
    node.position = Eigen::Vector3d(o.cell * (top ? 2 * n - 1 - i : i), top ? o.cell : 0.0, 0.0);
    node.mass = o.node_mass;
    lattice.nodes.push_back(node);
  }
  const auto above = [n](int i) { return 2 * n - 1 - i; };
  const auto link = [&](int a, int b, double k) {
    lattice.springs.push_back(between(lattice, a, b, k, SpringLaw::quartic));
  };
  for (int i = 0; i < n; ++i) {
    link(i, above(i), o.vertical);
    if (i + 1 == n) break;
    link(i, i + 1, o.chord);
    link(above(i), above(i + 1), o.chord);
    link(i, above(i + 1), o.diagonal);
    link(above(i), i + 1, o.diagonal);
  }
  return make_lattice(std::move(lattice));
}

Lattice make_chain(const ChainOptions& o) {
  if (o.links < 1) throw ModelError("bad-chain", "a chain has at least one link");
  Lattice lattice;
  lattice.dimension = o.dimension;
  for (int i = 0; i <= o.links; ++i) {
    LatticeNode node;
    node.id = i + 1;
    const double along = i * o.length;
    node.position = o.dimension == 1 ? Eigen::Vector3d(along, 0.0, 0.0)
                                     : Eigen::Vector3d(0.0, (o.links - i) * o.length, 0.0);
    node.mass = i == o.links ? o.end_mass : o.mass;
    if (i == 0) node.fixed = {true, true, true};
    lattice.nodes.push_back(node);
  }
  for (int i = 0; i < o.links; ++i)
    lattice.springs.push_back(between(lattice, i, i + 1, o.stiffness, SpringLaw::quartic));
  return make_lattice(std::move(lattice));
}

}  // namespace femflex::hamiltonian
