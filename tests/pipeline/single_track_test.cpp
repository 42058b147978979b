// Tests stiff trucks in the limit of the linear single-track model: understeer gradient, and poles
// of the yaw motion from `linearise` about steady rolling and from a step of the steering. Truth:
// the equations of motion of rigid bodies in a plane on axles with given cornering stiffness
// [Pacejka 2012, 1.3].
#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "document/json_text.h"
#include "program.h"
#include "results/results_file.h"

namespace femflex::testing {
namespace {

using Pole = std::complex<double>;

constexpr double kGravity = 9.81;  // [m/s^2]
constexpr double kSpeed = 25.0;    // [m/s]

/// A tyre whose side force is load times `ratio` times slip angle, without delay.
std::string tyre_of_ratio(double ratio) {
  constexpr double kNominalLoad = 25000.0;  // [N]
  return "[UNITS]\nLENGTH = 'meter'\nFORCE = 'newton'\nANGLE = 'radians'\nMASS = 'kg'\nTIME = "
         "'second'\n[MODEL]\nPROPERTY_FILE_FORMAT = 'LINEAR'\n[DIMENSION]\nUNLOADED_RADIUS = 0.5\n"
         "[PARAMETER]\nFNOMIN = 25000\nVERTICAL_STIFFNESS = 5e7\nCSLIP = 400000\nCALPHA = " +
         std::to_string(ratio * kNominalLoad) +
         "\nCGAMMA = 0\nTRAIL = 0\nROLLING_RESISTANCE = 0\nRELAX_LENGTH_X = 0\nRELAX_LENGTH_Y = "
         "0\n";
}

constexpr double kFrontRatio = 4.5, kRearRatio = 6.0, kTrailerRatio = 5.5;  // [1/rad]

// Four wheels with almost no rotary inertia, on a truck that hardly rolls or pitches. The variant
// "trailer" couples a trailer with one axle to the truck.
const char* const kTruck = R"json({ "units": "m-kg-s", "gravity": [0, 0, -9.81],
  "parameters": { "speed": 25, "front": 2.2, "rear": 1.8, "height": 0.6, "steer": 0, "hitch": -1.2, "behind": 6,
                  "vertical": 5e7, "z": "=0.5-2500*9.81/vertical" },
  "bodies": {
    "truck": { "rigid": { "mass": 9600, "com": [0.2, 0, "=height-z"], "inertia": [9000, 30000, 32000, 0, 0, 0] },
               "at": [0, 0, "=z"], "velocity": ["=speed", 0, 0] },
    "knuckle_{1|2}": { "rigid": { "mass": 20, "inertia": [1, 1, 1, 0, 0, 0] }, "at": ["=front", "={1|-1}", "=z"], "velocity": ["=speed", 0, 0] },
    "wheel_{1|2|3|4}": { "rigid": { "mass": "={80|80|100|100}", "inertia": [1, 1, 1, 0, 0, 0] }, "at": ["={front|front|-rear|-rear}", "={1|-1|1|-1}", "=z"],
      "velocity": ["=speed", 0, 0], "angular_velocity": [0, "=speed/0.5", 0] } },
  "joints": {
    "kingpin_{1|2}": { "type": "revolute", "a": "truck", "b": "knuckle_{1|2}", "axis": [0, 0, 1] },
    "hub_{1|2|3|4}": { "type": "revolute", "a": "{knuckle_1|knuckle_2|truck|truck}", "b": "wheel_{1|2|3|4}", "axis": [0, 1, 0] } },
  "motions": { "steering_{1|2}": { "joint": "kingpin_{1|2}", "angle": "0.5*steer*(1-cos(pi*max(0,min(1,5*(t-1)))))" } },
  "forces": {
    "tyre_{1|2|3|4}": { "type": "tyre", "on": "wheel_{1|2|3|4}", "file": "{front|front|rear|rear}.tir", "vertical_stiffness": "=vertical", "vertical_damping": 2e5, "road": { "height": 0 } },
    "thrust": { "type": "force", "on": "truck", "in_body_frame": true, "value": ["5e4*(speed-sqrt([truck/velocity/x]^2+[truck/velocity/y]^2))", 0, 0] } },
  "analyses": [ { "type": "dynamic", "end": 9, "step": 1e-3, "output_step": 0.02 } ],
  "outputs": [ "truck/velocity", "truck/angular_velocity" ],
  "variants": { "trailer": {
    "bodies": {
      "trailer": { "rigid": { "mass": 19800, "com": [-4, 0, 0.1], "inertia": [15000, 2e5, 2e5, 0, 0, 0] }, "at": ["=hitch", 0, 0.5], "velocity": ["=speed", 0, 0] },
      "wheel_{5|6}": { "rigid": { "mass": 100, "inertia": [1, 1, 1, 0, 0, 0] }, "at": ["=hitch-behind", "={1|-1}", "=z"],
        "velocity": ["=speed", 0, 0], "angular_velocity": [0, "=speed/0.5", 0] } },
    "joints": {
      "kingpin": { "type": "spherical", "a": "truck", "b": "trailer", "at": ["=hitch", 0, 0.5] },
      "hub_{5|6}": { "type": "revolute", "a": "trailer", "b": "wheel_{5|6}", "axis": [0, 1, 0] } },
    "forces": { "tyre_{5|6}": { "type": "tyre", "on": "wheel_{5|6}", "file": "trailer.tir", "vertical_stiffness": "=vertical", "vertical_damping": 2e5, "road": { "height": 0 } } } } } })json";

