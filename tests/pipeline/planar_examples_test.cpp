// Tests the planar mechanisms of examples/planar, which `new` writes. Truth: reference motions and
// closed forms.
#include <cmath>

#include <gtest/gtest.h>

#include "program.h"
#include "results/results_file.h"
#include "verbs/templates.h"

namespace femflex::testing {
namespace {

std::filesystem::path example(const std::string& name) {
  return data("../examples/planar/" + name + ".json");
}

/// A run of an example, with access to its channels at any time.
class Motion {
 public:
  Motion(const std::string& name, const std::string& words) {
    const CommandResult done =
        femflex_("simulate '" + example(name).string() + "' -o r.h5 " + words);
    EXPECT_EQ(done.exit_code, 0) << done.err;
    EXPECT_EQ(done.err, "") << words;
    if (done.exit_code == 0) series_ = tools::read_results(femflex_.file("r.h5"));
  }
  double operator()(const std::string& channel, double t) const {
    const Eigen::Index column = series_.find(channel);
    if (column < 0 || series_.time.size() == 0) {
      ADD_FAILURE() << "no " << channel;
      return NAN;
    }
    Eigen::Index row = 0;
    (series_.time.array() - t).abs().minCoeff(&row);
    EXPECT_NEAR(series_.time(row), t, 1e-9);
    return series_.values(row, column);
  }
  const Program& femflex() const { return femflex_; }

