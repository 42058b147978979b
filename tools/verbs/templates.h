// The templates of `femflex new`: commented example documents.
#pragma once

#include <string>
#include <vector>

namespace femflex::verbs {

/// A file that `femflex new` writes.
struct Template {
  std::string name;
  std::string text;
  std::string next;            ///< the command to run next; OUTPUT and `ending` stand for the file
  bool needs_chassis = false;  ///< CHASSIS in `text` is a placeholder for files written with it
  std::string ending = ".json";  ///< of the file
  /// PARTS.json and TYRE.tir in `text` are placeholders for files written with it
  bool needs_parts = false;
  bool needs_trailer = false;  ///< so is TRAILER, for those of the frame of a trailer
};

/// All templates.
const std::vector<Template>& templates();

}  // namespace femflex::verbs
