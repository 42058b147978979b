// Tests atomic files and SHA-256.
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"
#include "femflex/io/mapped_file.h"
#include "femflex/io/mat5.h"
#include "femflex/io/sha256.h"

#include "support/support.h"

namespace femflex::io {
namespace {

namespace fs = std::filesystem;

// Truth: the examples of FIPS 180-4.
TEST(Sha256, GivesThePublishedDigests) {
  EXPECT_EQ(sha256_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_of(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnHowThePiecesAreCut) {
  const std::string text(200, 'x');
  Sha256 sha;
  for (std::size_t at = 0, size = 1; at < text.size(); at += size, size = 1 + size % 7)
    sha.update(text.data() + at, std::min(size, text.size() - at));
  EXPECT_EQ(sha.hex(), sha256_of(text));
}

// Truth: sha256_of(); a folder and a link to itself have no content.
TEST(Sha256, OfWhatCannotBeReadIsNoDigest) {
  const testing::TemporaryFolder folder;
  testing::write_text(folder / "text", "abc");
  testing::write_text(folder / "empty", "");
  fs::create_symlink(folder / "loop", folder / "loop");
  EXPECT_EQ(sha256_of_file(folder / "text"), sha256_of("abc"));
  EXPECT_EQ(sha256_of_file(folder / "empty"), sha256_of(""));
  EXPECT_EQ(testing::code_of([&] { (void)sha256_of_file(folder / "."); }), "cannot-read");
  EXPECT_EQ(testing::code_of([&] { (void)sha256_of_file(folder / "loop"); }), "cannot-read");
  EXPECT_EQ(testing::code_of([&] { const MappedFile file(folder / "loop"); }), "cannot-read");
  EXPECT_EQ(testing::code_of([&] { (void)sha256_of_file(folder / "none"); }), "no-such-file");
  const auto advice = [&](const char* path) -> std::string {
    try {
      (void)sha256_of_file(folder / path);
    } catch (const UsageError& error) {
      return error.fix();
    }
    return "none";
  };
  EXPECT_EQ(advice("loop"), "check the symbolic links of the path: they lead in a circle");
  EXPECT_EQ(advice("text/part"), "check the folders of the path: one of them is a file");
  EXPECT_EQ(advice(std::string(300, 'x').c_str()), "give it a shorter name");
}

TEST(AtomicFile, LeavesNothingBehindWithoutCommit) {
  const testing::TemporaryFolder folder;
  {
    AtomicFile file(folder / "x.txt");
    file.append("half");
    EXPECT_EQ(testing::read_text(file.part()), "half");
  }
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(AtomicFile, ReplacesTheOldFileWholeAtCommit) {
  const testing::TemporaryFolder folder;
  write_file(folder / "x.txt", "old");
  write_file(folder / "x.txt", "new");
  EXPECT_EQ(testing::read_text(folder / "x.txt"), "new");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
}

TEST(AtomicFile, WritesThroughALinkAndKeepsIt) {
  const testing::TemporaryFolder folder;
  write_file(folder / "x.txt", "old");
  fs::create_symlink("x.txt", folder / "link.txt");
  write_file(folder / "link.txt", "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link.txt"));
  EXPECT_EQ(testing::read_text(folder / "x.txt"), "new");
}

// A run as root once replaced /dev/full by a table.
TEST(AtomicFile, GivesItsBytesToAPipeAndKeepsIt) {
  const testing::TemporaryFolder folder;
  const fs::path pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::string seen;
  std::thread reader([&]() { seen = testing::read_text(pipe); });
  write_file(pipe, "all of it");
  reader.join();
  EXPECT_EQ(seen, "all of it");
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST(AtomicFile, SaysThatADeviceIsFull) {
  if (!fs::is_character_file("/dev/full")) GTEST_SKIP() << "needs /dev/full";
  EXPECT_THROW(write_file("/dev/full", std::string(100'000, 'x')), UsageError);
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST(AtomicFile, SaysAtOnceThatAFolderIsMissing) {
  const testing::TemporaryFolder folder;
  EXPECT_THROW(AtomicFile(folder / "no/such/x.txt"), UsageError);
}

// Truth: the header of level 5: 116 bytes of text, 8 bytes, version 0x0100 and "MI" as 16-bit
// numbers.
TEST(Mat5, TheMarkNeedsTheVersionBeforeIt) {
  const auto is_mat5_with = [](const std::string& end) {
    return io::is_mat5(std::string(124, 'x') + end);
  };
  EXPECT_TRUE(is_mat5_with(std::string("\x00\x01IM", 4)));
  EXPECT_TRUE(is_mat5_with(std::string("\x01\x00MI", 4)));
  // words of decks, level 7.3 (HDF5), and marks in the other byte order
  for (const char* word : {"TIME", "DMIG", "LMIT", "xxIM", "ADMI", "MIN,"})
    EXPECT_FALSE(is_mat5_with(word)) << word;
  EXPECT_FALSE(is_mat5_with("TIM"));
  EXPECT_FALSE(is_mat5_with(std::string("\x00\x02IM", 4)));
  EXPECT_FALSE(is_mat5_with(std::string("\x01\x00IM", 4)));
  EXPECT_FALSE(is_mat5_with(std::string("\x00\x01MI", 4)));
}

}  // namespace
}  // namespace femflex::io
