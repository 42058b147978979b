// Computes for each node the bending stiffness E I of a slender beam that would have the node's
// deflection in the direction of the load.
#include "lattice/beam_bending.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "femflex/dense.h"
#include "femflex/errors.h"

namespace femflex::tools {
namespace {

using namespace hamiltonian;

// Relative tolerance for positions and directions, because files contain rounded numbers.
constexpr double kBeamTolerance = 1e-6;
constexpr double kNoStiffness = std::numeric_limits<double>::quiet_NaN();

[[noreturn]] void refuse_beam(const std::string& message, const std::string& fix) {
  throw UsageError("not-a-beam", "--beam: " + message, {}, fix);
}

/// The direction of the sum of all loads.
Eigen::Vector3d direction_of_loads(const Lattice& lattice) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (const Load& load : lattice.loads)
    sum += load.force;
  if (!(sum.norm() > 0.0))
    refuse_beam("the lattice has no load, or its loads add up to zero", "give it \"loads\"");
  const Eigen::Vector3d out = sum.normalized();
  for (const Load& load : lattice.loads)
    if ((load.force - load.force.dot(out) * out).norm() > kBeamTolerance * sum.norm())
      refuse_beam("the loads have several directions", "keep the loads of one direction");
  return out;
}

/// Positions of the loaded nodes.
std::vector<Eigen::Vector3d> loaded_places(const Lattice& lattice) {
  std::vector<Eigen::Vector3d> out;
  for (const Load& load : lattice.loads)
    out.push_back(lattice.nodes[static_cast<std::size_t>(load.node)].position);
  return out;
}

/// Positions of the nodes that are fixed in the direction of the load.
std::vector<Eigen::Vector3d> supports(const LatticeSystem& system,
                                      const Eigen::Vector3d& direction) {
  const Lattice& lattice = system.lattice();
  std::vector<Eigen::Vector3d> out;
  for (const LatticeNode& node : lattice.nodes) {
    bool is_held = true;
    for (Eigen::Index axis = 0; axis < lattice.dimension; ++axis)
      if (std::abs(direction(axis)) > kBeamTolerance)
        is_held = is_held && node.fixed[static_cast<std::size_t>(axis)];
    if (is_held) out.push_back(node.position);
  }
  if (out.empty()) refuse_beam("no node is held in the direction of the load", "add \"fixed\"");
  return out;
}

Eigen::Vector3d mean_of(const std::vector<Eigen::Vector3d>& points) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (const Eigen::Vector3d& point : points)
    sum += point;
  return sum / static_cast<double>(points.size());
}

/// The part of a vector perpendicular to `directions`, which are orthogonal unit vectors.
Eigen::Vector3d without(Eigen::Vector3d vector, const std::vector<Eigen::Vector3d>& directions) {
  for (const Eigen::Vector3d& direction : directions)
    vector -= vector.dot(direction) * direction;
  return vector;
}

double percent(double value, double base) {
  return 100.0 * (value / base - 1.0);
}

}  // namespace

std::vector<std::string> beam_names() {
  return {"cantilever", "two-supports"};
}

BeamKind parse_beam(const std::string& name) {
  if (name == beam_names()[0]) return BeamKind::cantilever;
  if (name == beam_names()[1]) return BeamKind::two_supports;
  refuse_beam(fmt::format("there is no kind '{}'", name), "cantilever or two-supports");
}

Instant beam_instant(const State& state, bool statics) {
  return statics ? Instant::lasting(state.time) : Instant{state.time, state.time, state.step};
}

BeamBending::BeamBending(const LatticeSystem& system, BeamKind kind)
    : system_(system), kind_(kind), direction_(direction_of_loads(system.lattice())) {
  if (system.lattice().dimension < 2)
    refuse_beam("a lattice of one dimension does not bend", "leave out --beam");
  const std::vector<Eigen::Vector3d> loaded = loaded_places(system.lattice());
  const std::vector<Eigen::Vector3d> held = supports(system, direction_);
  if (kind == BeamKind::cantilever)
    find_cantilever(held, mean_of(loaded));
  else
    find_two_supports(held, mean_of(loaded));
  for (const Eigen::Vector3d& place : loaded)
    if (std::abs((place - loaded.front()).dot(axis_)) > kBeamTolerance * length_)
      refuse_beam("the loads act in several places along the beam",
                  "put all loads at one place along the beam: the formulas have a single load");
}

void BeamBending::find_cantilever(const std::vector<Eigen::Vector3d>& held,
                                  const Eigen::Vector3d& loaded) {
  origin_ = mean_of(held);
  axis_ = loaded - origin_;
  const double small = kBeamTolerance * axis_.norm();
  // the beam is perpendicular to the load and to the fixed section
  std::vector<Eigen::Vector3d> across = {direction_};
  for (const Eigen::Vector3d& support : held) {
    const Eigen::Vector3d more = without(support - origin_, across);
    if (more.norm() > small) across.push_back(more.normalized());
  }
  axis_ = without(axis_, across);
  length_ = axis_.norm();
  if (!(length_ > small))
    refuse_beam(
        "the lattice is not a cantilever, held at one place along the beam and loaded at its other "
        "end",
        "use --beam two-supports, or change \"fixed\" or \"loads\"");
  axis_ /= length_;
}

