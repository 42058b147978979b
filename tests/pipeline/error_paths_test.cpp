// Tests wrong input of every verb: exit code 2, no output file, and one line with file, line or
// byte, what was found, what was expected, and a remedy.
#include <filesystem>
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
  // Expects exit code 2, one line that contains all of `parts`, nothing on stdout, and no file
  // `output`.
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
  // Expects that the same call with --json gives the error as a document.
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
  // EIGEN_VE is 18 x 2, so it is not a stiffness matrix
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
  if (::geteuid() == 0) return;  // root may write everywhere
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
  write_text(femflex_.file("two.csv"), "alpha,alpha_deg,load\n0.1,2,4000\n");
  expect_refused("tyre " + tir + " --table two.csv --csv out", {"'alpha' and 'alpha_deg'"}, "out");
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
  for (const std::string seed : {"-3", "2.9"})
    refuse(layer("{ \"type\": \"iso8608\", \"class\": \"A\", \"seed\": " + seed + " }"),
           {"r.json:1", seed + " is not a whole number from 0 on"});
  refuse(layer("{ \"type\": \"file\", \"file\": \"none.crg\" }"), {"none.crg"});
  refuse("{ \"slope\": [0, 0], \"layers\": [] }", {"\"slope\" beside \"layers\""});
  refuse("{ \"height\": 0, \"friction\": -1 }", {"friction -1"});
  refuse("{ \"height\": 0, \"patches\": [ { \"length\": 0, \"width\": 1, \"friction\": 1 } ] }",
         {"friction patch"});
  write_text(femflex_.file("r.json"), "{ \"bodies\": {} }");
  expect_refused("road r.json --at 0,0 --csv out", {"no \"road\""}, "out");
}

// Truth: the exit codes in docs/commands.md. The verbs come from the table that the parser uses; a
// verb that is missing below fails the test.
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
                                                   {"solve", "-o out"},
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

// A pendulum that is pushed, and what newcomers type wrongly in it. Each message names the place,
// says what is wrong there, and how to go on: the nearest name is one or two edits away.
TEST_F(ErrorPaths, AMistakeInASystemNamesThePlaceAndTheNearestName) {
  const std::string sound = R"json({ "femflex": 1, "units": "m-kg-s", "parameters": { "load": 10 },
  "bodies": { "bar": { "rigid": { "mass": 1, "inertia": [1, 1, 1, 0, 0, 0] },
                       "markers": { "tip": { "at": [1, 0, 0] } } } },
  "joints": { "hinge": { "type": "revolute", "a": "ground", "b": "bar", "axis": [0, 1, 0] } },
  "forces": { "push": { "type": "force", "on": "bar/tip", "value": [0, 0, "load*step(t, 0.5)"] } },
  "analyses": [ { "type": "dynamic", "end": 0.01 } ],
  "outputs": [ "bar/tip/position", "hinge/reaction", "energy" ] })json";
  struct Mistake {
    std::string right, wrong;
    std::vector<std::string> parts;
  };
  const std::vector<Mistake> mistakes = {
      {"hinge/reaction", "hinge/raction", {"outputs: 'hinge/raction'", "mean 'hinge/reaction'?"}},
      {"hinge/reaction", "hing/reaction", {"joint", "called 'hing'", "did you mean 'hinge'?"}},
      {"hinge/reaction", "hinge/reaction/w", {"no component 'w'", "x, y, z"}},
      {"bar/tip/position", "bar/tip/positon", {"'bar/tip/positon'", "mean 'bar/tip/position'?"}},
      {"bar/tip/position", "bar/tp/position", {"'bar/tp/position'", "mean 'bar/tip/position'?"}},
      {R"("energy")", R"("speed")", {"outputs: 'speed'", "known: energy", "hinge", "push"}},
      {"load*step", "lead*step", {"s.json:5:75: ", "'lead'", "did you mean 'load'?"}},
      {"load*step", "[hinge/angel]*step", {"push: 'hinge/angel'", "mean 'hinge/angle'?"}},
      {"step(t", "stpe(t", {"s.json:5:75: ", "'stpe' is not a function", "mean 'step'?"}},
      {"bar/tip", "bar/top", {"push: bar", "'top'", "did you mean 'tip'?"}},
      {"revolute", "revolut", {"s.json:4:34: ", "'revolut'", "did you mean 'revolute'?"}},
      {"0.01", R"("10 ms")", {"s.json:6:45: ", "'10 ms'", "the number alone"}},
      {R"("m-kg-s",)", R"("m-kg-s")", {"s.json:1:", "',' or '}'", "put a comma"}},
      {"load*step", "log(-load)*step", {"s.json: ", "push is not finite at t = 0", "logarithm"}},
      {R"("b": "bar")", R"("b": "bat")", {"s.json:4:", "no body 'bat'", "mean 'bar'?"}},
  };
  write_text(femflex_.file("s.json"), sound);
  EXPECT_EQ(femflex_("simulate s.json -o sound.h5 --quiet").exit_code, 0);
  for (const Mistake& each : mistakes) {
    std::string text = sound;
    const std::size_t at = text.find(each.right);
    ASSERT_NE(at, std::string::npos) << each.right;
    write_text(femflex_.file("s.json"), text.replace(at, each.right.size(), each.wrong));
    expect_refused("simulate s.json -o wrong.h5", each.parts, "wrong.h5");
  }
}

