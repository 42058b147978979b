#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formula/terms.h"

namespace femflex::laws::formula {

struct Parsed {
  std::vector<Term> terms;
  int root = -1;
  std::vector<std::string> names;  ///< that the text uses, in order of first use
};

/// @param variables  names the text may use; without them every name will do
/// @throws ModelError  the text is not a formula, or uses a name that is not known
Parsed parse(std::string_view text, const std::vector<std::string>* variables);

}  // namespace femflex::laws::formula
