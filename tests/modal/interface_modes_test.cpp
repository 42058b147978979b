// Tests characteristic constraint modes of an interface. Truth: the eigenvalue problem with
// explicit constraint modes, the body with every constraint mode, and the response of the full
// model.
#include "methods/interface_modes.h"

#include <cstdint>

#include <gtest/gtest.h>

#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/modal/orthogonalise.h"
#include "femflex/modal/reduce.h"
#include "femflex/modal/validate.h"

#include "methods/craig_bampton.h"
#include "methods/interface_response.h"
#include "problems.h"
#include "support/support.h"

namespace femflex::modal {
namespace {

using testing::relative_difference;
using testing::tolerance;

/// A free block whose end faces are the interface: 18 nodes, 54 DOFs.
FeModel block_between_faces() {
  FeModel model = testing::brick_block(8, 2, 2, 1.0, 0.2, 0.15);
  for (const Node& node : model.nodes)
    if (node.position.x() < 1e-9 || node.position.x() > 1.0 - 1e-9)
      model.interface_nodes.push_back(node.id);
  return model;
}

FlexBody reduced_body(const FeModel& model, Method method, std::int64_t interface_modes) {
  ReduceOptions options;
  options.method = method;
  options.normal = 10;
  options.orthogonalise = true;
  if (interface_modes > 0) options.interface_modes = interface_modes;
  Diagnostics diagnostics;
  ReduceReport report;
  FlexBody body = reduce(model, options, diagnostics, no_progress(), &report);
  EXPECT_EQ(report.interface.has_value(), interface_modes > 0);
  if (report.interface) {
    EXPECT_EQ(report.interface->kept, interface_modes);
    EXPECT_EQ(report.interface->of, 54);
  }
  return body;
}

/// What validate tells of the static displacements of the interface.
double static_error(const FeModel& model, std::int64_t interface_modes) {
  ValidateOptions options;
  options.frf_points = 4;
  Diagnostics diagnostics;
  const FlexBody body = reduced_body(model, Method::craig_bampton, interface_modes);
  return validate(body, model, options, diagnostics).static_error;
}

TEST(InterfaceModes, ThePencilNeedsNoConstraintModes) {
  const FeModel model = block_between_faces();
  Diagnostics diagnostics;
  CraigBamptonSolver solver(model, {}, diagnostics);
  const InterfacePencil pencil = interface_pencil(solver.factor(), solver.parts().part);
  const InterfaceSampler explicit_pencil(solver, 0.02);
  EXPECT_LT(relative_difference(pencil.k, explicit_pencil.k_bb()), tolerance(1e-11));
  EXPECT_LT(relative_difference(pencil.m, explicit_pencil.m_bb()), tolerance(1e-11));
}

// A second algorithm: Eigen's dense solver on the condensed pencil. Six motions are rigid.
TEST(InterfaceModes, AreTheLowestOnesOfTheCondensedComponent) {
  const FeModel model = block_between_faces();
  Diagnostics diagnostics;
  CraigBamptonSolver solver(model, {}, diagnostics);
  const InterfacePencil pencil = interface_pencil(solver.factor(), solver.parts().part);
  const InterfaceModes modes = interface_modes(pencil, 30);
  const Eigen::VectorXd all =
      Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(pencil.k, pencil.m).eigenvalues();
  for (Eigen::Index j = 0; j < 30; ++j)
    EXPECT_NEAR(modes.lambda(j), j < 6 ? 0.0 : all(j), tolerance(1e-8) * all(j < 6 ? 6 : j)) << j;
  const Eigen::MatrixXd m = modes.Y.transpose() * pencil.m * modes.Y;
  EXPECT_LT((m - Eigen::MatrixXd::Identity(30, 30)).norm(), tolerance(1e-7));
}

// Combinations of all constraint modes span what the constraint modes span.
TEST(InterfaceModes, AllOfThemAreTheWholeInterface) {
  const FeModel model = block_between_faces();
  const FlexBody whole = reduced_body(model, Method::craig_bampton, 0);
  const FlexBody combined = reduced_body(model, Method::craig_bampton, 54);
  ASSERT_EQ(combined.mode_count(), whole.mode_count());
  for (std::size_t k = 0; k < whole.modes.size(); ++k)
    EXPECT_NEAR(combined.modes[k].eigenvalue,
                whole.modes[k].eigenvalue,
                tolerance(1e-8) * whole.modes[k].eigenvalue)
        << k;
}

// validate tells what fewer of them cost. Ritz: a body is stiffer than the model, and the less so
// the more shapes it has; with all constraint modes its statics are exact.
TEST(InterfaceModes, TheStaticErrorFallsWithTheirNumber) {
  const FeModel model = block_between_faces();
  const double few = static_error(model, 18);
  const double more = static_error(model, 42);
  EXPECT_GT(few, more);
  EXPECT_GT(more, 1e-6);
  EXPECT_LT(static_error(model, 54), tolerance(1e-8));
}

TEST(InterfaceModes, RequestsThatCannotBeMetAreRefused) {
  const FeModel model = block_between_faces();
  Diagnostics diagnostics;
  ReduceOptions options;
  options.method = Method::guyan;
  options.interface_modes = 55;
  EXPECT_THROW(reduce(model, options, diagnostics), ModelError);
  options.interface_modes = 0;
  EXPECT_THROW(reduce(model, options, diagnostics), UsageError);
  options.interface_modes = 10;
  options.method = Method::craig_chang;
  EXPECT_THROW(reduce(model, options, diagnostics), UsageError);
}

}  // namespace
}  // namespace femflex::modal
