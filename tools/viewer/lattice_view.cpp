// The playback view of a lattice result: positions of the masses per frame, and forces and energies
// of the springs, recomputed from the lattice stored in the result. Declared in playback.h.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "femflex/channel.h"
#include "femflex/errors.h"
#include "femflex/hamiltonian/lattice_system.h"

#include "document/json_text.h"
#include "lattice/lattice_json.h"
#include "playback.h"

namespace femflex::viewer {
namespace {

using tools::Json;
using tools::ResultSeries;

constexpr double kMaxPageValues = 12e6;  // largest number of positions, forces and energies in a
                                         // viewer page
constexpr float kNoValue = std::numeric_limits<float>::quiet_NaN();

/// A mass whose motion is in the result: its id, and the columns of its position (-1: absent).
struct ShownMass {
  std::int64_t id = 0;
  std::array<Eigen::Index, 3> columns = {-1, -1, -1};
};

/// True if a channel is a coordinate of a mass, such as "12/position/x"; sets `id` and `axis`.
bool parse_position(const std::string& name, std::int64_t& id, std::size_t& axis) {
  const ChannelName channel = parse_channel(name);
  const std::string& node = channel.object;
  const auto [end, error] = std::from_chars(node.data(), node.data() + node.size(), id);
  if (error != std::errc() || end != node.data() + node.size()) return false;
  if (channel.quantity != "position" || !channel.place.empty() || channel.component.size() != 1)
    return false;
  axis = static_cast<std::size_t>(channel.component[0] - 'x');
  return axis < 3;
}

std::vector<ShownMass> shown_masses(const ResultSeries& series) {
  std::vector<ShownMass> out;
  for (std::size_t c = 0; c < series.channels.size(); ++c) {
    std::int64_t id = 0;
    std::size_t axis = 0;
    if (!parse_position(series.channels[c].name, id, axis)) continue;
    if (out.empty() || out.back().id != id) out.push_back({.id = id});
    out.back().columns[axis] = static_cast<Eigen::Index>(c);
  }
  return out;
}

double at(const ResultSeries& series, Eigen::Index row, Eigen::Index column) {
  return column < 0 ? 0.0 : series.values(row, column);
}

/// Forces and energies of the springs between shown masses, computed by setting the lattice to each
/// row of the result. Coordinates and rates missing in the result keep their start values.
class Springs {
 public:
  Springs(hamiltonian::Lattice lattice, const std::vector<ShownMass>& shown)
      : system_(std::move(lattice)), state_(system_.start()) {
    const hamiltonian::Lattice& network = system_.lattice();
    std::map<std::int64_t, std::size_t> node_of;
    for (std::size_t i = 0; i < network.nodes.size(); ++i)
      node_of.emplace(network.nodes[i].id, i);
    std::vector<std::int64_t> shown_index(network.nodes.size(), -1);
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const auto found = node_of.find(shown[i].id);
      nodes_.push_back(found == node_of.end() ? -1 : static_cast<std::int64_t>(found->second));
      if (nodes_.back() >= 0)
        shown_index[static_cast<std::size_t>(nodes_.back())] = static_cast<std::int64_t>(i);
    }
    for (std::size_t s = 0; s < network.springs.size(); ++s) {
      const std::int64_t a = shown_index[static_cast<std::size_t>(network.springs[s].a)];
      const std::int64_t b = shown_index[static_cast<std::size_t>(network.springs[s].b)];
      if (a < 0 || b < 0) continue;
      springs_.push_back(s);
      pairs.insert(pairs.end(), {static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)});
    }
  }

  std::size_t count() const { return springs_.size(); }
  bool is_fixed(std::size_t shown) const {
    const std::int64_t node = nodes_[shown];
    if (node < 0) return false;
    const auto& fixed = system_.lattice().nodes[static_cast<std::size_t>(node)].fixed;
    return std::any_of(fixed.begin(),
                       fixed.begin() + system_.lattice().dimension,
                       [](bool is_axis_fixed) { return is_axis_fixed; });
  }

