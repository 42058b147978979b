// Tests `femflex stress` as a user runs it: stresses of shapes and of runs compared with CalculiX,
// gauges, damage computed by hand, and refused input. CalculiX writes its numbers with seven
// digits.
#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "femflex/diagnostics.h"
#include "femflex/flex_body.h"
#include "femflex/progress.h"

#include "body/inputs.h"
#include "document/rpc_file.h"
#include "results/load_cases.h"
#include "results/results_file.h"
#include "stress_fixture.h"

namespace femflex::testing {
namespace {

using tools::Json;

using Six = std::array<double, 6>;  // xx, yy, zz, xy, yz, zx
/// Stresses by element and integration point, both counted from 1.
using Listed = std::map<std::pair<int, int>, Six>;

/// The lists of a `.dat` file by time. Their columns are xx, yy, zz, xy, xz, yz.
std::map<double, Listed> listed_stresses(const std::filesystem::path& path) {
  std::map<double, Listed> out;
  std::ifstream in(path);
  double time = 0.0;
  for (std::string line; std::getline(in, line);) {
    if (const std::size_t at = line.find("and time"); at != std::string::npos)
      time = std::stod(line.substr(at + 8));
    std::istringstream fields(line);
    int element = 0;
    int point = 0;
    Six s{};
    if (fields >> element >> point >> s[0] >> s[1] >> s[2] >> s[3] >> s[5] >> s[4])
      out[time][{element, point}] = s;
  }
  return out;
}

double largest(const Listed& all) {
  double out = 0.0;
  for (const auto& [place, s] : all)
    for (const double value : s)
      out = std::max(out, std::abs(value));
  return out;
}

class StressOfSolids : public Stress, public ::testing::WithParamInterface<const char*> {};

// Truth: CalculiX's stresses at all integration points under a static load. femflex computes the
// displacements from CalculiX's K in double precision.
TEST_P(StressOfSolids, AreThoseOfCalculix) {
  const std::string type = GetParam();
  import(type, "element_stress/held/" + type + ".inp", "held.fe.h5");
  done("modes held.fe.h5 --static");
  done("stress held.fe.h5 --at integration-points --csv stress.csv");
  const Listed expected =
      listed_stresses(data("element_stress/held/" + type + ".dat")).begin()->second;
  const CsvRows found = read_rows(femflex_.file("stress.csv"));
  ASSERT_EQ(found.rows.size(), expected.size());
  constexpr std::array<const char*, 6> kNames = {"xx", "yy", "zz", "xy", "yz", "zx"};
  double difference = 0.0;
  for (std::size_t row = 0; row < found.rows.size(); ++row) {
    const auto place = std::pair(static_cast<int>(found.number(row, "element")),
                                 static_cast<int>(found.number(row, "index")));
    ASSERT_TRUE(expected.contains(place));
    for (std::size_t c = 0; c < 6; ++c)
      difference =
          std::max(difference, std::abs(found.number(row, kNames[c]) - expected.at(place)[c]));
    EXPECT_EQ(found.rows[row].at("unit"), "Pa");
    EXPECT_EQ(found.rows[row].at("axes"), "basic");
  }
  EXPECT_LT(difference, tolerance(2e-6) * largest(expected));
}
INSTANTIATE_TEST_SUITE_P(
    Types,
    StressOfSolids,
    ::testing::Values(
        "C3D4", "C3D10", "C3D6", "C3D15", "C3D8", "C3D8R", "C3D8I", "C3D20", "C3D20R"),
    [](const auto& type) { return std::string(type.param); });

// Truth: N / A - y F_y (L - x) / I_z - z F_z (L - x) / I_y in a cantilever of 0.1 m, 0.02 by 0.03
// m, away from its ends. The elements are shorter than their section is high: taken as rigid in
// shear, their end moments would be several times as large.
TEST_F(Stress, OfShortB31IsTheClosedForm) {
  done(import_words("element_stress/beams/short_B31") + " -o beam.fe.h5");
  done("modes beam.fe.h5 --static");
  done("stress beam.fe.h5 --csv stress.csv");
  const CsvRows found = read_rows(femflex_.file("stress.csv"));
  Eigen::Matrix3d axes;  // columns: along the beam, axis 1, axis 2
  axes << 0.64, -0.6, 0.48, 0.48, 0.8, 0.36, -0.6, 0.0, 0.8;
  constexpr double kLength = 0.1;
  const double scale =
      500.0 / 6e-4 + 30.0 * kLength * 0.01 / 2e-8 + 20.0 * kLength * 0.015 / 4.5e-8;
  int compared = 0;
  for (std::size_t row = 0; row < found.rows.size(); ++row) {
    const Eigen::Vector3d at = axes.transpose() * Eigen::Vector3d(found.number(row, "x_m"),
                                                                  found.number(row, "y_m"),
                                                                  found.number(row, "z_m"));
    if (at.x() < 0.3 * kLength || at.x() > 0.7 * kLength) continue;
    ++compared;
    const double arm = kLength - at.x();
    const double expected =
        500.0 / 6e-4 - 30.0 * arm * at.y() / 2e-8 - 20.0 * arm * at.z() / 4.5e-8;
    EXPECT_NEAR(found.number(row, "xx"), expected, tolerance(2e-3) * scale);
  }
  EXPECT_GE(compared, 16);
}
// Truth: the decks. CalculiX makes knots where B31 are held or meet at an angle; B31R are solids
// with one integration point. A straight free beam of B31 has neither.
TEST_F(Stress, DoubtfulBeamsAreToldAtImport) {
  const auto codes = [&](const std::string& deck) {
    std::set<std::string> out;
    const Json document = femflex_.json(import_words(deck) + " -o beam.fe.h5");
    for (const Json& each : document.find("warnings")->items())
      out.insert(each.find("code")->text());
    return out;
  };
  EXPECT_TRUE(codes("element_stress/beams/short_B31").contains("beam-knots"));
  EXPECT_TRUE(codes("calculix/decks/corner_B31").contains("beam-knots"));
  EXPECT_TRUE(codes("calculix/decks/free_B31").empty());
  EXPECT_FALSE(codes("calculix/decks/beam_B32R").contains("reduced-beams"));
  EXPECT_TRUE(codes("calculix/decks/beam_B31R").contains("reduced-beams"));
  // neither has stresses of its own
  for (const char* kind : {"B31R", "B32", "B32R"}) {
    done(import_words(std::string("calculix/decks/beam_") + kind) + " -o beam.fe.h5");
    done("modes beam.fe.h5 --normal 1");
    EXPECT_EQ(code("stress beam.fe.h5"), "no-stress") << kind;
  }
}

// Truth: CalculiX's modal dynamics with the same ten modes.
TEST_F(Stress, OfARunIsThatOfCalculix) {
  simulate();
  done("stress run.h5 --history 1 --at integration-points -o history.h5");
  const tools::ResultSeries history = tools::read_results(femflex_.file("history.h5"));
  const std::map<double, Listed> expected =
      listed_stresses(data("element_stress/held/history.dat"));
  ASSERT_EQ(expected.size(), 10U);
  double scale = 0.0;
  for (const auto& [time, listed] : expected)
    scale = std::max(scale, largest(listed));
  constexpr std::array<const char*, 6> kNames = {"xx", "yy", "zz", "xy", "yz", "zx"};
  double difference = 0.0;
  for (const auto& [time, listed] : expected) {
    Eigen::Index row = 0;
    (history.time.array() - time).abs().minCoeff(&row);
    ASSERT_NEAR(history.time[row], time, 1e-9);
    for (const auto& [place, s] : listed)
      for (std::size_t c = 0; c < 6; ++c) {
        const Eigen::Index column = history.find(
            fmt::format("bracket/1-integration-point-{}-none/stress/{}", place.second, kNames[c]));
        ASSERT_GE(column, 0);
        difference = std::max(difference, std::abs(history.values(row, column) - s[c]));
      }
  }
  EXPECT_LT(difference, tolerance(1e-3) * scale);
}

// Truth: the histories. The peaks in the table are their extremes, gauges read strain from the same
// shapes, and a knee above every stress means no damage.
TEST_F(Stress, PeaksGaugesAndDamageOfARun) {
  simulate();
  done("stress run.h5 --history 1 --gauges " + quoted("durability/gauges.json") +
       " --csv peaks.csv -o history.h5");
  const CsvRows peaks = read_rows(femflex_.file("peaks.csv"));
  ASSERT_EQ(peaks.rows.size(), 2U);
  const tools::ResultSeries history = tools::read_results(femflex_.file("history.h5"));
  const Eigen::VectorXd von_mises =
      history.values.col(history.find("bracket/1-centre-1-none/stress/signed_von_mises"));
  EXPECT_NEAR(peaks.number(0, "von_mises"), von_mises.cwiseAbs().maxCoeff(), tolerance(1e-6));
  // the grid line is along x under bending and tension, so the stress along x determines the strain
  const Eigen::VectorXd strain = history.values.col(history.find("bracket/top/strain/1"));
  EXPECT_GT(strain.cwiseAbs().maxCoeff(), 1e-7);

  const Json none = femflex_.json("stress run.h5 --curve " + quoted("durability/steel.json"));
  EXPECT_GT(none.find("rows")->items().front().find("damage")->number(), 0.0);
  const Json damaged = femflex_.json("stress run.h5 --curve " + quoted("durability/soft.json"));
  EXPECT_EQ(damaged.find("counted")->number(), 2.0);
  EXPECT_GT(damaged.find("rows")->items().front().find("damage")->number(),
            none.find("rows")->items().front().find("damage")->number());
  expect_schema("stress run.h5 --curve " + quoted("durability/soft.json"));
  expect_schema("stress run.h5 --gauges " + quoted("durability/gauges.json"));
  // without a file the text still says where each gauge is, and what it reads
  const std::string text =
      femflex_("stress run.h5 --gauges " + quoted("durability/gauges.json")).out;
  EXPECT_NE(text.find("off the skin [m]"), std::string::npos) << text;
  EXPECT_NE(text.find("name one with --output"), std::string::npos) << text;
  expect_schema("stress bracket.fbm --at corners");
}

// Truth: `stress --gauges` on the same run. A rigid body has no strain; each wrong input gives one
// error.
TEST_F(Stress, GaugesAreChannelsOfARun) {
  simulate();
  done("stress run.h5 --gauges " + quoted("durability/gauges.json") + " -o strain.h5");
  const tools::ResultSeries expected = tools::read_results(femflex_.file("strain.h5"));
  done("stress run.h5 --gauges " + quoted("durability/gauges.json") + " -o strain.csv");
  EXPECT_EQ(tools::read_csv(femflex_.file("strain.csv")).values, expected.values);
  write_text(femflex_.file("file.json"),
             R"({"include": "bracket.json", "bodies": {"bracket": {"gauges": )" +
                 fmt::format("\"{}\"", data("durability/gauges.json").string()) +
                 R"(}}, "outputs": ["bracket/top", "bracket/side/strain"]})");
  done("simulate file.json -o gauges.h5");
  const tools::ResultSeries found = tools::read_results(femflex_.file("gauges.h5"));
  ASSERT_EQ(found.channels.size(), 4U);
  for (const char* name : {"bracket/top/strain/1", "bracket/top/strain/2", "bracket/side/strain/1"})
    EXPECT_LT((found.values.col(found.find(name)) - expected.values.col(expected.find(name)))
                  .cwiseAbs()
                  .maxCoeff(),
              tolerance(1e-12) *
                  expected.values.col(expected.find("bracket/top/strain/1")).cwiseAbs().maxCoeff());

  // a list of gauges in the units of the system, with parameters
  write_text(femflex_.file("list.json"),
             R"({"include": "bracket.json", "parameters": {"x": 0.06},
                 "bodies": {"bracket": {"model": "bracket.fe.h5", "gauges": [
                   {"name": "top", "point": ["=x", 0.05, 0.12], "normal": [0, 0, 1],
                    "directions": [[1, 0, 0]]}]}},
                 "outputs": ["bracket/top/strain/1"]})");
  done("simulate list.json -o list.h5");
  const tools::ResultSeries listed = tools::read_results(femflex_.file("list.h5"));
  EXPECT_EQ(listed.values.col(0), found.values.col(found.find("bracket/top/strain/1")));
  done("simulate list.json --set bodies.bracket.as=rigid -o rigid.h5");
  EXPECT_EQ(tools::read_results(femflex_.file("rigid.h5")).values.cwiseAbs().maxCoeff(), 0.0);

