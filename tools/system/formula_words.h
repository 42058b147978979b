#pragma once

#include <functional>
#include <map>
#include <string>

namespace femflex::tools {

/// The formula with its names replaced by `words`; numbers and [channels] stay as they are.
std::string with_words(const std::string& formula,
                       const std::map<std::string, std::string, std::less<>>& words);

}  // namespace femflex::tools
