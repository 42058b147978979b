// Tests many runs of one system through the program: the same table for any number of threads and
// shards and after a kill; failed runs as rows; clear errors.
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "program.h"
#include "results/results_file.h"
#include "runs/run_journal.h"
#include "runs/run_table.h"

namespace femflex::testing {
namespace {

using tools::Json;

class Runs : public ::testing::Test {
 protected:
  Runs() { EXPECT_EQ(femflex("new pendulum").exit_code, 0); }
  /// Runs a study of 24 pendulums.
  CommandResult study(const std::string& more) const {
    return femflex(
        "study pendulum.json --vary length=0.5:1.5 --vary mass=log:1:10 --sample lhs:24 --end 0.3 "
        "--measure reach=max:bar/tip/position/x --measure min:bar/tip/velocity/z " +
        more);
  }
  std::string bytes(const std::string& name) const { return read_text(femflex.file(name)); }
  void expect_refused(const std::string& words, const std::string& part) const {
    const CommandResult result = femflex("study " + words);
    EXPECT_EQ(result.exit_code, 2) << words;
    EXPECT_NE(result.err.find(part), std::string::npos) << words << "\n" << result.err;
    EXPECT_EQ(line_count(result.err), 1U) << result.err;
  }
  Program femflex;
};

// Truth: the table made with one thread.
TEST_F(Runs, AnyThreadsAndShardsGiveTheSameBytes) {
  ASSERT_EQ(study("--threads 1 -o one.h5 --csv one.csv").exit_code, 0);
  ASSERT_EQ(study("--threads 3 -o three.h5 --csv three.csv").exit_code, 0);
  EXPECT_EQ(bytes("one.h5"), bytes("three.h5"));
  EXPECT_EQ(bytes("one.csv"), bytes("three.csv"));
  for (const char* part : {"3", "1", "2"})
    ASSERT_EQ(study("--shard " + std::string(part) + "/3 -o part" + part + ".h5").exit_code, 0);
  const CommandResult two = femflex("study --merge part1.h5 part3.h5 -o two.h5");
  EXPECT_EQ(two.exit_code, 1);
  EXPECT_NE(two.err.find("8 of 24 runs are missing"), std::string::npos) << two.err;
  ASSERT_EQ(femflex("study --merge part2.h5 part3.h5 part1.h5 -o all.h5 --csv all.csv").exit_code,
            0);
  EXPECT_EQ(bytes("one.h5"), bytes("all.h5"));
  EXPECT_EQ(bytes("one.csv"), bytes("all.csv"));
  // a shard of another study
  ASSERT_EQ(study("--seed 2 --shard 1/3 -o other.h5").exit_code, 0);
  expect_refused("--merge part1.h5 other.h5 -o no.h5", "parts of different studies");
  // a part named twice, and its copy
  expect_refused("--merge part1.h5 part2.h5 part1.h5 -o no.h5", "have the same rows");
  std::filesystem::copy_file(femflex.file("part1.h5"), femflex.file("copy.h5"));
  expect_refused("--merge part1.h5 copy.h5 -o no.h5", "part1.h5 and copy.h5 have the same rows");
}

// Truth: the table of a study without interruption.
TEST_F(Runs, AStudyThatWasKilledGoesOnWhereItWas) {
  ASSERT_EQ(study("-o whole.h5").exit_code, 0);
  tools::RunTable table = tools::read_run_table(femflex.file("whole.h5"));
  ASSERT_EQ(table.rows.size(), 24U);
  table.rows.resize(10);
  table.rows[3].measures[0] = 7.0;  // shows whether the row is reused or computed again
  { const tools::RunJournal journal(femflex.file("killed.h5.rows"), table); }
  const std::string journal = bytes("killed.h5.rows") + R"({"row":10,"key":"ab)";
  write_text(femflex.file("killed.h5.rows"), journal);
  const CommandResult again = study("-o killed.h5");
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_NE(again.err.find("--resume"), std::string::npos);
  ASSERT_EQ(study("--resume -o killed.h5").exit_code, 0);
  EXPECT_FALSE(femflex.has("killed.h5.rows"));
  tools::RunTable resumed = tools::read_run_table(femflex.file("killed.h5"));
  ASSERT_EQ(resumed.rows.size(), 24U);
  EXPECT_EQ(resumed.rows[3].measures[0], 7.0);
  table.rows[3].measures[0] = tools::read_run_table(femflex.file("whole.h5")).rows[3].measures[0];
  { const tools::RunJournal fresh(femflex.file("honest.h5.rows"), table); }
  ASSERT_EQ(study("--resume -o honest.h5").exit_code, 0);
  EXPECT_EQ(bytes("honest.h5"), bytes("whole.h5"));
  // rows of another model are not reused
  const CommandResult changed = study("--set gravity.2=-1.62 --resume -o honest.h5");
  EXPECT_EQ(changed.exit_code, 0);
  EXPECT_NE(changed.err.find("none of the 24 rows"), std::string::npos) << changed.err;
}

// Truth: a longer Sobol' sequence starts with the shorter one, whose rows are not computed again.
TEST_F(Runs, ALongerStudyKeepsTheRowsOfTheShorterOne) {
  const std::string words =
      "study pendulum.json --vary length=0.5:1.5 --end 0.1 --measure final:bar/tip/position/z ";
  ASSERT_EQ(femflex(words + "--sample sobol:8 -o s.h5").exit_code, 0);
  const tools::RunTable shorter = tools::read_run_table(femflex.file("s.h5"));
  ASSERT_EQ(femflex(words + "--sample sobol:16 --resume -o s.h5").exit_code, 0);
  const tools::RunTable longer = tools::read_run_table(femflex.file("s.h5"));
  ASSERT_EQ(longer.rows.size(), 16U);
  for (std::size_t r = 0; r < 8; ++r)
    EXPECT_EQ(longer.rows[r].key, shorter.rows[r].key);
}

// Truth: `simulate` with the same values.
TEST_F(Runs, ARowIsWhatSimulateGives) {
  write_text(femflex.file("t.csv"), "\xEF\xBB\xBFlength;variant\r\n1.5;damped\r\n0.75;damped\r\n");
  ASSERT_EQ(femflex("study pendulum.json --table t.csv --measure final:bar/tip/position/x "
                    "--measure energy=max:energy/kinetic --end 0.4 -o t.h5 --histories kept")
                .exit_code,
            0);
  const tools::RunTable table = tools::read_run_table(femflex.file("t.h5"));
  ASSERT_EQ(
      femflex(
          "simulate pendulum.json --variant damped --set parameters.length=0.75 --end 0.4 -o r.h5")
          .exit_code,
      0);
  const tools::ResultSeries run = tools::read_results(femflex.file("r.h5"));
  const Eigen::Index last = run.time.size() - 1;
  EXPECT_EQ(table.rows[1].measures[0], run.values(last, run.find("bar/tip/position/x")));
  EXPECT_EQ(table.rows[1].measures[1], run.values.col(run.find("energy/kinetic")).maxCoeff());
  const tools::ResultSeries kept = tools::read_results(femflex.file("kept/row-000001.h5"));
  EXPECT_EQ(kept.values(last, kept.find("bar/tip/position/x")), table.rows[1].measures[0]);
}

// Truth: indices of Ishigami's function in closed form. In each run the value of the function is a
// position.
TEST_F(Runs, EffectsOfIshigamiThroughASystemAreWithinTheirErrors) {
  write_text(femflex.file("ishigami.json"), R"json({ "femflex": 1, "name": "ishigami",
    "parameters": { "a": 0, "b": 0, "c": 0 },
    "bodies": { "p": { "point": { "mass": 1 },
                       "at": ["=sin(a) + 7*sin(b)^2 + 0.1*c^4*sin(a)", 0, 0] } },
    "analyses": [ { "type": "dynamic", "end": 1e-3, "step": 1e-3 } ] })json");
  const Json study = femflex.json(
      "study ishigami.json --vary a=-3.141592653589793:3.141592653589793 "
      "--vary b=-3.141592653589793:3.141592653589793 --vary c=-3.141592653589793:3.141592653589793 "
      "--sample saltelli:256 --measure f=final:p/position/x -o i.h5");
  EXPECT_EQ(study.find("rows")->number(), 256 * 5);
  const double main[] = {0.313905, 0.442411, 0.0}, total[] = {0.557589, 0.442411, 0.243684};
  const auto& effects = study.find("measures")->items()[0].find("effects")->items();
  for (std::size_t p = 0; p < 3; ++p) {
    const double error = effects[p].find("main_error")->number();
    EXPECT_LT(error, 0.12);
    EXPECT_NEAR(effects[p].find("main")->number(), main[p], 3.0 * error);
    EXPECT_NEAR(effects[p].find("total")->number(),
                total[p],
                3.0 * effects[p].find("total_error")->number());
  }
}

