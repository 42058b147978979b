// Tests that the how-to pages, the paths and the gallery run without changes. Shell lines run one
// after another in one folder, followed by the Python lines. Source code that a page quotes must be
// in the source file that it states.
#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include <gtest/gtest.h>

#include "support/support.h"

namespace femflex::testing {
namespace {

namespace fs = std::filesystem;

fs::path root() {
  return data("").parent_path().parent_path();
}

/// All fenced code blocks of a language.
std::vector<std::string> blocks(const std::string& page, const std::string& fence) {
  std::vector<std::string> out;
  const std::string open = "\n```" + fence + "\n";
  std::size_t at = 0;
  while ((at = page.find(open, at)) != std::string::npos) {
    at += open.size();
    const std::size_t end = page.find("\n```", at);
    out.push_back(page.substr(at, end + 1 - at));
    at = end;
  }
  return out;
}

std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts)
    out += text;
  return out;
}

std::string page_text(const std::string& name) {
  const bool is_elsewhere = name.find('/') != std::string::npos || name == "gallery";
  return read_text(root() / (is_elsewhere ? "docs" : "docs/how-to") / (name + ".md"));
}

std::string test_name(const ::testing::TestParamInfo<const char*>& page) {
  std::string name = page.param;
  for (char& c : name)
    c = c == '-' || c == '/' ? '_' : c;
  return name;
}

/// A folder beside the project's data.
class HowTo : public ::testing::TestWithParam<const char*> {
 protected:
  HowTo() {
    for (const char* name : {"data", "examples"})
      fs::create_directory_symlink(root() / name, folder_ / name);
  }
  TemporaryFolder folder_;
};

/// A femflex whose `live`, which runs until it is stopped, is stopped after a moment as by Ctrl-C.
std::string with_live_for_a_moment(const fs::path& program) {
  return "#!/bin/sh\n[ \"$1\" = live ] || exec '" + program.string() +
         "' \"$@\"\ntimeout --preserve-status -s INT 2 '" + program.string() +
         "' \"$@\"\nstopped=$?\n[ $stopped -eq 0 ] || [ $stopped -eq 130 ]\n";
}

/// Pages with lines for a shell, below docs/how-to where no folder is named.
constexpr std::array kPagesOfTheShell = {
    "convert-a-nastran-set",
    "reduce",
    "compare",
    "couple-an-fmu",
    "run-many",
    "from-motion-to-stress",
    "drive-a-truck",
    "put-a-tyre-on-a-road",
    "build-a-suspension",
    "model-contact",
    "move-a-planar-mechanism",
    "run-as-an-fmu",
    "watch-a-model-live",
    "into-calculix",
    "into-chrono",
    "into-exudyn",
    "into-fmi-tools",
    "into-mbdyn",
    "into-mbsim",
    "into-nastran",
    "into-openfast",
    "into-openfedem",
    "into-openmodelica",
    "into-paraview",
    "into-simscape-and-octave",
    "gallery",
    "paths/exchange-of-parts",
    "paths/from-abaqus",
    "paths/from-ansys",
    "paths/from-calculix",
    "paths/from-sol103",
    "paths/into-solvers",
    "paths/lattices-for-teaching",
    "add-a-format",
    "add-a-force",
    "add-a-joint",
    "add-a-verb",
};

// Truth: every line ends with exit code 0, in the order of the page.
class HowToOnTheShell : public HowTo {};
TEST_P(HowToOnTheShell, ItsLinesRun) {
  const std::vector<std::string> lines = blocks(page_text(GetParam()), "sh");
  ASSERT_FALSE(lines.empty());
  write_text(folder_ / "lines.sh",
             "set -e\nexport PATH='" + (folder_ / "bin").string() + ":" +
                 femflex_program().parent_path().string() + "':$PATH\n" + joined(lines));
  fs::create_directory(folder_ / "bin");
  write_text(folder_ / "bin/femflex", with_live_for_a_moment(femflex_program()));
  fs::permissions(folder_ / "bin/femflex", fs::perms::owner_exec, fs::perm_options::add);
  const CommandResult done = run("bash lines.sh", folder_.path());
  if ((done.out + done.err).find("this femflex was built without HTTP") != std::string::npos)
    GTEST_SKIP() << "the page shows agents or a live model, and this build has no HTTP";
  for (const char* without : {"FMUs cannot be read by this build", "femflex_fmu.so' is not beside"})
    if ((done.out + done.err).find(without) != std::string::npos)
      GTEST_SKIP() << "the page shows FMUs, and this build has none";
  EXPECT_EQ(done.exit_code, 0) << done.out << done.err;
}
INSTANTIATE_TEST_SUITE_P(Pages, HowToOnTheShell, ::testing::ValuesIn(kPagesOfTheShell), test_name);

