// Tests small functions on text.
#include "femflex/text.h"

#include <gtest/gtest.h>

namespace femflex {
namespace {

TEST(Text, BlanksAroundAreTakenOff) {
  EXPECT_EQ(trimmed("\t a b \t"), "a b");
  EXPECT_EQ(trimmed(" \t "), "");
  EXPECT_EQ(trimmed(""), "");
  EXPECT_EQ(trimmed(" a\r\n"), "a\r\n");
  EXPECT_EQ(trimmed("\f a\r\n", is_white_space), "a");
  EXPECT_EQ(trimmed_right(" a \t"), " a");
}

TEST(Text, WordsAreTakenOneAfterAnother) {
  std::string_view text = "  one\ttwo\r";
  EXPECT_EQ(take_word(text), "one");
  EXPECT_EQ(text, "\ttwo\r");
  EXPECT_EQ(take_word(text), "two");
  EXPECT_EQ(take_word(text), "");
  EXPECT_TRUE(text.empty());
}

TEST(Text, LettersOfAsciiAloneChangeTheirCase) {
  EXPECT_EQ(upper_case("aZ9_\xc3\xa9"), "AZ9_\xc3\xa9");
  EXPECT_EQ(lower_case("aZ9_\xc3\x89"), "az9_\xc3\x89");
}

TEST(Text, MarkupIsEscaped) {
  EXPECT_EQ(xml_escaped("a < b & \"c\" > d"), "a &lt; b &amp; &quot;c&quot; &gt; d");
}

}  // namespace
}  // namespace femflex
