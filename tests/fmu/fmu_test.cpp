// Tests exported FMUs with a client written in C: trajectories compared with simulate(), saved
// states, rollbacks, threads, derivatives, refused calls, symbols of the library, and the content
// of modelDescription.xml.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "femflex/diagnostics.h"
#include "femflex/errors.h"
#include "femflex/mbd_solver/results.h"
#include "femflex/mbd_solver/simulate.h"
#include "femflex/progress.h"

#include "document/base_unit.h"
#include "document/csv.h"
#include "fmu/fmu_model.h"
#include "support/support.h"
#include "system/system_json.h"
#include "verbs/export_fmu.h"

namespace femflex::testing {
namespace {

namespace fs = std::filesystem;

/// A pendulum driven by a torque, with a spring whose stiffness is tunable.
constexpr const char* kPendulum = R"json({
  "name": "driven pendulum", "gravity": [0, 0, -9.81],
  "inputs": {
    "torque": { "unit": "N m", "value": "3*sin(4*t)", "max": 1e6, "description": "at the hinge <&>" },
    "k": { "unit": "N m/rad", "value": 5, "parameter": true, "min": 0 } },
  "bodies": { "bar": {
    "rigid": { "mass": 2, "com": [0.5, 0, 0], "inertia": [0.01, 0.2, 0.2, 0, 0, 0] },
    "markers": { "tip": { "at": [1, 0, 0] } } } },
  "joints": { "hinge": { "type": "revolute", "a": "ground", "b": "bar", "at": [0, 0, 0],
    "axis": [0, 1, 0] } },
  "forces": { "drive": { "type": "torsional-spring", "joint": "hinge", "stiffness": "k",
    "damping": 0.1, "torque": "torque" } },
  "outputs": ["bar/tip/position", "hinge/angle", "hinge/angle_acceleration",
    "bar/tip/acceleration", "hinge/reaction"],
  "analyses": [ { "type": "dynamic", "end": 1, "step": 0.005, "output_step": 0.01 } ] })json";

/// Two masses on a rail with a spring between them. An input prescribes the motion of the first
/// mass.
constexpr const char* kMoved = R"json({
  "name": "moved chain",
  "inputs": { "hand": { "unit": "m", "value": "0.1*sin(3*t)" } },
  "bodies": { "a": { "point": { "mass": 1 }, "at": [0, 0, 0] },
              "b": { "point": { "mass": 2 }, "at": [1, 0, 0] } },
  "joints": {
    "rail_{a|b}": { "type": "point-on-line", "a": "ground", "b": "{a|b}", "axis": [1, 0, 0] } },
  "motions": { "move": { "on": "a", "x": "hand" } },
  "forces": { "spring": { "type": "spring-damper", "a": "a", "b": "b", "stiffness": 50,
    "damping": 0.5 } },
  "outputs": ["a/position/x", "b/position/x", "move"],
  "analyses": [ { "type": "dynamic", "end": 1, "step": 0.0025, "output_step": 0.01 } ] })json";

/// Two wheels with tyres of a file on one road of every kind of layer, the second one with cams;
/// the placeholders are the tyre's file and an OpenCRG file.
constexpr const char* kWheels = R"json({
  "name": "wheels", "gravity": [0, 0, -9.81],
  "inputs": { "brake": { "unit": "N m", "value": -200 } },
  "road": { "layers": [
      { "type": "plane", "slope": [0.01, 0.005], "height": -0.01 },
      { "type": "file", "file": "CRG" },
      { "type": "profile", "profile": { "x": [0, 4, 9], "y": [0, 0.02, 0] } },
      { "type": "iso8608", "class": "B", "seed": 3, "length": 60 },
      { "type": "cleat", "at": [3, 0], "height": 0.03, "length": 0.4, "ramp": 0.05 },
      { "type": "sine", "at": [5, 0], "heading": 0.1, "amplitude": 0.01, "wavelength": 2,
        "length": 4 } ],
    "friction": 0.9, "patches": [ { "at": [6, 0], "length": 3, "width": 4, "friction": 0.3 } ] },
  "bodies": {
    "carrier_{left|right}": { "rigid": { "mass": 1900, "com": [0, 0, 0],
      "inertia": [20, 30, 20, 0, 0, 0] }, "at": [0, 0, 0.5], "velocity": [10, 0, 0] },
    "wheel_{left|right}": { "rigid": { "mass": 100, "com": [0, 0, 0],
      "inertia": [6, 10, 6, 0, 0, 0] }, "at": [0, 0, 0.5], "velocity": [10, 0, 0],
      "angular_velocity": [0, 20, 0] } },
  "joints": {
    "guide_{left|right}": { "type": "orientation", "a": "ground", "b": "carrier_{left|right}" },
    "hub_{left|right}": { "type": "revolute", "a": "carrier_{left|right}",
      "b": "wheel_{left|right}", "axis": [0, 1, 0] } },
  "forces": {
    "tyre_left": { "type": "tyre", "on": "wheel_left", "file": "TYRE",
      "vertical_damping": 20000 },
    "tyre_right": { "type": "tyre", "on": "wheel_right", "file": "TYRE", "side": "right",
      "vertical_damping": 20000, "enveloping": true },
    "brake_{left|right}": { "type": "torsional-spring", "joint": "hub_{left|right}",
      "stiffness": 0, "damping": 0, "torque": "brake" } },
  "outputs": ["wheel_{left|right}/position", "tyre_{left|right}/wheel"],
  "analyses": [ { "type": "dynamic", "end": 0.4, "step": 0.001, "output_step": 0.1 } ] })json";

