// Lists the requested channels with their units, then computes one row of values per sample:
// energies of springs, nodes and groups, polar coordinates, mass from energy.
#include "lattice/lattice_channels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

#include "femflex/channel.h"
#include "femflex/errors.h"
#include "femflex/number_list.h"

namespace femflex::tools {
namespace {

using namespace hamiltonian;
using mbd_solver::Channel;

// Largest number of springs shown without --springs; with more, rows would have megabytes.
constexpr std::size_t kFewSprings = 2000;

[[noreturn]] void refuse_channel(const std::string& message, const std::string& fix) {
  throw UsageError("usage", message, {}, fix);
}

std::string spring_name(std::size_t spring) {
  return fmt::format("spring{}", spring + 1);
}

/// 2 E / v^2 [kg]; NaN at rest.
double mass_from(double kinetic, double squared_speed) {
  return squared_speed > 0.0 ? 2.0 * kinetic / squared_speed
                             : std::numeric_limits<double>::quiet_NaN();
}

double gravity_energy(const LatticeSystem& system,
                      const Eigen::Vector3d& position,
                      std::size_t node) {
  return -system.masses()[node] * system.lattice().gravity.dot(position);
}

}  // namespace

const std::vector<std::string>& channel_words() {
  static const std::vector<std::string> words = {"springs", "nodes", "parts", "polar", "mass"};
  return words;
}

void choose_channels(const std::vector<std::string>& words, ChannelChoice& choice) {
  for (const std::string& word : words) {
    if (word == "springs")
      choice.springs = true;
    else if (word == "nodes")
      choice.nodes = true;
    else if (word == "parts")
      choice.parts = true;
    else if (word == "polar")
      choice.polar = true;
    else if (word == "mass")
      choice.mass = true;
    else
      refuse_channel(fmt::format("--show: there is no '{}'", word),
                     "springs, nodes, parts, polar or mass, with commas between them");
  }
}

std::pair<std::string, std::vector<std::int64_t>> parse_group(const std::string& text) {
  const std::size_t at = text.find('=');
  if (at == std::string::npos || at == 0 || at + 1 == text.size() || text.find('/') < at)
    refuse_channel(fmt::format("--group: '{}' is not NAME=SPRINGS", text),
                   "for example shear=1-9,12");
  return {text.substr(0, at), parse_number_list(text.substr(at + 1))};
}

LatticeChannels::LatticeChannels(const LatticeSystem& system,
                                 ChannelChoice choice,
                                 std::vector<std::size_t> nodes,
                                 double load_factor,
                                 bool statics)
    : system_(system),
      choice_(std::move(choice)),
      nodes_(std::move(nodes)),
      load_factor_(load_factor),
      statics_(statics) {
  if (choice_.springs) {
    for (const std::int64_t number : choice_.spring_numbers)
      springs_.push_back(spring_index(number));
    if (springs_.empty()) {
      springs_.resize(system.lattice().springs.size());
      std::iota(springs_.begin(), springs_.end(), std::size_t{0});
      if (springs_.size() > kFewSprings)
        refuse_channel(
            fmt::format("--show springs: {} springs are too many to show all", springs_.size()),
            "name some with --springs LIST");
    }
  }
  for (const auto& [name, members] : choice_.groups)
    for (const std::int64_t number : members)
      (void)spring_index(number);
  if (choice_.polar) centre_ = found_centre();
  if (choice_.beam) beam_.emplace(system, *choice_.beam);
}

std::size_t LatticeChannels::spring_index(std::int64_t number) const {
  const auto count = static_cast<std::int64_t>(system_.lattice().springs.size());
  if (number < 1 || number > count)
    refuse_channel(fmt::format("there is no spring {}, the lattice has {}", number, count),
                   "springs count from 1 in the order of the list");
  return static_cast<std::size_t>(number - 1);
}

Eigen::Vector3d LatticeChannels::found_centre() const {
  const Lattice& lattice = system_.lattice();
  if (lattice.dimension < 2)
    refuse_channel("--show polar: a lattice of one dimension has no angles", "leave it out");
  Eigen::Vector3d out = Eigen::Vector3d::Zero();
  if (choice_.centre) {
    if (static_cast<int>(choice_.centre->size()) != lattice.dimension)
      refuse_channel(fmt::format("--centre: {} numbers, the lattice has {} dimensions",
                                 choice_.centre->size(),
                                 lattice.dimension),
                     "give one per dimension");
    for (std::size_t axis = 0; axis < choice_.centre->size(); ++axis)
      out(static_cast<Eigen::Index>(axis)) = (*choice_.centre)[axis];
    return out;
  }
  int held = 0;
  for (const LatticeNode& node : lattice.nodes) {
    if (!std::all_of(node.fixed.begin(), node.fixed.begin() + lattice.dimension, std::identity()))
      continue;
    out = node.position;
    ++held;
  }
  if (held != 1)
    refuse_channel(fmt::format("--show polar: {} nodes are held, one would be the centre", held),
                   "give --centre X,Y");
  return out;
}

std::vector<Channel> LatticeChannels::channels() const {
  std::vector<Channel> out;
  for (const std::size_t spring : springs_) {
    out.push_back({channel_text(spring_name(spring), "length"), "m"});
    out.push_back({channel_text(spring_name(spring), "force"), "N"});
    out.push_back({channel_text(spring_name(spring), "potential"), "J"});
  }
  for (const auto& [name, members] : choice_.groups)
    out.push_back({channel_text(name, "potential"), "J"});
  if (choice_.parts) {
    for (const char* part : {"springs", "hinges", "gravity"})
      out.push_back({channel_text(part, "potential"), "J"});
    for (std::size_t h = 0; h < system_.lattice().hinges.size(); ++h)
      out.push_back({channel_text(fmt::format("hinge{}", h + 1), "potential"), "J"});
  }
  const auto id = [&](std::size_t node) {
    return std::to_string(system_.lattice().nodes[node].id);
  };
  if (choice_.nodes)
    for (const std::size_t node : nodes_)
      for (const char* what : {"kinetic", "potential"})
        out.push_back({channel_text(id(node), what), "J"});
  for (const std::size_t node : nodes_) {
    if (choice_.polar) {
      out.push_back({channel_text(id(node), "radius"), "m"});
      out.push_back({channel_text(id(node), "angle"), "rad"});
      out.push_back({channel_text(id(node), "velocity", "radial"), "m/s"});
      out.push_back({channel_text(id(node), "velocity", "around"), "m/s"});
    }
    if (choice_.mass) out.push_back({channel_text(id(node), "mass_from_energy"), "kg"});
    if (choice_.mass && choice_.polar)
      out.push_back({channel_text(id(node), "mass_from_energy", "around"), "kg"});
    if (beam_) {
      out.push_back({channel_text(id(node), "deflection"), "m"});
      out.push_back({channel_text(id(node), "bending_stiffness"), "N m^2"});
    }
  }
  return out;
}

Eigen::Vector3d LatticeChannels::vector_of(const std::vector<double>& values,
                                           std::size_t node) const {
  Eigen::Vector3d out = Eigen::Vector3d::Zero();
  const auto dim = static_cast<std::size_t>(system_.lattice().dimension);
  for (std::size_t axis = 0; axis < dim; ++axis)
    out(static_cast<Eigen::Index>(axis)) = values[node * dim + axis];
  return out;
}

Eigen::Vector3d LatticeChannels::velocity_of(const State& state, std::size_t node) const {
  return vector_of(state.p, node) / system_.momentum_masses()[node];
}

void LatticeChannels::append_springs(const State& state, std::vector<double>& row) const {
  for (const std::size_t spring : springs_) {
    const SpringReading reading = system_.read_spring(state, spring);
    row.push_back(reading.length);
    row.push_back(reading.force);
    row.push_back(system_.spring_energy(state, spring));
  }
  for (const auto& [name, members] : choice_.groups) {
    double sum = 0.0;
    for (const std::int64_t number : members)
      sum += system_.spring_energy(state, spring_index(number));
    row.push_back(sum);
  }
}

void LatticeChannels::append_parts(const State& state, std::vector<double>& row) const {
  double in_springs = 0.0;
  for (std::size_t spring = 0; spring < system_.lattice().springs.size(); ++spring)
    in_springs += system_.spring_energy(state, spring);
  const std::vector<double> hinges = system_.hinge_energies(state);
  double in_gravity = 0.0;
  for (std::size_t node = 0; node < system_.lattice().nodes.size(); ++node)
    in_gravity += gravity_energy(system_, vector_of(state.q, node), node);
  row.push_back(in_springs);
  row.push_back(std::accumulate(hinges.begin(), hinges.end(), 0.0));
  row.push_back(in_gravity);
  row.insert(row.end(), hinges.begin(), hinges.end());
}

void LatticeChannels::append_nodes(const State& state, std::vector<double>& row) const {
  std::vector<double> potential(system_.lattice().nodes.size(), 0.0);
  for (std::size_t s = 0; s < system_.lattice().springs.size(); ++s) {
    const Spring& spring = system_.lattice().springs[s];
    const double half = 0.5 * system_.spring_energy(state, s);
    potential[static_cast<std::size_t>(spring.a)] += half;
    potential[static_cast<std::size_t>(spring.b)] += half;
  }
  for (const std::size_t node : nodes_) {
    row.push_back(0.5 * system_.masses()[node] * velocity_of(state, node).squaredNorm());
    row.push_back(potential[node] + gravity_energy(system_, vector_of(state.q, node), node));
  }
}

void LatticeChannels::append_motion(const Sample& sample, std::vector<double>& row) {
  const bool is_first = angles_.empty();
  angles_.resize(nodes_.size(), 0.0);
  const double kinetic = sample.energy.kinetic;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Eigen::Vector3d v = velocity_of(sample.state, nodes_[i]);
    double around = 0.0;
    if (choice_.polar) {
      const Eigen::Vector2d arm = (vector_of(sample.state.q, nodes_[i]) - centre_).head<2>();
      const double radius = arm.norm();
      const double angle = std::atan2(arm.x(), -arm.y());
      angles_[i] = is_first
                       ? angle
                       : angles_[i] + std::remainder(angle - angles_[i], 2.0 * std::numbers::pi);
      const Eigen::Vector2d out =
          radius > 0.0 ? Eigen::Vector2d(arm / radius) : Eigen::Vector2d::Zero();
      around = out.x() * v.y() - out.y() * v.x();
      row.insert(row.end(), {radius, angles_[i], out.dot(v.head<2>()), around});
    }
    if (choice_.mass) row.push_back(mass_from(kinetic, v.squaredNorm()));
    if (choice_.mass && choice_.polar) row.push_back(mass_from(kinetic, around * around));
    if (beam_) {
      const double deflection = beam_->deflection(nodes_[i], sample.state.q);
      const double load = beam_->load(beam_instant(sample.state, statics_), load_factor_);
      row.push_back(deflection);
      row.push_back(beam_->bending_stiffness(load, beam_->place(nodes_[i]), deflection));
    }
  }
}

void LatticeChannels::append(const Sample& sample, std::vector<double>& row) {
  append_springs(sample.state, row);
  if (choice_.parts) append_parts(sample.state, row);
  if (choice_.nodes) append_nodes(sample.state, row);
  append_motion(sample, row);
}

}  // namespace femflex::tools
