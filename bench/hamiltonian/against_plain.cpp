// Leapfrog of spring networks against a plain loop over compressed rows (plain_kernel.cpp) on the
// same network, taken alternately in one run: million bonds per CPU second, best of seven, one
// thread. One size only: bench_networks 40. Not measured: set-up, output, energies; the plain loop
// has its nodes in grid order, the best for it, and knows neither friction energy nor loads.
//
//   jittered  block with diagonals, nodes shaken by 2 %, own constants; shuffled for the program
//   holes     the same with a third of the nodes removed
//   regular   block with equal constants, recognised and run as a stencil
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <numeric>
#include <random>
#include <vector>

#include "femflex/hamiltonian/generators.h"

#include "kernels/tiled_network.h"
#include "plain_kernel.h"

namespace {

using namespace femflex::hamiltonian;
using femflex::bench::PlainNetwork;

enum class Kind { jittered, holes, regular };
constexpr std::array kNames = {"jittered", "holes", "regular"};

struct Case {
  int side = 0;
  Kind kind = Kind::jittered;
  bool is_linear = false;
  double friction = 0.0;  // c/m [1/s]
};

struct Model {
  std::vector<double> q;
  std::vector<Bond> bonds;
};

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

Model make(const Case& one) {
  BlockOptions o;
  o.nodes = {one.side, one.side, one.side};
  o.size = {1.0 * one.side, 1.0 * one.side, 1.0 * one.side};
  const Lattice block = make_block(o);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> factor(0.5, 1.5);
  std::uniform_real_distribution<double> shake(-0.02, 0.02);
  const bool is_regular = one.kind == Kind::regular;
  std::vector<std::int32_t> place(block.nodes.size(), -1);
  Model m;
  std::int32_t count = 0;
  for (std::size_t i = 0; i < place.size(); ++i) {
    if (one.kind == Kind::holes && factor(random) < 0.83) continue;
    place[i] = count++;
    for (int d = 0; d < 3; ++d)
      m.q.push_back(block.nodes[i].position(d) + (is_regular ? 0.0 : shake(random)));
  }
  for (const Spring& s : block.springs) {
    const std::int32_t a = place[static_cast<std::size_t>(s.a)];
    const std::int32_t b = place[static_cast<std::size_t>(s.b)];
    if (a < 0 || b < 0) continue;
    const double k = is_regular ? 1.0 : factor(random);
    const double d = s.rest_length * (is_regular ? 1.0 : 1.0 + shake(random));
    if (one.is_linear)
      m.bonds.push_back({a, b, k, k * d, tiles::PairLaw::linear});
    else
      m.bonds.push_back({a, b, 2.0 * k, 2.0 * k * d * d});
  }
  return m;
}

/// The same network, numbered at random.
Model shuffled(const Model& model, std::vector<std::int32_t>& place) {
  place.resize(model.q.size() / 3);
  std::iota(place.begin(), place.end(), 0);
  std::mt19937 random(7);
  std::shuffle(place.begin(), place.end(), random);
  Model out = model;
  for (std::size_t i = 0; i < place.size(); ++i)
    std::copy_n(&model.q[3 * i], 3, &out.q[3 * static_cast<std::size_t>(place[i])]);
  for (Bond& bond : out.bonds) {
    bond.a = place[static_cast<std::size_t>(bond.a)];
    bond.b = place[static_cast<std::size_t>(bond.b)];
  }
  return out;
}

PlainNetwork plain(const Model& m, const Case& one, double h) {
  PlainNetwork n;
  n.is_linear = one.is_linear;
  n.keep = std::exp(-one.friction * h);
  n.first.assign(m.q.size() / 3 + 1, 0);
  for (const Bond& bond : m.bonds) {
    ++n.first[static_cast<std::size_t>(bond.a) + 1];
    ++n.first[static_cast<std::size_t>(bond.b) + 1];
  }
  std::partial_sum(n.first.begin(), n.first.end(), n.first.begin());
  n.partner.resize(2 * m.bonds.size());
  n.alpha.resize(n.partner.size());
  n.beta.resize(n.partner.size());
  std::vector<std::int64_t> next(n.first);
  const auto put = [&](std::int32_t near, std::int32_t far, const Bond& bond) {
    const auto k = static_cast<std::size_t>(next[static_cast<std::size_t>(near)]++);
    n.partner[k] = far;
    n.alpha[k] = bond.alpha;
    n.beta[k] = bond.beta;
  };
  for (const Bond& bond : m.bonds) {
    put(bond.a, bond.b, bond);
    put(bond.b, bond.a, bond);
  }
  n.x = m.q;
  n.x_next = m.q;
  n.u.assign(m.q.size(), 0.0);
  return n;
}

void measure(const Case& one) {
  constexpr double kStep = 1e-2;
  const Model model = make(one);
  std::vector<std::int32_t> place;
  const Model given = shuffled(model, place);
  const std::vector<double> inverse_mass(model.q.size(), 1.0);
  const std::vector<double> none(model.q.size(), 0.0);
  const std::vector<double> friction(one.friction > 0.0 ? model.q.size() : 0, one.friction);
  TiledNetwork network({3, given.bonds, inverse_mass, none, given.q, friction});
  network.set_step(kStep);
  network.load(given.q, none);
  PlainNetwork yardstick = plain(model, one, kStep);
  const auto bonds = static_cast<double>(model.bonds.size());
  constexpr std::int64_t kCompared = 1000;
  double worst = 0.0;
  if (bonds < 1e6) {
    (void)network.advance(kCompared, 1);
    femflex::bench::advance_plainly(yardstick, kCompared, kStep);
    std::vector<double> q(model.q.size());
    std::vector<double> u(model.q.size());
    network.store(q, u);
    for (std::size_t i = 0; i < q.size(); ++i)
      worst = std::max(
          worst, std::abs(q[3 * static_cast<std::size_t>(place[i / 3]) + i % 3] - yardstick.x[i]));
  }
  const auto steps = std::max<std::int64_t>(4, static_cast<std::int64_t>(4e7 / bonds));
  double ours = 1e9;
  double theirs = 1e9;
  for (int r = 0; r < 7; ++r) {
    double start = cpu_seconds();
    (void)network.advance(steps, 1);
    ours = std::min(ours, cpu_seconds() - start);
    start = cpu_seconds();
    femflex::bench::advance_plainly(yardstick, steps, kStep);
    theirs = std::min(theirs, cpu_seconds() - start);
  }
  const double amount = bonds * static_cast<double>(steps) * 1e-6;
  std::printf("%-8s %-7s%s %8zu nodes %9.0f bonds  program %5.0f  plain %5.0f  ratio %5.2f",
              kNames.at(static_cast<std::size_t>(one.kind)),
              one.is_linear ? "linear" : "quartic",
              one.friction > 0.0 ? " friction" : "",
              model.q.size() / 3,
              bonds,
              amount / ours,
              amount / theirs,
              theirs / ours);
  if (bonds < 1e6) std::printf("  after 1000 steps %.0e apart", worst);
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int only = argc > 1 ? std::atoi(argv[1]) : 0;
  for (const bool is_linear : {false, true}) {
    for (const int side : {5, 10, 40, 60}) {
      if (only != 0 && side != only) continue;
      for (const Kind kind : {Kind::jittered, Kind::holes, Kind::regular})
        measure({side, kind, is_linear});
    }
    if (only != 0 && only != 40) continue;
    measure({40, Kind::jittered, is_linear, 0.1});
    measure({40, Kind::regular, is_linear, 0.1});
  }
}
