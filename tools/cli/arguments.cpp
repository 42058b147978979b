// Checks inputs and options against the verb's option table. CLI11 splits the words of a command
// line; the checks after that also apply to calls from scripts.
#include "arguments.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include "femflex/errors.h"

#include "document/nearest_name.h"
#include "fields.h"
#include "results/outputs.h"

namespace femflex::cli {
namespace {

std::vector<std::string> option_names(const Verb& verb) {
  std::vector<std::string> names;
  for (const auto* table : {&verb.options, &common_options()}) {
    for (const Option& option : *table)
      names.push_back(option.name);
  }
  return names;
}

[[noreturn]] void refuse_call(const Verb& verb,
                              const std::string& message,
                              const std::string& fix = {}) {
  throw UsageError("usage",
                   fmt::format("{}: {}", verb.name, message),
                   {},
                   fix.empty() ? fmt::format("see 'femflex {} --help'", verb.name) : fix);
}

void check_choices(const Verb& verb, const Option& option, const std::vector<Value>& values) {
  if (option.choices.empty()) return;
  for (const Value& given : values) {
    const std::string value = text_of(given);
    if (std::find(option.choices.begin(), option.choices.end(), value) == option.choices.end())
      refuse_call(verb,
                  fmt::format("{}: '{}' is not known", option.name, value),
                  tools::suggestion(value, option.choices));
  }
}

/// Without this, an empty text (of an unset shell variable, say) would count as "not given".
void refuse_empty(const Verb& verb, const Option& option, const std::vector<Value>& values) {
  for (const Value& given : values) {
    const auto* typed = given.as<std::string>();
    if (typed != nullptr && typed->empty())
      refuse_call(verb,
                  fmt::format("{}: the value is empty", option.name),
                  "give one, or leave the option out");
  }
}

/// True for options with values like "M.fe.h5", "FILE:NAME" or "FOLDER". The summary omits folders
/// of such values, whereas names of channels keep their slashes.
bool names_a_file(const Option& option) {
  return option.value.find('.') != std::string::npos ||
         option.value.find("FILE") != std::string::npos || option.value == "FOLDER" ||
         option.value == "BODY" || option.value == "MODEL";
}

/// Quotes a word so that a shell reads it unchanged.
std::string quoted(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./,:=+-@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word)
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// Refuses `--quiet=3`. The parser would drop the value, so that `--quiet=false` would be quiet.
void refuse_values_of_flags(const Verb& verb, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word == "--") return;  // only inputs follow
    const std::size_t equals = word.find('=');
    if (!word.starts_with("--") || equals == std::string::npos) continue;
    const std::string name = word.substr(0, equals);
    for (const auto* table : {&verb.options, &common_options()})
      for (const Option& option : *table)
        if (option.name == name && option.value.empty())
          refuse_call(verb,
                      fmt::format("{} takes no value, but '{}' is given", name, word),
                      fmt::format("write {} alone, or leave it out", name));
  }
}

}  // namespace

Arguments::Arguments(const Verb& verb,
                     std::map<std::string, std::vector<Value>> given,
                     std::vector<Value> inputs,
                     bool is_script)
    : verb_(&verb), given_(std::move(given)), inputs_(std::move(inputs)), is_script_(is_script) {
  for (const Value& input : inputs_)
    input_names_.push_back(text_of(input));
  for (const auto* table : {&verb.options, &common_options()}) {
    for (const Option& option : *table) {
      const auto found = given_.find(option.name);
      if (found == given_.end()) continue;
      refuse_empty(verb, option, found->second);
      check_choices(verb, option, found->second);
    }
  }
  const auto count = static_cast<int>(inputs_.size());
  if (count < verb.fewest_inputs)
    refuse_call(verb,
                fmt::format("{} where {} is expected",
                            count == 0 ? "no input"
                                       : fmt::format("{} input{}", count, count > 1 ? "s" : ""),
                            verb.inputs));
  if (verb.most_inputs >= 0 && count > verb.most_inputs)
    refuse_call(verb,
                fmt::format("'{}' is one input too many",
                            input_names_[static_cast<std::size_t>(verb.most_inputs)]));
}

