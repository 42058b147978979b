// LatticeSystem::fast_leapfrog(): makes leapfrog steps of a large lattice with the kernels of
// TiledNetwork. Translates the lattice into the input of TiledNetwork, and computes in each step
// what the kernels do not know: changing loads, prescribed motions, breaking springs and hinges.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "femflex/hamiltonian/lattice_system.h"
#include "femflex/index.h"

#include "kernels/tiled_network.h"
#include "lattice_system/impl.h"
#include "lattice_system/spring_law.h"

namespace femflex::hamiltonian {
namespace {

// number of nodes from which on the fast engine is worth its setup
constexpr std::size_t kMinNodes = 32;
// Largest number of special springs and hinges, those that the kernels do not know, divided by the
// number of all springs. They force single steps and copied positions: if half of the springs are
// special, the fast engine still is 1.4 times as fast as the general one; if all are, it is slower.
constexpr double kMostSpecial = 0.5;
// Least share of a velocity that friction may leave after a step. Below it, the velocity after the
// step has too few digits to tell the velocity before it.
constexpr double kLeastKept = 1e-5;
// Largest h times the fastest decay rate by dampers. Up to it, one decay over a whole step replaces
// two decays over half a step; each is computed as e^-z = 1 - z + z^2/2.
constexpr double kMostDamping = 1.0;

/// A load that changes with time, and the DOFs on which it acts.
struct ChangingLoad {
  // copies of Load, which lies elsewhere in memory
  Eigen::Vector3d force;
  double from, until;
  std::int64_t until_step;
  std::size_t history;  // number in FastParts::load_histories
  // per axis, index in FastParts::loaded; -1: not loaded, or held
  std::array<std::int32_t, 3> index = {-1, -1, -1};

  bool acts(const Instant& instant) const {
    return instant.middle >= from && instant.middle < until && instant.step < until_step;
  }
};

/// A DOF of prescribed motion.
struct Motion {
  double start = 0.0;          // start position [m]
  double mass = 0.0;           // [kg]
  double momentum_mass = 0.0;  // momentum per velocity [kg], see LatticeSystem
  std::size_t displacement;    // number in FastParts::motion_histories
};

/// Functions of time. A function that many loads or motions share is evaluated once per step.
class Histories {
 public:
  /// Adds a function and returns its number; equal functions may get the same number.
  std::size_t number(const Function& function, const CompiledFunction& compiled) {
    const std::size_t look = std::min(functions_.size(), kLook);
    for (std::size_t i = functions_.size() - look; i < functions_.size(); ++i) {
      if (*functions_[i] == function) return i;
    }
    functions_.push_back(&function);
    compiled_.push_back(&compiled);
    values_.emplace_back();
    return functions_.size() - 1;
  }
  /// Evaluates all of them.
  void evaluate(double time) {
    for (std::size_t i = 0; i < compiled_.size(); ++i)
      values_[i] = compiled_[i]->at(time);
  }
  const laws::ValueAndDerivative& at(std::size_t number) const { return values_[number]; }

 private:
  static constexpr std::size_t kLook = 16;  // functions among which an equal one is looked for
  std::vector<const Function*> functions_;
  std::vector<const CompiledFunction*> compiled_;
  std::vector<laws::ValueAndDerivative> values_;
};

/// A lattice as the fast engine needs it. DOFs of prescribed motion count as free.
struct FastParts {
  int dimension = 3;
  std::vector<Bond> bonds;
  std::vector<double> inverse_mass, rates;    // per DOF: 1/m [1/kg]; c/m of friction [1/s]
  std::vector<double> weight, constant_load;  // per DOF: gravity [N]; constant loads [N]
  std::vector<ChangingLoad> loads;
  std::vector<Motion> motions;
  Histories load_histories, motion_histories;
  // DOFs with changing loads, DOFs of prescribed motion, and the DOFs of nodes with special springs
  // or hinges, whose positions are read in each step
  std::vector<std::int32_t> loaded, prescribed, observed;
  std::vector<std::int32_t> special;  // index in `loaded` of each observed DOF
  // adds the forces of the special springs and hinges
  std::function<void(const Memory&, std::span<const double>, std::span<double>)> add_special;
  const LatticeSystem* system = nullptr;
  tiles::CurveLaws curves;
  // bound of the decay rate by dampers along springs and friction [1/s]; 0: no such dampers
  double fastest_decay = 0.0;

