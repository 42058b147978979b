// Renumbers the systems of ANSYS nodes by the nodes that files share.
#include "model/node_axes.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::importer {
namespace {

/// Axes of two files are equal if no entry differs by more: archives print seven digits of angles.
constexpr double kMaxAxesDifference = 1e-5;

/// Axes and number of the turned nodes so far.
struct TurnedNode {
  std::int64_t system = 0;  ///< 0: not turned
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
};

Eigen::Matrix3d axes_of(const FileContents& file, std::int64_t system) {
  // a reader numbers its systems from 1 in their order
  const auto place = static_cast<std::size_t>(system - 1);
  return system < 1 || place >= file.systems.size() || !file.systems[place].resolved
             ? Eigen::Matrix3d(Eigen::Matrix3d::Identity())
             : file.systems[place].resolved->axes;
}

/// New numbers of the systems of one file, and the nodes with their axes added to `known`.
void renumber(FileContents& file,
              std::unordered_map<std::int64_t, TurnedNode>& known,
              std::int64_t& last) {
  std::map<std::int64_t, std::int64_t> numbers;
  std::unordered_map<std::int64_t, std::int64_t> of_node;
  for (RawGrid& grid : file.grids) {
    const TurnedNode own{grid.displacement_system, axes_of(file, grid.displacement_system)};
    const auto [entry, is_new] = known.try_emplace(grid.id, own);
    TurnedNode& node = entry->second;
    if (is_new && own.system != 0) {
      const auto [number, is_first] = numbers.try_emplace(own.system, last + 1);
      if (is_first) ++last;
      node.system = number->second;
    } else if ((node.axes - own.axes).cwiseAbs().maxCoeff() > kMaxAxesDifference) {
      throw ModelError(
          "duplicate-grid",
          fmt::format("the axes of node {} are turned differently in another file", grid.id),
          {file.path},
          "import files of one model only");
    }
    grid.displacement_system = node.system;
    of_node[grid.id] = node.system;
  }
  std::vector<RawSystem> systems;
  for (const auto& [old, number] : numbers) {
    RawSystem system = file.systems[static_cast<std::size_t>(old - 1)];
    system.id = number;
    if (system.resolved) system.resolved->id = number;
    systems.push_back(std::move(system));
  }
  file.systems = std::move(systems);
  // forces of a deck act along the axes of their node
  for (RawForce& force : file.loads.forces)
    if (force.system != 0)
      if (const auto node = of_node.find(force.node); node != of_node.end())
        force.system = node->second;
}

}  // namespace

void unify_node_axes(std::vector<FileContents>& files) {
  std::unordered_map<std::int64_t, TurnedNode> known;
  std::int64_t last = 0;
  for (FileContents& file : files)
    if (file.format.starts_with("ansys-") && !file.grids.empty()) renumber(file, known, last);
}

}  // namespace femflex::importer
