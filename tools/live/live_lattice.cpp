// A lattice that runs on a live page: advances the lattice in time, draws it, and lets the user
// drag its nodes and cut its springs.
#include "live/live_lattice.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "femflex/channel.h"
#include "femflex/errors.h"
#include "femflex/hamiltonian/lattice_system.h"
#include "femflex/hamiltonian/stepping.h"
#include "femflex/progress.h"

#include "lattice/lattice_json.h"
#include "lattice/lattice_start.h"
#include "live/lattice_frequencies.h"
#include "live/lattice_signs.h"

namespace femflex::live {
namespace {

using hamiltonian::Lattice;
using hamiltonian::LatticeSystem;
using hamiltonian::State;
using tools::Json;

// as for `femflex lattice`: largest lattice of which all nodes are recorded
constexpr std::size_t kMostRecorded = 2000;
constexpr double kShareOfStable =
    0.2;  // ratio of the step to the stable step for a large lattice, as in `femflex lattice`
// the same ratio for up to kFewSprings springs; the energy then varies by a few thousandths
constexpr double kShareOfFew = 0.05;
constexpr std::size_t kFewSprings = 10'000;
constexpr double kLongestStep = 1.0 / 240;  // [s] a quarter of the time between two pictures at
                                            // normal speed
// a step is stable if amplitudes do not double within this time, which is longer than a usual
// session
constexpr double kWatched = 600.0;     // [s]
constexpr double kHandDamping = 0.3;   // damping ratio of the spring between node and pointer
constexpr double kSlowestHand = 0.5;   // [Hz] lowest frequency of a node connected to the pointer
constexpr double kMostColoured = 4e4;  // largest number of springs for which springs are coloured

class LatticeLiveState : public LiveState {
 public:
  LatticeLiveState(State now, State first, std::vector<double> of_nodes)
      : state(std::move(now)), start(std::move(first)), masses(std::move(of_nodes)) {}
  State state;
  State start;                 // state used for references of kind "current"
  std::vector<double> masses;  // per node [kg]
};

class LiveLattice : public LiveModel {
 public:
  explicit LiveLattice(const Json& json) : document_(tools::read_lattice_json(json)) {
    integrator_ = document_.integrator.empty()
                      ? hamiltonian::Integrator::leapfrog
                      : hamiltonian::parse_integrator(document_.integrator);
    system_ = std::make_unique<LatticeSystem>(document_.lattice);
    start_ = tools::start_of_run(*system_, document_, no_progress());
    system_->set_current_references(start_);
    State first = start_;
    go_on_from(std::move(first), document_.lattice.step);
    draw();
    name_channels();
  }

  const Drawing& drawing() const override { return drawing_; }

  void places(std::vector<float>& out) override {
    const auto dim = dimension();
    const std::vector<double>& q = run_->state().q;
    out.assign(3 * drawing_.vertices, 0.0F);
    for (std::size_t i = 0; i < node_count(); ++i) {
      for (std::size_t axis = 0; axis < dim; ++axis)
        out[3 * i + axis] = static_cast<float>(q[i * dim + axis]);
    }
    signs_->places(*system_, run_->state(), out);
  }

  void tensions(std::vector<std::int8_t>& out) override {
    const std::size_t count = spring_count();
    out.clear();
    if (static_cast<double>(count) > kMostColoured) return;
    const auto readings = system_->read_springs(run_->state());
    double most = 0.0;
    for (std::size_t s = 0; s < count; ++s)
      most = std::max(most, std::abs(readings[s].force));
    largest_force_ = std::max(largest_force_ * kFade, most);
    constexpr double kFull = 127.0;
    constexpr std::int8_t kBroken = -128;
    for (std::size_t s = 0; s < count; ++s)
      out.push_back(readings[s].broken ? kBroken
                    : largest_force_ > 0.0
                        ? static_cast<std::int8_t>(kFull * readings[s].force / largest_force_)
                        : std::int8_t{0});
  }

  double time() const override { return run_->state().time; }
  bool advance(std::int64_t steps) override { return run_->advance(steps); }
  std::string failure() const override { return run_->failure(); }
  LiveEnergy energy() override {
    const hamiltonian::Energy now = run_->energy();
    return {now.kinetic, now.potential, run_->work() - run_->broken()};
  }

