// Tests that each command which a page shows, in a block or inside a sentence, has its verb and
// options in the command reference, also where the line itself cannot run: it needs a server,
// another code or a file of the reader.
#include <algorithm>
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

/// Lines of the command reference that start with a verb, without those that need what a reader
/// has.
std::string examples_of(const std::set<std::string>& verbs,
                        const std::vector<std::string>& not_here) {
  std::string out;
  std::istringstream lines(read_text(docs_folder() / "commands.md"));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("femflex ")) continue;
    const auto names = [&](const std::string& part) { return line.find(part) != line.npos; };
    if (verbs.contains(line.substr(8, line.find(' ', 8) - 8)) &&
        std::ranges::none_of(not_here, names))
      out += line + "\n";
  }
  return out;
}

// `femflex VERB --help` shows these lines. Truth: exit code 0 of each, one after another in a
// folder with a chain of two masses, a frame, a tyre, and templates.
TEST(Commands, OfTheHelpRunWhereTheirFilesAre) {
  const TemporaryFolder folder;
  const fs::path root = docs_folder().parent_path();
  fs::create_directory_symlink(root / "data", folder / "data");
  fs::copy(data("double_mass_spring"), folder.path(), fs::copy_options::recursive);
  fs::copy_file(root / "examples/double_mass_spring/push.json", folder / "step.json");
  fs::copy_file(root / "examples/c/chain.json", folder / "chain.json");
  fs::copy_file(data("chassis/framec.bdf"), folder / "chassis.bdf");
  fs::copy_file(data("chassis/framec_kgg_mgg_ascii.op4"), folder / "chassis.op4");
  fs::copy_file(data("tyres/valid/truck_pac2002.tir"), folder / "truck.tir");
  const std::string lines =
      examples_of({"new", "info", "import", "check"}, {}) +
      "femflex import chassis.bdf chassis.op4 --interface 1-8,51 --units m-kg-s -o chassis.fe.h5\n"
      "femflex new truck\nfemflex simulate truck.json -o truck.h5 --end 0.2\n" +
      examples_of({"modes", "reduce", "simulate", "convert", "lattice", "tyre", "man"},
                  {"bridge.json", "slips.csv", "| man"}) +
      examples_of({"linearise", "back-transform", "view", "study"},
                  {"servo.json",
                   "history.csv",
                   "chassis.op2",
                   "stiffer.h5",
                   "truck_study",
                   "samples.csv",
                   "part1.h5",
                   "--variants"});
  write_text(folder / "lines.sh",
             "set -e\nPATH='" + femflex_program().parent_path().string() + "':$PATH\n" + lines);
  const CommandResult done = run("bash -v lines.sh", folder.path());
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_GE(std::ranges::count(lines, '\n'), 24);
}

}  // namespace
}  // namespace femflex::testing
