// Tests that each command which a page shows, in a block or inside a sentence, has its verb and
// options in the command reference, also where the line itself cannot run: it needs a server,
// another code or a file of the reader.
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

#include <gtest/gtest.h>

#include "support/support.h"

namespace femflex::testing {
namespace {

namespace fs = std::filesystem;

fs::path docs_folder() {
  return data("").parent_path().parent_path() / "docs";
}

std::set<std::string> options_in(const std::string& text) {
  static const std::regex kOption("(^|[^a-z-])(--[a-z][a-z0-9-]*)");
  std::set<std::string> out;
  for (std::sregex_iterator at(text.begin(), text.end(), kOption), end; at != end; ++at)
    out.insert((*at)[2]);
  return out;
}

/// Options of each verb, by the sections of the command reference.
std::map<std::string, std::set<std::string>> reference() {
  std::map<std::string, std::set<std::string>> out;
  const std::string page = read_text(docs_folder() / "commands.md");
  std::set<std::string> of_all;
  for (std::size_t at = page.find("\n## "); at != std::string::npos;) {
    const std::size_t next = page.find("\n## ", at + 4);
    const std::string section = page.substr(at + 4, next - at - 4);
    const std::string name = section.substr(0, section.find('\n'));
    if (name == "Options of every verb")
      of_all = options_in(section);
    else
      out[name] = options_in(section);
    at = next;
  }
  for (auto& [verb, options] : out)
    options.insert(of_all.begin(), of_all.end());
  return out;
}

/// What follows "femflex " in code, up to the end of the command.
std::vector<std::string> shown_commands(std::string page) {
  page = std::regex_replace(page, std::regex("\\\\\n *"), " ");
  std::vector<std::string> out;
  bool is_block = false;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      is_block = !is_block;
      continue;
    }
    static const std::regex kInBlock("(?:^|[;&|(] *|[A-Z]=\\S+ )femflex ([a-z][^;&|#]*)");
    static const std::regex kInSentence("`femflex ([a-z][^`|]*)`");
    const std::regex& form = is_block ? kInBlock : kInSentence;
    for (std::sregex_iterator at(line.begin(), line.end(), form), end; at != end; ++at)
      out.push_back((*at)[1]);
  }
  return out;
}

// Truth: the command reference, which is that of the program.
TEST(Commands, OfThePagesHaveTheirVerbsAndOptions) {
  const auto verbs = reference();
  ASSERT_TRUE(verbs.at("reduce").contains("--interface"));
  int count = 0;
  std::vector<fs::path> pages = {docs_folder().parent_path() / "README.md"};
  for (const auto& file : fs::recursive_directory_iterator(docs_folder()))
    if (file.path().extension() == ".md") pages.push_back(file.path());
  for (const fs::path& page : pages)
    for (const std::string& command : shown_commands(read_text(page))) {
      ++count;
      const std::string verb = command.substr(0, command.find(' '));
      const auto known = verbs.find(verb);
      ASSERT_NE(known, verbs.end()) << page << ": femflex " << command;
      for (const std::string& option : options_in(command))
        EXPECT_TRUE(known->second.contains(option)) << page << ": femflex " << command;
    }
  EXPECT_GT(count, 300);
}

}  // namespace
}  // namespace femflex::testing
