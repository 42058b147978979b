// Turns *DLOAD and *DSLOAD into pressures on faces, gravity and rotations. Gravity and rotation
// are made of the mass matrix, so they must act on all elements.
#include "calculix/inp_distributed.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <utility>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <fmt/format.h>

#include "femflex/element_shape.h"
#include "femflex/number.h"
#include "femflex/text.h"

namespace femflex::importer {
namespace {

// faces of shells, beside 1 to 6 of solids
constexpr int kShell = 0, kShellPositive = -1, kShellNegative = -2;
constexpr std::string_view kGravity = "GRAV", kRotation = "CENTRIF";

/// Pressures of all steps of any deck, and those that each element adds: 100 steps with a load on
/// every element. A few lines may press very many faces in very many steps.
constexpr std::size_t kPressuresOfAnyDeck = 1'000'000, kPressuresOfAnElement = 100;

}  // namespace

bool InpDistributed::Line::is_inertia() const {
  return !is_surface && (label == kGravity || label == kRotation);
}

bool InpDistributed::Line::has_axis_of(const Line& other, bool by_point) const {
  constexpr double kRoundOff = 1e-10;  // of unit vectors
  using Vector = Eigen::Map<const Eigen::Vector3d>;
  if (label != other.label) return false;
  if (label == kGravity)
    return (Vector(values.data() + 1) - Vector(other.values.data() + 1)).norm() < kRoundOff;
  const Eigen::Vector3d axis = Vector(values.data() + 4).normalized();
  const Eigen::Vector3d other_axis = Vector(other.values.data() + 4).normalized();
  const Eigen::Vector3d between = Vector(values.data() + 1) - Vector(other.values.data() + 1);
  if (by_point) return between.isZero(0.0) && (axis - other_axis).norm() < kRoundOff;
  return axis.cross(other_axis).norm() < kRoundOff &&
         axis.cross(between).norm() <= kRoundOff * between.norm();
}

bool InpDistributed::Acting::has_several_axes() const {
  const auto is_rotation = [](const Line& line) { return line.label == kRotation; };
  const auto first = std::find_if(inertia.begin(), inertia.end(), is_rotation);
  return std::any_of(first, inertia.end(), [&](const Line& line) {
    return is_rotation(line) && !line.has_axis_of(*first, true);
  });
}

/// Where the elements of the deck are.
struct InpDistributed::Faces {
  const std::vector<ElementBlock>& blocks;
  std::unordered_map<std::int64_t, std::pair<std::size_t, std::size_t>> places;

  explicit Faces(const std::vector<ElementBlock>& elements) : blocks(elements) {
    for (std::size_t b = 0; b < blocks.size(); ++b)
      for (std::size_t k = 0; k < blocks[b].ids.size(); ++k)
        places.try_emplace(blocks[b].ids[k], b, k);
  }

