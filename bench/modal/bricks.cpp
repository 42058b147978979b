// Divides boxes into bricks (hexahedral elements): the planes of all box faces and planes between
// them are the grid, and each grid cell inside of a box is a brick. Computes K and M once per brick
// size, and assembles their lower triangles node by node. Symbols: B strain matrix, D elasticity
// matrix, N shape functions, s node of the reference brick [-1, 1]^3.
#include "bricks.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

namespace femflex::bench {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;

constexpr double kE = 2.1e11, kNu = 0.3, kRho = 7850.0;  // steel, SI
constexpr double kCoincident = 1e-9;                     // faces closer than this count as one [m]

/// The first 8 or 20 nodes of the reference brick: its corners, followed by the middles of its
/// edges.
std::vector<Vector3d> reference_nodes(int nodes_per_brick) {
  std::vector<Vector3d> nodes;
  for (int middles = 0; middles < 2; ++middles)
    for (int k = -1; k <= 1; ++k)
      for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i)
          if ((i == 0) + (j == 0) + (k == 0) == middles) nodes.emplace_back(i, j, k);
  nodes.resize(static_cast<std::size_t>(nodes_per_brick));
  return nodes;
}

/// Value and gradient at p of the shape function of the node at s. `serendipity` selects the brick
/// with 20 nodes.
std::pair<double, Vector3d> shape(const Vector3d& s, const Vector3d& p, bool serendipity) {
  Vector3d f, d;  // factors of the three axes, and their derivatives
  for (int a = 0; a < 3; ++a) {
    f(a) = s(a) == 0.0 ? 1.0 - p(a) * p(a) : 0.5 * (1.0 + s(a) * p(a));
    d(a) = s(a) == 0.0 ? -2.0 * p(a) : 0.5 * s(a);
  }
  const Vector3d gradient(d(0) * f(1) * f(2), f(0) * d(1) * f(2), f(0) * f(1) * d(2));
  if (!serendipity || (s.array() == 0.0).any()) return {f.prod(), gradient};
  const double correction = s.dot(p) - 2.0;  // makes N zero at the middles of the edges
  return {f.prod() * correction, gradient * correction + f.prod() * s};
}

/// Element matrices of a brick with n nodes.
struct Brick {
  MatrixXd K;  // (3 n x 3 n)
  MatrixXd m;  // (n x n), the same mass in each direction
};

Brick make_brick(const Vector3d& size, int count) {
  const std::vector<Vector3d> nodes = reference_nodes(count);
  Eigen::Matrix<double, 6, 6> D = Eigen::Matrix<double, 6, 6>::Zero();
  const double c = kE / ((1.0 + kNu) * (1.0 - 2.0 * kNu));
  D.topLeftCorner<3, 3>().setConstant(c * kNu);
  D.topLeftCorner<3, 3>().diagonal().setConstant(c * (1.0 - kNu));
  D.bottomRightCorner<3, 3>().diagonal().setConstant(0.5 * kE / (1.0 + kNu));
  const bool serendipity = count == 20;
  // Gauss points and weights, three per axis or two
  const double g = serendipity ? std::sqrt(0.6) : 1.0 / std::sqrt(3.0);
  const std::vector<std::pair<double, double>> rule =
      serendipity
          ? std::vector<std::pair<double, double>>{{-g, 5.0 / 9}, {0.0, 8.0 / 9}, {g, 5.0 / 9}}
          : std::vector<std::pair<double, double>>{{-g, 1.0}, {g, 1.0}};
  Brick brick{MatrixXd::Zero(3 * count, 3 * count), MatrixXd::Zero(count, count)};
  for (const auto& [x, wx] : rule)
    for (const auto& [y, wy] : rule)
      for (const auto& [z, wz] : rule) {
        const double weight = wx * wy * wz * size.prod() / 8.0;
        MatrixXd B = MatrixXd::Zero(6, 3 * count);
        Eigen::VectorXd N(count);
        for (Index k = 0; k < count; ++k) {
          const auto [value, gradient] =
              shape(nodes[static_cast<std::size_t>(k)], Vector3d(x, y, z), serendipity);
          const Vector3d d = 2.0 * gradient.cwiseQuotient(size);
          N(k) = value;
          B.middleCols<3>(3 * k) << d.x(), 0, 0, 0, d.y(), 0, 0, 0, d.z(), d.y(), d.x(), 0, 0,
              d.z(), d.y(), d.z(), 0, d.x();
        }
        brick.K.noalias() += weight * B.transpose() * (D * B);
        brick.m.noalias() += weight * kRho * N * N.transpose();
      }
  return brick;
}

