// Superelements of bodies that supports hold, and files of OpenFAST's ExtPtfm. Truth: the body's
// own frequencies and static response; what the readers of OpenFAST 4 and 5 take; their manual's
// relations of weight and mass.
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/flexfile/flexfile.h"

#include "bodies.h"
#include "support/support.h"

namespace femflex::flexfile {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing::relative_difference;
using testing::tolerance;

constexpr double kGravityOfTest = 9.80665;  // [m/s^2] standard gravity

/// Seven masses with 24 random shapes; one node of the interface.
FlexBody body_on_one_node(std::size_t node) {
  FlexBody body = testing::random_body(11, {.nodes = 7, .modes = 24});
  body.interface_nodes = {body.nodes[node].id};
  return body;
}

VectorXd squared_frequencies(const MatrixXd& stiffness, const MatrixXd& mass) {
  return Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd>(stiffness, mass).eigenvalues();
}

// Truth: the frequencies of the body whose frame is at rest, and the displacements of its interface
// node under forces there and under gravity, by its own modes.
TEST(HeldSuperelement, HasTheFrequenciesAndTheStaticResponseOfTheBodyAtRest) {
  const FlexBody body = body_on_one_node(2);
  const Superelement element = superelement_of(body, FrameMotion::held);
  const VectorXd wanted = squared_frequencies(body.stiffness, body.mass);
  const VectorXd found = squared_frequencies(element.stiffness, element.mass);
  ASSERT_EQ(found.size(), wanted.size());
  EXPECT_LE((found - wanted).cwiseAbs().maxCoeff(), tolerance(1e-9) * wanted.maxCoeff());
  const MatrixXd Phi_b = body.shapes.middleRows(6 * 2, 6);
  const Eigen::LDLT<MatrixXd> k(body.stiffness), K(element.stiffness);
  MatrixXd unit = MatrixXd::Zero(element.stiffness.rows(), 6);
  unit.topRows(6).setIdentity();
  EXPECT_LE(relative_difference(K.solve(unit).topRows(6), Phi_b * k.solve(Phi_b.transpose())),
            tolerance(1e-9));
  const MatrixXd loads = rigid_flexible_mass(body.invariants).bottomRows(24).leftCols(3);
  EXPECT_LE(relative_difference(K.solve(element.gravity).topRows(6), Phi_b * k.solve(loads)),
            tolerance(1e-9));
}

// Truth: what the body is: nodes 1 to 3 of its mesh rest in every mode.
TEST(HeldSuperelement, IsOfferedWhereNodesOfTheMeshRestInEveryMode) {
  FlexBody body = body_on_one_node(5);
  body.elements = {
      {"CQUAD4", 4, {1}, {body.nodes[0].id, body.nodes[1].id, body.nodes[2].id, body.nodes[5].id}}};
  const auto warnings = [&](FrameMotion frame) {
    Diagnostics diagnostics;
    warn_of_supports(body, frame, "part.dat", diagnostics);
    return diagnostics.warnings();
  };
  EXPECT_TRUE(warnings(FrameMotion::free).empty());
  body.shapes.topRows(18).setZero();
  ASSERT_EQ(warnings(FrameMotion::free).size(), 1U);
  EXPECT_EQ(warnings(FrameMotion::free).front().code, "supports");
  EXPECT_TRUE(warnings(FrameMotion::held).empty());
  body.elements.clear();  // a node without mesh rests because nothing moves it
  EXPECT_TRUE(warnings(FrameMotion::free).empty());
}

/// Rows of numbers by the title before them, as a version of OpenFAST reads them: up to 4 it skips
/// the line after a title, 5 takes the next numbers at once. The dimension is the last one said.
std::map<std::string, MatrixXd> as_openfast_reads(const std::filesystem::path& path, int version) {
  std::ifstream in(path);
  std::map<std::string, MatrixXd> found;
  Index n = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("!Dimension:")) n = std::stol(line.substr(11));
    const std::string title = line.substr(0, line.find(" ("));
    const bool is_weight = title.starts_with("!Weight");
    const bool is_matrix = title.ends_with(" Matrix") || (version >= 5 && is_weight);
    if (!is_matrix) continue;
    if (version < 5) std::getline(in, line);
    MatrixXd matrix(title == "!Weight constant" ? 1 : n, n);
    for (Index i = 0; i < matrix.rows(); ++i)
      for (Index j = 0; j < n; ++j)
        in >> matrix(i, j);
    EXPECT_TRUE(in.good()) << title;
    found[title] = matrix;
  }
  return found;
}

