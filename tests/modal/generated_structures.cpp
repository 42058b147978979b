// Makes random structures: assembles beams and bricks of random sizes, rotates and supports them,
// and counts their zero-energy motions part by part. Symbols: E Young's modulus, nu Poisson's
// ratio, rho density.
#include "generated_structures.h"

#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "problems.h"

namespace femflex::testing {
namespace {

using Random = std::mt19937;

double uniform(Random& random, double from, double to) {
  return std::uniform_real_distribution<double>(from, to)(random);
}

int one_of(Random& random, int count) {
  return std::uniform_int_distribution<int>(0, count - 1)(random);
}

/// Even on a logarithmic axis.
double spread(Random& random, double from, double to) {
  return std::exp(uniform(random, std::log(from), std::log(to)));
}

/// One part: nodes from 1 on, matrices as lists, six unknowns per node (beams) or three (bricks).
struct Part {
  std::vector<Eigen::Vector3d> nodes;
  int components = 6;
  Eigen::MatrixXd K, M;
  std::string what;
};

struct Steel {
  double E = 2.1e11, nu = 0.3, rho = 7850.0;
};

/// Adds a prismatic beam of section width x height between nodes a and b; `up` is the direction of
/// its height.
void add_beam(Part& part,
              std::size_t a,
              std::size_t b,
              double width,
              double height,
              const Eigen::Vector3d& up) {
  const Steel steel;
  const Eigen::Vector3d along = part.nodes[b] - part.nodes[a];
  const double l = along.norm();
  const double area = width * height;
  const double Iy = width * width * width * height / 12.0;  // bending along the width
  const double Iz = width * height * height * height / 12.0;
  const double EA = steel.E * area / l;
  const double GJ = steel.E / (2.0 * (1.0 + steel.nu)) * 0.3 * std::min(Iy, Iz) * 4.0 / l;
  const double rho_a = steel.rho * area * l;
  Eigen::Matrix<double, 12, 12> k = Eigen::Matrix<double, 12, 12>::Zero();
  Eigen::Matrix<double, 12, 12> m = Eigen::Matrix<double, 12, 12>::Zero();
  for (const int c : {0, 3}) {
    const double stiffness = c == 0 ? EA : GJ;
    const double mass = c == 0 ? rho_a : steel.rho * (Iy + Iz) * l;
    k(c, c) = k(c + 6, c + 6) = stiffness;
    k(c, c + 6) = k(c + 6, c) = -stiffness;
    m(c, c) = m(c + 6, c + 6) = mass / 3.0;
    m(c, c + 6) = m(c + 6, c) = mass / 6.0;
  }
  Eigen::Matrix4d kb;
  Eigen::Matrix4d mb;
  kb << 12, 6 * l, -12, 6 * l, 6 * l, 4 * l * l, -6 * l, 2 * l * l, -12, -6 * l, 12, -6 * l, 6 * l,
      2 * l * l, -6 * l, 4 * l * l;
  mb << 156, 22 * l, 54, -13 * l, 22 * l, 4 * l * l, 13 * l, -3 * l * l, 54, 13 * l, 156, -22 * l,
      -13 * l, -3 * l * l, -22 * l, 4 * l * l;
  // local y is the height: deflection y with rotation z, deflection z with rotation -y
  const std::array<int, 4> in_y{1, 5, 7, 11};
  const std::array<int, 4> in_z{2, 4, 8, 10};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      const auto p = static_cast<std::size_t>(i), q = static_cast<std::size_t>(j);
      const double sign = (i % 2 == j % 2) ? 1.0 : -1.0;
      k(in_y[p], in_y[q]) += steel.E * Iz / (l * l * l) * kb(i, j);
      m(in_y[p], in_y[q]) += rho_a / 420.0 * mb(i, j);
      k(in_z[p], in_z[q]) += sign * steel.E * Iy / (l * l * l) * kb(i, j);
      m(in_z[p], in_z[q]) += sign * rho_a / 420.0 * mb(i, j);
    }
  Eigen::Matrix3d R;
  R.row(0) = along.transpose() / l;
  R.row(1) = (up - up.dot(along) / (l * l) * along).normalized().transpose();
  R.row(2) = R.row(0).cross(R.row(1));
  Eigen::Matrix<double, 12, 12> turn = Eigen::Matrix<double, 12, 12>::Zero();
  for (int block = 0; block < 4; ++block)
    turn.block<3, 3>(3 * block, 3 * block) = R;
  k = (turn.transpose() * k * turn).eval();
  m = (turn.transpose() * m * turn).eval();
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 12; ++j) {
      const auto row = static_cast<Eigen::Index>(6 * (i < 6 ? a : b)) + i % 6;
      const auto col = static_cast<Eigen::Index>(6 * (j < 6 ? a : b)) + j % 6;
      part.K(row, col) += k(i, j);
      part.M(row, col) += m(i, j);
    }
}

