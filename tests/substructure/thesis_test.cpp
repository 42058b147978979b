// Tests the examples of the i-EDA thesis. Truth: its figures, computed again to more digits
// (data/substructure/expected).
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "femflex/substructure/solve.h"

#include "examples.h"
#include "support/support.h"

namespace femflex::substructure {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXd;
using nlohmann::json;
using testing::tolerance;

json reference() {
  return json::parse(testing::read_text(testing::data("substructure/expected/ieda.json")));
}

MatrixXd matrix(const json& rows) {
  MatrixXd a(static_cast<Index>(rows.size()), static_cast<Index>(rows.at(0).size()));
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index j = 0; j < a.cols(); ++j) {
      a(i, j) = rows.at(static_cast<std::size_t>(i)).at(static_cast<std::size_t>(j));
    }
  }
  return a;
}

void expect_matrices(const DynamicStiffness& part, const json& expected) {
  ASSERT_EQ(part.order(), 2);
  EXPECT_LT(testing::relative_difference(MatrixXd(part.coefficients[2]), matrix(expected["M"])),
            tolerance(1e-14));
  EXPECT_LT(testing::relative_difference(MatrixXd(part.coefficients[1]), matrix(expected["C"])),
            tolerance(1e-14));
  EXPECT_LT(testing::relative_difference(MatrixXd(part.coefficients[0]), matrix(expected["K"])),
            tolerance(1e-14));
}

/// Every pole of the reference is met, within `relative` of its magnitude.
void expect_poles(const Poles& found, const json& expected, double relative) {
  ASSERT_EQ(found.values.size(), static_cast<Index>(expected.size()));
  for (const json& pair : expected) {
    const Complex wanted(pair.at(0), pair.at(1));
    EXPECT_LT((found.values.array() - wanted).abs().minCoeff(), relative * std::abs(wanted))
        << wanted;
  }
}

TEST(Thesis, BarHasTheMatricesAndPolesOfTheThesis) {
  const json bar = reference()["bar"];
  expect_matrices(thesis_bar(), bar);
  const Poles found = poles(thesis_bar(), {.fixed = {1}});
  expect_poles(found, bar["eigenvalues"], tolerance(1e-13));
  // as printed: five digits
  EXPECT_NEAR(found.values(0).real(), -132.78, tolerance(5e-3));
  EXPECT_NEAR(std::abs(found.values(0).imag()), 1321.1, tolerance(5e-2));
}

TEST(Thesis, HeldBarIsOnePolynomial) {
  const json expected = reference()["bar"]["R_constrained"];
  const Polynomial found = determinant(thesis_bar(), {.fixed = {1}});
  EXPECT_EQ(found, expected.get<Polynomial>());
}

TEST(Thesis, CompoundBarByEitherTableHasItsMatricesAndPoles) {
  const json compound = reference()["compound_bar"];
  const DynamicStiffness bar = thesis_bar();
  const std::vector<const DynamicStiffness*> parts{&bar, &bar};
  const DynamicStiffness by_objects = assembled(parts, compound["object_table"].get<ObjectTable>());
  const DynamicStiffness by_connections =
      assembled(parts, compound["connection_table"].get<ConnectionTable>());
  expect_matrices(by_objects, compound);
  expect_matrices(by_connections, compound);
  const Poles found = poles(by_objects, {.fixed = {1}});
  expect_poles(found, compound["eigenvalues"], tolerance(1e-13));
  EXPECT_NEAR(found.values(0).real(), -38.889, tolerance(5e-4));
  EXPECT_NEAR(std::abs(found.values(0).imag()), 717.52, tolerance(5e-3));
  EXPECT_NEAR(found.values(2).real(), -226.66, tolerance(5e-3));
  EXPECT_NEAR(std::abs(found.values(2).imag()), 1719.9, tolerance(5e-2));
}

TEST(Thesis, CompoundBarHasTheDeterminantOfTheThesis) {
  const json expected = reference()["compound_bar"];
  const Polynomial found = determinant(compound_bar(), {.fixed = {1}});
  ASSERT_EQ(found.size(), 5U);
  for (std::size_t k = 0; k < found.size(); ++k) {
    const double exact = std::stod(expected["determinant"][k].get<std::string>());
    EXPECT_NEAR(found[k], exact, tolerance(1e-14) * exact);
    // as printed: four digits for the first, five for the others
    const double printed = expected["determinant_doc"][k];
    EXPECT_NEAR(found[k], printed, tolerance(5e-5) * printed);
  }
}

TEST(Thesis, CompoundBarHasTheAdjointOfTheThesis) {
  const json expected = reference()["compound_bar"]["adjoint"];
  EXPECT_EQ(adjoint(compound_bar(), {.fixed = {1}}), expected.get<PolynomialMatrix>());
}

