// Tests body files for MBSim. Truth: sums over the lumped masses of the body, in the layout of the
// input files that MBSim carries as examples.
#include <algorithm>
#include <array>
#include <string>

#include <gtest/gtest.h>

#include "femflex/damping.h"
#include "femflex/errors.h"
#include "femflex/flexfile/flexfile.h"
#include "femflex/io/hdf5_file.h"

#include "bodies.h"
#include "support/support.h"

namespace femflex::flexfile {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using testing::relative_difference;
using testing::tolerance;

/// Integrals over the lumped masses of a body, with equal masses along all axes.
struct MassIntegrals {
  MatrixXd position_position = MatrixXd::Zero(3, 3);
  MatrixXd position_shape, shape_shape;
};

MassIntegrals integrals_of(const FlexBody& body) {
  const Index n = body.mode_count();
  MassIntegrals out;
  out.position_shape = MatrixXd::Zero(9, n);
  out.shape_shape = MatrixXd::Zero(6 * n, n);
  constexpr std::array<std::array<Index, 2>, 6> kPairs{
      {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}}};
  for (Index k = 0; k < body.node_count(); ++k) {
    const double m = body.lumped_mass(k, 0);
    const Eigen::Vector3d r = body.nodes[static_cast<std::size_t>(k)].position;
    const MatrixXd P = body.shapes.middleRows<3>(6 * k);
    out.position_position += m * r * r.transpose();
    for (Index a = 0; a < 3; ++a)
      out.position_shape.middleRows<3>(3 * a) += m * r(a) * P;
    for (std::size_t p = 0; p < kPairs.size(); ++p)
      out.shape_shape.middleRows(static_cast<Index>(p) * n, n) +=
          m * P.row(kPairs[p][0]).transpose() * P.row(kPairs[p][1]);
  }
  return out;
}

FlexBody body_of_point_masses() {
  testing::RandomBodyOptions options;
  options.rotary_inertia = false;
  return testing::random_body(31, options);
}

TEST(Mbsim, HasTheIntegralsOverItsMasses) {
  const FlexBody body = body_of_point_masses();
  const testing::TemporaryFolder folder;
  Diagnostics diagnostics;
  write_body(body, folder / "part.h5", {}, diagnostics);
  const io::Hdf5File file = io::Hdf5File::open(folder / "part.h5");
  const MassIntegrals sums = integrals_of(body);
  EXPECT_LT(
      relative_difference(file.read_matrix("/position position integral"), sums.position_position),
      tolerance(1e-12));
  EXPECT_LT(relative_difference(file.read_matrix("/position shape function integral"),
                                sums.position_shape),
            tolerance(1e-12));
  EXPECT_LT(relative_difference(file.read_matrix("/shape function shape function integral"),
                                sums.shape_shape),
            tolerance(1e-12));
  EXPECT_EQ(file.read_matrix("/stiffness matrix"), body.stiffness);
  EXPECT_EQ(file.read_matrix("/damping matrix"), damping_matrix(body));
  EXPECT_EQ(file.shape("/mass").size(), 0U);
  EXPECT_EQ(file.read_vector("/position integral"), Eigen::VectorXd(body.invariants.first_moment));
  const MatrixXd Phi = file.read_matrix("/nodal shape matrix of translation");
  ASSERT_EQ(Phi.rows(), 3 * body.node_count());
  EXPECT_EQ(Phi.middleRows<3>(3), body.shapes.middleRows<3>(6));
  const MatrixXd Psi = file.read_matrix("/nodal shape matrix of rotation");
  EXPECT_EQ(Psi.middleRows<3>(3), body.shapes.middleRows<3>(9));
  EXPECT_EQ(file.shape("/node numbers"),
            std::vector<std::uint64_t>{static_cast<std::uint64_t>(body.node_count())});
}

// MBSim adds up the mass of a mode from the translations: with rotary inertia the sum is still that
// of the body.
TEST(Mbsim, RotaryInertiaKeepsTheMassOfTheModesAndIsTold) {
  const FlexBody body = testing::random_body(32, {});
  const testing::TemporaryFolder folder;
  Diagnostics diagnostics;
  write_body(body, folder / "part.h5", {}, diagnostics);
  EXPECT_TRUE(std::any_of(diagnostics.warnings().begin(),
                          diagnostics.warnings().end(),
                          [](const auto& warning) { return warning.code == "rotary-inertia"; }));
  const io::Hdf5File file = io::Hdf5File::open(folder / "part.h5");
  const Index n = body.mode_count();
  const MatrixXd PP = file.read_matrix("/shape function shape function integral");
  EXPECT_LT(
      relative_difference(PP.middleRows(0, n) + PP.middleRows(3 * n, n) + PP.middleRows(5 * n, n),
                          body.invariants.modal),
      tolerance(1e-12));
  const MatrixXd rP = file.read_matrix("/position shape function integral");
  MatrixXd rotation(3, n);
  rotation << rP.row(5) - rP.row(7), rP.row(6) - rP.row(2), rP.row(1) - rP.row(3);
  EXPECT_LT(relative_difference(rotation, MatrixXd(body.invariants.rotation)), tolerance(1e-12));
}

// Truth: the names of FE models and of the sidecars of .flex and .fdf.
TEST(Mbsim, NamesOfOtherFilesAreRefused) {
  const testing::TemporaryFolder folder;
  Diagnostics diagnostics;
  for (const char* name : {"part.fe.h5", "part.flex.h5", "part.fdf.h5"})
    EXPECT_THROW(write_body(body_of_point_masses(), folder / name, {}, diagnostics), UsageError)
        << name;
}

}  // namespace
}  // namespace femflex::flexfile
