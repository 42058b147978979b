#pragma once

#include <optional>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/progress.h"
#include "femflex/units.h"

#include "document/json.h"

namespace femflex::cli {

/// One option of a verb. Parser, help, shell completion and man page all come from this line.
struct Option {
  std::string name;        ///< "--output"
  std::string short_name;  ///< "-o" or empty
  std::string value;       ///< what stands behind it: "FILE"; empty: a flag
  std::string help;
  std::string fallback;                ///< used where the option is not given; empty: none
  bool is_repeated = false;            ///< may be given several times, and take several values
  std::vector<std::string> choices{};  ///< empty: anything
  bool is_output = false;              ///< names a file to write, or a folder to write in
};

/// An option that names what is written.
inline Option writes(Option option) {
  option.is_output = true;
  return option;
}

class Arguments;

/// What a verb works with besides its arguments.
struct Session {
  Diagnostics diagnostics;
  Progress* progress = nullptr;
  bool is_json = false;
  bool is_quiet = false;
  bool is_reproducible = false;
  int threads = 0;  ///< 0: the library's own choice
  std::optional<Units> units;
};

/// What a verb gives back: one document for scripts, one text for people.
struct Outcome {
  int exit_code = 0;
  tools::Json document = tools::Json::object();
  std::string text;
};

struct Verb {
  std::string name;
  std::string summary;  ///< one line, no full stop
  std::string inputs;   ///< "FILE..." for the usage line
  int fewest_inputs = 0;
  int most_inputs = -1;  ///< -1: any number
  std::vector<Option> options;
  std::vector<std::string> examples;
  Outcome (*run)(const Arguments&, Session&) = nullptr;
  bool writes_last_input = false;  ///< IN OUT
  bool updates_input = false;      ///< adds to its input where no other output is named
};

/// All verbs in the order of the work. The one table that everything about the command line is
/// made from.
const std::vector<Verb>& verbs();

/// Options every verb takes.
const std::vector<Option>& common_options();

/// @throws UsageError  no such verb; the message names the nearest
const Verb& find_verb(const std::string& name);

}  // namespace femflex::cli
