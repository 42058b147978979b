// Superelements of bodies. Truth: another basis has the same natural frequencies; a rigid motion of
// the interface costs no force and carries the rigid mass; files give the matrices back.
#include "femflex/flexfile/superelement.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <tuple>

#include <Eigen/Dense>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "femflex/damping.h"
#include "femflex/errors.h"
#include "femflex/flexfile/flexfile.h"
#include "femflex/number.h"

#include "bodies.h"
#include "support/support.h"

namespace femflex::flexfile {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::tolerance;

/// Seven masses with 24 random shapes; interface at the nodes of these indices.
FlexBody body_with_interface(const std::vector<std::size_t>& nodes) {
  FlexBody body = testing::random_body(11, {.nodes = 7, .modes = 24});
  body.interface_nodes.clear();
  for (const std::size_t node : nodes)
    body.interface_nodes.push_back(body.nodes[node].id);
  return body;
}

VectorXd eigenvalues(const MatrixXd& stiffness, const MatrixXd& mass) {
  const MatrixXd half = mass.llt().matrixL().solve(stiffness);
  const MatrixXd both = mass.llt().matrixL().solve(MatrixXd(half.transpose()));
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(both).eigenvalues();
}

MatrixXd with_rigid_motions(const MatrixXd& modal) {
  MatrixXd out = MatrixXd::Zero(6 + modal.rows(), 6 + modal.cols());
  out.bottomRightCorner(modal.rows(), modal.cols()) = modal;
  return out;
}

/// Rigid motions at the interface (DOFs x 6).
MatrixXd rigid_motions(const Superelement& element) {
  MatrixXd out(element.interface_dofs(), 6);
  Index row = 0;
  for (const SuperelementNode& each : element.nodes) {
    Eigen::Matrix<double, 6, 6> motion = Eigen::Matrix<double, 6, 6>::Identity();
    for (int axis = 0; axis < 3; ++axis)
      motion.block<3, 1>(0, 3 + axis) = Eigen::Vector3d::Unit(axis).cross(each.node.position);
    out.middleRows(row, each.components) = motion.topRows(each.components);
    row += each.components;
  }
  return out;
}

void expect_same_body(const FlexBody& body, const Superelement& element) {
  const MatrixXd mass = rigid_flexible_mass(body.invariants);
  const VectorXd wanted = eigenvalues(with_rigid_motions(body.stiffness), mass);
  const VectorXd found = eigenvalues(element.stiffness, element.mass);
  ASSERT_EQ(found.size(), wanted.size());
  const double largest = wanted.cwiseAbs().maxCoeff();
  EXPECT_LT((found - wanted).cwiseAbs().maxCoeff(), tolerance(1e-9) * largest);
  const Index b = element.interface_dofs();
  const MatrixXd R = rigid_motions(element);
  const MatrixXd K = element.stiffness.topLeftCorner(b, b);
  EXPECT_LT((K * R).cwiseAbs().maxCoeff(),
            tolerance(1e-9) * element.stiffness.cwiseAbs().maxCoeff());
  const MatrixXd carried = R.transpose() * element.mass.topLeftCorner(b, b) * R;
  EXPECT_LT((carried - mass.topLeftCorner(6, 6)).cwiseAbs().maxCoeff(),
            tolerance(1e-9) * mass.cwiseAbs().maxCoeff());
}

TEST(Superelement, IsTheSameBodyInOtherCoordinates) {
  for (const std::vector<std::size_t>& nodes :
       {std::vector<std::size_t>{0}, {2, 5}, {0, 1, 2, 3, 4}}) {
    const FlexBody body = body_with_interface(nodes);
    expect_same_body(body, superelement_of(body));
  }
}

TEST(Superelement, NodesOfSolidsHaveTranslationsAlone) {
  FlexBody body = body_with_interface({0, 3, 6});
  for (Index node = 0; node < body.node_count(); ++node)
    body.shapes.middleRows(6 * node + 3, 3).setZero();
  body.lumped_mass.rightCols(3).setZero();
  Eigen::Matrix3Xd positions(3, body.node_count());
  for (Index node = 0; node < body.node_count(); ++node)
    positions.col(node) = body.nodes[static_cast<std::size_t>(node)].position;
  // 14 shapes: with six rigid motions fewer than the 21 translations
  body.shapes = body.shapes.leftCols(14).eval();
  body.stiffness = body.stiffness.topLeftCorner(14, 14).eval();
  body.damping.reset();
  body.modes.resize(14);
  body.invariants = invariants_from_lumped(positions, body.shapes, body.lumped_mass);
  body.mass = body.invariants.modal;
  const Superelement element = superelement_of(body);
  EXPECT_EQ(element.interface_dofs(), 9);
  expect_same_body(body, element);
}

// Truth: the eigenvalues of the body. Its only interface node is at rest in every shape, as after a
// reduction with one interface node; it keeps its rotations.
TEST(Superelement, TheOnlyNodeOfAnInterfaceKeepsItsRotations) {
  FlexBody body = body_with_interface({3});
  body.shapes.middleRows(18, 6).setZero();
  Eigen::Matrix3Xd positions(3, body.node_count());
  for (Index node = 0; node < body.node_count(); ++node)
    positions.col(node) = body.nodes[static_cast<std::size_t>(node)].position;
  body.invariants = invariants_from_lumped(positions, body.shapes, body.lumped_mass);
  body.mass = body.invariants.modal;
  const Superelement element = superelement_of(body);
  EXPECT_EQ(element.interface_dofs(), 6);
  EXPECT_EQ(element.omega_squared.size(), body.mode_count());
  expect_same_body(body, element);
}

// Truth: the rigid body: a mesh of solids held by the middle of a spider, which is in no element
// and at rest in every shape, turns with that node.
TEST(Superelement, AtTheMiddleOfASpiderSolidsKeepTheirRotations) {
  FlexBody body = body_with_interface({3});
  body.shapes = body.shapes.leftCols(14).eval();
  body.stiffness = body.stiffness.topLeftCorner(14, 14).eval();
  body.damping.reset();
  body.modes.resize(14);
  for (Index node = 0; node < body.node_count(); ++node)
    body.shapes.middleRows(6 * node + 3, 3).setZero();
  body.shapes.middleRows(18, 6).setZero();
  body.lumped_mass.rightCols(3).setZero();
  body.elements = {
      {"CTETRA", 4, {1}, {body.nodes[0].id, body.nodes[1].id, body.nodes[2].id, body.nodes[4].id}}};
  Eigen::Matrix3Xd positions(3, body.node_count());
  for (Index node = 0; node < body.node_count(); ++node)
    positions.col(node) = body.nodes[static_cast<std::size_t>(node)].position;
  body.invariants = invariants_from_lumped(positions, body.shapes, body.lumped_mass);
  body.mass = body.invariants.modal;
  const Superelement element = superelement_of(body);
  EXPECT_EQ(element.interface_dofs(), 6);
  expect_same_body(body, element);
  body.elements.front().connectivity.back() = body.nodes[3].id;
  EXPECT_EQ(superelement_of(body).interface_dofs(), 3);
}

TEST(Superelement, DampsWhatTheBodyDamps) {
  const FlexBody body = body_with_interface({2, 5});
  const Superelement element = superelement_of(body);
  // the power of a motion does not depend on coordinates: compare invariants of the pencil
  const MatrixXd mass = rigid_flexible_mass(body.invariants);
  const VectorXd wanted = eigenvalues(with_rigid_motions(damping_matrix(body)), mass);
  const VectorXd found = eigenvalues(element.damping, element.mass);
  EXPECT_LT((found - wanted).cwiseAbs().maxCoeff(), tolerance(1e-9) * wanted.cwiseAbs().maxCoeff());
}

TEST(Superelement, NeedsAnInterfaceThatTheModesMove) {
  FlexBody body = body_with_interface({});
  EXPECT_THROW(superelement_of(body), ModelError);
  body = testing::random_body(3, {.nodes = 7, .modes = 4});
  body.interface_nodes = {body.nodes[0].id, body.nodes[1].id};  // 12 DOFs, 10 motions
  try {
    superelement_of(body);
    ADD_FAILURE() << "no error";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.code(), "interface-not-free");
  }
}

