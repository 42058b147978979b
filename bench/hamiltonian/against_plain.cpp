// Compares leapfrog of spring networks with a plain loop over compressed rows (plain_kernel.cpp)
// and, if it is installed, with LAMMPS. All run the same network alternately. Prints million bonds
// per second of processor time with one thread, medians of five.
//
//   bench_networks [SIDE [WORD]]   one size only; only cases whose name contains WORD
//
// femflex gets the nodes in random order; the other codes get them in the order of the grid, which
// is their best case. Not measured: set-up, output and energies. The plain loop does not compute
// the work of forces. LAMMPS computes friction from the velocity half a step before. The gain by
// two threads is the ratio of wall times, which is meaningless on a busy machine.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "femflex/hamiltonian/lattice_system.h"

#include "lammps_peer.h"
#include "nets.h"
#include "plain_kernel.h"

namespace {

using namespace femflex;
using bench::Case;
using bench::Extra;
using bench::Kind;
using bench::PlainNetwork;
using hamiltonian::Lattice;
using hamiltonian::LatticeSystem;
using hamiltonian::Spring;
using hamiltonian::State;

constexpr double kStep = 1e-2;            // [s]
constexpr double kLammpsUpTo = 3e6;       // bonds; LAMMPS stores neighbours up to the third level
                                          // and needs much memory
constexpr std::int64_t kCompared = 1000;  // number of steps after which motions are compared

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

PlainNetwork plain(const Lattice& net, const Case& one) {
  PlainNetwork n;
  n.is_linear = one.is_linear;
  n.first.assign(net.nodes.size() + 1, 0);
  for (const Spring& spring : net.springs) {
    ++n.first[static_cast<std::size_t>(spring.a) + 1];
    ++n.first[static_cast<std::size_t>(spring.b) + 1];
  }
  std::partial_sum(n.first.begin(), n.first.end(), n.first.begin());
  n.partner.resize(2 * net.springs.size());
  n.alpha.resize(n.partner.size());
  n.beta.resize(n.partner.size());
  std::vector<std::int64_t> next(n.first);
  const auto put = [&](std::int32_t near, std::int32_t far, const Spring& s) {
    const auto k = static_cast<std::size_t>(next[static_cast<std::size_t>(near)]++);
    n.partner[k] = far;
    n.alpha[k] = s.stiffness * (one.is_linear ? 1.0 : 2.0);
    n.beta[k] = n.alpha[k] * s.rest_length * (one.is_linear ? 1.0 : s.rest_length);
  };
  for (const Spring& spring : net.springs) {
    put(spring.a, spring.b, spring);
    put(spring.b, spring.a, spring);
  }
  for (const hamiltonian::LatticeNode& node : net.nodes)
    n.x.insert(n.x.end(), node.position.data(), node.position.data() + 3);
  n.x_next = n.x;
  n.u.assign(n.x.size(), 0.0);
  n.keep = std::exp(-net.friction * kStep);
  if (one.extra == Extra::dampers) {
    n.damper = bench::kDamper;
    n.v = n.w = n.a = n.u;
  }
  n.load_size = 0.1;
  n.load_rate = bench::kLoadRate;
  for (const hamiltonian::Load& load : net.loads)
    n.loaded.push_back(3 * static_cast<std::size_t>(load.node) + 1);
  n.motion_size = bench::kMotionSize;
  n.motion_rate = bench::kMotionRate;
  for (const hamiltonian::PrescribedMotion& motion : net.motions) {
    n.moved.push_back(3 * static_cast<std::size_t>(motion.node));
    n.home.push_back(n.x[n.moved.back()]);
  }
  return n;
}

double median(std::vector<double> v) {
  std::nth_element(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2), v.end());
  return v[v.size() / 2];
}

double timed(const std::function<double()>& clock, const std::function<void()>& work) {
  const double start = clock();
  work();
  return clock() - start;
}

void measure(const Case& one) {
  const Lattice net = bench::make_net(one);
  std::vector<std::int32_t> place;
  const LatticeSystem system(bench::shuffled(net, place));
  const auto fast = system.fast_leapfrog();
  State state = system.start();
  std::fill(state.p.begin(), state.p.end(), 0.0);
  state.history.assign(state.q.size(), 0.0);  // velocities half a step before the start
  state.history.push_back(kStep);
  state.step_length = kStep;
  if (fast == nullptr || !fast->load(state, kStep)) {
    std::printf("%-28s no fast path\n", name_of(one).c_str());
    return;
  }
  PlainNetwork yardstick = plain(net, one);
  const auto bonds = static_cast<double>(net.springs.size());
  double worst = 0.0;
  if (bonds < 1e6) {
    (void)fast->advance(kCompared, 1);
    bench::advance_plainly(yardstick, kCompared, kStep);
    fast->store(state);
    for (std::size_t i = 0; i < state.q.size(); ++i)
      worst = std::max(
          worst,
          std::abs(state.q[3 * static_cast<std::size_t>(place[i / 3]) + i % 3] - yardstick.x[i]));
  }
  const auto steps = std::max<std::int64_t>(4, static_cast<std::int64_t>(4e7 / bonds));
  std::vector<double> ours;
  std::vector<double> theirs;
  std::vector<double> peer;
  std::vector<double> gains;
  for (int r = 0; r < 5; ++r) {
    ours.push_back(timed(cpu_seconds, [&] { (void)fast->advance(steps, 1); }));
    theirs.push_back(timed(cpu_seconds, [&] { bench::advance_plainly(yardstick, steps, kStep); }));
    if (bonds >= 1e5) {
      const double alone = timed(seconds, [&] { (void)fast->advance(steps, 1); });
      gains.push_back(alone / timed(seconds, [&] { (void)fast->advance(steps, 2); }));
    }
    if (bonds > kLammpsUpTo || r > 2) continue;
    if (const auto step = lammps_step(one, net, steps)) peer.push_back(*step);
  }
  const double amount = 1e-6 * bonds;
  const double rate = amount * static_cast<double>(steps) / median(ours);
  std::printf("%-28s %9.0f bonds  program %5.0f  plain %5.0f  ratio %5.2f",
              name_of(one).c_str(),
              bonds,
              rate,
              amount * static_cast<double>(steps) / median(theirs),
              median(theirs) / median(ours));
  if (!peer.empty())
    std::printf("  lammps %4.0f ratio %5.2f", amount / median(peer), rate * median(peer) / amount);
  if (!gains.empty()) std::printf("  two threads %4.2f", median(gains));
  if (bonds < 1e6)
    std::printf("  after %lld steps %.0e apart", static_cast<long long>(kCompared), worst);
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int only = argc > 1 ? std::atoi(argv[1]) : 0;
  const std::string word = argc > 2 ? argv[2] : "";
  for (const int side : {5, 10, 40, 60, 100}) {
    if (only != 0 && side != only) continue;
    for (const bool is_linear : {false, true}) {
      for (const Kind kind : {Kind::jittered, Kind::holes, Kind::regular}) {
        for (const Extra extra :
             {Extra::none, Extra::friction, Extra::dampers, Extra::histories, Extra::motions}) {
          const Case one{side, kind, is_linear, extra};
          if (name_of(one).find(word) != std::string::npos) measure(one);
        }
      }
    }
  }
}
