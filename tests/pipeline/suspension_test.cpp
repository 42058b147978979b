// Tests leaf springs as mechanisms, and contacts, loads and bushings of system files, through the
// program. Truth: beam theory, the parameters of the files, and one error for each fault.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/dense.h"

#include "program.h"
#include "results/results_file.h"
#include "system/node_lists.h"
#include "verbs/templates.h"

namespace femflex::testing {
namespace {

std::filesystem::path example(const std::string& name) {
  return data("../examples/friction/" + name + ".json");
}

/// Runs a system file and gives its channels.
class Suspension {
 public:
  explicit Suspension(const std::string& words) {
    const CommandResult done = femflex_("simulate " + words + " -q -o r.h5");
    EXPECT_EQ(done.exit_code, 0) << done.err;
    if (done.exit_code == 0) series_ = tools::read_results(femflex_.file("r.h5"));
  }
  /// Value of a channel in the row nearest to the time t.
  double operator()(const std::string& channel, double t) const {
    const Eigen::Index column = series_.find(channel);
    if (column < 0 || series_.time.size() == 0) {
      ADD_FAILURE() << "no " << channel;
      return NAN;
    }
    Eigen::Index row = 0;
    (series_.time.array() - t).abs().minCoeff(&row);
    return series_.values(row, column);
  }

 private:
  Program femflex_;
  tools::ResultSeries series_;
};

TEST(LeafTemplates, AreTheExamples) {
  int found = 0;
  for (const verbs::Template& each : verbs::templates()) {
    std::string name = each.name;
    std::replace(name.begin(), name.end(), '-', '_');
    if (!std::filesystem::exists(example(name))) continue;
    ++found;
    EXPECT_EQ(each.text, read_text(example(name))) << name;
  }
  EXPECT_EQ(found, 2);
}

// Truth: rate and friction at the axle are the parameters. The angles of the links and the force of
// the shackle change them by a few per cent.
TEST(LeafTemplates, ThreeLinksHaveTheirRateAndFriction) {
  for (const std::string& numbers :
       {std::string(),
        std::string(
            "--set parameters.front=0.7 --set parameters.rear=0.5 --set parameters.rate=1e5 ")}) {
    const Suspension loop("'" + example("three_link_leaf").string() + "' --variant loop " +
                          numbers);
    const double rate = numbers.empty() ? 2e5 : 1e5;
    const double up = loop("move/force", 2.5), down = loop("move/force", 7.5);
    const double middle = loop("axle/position/z", 2.5);
    EXPECT_NEAR(middle, 0.03, 1e-9);
    EXPECT_NEAR(0.5 * (up + down) / middle, rate, tolerance(0.05) * rate);
    EXPECT_NEAR(0.5 * (up - down), 1500.0, tolerance(0.05) * 1500.0);
  }
}

// Truth: cantilevers with bending stiffness EI that touch at the ends of the lower leaves. The
// contact forces follow from equal deflection of both leaves at each contact.
double beam_rate(const std::vector<double>& length, double EI) {
  const auto deflection = [&](double at, double of) {  // deflection at x = `at` by a unit force at
                                                       // `of`
    const double a = std::min(at, of), b = std::max(at, of);
    return a * a * (3.0 * b - a) / (6.0 * EI);
  };
  const auto n = static_cast<Eigen::Index>(length.size());
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n);  // force 0 is at the eye, force k between the
                                                    // leaves k-1 and k
  Eigen::VectorXd b = Eigen::VectorXd::Zero(n);
  b(0) = 1.0;
  A(0, 0) = 1.0;
  for (Eigen::Index k = 1; k < n; ++k) {
    const double x = length[static_cast<std::size_t>(k)],
                 above = length[static_cast<std::size_t>(k - 1)];
    // leaf k-1 carries its end force k-1 minus contact force k at x; leaf k carries contact force k
    // minus k+1
    A(k, k - 1) += deflection(x, above);
    A(k, k) -= deflection(x, x) + deflection(x, x);
    if (k + 1 < n) A(k, k + 1) += deflection(x, length[static_cast<std::size_t>(k + 1)]);
  }
  const Eigen::VectorXd force = A.partialPivLu().solve(b);
  const double eye =
      deflection(length[0], length[0]) * force(0) - deflection(length[0], length[1]) * force(1);
  return 2.0 / eye;  // the spring has two arms
}

TEST(LeafTemplates, BeamsThatTouchHaveTheRateOfTheTheory) {
  const double EI = 2.06e11 * 0.07 * std::pow(0.012, 3.0) / 12.0;
  const double rate = beam_rate({0.60, 0.45, 0.30}, EI);
  const std::string file = "'" + example("beam_leaf").string() + "' ";
  const Suspension smooth(file + "--variant smooth --end 1");
  const double secant = smooth("move/force", 0.5) / smooth("axle/position/y", 0.5);
  EXPECT_NEAR(secant, rate, tolerance(0.04) * rate);
  // leaves with friction need more force upwards than they return downwards
  const Suspension loop(file);
  const double up = loop("move/force", 2.5), down = loop("move/force", 3.5);
  EXPECT_NEAR(0.5 * (up + down), smooth("move/force", 0.5), tolerance(0.01) * up);
  EXPECT_GT(up - down, 0.01 * up);
  EXPECT_LT(up - down, 0.2 * up);
}

TEST(NodeLists, AreWrittenOut) {
  const tools::Json forces = tools::parse_json(
      R"({ "touch": { "type": "contact", "on": "leaf/3-5", "path": ["rail/1-3", "ground/end"] },
           "load": { "type": "moving-load", "path": ["rail/2,4"] },
           "face": { "type": "contact", "on": "leaf/tip-2", "faces": [["plate/1-4"]] } })",
      "forces");
  const tools::Json out = tools::with_nodes_written_out(forces);
  ASSERT_EQ(out.members().size(), 5U);
  EXPECT_EQ(out.find("touch_4")->find("on")->text(), "leaf/4");
  EXPECT_EQ(out.find("touch_5")->find("path")->items().size(), 4U);
  EXPECT_EQ(out.find("touch_5")->find("path")->items()[2].text(), "rail/3");
  EXPECT_EQ(out.find("load")->find("path")->items()[1].text(), "rail/4");
  EXPECT_EQ(out.find("face")->find("on")->text(), "leaf/tip-2");
  EXPECT_EQ(out.find("face")->find("faces")->items()[0].items().size(), 4U);
  for (const char* bad : {"leaf/5-3", "leaf/1,1", "leaf/1--2", "leaf/,"}) {
    const tools::Json wrong = tools::parse_json(
        std::string(R"({ "t": { "type": "contact", "on": ")") + bad + R"(" } })", "forces");
    EXPECT_THROW(static_cast<void>(tools::with_nodes_written_out(wrong)), ParseError) << bad;
  }
}

