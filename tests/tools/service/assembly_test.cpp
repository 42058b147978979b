// Tests assembly files, the verb assemble, and parts as JSON.
#include <cmath>
#include <functional>
#include <random>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "femflex/errors.h"
#include "femflex/flexfile/flexfile.h"
#include "femflex/substructure/solve.h"

#include "assembly/assembly_json.h"
#include "assembly/assembly_run.h"
#include "assembly/part_book.h"
#include "assembly/part_json.h"
#include "document/json_text.h"
#include "support/support.h"

namespace femflex::tools {
namespace {

using Eigen::MatrixXd;
using testing::tolerance;

AssemblyFile parsed(const std::string& text) {
  Diagnostics diagnostics;
  return read_assembly(parse_json(text, "test.json"), ".", diagnostics, no_progress());
}

std::string code_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.code();
  }
  return "no error";
}

std::string code_of_file(const std::string& parts) {
  return code_of([&]() {
    PartBook book(parsed("{\"parts\":" + parts + "}"), nullptr);
    for (const auto& [number, unused] : book.file().parts)
      book.dynamics(number, {});
  });
}

PartBook shipped(const std::string& name) {
  Diagnostics diagnostics;
  return {load_assembly(testing::data("substructure/" + name), diagnostics, no_progress()),
          nullptr};
}

// Truth: the reference numbers of the thesis.
TEST(AssemblyFiles, OfTheThesisHaveItsPoles) {
  const nlohmann::json reference =
      nlohmann::json::parse(testing::read_text(testing::data("substructure/expected/ieda.json")));
  const auto compare = [&](const char* file, const char* part, const char* key) {
    const VersionedPart known = shipped(file).dynamics(part, {});
    const auto& expected = reference[key];
    const substructure::Poles found =
        substructure::poles(*known.part, {.fixed = expected["fixed"].get<std::vector<int>>()});
    for (const auto& pair : expected["eigenvalues"]) {
      const std::complex<double> wanted(pair.at(0), pair.at(1));
      EXPECT_LT((found.values.array() - wanted).abs().minCoeff(),
                tolerance(1e-12) * std::abs(wanted));
    }
  };
  compare("compound_bar.json", "BA2x2", "compound_bar");
  compare("truss.json", "TR3", "truss");
}

// Truth: the documented JSON form of the output, on which scripts rely.
TEST(AssembleVerb, GivesPortsPolesAndTransferFunctionsAsJson) {
  const testing::TemporaryFolder folder;
  const testing::CommandResult run =
      testing::run(testing::femflex_program().string() + " assemble " +
                       testing::data("substructure/compound_bar.json").string() +
                       " --json -o part.txt --csv steps.csv",
                   folder.path());
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const nlohmann::json document = nlohmann::json::parse(run.out);
  EXPECT_EQ(document["ports"].size(), 3U);
  EXPECT_EQ(document["poles"].size(), 4U);
  const std::vector<double> numerator{22143.0, 1.47e8};
  EXPECT_EQ(document["transfer"]["3->2"]["numerator"].get<std::vector<double>>(), numerator);
  EXPECT_EQ(document["outputs"].size(), 2U);
  EXPECT_TRUE(testing::read_text(folder / "part.txt").starts_with("{ [ 83.385 22143 147000000 ]"));
  EXPECT_TRUE(testing::read_text(folder / "steps.csv").starts_with("time,step 3->2,step 3->3\n"));
}

// Truth: the error bound required by the tolerance in the file.
TEST(AssembleVerb, ReportsWhatAnExportedPartShows) {
  const testing::TemporaryFolder folder;
  const testing::CommandResult run = testing::run(
      testing::femflex_program().string() + " assemble " +
          testing::data("substructure/span.json").string() + " --part SPAN24-ends --report --json",
      folder.path());
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const nlohmann::json report = nlohmann::json::parse(run.out)["report"];
  EXPECT_EQ(report["removed_coordinates"], 14);
  EXPECT_EQ(report["rigid_motions"], 3);
  EXPECT_LE(report["error_bound"].get<double>(), 1e-3 * report["scale"].get<double>());
  EXPECT_FALSE(report["findings"].empty());
}

