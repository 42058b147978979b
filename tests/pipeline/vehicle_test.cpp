// Tests parts of system files, and trucks on rolling wheels, as a user runs them. Truth: closed
// forms of braking, load transfer and standing on a slope; documents expanded by hand.
#include <cmath>
#include <map>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/errors.h"

#include "document/document.h"
#include "document/json_text.h"
#include "program.h"
#include "results/results_file.h"
#include "verbs/template_vehicles.h"

namespace femflex::testing {
namespace {

using tools::Json;

// --- parts ---------------------------------------------------------------------------------------

const char* const kLegs = R"json({
  "parameters": { "height": 2 },
  "templates": {
    "leg": {
      "parameters": { "x": null, "length": "=height/2", "foot": null, "curve": [0, 1] },
      "bodies": { "$": { "at": ["$x", 0, "=$length-1"] }, "$toe_{left|right}": { "on": "$foot" } },
      "forces": { "$spring": { "a": "$", "b": "$toe_left/tip", "table": "$curve", "value": "2*[$/position/x] + $length*[$foot/x]" } },
      "outputs": [ "$/position" ] } },
  "parts": { "front": { "template": "leg", "x": 3, "foot": "ground" } },
  "bodies": { "front": { "mass": 7 } },
  "outputs": [ "energy" ] })json";

Json legs(const std::string& text, const tools::DocumentOptions& options = {}) {
  const TemporaryFolder folder;
  write_text(folder / "legs.json", text);
  return tools::load_document(folder / "legs.json", options);
}

// Truth: the document expanded by hand.
TEST(Parts, AreWrittenOutWithTheirNamesAndParameters) {
  const Json document = legs(kLegs);
  EXPECT_EQ(document.find("templates"), nullptr);
  EXPECT_EQ(document.find("parts"), nullptr);
  EXPECT_EQ(document.find("parameters")->dump_line(),
            R"({"height":2,"front_x":3,"front_length":"=height/2"})");
  EXPECT_EQ(document.find("bodies")->find("front")->find("at")->dump_line(),
            R"(["=front_x",0,"=front_length-1"])");
  EXPECT_EQ(document.find("bodies")->find("front")->find("mass")->number(), 7.0);
  EXPECT_EQ(document.find("bodies")->find("front_toe_right")->dump_line(), R"({"on":"ground"})");
  EXPECT_EQ(
      document.find("forces")->find("front_spring")->dump_line(),
      R"({"a":"front","b":"front_toe_left/tip","table":[0,1],"value":"2*[front/position/x] + front_length*[ground/x]"})");
  EXPECT_EQ(document.find("outputs")->dump_line(), R"(["energy","front/position"])");
}

// Truth: the document expanded by hand. Changes of a part are made before the part is expanded, all
// other changes afterwards.
TEST(Parts, AreChangedByTheirParametersAndByThoseOfTheDocument) {
  tools::DocumentOptions options;
  options.sets = {tools::parse_change("parts.front.length=5"),
                  tools::parse_change("parameters.front_x=4")};
  const Json document = legs(kLegs, options);
  EXPECT_EQ(document.find("parameters")->dump_line(),
            R"({"height":2,"front_x":4,"front_length":5})");
}

// Truth: a null removes a member, as in files that include others.
TEST(Parts, LoseMembersThatTheDocumentSetsToNull) {
  std::string text = kLegs;
  text.replace(text.find("\"outputs\": [ \"energy"), 0, R"("forces": { "front_spring": null }, )");
  const Json document = legs(text);
  EXPECT_EQ(document.find("forces")->dump_line(), "{}");
  EXPECT_NE(document.find("bodies")->find("front_toe_left"), nullptr);
}

