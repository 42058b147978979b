// Leapfrog of networks of quartic and linear springs through TiledNetwork, with friction on nodes,
// loads that change with time and prescribed motions.
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

namespace femflex::hamiltonian {
namespace {

// number of nodes from which on the fast engine is worth its setup
constexpr std::size_t kMinNodes = 32;
// Springs and hinges that the kernels do not know, per spring, up to which the rest gains more than
// single steps and copied positions cost: measured 1.4 times faster at half, slower where all are.
constexpr double kMostSpecial = 0.5;
// friction that lets less than this share of a velocity pass through a step leaves too few digits
// of the velocity before it
constexpr double kLeastKept = 1e-5;

/// A load that changes with time, by its DOFs.
struct ChangingLoad {
  const Load* load = nullptr;
  const CompiledFunction* history = nullptr;
  std::array<std::int32_t, 3> index = {-1, -1, -1};  // in FastParts::loaded; -1: a held DOF

  double amount(const Instant& instant) const {
    const bool acts = instant.middle >= load->from && instant.middle < load->until &&
                      instant.step < load->until_step;
    return acts ? history->at(instant.time).value : 0.0;
  }
};

struct Motion {
  double start = 0.0;  // [m]
  double mass = 0.0;   // [kg]
  const CompiledFunction* displacement = nullptr;
};

/// A lattice in the terms of the fast engine; DOFs of prescribed motion count as free.
struct FastParts {
  int dimension = 3;
  std::vector<Bond> bonds;
  std::vector<double> inverse_mass, rates;  // 1/m, c/m of friction; per DOF
  std::vector<double> weight, pull;         // gravity and constant loads per DOF [N]
  std::vector<ChangingLoad> loads;
  std::vector<Motion> motions;
  // DOFs; those of nodes at springs and hinges that the kernels do not know are seen
  std::vector<std::int32_t> loaded, moved, seen;
  std::vector<std::int32_t> special;  // loaded DOFs of seen nodes, by index in `loaded`
  // adds the forces of those springs and hinges
  std::function<void(const Memory&, std::span<const double>, std::span<double>)> add_special;
  const LatticeSystem* system = nullptr;

