// Makes FE models with known frequencies: computes element matrices by Gauss quadrature of Hermite
// and trilinear functions, and assembles the lower triangle.
#include "problems.h"

#include <array>
#include <cmath>
#include <vector>

namespace femflex::testing {
namespace {

/// Adds the lower triangle of a symmetric element matrix.
void scatter(std::vector<Entry>& entries,
             const std::vector<std::int64_t>& rows,
             const Eigen::MatrixXd& a) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows.size(); ++j)
      if (rows[i] >= rows[j])
        entries.push_back(
            {rows[i], rows[j], a(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j))});
}

/// Cubic Hermite functions on [0, h] and their derivatives at x = s h: values, slopes, ...
std::array<double, 4> hermite(double s, double h, int derivative) {
  switch (derivative) {
    case 0:
      return {1 - 3 * s * s + 2 * s * s * s,
              h * (s - 2 * s * s + s * s * s),
              3 * s * s - 2 * s * s * s,
              h * (s * s * s - s * s)};
    case 1:
      return {(-6 * s + 6 * s * s) / h,
              1 - 4 * s + 3 * s * s,
              (6 * s - 6 * s * s) / h,
              3 * s * s - 2 * s};
    default:
      return {(-6 + 12 * s) / (h * h), (-4 + 6 * s) / h, (6 - 12 * s) / (h * h), (6 * s - 2) / h};
  }
}

constexpr std::array<double, 4> kPoint{
    -0.8611363115940526, -0.3399810435848563, 0.3399810435848563, 0.8611363115940526};
constexpr std::array<double, 4> kWeight{
    0.3478548451374538, 0.6521451548625461, 0.6521451548625461, 0.3478548451374538};

void finish(FeModel& model, const std::vector<Entry>& K, const std::vector<Entry>& M) {
  model.units = parse_units("m-kg-s");
  model.stiffness = assemble(model.dofs.size(), model.dofs.size(), K);
  model.mass = assemble(model.dofs.size(), model.dofs.size(), M);
}

}  // namespace

FeModel beam(int elements, const char* ends) {
  FeModel model;
  model.name = "beam";
  std::vector<Dof> rows;
  const double h = 1.0 / elements;
  for (int k = 0; k <= elements; ++k) {
    model.nodes.push_back({k + 1, Eigen::Vector3d(k * h, 0, 0), 0});
    rows.push_back({k + 1, 2});
    rows.push_back({k + 1, 6});
  }
  for (int side = 0; side < 2; ++side) {
    const std::int64_t node = side == 0 ? 1 : elements + 1;
    if (ends[side] != 'f') model.fixed.push_back({node, 2});
    if (ends[side] == 'c') model.fixed.push_back({node, 6});
  }
  model.dofs = DofMap(rows);
  Eigen::Matrix4d k;
  Eigen::Matrix4d m;
  k << 12, 6 * h, -12, 6 * h, 6 * h, 4 * h * h, -6 * h, 2 * h * h, -12, -6 * h, 12, -6 * h, 6 * h,
      2 * h * h, -6 * h, 4 * h * h;
  m << 156, 22 * h, 54, -13 * h, 22 * h, 4 * h * h, 13 * h, -3 * h * h, 54, 13 * h, 156, -22 * h,
      -13 * h, -3 * h * h, -22 * h, 4 * h * h;
  std::vector<Entry> K;
  std::vector<Entry> M;
  for (std::int64_t e = 0; e < elements; ++e) {
    const std::vector<std::int64_t> at{2 * e, 2 * e + 1, 2 * e + 2, 2 * e + 3};
    scatter(K, at, k / (h * h * h));
    scatter(M, at, m * h / 420.0);
  }
  finish(model, K, M);
  return make_fe_model(std::move(model));
}