// Truth: the poles of the same file, all computed. Of a large part only the poles near a shift are
// computed.
TEST(AssembleVerb, SolvesAPartTooLargeForAllPoles) {
  const testing::TemporaryFolder folder;
  std::string parts;
  std::string objects;
  for (int e = 1; e <= 1500; ++e) {
    parts += std::string(e > 1 ? "," : "") + "\"B\"";
    objects += (e > 1 ? ",[" : "[") + std::to_string(e) + "," + std::to_string(e + 1) + "]";
  }
  testing::write_text(
      folder / "chain.json",
      R"({"parts":{"B":{"bar":{"mass":2,"stiffness":1e6}},"C":{"assembly":{"parts":[)" + parts +
          "],\"objects\":[" + objects +
          R"(]}}},"solve":{"part":"C","fixed":[1],"step":[{"in":1501,"out":1501}],)"
          R"("time":{"dt":0.01,"end":0.05}}})");
  const testing::CommandResult run = testing::run(
      testing::femflex_program().string() + " assemble chain.json --json", folder.path());
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const nlohmann::json document = nlohmann::json::parse(run.out);
  // one end fixed, one free, n links: w = 2 sqrt(k/m) sin(pi / 4 n)
  const double expected = 2.0 * std::sqrt(1e6 / 2.0) * std::sin(M_PI / 6000.0);
  EXPECT_NEAR(std::abs(document["poles"][0][1].get<double>()), expected, 1e-6 * expected);
  EXPECT_EQ(document["step"]["1501->1501"].size(), 6U);
}

TEST(AssembleVerb, SaysWhereItsFileIsWrong) {
  const testing::TemporaryFolder folder;
  testing::write_text(folder / "a.json", "{ \"parts\": {\n \"A\": { \"bra\": {} } } }");
  const testing::CommandResult run =
      testing::run(testing::femflex_program().string() + " assemble a.json --json", folder.path());
  EXPECT_EQ(run.exit_code, 2);
  const nlohmann::json error = nlohmann::json::parse(run.out)["error"];
  EXPECT_EQ(error["where"]["line"], 2);
}

// Truth: the file; a band rises, and frequencies do not lie below 0.
TEST(AssembleVerb, RefusesBandsThatFallOrLieBelowZero) {
  const testing::TemporaryFolder folder;
  const auto exit_code = [&](const std::string& grid) {
    testing::write_text(
        folder / "a.json",
        "{\"parts\":{\"B\":{\"bar\":{\"mass\":2,\"stiffness\":1e6}}},\"solve\":{\"part\":"
        "\"B\",\"fixed\":[1],\"frf\":{" +
            grid + ",\"ways\":[{\"in\":2,\"out\":2}]}}}");
    return testing::run(testing::femflex_program().string() + " assemble a.json", folder.path())
        .exit_code;
  };
  EXPECT_EQ(exit_code("\"hz\":[0,50],\"points\":3"), 0);
  EXPECT_EQ(exit_code("\"hz\":[50,10]"), 0);
  EXPECT_EQ(exit_code("\"hz\":[50,0],\"points\":3"), 2);
  EXPECT_EQ(exit_code("\"hz\":[-5,50],\"points\":3"), 2);
  EXPECT_EQ(exit_code("\"hz\":[-5]"), 2);
}

// Truth: the part before it was written, bit for bit.
TEST(PartJson, GivesBackEveryBit) {
  std::mt19937_64 engine(8);
  std::uniform_real_distribution<double> mantissa(-1.0, 1.0);
  std::uniform_int_distribution<int> exponent(-300, 300);
  substructure::DynamicStiffness part;
  part.name = "P-1";
  part.ports = {"left/T1", "right \"end\""};
  for (int power = 0; power < 4; ++power) {
    const MatrixXd a = MatrixXd::NullaryExpr(
        5, 5, [&]() { return mantissa(engine) * std::pow(10.0, exponent(engine)); });
    part.coefficients.emplace_back(a.sparseView());
  }
  const substructure::DynamicStiffness back = part_from_json(part_to_json(part), "test");
  EXPECT_EQ(back.ports, part.ports);
  EXPECT_EQ(back.inner_count(), 3);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(MatrixXd(back.coefficients[k]), MatrixXd(part.coefficients[k]));
  }
}

