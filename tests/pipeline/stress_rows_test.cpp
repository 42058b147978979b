// Goes through every table, list and history that `femflex stress` writes, row by row: each says
// its unit, axes, order of components, place and face. Truth: the table kFields, which is that of
// docs/formats/stress.md, and the shipped schema of the documents.
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "femflex/importer/fe_model_file.h"

#include "results/results_file.h"
#include "stress_fixture.h"

namespace femflex::testing {
namespace {

using tools::Json;
using Row = std::map<std::string, std::string>;

/// What a field of a row may hold: one of some words, or a number.
struct Field {
  const char* name;
  std::set<std::string> words;  ///< empty: a finite number
};

/// The fields of each row of stress.
const std::vector<Field>& fields_of_stress() {
  static const std::vector<Field> kFields = {
      {"element", {}},
      {"type", {"CHEXA", "CQUAD4", "CBAR", "NODE"}},
      {"place", {"centre", "corner", "integration-point", "end", "node"}},
      {"index", {}},
      {"node", {}},
      {"face", {"none", "bottom", "top", "C", "D", "E", "F", "ply 1", "ply 2"}},
      {"axes", {"basic", "element", "material"}},
      {"x_m", {}},
      {"y_m", {}},
      {"z_m", {}},
      {"unit", {"Pa"}},
      {"components", {"xx yy zz xy yz zx", "xx yy xy", "xx xy"}},
  };
  return kFields;
}

/// The first fault of a row; empty without one.
std::string fault_of(const Row& row, const std::vector<Field>& fields) {
  for (const Field& field : fields) {
    const auto found = row.find(field.name);
    if (found == row.end()) return std::string("lacks ") + field.name;
    std::string fault = fmt::format("{} is '{}'", field.name, found->second);
    if (!field.words.empty() && !field.words.contains(found->second)) return fault;
    if (!field.words.empty()) continue;
    std::size_t read = 0;
    const double value = found->second.empty() ? NAN : std::stod(found->second, &read);
    if (!std::isfinite(value) || read != found->second.size()) return fault;
  }
  return {};
}

/// A row of a document as one of a table.
Row row_of(const Json& item) {
  Row out;
  for (const Json::Member& member : item.members()) {
    if (member.value.is_text()) out[member.key] = member.value.text();
    if (member.value.is_number()) out[member.key] = tools::shortest(member.value.number());
    if (member.key != "position") continue;
    constexpr std::array kAxes = {"x_m", "y_m", "z_m"};
    for (std::size_t k = 0; k < 3; ++k)
      out[kAxes[k]] = tools::shortest(member.value.items().at(k).number());
  }
  return out;
}

std::vector<Row> rows_of(const Json& document, const char* list) {
  std::vector<Row> out;
  const Json* items = document.find(list);
  EXPECT_NE(items, nullptr) << list;
  if (items == nullptr) return out;
  for (const Json& item : items->items())
    out.push_back(row_of(item));
  return out;
}

class StressRows : public Stress {
 protected:
  /// Checks the rows and returns which words a field has in them.
  static std::set<std::string> checked(const std::vector<Row>& rows,
                                       const std::vector<Field>& fields,
                                       const std::string& words,
                                       const char* returned = "unit") {
    EXPECT_FALSE(rows.empty()) << words;
    std::set<std::string> out;
    for (const Row& row : rows) {
      const std::string fault = fault_of(row, fields);
      EXPECT_EQ(fault, "") << words;
      if (!fault.empty()) return {};
      out.insert(row.at(returned));
    }
    return out;
  }

  /// Checks table and document of a call, and returns which words a field has in the table.
  std::set<std::string> of_call(const std::string& words,
                                const std::vector<std::string>& numbers,
                                const char* returned) {
    const Json document = femflex_.json(words + " --csv rows.csv");
    EXPECT_EQ(schema_fault(tools::read_json_file(data("../tools/schemas/stress.json")), document),
              "")
        << words;
    checked(rows_of(document, "rows"), fields_of_stress(), words);
    std::vector<Field> fields = fields_of_stress();
    for (const std::string& each : numbers)
      fields.push_back({each.c_str(), {}});
    return checked(read_rows(femflex_.file("rows.csv")).rows, fields, words, returned);
  }

