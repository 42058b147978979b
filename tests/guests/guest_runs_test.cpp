// Tests runs of systems with FMUs as blocks: closed forms, native blocks, restarts, poles,
// failures.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/mbd_solver/linearise.h"
#include "femflex/progress.h"

#include "guest_files.h"
#include "results/stored_states.h"
#include "system/run_system.h"
#include "verbs/export_fmu.h"

namespace femflex::testing {
namespace {

using mbd_solver::Results;

/// A mass on a rail; a force that equals the output of the block "control" pushes it.
constexpr const char* kPushed = R"json({
  "bodies": { "m": { "point": { "mass": 1 }, "at": [0, 0, 0] } },
  "joints": { "rail": { "type": "point-on-line", "a": "ground", "b": "m", "axis": [1, 0, 0] } },
  "blocks": { "control": {block} },
  "forces": { "push": { "type": "force", "on": "m", "value": ["{force}", 0, 0] } },
  "outputs": ["m/position/x", "m/velocity/x", "control"],
  "analyses": [ { "type": "dynamic", "end": {end}, "step": 0.001, "output_step": 0.01,
    "integrator": "{integrator}" } ] })json";

constexpr const char* kIntegrators[] = {"generalised-alpha", "runge-kutta", "bdf"};

std::string pushed(const std::string& block,
                   const std::string& force = "[control/y]",
                   const std::string& integrator = "generalised-alpha",
                   const std::string& end = "1") {
  return filled(kPushed,
                {{"block", block}, {"force", force}, {"integrator", integrator}, {"end", end}});
}

std::string guest_block(double step,
                        const std::string& more = "",
                        const std::string& input = "1",
                        const std::string& extrapolation = "linear") {
  return fmt::format(
      R"({{ "type": "fmu", "file": "guest.fmu", "inputs": {{ "u": "{}" }}, "outputs": ["y"],
            "step": {}, "extrapolation": "{}"{}{} }})",
      input,
      step,
      extrapolation,
      more.empty() ? "" : ", ",
      more);
}

/// Position at 1 s of a mass at rest initially, under the force 1 - e^(-t/T).
double place_at_end(double T) {
  return 0.5 - T + T * T * (1.0 - std::exp(-1.0 / T));
}

// Truth: the closed form. With inputs that are constant between exchanges the error is proportional
// to the time between exchanges, with linear extrapolation to its square.
TEST(GuestRuns, FollowTheClosedFormOfALagInAllIntegrators) {
  for (const int version : {2, 3})
    for (const bool is_exchange : {false, true}) {
      GuestFolder folder;
      write_guest(folder / "guest.fmu", {.version = version, .is_exchange = is_exchange});
      for (const char* integrator : kIntegrators) {
        const auto error = [&](const char* extrapolation, double step) {
          const auto rows = folder.rows(
              pushed(guest_block(step, "", "1", extrapolation), "[control/y]", integrator));
          return std::abs(rows->series("m/position/x")(rows->rows() - 1) - place_at_end(0.1));
        };
        const std::string what = fmt::format("{} {} {}", version, is_exchange, integrator);
        EXPECT_NEAR(error("hold", 0.02) / error("hold", 0.01), 2.0, 0.1) << what;
        EXPECT_GT(error("linear", 0.02) / error("linear", 0.01), 3.5) << what;
        EXPECT_LT(error("linear", 0.01), 2e-4) << what;
      }
    }
}

// Truth: the same loop with a native block.
TEST(GuestRuns, CloseALoopAsABlockOfOurOwnDoes) {
  const std::string error_of_place = "1 - 20*[m/position/x] - 6*[m/velocity/x]";
  const std::string own =
      fmt::format(R"({{ "type": "lag", "time": 0.1, "input": "{}" }})", error_of_place);
  for (const bool is_exchange : {false, true}) {
    GuestFolder folder;
    write_guest(folder / "guest.fmu", {.is_exchange = is_exchange});
    const auto truth = folder.rows(pushed(own, "[control]", "runge-kutta"));
    const auto off = [&](double step) {
      const auto rows =
          folder.rows(pushed(guest_block(step, "", error_of_place), "[control/y]", "runge-kutta"));
      return (rows->series("m/position/x") - truth->series("m/position/x")).cwiseAbs().maxCoeff();
    };
    EXPECT_LT(off(0.005), 2e-5) << is_exchange;
    EXPECT_GT(off(0.01) / off(0.005), 3.5) << is_exchange;
  }
}

