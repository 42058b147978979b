// Tests that the whole tree (sources, messages, help, documents) uses the words of
// docs/glossary.md.
#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/support.h"

namespace femflex::testing {
namespace {

namespace fs = std::filesystem;

struct Phrase {
  std::string_view found;
  std::string_view instead;
  std::string_view unless;  ///< words directly before `found` that make it correct; empty: none
};

constexpr std::array<Phrase, 7> kPhrases = {{
    {"freedom", "DOF", "of "},  // the long form, after "of", is allowed
    {"FREEDOM", "DOF", "OF "},
    {"stands twice", "is defined twice", ""},
    {"is no number", "is not a number", "there "},
    {"is no node", "is not a node", "there "},
    {"are none of", "are not among", "there "},
    {"costs nothing", "zero-energy", ""},
}};

/// Files with text of this project: no data, no generated or third-party files.
std::vector<fs::path> texts() {
  const fs::path root = data("").parent_path().parent_path();
  std::vector<fs::path> out;
  for (const char* folder : {"core",
                             "laws",
                             "elements",
                             "durability",
                             "importer",
                             "modal",
                             "flexfile",
                             "mbd_solver",
                             "hamiltonian",
                             "substructure",
                             "tyres",
                             "roads",
                             "tools",
                             "python",
                             "tests",
                             "docs",
                             "examples",
                             "bench"}) {
    for (auto at = fs::recursive_directory_iterator(root / folder); at != fs::end(at); ++at) {
      const std::string name = at->path().filename().string();
      if (name == "node_modules" || name == "prebuilt" || name == "__pycache__") {
        at.disable_recursion_pending();
        continue;
      }
      const std::string ending = at->path().extension().string();
      if (ending != ".h" && ending != ".cpp" && ending != ".py" && ending != ".md") continue;
      if (name == "words_test.cpp" || name == "glossary.md" || name == "words.md") continue;
      out.push_back(at->path());
    }
  }
  return out;
}

// Truth: the column "not" of the glossary.
TEST(Words, AreThoseOfTheGlossary) {
  const std::vector<fs::path> files = texts();
  EXPECT_GT(files.size(), 500U);
  for (const fs::path& file : files) {
    const std::string text = read_text(file);
    for (const Phrase& phrase : kPhrases)
      for (std::size_t at = text.find(phrase.found); at != std::string::npos;
           at = text.find(phrase.found, at + 1)) {
        const auto line =
            1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
        const std::string before = text.substr(0, at);
        if (!phrase.unless.empty() && before.ends_with(phrase.unless)) continue;
        if (before.ends_with("of_")) continue;  // degrees_of_freedom
        ADD_FAILURE() << fmt::format(
            "{}:{}: '{}': write '{}'", file.string(), line, phrase.found, phrase.instead);
      }
  }
}

}  // namespace
}  // namespace femflex::testing
