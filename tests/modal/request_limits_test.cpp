// Tests requests at the limits of a model: without inner DOFs, with fewer modes than asked for,
// with more than memory holds, with numbers that are no counts or frequencies.
#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/memory.h"
#include "femflex/modal/compute_modes.h"
#include "femflex/modal/reduce.h"

#include "double_mass_spring.h"
#include "problems.h"
#include "support/support.h"

namespace femflex::modal {
namespace {

using testing::beam;
using testing::code_of;
using testing::tolerance;

ComputedModes computed(const FeModel& model, const ModeRequest& request) {
  Diagnostics diagnostics;
  return compute_modes(model, request, diagnostics);
}

std::int64_t count_of(const ModeSet& modes, ModeKind kind) {
  std::int64_t count = 0;
  for (const ModeInfo& mode : modes.modes)
    count += mode.kind == kind ? 1 : 0;
  return count;
}

// Truth: with every free DOF at the interface, unit motions are the unit vectors, and accelerations
// move nothing inside. By every back end.
TEST(RequestLimits, AModelWithoutInnerDofsHasItsConstraintModes) {
  FeModel model = beam(2, "cf");
  model.interface_nodes = {2, 3};
  for (const std::string& backend : backend_names()) {
    ModeRequest request;
    request.constraint = request.inertia_relief = true;
    request.solve.backend = parse_backend(backend);
    const ModeSet modes = computed(model, request).modes;
    ASSERT_EQ(count_of(modes, ModeKind::constraint), 4) << backend;
    for (Eigen::Index j = 0; j < 4; ++j)
      EXPECT_EQ(modes.shapes.col(j), Eigen::VectorXd::Unit(6, 2 + j)) << backend;
    EXPECT_EQ(modes.shapes.rightCols(modes.count() - 4).norm(), 0.0) << backend;
    request.fixed = ModeRequest::Boundary::interface;
    request.fmax_hz = 1e6;
    EXPECT_EQ(computed(model, request).modes.count(), modes.count()) << backend;
  }
}

// Truth: residual modes without elastic normal modes are the attachment modes. A band from 0 Hz
// with a number keeps the first modes, which are all rigid here.
TEST(RequestLimits, ABandCutAmongTheRigidModesHasNoElasticShare) {
  const FeModel model = testing::joined_block();
  ModeRequest request;
  request.fmin_hz = 0.0;
  request.fmax_hz = 1e5;
  request.normal = 2;
  request.attachment = request.residual_attachment = true;
  const ComputedModes found = computed(model, request);
  EXPECT_EQ(found.report.rigid_modes, 2);
  ASSERT_EQ(count_of(found.modes, ModeKind::dynamic), 2);
  const std::int64_t each = count_of(found.modes, ModeKind::attachment);
  ASSERT_EQ(count_of(found.modes, ModeKind::residual_attachment), each);
  EXPECT_EQ(found.modes.shapes.middleCols(2, each), found.modes.shapes.rightCols(each));
}

// Truth: K of a floating part is singular, so that its load cases have static solutions with the
// interface held alone. Moment matching is of the free part.
TEST(RequestLimits, KrylovVectorsBesideAHeldInterfaceSolveTheLoadCasesOnce) {
  FeModel model = testing::joined_block();
  model.loads = {{1, "a force", Eigen::VectorXd::Unit(model.dofs.size(), 40)}};
  ModeRequest request;
  request.fixed = ModeRequest::Boundary::interface;
  request.krylov = 2;
  request.normal = 2;
  request.static_loads = request.modal_truncation = true;
  const ModeSet modes = computed(model, request).modes;
  EXPECT_EQ(count_of(modes, ModeKind::static_), 1);
  EXPECT_EQ(count_of(modes, ModeKind::modal_truncation), 1);
  EXPECT_EQ(count_of(modes, ModeKind::dynamic), 2);
  EXPECT_GT(count_of(modes, ModeKind::krylov), 0);
}

/// A free beam whose lumped masses leave its rotations without mass: one mode for each node.
FeModel lumped_beam(int elements) {
  FeModel model = beam(elements, "ff");
  std::vector<Entry> masses;
  for (std::int64_t row = 0; row < model.dofs.size(); row += 2)
    masses.push_back({row, row, 1.0});
  model.mass = assemble(model.dofs.size(), model.dofs.size(), masses);
  return model;
}

// Truth: a mode for each DOF with mass, small (dense matrices) and large (Lanczos). The default
// number is an upper limit; a number that the user gives is not.
TEST(RequestLimits, TheDefaultNumberOfModesTakesThoseThatExist) {
  FeModel model = lumped_beam(8);
  model.interface_nodes = {1, 9};
  for (const Method method : {Method::dynamic, Method::craig_chang, Method::craig_bampton}) {
    ReduceOptions options;
    options.method = method;
    Diagnostics diagnostics;
    ReduceReport report;
    reduce(model, options, diagnostics, no_progress(), &report);
    const std::string expected = fmt::format("only {} normal modes exist; all of them are taken",
                                             method == Method::craig_bampton ? 7 : 9);
    EXPECT_TRUE(std::any_of(diagnostics.warnings().begin(),
                            diagnostics.warnings().end(),
                            [&](const Warning& warning) { return warning.message == expected; }))
        << name_of(method);
    options.normal = 10;
    EXPECT_EQ(code_of([&] { reduce(model, options, diagnostics); }), "too-many-modes")
        << name_of(method);
  }
  ModeRequest request;
  request.normal = 200;
  EXPECT_EQ(code_of([&] { computed(lumped_beam(100), request); }), "too-many-modes");
  request.at_most = true;
  EXPECT_EQ(computed(lumped_beam(100), request).modes.count(), 101);
}

// Truth: 9 modes exist, of which the body may hold all but two.
TEST(RequestLimits, ModesLeftOutAreThoseThatExist) {
  FeModel model = lumped_beam(8);
  model.interface_nodes = {1, 9};
  ReduceOptions options;
  options.method = Method::craig_bampton;
  options.normal = 2;
  options.left_out = 12;
  options.orthogonalise = options.scale = true;
  Diagnostics diagnostics;
  const FlexBody body = reduce(model, options, diagnostics);
  EXPECT_GT(body.mode_count(), 2);
}

// Truth: the rows. A block that is held across (T3) at every node moves in its plane alone; its
// interface nodes are loaded along their free translations.
TEST(RequestLimits, LeftOutShapesTakeTheFreeTranslationsOfAPartlyHeldNode) {
  FeModel model = testing::joined_block();
  for (const Node& node : model.nodes)
    model.fixed.push_back({node.id, 3});
  ReduceOptions options;
  options.method = Method::craig_bampton;
  options.normal = 4;
  options.left_out = 4;
  options.orthogonalise = options.scale = true;
  Diagnostics diagnostics;
  const FlexBody body = reduce(model, options, diagnostics);
  options.left_out.reset();
  EXPECT_GT(body.mode_count(), reduce(model, options, diagnostics).mode_count());
}

// Truth: the body without left-out shapes. They are coupled by mass to those that act, but do not
// act themselves.
TEST(RequestLimits, TrueDampingIsThatOfTheActingShapes) {
  ReduceOptions options;
  options.method = Method::craig_bampton;
  options.normal = 4;
  options.orthogonalise = options.scale = true;
  options.damping = parse_damping("true:0.02");
  Diagnostics diagnostics;
  const FlexBody own = reduce(testing::joined_block(), options, diagnostics);
  options.left_out = 8;
  const FlexBody carrying = reduce(testing::joined_block(), options, diagnostics);
  ASSERT_GT(carrying.mode_count(), own.mode_count());
  const Eigen::Index n = own.mode_count();
  EXPECT_LT(testing::relative_difference(carrying.damping->topLeftCorner(n, n), *own.damping),
            tolerance(1e-9));
  EXPECT_GT(carrying.damping->bottomRightCorner(1, 1).value(), 0.0);
}

// Truth: eigenvalues of K = [2 -4; -4 2], M = 1, which are -2 and 6. A shift below them finds them,
// with dense matrices as with Lanczos.
TEST(RequestLimits, AShiftBelowNegativeEigenvaluesFindsThem) {
  FeModel model = testing::double_mass_spring();
  model.stiffness = assemble(2, 2, {{0, 0, 2.0}, {1, 0, -4.0}, {1, 1, 2.0}});
  model.mass = assemble(2, 2, {{0, 0, 1.0}, {1, 1, 1.0}});
  ModeRequest request;
  request.normal = 2;
  EXPECT_EQ(code_of([&] { computed(model, request); }), "indefinite");
  request.solve.shift = -1.0;
  EXPECT_EQ(code_of([&] { computed(model, request); }), "indefinite");
  request.solve.shift = -3.0;
  const ModeSet modes = computed(model, request).modes;
  EXPECT_NEAR(modes.modes[0].eigenvalue, -2.0, tolerance(1e-13));
  EXPECT_NEAR(modes.modes[1].eigenvalue, 6.0, tolerance(1e-13));
}

// Truth: the range of the numbers, for each method.
TEST(RequestLimits, CountsBelowZeroAndFrequenciesNotAboveZeroAreRefused) {
  const FeModel model = testing::joined_block();
  Diagnostics diagnostics;
  for (const Method method : {Method::craig_bampton, Method::craig_chang, Method::dynamic}) {
    for (const double hz : {-100.0, 0.0, std::numeric_limits<double>::infinity()}) {
      ReduceOptions options;
      options.method = method;
      options.fmax_hz = hz;
      EXPECT_EQ(code_of([&] { reduce(model, options, diagnostics); }), "fmax")
          << name_of(method) << hz;
    }
    ReduceOptions options;
    options.method = method;
    options.normal = -3;
    EXPECT_EQ(code_of([&] { reduce(model, options, diagnostics); }), "count") << name_of(method);
    options.normal = 3;
    options.left_out = -3;
    EXPECT_EQ(code_of([&] { reduce(model, options, diagnostics); }), "count") << name_of(method);
  }
  ModeRequest request;
  request.krylov = -1;
  EXPECT_EQ(code_of([&] { computed(model, request); }), "count");
  request.krylov = 0;
  request.fmax_hz = 0.0;
  EXPECT_EQ(code_of([&] { computed(model, request); }), "fmax");
}

// Truth: 38,000 shapes of 40,000 DOFs fill 12 GB, and seven times that is taken. It is told once
// the number is known, before the search.
TEST(RequestLimits, MoreModesThanMemoryHoldsAreForetold) {
  constexpr double kNeeded = 8e10;  // [bytes]
  if (memory_limit() > kNeeded) GTEST_SKIP() << "this machine holds the modes";
  FeModel net = testing::spring_net(400, 100);
  net.interface_nodes = {1};
  Diagnostics diagnostics;
  ReduceOptions options;
  options.method = Method::craig_bampton;
  options.normal = 38000;
  EXPECT_EQ(code_of([&] { reduce(net, options, diagnostics); }), "needs-memory");
  options.normal.reset();
  options.fmax_hz = 1e6;  // above all modes
  EXPECT_EQ(code_of([&] { reduce(net, options, diagnostics); }), "needs-memory");
  options.method = Method::dynamic;
  EXPECT_EQ(code_of([&] { reduce(net, options, diagnostics); }), "needs-memory");
  ModeRequest request;
  request.fmax_hz = 1e6;
  request.normal = 3;  // an upper limit
  EXPECT_EQ(computed(net, request).modes.count(), 3);
}

}  // namespace
}  // namespace femflex::modal
