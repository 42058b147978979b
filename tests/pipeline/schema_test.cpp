// Tests that the output of every verb with --json agrees with the shipped schemas.
#include "document/schema.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "cli/verbs.h"
#include "program.h"
#include "schema_check.h"

namespace femflex::testing {
namespace {

using tools::Json;

std::filesystem::path schema_file(const std::string& name) {
  return data("../tools/schemas/" + name + ".json");
}

class Schemas : public ::testing::Test {
 protected:
  void expect_fits(const std::string& schema, const std::string& words) {
    expect_document_fits(schema, words, femflex_(words + " --json"));
  }
  void expect_document_fits(const std::string& schema,
                            const std::string& words,
                            const CommandResult& result) {
    ASSERT_FALSE(result.out.empty()) << words << result.err;
    const Json document = tools::parse_json(result.out, words);
    EXPECT_EQ(schema_fault(tools::read_json_file(schema_file(schema)), document), "") << words;
  }
  /// Checks the output of a verb that runs until it receives a signal.
  void expect_stopped_fits(const std::string& verb, const std::string& file) {
    write_text(femflex_.file("serve.sh"),
               "rm -f port; '" + femflex_program().string() + "' " + verb + " " + file +
                   " --port 0 --port-file port --json & pid=$!\n"
                   "while [ ! -s port ] && kill -0 $pid 2>/dev/null; do sleep 0.02; done\n"
                   "kill -TERM $pid\nwait $pid\n");
    const CommandResult result = run("bash serve.sh", femflex_.file("serve.sh").parent_path());
    if (result.out.find("not-built") != std::string::npos) {
      expect_document_fits("error", verb, result);
      return;
    }
    EXPECT_EQ(result.exit_code, 0) << result.err;
    expect_document_fits(verb, verb, result);
  }
  Program femflex_;
};

/// Calls of one verb. All verbs run in the order of this list in one folder.
struct Calls {
  std::string verb;
  std::vector<std::string> words;
};

const std::vector<Calls>& schema_calls() {
  static const auto lattice = [](const std::string& name) {
    return "'" + data("lattice/staal/" + name + ".json").string() + "'";
  };
  static const std::string span = "'" + data("substructure/span.json").string() + "'";
  static const std::vector<Calls> table = {
      {"info",
       {dms("dms.ou1.op4") + " " + dms("dms.bdf") + " " + dms("dms.op2") + " --samples '1,1;3,3'"}},
      {"import",
       {dms("dms.bdf") + " " + dms("dms.ou1.op4") + " --modes " + dms("dms_static.pch") +
        ":static --modes " + dms("dms_constraint.pch") +
        ":constraint --units m-kg-s -o dms.fe.h5"}},
      {"solve", {dms("dms.bdf") + " --solver nastran --deck run.bdf"}},
      {"check", {"dms.fe.h5"}},
      {"modes", {"dms.fe.h5 --normal 2"}},
      {"reduce",
       {"dms.fe.h5 --select static,constraint --damping 0.1 -o static.fbm",
        "dms.fe.h5 --orthogonalise -o all.fbm",  // two of the four modes are dependent
        "dms.fe.h5 --select constraint -o constraint.fbm"}},
      {"info", {"dms.fe.h5 static.fbm step.json"}},
      {"convert", {"static.fbm static.flex"}},
      {"transform", {"static.fbm --move 0,0,1 -o moved.fbm"}},
      {"validate", {"static.fbm --against dms.fe.h5 --modes 2"}},
      {"simulate", {"step.json -o step.h5", "step.json -o step.h5 --reproducible"}},
      {"info", {"step.h5"}},
      {"linearise", {"step.json"}},
      {"export",
       {"step.json -o step.fmu",
        "static.fbm --loads body/3/force/z --channels body/3/displacement -o body.fmu --fmi 3",
        "static.fbm --loads body/3/force/z --channels body/3/displacement -o body.mat"}},
      {"back-transform", {"step.h5 --nodes 2 -o eta.h5"}},
      {"stress",
       {"--rainflow '" + data("durability/astm.csv").string() + "' --curve '" +
            data("durability/steel.json").string() + "'",
        "--spectrum '" + data("durability/road.csv").string() + "' --curve '" +
            data("durability/soft.json").string() + "'"}},
      {"stress-deck", {dms("dms.bdf") + " static.fbm --model dms.fe.h5 -o enforced.bdf"}},
      {"compare", {"step.h5 eta.h5", "static.fbm constraint.fbm"}},
      {"study",
       {"step.json --reference full --variants one --channels dms/3/displacement/z",
        "step.json --vary bodies.dms.damping.0=0.01:0.1 --sample saltelli:8 --end 0.1 "
        "--measure max:dms/3/displacement/z -o runs.h5"}},
      {"tyre", {"'" + data("tyres/valid/truck_pac2002.tir").string() + "' --kappa 0,0.1 --right"}},
      {"road",
       {"'" +
        (data("").parent_path().parent_path() / "tests/roads/reference/bend_kdbi.crg").string() +
        "' --uv 1,0.5 --at 10,-4"}},
      {"view", {"static.fbm -o static.html"}},
      {"new", {"pendulum", "lattice", "assembly", "directory"}},
      {"lattice",
       {"lattice.json -o chain.h5",
        lattice("model_table4") + " --statics --to-fe ladder.fe.h5",
        lattice("model_table4") + " --buckling",
        lattice("model_table4") + " --branch branch.csv",
        lattice("model_table6") + " --dt 1e3 --end 1e5",  // unstable: the error is in the document
        lattice("model_table4") + " --write ladder.csv"}},
      {"assemble",
       {span + " --csv span.csv",
        span + " --part SPAN24-ends --report",
        "'" + data("../examples/substructures/bars.json").string() + "' --part BB3x6 -o bar.txt"}},
      {"assemble", {"assembly.json --page assembly.html --frf-csv frf.csv"}},
      {"ask", {"directory.json"}},
      {"man", {"import"}},
      {"completion", {"zsh"}},
  };
  return table;
}

TEST_F(Schemas, HoldForEveryVerb) {
  std::filesystem::copy_file(data("../examples/double_mass_spring/step.json"),
                             femflex_.file("step.json"));
  for (const Calls& each : schema_calls()) {
    for (const std::string& words : each.words)
      expect_fits(each.verb, each.verb + " " + words);
  }
}

// Fails if a verb has no call in the list.
TEST_F(Schemas, AreThereAndTriedForEveryLineOfTheTableOfVerbs) {
  for (const cli::Verb& verb : cli::verbs()) {
    EXPECT_TRUE(std::filesystem::exists(schema_file(verb.name))) << verb.name;
    // these verbs run until they are stopped and are tested below
    if (verb.name == "serve" || verb.name == "live") continue;
    EXPECT_TRUE(std::any_of(schema_calls().begin(), schema_calls().end(), [&](const Calls& each) {
      return each.verb == verb.name;
    })) << verb.name;
  }
}

// The output of services that were ended by a signal.
TEST_F(Schemas, HoldForServicesThatAreStopped) {
  expect_stopped_fits("serve", "'" + data("../examples/substructures/bars.json").string() + "'");
  ASSERT_EQ(femflex_("new pendulum").exit_code, 0);
  expect_stopped_fits("live", "pendulum.json");
}

TEST_F(Schemas, HoldForErrors) {
  expect_fits("error", "info nowhere");
  expect_fits("error", "simulate");
  expect_fits("error", "nothing");
}

// Editors use the schema of systems for completion, so it must accept every template and example.
TEST_F(Schemas, OfSystemsTakesTemplatesAndExamples) {
  const Json schema = tools::system_schema();
  for (const char* name : {"truck",
                           "pendulum",
                           "slider-crank",
                           "servo",
                           "crane-crab",
                           "double-pendulum",
                           "four-bar",
                           "three-link-leaf",
                           "beam-leaf"}) {
    ASSERT_EQ(femflex_(std::string("new ") + name).exit_code, 0);
    EXPECT_EQ(
        schema_fault(schema, tools::read_json_file(femflex_.file(std::string(name) + ".json"))), "")
        << name;
  }
  for (const char* name : {"double_mass_spring/step.json",
                           "truck/truck.json",
                           "friction/block_on_slope.json",
                           "friction/leaf_spring.json",
                           "fmu/hosted_chain.json",
                           "control/servo.json",
                           "tyre/standing_wheel.json",
                           "tyre/braking_wheel.json"})
    EXPECT_EQ(schema_fault(schema, tools::read_json_file(data(std::string("../examples/") + name))),
              "")
        << name;
  const Json wrong = tools::parse_json(R"({ "bodies": { "b": { "rigit": {} } } })", "wrong");
  EXPECT_NE(schema_fault(schema, wrong), "");
}

// Templates must run without changes by the command that `new` prints.
TEST_F(Schemas, TemplatesRunAsTheyAre) {
  for (const char* name : {"truck",
                           "pendulum",
                           "slider-crank",
                           "servo",
                           "crane-crab",
                           "double-pendulum",
                           "four-bar",
                           "lattice"}) {
    const CommandResult written = femflex_(std::string("new ") + name);
    ASSERT_EQ(written.exit_code, 0) << written.err;
    const std::string next = written.out.substr(written.out.find("next: femflex ") + 14);
    const CommandResult result = femflex_(next.substr(0, next.find('\n')));
    EXPECT_EQ(result.exit_code, 0) << name << result.err;
    EXPECT_EQ(result.err, "") << name;
  }
}

// The frame of the template is one free body: K R = 0 and six zero modes.
TEST_F(Schemas, TheChassisOfTheTemplateIsSound) {
  ASSERT_EQ(femflex_("new truck -o my.json").exit_code, 0);
  const Json check = femflex_.json("check my_chassis.fe.h5");
  EXPECT_EQ(check.find("verdict")->text(), "pass");
  EXPECT_EQ(check.find("zero_modes")->number(), 6);
  EXPECT_NEAR(check.find("mass")->number(), 520.0, 1e-9);
  EXPECT_EQ(femflex_("simulate my.json --variant rigid -o r.h5").exit_code, 0);
}

// A document is checked against the schema before any file that it refers to is opened. Truth: line
// and column counted by hand.
TEST_F(Schemas, FaultsOfASystemComeBeforeItsFilesAreRead) {
  const auto fault = [&](const std::string& forces) {
    write_text(femflex_.file("s.json"),
               "{ \"bodies\": { \"b\": { \"flex\": \"absent.fbm\" } },\n" + forces + " }");
    const std::string line = femflex_("simulate s.json -o s.h5").err;
    return line.substr(line.find("s.json"));
  };
  EXPECT_EQ(
      fault("\"analyses\": [ { \"type\": \"dynamic\", \"end\": true } ]"),
      "s.json:2:43: true or false where a number or \"=formula\" was expected; end of the analysis "
      "[time]\n");
  EXPECT_EQ(fault("\"forces\": { \"f\": { \"type\": \"sprng-damper\" } }"),
            "s.json:2:28: 'sprng-damper' is not known here; did you mean 'spring-damper'?\n");
  EXPECT_EQ(fault("\"joints\": { \"j\": { \"tpe\": \"fixed\" } }"),
            "s.json:2:20: joint 'j': unknown key 'tpe'; did you mean 'type'?\n");
  EXPECT_EQ(fault("\"joints\": { \"j\": { \"type\": \"fixed\", \"at\": [0, 1] } }"),
            "s.json:2:43: a list of 2 where 3 were expected; [x, y, z] in the world of the initial "
            "state [length]\n");
}

}  // namespace
}  // namespace femflex::testing