 private:
  Program femflex_;
  tools::ResultSeries series_;
};

TEST(PlanarExamples, AreTheTemplates) {
  int found = 0;
  for (const verbs::Template& each : verbs::templates()) {
    std::string name = each.name;
    std::replace(name.begin(), name.end(), '-', '_');
    if (!std::filesystem::exists(example(name))) continue;
    ++found;
    EXPECT_EQ(each.text, read_text(example(name))) << name;
  }
  EXPECT_EQ(found, 3);
}

// Truth: example CraneCrab of the Modelica library PlanarMechanics: its equations integrated by
// DOP853. The results for tolerances of 1e-10 and 1e-12 differ by 5e-11.
TEST(PlanarExamples, TheCraneCrabSwingsAsTheReference) {
  const Motion crab("crane_crab", "");
  struct Row {
    double t, s, phi;
  };
  for (const Row& row : {Row{0.5, -0.052734175154, 1.9848768227},
                         Row{1, 0.20165350921, -0.26576374106},
                         Row{2, -0.0023002889558, -1.3472816592},
                         Row{3, -0.015391007155, 1.5602856508},
                         Row{4, 0.083670263719, -1.168888234},
                         Row{5, -0.1422139969, 0.56949304124}}) {
    EXPECT_NEAR(crab("rail/displacement", row.t), row.s, tolerance(1e-6)) << row.t;
    EXPECT_NEAR(crab("pivot/angle", row.t), row.phi, tolerance(1e-6)) << row.t;
  }
  const CommandResult page = crab.femflex()("view r.h5 -o r.html");
  EXPECT_EQ(page.exit_code, 0) << page.err;
}

// Truth: another crab by DOP853, with angles positive clockwise. Without a damper the momentum
// along the rail and the energy are constant.
TEST(PlanarExamples, TheCrabWithOtherNumbersAndWithoutDamper) {
  const std::string numbers =
      "--set parameters.trolley_mass=5 --set parameters.load_mass=2 --set parameters.rope=1.5 "
      "--set parameters.load_inertia=0.05 --set parameters.swing=-1.2 --set analyses.0.end=10 ";
  const Motion free("crane_crab", "--variant undamped " + numbers);
  EXPECT_NEAR(free("rail/displacement", 10), -0.00139582776603, tolerance(1e-6));
  EXPECT_NEAR(free("pivot/angle", 10), -1.19111328311, tolerance(1e-6));
  EXPECT_NEAR(free("rail/displacement_rate", 10), 0.0529870449491, tolerance(1e-6));
  for (const double t : {1.0, 5.0, 10.0}) {
    EXPECT_NEAR(5.0 * free("rail/displacement_rate", t) +
                    2.0 * (free("rail/displacement_rate", t) +
                           1.5 * std::cos(free("pivot/angle", t)) * free("pivot/angle_rate", t)),
                0.0,
                tolerance(1e-6));
    EXPECT_NEAR(free("energy/total", t), free("energy/total", 0), tolerance(1e-6));
  }
  const Motion damped("crane_crab", "--set parameters.damping=3 " + numbers);
  EXPECT_NEAR(damped("rail/displacement", 10), -0.0430339645195, tolerance(1e-6));
  EXPECT_NEAR(damped("pivot/angle", 10), -0.00325391708896, tolerance(1e-6));
}

// Truth: example DoublePendulum of the same library by DOP853 up to 5 s, because errors grow fast
// later; the energy over all 10 s.
TEST(PlanarExamples, TheDoublePendulumMovesAsTheReference) {
  const Motion level("double_pendulum", "");
  struct Row {
    double t, phi1, phi2;
  };
  for (const Row& row : {Row{0.5, -1.0532530738, 0.49286319354},
                         Row{1, -2.7613161605, -0.67750156778},
                         Row{2, -1.3213961237, 0.57534086771},
                         Row{3, -0.85890094005, 1.2446222462},
                         Row{5, -0.093962234715, 0.28708376955}}) {
    EXPECT_NEAR(level("shoulder/angle", row.t), row.phi1, tolerance(1e-5)) << row.t;
    EXPECT_NEAR(level("elbow/angle", row.t), row.phi2, tolerance(1e-5)) << row.t;
  }
  EXPECT_NEAR(level("energy/total", 10), level("energy/total", 0), tolerance(1e-4));
}

// Truth: DOP853, with angle 1 measured from the vertical.
TEST(PlanarExamples, TheOtherDoublePendulumsToo) {
  const Motion regular("double_pendulum", "--variant regular");
  EXPECT_NEAR(regular("shoulder/angle", 0), 1.0 - M_PI / 2, tolerance(1e-14));
  EXPECT_NEAR(regular("shoulder/angle", 5), 0.652848768705 - M_PI / 2, tolerance(1e-6));
  EXPECT_NEAR(regular("elbow/angle", 5), 1.13796554404, tolerance(1e-6));
  const Motion large("double_pendulum", "--variant large");
  EXPECT_NEAR(large("shoulder/angle", 2), -3.52672176728 - M_PI / 2, tolerance(1e-5));
  EXPECT_NEAR(large("elbow/angle", 2), -3.59100570352, tolerance(1e-5));
  EXPECT_NEAR(large("energy/total", 10), large("energy/total", 0), tolerance(1e-4));
}

bool is_without_bdf() {
  const CommandResult tried =
      Program()("simulate '" + example("four_bar").string() +
                "' -o try.h5 --set analyses.0.end=1e-3 --set analyses.0.integrator=bdf");
  return tried.err.find("SUNDIALS") != std::string::npos;
}

// Truth: the chosen rate and the energy; with a massless coupler for every integrator.
TEST(PlanarExamples, TheFourBarStartsAtTheRateOfItsCrank) {
  const bool without_bdf = is_without_bdf();
  for (const std::string words : {"", "--variant light"}) {
    for (const char* method : {"runge-kutta", "bdf", "generalised-alpha"}) {
      if (std::string(method) == "bdf" && without_bdf) continue;
      const Motion bars("four_bar",
                        words +
                            " --set analyses.0.end=0.5 --set analyses.0.step=1e-4 "
                            "--set analyses.0.integrator=" +
                            method);
      EXPECT_NEAR(bars("shaft/angle", 0), 0.5, tolerance(1e-13)) << method;
      EXPECT_NEAR(bars("shaft/angle_rate", 0), 20.0, tolerance(1e-12)) << method;
      EXPECT_NEAR(bars("energy/total", 0.5), bars("energy/total", 0), tolerance(1e-4)) << method;
    }
  }
}

}  // namespace
}  // namespace femflex::testing