  /// Imports a deck of CalculiX with its matrices, and computes modes.
  void import_modes(const std::string& base, const std::string& name) {
    done(import_words(base) + " --name " + name + " -o " + name + ".fe.h5");
    done("modes " + name + ".fe.h5 --normal 3");
    done("reduce " + name + ".fe.h5 --select dynamic:1-3 -o " + name + ".fbm");
  }

  /// Writes NAME.h5, a run in which one mode after the other is excited.
  void write_run(const std::string& name) {
    tools::ResultSeries run;
    run.time = Eigen::VectorXd::LinSpaced(4, 0.0, 0.3);
    for (int mode = 1; mode <= 3; ++mode)
      run.channels.push_back({fmt::format("{}/zeta/{}", name, mode), ""});
    run.values = Eigen::MatrixXd::Zero(4, 3);
    run.values.bottomRows(3) = 1e-6 * Eigen::MatrixXd::Identity(3, 3);
    tools::write_results(run, femflex_.file(name + ".h5"), "");
  }

  const std::vector<std::string> of_shape_{"xx",
                                           "yy",
                                           "zz",
                                           "xy",
                                           "yz",
                                           "zx",
                                           "von_mises",
                                           "signed_von_mises",
                                           "principal_max",
                                           "tresca"};
  const std::vector<std::string> of_run_{"von_mises",
                                         "von_mises_time_s",
                                         "signed_von_mises_max",
                                         "signed_von_mises_min_time_s",
                                         "principal_min",
                                         "tresca"};
  using Words = std::set<std::string>;
};

TEST_F(StressRows, OfSolidsShellsAndBeamsSayWhere) {
  import_modes("calculix/decks/held_C3D20", "solid");
  import_modes("element_stress/held/arc_S4", "shell");
  import_modes("element_stress/beams/short_B31", "beam");
  const std::map<std::string, std::array<Words, 3>> expected = {
      {"solid", {{{"basic"}, {"none"}, {"xx yy zz xy yz zx"}}}},
      {"shell", {{{"element"}, {"bottom", "top"}, {"xx yy xy"}}}},
      {"beam", {{{"element"}, {"C", "D", "E", "F"}, {"xx xy"}}}}};
  for (const auto& [name, words] : expected) {
    write_run(name);
    for (const std::string at : {"centre", "corners", "integration-points"}) {
      const std::string place = name == "beam" ? "end" : at == "corners" ? "corner" : at;
      const std::string where = place == "integration-points" ? "integration-point" : place;
      for (const std::string file : {".fe.h5", ".fbm", ".h5 --flex "}) {
        const bool is_run = file.starts_with(".h5");
        const std::string call =
            "stress " + name + file + (is_run ? name + ".fbm" : "") + " --at " + at;
        const std::vector<std::string>& numbers = is_run ? of_run_ : of_shape_;
        EXPECT_EQ(of_call(call, numbers, "axes"), words[0]) << call;
        EXPECT_EQ(of_call(call, numbers, "face"), words[1]) << call;
        EXPECT_EQ(of_call(call, numbers, "components"), words[2]) << call;
        EXPECT_EQ(of_call(call, numbers, "place"), Words{where}) << call;
      }
    }
  }
}

// Means at nodes of a .frd, and a laminate: two plies in material axes, as an OP2 file has them.
TEST_F(StressRows, OfTablesOfTheFeCodeSayWhere) {
  done("import " + quoted("element_stress/held/modes.inp") + " " +
       quoted("element_stress/held/modes.frd") + " --units m-kg-s -o means.fe.h5");
  const std::string means = "stress means.fe.h5 --at corners --source read";
  EXPECT_EQ(of_call(means, of_shape_, "type"), Words{"NODE"});
  EXPECT_EQ(of_call(means, of_shape_, "axes"), Words{"basic"});
  EXPECT_EQ(of_call(means, of_shape_, "place"), Words{"node"});
  EXPECT_EQ(of_call(means, of_shape_, "element"), Words{"0"});
  // the text names the node, too, and no element
  EXPECT_NE(femflex_(means).out.find("-  NODE  node "), std::string::npos) << femflex_(means).out;

  import_modes("element_stress/held/arc_S4", "shell");
  FeModel model = importer::read_fe_model(femflex_.file("shell.fe.h5"));
  FeStressTable& table = model.stresses.stress;
  table.sources = {"laminate.op2:OES1C"};
  table.types = {"CQUAD4"};
  table.shapes = {0, 1, 2};
  for (const std::int64_t id : model.elements.front().ids)
    for (const int ply : {0, 1}) {
      FeStressPlace place;
      place.element = id;
      place.face = FeStressPlace::Face::ply;
      place.level = ply;
      place.axes = FeStressPlace::Axes::material;
      place.components = 0b001011;  // xx, yy, xy
      table.places.push_back(place);
    }
  table.values =
      Eigen::MatrixXd::Constant(3 * static_cast<Eigen::Index>(table.places.size()), 3, 1e6);
  importer::write_fe_model(model, femflex_.file("laminate.fe.h5"));
  const std::string laminate = "stress laminate.fe.h5 --source read";
  EXPECT_EQ(of_call(laminate, of_shape_, "face"), (Words{"ply 1", "ply 2"}));
  EXPECT_EQ(of_call(laminate, of_shape_, "axes"), Words{"material"});
  EXPECT_EQ(of_call(laminate, of_shape_, "components"), Words{"xx yy xy"});
  write_run("shell");
  EXPECT_EQ(
      of_call(
          "stress shell.h5 --flex shell.fbm --model laminate.fe.h5 --source read", of_run_, "axes"),
      Words{"material"});
}

// Each column of the table of histories is a channel of a row of the document, in its unit.
TEST_F(StressRows, OfHistoriesSayWhereAndTheirColumnsTheUnit) {
  import_modes("element_stress/held/arc_S4", "shell");
  import_modes("element_stress/beams/short_B31", "beam");
  write_run("shell");
  write_run("beam");
  const Eigen::Vector3d at =
      importer::read_fe_model(femflex_.file("shell.fe.h5")).nodes.front().position;
  write_text(femflex_.file("gauges.json"),
             fmt::format(R"({{"gauges": [{{"name": "g", "point": [{}, {}, {}],
                             "directions": [[0, 1, 0], [0, 1, 1]]}}]}})",
                         at.x(),
                         at.y(),
                         at.z()));
  std::map<std::string, std::string> units;  // of each column that the documents tell
  const auto tell = [&](const std::vector<Row>& rows, const char* member) {
    for (const Row& row : rows)
      units[row.at(member)] = row.at("unit");
  };
  const auto check_columns = [&](const std::string& file) {
    const tools::ResultSeries table = tools::read_csv(femflex_.file(file));
    EXPECT_FALSE(table.channels.empty());
    for (const mbd_solver::Channel& channel : table.channels) {
      const std::string name = channel.name.substr(0, channel.name.find(" ["));
      const bool is_stress = name.find("/stress/") != std::string::npos;
      const auto told = units.find(is_stress ? name.substr(0, name.rfind('/')) : name);
      ASSERT_NE(told, units.end()) << channel.name;
      const std::string unit = told->second == "1" ? "-" : told->second;
      EXPECT_EQ(channel.name, name + " [" + unit + "]");
      EXPECT_EQ(table.find(name), table.find(channel.name));
    }
  };
  const std::string shell = "stress shell.h5 --flex shell.fbm --history 1,2 --gauges gauges.json";
  const Json of_shell = femflex_.json(shell + " -o shell.csv");
  expect_schema(shell);
  const std::vector<Row> histories = rows_of(of_shell, "histories");
  EXPECT_EQ(checked(histories, fields_of_stress(), shell, "face"), (Words{"bottom", "top"}));
  tell(histories, "channels");
  const Json& gauge = of_shell.find("gauges")->items().front();
  checked({row_of(gauge)},
          {{"element", {}},
           {"type", {"CQUAD4"}},
           {"face", {"top"}},
           {"axes", {"basic"}},
           {"x_m", {}},
           {"y_m", {}},
           {"z_m", {}},
           {"unit", {"1"}}},
          shell);
  const std::vector<Row> grids = rows_of(gauge, "grids");
  const std::vector<Field> extremes{{"max", {}}, {"max_time", {}}, {"min", {}}, {"min_time", {}}};
  std::vector<Field> of_grid = extremes;
  of_grid.insert(of_grid.end(), {{"axes", {"basic"}}, {"unit", {"1"}}});
  EXPECT_EQ(checked(grids, of_grid, shell, "channel").size(), 2U);
  tell(grids, "channel");
  check_columns("shell.csv");

  const std::string beam = "stress beam.h5 --flex beam.fbm --history 3 --forces 3,4";
  const Json of_beam = femflex_.json(beam + " -o beam.csv");
  expect_schema(beam);
  checked(rows_of(of_beam, "histories"), fields_of_stress(), beam);
  tell(rows_of(of_beam, "histories"), "channels");
  std::vector<Field> of_force = extremes;
  of_force.insert(of_force.end(),
                  {{"element", {}},
                   {"type", {"CBAR"}},
                   {"place", {"end"}},
                   {"index", {}},
                   {"face", {"none"}},
                   {"axes", {"element"}},
                   {"component", {"axial", "shear_1", "shear_2", "torque", "moment_1", "moment_2"}},
                   {"x_m", {}},
                   {"y_m", {}},
                   {"z_m", {}}});
  const std::vector<Row> forces = rows_of(of_beam, "forces");
  EXPECT_EQ(checked(forces, of_force, beam, "unit"), (Words{"N", "N m"}));
  tell(forces, "channel");
  check_columns("beam.csv");

  // the unit of a column is that in which cycles are counted: 1 MPa is 1e6 Pa
  const auto counted = [&](const std::string& curve) {
    const Json document = femflex_.json(
        "stress --rainflow shell.csv --channels "
        "shell/1-centre-1-top/stress/signed_von_mises" +
        curve);
    return document.find("signals")->items().front();
  };
  const Json in_pascal = counted("");
  const Json in_megapascal = counted(" --curve " + quoted("durability/steel.json"));
  EXPECT_EQ(in_pascal.find("unit")->text(), "Pa");
  EXPECT_EQ(in_megapascal.find("unit")->text(), "MPa");
  const double range = in_pascal.find("largest_range")->number();
  EXPECT_NEAR(in_megapascal.find("largest_range")->number() * 1e6, range, 1e-9 * range);
  // and both files of one call are the same histories by their names
  done(shell + " -o shell_histories.h5");
  for (const std::string pair : {"shell.csv shell_histories.h5", "shell_histories.h5 shell.csv"}) {
    const Json compared = femflex_.json("compare " + pair);
    EXPECT_EQ(compared.find("channels")->items().size(),
              tools::read_csv(femflex_.file("shell.csv")).channels.size());
    EXPECT_NE(femflex_("compare " + pair + " --channels shell/g/strain/1").out.find("strain/1"),
              std::string::npos);
  }
}

