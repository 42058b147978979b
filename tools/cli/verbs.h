// The table of all verbs: name, inputs, options, examples and the function that runs each.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/fe_model.h"
#include "femflex/flex_body.h"
#include "femflex/modal/compute_modes.h"
#include "femflex/progress.h"
#include "femflex/units.h"

#include "document/json.h"
#include "option.h"

namespace femflex::cli {

class Arguments;

/// What a verb receives besides its arguments: common options, warnings, progress.
struct Session {
  Diagnostics diagnostics;
  Progress* progress = nullptr;
  bool is_json = false;
  bool is_quiet = false;
  bool is_reproducible = false;
  int threads = 0;  ///< 0: chosen automatically
  std::optional<Units> units;
  /// makes factorisations distributed over the processes of MPI, for --distributed; empty: no MPI
  modal::FactorMaker factor_maker;
};

/// The result of a verb: a document for scripts, a text for users.
struct Outcome {
  int exit_code = 0;
  tools::Json document = tools::Json::object();
  std::string text;
  /// The objects that the verb made, for use by a script; null if there are none.
  std::shared_ptr<FeModel> model{};
  std::shared_ptr<FlexBody> body{};
  std::shared_ptr<tools::ResultSeries> result{};
};

/// A verb: a row of the table from which parser, help and Python signatures are made.
struct Verb {
  std::string name;
  std::string summary{};  ///< one line, no full stop
  std::string inputs{};   ///< "FILE..." for the usage line
  int fewest_inputs = 0;
  int most_inputs = -1;  ///< -1: any number
  std::vector<Option> options{};
  std::vector<std::string> examples{};
  Outcome (*run)(const Arguments&, Session&) = nullptr;
  bool writes_last_input = false;  ///< the last input is the name of the file to write: IN OUT
  bool updates_input = false;      ///< overwrites its input if no output is given
  bool takes_values = false;       ///< inputs may be models, bodies or results from a script
  bool takes_documents = false;    ///< inputs may be systems or lattices from a script
  bool hands_over = false;         ///< a script receives the objects made, and need not give an
                                   ///< output file
};

/// All verbs in the order of a usual workflow. Everything about the command line is made from this
/// table.
const std::vector<Verb>& verbs();

/// Options that every verb has.
const std::vector<Option>& common_options();

/// @throws UsageError  no such verb; the message names the most similar
const Verb& find_verb(const std::string& name);

}  // namespace femflex::cli
