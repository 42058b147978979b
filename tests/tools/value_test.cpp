// Tests numbers as users and scripts write them: signs, units, and texts that are not numbers.
#include "cli/value.h"

#include <limits>

#include <gtest/gtest.h>

#include "femflex/errors.h"

namespace femflex::cli {
namespace {

// Truth: the digits of the text.
TEST(Value, ReadsNumbersWithSignAndUnit) {
  EXPECT_EQ(number_of(Value("5"), "", "--x"), 5.0);
  EXPECT_EQ(number_of(Value("+5"), "", "--x"), 5.0);
  EXPECT_EQ(number_of(Value("-5e-3"), "", "--x"), -5e-3);
  EXPECT_EQ(number_of(Value("1.5D2"), "", "--x"), 150.0);
  EXPECT_EQ(number_of(Value("+.5"), "", "--x"), 0.5);
  EXPECT_EQ(number_of(Value("100 Hz"), "Hz", "--x"), 100.0);
  EXPECT_EQ(number_of(Value("100Hz"), "Hz", "--x"), 100.0);
  EXPECT_EQ(number_of(Value(std::int64_t{7}), "Hz", "--x"), 7.0);
}

// Two signs, no digits, other units, and numbers outside the range of double.
TEST(Value, RefusesWhatIsNotANumber) {
  for (const char* text :
       {"+-5", "-+5", "++5", "", "+", "five", "5x", "5 kHz", "nan", "inf", "1e999", "5-10"})
    EXPECT_THROW(number_of(Value(text), "Hz", "--x"), UsageError) << text;
  EXPECT_THROW(number_of(Value("5 Hz"), "", "--x"), UsageError);
  EXPECT_THROW(number_of(Value(std::numeric_limits<double>::infinity()), "", "--x"), UsageError);
}

}  // namespace
}  // namespace femflex::cli
