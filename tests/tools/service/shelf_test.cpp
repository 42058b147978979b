// Tests files served over HTTP: whole, in ranges, and as pages. Truth: the files themselves.
#include "service/shelf.h"

#include <Eigen/SparseCore>  // before httplib.h: resolv.h makes a macro of Eigen's _res
#include <gtest/gtest.h>
#include <httplib.h>
#include <nlohmann/json.hpp>

#include "femflex/errors.h"

#include "running_service.h"
#include "support/support.h"

namespace femflex::service {
namespace {

using nlohmann::json;

/// A deck with an unusual name, and a body, offered without an assembly.
class Files : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::copy_file(testing::data("double_mass_spring/dms.bdf"), deck_);
    std::filesystem::copy_file(testing::data("body_files/valid/body.flex"), body_);
    service_ = std::make_unique<Running>(tools::AssemblyFile{.name = "files"},
                                         ServiceOptions{},
                                         Shelf({deck_, body_}, parse_units("m-kg-s")));
  }
  httplib::Client client() const { return service_->client(); }

  testing::TemporaryFolder folder_;
  std::filesystem::path deck_ = folder_ / "a deck & more.bdf";
  std::filesystem::path body_ = folder_ / "dms.flex";
  std::unique_ptr<Running> service_;
};

TEST_F(Files, AreListedForScriptsAndForPeople) {
  const auto list = client().Get("/v1/files");
  ASSERT_TRUE(list);
  const json files = json::parse(list->body)["files"];
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0]["name"], "a deck & more.bdf");
  EXPECT_EQ(files[0]["file"], "/files/a%20deck%20%26%20more.bdf");
  EXPECT_EQ(files[0]["bytes"], std::filesystem::file_size(deck_));
  EXPECT_TRUE(files[0]["view"].is_null());
  EXPECT_EQ(files[1]["view"], "/view/dms.flex");
  const auto index = client().Get("/");
  ASSERT_TRUE(index);
  EXPECT_NE(index->body.find("a deck &amp; more.bdf"), std::string::npos);
  EXPECT_NE(index->body.find("href=\"/view/dms.flex\""), std::string::npos);
}

TEST_F(Files, ArriveByteForByteAndInRanges) {
  const std::string deck = testing::read_text(deck_);
  const auto whole = client().Get("/files/a%20deck%20%26%20more.bdf");
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->status, 200);
  EXPECT_EQ(whole->body, deck);
  const auto part = client().Get("/files/a%20deck%20%26%20more.bdf", {{"Range", "bytes=5-14"}});
  ASSERT_TRUE(part);
  EXPECT_EQ(part->status, 206);
  EXPECT_EQ(part->body, deck.substr(5, 10));
}

// A file larger than the pieces in which it is sent.
TEST_F(Files, LargerThanOnePieceArriveWhole) {
  std::string text(300'001, ' ');
  for (std::size_t k = 0; k < text.size(); ++k)
    text[k] = static_cast<char>('a' + k * k % 23);
  testing::write_text(deck_, text);
  const auto whole = client().Get("/files/a%20deck%20%26%20more.bdf");
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->body, text);
}

TEST_F(Files, OfBodiesHaveAPageThatIsSentOnceAVersion) {
  const auto page = client().Get("/view/dms.flex");
  ASSERT_TRUE(page);
  EXPECT_EQ(page->status, 200);
  EXPECT_EQ(page->get_header_value("Content-Type"), "text/html; charset=utf-8");
  EXPECT_NE(page->body.find("<canvas"), std::string::npos);
  const std::string version = page->get_header_value("ETag");
  const auto again = client().Get("/view/dms.flex", {{"If-None-Match", version}});
  ASSERT_TRUE(again);
  EXPECT_EQ(again->status, 304);
  std::filesystem::last_write_time(
      body_, std::filesystem::last_write_time(body_) + std::chrono::seconds(5));
  const auto changed = client().Get("/view/dms.flex", {{"If-None-Match", version}});
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->status, 200);
}

TEST_F(Files, OutsideTheOfferAreRefused) {
  testing::write_text(folder_ / "secret.txt", "secret");
  for (const char* path : {"/files/secret.txt",
                           "/files/../secret.txt",
                           "/files/%2e%2e/secret.txt",
                           "/files/",
                           "/files//etc/passwd",
                           "/view/../dms.flex"}) {
    const auto answer = client().Get(path);
    ASSERT_TRUE(answer) << path;
    EXPECT_EQ(answer->status, 404) << path;
    EXPECT_EQ(json::parse(answer->body)["error"]["code"], "no-such-file") << path;
  }
  const auto page = client().Get("/view/a%20deck%20%26%20more.bdf");
  ASSERT_TRUE(page);
  EXPECT_EQ(json::parse(page->body)["error"]["code"], "no-view");
}

TEST_F(Files, ThatVanishAreGoneAndThatBreakSayWhatIsWrong) {
  std::filesystem::remove(deck_);
  const auto gone = client().Get("/files/a%20deck%20%26%20more.bdf");
  ASSERT_TRUE(gone);
  EXPECT_EQ(gone->status, 410);
  testing::write_text(body_, "no body any more\n");
  const auto broken = client().Get("/view/dms.flex");
  ASSERT_TRUE(broken);
  EXPECT_GE(broken->status, 400);
  EXPECT_TRUE(json::parse(broken->body).contains("error"));
  EXPECT_EQ(client().Get("/v1/health")->status, 200);
}

TEST(Shelf, RefusesTwoFilesOfOneName) {
  const testing::TemporaryFolder folder;
  std::filesystem::create_directory(folder / "other");
  testing::write_text(folder / "a.json", "{ \"bodies\": {} }");
  testing::write_text(folder / "other/a.json", "{ \"bodies\": {} }");
  EXPECT_THROW(Shelf({folder / "a.json", folder / "other/a.json"}), UsageError);
}

}  // namespace
}  // namespace femflex::service