// Truth: the matrices to the last bit.
TEST(ExtPtfm, OpenFast4And5ReadTheSameMatrices) {
  const testing::TemporaryFolder folder;
  Diagnostics diagnostics;
  const FlexBody body = body_on_one_node(2);
  write_body(body, folder / "one.dat", {}, diagnostics);
  const Superelement element = superelement_of(body);
  for (const int version : {4, 5}) {
    const auto found = as_openfast_reads(folder / "one.dat", version);
    EXPECT_EQ(found.at("!Mass Matrix"), element.mass);
    EXPECT_EQ(found.at("!Stiffness Matrix"), element.stiffness);
    EXPECT_EQ(found.at("!Damping Matrix"), element.damping);
  }
}

// Versions 3 and 4: the time and a force per row of the matrices, after a line that they skip.
TEST(ExtPtfm, HasTwoRowsOfLoadsThatAreZero) {
  const testing::TemporaryFolder folder;
  Diagnostics diagnostics;
  const FlexBody body = body_on_one_node(2);
  write_body(body, folder / "one.dat", {}, diagnostics);
  const std::string text = testing::read_text(folder / "one.dat");
  std::istringstream in(text.substr(text.find("!Loading")));
  std::string line;
  std::getline(in, line);
  std::getline(in, line);
  for (int rows = 0; rows < 2; ++rows) {
    std::getline(in, line);
    std::istringstream row(line);
    EXPECT_EQ(std::distance(std::istream_iterator<double>(row), {}),
              superelement_of(body).mass.rows() + 1)
        << line;
  }
}

// Truth: the relations that OpenFAST 5 checks of a floating platform: the weight acts at the mass
// centre, and turns with the axes of the interface.
TEST(ExtPtfm, WeightOfAFloatingPartActsAtItsMassCentre) {
  const testing::TemporaryFolder folder;
  Diagnostics diagnostics;
  const FlexBody body = body_on_one_node(2);
  write_body(body, folder / "one.dat", {}, diagnostics);
  const auto found = as_openfast_reads(folder / "one.dat", 5);
  const MatrixXd& weight = found.at("!Weight constant");
  const MatrixXd& W = found.at("!Weight stiffness");
  const double force = -kGravityOfTest * body.invariants.mass;
  const Vector3d c = body.centre_of_mass() - body.nodes[2].position;
  Eigen::RowVector<double, 6> wanted;
  wanted << 0, 0, force, force * c.y(), -force * c.x(), 0;
  const double tol = tolerance(1e-9) * -force;
  EXPECT_LE((weight.leftCols(6) - wanted).cwiseAbs().maxCoeff(), tol);
  Eigen::Matrix<double, 6, 6> turned = Eigen::Matrix<double, 6, 6>::Zero();
  turned.col(3) << 0, -force, 0, force * c.z(), 0, -force * c.x();
  turned.col(4) << force, 0, 0, 0, force * c.z(), -force * c.y();
  EXPECT_LE((W.topLeftCorner(6, 6) - turned).cwiseAbs().maxCoeff(), tol);
  EXPECT_TRUE(W.rightCols(W.cols() - 6).isZero(0.0));
}

// Truth: the body at rest: the weight at the interface is the force that supports do not take.
TEST(ExtPtfm, WeightOfAHeldPartIsItsModesShare) {
  const testing::TemporaryFolder folder;
  Diagnostics diagnostics;
  const FlexBody body = body_on_one_node(2);
  WriteOptions held;
  held.frame = FrameMotion::held;
  write_body(body, folder / "one.dat", held, diagnostics);
  const auto found = as_openfast_reads(folder / "one.dat", 5);
  const Superelement element = superelement_of(body, FrameMotion::held);
  EXPECT_EQ(found.at("!Stiffness Matrix"), element.stiffness);
  EXPECT_LE(relative_difference(found.at("!Weight constant").transpose(),
                                MatrixXd(-kGravityOfTest * element.gravity.col(2))),
            tolerance(1e-15));
  EXPECT_TRUE(found.at("!Weight stiffness").isZero(0.0));
}

TEST(ExtPtfm, TakesOneNodeWithSixDofs) {
  const testing::TemporaryFolder folder;
  Diagnostics diagnostics;
  FlexBody body = body_on_one_node(2);
  body.interface_nodes.push_back(body.nodes[3].id);
  EXPECT_THROW(write_body(body, folder / "two.dat", {}, diagnostics), ModelError);
  EXPECT_FALSE(std::filesystem::exists(folder / "two.dat"));
}

}  // namespace
}  // namespace femflex::flexfile