TEST(Thesis, TransferFunctionOfTheCompoundBarIsAdjointOverDeterminant) {
  const json expected = reference()["compound_bar"];
  const RationalFunction found = transfer_polynomials(compound_bar(), {.fixed = {1}}, 3, 2);
  EXPECT_EQ(found.numerator, expected["adjoint"][0][1].get<Polynomial>());
  EXPECT_EQ(found.denominator, determinant(compound_bar(), {.fixed = {1}}));
}

TEST(Thesis, TrussByEitherTableHasTheMatricesAndPolesOfTheReference) {
  const json truss = reference()["truss"];
  const std::vector<DynamicStiffness> bars{
      thesis_bar_at(0.0), thesis_bar_at(120.0), thesis_bar_at(240.0)};
  const std::vector<const DynamicStiffness*> parts{&bars[0], &bars[1], &bars[2]};
  expect_matrices(assembled(parts, truss["object_table"].get<ObjectTable>()), truss);
  const DynamicStiffness found = assembled(parts, truss["connection_table"].get<ConnectionTable>());
  expect_matrices(found, truss);
  expect_poles(poles(found, {.fixed = {1, 2, 4}}), truss["eigenvalues"], tolerance(1e-12));
  EXPECT_LT(testing::relative_difference(MatrixXd(bars[1].coefficients[0]),
                                         matrix(truss["example_rotation_120"])),
            tolerance(1e-15));
}

TEST(Thesis, TrussHasTheDeterminantOfTheReference) {
  const json expected = reference()["truss"]["determinant"];
  const Polynomial found = determinant(thesis_truss(), {.fixed = {1, 2, 4}});
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    const double exact = std::stod(expected[k].get<std::string>());
    EXPECT_NEAR(found[k], exact, tolerance(1e-12) * exact);
  }
}

TEST(Thesis, FreeTrussHasThreeRigidMotions) {
  const json expected = reference()["truss"]["rigid_modes_unconstrained"];
  const Poles found = poles(thesis_truss(), {});
  // each rigid motion is a pole at zero twice
  EXPECT_EQ((found.values.array().abs() == 0.0).count(), 2 * expected.get<int>());
}

TEST(Thesis, TablesOfTheJoinConvertIntoEachOther) {
  const json join = json::parse(testing::read_text(
      testing::data("substructure/expected/text_interface.json")))["example_join"];
  const auto connections = join["connection"].get<ConnectionTable>();
  const auto objects = join["object"].get<ObjectTable>();
  EXPECT_EQ(object_table(connections, {3, 3}), objects);
  EXPECT_EQ(object_table(connection_table(objects), {3, 3}), objects);
}

/// Columns of step_responses.csv.
struct Column {
  DynamicStiffness part;
  Supports supports;
  int input;
  int output;
};

// Truth: matrix exponential, given to 13 digits.
TEST(Thesis, StepResponsesAreThoseOfTheReference) {
  const DynamicStiffness truss = thesis_truss();
  const Supports held{.fixed = {1, 2, 4}};
  const std::vector<Column> columns{{thesis_bar(), {.fixed = {1}}, 2, 2},
                                    {compound_bar(), {.fixed = {1}}, 3, 2},
                                    {compound_bar(), {.fixed = {1}}, 3, 3},
                                    {truss, held, 5, 3},
                                    {truss, held, 5, 5},
                                    {truss, held, 5, 6}};
  std::ifstream file(testing::data("substructure/expected/step_responses.csv"));
  std::string line;
  std::getline(file, line);
  std::vector<double> times;
  std::vector<std::vector<double>> expected(columns.size());
  while (std::getline(file, line)) {
    std::stringstream fields(line);
    std::string field;
    std::getline(fields, field, ',');
    times.push_back(std::stod(field));
    for (auto& column : expected) {
      std::getline(fields, field, ',');
      column.push_back(std::stod(field));
    }
  }
  ASSERT_EQ(times.size(), 101U);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const Column& c = columns[k];
    const TransferFunction H = transfer_function(c.part,
                                                 c.supports,
                                                 poles(c.part, c.supports),
                                                 {Input::Kind::force, c.input},
                                                 {Output::Kind::displacement, c.output});
    const Eigen::VectorXd y = step_response(H, times);
    const Eigen::VectorXd sampled =
        simulate(H, Eigen::VectorXd::Ones(101), 0.0005, Hold::zero_order);
    const Eigen::Map<const Eigen::VectorXd> exact(expected[k].data(), 101);
    const double scale = exact.cwiseAbs().maxCoeff();
    EXPECT_LT((y - exact).cwiseAbs().maxCoeff(), tolerance(1e-11) * scale) << "column " << k;
    EXPECT_LT((sampled - exact).cwiseAbs().maxCoeff(), tolerance(1e-11) * scale) << "column " << k;
  }
}

}  // namespace
}  // namespace femflex::substructure
