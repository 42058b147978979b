#pragma once

#include <functional>
#include <map>
#include <string>

namespace femflex::tools {

/// A formula with other words for its names; numbers and [channels] stay as they are.
std::string with_words(const std::string& formula,
                       const std::map<std::string, std::string, std::less<>>& words);

}  // namespace femflex::tools
