// split_leaf(): splits the name of a channel into its group and its last part. Reports and viewer
// use it.
#pragma once

#include <string>
#include <string_view>

namespace femflex::tools {

/// The parts of a channel name before and after its last '/': "chassis/2101/position" and "x".
/// Consecutive channels with the same base form a group, such as a vector or the coordinates of a
/// body.
struct ChannelLeaf {
  std::string base;
  std::string leaf;  ///< empty if the name contains no '/'
};

inline ChannelLeaf split_leaf(std::string_view name) {
  const std::size_t slash = name.rfind('/');
  if (slash == std::string_view::npos) return {std::string(name), {}};
  return {std::string(name.substr(0, slash)), std::string(name.substr(slash + 1))};
}

}  // namespace femflex::tools
