// Tests the JSON reader and writer. Truth: the grammar of RFC 8259, places counted by hand, and
// numbers that are read back exactly.
#include "document/json_text.h"

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"
#include "femflex/io/hdf5_file.h"
#include "femflex/io/mapped_file.h"
#include "femflex/io/sha256.h"

#include "document/file_kind.h"
#include "document/placed_at.h"
#include "support/support.h"

namespace femflex::tools {
namespace {

// The grammar of RFC 8259, with the comments that system files allow.
TEST(JsonText, ReadsEveryKindOfValueBetweenComments) {
  const Json doc = parse_json(
      "// a system\n{ \"a\": [1, -2.5e3, true, null,], /* b */ \"b\": { \"c\": \"x\\u00e9\\n\" } }",
      "s.json");
  EXPECT_EQ(doc.find("a")->items()[1].number(), -2500.0);
  EXPECT_TRUE(doc.find("a")->items()[2].boolean());
  EXPECT_TRUE(doc.find("a")->items()[3].is_null());
  EXPECT_EQ(doc.find("b")->find("c")->text(), "x\xC3\xA9\n");
}

// Truth: the nearest number of 64 bits; formulas and tables read such numbers as 0, too.
TEST(JsonText, NumbersTooSmallFor64BitsAreZero) {
  for (const char* small : {"1e-400", "-1e-400", "0.000001e-400"})
    EXPECT_EQ(parse_json(fmt::format("{{ \"mass\": {} }}", small), "s.json").find("mass")->number(),
              0.0)
        << small;
  for (const char* large : {"1e400", "-1e400"})
    EXPECT_THROW(static_cast<void>(parse_json(fmt::format("[{}]", large), "s.json")), ParseError);
}

// Line and column are counted by hand.
TEST(JsonText, ValuesRememberTheirLineAndColumn) {
  const Json doc = parse_json("{\n  \"mass\": 5\n}", "s.json");
  EXPECT_EQ(doc.find("mass")->where().text(), "s.json:2:11");
}

// The name that the reader looked up differs from the key by one edit.
TEST(JsonText, AnUnknownKeyIsAnErrorThatNamesTheNearestKnownOne) {
  const Json doc = parse_json("{ \"mass\": 1,\n  \"inertai\": 2 }", "s.json");
  ObjectReader reader(doc, "body 'axle'");
  EXPECT_EQ(reader.need("mass").number(), 1.0);
  EXPECT_EQ(reader.find("inertia"), nullptr);
  try {
    reader.finish();
    FAIL() << "no error";
  } catch (const ParseError& error) {
    EXPECT_EQ(error.code(), "unknown-key");
    EXPECT_STREQ(error.what(),
                 "s.json:2:3: body 'axle': unknown key 'inertai'; did you mean 'inertia'?");
  }
}

// RFC 8259 allows repeated names; here a repeated name would hide a mistake.
TEST(JsonText, AKeyThatStandsTwiceIsAnError) {
  try {
    static_cast<void>(parse_json("{ \"a\": 1, \"a\": 2 }", "s.json"));
    FAIL() << "no error";
  } catch (const ParseError& error) {
    EXPECT_EQ(error.code(), "duplicate-key");
    EXPECT_EQ(error.where().column, 11);
  }
}

class BrokenJson : public ::testing::TestWithParam<std::pair<const char*, int>> {};

// Columns at which each text first violates the grammar, counted by hand.
TEST_P(BrokenJson, IsRefusedAtItsFirstFault) {
  const auto [text, column] = GetParam();
  try {
    static_cast<void>(parse_json(text, "s.json"));
    FAIL() << "no error for " << text;
  } catch (const ParseError& error) {
    EXPECT_EQ(error.where().column, column) << text << "\n" << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Texts,
                         BrokenJson,
                         ::testing::Values(std::pair{"{ \"a\" 1 }", 7},
                                           std::pair{"[1 2]", 4},
                                           std::pair{"[1,", 4},
                                           std::pair{"{ \"a\": nul }", 8},
                                           std::pair{"{} x", 4},
                                           std::pair{"\"open", 1},
                                           std::pair{"[1,,]", 4},
                                           std::pair{"[,]", 2},
                                           std::pair{"{ \"a\": 1, ]", 11},
                                           std::pair{"[1\"a\"]", 3},
                                           std::pair{"[1-2]", 3},
                                           std::pair{"[truex]", 6},
                                           std::pair{"[-inf]", 2},
                                           std::pair{"[\"\\q\"]", 5},
                                           std::pair{"[\"\\u12g4\"]", 5},
                                           std::pair{"[\"\\ud83d\"]", 3},
                                           std::pair{"[\"a\xe9\"]", 4},
                                           std::pair{"[1, /* open", 5},
                                           std::pair{"[1.2.3]", 5},
                                           std::pair{"[1e999]", 2},
                                           std::pair{"/* open", 1}));

// Truth: std::from_chars reads numbers in usual notations to the last bit.
TEST(JsonText, NumbersNeedNoDigitBesideTheirPoint) {
  const Json doc = parse_json("[1., -.5, 007, 2.e3, -0, 0.1,3,4]", "s.json");
  const std::vector<double> expected = {1.0, -0.5, 7.0, 2000.0, -0.0, 0.1, 3.0, 4.0};
  ASSERT_EQ(doc.items().size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(doc.items()[i].number(), expected[i]);
    EXPECT_EQ(std::signbit(doc.items()[i].number()), std::signbit(expected[i]));
  }
  EXPECT_EQ(doc.items()[7].where().column, 32);
}

// Commas, comments and tabs that plain JSON does not allow. Truth: the values around them.
TEST(JsonText, TrailingCommasCommentsAndTabsAreRead) {
  const Json doc = parse_json(
      "{ \"a\": [1, [2,], // one\n ], \"b\tc\": \"// no /* comment */\", /* , */ } // end",
      "s.json");
  EXPECT_EQ(doc.find("a")->items()[1].items()[0].number(), 2.0);
  EXPECT_EQ(doc.find("b\tc")->text(), "// no /* comment */");
  EXPECT_EQ(doc.members()[1].where.text(), "s.json:2:5");
}

// Nesting that would overflow the call stack is refused.
TEST(JsonText, DeepNestingIsRefusedInsteadOfOverflowingTheStack) {
  EXPECT_THROW(static_cast<void>(parse_json(std::string(100000, '['), "s.json")), ParseError);
}

// Truth: std::to_chars writes the shortest decimal number that is read back exactly.
TEST(JsonText, WrittenNumbersReadBackToTheSameBits) {
  Json doc = Json::list();
  for (const double value : {0.1, 1.0 / 3.0, 6.82842712474619, 1e-300, -5.0})
    doc.push_back(value);
  const Json again = parse_json(doc.dump(), "x");
  for (std::size_t i = 0; i < doc.items().size(); ++i)
    EXPECT_EQ(again.items()[i].number(), doc.items()[i].number());
  EXPECT_EQ(doc.dump(), "[0.1, 0.3333333333333333, 6.82842712474619, 1e-300, -5]\n");
}

// Truth: Unicode, table 3-7, which defines valid UTF-8.
TEST(JsonText, BytesThatAreNoUtf8BecomeTheReplacementCharacter) {
  EXPECT_EQ(Json(std::string("a\xff"
                             "b"))
                .dump_line(),
            "\"a\\ufffdb\"");
  EXPECT_EQ(Json(std::string("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x9a\x9a")).dump_line(),
            "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x9a\x9a\"");
  for (const char* wrong : {"\xc3", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82"}) {
    const std::string text = Json(std::string(wrong)).dump_line();
    EXPECT_EQ(text.find_first_not_of("\"\\ufd"), std::string::npos) << text;
  }
}

// Truth: the place of the value, counted by hand, for errors without a place of their own.
TEST(PlacedAt, GivesAnErrorThePlaceOfTheValueUnlessItNamesAFile) {
  const Json document = parse_json("{ \"a\": 1 }", "s.json");
  const auto what = [&](const auto& make) {
    try {
      placed_at(*document.find("a"), make);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(what([] { throw ModelError("c", "too stiff", {}, "soften it"); }),
            "s.json:1:8: too stiff; soften it");
  EXPECT_EQ(what([] { throw UsageError("c", "too long"); }), "s.json:1:8: too long");
  EXPECT_EQ(what([] { throw ModelError("c", "too stiff", {"m.bdf", 3}); }), "m.bdf:3: too stiff");
  EXPECT_EQ(placed_at(document, [] { return 2; }), 2);
}

// A missing file is one fault, whoever opens it; a similar name beside it is told.
TEST(MissingFile, HasOneCodeWhoeverOpensIt) {
  const testing::TemporaryFolder folder;
  io::write_file(folder / "truck.json", "{}");
  const std::filesystem::path path = folder / "trukc.json";
  EXPECT_EQ(testing::code_of([&] { io::MappedFile file(path); }), "no-such-file");
  EXPECT_EQ(testing::code_of([&] { (void)io::Hdf5File::open(path); }), "no-such-file");
  EXPECT_EQ(testing::code_of([&] { (void)io::sha256_of_file(path); }), "no-such-file");
  EXPECT_EQ(testing::code_of([&] { (void)open_file(path); }), "no-such-file");
  try {
    static_cast<void>(read_json_file(path));
    FAIL() << "no error";
  } catch (const UsageError& error) {
    EXPECT_EQ(error.code(), "no-such-file");
    EXPECT_NE(error.fix().find("truck.json"), std::string::npos) << error.fix();
  }
  EXPECT_EQ(testing::code_of([&] { (void)read_json_file(folder / "."); }), "is-folder");
}

}  // namespace
}  // namespace femflex::tools