FeModel plate(int elements, char edge, double nu) {
  FeModel model;
  model.name = "plate";
  const double h = 1.0 / elements;
  const auto node = [&](int i, int j) { return std::int64_t{1} + i + j * (elements + 1); };
  std::vector<Dof> rows;
  constexpr std::array<std::int8_t, 4> components{3, 4, 5, 6};
  for (int j = 0; j <= elements; ++j)
    for (int i = 0; i <= elements; ++i) {
      model.nodes.push_back({node(i, j), Eigen::Vector3d(i * h, j * h, 0), 0});
      for (const std::int8_t c : components)
        rows.push_back({node(i, j), c});
      const bool on_x = i == 0 || i == elements;  // an edge along y
      const bool on_y = j == 0 || j == elements;
      if (edge == 'f' || !(on_x || on_y)) continue;
      std::array<bool, 4> held{true, on_y || edge == 'c', on_x || edge == 'c', edge == 'c'};
      // along a held edge the slope in its own direction vanishes; simply supported edges leave the
      // normal slope and, off the corners, the twist
      if (edge == 's') held = {true, on_y, on_x, false};
      for (std::size_t c = 0; c < 4; ++c)
        if (held[c]) model.fixed.push_back({node(i, j), components[c]});
    }
  model.dofs = DofMap(rows);
  Eigen::MatrixXd k = Eigen::MatrixXd::Zero(16, 16);
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(16, 16);
  for (std::size_t p = 0; p < 4; ++p)
    for (std::size_t q = 0; q < 4; ++q) {
      const double s = 0.5 * (1 + kPoint[p]);
      const double t = 0.5 * (1 + kPoint[q]);
      const double weight = 0.25 * h * h * kWeight[p] * kWeight[q];
      Eigen::VectorXd w(16);
      Eigen::VectorXd xx(16);
      Eigen::VectorXd yy(16);
      Eigen::VectorXd xy(16);
      std::array<std::array<double, 4>, 3> x{};
      std::array<std::array<double, 4>, 3> y{};
      for (int d = 0; d < 3; ++d) {
        x[static_cast<std::size_t>(d)] = hermite(s, h, d);
        y[static_cast<std::size_t>(d)] = hermite(t, h, d);
      }
      for (int corner = 0; corner < 4; ++corner)
        for (int c = 0; c < 4; ++c) {
          // DOF c: w, w_x, w_y, w_xy
          const auto fx = static_cast<std::size_t>(2 * (corner % 2) + c % 2);
          const auto fy = static_cast<std::size_t>(2 * (corner / 2) + c / 2);
          const int at = 4 * corner + c;
          w(at) = x[0][fx] * y[0][fy];
          xx(at) = x[2][fx] * y[0][fy];
          yy(at) = x[0][fx] * y[2][fy];
          xy(at) = x[1][fx] * y[1][fy];
        }
      k += weight * (xx * xx.transpose() + yy * yy.transpose() +
                     nu * (xx * yy.transpose() + yy * xx.transpose()) +
                     2.0 * (1.0 - nu) * xy * xy.transpose());
      m += weight * w * w.transpose();
    }
  std::vector<Entry> K;
  std::vector<Entry> M;
  for (int j = 0; j < elements; ++j)
    for (int i = 0; i < elements; ++i) {
      std::vector<std::int64_t> at;
      for (int corner = 0; corner < 4; ++corner)
        for (int c = 0; c < 4; ++c)
          at.push_back(4 * (node(i + corner % 2, j + corner / 2) - 1) + c);
      scatter(K, at, k);
      scatter(M, at, m);
    }
  finish(model, K, M);
  return make_fe_model(std::move(model));
}

