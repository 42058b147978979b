// Splits lines at their commas, and reads fields as numbers or fails at their line.
#include "calculix/inp_scan.h"

#include <fmt/format.h>

#include "femflex/number.h"
#include "femflex/text.h"

#include "bytes/comma_fields.h"

namespace femflex::importer {

bool is_inp_comment(std::string_view line) {
  return line.starts_with("**") || line.starts_with(">**") || line == "*";
}

std::string unquoted(std::string_view text) {
  text = trimmed(text);
  if (text.size() > 1 && text.front() == '"' && text.back() == '"')
    text = text.substr(1, text.size() - 2);
  return std::string(text);
}

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields = comma_fields(line);
  if (fields.back().empty()) fields.pop_back();
  return fields;
}

std::int64_t inp_integer(std::string_view field, const Where& where) {
  const auto value = parse_integer(field);
  if (!value)
    throw ParseError("entry", fmt::format("'{}' is not an integer", field.substr(0, 60)), where);
  return *value;
}

double inp_real(std::string_view field, const Where& where) {
  const auto value = parse_real(field);
  if (!value)
    throw ParseError("entry", fmt::format("'{}' is not a number", field.substr(0, 60)), where);
  return *value;
}

double inp_real_or_zero(const std::vector<std::string_view>& fields,
                        std::size_t k,
                        const Where& where) {
  return k >= fields.size() || fields[k].empty() ? 0.0 : inp_real(fields[k], where);
}

}  // namespace femflex::importer
