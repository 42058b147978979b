// Splits names of result channels at '/' and joins them again. The quantity is found in the list
// kQuantities; it separates the place (before it) from the component (after it).
#include "femflex/channel.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace femflex {
namespace {

constexpr std::array<std::string_view, 35> kQuantities{"position",     "orientation",
                                                       "velocity",     "angular_velocity",
                                                       "acceleration", "angular_acceleration",
                                                       "displacement", "displacement_rate",
                                                       "rotation",     "zeta",
                                                       "zeta_dot",     "zeta_ddot",
                                                       "eta",          "eta_dot",
                                                       "reaction",     "reaction_torque",
                                                       "multiplier",   "force",
                                                       "torque",       "value",
                                                       "length",       "angle",
                                                       "angle_rate",   "kinetic",
                                                       "potential",    "elastic",
                                                       "work",         "total",
                                                       "extreme",      "spring",
                                                       "radius",       "mass_from_energy",
                                                       "deflection",   "bending_stiffness",
                                                       "strain"};

std::vector<std::string_view> parts_of(std::string_view name) {
  std::vector<std::string_view> parts;
  for (std::size_t from = 0; from <= name.size();) {
    const std::size_t slash = std::min(name.find('/', from), name.size());
    parts.push_back(name.substr(from, slash - from));
    from = slash + 1;
  }
  return parts;
}

/// Appends `part`, separated by a '/' from any text already there.
void append(std::string& text, std::string_view part) {
  if (part.empty()) return;
  if (!text.empty()) text += '/';
  text += part;
}

}  // namespace

bool is_quantity(std::string_view word) {
  return std::find(kQuantities.begin(), kQuantities.end(), word) != kQuantities.end();
}

std::string ChannelName::owner() const {
  std::string out = object;
  append(out, place);
  return out;
}

ChannelName parse_channel(std::string_view text) {
  ChannelName out;
  const std::vector<std::string_view> parts = parts_of(text);
  const bool has_empty_part =
      std::any_of(parts.begin(), parts.end(), [](std::string_view part) { return part.empty(); });
  if (has_empty_part) {
    out.object = text;
    return out;
  }
  std::size_t quantity = parts.size();
  for (std::size_t k = 1; k < parts.size(); ++k)
    if (is_quantity(parts[k])) quantity = k;
  out.object = parts[0];
  for (std::size_t k = 1; k < parts.size(); ++k) {
    if (k < quantity)
      append(out.place, parts[k]);
    else if (k == quantity)
      out.quantity = parts[k];
    else
      append(out.component, parts[k]);
  }
  return out;
}

std::string to_text(const ChannelName& name) {
  std::string out = name.owner();
  append(out, name.quantity);
  append(out, name.component);
  return out;
}

std::string channel_text(std::string_view object,
                         std::string_view quantity,
                         std::string_view component) {
  std::string out(object);
  append(out, quantity);
  append(out, component);
  return out;
}

}  // namespace femflex
