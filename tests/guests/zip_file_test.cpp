// Archives: what was packed comes back; what leads out of its folder, and damage, are refused.

#include "femflex/io/zip_file.h"

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/errors.h"

#include "support/support.h"

namespace femflex::testing {
namespace {

using io::ZipEntry;
using io::ZipMethod;

// Truth: the packed data, for both methods.
TEST(ZipFile, GivesBackWhatItHolds) {
  const std::vector<io::ZipEntry> entries = {
      {"a.txt", "one"}, {"folder/empty", ""}, {"folder/b", std::string(100000, 'x')}};
  for (const io::ZipMethod method : {io::ZipMethod::stored, io::ZipMethod::deflated}) {
    const std::string bytes = io::zip_bytes(entries, method);
    EXPECT_EQ(io::zip_names(bytes, "x.zip"),
              (std::vector<std::string>{"a.txt", "folder/empty", "folder/b"}));
    const std::vector<io::ZipEntry> found =
        io::unzip(bytes, "x.zip", [](std::string_view) { return true; });
    ASSERT_EQ(found.size(), entries.size());
    for (std::size_t k = 0; k < found.size(); ++k)
      EXPECT_EQ(found[k].bytes, entries[k].bytes);
  }
  EXPECT_LT(io::zip_bytes(entries, io::ZipMethod::deflated).size(), 1000U);
}

// Truth: names that stay in their folder. Every truncation and 5,000 changed bytes lead to an error
// or to entries.
TEST(ZipFile, RefusesWhatLeadsOutAndSurvivesDamage) {
  for (const std::string name : {"../up", "a/../../up", "/etc/x", "a\\b", "c:x", ""})
    EXPECT_EQ(code_of([&] {
                io::unzip(io::zip_bytes({{name, "x"}}, io::ZipMethod::stored),
                          "x.zip",
                          [](std::string_view) { return true; });
              }),
              "zip")
        << name;
  const auto all = [](std::string_view) { return true; };
  EXPECT_EQ(
      code_of([&] {
        io::unzip(io::zip_bytes({{"a", "1"}, {"a", "2"}}, io::ZipMethod::stored), "x.zip", all);
      }),
      "zip");
  const std::string bytes = io::zip_bytes(
      {{"modelDescription.xml", "<fmiModelDescription/>"}, {"resources/a", std::string(300, 'a')}},
      io::ZipMethod::deflated);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THROW(io::unzip(std::string_view(bytes).substr(0, size), "x.zip", all), Error);
  std::uint32_t seed = 1;
  for (int k = 0; k < 5000; ++k) {
    seed = seed * 1664525U + 1013904223U;
    std::string changed = bytes;
    changed[(seed >> 8) % bytes.size()] ^= static_cast<char>(1 + (seed >> 24) % 255);
    try {
      static_cast<void>(io::unzip(changed, "x.zip", all));
    } catch (const Error&) {  // that is what is expected
    }
  }
}

std::string little(std::uint64_t value, std::size_t bytes) {
  std::string out;
  for (std::size_t k = 0; k < bytes; ++k)
    out += static_cast<char>(value >> 8 * k & 0xff);
  return out;
}

/// The archive with all its numbers moved to the extension for large archives: sizes and position
/// of its only entry, and number and position of the directory (APPNOTE 4.3.14, 4.3.15, 4.5.3).
std::string with_wide_numbers(const std::string& bytes) {
  const std::size_t central = bytes.find("PK\x01\x02");
  const std::size_t end = bytes.find("PK\x05\x06");
  const std::string sizes = bytes.substr(central + 20, 8);
  std::string out = bytes.substr(0, end);
  out.replace(central + 20, 8, 8, '\xff');
  out.replace(central + 42, 4, 4, '\xff');
  out.replace(central + 30, 2, little(28 + 6, 2));
  const std::string other = little(0xcafe, 2) + little(2, 2) + "ab";  // of another program
  out += other + little(1, 2) + little(24, 2) + sizes.substr(4, 4) + little(0, 4) +
         sizes.substr(0, 4) + little(0, 4) + little(0, 8);
  const std::size_t wide_end = out.size();
  out += "PK\x06\x06" + little(44, 8) + little(45, 2) + little(45, 2) + little(0, 8) +
         little(1, 8) + little(1, 8) + little(wide_end - central, 8) + little(central, 8);
  out += "PK\x06\x07" + little(0, 4) + little(wide_end, 8) + little(1, 4);
  return out + "PK\x05\x06" + little(0, 4) + std::string(12, '\xff') + little(0, 2);
}

// Truth: the packed data.
TEST(ZipFile, ReadsTheExtensionForLargeArchives) {
  const auto all = [](std::string_view) { return true; };
  for (const io::ZipMethod method : {io::ZipMethod::stored, io::ZipMethod::deflated}) {
    const std::string content(5000, 'x');
    const std::string bytes = with_wide_numbers(io::zip_bytes({{"a", content}}, method));
    const std::vector<io::ZipEntry> found = io::unzip(bytes, "x.zip", all);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].bytes, content);
    for (std::size_t size = 0; size < bytes.size(); ++size)
      EXPECT_THROW(io::unzip(std::string_view(bytes).substr(0, size), "x.zip", all), Error);
    // a damaged field of sizes: no 64-bit value, sizes and positions beyond the file
    const std::size_t field = bytes.find("ab") + 2;
    for (std::size_t byte = 0; byte < 28; ++byte) {
      std::string damaged = bytes;
      damaged[field + byte] = '\xff';
      EXPECT_THROW(io::unzip(damaged, "x.zip", all), Error) << byte;
    }
  }
}

// Truth: the packed data; the end record is the one whose comment ends with the file.
TEST(ZipFile, ACommentMayHoldTheMarkOfTheEnd) {
  std::string bytes = io::zip_bytes({{"a", "one"}}, io::ZipMethod::stored);
  const std::string comment =
      "PK\x05\x06 is the mark of the end, as here: PK\x05\x06" + std::string(30, '.');
  bytes.replace(bytes.size() - 2, 2, little(comment.size(), 2));
  const std::vector<io::ZipEntry> found =
      io::unzip(bytes + comment, "x.zip", [](std::string_view) { return true; });
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].bytes, "one");
  EXPECT_TRUE(io::zip_names(io::zip_bytes({}, io::ZipMethod::stored), "x.zip").empty());
}

// Truth: the end record counts entries by 16 bits.
TEST(ZipFile, TooManyEntriesAreNotLost) {
  std::vector<io::ZipEntry> entries(65535);
  for (std::size_t k = 0; k < entries.size(); ++k)
    entries[k].name = std::to_string(k);
  EXPECT_EQ(io::zip_names(io::zip_bytes(entries, ZipMethod::stored), "x.zip").size(), 65535U);
  entries.push_back({"one more", ""});
  EXPECT_EQ(code_of([&] { io::zip_bytes(entries, ZipMethod::stored); }), "too-large");
}

}  // namespace
}  // namespace femflex::testing