/// Matrices of a DMIG file by name; entries, as written, by (row point, component, column point,
/// component).
using Entries = std::map<std::tuple<long, long, long, long>, std::string>;
std::map<std::string, Entries> dmig_entries(const std::filesystem::path& path) {
  std::map<std::string, Entries> out;
  std::ifstream file(path);
  std::string name;
  long point = 0, component = 0;
  for (std::string line; std::getline(file, line);) {
    EXPECT_LE(line.size(), 72U) << line;
    if (line.starts_with("DMIG*")) {
      name = line.substr(8, 4);
      point = std::stol(line.substr(24, 16));
      component = std::stol(line.substr(40, 16));
    } else if (line.starts_with("* ") && !name.empty()) {
      const bool is_new = out[name]
                              .insert({{std::stol(line.substr(8, 16)),
                                        std::stol(line.substr(24, 16)),
                                        point,
                                        component},
                                       line.substr(40)})
                              .second;
      EXPECT_TRUE(is_new);
    }
  }
  return out;
}

/// Number of significant digits of a field.
int digits_of(const std::string& field) {
  const std::string mantissa = field.substr(0, field.find('D'));
  const std::size_t first = mantissa.find_first_of("123456789");
  if (first == std::string::npos) return 0;
  return static_cast<int>(std::count_if(mantissa.begin() + static_cast<std::ptrdiff_t>(first),
                                        mantissa.end(),
                                        [](char c) { return c >= '0' && c <= '9'; }));
}

