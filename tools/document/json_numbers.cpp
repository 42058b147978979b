// Every function reads one JSON value. It throws a ParseError with line and column if the value is
// invalid.
#include "document/json_numbers.h"

#include <fmt/format.h>

namespace femflex::tools {

std::int64_t whole_at(const Json& value, double number, std::int64_t least, std::int64_t most) {
  if (const auto out = whole_number(number, least, most)) return *out;
  std::string range;
  if (least > -kMostWhole) range += fmt::format(" from {}", least);
  if (most < kMostWhole) range += fmt::format(" to {}", most);
  if (!range.empty() && most >= kMostWhole) range += " on";
  value.fail("number", fmt::format("{} is not a whole number{}", number, range));
}

double positive(const Json& value) {
  const double number = value.number();
  if (!(number > 0.0)) value.fail("number", fmt::format("{} is not positive", number));
  return number;
}

std::vector<double> numbers(const Json& value) {
  std::vector<double> out;
  for (const Json& item : value.items())
    out.push_back(item.number());
  return out;
}

Eigen::MatrixXd matrix(const Json& value) {
  const auto& rows = value.items();
  const std::size_t columns = rows.empty() ? 0 : rows.front().items().size();
  Eigen::MatrixXd out(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(columns));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::vector<double> row = numbers(rows[i]);
    if (row.size() != columns) {
      rows[i].fail(
          "sizes-differ",
          fmt::format("a row of {} numbers where the first row has {}", row.size(), columns));
    }
    for (std::size_t j = 0; j < columns; ++j) {
      out(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = row[j];
    }
  }
  return out;
}

}  // namespace femflex::tools