/// Grid lines along one axis: the faces of all boxes, with further lines between those that are
/// more than `edge` apart.
std::vector<double> lines(const std::vector<Box>& boxes, int axis, double edge) {
  std::vector<double> faces;
  for (const Box& box : boxes)
    faces.insert(faces.end(), {box.low(axis), box.high(axis)});
  std::sort(faces.begin(), faces.end());
  std::vector<double> out{faces.front()};
  for (const double face : faces) {
    const double from = out.back(), gap = face - from;
    if (gap < kCoincident) continue;
    const int intervals = static_cast<int>(std::ceil(gap / edge - 1e-6));
    for (int k = 1; k <= intervals; ++k)
      out.push_back(from + gap * k / intervals);
  }
  return out;
}

struct Mesh {
  std::vector<Vector3d> nodes;
  std::vector<std::array<std::int32_t, 20>> elements;
  std::vector<std::int32_t> kind;  // kind of brick of each element, as an index in `bricks`
  std::vector<Brick> bricks;
  int nodes_per_brick = 0;
};

Mesh make_mesh(const std::vector<Box>& boxes, const Vector3d& edge, int nodes_per_brick) {
  Mesh mesh;
  mesh.nodes_per_brick = nodes_per_brick;
  std::array<std::vector<double>, 3> line;
  for (int a = 0; a < 3; ++a)
    line[static_cast<std::size_t>(a)] = lines(boxes, a, edge(a));
  const auto cells = [&](std::size_t a) { return line[a].size() - 1; };
  // coordinate along axis a of point number `half` of a grid that is twice as fine
  const auto coordinate = [&](std::size_t a, std::size_t half) {
    return half % 2 == 0 ? line[a][half / 2] : 0.5 * (line[a][half / 2] + line[a][half / 2 + 1]);
  };
  std::vector<bool> full(cells(0) * cells(1) * cells(2), false);
  for (const Box& box : boxes) {
    std::array<std::size_t, 3> from{}, to{};
    for (std::size_t a = 0; a < 3; ++a) {
      const auto at = [&](double x) {
        return static_cast<std::size_t>(
            std::lower_bound(line[a].begin(), line[a].end(), x - kCoincident) - line[a].begin());
      };
      from[a] = at(box.low(static_cast<Index>(a)));
      to[a] = at(box.high(static_cast<Index>(a)));
    }
    for (std::size_t i = from[0]; i < to[0]; ++i)
      for (std::size_t j = from[1]; j < to[1]; ++j)
        for (std::size_t k = from[2]; k < to[2]; ++k)
          full[(i * cells(1) + j) * cells(2) + k] = true;
  }
  const std::vector<Vector3d> reference = reference_nodes(nodes_per_brick);
  const std::size_t ny = 2 * cells(1) + 1, nz = 2 * cells(2) + 1;
  std::vector<std::int32_t> number((2 * cells(0) + 1) * ny * nz, -1);
  const auto visit = [&](const auto& action) {  // calls `action` for every filled cell
    for (std::size_t i = 0; i < cells(0); ++i)
      for (std::size_t j = 0; j < cells(1); ++j)
        for (std::size_t k = 0; k < cells(2); ++k) {
          if (!full[(i * cells(1) + j) * cells(2) + k]) continue;
          std::array<std::int32_t*, 20> at{};
          for (std::size_t n = 0; n < reference.size(); ++n) {
            const Vector3d& s = reference[n];
            const auto half = [&](std::size_t cell, Index a) {
              return 2 * cell + static_cast<std::size_t>(s(a) + 1.0);
            };
            at[n] = &number[(half(i, 0) * ny + half(j, 1)) * nz + half(k, 2)];
          }
          action(at,
                 Vector3d(line[0][i + 1] - line[0][i],
                          line[1][j + 1] - line[1][j],
                          line[2][k + 1] - line[2][k]));
        }
  };
  const auto used = static_cast<std::size_t>(nodes_per_brick);  // the others do not exist
  visit([&](const auto& at, const Vector3d&) {
    for (std::size_t n = 0; n < used; ++n)
      *at[n] = 0;
  });
  std::int32_t next = 0;  // nodes are numbered with x slowest, independently of the order of the
                          // elements
  for (std::size_t p = 0; p < number.size(); ++p)
    if (number[p] == 0) {
      number[p] = next++;
      mesh.nodes.emplace_back(
          coordinate(0, p / (ny * nz)), coordinate(1, p / nz % ny), coordinate(2, p % nz));
    }
  std::map<std::array<long, 3>, std::int32_t> kinds;  // kind of brick by its size in nanometres
  visit([&](const auto& at, const Vector3d& size) {
    std::array<std::int32_t, 20> element{};
    for (std::size_t n = 0; n < used; ++n)
      element[n] = *at[n];
    mesh.elements.push_back(element);
    const std::array<long, 3> key{
        std::lround(1e9 * size.x()), std::lround(1e9 * size.y()), std::lround(1e9 * size.z())};
    const auto [it, is_new] = kinds.emplace(key, static_cast<std::int32_t>(kinds.size()));
    if (is_new) mesh.bricks.push_back(make_brick(size, nodes_per_brick));
    mesh.kind.push_back(it->second);
  });
  return mesh;
}