TEST_F(Runs, AFailedRunIsARowWithItsReason) {
  const CommandResult some = femflex(
      "study pendulum.json --vary bodies.bar.rigid.mass=1,-1,2 --sample grid:1 --end 0.1 "
      "--measure final:bar/tip/position/z -o f.h5 --csv f.csv --report f.html");
  EXPECT_EQ(some.exit_code, 0) << some.err;
  const tools::RunTable table = tools::read_run_table(femflex.file("f.h5"));
  EXPECT_NE(table.rows[1].failure.find("a mass must not be negative"), std::string::npos)
      << table.rows[1].failure;
  EXPECT_TRUE(table.rows[0].failure.empty() && table.rows[2].failure.empty());
  EXPECT_NE(bytes("f.html").find("Failed runs"), std::string::npos);
  for (const char* output : {"f.h5", "f.csv", "f.html", "f.worst.html", "f.worst.h5"}) {
    EXPECT_TRUE(femflex.has(output)) << output;
    EXPECT_NE(some.out.find(output), std::string::npos) << output << "\n" << some.out;
  }
  EXPECT_NE(bytes("f.html").find("femflex simulate pendulum.json <span>--set"), std::string::npos);
  EXPECT_EQ(femflex("study pendulum.json --vary bodies.bar.rigid.mass=-2,-1 --sample grid:1 "
                    "--measure final:bar/tip/position/z -o f.h5")
                .exit_code,
            1);
}

