// Every verb of the command line, straight from its table: what a script calls and what a shell
// calls is the same code with the same names.
#include <string>
#include <vector>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "arguments.h"
#include "bindings.h"
#include "calls.h"
#include "document/error_json.h"
#include "help.h"
#include "session.h"
#include "verbs.h"

namespace femflex::python {
namespace {

py::dict dict_of(const cli::Option& option) {
  py::dict out;
  out["name"] = option.name;
  out["value"] = option.value;
  out["help"] = option.help;
  out["fallback"] = option.fallback;
  out["is_repeated"] = option.is_repeated;
  out["choices"] = option.choices;
  return out;
}

py::list options_of(const std::vector<cli::Option>& table) {
  py::list out;
  for (const cli::Option& option : table)
    out.append(dict_of(option));
  return out;
}

py::list verb_table() {
  py::list out;
  for (const cli::Verb& verb : cli::verbs()) {
    py::dict item;
    item["name"] = verb.name;
    item["summary"] = verb.summary;
    item["inputs"] = verb.inputs;
    item["fewest_inputs"] = verb.fewest_inputs;
    item["most_inputs"] = verb.most_inputs;
    item["options"] = options_of(verb.options);
    item["examples"] = verb.examples;
    out.append(item);
  }
  return out;
}

/// (exit code, document as JSON text, text for people, warnings as JSON text)
py::tuple run_verb(const std::string& name,
                   const std::vector<std::string>& words,
                   const py::object& callback) {
  PythonProgress progress(callback);
  cli::Outcome outcome;
  std::string warnings;
  call(progress, [&]() {
    const cli::Verb& verb = cli::find_verb(name);
    const cli::Arguments arguments = cli::parse_arguments(verb, words);
    cli::Session session = cli::session_for(arguments, progress);
    outcome = cli::run_verb(verb, arguments, session);
    warnings = tools::warnings_json(session.diagnostics).dump_line();
  });
  return py::make_tuple(outcome.exit_code,
                        text_of(outcome.document.dump_line()),
                        text_of(outcome.text),
                        text_of(warnings));
}

}  // namespace

void bind_verbs(py::module_& module) {
  module.def("verb_table", &verb_table, "The verbs of the command line with their options.");
  module.def(
      "common_options",
      []() { return options_of(cli::common_options()); },
      "Options that every verb takes.");
  module.def("run_verb",
             &run_verb,
             py::arg("name"),
             py::arg("words"),
             py::arg("progress") = py::none(),
             "Runs a verb with the words a shell would give it.");
}

}  // namespace femflex::python
