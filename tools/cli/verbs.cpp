// The table of the verbs of the command line, in the order of a usual workflow. Each file
// commands/*.cpp defines one row. Also finds a verb by its name.
#include "verbs.h"

#include <fmt/format.h>

#include "femflex/errors.h"

#include "document/nearest_name.h"

namespace femflex::cli {

// Rows of the table, one in each file commands/*.cpp.
Verb info_verb();
Verb import_verb();
Verb solve_verb();
Verb check_verb();
Verb modes_verb();
Verb reduce_verb();
Verb convert_verb();
Verb transform_verb();
Verb export_verb();
Verb validate_verb();
Verb simulate_verb();
Verb linearise_verb();
Verb lattice_verb();
Verb tyre_verb();
Verb road_verb();
Verb back_transform_verb();
Verb stress_verb();
Verb stress_deck_verb();
Verb compare_verb();
Verb study_verb();
Verb view_verb();
Verb live_verb();
Verb new_verb();
Verb assemble_verb();
Verb ask_verb();
Verb serve_verb();
Verb man_verb();
Verb completion_verb();

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> table = {
      info_verb(),           import_verb(),    solve_verb(),       check_verb(),    modes_verb(),
      reduce_verb(),         convert_verb(),   transform_verb(),   validate_verb(),

      simulate_verb(),       linearise_verb(), export_verb(),      lattice_verb(),  tyre_verb(),
      road_verb(),

      back_transform_verb(), stress_verb(),    stress_deck_verb(), compare_verb(),  study_verb(),
      view_verb(),           live_verb(),      new_verb(),         assemble_verb(), ask_verb(),
      serve_verb(),          man_verb(),       completion_verb(),
  };
  return table;
}

const std::vector<Option>& common_options() {
  static const std::vector<Option> table = {
      {"--json", "", "", "one JSON document on stdout", ""},
      {"--quiet", "-q", "", "no warnings and no progress on stderr", ""},
      {"--threads", "", "N", "threads of the linear algebra", ""},
      {"--units",
       "",
       "NAME",
       "units of the input where the file does not say",
       "",
       false,
       unit_names()},
      {"--reproducible", "", "", "leave times and the host out of every output", ""},
      {"--help", "-h", "", "this help", ""},
  };
  return table;
}

const Verb& find_verb(const std::string& name) {
  std::vector<std::string> names;
  for (const Verb& verb : verbs()) {
    if (verb.name == name) return verb;
    names.push_back(verb.name);
  }
  if (name.starts_with("-")) {
    names = {"--help", "--version"};
    throw UsageError("unknown-option",
                     fmt::format("no option '{}' without a verb", name),
                     {},
                     tools::suggestion(name, names) + "; 'femflex --help' lists the verbs");
  }
  throw UsageError("unknown-verb",
                   fmt::format("no verb '{}'", name),
                   {},
                   tools::suggestion(name, names) + "; 'femflex --help' lists all");
}

}  // namespace femflex::cli