  for (const char* gauges :
       {R"([{"name": "g", "point": [0.2, 0.05, 0.06], "directions": [[1, 0, 0]]}])",
        R"([{"name": "g", "point": [0.06, 0.05, 0.12], "directions": [[0, 0, 1]]}])",
        R"([{"name": "zeta", "point": [0.06, 0.05, 0.12], "directions": [[1, 0, 0]]}])",
        R"([{"name": "g", "point": [0.06, 0.05, 0.12], "directions": []}])",
        R"([{"name": "g", "point": [0.06, 0.05], "directions": [[1, 0, 0]]}])",
        "[]"}) {
    write_text(
        femflex_.file("bad.json"),
        fmt::format(R"({{"include": "bracket.json", "bodies": {{"bracket": {{"gauges": {}}}}}}})",
                    gauges));
    EXPECT_NE(code("simulate bad.json -o bad.h5"), "no error") << gauges;
  }
}

/// The member `path` of the data block of a page.
Json page_data(const std::filesystem::path& page) {
  const std::string text = read_text(page);
  const std::string open = "id=\"femflex-data\">";
  const std::size_t from = text.find(open) + open.size();
  std::string json = text.substr(from, text.find("</script>", from) - from);
  return tools::parse_json(json, "page");
}

// Truth: the table of the same run. The first marked place is the location with the largest stress,
// which is also the upper end of the colour scale.
TEST_F(Stress, PagesAndPicturesShowWhatTheTableSays) {
  simulate();
  const Json document =
      femflex_.json("stress run.h5 --at corners --curve " + quoted("durability/soft.json") +
                    " --view page.html --vtk run.pvd --report report.html");
  const Json& worst = document.find("rows")->items().front();
  const Json view = page_data(femflex_.file("page.html"));
  const Json& shown = view.find("views")->items().front();
  const Json& spot = shown.find("spots")->items().front();
  EXPECT_EQ(spot.find("damage")->number(), worst.find("damage")->number());
  EXPECT_EQ(spot.find("von_mises")->number(), worst.find("von_mises")->find("value")->number());
  EXPECT_EQ(spot.find("time")->number(), worst.find("von_mises")->find("time")->number());
  const Json& body = shown.find("bodies")->items().front();
  ASSERT_EQ(body.find("fields")->items().size(), 2U);
  EXPECT_EQ(body.find("fields")->items()[1].find("scale")->text(), "log");
  EXPECT_EQ(document.find("outputs")->items().size(), 3U);
  // every second of the 101 rows
  const std::string series = read_text(femflex_.file("run.pvd"));
  EXPECT_NE(series.find("run_0051.vtu"), std::string::npos);
  const std::string picture = read_text(femflex_.file("run_0051.vtu"));
  const std::size_t cells = picture.find("<CellData>");
  for (const char* name : {"von_mises_peak", "damage", "von_mises"}) {
    const std::string quoted_name = fmt::format("Name=\"{}\"", name);
    EXPECT_LT(picture.find(quoted_name), cells) << name;
    EXPECT_NE(picture.find(quoted_name, cells), std::string::npos) << name;
  }
  EXPECT_NE(read_text(femflex_.file("report.html")).find("largest damage of body bracket"),
            std::string::npos);

  // shapes of the body and shapes of the model
  for (const char* file : {"bracket.fbm", "bracket.fe.h5"}) {
    done(std::string("stress ") + file + " --view shapes.html --vtk shapes.vtu");
    const Json shapes = page_data(femflex_.file("shapes.html")).find("views")->items().front();
    EXPECT_EQ(shapes.find("spots")->items().size(), 10U);
    const Json& fields = *shapes.find("bodies")->items().front().find("fields");
    EXPECT_EQ(fields.items().front().find("values")->items().size(), 10U);
    EXPECT_NE(read_text(femflex_.file("shapes.vtu")).find("von_mises_010"), std::string::npos);
  }
  EXPECT_EQ(code("stress run.h5 --vtk run.png"), "usage");
  EXPECT_EQ(code("stress bracket.fbm --report report.html"), "usage");
}

// Truth: the rows of the run, to single precision.
TEST_F(Stress, ModalCoordinatesGoOutAsRpc) {
  simulate();
  done("stress run.h5 --coordinates zeta.rsp");
  const tools::RpcFile file = tools::read_rpc(read_text(femflex_.file("zeta.rsp")), "zeta.rsp");
  const tools::ResultSeries run = tools::read_results(femflex_.file("run.h5"));
  ASSERT_EQ(file.channels.size(), 10U);
  EXPECT_NEAR(file.step, 1e-4, 1e-12);
  for (std::size_t c = 0; c < 10; ++c) {
    const Eigen::VectorXd expected =
        run.values.col(run.find(fmt::format("bracket/zeta/{}", c + 1)));
    EXPECT_EQ(file.channels[c].name, fmt::format("bracket/zeta/{}", c + 1));
    ASSERT_EQ(file.channels[c].values.size(), 256U);
    for (Eigen::Index k = 0; k < 256; ++k)
      ASSERT_EQ(
          file.channels[c].values[static_cast<std::size_t>(k)],
          static_cast<double>(static_cast<float>(expected[std::min(k, expected.size() - 1)])));
  }
  EXPECT_EQ(code("stress run.h5 --coordinates zeta.dac"), "usage");
}

// Truth: half of loads times displacements is the strain energy zeta' k zeta / 2.
TEST_F(Stress, LoadCasesOfInstantsHoldTheStrainEnergy) {
  simulate();
  expect_schema("stress run.h5 --loads-at 0.002,0.0041 --loads loads.inp --coordinates zeta.rsp");
  Diagnostics diagnostics;
  const FlexBody body =
      tools::load_body(femflex_.file("bracket.fbm"), std::nullopt, diagnostics, no_progress());
  const tools::ResultSeries run = tools::read_results(femflex_.file("run.h5"));
  std::vector<double> work;
  std::ifstream in(femflex_.file("loads.inp"));
  const std::array<Eigen::Index, 2> rows{20, 41};
  for (std::string line; std::getline(in, line);) {
    if (line == "*STEP") work.push_back(0.0);
    if (line.empty() || line[0] == '*' || work.empty() || line == "U" || line == "S") continue;
    const std::vector<std::string> cells = cells_of(line);
    ASSERT_EQ(cells.size(), 3U) << line;
    Eigen::VectorXd zeta(10);
    for (Eigen::Index k = 0; k < 10; ++k)
      zeta[k] = run.values(rows[work.size() - 1], run.find(fmt::format("bracket/zeta/{}", k + 1)));
    const Eigen::Index node = find_node(body, std::stoll(cells[0]));
    work.back() +=
        0.5 * std::stod(cells[2]) * body.shapes.row(6 * node + std::stoi(cells[1]) - 1).dot(zeta);
  }
  ASSERT_EQ(work.size(), 2U);
  for (std::size_t k = 0; k < 2; ++k) {
    Eigen::VectorXd zeta(10);
    for (Eigen::Index j = 0; j < 10; ++j)
      zeta[j] = run.values(rows[k], run.find(fmt::format("bracket/zeta/{}", j + 1)));
    const double expected = 0.5 * zeta.dot(body.stiffness * zeta);
    EXPECT_NEAR(work[k], expected, tolerance(1e-8) * expected);
  }
  done("stress run.h5 --loads-at 0.002 --loads loads.bdf");
  EXPECT_NE(read_text(femflex_.file("loads.bdf")).find("FORCE*"), std::string::npos);
  EXPECT_EQ(code("stress run.h5 --loads-at 0.02 --loads loads.inp"), "no-such-time");
  EXPECT_EQ(code("stress run.h5 --loads-at 0.002"), "usage");
  EXPECT_EQ(code("stress run.h5 --loads loads.inp"), "usage");
}

// Truth: the load under which CalculiX's matrices made the shape. C3D8I has rows of internal modes,
// which bodies do not hold.
TEST_F(Stress, LoadCasesOfBodiesWithInternalModesAreTheLoadsOfTheirShapes) {
  import("C3D8I", "element_stress/held/C3D8I.inp", "loaded.fe.h5");
  done("modes loaded.fe.h5 --static");
  done("reduce loaded.fe.h5 --select static:1 -o loaded.fbm");
  Diagnostics diagnostics;
  const FeModel model =
      tools::load_model(femflex_.file("loaded.fe.h5"), std::nullopt, diagnostics, no_progress());
  const FlexBody body =
      tools::load_body(femflex_.file("loaded.fbm"), std::nullopt, diagnostics, no_progress());
  ASSERT_EQ(model.loads.size(), 1U);
  const Eigen::VectorXd& wanted = model.loads[0].load;
  const Eigen::VectorXd found = tools::equivalent_loads(model, body, Eigen::VectorXd::Ones(1));
  ASSERT_EQ(found.size(), wanted.size());
  EXPECT_LT((found - wanted).cwiseAbs().maxCoeff(), tolerance(1e-9) * wanted.cwiseAbs().maxCoeff());
}

// Truth: the nodes of the deck. CalculiX expands S4 into nodes that no deck has.
TEST_F(Stress, LoadCasesAtExpandedNodesAreRefused) {
  done(import_words("calculix/decks/plate_S4") + " --name plate -o plate.fe.h5");
  done("modes plate.fe.h5 --normal 2");
  done("reduce plate.fe.h5 --select dynamic:1-2 -o plate.fbm");
  Diagnostics diagnostics;
  const FeModel model =
      tools::load_model(femflex_.file("plate.fe.h5"), std::nullopt, diagnostics, no_progress());
  const FlexBody body =
      tools::load_body(femflex_.file("plate.fbm"), std::nullopt, diagnostics, no_progress());
  EXPECT_EQ(code_of([&] { (void)tools::equivalent_loads(model, body, Eigen::VectorXd::Ones(2)); }),
            "expanded-nodes");
}

// Truth: docs/formats/stress.md. Every row of every table states place, face, axes, order of
// components and unit, in the words of the document's schema.
TEST_F(Stress, TablesSayWhereAndInWhichUnit) {
  simulate();
  const Json schema = tools::read_json_file(data("../tools/schemas/stress.json"));
  const Json& row_schema = *schema.find("properties")->find("rows")->find("items");
  const std::string place = "element,type,place,index,node,face,axes,x_m,y_m,z_m,unit,components";
  const std::array<std::pair<std::string, std::string>, 2> tables{
      {{"bracket.fbm", "shape," + place},
       {"run.h5 --curve " + quoted("durability/soft.json"), place}}};
  for (const auto& [subject, head] : tables)
    for (const char* at : {"centre", "corners", "integration-points"}) {
      done("stress " + subject + " --at " + at + " --csv table.csv");
      EXPECT_TRUE(read_text(femflex_.file("table.csv")).starts_with(head + ",")) << subject;
      for (const auto& row : read_rows(femflex_.file("table.csv")).rows) {
        Json document = Json::object();
        for (const char* name : {"type", "place", "face", "axes", "unit", "components"})
          document[name] = row.at(name);
        for (const char* name : {"element", "index", "node", "von_mises"})
          document[name] = std::stod(row.at(name));
        document["position"] = std::vector<double>{
            std::stod(row.at("x_m")), std::stod(row.at("y_m")), std::stod(row.at("z_m"))};
        ASSERT_EQ(schema_fault(row_schema, document), "") << subject << " " << at;
        ASSERT_EQ(row.at("components"), "xx yy zz xy yz zx");
        ASSERT_EQ(row.at("axes"), "basic");
      }
    }
}

// Truth: the closed form of a cantilever under forces at its end: N = 500, V1 = 30, V2 = 20,
// moments V (L - x). The body has the static shape of these forces alone, so that its equilibrium
// is this shape.
TEST_F(Stress, SectionForcesOfBeamsAreTheClosedForm) {
  done(import_words("element_stress/beams/short_B31") + " -o beam.fe.h5");
  done("modes beam.fe.h5 --static");
  done("reduce beam.fe.h5 --select static:1 -o beam.fbm");
  write_text(femflex_.file("beam.json"), R"json({
    "femflex": 1, "units": "m-kg-s",
    "bodies": { "beam": { "flex": "beam.fbm", "damping": "none" } },
    "joints": { "wall": { "type": "fixed", "a": "ground", "b": "beam" } },
    "forces": { "end": { "type": "force", "on": "beam/21", "value": [311.6, 271.2, -284] } },
    "analyses": [ { "type": "static" },
                  { "type": "dynamic", "end": 1e-5, "step": 1e-6, "output_step": 1e-5 } ],
    "outputs": [ "beam/zeta" ] })json");
  done("simulate beam.json -o run.h5");
  done("stress run.h5 --forces 9,10 -o forces.h5");
  expect_schema("stress run.h5 --forces 9,10");
  const tools::ResultSeries found = tools::read_results(femflex_.file("forces.h5"));
  ASSERT_EQ(found.channels.size(), 24U);
  const auto force = [&](int element, int end, const char* component) {
    const Eigen::Index column =
        found.find(fmt::format("beam/{}-end-{}/force/{}", element, end, component));
    EXPECT_GE(column, 0);
    return found.values(found.values.rows() - 1, column);
  };
  constexpr double kLength = 0.1;
  constexpr double kElement = 0.005;
  const double moment = 30.0 * kLength;
  for (const int element : {9, 10}) {
    for (const int end : {1, 2}) {
      const double arm = kLength - kElement * (element - 2 + end);
      EXPECT_NEAR(force(element, end, "axial"), 500.0, tolerance(1e-3) * 500.0);
      // V = -dM/dx
      EXPECT_NEAR(force(element, end, "shear_1"), 30.0, tolerance(5e-3) * 30.0);
      EXPECT_NEAR(force(element, end, "shear_2"), 20.0, tolerance(5e-3) * 30.0);
      EXPECT_NEAR(force(element, end, "moment_1"), 30.0 * arm, tolerance(2e-3) * moment);
      EXPECT_NEAR(force(element, end, "moment_2"), 20.0 * arm, tolerance(2e-3) * moment);
      EXPECT_NEAR(force(element, end, "torque"), 0.0, tolerance(2e-3) * moment);
    }
  }
  EXPECT_EQ(code("stress run.h5 --forces 99"), "no-such-element");
  EXPECT_EQ(code("stress beam.fbm --forces 9"), "usage");
}

