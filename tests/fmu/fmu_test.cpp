// FMUs as a client in C sees them: trajectories against simulate(), saved states, rollbacks,
// threads, derivatives, refusals, the symbols of the library, and what modelDescription.xml says.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "femflex/diagnostics.h"
#include "femflex/mbd_solver/results.h"
#include "femflex/mbd_solver/simulate.h"
#include "femflex/progress.h"

#include "document/base_unit.h"
#include "fmu/fmu_model.h"
#include "support/support.h"
#include "system/system_json.h"
#include "verbs/export_fmu.h"

namespace femflex::testing {
namespace {

namespace fs = std::filesystem;

/// A pendulum driven by a torque, with a spring of a tunable stiffness.
constexpr const char* kPendulum = R"json({
  "name": "driven pendulum", "gravity": [0, 0, -9.81],
  "inputs": {
    "torque": { "unit": "N m", "value": "3*sin(4*t)", "description": "at the hinge <&>" },
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

/// Two masses on a rail with a spring between them, the first one moved by hand.
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

/// An exported and unpacked FMU.
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

  /// What the client prints.
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
  /// Stop, step, the driven input and the outputs, as arguments of the client.
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

/// The same system in simulate(), with the input's value replaced.
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

/// Largest difference between the client's columns and the channels.
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

// Truth: simulate(). Without exchange both take the same steps, up to the round-off of their times;
// Newton's method leaves errors of 1e-6 in accelerations.
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

// Truth: simulate(). A motion goes to its input's value within a step: it lags by one step, and not
// at all with rates.
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

// Truth: the run without a pause, bit for bit, in another process.
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

// Truth: one instance alone.
TEST(Fmu, RunsInManyThreadsAsInOne) {
  const Unpacked fmu(kPendulum);
  const std::string plan = fmu.plan(0.5, 0.01, "torque", 3.0, 4.0, kShown);
  const Rows rows = fmu.rows("threads", "20 " + plan);
  ASSERT_EQ(rows.size(), 20U);
  const Rows alone = fmu.rows("run", plan);
  for (const std::vector<double>& row : rows)
    EXPECT_EQ(row, alone.back());
}

// Truth: the switch in the formula, the samples, and the run without event mode. A client that may
// not wait ends a step where it wants.
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

// Truth: differences, and the transpose. A torque moves accelerations and reactions at once, and
// neither angle nor position.
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
  // about the hinge: 0.2 + 2 * 0.5^2 [kg m^2]
  EXPECT_NEAR(rows[2][0], 1.0 / 0.7, tolerance(1e-9));
}

// Truth: the standard. Every mistake has a status and a message, and the instance goes on; after a
// reset it runs again as before.
TEST(Fmu, RefusesWhatMakesNoSense) {
  const Unpacked fmu(kPendulum);
  const CommandResult result =
      fmu.client("refuse", fmu.plan(0.1, 0.01, "torque", 0.0, 0.0, {"hinge/angle"}));
  ASSERT_EQ(result.exit_code, 0) << result.err << result.out;
  for (const char* line : {"token 1", "kind 1", "resources 1"})
    EXPECT_NE(result.out.find(std::string(line) + "\n"), std::string::npos) << result.out;
  int logs = 0;
  for (std::size_t at = result.out.find("log "); at != std::string::npos;
       at = result.out.find("log ", at + 1))
    ++logs;
  EXPECT_EQ(logs, 16) << result.out;
  for (const char* what : {"nan",
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

// Truth: the closed form of an oscillator. m x'' + c x' + k x = F sin(w t).
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

// Truth: the standard's rules for names, references, units, causalities and the structure.
TEST(Fmu, DescribesItself) {
  const Unpacked fmu(kPendulum);
  const std::string& xml = fmu.description;
  for (const char* part :
       {"fmiVersion=\"2.0\"",
        "modelIdentifier=\"model_one\"",
        "<ScalarVariable name=\"torque\" valueReference=\"1\" description=\"at the hinge "
        "&lt;&amp;&gt;\" "
        "causality=\"input\" variability=\"continuous\"><Real unit=\"N m\" start=\"0\"/>",
        "causality=\"parameter\" variability=\"tunable\" initial=\"exact\"><Real unit=\"N m/rad\" "
        "min=\"0\" start=\"5\"/>",
        "<Unit name=\"N m/rad\"><BaseUnit kg=\"1\" m=\"2\" s=\"-2\" rad=\"-1\"/></Unit>",
        "<Unit name=\"m/s^2\"><BaseUnit m=\"1\" s=\"-2\"/></Unit>",
        "startTime=\"0\" stopTime=\"1\" stepSize=\"0.01\""})
    EXPECT_NE(xml.find(part), std::string::npos) << part << "\n" << xml;
  // an angle does not follow a torque at once, an acceleration does
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

// Truth: what was written. Every cut and 2,000 flips of the resources end in an error or in a
// model.
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
    } catch (const Error&) {  // that is what is expected
    }
  }
}

// Truth: the claims that the script asserts against one system, and a picture.
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

// Truth: the tools of the platform. The library shows the functions of the standard alone and needs
// the libraries that every machine has.
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

// Truth: the messages. What cannot be exported says so.
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
