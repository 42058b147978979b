// Tests DofMap: look-ups against the given order, and errors for repeated and impossible DOFs.
#include "femflex/dof_map.h"

#include <string>

#include <gtest/gtest.h>

#include "femflex/errors.h"

namespace femflex {
namespace {

// Truth: the inverse of the row order that was given.
TEST(DofMap, FindsEveryRowOfAnUnsortedSourceOrder) {
  const DofMap map({{7, 3}, {2, 1}, {7, 1}, {501, 0}, {2, 6}});
  for (std::int64_t row = 0; row < map.size(); ++row)
    EXPECT_EQ(map.find(map[row]), row);
  EXPECT_EQ(map.find({2, 2}), -1);
  EXPECT_EQ(map.find({900, 1}), -1);
}

TEST(DofMap, NamesBothRowsOfADofThatStandsTwice) {
  try {
    const DofMap map({{1, 1}, {2, 1}, {1, 1}});
    FAIL() << "a repeated DOF was accepted, size " << map.size();
  } catch (const ModelError& e) {
    EXPECT_NE(std::string(e.what()).find("DOF 1/T1 is in rows 1 and 3"), std::string::npos);
  }
}

TEST(DofMap, RefusesAComponentThatDoesNotExist) {
  EXPECT_THROW(DofMap({{1, 7}}), ModelError);
}

TEST(Dof, IsReadAsItIsWritten) {
  for (std::int8_t c = 0; c <= 6; ++c)
    EXPECT_EQ(parse_dof(to_string({17, c})), (Dof{17, c}));
  for (const char* text : {"", "17", "17/", "/T1", "17/T4", "17/X1", "17/T1 ", "0/T1", "-3/S"})
    EXPECT_FALSE(parse_dof(text)) << text;
}

}  // namespace
}  // namespace femflex
