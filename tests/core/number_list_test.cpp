// Tests lists of numbers such as 1-20,25.
#include "femflex/number_list.h"

#include <string>

#include <gtest/gtest.h>

#include "femflex/errors.h"

namespace femflex {
namespace {

TEST(NumberList, ReadsNumbersRangesAndSteps) {
  const std::vector<std::int64_t> expected{1, 2, 3, 25, 30, 32, 34};
  EXPECT_EQ(parse_number_list("1-3,25,30-34:2"), expected);
}

// Truth: the last 64-bit number; adding the step to it would overflow.
TEST(NumberList, EndsAtTheLargestInteger) {
  const std::vector<std::int64_t> two{9223372036854775806, 9223372036854775807};
  EXPECT_EQ(parse_number_list("9223372036854775806-9223372036854775807"), two);
  const std::vector<std::int64_t> one{5};
  EXPECT_EQ(parse_number_list("5-9223372036854775807:9223372036854775807"), one);
}

TEST(NumberList, PrintsWhatItReads) {
  EXPECT_EQ(format_number_list({1, 2, 3, 7, 9, 10}), "1-3,7,9-10");
}

TEST(NumberList, RefusesTextBackwardRangesAndFloods) {
  for (const char* bad : {"", "a", "1,,2", "5-3", "1-9:0", "1-99999999999", "-4"})
    EXPECT_THROW(parse_number_list(bad), UsageError) << bad;
}

/// The message about a list that is refused.
std::string refusal(const std::string& list) {
  try {
    parse_number_list(list);
  } catch (const UsageError& error) {
    return error.message();
  }
  return "";
}

TEST(NumberList, SaysWhatIsWrongWithANumber) {
  EXPECT_EQ(refusal("-4"), "'-4' in '-4' is negative");
  EXPECT_EQ(refusal("1, -4-7"), "'-4' in '1, -4-7' is negative");
  EXPECT_EQ(refusal("-all"), "'-all' in '-all' is not a number");
  EXPECT_EQ(refusal("3--5"), "'-5' in '3--5' is negative");
  EXPECT_EQ(refusal("-"), "'-' in '-' is not a number");
  EXPECT_EQ(refusal("12345678901234567890"),
            "'12345678901234567890' in '12345678901234567890' is too large");
  EXPECT_EQ(refusal("3-"), "'' in '3-' is not a number");
}

}  // namespace
}  // namespace femflex