/// Mass properties of one vehicle unit in the document.
struct Unit {
  double mass = 0.0, centre = 0.0, inertia = 0.0;  // [kg], [m] ahead of the unit's origin, [kg m^2]
                                                   // about the mass centre
};

/// Adds a mass at (x, y) with the inertia `own` about its own centre. Until finished(),
/// `unit.centre` is the sum of mass times x.
void add(Unit& unit, double mass, double x, double y, double own) {
  unit.mass += mass;
  unit.centre += mass * x;
  unit.inertia += own + mass * (x * x + y * y);
}
Unit finished(Unit unit) {
  unit.centre /= unit.mass;
  unit.inertia -= unit.mass * unit.centre * unit.centre;
  return unit;
}

Unit tractor() {
  Unit unit;
  add(unit, 9600.0, 0.2, 0.0, 32000.0);
  for (int side : {1, 2}) {
    static_cast<void>(side);
    add(unit, 100.0, 2.2, 1.0, 2.0);
    add(unit, 100.0, -1.8, 1.0, 1.0);
  }
  return finished(unit);
}

/// The trailer, relative to its kingpin.
Unit trailer() {
  Unit unit;
  add(unit, 19800.0, -4.0, 0.0, 2e5);
  add(unit, 200.0, -6.0, 1.0, 2.0);
  return finished(unit);
}

/// The linear single-track model with coordinates q: M q_ddot + D q_dot + K q = 0. An axle with
/// cornering stiffness C, lateral position w q and heading e q has the side force -C (w q_dot / v -
/// e q).
struct SingleTrack {
  Eigen::MatrixXd M, D, K;

  explicit SingleTrack(Eigen::Index size) : M(Eigen::MatrixXd::Zero(size, size)), D(M), K(M) {}
  void axle(double stiffness, const Eigen::VectorXd& w, const Eigen::VectorXd& e) {
    D += stiffness / kSpeed * w * w.transpose();
    K -= stiffness * w * e.transpose();
  }
  /// Poles that are not zero and have an imaginary part of zero or more.
  std::vector<Pole> poles() const {
    const Eigen::Index n = M.rows();
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2 * n, 2 * n);
    A.topRightCorner(n, n).setIdentity();
    A.bottomLeftCorner(n, n) = -M.inverse() * K;
    A.bottomRightCorner(n, n) = -M.inverse() * D;
    const Eigen::VectorXcd all = Eigen::EigenSolver<Eigen::MatrixXd>(A).eigenvalues();
    // lateral position and heading are free, with poles at zero
    constexpr double kFree = 1e-3;  // [1/s]
    std::vector<Pole> out;
    for (const Pole& pole : all)
      if (std::abs(pole) > kFree && pole.imag() >= 0.0) out.push_back(pole);
    return out;
  }
};

