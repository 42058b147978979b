// One leapfrog step of networks of quartic springs, million bonds per CPU second of one thread, and
// per second with two threads, beside the limit that memory sets (a copy loop measured here, over
// the bytes a step must move). What the number does not tell: output, energies and statics.
//
//   network     a plane or block lattice with diagonals, nodes shuffled, every k its own
//   irregular   the same with a third of the nodes taken out: partners by index
//   lattice     all k equal: found to be regular, runs as a stencil
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <numeric>
#include <random>
#include <vector>

#include "femflex/hamiltonian/generators.h"

#include "tiles/tiled_network.h"

namespace {

using namespace femflex::hamiltonian;

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Bytes per second that one core streams: a = b + s c over 3 x 64 MB, stores read their line
/// first.
double memory_speed() {
  const std::size_t n = 8000000;
  std::vector<double> a(n, 1.0);
  std::vector<double> b(n, 2.0);
  std::vector<double> c(n, 3.0);
  double best = 1e9;
  for (int r = 0; r < 5; ++r) {
    const double start = cpu_seconds();
    for (std::size_t i = 0; i < n; ++i)
      a[i] = b[i] + 0.5 * c[i];
    best = std::min(best, cpu_seconds() - start);
  }
  return a[n / 2] > 0.0 ? 32.0 * static_cast<double>(n) / best : 0.0;
}

enum class Kind { network, irregular, lattice };

void measure(int dimension, int side, Kind kind, double memory) {
  BlockOptions o;
  o.dimension = dimension;
  o.nodes = {side, side, dimension == 3 ? side : 1};
  o.size = {1.0 * side, 1.0 * side, dimension == 3 ? 1.0 * side : 0.0};
  const Lattice block = make_block(o);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> factor(0.5, 1.5);
  const std::size_t all = block.nodes.size();
  std::vector<std::int32_t> place(all, -1);
  std::vector<std::int32_t> kept;
  for (std::size_t i = 0; i < all; ++i) {
    if (kind != Kind::irregular || factor(random) > 0.83)
      kept.push_back(static_cast<std::int32_t>(i));
  }
  if (kind != Kind::lattice) std::shuffle(kept.begin(), kept.end(), random);
  for (std::size_t i = 0; i < kept.size(); ++i)
    place[static_cast<std::size_t>(kept[i])] = static_cast<std::int32_t>(i);
  const auto dim = static_cast<std::size_t>(dimension);
  std::vector<double> q(kept.size() * dim);
  std::vector<double> u(q.size());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    for (std::size_t d = 0; d < dim; ++d) {
      q[i * dim + d] =
          block.nodes[static_cast<std::size_t>(kept[i])].position(static_cast<Eigen::Index>(d));
      u[i * dim + d] = 0.01 * (factor(random) - 1.0);
    }
  }
  std::vector<Bond> bonds;
  for (const Spring& s : block.springs) {
    const std::int32_t a = place[static_cast<std::size_t>(s.a)];
    const std::int32_t b = place[static_cast<std::size_t>(s.b)];
    if (a < 0 || b < 0) continue;
    const double k = kind == Kind::lattice ? 1.0 : factor(random);
    bonds.push_back({a, b, 2.0 * k, 2.0 * k * s.rest_length * s.rest_length});
  }
  const std::vector<double> inverse_mass(q.size(), 1.0);
  const std::vector<double> force(q.size(), 0.0);
  const double begin = seconds();
  TiledNetwork network({dimension, bonds, inverse_mass, force, q});
  const double setup = seconds() - begin;
  network.load(q, u);
  const auto n = static_cast<double>(bonds.size());
  const auto steps = std::max<std::int64_t>(3, static_cast<std::int64_t>(2e8 / n));
  (void)network.advance(2, 1e-3, 1);
  double one = 1e9;
  double two = 1e9;
  for (int r = 0; r < 3; ++r) {
    double start = cpu_seconds();
    (void)network.advance(steps, 1e-3, 1);
    one = std::min(one, (cpu_seconds() - start) / static_cast<double>(steps));
    start = seconds();
    (void)network.advance(steps, 1e-3, 2);
    two = std::min(two, (seconds() - start) / static_cast<double>(steps));
  }
  const char* name = kind == Kind::network     ? "network"
                     : kind == Kind::irregular ? "irregular"
                                               : "lattice";
  std::printf(
      "%-9s %dD %8zu nodes %9.0f bonds  set-up %6.3f s  %6.0f M bonds/CPU s  two threads %6.0f "
      "(x%.2f)  memory limit %6.0f\n",
      name,
      dimension,
      kept.size(),
      n,
      setup,
      n / one * 1e-6,
      n / two * 1e-6,
      one / two,
      n / (network.bytes_per_step() / memory) * 1e-6);
}

}  // namespace

int main() {
  const double memory = memory_speed();
  std::printf("memory, one core: %.1f GB/s\n", memory * 1e-9);
  for (const Kind kind : {Kind::network, Kind::irregular, Kind::lattice}) {
    for (const int side : {320, 1000})
      measure(2, side, kind, memory);
    for (const int side : {47, 100})
      measure(3, side, kind, memory);
  }
}