// Truth: the block of 0.4 by 0.1 by 0.12 m of steel, 37.68 kg, of which the mass matrix of the
// unsupported deck has all. import, reduce and check tell what the supports take out.
TEST_F(Stress, TheMassOfHeldNodesIsTold) {
  const auto told = [&](const std::string& words, const char* list, const char* code) {
    const Json outcome = femflex_.json(words);
    for (const Json& each : outcome.find(list)->items())
      if (each.find("code")->text() == code) return each.find("message")->text();
    return std::string("nothing");
  };
  for (const char* type : {"C3D4", "C3D6", "C3D8", "C3D10", "C3D15", "C3D20", "C3D20R"}) {
    const std::string import =
        import_words(std::string("calculix/decks/held_") + type) + " -o held.fe.h5";
    EXPECT_NE(told(import, "warnings", "held-mass").find("of 37.68 kg"), std::string::npos) << type;
  }
  // shells, whose rotations follow inner nodes that are held, too
  EXPECT_NE(
      told(import_words("calculix/decks/pinned_S4") + " -o shell.fe.h5", "warnings", "held-mass")
          .find("of 1.884 kg"),
      std::string::npos);
  EXPECT_NE(told("check held.fe.h5", "findings", "held-mass").find("of 37.68 kg"),
            std::string::npos);
  EXPECT_NE(
      told("reduce held.fe.h5 --method dynamic --normal 4 -o held.fbm", "warnings", "held-mass"),
      "nothing");
  for (const char* free : {"free_C3D8", "free_C3D10", "free_S8R", "free_B31", "free_shell_mass"})
    EXPECT_EQ(told(import_words(std::string("calculix/decks/") + free) + " -o free.fe.h5",
                   "warnings",
                   "held-mass"),
              "nothing")
        << free;
}

