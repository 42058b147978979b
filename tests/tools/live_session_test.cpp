// Tests LiveSession, a model that runs while a user watches it, without clock, thread and network.
#include "live/live_session.h"

#include <cmath>
#include <cstring>
#include <numbers>

#include <gtest/gtest.h>

#include "document/json_text.h"
#include "lattice/lattice_json.h"
#include "live/live_gallery.h"
#include "results/results_file.h"
#include "support/support.h"

namespace femflex::testing {
namespace {

using live::LiveSession;
using live::LiveSource;
using tools::Json;

constexpr double kPicture = 1.0 / 60;  // [s]

LiveSource watched_oscillator() {
  return live::live_source_of(
      tools::parse_json(R"({ "dimension": 1, "parameters": { "k": 100, "m": 2 },
        "nodes": [ { "id": 1, "x": [0], "fixed": true }, { "id": 2, "x": [1.1], "mass": "=m" } ],
        "springs": [ { "i": 1, "j": 2, "k": "=k", "d": 1, "law": "linear" } ] })",
                        "oscillator"),
      "oscillator",
      {});
}
LiveSource watched_pendulum() {
  return live::live_source_of(
      tools::parse_json(R"({ "planar": true, "gravity": [0, -9.81, 0], "units": "m-kg-s",
        "parameters": { "length": 1 },
        "bodies": { "bob": { "point": { "mass": 3 }, "at": [0, "=-length", 0] } },
        "joints": { "rope": { "type": "distance", "a": "ground", "b": "bob" } },
        "analyses": [ { "type": "dynamic", "end": 1, "step": 0.001 } ] })",
                        "pendulum"),
      "pendulum",
      {});
}

Json words(const std::string& text) {
  return tools::parse_json(text, "command");
}
void watch(LiveSession& session, double seconds) {
  for (int k = 0; k < std::lround(seconds / kPicture); ++k)
    session.advance(kPicture);
}
double hz(LiveSession& session) {
  session.command(words(R"({ "do": "frequencies" })"));
  return session.model().frequencies(false).front().hz;
}

// Closed form: sqrt(k / m) / 2 pi with the values set by the sliders.
TEST(LiveSession, ASliderMovesAFrequencyToItsClosedForm) {
  LiveSession session(watched_oscillator());
  EXPECT_NEAR(hz(session), std::sqrt(100.0 / 2.0) / (2 * std::numbers::pi), tolerance(1e-9));
  session.command(words(R"({ "do": "set", "name": "k", "value": 450 })"));
  EXPECT_NEAR(hz(session), std::sqrt(450.0 / 2.0) / (2 * std::numbers::pi), tolerance(1e-9));
  // the middle of the slider is the first value, its end is ten times that value
  session.command(words(R"({ "do": "set", "name": "m", "at": 1 })"));
  EXPECT_NEAR(hz(session), std::sqrt(450.0 / 20.0) / (2 * std::numbers::pi), tolerance(1e-9));
  EXPECT_EQ(code_of([&] { session.command(words(R"({ "do": "set", "name": "x", "at": 1 })")); }),
            "no-parameter");
}

// Closed form: m = k / 50, so sqrt(k / m) = sqrt(50) until m gets a value of its own.
TEST(LiveSession, AParameterThatIsAFormulaHasASlider) {
  LiveSource source = watched_oscillator();
  source.document["parameters"]["m"] = Json("=k/50");
  LiveSession session(std::move(source));
  ASSERT_EQ(session.document().sliders().size(), 2U);
  EXPECT_EQ(session.document().sliders()[1].value, 2.0);
  EXPECT_EQ(session.document().sliders()[1].formula, "k/50");
  session.command(words(R"({ "do": "set", "name": "k", "value": 400 })"));
  EXPECT_EQ(session.document().sliders()[1].value, 8.0);
  EXPECT_NEAR(hz(session), std::sqrt(50.0) / (2 * std::numbers::pi), tolerance(1e-9));
  session.command(words(R"({ "do": "set", "name": "m", "value": 4 })"));
  EXPECT_NEAR(hz(session), std::sqrt(100.0) / (2 * std::numbers::pi), tolerance(1e-9));
}

