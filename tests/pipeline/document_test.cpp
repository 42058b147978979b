// Tests JSON documents with includes, variants, changes and pairs. Truth: the merged document
// written by hand, and RFC 7386.
#include "document/document.h"

#include <gtest/gtest.h>

#include "femflex/errors.h"

#include "document/json_text.h"
#include "support/support.h"

namespace femflex::tools {
namespace {

// Truth: the merged document written by hand.
TEST(Document, IncludesLieBelowAndVariantsAbove) {
  const testing::TemporaryFolder folder;
  testing::write_text(folder / "base.json", R"({ "a": { "x": 1, "y": 2 }, "b": [1] })");
  testing::write_text(folder / "top.json",
                      R"({ "include": "base.json", "a": { "y": 3 },
                           "variants": { "v": { "a": { "x": 9 }, "b": [2, 3] } } })");
  const Json plain = load_document(folder / "top.json", {});
  EXPECT_EQ(plain.find("a")->dump_line(), R"({"x":1,"y":3})");
  EXPECT_EQ(plain.find("include"), nullptr);
  const Json variant = load_document(folder / "top.json", {"v", {}});
  EXPECT_EQ(variant.find("a")->dump_line(), R"({"x":9,"y":3})");
  EXPECT_EQ(variant.find("b")->dump_line(), "[2,3]");
}

// The nearest member differs by one letter.
TEST(Document, SetChangesAValueByItsPathAndNamesTheNearestMemberOtherwise) {
  Json document =
      parse_json(R"({ "bodies": { "dms": { "as": "flex" } }, "list": [ { "end": 1 } ] })", "s");
  apply_change(document, parse_change("bodies.dms.as=full"));
  apply_change(document, parse_change("list/0/end=2.5"));
  EXPECT_EQ(document.find("bodies")->find("dms")->find("as")->text(), "full");
  EXPECT_EQ(document.find("list")->items()[0].find("end")->number(), 2.5);
  try {
    apply_change(document, parse_change("bodis.dms.as=full"));
    FAIL() << "no error";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'bodies'?"), std::string::npos);
  }
}

TEST(Document, AFileThatIncludesItselfIsAnError) {
  const testing::TemporaryFolder folder;
  testing::write_text(folder / "a.json", R"({ "include": "a.json" })");
  EXPECT_THROW(static_cast<void>(load_document(folder / "a.json", {})), ParseError);
}

TEST(Document, AnUnknownVariantNamesTheNearest) {
  const testing::TemporaryFolder folder;
  testing::write_text(folder / "a.json", R"({ "variants": { "full": {} } })");
  try {
    static_cast<void>(load_document(folder / "a.json", {"ful", {}}));
    FAIL() << "no error";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'full'?"), std::string::npos);
  }
}

// Truth: the two members written by hand.
TEST(Document, AMemberInBracesStandsForALeftAndARight) {
  const testing::TemporaryFolder folder;
  testing::write_text(
      folder / "s.json",
      R"({ "forces": { "eye_{left|right}": { "b": "chassis/{1|5}", "at": [1, "={0.5|-0.5}"] },
                                       "mount": { "b": "chassis/51" } },
                           "outputs": ["chassis/{1|5|51}/position", "cab"] })");
  const Json document = load_document(folder / "s.json", {});
  EXPECT_EQ(
      document.dump_line(),
      R"({"forces":{"eye_left":{"b":"chassis/1","at":[1,"=0.5"]},)"
      R"("eye_right":{"b":"chassis/5","at":[1,"=-0.5"]},"mount":{"b":"chassis/51"}},)"
      R"("outputs":["chassis/1/position","chassis/5/position","chassis/51/position","cab"]})");
}

// Three choices cannot be distributed to two members, and a name cannot occur twice.
TEST(Document, PairsThatDoNotFitAreRefusedAtTheirPlace) {
  const testing::TemporaryFolder folder;
  const auto code_and_line = [&](const std::string& text) {
    testing::write_text(folder / "s.json", text);
    try {
      static_cast<void>(load_document(folder / "s.json", {}));
    } catch (const ParseError& error) {
      return error.code() + " " + std::to_string(error.where().line);
    }
    return std::string("none");
  };
  EXPECT_EQ(code_and_line("{\n\"{a|b}\": {\n\"b\": \"{1|2|3}\" } }"), "pair-count 3");
  EXPECT_EQ(code_and_line("{\n\"{a|a}\": 1 }"), "name-twice 2");
  EXPECT_EQ(code_and_line("{\n\"{a|b}\": 1,\n\"b\": 2 }"), "name-twice 3");
}

// Truth: RFC 7386, by hand.
TEST(Document, ANullTakesAwayWhatAnIncludeBrought) {
  const testing::TemporaryFolder folder;
  testing::write_text(folder / "base.json",
                      R"({ "road": { "iso8608": "C", "seed": 1, "length": 5 } })");
  testing::write_text(
      folder / "top.json",
      R"({ "include": "base.json", "road": { "iso8608": null, "seed": null, "height": 0 } })");
  EXPECT_EQ(load_document(folder / "top.json", {}).dump_line(),
            R"({"road":{"length":5,"height":0}})");
}

TEST(Document, TakesTheUnitsOfTheCallWhereItSaysNone) {
  const testing::TemporaryFolder folder;
  testing::write_text(folder / "silent.json", R"({ "a": 1 })");
  testing::write_text(folder / "says.json", R"({ "units": "m-kg-s" })");
  EXPECT_EQ(load_document(folder / "silent.json", {{}, {}, "mm-t-s"}).find("units")->text(),
            "mm-t-s");
  EXPECT_EQ(load_document(folder / "says.json", {{}, {}, "mm-t-s"}).find("units")->text(),
            "m-kg-s");
}

}  // namespace
}  // namespace femflex::tools
