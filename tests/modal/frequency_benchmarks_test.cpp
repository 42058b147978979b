// Tests frequencies of beams and plates from matrices assembled in the test. Truth: every line of
// the published tables, within the tolerance of the table; for beams also the order of
// discretisation.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/modal/compute_modes.h"
#include "femflex/modal/reduce.h"
#include "femflex/units.h"

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
  for (auto k = static_cast<std::size_t>(rigid); k < modes.modes.modes.size(); ++k)
    out.push_back(modes.modes.modes[k].eigenvalue);
  if (rigid > 0) {
    EXPECT_LT(std::abs(modes.modes.modes[static_cast<std::size_t>(rigid) - 1].eigenvalue),
              1e-6 * out.front());
  }
  return out;
}

/// The beam of a line of the table.
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
    // below 1e-9 the digits of the table limit the comparison
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

/// K of a cantilever along x that spins with Omega^2 = 1 about y (flap: bending out of the plane of
/// rotation): axial force N(x) = (1 - x^2) / 2 + delta (1 - x), delta the hub radius.
SparseMatrix spun_stiffness(const FeModel& model, int elements, double delta) {
  const double h = 1.0 / elements;
  std::vector<Entry> entries;
  for (std::int64_t e = 0; e < elements; ++e) {
    Eigen::Matrix4d g = Eigen::Matrix4d::Zero();
    constexpr double point[3] = {-0.7745966692414834, 0.0, 0.7745966692414834};
    constexpr double weight[3] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
    for (int p = 0; p < 3; ++p) {
      const double s = 0.5 * (1 + point[p]);
      const double x = (static_cast<double>(e) + s) * h;
      const Eigen::Vector4d slope((-6 * s + 6 * s * s) / h,
                                  1 - 4 * s + 3 * s * s,
                                  (6 * s - 6 * s * s) / h,
                                  3 * s * s - 2 * s);
      g += 0.5 * h * weight[p] * (0.5 * (1 - x * x) + delta * (1 - x)) * slope * slope.transpose();
    }
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j <= i; ++j)
        entries.push_back({2 * e + i, 2 * e + j, g(i, j)});
  }
  return *model.stiffness + assemble(model.dofs.size(), model.dofs.size(), entries);
}

// Rotating cantilever (Wright et al. 1982): flap frequencies from the reduced body, k plus
// Omega^2 k_geo, k_geo from a K that was computed under Omega^2 = 4.
TEST(GeometricStiffness, FlapFrequenciesOfARotatingBeamMeetTheTable) {
  const auto shared = testing::shared_folder();
  if (shared.empty()) GTEST_SKIP() << "no folder of benchmarks beside the project";
  std::ifstream file(shared / "benchmarks" / "rotating_beam_frequencies.json");
  const nlohmann::json json = nlohmann::json::parse(file);
  constexpr int elements = 30;
  const FeModel model = testing::beam(elements, "cf");
  Diagnostics diagnostics;
  int compared = 0;
  for (const auto& [name, entry] : json["expected"].items()) {
    if (name.rfind("flap mode ", 0) != 0) continue;
    const double delta = std::stod(name.substr(name.find("delta=") + 6));
    const double gamma = std::stod(name.substr(name.find("gamma=") + 6));
    ReduceOptions options;
    options.method = Method::given;
    options.orthogonalise = options.scale = true;
    PreloadedStiffness spun;
    spun.cause = GeometricStiffness::Cause::spin_yy;
    spun.amount = 4.0;
    spun.stiffness = *model.stiffness;
    spun.stiffness += 4.0 * (spun_stiffness(model, elements, delta) - *model.stiffness);
    options.preloaded = {spun};
    FeModel with_modes = model;
    ModeRequest request;
    request.normal = 12;
    with_modes.modes = compute_modes(model, request, diagnostics).modes;
    const FlexBody body = reduce(with_modes, options, diagnostics);
    ASSERT_EQ(body.geometric.size(), 1u);
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> pairs(
        body.stiffness + gamma * gamma * body.geometric[0].stiffness, body.mass);
    EXPECT_NEAR(std::sqrt(pairs.eigenvalues()(std::stoi(name.substr(10)) - 1)),
                entry["value"].get<double>(),
                tolerance(entry["tol"].get<double>()))
        << name;
    ++compared;
  }
  EXPECT_GE(compared, 9);
}

