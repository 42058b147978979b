// Tests damage, counted signals, schedules and preload of `femflex stress` as a user runs it.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "femflex/diagnostics.h"
#include "femflex/flex_body.h"
#include "femflex/progress.h"

#include "body/inputs.h"
#include "results/results_file.h"
#include "stress_fixture.h"

namespace femflex::testing {
namespace {

using tools::Json;

// Truth: one mode under a white-noise force. The variance of its coordinate is phi^2 G / (8 D w^3
// m^2); all stresses are the root of this variance times the stresses of the mode [Crandall 1963].
TEST_F(Stress, UnderARandomForceIsTheClosedFormOfAMode) {
  simulate();
  write_text(femflex_.file("random.json"), R"json({
    "femflex": 1, "units": "m-kg-s",
    "bodies": { "bracket": { "flex": "bracket.fbm", "damping": 0.02, "modes": { "enable": "1" } } },
    "joints": { "wall": { "type": "fixed", "a": "ground", "b": "bracket" } },
    "inputs": { "push": { "unit": "N", "value": 0 } },
    "forces": { "end": { "type": "force", "on": "bracket/9", "value": [0, "push", 0] } } })json");
  Diagnostics diagnostics;
  const FlexBody body =
      tools::load_body(femflex_.file("bracket.fbm"), std::nullopt, diagnostics, no_progress());
  const double omega = std::sqrt(body.stiffness(0, 0) / body.mass(0, 0));
  const double highest = 20.0 * omega / (2.0 * std::numbers::pi);
  write_text(femflex_.file("white.csv"), fmt::format("hz,push\n0,2.5\n{},2.5\n", highest));
  const double phi = body.shapes(6 * find_node(body, 9) + 1, 0);
  const double rms =
      std::abs(phi) / body.mass(0, 0) * std::sqrt(2.5 / (8.0 * 0.02 * std::pow(omega, 3)));
  done("stress bracket.fbm --csv mode.csv");
  done("stress random.json --spectrum white.csv --csv random.csv");
  const CsvRows modes = read_rows(femflex_.file("mode.csv"));
  const CsvRows random = read_rows(femflex_.file("random.csv"));
  ASSERT_EQ(random.rows.size(), 2U);
  for (std::size_t k = 0; k < random.rows.size(); ++k) {
    const auto is_same = [&](const std::map<std::string, std::string>& row) {
      return row.at("shape") == "1" && row.at("element") == random.rows[k].at("element");
    };
    const auto mode = std::find_if(modes.rows.begin(), modes.rows.end(), is_same);
    ASSERT_NE(mode, modes.rows.end());
    const double expected = rms * std::stod(mode->at("von_mises"));
    EXPECT_NEAR(random.number(k, "von_mises_rms"), expected, tolerance(2e-3) * expected);
  }
  const std::string curve = " --curve " + quoted("durability/soft.json");
  expect_schema("stress random.json --spectrum white.csv" + curve);
  expect_schema("stress --spectrum white.csv" + curve);
  // the narrow-band method gives at least the damage of Dirlik's method
  const auto damage = [&](const std::string& method) {
    return femflex_
        .json("stress random.json --spectrum white.csv --spectral-method " + method + curve)
        .find("rows")
        ->items()
        .front()
        .find("damage_per_s")
        ->number();
  };
  EXPECT_GT(damage("dirlik"), 0.0);
  EXPECT_GT(damage("narrow-band"), damage("dirlik"));
  write_text(femflex_.file("other.csv"), "hz,pull\n0,1\n9,1\n");
  EXPECT_NE(code("stress random.json --spectrum other.csv"), "no error");
  for (const char* delay : {"inf", "nan", "5-10", "0.25 Hz"}) {
    write_text(femflex_.file("late.csv"), fmt::format("hz,push@{}\n0,1\n9,1\n", delay));
    EXPECT_EQ(code("stress random.json --spectrum late.csv"), "no-spectrum") << delay;
  }
  EXPECT_EQ(code("stress random.json"), "usage");
  EXPECT_EQ(code("stress bracket.fbm --spectrum white.csv"), "usage");
  EXPECT_EQ(code("stress --spectrum white.csv --rainflow white.csv"), "usage");
}

/// Writes chain.bdf and chain.pch: 600 rods, 0.1 m long, A = 1e-4 m^2, along x, held at node 1.
void write_chain(const Program& to) {
  constexpr int kRods = 600;
  constexpr double kStiffness = 2.1e11 * 1e-4 / 0.1;
  constexpr double kMass = 7850.0 * 1e-4 * 0.1;
  std::string deck = "BEGIN BULK\nMAT1,1,2.1E11,,0.3,7850.\nPROD,1,1,1.E-4\n";
  std::string matrices;
  for (int node = 1; node <= kRods + 1; ++node)
    deck += fmt::format("GRID,{},,{},0.,0.,,{}\n", node, 0.1 * node, node == 1 ? 123456 : 23456);
  for (int rod = 1; rod <= kRods; ++rod)
    deck += fmt::format("CROD,{},1,{},{}\n", rod, rod, rod + 1);
  const auto add = [&](const char* name, double own, double next) {
    matrices += fmt::format("DMIG,{},0,6,2,0\n", name);
    for (int node = 2; node <= kRods + 1; ++node) {
      const double value = node <= kRods ? own : 0.5 * own;
      matrices += fmt::format("DMIG,{0},{1},1,,{1},1,{2:.16e}\n", name, node, value);
      if (node > 2)
        matrices += fmt::format("DMIG,{},{},1,,{},1,{:.16e}\n", name, node, node - 1, next);
    }
  };
  add("KAAX", 2.0 * kStiffness, -kStiffness);
  add("MAAX", 2.0 / 3.0 * kMass, kMass / 6.0);
  write_text(to.file("chain.bdf"), deck + "ENDDATA\n");
  write_text(to.file("chain.pch"), matrices);
}

// Truth: F / A in every rod of a chain under a force far below its first mode (22 Hz); a flat
// density of 2 N^2/Hz up to 0.2 Hz has the rms sqrt(0.4) N. Elements are computed in blocks.
TEST_F(Stress, OfARandomForceIsThatOfEveryElementWithAnyNumberOfThreads) {
  write_chain(femflex_);
  done("import chain.bdf chain.pch --units m-kg-s --name chain -o chain.fe.h5");
  done(
      "reduce chain.bdf chain.pch --units m-kg-s --name chain --method guyan --interface 601 "
      "-o chain.fbm");
  write_text(femflex_.file("chain.json"), R"json({
    "femflex": 1, "units": "m-kg-s",
    "bodies": { "chain": { "flex": "chain.fbm", "damping": 0.02 } },
    "joints": { "wall": { "type": "fixed", "a": "ground", "b": "chain" } },
    "inputs": { "push": { "unit": "N", "value": 0 } },
    "forces": { "end": { "type": "force", "on": "chain/601", "value": ["push", 0, 0] } } })json");
  write_text(femflex_.file("low.csv"), "hz,push\n0,2\n0.2,2\n");
  const double expected = std::sqrt(0.4) / 1e-4;
  for (const char* threads : {" --threads 1", " --threads 2", " --threads 3", ""}) {
    done(std::string("stress chain.json --model chain.fe.h5 --spectrum low.csv --csv low_rms.csv") +
         threads);
    const CsvRows rows = read_rows(femflex_.file("low_rms.csv"));
    ASSERT_EQ(rows.rows.size(), 600U) << threads;
    for (std::size_t k = 0; k < rows.rows.size(); ++k)
      EXPECT_NEAR(rows.number(k, "von_mises_rms"), expected, 1e-3 * expected) << threads;
  }
}

