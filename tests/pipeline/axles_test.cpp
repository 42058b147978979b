// Tests trucks with differentials, with a tandem on walking beams, and on four posts, made by
// `femflex new`. Truth: equal or given differences of shaft torques, statics.
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "program.h"
#include "results/results_file.h"

namespace femflex::testing {
namespace {

constexpr double kFallOnEarth = 9.81;  // [m/s^2]

/// Makes a template and runs it.
class RunOfTemplate {
 public:
  RunOfTemplate(const std::string& name, const std::string& options) {
    const CommandResult made = femflex_("new " + name + " -o t.json");
    EXPECT_EQ(made.exit_code, 0) << made.err;
    const CommandResult result = femflex_("simulate t.json -o r.h5 " + options);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    series_ = tools::read_results(femflex_.file("r.h5"));
  }
  Eigen::Index rows() const { return series_.values.rows(); }
  double at(Eigen::Index row, const std::string& channel) const {
    for (std::size_t k = 0; k < series_.channels.size(); ++k)
      if (series_.channels[k].name == channel)
        return series_.values(row, static_cast<Eigen::Index>(k));
    ADD_FAILURE() << "no " << channel;
    return NAN;
  }

 private:
  Program femflex_;
  tools::ResultSeries series_;
};

/// Full throttle from 5 m/s, with the left wheels on ice.
RunOfTemplate on_ice(const std::string& options) {
  return {"truck4x2",
          R"(--set parameters.speed=5 --set parts.engine.throttle=1 --end 2 )"
          R"(--set 'forces.rear_outer_left.road={"height":0,"friction":0.1}' )"
          R"(--set 'forces.rear_inner_left.road={"height":0,"friction":0.1}' )"
          R"(--set 'outputs=["rear_drive_left/value","rear_drive_right/value",)"
          R"("rear_hub_left/angle_rate","rear_hub_right/angle_rate","engine_drive"]' )" +
              options};
}

// Truth: an open differential gives each shaft half of the torque; the wheel on ice spins.
TEST(Differential, OpenHasEqualTorques) {
  const RunOfTemplate run = on_ice("--variant table");
  const Eigen::Index last = run.rows() - 1;
  const double drive = run.at(last, "engine_drive");
  EXPECT_NEAR(run.at(last, "rear_drive_left/value"), 0.5 * drive, tolerance(1e-12) * drive);
  EXPECT_NEAR(run.at(last, "rear_drive_right/value"), 0.5 * drive, tolerance(1e-12) * drive);
  EXPECT_GT(run.at(last, "rear_hub_left/angle_rate"),
            2.0 * run.at(last, "rear_hub_right/angle_rate"));
}

// Truth: the friction between the shafts is 300 N m plus a quarter of the drive torque.
TEST(Differential, LimitedSlipGivesMoreToTheSlowerShaft) {
  const RunOfTemplate run = on_ice("--variant limited_slip");
  for (Eigen::Index row = run.rows() / 2; row < run.rows(); row += 20) {
    const double drive = run.at(row, "engine_drive");
    const double left = run.at(row, "rear_drive_left/value");
    const double right = run.at(row, "rear_drive_right/value");
    EXPECT_NEAR(left + right, drive, tolerance(1e-12) * drive);
    EXPECT_NEAR(right - left, 300.0 + 0.25 * drive, tolerance(1e-3) * drive);
  }
}

TEST(Differential, LockedTurnsBothShaftsAsOne) {
  const RunOfTemplate run = on_ice("--variant locked");
  const Eigen::Index last = run.rows() - 1;
  const double rate = run.at(last, "rear_hub_right/angle_rate");
  EXPECT_NEAR(run.at(last, "rear_hub_left/angle_rate"), rate, tolerance(1e-8) * rate);
}

// Truth: a beam with its pivot in the middle carries half of its load on each axle, and the wheels
// carry the weight. The drive torque shifts a small part of the load. The twin tyres share theirs
// according to the roll angle of the axle.
TEST(Truck6x4, SharesTheLoadOfItsTandem) {
  const RunOfTemplate run("truck6x4", "--variant straight --end 8 --output-step 1");
  const Eigen::Index last = run.rows() - 1;
  const double fore = run.at(last, "rear_fore_outer_left/wheel/fz") +
                      run.at(last, "rear_fore_outer_right/wheel/fz");
  const double aft =
      run.at(last, "rear_aft_outer_left/wheel/fz") + run.at(last, "rear_aft_outer_right/wheel/fz");
  EXPECT_NEAR(fore, aft, 0.02 * aft);
  const double front =
      run.at(last, "front_tyre_left/wheel/fz") + run.at(last, "front_tyre_right/wheel/fz");
  // frame, cab, engine, payload; front axle; two driven axles; beams and saddles
  const double mass = 680.0 + 1000.0 + 1100.0 + 14000.0 + 660.0 + 2.0 * 1040.0 + 2.0 * 170.0;
  EXPECT_NEAR(front + 2.0 * (fore + aft), mass * kFallOnEarth, 0.002 * mass * kFallOnEarth);
}

// Truth: applied brakes do not creep, and a truck that starts in equilibrium does no work.
TEST(ParkedTruck, StaysOnASlopeOfFivePercent) {
  for (const char* truck : {"truck4x2", "truck6x4", "semitrailer"}) {
    const RunOfTemplate run(truck, "--variant parked --end 60 --output-step 1");
    for (Eigen::Index row = 1; row < run.rows(); ++row) {
      EXPECT_LT(std::hypot(run.at(row, "chassis/position/x") - run.at(0, "chassis/position/x"),
                           run.at(row, "chassis/position/y") - run.at(0, "chassis/position/y")),
                1e-3)
          << truck << " " << row;
      constexpr double kSmallWork = 1.0;  // [J]
      EXPECT_LT(std::abs(run.at(row, "energy/work")), kSmallWork) << truck << " " << row;
      EXPECT_LT(std::abs(run.at(row, "energy/total") - run.at(0, "energy/total")), kSmallWork)
          << truck << " " << row;
    }
  }
}

// Truth: initially, half of the weight is on the left posts. The energy balance includes the work
// of the posts.
TEST(FourPost, CarriesItsTruck) {
  const RunOfTemplate run("four-post", "--variant twist --end 4");
  const double mass = 520.0 + 1000.0 + 900.0 + 7000.0 + 660.0 + 1040.0;
  EXPECT_NEAR(run.at(0, "post_front_left_tyre/force/z") + run.at(0, "post_rear_left_tyre/force/z"),
              0.5 * mass * kFallOnEarth,
              tolerance(1e-6) * mass * kFallOnEarth);
  double worst = 0.0, done = 0.0, before = run.at(0, "energy/work");
  for (Eigen::Index row = 0; row < run.rows(); ++row) {
    const double work = run.at(row, "energy/work");
    done += std::abs(work - before);
    before = work;
    worst = std::max(worst,
                     std::abs(run.at(row, "energy/total") - work - run.at(0, "energy/total") +
                              run.at(0, "energy/work")));
  }
  EXPECT_LT(worst, tolerance(1e-3) * done);
}

}  // namespace
}  // namespace femflex::testing
