// Tests that the code in the README runs without changes, so that it cannot become outdated.
#include <gtest/gtest.h>

#include "support/support.h"

namespace femflex::testing {
namespace {

namespace fs = std::filesystem;

/// The text of the first fenced block of a language.
std::string block(const std::string& page, const std::string& fence, int which = 0) {
  std::size_t at = 0;
  for (int k = 0; k <= which; ++k) {
    at = page.find("```" + fence + "\n", at);
    if (at == std::string::npos) return {};
    at += fence.size() + 4;
  }
  return page.substr(at, page.find("```", at) - at);
}

fs::path source_folder() {
  return data("").parent_path().parent_path();
}

// Truth: the C++ lines are equal to the program that is built and run below.
TEST(Readme, ShowsTheProgramThatIsBuilt) {
  EXPECT_EQ(block(read_text(source_folder() / "README.md"), "cpp"),
            read_text(source_folder() / "examples/readme.cpp"));
}

// Truth: the node table and the two modes of the model in the example.
TEST(Readme, ItsProgramWritesTheFlexFile) {
  const TemporaryFolder folder;
  fs::copy(data("double_mass_spring"), folder.path(), fs::copy_options::recursive);
  const CommandResult done =
      run("'" + (femflex_program().parent_path() / "readme_example").string() + "'", folder.path());
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_NE(read_text(folder / "dms.flex").find("\n  3  2  0  0  0\n"), std::string::npos);
}

// Truth: 0.172 and 0.416 Hz, the closed form of the chain.
TEST(Readme, ItsPythonLinesRun) {
  const fs::path package = femflex_program().parent_path().parent_path() / "python";
  if (!fs::exists(package / "femflex")) GTEST_SKIP() << "the Python package is not in this build";
  const TemporaryFolder folder;
  fs::copy(data("double_mass_spring"), folder.path(), fs::copy_options::recursive);
  fs::copy_file(source_folder() / "examples/double_mass_spring/push.json", folder / "push.json");
  write_text(folder / "lines.py", block(read_text(source_folder() / "README.md"), "python"));
  const CommandResult done =
      run("PYTHONPATH='" + package.string() + "' /usr/bin/python3 -B lines.py", folder.path());
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_NE(done.out.find("0.17226"), std::string::npos) << done.out;
}

// Truth: every command ends with exit code 0, and its output files exist.
TEST(Readme, ItsShellLinesRun) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "build/release");
  fs::create_directory_symlink(femflex_program().parent_path(), folder / "build/release/bin");
  fs::create_directory_symlink(source_folder() / "data", folder / "data");
  fs::create_directory_symlink(source_folder() / "examples", folder / "examples");
  const std::string lines = block(read_text(source_folder() / "README.md"), "sh", 1);
  ASSERT_NE(lines.find("femflex simulate"), std::string::npos);
  write_text(folder / "lines.sh", "set -e\n" + lines);
  const CommandResult done = run("bash lines.sh", folder.path());
  EXPECT_EQ(done.exit_code, 0) << done.out << done.err;
  for (const char* file : {"dms.fe.h5", "dms.fbm", "dms.flex", "push.h5", "push.csv", "eta.csv"})
    EXPECT_TRUE(fs::exists(folder / "try" / file)) << file;
}

}  // namespace
}  // namespace femflex::testing
