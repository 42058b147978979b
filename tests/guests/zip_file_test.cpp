// Archives: what was packed comes back; what leads out of its folder, and damage, are refused.
#include "document/zip_file.h"

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/errors.h"

#include "support/support.h"

namespace femflex::testing {
namespace {

using tools::ZipEntry;
using tools::ZipMethod;

// Truth: what was packed, by both methods.
TEST(ZipFile, GivesBackWhatItHolds) {
  const std::vector<ZipEntry> entries = {
      {"a.txt", "one"}, {"folder/empty", ""}, {"folder/b", std::string(100000, 'x')}};
  for (const ZipMethod method : {ZipMethod::stored, ZipMethod::deflated}) {
    const std::string bytes = tools::zip_bytes(entries, method);
    EXPECT_EQ(tools::zip_names(bytes, "x.zip"),
              (std::vector<std::string>{"a.txt", "folder/empty", "folder/b"}));
    const std::vector<ZipEntry> found =
        tools::unzip(bytes, "x.zip", [](std::string_view) { return true; });
    ASSERT_EQ(found.size(), entries.size());
    for (std::size_t k = 0; k < found.size(); ++k)
      EXPECT_EQ(found[k].bytes, entries[k].bytes);
  }
  EXPECT_LT(tools::zip_bytes(entries, ZipMethod::deflated).size(), 1000U);
}

// Truth: names that stay in their folder. Every cut and 5,000 changed bytes end in an error or in
// entries.
TEST(ZipFile, RefusesWhatLeadsOutAndSurvivesDamage) {
  for (const std::string name : {"../up", "a/../../up", "/etc/x", "a\\b", "c:x", ""})
    EXPECT_EQ(code_of([&] {
                tools::unzip(tools::zip_bytes({{name, "x"}}, ZipMethod::stored),
                             "x.zip",
                             [](std::string_view) { return true; });
              }),
              "zip")
        << name;
  const auto all = [](std::string_view) { return true; };
  EXPECT_EQ(
      code_of([&] {
        tools::unzip(tools::zip_bytes({{"a", "1"}, {"a", "2"}}, ZipMethod::stored), "x.zip", all);
      }),
      "zip");
  const std::string bytes = tools::zip_bytes(
      {{"modelDescription.xml", "<fmiModelDescription/>"}, {"resources/a", std::string(300, 'a')}},
      ZipMethod::deflated);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THROW(tools::unzip(std::string_view(bytes).substr(0, size), "x.zip", all), Error);
  std::uint32_t seed = 1;
  for (int k = 0; k < 5000; ++k) {
    seed = seed * 1664525U + 1013904223U;
    std::string changed = bytes;
    changed[(seed >> 8) % bytes.size()] ^= static_cast<char>(1 + (seed >> 24) % 255);
    try {
      static_cast<void>(tools::unzip(changed, "x.zip", all));
    } catch (const Error&) {  // that is what is expected
    }
  }
}

}  // namespace
}  // namespace femflex::testing