// Truth: ASTM E1049 and a calculation by hand. The ranges 3, 4, 6, 8, 9 MPa have the counts 0.5,
// 1.5, 0.5, 1, 0.5; N = 2e6 (range / 0.2)^-5.
TEST_F(Stress, CountsSignals) {
  const std::string words = "stress --rainflow " + quoted("durability/astm.csv") + " --curve " +
                            quoted("durability/soft.json");
  const Json document = femflex_.json(words + " --csv cycles.csv");
  const Json& signal = document.find("signals")->items().front();
  const auto n = [](double range) { return 2e6 * std::pow(range / 0.2, -5.0); };
  const double expected = 0.5 / n(3) + 1.5 / n(4) + 0.5 / n(6) + 1.0 / n(8) + 0.5 / n(9);
  EXPECT_NEAR(signal.find("damage")->number(), expected, tolerance(1e-12) * expected);
  EXPECT_EQ(signal.find("cycles")->number(), 4.0);
  EXPECT_EQ(signal.find("largest_range")->number(), 9.0);
  EXPECT_EQ(read_rows(femflex_.file("cycles.csv")).rows.size(), 7U);
  expect_schema(words);
  write_text(femflex_.file("empty.csv"), "t,a\n");  // no damage would be a false comfort
  EXPECT_EQ(code("stress --rainflow empty.csv"), "no-rows");
}