  TiledNetwork::Input input(const std::vector<double>& constant,
                            const std::vector<double>& positions) const {
    return {dimension,
            bonds,
            inverse_mass,
            constant,
            positions,
            rates,
            loaded,
            prescribed,
            observed,
            curves};
  }
};

std::vector<double> sum(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> out(a);
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] += b[i];
  return out;
}

class TiledLeapfrog final : public FastLeapfrog {
 public:
  TiledLeapfrog(FastParts parts, const std::vector<double>& positions)
      : parts_(std::move(parts)),
        network_(parts_.input(sum(parts_.weight, parts_.constant_load), positions)),
        u_(positions.size()),
        a_(positions.size()),
        q_(positions),
        force_(positions.size()) {
    drive_.before.resize(parts_.loaded.size());
    drive_.after = drive_.mean = drive_.before;
    drive_.target.resize(parts_.prescribed.size());
    drive_.speed = drive_.target;
  }
  bool is_supported() const { return network_.is_supported(); }

  bool load(const State& state, double h) override {
    h_ = h;
    step_ = state.step;
    base_ =
        state.step_length == h ? state.step_base : state.time - static_cast<double>(state.step) * h;
    if (is_damped() ? h * parts_.fastest_decay > kMostDamping : !keeps_enough()) return false;
    settled_ = {};
    broken_ = 0.0;
    there_.memory = state.memory;
    known_ = state.memory.broken;
    begin(state);
    return true;
  }

  std::int64_t advance(std::int64_t steps, int threads) override {
    const std::int64_t done = network_.advance(
        steps, threads, [this](std::int64_t step, Drive& drive) { fill(step_ + step, drive); });
    step_ += done;
    return done;
  }

  void store(State& state) override {
    network_.state(state.q, u_);
    there_.q = state.q;
    read_accelerations();
    const std::size_t n = u_.size();
    for (std::size_t i = 0; i < n; ++i) {
      const double w = parts_.inverse_mass[i];
      // at the end of the step, before its last half step of friction
      state.p[i] = w == 0.0 ? 0.0 : (u_[i] + 0.5 * h_ * a_[i]) / w;
    }
    set_moved_momenta(state);
    const double lost = slow_down(state);
    count_supports(state);
    work_.dissipated = lost_before_ - lost - (network_.work().lost - start_.lost);
    work_.given += network_.work().loads - start_.loads;
    for (std::size_t i = 0; i < n; ++i)
      work_.given += parts_.constant_load[i] * (state.q[i] - q_[i]);
    state.history.assign(u_.begin(), u_.end());
    state.history.push_back(h_);
    const bool has_broken = update_memory();
    state.memory = there_.memory;
    if (!has_broken) return;
    // without the broken springs, the next step begins with other forces than the last one had
    state.history.clear();
    settled_ = settled_ + work_;
    begin(state);
  }

  Work work() const override {
    Work sum = settled_ + work_;
    sum.broken = broken_;
    return sum;
  }

 private:
  /// Starts from a state; h_, step_ and the memory are already set.
  void begin(const State& state) {
    network_.set_step(h_);
    const std::size_t n = u_.size();
    q_ = state.q;
    there_.q = state.q;
    if (state.history.size() == n + 1 && state.history[n] == h_) {
      std::copy_n(state.history.begin(), n, u_.begin());
      network_.set_state(state.q, u_);
    } else {
      network_.set_state(state.q, u_);
      read_accelerations();
      const std::vector<double> before = momenta_before(state);
      for (std::size_t i = 0; i < n; ++i)  // go back to the previous half step
        u_[i] = before[i] * parts_.inverse_mass[i] - 0.5 * h_ * a_[i];
      for (const std::int32_t dof : parts_.prescribed)
        u_[at(dof)] = 0.0;
      network_.set_state(state.q, u_);
    }
    start_ = network_.work();
    lost_before_ = lost_at_start(state);
    moving_before_ = energy_of_moved(state);
    work_ = {};
  }

