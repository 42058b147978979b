// Every line of the published tables of beams and plates, from matrices assembled here, judged by
// the tolerance that the table states; beams at their order of discretisation as well.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "femflex/modal/compute_modes.h"

#include "problems.h"
#include "support/support.h"

namespace femflex::modal {
namespace {

using testing::tolerance;

struct Line {
  std::string name;
  int mode = 1;
  double value = 0.0;
  double tolerance = 0.0;
};

std::vector<Line> lines_of(const std::string& benchmark) {
  std::vector<Line> lines;
  const auto shared = testing::shared_folder();
  if (shared.empty()) return lines;
  std::ifstream file(shared / "benchmarks" / (benchmark + ".json"));
  const nlohmann::json json = nlohmann::json::parse(file);
  for (const auto& [name, entry] : json["expected"].items())
    lines.push_back({name,
                     std::stoi(name.substr(name.rfind(' '))),
                     entry["value"].get<double>(),
                     entry["tol"].get<double>()});
  return lines;
}

/// Elastic eigenvalues of a part, rising.
std::vector<double> elastic(const FeModel& model, std::int64_t count, std::int64_t rigid) {
  ModeRequest request;
  request.normal = count + rigid;
  Diagnostics diagnostics;
  const ComputedModes modes = compute_modes(model, request, diagnostics);
  std::vector<double> out;
  for (std::size_t k = static_cast<std::size_t>(rigid); k < modes.modes.modes.size(); ++k)
    out.push_back(modes.modes.modes[k].eigenvalue);
  if (rigid > 0) {
    EXPECT_LT(std::abs(modes.modes.modes[static_cast<std::size_t>(rigid) - 1].eigenvalue),
              1e-6 * out.front());
  }
  return out;
}

/// The beam that a line of the table speaks of.
FeModel beam_of(const std::string& name, int elements, std::int64_t& rigid) {
  const auto letter = [](const std::string& end) { return end.front(); };
  const std::size_t dash = name.find('-');
  std::string ends{letter(name), letter(name.substr(dash + 1))};
  const bool guided = ends[1] == 'g';  // the slope is held, the deflection is not
  if (guided) ends[1] = 'f';
  FeModel model = testing::beam(elements, ends.c_str());
  if (guided) model.fixed.push_back({elements + 1, 6});
  if (const std::size_t at = name.find("ratio "); at != std::string::npos) {
    const std::int64_t tip = model.dofs.find({elements + 1, 2});
    *model.mass += assemble(
        model.dofs.size(), model.dofs.size(), {{tip, tip, std::stod(name.substr(at + 6))}});
  }
  rigid = ends == "ff" ? 2 : ends == "fp" ? 1 : 0;
  return make_fe_model(std::move(model));
}

TEST(FrequencyBenchmarks, BeamsMeetTheTableWithTheFourthOrder) {
  const std::vector<Line> lines = lines_of("beam_frequencies");
  if (lines.empty()) GTEST_SKIP() << "no folder of benchmarks beside the project";
  EXPECT_EQ(lines.size(), 40u);
  for (const Line& line : lines) {
    double error[2];
    for (int level = 0; level < 2; ++level) {
      std::int64_t rigid = 0;
      const FeModel model = beam_of(line.name, level == 0 ? 16 : 32, rigid);
      const double beta =
          std::pow(elastic(model, 4, rigid)[static_cast<std::size_t>(line.mode) - 1], 0.25);
      error[level] = beta / line.value - 1.0;
      EXPECT_NEAR(beta, line.value, tolerance(line.tolerance)) << line.name;
    }
    // below 1e-9 the digits of the table are at stake
    if (std::abs(error[1]) > 1e-9) {
      EXPECT_NEAR(std::log2(error[0] / error[1]), 4.0, 0.2) << line.name;
    }
  }
}

TEST(FrequencyBenchmarks, SquarePlatesMeetTheTable) {
  const std::vector<Line> lines = lines_of("plate_frequencies");
  if (lines.empty()) GTEST_SKIP() << "no folder of benchmarks beside the project";
  EXPECT_EQ(lines.size(), 20u);
  constexpr int elements = 12;
  for (const std::string edges : {"SSSS", "CCCC", "FFFF", "CFFF"}) {
    FeModel model = testing::plate(
        elements, edges == "CFFF" ? 'f' : static_cast<char>(std::tolower(edges.front())));
    if (edges == "CFFF")
      for (const Node& node : model.nodes)
        if (node.position.x() < 1e-9)
          for (std::int8_t c = 3; c <= 6; ++c)
            model.fixed.push_back({node.id, c});
    const std::vector<double> lambda = elastic(model, 5, edges == "FFFF" ? 3 : 0);
    for (const Line& line : lines)
      if (line.name.substr(0, 4) == edges) {
        EXPECT_NEAR(std::sqrt(lambda[static_cast<std::size_t>(line.mode) - 1]),
                    line.value,
                    tolerance(line.tolerance))
            << line.name;
      }
  }
}

}  // namespace
}  // namespace femflex::modal
