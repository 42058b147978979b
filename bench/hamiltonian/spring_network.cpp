// Measures leapfrog steps of networks of quartic springs. Prints million bonds per CPU second for
// one thread, and per second of elapsed time for two threads. Output, energies and statics are not
// measured.
//
// The speed of memory limits a step. The program measures it with the loop a = b + 0.5 c and prints
// it first. The limit of bonds per second is this speed divided by the bytes that a step moves per
// bond. The gain of two threads is limited to that of this loop.
//
// To run one kind only, pass its name: bench_hamiltonian lattice.
//
//   network     a plane or block lattice with diagonals, nodes in random order, every k different
//   irregular   the same with a third of the nodes removed
//   random      random points, each bonded to all others within a radius, every k different
//   lattice     all k equal: detected as regular and run as a stencil
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <numbers>
#include <random>
#include <string_view>
#include <thread>
#include <vector>

#include "femflex/hamiltonian/generators.h"

#include "kernels/tiled_network.h"

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

/// Bytes per second of `threads` threads that compute a = b + 0.5 c with 3 x 64 MB per thread.
/// Stores are counted twice, because the processor reads a cache line before it writes to it.
double memory_speed(std::size_t threads) {
  const std::size_t n = 8000000;          // 64 MB of numbers, far more than a cache holds
  constexpr double kBytesPerPass = 32.0;  // per number: reads of b and c, a store counted twice
  std::vector<std::vector<double>> a(threads, std::vector<double>(n, 1.0));
  const std::vector<std::vector<double>> b(threads, std::vector<double>(n, 2.0));
  const std::vector<std::vector<double>> c(threads, std::vector<double>(n, 3.0));
  double best = 1e9;             // [s]
  for (int r = 0; r < 5; ++r) {  // the fastest of five, which was disturbed least
    const double start = threads == 1 ? cpu_seconds() : seconds();
    std::vector<std::jthread> crew;
    for (std::size_t t = 0; t < threads; ++t) {
      const auto stream = [&a, &b, &c, t] {
        for (std::size_t i = 0; i < a[t].size(); ++i)
          a[t][i] = b[t][i] + 0.5 * c[t][i];
      };
      if (t + 1 == threads)
        stream();
      else
        crew.emplace_back(stream);
    }
    crew.clear();
    best = std::min(best, (threads == 1 ? cpu_seconds() : seconds()) - start);
  }
  return kBytesPerPass * static_cast<double>(n * threads) / best;
}

/// A network as a user describes it; TiledNetwork chooses the order in memory.
struct Model {
  int dimension = 3;
  std::vector<double> q;
  std::vector<Bond> bonds;
};

enum class Kind { network, irregular, random, lattice };

const char* name_of(Kind kind) {
  constexpr std::array kNames = {"network", "irregular", "random", "lattice"};
  return kNames.at(static_cast<std::size_t>(kind));
}

/// A quartic spring between nodes a and b with the rest length d. At length L its force is
/// 2 k (L^2 - d^2) L.
Bond bond(std::int32_t a, std::int32_t b, double k, double d_squared) {
  return {a, b, 2.0 * k, 2.0 * k * d_squared};
}

/// Builds the kinds other than `random` from a block lattice.
Model grid(int dimension, int side, Kind kind) {
  BlockOptions o;
  o.dimension = dimension;
  o.nodes = {side, side, dimension == 3 ? side : 1};
  o.size = {1.0 * side, 1.0 * side, dimension == 3 ? 1.0 * side : 0.0};
  const Lattice block = make_block(o);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> factor(0.5, 1.5);
  const std::size_t all = block.nodes.size();
  constexpr double kRemoved = 0.83;             // `factor` lies below it for a third of the nodes
  std::vector<std::int32_t> index_of(all, -1);  // new index of each node of the block; -1: removed
  std::vector<std::int32_t> kept;
  for (std::size_t i = 0; i < all; ++i) {
    if (kind != Kind::irregular || factor(random) > kRemoved)
      kept.push_back(static_cast<std::int32_t>(i));
  }
  if (kind != Kind::lattice) std::shuffle(kept.begin(), kept.end(), random);
  for (std::size_t i = 0; i < kept.size(); ++i)
    index_of[static_cast<std::size_t>(kept[i])] = static_cast<std::int32_t>(i);
  Model m{dimension, {}, {}};
  for (const std::int32_t i : kept) {
    for (int d = 0; d < dimension; ++d)
      m.q.push_back(block.nodes[static_cast<std::size_t>(i)].position(d));
  }
  for (const Spring& s : block.springs) {
    const std::int32_t a = index_of[static_cast<std::size_t>(s.a)];
    const std::int32_t b = index_of[static_cast<std::size_t>(s.b)];
    if (a < 0 || b < 0) continue;
    const double k = kind == Kind::lattice ? 1.0 : factor(random);
    m.bonds.push_back(bond(a, b, k, s.rest_length * s.rest_length));
  }
  return m;
}