// Closed form of the amplitude of the linear motion, after k changes at a known state.
TEST(LiveSession, GoesOnFromItsStateWhenAParameterChanges) {
  LiveSession session(watched_oscillator());
  session.command(words(R"({ "do": "run" })"));
  watch(session, 0.25);
  const auto before = session.model().values();
  session.command(words(R"({ "do": "set", "name": "m", "value": 5 })"));
  const auto after = session.model().values();
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t k = 0; k < before.size(); ++k)  // positions and velocities
    EXPECT_NEAR(after[k], before[k], tolerance(1e-12));
  const double x = before[2] - 1.0;
  const double v = before[3];
  const double amplitude = std::hypot(x, v / std::sqrt(100.0 / 5.0));
  double largest = 0.0;
  for (int k = 0; k < 200; ++k) {
    session.advance(kPicture);
    largest = std::max(largest, std::abs(session.model().values()[2] - 1.0));
  }
  EXPECT_NEAR(largest, amplitude, 1e-3 * amplitude);
  EXPECT_LT(session.energy_error(), 1e-3);
}

// Truth: the model time is the real time multiplied by the speed, to one step. A paused model does
// not move.
TEST(LiveSession, RunsAtTheChosenSpeedAndPauses) {
  LiveSession session(watched_oscillator());
  watch(session, 1.0);
  EXPECT_EQ(session.time(), 0.0);
  session.command(words(R"({ "do": "run" })"));
  watch(session, 2.0);
  const double step = session.model().stepping().step;
  EXPECT_NEAR(session.time(), 2.0, 2 * step);
  session.command(words(R"({ "do": "speed", "value": 0.1 })"));
  watch(session, 2.0);
  EXPECT_NEAR(session.time(), 2.2, 4 * step);
  session.command(words(R"({ "do": "pause" })"));
  const double paused = session.time();
  watch(session, 1.0);
  EXPECT_EQ(session.time(), paused);
  session.command(words(R"({ "do": "step" })"));
  EXPECT_NEAR(session.time(), paused + step, tolerance(1e-12));
  session.command(words(R"({ "do": "restart" })"));
  EXPECT_EQ(session.time(), 0.0);
}

// Truth: statics of two springs in series, one of the model and one to the pointer. The work of the
// pointer is part of the energy balance, which stays closed.
TEST(LiveSession, ADraggedNodeFollowsThePointer) {
  LiveSession session(watched_oscillator());
  session.command(words(R"({ "do": "run" })"));
  session.command(words(R"({ "do": "grab", "vertex": 1, "at": [1.5, 0, 0] })"));
  watch(session, 0.5);
  session.command(words(R"({ "do": "drag", "at": [2, 0, 0] })"));
  watch(session, 20.0);
  // the pointer's spring is as stiff as the springs at the node, so the node moves half the
  // distance
  EXPECT_NEAR(session.model().values()[2], 1.5, 1e-3);
  EXPECT_LT(session.energy_error(), 0.02);
  session.command(words(R"({ "do": "release" })"));
  watch(session, 1.0);
  EXPECT_LT(session.energy_error(), 0.02);
  EXPECT_EQ(
      code_of([&] { session.command(words(R"({ "do": "grab", "vertex": 0, "at": [0, 0, 0] })")); }),
      "held");
}

TEST(LiveSession, ReturnsToAKeptState) {
  LiveSession session(watched_oscillator());
  session.command(words(R"({ "do": "run" })"));
  watch(session, 0.5);
  session.command(words(R"({ "do": "keep-state" })"));
  const auto kept = session.model().values();
  watch(session, 0.7);
  EXPECT_NE(session.model().values(), kept);
  session.command(words(R"({ "do": "return" })"));
  EXPECT_EQ(session.model().values(), kept);
}

// Truth: a mass without its spring moves at constant speed.
TEST(LiveSession, ACutSpringPullsNoMore) {
  for (const char* law : {"linear", "quartic"}) {
    SCOPED_TRACE(law);
    LiveSource source = watched_oscillator();
    source.document["springs"].items()[0]["law"] = Json(law);
    LiveSession session(std::move(source));
    session.command(words(R"({ "do": "run" })"));
    watch(session, 0.2);
    session.command(words(R"({ "do": "cut", "path": "springs/0" })"));
    const double v = session.model().values()[3];
    ASSERT_GT(std::abs(v), 0.1);
    watch(session, 1.0);
    EXPECT_NEAR(session.model().values()[3], v, tolerance(1e-12));
    EXPECT_LT(session.energy_error(), 1e-3);
  }
}

