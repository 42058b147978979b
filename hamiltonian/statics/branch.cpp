// Follows the equilibrium path of a lattice under growing load, and finds the point at which the
// lattice loses stability. docs/theory/hamiltonian.md §6
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "femflex/errors.h"
#include "femflex/hamiltonian/lattice_statics.h"

#include "statics/path.h"

namespace femflex::hamiltonian {
namespace {

/// @throws ModelError  there is no load that could grow
void check_load(const Path& path) {
  if (largest(path.balance().load()) > 0.0) return;
  throw ModelError("no-load",
                   "the lattice has no load that could grow: gravity is not scaled, loads that end "
                   "or are zero at this time do not count",
                   {},
                   "give it one under \"loads\"");
}

/// Text of a load factor of any size, for a message.
std::string shown(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

constexpr const char* kNoUnloadedEquilibrium =
    "no equilibrium without load to start from, or one that is not held: its tangent is singular";

}  // namespace

Branch follow_branch(const LatticeSystem& system,
                     const State& start,
                     const BranchOptions& options,
                     Progress& progress) {
  progress.begin("branch", options.max_points, "points");
  Path path(system, start, options, progress);
  check_load(path);
  Branch branch;
  PathPoint here = path.origin();
  if (!here.good) {
    branch.message = kNoUnloadedEquilibrium;
    return branch;
  }
  branch.points.push_back({here.lambda, here.negative, path.state(here)});
  const auto lost = [&](const std::string& why) {
    branch.message = why;
    progress.end();
    return branch;
  };
  while (static_cast<int>(branch.points.size()) < options.max_points) {
    SmoothArc smooth;
    try {
      smooth = path.follow_arc(here);
    } catch (const Cancelled&) {
      branch.stopped = true;
      return lost("stopped on request");
    }
    if (!smooth.good) return lost("the path could not be followed further");
    for (const CriticalPathPoint& found : smooth.critical) {
      branch.critical.push_back({found.point.lambda,
                                 found.is_limit_point,
                                 found.before,
                                 found.after,
                                 branch.points.size()});
      branch.points.push_back({found.point.lambda, found.before, path.state(found.point)});
    }
    here = smooth.to;
    branch.points.push_back({here.lambda, here.negative, path.state(here)});
    if (std::abs(here.lambda) > options.largest_factor) break;
    if (!smooth.breaks) continue;
    if (!path.break_and_balance(here))
      return lost("springs break at load factor " + shown(here.lambda) +
                  ", and no equilibrium is found without them");
    branch.points.push_back({here.lambda, here.negative, path.state(here)});
  }
  if (std::abs(here.lambda) <= options.largest_factor)
    branch.message = "ended after " + std::to_string(branch.points.size()) +
                     " points at load factor " + shown(here.lambda);
  progress.end();
  branch.complete = true;
  return branch;
}

Buckling find_buckling(const LatticeSystem& system,
                       const State& start,
                       const BranchOptions& given,
                       Progress& progress) {
  BranchOptions options = given;
  // the first of several critical points is wanted, so arcs are halved down to a millionth
  constexpr int kArcHalvings = 20;
  // least number of points; a shallow structure buckles after many arcs
  constexpr int kMinPoints = 2000;
  options.max_halvings = kArcHalvings;
  options.max_points = std::max(given.max_points, kMinPoints);
  progress.begin("buckling", options.max_points, "points");
  Path path(system, start, options, progress);
  check_load(path);
  Buckling result;
  PathPoint here = path.origin();
  const auto ended = [&](const std::string& why) {
    result.message = why;
    progress.end();
    return result;
  };
  if (!here.good) return ended(kNoUnloadedEquilibrium);
  if (here.negative != 0) return ended("the unloaded equilibrium is unstable already");
  for (int i = 0; i < options.max_points; ++i) {
    SmoothArc smooth = path.follow_arc(here);
    if (!smooth.good)
      return ended("the path is stable up to load factor " + shown(here.lambda) +
                   " and could not be followed further");
    if (!smooth.critical.empty()) {
      const CriticalPathPoint& found = smooth.critical.front();
      if (std::abs(found.point.lambda) > options.largest_factor)
        return ended("no loss of stability up to load factor " + shown(options.largest_factor));
      result.found = true;
      result.load_factor = found.point.lambda;
      result.is_limit_point = found.is_limit_point;
      result.state = path.state(found.point);
      const Eigen::VectorXd shape = path.weakest_shape(found.point);
      result.shape.assign(shape.data(), shape.data() + shape.size());
      progress.end();
      return result;
    }
    here = smooth.to;
    if (std::abs(here.lambda) > options.largest_factor)
      return ended("no loss of stability up to load factor " + shown(options.largest_factor));
    if (smooth.breaks && !path.break_and_balance(here))
      return ended("springs break at load factor " + shown(here.lambda) +
                   ", and no equilibrium is found without them");
    if (here.negative != 0)
      return ended("springs break at load factor " + shown(here.lambda) +
                   ", and the equilibrium without them is unstable");
  }
  return ended("the path is stable up to load factor " + shown(here.lambda) + ", where " +
               std::to_string(options.max_points) + " points were used up");
}

}  // namespace femflex::hamiltonian
