// Tests the reader of lines and numbers of text files.
#include "femflex/lines.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/number.h"

namespace femflex {
namespace {

std::vector<std::string> all_of(std::string_view text) {
  Lines lines(text);
  std::vector<std::string> out;
  while (!lines.at_end()) {
    const std::string ahead(lines.peek());
    EXPECT_TRUE(lines.next());
    EXPECT_EQ(ahead, lines.line());
    EXPECT_EQ(text.substr(lines.offset(), ahead.size()), ahead);
    out.push_back(ahead);
    EXPECT_EQ(lines.number(), static_cast<std::int64_t>(out.size()));
  }
  EXPECT_FALSE(lines.next());
  return out;
}

// Truth: the same three lines, whatever ends them.
TEST(Lines, EndWithLineFeedOrReturnOrBoth) {
  const std::vector<std::string> three = {"a", "", "bc"};
  for (const char* text : {"a\n\nbc\n", "a\n\nbc", "a\r\n\r\nbc\r\n", "a\r\n\r\nbc\r", "a\r\rbc\r"})
    EXPECT_EQ(all_of(text), three) << ::testing::PrintToString(text);
  EXPECT_TRUE(all_of("").empty());
}

TEST(Lines, GoBackByOne) {
  Lines lines("a\nb\n");
  lines.next();
  lines.next();
  lines.back();
  EXPECT_EQ(lines.number(), 1);
  EXPECT_TRUE(lines.next());
  EXPECT_EQ(lines.line(), "b");
  EXPECT_EQ(lines.remaining(), 0U);
}

// Truth: Fortran's and NASTRAN's ways to write exponents.
TEST(Number, ExponentsComeWithAnyLetterOrNone) {
  EXPECT_EQ(parse_real(" 1.5D+02 "), 150.0);
  EXPECT_EQ(parse_real("7.25-4"), 7.25e-4);
  EXPECT_EQ(parse_real("+.5"), 0.5);
  EXPECT_EQ(parse_real("1e-999"), 0.0);
  for (const char* text : {"", "nan", "inf", "1e999", "1.5x", "-", "1 2"})
    EXPECT_FALSE(parse_real(text)) << text;
  EXPECT_EQ(parse_integer(" +12"), 12);
  EXPECT_FALSE(parse_integer("1.0"));
}

// Truth: the limits of 64-bit integers. Short integers and those of 19 digits or more go two ways.
TEST(Number, IntegersOfAnyLength) {
  EXPECT_EQ(parse_integer("-0"), 0);
  EXPECT_EQ(parse_integer("999999999999999999"), 999'999'999'999'999'999);
  EXPECT_EQ(parse_integer("-999999999999999999"), -999'999'999'999'999'999);
  EXPECT_EQ(parse_integer("1000000000000000000"), 1'000'000'000'000'000'000);
  EXPECT_EQ(parse_integer("000000000000000000000012"), 12);
  EXPECT_EQ(parse_integer("+9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(parse_integer("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  for (const char* text : {"9223372036854775808", "-9223372036854775809", "-", "+", "+-5", "--5"})
    EXPECT_FALSE(parse_integer(text)) << text;
  std::string_view text = "123456789012345678 -7x";
  std::int64_t value = 0;
  ASSERT_TRUE(take_integer(text, value));
  EXPECT_EQ(value, 123'456'789'012'345'678);
  ASSERT_TRUE(take_integer(text, value));
  EXPECT_EQ(value, -7);
  EXPECT_EQ(text, "x");
}

TEST(Number, TinyNumbersOfBothSignsAreZero) {
  const std::string tiny = "0." + std::string(330, '0') + "1";
  for (const std::string& text : {tiny, "-" + tiny, "+" + tiny})
    EXPECT_EQ(parse_real(text).value_or(1.0), 0.0) << text;
  const std::string huge = "1" + std::string(330, '0') + ".0";
  EXPECT_FALSE(parse_real(huge));
  EXPECT_FALSE(parse_real("-" + huge));
}

TEST(Number, RealsMayTouch) {
  std::string_view text = "0.0E+00-1.5E+03 2";
  double value = 1.0;
  ASSERT_TRUE(take_real(text, value));
  EXPECT_EQ(value, 0.0);
  ASSERT_TRUE(take_real(text, value));
  EXPECT_EQ(value, -1500.0);
  ASSERT_TRUE(take_real(text, value));
  EXPECT_FALSE(take_real(text, value));
  EXPECT_EQ(value, 2.0);
}

}  // namespace
}  // namespace femflex