  void go_to(const ResultSeries& series, const std::vector<ShownMass>& shown, Eigen::Index row) {
    const auto dim = static_cast<std::size_t>(system_.lattice().dimension);
    for (std::size_t i = 0; i < shown.size(); ++i) {
      if (nodes_[i] < 0) continue;
      for (std::size_t k = 0; k < dim; ++k)
        if (shown[i].columns[k] >= 0)
          state_.q[static_cast<std::size_t>(nodes_[i]) * dim + k] =
              series.values(row, shown[i].columns[k]);
    }
    state_.time = series.time(row);
    if (row == 0) system_.set_current_references(state_);
    system_.update_memory(state_);  // broken springs stay broken
  }
  void read(std::vector<float>& forces, std::vector<float>& energies) const {
    const std::vector<hamiltonian::SpringReading> readings = system_.read_springs(state_);
    for (const std::size_t s : springs_) {
      const bool is_intact = !readings[s].broken;
      forces.push_back(is_intact ? static_cast<float>(readings[s].force) : kNoValue);
      energies.push_back(is_intact ? static_cast<float>(system_.spring_energy(state_, s))
                                   : kNoValue);
    }
  }

  std::vector<std::uint32_t> pairs;

 private:
  hamiltonian::LatticeSystem system_;
  hamiltonian::State state_;
  std::vector<std::int64_t> nodes_;   // index of each shown mass; -1: not in the lattice
  std::vector<std::size_t> springs_;  // indices of the springs between shown masses
};

}  // namespace

bool is_lattice_result(const ResultSeries& series) {
  std::int64_t id = 0;
  std::size_t axis = 0;
  return std::any_of(series.channels.begin(), series.channels.end(), [&](const auto& channel) {
    return parse_position(channel.name, id, axis);
  });
}

View lattice_view(const ResultSeries& series,
                  const std::filesystem::path& result_file,
                  const std::string& lattice_text,
                  Blobs& blobs) {
  const std::vector<ShownMass> shown = shown_masses(series);
  if (shown.empty())
    throw UsageError("nothing-to-show",
                     "the result holds no position of a mass",
                     {result_file.string()},
                     "name masses to show: femflex lattice L --nodes 1-100 -o R.h5");
  hamiltonian::Lattice lattice;
  if (!lattice_text.empty())
    lattice =
        tools::read_lattice_json(tools::parse_json(lattice_text, result_file.string())).lattice;
  Springs springs(std::move(lattice), shown);
  const double numbers_per_frame =
      3.0 * static_cast<double>(shown.size()) + 2.0 * static_cast<double>(springs.count());
  const auto max_frames =
      static_cast<Eigen::Index>(std::clamp(kMaxPageValues / numbers_per_frame, 20.0, 1500.0));
  const std::vector<Eigen::Index> frames = frames_of(series.time.size(), max_frames);
  std::vector<double> times;
  std::vector<double> ids;
  std::vector<float> positions;
  std::vector<float> forces;
  std::vector<float> energies;
  std::vector<std::uint8_t> is_axis_fixed;
  bool is_planar = true;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    ids.push_back(static_cast<double>(shown[i].id));
    is_axis_fixed.push_back(springs.is_fixed(i) ? 1 : 0);
    is_planar = is_planar && shown[i].columns[2] < 0;
  }
  std::size_t next_frame = 0;
  for (Eigen::Index row = 0; row < series.time.size(); ++row) {
    if (springs.count() > 0) springs.go_to(series, shown, row);
    if (frames[next_frame] != row) continue;
    ++next_frame;
    times.push_back(series.time(row));
    for (const ShownMass& mass : shown) {
      for (const Eigen::Index column : mass.columns)
        positions.push_back(static_cast<float>(at(series, row, column)));
    }
    if (springs.count() > 0) springs.read(forces, energies);
  }
  View view;
  view.title = series.name.empty() ? "lattice" : series.name;
  view.data["kind"] = "lattice";
  view.data["title"] = view.title;
  view.data["planar"] = is_planar;
  view.data["times"] = blobs.add(times);
  view.data["ids"] = blobs.add(ids);
  view.data["positions"] = blobs.add(positions);
  view.data["held"] = blobs.add(is_axis_fixed);
  view.data["pairs"] = blobs.add(springs.pairs);
  if (springs.count() > 0) {
    view.data["force"] = blobs.add(forces);
    view.data["energy"] = blobs.add(energies);
  }
  view.data["notes"] = Json::list();
  add_channels(series, view, blobs);
  return view;
}

}  // namespace femflex::viewer
