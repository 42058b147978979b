// Changes a document while its model runs: sets and names numbers, adds loads, removes entries and
// switches gravity, as a live page requests.
#include "live/live_document.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "lattice/lattice_json.h"
#include "lattice/lattice_parameters.h"

namespace femflex::live {

using tools::Json;
using tools::shortest;

namespace {

constexpr double kReach = 10.0;   // a slider extends from a tenth to ten times the first value
constexpr double kNoScale = 1.0;  // used instead if the first value is 0: from -1 to 1
constexpr double kEarth = 9.81;   // [m/s^2]
constexpr std::size_t kMostInList = 6;  // longer lists are tables or matrices and get no fields

/// Members that are numbers or names but not quantities.
const std::set<std::string, std::less<>> kNoQuantity = {"id",
                                                        "i",
                                                        "j",
                                                        "a",
                                                        "b",
                                                        "node",
                                                        "turns",
                                                        "fixed",
                                                        "femflex",
                                                        "steps",
                                                        "axis",
                                                        "dimension",
                                                        "step",
                                                        "end",
                                                        "output_step",
                                                        "start_time"};

/// Lists whose elements cut() accepts.
constexpr std::array kCut = {"springs/", "rotational_springs/", "loads/", "forces/"};

bool is_number(const Json& value) {
  return value.is_number() || (value.is_text() && value.text().starts_with('='));
}

bool is_name(const std::string& text) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !text.empty() && is_letter(text.front()) && text.size() < 64 &&
         std::all_of(text.begin(), text.end(), [&](char c) {
           return is_letter(c) || (c >= '0' && c <= '9');
         });
}

}  // namespace

LiveDocument::LiveDocument(Json document, bool is_lattice)
    : json_(std::move(document)), is_lattice_(is_lattice) {
  if (const Json* parameters = json_.find("parameters"))
    for (const Json::Member& member : parameters->members())
      if (const double value = number_of(member.value); std::isfinite(value))
        middle_[member.key] = value;
}

std::vector<Slider> LiveDocument::sliders() const {
  std::vector<Slider> out;
  const Json* parameters = json_.find("parameters");
  if (parameters == nullptr) return out;
  for (const Json::Member& member : parameters->members()) {
    const double value = number_of(member.value);
    if (!std::isfinite(value)) continue;
    Slider slider{.name = member.key, .value = value};
    if (member.value.is_text()) slider.formula = member.value.text().substr(1);
    const auto found = middle_.find(member.key);
    const double middle = found == middle_.end() ? slider.value : found->second;
    if (middle == 0.0) {
      slider.low = -kNoScale;
      slider.high = kNoScale;
      slider.at = (slider.value - slider.low) / (slider.high - slider.low);
    } else {
      slider.low = middle / kReach;
      slider.high = middle * kReach;
      const double ratio = slider.value / slider.low;
      slider.at = ratio > 0.0 ? std::log(ratio) / std::log(kReach * kReach) : 0.0;
    }
    slider.at = std::clamp(slider.at, 0.0, 1.0);
    out.push_back(slider);
  }
  return out;
}

void LiveDocument::set(const std::string& name, double value) {
  Json* parameters = json_.find("parameters");
  Json* found = parameters == nullptr ? nullptr : parameters->find(name);
  if (found == nullptr || !std::isfinite(number_of(*found)))
    throw UsageError("no-parameter", fmt::format("there is no parameter '{}' to set", name));
  if (!std::isfinite(value))
    throw UsageError("not-finite", fmt::format("{} is not a number", name));
  *found = Json(value);
}

void LiveDocument::set_at(const std::string& name, double at) {
  for (const Slider& slider : sliders()) {
    if (slider.name != name) continue;
    const double place = std::clamp(at, 0.0, 1.0);
    const bool is_even = slider.low == -slider.high;
    set(name,
        is_even ? slider.low + place * (slider.high - slider.low)
                : slider.low * std::pow(slider.high / slider.low, place));
    return;
  }
  set(name, 0.0);  // throws, because there is no such parameter
}

const Json* LiveDocument::find(const std::string& path) const {
  const Json* at = &json_;
  if (path.empty()) return at;
  std::size_t start = 0;
  while (start <= path.size()) {
    const std::size_t end = std::min(path.find('/', start), path.size());
    const std::string key = path.substr(start, end - start);
    start = end + 1;
    if (at->is_list()) {
      const bool is_index = !key.empty() && key.size() < 10 &&
                            key.find_first_not_of("0123456789") == std::string::npos;
      if (!is_index || std::stoul(key) >= at->items().size()) return nullptr;
      at = &at->items()[std::stoul(key)];
    } else {
      at = at->is_object() ? at->find(key) : nullptr;
      if (at == nullptr) return nullptr;
    }
  }
  return at;
}
Json* LiveDocument::find(const std::string& path) {
  return const_cast<Json*>(std::as_const(*this).find(path));  // NOLINT: json_ is not const
}

