#pragma once

#include <string>
#include <vector>

namespace femflex::cli {

/// A file that `femflex new` writes.
struct Template {
  std::string name;
  std::string text;
  std::string next;  ///< what to do with it
};

const std::vector<Template>& templates();

}  // namespace femflex::cli