/// Assembles K and M node by node, using one dense strip for the columns of a node.
void assemble(const Mesh& mesh, SparseMatrix& K, SparseMatrix& M) {
  const std::size_t nodes = mesh.nodes.size();
  const auto count = static_cast<std::size_t>(mesh.nodes_per_brick);
  std::vector<std::int32_t> start(nodes + 1, 0), member(mesh.elements.size() * count);
  for (const auto& element : mesh.elements)
    for (std::size_t a = 0; a < count; ++a)
      ++start[static_cast<std::size_t>(element[a]) + 1];
  for (std::size_t p = 0; p < nodes; ++p)
    start[p + 1] += start[p];
  std::vector<std::int32_t> next_member(start.begin(), start.end() - 1);
  for (std::size_t e = 0; e < mesh.elements.size(); ++e)
    for (std::size_t a = 0; a < count; ++a)
      member[static_cast<std::size_t>(
          next_member[static_cast<std::size_t>(mesh.elements[e][a])]++)] =
          static_cast<std::int32_t>(e);
  const auto n = static_cast<Index>(3 * nodes);
  std::vector<std::int32_t> neighbours;
  std::vector<Index> at(nodes, -1);
  MatrixXd strip;  // 3 rows per neighbour node
  Eigen::VectorXd mass;
  // the first pass counts entries, so that large arrays are never reallocated
  for (const bool counting : {true, false}) {
    Index k_entries = 0, m_entries = 0;
    for (std::size_t p = 0; p < nodes; ++p) {
      neighbours.clear();
      for (std::int32_t m = start[p]; m < start[p + 1]; ++m)
        for (std::size_t b = 0; b < count; ++b) {
          const std::int32_t q =
              mesh.elements[static_cast<std::size_t>(member[static_cast<std::size_t>(m)])][b];
          if (q < static_cast<std::int32_t>(p) || at[static_cast<std::size_t>(q)] >= 0) continue;
          at[static_cast<std::size_t>(q)] = 0;
          neighbours.push_back(q);
        }
      std::sort(neighbours.begin(), neighbours.end());
      const auto width = static_cast<Index>(neighbours.size());
      for (Index k = 0; k < width; ++k)
        at[static_cast<std::size_t>(neighbours[static_cast<std::size_t>(k)])] = k;
      k_entries += 9 * width - 3;
      m_entries += 3 * width;
      if (!counting) {
        strip.setZero(3 * width, 3);
        mass.setZero(width);
        for (std::int32_t m = start[p]; m < start[p + 1]; ++m) {
          const auto e = static_cast<std::size_t>(member[static_cast<std::size_t>(m)]);
          const auto& element = mesh.elements[e];
          const Brick& brick = mesh.bricks[static_cast<std::size_t>(mesh.kind[e])];
          Index a = 0;
          while (element[static_cast<std::size_t>(a)] != static_cast<std::int32_t>(p))
            ++a;
          for (std::size_t b = 0; b < count; ++b) {
            const Index k = at[static_cast<std::size_t>(element[b])];
            if (k < 0) continue;
            const auto row = static_cast<Index>(b);
            strip.middleRows<3>(3 * k) += brick.K.block<3, 3>(3 * row, 3 * a);
            mass(k) += brick.m(row, a);
          }
        }
        for (Index c = 0; c < 3; ++c) {
          const Index col = 3 * static_cast<Index>(p) + c;
          K.startVec(col);
          M.startVec(col);
          for (Index k = 0; k < width; ++k) {
            const Index row = 3 * neighbours[static_cast<std::size_t>(k)];
            for (Index r = k == 0 ? c : 0; r < 3; ++r)
              K.insertBack(row + r, col) = strip(3 * k + r, c);
            M.insertBack(row + c, col) = mass(k);
          }
        }
      }
      for (const std::int32_t q : neighbours)
        at[static_cast<std::size_t>(q)] = -1;
    }
    if (!counting) break;
    K.resize(n, n);
    M.resize(n, n);
    K.reserve(k_entries);
    M.reserve(m_entries);
  }
  K.finalize();
  M.finalize();
}

