// Tests stress recovery of solids: patch tests, rigid motions, finite differences of the
// displacement field, and a CalculiX run on single elements.
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "femflex/dense.h"

#include "samples.h"
#include "support/support.h"

namespace femflex::elements {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using testing::tolerance;

template <typename Test>
void for_each_solid(const Test& test) {
  Random random(3);
  for (const ElementShape shape : kSolids)
    for (const Integration integration : {Integration::full, Integration::reduced}) {
      SCOPED_TRACE(topology_of(shape).name);
      test(solid_sample(shape, integration, random), random);
    }
}

// Truth: a linear field has constant strain; its stress follows from Hooke's law with Lamé's
// constants.
TEST(Solid, PassesThePatchTestEverywhereInEveryAxes) {
  for_each_solid([](Element element, Random& random) {
    const Matrix3d H = random.matrix(3, 3);
    const Matrix3d strain = 0.5 * (H + H.transpose());
    const Matrix3d R = random.rotation();
    element.section = SolidSection{R};
    const Eigen::MatrixXd u = H * element.positions.transpose();
    for (const Axes axes : {Axes::basic, Axes::element})
      for (const Quantity quantity : {Quantity::strain, Quantity::stress}) {
        StressRequest request = kEverywhere;
        request.axes = axes;
        request.quantity = quantity;
        const StressMap map = stress_map(element, request);
        const Matrix3d tensor = quantity == Quantity::strain ? strain : hooke(kUnit, strain);
        const Eigen::VectorXd expected =
            six_of(axes == Axes::basic ? tensor : R.transpose() * tensor * R,
                   quantity == Quantity::strain ? 2.0 : 1.0)
                .replicate(static_cast<Eigen::Index>(map.points.size()), 1);
        EXPECT_LT(testing::relative_difference(map.matrix * u.reshaped(), expected),
                  tolerance(1e-12));
      }
  });
}

// Truth: a rigid motion causes no strain.
TEST(Solid, HasNoStressInRigidMotion) {
  for_each_solid([](const Element& element, Random& random) {
    const StressMap map = stress_map(element, kEverywhere);
    const Eigen::VectorXd u = rigid_motion(element, random.vector(3), random.vector(3));
    EXPECT_LT((map.matrix * u).norm(), tolerance(1e-12) * map.matrix.norm() * u.norm());
  });
}

/// Parametric coordinates of a point, found by Newton's method with the shape functions alone.
Vector3d locate(const Element& element, const Vector3d& x, Vector3d rst) {
  constexpr double kStep = 1e-6;
  const auto at = [&](const Vector3d& p) -> Vector3d {
    return element.positions.transpose() * shape_functions(element.shape, p).N;
  };
  for (int turn = 0; turn < 8; ++turn) {
    Matrix3d J;
    for (int k = 0; k < 3; ++k)
      J.col(k) = (at(rst + kStep * Vector3d::Unit(k)) - at(rst - kStep * Vector3d::Unit(k))) /
                 (2.0 * kStep);
    rst += J.partialPivLu().solve(x - at(rst));
  }
  return rst;
}

// Truth: finite differences in space of u(x) = Σ N_i u_i, without derivatives of shape functions.
TEST(Solid, StrainIsThatOfFiniteDifferencesOfTheField) {
  for_each_solid([](const Element& element, Random& random) {
    if (element.shape == ElementShape::hexahedron8 && element.integration == Integration::reduced)
      return;  // has the mean strain of the volume, see the next test
    const StressMap map = stress_map(
        element, {.quantity = Quantity::strain, .axes = Axes::basic, .integration_points = true});
    const Eigen::MatrixXd u = random.matrix(3, element.positions.rows());
    const Eigen::VectorXd strain = map.matrix * u.reshaped();
    std::vector<Vector3d> points = {parametric_centre(element.shape)};
    for (const Vector3d& p : integration_points(element.shape, element.integration))
      points.push_back(p);
    ASSERT_EQ(points.size(), map.points.size());
    for (std::size_t p = is_centre_fitted(element) ? 1 : 0; p < points.size(); ++p) {
      constexpr double kStep = 1e-3;  // fourth-order differences: the step causes an error of
                                      // 1e-12, rounding 1e-13
      const auto field = [&](const Vector3d& x) -> Vector3d {
        return u * shape_functions(element.shape, locate(element, x, points[p])).N;
      };
      Matrix3d H;
      for (int k = 0; k < 3; ++k) {
        const Vector3d h = kStep * Vector3d::Unit(k);
        const Vector3d x = map.points[p].position;
        H.col(k) = (8.0 * (field(x + h) - field(x - h)) - field(x + 2.0 * h) + field(x - 2.0 * h)) /
                   (12.0 * kStep);
      }
      const Eigen::Matrix<double, 6, 1> expected = six_of(0.5 * (H + H.transpose()), 2.0);
      EXPECT_LT((strain.segment<6>(6 * static_cast<Eigen::Index>(p)) - expected).norm(),
                tolerance(1e-8) * strain.norm());
    }
  });
}

// Truth: the mean of grad u over a volume is the integral of u n over its surface (Gauss).
TEST(Solid, HexahedronWithOnePointHasTheMeanStrainOfItsVolume) {
  Random random(4);
  const Element element = solid_sample(ElementShape::hexahedron8, Integration::reduced, random);
  const Eigen::MatrixXd u = random.matrix(3, 8);
  Matrix3d of_u = Matrix3d::Zero();
  Matrix3d of_x = Matrix3d::Zero();  // volume times the unit matrix
  for (const ElementFace& face : topology_of(element.shape).faces) {
    Eigen::Matrix<double, 3, 4> x;
    Eigen::Matrix<double, 3, 4> v;
    for (Eigen::Index k = 0; k < 4; ++k) {
      x.col(k) = element.positions.row(face.corners[static_cast<std::size_t>(k)]).transpose();
      v.col(k) = u.col(face.corners[static_cast<std::size_t>(k)]);
    }
    for (const Vector3d& p : integration_points(ElementShape::quad4, Integration::full)) {
      const ShapeFunctions f = shape_functions(ElementShape::quad4, p);
      const Eigen::Matrix<double, 3, 2> g = x * f.derivatives.leftCols<2>();
      const Vector3d normal = g.col(0).cross(g.col(1));
      of_u += v * f.N * normal.transpose();
      of_x += x * f.N * normal.transpose();
    }
  }
  const Matrix3d H = of_u / (of_x.trace() / 3.0);
  const StressMap map = stress_map(element, {.quantity = Quantity::strain, .axes = Axes::basic});
  const Eigen::VectorXd expected = six_of(0.5 * (H + H.transpose()), 2.0);
  EXPECT_LT(testing::relative_difference(map.matrix * u.reshaped(), expected), tolerance(1e-12));
}

// Truth: orthotropic compliance from textbooks. The strain under stress along an axis follows from
// E and nu.
TEST(Solid, OrthotropicStressAlongAnAxisStrainsByItsModulusAndRatios) {
  Random random(5);
  Element element = solid_sample(ElementShape::hexahedron8, Integration::full, random);
  const OrthotropicSolid wood = {.E1 = 11.0,
                                 .E2 = 0.9,
                                 .E3 = 0.5,
                                 .nu12 = 0.4,
                                 .nu13 = 0.35,
                                 .nu23 = 0.45,
                                 .G12 = 0.7,
                                 .G13 = 0.6,
                                 .G23 = 0.08};
  const Matrix3d R = random.rotation();
  element.material = wood;
  element.section = SolidSection{R};
  Matrix3d strain = Vector3d(1.0 / 11.0, -0.4 / 11.0, -0.35 / 11.0).asDiagonal();
  strain(1, 2) = strain(2, 1) = 0.5 / 0.08;  // shear stress yz = 1
  strain(0, 2) = strain(2, 0) = 0.5 * 2.0 / 0.6;
  const Eigen::MatrixXd u = R * strain * R.transpose() * element.positions.transpose();
  const StressMap map = stress_map(element);
  Eigen::VectorXd expected(6);
  expected << 1.0, 0.0, 0.0, 0.0, 1.0, 2.0;
  EXPECT_LT((map.matrix * u.reshaped() - expected).norm(), tolerance(1e-11));
}

// --- CalculiX ------------------------------------------------------------------------------------

struct Deck {
  std::map<int, Vector3d> nodes;
  std::map<int, Vector3d> displacements;
  std::map<int, std::pair<std::string, std::vector<int>>> elements;  // type, and nodes in the order
                                                                     // of the deck
};

std::vector<double> numbers_of(std::string line) {
  for (char& c : line)
    if (c == ',') c = ' ';
  std::istringstream in(line);
  std::vector<double> out;
  for (double x = 0.0; in >> x;)
    out.push_back(x);
  return out;
}

Deck read_deck(const std::filesystem::path& path) {
  Deck deck;
  std::ifstream in(path);
  std::string card;
  bool goes_on = false;
  int id = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("**")) continue;
    if (line.starts_with("*")) {
      card = line;
      continue;
    }
    const std::vector<double> x = numbers_of(line);
    if (card.starts_with("*NODE")) {
      deck.nodes[static_cast<int>(x[0])] = {x[1], x[2], x[3]};
    } else if (card.starts_with("*BOUNDARY")) {
      for (int k = static_cast<int>(x[1]); k <= static_cast<int>(x[2]); ++k)
        deck.displacements.try_emplace(static_cast<int>(x[0]), Vector3d::Zero())
            .first->second(k - 1) = x[3];
    } else if (card.starts_with("*ELEMENT")) {
      const std::size_t begin = card.find("TYPE=") + 5;
      if (!goes_on) id = static_cast<int>(x[0]);
      auto& [type, nodes] = deck.elements[id];
      type = card.substr(begin, card.find(',', begin) - begin);
      for (std::size_t k = goes_on ? 0 : 1; k < x.size(); ++k)
        nodes.push_back(static_cast<int>(x[k]));
      goes_on = line.ends_with(",");
    }
  }
  return deck;
}