void BeamBending::find_two_supports(const std::vector<Eigen::Vector3d>& held,
                                    const Eigen::Vector3d& loaded) {
  const Eigen::Vector3d mean = mean_of(held);
  Eigen::Matrix3d scatter = Eigen::Matrix3d::Zero();
  for (const Eigen::Vector3d& support : held) {
    const Eigen::Vector3d from = without(support - mean, {direction_});
    scatter += from * from.transpose();
  }
  axis_ = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(scatter).eigenvectors().col(2);
  double first = 0.0;
  double last = 0.0;
  for (const Eigen::Vector3d& support : held) {
    first = std::min(first, (support - mean).dot(axis_));
    last = std::max(last, (support - mean).dot(axis_));
  }
  origin_ = mean + first * axis_;
  length_ = last - first;
  if (!(length_ > kBeamTolerance * (loaded - mean).norm()) || !(length_ > 0.0))
    refuse_beam("the lattice is held in one place along the beam",
                "use --beam cantilever, or hold more nodes (\"fixed\")");
  for (const Eigen::Vector3d& support : held) {
    const double at = (support - origin_).dot(axis_);
    if (std::min(std::abs(at), std::abs(at - length_)) > kBeamTolerance * length_)
      refuse_beam("the lattice is held in more than two places along the beam", "hold it at two");
  }
  const double at = (loaded - origin_).dot(axis_);
  if (std::abs(at - 0.5 * length_) > kBeamTolerance * length_)
    refuse_beam(fmt::format("the load is at {} m of {} m, not in the middle", at, length_),
                "move the load or the supports");
}

double BeamBending::load(const Instant& instant, double load_factor) const {
  std::vector<double> forces(system_.dof_count(), 0.0);
  system_.add_load(instant, forces);
  const auto dim = static_cast<std::size_t>(system_.lattice().dimension);
  double sum = 0.0;
  for (std::size_t i = 0; i < forces.size(); ++i)
    sum += forces[i] * direction_(static_cast<Eigen::Index>(i % dim));
  return load_factor * sum;
}

double BeamBending::place(std::size_t node) const {
  const double x = (system_.lattice().nodes[node].position - origin_).dot(axis_);
  return kind_ == BeamKind::two_supports ? std::min(x, length_ - x) : x;
}

double BeamBending::deflection(std::size_t node, const std::vector<double>& q) const {
  const auto dim = static_cast<std::size_t>(system_.lattice().dimension);
  double out = 0.0;
  for (std::size_t axis = 0; axis < dim; ++axis) {
    const auto a = static_cast<Eigen::Index>(axis);
    out += (q[node * dim + axis] - system_.lattice().nodes[node].position(a)) * direction_(a);
  }
  return out;
}

double BeamBending::bending_stiffness(double load, double place, double deflection) const {
  const double x = place;
  const double last = kind_ == BeamKind::cantilever ? length_ : 0.5 * length_;
  const double slack = kBeamTolerance * length_;
  if (!(x > slack) || x > last + slack || deflection == 0.0 || load == 0.0) return kNoStiffness;
  return kind_ == BeamKind::cantilever
             ? load * x * x * (3.0 * length_ - x) / (6.0 * deflection)
             : load * x * (3.0 * length_ * length_ - 4.0 * x * x) / (48.0 * deflection);
}

Json beam_json(const BeamBending& beam,
               const LatticeSystem& system,
               const std::vector<std::size_t>& nodes,
               const State& state,
               const Instant& instant,
               double load_factor) {
  Json out = Json::object();
  const double load = beam.load(instant, load_factor);
  out["length"] = beam.length();
  out["load"] = load;
  Json list = Json::list();
  double first = kNoStiffness;
  double previous = kNoStiffness;
  for (const std::size_t node : nodes) {
    const double v = beam.deflection(node, state.q);
    const double stiffness = beam.bending_stiffness(load, beam.place(node), v);
    if (std::isnan(first)) first = stiffness;
    Json entry = Json::object();
    entry["id"] = system.lattice().nodes[node].id;
    entry["x"] = beam.place(node);
    entry["deflection"] = v;
    entry["bending_stiffness"] = stiffness;
    entry["difference_to_first_percent"] = percent(stiffness, first);
    entry["difference_to_previous_percent"] = percent(stiffness, previous);
    list.push_back(entry);
    previous = stiffness;
  }
  out["nodes"] = list;
  return out;
}

std::string beam_text(const Json& beam) {
  const auto number = [](const Json& entry, const char* key) { return entry.find(key)->number(); };
  const auto shown = [&](const Json& entry, const char* key, int digits) {
    const double value = number(entry, key);
    return std::isnan(value) ? std::string("-") : fmt::format("{:.{}g}", value, digits);
  };
  std::string out = fmt::format(
      "beam of {:.6g} m under {:.6g} N\n", number(beam, "length"), number(beam, "load"));
  out += fmt::format("{:>9} {:>10} {:>14} {:>14} {:>14} {:>17}\n",
                     "beam node",
                     "x [m]",
                     "deflection [m]",
                     "EI [N m^2]",
                     "to first [%]",
                     "to previous [%]");
  for (const Json& entry : beam.find("nodes")->items())
    out += fmt::format("{:>9} {:>10} {:>14} {:>14} {:>14} {:>17}\n",
                       static_cast<std::int64_t>(number(entry, "id")),
                       shown(entry, "x", 6),
                       shown(entry, "deflection", 6),
                       shown(entry, "bending_stiffness", 6),
                       shown(entry, "difference_to_first_percent", 3),
                       shown(entry, "difference_to_previous_percent", 3));
  return out;
}

}  // namespace femflex::tools
