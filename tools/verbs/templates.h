#pragma once

#include <string>
#include <vector>

namespace femflex::verbs {

/// A file that `femflex new` writes.
struct Template {
  std::string name;
  std::string text;
  std::string next;            ///< what to do with it; OUTPUT.json is what was written
  bool needs_chassis = false;  ///< CHASSIS in `text` stands for files written beside it
};

const std::vector<Template>& templates();

}  // namespace femflex::verbs
