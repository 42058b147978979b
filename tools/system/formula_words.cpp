#include "system/formula_words.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace femflex::tools {

std::string with_words(const std::string& formula,
                       const std::map<std::string, std::string, std::less<>>& words) {
  const auto is = [](char c, int (*kind)(int)) { return kind(static_cast<unsigned char>(c)) != 0; };
  std::string out;
  for (std::size_t at = 0; at < formula.size();) {
    const char c = formula[at];
    std::size_t end = at + 1;
    if (c == '[') {
      end = std::min(formula.find(']', at), formula.size() - 1) + 1;
    } else if (is(c, std::isalpha) || c == '_') {
      while (end < formula.size() && (is(formula[end], std::isalnum) || formula[end] == '_'))
        ++end;
    } else if (is(c, std::isdigit) || c == '.') {  // a number, whose exponent is not a name
      double ignored = 0.0;
      const char* begin = formula.data() + at;
      const char* last = std::from_chars(begin, formula.data() + formula.size(), ignored).ptr;
      end = std::max(end, at + static_cast<std::size_t>(last - begin));
    }
    const std::string word = formula.substr(at, end - at);
    const auto other = words.find(word);
    out += other == words.end() ? word : other->second;
    at = end;
  }
  return out;
}

}  // namespace femflex::tools
