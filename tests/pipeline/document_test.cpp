#include "pipeline/document.h"

#include <gtest/gtest.h>

#include "femflex/errors.h"

#include "pipeline/json_text.h"
#include "support/support.h"

namespace femflex::pipeline {
namespace {

// The merged document written out by hand.
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

// The nearest member is one letter away.
TEST(Document, SetChangesAValueByItsPathAndNamesTheNearestMemberOtherwise) {
  Json document =
      parse_json(R"({ "bodies": { "dms": { "as": "flex" } }, "list": [ { "end": 1 } ] })", "s");
  apply_set(document, "bodies.dms.as=full");
  apply_set(document, "list/0/end=2.5");
  EXPECT_EQ(document.find("bodies")->find("dms")->find("as")->text(), "full");
  EXPECT_EQ(document.find("list")->items()[0].find("end")->number(), 2.5);
  try {
    apply_set(document, "bodis.dms.as=full");
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

}  // namespace
}  // namespace femflex::pipeline