/// Abaqus lists the mid-side nodes of the vertical edges of wedges and hexahedra last. In this
/// library they come before the mid-side nodes of the upper face.
std::vector<int> reordered(const std::vector<int>& nodes) {
  const std::size_t n = nodes.size();
  if (n != 15 && n != 20) return nodes;
  const std::size_t sides = n / 5;
  std::vector<int> out(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(3 * sides));
  for (std::size_t k = 0; k < sides; ++k)
    out.push_back(nodes[4 * sides + k]);
  for (std::size_t k = 0; k < sides; ++k)
    out.push_back(nodes[3 * sides + k]);
  return out;
}

Element element_of(const Deck& deck, int id) {
  const auto& [type, listed] = deck.elements.at(id);
  static const std::map<std::string, ElementShape> kShapes = {
      {"C3D4", ElementShape::tetrahedron4},
      {"C3D10", ElementShape::tetrahedron10},
      {"C3D6", ElementShape::wedge6},
      {"C3D15", ElementShape::wedge15},
      {"C3D8", ElementShape::hexahedron8},
      {"C3D8I", ElementShape::hexahedron8},
      {"C3D20", ElementShape::hexahedron20}};
  const bool reduced = type.ends_with('R');
  Element out;
  out.shape = kShapes.at(type.substr(0, type.size() - (reduced ? 1 : 0)));
  out.integration = reduced               ? Integration::reduced
                    : type.ends_with('I') ? Integration::internal_modes
                                          : Integration::full;
  const std::vector<int> nodes = reordered(listed);
  out.positions.resize(static_cast<Eigen::Index>(nodes.size()), 3);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    out.positions.row(static_cast<Eigen::Index>(i)) = deck.nodes.at(nodes[i]).transpose();
  out.material = kSteel;
  SolidSection section;
  if (id == 9) {  // *ORIENTATION gives the x axis and a point in the plane x-y
    const Vector3d x = Vector3d(0.8, 0.5, 0.3).normalized();
    const Vector3d z = x.cross(Vector3d(-0.4, 0.9, 0.1)).normalized();
    section.axes << x, z.cross(x), z;
    out.material = OrthotropicSolid{.E1 = 1.1e10,
                                    .E2 = 9e8,
                                    .E3 = 5e8,
                                    .nu12 = 0.4,
                                    .nu13 = 0.35,
                                    .nu23 = 0.45,
                                    .G12 = 7e8,
                                    .G13 = 6e8,
                                    .G23 = 8e7};
  }
  out.section = section;
  return out;
}