/// Cornering stiffness of the front and rear axles of a unit, proportional to their loads.
struct Axles {
  double front = 0.0, rear = 0.0;  // [N/rad]
};

/// @param pin  load on the hitch, which is 1.2 m behind the origin [N]
Axles tractor_axles(double pin) {
  const Unit unit = tractor();
  const double weight = unit.mass * kGravity;
  const double front = (weight * (unit.centre + 1.8) + pin * (1.8 - 1.2)) / 4.0;
  return {kFrontRatio * front, kRearRatio * (weight + pin - front)};
}

SingleTrack single_track() {
  const Unit unit = tractor();
  const Axles axles = tractor_axles(0.0);
  SingleTrack out(2);  // y of the mass centre, heading
  out.M.diagonal() << unit.mass, unit.inertia;
  out.axle(axles.front, Eigen::Vector2d(1.0, 2.2 - unit.centre), Eigen::Vector2d(0.0, 1.0));
  out.axle(axles.rear, Eigen::Vector2d(1.0, -1.8 - unit.centre), Eigen::Vector2d(0.0, 1.0));
  return out;
}

SingleTrack single_track_with_trailer() {
  const Unit truck = tractor(), semi = trailer();
  const double weight = semi.mass * kGravity;
  const double pin = weight * (6.0 + semi.centre) / 6.0;
  const Axles axles = tractor_axles(pin);
  SingleTrack out(3);  // y of the tractor's mass centre, heading of the tractor, heading of the
                       // trailer
  const double hitch = -1.2 - truck.centre;
  const Eigen::Vector3d first(0.0, 1.0, 0.0), second(0.0, 0.0, 1.0);
  const Eigen::Vector3d centre(1.0, hitch, semi.centre), axle(1.0, hitch, -6.0);
  out.M.diagonal() << truck.mass, truck.inertia, semi.inertia;
  out.M += semi.mass * centre * centre.transpose();
  out.axle(axles.front, Eigen::Vector3d(1.0, 2.2 - truck.centre, 0.0), first);
  out.axle(axles.rear, Eigen::Vector3d(1.0, -1.8 - truck.centre, 0.0), first);
  out.axle(kTrailerRatio * (weight - pin), axle, second);
  return out;
}

void expect_close(const Pole& found, const Pole& truth) {
  const double scale = std::abs(truth);
  EXPECT_NEAR(std::abs(found), scale, tolerance(0.01) * scale);
  const double damping = -truth.real() / scale;
  EXPECT_NEAR(-found.real() / std::abs(found), damping, tolerance(0.01) * std::abs(damping));
}

