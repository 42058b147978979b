#pragma once

#include <string>
#include <string_view>

namespace femflex {

/// The parts of the name of a result column such as "chassis/2101/position/x".
struct ChannelName {
  std::string object;     ///< body, joint, force; "energy", "stress", "state"
  std::string place;      ///< node or marker of a body; empty: the object itself
  std::string quantity;   ///< "position", "zeta", "reaction"; empty: everything that the object has
  std::string component;  ///< "x", or the number of a mode from 1; empty for a scalar

  /// Object and place, "chassis/2101". A body whose name holds a '/' ("net/12", a node of a
  /// lattice) is its own owner and reads as a place.
  std::string owner() const;

  bool operator==(const ChannelName&) const = default;
};

/// The parts of a name. The quantity is the last part that names one; the parts between the object
/// and it are the place. A text with an empty part, which no channel has, becomes the object
/// unchanged, so that to_text() restores every text.
ChannelName parse_channel(std::string_view text);

std::string to_text(const ChannelName& name);

/// Name of a channel of a whole object.
std::string channel_text(std::string_view object,
                         std::string_view quantity,
                         std::string_view component = {});

/// True for the quantities that results know: "position", "zeta_dot", "kinetic", "angle", ...
bool is_quantity(std::string_view word);

}  // namespace femflex