std::string with_files(std::string text, const fs::path& tyre, const fs::path& crg) {
  for (const auto& [mark, path] : {std::pair("\"TYRE\"", tyre), std::pair("\"CRG\"", crg)})
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark))
      text.replace(at, std::strlen(mark), "\"" + path.string() + "\"");
  return text;
}

/// The local files of an archive, by their headers alone, unpacked into a folder.
void unpack(const fs::path& archive, const fs::path& folder) {
  const std::string bytes = read_text(archive);
  const auto number = [&](std::size_t at, std::size_t size) {
    std::uint64_t out = 0;
    std::memcpy(&out, bytes.data() + at, size);
    return static_cast<std::size_t>(out);
  };
  std::size_t at = 0;
  while (at + 30 < bytes.size() && number(at, 4) == 0x04034b50) {
    ASSERT_EQ(number(at + 8, 2), 8U);  // deflate
    const std::size_t packed = number(at + 18, 4), size = number(at + 22, 4);
    const std::size_t name_size = number(at + 26, 2), extra = number(at + 28, 2);
    const std::string name = bytes.substr(at + 30, name_size);
    const std::size_t start = at + 30 + name_size + extra;
    std::string text(size, '\0');
    z_stream stream{};
    ASSERT_EQ(inflateInit2(&stream, -15), Z_OK);
    std::string input = bytes.substr(start, packed);
    stream.next_in = reinterpret_cast<Bytef*>(input.data());
    stream.avail_in = static_cast<uInt>(packed);
    stream.next_out = reinterpret_cast<Bytef*>(text.data());
    stream.avail_out = static_cast<uInt>(size);
    ASSERT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END) << name;
    inflateEnd(&stream);
    const uLong sum =
        crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(size));
    EXPECT_EQ(sum, number(at + 14, 4)) << name;
    fs::create_directories((folder / name).parent_path());
    write_text(folder / name, text);
    at = start + packed;
  }
}

using Rows = std::vector<std::vector<double>>;

/// An FMU that was exported and unpacked.
class Unpacked {
 public:
  explicit Unpacked(const std::string& system, const verbs::ExportRequest& given = {}) {
    write_text(folder_ / "system.json", system);
    verbs::ExportRequest request = given;
    request.what = tools::DocumentInput(folder_ / "system.json");
    request.output = folder_ / "model one.fmu";
    Progress progress;
    outcome = verbs::export_fmu(request, diagnostics, progress);
    unpack(request.output, folder_ / "fmu");
    description = read_text(folder_ / "fmu" / "modelDescription.xml");
    model = fmu::from_bytes(read_text(folder_ / "fmu" / "resources" / "model.femflex"));
  }

  std::uint32_t reference(const std::string& name) const {
    for (std::size_t k = 0; k < model.variables.size(); ++k)
      if (model.variables[k].name == name) return static_cast<std::uint32_t>(k);
    ADD_FAILURE() << "no variable " << name;
    return 0;
  }

  /// Runs the client; returns what it prints.
  CommandResult client(const std::string& command, const std::string& arguments) const {
    const std::string binaries = (folder_ / "fmu" / "binaries").string();
    return run(fmt::format("{} {} \"$(ls {}/*/*.so)\" \"{}\" {} {}",
                           FMU_CLIENT,
                           command,
                           binaries,
                           "file://" + (folder_ / "fmu" / "resources").string(),
                           model.token,
                           arguments),
               folder_.path());
  }
  Rows rows(const std::string& command, const std::string& arguments) const {
    const CommandResult result = client(command, arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
    Rows out;
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      out.emplace_back();
      for (double value = 0.0; words >> value;)
        out.back().push_back(value);
    }
    return out;
  }
  /// Arguments of the client: stop time, step, the driven input and the outputs.
  std::string plan(double stop,
                   double step,
                   const std::string& input,
                   double amplitude,
                   double rate,
                   const std::vector<std::string>& outputs) const {
    std::string out = fmt::format("{} {} {} {} {}", stop, step, reference(input), amplitude, rate);
    for (const std::string& each : outputs)
      out += fmt::format(" {}", reference(each));
    return out;
  }

  Diagnostics diagnostics;
  verbs::ExportOutcome outcome;
  std::string description;
  fmu::FmuModel model;

 private:
  TemporaryFolder folder_;
};

