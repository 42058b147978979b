// Tests requests at the limits of a model: without inner DOFs, with fewer modes than asked for,
// with more than memory holds, with numbers that are no counts or frequencies.
#include <vector>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/modal/compute_modes.h"
#include "femflex/modal/reduce.h"

#include "double_mass_spring.h"
#include "problems.h"
#include "support/support.h"

namespace femflex::modal {
namespace {

using testing::beam;
using testing::code_of;

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

}  // namespace
}  // namespace femflex::modal
