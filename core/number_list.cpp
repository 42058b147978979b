// Parses and formats lists of numbers with ranges and steps: "1-20,25,30-40:2".
#include "femflex/number_list.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/text.h"

namespace femflex {
namespace {

/// One number of the list; `list` is the whole text, for the message.
std::int64_t parse_number(std::string_view text, std::string_view list) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  if (text.size() > 1 && text.front() == '-' && is_digit(text[1]))
    throw UsageError("number-list",
                     fmt::format("'{}' in '{}' is negative", text, list),
                     {},
                     "numbers are 0 or more");
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range)
    throw UsageError(
        "number-list",
        fmt::format("'{}' in '{}' is too large", text, list),
        {},
        fmt::format("numbers are at most {}", std::numeric_limits<std::int64_t>::max()));
  if (error != std::errc{} || end != text.data() + text.size())
    throw UsageError("number-list",
                     fmt::format("'{}' in '{}' is not a number", text, list),
                     {},
                     "write a list like 1-20,25,30-40:2");
  return value;
}

}  // namespace

std::vector<std::int64_t> parse_number_list(std::string_view text) {
  constexpr std::size_t kMaxNumbers = 10'000'000;
  std::vector<std::int64_t> numbers;
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    std::string_view item = text.substr(at, comma - at);
    at = comma + 1;
    std::int64_t step = 1;
    if (const std::size_t colon = item.find(':'); colon != std::string_view::npos) {
      step = parse_number(item.substr(colon + 1), text);
      item = item.substr(0, colon);
    }
    const std::size_t dash = item.find('-', item.find_first_not_of(" -"));
    const std::int64_t first = parse_number(item.substr(0, dash), text);
    const std::int64_t last =
        dash == std::string_view::npos ? first : parse_number(item.substr(dash + 1), text);
    if (last < first || step <= 0)
      throw UsageError("number-list",
                       fmt::format("range '{}' in '{}' is empty", item, text),
                       {},
                       "write the lower number first and a step of 1 or more");
    if ((last - first) / step >= static_cast<std::int64_t>(kMaxNumbers - numbers.size()))
      throw UsageError("number-list",
                       fmt::format("'{}' holds more than {} numbers", text, kMaxNumbers),
                       {},
                       "give fewer numbers");
    // counted, because last + step may overflow
    for (std::int64_t k = 0; k <= (last - first) / step; ++k)
      numbers.push_back(first + k * step);
  }
  return numbers;
}

std::string format_number_list(const std::vector<std::int64_t>& numbers) {
  std::string out;
  for (std::size_t k = 0; k < numbers.size();) {
    std::size_t end = k + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1)
      ++end;
    if (!out.empty()) out += ',';
    out += end - k > 1 ? fmt::format("{}-{}", numbers[k], numbers[end - 1])
                       : fmt::format("{}", numbers[k]);
    k = end;
  }
  return out;
}

}  // namespace femflex
