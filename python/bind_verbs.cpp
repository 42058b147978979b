// Binds every verb of the command line, as listed in the table of verbs, so that scripts and shells
// call the same code with the same names.
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "femflex/errors.h"

#include "arguments.h"
#include "bindings.h"
#include "calls.h"
#include "document/document.h"
#include "document/error_json.h"
#include "results/results_file.h"
#include "session.h"
#include "values.h"
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
    item["takes_values"] = verb.takes_values;
    item["takes_documents"] = verb.takes_documents;
    item["hands_over"] = verb.hands_over;
    out.append(item);
  }
  return out;
}

/// The place `path` in what a script gives, for messages.
Where place_of(const std::string& path) {
  Where out;
  out.record = path.empty() ? "document" : path;
  return out;
}

/// A Python number or text in C++.
/// @throws UsageError  a number outside the range of T, a text that is not Unicode
template <class T>
T taken(const py::handle& value, const std::string& path, const char* fault) {
  try {
    return value.cast<T>();
  } catch (const py::cast_error&) {
    throw UsageError("usage", fault, place_of(path));
  }
}

constexpr const char* kNotText = "the text is not Unicode";
constexpr const char* kTooLarge = "the number is outside the range of 64 bits";

/// Makes a document from a Python value. Models and bodies in it become texts, which are keys of
/// `parts`.
class DocumentMaker {
 public:
  explicit DocumentMaker(tools::DocumentParts& parts) : parts_(parts) {}

  /// @param path  path of the value in the document, for messages: "bodies.dms.flex"
  tools::Json json_of(const py::handle& value, const std::string& path) {
    tools::Json out = plain(value, path);
    out.set_where(place_of(path));
    return out;
  }

 private:
  tools::Json plain(const py::handle& value, const std::string& path) {
    if (value.is_none()) return {};
    if (py::isinstance<ModelBox>(value)) return part(&value.cast<const ModelBox&>().model, path);
    if (py::isinstance<FlexBody>(value)) return part(&value.cast<const FlexBody&>(), path);
    if (py::isinstance<py::bool_>(value)) return value.cast<bool>();
    if (py::isinstance<py::str>(value)) return taken<std::string>(value, path, kNotText);
    if (py::isinstance<py::int_>(value) || py::isinstance<py::float_>(value)) {
      const auto number = taken<double>(value, path, kTooLarge);
      if (!std::isfinite(number))
        throw UsageError("usage", "the number is not finite", place_of(path));
      return number;
    }
    if (py::isinstance<py::list>(value)) {
      tools::Json out = tools::Json::list();
      for (const py::handle& item : value)
        out.push_back(json_of(item, path + "." + std::to_string(out.items().size())));
      return out;
    }
    if (!py::isinstance<py::dict>(value))
      throw UsageError("usage",
                       "the value has a type that a document cannot hold",
                       place_of(path),
                       "give a number, text, list, dict, model or body");
    tools::Json out = tools::Json::object();
    for (const auto& [key, member] : value.cast<py::dict>()) {
      const std::string name = py::str(key);
      const std::string inner = path.empty() ? name : path + "." + name;
      out.members().push_back({name, json_of(member, inner), place_of(inner)});
    }
    return out;
  }

  template <class T>
  tools::Json part(const T* value, const std::string& path) {
    const std::string name = "value of " + path;
    parts_[name] = value;
    return name;
  }

  tools::DocumentParts& parts_;
};