/// Runs the same system in simulate() with another value of the input.
std::unique_ptr<mbd_solver::Results> simulated(const std::string& text, const std::string& value) {
  TemporaryFolder folder;
  write_text(folder / "system.json", text);
  Diagnostics diagnostics;
  Progress progress;
  tools::SystemDocument document =
      tools::read_system(folder / "system.json", {}, diagnostics, progress);
  document.system.inputs.front().value = mbd_solver::Value(value);
  auto results = std::make_unique<mbd_solver::Results>();
  mbd_solver::simulate(
      document.system, document.analyses.front().dynamic, *results, diagnostics, progress);
  return results;
}

/// Largest difference between the client's columns and the channels of a run.
double difference(const Rows& rows,
                  const mbd_solver::Results& results,
                  const std::vector<std::string>& channels) {
  double largest = 0.0;
  for (const std::vector<double>& row : rows)
    for (std::size_t k = 0; k < channels.size(); ++k)
      largest = std::max(largest, std::abs(row.at(k + 1) - results.at(row[0], channels[k])));
  return largest;
}

const std::vector<std::string> kShown = {
    "bar/tip/position/x", "hinge/angle", "hinge/angle_acceleration", "hinge/reaction/z"};

// Truth: simulate(). Without data exchange both take the same steps, except for rounding errors of
// their times. Newton's method leaves errors of 1e-6 in accelerations.
TEST(Fmu, RunsAsSimulateDoesWhileItsInputsHold) {
  const Unpacked fmu(kPendulum);
  const Rows rows = fmu.rows("run", fmu.plan(1.0, 0.01, "torque", 0.0, 0.0, kShown));
  ASSERT_EQ(rows.size(), 101U);
  EXPECT_LE(difference(rows, *simulated(kPendulum, "0*t"), kShown), tolerance(1e-7));
  verbs::ExportRequest three;
  three.fmi = 3;
  const Unpacked fmu3(kPendulum, three);
  EXPECT_EQ(fmu3.rows("run3", fmu3.plan(1.0, 0.01, "torque", 0.0, 0.0, kShown)), rows);
}

// Truth: simulate(). Tyres of every law and every layer of a road are inside the FMU: their files
// are gone when it runs. A road that wheels share is inside once.
TEST(Fmu, HoldsTyresAndRoadsOfFiles) {
  const std::vector<std::string> shown = {"wheel_left/position/x",
                                          "wheel_right/position/z",
                                          "tyre_left/wheel/fz",
                                          "tyre_right/wheel/fy"};
  const fs::path crg = fs::path(FMU_ROADS) / "small_krbi.crg";
  for (const char* law :
       {"truck_pac2002", "car_mf61", "truck_tmeasy", "truck_fiala", "trailer_linear"}) {
    const TemporaryFolder folder;
    const fs::path tyre = folder / "tyre.tir", road = folder / "road.crg";
    fs::copy_file(data(fmt::format("tyres/valid/{}.tir", law)), tyre);
    fs::copy_file(crg, road);
    const std::string text = with_files(kWheels, tyre, road);
    const auto expected = simulated(text, "-200");
    const Unpacked fmu(text);
    fs::remove(tyre);
    fs::remove(road);
    const Rows rows = fmu.rows("run", fmu.plan(0.4, 0.1, "brake", 0.0, 0.0, shown));
    ASSERT_EQ(rows.size(), 5U) << law;
    EXPECT_GT(rows.back()[1], 3.0) << law;
    for (std::size_t k = 0; k < shown.size(); ++k)
      for (const std::vector<double>& row : rows)
        EXPECT_NEAR(row[k + 1],
                    expected->at(row[0], shown[k]),
                    tolerance(1e-6) * (1.0 + std::abs(expected->at(row[0], shown[k]))))
            << law << ", " << shown[k] << " at " << row[0];
    EXPECT_EQ(fmu::to_bytes(fmu::from_bytes(fmu::to_bytes(fmu.model))), fmu::to_bytes(fmu.model));
  }
}

// Truth: simulate() with the formula and the same steps inside. Inputs are held over a step, so the
// error falls with it; the rates of inputs gain an order.
TEST(Fmu, ConvergesToSimulateWithInputsThatChange) {
  const Unpacked fmu(kPendulum);
  const std::vector<std::string> angle = {"hinge/angle"};
  const auto exact = simulated(kPendulum, "3*sin(4*t)");
  const auto error = [&](const char* command, double step) {
    return difference(
        fmu.rows(command, fmu.plan(1.0, step, "torque", 3.0, 4.0, angle)), *exact, angle);
  };
  EXPECT_GT(error("run", 0.04) / error("run", 0.02), 1.9);
  EXPECT_GT(error("run", 0.02) / error("run", 0.01), 1.9);
  EXPECT_GT(error("rates", 0.04) / error("rates", 0.02), 3.5);
}