// Truth: a system of blocks alone has nothing to show, and the files listed are all.
TEST_F(Runs, AWorstRunThatCannotBeShownLeavesNoFile) {
  write_text(femflex.file("lag.json"), R"({ "femflex": 1, "name": "lag",
    "parameters": { "gain": 1 }, "bodies": {},
    "blocks": { "lagged": { "type": "lag", "input": "gain*t", "time": 0.1 } },
    "analyses": [ { "type": "dynamic", "end": 0.01, "step": 1e-3 } ], "outputs": [ "lagged" ] })");
  const CommandResult some = femflex(
      "study lag.json --vary gain=1,2 --sample grid:1 --measure max:lagged -o g.h5 --report "
      "g.html");
  EXPECT_EQ(some.exit_code, 0) << some.err;
  EXPECT_NE(some.err.find("the worst run is not shown"), std::string::npos) << some.err;
  for (const char* output : {"g.h5", "g.html"})
    EXPECT_TRUE(femflex.has(output)) << output;
  for (const char* output : {"g.worst.html", "g.worst.h5"})
    EXPECT_FALSE(femflex.has(output)) << output;
}

TEST_F(Runs, BadInputIsOneClearError) {
  const std::string vary = "pendulum.json --vary length=1:2 ";
  const std::string sample = vary + "--sample lhs:2 ";
  const std::string z = "--measure max:bar/tip/position/z ";
  expect_refused("pendulum.json", "--vary");
  expect_refused("--vary length=1:2 --sample lhs:2 " + z + "-o a.h5", "input");
  expect_refused(vary + z + "-o a.h5", "--vary needs --sample");
  expect_refused(sample + "-o a.h5", "nothing is measured");
  expect_refused(sample + z, "no output is named");
  expect_refused("pendulum.json --vary lenght=1:2 --sample lhs:2 " + z + "-o a.h5",
                 "did you mean 'length'?");
  expect_refused("pendulum.json --vary bodies.bar.rigid.mas=1:2 --sample lhs:2 " + z + "-o a.h5",
                 "did you mean 'mass'?");
  expect_refused("pendulum.json --vary gravity=1:2 --sample lhs:2 " + z + "-o a.h5",
                 "add the index");
  expect_refused(sample + "--vary parameters.length=1:2 " + z + "-o a.h5", "varied twice");
  expect_refused(sample + "--measure max:bar/tip/position -o a.h5", "choose one of");
  expect_refused(sample + "--measure max:bra/tip/position/z -o a.h5", "bra");
  expect_refused(sample + z + z + "-o a.h5", "two columns");
  expect_refused(sample + "--measure failure=max:bar/tip/position/z -o a.h5", "two columns");
  expect_refused(sample + "--measure mode-hz:1 -o a.h5", "no modal analysis");
  expect_refused(sample + z + "--reference full -o a.h5", "--reference");
  expect_refused(sample + z + "--resume --csv a.csv", "--resume");
  expect_refused(sample + z + "-o .", "is a folder");
  expect_refused(sample + z + "-o a.h5 --csv nowhere/a.csv", "nowhere/a.csv");
  write_text(femflex.file("kinds.json"), R"({ "femflex": 1, "name": "kinds",
    "parameters": { "m": 1 }, "bodies": { "p": { "point": { "mass": "=m" } } },
    "variants": { "light": { "parameters": { "m": 1 } }, "heavy": { "parameters": { "m": 2 } } },
    "analyses": [ { "type": "dynamic", "end": 1e-3, "step": 1e-3 } ] })");
  expect_refused(
      "kinds.json --vary variant=light,heavy --vary m=90%:110% --sample grid:2 "
      "--measure max:p/position/z -o a.h5",
      "it is 1 in one variant and 2 in another");
  write_text(femflex.file("kinds.json"), R"({ "femflex": 1, "name": "kinds",
    "bodies": { "p": { "point": { "mass": 1 } }, "q": { "point": { "mass": 1 } } },
    "variants": { "two": {}, "one": { "bodies": { "q": null } } },
    "analyses": [ { "type": "dynamic", "end": 1e-3, "step": 1e-3 } ] })");
  expect_refused(
      "kinds.json --vary variant=two,one --sample grid --measure max:q/position/z -o a.h5",
      "variant 'one': ");
  expect_refused("--merge pendulum.json -o a.h5", "pendulum.json");
  for (const char* other : {"--set a=1", "--seed 3", "--end 2", "--folder f", "--variant v"})
    expect_refused("--merge part.h5 -o a.h5 " + std::string(other), "has no meaning with --merge");
  expect_refused(sample + z + "-o ./f.worst.h5 --report f.html", "a file of the worst run");
  write_text(femflex.file("t.csv"), "length,mass\n1,2\n3\n");
  expect_refused("pendulum.json --table t.csv " + z + "-o a.h5", "t.csv:3");
  write_text(femflex.file("t.csv"), "length,mass\n1,2\n3,nan\n");
  expect_refused("pendulum.json --table t.csv " + z + "-o a.h5", "column 'mass': nan");
  write_text(femflex.file("t.csv"), "length [m]\n1\n");
  expect_refused("pendulum.json --table t.csv " + z + "-o a.h5", "call it 'length'");
  expect_refused("--merge nowhere.h5 -o a.h5", "nowhere.h5: no such file");
  expect_refused(vary + "--sample grid " + z + "-o a.h5", "number of values for 'length'");
  EXPECT_FALSE(femflex.has("a.h5"));
}