FeModel brick_block(int nx, int ny, int nz, double lx, double ly, double lz) {
  constexpr double E = 2.1e11;
  constexpr double nu = 0.3;
  constexpr double rho = 7850.0;
  FeModel model;
  model.name = "block";
  const auto node = [&](int i, int j, int l) {
    return std::int64_t{1} + i + (nx + 1) * (j + static_cast<std::int64_t>(ny + 1) * l);
  };
  std::vector<Dof> rows;
  for (int l = 0; l <= nz; ++l)
    for (int j = 0; j <= ny; ++j)
      for (int i = 0; i <= nx; ++i) {
        model.nodes.push_back(
            {node(i, j, l), Eigen::Vector3d(i * lx / nx, j * ly / ny, l * lz / nz), 0});
        for (std::int8_t c = 1; c <= 3; ++c)
          rows.push_back({node(i, j, l), c});
      }
  model.dofs = DofMap(rows);
  const Eigen::Vector3d size(lx / nx, ly / ny, lz / nz);
  Eigen::MatrixXd k = Eigen::MatrixXd::Zero(24, 24);
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(24, 24);
  Eigen::Matrix<double, 6, 6> C = Eigen::Matrix<double, 6, 6>::Zero();
  const double mu = E / (2 * (1 + nu));
  C.topLeftCorner<3, 3>().setConstant(E * nu / ((1 + nu) * (1 - 2 * nu)));
  for (int a = 0; a < 3; ++a) {
    C(a, a) += 2 * mu;
    C(a + 3, a + 3) = mu;
  }
  const double g = 1 / std::sqrt(3.0);
  for (int point = 0; point < 8; ++point) {
    const Eigen::Vector3d at(point & 1 ? g : -g, point & 2 ? g : -g, point & 4 ? g : -g);
    Eigen::MatrixXd B = Eigen::MatrixXd::Zero(6, 24);
    Eigen::MatrixXd N = Eigen::MatrixXd::Zero(3, 24);
    for (int corner = 0; corner < 8; ++corner) {
      const Eigen::Vector3d sign(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
      const Eigen::Vector3d f = (Eigen::Vector3d::Ones() + sign.cwiseProduct(at)) / 2;
      Eigen::Vector3d d;
      for (int a = 0; a < 3; ++a)
        d(a) = sign(a) / size(a) * f((a + 1) % 3) * f((a + 2) % 3);
      for (int a = 0; a < 3; ++a) {
        N(a, 3 * corner + a) = f.prod();
        B(a, 3 * corner + a) = d(a);
        const int b = (a + 1) % 3;  // shear a + 3: between a and b
        B(3 + a, 3 * corner + a) = d(b);
        B(3 + a, 3 * corner + b) = d(a);
      }
    }
    const double weight = size.prod() / 8;
    k += weight * B.transpose() * C * B;
    m += weight * rho * N.transpose() * N;
  }
  std::vector<Entry> K;
  std::vector<Entry> M;
  for (int l = 0; l < nz; ++l)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        std::vector<std::int64_t> at;
        for (int corner = 0; corner < 8; ++corner)
          for (int c = 0; c < 3; ++c)
            at.push_back(
                3 * (node(i + (corner & 1), j + (corner >> 1 & 1), l + (corner >> 2)) - 1) + c);
        scatter(K, at, k);
        scatter(M, at, m);
      }
  finish(model, K, M);
  return make_fe_model(std::move(model));
}

FeModel joined_block() {
  FeModel model = brick_block(8, 2, 2, 1.0, 0.2, 0.15);
  model.interface_nodes = {1, 9, 27, 81};
  return model;
}

FeModel spring_net(int nx, int ny) {
  FeModel model;
  model.name = "net";
  std::vector<Dof> rows;
  std::vector<Entry> K;
  std::vector<Entry> M;
  const auto join = [&](std::int64_t a, std::int64_t b) {
    const double c = 1e5 * (1.0 + 0.3 * std::sin(static_cast<double>(a + b)));
    scatter(K, {a, b}, (Eigen::Matrix2d() << c, -c, -c, c).finished());
  };
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      const std::int64_t at = i + std::int64_t{j} * nx;
      model.nodes.push_back({at + 1, Eigen::Vector3d(0.1 * i, 0.1 * j, 0), 0});
      rows.push_back({at + 1, 3});
      M.push_back({at, at, 1.0 + 0.5 * std::cos(static_cast<double>(at))});
      if (i > 0) join(at - 1, at);
      if (j > 0) join(at - nx, at);
    }
  model.dofs = DofMap(rows);
  finish(model, K, M);
  return make_fe_model(std::move(model));
}

FeModel copies(const FeModel& one, int count) {
  FeModel model = one;
  model.nodes.clear();
  model.fixed.clear();
  std::vector<Dof> rows;
  std::vector<Entry> K;
  std::vector<Entry> M;
  const auto stride = static_cast<std::int64_t>(one.nodes.back().id);
  for (int copy = 0; copy < count; ++copy) {
    for (Node node : one.nodes) {
      node.id += copy * stride;
      node.position.z() += copy;
      model.nodes.push_back(node);
    }
    for (Dof dof : one.fixed) {
      dof.node += copy * stride;
      model.fixed.push_back(dof);
    }
    const auto shift = static_cast<std::int64_t>(rows.size());
    for (Dof dof : one.dofs.rows()) {
      dof.node += copy * stride;
      rows.push_back(dof);
    }
    for (Eigen::Index col = 0; col < one.stiffness->cols(); ++col)
      for (SparseMatrix::InnerIterator it(*one.stiffness, col); it; ++it)
        K.push_back({it.row() + shift, col + shift, it.value()});
    for (Eigen::Index col = 0; col < one.mass->cols(); ++col)
      for (SparseMatrix::InnerIterator it(*one.mass, col); it; ++it)
        M.push_back({it.row() + shift, col + shift, it.value()});
  }
  model.dofs = DofMap(rows);
  finish(model, K, M);
  return make_fe_model(std::move(model));
}

double square_of_hz(double hz) {
  return std::pow(2.0 * std::numbers::pi * hz, 2);
}

}  // namespace femflex::testing