// Truth: the names of nested parts are joined.
TEST(Parts, MayHoldParts) {
  const Json document = legs(R"json({
    "templates": { "wheel": { "parameters": { "y": null }, "bodies": { "$": { "at": [0, "$y", 0] } } },
                   "axle": { "parameters": { "track": null }, "parts": {
                     "$wheel_{left|right}": { "template": "wheel", "y": "={0.5|-0.5}*$track" } } } },
    "parts": { "rear": { "template": "axle", "track": 2 } } })json");
  EXPECT_EQ(document.find("parameters")->dump_line(),
            R"({"rear_track":2,"rear_wheel_left_y":"=0.5*rear_track",)"
            R"("rear_wheel_right_y":"=-0.5*rear_track"})");
  EXPECT_EQ(document.find("bodies")->find("rear_wheel_right")->dump_line(),
            R"({"at":[0,"=rear_wheel_right_y",0]})");
}

TEST(Parts, SayWhatIsWrong) {
  const auto code = [](const std::string& old_text, const std::string& new_text) {
    std::string text = kLegs;
    text.replace(text.find(old_text), old_text.size(), new_text);
    try {
      static_cast<void>(legs(text));
    } catch (const Error& error) {
      return error.code();
    }
    return std::string("none");
  };
  EXPECT_EQ(code(R"("template": "leg")", R"("template": "log")"), "no-such-template");
  EXPECT_EQ(code(R"("template": "leg", )", ""), "missing-key");
  EXPECT_EQ(code(R"("foot": "ground")", R"("fot": "ground")"), "no-such-parameter");
  EXPECT_EQ(code(R"(, "foot": "ground")", ""), "missing-key");
  EXPECT_EQ(code("$length*", "$curve*"), "part-text");
  EXPECT_EQ(code(R"("outputs": [ "$/position" ])",
                 R"("parts": { "$again": { "template": "leg", "x": 1, "foot": "ground" } })"),
            "parts");
}

// --- a stiff truck on four wheels ----------------------------------------------------------------

std::string tyre_file(const std::string& law, const std::string& rest) {
  return "[UNITS]\nLENGTH = 'meter'\nFORCE = 'newton'\nANGLE = 'radians'\nMASS = 'kg'\nTIME = "
         "'second'\n[MODEL]\nPROPERTY_FILE_FORMAT = '" +
         law + "'\n[DIMENSION]\nUNLOADED_RADIUS = 0.5\n" + rest;
}

// no relaxation; slip far below the friction limit; almost rigid tread
const std::string kSlidingTyre =
    tyre_file("FIALA",
              "WIDTH = 0.3\n[PARAMETER]\nVERTICAL_STIFFNESS = 5e6\nROLLING_RESISTANCE = 0\nCSLIP = "
              "4e7\nCALPHA = 150000\nUMIN = 0.7\nUMAX = 0.7\n");
const std::string kProportionalTyre =
    tyre_file("LINEAR",
              "[PARAMETER]\nFNOMIN = 25000\nVERTICAL_STIFFNESS = 5e6\nCSLIP = 400000\nCALPHA = "
              "150000\nCGAMMA = 0\nTRAIL = 0\nROLLING_RESISTANCE = 0\nRELAX_LENGTH_X = "
              "0\nRELAX_LENGTH_Y = 0\n");

