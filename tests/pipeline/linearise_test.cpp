// Tests frequency responses, mode shapes and planar bodies of `femflex linearise` as a user runs
// it.
#include <cmath>
#include <complex>
#include <numbers>

#include <gtest/gtest.h>

#include "femflex/dense.h"

#include "program.h"

namespace femflex::testing {
namespace {

using tools::Json;
using Complex = std::complex<double>;

// Thomson's car on two springs (bounce and pitch), in any consistent units.
const char* const kBouncePitch = R"json({ "femflex": 1, "name": "bounce and pitch", "planar": true,
  "bodies": { "car": { "rigid": { "mass": 100, "inertia": 1600 },
    "markers": { "f": { "at": [4.5, 0, 0] }, "r": { "at": [-5.5, 0, 0] } } } },
  "ground": { "markers": { "f": { "at": [4.5, -1, 0] }, "r": { "at": [-5.5, -1, 0] } } },
  "motions": { "hold": { "on": "car", "x": "0" } },
  "forces": {
    "front": { "type": "spring-damper", "a": "ground/f", "b": "car/f", "stiffness": 2400 },
    "rear": { "type": "spring-damper", "a": "ground/r", "b": "car/r", "stiffness": 2600 } },
  "outputs": [ "car/position", "car/orientation/z", "car/velocity" ],
  "analyses": [ { "type": "modal" } ] })json";

// The half car of the ride benchmark: body, two wheels, two tyres.
const char* const kHalfCar = R"json({ "femflex": 1, "name": "half car", "planar": true,
  "bodies": {
    "car": { "rigid": { "mass": 580, "inertia": [1, 1, 1100] },
             "markers": { "f": { "at": [1.25, 0, 0] }, "r": { "at": [-1.51, 0, 0] } } },
    "wf": { "rigid": { "mass": 40, "inertia": 1 }, "at": [1.25, -0.5, 0] },
    "wr": { "rigid": { "mass": 35.5, "inertia": 1 }, "at": [-1.51, -0.5, 0] } },
  "ground": { "markers": { "f": { "at": [1.25, -1, 0] }, "r": { "at": [-1.51, -1, 0] } } },
  "joints": { "gf": { "type": "prismatic", "a": "ground", "b": "wf", "axis": [0, 1, 0] },
              "gr": { "type": "prismatic", "a": "ground", "b": "wr", "axis": [0, 1, 0] } },
  "motions": { "hold": { "on": "car", "x": "0" } },
  "parameters": { "damped": 1 },
  "forces": {
    "sf": { "type": "spring-damper", "a": "wf", "b": "car/f", "stiffness": 23500, "damping": "=1000*damped" },
    "sr": { "type": "spring-damper", "a": "wr", "b": "car/r", "stiffness": 25500, "damping": "=1100*damped" },
    "tf": { "type": "spring-damper", "a": "ground/f", "b": "wf", "stiffness": 190000 },
    "tr": { "type": "spring-damper", "a": "ground/r", "b": "wr", "stiffness": 190000 } },
  "outputs": [ "car/position/y", "car/orientation/z", "wf/position/y", "wr/position/y" ],
  "analyses": [ { "type": "modal" } ] })json";

/// Mass, damping and stiffness matrices of the half car, in heave, pitch (nose up), front and rear
/// wheel.
struct HalfCar {
  Eigen::Matrix4d mass, damping, stiffness;
  HalfCar() {
    mass = Eigen::Vector4d(580, 1100, 40, 35.5).asDiagonal();
    const Eigen::Vector4d front(1, 1.25, -1, 0), rear(1, -1.51, 0, -1);
    damping = 1000 * front * front.transpose() + 1100 * rear * rear.transpose();
    stiffness = 23500 * front * front.transpose() + 25500 * rear * rear.transpose();
    stiffness(2, 2) += 190000;
    stiffness(3, 3) += 190000;
  }
  Eigen::Vector4cd answer(int loaded, double hz) const {
    const double w = 2 * std::numbers::pi * hz;
    const Eigen::Matrix4cd Z =
        (stiffness - w * w * mass).cast<Complex>() + Complex(0, w) * damping.cast<Complex>();
    return Z.partialPivLu().solve(Eigen::Vector4cd::Unit(loaded));
  }
};

Json benchmark(const std::string& name) {
  const std::filesystem::path file = shared_folder() / ("benchmarks/" + name + ".json");
  if (shared_folder().empty() || !std::filesystem::exists(file)) return Json::object();
  return tools::parse_json(read_text(file), file.string());
}