// Truth: simulate(). A motion reaches the value of its input only at the end of a step, so it is
// delayed by one step; with rates there is no delay.
TEST(Fmu, MovesWhatAnInputDrives) {
  const Unpacked fmu(kMoved);
  const std::vector<std::string> places = {"a/position/x", "b/position/x"};
  const auto exact = simulated(kMoved, "0.1*sin(3*t)");
  const auto error = [&](const char* command, double step) {
    return difference(
        fmu.rows(command, fmu.plan(1.0, step, "hand", 0.1, 3.0, places)), *exact, places);
  };
  EXPECT_LT(error("run", 0.01), 0.01);
  EXPECT_GT(error("run", 0.02) / error("run", 0.01), 1.9);
  EXPECT_LT(error("rates", 0.01), 2e-4);
}

// Truth: the run without interruption, bit for bit, in another process.
TEST(Fmu, GoesOnFromAStateOfAnotherProcess) {
  for (const char* integrator : {"generalised-alpha", "runge-kutta"}) {
    std::string text = kPendulum;
    text.insert(text.find("\"end\""), fmt::format("\"integrator\": \"{}\", ", integrator));
    const Unpacked fmu(text);
    const std::string plan = fmu.plan(1.0, 0.01, "torque", 3.0, 4.0, kShown);
    const Rows whole = fmu.rows("save", "state.bin " + plan);
    ASSERT_EQ(whole.size(), 1U);
    EXPECT_EQ(fmu.rows("resume", "state.bin " + plan), whole) << integrator;
    EXPECT_EQ(fmu.rows("rollback", "1000 " + plan), whole) << integrator;
  }
  const Unpacked moved(kMoved);
  const std::string plan = moved.plan(1.0, 0.01, "hand", 0.1, 3.0, {"b/position/x"});
  const Rows whole = moved.rows("save", "state.bin " + plan);
  EXPECT_EQ(moved.rows("resume", "state.bin " + plan), whole);
}

// Truth: the results of a single instance.
TEST(Fmu, RunsInManyThreadsAsInOne) {
  const Unpacked fmu(kPendulum);
  const std::string plan = fmu.plan(0.5, 0.01, "torque", 3.0, 4.0, kShown);
  const Rows rows = fmu.rows("threads", "20 " + plan);
  ASSERT_EQ(rows.size(), 20U);
  const Rows alone = fmu.rows("run", plan);
  for (const std::vector<double>& row : rows)
    EXPECT_EQ(row, alone.back());
}

// Truth: the time of the switch in the formula, the sample times, and the run without event mode. A
// client without early return ends each step at the time that it asked for.
TEST(Fmu, ReturnsAtItsSwitches) {
  std::string text = kPendulum;
  text.replace(text.find("\"torque\": \"torque\""), 18, "\"torque\": \"torque + step(t, 0.333)\"");
  text.insert(text.find("\"outputs\""),
              "\"blocks\": { \"seen\": { \"type\": \"sample-and-hold\", \"period\": 0.25, "
              "\"input\": \"[hinge/angle]\" } }, ");
  verbs::ExportRequest request;
  request.fmi = 3;
  const Unpacked fmu(text, request);
  const std::string plan = fmu.plan(1.0, 0.1, "torque", 0.0, 0.0, {"hinge/angle"});
  const CommandResult result = fmu.client("events3", plan);
  ASSERT_EQ(result.exit_code, 0) << result.err << result.out;
  std::vector<double> events, next;
  double value = 0.0;
  std::istringstream lines(result.out);
  for (std::string line, word; std::getline(lines, line);) {
    double number = 0.0;
    std::istringstream(line) >> word >> number;
    if (word == "event") events.push_back(number);
    if (word == "next") next.push_back(number);
    if (word == "value") value = number;
  }
  const std::vector<double> expected = {0.25, 0.333, 0.5, 0.75, 1.0};
  ASSERT_EQ(events.size(), expected.size()) << result.out;
  ASSERT_EQ(next.size(), expected.size() + 1);
  for (std::size_t k = 0; k < events.size(); ++k) {
    EXPECT_NEAR(events[k], expected[k], 1e-12);
    EXPECT_EQ(next[k], events[k]);
  }
  EXPECT_NEAR(value, fmu.rows("run3", plan).back()[1], tolerance(1e-4));
  const Rows cancelled = fmu.rows("cancel3", plan);
  ASSERT_EQ(cancelled.size(), 1U);
  EXPECT_EQ(cancelled[0][0], 1.0);
  EXPECT_NEAR(cancelled[0][1], 0.25, 1e-9);
}

// Truth: finite differences, and the transposed matrix. A torque changes accelerations and
// reactions immediately, but neither angle nor position.
TEST(Fmu, GivesDerivativesOfItsOutputs) {
  const Unpacked fmu(kPendulum);
  const Rows rows = fmu.rows("derivatives", fmu.plan(1.0, 0.01, "torque", 3.0, 4.0, kShown));
  ASSERT_EQ(rows.size(), kShown.size());
  for (const std::vector<double>& row : rows) {
    ASSERT_EQ(row.size(), 4U);
    EXPECT_DOUBLE_EQ(row[0], row[1]);
    EXPECT_NEAR(row[2], row[3], tolerance(1e-6) * (1.0 + std::abs(row[3])));
  }
  EXPECT_EQ(rows[1][0], 0.0);
  // moment of inertia about the hinge: 0.2 + 2 * 0.5^2 [kg m^2]
  EXPECT_NEAR(rows[2][0], 1.0 / 0.7, tolerance(1e-9));
}

