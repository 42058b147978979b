// Tests documentation pages: the commands of the tutorial run without changes, the command
// reference equals that of the program, and reports and views need no other files.
#include <gtest/gtest.h>

#include "program.h"

namespace femflex::testing {
namespace {

namespace fs = std::filesystem;

std::string root_text(const std::string& name) {
  return read_text(data("../" + name));
}

// Truth: each command of the tutorial ends with exit code 0.
TEST(Pages, TheTutorialRunsAsItStands) {
  const TemporaryFolder folder;
  fs::create_directory_symlink(femflex_program().parent_path(), folder / "bin");
  // the folder above data/ contains examples/, as in a clone of the repository
  fs::create_directory(folder / "clone");
  fs::create_directory_symlink(data("").parent_path(), folder / "data");
  const std::string page = root_text("docs/tutorial.md");
  std::string script = "set -e\nPATH=" + (folder / "bin").string() + ":$PATH\n";
  int blocks = 0;
  for (std::size_t at = 0; (at = page.find("```sh\n", at)) != std::string::npos; ++blocks) {
    at += 6;
    script += page.substr(at, page.find("```", at) - at);
  }
  EXPECT_EQ(blocks, 5);
  write_text(folder / "lines.sh", script);
  const CommandResult done = run("bash lines.sh", folder.path());
  EXPECT_EQ(done.exit_code, 0) << done.out << done.err;
  for (const char* file : {"dms.fe.h5", "dms.fbm", "dms.flex", "push.html", "view.html", "one.h5"})
    EXPECT_TRUE(fs::exists(folder / file)) << file;
}

// Truth: the table that the parser uses.
TEST(Pages, TheCommandReferenceIsThatOfTheProgram) {
  const Program femflex;
  EXPECT_EQ(root_text("docs/commands.md"), femflex("man --markdown").out)
      << "write it anew: femflex man --markdown > docs/commands.md";
}

// Truth: the page contains no address, no path of this machine, and all figures are in the JSON
// block.
TEST(Pages, ReportsAndViewsNeedNothingFromOutside) {
  const Program femflex;
  ASSERT_EQ(femflex("import " + dms("dms.bdf") + " " + dms("dms.ou1.op4") +
                    " --units m-kg-s --name dms -o dms.fe.h5")
                .exit_code,
            0);
  ASSERT_EQ(femflex("modes dms.fe.h5 --normal 2").exit_code, 0);
  ASSERT_EQ(
      femflex("reduce dms.fe.h5 --scale --damping 0.02 -o dms.fbm --report reduce.html").exit_code,
      0);
  ASSERT_EQ(femflex("view dms.fbm -o view.html").exit_code, 0);
  fs::copy_file(data("../examples/double_mass_spring/push.json"), femflex.file("push.json"));
  ASSERT_EQ(
      femflex("simulate push.json -o push.h5 --report simulate.html --reproducible").exit_code, 0);
  ASSERT_EQ(femflex("view push.h5 -o play.html").exit_code, 0);
  ASSERT_EQ(femflex("compare push.h5 push.h5 --report compare.html").exit_code, 0);
  for (const char* name :
       {"reduce.html", "view.html", "simulate.html", "play.html", "compare.html"}) {
    const std::string page = read_text(femflex.file(name));
    EXPECT_NE(page.find("id=\"femflex-data\""), std::string::npos) << name;
    EXPECT_EQ(page.find("src=\"http"), std::string::npos) << name;
    EXPECT_EQ(page.find("https://"), std::string::npos) << name;
    EXPECT_EQ(page.find(femflex.file("").string()), std::string::npos) << name;
    const std::size_t at = page.find('>', page.find("id=\"femflex-data\"")) + 1;
    std::string json = page.substr(at, page.find("</script>", at) - at);
    EXPECT_TRUE(tools::parse_json(json, name).is_object()) << name;
  }
}

tools::Json figures_of(const std::string& page) {
  const std::size_t at = page.find('>', page.find("id=\"femflex-data\"")) + 1;
  return tools::parse_json(page.substr(at, page.find("</script>", at) - at), "figures");
}

// Truth: the body contains both elastic modes of two masses on springs, so the MAC is the unit
// matrix. Every table and curve of a page is a member of its JSON block.
TEST(Pages, TheValidationPageShowsItsFiguresAndHoldsThem) {
  const Program femflex;
  ASSERT_EQ(femflex("import " + dms("dms.bdf") + " " + dms("dms.ou1.op4") +
                    " --units m-kg-s --interface 3 -o dms.fe.h5")
                .exit_code,
            0);
  ASSERT_EQ(femflex("modes dms.fe.h5 --normal 2").exit_code, 0);
  ASSERT_EQ(femflex("reduce dms.fe.h5 --damping 0.02 -o both.fbm").exit_code, 0);
  for (const char* name : {"one.html", "two.html"}) {
    ASSERT_EQ(femflex(std::string("validate both.fbm --against dms.fe.h5 --modes 2 --reproducible "
                                  "--report ") +
                      name)
                  .exit_code,
              0);
  }
  const std::string page = read_text(femflex.file("one.html"));
  const tools::Json figures = figures_of(page);
  const tools::Json& map = figures.find("maps")->items().at(0);
  for (std::size_t r = 0; r < 2; ++r) {
    for (std::size_t c = 0; c < 2; ++c)
      EXPECT_NEAR(map.find("values")->items().at(r).items().at(c).number(),
                  r == c ? 1.0 : 0.0,
                  tolerance(1e-10));
  }
  std::size_t drawn = 0;
  for (std::size_t at = page.find("<svg"); at != std::string::npos; at = page.find("<svg", at + 1))
    ++drawn;
  EXPECT_EQ(figures.find("plots")->items().size() + figures.find("maps")->items().size() +
                figures.find("pictures")->items().size(),
            drawn);
  for (const char* part : {"Frequencies",
                           "MAC",
                           "Mass and zero modes",
                           "Static check",
                           "Frequency response at the interface",
                           "Effective mass",
                           "Damping and what it means"})
    EXPECT_NE(page.find(std::string("<h2>") + part), std::string::npos) << part;
  EXPECT_NE(page.find("@media print"), std::string::npos);
  EXPECT_EQ(page, read_text(femflex.file("two.html")));
}

// Truth: an offset of 1 % of the channel is the difference in the title of the plot.
TEST(Pages, TheComparisonPageGivesTheNormOfEveryPlot) {
  const Program femflex;
  write_text(femflex.file("a.csv"), "t,u,v\n0,1,0\n1,1,1e-15\n2,1,0\n");
  write_text(femflex.file("b.csv"), "t,u,v\n0,1.01,0\n1,1.01,5e-15\n2,1.01,0\n");
  ASSERT_EQ(femflex("compare a.csv b.csv --tol 10 --report r.html").exit_code, 0);
  const tools::Json figures = figures_of(read_text(femflex.file("r.html")));
  const tools::Json& first = figures.find("plots")->items().at(0);
  EXPECT_EQ(first.find("title")->text(), "u") << "round-off comes last";
  EXPECT_EQ(first.find("note")->text().rfind("rms difference 1 %, largest 0.01", 0), 0U)
      << first.find("note")->text();
}

// Truth: the same input gives the same bytes; the page contains no folder of this machine.
TEST(Pages, TheSameViewIsTheSamePage) {
  const Program femflex;
  ASSERT_EQ(femflex("new slider-crank").exit_code, 0);
  ASSERT_EQ(femflex("simulate slider-crank.json -o run.h5").exit_code, 0);
  ASSERT_EQ(femflex("simulate slider-crank.json -o again.h5").exit_code, 0);
  ASSERT_EQ(femflex("view run.h5 -o one.html").exit_code, 0);
  ASSERT_EQ(femflex("view again.h5 -o two.html").exit_code, 0);
  const std::string page = read_text(femflex.file("one.html"));
  EXPECT_EQ(page, read_text(femflex.file("two.html")));
  EXPECT_EQ(page.find(femflex.file("").string()), std::string::npos);
  EXPECT_EQ(page.find("/home/"), std::string::npos);
  const CommandResult mixed = femflex("view run.h5 slider-crank.json -o three.html");
  EXPECT_EQ(mixed.exit_code, 2);
  EXPECT_FALSE(femflex.has("three.html"));
}

// Truth: a body with all modes of its model passes (0); a body without one of them fails (1).
TEST(Pages, ValidateEndsWithZeroOrOne) {
  const Program femflex;
  ASSERT_EQ(femflex("import " + dms("dms.bdf") + " " + dms("dms.ou1.op4") +
                    " --units m-kg-s --interface 3 -o dms.fe.h5")
                .exit_code,
            0);
  ASSERT_EQ(femflex("modes dms.fe.h5 --normal 2").exit_code, 0);
  ASSERT_EQ(femflex("reduce dms.fe.h5 -o both.fbm").exit_code, 0);
  ASSERT_EQ(femflex("reduce dms.fe.h5 --select dynamic:1 -o one.fbm").exit_code, 0);
  const CommandResult both =
      femflex("validate both.fbm --against dms.fe.h5 --modes 2 --report v.html");
  EXPECT_EQ(both.exit_code, 0) << both.out << both.err;
  EXPECT_TRUE(femflex.has("v.html"));
  const CommandResult one = femflex("validate one.fbm --against dms.fe.h5 --modes 2");
  EXPECT_EQ(one.exit_code, 1) << one.out << one.err;
}

}  // namespace
}  // namespace femflex::testing
