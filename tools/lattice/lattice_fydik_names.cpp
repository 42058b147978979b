// The elements and attributes of FyDiK files. An unknown attribute is compared with common short
// names first; then it, like an unknown element, by edit distance, then as a text with letters left
// out.
#include "lattice/lattice_fydik_names.h"

#include <algorithm>
#include <array>
#include <utility>

#include "femflex/text.h"

#include "document/nearest_name.h"

namespace femflex::tools {
namespace {

std::vector<std::string> with_damping(std::vector<std::string> names) {
  names.insert(names.end(), {"dampingCoef", "dampingCoef2", "dampingCoef3", "dampingType"});
  return names;
}

const std::array<FydikElement, 7>& elements() {
  static const std::array<FydikElement, 7> table = {{
      {"MODEL", {"name", "type", "start", "exit"}},
      {"SIMULATOR", {"time", "timeStep", "method", "timeSpeed", "fps", "timeBreak"}},
      {"MASSPOINT",
       with_damping({"index",
                     "initMass",
                     "initCoordX",
                     "initCoordY",
                     "initCoordZ",
                     "initVelocityX",
                     "initVelocityY",
                     "initVelocityZ",
                     "fixedX",
                     "fixedY",
                     "fixedZ",
                     "forceX",
                     "forceY",
                     "forceZ"})},
      {"TRANSLATIONALSPRING",
       with_damping({"index",
                     "length",
                     "massObject1Index",
                     "massObject2Index",
                     "stiffness",
                     "area",
                     "modulus",
                     "density",
                     "turns",
                     kFydikFunctionIndex})},
      {"ROTATIONALSPRING",
       with_damping({"index",
                     "translationalSpring1Index",
                     "translationalSpring2Index",
                     "stiffness",
                     "angle",
                     "turns",
                     "mass",
                     "sectionModulus",
                     kFydikFunctionIndex})},
      {kFydikFunction, {"index", "expression"}},
      {kFydikFunctionPoint, {"x", "y"}},
  }};
  return table;
}

/// Common short names, which are too short for the edit distance.
constexpr std::array kShort = {std::pair{"k", "stiffness"},
                               std::pair{"m", "initMass"},
                               std::pair{"c", "dampingCoef"},
                               std::pair{"x", "initCoordX"},
                               std::pair{"y", "initCoordY"},
                               std::pair{"z", "initCoordZ"},
                               std::pair{"vx", "initVelocityX"},
                               std::pair{"vy", "initVelocityY"},
                               std::pair{"vz", "initVelocityZ"},
                               std::pair{"velx", "initVelocityX"},
                               std::pair{"vely", "initVelocityY"},
                               std::pair{"velz", "initVelocityZ"},
                               std::pair{"fx", "forceX"},
                               std::pair{"fy", "forceY"},
                               std::pair{"fz", "forceZ"},
                               std::pair{"l", "length"},
                               std::pair{"dt", "timeStep"}};

/// True if `name` contains all letters of `word` in their order ("initVelX" in "initVelocityX",
/// "mass" in "initMass"), and `word` has at least half as many letters. Without this condition a
/// short word would match every long name.
bool shortens(std::string_view word, std::string_view name) {
  if (2 * word.size() < name.size()) return false;
  std::size_t at = 0;
  for (const char c : name)
    if (at < word.size() && word[at] == c) ++at;
  return at == word.size();
}

/// The name that `wanted` probably means, ignoring upper and lower case, which XML distinguishes
/// and users often confuse.
std::string meant(std::string_view wanted, const std::vector<std::string>& names) {
  const std::string word = lower_case(wanted);
  std::vector<std::string> words(names.size());
  std::transform(names.begin(), names.end(), words.begin(), lower_case);
  const auto original = [&](std::string_view found) {
    const auto at = std::find(words.begin(), words.end(), found) - words.begin();
    return names[static_cast<std::size_t>(at)];
  };
  if (const std::string near = nearest_name(word, words); !near.empty()) return original(near);
  for (const std::string& name : words)
    if (shortens(word, name)) return original(name);
  return {};
}

}  // namespace

const FydikElement* fydik_element(std::string_view name) {
  for (const FydikElement& element : elements())
    if (element.name == name) return &element;
  return nullptr;
}

std::string meant_element(std::string_view name) {
  std::vector<std::string> names;
  for (const FydikElement& element : elements())
    names.push_back(element.name);
  return meant(name, names);
}

std::string meant_attribute(const FydikElement& element, std::string_view name) {
  const auto knows = [&](std::string_view attribute) {
    return std::find(element.attributes.begin(), element.attributes.end(), attribute) !=
           element.attributes.end();
  };
  for (const auto& [letters, attribute] : kShort)
    if (lower_case(name) == letters && knows(attribute)) return attribute;
  return meant(name, element.attributes);
}

bool names_a_force_law(std::string_view name) {
  const std::string word = lower_case(name);
  return word.find("function") != std::string::npos || word.ends_with("law") ||
         word.find("diagram") != std::string::npos;
}

}  // namespace femflex::tools
