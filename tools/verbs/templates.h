// The templates of `femflex new`: commented example documents.
#pragma once

#include <string>
#include <vector>

namespace femflex::verbs {

/// A file that `femflex new` writes.
struct Template {
  std::string name;
  std::string text;
  std::string next;  ///< the command to run next; OUTPUT stands for the file without `ending`
  bool needs_chassis = false;    ///< CHASSIS in `text` is a placeholder for files written with it
  std::string ending = ".json";  ///< ending of the file name
};

/// All templates.
const std::vector<Template>& templates();

}  // namespace femflex::verbs
