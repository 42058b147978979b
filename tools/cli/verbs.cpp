#include "verbs.h"

#include <fmt/format.h>

#include "femflex/errors.h"

#include "commands/commands.h"
#include "document/nearest_name.h"

namespace femflex::cli {

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> table = {
      info_verb(),           import_verb(),    check_verb(),    modes_verb(),      reduce_verb(),
      convert_verb(),        transform_verb(), validate_verb(),

      simulate_verb(),       linearise_verb(), lattice_verb(),

      back_transform_verb(), compare_verb(),   study_verb(),    view_verb(),       new_verb(),
      assemble_verb(),       serve_verb(),     man_verb(),      completion_verb(),
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
  throw UsageError("unknown-verb",
                   fmt::format("no verb '{}'", name),
                   {},
                   tools::suggestion(name, names) + "; 'femflex --help' lists all");
}

}  // namespace femflex::cli
