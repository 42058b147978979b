// Tests that every source starts with a comment that tells a stranger the purpose of the file.
// Truth: the first lines of the files in the tree.
#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "support/support.h"

namespace femflex::testing {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kEnoughWords = 10;   // number of words of a comment that need not be a
                                           // sentence
constexpr std::size_t kSentenceWords = 3;  // number of words of a sentence, without the words of
                                           // the file name

/// Sources and headers of the tree, without generated and third-party files.
std::vector<fs::path> sources_of_tree() {
  constexpr std::array kFolders = {"core",
                                   "laws",
                                   "elements",
                                   "importer",
                                   "modal",
                                   "flexfile",
                                   "tyres",
                                   "roads",
                                   "mbd_solver",
                                   "hamiltonian",
                                   "substructure",
                                   "examples",
                                   "tools",
                                   "python",
                                   "tests",
                                   "bench"};
  std::vector<fs::path> out;
  for (const char* folder : kFolders) {
    const fs::path root = data("").parent_path().parent_path() / folder;
    for (auto at = fs::recursive_directory_iterator(root); at != fs::end(at); ++at) {
      const std::string name = at->path().filename().string();
      if (name == "node_modules" || name == "prebuilt") at.disable_recursion_pending();
      const std::string extension = at->path().extension().string();
      if (extension == ".cpp" || extension == ".h") out.push_back(at->path());
    }
  }
  return out;
}

/// The comment at the very start of a text, in lines of // or between /* and */, without these
/// marks. Empty if the text starts with something else.
std::string first_comment(std::string_view text) {
  if (text.starts_with("/*")) return std::string(text.substr(2, text.find("*/") - 2));
  std::string out;
  while (text.starts_with("//")) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out.append(text.substr(2, end - 2)).append("\n");
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

/// Words of a text in lower case. Articles and prepositions are omitted, because they say nothing
/// about a purpose; `all` counts them as well.
std::vector<std::string> words_of(std::string_view text, std::size_t& all) {
  static const std::set<std::string> kSmall = {
      "a", "an", "the", "of", "for", "in", "to", "and", "h"};
  std::vector<std::string> out;
  std::string word;
  all = 0;
  for (std::size_t k = 0; k <= text.size(); ++k) {
    const int c = k < text.size() ? static_cast<unsigned char>(text[k]) : ' ';
    if (std::isalnum(c) != 0) {
      word += static_cast<char>(std::tolower(c));
      continue;
    }
    if (word.empty()) continue;
    ++all;
    if (!kSmall.contains(word)) out.push_back(word);
    word.clear();
  }
  return out;
}

/// Whether a comment says more than the name of its file: it has ten words, or a sentence with
/// three words that are not in the name.
bool states_a_purpose(const std::string& comment, const std::string& file_name) {
  std::size_t count = 0;
  const std::vector<std::string> words = words_of(comment, count);
  std::size_t ignored = 0;
  const std::vector<std::string> name = words_of(file_name, ignored);
  const auto is_new = [&](const std::string& word) {
    return std::find(name.begin(), name.end(), word) == name.end();
  };
  const auto added = static_cast<std::size_t>(std::count_if(words.begin(), words.end(), is_new));
  const bool is_sentence = comment.find('.') != std::string::npos;
  return added >= kSentenceWords && (count >= kEnoughWords || is_sentence);
}

// Truth: three comments judged by hand.
TEST(Purpose, IsMoreThanTheNameOfTheFile) {
  EXPECT_FALSE(states_a_purpose("", "table.h"));
  EXPECT_FALSE(states_a_purpose(" The table.\n", "table.h"));
  EXPECT_FALSE(states_a_purpose(" The functions of part_book.h.\n", "part_book.cpp"));
  EXPECT_TRUE(states_a_purpose(" Reduced flexible bodies as parts.\n", "flex_part.h"));
  EXPECT_EQ(first_comment("// a\n// b\nint c;  // d\n"), " a\n b\n");
  EXPECT_EQ(first_comment("#pragma once\n// a\n"), "");
}

TEST(Purpose, OfEverySourceIsItsFirstComment) {
  const std::vector<fs::path> files = sources_of_tree();
  EXPECT_GT(files.size(), 900U);
  for (const fs::path& file : files)
    EXPECT_TRUE(states_a_purpose(first_comment(read_text(file)), file.filename().string()))
        << file.string() << ":1: begin with a comment that says what the file does, and for whom";
}

}  // namespace
}  // namespace femflex::testing