// Truth: the SHA-256 in the result. A body of as many modes is another body, wherever it is given;
// the body of the run under another name is the same; a result without the hash takes what it gets.
TEST_F(Stress, TakesNoOtherBodyThanThatOfTheRun) {
  simulate();
  done("reduce bracket.fe.h5 --select dynamic:1-10 --scale -o scaled.fbm");
  std::filesystem::copy_file(femflex_.file("bracket.fbm"), femflex_.file("copy.fbm"));
  write_text(femflex_.file("schedule.json"), R"({"runs": [{"result": "run.h5", "repeats": 2}]})");
  const std::string curve = " --curve " + quoted("durability/soft.json");
  for (const std::string& words : {std::string("stress run.h5"),
                                   "stress --schedule schedule.json" + curve,
                                   std::string("back-transform run.h5 -o eta.h5")}) {
    EXPECT_EQ(code(words + " --flex scaled.fbm"), "other-body");
    const std::string told = femflex_(words + " --flex scaled.fbm").err;
    for (const char* name : {"scaled.fbm", "run.h5", "bracket.fbm"})
      EXPECT_NE(told.find(name), std::string::npos) << told;
    done(words + " --flex copy.fbm");
  }
  tools::ResultSeries old = tools::read_results(femflex_.file("run.h5"));
  std::erase_if(old.attributes, [](const auto& each) { return each.first == "flex"; });
  tools::write_results(old, femflex_.file("old.h5"), "");
  done("stress old.h5 --flex scaled.fbm");
  done("back-transform old.h5 --flex scaled.fbm -o eta.h5");
}