/// Builds the kind `random`: random points of unit density in a box, each bonded to all points
/// within a radius. The radius gives 7 neighbours on average in a plane and 12 in space. Points are
/// sorted into cells at least as wide as the radius, so that only adjacent cells are searched.
Model cloud(int dimension, int side) {
  const int depth = dimension == 3 ? side : 1;
  const auto count = static_cast<std::int32_t>(side * side * depth);
  const double radius = dimension == 3 ? std::cbrt(12.0 * 0.75 / std::numbers::pi)
                                       : std::sqrt(7.0 / std::numbers::pi);
  std::mt19937 random(2);
  std::uniform_real_distribution<double> where(0.0, side);
  std::uniform_real_distribution<double> factor(0.5, 1.5);
  Model m{dimension, {}, {}};
  const int cells = static_cast<int>(side / radius);
  const auto cell = [&](double x) {
    return std::min(cells - 1, static_cast<int>(x / side * cells));
  };
  const auto dim = static_cast<std::size_t>(dimension);
  std::vector<std::vector<std::int32_t>> members(
      static_cast<std::size_t>(cells) * static_cast<std::size_t>(cells) *
      static_cast<std::size_t>(dimension == 3 ? cells : 1));
  for (std::int32_t i = 0; i < count; ++i) {
    std::array<int, 3> c{};
    std::array<double, 3> p{};
    for (std::size_t d = 0; d < dim; ++d) {
      p[d] = where(random);
      c[d] = cell(p[d]);
      m.q.push_back(p[d]);
    }
    for (int z = std::max(0, c[2] - 1); z <= std::min(c[2] + 1, dimension == 3 ? cells - 1 : 0);
         ++z)
      for (int y = std::max(0, c[1] - 1); y <= std::min(c[1] + 1, cells - 1); ++y)
        for (int x = std::max(0, c[0] - 1); x <= std::min(c[0] + 1, cells - 1); ++x)
          for (const std::int32_t j :
               members[static_cast<std::size_t>((z * cells + y) * cells + x)]) {
            double r2 = 0.0;
            for (std::size_t d = 0; d < dim; ++d) {
              const double r = m.q[static_cast<std::size_t>(j) * dim + d] - p[d];
              r2 += r * r;
            }
            const double k = factor(random);
            if (r2 < radius * radius) m.bonds.push_back(bond(j, i, k, r2));
          }
    members[static_cast<std::size_t>((c[2] * cells + c[1]) * cells + c[0])].push_back(i);
  }
  return m;
}

void measure(int dimension, int side, Kind kind, double memory) {
  const Model model = kind == Kind::random ? cloud(dimension, side) : grid(dimension, side, kind);
  const auto& [dim, q, bonds] = model;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> shake(-0.005, 0.005);
  std::vector<double> velocity(q.size());
  for (double& v : velocity)
    v = shake(random);
  const std::vector<double> inverse_mass(q.size(), 1.0);
  const std::vector<double> force(q.size(), 0.0);
  const double begin = cpu_seconds();
  TiledNetwork network({dimension, bonds, inverse_mass, force, q});
  const double setup = cpu_seconds() - begin;
  network.set_step(1e-3);
  network.set_state(q, velocity);
  const auto n = static_cast<double>(bonds.size());
  constexpr double kBondsPerRun = 2e8;  // a run then takes far longer than a tick of the clock
  const auto steps = std::max<std::int64_t>(3, static_cast<std::int64_t>(kBondsPerRun / n));
  (void)network.advance(2, 1);  // the first steps are not measured
  double one = 1e9;
  double two = 1e9;
  for (int r = 0; r < 3; ++r) {
    double start = cpu_seconds();
    (void)network.advance(steps, 1);
    one = std::min(one, (cpu_seconds() - start) / static_cast<double>(steps));
    start = seconds();
    (void)network.advance(steps, 2);
    two = std::min(two, (seconds() - start) / static_cast<double>(steps));
  }
  std::printf(
      "%-9s %dD %8zu nodes %9.0f bonds  set-up %6.3f CPU s  %6.0f M bonds/CPU s  two threads %6.0f "
      "(x%.2f)  memory limit %6.0f\n",
      name_of(kind),
      dimension,
      q.size() / static_cast<std::size_t>(dimension),
      n,
      setup,
      n / one * 1e-6,
      n / two * 1e-6,
      one / two,
      n / (network.bytes_per_step() / memory) * 1e-6);
}

}  // namespace

int main(int argc, char** argv) {
  constexpr std::array kKinds = {Kind::network, Kind::irregular, Kind::random, Kind::lattice};
  const std::string_view only = argc > 1 ? argv[1] : "";
  const auto is_chosen = [&](Kind kind) { return only.empty() || only == name_of(kind); };
  if (std::none_of(kKinds.begin(), kKinds.end(), is_chosen)) {
    std::fprintf(
        stderr, "'%s' is not a kind; use network, irregular, random or lattice\n", argv[1]);
    return 2;
  }
  const double memory = memory_speed(1);
  std::printf("memory, one thread: %.1f GB/s, two: %.1f\n", memory * 1e-9, memory_speed(2) * 1e-9);
  for (const Kind kind : kKinds) {
    if (!is_chosen(kind)) continue;
    // nodes per edge: about 100,000 and 1,000,000 nodes, in the plane and in space
    for (const int side : {320, 1000})
      measure(2, side, kind, memory);
    for (const int side : {47, 100})
      measure(3, side, kind, memory);
  }
}
