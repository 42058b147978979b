// Tests small functions on text.
#include "femflex/text.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/listed.h"
#include "femflex/split.h"
#include "femflex/utf.h"

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

// Truth: The Unicode Standard, tables 3-5 to 3-7: a byte outside a sequence, an overlong form, a
// surrogate and a sequence that ends early are not text.
TEST(Text, Utf8IsDecoded) {
  EXPECT_EQ(code_points("a\xc3\xb6\xe5\x8a\x9b\xf0\x9f\x98\x80"), U"a\u00f6\u529b\U0001f600");
  EXPECT_EQ(utf16_of("\xf0\x9f\x98\x80!"), u"\U0001f600!");
  EXPECT_EQ(code_points("\x80x"), U"\ufffdx");
  EXPECT_EQ(code_points("\xc0\xaf"), U"\ufffd\ufffd");
  EXPECT_EQ(code_points("\xed\xa0\x80"), U"\ufffd\ufffd\ufffd");
  EXPECT_EQ(code_points("\xc3"), U"\ufffd");
  EXPECT_EQ(code_points("\xf4\x90\x80\x80"), U"\ufffd\ufffd\ufffd\ufffd");
  EXPECT_EQ(code_points(""), U"");
}

TEST(Text, ListsAreSplitWithoutBlanksAndEmptyItems) {
  using Items = std::vector<std::string>;
  EXPECT_EQ(split("a,b c ,\td,", ','), (Items{"a", "b c", "d"}));
  EXPECT_EQ(split("/agents//7", '/'), (Items{"agents", "7"}));
  EXPECT_EQ(split(" , ", ','), Items{});
  EXPECT_EQ(split("", ','), Items{});
}

TEST(Text, MarkupIsEscaped) {
  EXPECT_EQ(xml_escaped("a < b & \"c\" > d"), "a &lt; b &amp; &quot;c&quot; &gt; d");
}

TEST(Text, AByteOrderMarkIsNotPartOfIt) {
  EXPECT_EQ(without_byte_order_mark("\xEF\xBB\xBF"
                                    "a"),
            "a");
  EXPECT_EQ(without_byte_order_mark("\xEF\xBB"), "\xEF\xBB");
  EXPECT_EQ(without_byte_order_mark(""), "");
}

TEST(Text, ListsNameTheFirstAndCountTheRest) {
  const std::vector<std::string> names{"a", "b", "c"};
  EXPECT_EQ(listed(names, 3), "a, b, c");
  EXPECT_EQ(listed(names, 2), "a, b and 1 more");
  EXPECT_EQ(listed(names, 1, "; ", "; "), "a; and 2 more");
  EXPECT_EQ(listed({}, 2), "");
}

}  // namespace
}  // namespace femflex
