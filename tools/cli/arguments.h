// The arguments of one call of a verb: checks them against the verb's option table, gives their
// values to the verb, and fills its request.
#pragma once

#include <any>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "value.h"
#include "verbs.h"

namespace femflex::cli {

/// The arguments of a verb: words that the user typed, or values of a script.
class Arguments {
 public:
  /// @param is_script  the call comes from a script: the verb returns what it makes, and no output
  /// needs a name
  /// @throws UsageError  too many or too few inputs, a value that is not one of the choices
  Arguments(const Verb& verb,
            std::map<std::string, std::vector<Value>> given,
            std::vector<Value> inputs,
            bool is_script = false);

  /// Names of the inputs: file names as given; for a value, the name of the file that would hold
  /// it.
  const std::vector<std::string>& inputs() const { return input_names_; }
  const std::string& input(std::size_t i = 0) const { return input_names_.at(i); }
  const Value& input_value(std::size_t i = 0) const { return inputs_.at(i); }
  bool is_script() const { return is_script_; }

  /// Stores the options in a request, row by row of the option table: the value given, else the
  /// fallback of the row.
  /// @throws UsageError  a value that its field does not take, options that contradict each other
  void fill(std::any& request) const;

  /// True if the user gave the option (flags: switched on).
  bool has(const std::string& name) const { return given_.contains(name); }
  /// The last value given for the option, else the fallback of the table; empty if there is none.
  std::string text(const std::string& name) const;
  /// All values given for the option, else the fallback of the table.
  std::vector<std::string> texts(const std::string& name) const;
  /// @throws UsageError  the value is not a number. A unit after it ("100 Hz") must be `unit`.
  double number(const std::string& name, const std::string& unit = {}) const;
  /// @throws UsageError  the value is not a whole number
  std::int64_t integer(const std::string& name) const;
  /// The value of an option that the verb cannot do without.
  /// @throws UsageError  it is not given and has no fallback
  std::string need(const std::string& name) const;

  /// Files that the call writes.
  std::vector<std::filesystem::path> output_files() const;
  /// Inputs, and existing files that options name.
  std::vector<std::filesystem::path> input_files() const;

  /// The call without folders and without options that do not change the result; stored in files as
  /// their provenance.
  std::string summary() const;
  /// The shell command that makes the same files again from the same folder.
  std::string command() const;

 private:
  const Option& option(const std::string& name) const;
  /// The values given for an option, else its fallback.
  Given given(const std::string& name) const;

  const Verb* verb_;
  std::map<std::string, std::vector<Value>> given_;
  std::vector<Value> inputs_;
  std::vector<std::string> input_names_;
  bool is_script_;
};

/// The arguments of a verb from the words after its name on the command line.
/// @throws UsageError  unknown option, missing value, too many or too few inputs, unknown choice
Arguments parse_arguments(const Verb& verb, const std::vector<std::string>& words);

}  // namespace femflex::cli
