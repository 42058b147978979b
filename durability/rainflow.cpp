// Rainflow counting. Of four turning points A, B, C, D the inner range B-C is a cycle if neither
// outer range is smaller; B and C are then removed. The ranges between the remaining points (the
// residue) first increase, then decrease.
#include "femflex/durability/rainflow.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "femflex/errors.h"
#include "femflex/name_table.h"

namespace femflex::durability {
namespace {

/// Counts cycles of a sequence of turning points that are added one by one.
class FourPoints {
 public:
  void add(double point) {
    open_.push_back(point);
    while (open_.size() >= 4) {
      const double* p = open_.data() + open_.size() - 4;
      const double inner = std::abs(p[2] - p[1]);
      if (inner > std::abs(p[1] - p[0]) || inner > std::abs(p[3] - p[2])) return;
      cycles_.push_back({inner, 0.5 * (p[1] + p[2]), 1.0});
      open_[open_.size() - 3] = open_.back();
      open_.resize(open_.size() - 2);
    }
  }
  const std::vector<double>& residue() const { return open_; }
  std::vector<Cycle>& cycles() { return cycles_; }

 private:
  std::vector<double> open_;
  std::vector<Cycle> cycles_;
};

constexpr auto kResidues =
    name_table<Residue>({{Residue::half_cycles, "half-cycles"}, {Residue::repeated, "repeated"}});

}  // namespace

Residue parse_residue(std::string_view name) {
  return kResidues.parse(name, "residue", "a treatment of the residue");
}

std::vector<std::string> residue_names() {
  return kResidues.names();
}

std::vector<double> turning_points(std::span<const double> values) {
  std::vector<double> out;
  for (const double value : values) {
    if (!out.empty() && value == out.back()) continue;
    const std::size_t n = out.size();
    const bool goes_on = n >= 2 && (out[n - 1] > out[n - 2]) == (value > out[n - 1]);
    if (goes_on)
      out.back() = value;
    else
      out.push_back(value);
  }
  return out;
}

std::vector<Cycle> rainflow(std::span<const double> values, Residue residue) {
  FourPoints counter;
  for (const double point : turning_points(values))
    counter.add(point);
  std::vector<Cycle> cycles = std::move(counter.cycles());
  const std::vector<double> open = counter.residue();
  if (residue == Residue::half_cycles) {
    for (std::size_t k = 0; k + 1 < open.size(); ++k)
      cycles.push_back({std::abs(open[k + 1] - open[k]), 0.5 * (open[k] + open[k + 1]), 0.5});
    return cycles;
  }
  // Counts the residue followed by a copy of itself. The cycles that close are those of each
  // repetition.
  std::vector<double> twice = open;
  twice.insert(twice.end(), open.begin(), open.end());
  FourPoints second;
  for (const double point : turning_points(twice))
    second.add(point);
  cycles.insert(cycles.end(), second.cycles().begin(), second.cycles().end());
  return cycles;
}

std::vector<Cycle> collected(std::vector<Cycle> cycles) {
  std::sort(cycles.begin(), cycles.end(), [](const Cycle& a, const Cycle& b) {
    return a.range != b.range ? a.range < b.range : a.mean < b.mean;
  });
  std::vector<Cycle> out;
  for (const Cycle& cycle : cycles) {
    if (!out.empty() && out.back().range == cycle.range && out.back().mean == cycle.mean)
      out.back().count += cycle.count;
    else
      out.push_back(cycle);
  }
  return out;
}

}  // namespace femflex::durability