  std::vector<LiveFrequency> frequencies(bool asked) override {
    std::vector<LiveFrequency> out;
    for (const std::complex<double> value : system_->eigenvalues(run_->state())) {
      if (value.imag() < 0.0) continue;
      const double size = std::abs(value);
      out.push_back({size / (2.0 * std::numbers::pi), size > 0.0 ? -value.real() / size : 0.0});
    }
    if (out.empty() && asked) return lowest_frequencies(*system_, run_->state());
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.hz < b.hz; });
    return out;
  }

  LiveStepping stepping() const override {
    return {
        std::string(name_of(integrator_)), hamiltonian::integrator_names(), run_->step(), stable_};
  }
  void look_at_stability() override { find_stable_step(run_->state()); }
  void set_stepping(const std::string& integrator, double step) override {
    integrator_ = hamiltonian::parse_integrator(integrator);
    State now = run_->state();
    go_on_from(std::move(now), step);
  }

  void grab(std::size_t vertex, const Eigen::Vector3d& pointer) override {
    if (vertex >= node_count()) throw UsageError("no-node", "there is no such node");
    const auto dim = dimension();
    double mass = 0.0;
    for (std::size_t axis = 0; axis < dim; ++axis)
      if (system_->inverse_masses()[vertex * dim + axis] > 0.0) mass = masses()[vertex];
    if (!(mass > 0.0))
      throw UsageError(
          "held", fmt::format("node {} is held", node(vertex).id), {}, "free it first");
    hand_ = Hand{vertex, stiffness_at(vertex, mass), mass};
    State now = run_->state();
    now.q.resize(node_count() * dim);
    now.p.resize(node_count() * dim);
    now.memory.broken.resize(spring_count());
    tie(now, pointer);
  }
  void drag(const Eigen::Vector3d& pointer) override {
    if (!hand_) return;
    State now = run_->state();
    put_pointer(now, pointer);
    run_->set_state(std::move(now));
  }
  void release() override {
    if (!hand_) return;
    hand_.reset();
    State now = run_->state();
    now.q.resize(node_count() * dimension());
    now.p.resize(node_count() * dimension());
    now.memory.broken.resize(spring_count());
    make_system(document_.lattice);
    go_on_from(std::move(now), run_->step());
  }
  bool cut(const std::string& path) override {
    constexpr std::string_view kSprings = "springs/";
    if (!path.starts_with(kSprings)) return false;
    std::size_t spring = spring_count();
    std::from_chars(path.data() + kSprings.size(), path.data() + path.size(), spring);
    if (spring >= spring_count()) throw UsageError("no-spring", "there is no such spring");
    State now = run_->state();
    now.memory.broken[spring] = 1;
    go_on_from(std::move(now), run_->step());
    return true;
  }

  std::unique_ptr<LiveState> state() const override {
    State now = run_->state();
    now.q.resize(node_count() * dimension());
    now.p.resize(node_count() * dimension());
    now.memory.broken.resize(spring_count());
    return std::make_unique<LatticeLiveState>(std::move(now), start_, system_->momentum_masses());
  }
  bool take_over(const LiveState& other) override {
    const auto* kept = dynamic_cast<const LatticeLiveState*>(&other);
    if (kept == nullptr || kept->state.q.size() != node_count() * dimension() ||
        kept->state.memory.angles.size() != document_.lattice.hinges.size())
      return false;
    hand_.reset();
    make_system(document_.lattice);
    start_ = kept->start;
    system_->set_current_references(start_);
    State now = kept->state;
    now.memory.broken.resize(spring_count(), 0);
    // if a mass has changed, its velocity is kept
    const auto dim = dimension();
    for (std::size_t i = 0; i < now.p.size(); ++i) {
      const double before = kept->masses[i / dim];
      if (before > 0.0) now.p[i] *= system_->momentum_masses()[i / dim] / before;
    }
    tools::go_on_with_changes(*system_, now);
    const double step = run_->step();
    const bool was_given = document_.lattice.step > 0.0 || step_is_given_;
    go_on_from(std::move(now), was_given ? step : 0.0);
    return true;
  }