// Closed form: a constant load moves the mean position by F / k.
TEST(LiveSession, ALoadIsAddedAndGravitySwitched) {
  LiveSession session(watched_oscillator());
  session.command(words(R"({ "do": "load", "place": "2", "force": [50, 0, 0] })"));
  session.command(words(R"({ "do": "run" })"));
  double sum = 0.0;
  const double period = 2 * std::numbers::pi * std::sqrt(2.0 / 100.0);
  const int count = 400;
  for (int k = 0; k < count; ++k) {
    session.advance(5 * period / count);
    sum += session.model().values()[2];
  }
  EXPECT_NEAR(sum / count, 1.5, 0.01);
  EXPECT_FALSE(session.status().find("gravity")->boolean());
  session.command(words(R"({ "do": "gravity", "on": true })"));
  EXPECT_TRUE(session.status().find("gravity")->boolean());
}

// Truth: the largest stable step of leapfrog, 2 / omega.
TEST(LiveSession, TellsOfAnUnstableStepBeforeItIsMade) {
  LiveSession session(watched_oscillator());
  EXPECT_NEAR(session.model().stepping().stable_step, 2.0 / std::sqrt(50.0), 1e-3);
  session.command(words(R"({ "do": "run" })"));
  const Json status = session.command(words(R"({ "do": "stepping", "step": 0.4 })"));
  EXPECT_FALSE(session.is_running());
  EXPECT_NE(status.find("message")->text().find("not stable"), std::string::npos);
  // a slider that makes the model too stiff also gives the message
  session.command(words(R"({ "do": "stepping", "step": 0.2 })"));
  session.command(words(R"({ "do": "run" })"));
  session.command(words(R"({ "do": "set", "name": "k", "value": 1000 })"));
  EXPECT_FALSE(session.is_running());
}

/// Positions of the vertices of the next picture.
std::vector<float> drawn_places(LiveSession& session) {
  std::vector<float> out;
  session.model().places(out);
  return out;
}

// Truth: geometry. An arrow points from its node along the load, which varies with cos(pi t). The
// bracket of a hinge starts and ends on the two springs and is visible beside them even if they are
// in line.
TEST(LiveSession, DrawsHingesAndLoads) {
  const double step = 0.01;
  const Json document = words(R"json({ "dimension": 2, "step": 0.01,
        "nodes": [ { "id": 1, "x": [0, 0], "fixed": true }, { "id": 2, "x": [1, 0], "fixed": true },
                   { "id": 3, "x": [2, 0], "mass": 1e9 } ],
        "springs": [ { "i": 1, "j": 2, "k": 1 }, { "i": 2, "j": 3, "k": 1 } ],
        "rotational_springs": [ { "a": 1, "b": 2, "k": 5 } ],
        "loads": [ { "node": 3, "force": [0, 2], "history": "cos(pi*t)" } ] })json");
  LiveSession session(live::live_source_of(document, "signs", {}));
  const live::Drawing& drawing = session.model().drawing();
  EXPECT_EQ(drawing.grips, 3U);
  EXPECT_EQ(drawing.vertices, 3U + 3U + 4U);
  EXPECT_EQ(drawing.first_sign_line, 2U);
  EXPECT_EQ(drawing.item_of_line.size(), 2U + 2U + 3U);
  std::vector<float> at = drawn_places(session);
  EXPECT_GT(at[9], 0.5F);  // start on the first spring, middle beside the springs, end on the
                           // second spring
  EXPECT_EQ(at[10], 0.0F);
  EXPECT_NEAR(at[12], 1.0, 1e-6);
  EXPECT_NE(at[13], 0.0F);
  EXPECT_LT(at[15], 1.5F);
  EXPECT_EQ(at[16], 0.0F);
  EXPECT_EQ(at[18], 2.0F);  // the arrow from start to tip
  EXPECT_NEAR(at[21], 2.0, 1e-6);
  EXPECT_GT(at[22], 0.0F);
  for (int k = 0; k < std::lround(1.0 / step); ++k)
    session.command(words(R"({ "do": "step" })"));
  at = drawn_places(session);
  EXPECT_LT(at[22], at[19]);
  // these symbols can be picked but not dragged
  const Json hinge = session.command(words(R"({ "do": "pick", "line": 2 })"));
  EXPECT_EQ(hinge.find("answer")->find("path")->text(), "rotational_springs/0");
  const Json load = session.command(words(R"({ "do": "pick", "line": 4 })"));
  EXPECT_EQ(load.find("answer")->find("path")->text(), "loads/0");
  EXPECT_EQ(
      code_of([&] { session.command(words(R"({ "do": "grab", "vertex": 3, "at": [0, 0, 0] })")); }),
      "no-node");
}