TEST_F(StressRows, OfDamageSpectraAndSchedulesSayWhere) {
  simulate();
  const std::string curve = " --curve " + quoted("durability/soft.json");
  std::vector<std::string> with_damage = of_run_;
  with_damage.emplace_back("damage");
  const std::string run = "stress run.h5 --at corners";
  of_call(run + curve, with_damage, "axes");
  of_call(run + curve + " --criterion critical-plane", with_damage, "axes");
  import("C3D20", "element_stress/held/C3D20.inp", "bolts.fe.h5");
  done("modes bolts.fe.h5 --static");
  of_call(run + curve + " --preload bolts.fe.h5", with_damage, "axes");

  write_text(femflex_.file("schedule.json"),
             R"({"unit": "km", "runs": [{"result": "run.h5", "length": 2, "share": 0.5}]})");
  const std::string schedule = "stress --schedule schedule.json --at corners" + curve;
  of_call(schedule, {"von_mises", "damage_per_km"}, "axes");
  EXPECT_EQ(checked(rows_of(femflex_.json(schedule), "rows"),
                    {{"damage_per_unit", {}}, {"per", {"km"}}, {"worst_run", {"run.h5"}}},
                    schedule),
            Words{"Pa"});
  const Json scheduled = femflex_.json(schedule);
  for (const Json& row : scheduled.find("rows")->items())
    EXPECT_EQ(row.find("von_mises")->find("run")->text(), "run.h5");

  write_text(femflex_.file("random.json"), R"json({
    "femflex": 1, "units": "m-kg-s",
    "bodies": { "bracket": { "flex": "bracket.fbm", "damping": 0.02 } },
    "joints": { "wall": { "type": "fixed", "a": "ground", "b": "bracket" } },
    "inputs": { "push": { "unit": "N", "value": 0 } },
    "forces": { "end": { "type": "force", "on": "bracket/9", "value": [0, "push", 0] } } })json");
  write_text(femflex_.file("white.csv"), "hz,push\n0,2.5\n100,2.5\n");
  of_call("stress random.json --spectrum white.csv --at corners" + curve,
          {"von_mises_rms", "crossings_per_s", "peaks_per_s", "regularity", "damage_per_s"},
          "axes");
}

