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

}  // namespace
}  // namespace femflex::testing
