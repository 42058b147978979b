// Tests the native body format .fbm.
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/flexfile/flexfile.h"
#include "femflex/io/hdf5_file.h"

#include "bodies.h"
#include "support/support.h"

namespace femflex::flexfile {
namespace {

namespace fs = std::filesystem;

// Truth: the body itself, bit by bit.
TEST(Fbm, LosesNothing) {
  const testing::TemporaryFolder folder;
  for (unsigned seed = 0; seed < 5; ++seed) {
    Diagnostics diagnostics;
    const FlexBody body = testing::random_body(seed);
    write_body(body, folder / "b.fbm", {}, diagnostics);
    EXPECT_EQ(testing::difference(read_body(folder / "b.fbm", {}, diagnostics), body), "");
    EXPECT_TRUE(diagnostics.empty());
  }
}

// Truth: the body itself; compressed and plain hold the same.
TEST(Fbm, CompressesShapesWhenAsked) {
  const testing::TemporaryFolder folder;
  testing::RandomBodyOptions options;
  options.nodes = 3000;
  FlexBody body = testing::random_body(2, options);
  body.shapes.setOnes();
  Diagnostics diagnostics;
  write_body(body, folder / "plain.fbm", {}, diagnostics);
  WriteOptions compressed;
  compressed.deflate = 4;
  write_body(body, folder / "small.fbm", compressed, diagnostics);
  EXPECT_LT(fs::file_size(folder / "small.fbm") + 500000, fs::file_size(folder / "plain.fbm"));
  EXPECT_EQ(testing::difference(read_body(folder / "small.fbm", {}, diagnostics), body), "");
}

// A newer layout that old readers cannot read is marked as such in the file.
TEST(Fbm, RefusesAFileThatNeedsANewerReader) {
  const testing::TemporaryFolder folder;
  {
    io::Hdf5File file = io::Hdf5File::create(folder / "new.fbm");
    file.set_attribute("/", "format", std::string_view("femflex-body"));
    file.set_attribute("/", "oldest_reader", std::int64_t{99});
    file.commit();
  }
  Diagnostics diagnostics;
  try {
    read_body(folder / "new.fbm", {}, diagnostics);
    FAIL();
  } catch (const ParseError& error) {
    EXPECT_EQ(error.code(), "too-new");
  }
}

// Nothing half-written remains: neither the file nor its temporary part.
TEST(Fbm, LeavesNothingBehindWhenTheFolderIsMissing) {
  const testing::TemporaryFolder folder;
  Diagnostics diagnostics;
  for (const char* name : {"no/b.fbm", "no/b.flex"})
    EXPECT_THROW(write_body(testing::random_body(1), folder / name, {}, diagnostics), UsageError);
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(BodyFiles, AreKnownByTheirContentNotByTheirEnding) {
  const testing::TemporaryFolder folder;
  Diagnostics diagnostics;
  WriteOptions options;
  options.format = "fbm";
  write_body(testing::random_body(1), folder / "a.flex", options, diagnostics);
  EXPECT_EQ(detect_body_format(folder / "a.flex"), "fbm");
  options.format = "flex";
  write_body(testing::random_body(1), folder / "b.fbm", options, diagnostics);
  EXPECT_EQ(detect_body_format(folder / "b.fbm"), "flex");
  testing::write_text(folder / "c.fbm", "hello\n");
  EXPECT_EQ(detect_body_format(folder / "c.fbm"), "");
  EXPECT_THROW(read_body(folder / "c.fbm", {}, diagnostics), ParseError);
}

TEST(BodyFiles, UnknownEndingsListTheKnownFormats) {
  Diagnostics diagnostics;
  try {
    write_body(testing::random_body(1), "body.mnf", {}, diagnostics);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_EQ(error.code(), "unknown-format");
    EXPECT_NE(error.fix().find("flex"), std::string::npos);
  }
}

}  // namespace
}  // namespace femflex::flexfile