  /// Completes a pressure on its element by face `face` (0: a shell); false if there is no such
  /// face.
  bool complete(RawPressure& pressure, int face) const {
    const auto place = places.find(pressure.element);
    if (place == places.end()) return false;
    const ElementBlock& block = blocks[place->second.first];
    const ElementShape shape = shape_of(block.type, block.nodes_per_element);
    const int dimension = topology_of(shape).dimension;
    if (face == 0) return dimension == 2;
    const std::vector<std::vector<int>>& faces = inp_faces_of(shape);
    if (dimension != 3 || face > static_cast<int>(faces.size())) return false;
    const std::size_t start =
        place->second.second * static_cast<std::size_t>(block.nodes_per_element);
    for (const int corner : faces[static_cast<std::size_t>(face - 1)])
      pressure.corners.push_back(block.connectivity[start + static_cast<std::size_t>(corner)]);
    return true;
  }
};

void InpDistributed::begin(const std::string& keyword,
                           const InpParameters& parameters,
                           std::int64_t step,
                           bool is_perturbation) {
  keyword_ = keyword;
  step_ = step;
  if (is_perturbation) perturbations_.insert(step);
  const bool is_load = keyword == "DLOAD" || keyword == "DSLOAD";
  if (is_load && parameters.word("OP") == "NEW") new_steps_.insert(step);
  amplitude_ = InpAmplitudes::name_in(parameters);
}

void InpDistributed::data(const std::vector<std::string_view>& fields, const Where& where) {
  const auto label = [&](std::size_t k) {
    return k < fields.size() ? upper_case(fields[k]) : std::string();
  };
  if ((keyword_ != "DLOAD" && keyword_ != "DSLOAD") || step_ == 0) return;
  const std::string region = fields.empty() ? std::string() : names_.here(fields[0]);
  Line line{step_, keyword_ == "DSLOAD", region, label(1), {}, where, amplitude_};
  for (std::size_t k = 0; k < line.values.size() && k + 2 < fields.size(); ++k) {
    if (fields[k + 2].empty()) continue;
    const auto value = parse_real(fields[k + 2]);
    if (!value || !std::isfinite(*value))
      throw ParseError(
          "entry", fmt::format("'{}' is not a number", fields[k + 2].substr(0, 60)), where);
    line.values[k] = *value;
  }
  if (line.is_inertia() && line.label == kGravity)
    Eigen::Map<Eigen::Vector3d>(line.values.data() + 1).normalize();
  lines_.push_back(std::move(line));
}

std::set<std::int64_t> InpDistributed::steps() const {
  std::set<std::int64_t> out;
  for (const Line& line : lines_)
    out.insert(line.step);
  return out;
}

/// Adds a line to the loads of its step. Gravity and rotation replace those of an earlier step on
/// the same region about the same axis; in one step they add up.
void InpDistributed::take(const Line& line, InpSets& element_sets, Acting& acting) const {
  if (!line.is_inertia()) {
    if (auto refusal = take_pressure(line, element_sets, acting.pressures))
      acting.refusal = std::move(refusal);
  } else {
    std::erase_if(acting.inertia, [&](const Line& other) {
      return other.step < line.step && other.region == line.region &&
             other.has_axis_of(line, !acting.is_abaqus);
    });
    Line& taken = acting.inertia.emplace_back(line);
    if (const auto members = element_sets.members_of(line.region, line.where))
      taken.elements.insert(members->begin(), members->end());
  }
}

/// Adds the pressures of a line to those of a step: on the faces that have a load of an earlier
/// step they replace it. Returns why the line cannot be applied.
std::optional<std::string> InpDistributed::take_pressure(const Line& line,
                                                         InpSets& element_sets,
                                                         Pressures& out) const {
  std::vector<InpSurfaces::Face> regions{{line.region, line.label, line.where}};
  if (line.is_surface) {
    const auto* faces = surfaces_.faces_of(line.region);
    if (line.label != "P" || faces == nullptr)
      return fmt::format("*DSLOAD {} on {}", line.label, line.region);
    regions = *faces;
  }
  for (const InpSurfaces::Face& region : regions) {
    // S1 to S6 on a surface, P1 to P6 on elements; P, SPOS and SNEG are those of shells
    const bool is_numbered = region.label.size() == 2 && region.label[1] >= '1' &&
                             region.label[1] <= '6' &&
                             region.label[0] == (line.is_surface ? 'S' : 'P');
    int face = kShell;
    if (is_numbered)
      face = region.label[1] - '0';
    else if (line.is_surface && region.label == "SPOS")
      face = kShellPositive;
    else if (line.is_surface && region.label == "SNEG")
      face = kShellNegative;
    const bool is_known =
        is_numbered || face != kShell || (!line.is_surface && region.label == "P");
    const auto elements = element_sets.members_of(region.region, region.where);
    if (!is_known || !elements)
      return fmt::format(
          "*{} {} on {}", line.is_surface ? "DSLOAD" : "DLOAD", region.label, region.region);
    for (const std::int64_t element : *elements) {
      auto& [step, value] = out[{element, face}];
      value = (step == line.step ? value : 0.0) + line.values[0];
      step = line.step;
    }
  }
  return std::nullopt;
}

/// Adds gravity or a rotation whose lines have the same values: as often as each element has it.
void InpDistributed::add_inertia(const std::vector<const Line*>& lines,
                                 std::int64_t step,
                                 FileContents& contents) {
  const Line& first = *lines.front();
  const auto& v = first.values;
  const auto times_of = [&](std::int64_t id) {
    return std::count_if(lines.begin(), lines.end(), [&](const Line* line) {
      return line->region.empty() || line->elements.contains(id);
    });
  };
  std::optional<std::ptrdiff_t> times;
  bool is_whole = true;
  const auto count = [&](std::int64_t id) {
    const std::ptrdiff_t own = times_of(id);
    is_whole = is_whole && own > 0 && own == times.value_or(own);
    times = own;
  };
  for (const ElementBlock& block : contents.elements)
    for (const std::int64_t id : block.ids)
      if (is_whole) count(id);
  for (const RawMass& mass : contents.masses)
    if (is_whole && mass.mass != 0.0) count(mass.id);
  const auto factor = static_cast<double>(times.value_or(1));
  if (!is_whole) {
    contents.loads.incomplete.emplace(
        step, fmt::format("*DLOAD {} on a part of the elements", first.label));
  } else if (first.label == kGravity) {
    if (v[1] == 0.0 && v[2] == 0.0 && v[3] == 0.0) {
      contents.loads.incomplete.emplace(step, "*DLOAD GRAV without a direction");
      return;
    }
    const double size = factor * v[0];
    contents.loads.gravity.push_back({step, 0, {size * v[1], size * v[2], size * v[3]}});
  } else {
    const double length = std::sqrt(v[4] * v[4] + v[5] * v[5] + v[6] * v[6]);
    if (v[0] < 0.0 || !(length > 0.0)) {
      contents.loads.incomplete.emplace(step, "*DLOAD CENTRIF without an axis");
      return;
    }
    RawRotation rotation;
    rotation.set = step;
    rotation.point = {v[1], v[2], v[3]};
    for (std::size_t k = 0; k < 3; ++k)
      rotation.speed[k] = std::sqrt(factor * v[0]) * v[4 + k] / length;
    contents.loads.rotations.push_back(rotation);
  }
}

/// Adds the loads that act in a step to `contents`.
void InpDistributed::add(const Acting& acting,
                         std::int64_t step,
                         const Faces& faces,
                         FileContents& contents) {
  if (acting.refusal) contents.loads.incomplete.emplace(step, *acting.refusal);
  for (const auto& [place, load] : acting.pressures) {
    RawPressure pressure;
    pressure.set = step;
    pressure.element = place.first;
    pressure.is_upper = place.second == kShellPositive;
    // a pressure on a surface acts into it: on its positive side against the normal of a shell
    pressure.values.fill(place.second == kShellPositive ? -load.second : load.second);
    if (faces.complete(pressure, place.second <= kShell ? 0 : place.second))
      contents.loads.pressures.push_back(std::move(pressure));
    else
      contents.loads.incomplete.emplace(
          step, fmt::format("a pressure on a face of element {}", place.first));
  }
  std::map<std::pair<std::string, std::array<double, 7>>, std::vector<const Line*>> groups;
  for (const Line& line : acting.inertia)
    groups[{line.label, line.values}].push_back(&line);
  for (const auto& [key, lines] : groups)
    add_inertia(lines, step, contents);
  if (!acting.is_abaqus && acting.has_several_axes())
    contents.loads.incomplete.emplace(
        step, "*DLOAD CENTRIF about several axes, of which CalculiX takes one alone");
}

void InpDistributed::finish(const std::set<std::int64_t>& steps,
                            bool is_abaqus,
                            InpSets& element_sets,
                            InpAmplitudes& amplitudes,
                            FileContents& contents) {
  if (lines_.empty()) return;
  for (Line& each : lines_)
    each.values[0] *= amplitudes.factor_to(each.amplitude, each.step, *steps.rbegin());
  const Faces faces(contents.elements);
  const std::size_t limit = kPressuresOfAnyDeck + kPressuresOfAnElement * faces.places.size();
  const auto stands_alone = [&](std::int64_t step) {
    return is_abaqus && perturbations_.contains(step);
  };
  Acting kept{.is_abaqus = is_abaqus};
  auto line = lines_.begin();  // in ascending order of their steps
  std::int64_t before = 0;
  for (const std::int64_t step : steps) {
    Acting own{.is_abaqus = is_abaqus};
    Acting& acting = stands_alone(step) ? own : kept;
    for (auto fresh = new_steps_.upper_bound(before); fresh != new_steps_.end() && *fresh <= step;
         ++fresh)
      if (!stands_alone(*fresh)) kept = {.is_abaqus = is_abaqus};
    before = step;
    for (; line != lines_.end() && line->step <= step; ++line)
      take(*line, element_sets, acting);
    if (contents.loads.pressures.size() + acting.pressures.size() > limit)
      throw ParseError(
          "entry",
          fmt::format("the steps of the deck have more than {} pressures on faces", limit),
          lines_.back().where,
          "give fewer steps, or begin the loads anew in them by OP=NEW");
    add(acting, step, faces, contents);
  }
}

}  // namespace femflex::importer