/// Compares the stresses of elements of data/element_stress/NAME.inp with CalculiX's list.
void expect_stresses_of_calculix(const std::string& name, const std::vector<int>& ids) {
  const Deck deck = read_deck(testing::data("element_stress/" + name + ".inp"));
  std::map<int, std::vector<std::vector<double>>> listed;
  std::ifstream in(testing::data("element_stress/" + name + ".dat"));
  for (std::string line; std::getline(in, line);) {
    const std::vector<double> x = numbers_of(line);
    if (x.size() == 8) listed[static_cast<int>(x[0])].push_back(x);
  }
  for (const int id : ids) {
    SCOPED_TRACE(deck.elements.at(id).first);
    const StressMap map = stress_map(
        element_of(deck, id), {.axes = Axes::basic, .centre = false, .integration_points = true});
    const std::vector<int> nodes = reordered(deck.elements.at(id).second);
    Eigen::MatrixXd u(3, static_cast<Eigen::Index>(nodes.size()));
    for (std::size_t i = 0; i < nodes.size(); ++i)
      u.col(static_cast<Eigen::Index>(i)) = deck.displacements.at(nodes[i]);
    const Eigen::MatrixXd ours =
        (map.matrix * u.reshaped()).reshaped(6, static_cast<Eigen::Index>(map.points.size()));
    ASSERT_EQ(listed[id].size(), map.points.size());
    Eigen::MatrixXd theirs(6, ours.cols());
    for (std::size_t p = 0; p < listed[id].size(); ++p) {
      const std::vector<double>& x = listed[id][p];  // the list contains xz before yz
      theirs.col(static_cast<Eigen::Index>(p)) << x[2], x[3], x[4], x[5], x[7], x[6];
    }
    EXPECT_LT(testing::relative_difference(ours, theirs), tolerance(5e-7));
  }
}

