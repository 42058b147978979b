// Arguments: the arguments of one call of a verb. Checks them against the verb's option table,
// returns their values, and fills the request of the verb.
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

/// The arguments are words that the user typed, or values from a script.
class Arguments {
 public:
  /// @param is_script  the call comes from a script: the verb returns its results, and outputs need
  /// no file name
  /// @throws UsageError  too many or too few inputs, an empty value, or a value that is not one of
  /// the choices
  Arguments(const Verb& verb,
            std::map<std::string, std::vector<Value>> given,
            std::vector<Value> inputs,
            bool is_script = false);

  /// Names of the inputs: file names as given; for a value, the name that its file would have.
  const std::vector<std::string>& inputs() const { return input_names_; }
  const std::string& input(std::size_t i = 0) const { return input_names_.at(i); }
  const Value& input_value(std::size_t i = 0) const { return inputs_.at(i); }
  bool is_script() const { return is_script_; }

  /// Stores the options in a request, row by row of the option table: the given value, else the
  /// fallback of the row.
  /// @throws UsageError  a value that does not fit its field, or options that contradict each other
  void fill(std::any& request) const;

  /// Whether the user gave the option (for flags: switched it on).
  bool has(const std::string& name) const { return given_.contains(name); }
  /// The last given value of the option, else the fallback of the table; empty if there is none.
  std::string text(const std::string& name) const;
  /// All given values of the option, else the fallback of the table.
  std::vector<std::string> texts(const std::string& name) const;
  /// @throws UsageError  the value is not a number, or its unit ("100 Hz") is not `unit`
  double number(const std::string& name, const std::string& unit = {}) const;
  /// @throws UsageError  the value is not a whole number
  std::int64_t integer(const std::string& name) const;
  /// The value of a required option.
  /// @throws UsageError  it is not given and has no fallback
  std::string need(const std::string& name) const;

  /// Files that the call writes.
  std::vector<std::filesystem::path> output_files() const;
  /// @throws UsageError  an output is named '-', or has the name of a text where HDF5 is written
  void check_output_names() const;
  /// Inputs, and existing files to which options refer.
  std::vector<std::filesystem::path> input_files() const;

  /// The call without folders and without options that do not change the result. Files store it as
  /// provenance.
  std::string summary() const;
  /// The shell command that reproduces the same files from the same folder.
  std::string command() const;

 private:
  const Option& option(const std::string& name) const;
  /// The given values of an option, else its fallback.
  Given given(const std::string& name) const;

  const Verb* verb_;
  std::map<std::string, std::vector<Value>> given_;
  std::vector<Value> inputs_;
  std::vector<std::string> input_names_;
  bool is_script_;
};

/// Makes the arguments of a verb from the words after its name on the command line.
/// @throws UsageError  unknown option, missing value, too many or too few inputs, unknown choice
Arguments parse_arguments(const Verb& verb, const std::vector<std::string>& words);

}  // namespace femflex::cli