FeModel model_of(const Mesh& mesh) {
  FeModel model;
  model.units = parse_units("m-kg-s");
  std::vector<Dof> rows;
  rows.reserve(3 * mesh.nodes.size());
  for (std::size_t p = 0; p < mesh.nodes.size(); ++p) {
    const auto id = static_cast<std::int64_t>(p + 1);
    model.nodes.push_back({id, mesh.nodes[p], 0});
    for (std::int8_t c = 1; c <= 3; ++c)
      rows.push_back({id, c});
  }
  SparseMatrix K, M;
  assemble(mesh, K, M);
  model.dofs = DofMap(std::move(rows));
  model.stiffness = std::move(K);
  model.mass = std::move(M);
  return model;
}

constexpr double kRailFace = 0.425;                // |y| of the outer faces of the rails [m]
constexpr double kBracketEdge = kRailFace + 0.12;  // |y| of the outer edges of the brackets [m]

std::vector<Box> chassis_boxes() {
  std::vector<Box> boxes;
  const double length = 6.0, height = 0.25, flange = 0.08, t = 0.008, outer = kRailFace;
  const double inner = outer - t, s = 0.006, z = 0.035, box_height = 0.18, flange_width = 0.06;
  for (const double side : {-1.0, 1.0}) {
    // a rail (web, lower and upper flange) and its brackets
    const auto add = [&](double x0, double x1, double ya, double yb, double z0, double z1) {
      boxes.push_back(
          {{x0, std::min(side * ya, side * yb), z0}, {x1, std::max(side * ya, side * yb), z1}});
    };
    add(0, length, inner, outer, 0, height);
    add(0, length, outer - flange, inner, 0, t);
    add(0, length, outer - flange, inner, height - t, height);
    for (const double x : {0.35, 0.95, 1.61, 4.6})
      add(x - 0.08, x + 0.08, outer, kBracketEdge, 0.11, 0.125);
  }
  // C-shaped cross members: web, lower and upper flange
  for (const double x : {0.1, 1.25, 2.95, 3.85, 5.85}) {
    boxes.push_back({{x, -inner, z}, {x + s, inner, z + box_height}});
    boxes.push_back({{x + s, -inner, z}, {x + flange_width, inner, z + s}});
    boxes.push_back(
        {{x + s, -inner, z + box_height - s}, {x + flange_width, inner, z + box_height}});
  }
  // box cross members: bottom, top and two webs
  for (const double x : {2.15, 4.85}) {
    boxes.push_back({{x, -inner, z}, {x + 2 * flange_width, inner, z + s}});
    boxes.push_back(
        {{x, -inner, z + box_height - s}, {x + 2 * flange_width, inner, z + box_height}});
    boxes.push_back({{x, -inner, z + s}, {x + s, inner, z + box_height - s}});
    boxes.push_back({{x + 2 * flange_width - s, -inner, z + s},
                     {x + 2 * flange_width, inner, z + box_height - s}});
  }
  return boxes;
}

}  // namespace

