// Tests `femflex stress-deck` as a user runs it: the deck that prescribes shapes, the stresses that
// CalculiX computes from it, results of other shapes, and refused input.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "document/json.h"
#include "program.h"
#include "schema_check.h"

namespace femflex::testing {
namespace {

using tools::Json;

/// Stresses xx to zx of a shape, by point (x, y, z in micrometres). They are the means of all rows
/// of a table of `stress --csv` for this point.
std::map<std::array<std::int64_t, 3>, std::vector<double>> means_at_points(
    const std::filesystem::path& path, const std::string& shape) {
  std::ifstream in(path);
  std::vector<std::string> heads;
  std::map<std::array<std::int64_t, 3>, std::vector<double>> sum;
  std::map<std::array<std::int64_t, 3>, double> count;
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> cells;
    std::istringstream fields(line);
    for (std::string cell; std::getline(fields, cell, ',');)
      cells.push_back(cell);
    if (heads.empty()) {
      heads = cells;
      continue;
    }
    const auto at = [&](const std::string& name) {
      return cells.at(
          static_cast<std::size_t>(std::find(heads.begin(), heads.end(), name) - heads.begin()));
    };
    if (at("shape") != shape) continue;
    std::array<std::int64_t, 3> point{};
    for (std::size_t axis = 0; axis < 3; ++axis)
      point[axis] = std::llround(1e6 * std::stod(at(std::string(1, "xyz"[axis]) + "_m")));
    std::vector<double>& values = sum[point];
    values.resize(6, 0.0);
    int c = 0;
    for (const char* name : {"xx", "yy", "zz", "xy", "yz", "zx"})
      values[static_cast<std::size_t>(c++)] += std::stod(at(name));
    count[point] += 1.0;
  }
  for (auto& [point, values] : sum)
    for (double& value : values)
      value /= count[point];
  return sum;
}

bool has_calculix() {
  return std::system("command -v ccx > /dev/null 2>&1") == 0;  // NOLINT(concurrency-mt-unsafe)
}

class StressDeck : public ::testing::Test {
 protected:
  void done(const std::string& words) {
    const CommandResult result = femflex_(words);
    ASSERT_EQ(result.exit_code, 0) << words << "\n" << result.out << result.err;
  }
  std::string code(const std::string& words) {
    const CommandResult result = femflex_(words + " --json");
    EXPECT_EQ(result.exit_code, 2) << words;
    const Json document = tools::parse_json(result.out, words);
    const Json* error = document.find("error");
    return error == nullptr ? "no error" : error->find("code")->text();
  }
  static std::string deck(const std::string& type) {
    return "'" + data("calculix/decks/held_" + type + ".inp").string() + "'";
  }
  /// Makes a body with three normal modes.
  void reduce(const std::string& type) {
    const std::string base = data("calculix/decks/held_" + type).string();
    done("import '" + base + ".inp' '" + base + ".sti.gz' '" + base + ".mas.gz' '" + base +
         ".dof' --units m-kg-s --name bracket -o m.fe.h5");
    done("modes m.fe.h5 --normal 3");
    done("reduce m.fe.h5 --select dynamic:1-3 -o b.fbm");
  }
  Program femflex_;
};

// Truth: the text of the deck. Mesh, material and section are kept, supports and steps are removed,
// and one step for each shape prescribes three components at every node.
TEST_F(StressDeck, EnforcesEveryNodeInOneStepPerShape) {
  reduce("C3D10");
  const Json document = femflex_.json("stress-deck " + deck("C3D10") + " b.fbm -o enforced.inp");
  const Json schema = tools::read_json_file(data("../tools/schemas/stress-deck.json"));
  EXPECT_EQ(schema_fault(schema, document), "");
  EXPECT_EQ(document.find("shapes")->number(), 3.0);
  EXPECT_EQ(document.find("places")->number(), 0.0);
  const std::string text = read_text(femflex_.file("enforced.inp"));
  const auto count = [&](const std::string& what) {
    int found = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
      ++found;
    return found;
  };
  EXPECT_EQ(count("*STEP\n"), 3);
  EXPECT_EQ(count("*BOUNDARY, OP=NEW\n"), 3);
  EXPECT_EQ(count("*BOUNDARY"), 3);
  EXPECT_EQ(count("*FREQUENCY"), 0);
  EXPECT_EQ(count("*SOLID SECTION"), 1);
  EXPECT_EQ(count("*ELASTIC"), 1);
  // as a NASTRAN deck: without the supports of the deck, with one subcase and SPC set per shape
  write_text(femflex_.file("m.bdf"),
             "SOL 103\nCEND\nMETHOD = 1\nBEGIN BULK\nEIGRL,1,,,3\nMAT1,1,2.1E11,,.3,7850.\n"
             "RBE2,9,1,123,2,3,\n+,4,5\nSPC1,1,123456,1\nPSOLID,1,1\nENDDATA\n");
  done("stress-deck m.bdf b.fbm -o e.bdf");
  const std::string bulk = read_text(femflex_.file("e.bdf"));
  EXPECT_NE(bulk.find("SUBCASE 3"), std::string::npos);
  EXPECT_NE(bulk.find("MAT1,1,"), std::string::npos);
  EXPECT_NE(bulk.find("SPC*                   3               1               1"),
            std::string::npos);
  for (const char* gone : {"RBE2", "+,4,5", "SPC1", "EIGRL", "METHOD", "SOL 103"})
    EXPECT_EQ(bulk.find(gone), std::string::npos) << gone;
}

// Truth: femflex's own stress recovery. Both programs extrapolate in the same way from eight
// integration points to the corners of bricks. A `.frd` file has six digits.
TEST_F(StressDeck, CalculixGivesTheStressesThatOurRecoveryGives) {
  if (!has_calculix()) GTEST_SKIP() << "CalculiX (ccx) is not installed";
  for (const char* type : {"C3D8", "C3D20R"}) {
    SCOPED_TRACE(type);
    reduce(type);
    done("stress-deck " + deck(type) + " b.fbm -o enforced.inp --run");
    done("stress b.fbm --model enforced.fe.h5 --source read --at corners --csv read.csv");
    done("stress b.fbm --source computed --at corners --csv computed.csv");
    for (const char* shape : {"1", "2", "3"}) {
      const auto read = means_at_points(femflex_.file("read.csv"), shape);
      const auto computed = means_at_points(femflex_.file("computed.csv"), shape);
      ASSERT_FALSE(computed.empty()) << read_text(femflex_.file("computed.csv")).substr(0, 400);
      double largest = 0.0;
      double difference = 0.0;
      for (const auto& [point, values] : computed) {
        ASSERT_TRUE(read.contains(point));
        for (std::size_t c = 0; c < 6; ++c) {
          largest = std::max(largest, std::abs(values[c]));
          difference = std::max(difference, std::abs(values[c] - read.at(point)[c]));
        }
      }
      EXPECT_LT(difference, tolerance(2e-5) * largest);
    }
    // results of a deck with other shapes are refused
    EXPECT_EQ(code("stress-deck " + deck(type) +
                   " b.fbm -o again.inp --results missing.frd --stresses x.fe.h5"),
              "no-such-file");
    done("modes m.fe.h5 --normal 2 -o two.fe.h5");
    EXPECT_EQ(code("stress-deck " + deck(type) +
                   " two.fe.h5 -o again.inp --results enforced.frd --stresses x.fe.h5"),
              "other-shapes");
    EXPECT_EQ(code("stress-deck " + deck("C3D10") + " b.fbm -o x.inp --run"), "other-deck");
    EXPECT_FALSE(femflex_.has("x.fe.h5"));
  }
}

TEST_F(StressDeck, RefusesWhatCannotBeEnforced) {
  reduce("C3D4");
  const std::string own = deck("C3D4");
  EXPECT_EQ(code("stress-deck " + own + " b.fbm -o enforced.bdf"), "deck-format");
  EXPECT_EQ(code("stress-deck " + own + " b.fbm -o enforced.inp --stresses s.fe.h5"), "run");
  EXPECT_EQ(code("stress-deck " + own + " b.fbm -o enforced.inp --run --program no_such_ccx"),
            "no-program");
  EXPECT_EQ(code("stress-deck " + own + " b.fbm -o e.inp --run --results r.frd"), "run");
  EXPECT_EQ(code("stress-deck missing.inp b.fbm -o e.inp"), "no-such-file");
  EXPECT_EQ(code("stress-deck " + own + " b.fbm"), "usage");
  EXPECT_FALSE(femflex_.has("e.inp"));
}

// CalculiX writes translations alone, also of shells: with rotations of zero, a shell would have
// other stresses.
TEST_F(StressDeck, RefusesShellsWhoseShapesHaveNoRotations) {
  done("import '" + data("calculix/shells/fold_text.frd").string() +
       "' --units m-kg-s --name fold -o fold.fe.h5");
  EXPECT_EQ(code("stress-deck fold.bdf fold.fe.h5 -o enforced.bdf"), "no-rotations");
}

}  // namespace
}  // namespace femflex::testing
