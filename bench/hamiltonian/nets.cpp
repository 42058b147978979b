// Makes the networks of bench_networks from block lattices.
#include "nets.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <random>

#include "femflex/hamiltonian/generators.h"

namespace femflex::bench {

using hamiltonian::Lattice;
using hamiltonian::LatticeNode;
using hamiltonian::Load;
using hamiltonian::PrescribedMotion;
using hamiltonian::Spring;

namespace {

void add_extra(const Case& one, Lattice& net) {
  if (one.extra == Extra::friction) net.friction = kFriction;
  if (one.extra == Extra::dampers) {
    for (Spring& spring : net.springs)
      spring.damping.c = kDamper;
  }
  if (one.extra == Extra::histories) {
    for (std::size_t i = 0; i < net.nodes.size(); i += kLoadEvery) {
      Load load;
      load.node = static_cast<std::int32_t>(i);
      load.force = Eigen::Vector3d(0.0, 0.1, 0.0);
      load.history.expression = "sin(3*t)";
      net.loads.push_back(load);
    }
  }
  if (one.extra != Extra::motions) return;
  for (std::size_t i = 0; i < net.nodes.size(); ++i) {
    if (net.nodes[i].position(0) > 0.5) continue;
    PrescribedMotion motion;
    motion.node = static_cast<std::int32_t>(i);
    motion.axis = 0;
    motion.displacement.expression = "0.05*sin(2*t)";
    net.motions.push_back(motion);
  }
}

}  // namespace

std::string name_of(const Case& one) {
  constexpr std::array kKinds = {"jittered", "holes", "regular"};
  constexpr std::array kExtras = {"", " friction", " dampers", " histories", " motions"};
  return std::string(kKinds.at(static_cast<std::size_t>(one.kind))) +
         (one.is_linear ? " linear" : " quartic") + kExtras.at(static_cast<std::size_t>(one.extra));
}

Lattice make_net(const Case& one) {
  hamiltonian::BlockOptions o;
  o.nodes = {one.side, one.side, one.side};
  o.size = {one.side - 1.0, one.side - 1.0, one.side - 1.0};
  o.law = one.is_linear ? hamiltonian::SpringLaw::linear : hamiltonian::SpringLaw::quartic;
  Lattice net = make_block(o);
  const bool is_regular = one.kind == Kind::regular;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> factor(0.5, 1.5);
  std::uniform_real_distribution<double> shake(-0.02, 0.02);
  std::vector<std::int32_t> place(net.nodes.size(), -1);
  std::vector<LatticeNode> nodes;
  for (std::size_t i = 0; i < place.size(); ++i) {
    if (one.kind == Kind::holes && factor(random) < 0.83) continue;
    place[i] = static_cast<std::int32_t>(nodes.size());
    nodes.push_back(net.nodes[i]);
    for (int d = 0; !is_regular && d < 3; ++d)
      nodes.back().position(d) += shake(random);
  }
  std::vector<Spring> springs;
  for (Spring spring : net.springs) {
    spring.a = place[static_cast<std::size_t>(spring.a)];
    spring.b = place[static_cast<std::size_t>(spring.b)];
    if (spring.a < 0 || spring.b < 0) continue;
    if (!is_regular) {
      spring.stiffness = factor(random);
      spring.rest_length *= 1.0 + shake(random);
    }
    springs.push_back(spring);
  }
  net.nodes = std::move(nodes);
  net.springs = std::move(springs);
  add_extra(one, net);
  return make_lattice(std::move(net));
}

Lattice shuffled(const Lattice& net, std::vector<std::int32_t>& place) {
  place.resize(net.nodes.size());
  std::iota(place.begin(), place.end(), 0);
  std::mt19937 random(7);
  std::shuffle(place.begin(), place.end(), random);
  const auto moved = [&](std::int32_t node) { return place[static_cast<std::size_t>(node)]; };
  Lattice out = net;
  for (std::size_t i = 0; i < place.size(); ++i)
    out.nodes[static_cast<std::size_t>(place[i])] = net.nodes[i];
  for (Spring& spring : out.springs) {
    spring.a = moved(spring.a);
    spring.b = moved(spring.b);
  }
  for (Load& load : out.loads)
    load.node = moved(load.node);
  for (PrescribedMotion& motion : out.motions)
    motion.node = moved(motion.node);
  return out;
}

}  // namespace femflex::bench