// Truth: the same signal in MPa, Pa and ksi. A signal that is not a stress is refused.
TEST_F(Stress, HeadsOfSignalsNameTheirUnits) {
  const auto damage = [&](const std::string& table, const std::string& options) {
    write_text(femflex_.file("signal.csv"), table);
    const Json document = femflex_.json("stress " + options + " signal.csv --curve " +
                                        quoted("durability/soft.json"));
    const Json& signal = document.find("signals")->items().front();
    EXPECT_EQ(signal.find("name")->text(), "a");
    return signal.find(options == "--rainflow" ? "damage" : "damage_per_s")->number();
  };
  const double plain = damage("t,a\n0,0\n1,2\n2,0\n", "--rainflow");
  EXPECT_EQ(damage("t,a [MPa]\n0,0\n1,2\n2,0\n", "--rainflow"), plain);
  EXPECT_NEAR(damage("t,a [Pa]\n0,0\n1,2e6\n2,0\n", "--rainflow"), plain, tolerance(1e-12) * plain);
  EXPECT_NEAR(
      damage("t,a [ksi]\n0,0\n1,0.290075475\n2,0\n", "--rainflow"), plain, tolerance(1e-7) * plain);
  done("stress --rainflow signal.csv --channels 'a [ksi]'");
  // columns of one name are counted each by itself, and brackets with a number are part of a name
  write_text(femflex_.file("two.csv"), "t,a [MPa],a [N/mm^2]\n0,0,0\n1,1,2\n2,0,0\n");
  const Json two =
      femflex_.json("stress --rainflow two.csv --curve " + quoted("durability/soft.json"));
  EXPECT_EQ(two.find("signals")->items()[1].find("damage")->number(), plain);
  EXPECT_EQ(code("stress --rainflow two.csv --channels a"), "channel-twice");
  write_text(femflex_.file("two.csv"), "t,x[1],x[2]\n0,0,0\n1,1,2\n2,0,0\n");
  const Json indexed = femflex_.json("stress --rainflow two.csv --channels 'x[2]'");
  EXPECT_EQ(indexed.find("signals")->items()[0].find("largest_range")->number(), 2.0);
  const double density = damage("hz,a\n1,4\n3,4\n", "--spectrum");
  EXPECT_NEAR(damage("hz,a [Pa^2/Hz]\n1,4e12\n3,4e12\n", "--spectrum"),
              density,
              tolerance(1e-12) * density);
  const auto refused = [&](const std::string& table, const std::string& options) {
    write_text(femflex_.file("signal.csv"), table);
    return code("stress " + options + " signal.csv --curve " + quoted("durability/soft.json"));
  };
  EXPECT_EQ(refused("t,a [N]\n0,0\n1,2\n", "--rainflow"), "unit");
  EXPECT_EQ(refused("t,a [furlong]\n0,0\n1,2\n", "--rainflow"), "unit");
  EXPECT_EQ(refused("hz,a [MPa]\n1,4\n3,4\n", "--spectrum"), "unit");
  // the frequencies would be 2 pi or 1000 times too large or too small
  EXPECT_EQ(refused("omega [rad/s],a\n1,4\n3,4\n", "--spectrum"), "unit");
  EXPECT_EQ(refused("f [kHz],a\n1,4\n3,4\n", "--spectrum"), "unit");
  EXPECT_EQ(damage("f [Hz],a\n1,4\n3,4\n", "--spectrum"), density);
  // without a column of time the first signal would be left out
  EXPECT_EQ(refused("a,b\n0,4\n5,1\n-3,2\n", "--rainflow"), "time-order");
  write_text(femflex_.file("units.csv"), "hz,a [MPa^2/Hz],b\n1,4,4\n3,4,4\n");
  const Json spectra = femflex_.json("stress --spectrum units.csv");
  EXPECT_EQ(spectra.find("signals")->items()[0].find("unit")->text(), "MPa");
  EXPECT_EQ(spectra.find("signals")->items()[1].find("unit")->text(), "");
  EXPECT_EQ(refused("t\n0\n1\n", "--rainflow"), "no-signals");
}