// Truth: the run without interruption, bit for bit. The state is passed in memory and in a file.
TEST(GuestRuns, GoOnBitForBit) {
  for (const int version : {2, 3})
    for (const bool is_exchange : {false, true})
      for (const char* integrator : kIntegrators) {
        GuestFolder folder;
        write_guest(folder / "guest.fmu", {.version = version, .is_exchange = is_exchange});
        const tools::SystemDocument document = folder.read(
            pushed(guest_block(0.02, "", "1 - 20*[m/position/x]"), "[control/y]", integrator));
        Progress progress;
        const auto end_of = [&](const mbd_solver::DynamicOptions& options) {
          Results rows;
          return mbd_solver::simulate(document.system, options, rows, folder.diagnostics, progress)
              .final_state;
        };
        mbd_solver::DynamicOptions options = document.analyses.back().dynamic;
        const mbd_solver::State whole = end_of(options);
        tools::RunOverrides overrides;
        overrides.keep_states = true;
        tools::run_system(document, overrides, folder / "run.h5", "", folder.diagnostics, progress);
        for (const double pause : {0.4, 0.5}) {
          // the other integrators restart at exchanges and store nothing between them
          if (pause == 0.5 && options.integrator != mbd_solver::Integrator::generalised_alpha)
            continue;
          mbd_solver::DynamicOptions part = options;
          part.end = pause;
          for (const mbd_solver::State& state :
               {end_of(part), tools::read_state(folder / "run.h5", pause, document.system)}) {
            options.restart = state;
            const mbd_solver::State resumed = end_of(options);
            options.restart.reset();
            EXPECT_EQ(resumed.position, whole.position) << integrator << pause << is_exchange;
            EXPECT_EQ(resumed.events, whole.events) << integrator << pause << is_exchange;
            EXPECT_EQ(resumed.guests, whole.guests) << integrator << pause << is_exchange;
          }
        }
      }
}

// Truth: the message. A run with a guest that cannot save its state cannot be continued.
TEST(GuestRuns, SayThatAStateIsMissing) {
  GuestFolder folder;
  write_guest(folder / "guest.fmu", {.serialises = false});
  const tools::SystemDocument document = folder.read(pushed(guest_block(0.02)));
  Progress progress;
  Results rows;
  mbd_solver::DynamicOptions options = document.analyses.back().dynamic;
  options.end = 0.5;
  options.restart =
      mbd_solver::simulate(document.system, options, rows, folder.diagnostics, progress)
          .final_state;
  options.end = 1.0;
  Results more;
  EXPECT_EQ(code_of([&] {
              mbd_solver::simulate(document.system, options, more, folder.diagnostics, progress);
            }),
            "restart-guest");
}

std::vector<std::complex<double>> poles_of(GuestFolder& folder, const std::string& system) {
  const tools::SystemDocument document = folder.read(system);
  mbd_solver::AssemblyReport report;
  const mbd_solver::State state = mbd_solver::assemble(document.system, report, folder.diagnostics);
  std::vector<std::complex<double>> out;
  for (const mbd_solver::SystemMode& mode :
       mbd_solver::linearise(document.system, state, folder.diagnostics).modes)
    out.push_back(mode.eigenvalue);
  return out;
}

// Truth: the poles of the loop with a native block. Derivatives come from the guest or, if it has
// none, from differences. For co-simulation only direct feedthrough is known.
TEST(GuestRuns, HaveThePolesOfTheLoop) {
  const std::string input = "1 - 20*[m/position/x] - 6*[m/velocity/x]";
  GuestFolder folder;
  const auto own =
      poles_of(folder,
               pushed(fmt::format(R"({{ "type": "lag", "time": 0.1, "input": "{}" }})", input),
                      "[control]"));
  ASSERT_GE(own.size(), 2U);
  for (const int version : {2, 3})
    for (const bool gives : {true, false}) {
      write_guest(folder / "guest.fmu",
                  {.version = version, .is_exchange = true, .gives_derivatives = gives});
      const auto found = poles_of(folder, pushed(guest_block(0.01, "", input)));
      ASSERT_EQ(found.size(), own.size());
      for (std::size_t k = 0; k < own.size(); ++k)
        EXPECT_LT(std::abs(found[k] - own[k]), tolerance(1e-8) * std::abs(own[k]))
            << version << gives;
    }
  write_guest(folder / "guest.fmu", {.gives_derivatives = false});
  EXPECT_EQ(code_of([&] { poles_of(folder, pushed(guest_block(0.01, "", input))); }),
            "linear-guest");
  write_guest(folder / "guest.fmu");
  static_cast<void>(poles_of(folder, pushed(guest_block(0.01, "", input))));
  EXPECT_TRUE(std::any_of(folder.diagnostics.warnings().begin(),
                          folder.diagnostics.warnings().end(),
                          [](const auto& each) { return each.code == "still-guest"; }));
}