void expect_published(const Json& expected, const std::string& name, double value) {
  const Json* entry = expected.find(name);
  ASSERT_NE(entry, nullptr) << name;
  EXPECT_NEAR(value, entry->find("value")->number(), entry->find("tol")->number()) << name;
}

class Linearise : public ::testing::Test {
 protected:
  void SetUp() override {
    write_text(femflex_.file("bounce.json"), kBouncePitch);
    write_text(femflex_.file("half.json"), kHalfCar);
  }
  Program femflex_;
};

// Truth: roots and vectors of the 2 x 2 eigenvalue problem in closed form.
TEST_F(Linearise, BounceAndPitchHaveTheFrequenciesAndRatiosOfThePencil) {
  const Json document = femflex_.json("linearise bounce.json --no-statics --shapes");
  const auto& modes = document.find("modes")->items();
  ASSERT_EQ(modes.size(), 2U);
  const double a = (2400.0 + 2600.0) / 100, d = (2400 * 20.25 + 2600 * 30.25) / 1600;
  const double c = 2400 * 4.5 - 2600 * 5.5;  // coupling of heave and pitch (nose up)
  const double root = std::sqrt((a - d) * (a - d) / 4 + c * c / (100.0 * 1600.0));
  const Json published = benchmark("half_car_ride");
  for (std::size_t m = 0; m < 2; ++m) {
    const double square = (a + d) / 2 + (m == 0 ? -root : root);
    const double omega = modes[m].find("frequency_hz")->number() * 2 * std::numbers::pi;
    EXPECT_NEAR(omega, std::sqrt(square), tolerance(1e-9));
    const Json* shape = modes[m].find("shape");
    ASSERT_NE(shape, nullptr);
    EXPECT_EQ(shape->find("car/velocity/y"), nullptr) << "a speed is not a shape";
    const auto part = [&](const char* channel) {
      const auto& pair = shape->find(channel)->items();
      return Complex(pair[0].number(), pair[1].number());
    };
    // orientation/z is the sine of half the angle
    const Complex ratio = part("car/position/y") / (2.0 * part("car/orientation/z"));
    EXPECT_NEAR(ratio.real(), c / 100 / (square - a), tolerance(1e-7));
    EXPECT_NEAR(ratio.imag(), 0.0, tolerance(1e-7));
    if (const Json* expected = published.find("expected"); expected != nullptr) {
      const std::string number = std::to_string(m + 1);
      expect_published(*expected, "thomson omega" + number + " rad/s", omega);
      // in the table, pitch is positive with the nose down
      expect_published(
          *expected, "thomson ratio x/theta mode " + number + " ft/rad", -ratio.real());
    }
  }
}

// Truth: the 4 x 4 dynamic stiffness solved in this test, and the published table if it is
// available.
TEST_F(Linearise, HalfCarAnswersAsItsDynamicStiffness) {
  const Json document = femflex_.json(
      "linearise half.json --no-statics --at 0.5,1,1.5,5,11 "
      "--frf wf/position/y:car/position/y,car/orientation/z,wf/position/y,wr/position/y "
      "--frf car/position/y:wr/position/y");
  const auto& responses = document.find("frf")->items();
  ASSERT_EQ(responses.size(), 5U);
  const HalfCar car;
  const Json published = benchmark("half_car_ride");
  const char* const outputs[4] = {"heave m/m", "pitch rad/m", "front wheel m/m", "rear wheel m/m"};
  const char* const printed[5] = {"0.5", "1.0", "1.5", "5.0", "11.0"};
  for (std::size_t r = 0; r < 5; ++r) {
    const int load = r < 4 ? 2 : 0, output = r < 4 ? static_cast<int>(r) : 3;
    const Json& response = responses[r];
    for (std::size_t k = 0; k < 5; ++k) {
      const double scale = output == 1 ? 2.0 : 1.0;
      const Complex value(response.find("re")->items()[k].number() * scale,
                          response.find("im")->items()[k].number() * scale);
      const Complex truth = car.answer(load, response.find("hz")->items()[k].number())(output);
      EXPECT_LT(std::abs(value - truth), tolerance(1e-7) * std::abs(truth)) << r << " " << k;
      const Json* expected = published.find("expected");
      if (r < 4 && expected != nullptr)
        expect_published(
            *expected,
            std::string("halfcar4 |FRF| front road, ") + outputs[r] + " @" + printed[k] + " Hz",
            190000.0 * std::abs(value));
    }
  }
}

