// Evaluates parameters in their order, and formulas with the names of those before.
#include "document/parameter_values.h"

#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "document/nearest_name.h"
#include "document/parameter_names.h"

namespace femflex::tools {
namespace {

/// How to write the number that `text` may mean: "10 ms" begins with a number.
std::string number_remedy(const std::string& text, const std::string& what) {
  double given = 0.0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), given);
  const bool has_unit = fault == std::errc() && end != text.data() + text.size();
  if (fault == std::errc() && !std::isfinite(given)) return "write a finite number";
  if (fault == std::errc() && !has_unit) return fmt::format("write {} without quotes", text);
  if (has_unit)
    return fmt::format(
        "write the number alone, without quotes, in the units of the {} (10 ms is 0.01 in m-kg-s)",
        what);
  return "write a number, or a formula of parameters that starts with '='";
}

}  // namespace

ParameterValues::ParameterValues(const Json& document, std::string what) : what_(std::move(what)) {
  const Json* parameters = document.find("parameters");
  if (parameters == nullptr) return;
  for (const Json::Member& member : parameters->members()) {
    check_parameter_name(member);
    values_.emplace(member.key, number(member.value));
  }
}

double ParameterValues::number(const Json& value) const {
  if (!value.is_text()) return value.number();
  const std::string& text = value.text();
  if (!is_formula(value))
    value.fail("wrong-kind",
               fmt::format("the text '{}' where a number was expected", text),
               number_remedy(text, what_));
  const double result = evaluate(value, text.substr(1));
  if (!std::isfinite(result))
    value.fail("formula", fmt::format("'{}' gives no finite number", text));
  return result;
}

double ParameterValues::evaluate(const Json& value, const std::string& formula) const {
  std::vector<std::string> names;
  std::vector<double> numbers;
  for (const auto& [name, number] : values_) {
    names.push_back(name);
    numbers.push_back(number);
  }
  try {
    for (const std::string& used : laws::Formula::names_in(formula)) {
      if (values_.contains(used)) continue;
      value.fail("unknown-name",
                 fmt::format("'{}': there is no parameter '{}'", formula, used),
                 names.empty() ? fmt::format("the {} has no \"parameters\" before this one", what_)
                               : suggestion(used, names));
    }
    return laws::Formula(formula, names)(numbers);
  } catch (const ModelError& error) {
    value.fail("formula", error.message(), error.fix());  // names the formula
  }
}

}  // namespace femflex::tools
