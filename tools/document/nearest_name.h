// Suggestions for misspelt names: "did you mean 'mass'?".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace femflex::tools {

/// The name that `wanted` was probably meant to be: fewest edits, at most a third of its letters;
/// empty if none is near.
std::string nearest_name(std::string_view wanted, const std::vector<std::string>& names);

/// `did you mean 'mass'?`, or `known: mass, com, inertia` if nothing is near.
std::string suggestion(std::string_view wanted, const std::vector<std::string>& names);

}  // namespace femflex::tools