TEST_F(Linearise, HalfCarWithoutDampersHasItsFrequencies) {
  const Json document = femflex_.json("linearise half.json --no-statics --set parameters.damped=0");
  const auto& modes = document.find("modes")->items();
  ASSERT_EQ(modes.size(), 4U);
  const HalfCar car;
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::Matrix4d> truth(car.stiffness, car.mass);
  const Json published = benchmark("half_car_ride");
  for (std::size_t m = 0; m < 4; ++m) {
    const double hz = modes[m].find("frequency_hz")->number();
    EXPECT_NEAR(hz,
                std::sqrt(truth.eigenvalues()(static_cast<Eigen::Index>(m))) / 2 / std::numbers::pi,
                tolerance(1e-9));
    if (const Json* expected = published.find("expected"); expected != nullptr)
      expect_published(*expected, "halfcar4 undamped_hz " + std::to_string(m + 1), hz);
  }
}

// Truth: the reciprocity of Betti: a rotation due to a unit force is the displacement due to a unit
// moment. The hint for an output names a channel of that output.
TEST_F(Linearise, RotationsOfNodesAreOutputsAndInputs) {
  write_text(femflex_.file("flexible.json"),
             R"json({ "femflex": 1, "gravity": [0, 0, 0],
  "bodies": { "b": { "flex": ")json" +
                 data("body_files/valid/body.flex").string() + R"json(" } },
  "joints": { "hold": { "type": "fixed", "a": "ground", "b": "b" } },
  "outputs": ["b/24/rotation", "b/24/displacement"], "analyses": [ { "type": "modal" } ] })json");
  const Json document = femflex_.json(
      "linearise flexible.json --no-statics --shapes --at 1 "
      "--frf b/24/displacement/x:b/24/rotation/y --frf b/24/rotation/y:b/24/displacement/x");
  const Json* shape = document.find("modes")->items()[0].find("shape");
  EXPECT_NE(shape->find("b/24/rotation/y"), nullptr);
  const auto& responses = document.find("frf")->items();
  ASSERT_EQ(responses.size(), 2U);
  const auto value = [&](std::size_t k) {
    return Complex(responses[k].find("re")->items()[0].number(),
                   responses[k].find("im")->items()[0].number());
  };
  EXPECT_GT(std::abs(value(0)), 0.0);
  EXPECT_LT(std::abs(value(0) - value(1)), tolerance(1e-6) * std::abs(value(0)));
  const CommandResult several = femflex_(
      "linearise flexible.json --no-statics --at 1 --frf b/24/displacement/x:b/24/rotation");
  EXPECT_NE(several.err.find("for example b/24/rotation/"), std::string::npos) << several.err;
}

TEST_F(Linearise, BandIsSpacedEvenlyOnALogarithmicAxis) {
  const Json document = femflex_.json(
      "linearise half.json --no-statics --frf car/position/y:car/position/y --band 0.1-10Hz "
      "--points 3");
  const auto& hz = document.find("frf")->items()[0].find("hz")->items();
  ASSERT_EQ(hz.size(), 3U);
  EXPECT_NEAR(hz[0].number(), 0.1, 1e-15);
  EXPECT_NEAR(hz[1].number(), 1.0, 1e-14);
  EXPECT_NEAR(hz[2].number(), 10.0, 1e-13);
}

TEST_F(Linearise, WhatCannotBeAnsweredIsNamed) {
  const std::pair<const char*, const char*> wrong[] = {
      {"--frf car/position/y --at 1", "is not of the form IN:OUT"},
      {"--frf car/position/y:car/position/y", "needs frequencies"},
      {"--frf car/position:car/position/y --at 1", "several channels"},
      {"--frf car/velocity/y:car/position/y --at 1", "neither a position"},
      {"--frf van/position/y:car/position/y --at 1", "van"},
      {"--frf car/position/y:car/position/y --at one", "one"},
      {"--frf car/position/y:car/position/y --band 1-2Hz --points 1", "--points"}};
  for (const auto& [words, part] : wrong) {
    const CommandResult result = femflex_(std::string("linearise half.json --no-statics ") + words);
    EXPECT_EQ(result.exit_code, 2) << words;
    EXPECT_NE(result.err.find(part), std::string::npos) << words << "\n" << result.err;
    EXPECT_EQ(line_count(result.err), 1U) << result.err;
  }
}

TEST_F(Linearise, PlanarBodiesAreCheckedAboutZAlone) {
  const CommandResult negative =
      femflex_("linearise half.json --set 'bodies.car.rigid.inertia=[1,1,-3]'");
  EXPECT_EQ(negative.exit_code, 2);
  EXPECT_NE(negative.err.find("about z"), std::string::npos) << negative.err;
  const CommandResult spatial = femflex_("linearise half.json --set planar=false");
  EXPECT_EQ(spatial.exit_code, 2);
  EXPECT_EQ(line_count(spatial.err), 1U) << spatial.err;
}

}  // namespace
}  // namespace femflex::testing