/// A number, text, list, model, body, result, document or change of Python. The caller's references
/// keep the last five alive.
/// @param path  of the value among the inputs and options, for messages: "--select.0"
/// @throws UsageError  something else
cli::Value value_of(const py::handle& item, const std::string& path) {
  if (py::isinstance<ModelBox>(item)) return cli::Value(&item.cast<const ModelBox&>().model);
  if (py::isinstance<FlexBody>(item)) return cli::Value(&item.cast<const FlexBody&>());
  if (py::isinstance<tools::ResultSeries>(item))
    return cli::Value(&item.cast<const tools::ResultSeries&>());
  if (py::isinstance<tools::DocumentValue>(item))
    return cli::Value(&item.cast<const tools::DocumentValue&>());
  if (py::isinstance<tools::DocumentChange>(item))
    return cli::Value(&item.cast<const tools::DocumentChange&>());
  if (py::isinstance<py::bool_>(item)) return cli::Value(item.cast<bool>());
  if (py::isinstance<py::int_>(item)) return cli::Value(taken<std::int64_t>(item, path, kTooLarge));
  if (py::isinstance<py::float_>(item)) return cli::Value(item.cast<double>());
  if (py::isinstance<py::str>(item)) return {taken<std::string>(item, path, kNotText)};
  if (py::isinstance<py::list>(item)) {
    cli::Value::List list;
    for (const py::handle& each : item)
      list.push_back(value_of(each, path + "." + std::to_string(list.size())));
    return cli::Value(std::move(list));
  }
  throw UsageError(
      "usage", "expected a number, a text, a list or a value of femflex", place_of(path));
}

std::vector<cli::Value> values_of(const py::handle& items, const std::string& path) {
  std::vector<cli::Value> out;
  for (const py::handle& item : items)
    out.push_back(value_of(item, path + "." + std::to_string(out.size())));
  return out;
}

/// What a verb made, under the names that a Report uses.
py::dict made_of(cli::Outcome& outcome) {
  py::dict made;
  if (outcome.model) {
    auto box = std::make_shared<ModelBox>();
    box->model = std::move(*outcome.model);
    made["model"] = py::cast(box);
  }
  if (outcome.body) made["body"] = py::cast(outcome.body);
  if (outcome.result) made["result"] = py::cast(outcome.result);
  return made;
}

/// (exit code, document as JSON text, text for people, warnings as JSON text, what was made)
py::tuple run_verb(const std::string& name,
                   const py::list& inputs,
                   const py::dict& options,
                   const py::object& callback) {
  const cli::Verb& verb = cli::find_verb(name);
  std::map<std::string, std::vector<cli::Value>> given;
  for (const auto& [option, values] : options) {
    const auto key = option.cast<std::string>();
    given[key] = values_of(values, key);
  }
  std::vector<cli::Value> works_on = values_of(inputs, "inputs");
  PythonProgress progress(callback);
  cli::Outcome outcome;
  std::string warnings;
  call(progress, [&]() {
    const cli::Arguments arguments(verb, std::move(given), std::move(works_on), true);
    cli::Session session = cli::session_for(arguments, progress);
    outcome = cli::run_verb(verb, arguments, session);
    warnings = tools::warnings_json(session.diagnostics).dump_line();
  });
  return py::make_tuple(outcome.exit_code,
                        text_of(outcome.document.dump_line()),
                        text_of(outcome.text),
                        text_of(warnings),
                        made_of(outcome));
}

}  // namespace

void bind_verbs(py::module_& module) {
  py::class_<tools::DocumentValue>(module, "Document", "A system or a lattice without a file.")
      .def(py::init([](const py::dict& content) {
             tools::DocumentValue out;
             out.json = DocumentMaker(out.parts).json_of(content, "");
             return out;
           }),
           py::arg("content"),
           py::keep_alive<1, 2>(),
           "Of numbers, texts, lists, dicts, models and bodies. These must stay in `content`, as "
           "they are, as long as the document is used.");
  py::class_<tools::DocumentChange>(module, "Change", "A value to put in a document.")
      .def(py::init([](const std::string& path, const py::object& value) {
             tools::DocumentChange out;
             out.path = path;
             out.value = DocumentMaker(out.parts).json_of(value, "--set " + path);
             return out;
           }),
           py::arg("path"),
           py::arg("value"),
           py::keep_alive<1, 3>(),
           "Of a path and what Document takes; models and bodies must stay in `value`, as they "
           "are, as long as the change is used.");
  module.def("verb_table", &verb_table, "The verbs of the command line with their options.");
  module.def(
      "common_options",
      []() { return options_of(cli::common_options()); },
      "Options that every verb takes.");
  module.def("run_verb",
             &run_verb,
             py::arg("name"),
             py::arg("inputs"),
             py::arg("options"),
             py::arg("progress") = py::none(),
             "Runs a verb; options by name with a list of values each, empty for a flag.");
}

}  // namespace femflex::python
