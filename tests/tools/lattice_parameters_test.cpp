// Tests named parameters of lattices in JSON.
#include <gtest/gtest.h>

#include "document/document.h"
#include "document/json_text.h"
#include "lattice/lattice_json.h"
#include "support/support.h"

namespace femflex::testing {
namespace {

using tools::Json;

Json oscillator() {
  return tools::parse_json(R"({ "dimension": 1, "parameters": { "k": 100, "m": "=k/50" },
    "nodes": [ { "id": 1, "x": [0], "fixed": true }, { "id": 2, "x": ["=0.5+0.5"], "mass": "=m" } ],
    "springs": [ { "i": 1, "j": 2, "k": "=k", "law": "linear" } ],
    "note": "=free text",
    "variants": { "stiff": { "parameters": { "k": 400 } } } })",
                           "oscillator");
}

// Truth: the formulas by hand. The parameter m uses k, which is defined before it. The text of a
// note is not a formula.
TEST(LatticeParameters, ArePutIn) {
  const auto lattice = tools::read_lattice_json(oscillator()).lattice;
  EXPECT_EQ(lattice.springs[0].stiffness, 100.0);
  EXPECT_EQ(lattice.nodes[1].mass, 2.0);
  EXPECT_EQ(lattice.nodes[1].position.x(), 1.0);
}

// Truth: by hand. m = 250/50 = 5, and m = 400/50 = 8 in the variant.
TEST(LatticeParameters, FollowSetAndVariant) {
  const tools::DocumentValue value{.json = oscillator()};
  const auto set =
      tools::load_document(&value, {.sets = {tools::parse_change("parameters.k=250")}});
  EXPECT_EQ(tools::read_lattice_json(set).lattice.nodes[1].mass, 5.0);
  const auto variant = tools::load_document(&value, {.variant = "stiff"});
  EXPECT_EQ(tools::read_lattice_json(variant).lattice.springs[0].stiffness, 400.0);
  EXPECT_EQ(tools::read_lattice_json(variant).lattice.nodes[1].mass, 8.0);
}

TEST(LatticeParameters, ThatDoNotExistAreRefusedByName) {
  Json document = oscillator();
  document["parameters"].erase("k");
  EXPECT_EQ(code_of([&] { (void)tools::read_lattice_json(document); }), "unknown-name");
}

// Truth: the formula as it was written. Without "parameters" it would be a text among numbers.
TEST(LatticeParameters, AFormulaWithoutThemIsNamed) {
  Json document = oscillator();
  document.erase("parameters");
  document.erase("variants");
  std::string said;
  try {
    (void)tools::read_lattice_json(document);
  } catch (const Error& error) {
    said = error.message() + error.fix();
  }
  EXPECT_NE(said.find("the formula '="), std::string::npos) << said;
  EXPECT_NE(said.find("\"parameters\""), std::string::npos) << said;
}

// Truth: the formula as it was written, and the words for the same faults in a system.
TEST(LatticeParameters, FaultsNameTheFormulaOnceAndTheRemedy) {
  const auto said = [](const Json& m) {
    Json document = oscillator();
    document["parameters"]["m"] = m;
    try {
      (void)tools::read_lattice_json(document);
    } catch (const ParseError& error) {
      return error.message() + "; " + error.fix();
    }
    return std::string("no error");
  };
  const std::string malformed = said("=k*(");
  const std::size_t first = malformed.find("'k*('");
  ASSERT_NE(first, std::string::npos) << malformed;
  EXPECT_EQ(malformed.find("'k*('", first + 1), std::string::npos) << malformed;
  EXPECT_EQ(said("3"), "the text '3' where a number was expected; write 3 without quotes");
  EXPECT_NE(said("3 kg").find("without quotes, in the units of the lattice"), std::string::npos);
}

// Truth: formulas have t and pi already, and a formula that reads pi takes the constant.
TEST(LatticeParameters, DoNotTakeTheNamesOfTimeAndPi) {
  for (const char* name : {"t", "pi"}) {
    Json document = oscillator();
    document["parameters"][name] = 3.0;
    EXPECT_EQ(code_of([&] { (void)tools::read_lattice_json(document); }), "parameter-name") << name;
  }
}

}  // namespace
}  // namespace femflex::testing