// Truth: the decimal expansion of each number, as printf rounds it to the digits that are shown. A
// field of 16 characters holds 13 digits less a minus of the number, less a minus and a further
// digit of the exponent.
TEST(Superelement, DmigCardsGiveTheMatricesBackToTheLastDigit) {
  FlexBody body = body_with_interface({5, 2});
  body.stiffness *= 1e9;  // exponents of two digits in K
  body.mass *= 1e-3;      // exponents below zero in M
  const testing::TemporaryFolder folder;
  const std::filesystem::path path = folder / "part.pch";
  Diagnostics diagnostics;
  write_body(body, path, {}, diagnostics);
  const Superelement element = superelement_of(body);
  const auto found = dmig_entries(path);
  const std::int64_t scalar = body.nodes.back().id + 1;
  const auto dof = [&](Index i) {
    if (i >= 12) return std::pair<long, long>(scalar + i - 12, 0);
    return std::pair<long, long>(element.nodes[static_cast<std::size_t>(i / 6)].node.id, i % 6 + 1);
  };
  for (const auto& [name, matrix] :
       {std::pair<std::string, const MatrixXd&>("KAAX", element.stiffness),
        {"MAAX", element.mass},
        {"BAAX", element.damping}}) {
    const Entries& entries = found.at(name);
    for (Index j = 0; j < matrix.cols(); ++j)
      for (Index i = j; i < matrix.rows(); ++i) {
        const auto [p, c] = dof(i);
        const auto [q, d] = dof(j);
        const auto at = entries.find({p, c, q, d});
        if (at == entries.end()) {
          EXPECT_EQ(matrix(i, j), 0.0);
          continue;
        }
        const std::string& field = at->second;
        EXPECT_EQ(field.size(), 16U) << field;
        const int digits = digits_of(field);
        const double size = std::abs(matrix(i, j));
        const int minus = matrix(i, j) < 0.0 ? 1 : 0;
        EXPECT_GE(digits, 13 - minus - (size >= 0.1 ? 0 : size >= 1e-9 ? 1 : 2)) << field;
        const auto value = parse_real(field);
        ASSERT_TRUE(value) << field;
        EXPECT_EQ(*value, std::stod(fmt::format("{:.{}e}", matrix(i, j), digits - 1))) << field;
      }
  }
}

