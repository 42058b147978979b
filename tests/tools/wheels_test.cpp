// Tests the verbs of tyre files and road files, and tyres and roads as wheels of a system. Truth:
// the laws of the room tyres evaluated directly, equilibrium, and the heights of a table.
#include "system/wheels.h"

#include <cmath>
#include <filesystem>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"
#include "femflex/mbd_solver/simulate.h"
#include "femflex/mbd_solver/statics.h"

#include "document/csv.h"
#include "support/support.h"
#include "system/system_json.h"
#include "system/wheel_files.h"
#include "verbs/road.h"
#include "verbs/tyre.h"

namespace femflex::testing {
namespace {

using Eigen::Vector3d;
using namespace mbd_solver;
using tools::read_tyre_file;
using tools::wheel_tyre;

constexpr double kGravity = 9.80665;

std::shared_ptr<const RoadSurface> wheel_road(roads::Road road,
                                              std::optional<tools::Cams> cams = {}) {
  return tools::shared_wheel_road(std::make_shared<const roads::Road>(std::move(road)), cams);
}

std::filesystem::path tyre_file(const std::string& name) {
  return data("tyres/valid/" + name);
}

/// A wheel whose axis points to the left, on a carrier without rotation.
System wheel_system(const std::string& file, double load, double steer, double camber) {
  System s;
  s.gravity = {mbd_solver::Value(0.0), mbd_solver::Value(0.0), mbd_solver::Value(-kGravity)};
  const Eigen::Matrix3d R =
      (Eigen::AngleAxisd(steer, Vector3d::UnitZ()) * Eigen::AngleAxisd(camber, Vector3d::UnitX()))
          .toRotationMatrix();
  Diagnostics notes;
  RollingTyre tyre;
  tyre.on = "wheel";
  tyre.tyre = wheel_tyre(read_tyre_file(tyre_file(file), notes).tyre, {.vertical_damping = 3e4});
  tyre.road = wheel_road({});
  const double mass = 0.5 * load / kGravity;
  for (const char* name : {"carrier", "wheel"}) {
    Body body;
    body.name = name;
    body.kind = RigidInertia{mass, Vector3d::Zero(), Vector3d(5.0, 10.0, 5.0).asDiagonal()};
    body.orientation = R;
    // low enough to touch the road; the vertical motion decays
    body.position = {0.0, 0.0, tyre.tyre->unloaded_radius() - load / 1e6};
    s.bodies.push_back(body);
  }
  Joint guide, hub;
  guide.name = "guide";
  guide.type = JointType::orientation;
  guide.a = "ground";
  guide.b = "carrier";
  hub.name = "hub";
  hub.type = JointType::revolute;
  hub.a = "carrier";
  hub.b = "wheel";
  hub.axis = R * Vector3d::UnitY();
  s.joints = {guide, hub};
  s.forces = {{"tyre", tyre}};
  s.outputs = {"wheel/position", "wheel/velocity", "tyre/wheel"};
  return s;
}

void drive(System& s, const std::string& name, Motion motion, const std::string& formula) {
  motion.name = name;
  motion.value = mbd_solver::Value(formula);
  s.motions.push_back(motion);
}

void run_to(const System& s,
            double end,
            double step,
            Results& r,
            Integrator integrator = Integrator::generalised_alpha,
            int rows = 20) {
  DynamicOptions o;
  o.integrator = integrator;
  o.end = end;
  o.step = step;
  o.output_step = end / rows;
  o.newton_tolerance = 1e-9;
  Diagnostics notes;
  const SimulationSummary summary = simulate(s, o, r, notes, no_progress());
  EXPECT_EQ(summary.status, RunStatus::complete) << summary.reason;
}

double final_of(const Results& r, const std::string& channel) {
  return r.series(channel)(r.rows() - 1);
}

constexpr const char* kFiles[] = {"trailer_linear.tir",
                                  "truck_fiala.tir",
                                  "truck_tmeasy.tir",
                                  "truck_pac2002.tir",
                                  "car_mf61.tir"};

// Truth: forces() at the slips, load and camber of the wheel, which are prescribed by the motion.
TEST(Wheels, SteadySlipsGiveTheForcesOfTheLaw) {
  for (const char* file : kFiles) {
    Diagnostics notes;
    const tyres::Tyre tyre = read_tyre_file(tyre_file(file), notes).tyre;
    const double load = tyres::nominal_load(tyre);
    for (const double slip : {-0.05, 0.08}) {
      const double steer = 0.03, camber = 0.02;
      System s = wheel_system(file, load, steer, camber);
      Motion along, across, roll;
      along.on = across.on = "carrier";
      along.coordinate = Motion::Coordinate::x;
      across.coordinate = Motion::Coordinate::y;
      roll.joint = "hub";
      const double Re = tyres::effective_radius(tyre, load, 20.0 / 0.5, std::nan(""));
      drive(s, "along", along, "20*t");
      drive(s, "across", across, "0*t");
      drive(s, "roll", roll, std::to_string((1.0 + slip) * 20.0 / Re) + "*t");
      Results r;
      run_to(s, 4.0, 1e-3, r);
      tyres::TyreState state;
      state.kappa = final_of(r, "tyre/wheel/kappa");
      state.alpha = final_of(r, "tyre/wheel/alpha");
      state.gamma = final_of(r, "tyre/wheel/camber");
      state.load = final_of(r, "tyre/wheel/fz");
      state.speed = 20.0 * std::cos(steer);
      const double spin = std::stod(std::to_string((1.0 + slip) * 20.0 / Re));
      const double radius = tyres::effective_radius(tyre, state.load, spin, std::nan(""));
      EXPECT_NEAR(state.kappa, radius * spin / state.speed - 1.0, 1e-6) << file;
      EXPECT_NEAR(state.alpha, -steer, 1e-6) << file;
      EXPECT_NEAR(state.gamma, camber, 1e-9) << file;
      const tyres::TyreForces f = tyres::forces(tyre, state);
      EXPECT_NEAR(final_of(r, "tyre/wheel/fx"), f.fx, 1e-6 * load) << file;
      EXPECT_NEAR(final_of(r, "tyre/wheel/fy"), f.fy, 1e-6 * load) << file;
      EXPECT_NEAR(final_of(r, "tyre/wheel/mz"), f.mz, 1e-6 * load) << file;
    }
  }
}

/// A braked wheel on a road that slopes by 10 % along and 5 % across.
System standing_wheel(const char* file) {
  Diagnostics notes;
  const tyres::Tyre tyre = read_tyre_file(tyre_file(file), notes).tyre;
  System s = wheel_system(file, tyres::nominal_load(tyre), 0.0, 0.0);
  const double angle = std::atan(0.1);
  s.gravity = {mbd_solver::Value(-kGravity * std::sin(angle)),
               mbd_solver::Value(0.5 * kGravity * std::sin(angle)),
               mbd_solver::Value(-kGravity * std::cos(angle))};
  s.joints[1].type = JointType::fixed;
  return s;
}

/// Distance that the wheel moves [m] after the first tenth of a run, and its distance from the
/// start.
std::pair<double, double> creep_of(const Results& r) {
  const Eigen::VectorXd x = r.series("wheel/position/x"), y = r.series("wheel/position/y");
  const Eigen::Index end = r.rows() - 1, first = end / 10;
  return {std::hypot(x(end) - x(first), y(end) - y(first)), std::hypot(x(end), y(end))};
}

// Truth: the wheel does not move, except for the deflection of its contact patch.
TEST(Wheels, AStandingWheelDoesNotCreep) {
  for (const char* file : kFiles) {
    Results r;
    run_to(standing_wheel(file), 66.0, 5e-3, r);
    const auto [creep, distance] = creep_of(r);
    EXPECT_LT(creep, 1e-3) << file;
    EXPECT_LT(distance, 0.05) << file;
  }
}

// Truth: every integrator finds the same state of rest.
TEST(Wheels, EveryIntegratorLetsAWheelStand) {
  for (const char* file : {"truck_pac2002.tir", "truck_tmeasy.tir"}) {
    Results reference;
    run_to(standing_wheel(file), 5.0, 1e-3, reference);
    for (const Integrator integrator : {Integrator::runge_kutta, Integrator::bdf}) {
      Results r;
      const auto go = [&] { run_to(standing_wheel(file), 5.0, 1e-3, r, integrator); };
      if (code_of(go) == "no-bdf") continue;  // a build without SUNDIALS
      EXPECT_NEAR(final_of(r, "wheel/position/x"), final_of(reference, "wheel/position/x"), 2e-5)
          << file << " " << name_of(integrator);
      EXPECT_NEAR(final_of(r, "tyre/wheel/fx"), final_of(reference, "tyre/wheel/fx"), 5.0)
          << file << " " << name_of(integrator);
    }
  }
}

// Truth: a friction factor scales force and slip by similarity: F = mu F0(slip / mu).
TEST(Wheels, TheRoadsFrictionScalesTheForce) {
  Diagnostics notes;
  const tyres::Tyre tyre = read_tyre_file(tyre_file("car_mf61.tir"), notes).tyre;
  const auto wheel = wheel_tyre(tyre, {});
  WheelMotion motion{.Vx = 20.0, .spin = 60.0, .load = 4000.0, .friction = 0.5};
  double patch[2] = {}, rates[2] = {};
  const WheelLoad load = wheel->load(motion, {{0.02, 0.01}, 0.0}, patch, rates);
  tyres::TyreState state;
  state.load = 4000.0;
  state.speed = 20.0;
  state.kappa = load.kappa / 0.5;
  state.alpha = std::atan(std::tan(load.alpha) / 0.5);
  EXPECT_NEAR(load.fx, 0.5 * tyres::forces(tyre, state).fx, 1e-9 * 4000.0);
  EXPECT_NEAR(load.fy, 0.5 * tyres::forces(tyre, state).fy, 1e-9 * 4000.0);
}

/// A wheel without rotation that slides to rest, forwards (axis 0) or to the left (axis 1).
System sliding_wheel(const char* file, int axis, double friction) {
  Diagnostics notes;
  const tyres::Tyre tyre = read_tyre_file(tyre_file(file), notes).tyre;
  System s = wheel_system(file, tyres::nominal_load(tyre), 0.0, 0.0);
  s.joints[1].type = JointType::fixed;
  for (Body& body : s.bodies)
    body.velocity[axis] = 4.0;
  std::get<RollingTyre>(s.forces[0].law).road = wheel_road({{roads::Plane{}}, friction, {}});
  return s;
}

/// Way [m] by which a wheel swings back after its farthest place.
double way_back(const Results& r, const char* channel) {
  const Eigen::VectorXd x = r.series(channel);
  Eigen::Index farthest = 0;
  const double most = x.maxCoeff(&farthest);
  return most - x.tail(x.size() - farthest).minCoeff();
}

// Truth: a mass on a spring swings back by at most twice the deflection from which it starts. That
// of a patch that slides is at most 3 mu Fz / c, the brush model's, c = K / sigma; and the way to
// rest is that of sliding friction, v^2 / (2 mu g), to 5 % (mu grows while the wheel slows down).
TEST(Wheels, ALockedWheelComesToRestWithTheDeflectionOfASlidingPatch) {
  for (const char* file :
       {"truck_fiala.tir", "truck_tmeasy.tir", "truck_pac2002.tir", "car_mf61.tir"}) {
    Diagnostics notes;
    const tyres::Tyre tyre = read_tyre_file(tyre_file(file), notes).tyre;
    const double load = tyres::nominal_load(tyre);
    for (const int axis : {0, 1})
      for (const double friction : {1.0, 0.4}) {
        const auto force = [&](double slip) {
          tyres::TyreState at{.load = load, .speed = 2.0};
          (axis == 0 ? at.kappa : at.alpha) = axis == 0 ? -slip : std::atan(slip);
          const tyres::TyreForces f = tyres::forces(tyre, at);
          return std::abs(axis == 0 ? f.fx : f.fy);
        };
        const double K = (force(1.01e-2) - force(1e-2)) / 1e-4;
        const tyres::RelaxationLengths sigma =
            tyres::relaxation_lengths(tyre, {.load = load, .speed = 2.0});
        const double deflection = 3.0 * friction * force(1.0) / K * (axis == 0 ? sigma.x : sigma.y);
        for (const Integrator integrator :
             {Integrator::generalised_alpha, Integrator::runge_kutta}) {
          Results r;
          run_to(sliding_wheel(file, axis, friction), 4.0, 1e-3, r, integrator, 400);
          const char* channel = axis == 0 ? "wheel/position/x" : "wheel/position/y";
          EXPECT_LT(way_back(r, channel), 2.0 * deflection)
              << file << " axis " << axis << " " << name_of(integrator);
          const double mu = friction * force(1.0) / load;
          EXPECT_LT(r.series(channel).maxCoeff(), 1.05 * 16.0 / (2.0 * mu * kGravity)) << file;
        }
      }
  }
}

// Truth: each of these once ran, with forces that no wheel has or without any.
TEST(Wheels, ATyreOnNoWheelIsRefusedOrTold) {
  const auto message_of = [](const auto& change) {
    System s = wheel_system("truck_fiala.tir", 2e4, 0.0, 0.0);
    change(s, std::get<RollingTyre>(s.forces[0].law));
    Results r;
    DynamicOptions o;
    o.end = 0.02;
    o.step = 1e-3;
    Diagnostics notes;
    try {
      simulate(s, o, r, notes, no_progress());
    } catch (const ModelError& error) {
      return error.message();
    }
    return notes.empty() ? std::string() : notes.warnings().front().message;
  };
  EXPECT_EQ(message_of([](System&, RollingTyre&) {}), "");
  EXPECT_NE(message_of([](System&, RollingTyre& t) { t.on = "ground"; }).find("does not move"),
            std::string::npos);
  EXPECT_NE(
      message_of([](System&, RollingTyre& t) { t.axis = Vector3d::UnitZ(); }).find("vertical"),
      std::string::npos);
  EXPECT_NE(message_of([](System& s, RollingTyre&) {
              for (Body& body : s.bodies)
                body.position.z() = -0.2;
            }).find("0.2 m below the road at t = 0"),
            std::string::npos);
}

// Truth: a tyre pushes when pressed and brakes the rate of its deflection.
TEST(Wheels, AVerticalSpringOrDamperBelowZeroIsRefused) {
  const TemporaryFolder folder;
  for (const char* key :
       {R"("vertical_stiffness": -5)", R"("vertical_stiffness": 0)", R"("vertical_damping": -5)"}) {
    const std::string file = tyre_file("truck_fiala.tir").string();
    io::write_file(folder / "s.json",
                   R"({ "road": { "height": 0 }, "bodies": { "w": { "point": { "mass": 1 } } },
                        "forces": { "f": { "type": "tyre", "on": "w", "file": ")" +
                       file + "\", " + key + " } } }");
    Diagnostics notes;
    EXPECT_EQ(code_of([&] { tools::read_system(folder / "s.json", {}, notes, no_progress()); }),
              "tyre")
        << key;
  }
}

// Truth: the damping of the property file, 0.002 kN s/mm, unless the system gives one.
TEST(Wheels, TheVerticalDampingIsThatOfTheFileUnlessGiven) {
  const TemporaryFolder folder;
  const std::string file = tyre_file("truck_fiala.tir").string();
  for (const auto& [key, expected] : {std::pair{"", 2000.0},
                                      {R"(, "vertical_damping": 5)", 5.0},
                                      {R"(, "vertical_damping": 0)", 0.0}}) {
    io::write_file(folder / "s.json",
                   R"({ "road": { "height": 0 }, "bodies": { "w": { "point": { "mass": 1 } } },
                        "forces": { "f": { "type": "tyre", "on": "w", "file": ")" +
                       file + "\"" + key + " } } }");
    Diagnostics notes;
    const auto read = tools::read_system(folder / "s.json", {}, notes, no_progress());
    const auto& tyre = std::get<RollingTyre>(read.system.forces.at(0).law);
    EXPECT_NEAR(tools::parts_of(*tyre.tyre).options.vertical_damping, expected, 1e-9) << key;
  }
}

// Truth: which tyre has a road of its own. One that takes the system's is enough.
TEST(Wheels, ARoadThatNoTyreTakesIsTold) {
  const TemporaryFolder folder;
  const auto notes_of = [&](const std::string& first, const std::string& second) {
    io::write_file(folder / "s.json",
                   R"({ "road": { "height": 0 }, "bodies": { "w": { "point": { "mass": 1 } } },
                        "forces": { "a": { "type": "tyre", "on": "w", "radius": 0.5, "stiffness": 1e5)" +
                       first +
                       R"( }, "b": { "type": "tyre", "on": "w", "radius": 0.5, "stiffness": 1e5)" +
                       second + " } } }");
    Diagnostics notes;
    static_cast<void>(tools::read_system(folder / "s.json", {}, notes, no_progress()));
    return notes.empty() ? std::string() : notes.warnings().front().code;
  };
  const std::string own = R"(, "road": { "height": 0.1 })";
  EXPECT_EQ(notes_of("", ""), "");
  EXPECT_EQ(notes_of(own, ""), "");
  EXPECT_EQ(notes_of(own, own), "road-unused");
}

// Truth: a wheel that can roll and stands has its weight as load and no force along the road. Files
// with shifts (PHX1, PHY1) start away from that, and their stiffness is not symmetric.
TEST(Wheels, AWheelThatCanRollFindsItsEquilibrium) {
  for (const char* file : kFiles) {
    Diagnostics notes;
    const double load = tyres::nominal_load(read_tyre_file(tyre_file(file), notes).tyre);
    Results r;
    const StaticSummary rest =
        solve_statics(wheel_system(file, load, 0.0, 0.0), {}, r, notes, no_progress());
    EXPECT_TRUE(rest.converged) << file << " " << rest.unbalanced << " N";
    EXPECT_NEAR(final_of(r, "tyre/wheel/fx"), 0.0, 1e-6 * load) << file;
    EXPECT_NEAR(final_of(r, "tyre/wheel/fy"), 0.0, 1e-6 * load) << file;
    EXPECT_NEAR(final_of(r, "tyre/wheel/fz"), load, 1e-6 * load) << file;
  }
}

// Truth: a road without friction transmits, at any slip, no horizontal force and none of the
// moments that it causes.
TEST(Wheels, ARoadWithoutFrictionTransmitsNothing) {
  for (const char* file : kFiles) {
    Diagnostics notes;
    const tyres::Tyre tyre = read_tyre_file(tyre_file(file), notes).tyre;
    const double load = tyres::nominal_load(tyre);
    const auto wheel = wheel_tyre(tyre, {});
    for (const double speed : {0.0, 0.3, 20.0}) {
      const WheelMotion motion{.Vx = speed, .Vy = 0.5, .spin = 0.0, .load = load, .friction = 0.0};
      double patch[2] = {}, rates[2] = {};
      const WheelLoad f = wheel->load(motion, {{-0.02, 0.03}, 0.0}, patch, rates);
      EXPECT_EQ(f.fx, 0.0) << file;
      EXPECT_EQ(f.fy, 0.0) << file;
      EXPECT_EQ(f.mz, 0.0) << file;
    }
  }
}

// Truth: the linear tyre has no friction limit. On a slippery road its force is limited to mu Fz,
// and a locked wheel slides down with the acceleration g (sin - mu cos).
TEST(Wheels, TheLinearTyreSlidesOnASlipperyRoad) {
  System s = standing_wheel("trailer_linear.tir");
  const double angle = std::atan(0.1), mu = 0.03;
  s.gravity[1] = mbd_solver::Value(0.0);
  std::get<RollingTyre>(s.forces[0].law).road = wheel_road({{roads::Plane{}}, mu, {}});
  for (const Integrator integrator : {Integrator::generalised_alpha, Integrator::runge_kutta}) {
    Results r;
    run_to(s, 4.0, 1e-3, r, integrator);
    const Eigen::VectorXd v = r.series("wheel/velocity/x");
    const double a = (v(20) - v(10)) / 2.0;
    const double expected = -kGravity * (std::sin(angle) - mu * std::cos(angle));
    EXPECT_NEAR(a, expected, 1e-4 * kGravity) << name_of(integrator);
    EXPECT_NEAR(final_of(r, "tyre/wheel/fx"), mu * final_of(r, "tyre/wheel/fz"), 1.0);
  }
}

// Truth: forces() at the rows of the table; the written table equals the table that was read.
TEST(TyreVerb, EvaluatesATable) {
  const TemporaryFolder folder;
  const std::filesystem::path in = folder / "slips.csv", out = folder / "forces.csv";
  io::write_file(in, "alpha_deg; load ;kappa\n2;20000;0\n-4;30000;0.05\n");
  verbs::TyreRequest request;
  request.file = tyre_file("truck_pac2002.tir");
  request.table = in;
  request.csv = out;
  Diagnostics notes;
  const verbs::TyreOutcome done = verbs::tyre(request, notes, no_progress());
  ASSERT_EQ(done.rows.size(), 2U);
  tyres::TyreState state;
  state.alpha = -4.0 * std::numbers::pi / 180.0;
  state.load = 30000.0;
  state.kappa = 0.05;
  state.speed = request.speed;
  EXPECT_EQ(done.rows[1].forces.fy, tyres::forces(done.read.tyre, state).fy);
  const tools::CsvTable table = tools::read_csv_file(out);
  ASSERT_EQ(table.rows(), 2U);
  EXPECT_EQ((*table.find("fy"))[1], done.rows[1].forces.fy);
  io::write_file(in, "alfa,load\n1,2\n");
  EXPECT_THROW(verbs::tyre(request, notes, no_progress()), UsageError);
  io::write_file(in, "alpha,load\n1\n");
  EXPECT_THROW(verbs::tyre(request, notes, no_progress()), ParseError);
}

// Truth: all combinations of the lists; the load varies slowest.
TEST(TyreVerb, EvaluatesListsAndTellsWhatIsMissing) {
  verbs::TyreRequest request;
  request.file = tyre_file("car_mf61.tir");
  request.kappa = {-0.1, 0.0, 0.1};
  request.load = {2000.0, 4000.0};
  Diagnostics notes;
  const verbs::TyreOutcome done = verbs::tyre(request, notes, no_progress());
  ASSERT_EQ(done.rows.size(), 6U);
  EXPECT_EQ(done.rows[4].state.load, 4000.0);
  EXPECT_EQ(done.rows[4].state.kappa, 0.0);
  EXPECT_LT(done.rows[3].forces.fx, 0.0);
  EXPECT_GT(done.rows[5].forces.fx, 0.0);
}

// Truth: a road is one surface; of two that are given, none may be left out in silence.
TEST(RoadVerb, RefusesTwoSurfaces) {
  const TemporaryFolder folder;
  io::write_file(folder / "track.csv", "x,z\n0,0\n10,1\n");
  for (const char* road : {R"({ "file": "track.csv", "height": 1 })",
                           R"({ "file": "track.csv", "slope": [0, 0] })",
                           R"({ "slope": [0, 0.1], "iso8608": "C" })",
                           R"({ "height": 0, "iso8608": "C" })",
                           R"({ "iso8608": "C", "profile": { "x": [0, 1], "y": [0, 1] } })"}) {
    io::write_file(folder / "road.json", std::string(R"({ "road": )") + road + " }");
    verbs::RoadRequest request;
    request.file = folder / "road.json";
    request.at = {"0,0"};
    Diagnostics notes;
    EXPECT_EQ(code_of([&] { verbs::road(request, notes, no_progress()); }), "road") << road;
  }
  io::write_file(folder / "road.json", R"({ "road": { "slope": [0.1, 0], "height": 1 } })");
  verbs::RoadRequest request;
  request.file = folder / "road.json";
  request.at = {"10,0"};
  Diagnostics notes;
  EXPECT_NEAR(verbs::road(request, notes, no_progress()).rows.at(0).height, 2.0, 1e-12);
}

// Truth: linear interpolation between the points of a track, and between tracks.
TEST(RoadVerb, GivesHeightsOfATable) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "tracks.csv";
  io::write_file(file, "x,left,right\n0,0,0\n10,1,0\n");
  verbs::RoadRequest request;
  request.file = file;
  request.at = {"5,1", "5,0", "5,-1"};
  Diagnostics notes;
  const verbs::RoadOutcome done = verbs::road(request, notes, no_progress());
  ASSERT_EQ(done.rows.size(), 3U);
  EXPECT_NEAR(done.rows[0].height, 0.5, 1e-12);
  EXPECT_NEAR(done.rows[1].height, 0.25, 1e-12);
  EXPECT_NEAR(done.rows[2].height, 0.0, 1e-12);
  EXPECT_NEAR(done.rows[1].normal.norm(), 1.0, 1e-12);
  request.at = {"5"};
  EXPECT_THROW(verbs::road(request, notes, no_progress()), UsageError);
  request.at = {};
  request.uv = {"1,0"};
  EXPECT_THROW(verbs::road(request, notes, no_progress()), UsageError);
  request.uv = {};
  EXPECT_THROW(verbs::road(request, notes, no_progress()), UsageError);
}

// Truth: the same tables without the mark, which spreadsheets put before UTF-8: with numbers in
// the first line, words, or the head of a grid.
TEST(RoadVerb, AByteOrderMarkBeforeATableIsSkipped) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "road.csv";
  for (const char* table : {"0,0.001,0.004\n1,0.01,0.02\n2,0.03,0.05\n",
                            "x,left,right\n0,0.001,0.004\n2,0.03,0.05\n",
                            "\"x\",-1,1\n0,0.001,0.004\n2,0.03,0.05\n"}) {
    std::vector<double> heights[2];
    for (const bool is_marked : {false, true}) {
      io::write_file(file, (is_marked ? "\xEF\xBB\xBF" : "") + std::string(table));
      verbs::RoadRequest request;
      request.file = file;
      request.at = {"0,0.5", "0.7,0", "2,-1"};
      Diagnostics notes;
      for (const auto& row : verbs::road(request, notes, no_progress()).rows)
        heights[is_marked ? 1 : 0].push_back(row.height);
    }
    EXPECT_EQ(heights[0], heights[1]) << table;
  }
}

// Truth: the formulas of the layers (a plane, a cleat with ramps of 0.02 m, a kerb met at an angle,
// a twist track), and the friction of the last patch.
TEST(RoadVerb, AddsTheLayersOfASystemFile) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "road.json";
  io::write_file(file, R"({ "units": "mm-kg-s", "parameters": { "h": 20 }, "road": {
    "friction": 0.8, "layers": [
      { "type": "plane", "slope": [0.01, 0], "height": 100 },
      { "type": "cleat", "at": [10000, 0], "height": "=h", "length": 100, "ramp": 20 },
      { "type": "kerb", "at": [20000, 0], "heading": "=pi/4", "height": 120, "ramp": 10 },
      { "type": "twist", "at": [50000, 0], "amplitude": 40, "wavelength": 6000, "length": 30000,
        "track": 1800 } ],
    "patches": [ { "at": [5000, 0], "length": 10000, "width": 3000, "friction": 0.1 },
                 { "at": [8000, 0], "length": 1000, "width": 1000, "friction": 0 } ] } })");
  verbs::RoadRequest request;
  request.file = file;
  request.at = {
      "3,0", "9.99,0", "10.05,1", "8.5,0.2", "20,0.1", "20,-0.1", "51.5,0.9", "51.5,-0.45"};
  Diagnostics notes;
  const verbs::RoadOutcome done = verbs::road(request, notes, no_progress());
  const double friction[] = {0.8, 0.1, 0.1, 0.0, 0.8, 0.8, 0.8, 0.8};
  const double height[] = {0.13, 0.1999 + 0.01, 0.2005 + 0.02, 0.185, 0.42, 0.3, 0.775, 0.715};
  ASSERT_EQ(done.rows.size(), 8U);
  for (std::size_t k = 0; k < done.rows.size(); ++k) {
    EXPECT_NEAR(done.rows[k].height, height[k], 1e-9) << request.at[k];
    EXPECT_EQ(done.rows[k].friction, friction[k]) << request.at[k];
  }
  EXPECT_TRUE(notes.empty());
}

/// A road that is flat before x = 0 and has a step of 0.08 m there.
roads::Road step_road() {
  return {{roads::Tracks(laws::Curve({-10.0, 0.0, 1e-9, 10.0},
                                     {0.0, 0.0, 0.08, 0.08},
                                     laws::Curve::Kind::linear,
                                     laws::Curve::Beyond::hold,
                                     "step"))},
          1.0,
          {}};
}

// Truth: a circle of radius R at the distance s before a step of height h touches the edge if its
// lowest point is at h - R + sqrt(R^2 - s^2), provided that this is above the road. The effective
// plane is the mean of two such cams.
TEST(Enveloping, CamsRiseBeforeTheStepAsCirclesDo) {
  const double R = 0.5, shift = 0.2, h = 0.08;
  const auto road = wheel_road(step_road(), tools::Cams{R, R, 2.0, shift});
  const auto rise = [&](double s) {
    return s <= 0.0 ? h : std::max(0.0, s < R ? h - R + std::sqrt(R * R - s * s) : 0.0);
  };
  RoadHint hint;
  for (const double x : {-0.5, -0.35, -0.2, -0.1, 0.0, 0.05, 0.3}) {
    const double front = rise(-(x + 0.5 * shift)), rear = rise(-(x - 0.5 * shift));
    const double slope = (front - rear) / shift;
    const double lift = R * (std::sqrt(1.0 + slope * slope) - 1.0);
    const RoadPlane plane = road->under(x, 0.3, 1.0, 0.0, hint);
    // the position of the edge is accurate to R / 1280; where the slope of the cams is 0.6 this
    // gives 2.3e-4 in height
    EXPECT_NEAR(plane.height, 0.5 * (front + rear) - lift, 5e-4) << x;
    EXPECT_NEAR(plane.slope_x, slope, 2.5e-3) << x;
    EXPECT_EQ(plane.slope_y, 0.0);
  }
}

// Truth: a circle of radius R above a cleat with steep ramps touches the nearer edge of its top. A
// cleat narrower than the points of a cam are apart gives one smooth hump, in any direction, in
// formulas, profiles and grids alike.
TEST(Enveloping, CamsRiseOnANarrowCleat) {
  const double R = 0.538, shift = 0.2, h = 0.02, length = 0.01, ramp = 1e-3;
  const auto table = [&] {
    return laws::Curve({-10.0, -ramp, 0.0, length, length + ramp, 10.0},
                       {0.0, 0.0, h, h, 0.0, 0.0},
                       laws::Curve::Kind::linear,
                       laws::Curve::Beyond::hold,
                       "cleat");
  };
  const auto rise = [&](double x) {
    const double s = std::max({-x, x - length, 0.0});
    return std::max(0.0, s < R ? h - R + std::sqrt(R * R - s * s) : 0.0);
  };
  std::vector<double> grid_z;
  for (const double z : {0.0, 0.0, h, h, 0.0, 0.0})
    grid_z.insert(grid_z.end(), {z, z});
  const std::vector<std::pair<roads::Layer, double>> layers = {
      {roads::Bump({}, {.height = h, .length = length, .ramp = ramp}), 0.0},
      {roads::Bump({.heading = 0.7}, {.height = h, .length = length, .ramp = ramp}), 0.7},
      {roads::Tracks(table()), 0.0},
      {roads::Grid({-10.0, -ramp, 0.0, length, length + ramp, 10.0}, {-1.0, 1.0}, grid_z), 0.0}};
  for (const auto& [layer, heading] : layers) {
    const auto road = wheel_road(roads::Road({layer}, 1.0, {}), tools::Cams{R, R, 2.0, shift});
    RoadHint hint;
    for (double along = -0.35; along < 0.35; along += 0.0031) {
      const double front = rise(along + 0.5 * shift), rear = rise(along - 0.5 * shift);
      const double slope = (front - rear) / shift;
      const double lift = R * (std::sqrt(1.0 + slope * slope) - 1.0);
      const double x = along * std::cos(heading), y = along * std::sin(heading);
      const RoadPlane plane = road->under(x, y, std::cos(heading), std::sin(heading), hint);
      EXPECT_NEAR(plane.height, 0.5 * (front + rear) - lift, tolerance(1e-6)) << along;
    }
  }
}

// Truth: the tangent plane, for any slope and direction.
TEST(Enveloping, OnAPlaneNothingChanges) {
  const roads::Road plane({roads::Plane{.height = 0.3, .slope_x = 0.1, .slope_y = -0.05}}, 1.0, {});
  const auto road = wheel_road(plane, tools::Cams{0.5, 0.45, 1.8, 0.2});
  RoadHint hint;
  for (const double heading : {0.0, 0.7, 2.0}) {
    const RoadPlane at = road->under(1.0, 2.0, std::cos(heading), std::sin(heading), hint);
    EXPECT_NEAR(at.height, 0.3 + 0.1 - 0.1, 1e-6);
    EXPECT_NEAR(at.slope_x, 0.1, tolerance(1e-12));
    EXPECT_NEAR(at.slope_y, -0.05, tolerance(1e-12));
  }
}

}  // namespace
}  // namespace femflex::testing