class SuspensionFaults : public ::testing::Test {
 protected:
  /// Expects one error that contains `part`, exit code 2, and no output.
  void expect_fault(const std::string& force, const std::string& part) {
    write_text(
        femflex_.file("s.json"),
        R"({ "bodies": { "b": { "point": { "mass": 1 } }, "c": { "point": { "mass": 1 }, "at": [1, 0, 0] } },
                    "ground": { "markers": { "p": { "at": [0, 0, 0] }, "q": { "at": [1, 0, 0] } } },
                    "forces": { "f": )" +
            force + R"( }, "analyses": [ { "type": "dynamic", "end": 0.01 } ] })");
    const CommandResult result = femflex_("simulate s.json -o r.h5");
    EXPECT_EQ(result.exit_code, 2) << force << result.err;
    EXPECT_EQ(line_count(result.err), 1U) << result.err;
    EXPECT_NE(result.err.find(part), std::string::npos) << "no '" << part << "' in " << result.err;
    EXPECT_FALSE(femflex_.has("r.h5")) << force;
  }
  Program femflex_;
};

TEST_F(SuspensionFaults, EachIsOneError) {
  const std::string contact = R"({ "type": "contact", "on": "b", "stiffness": 1e5, )";
  expect_fault(contact + R"("path": ["ground/p"] })", "two or more");
  expect_fault(contact + R"("path": ["ground/p", "ground/q"], "up": [1, 0, 0] })", "up");
  expect_fault(
      contact +
          R"("path": ["ground/p", "ground/q"], "friction": { "model": "set-valued", "sliding": 0.3 } })",
      "regularised");
  expect_fault(contact + R"("path": ["ground/p", "ground/none"] })", "none");
  expect_fault(contact + R"("faces": [["ground/p", "ground/q"]] })", "3 or 4");
  expect_fault(contact + R"("faces": { "body": "b" } })", "not a flexible body");
  expect_fault(contact + R"("cylinder": "ground" })", "cylinder_radius");
  expect_fault(contact + R"("cylinder": "ground", "cylinder_radius": 0 })", "above 0");
  expect_fault(contact + R"("cylinder": "nowhere", "cylinder_radius": 1 })", "nowhere");
  expect_fault(
      contact + R"("cylinder": "ground", "cylinder_radius": 0.1, "inside": true, "radius": 0.2 })",
      "more than the radius");
  expect_fault(R"({ "type": "contact", "on": "b/3-1", "stiffness": 1e5 })", "3-1");
  expect_fault(R"({ "type": "moving-load", "path": ["ground/p", "ground/q"], "value": [0, 0, 1] })",
               "position");
  expect_fault(R"({ "type": "damper", "a": "b", "b": "c", "damping": 10 })", "mount_stiffness");
  expect_fault(R"({ "type": "damper", "a": "b", "b": "c", "mount_stiffness": 1e5,
                    "curve": { "x": [-1, 1], "y": [2, -2] } })",
               "does not rise");
  expect_fault(
      R"({ "type": "anti-roll-bar", "left": ["b"], "right": ["c", "ground"], "stiffness": 1 })",
      "expected two");
  expect_fault(
      R"({ "type": "anti-roll-bar", "left": ["b", "ground"], "right": ["c", "ground"], "stiffness": 1 })",
      "same point");
  const std::string bushing = R"({ "type": "bushing", "a": "b", "b": "c", )";
  expect_fault(bushing + R"("damping": [1, 1, 1, 1, 1, 1] })", "stiffness");
  expect_fault(bushing + R"("curves": { "w": { "x": [0, 1], "y": [0, 1] } } })", "w");
  expect_fault(bushing + R"("curves": { "x": { "x": [1, 0], "y": [0, 1] } } })",
               "x values do not rise");
  expect_fault(
      bushing + R"("stiffness": [1, 1, 1, 1, 1, 1], "friction": { "x": { "level": 5 } } })",
      "half_way");
  expect_fault(
      bushing +
          R"("stiffness": [1, 1, 1, 1, 1, 1], "friction": { "x": { "level": -5, "half_way": 1 } } })",
      "above 0");
}

}  // namespace
}  // namespace femflex::testing
