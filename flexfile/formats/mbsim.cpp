// Input data of MBSim's ExternalFlexibleFfrBody: one dataset per integral over the body, r the
// position of a mass, P its translation shapes (3 x n):
//   mass, position integral (3), position position integral (3 x 3)
//   shape function integral                 sum m P                              (3 x n)
//   position shape function integral        sum m r_a P for a = x, y, z          (9 x n)
//   shape function shape function integral  sum m P_a' P_b for ab = xx xy xz yy yz zz  (6 n x n)
//   stiffness matrix, damping matrix (n x n)
//   nodal relative position (3 N), nodal shape matrix of translation, of rotation (3 N x n)
//   node numbers (N), openmbv indices (0-based triangles, each ended by -1)
#include "formats/mbsim.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/damping.h"
#include "femflex/errors.h"
#include "femflex/frames.h"
#include "femflex/io/hdf5_file.h"
#include "femflex/text.h"

#include "derive.h"
#include "pictures/surface.h"

namespace femflex::flexfile {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;

/// S with S(a, b) = sum m u_a v_b, from N = sum m u~ v~ = S' - tr(S) 1.
Matrix3d moments_from_cross(const Matrix3d& N) {
  return (N - 0.5 * N.trace() * Matrix3d::Identity()).transpose();
}

/// sum m r_a P_b as rows 3 a + b. The antisymmetric part is that of invariant 4, which has the
/// rotary inertia of the nodes as well.
MatrixXd position_shape_integral(const InertiaInvariants& inv) {
  const Index n = inv.modes();
  MatrixXd out(9, n);
  for (Index j = 0; j < n; ++j) {
    Matrix3d S = moments_from_cross(inv.inertia_rate.middleCols<3>(3 * j));
    S = (0.5 * (S + S.transpose())).eval();
    S -= 0.5 * cross_matrix(inv.rotation.col(j));  // S(1, 2) - S(2, 1) = (sum m r x P)_x
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        out(3 * a + b, j) = S(a, b);
  }
  return out;
}

/// sum m P_a' P_b for ab = xx, xy, xz, yy, yz, zz, one below the other; the three diagonal ones sum
/// to invariant 6.
MatrixXd shape_shape_integral(const InertiaInvariants& inv) {
  constexpr std::array<std::pair<int, int>, 6> kPairs{
      {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}}};
  const Index n = inv.modes();
  MatrixXd out(6 * n, n);
  for (Index j = 0; j < n; ++j)
    for (Index k = 0; k < n; ++k) {
      const Matrix3d S = moments_from_cross(inv.inertia_curvature.block<3, 3>(3 * j, 3 * k));
      const double rotary = (inv.modal(j, k) - S.trace()) / 3.0;
      for (std::size_t p = 0; p < kPairs.size(); ++p) {
        const auto [a, b] = kPairs[p];
        out(static_cast<Index>(p) * n + j, k) = S(a, b) + (a == b ? rotary : 0.0);
      }
    }
  return out;
}

/// Largest share of rotary inertia in the diagonal of the modal mass matrix.
double rotary_share(const InertiaInvariants& inv) {
  double largest = 0.0;
  for (Index j = 0; j < inv.modes(); ++j) {
    const double translation = -0.5 * inv.inertia_curvature.block<3, 3>(3 * j, 3 * j).trace();
    if (inv.modal(j, j) > 0.0)
      largest = std::max(largest, std::abs(1.0 - translation / inv.modal(j, j)));
  }
  return largest;
}

/// Rows `first` to `first` + 2 of each node.
MatrixXd rows_of_nodes(const MatrixXd& shapes, Index first) {
  MatrixXd out(shapes.rows() / 2, shapes.cols());
  for (Index k = 0; 6 * k < shapes.rows(); ++k)
    out.middleRows<3>(3 * k) = shapes.middleRows<3>(6 * k + first);
  return out;
}

void write_nodes(const FlexBody& body, io::Hdf5File& file) {
  const Eigen::Matrix3Xd c = positions_of(body);
  file.write("/nodal relative position",
             std::span<const double>(c.data(), static_cast<std::size_t>(c.size())),
             {static_cast<std::uint64_t>(c.size())});
  file.write_matrix("/nodal shape matrix of translation", rows_of_nodes(body.shapes, 0));
  file.write_matrix("/nodal shape matrix of rotation", rows_of_nodes(body.shapes, 3));
  std::vector<std::int64_t> numbers;
  for (const BodyNode& node : body.nodes)
    numbers.push_back(node.id);
  file.write("/node numbers", std::span<const std::int64_t>(numbers), {numbers.size()});
  std::vector<std::int64_t> indices;
  for (const auto& triangle : surface_of(body).triangles) {
    indices.insert(indices.end(), triangle.begin(), triangle.end());
    indices.push_back(-1);
  }
  if (!indices.empty())
    file.write("/openmbv indices", std::span<const std::int64_t>(indices), {indices.size()});
}

}  // namespace

void write_mbsim(const FlexBody& body,
                 const std::filesystem::path& path,
                 Diagnostics& diagnostics) {
  const std::string name = lower_case(path.filename().string());
  if (name.ends_with(".fe.h5") || name.ends_with(".flex.h5") || name.ends_with(".fdf.h5"))
    throw UsageError(
        "file-name",
        "is the name of another kind of file, and bodies for MBSim would hide under it",
        {path.string()},
        "choose another name that ends with .h5");
  const InertiaInvariants& inv = body.invariants;
  io::Hdf5File file = io::Hdf5File::create(path);
  file.write("/mass", std::span<const double>(&inv.mass, 1), {});
  file.write("/position integral", std::span<const double>(inv.first_moment.data(), 3), {3});
  file.write_matrix("/position position integral",
                    0.5 * inv.inertia.trace() * Matrix3d::Identity() - inv.inertia);
  file.write_matrix("/shape function integral", inv.translation);
  file.write_matrix("/position shape function integral", position_shape_integral(inv));
  file.write_matrix("/shape function shape function integral", shape_shape_integral(inv));
  file.write_matrix("/stiffness matrix", body.stiffness);
  file.write_matrix("/damping matrix", damping_matrix(body));
  write_nodes(body, file);
  file.commit();
  constexpr double kNoticeable = 1e-6;
  if (const double share = rotary_share(inv); share > kNoticeable)
    diagnostics.warn(
        "rotary-inertia",
        fmt::format("MBSim has no rotary inertia of nodes: up to {:.2g} of the mass of "
                    "a mode is counted as that of translations",
                    share),
        {path.string()});
}

}  // namespace femflex::flexfile
