// Option: a row of a verb's option table. Given: the values of an option in a call.
#pragma once

#include <any>
#include <functional>
#include <string>
#include <vector>

#include "value.h"

namespace femflex::cli {

struct Option;

/// The values given for one option in one call.
struct Given {
  std::string verb;             ///< for messages
  const Option& option;         ///< its row of the table
  std::vector<Value> values{};  ///< empty for a flag that is switched on
  bool is_fallback = false;     ///< true: nothing was given; `values` is the fallback of the table

  /// The last of `values`; an empty text for a flag.
  Value value() const { return values.empty() ? Value("") : values.back(); }
};

/// Stores the value of an option in a field of `request`, the request of a verb. The functions of
/// fields.h make setters from pointers to members.
using Setter = std::function<void(std::any& request, const Given& given)>;

/// One option of a verb. Parser, help, shell completion, manual page, command reference and Python
/// signature are made from this row, and `set` stores the value in the request.
struct Option {
  std::string name;          ///< "--output"
  std::string short_name{};  ///< "-o" or empty
  std::string value{};       ///< placeholder for its value: "FILE"; empty: a flag
  std::string help{};
  std::string fallback{};              ///< value if the option is not given; empty: none
  bool is_repeated = false;            ///< may be given several times, with several values each
  std::vector<std::string> choices{};  ///< allowed values; empty: any
  bool is_output = false;              ///< its value is a file to write, or a folder in which to
                                       ///< write
  std::string second_ending{};         ///< of an output with a value such as "R.h5": another ending
                                       ///< that it may have, ".csv"
  std::string unit{};                  ///< unit allowed after a number, such as "Hz"
  std::string excludes{};              ///< an option that cannot be combined with this one
  Setter set{};                        ///< empty: the option only changes how the outcome is shown
};

/// Marks an option whose value is a file or folder to write.
inline Option writes(Option option) {
  option.is_output = true;
  return option;
}

}  // namespace femflex::cli