class SingleTrackLimit : public ::testing::Test {
 protected:
  void SetUp() override {
    write_text(femflex_.file("truck.json"), kTruck);
    write_text(femflex_.file("front.tir"), tyre_of_ratio(kFrontRatio));
    write_text(femflex_.file("rear.tir"), tyre_of_ratio(kRearRatio));
    write_text(femflex_.file("trailer.tir"), tyre_of_ratio(kTrailerRatio));
  }
  /// Poles from `linearise` about the state after 4 s of rolling.
  std::vector<Pole> poles_about_rolling(const std::string& options) const {
    const CommandResult rolling = femflex_(
        "simulate truck.json -o s.h5 --keep-states --end 4 "
        "--output-step 1 " +
        options);
    EXPECT_EQ(rolling.exit_code, 0) << rolling.err;
    const tools::Json document = femflex_.json("linearise truck.json --about s.h5 " + options);
    std::vector<Pole> out;
    for (const tools::Json& mode : document.find("modes")->items()) {
      const auto& parts = mode.find("eigenvalue")->items();
      out.emplace_back(parts[0].number(), std::abs(parts[1].number()));
    }
    return out;
  }
  void expect_poles(const std::vector<Pole>& found, const SingleTrack& truth) const {
    const std::vector<Pole> poles = truth.poles();
    ASSERT_FALSE(poles.empty());
    for (const Pole& pole : poles) {
      Pole nearest(NAN, NAN);
      for (const Pole& each : found)
        if (!(std::abs(each - pole) >= std::abs(nearest - pole))) nearest = each;
      expect_close(nearest, pole);
    }
  }
  tools::ResultSeries step_steer(double steer) const {
    const CommandResult result =
        femflex_("simulate truck.json -o r.h5 --set parameters.steer=" + std::to_string(steer));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return tools::read_results(femflex_.file("r.h5"));
  }
  static Eigen::VectorXd column(const tools::ResultSeries& series, const std::string& name) {
    for (std::size_t k = 0; k < series.channels.size(); ++k)
      if (series.channels[k].name == name) return series.values.col(static_cast<Eigen::Index>(k));
    ADD_FAILURE() << "no " << name;
    return Eigen::VectorXd::Zero(series.values.rows());
  }

 private:
  Program femflex_;
};

TEST_F(SingleTrackLimit, LinearisedAboutSteadyRollingHasThePolesOfTheBicycleModel) {
  expect_poles(poles_about_rolling(""), single_track());
}

TEST_F(SingleTrackLimit, SemitrailerHasThePolesOfYawOfTheLinearModel) {
  const SingleTrack truth = single_track_with_trailer();
  ASSERT_GE(truth.poles().size(), 2U);
  expect_poles(poles_about_rolling("--variant trailer"), truth);
}

// Truth: delta = L / R + K a with K = m (b / C_front - a / C_rear) / L.
TEST_F(SingleTrackLimit, SteadyCorneringHasTheUndersteerGradientOfTheBicycleModel) {
  const double steer = 0.01;
  const tools::ResultSeries series = step_steer(steer);
  const Eigen::Index last = series.values.rows() - 1;
  const double rate = column(series, "truck/angular_velocity/z")(last);
  const double speed = std::hypot(column(series, "truck/velocity/x")(last),
                                  column(series, "truck/velocity/y")(last));
  const double gradient = (steer - 4.0 * rate / speed) / (speed * rate);
  const Unit unit = tractor();
  const Axles axles = tractor_axles(0.0);
  const double truth =
      unit.mass * ((1.8 + unit.centre) / axles.front - (2.2 - unit.centre) / axles.rear) / 4.0;
  EXPECT_NEAR(gradient, truth, tolerance(0.01) * truth);
}

// Truth: the same poles, identified from the yaw rate after a step of the steering. Samples of a
// motion with two poles satisfy y_k = c_1 y_(k-1) + c_2 y_(k-2) + c_3.
TEST_F(SingleTrackLimit, StepOfTheSteeringSwingsWithThePolesOfTheBicycleModel) {
  const tools::ResultSeries series = step_steer(0.002);
  const Eigen::VectorXd rate = column(series, "truck/angular_velocity/z");
  const double interval = series.time(1) - series.time(0);
  const auto from = static_cast<Eigen::Index>(std::lround(1.3 / interval));
  const auto rows = static_cast<Eigen::Index>(std::lround(2.0 / interval));
  Eigen::MatrixXd before(rows, 3);
  before << rate.segment(from + 1, rows), rate.segment(from, rows), Eigen::VectorXd::Ones(rows);
  const Eigen::Vector3d c = before.colPivHouseholderQr().solve(rate.segment(from + 2, rows));
  const Pole root = std::sqrt(Pole(0.25 * c(0) * c(0) + c(1)));
  Pole found = std::log(0.5 * c(0) + root) / interval;
  if (found.imag() < 0.0) found = std::conj(found);
  const std::vector<Pole> truth = single_track().poles();
  ASSERT_EQ(truth.size(), 1U);
  expect_close(found, truth.front());
}

}  // namespace
}  // namespace femflex::testing
