// Suggestions for misspelled names: "did you mean 'mass'?". All readers of names use them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace femflex::tools {

/// The name most similar to `wanted`: the one with the smallest edit distance, which may be at most
/// a third of its letters, else the only name that begins with `wanted`. Empty if there is none.
std::string nearest_name(std::string_view wanted, const std::vector<std::string>& names);

/// `did you mean 'mass'?`, or `known: mass, com, inertia` if no name is similar.
std::string suggestion(std::string_view wanted, const std::vector<std::string>& names);

}  // namespace femflex::tools