  /// Counts angles and breaks springs at the positions `there_`. @return whether a spring broke
  bool update_memory() {
    if (parts_.observed.empty() || !parts_.system->update_memory(there_)) return false;
    std::vector<std::uint8_t>& now = there_.memory.broken;
    for (std::size_t s = 0; s < now.size(); ++s) {
      if (now[s] == known_[s]) continue;
      now[s] = 0;
      broken_ += parts_.system->spring_energy(there_, s);
      now[s] = 1;
      known_[s] = 1;
    }
    return true;
  }

  /// Computes the forces of the special springs and hinges at the positions `there_`.
  void find_special() {
    for (const std::int32_t i : parts_.special)
      force_[at(parts_.loaded[at(i)])] = 0.0;
    parts_.add_special(there_.memory, there_.q, force_);
  }
  void add_special(std::vector<double>& to) const {
    for (const std::int32_t i : parts_.special)
      to[at(i)] += force_[at(parts_.loaded[at(i)])];
  }

  double time(std::int64_t step) const { return base_ + static_cast<double>(step) * h_; }

  bool is_damped() const { return parts_.fastest_decay > 0.0; }

  double kept_of_half(std::size_t dof) const {
    return parts_.rates.empty() ? 1.0 : std::exp(-0.5 * parts_.rates[dof] * h_);
  }

  bool keeps_enough() const {
    return std::all_of(parts_.rates.begin(), parts_.rates.end(), [this](double rate) {
      return std::exp(-rate * h_) > kLeastKept;
    });
  }

  /// Fills in the loads and motions of a step.
  void fill_loads(std::int64_t step, Drive& drive) {
    for (std::vector<double>* v : {&drive.before, &drive.after, &drive.mean})
      std::fill(v->begin(), v->end(), 0.0);
    const double now = time(step);
    parts_.load_histories.evaluate(now);
    middle_histories_ = parts_.load_histories;
    middle_histories_.evaluate(now + 0.5 * h_);
    for (const ChangingLoad& one : parts_.loads) {
      const double here = parts_.load_histories.at(one.history).value;
      const bool acts = one.acts({now, now + 0.5 * h_, step});
      const double before = one.acts({now, now - 0.5 * h_, step - 1}) ? here : 0.0;
      const double after = acts ? here : 0.0;
      const double mean = acts ? middle_histories_.at(one.history).value : 0.0;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        if (one.index[axis] < 0) continue;
        const double factor = one.force(static_cast<Eigen::Index>(axis));
        drive.before[at(one.index[axis])] += before * factor;
        drive.after[at(one.index[axis])] += after * factor;
        drive.mean[at(one.index[axis])] += mean * factor;
      }
    }
    if (is_damped()) {
      parts_.motion_histories.evaluate(now);
      for (std::size_t i = 0; i < parts_.motions.size(); ++i)
        drive.speed[i] = parts_.motion_histories.at(parts_.motions[i].displacement).derivative;
    }
    parts_.motion_histories.evaluate(time(step + 1));
    for (std::size_t i = 0; i < parts_.motions.size(); ++i)
      drive.target[i] = parts_.motions[i].start +
                        parts_.motion_histories.at(parts_.motions[i].displacement).value;
  }

  /// Fills in the loads and motions of a step, and the forces of special springs and hinges.
  void fill(std::int64_t step, Drive& drive) {
    fill_loads(step, drive);
    if (parts_.observed.empty()) return;
    for (std::size_t i = 0; i < parts_.observed.size(); ++i)
      there_.q[at(parts_.observed[i])] = drive.observed[i];
    find_special();
    add_special(drive.before);
    if (update_memory()) find_special();  // without the springs that broke
    add_special(drive.after);
  }

  /// Reads the accelerations at the end of the last step, with the loads of that step.
  void read_accelerations() {
    network_.accelerations(a_);
    if (parts_.loaded.empty()) return;
    fill_loads(step_, drive_);
    if (!parts_.observed.empty()) {
      find_special();
      add_special(drive_.before);
    }
    for (std::size_t i = 0; i < parts_.loaded.size(); ++i)
      a_[at(parts_.loaded[i])] += drive_.before[i] * parts_.inverse_mass[at(parts_.loaded[i])];
  }

  void set_moved_momenta(State& state) {
    parts_.motion_histories.evaluate(time(step_));
    for (std::size_t i = 0; i < parts_.prescribed.size(); ++i) {
      const Motion& motion = parts_.motions[i];
      state.p[at(parts_.prescribed[i])] =
          motion.momentum_mass * parts_.motion_histories.at(motion.displacement).derivative;
    }
  }

