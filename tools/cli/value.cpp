// Text and number of a Value. A text may carry one unit after its number: "100", "1e3 Hz".
#include "value.h"

#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "document/number_text.h"

namespace femflex::cli {
namespace {

/// The fewest digits that are read back as the same number; integers get ".0".
std::string digits_of(double number) {
  std::string out = fmt::format("{}", number);
  if (out.find_first_not_of("-0123456789") == std::string::npos) out += ".0";
  return out;
}

/// The file name that a value would have: its name, or `default_name` if it has none, and the
/// extension. Characters that do not belong in file names become '_'.
std::string file_name(std::string name, const char* default_name, const char* extension) {
  for (char& c : name) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' ||
                          c == '_' || c == '.' || static_cast<unsigned char>(c) >= 0x80;
    if (!is_plain) c = '_';
  }
  return (name.empty() ? default_name : name) + extension;
}

/// The number of a text with an optional `unit` after it.
/// @throws UsageError  not a finite number, or another unit; the message names the option
double parse_number(const std::string& text, const std::string& unit, const std::string& option) {
  if (const auto number = tools::number_of_text(text, unit)) return *number;
  const bool has_other_unit =
      !unit.empty() && text.find_first_of("0123456789") != std::string::npos;
  throw UsageError("not-a-number",
                   fmt::format("{}: '{}' is not a number{}",
                               option,
                               text,
                               has_other_unit ? " in " + unit : std::string()),
                   {},
                   unit.empty() ? "write it like 0.5 or 1e-3"
                                : fmt::format("write it like 0.5 or '0.5 {}'", unit));
}

}  // namespace

std::string text_of(const Value& value) {
  if (const auto* text = value.as<std::string>()) return *text;
  if (const auto* flag = value.as<bool>()) return *flag ? "true" : "false";
  if (const auto* integer = value.as<std::int64_t>()) return std::to_string(*integer);
  if (const auto* number = value.as<double>()) return digits_of(*number);
  if (const auto* model = value.as<const FeModel*>())
    return file_name((*model)->name, "model", ".fe.h5");
  if (const auto* body = value.as<const FlexBody*>())
    return file_name((*body)->name, "body", ".fbm");
  if (const auto* result = value.as<const tools::ResultSeries*>())
    return file_name((*result)->name, "result", ".h5");
  if (const auto* document = value.as<const tools::DocumentValue*>())
    return file_name(tools::name_of(tools::DocumentInput(*document)), "document", ".json");
  if (const auto* change = value.as<const tools::DocumentChange*>())
    return tools::text_of(**change);
  std::string out;
  for (const Value& item : *value.as<Value::List>())
    out += (out.empty() ? "" : ",") + text_of(item);
  return out;
}

double number_of(const Value& value, const std::string& unit, const std::string& option) {
  if (const auto* integer = value.as<std::int64_t>()) return static_cast<double>(*integer);
  if (const auto* number = value.as<double>(); number != nullptr && std::isfinite(*number))
    return *number;
  return parse_number(text_of(value), unit, option);
}

}  // namespace femflex::cli
