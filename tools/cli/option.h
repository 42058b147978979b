// One row of a verb's option table, and the value that a call gives for it.
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
  std::vector<Value> values{};  ///< empty: a flag that is switched on
  bool is_fallback = false;     ///< nothing was given; `values` is the fallback of the table

  /// The last of `values`; an empty text for a flag.
  Value value() const { return values.empty() ? Value("") : values.back(); }
};

/// Stores the value of an option in a field of the verb's request (in `request`). The functions of
/// fields.h make setters from pointers to members.
using Setter = std::function<void(std::any& request, const Given& given)>;

/// One option of a verb, declared once: parser, help, shell completion, man page, command
/// reference and the Python signature all come from this row, and it fills the request.
struct Option {
  std::string name;          ///< "--output"
  std::string short_name{};  ///< "-o" or empty
  std::string value{};       ///< placeholder for its value: "FILE"; empty: a flag
  std::string help{};
  std::string fallback{};              ///< value if the option is not given; empty: none
  bool is_repeated = false;            ///< may be given several times, and take several values
  std::vector<std::string> choices{};  ///< allowed values; empty: any
  bool is_output = false;              ///< names a file to write, or a folder to write in
  std::string unit{};                  ///< unit that may follow a number: "Hz"
  std::string excludes{};              ///< an option that contradicts this one
  Setter set{};                        ///< empty: the option changes only how the outcome is shown
};

/// Marks an option as naming a file or folder to write.
inline Option writes(Option option) {
  option.is_output = true;
  return option;
}

}  // namespace femflex::cli