// Truth: the message. An option that gives all runs one value would undo what is varied.
TEST_F(Runs, AnOptionDoesNotUndoWhatIsVaried) {
  const std::string z = "--sample lhs:2 --measure max:bar/tip/position/z -o a.h5 ";
  expect_refused("pendulum.json --vary analyses.0.end=0.1:0.2 --end 0.3 " + z,
                 "'analyses.0.end' is varied, and --end gives all runs the same");
  expect_refused("pendulum.json --vary analyses/0/end=0.1:0.2 --end 0.3 " + z, "leave one");
  expect_refused(
      "pendulum.json --vary analyses.0.integrator=bdf,runge-kutta --integrator bdf --sample grid "
      "--measure max:bar/tip/position/z -o a.h5",
      "--integrator gives all runs the same");
  EXPECT_EQ(femflex("study pendulum.json --vary analyses.0.end=0.1:0.2 " + z).exit_code, 0);
}

/// A mass on a spring of a template, k x = F at rest.
constexpr const char* kPart = R"json({ "gravity": [0, 0, 0],
  "templates": { "mount": { "parameters": { "k": 100, "kind": "spring-damper" },
    "bodies": { "$m": { "point": { "mass": 1 }, "at": [1, 0, 0] } },
    "joints": { "$rail": { "type": "point-on-line", "a": "ground", "b": "$m", "axis": [1, 0, 0] } },
    "forces": { "$spring": { "type": "$kind", "a": "ground", "b": "$m", "stiffness": "$k" },
      "$load": { "type": "force", "on": "$m", "value": [1, 0, 0] } } } },
  "parts": { "front": { "template": "mount" } },
  "analyses": [ { "type": "static" } ] })json";