  /// The momenta of a state after dampers have acted for `tau` [s] at fixed positions.
  std::vector<double> damped(const State& state, double tau) const {
    const std::size_t n = state.p.size();
    std::vector<double> p = state.p;
    std::vector<double> f(n, 0.0);
    parts_.system->add_dissipation(state.memory, state.q, p, f);
    for (std::size_t i = 0; i < n; ++i)
      p[i] += 0.5 * tau * f[i];
    std::fill(f.begin(), f.end(), 0.0);
    parts_.system->add_dissipation(state.memory, state.q, p, f);
    for (std::size_t i = 0; i < n; ++i)
      p[i] = state.p[i] + tau * f[i];
    return p;
  }

  /// Momenta before the dissipation of the half step that ends in a state.
  std::vector<double> momenta_before(const State& state) const {
    if (is_damped()) return damped(state, -0.5 * h_);
    std::vector<double> p = state.p;
    for (std::size_t i = 0; i < p.size(); ++i)
      p[i] /= kept_of_half(i);
    return p;
  }

  /// Lets the momenta of a state decay by half a step of dissipation. @return lost energy [J]
  double slow_down(State& state) const {
    const std::vector<double> before = state.p;
    if (is_damped()) {
      state.p = damped(state, 0.5 * h_);
    } else {
      for (std::size_t i = 0; i < before.size(); ++i)
        state.p[i] *= kept_of_half(i);
    }
    return lost_between(before, state.p);
  }

  double lost_between(const std::vector<double>& before, const std::vector<double>& after) const {
    double lost = 0.0;
    for (std::size_t i = 0; i < before.size(); ++i)
      lost += 0.5 * parts_.inverse_mass[i] * (before[i] - after[i]) * (before[i] + after[i]);
    return lost;
  }

  /// Sets work_.given to the work of the supports since begin().
  void count_supports(State& state) {
    work_.given = network_.work().supports - start_.supports - moving_before_;
    const std::vector<double> moves = network_.last_moves();
    for (std::size_t i = 0; i < parts_.prescribed.size(); ++i) {
      const std::size_t dof = at(parts_.prescribed[i]);
      work_.given -= 0.5 * moves[i] * a_[dof] / parts_.inverse_mass[dof];
    }
    work_.given += energy_of_moved(state);
  }

  double energy_of_moved(const State& state) const {
    double energy = 0.0;
    for (std::size_t i = 0; i < parts_.prescribed.size(); ++i) {
      const double p = state.p[at(parts_.prescribed[i])];
      if (parts_.motions[i].mass > 0.0) energy += 0.5 * p * p / parts_.motions[i].mass;
    }
    return energy;
  }

  /// Energy lost in the half step before the start, which the first kick counts as well.
  double lost_at_start(const State& state) const {
    return lost_between(momenta_before(state), state.p);
  }

  FastParts parts_;
  TiledNetwork network_;
  std::vector<double> u_, a_, q_;  // q_: positions at the start
  Drive drive_;
  Histories middle_histories_;
  double h_ = 0.0, base_ = 0.0;  // [s]
  std::int64_t step_ = 0;
  TiledNetwork::Work start_;
  double lost_before_ = 0.0, moving_before_ = 0.0;  // [J]
  Work settled_, work_;                             // before the last begin(), and since it
  std::vector<double> force_;                       // of special springs and hinges [N], per DOF
  State there_;                                     // memory, and positions of the observed nodes
  std::vector<std::uint8_t> known_;                 // 1: spring whose energy is in broken_
  double broken_ = 0.0;                             // energy lost with broken springs [J]
};

bool is_constant(const Load& load) {
  return load.history.is_constant() && !(load.from > 0.0) &&
         load.until == std::numeric_limits<double>::infinity() &&
         load.until_step == std::numeric_limits<std::int64_t>::max();
}

/// The constants of a quartic or linear spring.
Bond bond_of(const Spring& spring) {
  const double d = spring.rest_length;
  const double k = spring.stiffness;
  using tiles::PairLaw;
  if (spring.law == SpringLaw::linear)
    return {
        spring.a, spring.b, k, k * d, spring.tension_only ? PairLaw::taut_linear : PairLaw::linear};
  return {spring.a,
          spring.b,
          2.0 * k,
          2.0 * k * d * d,
          spring.tension_only ? PairLaw::taut_quartic : PairLaw::quartic};
}