// Truth: half a motorway run of 2 km and a quarter of a rough one of 0.5 km: damage per km is
// D_1 / 4 + D_2 / 2, with the damage of each run by itself.
TEST_F(Stress, SchedulesSumTheDamageOfRuns) {
  simulate();
  done("simulate bracket.json --output-step 5e-5 -o smooth.h5");
  write_text(femflex_.file("line.json"),
             R"({"unit": "Pa", "stress": "amplitude", "slope": 5, "knee": 1e5,
                 "knee_cycles": 1e6, "below_knee": "elementary"})");
  const auto worst = [&](const std::string& words, const char* member) {
    return femflex_.json(words + " --curve line.json --at corners")
        .find("rows")
        ->items()
        .front()
        .find(member)
        ->number();
  };
  const double first = worst("stress run.h5", "damage");
  const double second = worst("stress smooth.h5", "damage");
  write_text(femflex_.file("schedule.json"),
             R"({"unit": "km", "target": 1000, "runs": [
                 {"result": "run.h5", "length": 2, "share": 0.5},
                 {"result": "smooth.h5", "length": 0.5, "share": 0.25}]})");
  const double per_km = 0.25 * first + 0.5 * second;
  const std::string words = "stress --schedule schedule.json --curve line.json --at corners";
  const Json document = femflex_.json(words + " --csv life.csv");
  EXPECT_EQ(schema_fault(tools::read_json_file(data("../tools/schemas/stress.json")), document),
            "");
  const Json& row = document.find("rows")->items().front();
  EXPECT_NEAR(row.find("damage_per_unit")->number(), per_km, tolerance(1e-6) * per_km);
  EXPECT_NEAR(row.find("life")->number() * per_km, 1.0, tolerance(1e-6));
  EXPECT_NEAR(document.find("damage_at_target")->number(), 1000.0 * per_km, 1e-3 * per_km);
  EXPECT_NEAR(document.find("undamaging_share")->number(), 0.25, tolerance(1e-12));
  for (const Json& run : document.find("runs")->items())
    EXPECT_EQ(run.find("source")->find("way")->text(), "computed");
  const CsvRows table = read_rows(femflex_.file("life.csv"));
  double largest = 0.0;
  for (std::size_t k = 0; k < table.rows.size(); ++k)
    largest = std::max(largest, table.number(k, "damage_per_km"));
  EXPECT_EQ(largest, row.find("damage_per_unit")->number());

  // ten passes of one run and three of the other, without a length
  write_text(femflex_.file("passes.json"),
             R"({"runs": [{"result": "run.h5", "repeats": 10},
                          {"result": "smooth.h5", "repeats": 3}]})");
  EXPECT_NEAR(worst("stress --schedule passes.json", "damage_per_unit"),
              10.0 * first + 3.0 * second,
              tolerance(1e-6) * first);

  for (const char* runs :
       {R"({"runs": []})",
        R"({"runs": [{"result": "run.h5"}]})",
        R"({"runs": [{"result": "run.h5", "share": 1}]})",
        R"({"unit": "km", "runs": [{"result": "run.h5", "share": 1}]})",
        R"({"unit": "parsec", "runs": [{"result": "run.h5", "length": 1, "share": 1}]})",
        R"({"unit": "km", "runs": [{"result": "run.h5", "length": 1, "share": 1.2}]})",
        R"({"unit": "km", "runs": [{"result": "run.h5", "length": -1, "share": 1}]})",
        R"({"runs": [{"result": "missing.h5", "repeats": 1}]})"}) {
    write_text(femflex_.file("bad.json"), runs);
    EXPECT_NE(code("stress --schedule bad.json --curve line.json"), "no error") << runs;
  }
  EXPECT_EQ(code("stress --schedule schedule.json"), "usage");
  EXPECT_EQ(code("stress run.h5 --schedule schedule.json --curve line.json"), "usage");
  EXPECT_EQ(code("stress --schedule schedule.json --curve line.json --view page.html"), "usage");
}