void Arguments::fill(std::any& request) const {
  for (const Option& option : verb_->options) {
    if (!option.set) continue;
    const bool is_given = has(option.name);
    if (is_given && !option.excludes.empty() && has(option.excludes))
      throw UsageError(
          "usage", fmt::format("{} and {} contradict each other", option.name, option.excludes));
    if (is_given || !option.fallback.empty()) option.set(request, given(option.name));
  }
}

const Option& Arguments::option(const std::string& name) const {
  for (const auto* table : {&verb_->options, &common_options()}) {
    for (const Option& option : *table) {
      if (option.name == name) return option;
    }
  }
  throw NumericalError("internal", fmt::format("{} is not in the table of {}", name, verb_->name));
}

Given Arguments::given(const std::string& name) const {
  const Option& known = option(name);
  const auto found = given_.find(name);
  if (found != given_.end() && !found->second.empty()) return {verb_->name, known, found->second};
  if (known.fallback.empty()) return {verb_->name, known};
  return {verb_->name, known, {known.fallback}, true};
}

std::string Arguments::text(const std::string& name) const {
  return text_of(given(name).value());
}

std::vector<std::string> Arguments::texts(const std::string& name) const {
  std::vector<std::string> out;
  for (const Value& value : given(name).values)
    out.push_back(text_of(value));
  return out;
}

std::vector<std::filesystem::path> Arguments::output_files() const {
  std::vector<std::filesystem::path> out;
  for (const auto& [name, values] : given_) {
    if (!option(name).is_output) continue;
    for (const Value& value : values)
      out.emplace_back(text_of(value));
  }
  if (verb_->writes_last_input && !inputs_.empty()) out.emplace_back(input_names_.back());
  if (verb_->updates_input && out.empty() && !inputs_.empty() && !is_script_)
    out.emplace_back(input_names_.front());
  return out;
}

void Arguments::check_output_names() const {
  for (const std::filesystem::path& output : output_files()) {
    if (output == "-")
      refuse_call(*verb_,
                  "'-' is not the name of an output: no verb writes its files to stdout",
                  "name a file, or ./- for a file of that name");
  }
  for (const auto& [name, values] : given_) {
    const Option& known = option(name);
    if (!known.is_output || !known.value.ends_with(".h5")) continue;
    for (const Value& each : values) {
      const std::filesystem::path output = text_of(each);
      if (known.second_ending.empty() || output.extension() != known.second_ending)
        tools::refuse_text_name(output);
    }
  }
}

std::vector<std::filesystem::path> Arguments::input_files() const {
  std::vector<std::filesystem::path> out;
  for (const Value& input : inputs_) {
    if (const auto* path = input.as<std::string>()) out.emplace_back(*path);
  }
  if (verb_->writes_last_input && !out.empty()) out.pop_back();
  const auto add = [&](const std::string& name) {
    std::error_code ignored;  // if the name cannot be looked up, it is not an existing file
    if (std::filesystem::is_regular_file(name, ignored)) out.emplace_back(name);
  };
  for (const auto& [name, values] : given_) {
    if (option(name).is_output) continue;
    for (const Value& each : values) {
      const auto* text = each.as<std::string>();
      if (text == nullptr) continue;
      const std::string& value = *text;
      // the value may also be "FILE:NAME" or "CAUSE=FILE@AMOUNT"
      add(value);
      add(value.substr(0, value.rfind(':')));
      const std::size_t from = value.find('=');
      if (from != std::string::npos)
        add(value.substr(from + 1, value.rfind('@') - std::min(value.rfind('@'), from + 1)));
    }
  }
  return out;
}

std::string Arguments::need(const std::string& name) const {
  const std::string value = text(name);
  if (value.empty())
    refuse_call(*verb_,
                fmt::format("{} is needed", name),
                fmt::format("add {} {}", name, option(name).value));
  return value;
}

double Arguments::number(const std::string& name, const std::string& unit) const {
  static_cast<void>(need(name));
  return number_of(given(name).value(), unit, name);
}

std::int64_t Arguments::integer(const std::string& name) const {
  static_cast<void>(need(name));
  return whole_number(given(name));
}

