#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "verbs.h"

namespace femflex::cli {

/// What the user typed, checked against the table of the verb.
class Arguments {
 public:
  Arguments(const Verb& verb,
            std::map<std::string, std::vector<std::string>> given,
            std::vector<std::string> inputs)
      : verb_(&verb), given_(std::move(given)), inputs_(std::move(inputs)) {}

  const std::vector<std::string>& inputs() const { return inputs_; }
  const std::string& input(std::size_t i = 0) const { return inputs_.at(i); }

  /// True where the user gave the option (flags: switched on).
  bool has(const std::string& name) const { return given_.contains(name); }
  /// The value, or the fallback of the table.
  std::string text(const std::string& name) const;
  std::vector<std::string> texts(const std::string& name) const;
  /// @throws UsageError  the value is no number. A unit behind it ("100 Hz") must be `unit`.
  double number(const std::string& name, const std::string& unit = {}) const;
  std::int64_t integer(const std::string& name) const;
  /// A whole number, zero or above.
  std::int64_t count(const std::string& name) const;
  std::optional<double> maybe_number(const std::string& name, const std::string& unit = {}) const;
  std::string need(const std::string& name) const;

  /// Files that the call names to be written, and those that are there to be read.
  std::vector<std::filesystem::path> output_files() const;
  std::vector<std::filesystem::path> input_files() const;

  /// The call without folders and without what does not change the result; for provenance.
  std::string summary() const;
  /// The call that makes the same files again from the same folder, quoted for a shell.
  std::string command() const;

 private:
  const Option& option(const std::string& name) const;

  const Verb* verb_;
  std::map<std::string, std::vector<std::string>> given_;
  std::vector<std::string> inputs_;
};

/// Numbers with an optional unit: "100", "1e3 Hz".
/// @throws UsageError  `what` names the option in the message
double parse_number(const std::string& text, const std::string& unit, const std::string& what);

/// @throws UsageError  unknown option, missing value, too many or too few inputs, unknown choice
Arguments parse_arguments(const Verb& verb, const std::vector<std::string>& words);

}  // namespace femflex::cli