// Two masses on springs, and what newcomers mistype on the command line.
TEST_F(ErrorPaths, AMistypedWordOfTheCommandLineIsNamedWithTheWayOn) {
  const std::string files = dms("dms.bdf") + " " + dms("dms.ou1.op4") + " --units m-kg-s ";
  ASSERT_EQ(femflex_("import " + files + dms("dms.op2") + " -o m.fe.h5").exit_code, 0);
  ASSERT_EQ(femflex_("reduce m.fe.h5 --select dynamic:1-2 -o dms.fbm").exit_code, 0);
  std::filesystem::copy_file(data("../examples/double_mass_spring/push.json"),
                             femflex_.file("push.json"));
  const std::string cut = read_text(femflex_.file("dms.fbm")).substr(0, 3000);
  write_text(femflex_.file("cut.fbm"), cut);
  const std::string run = "simulate push.json -o x --set ";
  const std::vector<std::pair<std::string, std::vector<std::string>>> mistakes = {
      {"--versoin", {"'--versoin'", "did you mean '--version'?"}},
      {"reduce m.fe.h5 -o x.fbx", {"x.fbx", "did you mean '.fbm'?", ".npz"}},
      {"convert dms.fbm x.gltf", {"x.gltf", "did you mean '.glb'?"}},
      {"import " + files + "--interface 99 -o x", {"interface node 99", "nearest is 3", "1 to 3"}},
      {"import " + files + "--interface 1-99999999999 -o x", {"--interface", "give fewer"}},
      {"import " + files + "--modes " + dms("dms.op2") + ":normal -o x",
       {"'normal'", "normal modes are called dynamic"}},
      {"modes m.fe.h5 --normal abc -o x", {"--normal: 'abc' is not a whole number"}},
      {"reduce m.fe.h5 --damping -1 -o x.fbm", {"'-1' is not a damping ratio", "write none"}},
      {"reduce m.fe.h5 --geometric spin-zz=m.fe.h5@nan -o x.fbm", {"'spin-zz=m.fe.h5@nan'"}},
      {"reduce m.fe.h5 --geometric spin-zz=m.fe.h5@inf -o x.fbm", {"does not name a cause"}},
      {"view cut.fbm -o x", {"cut.fbm", "cut off", "copy it again"}},
      {run + "analyses.0.step=nan", {"analyses.0.step", "write a finite number"}},
      {run + "bodies.dms.modes.enable=1", {"'modes'", "bodies.dms.modes={\"enable\": ...}"}},
      {run + "bodies/dms/modes/enable=1", {"'modes'", "bodies/dms/modes={\"enable\": ...}"}},
      {run + "=3", {"no path before the '='"}},
      {run + "outputs.0=dms/zetta", {"push.json: ", "did you mean 'dms/zeta'?"}},
      {run + "forces.push.on=dms/33", {"push.json: force push", "no node 33", "1 to 3"}},
  };
  for (const auto& [words, parts] : mistakes)
    expect_refused(words, parts, "x");
}

// A matrix of another model, and K and M exchanged in a model that springs hold to ground: its
// declared mass of 10 kg tells.
TEST_F(ErrorPaths, FilesThatDoNotBelongTogetherAreToldApart) {
  const std::string chassis =
      "'" + data("chassis/framec_kgg_mgg_ascii.op4").string() + "' --units m-kg-s -o x";
  expect_refused("import " + dms("dms.bdf") + " " + chassis, {"KGG", "3 nodes", "another"}, "x");
  const std::string op4 = data("double_mass_spring/dms.ou1.op4").string();
  expect_refused("import " + dms("dms.bdf") + " --stiffness '" + op4 + ":MAA' --mass '" + op4 +
                     ":KAA' --units m-kg-s -o x",
                 {"gives 20, the deck declares 10", "K and M are swapped"},
                 "x");
}

}  // namespace
}  // namespace femflex::testing