/// A number, or the value of a "=formula" of parameters; NaN for other values.
double LiveDocument::number_of(const Json& value) const {
  if (value.is_number()) return value.number();
  if (!value.is_text() || !value.text().starts_with('=')) return std::nan("");
  Json question = Json::object();
  if (const Json* parameters = json_.find("parameters")) question["parameters"] = *parameters;
  question["value"] = value;
  try {
    return tools::with_parameters_put_in(question).find("value")->number();
  } catch (const Error&) {
    return std::nan("");
  }
}

std::vector<Field> LiveDocument::fields(const std::string& path) const {
  if (is_lattice_ && json_.find("generate") != nullptr && find(path) == nullptr) {
    LiveDocument listed(*this);
    listed.write_out();
    return listed.fields(path);
  }
  std::vector<Field> out;
  const Json* element = find(path);
  if (element == nullptr || !element->is_object()) return out;
  const auto add = [&](const std::string& label, const Json& value) {
    Field field{path.empty() ? label : path + "/" + label, label, number_of(value), {}};
    if (value.is_text()) field.parameter = value.text().substr(1);
    out.push_back(field);
  };
  const auto add_all =
      [&](const std::string& before, const Json& object, const auto& again) -> void {
    for (const Json::Member& member : object.members()) {
      if (kNoQuantity.contains(member.key)) continue;
      const std::string label = before + member.key;
      if (is_number(member.value)) {
        add(label, member.value);
      } else if (member.value.is_list() && member.value.items().size() <= kMostInList) {
        for (std::size_t k = 0; k < member.value.items().size(); ++k)
          if (is_number(member.value.items()[k]))
            add(fmt::format("{}/{}", label, k), member.value.items()[k]);
      } else if (member.value.is_object() && before.empty() && !path.empty()) {
        again(label + "/", member.value, again);
      }
    }
  };
  add_all("", *element, add_all);
  return out;
}

std::vector<std::string> LiveDocument::related(const std::string& path,
                                               const std::string& place) const {
  std::vector<std::string> out;
  if (is_lattice_) {
    const auto is_here = [&](const Json& element, const char* key) {
      const Json* node = element.find(key);
      return node != nullptr && node->is_number() && shortest(node->number()) == place;
    };
    const Json* loads = json_.find("loads");
    for (std::size_t k = 0; loads != nullptr && k < loads->items().size(); ++k)
      if (is_here(loads->items()[k], "node")) out.push_back(fmt::format("loads/{}", k));
    // generated springs have numbers, but they are not in the document
    const Json* springs = json_.find("generate") == nullptr ? json_.find("springs") : nullptr;
    const Json* hinges = json_.find("rotational_springs");
    for (std::size_t k = 0; springs != nullptr && hinges != nullptr && k < hinges->items().size();
         ++k) {
      const auto touches = [&](const char* side) {
        const Json* number = hinges->items()[k].find(side);
        if (number == nullptr || !number->is_number()) return false;
        const auto spring = static_cast<std::size_t>(number->number()) - 1;
        return spring < springs->items().size() &&
               (is_here(springs->items()[spring], "i") || is_here(springs->items()[spring], "j"));
      };
      if (touches("a") && touches("b")) out.push_back(fmt::format("rotational_springs/{}", k));
    }
    return out;
  }
  const std::string joint = path.starts_with("joints/") ? path.substr(7) : std::string();
  for (const char* list : {"forces", "motions"}) {
    const Json* elements = json_.find(list);
    if (elements == nullptr || !elements->is_object()) continue;
    for (const Json::Member& member : elements->members()) {
      if (!member.value.is_object()) continue;
      const Json* on = member.value.find("on");
      const Json* at = member.value.find("joint");
      const bool is_on = !place.empty() && on != nullptr && on->is_text() &&
                         (on->text() == place || on->text().starts_with(place + "/"));
      const bool is_at = !joint.empty() && at != nullptr && at->is_text() && at->text() == joint;
      if (is_on || is_at) out.push_back(fmt::format("{}/{}", list, member.key));
    }
  }
  return out;
}