// Truth: without a change of K nothing stiffens, so that an equal K was exported without preload.
TEST(GeometricStiffness, AMatrixOfAnotherSizeOrNoAmountIsRefused) {
  const FeModel model = testing::beam(4, "cf");
  const Eigen::MatrixXd shapes = Eigen::MatrixXd::Ones(model.dofs.size(), 1);
  Diagnostics diagnostics;
  PreloadedStiffness state;
  const auto terms = [&] { return geometric_terms(model, {state}, shapes, diagnostics); };
  state.stiffness = *model.stiffness;
  state.amount = 0.0;
  EXPECT_THROW(terms(), ModelError);
  state.amount = 1.0;
  EXPECT_EQ(testing::code_of(terms), "no-preload");
  state.stiffness *= 2.0;
  EXPECT_NO_THROW(terms());
  state.stiffness.conservativeResize(3, 3);
  EXPECT_THROW(terms(), ModelError);
  EXPECT_EQ(parse_cause("spin-xz"), GeometricStiffness::Cause::spin_xz);
  EXPECT_THROW(parse_cause("spin"), UsageError);
}

// A body file has one matrix a cause: a simulation would add two, SID would keep one.
TEST(GeometricStiffness, ACauseGivenTwiceIsRefused) {
  const FeModel model = testing::beam(4, "cf");
  const Eigen::MatrixXd shapes = Eigen::MatrixXd::Ones(model.dofs.size(), 1);
  Diagnostics diagnostics;
  PreloadedStiffness a;
  a.stiffness = 2.0 * *model.stiffness;
  PreloadedStiffness b = a;
  const auto terms = [&] { return geometric_terms(model, {a, b}, shapes, diagnostics); };
  EXPECT_EQ(testing::code_of(terms), "cause-twice");
  b.cause = GeometricStiffness::Cause::spin_xy;
  EXPECT_NO_THROW(terms());
  a.cause = b.cause = GeometricStiffness::Cause::force;
  a.node = b.node = 3;
  a.component = 1;
  b.component = 2;
  EXPECT_NO_THROW(terms());
  b.component = 1;
  EXPECT_EQ(testing::code_of(terms), "cause-twice");
}

// Truth: the request alone tells; this model has no modes to choose, either.
TEST(GeometricStiffness, ACauseGivenTwiceIsRefusedBeforeTheModes) {
  const FeModel model = testing::beam(4, "cf");
  ReduceOptions options;
  options.method = Method::given;
  PreloadedStiffness state;
  state.stiffness = 2.0 * *model.stiffness;
  options.preloaded = {state, state};
  Diagnostics diagnostics;
  EXPECT_EQ(testing::code_of([&] { reduce(model, options, diagnostics); }), "cause-twice");
}

/// A block of bricks, and the change of its K that strings between nodes of consecutive numbers
/// make: as any stress does, they leave a moved part without force.
struct Stringed {
  FeModel model;
  SparseMatrix change;
};

Stringed stringed_block() {
  Stringed out{testing::brick_block(4, 1, 1, 1.0, 0.2, 0.15), {}};
  out.model.units = parse_units("mm-kg-ms");
  *out.model.stiffness *= 1e-9;  // soft, so that the sums keep the digits of what is added
  std::vector<Entry> entries;
  for (std::int64_t node = 1; node < static_cast<std::int64_t>(out.model.nodes.size()); ++node)
    for (std::int8_t c = 1; c <= 3; ++c) {
      const std::int64_t a = out.model.dofs.find({node, c});
      const std::int64_t b = out.model.dofs.find({node + 1, c});
      const double k = 1e-3 * c;
      entries.insert(entries.end(), {{a, a, k}, {b, b, k}, {std::max(a, b), std::min(a, b), -k}});
    }
  out.change = assemble(out.model.dofs.size(), out.model.dofs.size(), entries);
  return out;
}

/// M S for a 3 x 3 S on x, y, z of each node, for an M that does not couple them: lower triangle.
SparseMatrix mass_times(const FeModel& model, const Eigen::Matrix3d& S) {
  std::vector<Entry> entries;
  const SparseMatrix full = mirrored(*model.mass);
  for (Eigen::Index col = 0; col < full.outerSize(); ++col)
    for (SparseMatrix::InnerIterator it(full, col); it; ++it)
      for (std::int8_t c = 1; c <= 3; ++c) {
        const Dof from = model.dofs[col];
        const std::int64_t to = model.dofs.find({from.node, c});
        if (to <= it.row())
          entries.push_back({it.row(), to, it.value() * S(from.component - 1, c - 1)});
      }
  return assemble(model.dofs.size(), model.dofs.size(), entries);
}

