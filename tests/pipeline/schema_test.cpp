// What every verb prints with --json against the schemas that are shipped.
#include <gtest/gtest.h>

#include "program.h"
#include "schema_check.h"

namespace femflex::testing {
namespace {

using pipeline::Json;

std::filesystem::path schema_file(const std::string& name) {
  return data("../tools/schemas/" + name + ".json");
}

class Schemas : public ::testing::Test {
 protected:
  void expect_fits(const std::string& schema, const std::string& words) {
    const CommandResult result = femflex_(words + " --json");
    ASSERT_FALSE(result.out.empty()) << words << result.err;
    const Json document = pipeline::parse_json(result.out, words);
    EXPECT_EQ(schema_fault(pipeline::read_json_file(schema_file(schema)), document), "") << words;
  }
  Program femflex_;
};

TEST_F(Schemas, HoldForEveryVerbOfTheChain) {
  std::filesystem::copy_file(data("../examples/double_mass_spring/step.json"),
                             femflex_.file("step.json"));
  expect_fits("info",
              "info " + dms("dms.ou1.op4") + " " + dms("dms.bdf") + " " + dms("dms.op2") +
                  " --samples '1,1;3,3'");
  expect_fits("import",
              "import " + dms("dms.bdf") + " " + dms("dms.ou1.op4") + " --modes " +
                  dms("dms_static.pch") + ":static --modes " + dms("dms_constraint.pch") +
                  ":constraint --units m-kg-s -o dms.fe.h5");
  expect_fits("check", "check dms.fe.h5");
  expect_fits("modes", "modes dms.fe.h5 --normal 2");
  expect_fits("reduce", "reduce dms.fe.h5 --select static,constraint --damping 0.1 -o static.fbm");
  expect_fits("reduce", "reduce dms.fe.h5 --orthogonalise -o all.fbm");  // two of four modes repeat
  expect_fits("reduce", "reduce dms.fe.h5 --select constraint -o constraint.fbm");
  expect_fits("info", "info dms.fe.h5 static.fbm step.json");
  expect_fits("convert", "convert static.fbm static.flex");
  expect_fits("transform", "transform static.fbm --move 0,0,1 -o moved.fbm");
  expect_fits("simulate", "simulate step.json -o step.h5");
  expect_fits("simulate", "simulate step.json -o step.h5 --reproducible");
  expect_fits("info", "info step.h5");
  expect_fits("linearise", "linearise step.json");
  expect_fits("back-transform", "back-transform step.h5 --nodes 2 -o eta.h5");
  expect_fits("compare", "compare step.h5 eta.h5");
  expect_fits("compare", "compare static.fbm constraint.fbm");
  expect_fits("study",
              "study step.json --reference full --variants one --channels dms/3/displacement/z");
  expect_fits("new", "new pendulum");
  expect_fits("man", "man import");
  expect_fits("completion", "completion zsh");
}

TEST_F(Schemas, HoldForErrors) {
  expect_fits("error", "info nowhere");
  expect_fits("error", "simulate");
  expect_fits("error", "nothing");
}

// The schema of systems is what editors complete from: it must take every template and example.
TEST_F(Schemas, OfSystemsTakesTemplatesAndExamples) {
  const Json schema = pipeline::read_json_file(schema_file("system.schema"));
  for (const char* name : {"truck", "pendulum", "slider-crank"}) {
    ASSERT_EQ(femflex_(std::string("new ") + name).exit_code, 0);
    EXPECT_EQ(
        schema_fault(schema, pipeline::read_json_file(femflex_.file(std::string(name) + ".json"))),
        "")
        << name;
  }
  for (const char* name : {"double_mass_spring/step.json", "truck/truck.json"})
    EXPECT_EQ(
        schema_fault(schema, pipeline::read_json_file(data(std::string("../examples/") + name))),
        "")
        << name;
  const Json wrong = pipeline::parse_json(R"({ "bodies": { "b": { "rigit": {} } } })", "wrong");
  EXPECT_NE(schema_fault(schema, wrong), "");
}

// Templates are meant to run as they are.
TEST_F(Schemas, TemplatesThatNeedNoOtherFileRun) {
  for (const char* name : {"pendulum", "slider-crank"}) {
    ASSERT_EQ(femflex_(std::string("new ") + name).exit_code, 0);
    const CommandResult result = femflex_(std::string("simulate ") + name + ".json -o r.h5");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.err, "") << name;
  }
}

}  // namespace
}  // namespace femflex::testing
