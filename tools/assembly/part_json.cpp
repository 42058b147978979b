// Writes coefficient matrices as triplets (row, column, value). When reading, checks every size,
// because the sender is not trusted.
#include "assembly/part_json.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "femflex/errors.h"

#include "document/plain_text.h"

namespace femflex::tools {

using substructure::DynamicStiffness;

namespace {

constexpr std::size_t kMaxPortName = 200;
constexpr std::size_t kMaxUnits = 40;
constexpr const char* kUnits = "kg/s^2";

/// The integer in `number`; -1 if it is not an integer or is too large.
std::int64_t integer_of(const nlohmann::json& number) {
  if (number.is_number_unsigned() &&
      number.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX))
    return -1;
  return number.is_number_integer() ? number.get<std::int64_t>() : -1;
}

std::vector<std::int64_t> integers_of(const nlohmann::json& list) {
  std::vector<std::int64_t> out;
  for (const nlohmann::json& number : list)
    out.push_back(integer_of(number));
  return out;
}

}  // namespace

std::string part_to_json(const DynamicStiffness& part) {
  nlohmann::ordered_json out;
  out["part"] = part.name;
  out["units"] = kUnits;
  out["ports"] = part.ports;
  out["size"] = part.size();
  auto& list = out["coefficients"] = nlohmann::ordered_json::array();
  for (std::size_t power = 0; power < part.coefficients.size(); ++power) {
    const SparseMatrix& a = part.coefficients[power];
    std::vector<std::int64_t> rows;
    std::vector<std::int64_t> columns;
    std::vector<double> values;
    for (Eigen::Index j = 0; j < a.outerSize(); ++j) {
      for (SparseMatrix::InnerIterator it(a, j); it; ++it) {
        rows.push_back(it.row());
        columns.push_back(j);
        values.push_back(it.value());
      }
    }
    list.push_back({{"power", power}, {"rows", rows}, {"columns", columns}, {"values", values}});
  }
  return out.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

DynamicStiffness part_from_json(std::string_view text, const std::string& source) {
  const auto malformed = [&](const std::string& message) {
    return ParseError("dynamics", message, {.file = source});
  };
  const nlohmann::json document =
      nlohmann::json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
  if (document.is_discarded()) throw malformed("the answer is not JSON");
  std::string current_member = "the answer";  // the member that is being read, for messages
  const auto member = [&](const nlohmann::json& object, const char* key) -> const auto& {
    current_member = fmt::format("'{}'", key);
    return object.at(key);
  };
  try {
    const auto units = member(document, "units").get<std::string>();
    if (units != kUnits) {
      throw ParseError("units",
                       fmt::format("units '{}', expected {}", plain_text(units, kMaxUnits), kUnits),
                       {.file = source});
    }
    DynamicStiffness part;
    part.name = member(document, "part").get<std::string>();
    part.ports = member(document, "ports").get<std::vector<std::string>>();
    const std::int64_t size = integer_of(member(document, "size"));
    const auto& list = member(document, "coefficients");
    // each column needs memory, so the size must not exceed the number of received bytes
    if (size < 1 || size > static_cast<std::int64_t>(text.size())) {
      throw malformed(fmt::format("size {} in an answer of {} bytes", size, text.size()));
    }
    if (part.ports.empty()) throw malformed("no ports");
    // names are printed, so they must not contain escape sequences or line breaks
    if (std::any_of(part.ports.begin(), part.ports.end(), [](const std::string& port) {
          return port != plain_text(port, kMaxPortName);
        })) {
      throw malformed("a port has a name that is too long or not printable");
    }
    if (!list.is_array() || list.empty() || list.size() > 64) {
      throw malformed("'coefficients' is not a list of 1 to 64 matrices");
    }
    for (std::size_t power = 0; power < list.size(); ++power) {
      const auto& item = list[power];
      if (integer_of(member(item, "power")) != static_cast<std::int64_t>(power)) {
        throw malformed(fmt::format("coefficient {} belongs to another power", power));
      }
      const auto rows = integers_of(member(item, "rows"));
      const auto columns = integers_of(member(item, "columns"));
      const auto values = member(item, "values").get<std::vector<double>>();
      if (rows.size() != values.size() || columns.size() != values.size()) {
        throw malformed(fmt::format("{} rows, {} columns and {} values at power {}",
                                    rows.size(),
                                    columns.size(),
                                    values.size(),
                                    power));
      }
      std::vector<Entry> entries;
      entries.reserve(values.size());
      for (std::size_t k = 0; k < values.size(); ++k) {
        entries.push_back({rows[k], columns[k], values[k]});
      }
      part.coefficients.push_back(assemble(size, size, entries));
    }
    return substructure::make_part(std::move(part));
  } catch (const nlohmann::json::exception&) {
    throw malformed(
        fmt::format("not a part: {} is missing, or is not what a part has there", current_member));
  }
}

}  // namespace femflex::tools