// Truth: the FMI standard. Every wrong call returns a status and a message, and the instance can
// still be used; after a reset it repeats the run.
TEST(Fmu, RefusesWhatMakesNoSense) {
  const Unpacked fmu(kPendulum);
  const CommandResult result =
      fmu.client("refuse", fmu.plan(0.1, 0.01, "torque", 0.0, 0.0, {"hinge/angle"}));
  ASSERT_EQ(result.exit_code, 0) << result.err << result.out;
  for (const char* line : {"token 1", "kind 1", "resources 1", "zero 1"})
    EXPECT_NE(result.out.find(std::string(line) + "\n"), std::string::npos) << result.out;
  int logs = 0;
  for (std::size_t at = result.out.find("log "); at != std::string::npos;
       at = result.out.find("log ", at + 1))
    ++logs;
  EXPECT_EQ(logs, 18) << result.out;
  for (const char* what : {"nan",
                           "above",
                           "unknown",
                           "output",
                           "negative",
                           "nothing",
                           "nan_step",
                           "nan_time",
                           "elsewhere",
                           "beyond",
                           "again",
                           "null",
                           "bytes",
                           "exchange"})
    EXPECT_NE(result.out.find(fmt::format("{} 3\n", what)), std::string::npos) << result.out;
  const std::size_t last = result.out.rfind('\n', result.out.size() - 2);
  const std::size_t before = result.out.rfind('\n', last - 1);
  EXPECT_EQ(result.out.substr(last + 1), result.out.substr(before + 1, last - before));
}

// Truth: the closed form of the oscillator m x'' + c x' + k x = F sin(w t).
TEST(Fmu, ExchangesTheModelOfALinearSystem) {
  constexpr const char* kOscillator = R"json({
    "name": "oscillator", "inputs": { "F": { "unit": "N" } },
    "bodies": { "m": { "point": { "mass": 2 }, "at": [1, 0, 0] } },
    "joints": { "rail": { "type": "point-on-line", "a": "ground", "b": "m", "axis": [1, 0, 0] } },
    "forces": { "pull": { "type": "force", "on": "m", "value": ["F", 0, 0] },
      "spring": { "type": "spring-damper", "a": "ground", "b": "m", "stiffness": 200 } },
    "outputs": ["m/position/x", "m/velocity/x", "m/acceleration/x"],
    "analyses": [ { "type": "static" }, { "type": "dynamic", "end": 2, "step": 0.001 } ] })json";
  for (const int version : {2, 3}) {
    verbs::ExportRequest request;
    request.kind = verbs::ExportRequest::Kind::model_exchange;
    request.fmi = version;
    const Unpacked fmu(kOscillator, request);
    EXPECT_EQ(fmu.outcome.states, 2U);
    EXPECT_NE(fmu.description.find("stepSize=\"0.001\" tolerance=\"1e-06\"/>"), std::string::npos)
        << "FMPy integrates with 1e-5 where nothing is said, the reference simulator with 1e-4";
    const std::vector<std::string> shown = {"m/position/x", "m/velocity/x", "m/acceleration/x"};
    const Rows rows = fmu.rows("exchange", "2 " + fmu.plan(2.0, 0.002, "F", 7.0, 3.0, shown));
    const double w0 = 10.0, w = 3.0, a = 7.0 / 2.0 / (w0 * w0 - w * w);
    for (const std::vector<double>& row : rows) {
      const double t = row[0];
      EXPECT_NEAR(row[1], 1.0 + a * (std::sin(w * t) - w / w0 * std::sin(w0 * t)), tolerance(1e-8));
      EXPECT_NEAR(row[2], a * w * (std::cos(w * t) - std::cos(w0 * t)), tolerance(1e-7));
      EXPECT_NEAR(
          row[3], a * (-w * w * std::sin(w * t) + w * w0 * std::sin(w0 * t)), tolerance(1e-6));
    }
  }
}