// Truth: x = 1 + F / k. A number of a part is varied by the path that --set takes.
TEST_F(Runs, NumbersOfPartsAreVariedByTheirPath) {
  write_text(femflex.file("part.json"), kPart);
  ASSERT_EQ(femflex("study part.json --vary parts.front.k=100,200 --sample grid -o p.h5 "
                    "--measure x=final:front_m/position/x")
                .exit_code,
            0);
  const tools::RunTable table = tools::read_run_table(femflex.file("p.h5"));
  EXPECT_EQ(table.parameters[0].name, "parts.front.k");
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_NEAR(table.rows[0].measures.at(0), 1.01, tolerance(1e-9));
  EXPECT_NEAR(table.rows[1].measures.at(0), 1.005, tolerance(1e-9));
  const std::string x = " --sample lhs:2 --measure final:front_m/position/x -o a.h5";
  expect_refused("part.json --vary parts.front.kk=1:2" + x, "did you mean 'front_k'?");
  expect_refused("part.json --vary parts.front.k=1:2 --vary parameters.front_k=1:2" + x,
                 "varied twice");
}

// Truth: the names. A table of runs with names that hold commas and quotes reads back.
TEST_F(Runs, NamesWithCommasKeepTheirColumn) {
  std::string text = kPart;
  text.replace(text.find("\"analyses\""), 0, R"("parameters": { "a, \"b\"": 2 }, )");
  write_text(femflex.file("named.json"), text);
  ASSERT_EQ(femflex("study named.json --vary 'a, \"b\"=1,2' --sample grid --csv n.csv "
                    "--measure 'x, front=final:front_m/position/x'")
                .exit_code,
            0);
  EXPECT_EQ(bytes("n.csv").substr(0, bytes("n.csv").find('\n')),
            "row,\"a, \"\"b\"\"\",\"x, front\",failure");
}

/// Two masses: one swings along x; the other rests, with forces of round-off along y.
constexpr const char* kRoundOff = R"json({
  "bodies": { "m": { "point": { "mass": 2 }, "at": [1.1, 0, 0] },
    "still": { "point": { "mass": 1 }, "at": [0.3, 0.1, 0] } },
  "joints": { "rail": { "type": "point-on-line", "a": "ground", "b": "m", "axis": [1, 0, 0] } },
  "forces": { "spring": { "type": "spring-damper", "a": "ground", "b": "m", "stiffness": 50,
      "length": 1 },
    "hold": { "type": "spring-damper", "a": "ground", "b": "still", "stiffness": "=hold",
      "length": "=sqrt(0.1)*(1+noise)" } },
  "parameters": { "hold": 1000, "noise": 1e-15 },
  "variants": { "a": {}, "b": { "parameters": { "noise": -3e-15 } } },
  "outputs": ["m/acceleration/x", "still/acceleration/x"],
  "analyses": [ { "type": "dynamic", "end": 0.5, "step": 0.001, "output_step": 0.01 } ] })json";

