// Tests the model identity, which is compared with that of a stored state when a run is continued.
// Truth: the property in which the two systems differ.
#include "results/model_identity.h"

#include <gtest/gtest.h>

namespace femflex::tools {
namespace {

mbd_solver::System with_force(mbd_solver::ForceLaw law) {
  mbd_solver::System system;
  system.forces = {{"law", std::move(law)}};
  return system;
}

std::string difference(const mbd_solver::ForceLaw& was, const mbd_solver::ForceLaw& is) {
  return identity_difference(model_identity(with_force(was)), model_identity(with_force(is)));
}

TEST(ModelIdentity, IncludesTheMomentFormulaOfAHinge) {
  mbd_solver::Hinge was, is;
  was.moment = laws::Formula("2*e", {"e"});
  is.moment = laws::Formula("3*e", {"e"});
  EXPECT_EQ(difference(was, was), "");
  EXPECT_EQ(difference(was, is), "force law: moment is \"3*e\", was \"2*e\"");
  EXPECT_NE(difference(mbd_solver::Hinge{}, is), "");
}

TEST(ModelIdentity, IncludesWhetherASpringMayPush) {
  mbd_solver::SpringDamper was, is;
  is.tension_only = true;
  EXPECT_NE(difference(was, is), "");
}

TEST(ModelIdentity, IncludesTheExponentOfAnAirSpring) {
  mbd_solver::AirSpring was, is;
  is.exponent = 1.0;
  EXPECT_NE(difference(was, is), "");
}

TEST(ModelIdentity, IncludesTheInterpolationOfACurve) {
  mbd_solver::SpringDamper was, is;
  was.curve = mbd_solver::Table{{0.0, 1.0, 2.0}, {0.0, 1.0, 4.0}};
  is.curve = was.curve;
  is.curve->interpolation = mbd_solver::Table::Interpolation::akima;
  EXPECT_NE(difference(was, is), "");
}

}  // namespace
}  // namespace femflex::tools