// Truth: a mass without its load moves at constant speed; a hinge without stiffness has no moment.
TEST(LiveSession, CutsLoadsAndHinges) {
  LiveSource source = watched_oscillator();
  source.document["springs"].items()[0]["k"] = 0.0;
  source.document["springs"].items()[0]["law"] = "linear";
  source.document["loads"] = words(R"([ { "node": 2, "force": [3] } ])");
  LiveSession session(std::move(source));
  session.command(words(R"({ "do": "run" })"));
  watch(session, 0.5);
  session.command(words(R"({ "do": "cut", "path": "loads/0" })"));
  const double v = session.model().values()[3];
  EXPECT_NEAR(v, 0.75, 0.02);
  watch(session, 0.5);
  EXPECT_NEAR(session.model().values()[3], v, tolerance(1e-12));
  EXPECT_LT(session.energy_error(), 1e-3);
  for (const char* path : {"loads/0", "springs/7", "springs/x", "nodes/0", "springs/"})
    EXPECT_EQ(code_of([&] {
                Json cut = words(R"({ "do": "cut" })");
                cut["path"] = path;
                session.command(cut);
              }),
              "no-spring")
        << path;
  for (const char* place : {"", "x", "2x", "1e1"})
    EXPECT_EQ(code_of([&] {
                Json load = words(R"({ "do": "load", "force": [1, 0, 0] })");
                load["place"] = place;
                session.command(load);
              }),
              "no-node")
        << place;
}

// Closed form: a chain of n masses, fixed at both ends, has the frequencies 2 sqrt(k / m) sin(j pi
// / (2 n + 2)). With damping c of every mass each damping ratio is c / (2 m omega).
TEST(LiveSession, ALargeLatticeGivesItsLowestFrequenciesOnRequest) {
  const int n = 400;
  const double k = 50.0, m = 0.2, c = 0.01;
  Json document = words(R"({ "dimension": 1, "nodes": [], "springs": [] })");
  for (int i = 0; i <= n + 1; ++i) {
    Json node = Json::object();
    node["id"] = i;
    node["x"] = std::vector<double>{static_cast<double>(i)};
    node["mass"] = m;
    node["damping"] = c;
    if (i == 0 || i == n + 1) node["fixed"] = true;
    document["nodes"].push_back(node);
    if (i == 0) continue;
    Json spring = words(R"({ "law": "linear", "d": 1 })");
    spring["i"] = i - 1;
    spring["j"] = i;
    spring["k"] = k;
    document["springs"].push_back(spring);
  }
  LiveSession session(live::live_source_of(document, "chain", {}));
  EXPECT_TRUE(session.model().frequencies(false).empty());
  const auto lowest = session.model().frequencies(true);
  ASSERT_EQ(lowest.size(), 20U);
  for (std::size_t j = 0; j < lowest.size(); ++j) {
    const double omega = 2.0 * std::sqrt(k / m) *
                         std::sin(static_cast<double>(j + 1) * std::numbers::pi / (2.0 * n + 2.0));
    EXPECT_NEAR(2.0 * std::numbers::pi * lowest[j].hz, omega, tolerance(1e-6) * omega);
    EXPECT_NEAR(lowest[j].damping, c / (2.0 * m * omega), 1e-5 * lowest[j].damping);
  }
  // without the request the page says that frequencies are computed on request
  const std::string bytes = session.picture();
  EXPECT_NE(bytes.find("computed on request"), std::string::npos);
}

TEST(LiveSession, NamesANumberOfAPickedSpring) {
  LiveSession session(watched_oscillator());
  const Json status = session.command(words(R"({ "do": "pick", "line": 0 })"));
  EXPECT_EQ(status.find("answer")->find("name")->text(), "spring 1");
  session.command(words(R"({ "do": "name", "path": "springs/0/d", "name": "rest" })"));
  session.command(words(R"({ "do": "set", "name": "rest", "value": 1.05 })"));
  EXPECT_EQ(tools::read_lattice_json(session.document().json()).lattice.springs[0].rest_length,
            1.05);
  EXPECT_EQ(code_of([&] {
              session.command(words(R"({ "do": "name", "path": "springs/0/k", "name": "2x" })"));
            }),
            "bad-name");
}