const char* const kStiffTruck = R"json({ "units": "m-kg-s", "gravity": [0, 0, -9.81],
  "parameters": { "speed": 20, "front": 2.2, "rear": 1.8, "half_track": 1, "height": 1, "torque": 0, "steer": 0,
                  "vertical": 5e6, "z": "=0.5-2500*9.81/vertical" },
  "bodies": {
    "truck": { "rigid": { "mass": 9600, "com": ["=0.5*(front-rear)", 0, "=height-z"], "inertia": [9000, 30000, 32000, 0, 0, 0] },
               "at": [0, 0, "=z"], "velocity": ["=speed", 0, 0] },
    "wheel_{1|2|3|4}": { "rigid": { "mass": 100, "inertia": [6, 10, 6, 0, 0, 0] }, "at": ["={front|front|-rear|-rear}", "={1|-1|1|-1}*half_track", "=z"],
      "orientation": { "axis": [0, 0, 1], "angle": "={1|1|0|0}*steer" }, "velocity": ["=speed", 0, 0], "angular_velocity": [0, "=speed/0.5", 0] } },
  "joints": { "hub_{1|2|3|4}": { "type": "revolute", "a": "truck", "b": "wheel_{1|2|3|4}", "axis": ["=-sin({1|1|0|0}*steer)", "=cos({1|1|0|0}*steer)", 0] } },
  "forces": {
    "tyre_{1|2|3|4}": { "type": "tyre", "on": "wheel_{1|2|3|4}", "file": "linear.tir", "vertical_stiffness": "=vertical", "vertical_damping": 1e5, "road": { "height": 0 } },
    "brake_{1|2|3|4}": { "type": "friction", "joint": "hub_{1|2|3|4}", "sliding": "torque", "transition_velocity": 0.01 } },
  "analyses": [ { "type": "dynamic", "end": 5, "step": 1e-3, "output_step": 0.1 } ],
  "outputs": [ "truck", "tyre_{1|2|3|4}/wheel", "energy" ],
  "variants": {
    "locked": { "parameters": { "torque": 60000 }, "forces": { "tyre_{1|2|3|4}": { "file": "fiala.tir" } } },
    "turn": { "forces": {
      "thrust": { "type": "force", "on": "truck", "in_body_frame": true, "value": ["5e4*(speed-sqrt([truck/velocity/x]^2+[truck/velocity/y]^2))", 0, 0] } } } } })json";

class StiffTruck : public ::testing::Test {
 protected:
  void SetUp() override {
    write_text(femflex_.file("truck.json"), kStiffTruck);
    write_text(femflex_.file("fiala.tir"), kSlidingTyre);
    write_text(femflex_.file("linear.tir"), kProportionalTyre);
  }
  void simulate(const std::string& options) {
    const CommandResult result = femflex_("simulate truck.json -o r.h5 " + options);
    ASSERT_EQ(result.exit_code, 0) << result.err;
    series_ = tools::read_results(femflex_.file("r.h5"));
  }
  /// Value of a channel in the last row, or in the row `row`.
  double at_end(const std::string& channel, Eigen::Index row = -1) const {
    for (std::size_t k = 0; k < series_.channels.size(); ++k)
      if (series_.channels[k].name == channel)
        return series_.values(row < 0 ? series_.values.rows() - 1 : row,
                              static_cast<Eigen::Index>(k));
    ADD_FAILURE() << "no " << channel;
    return NAN;
  }

 private:
  Program femflex_;
  tools::ResultSeries series_;
};

// Truth: the distance v^2 / (2 mu g), independent of the wheel loads.
TEST_F(StiffTruck, SlidesToAStopWithLockedWheelsInTheDistanceOfItsFriction) {
  simulate("--variant locked");
  const double distance = 20.0 * 20.0 / (2.0 * 0.7 * 9.81);
  EXPECT_NEAR(at_end("truck/velocity/x"), 0.0, tolerance(1e-3));
  EXPECT_NEAR(at_end("truck/position/x"), distance, tolerance(5e-3) * distance);
}

// Truth: 4 T / r = (m + 4 J (1 + kappa) / (r Re)) a with the loaded radius r and the rolling radius
// Re.
TEST_F(StiffTruck, SlowsDownByItsBrakeTorqueBelowTheLimitOfGrip) {
  simulate("--set parameters.torque=4000");
  double arm = 0.0;
  for (const char* wheel : {"1", "2", "3", "4"})
    arm += 0.25 * at_end(std::string("tyre_") + wheel + "/wheel/radius");
  const double rolling = 0.5 - (0.5 - arm) / 3.0, kappa = at_end("tyre_1/wheel/kappa");
  const double slowing = 4.0 * 4000.0 / arm / (1e4 + 40.0 * (1.0 + kappa) / (arm * rolling));
  const double from = at_end("truck/velocity/x", 10), to = at_end("truck/velocity/x", 50);
  EXPECT_NEAR((from - to) / 4.0, slowing, tolerance(5e-3) * slowing);
  const double way = (from * from - to * to) / (2.0 * slowing);
  EXPECT_NEAR(
      at_end("truck/position/x", 50) - at_end("truck/position/x", 10), way, tolerance(5e-3) * way);
}