/// A mass of 2 kg on a rail and a spring, which the output of a lag pulls; placeholders: the input
/// of the lag, the stiffness and the force.
std::string lagging(const std::string& command,
                    const std::string& stiffness = "200",
                    const std::string& pull = "[valve]") {
  return fmt::format(
      R"json({{ "name": "lag", "inputs": {{ "u": {{ "unit": "N" }},
        "k": {{ "unit": "N/m", "value": 200, "parameter": true, "min": 0 }},
        "offset": {{ "unit": "N", "value": 0, "parameter": true }} }},
      "bodies": {{ "m": {{ "point": {{ "mass": 2 }}, "at": [1, 0, 0] }} }},
      "joints": {{ "rail": {{ "type": "point-on-line", "a": "ground", "b": "m",
        "axis": [1, 0, 0] }} }},
      "blocks": {{ "valve": {{ "type": "lag", "input": "{}", "time": 0.1, "unit": "N" }} }},
      "forces": {{ "pull": {{ "type": "force", "on": "m", "value": ["{}", 0, 0] }},
        "spring": {{ "type": "spring-damper", "a": "ground", "b": "m", "stiffness": "{}" }} }},
      "outputs": ["valve", "m/position/x"],
      "analyses": [ {{ "type": "dynamic", "end": 1, "step": 0.001 }} ] }})json",
      command,
      pull,
      stiffness);
}

verbs::ExportRequest exchange(int version) {
  verbs::ExportRequest request;
  request.kind = verbs::ExportRequest::Kind::model_exchange;
  request.fmi = version;
  return request;
}

bool warns(const Diagnostics& diagnostics, const std::string& code, const std::string& part) {
  const auto& all = diagnostics.warnings();
  return std::any_of(all.begin(), all.end(), [&](const Warning& each) {
    return each.code == code && each.message.find(part) != std::string::npos;
  });
}

// Truth: the closed form of a lag with a constant input, 1 - e^(-t / 0.1).
TEST(Fmu, ExchangesTheConstantRateOfABlock) {
  for (const int version : {2, 3}) {
    const Unpacked fmu(lagging("3 + [u]"), exchange(version));
    EXPECT_EQ(fmu.outcome.states, 3U);
    EXPECT_TRUE(warns(fmu.diagnostics, "no-equilibrium", "valve/state/1 changes by"));
    const Rows rows = fmu.rows("exchange", "3 " + fmu.plan(1.0, 0.002, "u", 0.0, 0.0, {"valve"}));
    for (const std::vector<double>& row : rows)
      EXPECT_NEAR(row[1], 3.0 * (1.0 - std::exp(-row[0] / 0.1)), tolerance(1e-8)) << row[0];
  }
}

// Truth: the FMI standard, in which names are unique. A channel may show the state of a block.
TEST(Fmu, ExchangesEachNameOnce) {
  std::string text = lagging("[u]");
  text.replace(text.find("\"outputs\": ["), 12, "\"outputs\": [\"valve/state/1\", ");
  const Unpacked fmu(text, exchange(3));
  std::set<std::string> names;
  for (const fmu::Variable& each : fmu.model.variables)
    EXPECT_TRUE(names.insert(each.name).second) << each.name;
  EXPECT_TRUE(names.contains("state(valve/state/1)"));
}

// Truth: the form of each parameter. A stiffness is not a load, so it is a constant; an added force
// is one, and stays a parameter. With the constant the run has the frequency of 200 N/m.
TEST(Fmu, OffersOnlyParametersThatALinearModelFollows) {
  for (const int version : {2, 3}) {
    const Unpacked fmu(lagging("[u]", "[k]", "[valve] + [offset] + 5"), exchange(version));
    EXPECT_EQ(fmu.outcome.parameters, 1U);
    EXPECT_EQ(fmu.outcome.constants, 1U);
    EXPECT_TRUE(warns(fmu.diagnostics, "fixed-parameter", "parameter k changes more than loads"));
    EXPECT_FALSE(warns(fmu.diagnostics, "fixed-parameter", "parameter offset"));
    const std::size_t at = fmu.description.find("name=\"k\"");
    ASSERT_NE(at, std::string::npos);
    const std::string element = fmu.description.substr(at, fmu.description.find("start", at) - at);
    EXPECT_NE(element.find("causality=\"local\" variability=\"constant\""), std::string::npos);
    const std::vector<std::string> shown = {"m/position/x", "k"};
    for (const std::vector<double>& row :
         fmu.rows("exchange", "3 " + fmu.plan(1.0, 0.002, "offset", 0.0, 0.0, shown))) {
      EXPECT_NEAR(row[1], 1.0 + 0.025 * (1.0 - std::cos(10.0 * row[0])), tolerance(1e-7));
      EXPECT_EQ(row[2], 200.0);
    }
    const CommandResult set = fmu.client("exchange", "3 " + fmu.plan(0.1, 0.01, "k", 1, 1, shown));
    EXPECT_NE(set.exit_code, 0);
  }
}

// Truth: the message names the force or block, its formula and the remedy.
TEST(FmuExport, RefusesForcesOfTimeInALinearModel) {
  for (const auto& [text, part] :
       {std::pair(lagging("[u]", "200", "20*sin(8*t)"), "force pull (20*sin(8*t)) changes"),
        std::pair(lagging("2*t"), "block valve (2*t) changes"),
        std::pair(lagging("[u]", "200 + 10*t"), "force spring (200 + 10*t) changes")}) {
    try {
      const Unpacked fmu(text, exchange(2));
      ADD_FAILURE() << part;
    } catch (const ModelError& error) {
      EXPECT_EQ(error.code(), "time-driven");
      EXPECT_NE(error.message().find(part), std::string::npos) << error.message();
      EXPECT_NE(error.fix().find("inputs"), std::string::npos);
    }
    verbs::ExportRequest run;
    EXPECT_EQ(Unpacked(text, run).outcome.states, 0U);  // co-simulation takes it
  }
}