// Truth: the accelerations of the resting mass are round-off, so they say nothing about a variant.
TEST_F(Runs, RoundOffIsNoErrorOfAVariant) {
  write_text(femflex.file("still.json"), kRoundOff);
  const Json document = femflex.json("study still.json --reference a --variants b");
  const Json& only = document.find("cases")->items().front();
  EXPECT_LT(only.find("error")->number(), 1e-9);
  EXPECT_LT(only.find("peak_error")->number(), 1e-9);
  ASSERT_EQ(only.find("round_off")->items().size(), 1U);
  EXPECT_EQ(only.find("round_off")->items()[0].text(), "still/acceleration/x");
  EXPECT_EQ(document.find("warnings")->items().front().find("code")->text(), "round-off-channels");
}

TEST_F(Runs, AGridOfChoicesNeedsNoNumber) {
  const CommandResult all = femflex(
      "study pendulum.json --vary length=1,2 --vary mass=1,3,5 --sample grid --end 0.1 "
      "--measure final:bar/tip/position/z -o g.h5");
  ASSERT_EQ(all.exit_code, 0) << all.err;
  EXPECT_EQ(tools::read_run_table(femflex.file("g.h5")).rows.size(), 6U);
}

// A band that no run can show is an error of the call, after which there is nothing to resume.
TEST_F(Runs, AMeasureThatNoRunHasLeavesNoRowsBehind) {
  const std::string words =
      "pendulum.json --vary length=1:2 --sample lhs:2 --end 0.3 -o b.h5 "
      "--measure rms:bar/tip/position/z";
  expect_refused(words + "@1-1e6Hz", "the band ends at");
  EXPECT_FALSE(femflex.has("b.h5.rows"));
  EXPECT_EQ(femflex("study " + words).exit_code, 0);
}

// Truth: the table from a fresh start. A file among the values to choose from changes between two
// calls, so that its row is of another model.
TEST_F(Runs, RowsOfAFileThatHasChangedAreNotTakenOver) {
  const auto chain = [&](const char* stiffness) {
    return std::string(R"({ "femflex": 1, "name": "c", "dimension": 3, "nodes": [
      { "id": 1, "x": [0, 0, 0], "mass": 1, "fixed": true },
      { "id": 2, "x": [1, 0, 0], "mass": 1, "v": [0.1, 0, 0] } ],
      "springs": [ { "i": 1, "j": 2, "k": )") +
           stiffness + R"(, "law": "linear" } ] })";
  };
  write_text(femflex.file("soft.json"), chain("100"));
  write_text(femflex.file("hard.json"), chain("200"));
  write_text(femflex.file("net.json"), R"json({ "femflex": 1, "name": "net",
    "bodies": { "web": { "lattice": "soft.json" } },
    "analyses": [ { "type": "dynamic", "end": 0.3, "step": 1e-3 } ] })json");
  const std::string words =
      "study net.json --vary bodies.web.lattice=soft.json,hard.json --sample grid "
      "--measure x=max:web/2/position/x --quiet -o ";
  ASSERT_EQ(femflex(words + "old.h5 --threads 2").exit_code, 0);
  write_text(femflex.file("hard.json"), chain("400"));
  ASSERT_EQ(femflex(words + "old.h5 --resume").exit_code, 0);
  ASSERT_EQ(femflex(words + "new.h5").exit_code, 0);
  EXPECT_EQ(bytes("old.h5"), bytes("new.h5"));
}

