// Turns *DLOAD and *DSLOAD into pressures on faces, gravity and rotations. Gravity and rotation
// are made of the mass matrix, so they must act on all elements.
#include "calculix/inp_distributed.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "femflex/element_shape.h"
#include "femflex/number.h"
#include "femflex/text.h"

#include "calculix/inp_scan.h"

namespace femflex::importer {
namespace {

// faces of shells, beside 1 to 6 of solids
constexpr int kShell = 0, kShellPositive = -1, kShellNegative = -2;
constexpr std::string_view kGravity = "GRAV", kRotation = "CENTRIF";

}  // namespace

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
                           const std::map<std::string, std::string>& parameters,
                           std::int64_t step,
                           bool is_perturbation) {
  keyword_ = keyword;
  step_ = step;
  const auto text = [&](const char* name) {
    const auto found = parameters.find(name);
    return found == parameters.end() ? std::string() : upper_case(found->second);
  };
  if (is_perturbation) new_steps_.insert(step);
  const bool is_load = keyword == "DLOAD" || keyword == "DSLOAD";
  if (is_load && text("OP") == "NEW") new_steps_.insert(step);
}

void InpDistributed::data(const std::vector<std::string_view>& fields, const Where& where) {
  const auto label = [&](std::size_t k) {
    return k < fields.size() ? upper_case(fields[k]) : std::string();
  };
  if ((keyword_ != "DLOAD" && keyword_ != "DSLOAD") || step_ == 0) return;
  const std::string region = fields.empty() ? std::string() : names_.here(fields[0]);
  Line line{step_, keyword_ == "DSLOAD", region, label(1), {}, where};
  for (std::size_t k = 0; k < line.values.size() && k + 2 < fields.size(); ++k) {
    if (fields[k + 2].empty()) continue;
    const auto value = parse_real(fields[k + 2]);
    if (!value || !std::isfinite(*value))
      throw ParseError(
          "entry", fmt::format("'{}' is not a number", fields[k + 2].substr(0, 60)), where);
    line.values[k] = *value;
  }
  lines_.push_back(std::move(line));
}

std::set<std::int64_t> InpDistributed::steps() const {
  std::set<std::int64_t> out;
  for (const Line& line : lines_)
    out.insert(line.step);
  return out;
}

/// The lines that act in a step: its own, and those of earlier steps that it keeps. Gravity and
/// rotation of the same region replace those of an earlier step.
std::vector<InpDistributed::Line> InpDistributed::lines_of(std::int64_t step) const {
  std::int64_t first = 0;
  for (const std::int64_t fresh : new_steps_)
    if (fresh <= step) first = fresh;
  std::vector<Line> out;
  for (const Line& line : lines_) {
    if (line.step < first || line.step > step) continue;
    std::erase_if(out, [&](const Line& other) {
      return (line.label == kGravity || line.label == kRotation) && other.step < line.step &&
             other.region == line.region && other.label == line.label;
    });
    out.push_back(line);
  }
  return out;
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

/// Adds gravity or a rotation whose lines, one for each region, have the same values.
void InpDistributed::add_inertia(const std::vector<Line>& lines,
                                 std::int64_t step,
                                 InpSets& element_sets,
                                 FileContents& contents) const {
  const Line& first = lines.front();
  const auto& v = first.values;
  std::unordered_set<std::int64_t> loaded;
  bool is_on_all = false;
  for (const Line& line : lines) {
    is_on_all = is_on_all || line.region.empty();
    if (const auto members = element_sets.members_of(line.region, line.where))
      loaded.insert(members->begin(), members->end());
  }
  const auto is_loaded = [&](std::int64_t id) { return is_on_all || loaded.contains(id); };
  const bool is_whole =
      std::all_of(contents.elements.begin(),
                  contents.elements.end(),
                  [&](const ElementBlock& block) {
                    return std::all_of(block.ids.begin(), block.ids.end(), is_loaded);
                  }) &&
      std::all_of(contents.masses.begin(), contents.masses.end(), [&](const RawMass& mass) {
        return mass.mass == 0.0 || is_loaded(mass.id);
      });
  if (!is_whole) {
    contents.loads.incomplete.emplace(
        step, fmt::format("*DLOAD {} on a part of the elements", first.label));
  } else if (first.label == kGravity) {
    contents.loads.gravity.push_back({step, 0, {v[0] * v[1], v[0] * v[2], v[0] * v[3]}});
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
      rotation.speed[k] = std::sqrt(v[0]) * v[4 + k] / length;
    contents.loads.rotations.push_back(rotation);
  }
}

void InpDistributed::finish(const std::set<std::int64_t>& steps,
                            InpSets& element_sets,
                            FileContents& contents) {
  if (lines_.empty()) return;
  const Faces faces(contents.elements);
  for (const std::int64_t step : steps) {
    std::map<std::pair<std::string, std::array<double, 7>>, std::vector<Line>> inertia;
    Pressures pressures;
    for (const Line& line : lines_of(step)) {
      if (!line.is_surface && (line.label == kGravity || line.label == kRotation))
        inertia[{line.label, line.values}].push_back(line);
      else if (auto reason = take_pressure(line, element_sets, pressures))
        contents.loads.incomplete.emplace(step, std::move(*reason));
    }
    for (const auto& [place, load] : pressures) {
      RawPressure pressure;
      pressure.set = step;
      pressure.element = place.first;
      // a pressure on a surface acts into it: on its positive side against the normal of a shell
      pressure.values.fill(place.second == kShellPositive ? -load.second : load.second);
      if (faces.complete(pressure, place.second <= kShell ? 0 : place.second))
        contents.loads.pressures.push_back(std::move(pressure));
      else
        contents.loads.incomplete.emplace(
            step, fmt::format("a pressure on a face of element {}", place.first));
    }
    for (const auto& [key, lines] : inertia)
      add_inertia(lines, step, element_sets, contents);
  }
}

}  // namespace femflex::importer
