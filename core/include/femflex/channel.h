// Names of result channels, such as "chassis/2101/position/x", and their parts.
#pragma once

#include <string>
#include <string_view>

namespace femflex {

/// The parts of the name of a result column such as "chassis/2101/position/x", or of a selection of
/// columns.
struct ChannelName {
  std::string object;  ///< body, joint, force; "energy", "stress", "state"
  /// node or marker of a body; empty if the channel belongs to the whole object
  std::string place;
  std::string quantity;   ///< "position", "zeta"; if empty, the name selects all quantities
  std::string component;  ///< "x", or the number of a mode from 1; empty for a scalar

  /// Object and place, joined by a slash: "chassis/2101". A body's name with a slash is split by
  /// parse_channel() and whole here: the body "net/12" of a lattice has the object "net" and the
  /// place "12".
  std::string owner() const;

  bool operator==(const ChannelName&) const = default;
};

/// Splits a name into its parts. The quantity is the last part that is a known quantity; the parts
/// between the object and the quantity are the place. A text with an empty part ("a//b", "/a",
/// "a/") is not split: all of it becomes the object, so that to_text() returns it unchanged.
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
