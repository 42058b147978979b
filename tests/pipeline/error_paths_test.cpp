// Wrong input: one line with file, line or byte, what was found, what was expected, what to do;
// exit code 2; no output file.
#include <map>
#include <sstream>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "program.h"

namespace femflex::testing {
namespace {

class ErrorPaths : public ::testing::Test {
 protected:
  // Exit code 2, one line that holds all of `parts`, nothing on stdout, no file `output`.
  void expect_refused(const std::string& words,
                      const std::vector<std::string>& parts,
                      const std::string& output) {
    const CommandResult result = femflex_(words);
    EXPECT_EQ(result.exit_code, 2) << words << "\n" << result.out << result.err;
    EXPECT_EQ(result.out, "") << words;
    EXPECT_EQ(line_count(result.err), 1U) << result.err;
    for (const std::string& part : parts)
      EXPECT_NE(result.err.find(part), std::string::npos)
          << "no '" << part << "' in " << result.err;
    EXPECT_FALSE(femflex_.has(output)) << words;
  }
  // The same call with --json gives the error as a document.
  void expect_document(const std::string& words, const std::string& kind) {
    const tools::Json document = femflex_.json(words);
    const tools::Json* error = document.find("error");
    ASSERT_NE(error, nullptr) << words;
    if (!kind.empty()) {
      EXPECT_EQ(error->find("kind")->text(), kind) << words;
    }
    EXPECT_FALSE(error->find("message")->text().empty());
  }
  Program femflex_;
};

TEST_F(ErrorPaths, AMissingFileIsNamed) {
  const std::string words = "import nowhere.op4 -o m.fe.h5 --units m-kg-s";
  expect_refused(words, {"nowhere.op4", "o such file"}, "m.fe.h5");
  expect_document(words, "UsageError");
}

TEST_F(ErrorPaths, AnEmptyFileIsNamed) {
  write_text(femflex_.file("empty.op4"), "");
  const std::string words = "import empty.op4 -o m.fe.h5 --units m-kg-s";
  expect_refused(words, {"empty.op4", "empty"}, "m.fe.h5");
  expect_document(words, "ParseError");
}

TEST_F(ErrorPaths, ATruncatedOp4IsRefusedWithItsByte) {
  const std::string whole = read_text(data("double_mass_spring/dms.ou1.op4"));
  write_text(femflex_.file("cut.op4"), whole.substr(0, whole.size() / 2));
  const std::string words = "import " + dms("dms.bdf") + " cut.op4 -o m.fe.h5 --units m-kg-s";
  expect_refused(words, {"cut.op4", "byte"}, "m.fe.h5");
  expect_document(words, "ParseError");
}

TEST_F(ErrorPaths, TextInANumberFieldIsRefusedWithItsLine) {
  std::string deck = read_text(data("double_mass_spring/dms.bdf"));
  const std::size_t at = deck.find("GRID    3               0.      0.      2.");
  ASSERT_NE(at, std::string::npos);
  deck.replace(at + 24, 2, "zz");
  write_text(femflex_.file("bad.bdf"), deck);
  const auto line =
      std::count(deck.begin(), deck.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
  const std::string words = "import bad.bdf " + dms("dms.ou1.op4") + " -o m.fe.h5 --units m-kg-s";
  expect_refused(words, {"bad.bdf:" + std::to_string(line), "zz"}, "m.fe.h5");
  expect_document(words, "ParseError");
}

TEST_F(ErrorPaths, MatricesThatDoNotFitAreRefused) {
  // EIGEN_VE is 18 x 2, which is not a stiffness matrix
  const std::string words = "import " + dms("dms.bdf") + " " + dms("dms.ou1.op4") +
                            " --stiffness " + dms("dms.ou1.op4") + ":EIGEN_VE --mass " +
                            dms("dms.ou1.op4") + ":MAA -o m.fe.h5 --units m-kg-s";
  expect_refused(words, {"18", "2"}, "m.fe.h5");
  expect_document(words, "ModelError");
}

TEST_F(ErrorPaths, AnUnknownKeyInASystemNamesTheNearest) {
  write_text(femflex_.file("s.json"),
             "{ \"bodies\": { \"b\": { \"point\": { \"mass\": 1 } } },\n"
             "  \"analyses\": [ { \"type\": \"dynamic\", \"ned\": 2 } ] }\n");
  const std::string words = "simulate s.json -o r.h5";
  expect_refused(words, {"s.json:2:", "unknown key 'ned'", "did you mean 'end'?"}, "r.h5");
  expect_document(words, "ParseError");
}

TEST_F(ErrorPaths, AnUnwritableFolderIsSaidBeforeTheWork) {
  const std::string words =
      "import " + dms("dms.bdf") + " " + dms("dms.ou1.op4") + " --units m-kg-s -o nowhere/m.fe.h5";
  expect_refused(words, {"nowhere/m.fe.h5", "cannot be written"}, "nowhere/m.fe.h5");
  if (::geteuid() == 0) return;  // root writes everywhere
  ASSERT_EQ(::mkdir(femflex_.file("locked").c_str(), 0500), 0);
  expect_refused(
      "import " + dms("dms.bdf") + " " + dms("dms.ou1.op4") + " --units m-kg-s -o locked/m.fe.h5",
      {"locked/m.fe.h5", "cannot be written"},
      "locked/m.fe.h5");
}

TEST_F(ErrorPaths, AWrongKindOfFileIsSaid) {
  expect_refused("reduce " + dms("flex/static.flex") + " -o b.fbm",
                 {"is a flexible body", "expected an FE model"},
                 "b.fbm");
  expect_refused("simulate " + dms("dms.ou1.op4") + " -o r.h5", {"expected a system"}, "r.h5");
  expect_refused("back-transform " + dms("flex/static.flex") + " --flex " +
                     dms("flex/static.flex") + " -o e.h5",
                 {},
                 "e.h5");
  expect_refused("compare " + dms("flex/static.flex") + " " + dms("damping_step_response.csv") +
                     " --report r.html",
                 {"a body and a result"},
                 "r.html");
}

TEST_F(ErrorPaths, UnknownUnitsAreNeverGuessed) {
  ASSERT_EQ(
      femflex_("import " + dms("dms.bdf") + " " + dms("dms.ou1.op4") + " -o m.fe.h5").exit_code, 0);
  expect_refused("modes m.fe.h5 --normal 0 -o n.fe.h5", {"no modes are requested"}, "n.fe.h5");
  ASSERT_EQ(femflex_("modes m.fe.h5 --normal 2").exit_code, 0);
  expect_refused("reduce m.fe.h5 -o b.fbm", {"units"}, "b.fbm");
}

TEST_F(ErrorPaths, AModeThatIsNotThereIsNamed) {
  ASSERT_EQ(femflex_("import " + dms("dms.bdf") + " " + dms("dms.ou1.op4") + " --modes " +
                     dms("dms.pch") + ":dynamic --units m-kg-s -o m.fe.h5")
                .exit_code,
            0);
  expect_refused("reduce m.fe.h5 --select dynamic:3 -o b.fbm", {"dynamic:3"}, "b.fbm");
  expect_refused("reduce m.fe.h5 --select dynamik -o b.fbm", {"dynamik"}, "b.fbm");
  expect_refused("reduce m.fe.h5 -o b.xyz", {"xyz"}, "b.xyz");
}

TEST_F(ErrorPaths, ATyreOrARoadThatCannotBeEvaluatedIsRefused) {
  const std::string tir = data("tyres/valid/car_mf61.tir").string();
  expect_refused("tyre " + tir + " --kappa 0,x --csv out", {"--kappa", "x"}, "out");
  expect_refused("tyre " + tir + " --load nan --csv out", {}, "out");
  expect_refused("tyre " + tir + " --table none.csv --csv out", {"none.csv"}, "out");
  expect_refused("tyre " + tir + " --table t.csv --kappa 0.1 --csv out", {"--table"}, "out");
  write_text(femflex_.file("t.csv"), "speed_of_light\n3e8\n");
  expect_refused("tyre " + tir + " --table t.csv --csv out", {"t.csv"}, "out");
  write_text(femflex_.file("r.csv"), "0,0\n1,0.1\n");
  expect_refused("road r.csv --at 1 --csv out", {"1"}, "out");
  expect_refused("road r.csv --at a,b --csv out", {"a,b"}, "out");
  expect_refused("road r.csv --uv 0,0 --csv out", {}, "out");
  expect_refused("road r.csv --along 1 --csv out", {}, "out");
  expect_refused("road r.csv --csv out", {}, "out");
  write_text(femflex_.file("bad.csv"), "0,0\n1\n");
  expect_refused("road bad.csv --at 0,0 --csv out", {"bad.csv:2"}, "out");
  write_text(femflex_.file("t.csv"), "load,speed\n4000,1e200\n");
  expect_refused("tyre " + tir + " --table t.csv --csv out", {"row 1", "not finite"}, "out");
  expect_refused("tyre " + tir + " --speed 1e300 --csv out", {"not finite"}, "out");
}

TEST_F(ErrorPaths, ALayerOfARoadThatIsWrongIsNamed) {
  const auto refuse = [&](const std::string& road, const std::vector<std::string>& parts) {
    write_text(femflex_.file("r.json"), "{ \"road\": " + road + " }");
    expect_refused("road r.json --at 0,0 --csv out", parts, "out");
  };
  const auto layer = [](const std::string& text) { return "{ \"layers\": [ " + text + " ] }"; };
  refuse("{}", {"r.json:1", "road"});
  refuse("{ \"height\": \"sin(t)\" }", {"r.json:1", "does not change with time"});
  refuse(layer("{ \"type\": \"cleet\" }"), {"cleet", "cleat"});
  refuse(layer("{ \"type\": \"cleat\", \"height\": 0.1 }"), {"length"});
  refuse(layer("{ \"type\": \"cleat\", \"height\": 0.1, \"length\": -1 }"), {"r.json:1", "-1 m"});
  refuse(layer("{ \"type\": \"kerb\", \"height\": 0.1, \"ramp\": 0 }"), {"ramp"});
  refuse(layer("{ \"type\": \"sine\", \"amplitude\": 1, \"wavelength\": 0, \"length\": 2 }"),
         {"wavelength"});
  refuse(layer("{ \"type\": \"swept-sine\", \"amplitude\": 1, \"wavelength\": 2, \"length\": 2 }"),
         {"r.json:1"});
  refuse(layer("{ \"type\": \"iso8608\", \"class\": \"Z\" }"), {"Z"});
  refuse(layer("{ \"type\": \"file\", \"file\": \"none.crg\" }"), {"none.crg"});
  refuse("{ \"slope\": [0, 0], \"layers\": [] }", {"\"slope\" beside \"layers\""});
  refuse("{ \"height\": 0, \"friction\": -1 }", {"friction -1"});
  refuse("{ \"height\": 0, \"patches\": [ { \"length\": 0, \"width\": 1, \"friction\": 1 } ] }",
         {"friction patch"});
  write_text(femflex_.file("r.json"), "{ \"bodies\": {} }");
  expect_refused("road r.json --at 0,0 --csv out", {"no \"road\""}, "out");
}

// Truth: the exit codes of docs/commands.md. The verbs come from the table that the parser uses;
// one that is not below fails the test.
TEST_F(ErrorPaths, EveryVerbRefusesFilesThatAreMissingOrNoneOfItsOwn) {
  const std::map<std::string, std::string> rest = {{"info", ""},
                                                   {"import", "-o out"},
                                                   {"check", ""},
                                                   {"modes", "--normal 2 -o out"},
                                                   {"reduce", "-o out.fbm"},
                                                   {"convert", "out.flex"},
                                                   {"transform", "-o out.fbm"},
                                                   {"validate", "--against m.fe.h5"},
                                                   {"simulate", "-o out"},
                                                   {"linearise", ""},
                                                   {"lattice", "-o out"},
                                                   {"tyre", "--csv out"},
                                                   {"road", "--at 0,0 --csv out"},
                                                   {"back-transform", "-o out"},
                                                   {"compare", "junk.txt"},
                                                   {"study", "--reference a --variants b"},
                                                   {"view", "-o out"},
                                                   {"new", "-o out"},
                                                   {"assemble", ""},
                                                   {"ask", ""},
                                                   {"serve", "--port 0"},
                                                   {"live", "--port 0"},
                                                   {"stress", "-o out"},
                                                   {"stress-deck", "junk.txt -o out.inp"},
                                                   {"export", "-o out.fmu"},
                                                   {"man", ""},
                                                   {"completion", ""}};
  write_text(femflex_.file("junk.txt"), "this is not a file of any kind\n");
  std::istringstream reference(femflex_("man --markdown").out);
  std::string line;
  int count = 0;
  while (std::getline(reference, line)) {
    if (!line.starts_with("## ") || line.find(' ', 3) != std::string::npos) continue;
    const std::string verb = line.substr(3);
    const auto found = rest.find(verb);
    ASSERT_NE(found, rest.end()) << "no call for " << verb;
    for (const char* file : {"missing.txt", "junk.txt"})
      expect_refused(verb + " " + file + " " + found->second, {}, "out");
    expect_document(verb + " missing.txt " + found->second,
                    verb == "lattice" || verb == "import" ? "" : "UsageError");
    ++count;
  }
  EXPECT_EQ(count, static_cast<int>(rest.size()));
  for (const char* output : {"out.fbm", "out.flex"})
    EXPECT_FALSE(femflex_.has(output)) << output;
}

}  // namespace
}  // namespace femflex::testing
