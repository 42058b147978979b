// Tests the checks of an import: what fits, what does not fit, and the same verdict in all units.
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/importer/import_model.h"

#include "support/constrained_frame.h"

namespace femflex::importer {
namespace {

namespace frame = testing::spring_frame;

class Proofs : public ::testing::Test {
 protected:
  /// The frame in units of `length` metres, positions to a `digit` of them, K exact.
  ImportResult rounded_to(double length, double digit) {
    std::string deck = "BEGIN BULK\n";
    Eigen::VectorXd unit(6 * frame::kNodes);
    for (int id = 1; id <= frame::kNodes; ++id) {
      // coordinates that a short text cannot represent
      const Eigen::Vector3d at = moved(id) / length;
      const Eigen::Vector3d text = (at / digit).array().round() * digit;
      deck += fmt::format("GRID,{},,{:.6f},{:.6f},{:.6f}\n", id, text.x(), text.y(), text.z());
      unit.segment<6>(frame::at(id, 1)) << Eigen::Vector3d::Constant(length),
          Eigen::Vector3d::Ones();
    }
    testing::write_text(folder_ / "job.bdf", deck + "ENDDATA\n");
    const Eigen::MatrixXd K = unit.asDiagonal() * stiffness() * unit.asDiagonal();
    const Eigen::MatrixXd M = unit.asDiagonal() * frame::mass() * unit.asDiagonal();
    write_op4(std::vector{frame::raw("KGG", K), frame::raw("MGG", M)}, {}, folder_ / "g.op4");
    Diagnostics diagnostics;
    return import_model({.files = {folder_ / "job.bdf", folder_ / "g.op4"}}, diagnostics);
  }
  static Eigen::Vector3d moved(int id) {
    return frame::position(id) + Eigen::Vector3d(1.0 / 3.0, 1.0 / 7.0, 1.0 / 9.0) * (id % 3);
  }
  /// Bars as in spring_frame.h on the moved points.
  static Eigen::MatrixXd stiffness() {
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(6 * frame::kNodes, 6 * frame::kNodes);
    for (int b = 2; b <= frame::kNodes; ++b) {
      Eigen::MatrixXd B = Eigen::MatrixXd::Zero(6, 6 * frame::kNodes);
      B.middleCols<6>(frame::at(b, 1)).setIdentity();
      B.middleCols<6>(frame::at(b - 1, 1)) = -Eigen::Matrix<double, 6, 6>::Identity();
      B.block<3, 3>(0, frame::at(b - 1, 4)) = cross_matrix(moved(b) - moved(b - 1));
      Eigen::Matrix<double, 6, 1> c;
      c << 9e6, 4e6, 6e6, 3e4, 5e4, 8e4;
      K += B.transpose() * c.asDiagonal() * B;
    }
    return 0.5 * (K + K.transpose());
  }
  testing::TemporaryFolder folder_;
};

// Truth: 0.1 mm are the same in mm and in m. K holds the positions to more digits than the deck.
TEST_F(Proofs, RoundedPositionsAreRefusedInEveryUnit) {
  for (const auto& [length, digit] : {std::pair{1.0, 1e-4}, {1e-3, 0.1}, {1e-2, 0.01}}) {
    SCOPED_TRACE(length);
    try {
      rounded_to(length, digit);
      FAIL() << "positions that are not those of K were taken";
    } catch (const ModelError& error) {
      EXPECT_EQ(error.code(), "proof-failed");
      EXPECT_NE(error.message().find("rigid-body motion"), std::string::npos);
    }
  }
  for (const auto& [length, digit] : {std::pair{1.0, 1e-6}, {1e-3, 1e-3}, {1e-2, 1e-4}}) {
    SCOPED_TRACE(length);
    for (const Proof& proof : rounded_to(length, digit).proofs)
      EXPECT_TRUE(proof.passed) << proof.text;
  }
}

// Matrices of another size than their partner: one clear error, where the model had no mass or no
// stiffness before. Those of other sets may be beside them.
TEST_F(Proofs, MatricesOfAnotherSizeAreNotLeftOut) {
  testing::write_text(
      folder_ / "job.bdf",
      "BEGIN BULK\n" + testing::read_text(testing::data("constraints/frame.inc")) + "ENDDATA\n");
  const Eigen::MatrixXd T = frame::turn();
  const Eigen::MatrixXd K = T.transpose() * frame::stiffness() * T;
  const Eigen::MatrixXd M = T.transpose() * frame::mass() * T;
  Diagnostics diagnostics;
  const auto import = [&](const std::vector<RawMatrix>& matrices) {
    write_op4(matrices, {}, folder_ / "g.op4");
    diagnostics = {};
    return import_model({.files = {folder_ / "job.bdf", folder_ / "g.op4"}}, diagnostics).model;
  };
  const auto refused = [&](const std::vector<RawMatrix>& matrices) -> std::string {
    try {
      import(matrices);
    } catch (const ModelError& error) {
      EXPECT_EQ(error.code(), "matrix-size");
      EXPECT_EQ(error.where().file, (folder_ / "g.op4").string());
      EXPECT_FALSE(error.fix().empty());
      return error.message();
    }
    return "";
  };
  const auto raw = frame::raw;
  EXPECT_EQ(refused({raw("KGG", K), raw("MGG", M.topLeftCorner(42, 42))}),
            "MGG is 42 x 42, but KGG of g.op4 is 48 x 48");
  EXPECT_EQ(refused({raw("KGG", K), raw("MGG", Eigen::MatrixXd::Identity(49, 49))}),
            "MGG is 49 x 49, but KGG of g.op4 is 48 x 48");
  RawMatrix wide = raw("KGG", K.leftCols(42));
  wide.form = RawMatrix::Form::rectangular;
  EXPECT_EQ(refused({wide, raw("MGG", M)}),
            "KGG is 48 x 42, but a stiffness matrix must be square");
  wide.name = "MGG";
  EXPECT_EQ(refused({raw("KGG", K), wide}), "MGG is 48 x 42, but a mass matrix must be square");
  // sets side by side, and a load matrix
  wide.name = "PG";
  const FeModel model = import({raw("KGG", K),
                                raw("MGG", M),
                                raw("MAA", M.topLeftCorner(6, 6)),
                                raw("KLL", K.topLeftCorner(5, 5)),
                                wide});
  EXPECT_EQ(model.dofs.size(), 48);
  EXPECT_TRUE(model.mass.has_value());
  EXPECT_TRUE(diagnostics.warnings().empty());
  EXPECT_FALSE(import({raw("KGG", K), raw("MAA", M.topLeftCorner(6, 6))}).mass.has_value());
  ASSERT_EQ(diagnostics.warnings().size(), 1U);
  EXPECT_EQ(diagnostics.warnings()[0].code, "mass-left-out");
}

}  // namespace
}  // namespace femflex::importer