TEST(PartJson, RefusesWhatIsNoPart) {
  const auto code = [](const std::string& text) {
    return code_of([&]() { part_from_json(text, "agent"); });
  };
  const std::string good =
      R"x({"part":"a","units":"kg/s^2","ports":["1"],"size":1,"coefficients":)x";
  EXPECT_EQ(code("no json"), "dynamics");
  EXPECT_EQ(code("{}"), "dynamics");
  EXPECT_EQ(code("[[[["), "dynamics");
  EXPECT_EQ(code(good + R"x([{"power":0,"rows":[0],"columns":[0],"values":[]}]})x"), "dynamics");
  EXPECT_EQ(code(good + R"x([{"power":0,"rows":[7],"columns":[0],"values":[1]}]})x"), code_of([]() {
              assemble(1, 1, {{7, 0, 1.0}});
            }));
  EXPECT_EQ(
      code(R"x({"part":"a","units":"kg/s^2","ports":["1"],"size":2000000000,"coefficients":[]})x"),
      "dynamics");
  EXPECT_EQ(code(R"x({"part":"a","units":"N","ports":["1"],"size":1,"coefficients":[]})x"),
            "units");
}

// Truth: all forms of the same bar give the same part.
TEST(AssemblyFile, TakesAPartInEveryForm) {
  PartBook book(parsed(R"x({ "parts": {
    "bar": { "bar": { "mass": 4, "stiffness": 9, "damping": 1 } },
    "text": { "text": "{ [ 2 1 9 ] [ -1 -9 ] ; [ -1 -9 ] [ 2 1 9 ] } kg\\(s^2)" },
    "matrices": { "matrices": { "M": [[2, 0], [0, 2]], "C": [[1, -1], [-1, 1]], "K": [[9, -9], [-9, 9]] } },
    "polynomials": {
  "polynomials" : [ [ [ 2, 1, 9 ], [ -1, -9 ] ], [ [ -1, -9 ], [ 2, 1, 9 ] ] ]
}
}
})x"),
                nullptr);
  const VersionedPart expected = book.dynamics("bar", {});
  for (const char* number : {"text", "matrices", "polynomials"}) {
    const VersionedPart found = book.dynamics(number, {});
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(MatrixXd(found.part->coefficients[k]), MatrixXd(expected.part->coefficients[k]));
    }
  }
}

// Truth: two masses on a spring. The file of the body is read like that of any body.
TEST(AssemblyFile, TakesAFlexibleBody) {
  FlexBody body;
  body.name = "dumbbell";
  body.nodes = {{1, {0.0, 0.0, 0.0}}, {2, {2.0, 0.0, 0.0}}};
  body.shapes = MatrixXd::Zero(12, 1);
  body.shapes(0, 0) = -0.5;
  body.shapes(6, 0) = 0.5;
  body.modes.resize(1);
  body.mass = MatrixXd::Constant(1, 1, 1.5);
  body.stiffness = MatrixXd::Constant(1, 1, 5e4);
  body.lumped_mass = MatrixXd::Constant(2, 6, 0.01);
  body.lumped_mass.leftCols(3).setConstant(3.0);
  Eigen::Matrix3Xd places(3, 2);
  places << 0.0, 2.0, 0.0, 0.0, 0.0, 0.0;
  body.invariants = invariants_from_lumped(places, body.shapes, body.lumped_mass);
  body.interface_nodes = {1, 2};
  body.initial_zeta = body.initial_zeta_dot = Eigen::VectorXd::Zero(1);
  const testing::TemporaryFolder folder;
  Diagnostics diagnostics;
  flexfile::write_body(make_flex_body(body), folder / "dumbbell.fbm", {}, diagnostics);
  testing::write_text(folder / "a.json",
                      R"x({"parts":{"D":{"flex":{"file":"dumbbell.fbm","components":"1"}}}})x");
  PartBook book(load_assembly(folder / "a.json", diagnostics, no_progress()), nullptr);
  const VersionedPart part = book.dynamics("D", {});
  EXPECT_EQ(part.part->ports, (std::vector<std::string>{"1/T1", "2/T1"}));
  const Eigen::Matrix2d link = (Eigen::Matrix2d() << 1.0, -1.0, -1.0, 1.0).finished();
  EXPECT_LT(testing::relative_difference(MatrixXd(part.part->coefficients[0]).topLeftCorner(2, 2),
                                         5e4 * link),
            tolerance(1e-12));
}