// Truth: moments about the middle of the track on the road. The difference of loads times half the
// track is m a h, plus m g h phi if the tyres let the truck roll by phi, plus J w r of the rotating
// wheels.
TEST_F(StiffTruck, TransfersLoadInASteadyTurn) {
  for (const char* vertical : {"5e6", "3e5"}) {
    simulate(std::string("--variant turn --set parameters.steer=0.02 --end 8 --set "
                         "parameters.vertical=") +
             vertical);
    const double yaw_rate = at_end("truck/angular_velocity/z");
    const double speed = std::hypot(at_end("truck/velocity/x"), at_end("truck/velocity/y"));
    const double across = speed * yaw_rate;  // centripetal acceleration
    ASSERT_GT(across, 1.0);
    // the wheel centres are at the height of the loaded radius
    const double wheels = 400.0 * at_end("truck/position/z");
    // roll angle from the loads of tyres with equal stiffness
    double difference = 0.0;
    for (const char* right : {"2", "4"})
      difference += at_end(std::string("tyre_") + right + "/wheel/fz");
    for (const char* left : {"1", "3"})
      difference -= at_end(std::string("tyre_") + left + "/wheel/fz");
    const double roll = difference / (4.0 * std::stod(vertical));  // about the middle of the track
    const double height = 9600.0 * 1.0 + wheels;
    // the rotating wheels with 10 kg m^2 each turn with the truck
    const double gyroscopic = 40.0 * speed / 0.5 * yaw_rate;
    const double moment = height * (across + 9.81 * roll) + gyroscopic;
    EXPECT_NEAR(difference * 1.0, moment, tolerance(5e-3) * moment) << vertical;
  }
}

// --- suspensions that distribute loads -----------------------------------------------------------

const char* const kWalkingBeam =
    R"json({ "units": "m-kg-s", "gravity": [0, 0, -9.81], "parameters": { "rise": 0.05 },
  "bodies": { "frame": { "rigid": { "mass": 9000, "inertia": [900, 900, 900, 0, 0, 0] }, "at": [0, 0, 1] },
              "beam": { "rigid": { "mass": 120, "com": [0.05, 0, 0], "inertia": [5, 30, 30, 0, 0, 0] }, "at": [0, 0, 0.6],
                        "markers": { "fore": { "at": [0.7, 0, 0] }, "aft": { "at": [-0.6, 0, 0] } } } },
  "joints": { "guide": { "type": "prismatic", "a": "ground", "b": "frame", "axis": [0, 0, 1] },
              "pivot": { "type": "revolute", "a": "frame", "b": "beam", "at": [0, 0, 0.6], "axis": [0, 1, 0] } },
  "forces": { "fore": { "type": "tyre", "on": "beam/fore", "radius": 0.6, "stiffness": 1e6, "road": { "height": "=rise" } },
              "aft": { "type": "tyre", "on": "beam/aft", "radius": 0.6, "stiffness": 2e6, "road": { "height": 0 } } },
  "analyses": [ { "type": "static" } ], "outputs": [ "fore", "aft", "pivot" ] })json";