Part beam_strip(Random& random, double slenderness, const Eigen::Matrix3d& R) {
  const int elements = 4 + one_of(random, 20);
  const double length = uniform(random, 0.2, 3.0);
  const double height = length / slenderness;
  Part part;
  for (int i = 0; i <= elements; ++i)
    part.nodes.emplace_back(R * Eigen::Vector3d(length * i / elements, 0, 0));
  const auto n = static_cast<Eigen::Index>(6 * part.nodes.size());
  part.K = part.M = Eigen::MatrixXd::Zero(n, n);
  for (std::size_t i = 0; i + 1 < part.nodes.size(); ++i)
    add_beam(part, i, i + 1, height * uniform(random, 1.0, 10.0), height, R.col(2));
  part.what = fmt::format("strip of {} beams", elements);
  return part;
}

Part ladder(Random& random, double slenderness, const Eigen::Matrix3d& R) {
  const int bays = 2 + one_of(random, 8);
  const double length = uniform(random, 1.0, 8.0);
  const double height = length / slenderness;
  Part part;
  for (int i = 0; i <= bays; ++i)
    for (int side = 0; side < 2; ++side)
      part.nodes.emplace_back(R * Eigen::Vector3d(length * i / bays, 0.2 * length * side, 0));
  const auto n = static_cast<Eigen::Index>(6 * part.nodes.size());
  part.K = part.M = Eigen::MatrixXd::Zero(n, n);
  for (std::size_t i = 0; i <= static_cast<std::size_t>(bays); ++i) {
    add_beam(part, 2 * i, 2 * i + 1, 0.5 * height, 0.7 * height, R.col(2));
    for (std::size_t side = 0; i < static_cast<std::size_t>(bays) && side < 2; ++side)
      add_beam(part, 2 * i + side, 2 * i + 2 + side, 0.5 * height, height, R.col(2));
  }
  part.what = fmt::format("ladder of {} bays", bays);
  return part;
}

Part bricks(Random& random, double slenderness, const Eigen::Matrix3d& R) {
  const int along = 3 + one_of(random, 5), across = 1 + one_of(random, 2);
  const double length = uniform(random, 0.2, 2.0);
  const FeModel block = brick_block(
      along, across, 1, length, length * uniform(random, 0.1, 1.0), length / slenderness);
  Part part;
  part.components = 3;
  for (const Node& node : block.nodes)
    part.nodes.emplace_back(R * node.position);
  const auto full = [](const SparseMatrix& lower) -> Eigen::MatrixXd {
    Eigen::MatrixXd a = lower;
    a.triangularView<Eigen::StrictlyUpper>() = a.transpose();
    return a;
  };
  const auto n = static_cast<Eigen::Index>(part.nodes.size());
  Eigen::MatrixXd turn = Eigen::MatrixXd::Zero(3 * n, 3 * n);
  for (Eigen::Index p = 0; p < n; ++p)
    turn.block<3, 3>(3 * p, 3 * p) = R;
  part.K = turn * full(*block.stiffness) * turn.transpose();
  part.M = turn * full(*block.mass) * turn.transpose();
  part.what = fmt::format("{} x {} bricks", along, across);
  return part;
}

}  // namespace