TEST(AssemblyFile, AddsMassAndCostOfItsParts) {
  PartBook book = shipped("span.json");
  // one chord and two diagonals per triangle; three top chords
  EXPECT_NEAR(book.attribute("SPAN24", "mass", {}).number(),
              4.0 * (3555.144 + 2.0 * 2962.62) + 3.0 * 3555.144,
              tolerance(1e-12) * 4e4);
  EXPECT_EQ(book.attribute("SPAN24", "cost", {}).number(), 4.0 * (4200 + 7200) + 3.0 * 4200);
  EXPECT_TRUE(book.attribute("SPAN24", "size", {}).is_null());
  EXPECT_EQ(book.queries("SPAN24"), (std::vector<std::string>{"cost", "dynamics", "mass"}));
}

TEST(AssemblyFile, SpanForOthersHoldsNoInside) {
  PartBook book = shipped("span.json");
  const VersionedPart ends = book.dynamics("SPAN24-ends", {});
  EXPECT_EQ(ends.part->port_count(), 4);
  EXPECT_EQ(ends.part->ports, (std::vector<std::string>{"1", "2", "9", "10"}));
  // the inner DOFs of the span are hidden: fewer DOFs than the parts have inside
  EXPECT_LT(ends.part->inner_count(), 28);
}