TEST_F(StressRows, OfPlainSignalsSayTheirUnit) {
  const std::string curve = " --curve " + quoted("durability/steel.json");
  write_text(femflex_.file("signals.csv"), "t,a [MPa],b [kPa]\n0,0,0\n1,9,7\n2,-3,1\n3,4,5\n");
  write_text(femflex_.file("densities.csv"), "hz,a [MPa^2/Hz],b [kPa^2/Hz]\n1,2,3\n9,2,3\n");
  const Words own{"MPa", "kPa"};
  const std::map<std::string, Words> expected{{"", own}, {curve, {"MPa"}}};
  for (const auto& each : expected) {
    const std::string& option = each.first;
    const Words& units = each.second;
    std::vector<Field> fields{{"signal", {"a", "b"}}, {"unit", units}};
    const auto of = [&](const std::string& words, const std::vector<const char*>& numbers) {
      const Json document = femflex_.json(words + option + " --csv rows.csv");
      EXPECT_EQ(checked(rows_of(document, "signals"), {{"name", {"a", "b"}}}, words), units);
      for (const Json& signal : document.find("signals")->items()) {
        if (signal.find("largest") == nullptr) continue;
        EXPECT_EQ(checked(rows_of(signal, "largest"), {{"range", {}}, {"mean", {}}}, words),
                  Words{signal.find("unit")->text()});
      }
      std::vector<Field> all = fields;
      for (const char* number : numbers)
        all.push_back({number, {}});
      EXPECT_EQ(checked(read_rows(femflex_.file("rows.csv")).rows, all, words), units);
      expect_schema(words + option);
    };
    of("stress --rainflow signals.csv", {"range", "mean", "count"});
    of("stress --spectrum densities.csv", {"rms", "crossings_per_s", "peaks_per_s", "regularity"});
  }
}

}  // namespace
}  // namespace femflex::testing
