// Tests the assembly of parts by their connections.
#include "femflex/substructure/connectivity.h"

#include <algorithm>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "femflex/errors.h"

#include "examples.h"
#include "support/support.h"

namespace femflex::substructure {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using testing::code_of;
using testing::tolerance;

/// Random bars between random points of space.
struct BarModel {
  std::vector<Eigen::Vector3d> points;
  std::vector<std::array<int, 2>> ends;  // from 0
  std::vector<Bar> bars;
  std::vector<DynamicStiffness> parts;
  ObjectTable objects;
};

BarModel random_bars(unsigned seed, int points, int bars) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> place(-10.0, 10.0);
  std::uniform_real_distribution<double> factor(0.1, 10.0);
  std::uniform_int_distribution<int> pick(0, points - 1);
  BarModel model;
  for (int i = 0; i < points; ++i) {
    model.points.emplace_back(place(engine), place(engine), place(engine));
  }
  for (int e = 0; e < bars; ++e) {
    // a chain first, so that no point is left out
    const int a = e + 1 < points ? e : pick(engine);
    int b = e + 1 < points ? e + 1 : pick(engine);
    while (b == a)
      b = pick(engine);
    model.ends.push_back({a, b});
    model.bars.push_back({100.0 * factor(engine), 1e8 * factor(engine), 1e4 * factor(engine)});
    const Bar& bar = model.bars.back();
    const Eigen::Vector3d axis =
        model.points[static_cast<std::size_t>(b)] - model.points[static_cast<std::size_t>(a)];
    model.parts.push_back(
        rotated(with_dimension(bar_part(bar), 3, bar.mass / 2.0), frame_along(axis)));
    model.objects.push_back({3 * a + 1, 3 * a + 2, 3 * a + 3, 3 * b + 1, 3 * b + 2, 3 * b + 3});
  }
  return model;
}

/// The same model as a finite-element program assembles it: one direction cosine matrix per bar.
std::array<MatrixXd, 3> direct(const BarModel& model) {
  const auto n = static_cast<Index>(3 * model.points.size());
  std::array<MatrixXd, 3> A{MatrixXd::Zero(n, n), MatrixXd::Zero(n, n), MatrixXd::Zero(n, n)};
  for (std::size_t e = 0; e < model.bars.size(); ++e) {
    const auto& [a, b] = model.ends[e];
    const Eigen::Vector3d axis =
        (model.points[static_cast<std::size_t>(b)] - model.points[static_cast<std::size_t>(a)])
            .normalized();
    const Eigen::Matrix3d along = axis * axis.transpose();
    const std::array<double, 2> amounts{model.bars[e].stiffness, model.bars[e].damping};
    for (std::size_t k = 0; k < 2; ++k) {
      A[k].block<3, 3>(3 * a, 3 * a) += amounts[k] * along;
      A[k].block<3, 3>(3 * b, 3 * b) += amounts[k] * along;
      A[k].block<3, 3>(3 * a, 3 * b) -= amounts[k] * along;
      A[k].block<3, 3>(3 * b, 3 * a) -= amounts[k] * along;
    }
    for (int d = 0; d < 3; ++d) {
      A[2](3 * a + d, 3 * a + d) += model.bars[e].mass / 2.0;
      A[2](3 * b + d, 3 * b + d) += model.bars[e].mass / 2.0;
    }
  }
  return A;
}

// Truth: direct assembly of bar elements.
TEST(Assembly, OfRandomBarsIsTheFiniteElementModel) {
  for (const unsigned seed : {1U, 2U, 3U, 4U, 5U}) {
    const BarModel model = random_bars(seed, 12, 40);
    const DynamicStiffness found = joined(model.parts, model.objects);
    const std::array<MatrixXd, 3> expected = direct(model);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_LT(testing::relative_difference(MatrixXd(found.coefficients[k]), expected[k]),
                tolerance(1e-14));
    }
  }
}

// Truth: the flat assembly.
TEST(Assembly, OfAssembliesIsTheFlatAssembly) {
  const BarModel model = random_bars(7, 10, 30);
  const DynamicStiffness flat = joined(model.parts, model.objects);
  // two halves, each numbered by itself, then joined at the nodes they share
  std::vector<DynamicStiffness> halves;
  ObjectTable shared;
  for (const std::size_t begin : {std::size_t{0}, std::size_t{15}}) {
    std::vector<DynamicStiffness> parts;
    ObjectTable local;
    std::vector<int> global;  // node of the whole for each local one
    for (std::size_t e = begin; e < begin + 15; ++e) {
      parts.push_back(model.parts[e]);
      local.emplace_back();
      for (const int node : model.objects[e]) {
        auto at = std::find(global.begin(), global.end(), node);
        if (at == global.end()) at = global.insert(global.end(), node);
        local.back().push_back(static_cast<int>(at - global.begin()) + 1);
      }
    }
    halves.push_back(joined(parts, local));
    shared.push_back(global);
  }
  const DynamicStiffness nested = joined(halves, shared);
  ASSERT_EQ(nested.port_count(), flat.port_count());
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_LT(testing::relative_difference(MatrixXd(nested.coefficients[k]),
                                           MatrixXd(flat.coefficients[k])),
              tolerance(1e-14));
  }
}