TEST(AssemblyFile, NamesWhatIsWrong) {
  const std::string bar = R"x("B": { "bar": { "mass": 1, "stiffness": 1 } })x";
  const auto assembly = [&](const std::string& source) {
    return code_of_file("{" + bar + R"x(, "A": { "assembly": )x" + source + "} }");
  };
  EXPECT_EQ(assembly(R"x({ "parts": ["B", "B"], "objects": [[1, 2], [2, 3]] })x"), "no error");
  EXPECT_EQ(assembly(R"x({ "parts": ["B", "C"], "objects": [[1, 2], [2, 3]] })x"), "unknown-part");
  EXPECT_EQ(assembly(R"x({ "parts": ["B", "A"], "objects": [[1, 2], [2, 3]] })x"), "loop");
  EXPECT_EQ(assembly(R"x({ "parts": ["B", "B"], "objects": [[1, 2], [2, 3, 4]] })x"),
            "mismatched-ports");
  EXPECT_EQ(assembly(R"x({ "parts": ["B"], "objects": [[1, 2], [2, 3]] })x"), "mismatched-parts");
  EXPECT_EQ(assembly(R"x({ "parts": ["B", "B"], "connections": [[1, 2, 2, 7]] })x"),
            "unknown-port");
  EXPECT_EQ(assembly(R"x({ "parts": ["B", "B"], "connections": [[1, 2, 2]] })x"), "connection");
  EXPECT_EQ(assembly(R"x({ "parts": ["B", "B"] })x"), "connectivity");
  // a bar has one direction: the 2 x 2 rotation would mix the motions of its two ends
  const std::string turned = R"x({ "T": { "bar": { "mass": 1, "stiffness": 1 }, "angle_deg": 30)x";
  EXPECT_EQ(code_of_file(turned + "} }"), "rotation");
  EXPECT_EQ(code_of_file(turned + R"x(, "dimension": 2 } })x"), "no error");
  EXPECT_EQ(code_of_file("{" + bar + R"x(, "a+b": { "text": "" } })x"), "part-number");
  EXPECT_EQ(code_of_file(R"x({ "A": { "text": "{ [ 1 ] [ 2 ] } kg\\(s^2)" } })x"), "not-square");
  EXPECT_EQ(code_of_file(R"x({ "A": { "text": "{ [ 1 ] } kg\\(s^3)" } })x"), "units");
  EXPECT_EQ(code_of_file(R"x({ "A": { "text_file": "no such file" } })x"), "no-file");
  EXPECT_EQ(code_of_file(R"x({ "A": { "remote": { "agent": "ftp://a" } } })x"), "url");
  for (const char* url : {"http://",
                          "http:///a",
                          "http://a/b",
                          "http://a:0",
                          "http://a:70000",
                          "http://u@a",
                          "http://a?b",
                          "https://[::1",
                          "http://a b",
                          "127.0.0.1:80",
                          "http://a:80:80"}) {
    EXPECT_EQ(code_of_file(std::string(R"x({ "A": { "remote": { "agent": ")x") + url + "\" } } }"),
              "url")
        << url;
  }
  EXPECT_EQ(code_of_file(R"x({ "A": { "remote": { "agent": "http://a", "ca": "b.pem" } } })x"),
            "ca");
  EXPECT_EQ(code_of_file(R"x({ "A": { "attributes": {} } })x"), "no-source");
}

// Truth: the members that have an effect. Other members are refused, because they would be ignored
// silently. A count beyond the range of integers is refused as well.
TEST(AssemblyFile, RefusesMembersWithoutEffectAndCountsThatAreNotWhole) {
  const auto part = [](const std::string& more) {
    return code_of_file(R"x({ "A": { "matrices": { "K": [[2, -1], [-1, 1]] }, )x" + more + " } }");
  };
  EXPECT_EQ(part(R"x("transverse_mass": 1)x"), "dimension");
  EXPECT_EQ(part(R"x("condense": { "method": "guyan", "tolerance": 1e-3 })x"), "unknown-key");
  const auto solve = [](const std::string& request) {
    return code_of([&]() {
      Diagnostics diagnostics;
      PartBook book(parsed(R"x({ "parts": { "B": { "bar": { "mass": 1, "stiffness": 1 } } },
                                "solve": { "part": "B", "fixed": 1, )x" +
                           request + " } }"),
                    nullptr);
      run_assembly(book, {}, std::nullopt, false, diagnostics, no_progress());
    });
  };
  EXPECT_EQ(solve(R"x("poles": { "near": 1, "count": 1 })x"), "no error");
  EXPECT_EQ(solve(R"x("poles": { "near": 1, "count": 1e300 })x"), "number");
  EXPECT_EQ(solve(R"x("poles": { "near": 1, "count": 1.5 })x"), "number");
  const std::string ways = R"x("ways": [ { "in": 2, "out": 2 } ] })x";
  EXPECT_EQ(solve(R"x("frf": { "hz": [1, 2], "points": 3, )x" + ways), "no error");
  EXPECT_EQ(solve(R"x("frf": { "hz": [1, 2], "points": 2.5, )x" + ways), "number");
  EXPECT_EQ(solve(R"x("frf": { "hz": [1], "points": 3, )x" + ways), "grid");
}

// Requirement R13. Truth: the same node as a chain of connections of two ports, and by the object
// table.
TEST(AssemblyFile, JoinsAnyNumberOfPortsInOneConnection) {
  const auto joined = [](const std::string& table) {
    PartBook book(
        parsed(R"x({ "parts": { "B": { "bar": { "mass": 2, "stiffness": 7, "damping": 1 } },
      "C": { "bar": { "mass": 3, "stiffness": 5 } },
      "A": { "assembly": { "parts": ["B", "C", "B", "C"], )x" +
               table + " } } } }"),
        nullptr);
    return *book.dynamics("A", {}).document;
  };
  const std::string chain =
      joined(R"x("connections": [[1, 2, 2, 1], [1, 2, 3, 1], [1, 2, 4, 2], [1, 1, 0, 0]])x");
  EXPECT_EQ(joined(R"x("connections": [[1, 2, 2, 1, 3, 1, 4, 2], [1, 1]])x"), chain);
  EXPECT_EQ(joined(R"x("connections": [[1, 2, 2, 1, 3, 1], [4, 2, 3, 1], [1, 1, 0, 0]])x"), chain);
  // rows of equal length, padded with zeros
  EXPECT_EQ(
      joined(
          R"x("connections": [[1, 2, 2, 1, 3, 1, 4, 2, 0, 0], [1, 1, 0, 0, 0, 0, 0, 0, 0, 0]])x"),
      chain);
  EXPECT_EQ(joined(R"x("objects": [[2, 1], [1, 3], [1, 4], [5, 1]])x"), chain);
  const auto code = [&](const std::string& rows) {
    return code_of([&]() { joined(R"x("connections": )x" + rows); });
  };
  EXPECT_EQ(code("[[1, 2, 2, 1, 3]]"), "connection");
  EXPECT_EQ(code("[[]]"), "connection");
  EXPECT_EQ(code("[[1, 2, 2, 1, 1, 2]]"), "self-connection");
  EXPECT_EQ(code("[[1, 2, 2, 1, 9, 1]]"), "unknown-part");
  EXPECT_EQ(code("[[1, 2, 2, 1, 3, 9]]"), "unknown-port");
  EXPECT_EQ(code("[[1, 2, 0, 3]]"), "unknown-part");
}

TEST(AssemblyFile, SaysThatRemotePartsNeedHttp) {
  EXPECT_EQ(code_of_file(R"x({ "A": { "remote": { "agent": "http://127.0.0.1:1" } } })x"),
            "not-built-in");
}

}  // namespace
}  // namespace femflex::tools
