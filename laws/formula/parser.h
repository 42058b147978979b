#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "formula/terms.h"

namespace femflex::laws::formula {

struct Parsed {
  std::vector<Term> terms;
  int root = -1;
  std::vector<std::string> names;  ///< variable names in the text, in order of first use
  /// the constants that the text uses
  std::map<std::string, double, std::less<>> constants;
};

/// @param variables  names that the text may use; null: any name is allowed
/// @param constants  numbers with a name; a name in square brackets is always a variable
/// @throws ModelError  the text is not a formula, or uses an unknown name
Parsed parse(std::string_view text,
             const std::vector<std::string>* variables,
             const std::map<std::string, double, std::less<>>& constants);

}  // namespace femflex::laws::formula
