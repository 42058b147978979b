// Matrices of elements (KELM, MELM) and the recovery of external superelements (MUG1). Truth:
// closed forms of rods, springs and rigid bodies; KGG that NASTRAN assembled from the same
// elements; rigid motions of a public superelement.
#include "model/element_matrices.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "femflex/constraints.h"
#include "femflex/errors.h"
#include "femflex/importer/import_model.h"
#include "femflex/importer/read_contents.h"
#include "femflex/importer/statistics.h"
#include "femflex/units.h"

#include "model/gather.h"
#include "model/matrices.h"
#include "nastran/op2_dictionary.h"
#include "support/support.h"

namespace femflex::importer {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using testing::shared_folder;
using testing::tolerance;

ImportRequest request_of(const std::filesystem::path& file) {
  ImportRequest request;
  request.files = {file};
  request.units = parse_units("m-kg-s");
  return request;
}

FeModel import_own(const std::string& name, Diagnostics& diagnostics) {
  return import_model(request_of(testing::data("op2/valid/" + name)), diagnostics).model;
}

Vector3d position(const FeModel& model, std::int64_t node) {
  return find_node(model, node)->position;
}

/// K of the rods and the spring of data/op2/make_op2.py, in basic directions.
MatrixXd stiffness_of_rods(const FeModel& model) {
  MatrixXd K = MatrixXd::Zero(model.dofs.size(), model.dofs.size());
  const auto row = [&](std::int64_t node, std::int8_t c) { return model.dofs.find({node, c}); };
  for (const auto& [a, b, c] :
       {std::tuple{11, 12, 1000.0}, std::tuple{12, 15, 500.0}, std::tuple{11, 15, 1000.0}}) {
    const Vector3d e = (position(model, b) - position(model, a)).normalized();
    for (const auto& [p, q, sign] : {std::tuple{a, a, 1.0},
                                     std::tuple{b, b, 1.0},
                                     std::tuple{a, b, -1.0},
                                     std::tuple{b, a, -1.0}})
      for (std::int8_t i = 0; i < 3; ++i)
        for (std::int8_t j = 0; j < 3; ++j)
          K(row(p, static_cast<std::int8_t>(i + 1)), row(q, static_cast<std::int8_t>(j + 1))) +=
              sign * c * e(i) * e(j);
  }
  for (const auto& [p, q, sign] : {std::tuple{101, 101, 1.0},
                                   std::tuple{102, 102, 1.0},
                                   std::tuple{101, 102, -1.0},
                                   std::tuple{102, 101, -1.0}})
    K(row(p, 0), row(q, 0)) += sign * 50.0;
  return K;
}

// Axes of elements, a grid with its own displacement system, two rods that share one column, and a
// spring between scalar points.
TEST(ElementMatrices, RodsAndASpringAddUpToTheirClosedForm) {
  for (const char* name : {"elements_le32.op2", "elements_be64.op2"}) {
    SCOPED_TRACE(name);
    Diagnostics diagnostics;
    const FeModel model = import_own(name, diagnostics);
    const MatrixXd K = model.stiffness->selfadjointView<Eigen::Lower>() *
                       MatrixXd::Identity(model.dofs.size(), model.dofs.size());
    EXPECT_LT((K - stiffness_of_rods(model)).cwiseAbs().maxCoeff(), tolerance(1e-10));
    const MatrixXd M = model.mass->selfadjointView<Eigen::Lower>() *
                       MatrixXd::Identity(model.dofs.size(), model.dofs.size());
    EXPECT_NEAR(M.trace(), 18.0, tolerance(1e-12));
    EXPECT_NEAR(M.sum(), 18.0, tolerance(1e-12));
  }
}

// Truth: NASTRAN's own KGG, in the same file.
TEST(ElementMatrices, RealElementsAssembleToItsStiffness) {
  if (shared_folder().empty()) GTEST_SKIP() << "the folder of real files is absent";
  Diagnostics diagnostics;
  Gathered gathered =
      gather(request_of(shared_folder() / "data/nastran/op2/static_solid_shell_bar_kelm.op2"),
             diagnostics,
             no_progress());
  std::vector<RawMatrix>& matrices = gathered.files.front().matrices;
  const auto truth = std::find_if(
      matrices.begin(), matrices.end(), [](const RawMatrix& m) { return m.name == "KGG"; });
  ASSERT_NE(truth, matrices.end());
  const MatrixXd expected(full_matrix(*truth));
  matrices.erase(truth);
  assemble_element_matrices(gathered, diagnostics);
  const auto found = std::find_if(
      matrices.begin(), matrices.end(), [](const RawMatrix& m) { return m.name == "KGG"; });
  ASSERT_NE(found, matrices.end());
  EXPECT_LT((MatrixXd(full_matrix(*found)) - expected).cwiseAbs().maxCoeff(),
            tolerance(1e-13) * expected.cwiseAbs().maxCoeff());
}

/// The warning of assembling `dictionary` with the matrices of elements_le32.op2.
std::string fault_of(void (*damage)(RawElementDictionary&)) {
  Diagnostics diagnostics;
  Gathered gathered =
      gather(request_of(testing::data("op2/valid/elements_le32.op2")), diagnostics, no_progress());
  damage(gathered.files.front().dictionaries.front());
  assemble_element_matrices(gathered, diagnostics);
  return diagnostics.warnings().empty() ? "" : diagnostics.warnings().front().message;
}

TEST(ElementMatrices, ADictionaryThatDoesNotFitIsNamed) {
  EXPECT_NE(fault_of([](RawElementDictionary& d) {
              d.elements.front().form = 9;
            }).find("form 9 is not known"),
            std::string::npos);
  EXPECT_NE(fault_of([](RawElementDictionary& d) {
              d.elements.front().first_rows[1] = 900;
            }).find("row 900 is beyond the 20"),
            std::string::npos);
  EXPECT_NE(
      fault_of([](RawElementDictionary& d) { d.elements.resize(2); }).find("names 2 elements"),
      std::string::npos);
  EXPECT_NE(fault_of([](RawElementDictionary& d) {
              d.elements.front().first_rows.pop_back();
            }).find("beyond the 21 of a symmetric matrix"),
            std::string::npos);
}

/// Displacement of a DOF for displacements `u` of the rows of the model.
double displacement(const Dependence& dependence, const Dof& dof, const Eigen::VectorXd& u) {
  const Dependence::Follower* follower = dependence.find(dof);
  if (follower == nullptr || !follower->complete) return std::nan("");
  double sum = 0.0;
  for (const Dependence::RowTerm& term : follower->rows)
    sum += term.factor * u(term.row);
  return sum;
}

// The inner nodes follow the boundary as a rigid body, and the mode along their own axes.
TEST(Recovery, InnerNodesOfASuperelementFollowItsBoundaryAndItsMode) {
  for (const char* name : {"superelement.op2", "superelement_be64.op2"}) {
    SCOPED_TRACE(name);
    Diagnostics diagnostics;
    const FeModel model = import_own(name, diagnostics);
    ASSERT_EQ(model.dofs.size(), 7);
    EXPECT_EQ(model.interface_nodes, std::vector<std::int64_t>{11});
    const Dependence dependence(model);
    Eigen::VectorXd u(7);
    Vector3d t(0.1, -0.2, 0.3), theta(0.01, 0.02, -0.03);
    constexpr double kMode = 0.5;
    for (std::int8_t c = 1; c <= 3; ++c) {
      u(model.dofs.find({11, c})) = t(c - 1);
      u(model.dofs.find({11, static_cast<std::int8_t>(c + 3)})) = theta(c - 1);
    }
    u(model.dofs.find({101, 0})) = kMode;
    // axis x of system 10, along which grid 12 moves by 0.6, is y of basic
    for (const auto& [node, shape] : {std::pair<std::int64_t, Vector3d>(12, {0.0, 0.6, 0.0}),
                                      std::pair<std::int64_t, Vector3d>(15, {-0.4, 0.0, 0.0})}) {
      const Vector3d lever = position(model, node) - position(model, 11);
      const Vector3d expected = t + theta.cross(lever) + kMode * shape;
      for (std::int8_t c = 1; c <= 3; ++c) {
        EXPECT_NEAR(displacement(dependence, {node, c}, u), expected(c - 1), tolerance(1e-14));
        EXPECT_NEAR(displacement(dependence, {node, static_cast<std::int8_t>(c + 3)}, u),
                    theta(c - 1),
                    tolerance(1e-14));
      }
    }
  }
}

// Truth: a free structure follows a rigid motion of its boundary. MUG1 is in OUTPUT4, TUG1 in the
// punch file; grid 11 has its own displacement system. MUG1 is a solution with K in double
// precision (entries up to 1e10): it holds eight digits.
TEST(Recovery, InnerNodesOfAPublicSuperelementFollowRigidMotions) {
  if (shared_folder().empty()) GTEST_SKIP() << "the folder of real files is absent";
  const std::filesystem::path folder = shared_folder() / "data/nastran";
  ImportRequest request = request_of(folder / "op4/inboard.op4");
  request.files.push_back(folder / "punch/inboard.pch");
  request.files.push_back(folder / "bulk/inboard.blk");
  Diagnostics diagnostics;
  const FeModel model = import_model(request, diagnostics).model;
  const Dependence dependence(model);
  const MatrixXd boundary = rigid_body_shapes(model, model.dofs, Vector3d::Zero());
  for (const std::int64_t node : {4, 16})
    for (std::int8_t c = 1; c <= 6; ++c) {
      const DofMap row(std::vector<Dof>{{node, c}});
      const MatrixXd expected = rigid_body_shapes(model, row, Vector3d::Zero());
      for (Eigen::Index motion = 0; motion < 6; ++motion)
        EXPECT_NEAR(displacement(dependence, {node, c}, boundary.col(motion)),
                    expected(0, motion),
                    tolerance(1e-7) * 1500.0)
            << to_string({node, c});
    }
  EXPECT_TRUE(std::any_of(diagnostics.warnings().begin(),
                          diagnostics.warnings().end(),
                          [](const auto& w) { return w.code == "nodes-without-recovery"; }));
}

TEST(Recovery, RowsThatDoNotFitAreRefused) {
  EXPECT_EQ(recovery_rows({{1, 7, 6, 1}, {2, 8, 6, 7}}, 12).at(6), (Dof{8, 0}));
  EXPECT_EQ(recovery_rows({{1, 7, 6, 1}, {2, 8, 6, 7}}, 12).at(7).component, -1);
  EXPECT_TRUE(recovery_rows({{1, 7, 6, 2}}, 6).empty());
  EXPECT_TRUE(recovery_rows({{1, 7, 7, 1}}, 6).empty());
  EXPECT_TRUE(recovery_rows({{1, 7, 6, 1}}, 1'000'000'000).empty());
}

}  // namespace
}  // namespace femflex::importer
