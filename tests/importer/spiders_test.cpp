// Tests spiders: nodes that the import connects to the mesh. Truth: the least-squares rigid-body
// fit to the motions of the nodes (rbe3), and the rigid body of the spider's node (rbe2).
#include <cstdlib>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "femflex/constraints.h"
#include "femflex/errors.h"
#include "femflex/importer/import_model.h"
#include "femflex/importer/spider.h"

#include "support/constrained_frame.h"
#include "support/support.h"

namespace femflex::importer {
namespace {

namespace frame = testing::spring_frame;
using Eigen::Vector3d;
using testing::code_of;
using testing::tolerance;

FeModel frame_with(const std::string& spider, const std::string& deck = "plain.bdf") {
  const testing::TemporaryFolder folder;
  frame::write_g_set(folder / "frame.op4");
  Diagnostics diagnostics;
  ImportRequest request;
  request.files = {testing::data("constraints/" + deck), folder / "frame.op4"};
  request.spiders = {parse_spider(spider)};
  return import_model(request, diagnostics).model;
}

/// A displacement of all rows that the ties allow: random where a DOF is free, and what follows.
Eigen::VectorXd allowed_motion(const FeModel& model) {
  const Dependence ties(model);
  Eigen::VectorXd u = Eigen::VectorXd::Random(model.dofs.size());
  for (const auto& [dof, follower] : ties.followers()) {
    EXPECT_TRUE(follower.complete) << to_string(dof);
    double value = 0.0;
    for (const Dependence::RowTerm& term : follower.rows)
      value += term.factor * u(term.row);
    if (follower.row >= 0) u(follower.row) = value;
  }
  return u;
}

Vector3d motion_of(const FeModel& model, const Eigen::VectorXd& u, std::int64_t node, int first) {
  Vector3d out;
  for (int c = 0; c < 3; ++c)
    out(c) = u(model.dofs.find({node, static_cast<std::int8_t>(first + c)}));
  return out;
}

TEST(Spiders, AnRbe3FollowsTheBestFittingRigidBody) {
  const std::vector<int> nodes{2, 4, 7, 8};  // the displacements of 8 have other axes
  const FeModel model = frame_with("901=rbe3:2,4,7,8@0.5,0.1,0.3");
  EXPECT_EQ(model.interface_nodes, (std::vector<std::int64_t>{901}));
  EXPECT_EQ(model.dofs.size(), 6 * 9);
  const Vector3d place(0.5, 0.1, 0.3);
  EXPECT_EQ(find_node(model, 901)->position, place);
  const Eigen::VectorXd u = allowed_motion(model);
  Eigen::MatrixXd S(12, 6);
  Eigen::VectorXd motion(12);
  for (int k = 0; k < 4; ++k) {
    const int id = nodes[static_cast<std::size_t>(k)];
    S.block<3, 3>(3 * k, 0).setIdentity();
    S.block<3, 3>(3 * k, 3) = -cross_matrix(frame::position(id) - place);
    motion.segment<3>(3 * k) = motion_of(model, u, id, 1);
  }
  const Eigen::VectorXd best = (S.transpose() * S).ldlt().solve(S.transpose() * motion);
  EXPECT_LT((motion_of(model, u, 901, 1) - best.head<3>()).norm(), tolerance(1e-12) * u.norm());
  EXPECT_LT((motion_of(model, u, 901, 4) - best.tail<3>()).norm(), tolerance(1e-12) * u.norm());
}

TEST(Spiders, PickTheNodesOfASetOfADeck) {
  const testing::TemporaryFolder folder;
  frame::write_g_set(folder / "frame.op4");
  testing::write_text(folder / "sets.inp", "*NSET, NSET=MOUNT\n2, 4, 7, 8\n");
  Diagnostics diagnostics;
  ImportRequest request;
  request.files = {
      testing::data("constraints/plain.bdf"), folder / "frame.op4", folder / "sets.inp"};
  // decks of keywords are read in upper case
  request.spiders = {parse_spider("901=rbe3:set:mount@0.5,0.1,0.3")};
  const FeModel model = import_model(request, diagnostics).model;
  const FeModel listed = frame_with("901=rbe3:2,4,7,8@0.5,0.1,0.3");
  std::srand(1);
  const Eigen::VectorXd u = allowed_motion(model);
  std::srand(1);
  EXPECT_EQ(
      (motion_of(model, u, 901, 1) - motion_of(listed, allowed_motion(listed), 901, 1)).norm(),
      0.0);
}

TEST(Spiders, AnRbe2LeadsItsNodesInTheMiddle) {
  const FeModel model = frame_with("901=rbe2:6-8");
  const Vector3d place = (frame::position(6) + frame::position(7) + frame::position(8)) / 3.0;
  EXPECT_LT((find_node(model, 901)->position - place).norm(), tolerance(1e-15));
  const Eigen::VectorXd u = allowed_motion(model);
  const Vector3d v = motion_of(model, u, 901, 1), w = motion_of(model, u, 901, 4);
  for (const int id : {6, 7, 8}) {
    const Vector3d wanted = v + w.cross(frame::position(id) - place);
    EXPECT_LT((motion_of(model, u, id, 1) - wanted).norm(), tolerance(1e-14) * u.norm());
    EXPECT_LT((motion_of(model, u, id, 4) - w).norm(), tolerance(1e-14) * u.norm());
  }
}

TEST(Spiders, PickNodesByPlaneAndCylinder) {
  const FeModel plane = frame_with("901=rbe2:plane:y=-0.1");
  EXPECT_EQ(plane.rigid_elements.back().dependent, (std::vector<std::int64_t>{5}));
  const FeModel cylinder = frame_with("901=rbe2:cylinder:0.4,5,0,0,-2,0,0.4");
  EXPECT_EQ(cylinder.rigid_elements.back().dependent, (std::vector<std::int64_t>{1, 5}));
}

TEST(Spiders, AreRefusedWhereTheyCannotBeTied) {
  for (const char* spider :
       {"901=rbe3:1,99", "3=rbe3:1,2,4", "901=rbe3:1,2", "901=rbe3:set:EDGE", "901=rbe2:plane:z=7"})
    EXPECT_EQ(code_of([&] { frame_with(spider); }), "spider") << spider;
  for (const char* text : {"",
                           "901",
                           "901=rbe3",
                           "901=rbe4:1",
                           "x=rbe2:1",
                           "901=rbe2:plane:w=1",
                           "901=rbe2:cylinder:1,2,3",
                           "901=rbe2:cylinder:0,0,0,0,0,0,1",
                           "901=rbe2:1@2,3",
                           "901=rbe2:plane:x=",
                           "0=rbe2:1"})
    EXPECT_EQ(code_of([&] { parse_spider(text); }), "spider") << text;
}

// Truth: without matrices no node has a row, so that a spider could tie nothing.
TEST(Spiders, NeedNodesWithRows) {
  for (const char* spider : {"901=rbe3:2,4,7,8", "901=rbe2:6-8"}) {
    Diagnostics diagnostics;
    ImportRequest request;
    request.files = {testing::data("constraints/plain.bdf")};
    request.spiders = {parse_spider(spider)};
    EXPECT_EQ(code_of([&] { import_model(request, diagnostics); }), "spider") << spider;
  }
}

}  // namespace
}  // namespace femflex::importer
