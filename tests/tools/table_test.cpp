// Tests how numbers of printed tables read: no minus before a zero, a dash where there is no
// number.
#include "document/table.h"

#include <cmath>

#include <gtest/gtest.h>

namespace femflex::tools {
namespace {

TEST(Readable, NumbersOfTablesAreAsAReaderExpectsThem) {
  EXPECT_EQ(readable(-0.0, 6), "0");
  EXPECT_EQ(readable(-1.5, 6), "-1.5");
  EXPECT_EQ(readable(std::nan(""), 6), "-");
}

}  // namespace
}  // namespace femflex::tools