// Truth: equilibrium. A guest acts as a spring of 1e4 N/m and is exchanged every 0.05 s, which is 5
// radians of the oscillation. This diverges; with repeated steps the loop converges and comes to
// rest.
TEST(GuestRuns, ConvergeInStiffLoopsByRepeatedSteps) {
  GuestFolder folder;
  write_guest(folder / "guest.fmu");
  const std::string force = "1 - 1e4*[control/through] - 50*[m/velocity/x]";
  const auto last = [&](const std::string& more, const char* integrator) {
    const std::string block = fmt::format(
        R"({{ "type": "fmu", "file": "guest.fmu", "inputs": {{ "u": "[m/position/x]" }},
              "step": 0.05{} }})",
        more);
    const auto rows = folder.rows(pushed(block, force, integrator, "5"));
    return rows->series("m/position/x")(rows->rows() - 1);
  };
  for (const char* integrator : kIntegrators)
    // the remaining oscillation is noise of the integrators, because the loop has almost no damping
    EXPECT_NEAR(last(", \"repeats\": 20", integrator), 1e-4, tolerance(1e-8)) << integrator;
  EXPECT_GT(std::abs(last("", "generalised-alpha")), 1.0);
  EXPECT_GT(std::abs(last(", \"extrapolation\": \"linear\"", "generalised-alpha")), 1.0);
}

// Truth: the message of the guest, with block, file, function, status and time.
TEST(GuestRuns, NameTheFailureOfAGuest) {
  for (const int version : {2, 3}) {
    GuestFolder folder;
    write_guest(folder / "guest.fmu", {.version = version});
    std::string text;
    try {
      folder.rows(pushed(guest_block(0.01, "\"parameters\": { \"fail\": 3 }")));
    } catch (const Error& error) {
      text = error.what();
    }
    for (const std::string& part : std::vector<std::string>{"control",
                                                            "guest.fmu",
                                                            fmt::format("fmi{}DoStep", version),
                                                            "t = 0.02 s",
                                                            "status error",
                                                            "the lag has worn out"})
      EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  }
}

// Truth: the number in the resource file, which the guest adds; and the error if the file is
// missing.
TEST(GuestRuns, ReadTheirResources) {
  for (const int version : {2, 3}) {
    GuestFolder folder;
    write_guest(folder / "guest.fmu", {.version = version});
    const auto rows =
        folder.rows(pushed(guest_block(0.01, "\"parameters\": { \"table\": \"number.txt\" }")));
    EXPECT_EQ(rows->series("control/y")(0), 0.25);
    EXPECT_EQ(
        code_of([&] {
          folder.read(pushed(guest_block(0.01, "\"parameters\": { \"table\": \"other.txt\" }")));
        }),
        "fmu-start");
  }
}

// Truth: v = gain (w3, w2, w1), and the values of the other types: 50 steps, x = 1 - e^(-t/T) >
// 0.5.
TEST(GuestRuns, TakeArraysIntegersAndBooleans) {
  GuestFolder folder;
  write_guest(folder / "guest.fmu", {.version = 3});
  const auto rows = folder.rows(pushed(
      R"({ "type": "fmu", "file": "guest.fmu", "step": 0.02,
           "inputs": { "u": 1, "w[1]": 1.5, "w[3]": "2*t" }, "parameters": { "gain": 2 },
           "outputs": ["v[1]", "v[2]", "v[3]", "count", "high"] })",
      "[control/v[3]]"));
  const Eigen::Index last = rows->rows() - 1;
  EXPECT_NEAR(rows->series("control/v[1]")(last), 4.0, 1e-12);
  EXPECT_EQ(rows->series("control/v[2]")(last), 0.0);
  EXPECT_EQ(rows->series("control/v[3]")(last), 3.0);
  EXPECT_EQ(rows->series("control/count")(last), 50.0);
  EXPECT_EQ(rows->series("control/high")(0), 0.0);
  EXPECT_EQ(rows->series("control/high")(last), 1.0);
  EXPECT_NEAR(rows->series("m/velocity/x")(last), 3.0, tolerance(1e-9));
}

// Truth: 1 kN is 1000 N, and 1 m is 1000 mm.
TEST(GuestRuns, ConvertUnits) {
  GuestFolder folder;
  write_guest(folder / "guest.fmu", {.input_unit = "mm", .output_unit = "kN"});
  const auto rows = folder.rows(pushed(
      R"({ "type": "fmu", "file": "guest.fmu", "step": 0.01, "inputs": { "u": "[m/position/x]+0.002" },
           "outputs": ["y", "through"] })",
      "0*[control/y]"));
  EXPECT_NEAR(rows->series("control/through")(rows->rows() - 1), 2.0, 1e-12);
  EXPECT_NEAR(rows->series("control/y")(rows->rows() - 1), 2000.0, 0.2);
  write_guest(folder / "guest.fmu", {.input_unit = "kN"});
  EXPECT_EQ(code_of([&] { folder.read(pushed(guest_block(0.01, "", "[m/position/x]"))); }),
            "fmu-unit");
}