  const std::vector<mbd_solver::Channel>& channels() const override { return channels_; }
  std::vector<double> values() override {
    std::vector<double> out;
    const State& now = run_->state();
    const auto dim = dimension();
    for (std::size_t i = 0; i < recorded_; ++i) {
      for (std::size_t axis = 0; axis < dim; ++axis)
        out.push_back(now.q[i * dim + axis]);
      for (std::size_t axis = 0; axis < dim; ++axis)
        out.push_back(now.p[i * dim + axis] / system_->momentum_masses()[i]);
    }
    out.insert(out.end(), now.memory.angles.begin(), now.memory.angles.end());
    return out;
  }
  std::pair<std::string, std::string> picture() const override {
    return {"lattice", tools::lattice_json(document_.lattice).dump_line()};
  }

 private:
  struct Hand {
    std::size_t node = 0;
    double stiffness = 0.0;  // [N/m]
    double mass = 0.0;       // [kg]
  };
  static constexpr double kFade = 0.98;  // factor by which the colour scale decreases per picture

  std::size_t dimension() const { return static_cast<std::size_t>(document_.lattice.dimension); }
  std::size_t node_count() const { return document_.lattice.nodes.size(); }
  std::size_t spring_count() const { return document_.lattice.springs.size(); }
  const hamiltonian::LatticeNode& node(std::size_t i) const { return document_.lattice.nodes[i]; }
  const std::vector<double>& masses() const { return system_->masses(); }

  void make_system(Lattice lattice) {
    system_before_ = std::move(system_);  // run_ refers to the old system until the next run starts
    system_ = std::make_unique<LatticeSystem>(std::move(lattice));
    system_->set_current_references(start_of(system_->dof_count()));
  }
  /// The start state, with coordinates for the pointer if the system has a node for it.
  State start_of(std::size_t dofs) const {
    State out = start_;
    out.q.resize(dofs, 0.0);
    out.p.resize(dofs, 0.0);
    return out;
  }

  /// The stiffness with which springs hold a node, but at least that of a motion with kSlowestHand.
  double stiffness_at(std::size_t vertex, double mass) const {
    SparseMatrix stiffness;
    std::vector<double> inverse_mass;
    const State& now = run_->state();
    system_->tangent(now.memory, now.q, stiffness, inverse_mass);
    double sum = 0.0;
    for (std::size_t axis = 0; axis < dimension(); ++axis) {
      const auto dof = static_cast<Eigen::Index>(vertex * dimension() + axis);
      sum += std::max(0.0, stiffness.coeff(dof, dof));
    }
    const double slow = 2.0 * std::numbers::pi * kSlowestHand;
    return std::max(sum / static_cast<double>(dimension()), mass * slow * slow);
  }

  /// The lattice with the pointer as one more, fixed node, and a spring between the two.
  void tie(State& now, const Eigen::Vector3d& pointer) {
    Lattice lattice = document_.lattice;
    hamiltonian::LatticeNode held;
    held.id = 0;
    for (const hamiltonian::LatticeNode& each : lattice.nodes)
      held.id = std::max(held.id, each.id + 1);
    held.position = pointer;
    held.mass = hand_->mass;
    held.fixed = {true, true, true};
    lattice.nodes.push_back(held);
    hamiltonian::Spring spring;
    spring.a = static_cast<std::int32_t>(hand_->node);
    spring.b = static_cast<std::int32_t>(lattice.nodes.size()) - 1;
    spring.law = hamiltonian::SpringLaw::linear;
    spring.stiffness = hand_->stiffness;
    spring.rest_length = 0.0;
    spring.damping.c = 2.0 * kHandDamping * std::sqrt(hand_->stiffness * hand_->mass);
    lattice.springs.push_back(spring);
    make_system(std::move(lattice));
    now.q.resize(system_->dof_count());
    now.p.resize(system_->dof_count(), 0.0);
    now.memory.broken.push_back(0);
    put_pointer(now, pointer);
    go_on_from(std::move(now), run_->step());
  }
  void put_pointer(State& now, const Eigen::Vector3d& pointer) const {
    for (std::size_t axis = 0; axis < dimension(); ++axis)
      now.q[node_count() * dimension() + axis] = pointer(static_cast<Eigen::Index>(axis));
  }