void LiveDocument::name(const std::string& path, const std::string& name) {
  if (!is_name(name))
    throw UsageError("bad-name",
                     fmt::format("'{}' cannot be the name of a parameter", name.substr(0, 64)),
                     {},
                     "use letters, digits and _");
  const Json* parameters = json_.find("parameters");
  if (parameters != nullptr && parameters->find(name) != nullptr)
    throw UsageError("name-taken", fmt::format("there is a parameter '{}' already", name));
  if (find(path) == nullptr) write_out();
  Json* value = find(path);
  if (value == nullptr || !value->is_number())
    throw UsageError("no-number", fmt::format("{} is not a number", path));
  const double number = value->number();
  *value = Json("=" + name);
  json_["parameters"][name] = number;
  middle_[name] = number;
}

void LiveDocument::write_out() {
  if (!is_lattice_ || json_.find("generate") == nullptr) return;
  json_ = tools::lattice_json(tools::read_lattice_json(json_));
  middle_.clear();  // formulas of parameters were replaced by numbers
}

bool LiveDocument::has_gravity() const {
  const Json* gravity = json_.find("gravity");
  if (gravity == nullptr) return false;
  if (!gravity->is_list()) return !gravity->is_number() || gravity->number() != 0.0;
  return std::any_of(gravity->items().begin(), gravity->items().end(), [](const Json& each) {
    return !each.is_number() || each.number() != 0.0;
  });
}

void LiveDocument::switch_gravity(bool on) {
  if (on == has_gravity()) return;
  if (!on) {
    gravity_ = json_["gravity"];
    json_["gravity"] = is_lattice_ ? Json(0.0) : Json(std::vector<double>{0.0, 0.0, 0.0});
    return;
  }
  if (!gravity_.is_null()) {
    json_["gravity"] = gravity_;
  } else if (is_lattice_) {
    json_["gravity"] = kEarth;
  } else {
    const Json* planar = json_.find("planar");
    const bool is_planar = planar != nullptr && planar->boolean();
    json_["gravity"] =
        is_planar ? std::vector<double>{0.0, -kEarth, 0.0} : std::vector<double>{0.0, 0.0, -kEarth};
  }
}

void LiveDocument::add_load(const std::string& place, const Eigen::Vector3d& force) {
  if (!force.allFinite()) throw UsageError("not-finite", "the load is not a number");
  Json load = Json::object();
  if (is_lattice_) {
    const Json* dimension = json_.find("dimension");
    const auto count = dimension == nullptr ? 3 : static_cast<Eigen::Index>(dimension->number());
    std::int64_t node = 0;
    const auto [end, error] = std::from_chars(place.data(), place.data() + place.size(), node);
    if (error != std::errc() || end != place.data() + place.size())
      throw UsageError("no-node", fmt::format("'{}' is not a node", place.substr(0, 64)));
    load["node"] = node;
    load["force"] = Json::list_of(Eigen::VectorXd(force.head(count)));
    Json* loads = json_.find("loads");
    if (loads == nullptr) {
      json_["loads"] = Json::list();
      loads = json_.find("loads");
    }
    loads->push_back(std::move(load));
    return;
  }
  load["type"] = "force";
  load["on"] = place;
  load["value"] = Json::list_of(force);
  Json& forces = json_["forces"];
  int number = 1;
  while (forces.is_object() && forces.find(fmt::format("load_{}", number)) != nullptr)
    ++number;
  forces[fmt::format("load_{}", number)] = std::move(load);
}

bool LiveDocument::can_cut(const std::string& path) {
  return std::any_of(
      kCut.begin(), kCut.end(), [&](const char* list) { return path.starts_with(list); });
}

void LiveDocument::cut(const std::string& path) {
  if (!can_cut(path)) throw UsageError("no-spring", "only springs, hinges and loads can be cut");
  if (is_lattice_ && find(path) == nullptr) write_out();
  Json* element = find(path);
  if (element == nullptr || !element->is_object())
    throw UsageError("no-spring", "there is no such spring or load");
  if (path.starts_with("springs/") || path.starts_with("rotational_springs/")) {
    // the element is kept, so that other elements keep their numbers
    for (const char* key : {"force", "moment", "damping", "modulus"})
      element->erase(key);
    (*element)["k"] = 0.0;
    if (path.starts_with("springs/")) (*element)["law"] = "linear";
    return;
  }
  const std::size_t slash = path.find('/');
  Json& list = json_[path.substr(0, slash)];
  if (list.is_object()) {
    list.erase(path.substr(slash + 1));
    return;
  }
  Json left = Json::list();
  for (Json& each : list.items())
    if (&each != element) left.push_back(std::move(each));
  list = std::move(left);
}

}  // namespace femflex::live