/// The matrices that a deck of masses, springs and equations gives, in the order of `dofs`.
struct DeckMatrices {
  MatrixXd stiffness, mass;
};
DeckMatrices matrices_of_deck(const std::filesystem::path& path,
                              const std::vector<std::pair<long, long>>& dofs) {
  std::map<std::pair<long, long>, double> springs;  // by node and component
  std::map<std::pair<long, long>, VectorXd> rows;
  std::ifstream file(path);
  const auto fields_of = [](std::string line) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream in(line);
    std::vector<double> out;
    for (double value = 0.0; in >> value;)
      out.push_back(value);
    return out;
  };
  long node = 0;
  std::string line;
  while (std::getline(file, line)) {
    if (line.starts_with("*ELEMENT, TYPE=SPRING1")) {
      std::getline(file, line);
      node = std::lround(fields_of(line).at(1));
    } else if (line.starts_with("*SPRING")) {
      std::getline(file, line);
      const long component = std::stol(line);
      std::getline(file, line);
      springs[{node, component}] = std::stod(line);
    } else if (line.starts_with("*EQUATION")) {
      std::getline(file, line);
      const std::size_t terms = std::stoul(line);
      std::vector<double> numbers;
      while (numbers.size() < 3 * terms && std::getline(file, line))
        for (const double each : fields_of(line))
          numbers.push_back(each);
      VectorXd row = VectorXd::Zero(static_cast<Index>(dofs.size()));
      for (std::size_t t = 1; t < terms; ++t) {
        const std::pair<long, long> dof(std::lround(numbers[3 * t]),
                                        std::lround(numbers[3 * t + 1]));
        row(std::find(dofs.begin(), dofs.end(), dof) - dofs.begin()) = numbers[3 * t + 2];
      }
      EXPECT_EQ(numbers[2], -1.0);
      rows[{std::lround(numbers[0]), std::lround(numbers[1])}] = row;
    }
  }
  const auto n = static_cast<Index>(dofs.size());
  DeckMatrices out{MatrixXd::Zero(n, n), MatrixXd::Zero(n, n)};
  for (const auto& [dof, row] : rows) {
    out.mass += row * row.transpose();
    const auto spring = springs.find(dof);
    if (spring != springs.end()) out.stiffness += spring->second * row * row.transpose();
  }
  return out;
}

TEST(Superelement, TheDeckForCalculixHasTheSameMatrices) {
  const FlexBody body = body_with_interface({2, 5});
  const testing::TemporaryFolder folder;
  Diagnostics diagnostics;
  write_body(body, folder / "part.inp", {}, diagnostics);
  const Superelement element = superelement_of(body);
  const long after = body.nodes.back().id + 1;
  std::vector<std::pair<long, long>> dofs;
  for (long node = 0; node < 2; ++node)
    for (long c = 0; c < 6; ++c)
      dofs.emplace_back(
          c < 3 ? element.nodes[static_cast<std::size_t>(node)].node.id : after + node, c % 3 + 1);
  for (long j = 0; j < element.omega_squared.size(); ++j)
    dofs.emplace_back(after + 2 + j / 3, j % 3 + 1);
  const DeckMatrices deck = matrices_of_deck(folder / "part.inp", dofs);
  EXPECT_LT((deck.mass - element.mass).norm(), tolerance(1e-10) * element.mass.norm());
  EXPECT_LT((deck.stiffness - element.stiffness).norm(),
            tolerance(1e-9) * element.stiffness.norm());
}

/// The doubles of a .fmx file, whose head has to be what openfedem's reader asks for.
std::vector<double> read_fmx(const std::filesystem::path& path, const std::string& what) {
  const std::string bytes = testing::read_text(path);
  std::string head = "#FEDEM " + what;
  head.resize(30, ' ');
  head += std::string("\x34\x12\0\0\0\0\0\0\0\0;1.0;\n", 16);
  EXPECT_EQ(bytes.substr(0, head.size()), head);
  std::vector<double> out((bytes.size() - head.size()) / sizeof(double));
  EXPECT_EQ(head.size() + out.size() * sizeof(double), bytes.size());
  std::memcpy(out.data(), bytes.data() + head.size(), out.size() * sizeof(double));
  return out;
}

