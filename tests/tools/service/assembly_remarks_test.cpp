// Tests warnings and errors about assembly files.
#include <gtest/gtest.h>

#include "femflex/errors.h"

#include "assembly/assembly_json.h"
#include "assembly/assembly_run.h"
#include "assembly/part_book.h"
#include "document/json_text.h"

namespace femflex::tools {
namespace {

struct Solved {
  AssemblyResult result;
  std::vector<std::string> warnings;
};

Solved solved(const std::string& text) {
  Diagnostics diagnostics;
  PartBook book(read_assembly(parse_json(text, "t.json"), ".", diagnostics, no_progress()),
                nullptr);
  Solved out;
  out.result = run_assembly(book, {}, {}, false, diagnostics, no_progress());
  for (const Warning& warning : diagnostics.warnings())
    out.warnings.push_back(warning.code);
  return out;
}

// Requirement R21: an unknown choice must not be taken for the default.
TEST(AssemblyFile, KnowsItsChoicesAndNamesTheNearest) {
  const auto fix = [](const std::string& solve) {
    try {
      solved(R"x({ "parts": { "B": { "bar": { "mass": 2, "stiffness": 7, "damping": 0.1 } } },
        "solve": { "fixed": 1, "time": { "dt": 0.1, "end": 1 }, )x" +
             solve + " } }");
    } catch (const ParseError& error) {
      return error.code() + ": " + error.fix();
    }
    return std::string("no error");
  };
  const std::string way = R"x("in": 2, "out": 2)x";
  const auto transfer = [&](const std::string& form) {
    return fix(R"x("transfer": [ { )x" + way + R"x(, "form": ")x" + form + "\" } ]");
  };
  EXPECT_EQ(transfer("poly"), "unknown-choice: did you mean 'polynomial'?");
  EXPECT_EQ(transfer("polynomial"), "no error");
  EXPECT_EQ(transfer("pole-residue"), "no error");
  EXPECT_EQ(transfer("pole residue"), "unknown-choice: did you mean 'pole-residue'?");
  EXPECT_EQ(fix(R"x("impulse": [ { )x" + way + R"x(, "form": "samples" } ])x"),
            "unknown-choice: did you mean 'sample'?");
  EXPECT_EQ(fix(R"x("simulate": [ { )x" + way + R"x(, "input": [1], "hold": "frist" } ])x"),
            "unknown-choice: did you mean 'first'?");
}

// Truth: results are listed by the names of their ways, so that two of one way cannot both be
// there.
TEST(AssemblyFile, RefusesAWayThatIsRequestedTwice) {
  const auto code = [](const std::string& requests) {
    try {
      solved(R"x({ "parts": { "B": { "bar": { "mass": 2, "stiffness": 7, "damping": 0.1 } } },
        "solve": { "fixed": 1, "time": { "dt": 0.1, "end": 1 }, )x" +
             requests + " } }");
    } catch (const ParseError& error) {
      return error.code();
    }
    return std::string("no error");
  };
  const std::string way = R"x({ "in": 2, "out": 2 })x";
  const std::string loud = R"x({ "in": 2, "out": 2, "value": 5 })x";
  for (const std::string kind : {"step", "impulse", "transfer"})
    EXPECT_EQ(code('"' + kind + "\": [ " + way + ", " + way + " ]"), "way-twice") << kind;
  EXPECT_EQ(code("\"step\": [ " + way + ", " + loud + " ]"), "way-twice");
  EXPECT_EQ(code("\"frf\": { \"hz\": [1], \"ways\": [ " + way + ", " + way + " ] }"), "way-twice");
  EXPECT_EQ(code("\"step\": [ " + way + " ], \"impulse\": [ " + way + " ]"), "no error");
}

// Requirement R52. Truth: x'' = 3 x grows as exp(sqrt(3) t) and has a pole at sqrt(3). Symmetry is
// visible in the matrices.
TEST(AssemblyFile, RemarksOnPartsThatAreNotPassive) {
  const auto warnings = [](const std::string& part) {
    return solved(R"x({ "parts": { "B": )x" + part + " } }").warnings;
  };
  using Codes = std::vector<std::string>;
  EXPECT_EQ(warnings(R"x({ "matrices": { "K": [[3]], "M": [[1]] } })x"), Codes{});
  EXPECT_EQ(warnings(R"x({ "matrices": { "K": [[-3]], "M": [[1]] } })x"),
            (Codes{"negative-stiffness", "unstable"}));
  EXPECT_EQ(warnings(R"x({ "matrices": { "K": [[-3]], "M": [[-1]] } })x"),
            (Codes{"negative-stiffness", "negative-mass"}));
  EXPECT_EQ(warnings(R"x({ "matrices": { "K": [[3]], "C": [[-1]], "M": [[1]] } })x"),
            (Codes{"negative-damping", "unstable"}));
  // a matrix with positive diagonal need not be positive definite
  EXPECT_EQ(warnings(R"x({ "matrices": { "K": [[1, 2], [2, 1]], "M": [[1, 0], [0, 1]] } })x"),
            (Codes{"negative-stiffness", "unstable"}));
  EXPECT_EQ(warnings(R"x({ "matrices": { "K": [[2, 1], [-1, 2]], "M": [[1, 0], [0, 1]] } })x"),
            (Codes{"unsymmetric", "unstable"}));
  EXPECT_EQ(warnings(R"x({ "text": "{ [ -1 0 4 ] } kg\\(s^2)" })x"),
            (Codes{"negative-mass", "unstable"}));
  EXPECT_EQ(warnings(R"x({ "polynomials": [[[1, 0, -4]]] })x"),
            (Codes{"negative-stiffness", "unstable"}));
  // Free bodies and controllers are valid. If a free body has only six digits, no negative
  // stiffness is reported, but the pole of these numbers is.
  EXPECT_EQ(warnings(R"x({ "bar": { "mass": 2, "stiffness": 1e8 } })x"), Codes{});
  EXPECT_EQ(
      warnings(
          R"x({ "text": "{ [ 1.23457 0 1.23457 ] [ -1.23457 ] ; [ -1.23457 ] [ 1.23457 0 1.23456 ] } kg\\(s^2)" })x"),
      Codes{"unstable"});
  EXPECT_EQ(
      warnings(
          R"x({ "state_space": { "A": [[0, 1], [-4, -1]], "B": [[0], [1]], "C": [[1, 0]] } })x"),
      Codes{});
}

}  // namespace
}  // namespace femflex::tools