// Truth: linearity. The history with the preload is that of the run plus the stress of the
// preload's static shape, from the table of that shape; damage is that of the summed history
// counted as a plain signal, with its mean stress.
TEST_F(Stress, APreloadIsAddedToTheRun) {
  simulate();
  import("C3D20", "element_stress/held/C3D20.inp", "bolts.fe.h5");
  done("modes bolts.fe.h5 --static");
  done("stress bolts.fe.h5 --elements 1 --csv state.csv");
  done("stress run.h5 --history 1 -o alone.csv");
  done("stress run.h5 --history 1 --preload bolts.fe.h5 -o both.csv");
  const tools::ResultSeries alone = tools::read_csv(femflex_.file("alone.csv"));
  const tools::ResultSeries both = tools::read_csv(femflex_.file("both.csv"));
  const CsvRows state = read_rows(femflex_.file("state.csv"));
  for (const char* component : {"xx", "yy", "zz", "xy", "yz", "zx"}) {
    const std::string name = std::string("bracket/1-centre-1-none/stress/") + component;
    const Eigen::VectorXd expected =
        alone.values.col(alone.find(name)).array() + state.number(0, component);
    const double scale = std::abs(state.number(0, "von_mises"));
    EXPECT_LT((both.values.col(both.find(name)) - expected).cwiseAbs().maxCoeff(),
              tolerance(1e-6) * scale)
        << component;
  }
  // in Pa, since a table of a run names no units
  write_text(femflex_.file("fkm.json"),
             R"({"unit": "Pa", "stress": "range", "slope": 5, "knee": 2e5, "knee_cycles": 2e6,
                 "below_knee": "elementary", "mean_stress": {"rule": "fkm", "M": 0.3}})");
  const auto first_row = [&](const std::string& words, const char* member) {
    return femflex_.json(words + " --curve fkm.json")
        .find("rows")
        ->items()
        .front()
        .find(member)
        ->number();
  };
  const std::string run = "stress run.h5 --elements 1 --preload bolts.fe.h5:1";
  expect_schema(run + " --curve fkm.json");
  const double damage = first_row(run, "damage");
  EXPECT_NE(damage, first_row("stress run.h5 --elements 1", "damage"));
  const Json counted = femflex_.json(
      "stress --rainflow both.csv --curve fkm.json --channels "
      "bracket/1-centre-1-none/stress/signed_von_mises");
  EXPECT_NEAR(counted.find("signals")->items().front().find("damage")->number(),
              damage,
              tolerance(1e-6) * damage);
  write_text(femflex_.file("one.json"), R"({"runs": [{"result": "run.h5", "repeats": 2}]})");
  EXPECT_NEAR(
      first_row("stress --schedule one.json --elements 1 --preload bolts.fe.h5", "damage_per_unit"),
      2.0 * damage,
      tolerance(1e-9) * damage);
  done("stress run.h5 --preload bolts.fe.h5 --view page.html --vtk run.pvd --report report.html");

  // a .frd of CalculiX with means at nodes serves corners of solids
  const std::string frd = quoted("element_stress/held/modes.frd");
  done("stress run.h5 --units m-kg-s --preload " + frd + ":2 --at corners --history 1 -o mean.csv");
  EXPECT_EQ(code("stress run.h5 --units m-kg-s --preload " + frd + ":2"), "no-preload");
  EXPECT_EQ(code("stress run.h5 --units m-kg-s --preload " + frd + " --at corners"), "preload");
  EXPECT_EQ(code("stress run.h5 --preload bolts.fe.h5:2"), "preload");
  EXPECT_EQ(code("stress run.h5 --preload bolts.fe.h5:0"), "usage");
  EXPECT_EQ(code("stress run.h5 --preload nowhere.fe.h5"), "no-such-file");
  EXPECT_EQ(code("stress bracket.fbm --preload bolts.fe.h5"), "usage");
  import("C3D10", "calculix/decks/held_C3D10.inp", "tetra.fe.h5");
  done("modes tetra.fe.h5 --normal 1");
  EXPECT_NE(code("stress run.h5 --preload tetra.fe.h5"), "no error");
}

}  // namespace
}  // namespace femflex::testing
