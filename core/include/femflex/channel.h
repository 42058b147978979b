// Names of result channels, such as "chassis/2101/position/x", and their parts.
#pragma once

#include <string>
#include <string_view>

namespace femflex {

/// The parts of the name of a result column such as "chassis/2101/position/x".
struct ChannelName {
  std::string object;  ///< body, joint, force; "energy", "stress", "state"
  /// node or marker of a body; empty if the channel belongs to the whole object
  std::string place;
  std::string quantity;   ///< "position", "zeta", "reaction"; empty: all quantities of the object
  std::string component;  ///< "x", or the number of a mode from 1; empty for a scalar

  /// Object and place, "chassis/2101". If the name of a body contains a '/' ("net/12", a node of a
  /// lattice), its second part is stored in `place`.
  std::string owner() const;

  bool operator==(const ChannelName&) const = default;
};

/// Splits a name into its parts. The quantity is the last part that is a known quantity; the parts
/// between the object and the quantity are the place. No channel name has an empty part: a text
/// that has one is stored unchanged as the object, so that to_text() restores every text.
ChannelName parse_channel(std::string_view text);

/// The inverse of parse_channel().
std::string to_text(const ChannelName& name);

/// Name of a channel of a whole object.
std::string channel_text(std::string_view object,
                         std::string_view quantity,
                         std::string_view component = {});

/// True for the quantities that occur in results: "position", "zeta_dot", "kinetic", "angle", ...
bool is_quantity(std::string_view word);

}  // namespace femflex
