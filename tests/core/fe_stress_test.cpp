// Tests the check of tables of modal stresses: each fault is named as what it is.
#include "femflex/fe_stress.h"

#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "femflex/errors.h"

namespace femflex {
namespace {

/// Normal stresses at the centre of one shell, of the shapes 0 and 2 of three.
FeStresses sound() {
  FeStresses out;
  out.stress.types = {"CQUAD4"};
  out.stress.places = {{.element = 1, .components = 3}};
  out.stress.shapes = {0, 2};
  out.stress.values = Eigen::MatrixXd::Ones(2, 2);
  return out;
}

std::string fault_of(const FeStresses& stresses) {
  try {
    check_stresses(stresses, 3);
  } catch (const ModelError& error) {
    EXPECT_EQ(error.code(), "stress-table");
    EXPECT_FALSE(error.fix().empty());
    return error.message();
  }
  return "";
}

TEST(FeStress, EachFaultOfATableIsNamed) {
  EXPECT_EQ(fault_of(sound()), "");
  EXPECT_EQ(fault_of({}), "");
  FeStresses wrong = sound();
  wrong.stress.shapes = {1, 0};
  EXPECT_EQ(fault_of(wrong),
            "the table of stresses has shape 1 after shape 2; expected each once, in ascending "
            "order");
  wrong.stress.shapes = {1, 1};
  EXPECT_NE(fault_of(wrong).find("each once"), std::string::npos);
  wrong.stress.shapes = {1, 3};
  EXPECT_EQ(fault_of(wrong), "the table of stresses has values of shape 4, but the model has 3");
  wrong = sound();
  wrong.stress.places[0].components = 0;
  EXPECT_NE(fault_of(wrong).find("without components"), std::string::npos);
  wrong.stress.places[0].components = 64;
  EXPECT_NE(fault_of(wrong).find("more than six components"), std::string::npos);
  wrong = sound();
  wrong.strain = wrong.stress;
  wrong.strain.values(1, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(fault_of(wrong), "the table of strains has a value that is not finite");
}

}  // namespace
}  // namespace femflex