// Truth: a second-order lag, whose output may drive a motion.
TEST(GuestRuns, DriveMotionsThroughALag) {
  GuestFolder folder;
  write_guest(folder / "guest.fmu");
  const auto rows = folder.rows(R"json({
    "bodies": { "m": { "point": { "mass": 1 }, "at": [0, 0, 0] } },
    "joints": { "rail": { "type": "point-on-line", "a": "ground", "b": "m", "axis": [1, 0, 0] },
                "y": { "type": "point-on-line", "a": "ground", "b": "m", "axis": [1, 0, 0] } },
    "blocks": { "plan": { "type": "fmu", "file": "guest.fmu", "step": 0.01, "inputs": { "u": 1 },
                          "outputs": ["y"] },
                "smooth": { "type": "second-order-lag", "frequency": 20, "input": "[plan/y]" } },
    "motions": { "drive": { "on": "m", "x": "[smooth]" } },
    "outputs": ["m/position/x", "plan/y"],
    "analyses": [ { "type": "dynamic", "end": 2, "step": 0.001, "output_step": 0.1 } ] })json");
  EXPECT_NEAR(rows->series("m/position/x")(rows->rows() - 1), 1.0, 1e-6);
}

#ifdef HAVE_FMU_EXPORT

constexpr const char* kSwing = R"json({
  "name": "swing", "gravity": [0, 0, -9.81],
  "inputs": { "torque": { "unit": "N m", "value": {torque} } },
  "bodies": { "bar": { "rigid": { "mass": 2, "com": [0.5, 0, 0],
    "inertia": [0.01, 0.2, 0.2, 0, 0, 0] } } },
  "joints": { "hinge": { "type": "revolute", "a": "ground", "b": "bar", "at": [0, 0, 0],
    "axis": [0, 1, 0] } },
  "forces": { "drive": { "type": "torsional-spring", "joint": "hinge", "damping": 0.1,
    "stiffness": 30, "torque": "torque" } },
  "outputs": ["hinge/angle", "hinge/angle_acceleration"],
  "analyses": [ { "type": "dynamic", "end": 1, "step": 0.002, "output_step": 0.01 } ] })json";

/// Exports the system NAME.json of the folder as an FMU.
void export_to(GuestFolder& folder,
               const std::string& name,
               int version,
               verbs::ExportRequest::Kind kind) {
  verbs::ExportRequest request;
  request.what = tools::DocumentInput(folder / (name + ".json"));
  request.output = folder / (name + ".fmu");
  request.fmi = version;
  request.kind = kind;
  Progress progress;
  verbs::export_fmu(request, folder.diagnostics, progress);
}

// Truth: the system itself, run by simulate().
TEST(GuestRuns, TakeOurOwnExports) {
  using Kind = verbs::ExportRequest::Kind;
  GuestFolder folder;
  write_text(folder / "swing.json", filled(kSwing, {{"torque", "0"}}));
  const auto truth = folder.rows(filled(kSwing, {{"torque", "\"3*sin(4*t)\""}}));
  const Eigen::VectorXd angle = truth->series("hinge/angle");
  const std::string block =
      "{ \"type\": \"fmu\", \"file\": \"swing.fmu\", \"extrapolation\": \"linear\", "
      "\"inputs\": { \"torque\": \"3*sin(4*t)\" } }";
  for (const int version : {2, 3}) {
    export_to(folder, "swing", version, Kind::co_simulation);
    const auto rows = folder.rows(pushed(block, "[control/hinge/angle]"));
    const Eigen::VectorXd found = rows->series("control/hinge/angle");
    ASSERT_EQ(found.size(), angle.size());
    EXPECT_LT((found - angle).cwiseAbs().maxCoeff(), 2e-3 * angle.cwiseAbs().maxCoeff()) << version;
  }
}

// Truth: the message. A linear model may contain a guest.
TEST(GuestRuns, AreNotPutIntoAnotherFmu) {
  using Kind = verbs::ExportRequest::Kind;
  GuestFolder folder;
  write_guest(folder / "guest.fmu", {.is_exchange = true});
  write_text(folder / "outer.json", pushed(guest_block(0.01, "", "1 - 20*[m/position/x]")));
  EXPECT_EQ(code_of([&] { export_to(folder, "outer", 2, Kind::co_simulation); }), "fmu-in-fmu");
  export_to(folder, "outer", 2, Kind::model_exchange);
  EXPECT_TRUE(std::filesystem::exists(folder / "outer.fmu"));
}

#endif

}  // namespace
}  // namespace femflex::testing