// Truth: `simulate` with the same values, which makes its road alone. Threads share the roads of
// equal seeds.
TEST_F(Runs, RunsShareTheirRandomRoads) {
  ASSERT_EQ(femflex("new truck").exit_code, 0);
  const std::string words =
      "study truck.json --vary road.seed=1,2,3 --vary c=8e3,1e4 --sample grid --end 0.05 "
      "--measure z=final:chassis/301/position/z --quiet -o ";
  ASSERT_EQ(femflex(words + "one.h5 --threads 1").exit_code, 0);
  ASSERT_EQ(femflex(words + "three.h5 --threads 3").exit_code, 0);
  EXPECT_EQ(bytes("one.h5"), bytes("three.h5"));
  const tools::RunTable table = tools::read_run_table(femflex.file("one.h5"));
  ASSERT_EQ(table.rows.size(), 6U);
  ASSERT_EQ(femflex("simulate truck.json --set road.seed=3 --set parameters.c=8e3 --end 0.05 -o "
                    "r.h5")
                .exit_code,
            0);
  const tools::ResultSeries run = tools::read_results(femflex.file("r.h5"));
  EXPECT_EQ(table.rows[4].measures.at(0),
            run.values(run.time.size() - 1, run.find("chassis/301/position/z")));
}

// Truth: the message. Runs that do not differ look like a finding that nothing depends on it.
TEST_F(Runs, AParameterWithoutEffectIsTold) {
  std::string text = bytes("pendulum.json");
  const std::string members = "\"parameters\": { ";
  text.insert(text.find(members) + members.size(), "\"gap\": 1, ");
  write_text(femflex.file("pendulum.json"), text);
  const std::string words = "study pendulum.json --end 0.1 --measure max:bar/tip/position/x ";
  const CommandResult unused = femflex(words + "--vary gap=1,2 --sample grid -o u.h5");
  EXPECT_EQ(unused.exit_code, 0) << unused.err;
  EXPECT_NE(unused.err.find("'gap' is varied, and no formula of the system names it"),
            std::string::npos)
      << unused.err;
  EXPECT_EQ(femflex(words + "--vary length=1,2 --vary mass=1,2 --sample grid -o v.h5").err, "");
}

TEST_F(Runs, ATableOfSamplesIsNamedInItsErrors) {
  const auto expect_error = [&](const char* heads, const char* part) {
    write_text(femflex.file("t.csv"), std::string(heads) + "\n1,2\n");
    expect_refused("pendulum.json --table t.csv --measure max:bar/tip/position/z -o a.h5", part);
  };
  expect_error("id,length", "t.csv: 'id' cannot be varied");
  expect_error(",length", "t.csv: column 1 has no name");
  expect_error("length,length", "t.csv: two columns are called 'length'");
  // a part whose study is not finished
  ASSERT_EQ(study("-o whole.h5").exit_code, 0);
  {
    const tools::RunJournal journal(femflex.file("part.h5.rows"),
                                    tools::read_run_table(femflex.file("whole.h5")));
  }
  expect_refused("--merge part.h5 -o all.h5", "part.h5.rows");
}

TEST_F(Runs, JobScriptsAreShell) {
  for (const char* name : {"slurm", "parallel", "mpi", "distributed"}) {
    ASSERT_EQ(femflex(std::string("new ") + name).exit_code, 0);
    EXPECT_EQ(run("sh -n " + std::string(name) + ".sh", femflex.file("").parent_path()).exit_code,
              0);
  }
}

// Truth: the ranks in the environment compute each row exactly once.
TEST_F(Runs, TheScriptForMpiMakesAllParts) {
  ASSERT_EQ(femflex("new truck").exit_code, 0);
  ASSERT_EQ(femflex("new mpi").exit_code, 0);
  std::string script = bytes("mpi.sh");
  script.replace(script.find("lhs:200"), 7, "lhs:5");
  script.replace(script.find("\"$@\""), 4, "--end 0.1 \"$@\"");
  write_text(femflex.file("mpi.sh"), script);
  const auto folder = femflex.file("").parent_path();
  const std::string program = "FEMFLEX='" + femflex_program().string() + "' ";
  for (const char* rank : {"0", "1"})
    ASSERT_EQ(
        run(program + "OMPI_COMM_WORLD_RANK=" + rank + " OMPI_COMM_WORLD_SIZE=2 sh mpi.sh", folder)
            .exit_code,
        0);
  ASSERT_EQ(run(program + "sh mpi.sh merge", folder).exit_code, 0);
  EXPECT_EQ(tools::read_run_table(femflex.file("study/all.h5")).rows.size(), 5U);
}

}  // namespace
}  // namespace femflex::testing