// Truth: docs/theory/stress.md. S4 has CalculiX's stresses, S8R does not, and the text says so.
TEST_F(Stress, TellsShellsWhoseSolidsHaveOtherStresses) {
  for (const std::string type : {"S4", "S8R"}) {
    const std::string base = quoted("element_stress/held/arc_" + type);
    const std::string file = type + ".fe.h5";
    done("import " + base + ".inp " + base + ".sti.gz " + base + ".mas.gz " + base +
         ".dof --units m-kg-s -o " + file);
    done("modes " + file + " --normal 1");
    const bool is_told =
        femflex_("stress " + file).out.find("CalculiX's own stresses") != std::string::npos;
    EXPECT_EQ(is_told, type == "S8R");
  }
}

// Truth: a .frd has means at nodes alone, so a history of an element cannot be read from it. Where
// peaks are read and the history is computed, both are named and the mix is told.
TEST_F(Stress, NamesTheSourceOfItsStressesAndTellsAMix) {
  done("import " + quoted("element_stress/held/modes.inp") + " " +
       quoted("element_stress/held/modes.frd") + " --units m-kg-s -o held.fe.h5");
  done("reduce held.fe.h5 --select dynamic:1-4 -o held.fbm");
  tools::ResultSeries run;
  run.time = Eigen::VectorXd::LinSpaced(3, 0.0, 1.0);
  for (int mode = 1; mode <= 4; ++mode)
    run.channels.push_back({fmt::format("held/zeta/{}", mode), ""});
  run.values = 1e-6 * Eigen::MatrixXd::Identity(3, 4);
  tools::write_results(run, femflex_.file("held.h5"), "");
  const std::string call = "stress held.h5 --flex held.fbm --at corners";
  const auto way = [](const Json& document, const char* source) {
    return document.find(source)->find("way")->text();
  };
  const auto warns = [](const Json& document) {
    const std::vector<Json>& warnings = document.find("warnings")->items();
    return std::any_of(warnings.begin(), warnings.end(), [](const Json& each) {
      return each.find("code")->text() == "mixed-sources";
    });
  };
  expect_schema(call + " --history 1 -o histories.h5");
  const Json peaks = femflex_.json(call);
  EXPECT_EQ(way(peaks, "source"), "combined");
  EXPECT_FALSE(warns(peaks));
  const Json mixed = femflex_.json(call + " --history 1 -o histories.h5");
  EXPECT_EQ(way(mixed, "source"), "combined");
  EXPECT_EQ(way(mixed, "histories_source"), "computed");
  EXPECT_NE(mixed.find("histories_source")->find("not_read"), nullptr);
  EXPECT_TRUE(warns(mixed));
  const Json same = femflex_.json(call + " --history 1 -o histories.h5 --source computed");
  EXPECT_EQ(way(same, "source"), way(same, "histories_source"));
  EXPECT_FALSE(warns(same));
  // the same call for one element takes another source, and says why
  const Json one = femflex_.json(call + " --elements 1");
  EXPECT_EQ(way(one, "source"), "computed");
  EXPECT_NE(one.find("source")->find("not_read"), nullptr);
  EXPECT_NE(femflex_(call + " --elements 1").out.find("not read"), std::string::npos);
}

