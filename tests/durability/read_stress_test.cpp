// Tests stresses from an FE program: unchanged for the shapes in its file, by linear combination
// for other shapes. Truth: femflex's stress recovery, which is linear in the displacements.
#include <vector>

#include <gtest/gtest.h>

#include "femflex/durability/stress_source.h"

#include "small_models.h"
#include "support/support.h"

namespace femflex::durability {
namespace {

using testing::code_of;
using testing::tolerance;

constexpr double kMegapascal = 1e6;

FeStressPlace place_for(const StressLocation& at, std::int64_t element) {
  FeStressPlace out;
  out.element = element;
  if (at.point.place == elements::Place::end) {
    out.kind = FeStressPlace::Kind::end;
    out.index = at.point.index;
  }
  if (at.point.layer == elements::Layer::bottom) out.face = FeStressPlace::Face::bottom;
  if (at.point.layer == elements::Layer::top) out.face = FeStressPlace::Face::top;
  for (unsigned c = 0; c < 6; ++c)
    if (at.rows[c] >= 0) out.components |= static_cast<std::uint8_t>(1U << c);
  return out;
}

/// small_model() with the stresses of both shapes at the element centres, in MPa (the unit of the
/// model).
FeModel model_with_stresses() {
  FeModel model = small_model();
  const ShapeSet shapes = shapes_of(model);
  const StressMesh mesh(model, shapes, {});
  FeStressTable& table = model.stresses.stress;
  table.sources = {"test.op2:OES1X1"};
  table.shapes = {0, 1};
  const ModalStress all = modal_stress(mesh, 0, mesh.size(), StressPlaces::centre);
  Eigen::MatrixXd values(all.S.rows(), 2);
  Eigen::Index row = 0;
  for (const StressLocation& at : all.locations) {
    FeStressPlace place = place_for(at, mesh.id(at.element));
    place.type = static_cast<std::int32_t>(at.element);
    table.places.push_back(place);
    for (const std::int32_t from : at.rows)
      if (from >= 0) values.row(row++) = all.S.row(from) / kMegapascal;
  }
  for (std::size_t k = 0; k < mesh.size(); ++k)
    table.types.push_back(mesh.type(k));
  table.values = values.topRows(row);
  return make_fe_model(std::move(model));
}

/// A rigid motion of all nodes, with translation and rotation.
Eigen::VectorXd rigid_motion(const ShapeSet& shapes) {
  const Eigen::Vector3d rotation(0.3, -0.2, 0.5);
  Eigen::VectorXd out(shapes.shapes.rows());
  for (std::size_t k = 0; k < shapes.nodes.size(); ++k) {
    const auto row = 6 * static_cast<Eigen::Index>(k);
    out.segment<3>(row) =
        Eigen::Vector3d(0.01, 0.02, -0.03) + rotation.cross(shapes.nodes[k].position);
    out.segment<3>(row + 3) = rotation;
  }
  return out;
}

/// Largest difference between two sources over all locations and components [Pa].
double difference_of(const StressSource& a, const StressSource& b) {
  const ModalStress x = a.stress(0, a.size());
  const ModalStress y = b.stress(0, b.size());
  EXPECT_EQ(x.locations.size(), y.locations.size());
  double out = 0.0;
  for (std::size_t k = 0; k < x.locations.size(); ++k)
    for (std::size_t c = 0; c < 6; ++c) {
      const std::int32_t p = x.locations[k].rows[c];
      const std::int32_t q = y.locations[k].rows[c];
      EXPECT_EQ(p < 0, q < 0);
      if (p >= 0) out = std::max(out, (x.S.row(p) - y.S.row(q)).cwiseAbs().maxCoeff());
    }
  return out;
}

TEST(ReadStress, OwnShapesKeepEveryDigit) {
  const FeModel model = model_with_stresses();
  const ReadStress read(model, StressPlaces::centre, {});
  const ModalStress all = read.stress(0, read.size());
  ASSERT_EQ(all.S.rows(), model.stresses.stress.values.rows());
  EXPECT_EQ((all.S - kMegapascal * model.stresses.stress.values).cwiseAbs().maxCoeff(), 0.0);
  EXPECT_EQ(read.id(1), 2);
  EXPECT_EQ(read.type(1), "CQUAD4");
  EXPECT_EQ(face_of(all.locations[2]), "top");
  EXPECT_LT((all.locations[1].point.position - Eigen::Vector3d(0.025, 0.004, 0.0)).norm(), 1e-15);
  ASSERT_EQ(read.left_out().size(), 1U);
  EXPECT_EQ(read.left_out()[0].type, "CBUSH");
}

TEST(ReadStress, OtherShapesGetTheSameCombination) {
  const FeModel model = model_with_stresses();
  ShapeSet shapes = shapes_of(model);
  Eigen::MatrixXd other(shapes.shapes.rows(), 3);
  other.col(0) = 3.0 * shapes.shapes.col(0) - 0.5 * shapes.shapes.col(1);
  other.col(1) = 1e-3 * shapes.shapes.col(1) + 1e-4 * rigid_motion(shapes);
  other.col(2) = rigid_motion(shapes);
  shapes.shapes = other;
  const ReadStress read(model, shapes, StressPlaces::centre, {});
  EXPECT_LT(read.misfit(), tolerance(1e-12));
  const StressMesh mesh(model, shapes, {});
  const ComputedStress computed(mesh, StressPlaces::centre);
  const double scale = computed.stress(0, computed.size()).S.cwiseAbs().maxCoeff();
  EXPECT_LT(difference_of(read, computed), tolerance(1e-9) * scale);
}

// Truth: the documented error codes.
TEST(ReadStress, RefusesWhatItCannotGive) {
  const FeModel model = model_with_stresses();
  const ShapeSet own = shapes_of(model);
  ShapeSet bent = own;
  bent.shapes(2, 0) += 1e-3;  // one corner
  const auto code = [&](const FeModel& m,
                        const ShapeSet& shapes,
                        StressPlaces places = StressPlaces::centre,
                        std::vector<std::int64_t> wanted = {}) {
    return code_of([&] { const ReadStress read(m, shapes, places, wanted); });
  };
  EXPECT_EQ(code(model, own), "no error");
  EXPECT_EQ(code(model, bent), "not-in-span");
  EXPECT_EQ(code(model, own, StressPlaces::integration_points), "no-such-place");
  EXPECT_EQ(code(model, own, StressPlaces::centre, {99}), "no-such-element");
  EXPECT_EQ(code(small_model(), own), "no-stress-read");
  FeModel unknown = model_with_stresses();
  unknown.units.reset();
  EXPECT_EQ(code(unknown, own), "no-units");
  // both shapes are zero at this node, so their combination is undetermined
  ShapeSet one_node = own;
  one_node.nodes.resize(1);
  one_node.shapes = own.shapes.topRows(6);
  EXPECT_EQ(code(model, one_node), "not-in-span");
  ShapeSet stranger = own;
  stranger.nodes.back().id = 999;
  EXPECT_EQ(code(model, stranger), "no-such-node");
}

}  // namespace
}  // namespace femflex::durability