constexpr const char* kNoError = "no error";

/// Exports matrices; returns the code of the error, or kNoError.
std::string code_of_matrices(const std::string& system,
                             const std::string& name,
                             verbs::ExportRequest request,
                             Diagnostics& told) {
  const TemporaryFolder folder;
  write_text(folder / "system.json", system);
  request.what = tools::DocumentInput(folder / "system.json");
  request.output = folder / name;
  Progress progress;
  return code_of([&] { verbs::export_fmu(request, told, progress); });
}

// Truth: the options' meanings. An option without meaning for a file is an error that names it.
TEST(FmuExport, MatricesTakeOnlyTheirOptions) {
  const std::string system = lagging("3 + [u]", "[k]");
  Diagnostics told;
  for (const char* name : {"s.mat", "s.npz", "s.csv"}) {
    EXPECT_EQ(code_of_matrices(system, name, {}, told), kNoError);
    verbs::ExportRequest wrong;
    wrong.fmi = 2;
    EXPECT_EQ(code_of_matrices(system, name, wrong, told), "usage");
    wrong = {};
    wrong.end = 2.0;
    EXPECT_EQ(code_of_matrices(system, name, wrong, told), "usage");
    wrong = {};
    wrong.kind = verbs::ExportRequest::Kind::co_simulation;
    EXPECT_EQ(code_of_matrices(system, name, wrong, told), "usage");
    wrong = {};
    wrong.mat73 = true;
    EXPECT_EQ(code_of_matrices(system, name, wrong, told),
              std::string(name) == "s.mat" ? kNoError : "usage");
  }
  EXPECT_TRUE(warns(told, "no-equilibrium", "A, B, C and D leave that out"));
  EXPECT_TRUE(warns(told, "first-order", "parameter k"));
  Diagnostics timed;
  EXPECT_EQ(code_of_matrices(lagging("[u]", "200", "20*sin(8*t)"), "s.mat", {}, timed), kNoError);
  EXPECT_TRUE(warns(timed, "time-driven", "force pull (20*sin(8*t))"));
}

// Truth: a lag of 0.1 s sampled every 0.02 s has the pole e^-0.2.
TEST(FmuExport, AStepSamplesMatrices) {
  const TemporaryFolder folder;
  write_text(folder / "system.json", lagging("[u]"));
  verbs::ExportRequest request;
  request.what = tools::DocumentInput(folder / "system.json");
  request.output = folder / "s.csv";
  request.step = 0.02;
  Diagnostics diagnostics;
  Progress progress;
  verbs::export_fmu(request, diagnostics, progress);
  const std::string text = read_text(request.output);
  EXPECT_EQ(text.substr(0, text.find(',')), "step 0.02 s");
  std::istringstream lines(text);
  double pole = 0.0;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("valve/state/1,")) {
      const CsvCells cells(line);
      pole = std::stod(std::string(cells[3]));
    }
  EXPECT_NEAR(pole, std::exp(-0.2), tolerance(1e-12));
}

// Truth: the rules of the FMI standard for names, references, units, causalities and structure.
TEST(Fmu, DescribesItself) {
  const Unpacked fmu(kPendulum);
  const std::string& xml = fmu.description;
  for (const char* part :
       {"fmiVersion=\"2.0\"",
        "modelIdentifier=\"model_one\"",
        "<ScalarVariable name=\"torque\" valueReference=\"1\" description=\"at the hinge "
        "&lt;&amp;&gt;\" "
        "causality=\"input\" variability=\"continuous\"><Real unit=\"N m\" "
        "max=\"1000000\" start=\"0\"/>",
        "causality=\"parameter\" variability=\"tunable\" initial=\"exact\"><Real unit=\"N m/rad\" "
        "min=\"0\" start=\"5\"/>",
        "<Unit name=\"N m/rad\"><BaseUnit kg=\"1\" m=\"2\" s=\"-2\" rad=\"-1\"/></Unit>",
        "<Unit name=\"m/s^2\"><BaseUnit m=\"1\" s=\"-2\"/></Unit>",
        "startTime=\"0\" stopTime=\"1\" stepSize=\"0.01\"/>"})
    EXPECT_NE(xml.find(part), std::string::npos) << part << "\n" << xml;
  // a torque does not change an angle immediately, but it changes an acceleration
  EXPECT_NE(xml.find(fmt::format("<Unknown index=\"{}\" dependencies=\"\"/>",
                                 fmu.reference("hinge/angle") + 1)),
            std::string::npos);
  EXPECT_NE(xml.find(fmt::format("<Unknown index=\"{}\"/>",
                                 fmu.reference("hinge/angle_acceleration") + 1)),
            std::string::npos);
}