// Truth: CalculiX 2.20. The deck gives the displacements in double precision; the listed stresses
// at the integration points have seven digits. See data/element_stress/ORIGIN.md.
TEST(Solid, StressesAreThoseOfCalculiX) {
  expect_stresses_of_calculix("solids", {1, 2, 3, 4, 5, 6, 7, 8, 9});
}

// Truth: as above. The amplitudes of the internal modes are not in the deck; they follow from the
// displacements of the nodes.
TEST(Solid, StressesWithInternalModesAreThoseOfCalculiX) {
  expect_stresses_of_calculix("internal_modes", {5, 9});
}

// Truth: the internal modes have no slope at the centre, so a linear field has its constant stress
// there, and a rigid motion has none anywhere. In a parallelepiped the modes rest in a linear
// field.
TEST(Solid, InternalModesKeepLinearFields) {
  Random random(12);
  Element element = solid_sample(ElementShape::hexahedron8, Integration::internal_modes, random);
  const Matrix3d H = random.matrix(3, 3);
  const auto error = [&](const StressRequest& request) {
    const StressMap map = stress_map(element, request);
    const Eigen::MatrixXd u = H * element.positions.transpose();
    const Eigen::VectorXd expected =
        six_of(hooke(kUnit, 0.5 * (H + H.transpose())), 1.0)
            .replicate(static_cast<Eigen::Index>(map.points.size()), 1);
    return testing::relative_difference(map.matrix * u.reshaped(), expected);
  };
  EXPECT_LT(error({.axes = Axes::basic}), tolerance(1e-12));
  const StressMap map = stress_map(element, kEverywhere);
  const Eigen::VectorXd moved = rigid_motion(element, random.vector(3), random.vector(3));
  EXPECT_LT((map.matrix * moved).norm(), tolerance(1e-12) * map.matrix.norm() * moved.norm());
  const Matrix3d skew = Matrix3d::Identity() + 0.3 * random.matrix(3, 3);
  for (Eigen::Index k = 0; k < 8; ++k)
    element.positions.row(k) =
        (skew * parametric_nodes(element.shape)[static_cast<std::size_t>(k)]).transpose();
  EXPECT_LT(error({.axes = Axes::basic, .integration_points = true, .corners = true}),
            tolerance(1e-12));
}

// Truth: the documented error codes.
TEST(Solid, RefusesWhatItCannotRecover) {
  Random random(9);
  Element element = solid_sample(ElementShape::hexahedron8, Integration::full, random);
  const auto code = [&](const Element& e, const StressRequest& request = {}) {
    return testing::code_of([&] { (void)stress_map(e, request); });
  };
  EXPECT_EQ(code(element), "no error");
  EXPECT_EQ(code(element, {.quantity = Quantity::force}), "no-such-quantity");
  Element inside_out = element;
  inside_out.positions.row(0).swap(inside_out.positions.row(4));
  EXPECT_EQ(code(inside_out, {.integration_points = true}), "degenerate-element");
  Element flat = element;
  flat.positions.col(2).setZero();
  EXPECT_EQ(code(flat), "degenerate-element");
  Element short_of_nodes = element;
  short_of_nodes.positions.conservativeResize(7, 3);
  EXPECT_EQ(code(short_of_nodes), "bad-nodes");
  Element shell = element;
  shell.section = ShellSection{.thickness = 1.0};
  EXPECT_EQ(code(shell), "bad-section");
  Element sheet = element;
  sheet.material = OrthotropicSheet{.E1 = 1.0, .E2 = 1.0, .G12 = 1.0};
  EXPECT_EQ(code(sheet), "bad-material");
  Element soft = element;
  soft.material = Isotropic{.E = 0.0, .nu = 0.3};
  EXPECT_EQ(code(soft), "bad-material");
  Element unknown = element;
  unknown.shape = ElementShape::none;
  EXPECT_EQ(code(unknown), "no-recovery");
}

}  // namespace
}  // namespace femflex::elements