const char* const kFifthWheel = R"json({ "units": "m-kg-s", "gravity": [0, 0, -9.81],
  "bodies": { "tractor": { "rigid": { "mass": 7000, "com": [2.4, 0, 0], "inertia": [3000, 9000, 9000, 0, 0, 0] }, "at": [0, 0, 1],
                           "markers": { "rear_{left|right}": { "at": [0, "={1|-1}", 0] }, "front_{left|right}": { "at": [3.8, "={1|-1}", 0] } } },
              "plate": { "rigid": { "mass": 0 }, "at": [0.6, 0, 1.2] },
              "trailer": { "rigid": { "mass": 25000, "com": [-4, 0, 0.5], "inertia": [9000, 90000, 90000, 0, 0, 0] }, "at": [0.6, 0, 1.2],
                           "markers": { "axle_{left|right}": { "at": [-7.5, "={1|-1}", -0.2] } } } },
  "joints": { "pitch": { "type": "revolute", "a": "tractor", "b": "plate", "axis": [0, 1, 0] },
              "kingpin": { "type": "revolute", "a": "plate", "b": "trailer", "axis": [0, 0, 1] } },
  "forces": { "rear_{left|right}": { "type": "tyre", "on": "tractor/rear_{left|right}", "radius": 1, "stiffness": 2e10, "road": { "height": 0 } },
              "front_{left|right}": { "type": "tyre", "on": "tractor/front_{left|right}", "radius": 1, "stiffness": 1e10, "road": { "height": 0 } },
              "axle_{left|right}": { "type": "tyre", "on": "trailer/axle_{left|right}", "radius": 1, "stiffness": 3e10, "road": { "height": 0 } } },
  "analyses": [ { "type": "static" } ], "outputs": [ "rear_left", "front_left", "axle_left", "pitch" ] })json";

/// Values of the outputs in equilibrium.
std::map<std::string, double> equilibrium(const std::string& text) {
  const Program femflex;
  write_text(femflex.file("s.json"), text);
  const CommandResult result = femflex("simulate s.json -o r.h5");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const tools::ResultSeries series = tools::read_results(femflex.file("r.h5"));
  std::map<std::string, double> out;
  for (std::size_t k = 0; k < series.channels.size(); ++k)
    out[series.channels[k].name] = series.values(0, static_cast<Eigen::Index>(k));
  return out;
}

// Truth: the lever rule about the pivot, for any height and stiffness of the wheels.
TEST(WalkingBeam, SharesItsLoadByTheLeverRule) {
  for (const char* rise : {"0", "0.05"}) {
    std::string text = kWalkingBeam;
    text.replace(text.find("\"rise\": 0.05"), 12, std::string("\"rise\": ") + rise);
    std::map<std::string, double> found = equilibrium(text);
    const double load = 9000.0 * 9.81, own = 120.0 * 9.81;
    const double fore = (load * 0.6 + own * 0.65) / 1.3;
    EXPECT_NEAR(found["fore/force/z"], fore, tolerance(1e-4) * fore) << rise;
    EXPECT_NEAR(found["aft/force/z"], load + own - fore, tolerance(1e-4) * fore) << rise;
  }
}

// Truth: moments about the trailer's axle, then about the tractor's rear axle. The vehicles are
// free along the road, across it and in yaw, and the trailer is free about the kingpin.
TEST(FifthWheel, CarriesItsShareOfTheTrailer) {
  std::map<std::string, double> found = equilibrium(kFifthWheel);
  const double trailer = 25000.0 * 9.81, tractor = 7000.0 * 9.81;
  const double pin = trailer * 3.5 / 7.5, front = (tractor * 2.4 + pin * 0.6) / 3.8;
  EXPECT_NEAR(found["pitch/reaction/z"], pin, tolerance(1e-4) * pin);
  EXPECT_NEAR(found["axle_left/force/z"], 0.5 * (trailer - pin), tolerance(1e-4) * pin);
  EXPECT_NEAR(found["front_left/force/z"], 0.5 * front, tolerance(1e-4) * pin);
  EXPECT_NEAR(found["rear_left/force/z"], 0.5 * (tractor + pin - front), tolerance(1e-4) * pin);
}

