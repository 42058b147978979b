// Reads and writes lists of numbers such as "1-20,25,30-40:2", for options and input files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace femflex {

/// Numbers of a list such as "1-20,25,30-40:2", in the order written; one syntax for all options.
/// @throws UsageError  text that is not such a list, a negative number, a range that runs
/// backwards, a step of 0, or more than 10 million numbers
std::vector<std::int64_t> parse_number_list(std::string_view text);

/// Numbers and ranges (of consecutive numbers, without steps) that parse back to `numbers`.
/// @pre at least one number, none negative
std::string format_number_list(const std::vector<std::int64_t>& numbers);

}  // namespace femflex
