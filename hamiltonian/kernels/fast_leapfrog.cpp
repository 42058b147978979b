// Leapfrog for large networks of quartic springs, through TiledNetwork.
#include <algorithm>
#include <limits>
#include <vector>

#include "femflex/hamiltonian/lattice_system.h"

#include "kernels/tiled_network.h"
#include "lattice_system/impl.h"

namespace femflex::hamiltonian {
namespace {

// number of nodes from which on the fast engine is worth its setup
constexpr std::size_t kMinNodes = 4000;

class TiledLeapfrog final : public FastLeapfrog {
 public:
  TiledLeapfrog(const TiledNetwork::Input& input, const std::vector<double>& masses)
      : network_(input),
        masses_(masses),
        dimension_(static_cast<std::size_t>(input.dimension)),
        inverse_mass_(input.inverse_mass.begin(), input.inverse_mass.end()),
        u_(input.inverse_mass.size()),
        a_(input.inverse_mass.size()) {}

  void load(const State& state, double h) override {
    h_ = h;
    const std::size_t n = u_.size();
    if (state.history.size() == n + 1 && state.history[n] == h) {
      std::copy_n(state.history.begin(), n, u_.begin());
      network_.load(state.q, u_);
      return;
    }
    for (std::size_t i = 0; i < n; ++i)
      u_[i] = state.p[i] * inverse_mass_[i];
    network_.load(state.q, u_);
    network_.accelerations(a_);
    for (std::size_t i = 0; i < n; ++i)
      u_[i] -= 0.5 * h * a_[i];  // go back to the previous half step
    network_.load(state.q, u_);
  }

  std::int64_t advance(std::int64_t steps, int threads) override {
    return network_.advance(steps, h_, threads);
  }

  void store(State& state) const override {
    network_.store(state.q, u_);
    network_.accelerations(a_);
    const std::size_t n = u_.size();
    for (std::size_t i = 0; i < n; ++i)
      state.p[i] =
          inverse_mass_[i] == 0.0 ? 0.0 : masses_[i / dimension_] * (u_[i] + 0.5 * h_ * a_[i]);
    state.history.assign(u_.begin(), u_.end());
    state.history.push_back(h_);
  }

 private:
  mutable TiledNetwork network_;  // accelerations() uses its spare arrays
  std::vector<double> masses_;
  std::size_t dimension_;
  std::vector<double> inverse_mass_;
  mutable std::vector<double> u_, a_;
  double h_ = 0.0;
};

}  // namespace

std::unique_ptr<FastLeapfrog> LatticeSystem::fast_leapfrog() const {
  const Impl& m = *impl_;
  if (m.lattice.nodes.size() < kMinNodes || !m.special.empty() || !m.lattice.hinges.empty() ||
      !m.lattice.motions.empty() || is_dissipative())
    return nullptr;
  for (const Load& load : m.lattice.loads) {
    if (!load.history.is_constant() || load.from > 0.0 ||
        load.until != std::numeric_limits<double>::infinity() ||
        load.until_step != std::numeric_limits<std::int64_t>::max())
      return nullptr;
  }
  const State start_state = start();
  std::vector<double> constant(dof_count());
  m.gravity(constant);
  add_load({}, constant);
  std::vector<Bond> bonds;
  bonds.reserve(m.plain.size());
  for (const Impl::Plain& spring : m.plain)
    bonds.push_back({spring.a, spring.b, spring.twice_k, spring.twice_k * spring.d2});
  return std::make_unique<TiledLeapfrog>(
      TiledNetwork::Input{m.lattice.dimension, bonds, m.inverse_mass, constant, start_state.q},
      m.mass);
}

}  // namespace femflex::hamiltonian