/// F / L of a table or formula spring.
/// @param number  2 times the number of its curve, plus 1 if the spring is tension-only
double curve_over_length(const void* curves, double d, double number, double r2) {
  const auto n = static_cast<std::size_t>(number);
  if (n % 2 != 0 && laws::is_slack(r2, d)) return 0.0;
  const auto& all = *static_cast<const std::vector<CompiledFunction>*>(curves);
  return function_force_over_length(all[n / 2], d, r2);
}

/// Whether the kernels know all damping of the lattice. They know friction on nodes and dampers
/// along unbreakable springs, both with a constant c.
template <typename Impl>
bool takes_damping(const Impl& m) {
  if (!m.other_damping) return true;
  const auto grows = [](const Damping& d) { return !d.growth().is_none(); };
  const Lattice& lattice = m.lattice;
  return std::none_of(lattice.nodes.begin(),
                      lattice.nodes.end(),
                      [&](const LatticeNode& node) { return grows(node.damping); }) &&
         std::none_of(lattice.hinges.begin(),
                      lattice.hinges.end(),
                      [](const RotationalSpring& hinge) { return hinge.damping.is_active(); }) &&
         std::none_of(m.damped.begin(), m.damped.end(), [&](std::int32_t s) {
           return grows(lattice.springs[at(s)].damping) ||
                  std::binary_search(m.breakable.begin(), m.breakable.end(), s);
         });
}

template <typename Impl>
void add_bonds(const Impl& m, FastParts& parts) {
  const std::vector<Spring>& springs = m.lattice.springs;
  parts.bonds.reserve(springs.size() + m.damped.size());
  std::vector<bool> breaks(springs.size(), false);
  for (const std::int32_t index : m.breakable)
    breaks[at(index)] = true;
  for (std::size_t s = 0; s < springs.size(); ++s) {
    if (breaks[s]) continue;
    const Spring& spring = springs[s];
    if (spring.law == SpringLaw::quartic || spring.law == SpringLaw::linear)
      parts.bonds.push_back(bond_of(spring));
    else
      parts.bonds.push_back({spring.a,
                             spring.b,
                             spring.rest_length,
                             2.0 * m.curve_number[s] + (spring.tension_only ? 1.0 : 0.0),
                             tiles::PairLaw::curve});
  }
  parts.curves = {curve_over_length, &m.spring_curves};
  std::vector<double> decay(m.damped.empty() ? 0 : m.mass.size(), 0.0);
  for (const std::int32_t index : m.damped) {
    const Spring& spring = springs[at(index)];
    const double c = spring.damping.linear(m.mean_mass(spring));
    parts.bonds.push_back({spring.a, spring.b, c, 0.0, tiles::PairLaw::damper});
    for (const std::int32_t node : {spring.a, spring.b})
      decay[at(node)] += 2.0 * std::abs(c);  // bound of the sum of |C| along a row
  }
  const auto dim = static_cast<std::size_t>(parts.dimension);
  for (std::size_t i = 0; i < decay.size() * dim; ++i)
    parts.fastest_decay =
        std::max(parts.fastest_decay, (decay[i / dim] + m.friction[i / dim]) * m.inverse_mass[i]);
}

/// For each DOF its index in FastParts::loaded, -1: not loaded; empty as long as nothing is loaded.
using LoadedIndex = std::vector<std::int32_t>;

/// Index of a DOF in FastParts::loaded, where it is added if it is not there yet.
std::int32_t load_dof(std::size_t dof, FastParts& parts, LoadedIndex& index) {
  if (index.empty()) index.assign(parts.inverse_mass.size(), -1);
  if (index[dof] < 0) {
    index[dof] = static_cast<std::int32_t>(parts.loaded.size());
    parts.loaded.push_back(static_cast<std::int32_t>(dof));
  }
  return index[dof];
}

