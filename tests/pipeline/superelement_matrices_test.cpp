// Superelements as MATLAB and OUTPUT4 files. Truth: natural frequencies of the body; the same
// matrices by two readers, to the last bit; a rigid motion of the interface costs no force.
#include "body/superelement_matrices.h"

#include <map>
#include <string>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/flexfile/flexfile.h"
#include "femflex/importer/read_contents.h"
#include "femflex/io/mat5.h"

#include "program.h"
#include "support/support.h"

namespace femflex::testing {
namespace {

using Eigen::MatrixXd;

std::map<std::string, MatrixXd> mat5(const std::filesystem::path& path) {
  std::map<std::string, MatrixXd> out;
  for (const io::MatArray& each : io::read_mat5(read_text(path), path.string()).arrays)
    out[each.name] = Eigen::Map<const MatrixXd>(each.values.data(),
                                                static_cast<Eigen::Index>(each.rows),
                                                static_cast<Eigen::Index>(each.columns));
  return out;
}

/// The chassis of the data, reduced with two interface nodes.
class SuperelementFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string folder = "'" + data("chassis").string() + "/";
    ok("import " + folder + "framec.bdf' " + folder +
       "framec_kgg_mgg_ascii.op4' --interface 1,51 --units m-kg-s -o m.fe.h5");
    ok("reduce m.fe.h5 --method craig-bampton --normal 8 --damping 0.02 -o b.fbm");
  }
  void ok(const std::string& words) {
    const CommandResult result = femflex_(words);
    ASSERT_EQ(result.exit_code, 0) << words << "\n" << result.err;
  }
  Program femflex_;
};

TEST_F(SuperelementFiles, HoldWhatSimscapeAsksFor) {
  ok("convert b.fbm b.mat");
  const auto found = mat5(femflex_.file("b.mat"));
  const MatrixXd &K = found.at("K"), &M = found.at("M"), &P = found.at("P"), &Q = found.at("Q");
  ASSERT_EQ(K.rows(), 20);
  EXPECT_EQ(K, K.transpose());
  EXPECT_EQ(M, M.transpose());
  EXPECT_EQ(found.at("C").rows(), 20);
  ASSERT_EQ(P.rows(), 2);
  EXPECT_EQ(Q, (MatrixXd(2, 4) << 1, 0, 0, 0, 1, 0, 0, 0).finished());
  EXPECT_EQ(found.at("nodes"), (MatrixXd(2, 1) << 1, 51).finished());
  // rigid motions of the frames, in the order of the matrix, about the origins that P gives
  MatrixXd R = MatrixXd::Zero(20, 6);
  for (Eigen::Index k = 0; k < 2; ++k) {
    R.block<6, 6>(6 * k, 0).setIdentity();
    for (int axis = 0; axis < 3; ++axis)
      R.block<3, 1>(6 * k, 3 + axis) =
          Eigen::Vector3d::Unit(axis).cross(Eigen::Vector3d(P.row(k).transpose()));
  }
  EXPECT_LT((K * R).cwiseAbs().maxCoeff(), tolerance(1e-7) * K.cwiseAbs().maxCoeff());
  EXPECT_EQ(M.llt().info(), Eigen::Success);
  ok("convert b.fbm big.mat --mat73");
  EXPECT_EQ(read_text(femflex_.file("big.mat")).substr(0, 10), "MATLAB 7.3");
}

TEST_F(SuperelementFiles, Output4HoldsTheSameNumbers) {
  ok("convert b.fbm b.mat");
  ok("convert b.fbm b.op4");
  const auto wanted = mat5(femflex_.file("b.mat"));
  Diagnostics diagnostics;
  const importer::FileContents contents =
      importer::read_contents(femflex_.file("b.op4"), {}, diagnostics);
  ASSERT_EQ(contents.matrices.size(), 3U);
  for (const auto& [k, name] : {std::pair(0, "K"), {1, "M"}, {2, "C"}}) {
    const importer::RawMatrix& found = contents.matrices[static_cast<std::size_t>(k)];
    const MatrixXd& matrix = wanted.at(name);
    ASSERT_EQ(found.rows, matrix.rows());
    EXPECT_EQ(found.form, importer::RawMatrix::Form::symmetric);
    MatrixXd dense = MatrixXd::Zero(matrix.rows(), matrix.cols());
    if (found.is_dense) {
      dense = Eigen::Map<const MatrixXd>(found.values.data(), matrix.rows(), matrix.cols());
    } else {
      for (std::size_t c = 0; c < found.col.size(); ++c)
        for (auto at = static_cast<std::size_t>(found.col_start[c]);
             at < static_cast<std::size_t>(found.col_start[c + 1]);
             ++at)
          dense(found.row[at], found.col[c]) = found.values[at];
    }
    EXPECT_EQ(dense, matrix) << name;
  }
  const std::string points = read_text(femflex_.file("b.asm"));
  EXPECT_NE(points.find("EXTRN          1  123456      51  123456"), std::string::npos) << points;
  EXPECT_NE(points.find("SPOINT  "), std::string::npos);
}

// Modes that do not act are no part of the superelement, and what its files have no place for is
// told. Truth: the file of the body without these modes.
TEST_F(SuperelementFiles, WithoutModesThatDoNotActAndToldOfWhatIsLeftOut) {
  const std::string modes =
      "reduce m.fe.h5 --method craig-bampton --normal 8 --orthogonalise "
      "--drop-rigid --damping 0.02 ";
  ok(modes + "-o b.fbm");
  ok(modes + "--left-out 4 -o more.fbm");
  ok("convert b.fbm b.mat");
  const auto wanted = mat5(femflex_.file("b.mat"));
  for (const char* name : {"more.mat", "more.op4"}) {
    SCOPED_TRACE(name);
    const CommandResult result = femflex_(std::string("convert more.fbm ") + name);
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_NE(result.err.find("modes that do not act"), std::string::npos) << result.err;
  }
  EXPECT_NE(femflex_("convert b.fbm b.mat --deflate 3").err.find("--deflate"), std::string::npos);
  const auto found = mat5(femflex_.file("more.mat"));
  ASSERT_EQ(found.at("K").rows(), wanted.at("K").rows());
  EXPECT_LT((found.at("K") - wanted.at("K")).cwiseAbs().maxCoeff(),
            tolerance(1e-6) * wanted.at("K").cwiseAbs().maxCoeff());
  Diagnostics ignored;
  FlexBody body = flexfile::read_body(femflex_.file("b.fbm"), {}, ignored);
  body.initial_zeta.setConstant(1e-3);
  GeometricStiffness spin;
  spin.stiffness = body.stiffness;
  body.geometric.push_back(spin);
  for (const char* name : {"told.mat", "told.op4"}) {
    Diagnostics diagnostics;
    tools::write_matrices_of_superelement(body,
                                          femflex_.file(name),
                                          tools::MatLevel::by_size,
                                          flexfile::FrameMotion::free,
                                          diagnostics);
    ASSERT_EQ(diagnostics.warnings().size(), 1U) << name;
    const Warning& warning = diagnostics.warnings()[0];
    EXPECT_EQ(warning.code, "left-out");
    EXPECT_NE(warning.message.find("stiffening"), std::string::npos) << warning.message;
    EXPECT_NE(warning.message.find("initial state"), std::string::npos) << warning.message;
  }
}

}  // namespace
}  // namespace femflex::testing