// Truth: the matrices to the last bit, column by column, triads first; gravity is the mass times a
// unit motion of all triads, so that its sum is the mass of the body.
TEST(Superelement, OpenfedemReadsTheMatricesItsTriadsAndGravity) {
  const FlexBody body = body_with_interface({5, 2});
  const testing::TemporaryFolder folder;
  Diagnostics diagnostics;
  write_body(body, folder / "part.ftl", {}, diagnostics);
  const Superelement element = superelement_of(body);
  const Index n = element.mass.rows();
  for (const auto& [name, matrix, what] : {std::tuple<std::string, const MatrixXd&, std::string>(
                                               "part_S.fmx", element.stiffness, "stiffness matrix"),
                                           {"part_M.fmx", element.mass, "mass matrix"}}) {
    const std::vector<double> values = read_fmx(folder / name, what);
    ASSERT_EQ(values.size(), static_cast<std::size_t>(n * n));
    EXPECT_EQ(std::memcmp(values.data(), matrix.data(), values.size() * sizeof(double)), 0) << name;
  }
  const std::vector<double> values = read_fmx(folder / "part_G.fmx", "gravity force vectors");
  ASSERT_EQ(values.size(), static_cast<std::size_t>(3 * n));
  const Eigen::Map<const MatrixXd> gravity(values.data(), n, 3);
  for (Index axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(gravity(axis, axis) + gravity(6 + axis, axis),
                body.invariants.mass,
                tolerance(1e-9) * body.invariants.mass);
  const std::string ftl = testing::read_text(folder / "part.ftl");
  EXPECT_TRUE(ftl.starts_with("FTLVERSION{7 ASCII}\n"));
  std::size_t triads = 0;
  for (const BodyNode& node : body.nodes) {
    const std::string line = "NODE{" + std::to_string(node.id) + " ";
    ASSERT_NE(ftl.find(line), std::string::npos);
    triads += ftl[ftl.find(line) + line.size()] == '1' ? 1 : 0;
  }
  EXPECT_EQ(triads, 2U);
}

/// The entries of a symmetric Matrix Market file, both triangles.
MatrixXd read_matrix_market(const std::filesystem::path& path) {
  std::istringstream in(testing::read_text(path));
  std::string line;
  std::getline(in, line);
  EXPECT_EQ(line, "%%MatrixMarket matrix coordinate real symmetric");
  while (in.peek() == '%')
    std::getline(in, line);
  Index rows = 0, cols = 0, count = 0, read = 0;
  in >> rows >> cols >> count;
  MatrixXd out = MatrixXd::Zero(rows, cols);
  Index i = 0, j = 0;
  double value = 0.0;
  for (; in >> i >> j >> value; ++read) {
    EXPECT_GE(i, j);
    out(i - 1, j - 1) = out(j - 1, i - 1) = value;
  }
  EXPECT_EQ(read, count);
  return out;
}

// Truth: the matrices to the last bit; Chrono takes the boundary first, six DOFs a node.
TEST(Superelement, ChronoReadsMatrixMarketWithTheBoundaryFirst) {
  const FlexBody body = body_with_interface({5, 2});
  const testing::TemporaryFolder folder;
  Diagnostics diagnostics;
  write_body(body, folder / "part.chrono.json", {}, diagnostics);
  const Superelement element = superelement_of(body);
  EXPECT_EQ(read_matrix_market(folder / "part_K.mtx"), element.stiffness);
  EXPECT_EQ(read_matrix_market(folder / "part_M.mtx"), element.mass);
  EXPECT_EQ(read_matrix_market(folder / "part_R.mtx"), element.damping);
  const std::string text = testing::read_text(folder / "part.chrono.json");
  EXPECT_NE(text.find("\"modes\": " + std::to_string(element.omega_squared.size())),
            std::string::npos);
  EXPECT_NE(text.find("\"id\": " + std::to_string(element.nodes[1].node.id)), std::string::npos);
  EXPECT_NE(text.find("\"damping\": \"part_R.mtx\""), std::string::npos);
}

TEST(Superelement, ChronoNamesFilesWithQuotesAsJsonDemands) {
  const testing::TemporaryFolder folder;
  Diagnostics diagnostics;
  write_body(body_with_interface({5}), folder / "10\" plate.chrono.json", {}, diagnostics);
  const std::string text = testing::read_text(folder / "10\" plate.chrono.json");
  EXPECT_EQ(nlohmann::json::parse(text).at("mass"), "10\" plate_M.mtx");
}

}  // namespace
}  // namespace femflex::flexfile
