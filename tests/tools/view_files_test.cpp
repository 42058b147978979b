// Tests how files are chosen for the viewer page: titles, and files that have no view. Truth: the
// names of the files.
#include "viewer/view_files.h"

#include <string>

#include <gtest/gtest.h>

#include "femflex/errors.h"

#include "support/support.h"

namespace femflex::viewer {
namespace {

using Paths = std::vector<std::filesystem::path>;

class ViewFiles : public ::testing::Test {
 protected:
  std::string page(const Paths& files, const Paths& flex = {}) {
    Diagnostics diagnostics;
    return page_of_files(files, std::nullopt, diagnostics, no_progress(), flex);
  }
  /// "message; fix" of the refusal of these files.
  std::string refusal_of(const Paths& files, const Paths& flex = {}) {
    try {
      page(files, flex);
    } catch (const UsageError& error) {
      return error.message() + "; " + error.fix();
    }
    return "";
  }
  /// A copy of a body at this place in the folder.
  std::filesystem::path body_at(const std::string& place) {
    const std::filesystem::path path = folder_ / place;
    std::filesystem::create_directories(path.parent_path());
    std::filesystem::copy_file(testing::data(kBody), path);
    return path;
  }

  static constexpr const char* kBody = "double_mass_spring/flex/static.flex";
  static constexpr const char* kDeck = "double_mass_spring/dms.bdf";
  testing::TemporaryFolder folder_;
};

TEST_F(ViewFiles, TwoBodiesOfOneNameHaveDifferentTitles) {
  const std::filesystem::path a = body_at("a/x.flex"), b = body_at("b/x.flex"),
                              c = body_at("b/y.flex");
  const std::string paths = page({a, b});
  EXPECT_NE(paths.find(a.string()), std::string::npos);
  EXPECT_NE(paths.find(b.string()), std::string::npos);
  EXPECT_EQ(page({b, c}).find(b.string()), std::string::npos);  // x and y
}

TEST_F(ViewFiles, FilesWithoutAViewNameTheVerbThatMakesOne) {
  const std::filesystem::path body = body_at("x.flex"), deck = testing::data(kDeck);
  EXPECT_NE(refusal_of({body, deck}).find("femflex import"), std::string::npos);
  testing::write_text(folder_ / "system.json", R"({"femflex": 1, "bodies": {}, "analyses": []})");
  EXPECT_NE(refusal_of({folder_ / "system.json"}).find("femflex simulate"), std::string::npos);
  testing::write_text(folder_ / "net.json", R"({"femflex": 1, "nodes": [], "springs": []})");
  EXPECT_NE(refusal_of({folder_ / "net.json"}).find("femflex lattice"), std::string::npos);
  EXPECT_EQ(refusal_of({}), "view needs a file; give a body, a model or a result");
}

TEST_F(ViewFiles, BodiesOfAResultNeedAResult) {
  const std::filesystem::path body = body_at("x.flex"), deck = testing::data(kDeck);
  for (const Paths& files : {Paths{body}, Paths{deck}, Paths{body, body}})
    EXPECT_EQ(refusal_of(files, {body}),
              "--flex gives the bodies of a result, but no result is given; leave --flex out, or "
              "give a result");
}

}  // namespace
}  // namespace femflex::viewer
