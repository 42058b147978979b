// Tests virtual strain gauges on curved skins: tubes and spheres whose displacements are closed
// forms. One element covers 45 degrees, so that flat faces between its corners are 4 % of the
// radius away from the skin. Truth: the strain of the closed form, up to what the quadratic
// functions of an element of this size leave.
#include <functional>
#include <numbers>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "femflex/durability/gauges.h"

#include "small_models.h"
#include "support/support.h"

namespace femflex::durability {
namespace {

using Eigen::Vector3d;
using testing::tolerance;

constexpr double kTubeRadius = 100.0;  // [mm]
constexpr double kTubeWall = 8.0;
constexpr double kTubeStrain = 1e-3;
constexpr double kTubeArc = std::numbers::pi / 4;  // angle of one element

using Map = std::function<Vector3d(const Vector3d& rst)>;
/// Translation and rotation at a position.
using Field = std::function<Eigen::Matrix<double, 6, 1>(const Vector3d& x)>;

/// One element whose nodes lie at a map of its parametric nodes, moved by a field.
struct Curved {
  Curved(const char* type,
         const std::vector<Vector3d>& parametric,
         const Map& map,
         const Field& u) {
    model.units = parse_units("mm-t-s");
    std::vector<Dof> rows;
    std::vector<std::int64_t> ids;
    Eigen::MatrixXd shape(6 * static_cast<Eigen::Index>(parametric.size()), 1);
    for (std::size_t k = 0; k < parametric.size(); ++k) {
      ids.push_back(static_cast<std::int64_t>(k + 1));
      model.nodes.push_back({ids.back(), map(parametric[k]), 0});
      for (std::int8_t c = 1; c <= 6; ++c)
        rows.push_back({ids.back(), c});
      shape.block<6, 1>(6 * static_cast<Eigen::Index>(k), 0) = u(model.nodes.back().position);
    }
    model.elements = {block_of(type, 1, ids)};
    model.modes = make_mode_set(DofMap(rows), shape, {ModeInfo{}});
    model.properties = small_model().properties;
    model.properties.properties[1].thickness = kTubeWall;
    ElementSection section;
    section.element = 1;
    section.property = std::string_view(type).starts_with("CHEXA") ? 0 : 1;
    model.properties.elements = {section};
    shapes = shapes_of(model);
  }
  PlacedGauge place(const Gauge& gauge) const {
    const StressMesh mesh(model, shapes, {});
    return place_gauge(Skin(mesh), gauge);
  }
  FeModel model;
  ShapeSet shapes;
};

std::vector<Vector3d> nodes_of(ElementShape shape) {
  std::vector<Vector3d> out;
  const bool is_solid = shape == ElementShape::hexahedron20;
  for (const double t : is_solid ? std::vector<double>{-1.0, 1.0} : std::vector<double>{0.0})
    for (const auto& [r, s] : {std::pair(-1.0, -1.0), {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}})
      out.emplace_back(r, s, t);
  const std::vector<Vector3d> corners = out;
  for (const ElementEdge& edge : topology_of(shape).edges)
    out.emplace_back(0.5 * (corners[static_cast<std::size_t>(edge.corners[0])] +
                            corners[static_cast<std::size_t>(edge.corners[1])]));
  return out;
}

Vector3d radial(double angle) {
  return {std::cos(angle), std::sin(angle), 0.0};
}
Vector3d hoop(double angle) {
  return {-std::sin(angle), std::cos(angle), 0.0};
}

/// A wall of the tube: r along the hoop, s along the axis, t outwards.
Vector3d tube_wall(const Vector3d& rst) {
  return (kTubeRadius + 0.5 * kTubeWall * rst.z()) * radial(0.5 * kTubeArc * rst.x()) +
         Vector3d(0, 0, 20.0 * rst.y());
}

/// Twist: strain gamma = kTubeStrain * r / kTubeRadius between hoop and axis.
Eigen::Matrix<double, 6, 1> twist(const Vector3d& x) {
  const double turn = kTubeStrain / kTubeRadius * x.z();
  Eigen::Matrix<double, 6, 1> out;
  out << turn * Vector3d(-x.y(), x.x(), 0.0), Vector3d(0, 0, turn);
  return out;
}

/// Breathing: hoop strain kTubeStrain * kTubeRadius / r.
Eigen::Matrix<double, 6, 1> breathe(const Vector3d& x) {
  Eigen::Matrix<double, 6, 1> out;
  out << kTubeStrain * kTubeRadius * Vector3d(x.x(), x.y(), 0.0).normalized(), Vector3d::Zero();
  return out;
}

/// Strain of hoop, axis, and both directions at 45 degrees between them.
Eigen::Vector4d rosette(const Curved& body, double r, double angle, bool with_normal) {
  constexpr double kMetre = 1e-3;
  Gauge gauge{"g", kMetre * (r * radial(angle) + Vector3d(0, 0, 5.0)), {}, {}};
  const double side = r > kTubeRadius ? 1.0 : -1.0;
  if (with_normal) gauge.normal = side * radial(angle);
  const Vector3d axis = Vector3d::UnitZ();
  Eigen::Vector4d out;
  gauge.directions = {hoop(angle), axis, hoop(angle) + axis};
  out.head<3>() = body.place(gauge).strain.col(0);
  gauge.directions = {hoop(angle) - axis};
  out(3) = body.place(gauge).strain(0, 0);
  return out;
}

class CurvedGauges : public ::testing::TestWithParam<std::pair<const char*, ElementShape>> {
 protected:
  Curved tube(const Field& u) const {
    return {GetParam().first, nodes_of(GetParam().second), tube_wall, u};
  }
  void expect(const Field& u, const std::function<Eigen::Vector4d(double r)>& wanted, double near) {
    const Curved body = tube(u);
    for (const double side : {-0.5, 0.5})
      for (const double share : {-0.5, -0.3, 0.0, 0.11, 0.4, 0.5})
        for (const bool with_normal : {false, true}) {
          const double r = kTubeRadius + side * kTubeWall;
          const Eigen::Vector4d found = rosette(body, r, share * kTubeArc, with_normal);
          EXPECT_LT((found - wanted(r)).cwiseAbs().maxCoeff(), near * kTubeStrain)
              << found.transpose() << " at radius " << r << ", " << share << " of the arc";
        }
  }
};

// Truth: gamma = r * twist per length, half of it at 45 degrees; none along hoop and axis.
TEST_P(CurvedGauges, OfATwistedTubeAreThoseOfTorsion) {
  expect(
      twist,
      [](double r) {
        const double half = 0.5 * kTubeStrain * r / kTubeRadius;
        return Eigen::Vector4d(0, 0, half, -half);
      },
      0.002);
}

// Truth: the hoop strain w / r of a radial displacement w.
TEST_P(CurvedGauges, OfABreathingTubeAreThoseOfItsRadius) {
  expect(
      breathe,
      [](double r) {
        const double e = kTubeStrain * kTubeRadius / r;
        return Eigen::Vector4d(e, 0, 0.5 * e, 0.5 * e);
      },
      0.002);
}

INSTANTIATE_TEST_SUITE_P(Types,
                         CurvedGauges,
                         ::testing::Values(std::pair("CHEXA", ElementShape::hexahedron20),
                                           std::pair("CQUAD8", ElementShape::quad8)),
                         [](const auto& type) { return std::string(type.param.first); });

// Truth: w / r in each direction on a sphere with the radial displacement w.
TEST(SkinGauges, OfABreathingSphereAreThoseOfItsRadius) {
  const Map sphere = [](const Vector3d& rst) {
    const double latitude = 0.5 * kTubeArc * rst.y();
    return Vector3d(kTubeRadius * (std::cos(latitude) * radial(0.5 * kTubeArc * rst.x()) +
                                   std::sin(latitude) * Vector3d::UnitZ()));
  };
  const Field field = [](const Vector3d& x) {
    Eigen::Matrix<double, 6, 1> out;
    out << kTubeStrain * kTubeRadius * x.normalized(), Vector3d::Zero();
    return out;
  };
  const Curved body("CQUAD8", nodes_of(ElementShape::quad8), sphere, field);
  const Vector3d out = Vector3d(1.0, 0.11, -0.2).normalized();
  const double r = kTubeRadius + 0.5 * kTubeWall;
  const PlacedGauge placed =
      body.place({"g", 1e-3 * r * out, {}, {{0, 1, 0}, {0, 0.5, 1}, {0, 0, 1}}});
  EXPECT_EQ(placed.face, "top");
  EXPECT_LT(placed.distance,
            0.01 * kTubeRadius * 1e-3);  // the quadratic face is not quite a sphere
  for (Eigen::Index g = 0; g < 3; ++g)
    EXPECT_NEAR(placed.strain(g, 0), kTubeStrain * kTubeRadius / r, 0.01 * kTubeStrain);
}

/// The block of the small model, stretched along x and y by different amounts.
PlacedGauge on_block(const Gauge& gauge) {
  const FeModel model = small_model();
  const ShapeSet shapes = shapes_of(model);
  const StressMesh mesh(model, shapes, {});
  return place_gauge(Skin(mesh), gauge);
}

// Truth: along y the top and the side at x = 0 have the same strain; the side z = 10 mm alone has
// the direction x, the side x = 0 alone the direction z.
TEST(SkinGauges, AtAnEdgeLieOnTheFaceOfTheirDirections) {
  const Vector3d edge(0, 3e-3, 10e-3);
  EXPECT_NEAR(on_block({"g", edge, {}, {Vector3d::UnitX()}}).strain(0, 0),
              gradients()[0](0, 0),
              tolerance(1e-15));
  EXPECT_NEAR(on_block({"g", edge, {}, {Vector3d::UnitZ()}}).strain(0, 0), 0.0, tolerance(1e-15));
  EXPECT_EQ(testing::code_of([&] {
              (void)on_block({"g", edge, {}, {Vector3d::UnitX(), Vector3d::UnitZ()}});
            }),
            "gauge-direction");
}

// Truth: the strain of the plate's faces, whichever fibres (Z1, Z2) its property asks stresses at.
TEST(SkinGauges, OfAShellLieOnItsFacesWhateverItsFibres) {
  const auto top = [](const std::array<double, 2>& fibres) {
    Curved body("CQUAD8", nodes_of(ElementShape::quad8), tube_wall, breathe);
    body.model.properties.properties[1].fibres = fibres;
    const double r = kTubeRadius + 0.5 * kTubeWall;
    return body.place({"g", 1e-3 * r * radial(0.0), {}, {hoop(0.0)}}).strain(0, 0);
  };
  EXPECT_DOUBLE_EQ(top({-1.0, 1.0}), top({FeProperty::kNone, FeProperty::kNone}));
}

}  // namespace
}  // namespace femflex::durability