std::string Arguments::summary() const {
  const auto without_folder = [](const std::string& text) {
    return std::filesystem::path(text).filename().string();
  };
  std::string out = verb_->name;
  for (const std::string& input : input_names_)
    out += " " + without_folder(input);
  for (const auto& [name, values] : given_) {
    if (name == "--json" || name == "--quiet" || name == "--threads" || name == "--output" ||
        name == "--reproducible" || name == "--report" || name == "--distributed" ||
        name == "--memory")
      continue;
    out += " " + name;
    for (const Value& given : values) {
      const std::string value = text_of(given);
      if (!value.empty()) out += " " + (names_a_file(option(name)) ? without_folder(value) : value);
    }
  }
  return out;
}

std::string Arguments::command() const {
  std::string out = "femflex " + verb_->name;
  for (const std::string& input : input_names_)
    out += " " + quoted(input);
  for (const auto& [name, values] : given_) {
    if (name == "--json" || name == "--quiet" || name == "--threads") continue;
    out += " " + name;
    // a reproducible page must not depend on its own file name, so a placeholder replaces it
    const bool hides_name = name == "--report" && has("--reproducible");
    for (const Value& given : values) {
      const std::string value = text_of(given);
      if (!value.empty()) out += " " + quoted(hides_name ? option(name).value : value);
    }
  }
  return out;
}

Arguments parse_arguments(const Verb& verb, const std::vector<std::string>& words) {
  refuse_values_of_flags(verb, words);
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  std::map<std::string, CLI::Option*> handles;
  std::map<std::string, bool> flags;
  for (const auto* table : {&verb.options, &common_options()}) {
    for (const Option& option : *table) {
      const std::string names =
          option.short_name.empty() ? option.name : option.short_name + "," + option.name;
      if (option.value.empty()) {
        handles[option.name] = app.add_flag(names, flags[option.name]);
      } else {
        // not bound to variables, because CLI11 splits bound vectors at ';' and brackets
        handles[option.name] = app.add_option(names);
        handles[option.name]->expected(
            1, option.is_repeated ? CLI::detail::expected_max_vector_size : 1);
        handles[option.name]->take_all();
        if (option.is_repeated) handles[option.name]->allow_extra_args();
      }
    }
  }
  CLI::Option* positional = app.add_option("inputs");
  positional->expected(0, CLI::detail::expected_max_vector_size)->take_all()->allow_extra_args();

  // CLI11 expects words in reverse order; all words after a lone "--" are inputs
  std::vector<std::string> reversed(words.rbegin(), words.rend());
  try {
    app.parse(std::move(reversed));
  } catch (const CLI::ArgumentMismatch& error) {
    // "--frf: 1 required KIND missing"
    const std::string message = error.what();
    const std::string name = message.substr(0, message.find(':'));
    if (name.starts_with("-")) refuse_call(verb, fmt::format("{}: its value is missing", name));
    refuse_call(verb, message);
  } catch (const CLI::ParseError& error) {
    refuse_call(verb, error.what());
  }
  const std::vector<std::string> typed = positional->results();
  std::vector<Value> inputs(typed.begin(), typed.end());
  for (const std::string& word : app.remaining()) {
    if (word == "--") continue;
    if (word.size() > 1 && word[0] == '-')
      refuse_call(verb,
                  fmt::format("unknown option '{}'", word),
                  tools::suggestion(word.substr(0, word.find('=')), option_names(verb)));
    inputs.emplace_back(word);
  }
  std::map<std::string, std::vector<Value>> given;
  for (const auto* table : {&verb.options, &common_options()}) {
    for (const Option& option : *table) {
      if (handles.at(option.name)->count() == 0) continue;
      std::vector<Value>& values = given[option.name];
      if (option.value.empty()) continue;
      const std::vector<std::string> texts = handles.at(option.name)->results();
      if (!option.is_repeated && texts.size() > 1)
        refuse_call(
            verb, fmt::format("{} is given {} times", option.name, texts.size()), "keep one");
      values.assign(texts.begin(), texts.end());
    }
  }
  return {verb, std::move(given), std::move(inputs)};
}

}  // namespace femflex::cli
