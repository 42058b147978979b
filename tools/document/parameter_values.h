// ParameterValues: the "parameters" of a system or lattice, and the numbers that formulas make of
// them.
#pragma once

#include <string>

#include "femflex/laws/formula.h"

#include "document/json.h"

namespace femflex::tools {

/// The parameters of a document. A parameter may use those before it.
class ParameterValues {
 public:
  /// @param what  the document in messages, such as "system"
  /// @throws ParseError  (all functions here) an unknown parameter, a malformed formula or a text
  /// that is not a number, with its place
  ParameterValues(const Json& document, std::string what);

  bool contains(const std::string& name) const { return values_.contains(name); }
  /// The value of a number or of a "=formula" of the parameters.
  double number(const Json& value) const;
  const laws::Formula::Constants& values() const { return values_; }

 private:
  double evaluate(const Json& value, const std::string& formula) const;

  std::string what_;
  laws::Formula::Constants values_;
};

/// Whether the value is a text "=formula".
inline bool is_formula(const Json& value) {
  return value.is_text() && value.text().starts_with('=');
}

}  // namespace femflex::tools
