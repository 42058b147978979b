// Parses formulas such as "2*sin(t) + [wheel/z]": turns the text into a tree of terms. Called by
// formula.cpp.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "formula/terms.h"

namespace femflex::laws::formula {

/// A formula as a tree.
struct Parsed {
  std::vector<Term> terms;
  int root = -1;                   ///< index of the term that is the whole formula
  std::vector<std::string> names;  ///< variable names in the text, in order of first use
  /// the constants that the text uses
  std::map<std::string, double, std::less<>> constants;
};

/// Parses a formula.
/// @param variables  names that the text may use; null: any name is allowed
/// @param constants  named numbers; a name in square brackets is always a variable
/// @throws ModelError  the text is not a formula, or uses an unknown name
Parsed parse(std::string_view text,
             const std::vector<std::string>* variables,
             const std::map<std::string, double, std::less<>>& constants);

}  // namespace femflex::laws::formula