// Truth: each wrong input gives one error.
TEST_F(Stress, RefusesBadInput) {
  simulate();
  EXPECT_EQ(code("stress"), "usage");
  EXPECT_EQ(code("stress run.h5 --rainflow " + quoted("durability/astm.csv")), "usage");
  EXPECT_EQ(code("stress bracket.fbm --history 1"), "usage");
  EXPECT_EQ(code("stress run.h5 --elements 77"), "no-such-element");
  EXPECT_EQ(code("stress run.h5 --body wheel"), "no-such-body");
  EXPECT_EQ(code("stress run.h5 -o histories.h5"), "usage");
  // options that would have no effect
  EXPECT_EQ(code("stress bracket.fe.h5 --model bracket.fe.h5"), "usage");
  EXPECT_EQ(code("stress bracket.fbm --flex bracket.fbm"), "usage");
  EXPECT_EQ(code("stress bracket.fbm --body bracket"), "usage");
  // a run without rows, and a table whose time is not a number
  tools::ResultSeries none;
  for (int mode = 1; mode <= 10; ++mode)
    none.channels.push_back({fmt::format("bracket/zeta/{}", mode), ""});
  none.values.resize(0, 10);
  tools::write_results(none, femflex_.file("none.h5"), "");
  EXPECT_EQ(code("stress none.h5 --flex bracket.fbm"), "no-rows");
  write_text(femflex_.file("times.csv"), "t,a\n0,0\nnan,1\n");
  EXPECT_EQ(code("stress --rainflow times.csv"), "time-order");
  EXPECT_NE(femflex_("stress --rainflow times.csv").err.find("is nan in row 2"), std::string::npos);
  // another body and another model
  done("reduce bracket.fe.h5 --select dynamic:1-4 -o other.fbm");
  EXPECT_EQ(code("stress run.h5 --flex other.fbm"), "other-body");
  import("C3D10", "calculix/decks/held_C3D10.inp", "tetra.fe.h5");
  EXPECT_EQ(code("stress bracket.fbm --model tetra.fe.h5"), "wrong-model");
  std::filesystem::create_directory(femflex_.file("away"));
  std::filesystem::copy_file(femflex_.file("bracket.fbm"), femflex_.file("away/bracket.fbm"));
  EXPECT_EQ(code("stress away/bracket.fbm"), "no-model");
  // wrong gauges and curves
  write_text(femflex_.file("off.json"),
             R"({"gauges": [{"name": "g", "point": [9, 9, 9], "directions": [[1, 0, 0]]}]})");
  EXPECT_EQ(code("stress run.h5 --gauges off.json"), "gauge-off-skin");
  write_text(femflex_.file("unit.json"), R"({"stress": "range", "slope": 3})");
  EXPECT_NE(code("stress run.h5 --curve unit.json"), "no error");
  // a model without materials
  done("import " + dms("dms.bdf") + " " + dms("dms.ou1.op4") + " " + dms("dms.op2") +
       " --units m-kg-s -o dms.fe.h5");
  const std::string dms_code = code("stress dms.fe.h5");
  EXPECT_TRUE(dms_code == "no-materials" || dms_code == "no-stress") << dms_code;
}

}  // namespace
}  // namespace femflex::testing