// --- the template --------------------------------------------------------------------------------

/// The files of `femflex new truck4x2`, made once.
class Truck4x2 : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    made_ = new Program;
    result_ = (*made_)("new truck4x2 -o t.json");
  }
  static void TearDownTestSuite() {
    delete made_;
    made_ = nullptr;
  }
  void SetUp() override { ASSERT_EQ(result_.exit_code, 0) << result_.err; }
  static const Program& femflex() { return *made_; }
  static tools::ResultSeries run(const std::string& options) {
    const CommandResult result = femflex()("simulate t.json -o r.h5 " + options);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return tools::read_results(femflex().file("r.h5"));
  }
  static Eigen::VectorXd series(const tools::ResultSeries& run, const std::string& channel) {
    for (std::size_t k = 0; k < run.channels.size(); ++k)
      if (run.channels[k].name == channel) return run.values.col(static_cast<Eigen::Index>(k));
    ADD_FAILURE() << "no " << channel;
    return Eigen::VectorXd::Zero(run.values.rows());
  }

 private:
  static Program* made_;
  static CommandResult result_;
};
Program* Truck4x2::made_ = nullptr;
CommandResult Truck4x2::result_;

TEST_F(Truck4x2, HasTheTyreOfTheSampleFiles) {
  EXPECT_EQ(read_text(femflex().file("t_tyre.tir")),
            read_text(data("tyres/valid/truck_pac2002.tir")));
}

// Truth: the path. The truck changes the lane at constant speed, and returns. A driver who looks
// ahead by one second at 20 m/s overshoots by less than a third of the lane.
TEST_F(Truck4x2, FollowsItsPathAtItsSpeed) {
  const tools::ResultSeries lane = run("--end 6.5");
  const Eigen::VectorXd y = series(lane, "chassis/position/y"),
                        v = series(lane, "chassis/velocity/x");
  EXPECT_GT(y.maxCoeff(), 3.5);
  EXPECT_LT(y.maxCoeff(), 3.5 + 3.5 / 3.0);
  EXPECT_NEAR(v(v.size() - 1), 20.0, 0.5);
}

// Truth: the path, a line 1 m to the left of the truck.
TEST_F(Truck4x2, DrivesBackwardsAlongItsPath) {
  const tools::ResultSeries back = run("--variant reverse --end 15 --output-step 0.1");
  const Eigen::VectorXd x = series(back, "chassis/position/x"),
                        y = series(back, "chassis/position/y");
  const Eigen::Index last = x.size() - 1;
  EXPECT_NEAR(x(last), -3.0 * 15.0, 2.0);
  EXPECT_NEAR(y(last), 1.0, 0.05);
  const CommandResult refused =
      femflex()("simulate t.json -o r.h5 --end 0.1 --set parameters.speed=-3");
  EXPECT_EQ(refused.exit_code, 2);
}

// Truth: the circle of 40 m, on which the driver cuts the corner by less than a metre.
TEST_F(Truck4x2, GoesRoundOnAClosedPath) {
  constexpr double kRadius = 40.0;
  constexpr int kPoints = 60;
  std::string x, y;
  for (int k = 0; k < kPoints; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / kPoints;
    const std::string comma = k > 0 ? "," : "";
    x += comma + std::to_string(kRadius * std::sin(angle));
    y += comma + std::to_string(kRadius * (1.0 - std::cos(angle)));
  }
  const tools::ResultSeries round =
      run("--end 34 --output-step 0.5 --set parameters.speed=8 --set parts.driver.closed=true "
          "--set 'parts.driver.path_x=[" +
          x + "]' --set 'parts.driver.path_y=[" + y + "]'");
  const Eigen::VectorXd at = series(round, "chassis/position/x"),
                        across = series(round, "chassis/position/y");
  EXPECT_GT(across.maxCoeff(), 2.0 * kRadius - 1.0);
  for (Eigen::Index k = 0; k < at.size(); ++k)
    EXPECT_NEAR(std::hypot(at(k), across(k) - kRadius), kRadius, 1.0) << k;
}

