// Text and number of a Value. A text may carry one unit after its number: "100", "1e3 Hz".
#include "value.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <type_traits>

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::cli {
namespace {

/// Shortest digits that read back as the same number; whole ones keep a ".0".
std::string digits_of(double number) {
  std::string out = fmt::format("{}", number);
  if (out.find_first_not_of("-0123456789") == std::string::npos) out += ".0";
  return out;
}

/// A file name for a value that has a name of its own.
std::string file_name(std::string name, const char* otherwise, const char* ending) {
  for (char& c : name) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' ||
                          c == '_' || c == '.' || static_cast<unsigned char>(c) >= 0x80;
    if (!is_plain) c = '_';
  }
  return (name.empty() ? otherwise : name) + ending;
}

double parsed(const std::string& text, const std::string& unit, const std::string& what) {
  double value = 0.0;
  const char* begin = text.data();
  const char* end = text.data() + text.size();
  if (begin != end && *begin == '+') ++begin;
  const auto [stop, fault] = std::from_chars(begin, end, value);
  std::string rest(stop, end);
  rest.erase(0, std::min(rest.find_first_not_of(' '), rest.size()));
  if (fault != std::errc() || !std::isfinite(value) || (!rest.empty() && rest != unit))
    throw UsageError("not-a-number",
                     fmt::format("{}: '{}' is not a number{}",
                                 what,
                                 text,
                                 unit.empty() ? "" : fmt::format(" in {}", unit)),
                     {},
                     unit.empty() ? "write it like 0.5 or 1e-3"
                                  : fmt::format("write it like 0.5 or '0.5 {}'", unit));
  return value;
}

}  // namespace

std::string text_of(const Value& value) {
  if (const auto* text = value.as<std::string>()) return *text;
  if (const auto* flag = value.as<bool>()) return *flag ? "true" : "false";
  if (const auto* whole = value.as<std::int64_t>()) return std::to_string(*whole);
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

double number_of(const Value& value, const std::string& unit, const std::string& what) {
  if (const auto* whole = value.as<std::int64_t>()) return static_cast<double>(*whole);
  if (const auto* number = value.as<double>(); number != nullptr && std::isfinite(*number))
    return *number;
  return parsed(text_of(value), unit, what);
}

}  // namespace femflex::cli