  TiledNetwork::Input input(const std::vector<double>& constant,
                            const std::vector<double>& positions) const {
    return {dimension, bonds, inverse_mass, constant, positions, rates, loaded, moved, seen};
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
        network_(parts_.input(sum(parts_.weight, parts_.pull), positions)),
        u_(positions.size()),
        a_(positions.size()),
        q_(positions),
        force_(positions.size()) {
    drive_.before.resize(parts_.loaded.size());
    drive_.after = drive_.mean = drive_.before;
    drive_.target.resize(parts_.moved.size());
  }

  bool load(const State& state, double h) override {
    h_ = h;
    step_ = state.step;
    base_ =
        state.step_length == h ? state.step_base : state.time - static_cast<double>(state.step) * h;
    if (!keeps_enough()) return false;
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
    network_.store(state.q, u_);
    there_.q = state.q;
    read_accelerations();
    const std::size_t n = u_.size();
    double lost = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      const double w = parts_.inverse_mass[i];
      const double v = u_[i] + 0.5 * h_ * a_[i];  // before the friction of half a step
      const double kept = kept_of_half(i);
      state.p[i] = w == 0.0 ? 0.0 : kept * v / w;
      if (w != 0.0) lost += 0.5 * (1.0 - kept * kept) * v * v / w;
    }
    count_supports(state);
    work_.dissipated = lost_before_ - lost - (network_.work().lost - start_.lost);
    work_.given += network_.work().loads - start_.loads;
    for (std::size_t i = 0; i < n; ++i)
      work_.given += parts_.pull[i] * (state.q[i] - q_[i]);
    state.history.assign(u_.begin(), u_.end());
    state.history.push_back(h_);
    const bool has_broken = update_memory();
    state.memory = there_.memory;
    if (!has_broken) return;
    // the next step begins with other forces than the last one ended with
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
  /// Starts from a state; h_, step_ and the memory are known.
  void begin(const State& state) {
    network_.set_step(h_);
    const std::size_t n = u_.size();
    q_ = state.q;
    there_.q = state.q;
    if (state.history.size() == n + 1 && state.history[n] == h_) {
      std::copy_n(state.history.begin(), n, u_.begin());
      network_.load(state.q, u_);
    } else {
      network_.load(state.q, u_);
      read_accelerations();
      for (std::size_t i = 0; i < n; ++i)  // go back to the previous half step
        u_[i] = state.p[i] * parts_.inverse_mass[i] / kept_of_half(i) - 0.5 * h_ * a_[i];
      for (const std::int32_t dof : parts_.moved)
        u_[at(dof)] = 0.0;
      network_.load(state.q, u_);
    }
    start_ = network_.work();
    lost_before_ = lost_at_start(state);
    moving_before_ = energy_of_moved(state);
    work_ = {};
  }

  /// Counts angles and breaks springs at the positions `there_`. @return whether one broke
  bool update_memory() {
    if (parts_.seen.empty() || !parts_.system->update_memory(there_)) return false;
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

  /// The forces of springs and hinges that the kernels do not know, at the positions `there_`.
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

  double kept_of_half(std::size_t dof) const {
    return parts_.rates.empty() ? 1.0 : std::exp(-0.5 * parts_.rates[dof] * h_);
  }

  bool keeps_enough() const {
    return std::all_of(parts_.rates.begin(), parts_.rates.end(), [this](double rate) {
      return std::exp(-rate * h_) > kLeastKept;
    });
  }

  /// The loads and motions of a step.
  void fill_loads(std::int64_t step, Drive& drive) const {
    for (std::vector<double>* v : {&drive.before, &drive.after, &drive.mean})
      std::fill(v->begin(), v->end(), 0.0);
    const double now = time(step);
    for (const ChangingLoad& one : parts_.loads) {
      const double before = one.amount({now, now - 0.5 * h_, step - 1});
      const double after = one.amount({now, now + 0.5 * h_, step});
      const double mean = one.amount({now + 0.5 * h_, now + 0.5 * h_, step});
      for (std::size_t axis = 0; axis < 3; ++axis) {
        if (one.index[axis] < 0) continue;
        const double factor = one.load->force(static_cast<Eigen::Index>(axis));
        drive.before[at(one.index[axis])] += before * factor;
        drive.after[at(one.index[axis])] += after * factor;
        drive.mean[at(one.index[axis])] += mean * factor;
      }
    }
    for (std::size_t i = 0; i < parts_.motions.size(); ++i)
      drive.target[i] =
          parts_.motions[i].start + parts_.motions[i].displacement->at(time(step + 1)).value;
  }

  /// The same, with the springs and hinges that the kernels do not know.
  void fill(std::int64_t step, Drive& drive) {
    fill_loads(step, drive);
    if (parts_.seen.empty()) return;
    for (std::size_t i = 0; i < parts_.seen.size(); ++i)
      there_.q[at(parts_.seen[i])] = drive.seen[i];
    find_special();
    add_special(drive.before);
    if (update_memory()) find_special();  // without those that broke
    add_special(drive.after);
  }

  /// Accelerations at the end of the last step, with the loads that it sees.
  void read_accelerations() {
    network_.accelerations(a_);
    if (parts_.loaded.empty()) return;
    fill_loads(step_, drive_);
    if (!parts_.seen.empty()) {
      find_special();
      add_special(drive_.before);
    }
    for (std::size_t i = 0; i < parts_.loaded.size(); ++i)
      a_[at(parts_.loaded[i])] += drive_.before[i] * parts_.inverse_mass[at(parts_.loaded[i])];
  }

  /// Sets the momenta of moved DOFs, and counts the work of their supports.
  void count_supports(State& state) {
    work_.given = network_.work().supports - start_.supports - moving_before_;
    const std::vector<double> moves = network_.last_moves();
    for (std::size_t i = 0; i < parts_.moved.size(); ++i) {
      const Motion& motion = parts_.motions[i];
      const std::size_t dof = at(parts_.moved[i]);
      work_.given -= 0.5 * moves[i] * a_[dof] / parts_.inverse_mass[dof];
      state.p[dof] = motion.mass * motion.displacement->at(time(step_)).derivative;
    }
    work_.given += energy_of_moved(state);
  }

  double energy_of_moved(const State& state) const {
    double energy = 0.0;
    for (std::size_t i = 0; i < parts_.moved.size(); ++i) {
      const double p = state.p[at(parts_.moved[i])];
      if (p != 0.0) energy += 0.5 * p * p / parts_.motions[i].mass;
    }
    return energy;
  }

  /// Energy that the first kick counts as lost in the half step before the start.
  double lost_at_start(const State& state) const {
    double lost = 0.0;
    for (std::size_t i = 0; i < parts_.rates.size(); ++i) {
      const double kept = kept_of_half(i);
      const double v = state.p[i] * parts_.inverse_mass[i] / kept;
      if (v != 0.0) lost += 0.5 * (1.0 - kept * kept) * v * v / parts_.inverse_mass[i];
    }
    return lost;
  }

  FastParts parts_;
  TiledNetwork network_;
  std::vector<double> u_, a_, q_;  // q_: positions at the start
  Drive drive_;
  double h_ = 0.0, base_ = 0.0;  // [s]
  std::int64_t step_ = 0;
  TiledNetwork::Work start_;
  double lost_before_ = 0.0, moving_before_ = 0.0;  // [J]
  Work settled_, work_;                             // until the last begin(), and since
  std::vector<double> force_;                       // of the seen nodes
  State there_;                                     // memory, and positions of the seen nodes
  std::vector<std::uint8_t> known_;                 // broken springs that are accounted for
  double broken_ = 0.0;                             // [J]
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

}  // namespace

std::unique_ptr<FastLeapfrog> LatticeSystem::fast_leapfrog() const {
  const Impl& m = *impl_;
  if (m.lattice.nodes.size() < kMinNodes || m.other_damping) return nullptr;
  const auto special_count = static_cast<double>(m.special.size() + m.lattice.hinges.size());
  if (special_count > kMostSpecial * static_cast<double>(m.lattice.springs.size())) return nullptr;
  FastParts parts;
  parts.dimension = m.lattice.dimension;
  parts.bonds.reserve(m.lattice.springs.size());
  std::vector<bool> is_special(m.lattice.springs.size(), false);
  for (const std::int32_t index : m.special)
    is_special[at(index)] = true;
  for (std::size_t s = 0; s < is_special.size(); ++s) {
    if (!is_special[s]) parts.bonds.push_back(bond_of(m.lattice.springs[s]));
  }
  const auto dim = static_cast<std::size_t>(parts.dimension);
  parts.inverse_mass = m.inverse_mass;
  parts.weight.resize(dof_count());
  m.gravity(parts.weight);
  parts.pull.resize(dof_count());
  if (m.simple_friction) {
    for (std::size_t i = 0; i < dof_count(); ++i)
      parts.rates.push_back(m.friction[i / dim] * m.inverse_mass[i]);
  }
  const bool has_special = !m.special.empty() || !m.lattice.hinges.empty();
  std::vector<std::int32_t> index(m.lattice.loads.empty() && !has_special ? 0 : dof_count(), -1);
  for (std::size_t l = 0; l < m.lattice.loads.size(); ++l) {
    const Load& load = m.lattice.loads[l];
    ChangingLoad changing{&load, &m.load_curves[l], {-1, -1, -1}};
    for (std::size_t axis = 0; axis < dim; ++axis) {
      const std::size_t dof = at(load.node) * dim + axis;
      const double force = load.force(static_cast<Eigen::Index>(axis));
      if (m.inverse_mass[dof] == 0.0 || force == 0.0) continue;
      if (is_constant(load)) {
        parts.pull[dof] += force * m.load_curves[l].at(0.0).value;
        continue;
      }
      if (index[dof] < 0) {
        index[dof] = static_cast<std::int32_t>(parts.loaded.size());
        parts.loaded.push_back(static_cast<std::int32_t>(dof));
      }
      changing.index[axis] = index[dof];
    }
    if (!is_constant(load)) parts.loads.push_back(changing);
  }
  for (std::size_t i = 0; i < m.lattice.motions.size(); ++i) {
    const PrescribedMotion& motion = m.lattice.motions[i];
    const double mass = m.mass[at(motion.node)];
    const auto dof = m.dof(motion);
    parts.moved.push_back(static_cast<std::int32_t>(dof));
    parts.motions.push_back(
        {m.lattice.nodes[at(motion.node)].position(motion.axis), mass, &m.motion_curves[i]});
    // the kernel treats it as free; without mass its acceleration is the force
    parts.inverse_mass[dof] = mass > 0.0 ? 1.0 / mass : 1.0;
  }
  if (has_special) {
    std::vector<bool> is_seen(m.lattice.nodes.size(), false);
    const auto see = [&](std::int32_t spring) {
      for (const std::int32_t node :
           {m.lattice.springs[at(spring)].a, m.lattice.springs[at(spring)].b}) {
        if (is_seen[at(node)]) continue;
        is_seen[at(node)] = true;
        for (std::size_t dof = at(node) * dim; dof < (at(node) + 1) * dim; ++dof) {
          parts.seen.push_back(static_cast<std::int32_t>(dof));
          if (index[dof] < 0) {
            index[dof] = static_cast<std::int32_t>(parts.loaded.size());
            parts.loaded.push_back(static_cast<std::int32_t>(dof));
          }
          parts.special.push_back(index[dof]);
        }
      }
    };
    for (const std::int32_t spring : m.special)
      see(spring);
    for (const RotationalSpring& hinge : m.lattice.hinges) {
      see(hinge.a);
      see(hinge.b);
    }
    parts.add_special = [&m](const Memory& memory, std::span<const double> q, std::span<double> f) {
      m.add_special(memory, q, f);
      m.add_hinges(memory, q, f);
    };
    parts.system = this;
  }
  return std::make_unique<TiledLeapfrog>(std::move(parts), start().q);
}

}  // namespace femflex::hamiltonian