// Truth: the document. A node shows the load and the hinge that act on it, the model shows its
// gravity.
TEST(LiveSession, PicksWhatActsAtANode) {
  LiveSource source = watched_oscillator();
  source.document["gravity"] = 1.5;
  source.document["loads"] = Json::list();
  source.document["loads"].push_back(words(R"({ "node": 2, "force": [7] })"));
  LiveSession session(std::move(source));
  const auto labels = [&](const std::string& what) {
    std::string out;
    const Json status = session.command(words(what));
    for (const Json& field : status.find("answer")->find("fields")->items())
      out += field.find("label")->text() + " ";
    return out;
  };
  EXPECT_EQ(labels(R"({ "do": "pick", "vertex": 1 })"), "x/0 mass 0: force/0 ");
  EXPECT_EQ(labels(R"({ "do": "pick" })"), "gravity ");
  session.command(words(R"({ "do": "name", "path": "loads/0/force/0", "name": "pull" })"));
  EXPECT_EQ(session.document().sliders().back().name, "pull");
}

// Truth: the saved files. The model contains the changed number, the result contains the rows.
TEST(LiveSession, KeepsTheChangedModelAndTheRun) {
  const TemporaryFolder folder;
  LiveSession session(watched_oscillator(), folder.path());
  session.command(words(R"({ "do": "set", "name": "k", "value": 321 })"));
  session.command(words(R"({ "do": "run" })"));
  watch(session, 0.5);
  session.command(words(R"({ "do": "keep" })"));
  const Json model = tools::read_json_file(folder / "oscillator-kept-1.json");
  EXPECT_EQ(tools::read_lattice_json(model).lattice.springs[0].stiffness, 321.0);
  const tools::ResultSeries run = tools::read_results(folder / "oscillator-kept-1.h5");
  EXPECT_EQ(run.time.size(), 30);
  EXPECT_GE(run.find("2/position/x"), 0);
  session.command(words(R"({ "do": "keep" })"));
  EXPECT_TRUE(std::filesystem::exists(folder / "oscillator-kept-2.json"));
}

// Closed form: sqrt(g / l) / 2 pi.
TEST(LiveSession, ASystemHasItsFrequencyAndAHand) {
  LiveSession session(watched_pendulum());
  EXPECT_NEAR(hz(session), std::sqrt(9.81) / (2 * std::numbers::pi), 1e-4);
  session.command(words(R"({ "do": "set", "name": "length", "value": 4 })"));
  session.command(words(R"({ "do": "restart" })"));
  EXPECT_NEAR(hz(session), std::sqrt(9.81 / 4) / (2 * std::numbers::pi), 1e-4);
  session.command(words(R"({ "do": "run" })"));
  session.command(words(R"({ "do": "grab", "vertex": 0, "at": [2, -3.4641, 0] })"));
  watch(session, 10.0);
  const auto& channels = session.model().channels();
  for (std::size_t c = 0; c < channels.size(); ++c)
    if (channels[c].name == "bob/position/x") {
      EXPECT_GT(session.model().values()[c], 1.5);
    }
  session.command(words(R"({ "do": "release" })"));
  watch(session, 1.0);
  EXPECT_LT(session.energy_error(), 0.02);
}

// Truth: the layout documented in live_session.h.
TEST(LiveSession, SendsPicturesInTheDocumentedLayout) {
  LiveSession session(watched_oscillator());
  const std::string bytes = session.picture();
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof length);
  const Json head = tools::parse_json(bytes.substr(4, length), "picture");
  EXPECT_EQ(head.find("arrays")->items()[0].find("count")->number(), 6.0);
  float x = 0.0F;
  const std::size_t begin = 4 + (length + 3) / 4 * 4;
  std::memcpy(&x, bytes.data() + begin + 3 * sizeof x, sizeof x);
  EXPECT_FLOAT_EQ(x, 1.1F);
}

// Conservation of energy: every model of the gallery runs for half a minute. The error of the
// energy balance stays below two thousandths of the energy.
TEST(LiveSession, TheGalleryRunsWithAClosedAccount) {
  constexpr double kHalfMinute = 30.0;
  std::size_t count = 0;
  for (LiveSource& source : live::gallery()) {
    const std::string name = source.name;
    LiveSession session(std::move(source));
    session.command(words(R"({ "do": "run" })"));
    watch(session, kHalfMinute);
    EXPECT_TRUE(session.is_running()) << name << ": " << session.status().find("message")->text();
    EXPECT_NEAR(session.time(), kHalfMinute, 0.02) << name;
    EXPECT_LT(session.energy_error(), 2e-3) << name;
    EXPECT_FALSE(session.status().find("sliders")->items().empty()) << name;
    ++count;
  }
  EXPECT_EQ(count, 10U);
}

}  // namespace
}  // namespace femflex::testing