template <typename Impl>
void add_loads(const Impl& m, FastParts& parts, LoadedIndex& index) {
  const auto dim = static_cast<std::size_t>(parts.dimension);
  for (std::size_t l = 0; l < m.lattice.loads.size(); ++l) {
    const Load& load = m.lattice.loads[l];
    ChangingLoad changing{load.force, load.from, load.until, load.until_step, 0, {-1, -1, -1}};
    for (std::size_t axis = 0; axis < dim; ++axis) {
      const std::size_t dof = at(load.node) * dim + axis;
      const double force = load.force(static_cast<Eigen::Index>(axis));
      if (m.inverse_mass[dof] == 0.0 || force == 0.0) continue;
      if (is_constant(load))
        parts.constant_load[dof] += force * m.load_curves[l].at(0.0).value;
      else
        changing.index[axis] = load_dof(dof, parts, index);
    }
    if (is_constant(load)) continue;
    changing.history = parts.load_histories.number(load.history, m.load_curves[l]);
    parts.loads.push_back(changing);
  }
}

template <typename Impl>
void add_motions(const Impl& m, FastParts& parts) {
  for (std::size_t i = 0; i < m.lattice.motions.size(); ++i) {
    const PrescribedMotion& motion = m.lattice.motions[i];
    const double mass = m.mass[at(motion.node)];
    const auto dof = m.dof(motion);
    parts.prescribed.push_back(static_cast<std::int32_t>(dof));
    parts.motions.push_back(
        {m.lattice.nodes[at(motion.node)].position(motion.axis),
         mass,
         m.momentum_mass[at(motion.node)],
         parts.motion_histories.number(motion.displacement, m.motion_curves[i])});
    // the kernel treats it as free; without mass its acceleration is the force
    parts.inverse_mass[dof] = mass > 0.0 ? 1.0 / mass : 1.0;
  }
}

/// Adds the special springs and hinges: springs that may break, and all hinges.
template <typename Impl>
void add_specials(const Impl& m, FastParts& parts, LoadedIndex& index) {
  if (m.breakable.empty() && m.lattice.hinges.empty()) return;
  const auto dim = static_cast<std::size_t>(parts.dimension);
  std::vector<bool> is_seen(m.lattice.nodes.size(), false);
  const auto see = [&](std::int32_t spring) {
    for (const std::int32_t node :
         {m.lattice.springs[at(spring)].a, m.lattice.springs[at(spring)].b}) {
      if (is_seen[at(node)]) continue;
      is_seen[at(node)] = true;
      for (std::size_t dof = at(node) * dim; dof < (at(node) + 1) * dim; ++dof) {
        parts.observed.push_back(static_cast<std::int32_t>(dof));
        parts.special.push_back(load_dof(dof, parts, index));
      }
    }
  };
  for (const std::int32_t spring : m.breakable)
    see(spring);
  for (const RotationalSpring& hinge : m.lattice.hinges) {
    see(hinge.a);
    see(hinge.b);
  }
  parts.add_special = [&m](const Memory& memory, std::span<const double> q, std::span<double> f) {
    m.add_each(m.breakable, memory, q, f);
    m.add_hinges(memory, q, f);
  };
}

}  // namespace

std::unique_ptr<FastLeapfrog> LatticeSystem::fast_leapfrog() const {
  const Impl& m = *impl_;
  if (m.lattice.nodes.size() < kMinNodes || !takes_damping(m)) return nullptr;
  const auto special_count = static_cast<double>(m.breakable.size() + m.lattice.hinges.size());
  if (special_count > kMostSpecial * static_cast<double>(m.lattice.springs.size())) return nullptr;
  FastParts parts;
  parts.dimension = m.lattice.dimension;
  parts.inverse_mass = m.inverse_mass;
  parts.system = this;
  parts.weight.resize(dof_count());
  m.gravity(parts.weight);
  parts.constant_load.resize(dof_count());
  if (m.simple_friction) {
    const auto dim = static_cast<std::size_t>(parts.dimension);
    for (std::size_t i = 0; i < dof_count(); ++i)
      parts.rates.push_back(m.friction[i / dim] * m.inverse_mass[i]);
  }
  add_bonds(m, parts);
  LoadedIndex index;
  add_loads(m, parts, index);
  add_motions(m, parts);
  add_specials(m, parts, index);
  auto fast = std::make_unique<TiledLeapfrog>(std::move(parts), start().q);
  if (!fast->is_supported()) return nullptr;
  return fast;
}

}  // namespace femflex::hamiltonian
