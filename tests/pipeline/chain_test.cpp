// Tests the whole chain as a user runs it, on the double mass-spring: from FE files to a moving
// body.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include <gtest/gtest.h>

#include "program.h"
#include "results/results_file.h"

namespace femflex::testing {
namespace {

void expect_done(const CommandResult& result) {
  ASSERT_EQ(result.exit_code, 0) << result.out << result.err;
}

std::string import_words(const std::string& matrices) {
  return "import " + dms("dms.bdf") + " " + dms(matrices) + " --modes " + dms("dms_dynamic.pch") +
         ":dynamic --modes " + dms("dms_static.pch") + ":static --modes " +
         dms("dms_constraint.pch") + ":constraint --units m-kg-s --name dms -o dms.fe.h5";
}

// Text between numbers must be equal. Numbers may differ by one unit in the seventh digit; rounding
// errors (below 1e-5 of the largest number of their record) are compared by absolute value.
void expect_same_listing(const std::string& found, const std::string& listed) {
  std::istringstream a(found);
  std::istringstream b(listed);
  std::string line_a;
  std::string line_b;
  int number = 0;
  while (std::getline(b, line_b)) {
    ++number;
    ASSERT_TRUE(std::getline(a, line_a)) << "line " << number << " is missing";
    if (line_b.find('E') == std::string::npos || line_b.front() == '*') {
      EXPECT_EQ(line_a, line_b) << "line " << number;
      continue;
    }
    ASSERT_EQ(line_a.size(), line_b.size()) << "line " << number;
    double largest = 0.0;
    for (std::size_t at = 0; at < line_b.size(); at += 13)
      largest = std::max(largest, std::abs(std::strtod(line_b.substr(at, 13).c_str(), nullptr)));
    for (std::size_t at = 0; at < line_b.size(); at += 13) {
      const double x = std::strtod(line_a.substr(at, 13).c_str(), nullptr);
      const double y = std::strtod(line_b.substr(at, 13).c_str(), nullptr);
      const double unit =
          y == 0.0 ? 0.0 : std::pow(10.0, std::floor(std::log10(std::abs(y))) - 6.0);
      const double round_off = std::abs(y) < 1e-5 * largest ? 1e-5 * largest : 0.0;
      EXPECT_LE(std::abs(x - y), 1.001 * unit + round_off)
          << "line " << number << " column " << at + 1 << ": " << x << " listed " << y;
    }
  }
  EXPECT_FALSE(std::getline(a, line_a)) << "more than the listing: " << line_a;
}

struct Path {
  const char* name;
  const char* options;
  const char* listing;
};

class FourPaths : public ::testing::TestWithParam<Path> {};

// The five FLEX listings of the 1993 report, printed with seven digits.
TEST_P(FourPaths, WriteTheListedFlexFile) {
  if (shared_folder().empty()) GTEST_SKIP() << "the listings are not here";
  const Program femflex;
  expect_done(femflex(import_words("dms.ou1.op4")));
  expect_done(femflex(std::string("reduce dms.fe.h5 ") + GetParam().options + " -o body.flex"));
  expect_same_listing(read_text(femflex.file("body.flex")),
                      read_text(shared_folder() / "reference/meeuwse/flex" / GetParam().listing));
}

INSTANTIATE_TEST_SUITE_P(
    Listings,
    FourPaths,
    ::testing::Values(
        Path{"dynamic", "--select dynamic", "p3_dynamic_notscaled_notortho.flex"},
        Path{"dynamic_scaled", "--select dynamic --scale", "p4_dynamic_scaled_notortho.flex"},
        Path{"static", "--select static,constraint", "p6_static_notscaled_notortho.flex"},
        Path{"static_ortho",
             "--select static,constraint --orthogonalise",
             "p7_static_notscaled_ortho.flex"},
        Path{"static_ortho_scaled",
             "--select static,constraint --orthogonalise --scale",
             "p9_static_scaled_ortho.flex"}),
    [](const auto& each) { return std::string(each.param.name); });

class EveryExport : public ::testing::TestWithParam<const char*> {};

// omega^2 = 4 - 2 sqrt 2 and 4 + 2 sqrt 2 for every file format of K and M.
TEST_P(EveryExport, OfTheSameMatricesGivesTheSameModel) {
  const Program femflex;
  expect_done(femflex(import_words(GetParam())));
  expect_done(femflex("modes dms.fe.h5 --normal 2 -o computed.fe.h5"));
  const tools::Json document = femflex.json("reduce computed.fe.h5 --select dynamic:3-4 -o b.fbm");
  const auto& modes = document.find("modes")->items();
  ASSERT_EQ(modes.size(), 2U);
  EXPECT_NEAR(modes[0].find("eigenvalue")->number(), 4.0 - 2.0 * std::sqrt(2.0), tolerance(1e-12));
  EXPECT_NEAR(modes[1].find("eigenvalue")->number(), 4.0 + 2.0 * std::sqrt(2.0), tolerance(1e-12));
}

INSTANTIATE_TEST_SUITE_P(
    Files,
    EveryExport,
    ::testing::Values("dms.ou1.op4", "dms_km_ascii.op4", "dms_km_binary.op4", "dms_km.pch"));

class ModeFiles : public ::testing::TestWithParam<const char*> {};

// Shapes from OP2 and punch files of the same run. Scaling makes their modal masses one, for any
// scale of the FE program. The files have single precision and seven printed digits.
TEST_P(ModeFiles, GiveTheSameScaledBody) {
  const Program femflex;
  expect_done(femflex("import " + dms("dms.bdf") + " " + dms("dms.ou1.op4") + " --modes " +
                      dms(GetParam()) + ":dynamic --units m-kg-s -o dms.fe.h5"));
  const tools::Json document = femflex.json("reduce dms.fe.h5 --scale -o b.fbm");
  EXPECT_TRUE(document.find("path")->find("scaled")->boolean());
  EXPECT_NEAR(document.find("modes")->items()[1].find("eigenvalue")->number(),
              4.0 + 2.0 * std::sqrt(2.0),
              tolerance(1e-6));
}

INSTANTIATE_TEST_SUITE_P(Files,
                         ModeFiles,
                         ::testing::Values("dms.op2", "dms.pch", "dms_dynamic.pch"));

/// The folder with static.fbm, constraint.fbm, dms.fe.h5 and step.json.
class StepResponse : public ::testing::Test {
 protected:
  void SetUp() override {
    expect_done(femflex_(import_words("dms.ou1.op4")));
    expect_done(femflex_("reduce dms.fe.h5 --select static,constraint -o static.fbm"));
    expect_done(femflex_("reduce dms.fe.h5 --select constraint -o constraint.fbm"));
    std::filesystem::copy_file(data("../examples/double_mass_spring/step.json"),
                               femflex_.file("step.json"));
  }
  double worst(const tools::ResultSeries& series,
               const std::string& channel,
               const tools::ResultSeries& truth,
               const std::string& column) {
    const Eigen::Index a = series.find(channel);
    const Eigen::Index b = truth.find(column);
    EXPECT_GE(a, 0) << channel;
    EXPECT_GE(b, 0) << column;
    EXPECT_EQ(series.time.size(), truth.time.size());
    if (a < 0 || b < 0 || series.time.size() != truth.time.size()) return 1e300;
    return (series.values.col(a) - truth.values.col(b)).cwiseAbs().maxCoeff();
  }
  Program femflex_;
};

// Truth: exact solution of the two coupled equations with 15 digits, with diagonal damping b on
// modes that are not orthogonal.
TEST_F(StepResponse, InTheRawModesIsTheExactOne) {
  expect_done(femflex_("simulate step.json -o step.h5"));
  const auto series = tools::read_results(femflex_.file("step.h5"));
  const auto truth = tools::read_csv(data("double_mass_spring/damping_step_response.csv"));
  EXPECT_LE(worst(series, "dms/zeta/1", truth, "eta1"), tolerance(1e-8));
  EXPECT_LE(worst(series, "dms/zeta/2", truth, "eta2"), tolerance(1e-8));
  EXPECT_LE(worst(series, "dms/2/displacement/z", truth, "q1"), tolerance(1e-8));
  EXPECT_LE(worst(series, "dms/3/displacement/z", truth, "q2"), tolerance(1e-8));
}

// The same system in other coordinates. Without damping, the orthogonalised and scaled body gives
// the same eta after back-transformation, by each route.
TEST_F(StepResponse, BackTransformedFromScaledCoordinatesIsTheSame) {
  expect_done(femflex_(
      "reduce dms.fe.h5 --select static,constraint --orthogonalise --scale -o scaled.fbm"));
  expect_done(femflex_("simulate step.json --set bodies.dms.damping=none -o raw.h5"));
  expect_done(
      femflex_("simulate step.json --set bodies.dms.damping=none --set bodies.dms.flex=scaled.fbm "
               "-o scaled.h5"));
  for (const char* route : {"direct", "inverse", "least-squares"}) {
    expect_done(femflex_(std::string("back-transform scaled.h5 --flex scaled.fbm --route ") +
                         route + " -o eta.h5"));
    const auto eta = tools::read_results(femflex_.file("eta.h5"));
    const auto raw = tools::read_results(femflex_.file("raw.h5"));
    EXPECT_LE(worst(eta, "dms/eta/1", raw, "dms/zeta/1"), tolerance(1e-9)) << route;
    EXPECT_LE(worst(eta, "dms/eta/2", raw, "dms/zeta/2"), tolerance(1e-9)) << route;
  }
}

// The situation of 1993: a FLEX file that contains only processed shapes, U in the model, and a
// history from another program. Truth: the run in the raw modes; the FLEX file has seven digits.
TEST_F(StepResponse, BackTransformedFromABareFlexFileAndATableIsTheSame) {
  expect_done(femflex_(
      "reduce dms.fe.h5 --select static,constraint --orthogonalise --scale -o scaled.fbm"));
  expect_done(femflex_("simulate step.json --set bodies.dms.damping=none -o raw.h5"));
  expect_done(
      femflex_("simulate step.json --set bodies.dms.damping=none --set bodies.dms.flex=scaled.fbm "
               "-o scaled.h5"));
  const auto scaled = tools::read_results(femflex_.file("scaled.h5"));
  const auto raw = tools::read_results(femflex_.file("raw.h5"));
  tools::ResultSeries table;
  table.time = scaled.time;
  table.channels = {{"second", "m"}, {"first", "m"}};
  table.values.resize(scaled.time.size(), 2);
  table.values << scaled.values.col(scaled.find("dms/zeta/2")),
      scaled.values.col(scaled.find("dms/zeta/1"));
  tools::write_csv(table, femflex_.file("history.csv"));
  const std::string call = "back-transform history.csv --body dms --channels first,second --flex " +
                           dms("flex/static_ortho_scaled.flex");
  const std::string model = " --model dms.fe.h5 --select static,constraint";
  for (const char* route : {"", " --route inverse", " --route least-squares"}) {
    expect_done(femflex_(call + model + route + " -o eta.h5 --units m-kg-s"));
    const auto eta = tools::read_results(femflex_.file("eta.h5"));
    EXPECT_LE(worst(eta, "dms/eta/1", raw, "dms/zeta/1"), tolerance(1e-6)) << route;
    EXPECT_LE(worst(eta, "dms/eta/2", raw, "dms/zeta/2"), tolerance(1e-6)) << route;
  }
  const auto refused = [&](const std::string& words) {
    const CommandResult result = femflex_(words + " -o no.h5");
    EXPECT_EQ(result.exit_code, 2) << words;
    return result.err;
  };
  EXPECT_NE(refused(call + model + " --route direct").find("least-squares"), std::string::npos);
  EXPECT_NE(refused(call).find("--model"), std::string::npos);
  EXPECT_NE(refused(call + " --model dms.fe.h5 --select static").find("combination"),
            std::string::npos);
  EXPECT_NE(refused("back-transform history.csv").find("--flex"), std::string::npos);
  EXPECT_NE(refused(call + " --select static").find("--model"), std::string::npos);
}

// eta = V diag(alpha) zeta is true to rounding errors within one file.
TEST_F(StepResponse, WrittenEtaAndZetaObeyTheBackTransformation) {
  expect_done(femflex_(
      "reduce dms.fe.h5 --select static,constraint --orthogonalise --scale -o scaled.fbm"));
  expect_done(femflex_("simulate step.json --set bodies.dms.flex=scaled.fbm -o scaled.h5"));
  expect_done(femflex_("back-transform scaled.h5 --body dms -o eta.h5"));
  const auto eta = tools::read_results(femflex_.file("eta.h5"));
  const auto scaled = tools::read_results(femflex_.file("scaled.h5"));
  EXPECT_LE(worst(eta, "dms/eta/1", scaled, "dms/eta/1"), tolerance(1e-12));
  EXPECT_LE(worst(eta, "dms/eta/2", scaled, "dms/eta/2"), tolerance(1e-12));
}

// Truth: the published example with both modes and with the constraint mode alone (12 digits).
TEST_F(StepResponse, ComparedFullWithOneModeIsTheReductionExample) {
  expect_done(femflex_("simulate step.json --variant full -o full.h5"));
  expect_done(femflex_("simulate step.json --variant one -o one.h5"));
  const auto result = femflex_(
      "compare full.h5 one.h5 --channels dms/2/displacement/z,dms/3/displacement/z --csv both.csv");
  EXPECT_EQ(result.exit_code, 1);  // one mode is not sufficient, so the comparison fails
  const auto both = tools::read_csv(femflex_.file("both.csv"));
  const auto truth = tools::read_csv(data("double_mass_spring/reduction_example.csv"));
  EXPECT_LE(worst(both, "a:dms/2/displacement/z", truth, "q1_full"), tolerance(1e-9));
  EXPECT_LE(worst(both, "a:dms/3/displacement/z", truth, "q2_full"), tolerance(1e-9));
  EXPECT_LE(worst(both, "b:dms/2/displacement/z", truth, "q1_constraint_only"), tolerance(1e-9));
  EXPECT_LE(worst(both, "b:dms/3/displacement/z", truth, "q2_constraint_only"), tolerance(1e-9));
}

// The formatted input of the 1993 chain contains the same body, damping and load.
TEST_F(StepResponse, OfTheFormattedDadsInputIsTheSame) {
  if (shared_folder().empty()) GTEST_SKIP() << "the published input is not here";
  expect_done(femflex_("simulate '" +
                       (shared_folder() / "reference/meeuwse/formatted_dads.txt").string() +
                       "' -o dads.h5"));
  expect_done(femflex_("compare " + dms("damping_step_response.csv") +
                       " dads.h5 --channels eta1=DMSS/zeta/1,eta2=DMSS/zeta/2 --tol 1e-8"));
}

// Two runs of a deterministic program give the same bytes.
TEST_F(StepResponse, TwoRunsLeaveIdenticalFiles) {
  expect_done(femflex_("reduce dms.fe.h5 --select static,constraint -o again.fbm"));
  expect_done(femflex_("simulate step.json -o a.h5 --report a.html"));
  expect_done(femflex_("simulate step.json -o b.h5 --report b.html"));
  EXPECT_EQ(read_text(femflex_.file("static.fbm")), read_text(femflex_.file("again.fbm")));
  EXPECT_EQ(read_text(femflex_.file("a.h5")), read_text(femflex_.file("b.h5")));
}

}  // namespace
}  // namespace femflex::testing