// Truth: the sum of numbers does not depend on their order; here not in a single bit.
TEST(Assembly, DoesNotDependOnTheOrderOfParts) {
  const BarModel model = random_bars(9, 8, 60);
  const DynamicStiffness expected = joined(model.parts, model.objects);
  std::vector<std::size_t> order(model.parts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937 engine(11);
  for (int round = 0; round < 5; ++round) {
    std::shuffle(order.begin(), order.end(), engine);
    std::vector<DynamicStiffness> parts;
    ObjectTable objects;
    for (const std::size_t e : order) {
      parts.push_back(model.parts[e]);
      objects.push_back(model.objects[e]);
    }
    const DynamicStiffness found = joined(parts, objects);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(MatrixXd(found.coefficients[k]), MatrixXd(expected.coefficients[k]));
    }
  }
}

// Truth: entries of a full block on two parts that overlap by half.
TEST(Assembly, JoinsAThousandPartsOfAHundredPorts) {
  MatrixXd K = MatrixXd::Constant(100, 100, -1.0);
  K.diagonal().setConstant(100.0);
  const DynamicStiffness part = make_part({.coefficients = {SparseMatrix(K.sparseView())}});
  const std::vector<const DynamicStiffness*> parts(1000, &part);
  ObjectTable objects(1000, std::vector<int>(100));
  for (int e = 0; e < 1000; ++e) {
    std::iota(objects[static_cast<std::size_t>(e)].begin(),
              objects[static_cast<std::size_t>(e)].end(),
              50 * e + 1);
  }
  const DynamicStiffness found = assembled(parts, objects);
  EXPECT_EQ(found.size(), 50 * 1001);
  const SparseMatrix& A = found.coefficients[0];
  EXPECT_EQ(A.nonZeros(), 1000 * 10000 - 999 * 2500);
  EXPECT_EQ(A.coeff(0, 0), 100.0);
  EXPECT_EQ(A.coeff(70, 70), 200.0);
  EXPECT_EQ(A.coeff(70, 60), -2.0);
  EXPECT_EQ(A.coeff(70, 20), -1.0);
  EXPECT_EQ(A.coeff(20, 120), 0.0);
}

TEST(Assembly, JoinsPartsOfDifferentSizeAndOrderAtOneNode) {
  const DynamicStiffness mass = from_polynomials({{{2.0, 0.0, 0.0}}});
  const DynamicStiffness jerk = from_polynomials({{{5.0, 0.0, 0.0, 0.0}}});
  const DynamicStiffness spring = bar_part({0.0, 3.0, 0.0});
  const std::vector<const DynamicStiffness*> parts{&mass, &spring, &jerk};
  const DynamicStiffness found =
      assembled(parts, ConnectionTable{{1, 1, 2, 2}, {3, 1, 2, 2}, {2, 1, 0, 0}});
  const PolynomialMatrix expected{{{5.0, 2.0, 0.0, 3.0}, {-3.0}}, {{-3.0}, {3.0}}};
  EXPECT_EQ(to_polynomials(found), expected);
}

TEST(ConnectionTable, NumbersPortsWithoutARowBehindTheOthers) {
  EXPECT_EQ(object_table({{2, 1, 1, 2}}, {2, 2}), (ObjectTable{{2, 1}, {1, 3}}));
}

TEST(ObjectTable, LeavesPortsWithZeroFree) {
  ObjectTable objects{{1, 0}, {1, 0}};
  EXPECT_EQ(number_nodes(objects), 3);
  EXPECT_EQ(objects, (ObjectTable{{1, 2}, {1, 3}}));
}

TEST(ConnectionTable, OfRandomObjectTablesConvertsBack) {
  std::mt19937 engine(5);
  for (int round = 0; round < 50; ++round) {
    std::uniform_int_distribution<int> size(1, 6);
    std::vector<int> counts;
    for (int e = 0; e < 5; ++e)
      counts.push_back(size(engine));
    const int ports = std::accumulate(counts.begin(), counts.end(), 0);
    const int nodes = std::uniform_int_distribution<int>(1, ports)(engine);
    std::vector<int> all;
    for (int p = 0; p < ports; ++p)
      all.push_back(p < nodes ? p + 1 : 1 + p % nodes);
    std::shuffle(all.begin(), all.end(), engine);
    ObjectTable objects;
    auto next = all.begin();
    for (const int count : counts) {
      objects.emplace_back(next, next + count);
      next += count;
    }
    EXPECT_EQ(object_table(connection_table(objects), counts), objects);
  }
}

TEST(ConnectionTable, NamesWhatIsWrong) {
  const auto code = [](const ConnectionTable& table) {
    return code_of([&]() { object_table(table, {2, 2}); });
  };
  EXPECT_EQ(code({{3, 1, 1, 1}}), "unknown-part");
  EXPECT_EQ(code({{1, 1, -1, 1}}), "unknown-part");
  EXPECT_EQ(code({{1, 3, 2, 1}}), "unknown-port");
  EXPECT_EQ(code({{1, 1, 2, 0}}), "unknown-port");
  EXPECT_EQ(code({{1, 1, 1, 1}}), "self-connection");
  EXPECT_EQ(code({{1, 1, 0, 0}, {2, 1, 1, 1}}), "mismatched-ports");
}

TEST(ObjectTable, NamesWhatIsWrong) {
  const auto code = [](const ObjectTable& table) {
    return code_of([&]() { joined({thesis_bar(), thesis_bar()}, table); });
  };
  EXPECT_EQ(code({{1, 2}}), "mismatched-parts");
  EXPECT_EQ(code({{1, 2}, {2, 3, 4}}), "mismatched-ports");
  EXPECT_EQ(code({{1, 2}, {2, 4}}), "node-number");
  EXPECT_EQ(code({{1, 2}, {2, -1}}), "node-number");
  EXPECT_EQ(code({{1, 2}, {2, 2000000000}}), "node-number");
}

}  // namespace
}  // namespace femflex::substructure