// Truth: applied brakes do not creep.
TEST_F(Truck4x2, StaysWhereItIsParkedOnASlopeOfFivePercent) {
  const tools::ResultSeries parked = run("--variant parked --end 66 --output-step 1");
  const Eigen::VectorXd x = series(parked, "chassis/position/x"),
                        y = series(parked, "chassis/position/y");
  for (Eigen::Index k = 6; k < x.size(); ++k)
    EXPECT_LT(std::hypot(x(k) - x(6), y(k) - y(6)), 1e-3) << k;
}

// Truth: limits of the document and of the templates.
TEST_F(Truck4x2, RefusesParametersOutsideOfTheirLimits) {
  for (const char* change : {"parameters.wheelbase=-1",
                             "parameters.speed=1e5",
                             "parameters.payload=-5000",
                             "parts.front.radius=-1",
                             "parameters.payload_x=-20"}) {
    const CommandResult result =
        femflex()(std::string("simulate t.json -o r.h5 --end 0.1 --set ") + change);
    EXPECT_EQ(result.exit_code, 2) << change;
    EXPECT_NE(result.err.find("not within its limits"), std::string::npos)
        << change << ": " << result.err;
  }
  const CommandResult unknown =
      femflex()(R"(simulate t.json -o r.h5 --end 0.1 --set 'limits.wheelbas=[1,2]')");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("wheelbase"), std::string::npos) << unknown.err;
}

// Truth: the run with every mode of the frame. Rows lie five steps apart, and leaf springs turn
// round between them.
TEST_F(Truck4x2, TellsWhatItsModesLeaveOutInATurn) {
  const std::string steer = "--set 'parts.front.steer=\"0.006*max(0,min(10,t-2))\"' ";
  const std::string outputs =
      "--set 'outputs=[\"chassis/1101/displacement\",\"chassis/303/displacement\"]' ";
  const std::string turn = "--end 14 --output-step 0.01 " + steer + outputs;
  const tools::ResultSeries full = run("--variant full " + turn);
  for (const char* modes : {"1-5", "1-20"}) {
    const std::string options =
        turn + "--set 'bodies.chassis.modes={\"enable\":\"" + modes + "\"}' ";
    const tools::ResultSeries reduced = run(options);
    const Json document = femflex().json("simulate t.json -o r.h5 " + options);
    const Json* told = document.find("left_out");
    ASSERT_NE(told, nullptr) << modes;
    ASSERT_EQ(told->items().size(), 1U) << modes;
    for (const Json& node : told->items()[0].find("nodes")->items()) {
      const auto id = static_cast<int>(node.find("node")->number());
      if (id != 1101 && id != 303) continue;
      double squares = 0.0;
      for (const char* axis : {"x", "y", "z"}) {
        const std::string channel = "chassis/" + std::to_string(id) + "/displacement/" + axis;
        squares += (series(full, channel) - series(reduced, channel)).squaredNorm();
      }
      const double error = std::sqrt(squares / static_cast<double>(full.values.rows()));
      EXPECT_GT(node.find("left_out")->number(), 0.5 * error) << modes << " " << id;
      EXPECT_LT(node.find("left_out")->number(), 2.0 * error) << modes << " " << id;
    }
  }
}