// Truth: the SI brochure.
TEST(FmuUnits, AreTakenApart) {
  const auto base = tools::base_unit("kN mm/s^2");
  ASSERT_TRUE(base.has_value());
  EXPECT_EQ(base->exponents[0], 1);
  EXPECT_EQ(base->exponents[1], 2);
  EXPECT_EQ(base->exponents[2], -4);
  EXPECT_NEAR(base->factor, 1.0, 1e-15);
  EXPECT_EQ(tools::base_unit("1/s")->exponents[2], -1);
  EXPECT_EQ(tools::base_unit("rad/s")->exponents[7], 1);
  EXPECT_FALSE(tools::base_unit("furlong").has_value());
}

// Truth: what was written. Every truncation and 2000 flipped bytes of the resources lead to an
// error or to a model.
TEST(FmuResources, SurviveCutsAndFlips) {
  const Unpacked fmu(kPendulum);
  const std::string bytes = fmu::to_bytes(fmu.model);
  EXPECT_EQ(fmu::to_bytes(fmu::from_bytes(bytes)), bytes);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THROW(fmu::from_bytes(std::string_view(bytes).substr(0, size)), Error) << size;
  std::uint32_t seed = 1;
  for (int k = 0; k < 2000; ++k) {
    seed = seed * 1664525U + 1013904223U;
    std::string changed = bytes;
    changed[seed % bytes.size()] ^= static_cast<char>(1 + (seed >> 24) % 255);
    try {
      static_cast<void>(fmu::from_bytes(changed));
    } catch (const Error&) {  // an error is the expected result
    }
  }
}

// Truth: the assertions of the example script, which compare the coupled models with one system,
// and a picture.
TEST(FmuExample, CouplesTwoOnAStiffConnection) {
#ifdef FMU_PYTHON
  if (FMU_SANITIZED != 0) GTEST_SKIP() << "Python does not bring the sanitizers";
  const TemporaryFolder folder;
  if (run(fmt::format("{} -c 'import numpy, matplotlib'", FMU_PYTHON), folder.path()).exit_code !=
      0)
    GTEST_SKIP() << "numpy or Matplotlib is not there";
  const CommandResult result = run(fmt::format("{} -B {} . {}",
                                               FMU_PYTHON,
                                               data("../examples/fmu/stiff_coupling.py").string(),
                                               femflex_program().string()),
                                   folder.path());
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_GT(fs::file_size(folder / "stiff_coupling.png"), 10000U);
#else
  GTEST_SKIP() << "Python is not there";
#endif
}

// Truth: tools of the platform. The library exports only functions of the standard, and needs only
// libraries that every machine has.
TEST(FmuLibrary, ShowsAndNeedsNothingElse) {
  if (FMU_SANITIZED != 0) GTEST_SKIP() << "a sanitizer build needs its runtime";
  const TemporaryFolder folder;
  const CommandResult symbols =
      run(fmt::format("nm -D --defined-only {} | awk '{{print $3}}'", FMU_LIBRARY), folder.path());
  std::istringstream names(symbols.out);
  int count = 0;
  for (std::string name; std::getline(names, name); ++count)
    EXPECT_TRUE(name.starts_with("fmi2") || name.starts_with("fmi3")) << name;
  EXPECT_EQ(count, 44 + 75);
  const CommandResult needs =
      run(fmt::format("objdump -p {} | awk '/NEEDED/ {{print $2}}'", FMU_LIBRARY), folder.path());
  std::istringstream libraries(needs.out);
  for (std::string name; std::getline(libraries, name);)
    EXPECT_TRUE(name == "libc.so.6" || name == "libm.so.6" || name == "libstdc++.so.6" ||
                name == "libgcc_s.so.1")
        << name;
}

// Truth: the messages. What cannot be exported is refused with a message.
TEST(FmuExport, RefusesWhatItCannotDo) {
  verbs::ExportRequest linear;
  linear.kind = verbs::ExportRequest::Kind::model_exchange;
  EXPECT_EQ(code_of([&] { const Unpacked fmu(kMoved, linear); }), "not-at-rest");
  std::string still = kMoved;
  still.replace(still.find("0.1*sin(3*t)"), 12, "0*t");
  EXPECT_EQ(code_of([&] { const Unpacked fmu(still, linear); }), "motion-input");
  verbs::ExportRequest load;
  load.inputs = {"bar/tip/force/q"};
  EXPECT_EQ(code_of([&] { const Unpacked fmu(kPendulum, load); }), "usage");
  load.inputs = {"bar/nose/force/x"};
  EXPECT_NE(code_of([&] { const Unpacked fmu(kPendulum, load); }), "");
  load.inputs = {"bar/tip/force/x", "hinge/torque"};
  const Unpacked fmu(kPendulum, load);
  EXPECT_EQ(fmu.outcome.inputs, 3U);
}

}  // namespace
}  // namespace femflex::testing
