// Tests stresses with a constant state: sums by hand on made-up sources.
#include "femflex/durability/preload.h"

#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "support/support.h"

namespace femflex::durability {
namespace {

/// A source whose locations and S are given, with all locations in element 7.
class GivenStress final : public StressSource {
 public:
  explicit GivenStress(ModalStress stress) : stress_(std::move(stress)) {}
  std::size_t size() const override { return 1; }
  std::int64_t id(std::size_t /*k*/) const override { return 7; }
  const std::string& type(std::size_t /*k*/) const override { return type_; }
  Eigen::Index shape_count() const override { return stress_.S.cols(); }
  std::size_t most_rows() const override { return static_cast<std::size_t>(stress_.S.rows()); }
  ModalStress stress(std::size_t /*first*/, std::size_t /*last*/) const override { return stress_; }
  const std::vector<LeftOut>& left_out() const override { return left_out_; }

 private:
  ModalStress stress_;
  std::string type_ = "CBAR";
  std::vector<LeftOut> left_out_;
};

StressLocation end_of_beam(int end, int fibre) {
  StressLocation out;
  out.point.place = elements::Place::end;
  out.point.index = end;
  out.point.fibre = fibre;
  return out;
}

FeModel one_bar() {
  FeModel model;
  model.elements.push_back({"CBAR", 2, {7}, {1, 2}});
  return model;
}

// Truth: by hand. Both points of the end share the row of torsion, but not the state: the first has
// 30 Pa of tension and 4 Pa of shear, the second 50 Pa of tension.
TEST(PreloadedStress, EachPlaceHasItsOwnStateBesideTheShapes) {
  ModalStress own;
  own.S = (Eigen::MatrixXd(3, 2) << 1.0, 2.0, 3.0, 4.0, 5.0, 6.0).finished();
  own.locations = {end_of_beam(0, 0), end_of_beam(0, 1)};
  own.locations[0].rows = {0, -1, -1, 2, -1, -1};
  own.locations[1].rows = {1, -1, -1, 2, -1, -1};
  ModalStress constant;
  constant.S = (Eigen::MatrixXd(3, 2) << 0.0, 30.0, 0.0, 4.0, 0.0, 50.0).finished();
  constant.locations = {end_of_beam(0, 0), end_of_beam(0, 1)};
  constant.locations[0].rows = {0, -1, -1, 1, -1, -1};
  constant.locations[1].rows = {2, -1, -1, -1, -1, -1};
  const StressState state(GivenStress(constant), 1);
  EXPECT_EQ(state.size(), 2U);
  const FeModel model = one_bar();
  const PreloadedStress sum(std::make_unique<GivenStress>(own), model, state);
  EXPECT_EQ(sum.shape_count(), 3);
  EXPECT_EQ(sum.unknown().count, 0);
  const ModalStress found = sum.stress(0, 1);
  const auto row = [&](std::size_t place, std::size_t component) {
    return Eigen::RowVector3d(found.S.row(found.locations[place].rows[component]));
  };
  EXPECT_EQ(row(0, 0), Eigen::RowVector3d(1, 2, 30));
  EXPECT_EQ(row(0, 3), Eigen::RowVector3d(5, 6, 4));
  EXPECT_EQ(row(1, 0), Eigen::RowVector3d(3, 4, 50));
  EXPECT_EQ(row(1, 3), Eigen::RowVector3d(5, 6, 0));
}

// Truth: by hand. A component that the shapes do not have gets a row of its own; a place without
// state is counted.
TEST(PreloadedStress, ComponentsAndPlacesThatOneSideLacks) {
  ModalStress own;
  own.S = Eigen::MatrixXd::Ones(2, 1);
  own.locations = {end_of_beam(0, 0), end_of_beam(1, 0)};
  own.locations[0].rows = {0, -1, -1, -1, -1, -1};
  own.locations[1].rows = {1, -1, -1, -1, -1, -1};
  ModalStress constant;
  constant.S = Eigen::MatrixXd::Constant(1, 1, 9.0);
  constant.locations = {end_of_beam(0, 0)};
  constant.locations[0].rows = {-1, -1, -1, 0, -1, -1};
  const StressState state(GivenStress(constant), 0);
  const FeModel model = one_bar();
  const PreloadedStress sum(std::make_unique<GivenStress>(own), model, state);
  EXPECT_EQ(sum.unknown().count, 1);
  EXPECT_EQ(sum.unknown().first, 7);
  const ModalStress found = sum.stress(0, 1);
  EXPECT_EQ(Eigen::RowVector2d(found.S.row(found.locations[0].rows[3])), Eigen::RowVector2d(0, 9));
  EXPECT_EQ(Eigen::RowVector2d(found.S.row(found.locations[1].rows[0])), Eigen::RowVector2d(1, 0));
  EXPECT_EQ(found.locations[1].rows[3], -1);
}

// Truth: means at nodes serve the corners of solids, whose axes are basic too; not those of shells.
TEST(PreloadedStress, MeansAtNodesServeCornersInBasicAxes) {
  ModalStress means;
  means.S = Eigen::MatrixXd::Constant(1, 1, 5.0);
  StressLocation mean;
  mean.point.place = elements::Place::node;
  mean.node = 2;
  mean.axes = elements::Axes::basic;
  mean.rows = {0, -1, -1, -1, -1, -1};
  means.locations = {mean};
  const StressState state(GivenStress(means), 0);
  StressLocation corner;
  corner.point.place = elements::Place::corner;
  corner.axes = elements::Axes::basic;
  ASSERT_NE(state.find(7, corner, 2), nullptr);
  EXPECT_EQ((*state.find(7, corner, 2))[0], 5.0);
  EXPECT_EQ(state.find(7, corner, 1), nullptr);
  corner.axes = elements::Axes::element;
  EXPECT_EQ(state.find(7, corner, 2), nullptr);
}

}  // namespace
}  // namespace femflex::durability
