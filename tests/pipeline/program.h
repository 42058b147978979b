// Runs the built program as a user would, in a temporary folder.
#pragma once

#include <algorithm>
#include <string>

#include "document/json_text.h"
#include "support/support.h"

namespace femflex::testing {

/// The program under test, run in a temporary folder, which the destructor removes.
class Program {
 public:
  CommandResult operator()(const std::string& words) const {
    return run("'" + femflex_program().string() + "' " + words, folder_.path());
  }
  /// Runs with --json; returns the document on stdout.
  tools::Json json(const std::string& words) const {
    return tools::parse_json((*this)(words + " --json").out, words);
  }
  std::filesystem::path file(const std::string& name) const { return folder_ / name; }
  bool has(const std::string& name) const { return std::filesystem::exists(file(name)); }

 private:
  TemporaryFolder folder_;
};

/// Paths of sample files, quoted for the shell.
inline std::string dms(const std::string& name) {
  return "'" + data("double_mass_spring/" + name).string() + "'";
}

inline std::string staal(const std::string& name) {
  return "'" + data("lattice/staal/" + name).string() + "'";
}

inline std::size_t line_count(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace femflex::testing