FeModel brick_model(const std::vector<Box>& boxes, const Vector3d& edge, int nodes_per_brick) {
  return model_of(make_mesh(boxes, edge, nodes_per_brick));
}

FeModel chassis_model(std::int64_t dofs, int nodes_per_brick) {
  const std::vector<Box> boxes = chassis_boxes();
  // The parts are sheets, so the number of DOFs is roughly proportional to 1 / edge^2, and a few
  // corrections of `edge` by that power law are sufficient.
  double edge = 0.05 * std::sqrt(1e5 / static_cast<double>(dofs));
  Mesh mesh;
  for (int step = 0; step < 8; ++step) {
    mesh = make_mesh(boxes, Vector3d::Constant(edge), nodes_per_brick);
    const double ratio = 3.0 * static_cast<double>(mesh.nodes.size()) / static_cast<double>(dofs);
    if (std::abs(ratio - 1.0) < 0.03) break;
    edge *= std::pow(ratio, 0.5);
  }
  FeModel model = model_of(mesh);
  model.name = "chassis";
  for (const Node& node : model.nodes)
    if (std::abs(std::abs(node.position.y()) - kBracketEdge) < kCoincident)
      for (std::int8_t c = 1; c <= 3; ++c)
        model.fixed.push_back({node.id, c});
  return make_fe_model(std::move(model));
}

FeModel block_model(std::int64_t dofs, int nodes_per_brick) {
  const Vector3d size(1.0, 0.7, 0.5);
  // DOFs per brick in a large mesh: bricks share their nodes, so that a brick has one corner of its
  // own, and if it has 20 nodes also the middles of three edges
  const double per_brick = nodes_per_brick == 8 ? 3.0 : 12.0;
  const double edge = std::cbrt(per_brick * size.prod() / static_cast<double>(dofs));
  FeModel model =
      brick_model({{Vector3d::Zero(), size}}, Vector3d::Constant(edge), nodes_per_brick);
  for (const Node& node : model.nodes)
    for (std::int8_t c = 1; c <= 3 && node.position.x() < kCoincident; ++c)
      model.fixed.push_back({node.id, c});
  return model;
}

FeModel beam_model(int nx, int ny) {
  const double side = 0.04;
  FeModel model =
      brick_model({{Vector3d(0, -0.5 * side, -0.5 * side), Vector3d(1.0, 0.5 * side, 0.5 * side)}},
                  Vector3d(1.0 / nx, side / ny, side / ny),
                  8);
  model.name = "beam";
  const auto n = static_cast<Index>(model.dofs.size());
  std::vector<Dof> rows = model.dofs.rows();
  // a rigid element connects the face at x = 1 to an extra node with six DOFs
  RigidElement face{"RBE2", 1, {static_cast<std::int64_t>(model.nodes.size()) + 1}, {}, "123"};
  for (const Node& node : model.nodes) {
    if (node.position.x() > 1.0 - kCoincident) face.dependent.push_back(node.id);
    if (node.position.x() > kCoincident) continue;
    for (std::int8_t c = 1; c <= 3; ++c)
      model.fixed.push_back({node.id, c});
  }
  model.interface_nodes = face.independent;
  model.nodes.push_back({face.independent.front(), Vector3d(1, 0, 0), 0});
  for (std::int8_t c = 1; c <= 6; ++c)
    rows.push_back({face.independent.front(), c});
  model.rigid_elements.push_back(std::move(face));
  model.dofs = DofMap(std::move(rows));
  model.stiffness->conservativeResize(n + 6, n + 6);
  model.mass->conservativeResize(n + 6, n + 6);
  return make_fe_model(std::move(model));
}

}  // namespace femflex::bench