// Truth: the lines run without an exception.
class HowToInPython : public HowTo {};
TEST_P(HowToInPython, ItsLinesRun) {
  const std::vector<std::string> lines = blocks(page_text(GetParam()), "python");
  ASSERT_FALSE(lines.empty());
  const fs::path package = femflex_program().parent_path().parent_path() / "python";
  bool is_built = false;
  if (fs::exists(package / "femflex")) {
    for (const auto& file : fs::directory_iterator(package / "femflex"))
      is_built = is_built || file.path().extension() == ".so";
  }
  if (!is_built) GTEST_SKIP() << "the Python package is not part of this build";
  write_text(folder_ / "lines.py", joined(lines));
  const CommandResult done =
      run("PYTHONPATH='" + package.string() + "' /usr/bin/python3 -B lines.py", folder_.path());
  EXPECT_EQ(done.exit_code, 0) << done.out << done.err;
}
INSTANTIATE_TEST_SUITE_P(Pages,
                         HowToInPython,
                         ::testing::Values("script-with-python", "run-many"),
                         test_name);

/// The text without white space, so that a quotation may have other line breaks.
std::string bare(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::isspace(static_cast<unsigned char>(c)) == 0) out += c;
  }
  return out;
}

// Truth: the sources. A quotation starts with a comment that contains its file name.
class HowToForProgrammers : public ::testing::TestWithParam<const char*> {};
TEST_P(HowToForProgrammers, ItsQuotationsStandInTheSources) {
  const std::vector<std::string> quotations = blocks(page_text(GetParam()), "cpp");
  ASSERT_FALSE(quotations.empty());
  for (const std::string& quotation : quotations) {
    const std::size_t end = quotation.find('\n');
    ASSERT_EQ(quotation.substr(0, 3), "// ") << quotation;
    const fs::path file = root() / quotation.substr(3, end - 3);
    ASSERT_TRUE(fs::exists(file)) << file;
    EXPECT_NE(bare(read_text(file)).find(bare(quotation.substr(end))), std::string::npos)
        << file << " does not hold" << quotation.substr(end);
  }
}
INSTANTIATE_TEST_SUITE_P(Pages,
                         HowToForProgrammers,
                         ::testing::Values("add-a-format",
                                           "add-a-force",
                                           "add-a-joint",
                                           "add-a-verb",
                                           "add-an-element-shape"),
                         test_name);

// Truth: the files in the folder. A page without a test could become outdated.
TEST(HowToPages, AreAllInTheTableOfContents) {
  const std::string index = read_text(root() / "docs/index.md");
  for (const std::string folder : {"how-to/", "paths/"})
    for (const auto& file : fs::directory_iterator(root() / "docs" / folder))
      EXPECT_NE(index.find(folder + file.path().filename().string()), std::string::npos)
          << file.path();
}

// A reader begins in an empty folder. Truth: lines that name data/ or examples/ run only beside the
// project's folders, so the page says so.
TEST(HowToPages, SayWhereTheFilesOfTheirLinesAre) {
  for (const char* name : kPagesOfTheShell) {
    const std::string page = page_text(name);
    const std::string lines = joined(blocks(page, "sh"));
    if (lines.find("data/") == std::string::npos && lines.find("examples/") == std::string::npos)
      continue;
    EXPECT_NE(page.find("project's"), std::string::npos) << name;
  }
}

// Truth: the fences of the pages. The tutorial and the command reference have tests of their own.
TEST(HowToPages, WithLinesForAShellAreAllRun) {
  const fs::path docs = root() / "docs";
  for (const auto& file : fs::recursive_directory_iterator(docs)) {
    if (file.path().extension() != ".md" || blocks(read_text(file.path()), "sh").empty()) continue;
    std::string name = fs::relative(file.path(), docs).replace_extension().string();
    if (name.starts_with("how-to/")) name = name.substr(std::string("how-to/").size());
    if (name == "tutorial" || name == "commands") continue;
    EXPECT_NE(std::ranges::find(kPagesOfTheShell, name), kPagesOfTheShell.end()) << file.path();
  }
}

}  // namespace
}  // namespace femflex::testing