// Truth: the same estimate with rows close together. Rows 20 steps apart, as the pages of
// manoeuvres have them, go through the steps between them.
TEST_F(Truck4x2, TellsWhatItsModesLeaveOutWithRowsFarApart) {
  const std::string turn =
      "simulate t.json -o r.h5 --end 8 --set 'parts.front.steer=\"0.006*max(0,min(10,t-2))\"' "
      "--set 'bodies.chassis.modes={\"enable\":\"1-5\"}' --output-step ";
  std::vector<double> told;
  for (const char* rows : {"0.004", "0.04"}) {
    const Json document = femflex().json(turn + rows);
    const Json* left_out = document.find("left_out");
    ASSERT_NE(left_out, nullptr) << rows;
    ASSERT_EQ(left_out->items().size(), 1U) << rows;
    for (const Json& node : left_out->items()[0].find("nodes")->items())
      if (node.find("node")->number() == 1101.0) told.push_back(node.find("left_out")->number());
  }
  ASSERT_EQ(told.size(), 2U);
  EXPECT_NEAR(told[1], told[0], 0.2 * told[0]);
}

// Truth: the run with half the step. Quantities of interest to an engineer change by less than 1 %.
TEST_F(Truck4x2, HalfTheStepChangesThePageByLessThanOnePercent) {
  const tools::ResultSeries whole = run("--end 5"), half = run("--end 5 --step 1e-3");
  for (const char* channel : {"chassis/position/y",
                              "chassis/angular_velocity/z",
                              "driver_steer",
                              "front_tyre_left/wheel/fy",
                              "rear_outer_right/wheel/fz"}) {
    const Eigen::VectorXd a = series(whole, channel), b = series(half, channel);
    EXPECT_LT((a - b).cwiseAbs().maxCoeff(), tolerance(0.01) * b.cwiseAbs().maxCoeff()) << channel;
  }
}

// Truth: a truck whose rear axle is stiffer than its front axle returns to straight driving. Only
// the modes of speed and of the driver, which are slow, may grow.
TEST_F(Truck4x2, IsLinearisedAboutSteadyRolling) {
  ASSERT_EQ(
      femflex()(
          "simulate t.json --variant straight --end 4 --output-step 0.5 --keep-states -o s.h5")
          .exit_code,
      0);
  const Json document =
      femflex().json("linearise t.json --variant straight --about s.h5 --up-to 5");
  EXPECT_NEAR(document.find("equilibrium")->find("time")->number(), 4.0, 1e-9);
  int oscillating = 0;
  for (const Json& mode : document.find("modes")->items()) {
    const double real = mode.find("eigenvalue")->items()[0].number();
    if (mode.find("eigenvalue")->items()[1].number() > 0.5) {
      ++oscillating;
      EXPECT_LT(real, 0.0);
    }
    EXPECT_LT(real, 0.05);
  }
  EXPECT_GE(oscillating, 3);
  EXPECT_EQ(femflex()("linearise t.json --from 2").exit_code, 2);
  EXPECT_EQ(femflex()("linearise t.json --about none.h5").exit_code, 2);
}

// --- vertical tyres on a rough road --------------------------------------------------------------

// Truth: 720 kg on four springs; the road has no force along it. The matrices have as many states
// as stated in the help.
TEST(NewTruck, IsLinearisedAsItsHelpSays) {
  const Program femflex;
  ASSERT_EQ(femflex("new truck").exit_code, 0);
  const Json document = femflex.json("linearise truck.json");
  EXPECT_EQ(document.find("equilibrium")->find("idle_directions")->number(), 3.0);
  EXPECT_TRUE(document.find("equilibrium")->find("stable")->boolean());
  int free = 0;
  for (const Json& mode : document.find("modes")->items())
    free += mode.find("free") != nullptr ? 1 : 0;
  EXPECT_EQ(free, 3);
  for (const char* file : {"m.mat", "m.npz", "m.csv"}) {
    const CommandResult written = femflex(
        std::string("linearise truck.json --state-inputs chassis/701/position/z --state-outputs "
                    "chassis/1103/position/z --order 6 --sample-time 0.001 --state-space ") +
        file);
    EXPECT_EQ(written.exit_code, 0) << written.err;
    EXPECT_TRUE(femflex.has(file));
  }
}

}  // namespace
}  // namespace femflex::testing