  void find_stable_step(const State& now) {
    stable_ = hamiltonian::stable_step(
        integrator_, *system_, now, system_->fastest_motion(now), kWatched);
  }

  /// @param step  [s]; 0: chosen from the stable step
  void go_on_from(State now, double step) {
    system_->let_break(now.memory);
    find_stable_step(now);
    step_is_given_ = step > 0.0;
    if (!step_is_given_) {
      // methods without a stable step use that of leapfrog
      double limit = stable_;
      if (!(limit > 0.0))
        limit = hamiltonian::stable_step(hamiltonian::Integrator::leapfrog,
                                         *system_,
                                         now,
                                         system_->fastest_motion(now),
                                         kWatched);
      const double share = spring_count() <= kFewSprings ? kShareOfFew : kShareOfStable;
      step = limit > 0.0 ? std::min(share * limit, kLongestStep) : kLongestStep;
    }
    now.last_step = 0.0;
    run_ = std::make_unique<hamiltonian::Stepping>(*system_, integrator_, step, std::move(now));
    system_before_.reset();
  }

  void draw() {
    const Lattice& lattice = document_.lattice;
    drawing_.vertices = node_count();
    drawing_.is_planar = lattice.dimension < 3;
    Eigen::Vector3d low = Eigen::Vector3d::Constant(std::numeric_limits<double>::max());
    Eigen::Vector3d high = -low;
    for (std::size_t i = 0; i < node_count(); ++i) {
      low = low.cwiseMin(node(i).position);
      high = high.cwiseMax(node(i).position);
      const auto& fixed = node(i).fixed;
      drawing_.points.push_back(static_cast<std::uint32_t>(i));
      drawing_.held.push_back(
          std::all_of(fixed.begin(), fixed.begin() + lattice.dimension, [](bool f) { return f; })
              ? 1
              : 0);
      drawing_.item_of_vertex.push_back(static_cast<std::int32_t>(drawing_.items.size()));
      drawing_.items.push_back({fmt::format("node {}", node(i).id),
                                fmt::format("nodes/{}", i),
                                std::to_string(node(i).id)});
    }
    drawing_.size = std::max((high - low).norm(), 1e-9);
    for (std::size_t s = 0; s < spring_count(); ++s) {
      const hamiltonian::Spring& spring = lattice.springs[s];
      drawing_.lines.push_back(static_cast<std::uint32_t>(spring.a));
      drawing_.lines.push_back(static_cast<std::uint32_t>(spring.b));
      drawing_.item_of_line.push_back(static_cast<std::int32_t>(drawing_.items.size()));
      drawing_.items.push_back({fmt::format("spring {}", s + 1), fmt::format("springs/{}", s), {}});
    }
    signs_.emplace(lattice, drawing_);
  }

  void name_channels() {
    constexpr std::array kAxes = {"x", "y", "z"};
    recorded_ = node_count() <= kMostRecorded ? node_count() : 0;
    for (std::size_t i = 0; i < recorded_; ++i) {
      for (const auto& [what, unit] : {std::pair{"position", "m"}, {"velocity", "m/s"}}) {
        for (std::size_t axis = 0; axis < dimension(); ++axis)
          channels_.push_back({channel_text(std::to_string(node(i).id), what, kAxes[axis]), unit});
      }
    }
    for (std::size_t h = 0; h < document_.lattice.hinges.size(); ++h)
      channels_.push_back({channel_text(fmt::format("hinge{}", h + 1), "angle"), "rad"});
  }

  tools::LatticeDocument document_;
  hamiltonian::Integrator integrator_;
  std::unique_ptr<LatticeSystem> system_, system_before_;
  std::unique_ptr<hamiltonian::Stepping> run_;
  State start_;
  Drawing drawing_;
  std::optional<LatticeSigns> signs_;
  std::vector<mbd_solver::Channel> channels_;
  std::size_t recorded_ = 0;  // number of nodes with channels
  double stable_ = 0.0;       // largest stable step [s]
  bool step_is_given_ = false;
  double largest_force_ = 0.0;  // [N] largest force in the last pictures
  std::optional<Hand> hand_;
};

}  // namespace

std::unique_ptr<LiveModel> live_lattice(const Json& document) {
  return std::make_unique<LiveLattice>(document);
}

}  // namespace femflex::live
