// Suggestions for misspelt names: "did you mean 'mass'?".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace femflex {

/// The name that `wanted` most resembles: the one reached by the fewest edits, at most a third of
/// its letters, else the only one that begins with it; empty if there is none.
std::string nearest_name(std::string_view wanted, const std::vector<std::string>& names);

/// `did you mean 'mass'?`, or `known: mass, com, inertia` if no name is similar.
std::string suggestion(std::string_view wanted, const std::vector<std::string>& names);

}  // namespace femflex