// Truth: the same without the load. CalculiX adds -w^2 M across the axis to K while CENTRIF acts
// (e_c3d.f, second order); the simulation has these terms already.
TEST(GeometricStiffness, TheSofteningOfACentrifugalLoadIsTakenOut) {
  using Cause = GeometricStiffness::Cause;
  const Stringed block = stringed_block();
  const FeModel& model = block.model;
  const Eigen::MatrixXd shapes = Eigen::MatrixXd::Random(model.dofs.size(), 5);
  Eigen::Matrix3d about_z = -Eigen::Matrix3d::Identity();
  about_z(2, 2) = 0.0;
  Eigen::Matrix3d xy = Eigen::Matrix3d::Zero();
  xy(0, 1) = xy(1, 0) = 1.0;
  constexpr double amount = 400.0;            // [(rad/s)^2]
  constexpr double in_units = 1e-6 * amount;  // [(rad/ms)^2]
  for (const auto& [cause, softening] :
       {std::pair(Cause::spin_zz, about_z), std::pair(Cause::spin_xy, xy)}) {
    PreloadedStiffness state;
    state.cause = cause;
    state.amount = amount;
    state.stiffness = *model.stiffness + block.change;
    Diagnostics quiet;
    const auto expected = geometric_terms(model, {state}, shapes, quiet);
    EXPECT_TRUE(quiet.empty());
    const SparseMatrix of_load = in_units * mass_times(model, softening);
    Diagnostics diagnostics;
    state.stiffness += of_load;
    const auto found = geometric_terms(model, {state}, shapes, diagnostics);
    EXPECT_LT(testing::relative_difference(found[0].stiffness, expected[0].stiffness),
              tolerance(1e-8));
    ASSERT_EQ(diagnostics.warnings().size(), 1U);
    EXPECT_EQ(diagnostics.warnings().front().code, "spin-softening");
    state.stiffness -= 0.5 * of_load;  // the load acts on half of the mass
    EXPECT_EQ(testing::code_of([&] { geometric_terms(model, {state}, shapes, diagnostics); }),
              "load-stiffness");
    // a load of inertia along an axis has no stiffness to look for
    state.cause = Cause::acceleration_x;
    EXPECT_NO_THROW(geometric_terms(model, {state}, shapes, diagnostics));
  }
}

// Truth: a spring holds each mass, so that nothing tells stress from load. A load about the axis
// along which the model moves has no stiffness there.
TEST(GeometricStiffness, ALoadThatCannotBeToldFromStressIsNamed) {
  FeModel model = testing::beam(4, "ff");  // moves along y
  for (Eigen::Index row = 0; row < model.stiffness->rows(); ++row)
    model.stiffness->coeffRef(row, row) += 100.0;
  const Eigen::MatrixXd shapes = Eigen::MatrixXd::Identity(model.dofs.size(), 1);
  using Cause = GeometricStiffness::Cause;
  for (const Cause cause : {Cause::spin_xx, Cause::spin_yy, Cause::spin_zz}) {
    PreloadedStiffness state;
    state.stiffness = 1.5 * *model.stiffness;
    state.cause = cause;
    Diagnostics diagnostics;
    geometric_terms(model, {state}, shapes, diagnostics);
    ASSERT_EQ(diagnostics.warnings().size(), cause == Cause::spin_yy ? 0U : 1U);
    if (cause == Cause::spin_yy) continue;
    EXPECT_EQ(diagnostics.warnings().front().code, "spin-softening-unknown");
    EXPECT_NE(diagnostics.warnings().front().message.find("OP=NEW"), std::string::npos);
  }
}

// Truth: a load on all masses but one of twenty-five leaves a part of (19b), which is refused, as
// is what neither stress nor the load explains.
TEST(GeometricStiffness, AShareOtherThanNoneOrAllIsRefused) {
  const Stringed block = stringed_block();
  const Eigen::MatrixXd shapes = Eigen::MatrixXd::Random(block.model.dofs.size(), 2);
  Eigen::Matrix3d about_z = -Eigen::Matrix3d::Identity();
  about_z(2, 2) = 0.0;
  PreloadedStiffness state;
  state.cause = GeometricStiffness::Cause::spin_zz;
  state.amount = 400.0;
  const auto message = [&](double share) {
    state.stiffness = *block.model.stiffness + block.change;
    state.stiffness += share * 4e-4 * mass_times(block.model, about_z);
    Diagnostics diagnostics;
    try {
      geometric_terms(block.model, {state}, shapes, diagnostics);
    } catch (const ModelError& error) {
      EXPECT_EQ(error.code(), "load-stiffness");
      return error.message();
    }
    return std::string();
  };
  EXPECT_EQ(message(0.0), "");
  EXPECT_EQ(message(1.0), "");
  EXPECT_NE(message(0.96).find("0.96 of the stiffness"), std::string::npos);
  EXPECT_NE(message(0.04).find("0.04 of the stiffness"), std::string::npos);
  EXPECT_NE(message(-0.3).find("digits"), std::string::npos) << message(-0.3);
  EXPECT_NE(message(1.4).find("digits"), std::string::npos);
}

}  // namespace
}  // namespace femflex::modal
