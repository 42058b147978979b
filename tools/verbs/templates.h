// The templates of `femflex new`: commented example documents.
#pragma once

#include <string>
#include <vector>

#include "body/template_chassis.h"

namespace femflex::verbs {

/// A frame (FE model) that is written with a template.
struct TemplateFrame {
  std::string placeholder;  ///< placeholder in the text for the files "STEM_WHAT.fbm" and ".fe.h5"
  std::string what;
  tools::LadderFrame frame{};
};

/// A file that `femflex new` writes.
struct Template {
  std::string name;
  std::string text;
  std::string next;  ///< the command to run next; OUTPUT and `ending` are replaced by the name of
                     ///< the file
  std::vector<TemplateFrame> frames = {};
  std::string ending = ".json";  ///< of the file
  /// true: PARTS.json and TYRE.tir in `text` are placeholders for files that are also written
  bool needs_parts = false;
};

/// All templates.
const std::vector<Template>& templates();

}  // namespace femflex::verbs