GeneratedStructure generated_structure(std::uint32_t seed) {
  Random random(seed);
  GeneratedStructure out;
  FeModel& model = out.model;
  const int units = one_of(random, 3);
  const char* names[] = {"m-kg-s", "mm-t-s", "mm-kg-ms"};
  const double length = units == 0 ? 1.0 : 1e3;        // numbers per metre
  const double mass = units == 1 ? 1e-3 : 1.0;         // per kilogram
  const double time = units == 2 ? 1e3 : 1.0;          // per second
  const double force = mass * length / (time * time);  // per newton
  std::vector<Dof> rows;
  std::vector<Entry> K;
  std::vector<Entry> M;
  const int parts = 1 + one_of(random, 4) % 3;
  for (int p = 0; p < parts; ++p) {
    const double slenderness = spread(random, 10.0, 2000.0);
    const Eigen::Vector3d angles(uniform(random, 0, 3), uniform(random, 0, 3), 0.3);
    const Eigen::Matrix3d R = one_of(random, 3) == 0
                                  ? Eigen::Matrix3d::Identity()
                                  : (Eigen::AngleAxisd(angles.x(), Eigen::Vector3d::UnitX()) *
                                     Eigen::AngleAxisd(angles.y(), Eigen::Vector3d::UnitY()) *
                                     Eigen::AngleAxisd(angles.z(), Eigen::Vector3d::UnitZ()))
                                        .toRotationMatrix();
    const int kind = one_of(random, 3);
    Part part = kind == 0   ? beam_strip(random, slenderness, R)
                : kind == 1 ? ladder(random, slenderness, R)
                            : bricks(random, slenderness, R);
    const std::size_t last = part.nodes.size() - 1;
    const Eigen::Index c = part.components;
    const int held = one_of(random, 4);
    const std::int64_t first_id = 1000 * p + 1;
    std::string how = "free";
    if (held == 0) {
      out.zero_modes += 6;
    } else if (held == 1) {
      how = "clamped";
      for (const std::size_t node : {std::size_t{0}, std::size_t{1}, std::size_t{2}, last})
        for (std::int8_t k = 1; k <= c; ++k)
          if (c == 3 || node == 0)
            model.fixed.push_back({first_id + static_cast<std::int64_t>(node), k});
    } else if (held == 2) {
      how = "held at one point";
      out.zero_modes += 3;
      for (std::int8_t k = 1; k <= 3; ++k)
        model.fixed.push_back({first_id, k});
    } else {
      const double share = spread(random, 1e-9, 1e-3);
      how = fmt::format("on springs of {:.1e}", share);
      const double k = share * part.K.diagonal().head<3>().maxCoeff();
      for (const std::size_t node : {std::size_t{0}, std::size_t{1}, part.nodes.size() / 2, last})
        for (Eigen::Index at = 0; at < c; ++at)
          part.K(c * static_cast<Eigen::Index>(node) + at,
                 c * static_cast<Eigen::Index>(node) + at) += k;
    }
    out.what += fmt::format("{}{}, {:.0f}:1, {}", p > 0 ? "; " : "", part.what, slenderness, how);
    const auto shift = static_cast<std::int64_t>(rows.size());
    for (std::size_t node = 0; node < part.nodes.size(); ++node) {
      const Eigen::Vector3d position = length * (part.nodes[node] + Eigen::Vector3d(0, 0, 3.0 * p));
      const std::int64_t id = first_id + static_cast<std::int64_t>(node);
      model.nodes.push_back({id, position, 0});
      for (std::int8_t k = 1; k <= c; ++k)
        rows.push_back({id, k});
    }
    for (Eigen::Index j = 0; j < part.K.cols(); ++j)
      for (Eigen::Index i = j; i < part.K.rows(); ++i) {
        // rotations carry no length: forces per metre, moments per radian
        const int turns = (i % c > 2 ? 1 : 0) + (j % c > 2 ? 1 : 0);
        const double unit = turns == 0 ? 1.0 / length : turns == 1 ? 1.0 : length;
        const double m_unit = turns == 0 ? 1.0 : turns == 1 ? length : length * length;
        if (part.K(i, j) != 0.0) K.push_back({shift + i, shift + j, part.K(i, j) * force * unit});
        if (part.M(i, j) != 0.0) M.push_back({shift + i, shift + j, part.M(i, j) * mass * m_unit});
      }
  }
  model.name = out.what;
  model.dofs = DofMap(rows);
  model.units = parse_units(names[units]);
  model.stiffness = assemble(model.dofs.size(), model.dofs.size(), K);
  model.mass = assemble(model.dofs.size(), model.dofs.size(), M);
  return out;
}

}  // namespace femflex::testing
