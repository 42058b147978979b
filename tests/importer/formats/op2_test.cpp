#include <cmath>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/importer/read_contents.h"

#include "support/support.h"

namespace femflex::importer {
namespace {

using testing::shared_folder;
using testing::tolerance;

// Two masses of 5 kg on springs of 20 and 10 N/m: omega^2 = 4 -+ 2 sqrt(2); unit modal mass.
TEST(Op2, DoubleMassSpringHasItsTwoModes) {
  if (shared_folder().empty()) GTEST_SKIP() << "the folder of real files is absent";
  Diagnostics diagnostics;
  const FileContents contents =
      read_contents(shared_folder() / "data/nastran/mystran/dms.op2", {}, diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  EXPECT_EQ(contents.format, "op2");
  ASSERT_EQ(contents.modes.size(), 1U);  // one table a mode in the file, one group here
  const RawModes& modes = contents.modes[0];
  ASSERT_EQ(modes.shapes.cols(), 2);
  ASSERT_EQ(modes.points.size(), 3U);
  EXPECT_NEAR(modes.eigenvalues[0], 4.0 - 2.0 * std::sqrt(2.0), tolerance(2e-7));
  EXPECT_NEAR(modes.eigenvalues[1], 4.0 + 2.0 * std::sqrt(2.0), tolerance(2e-6));
  double mass = 0.0;
  for (Eigen::Index i = 0; i < modes.shapes.rows(); ++i)
    mass += 5.0 * modes.shapes(i, 0) * modes.shapes(i, 0);
  EXPECT_NEAR(mass, 1.0, tolerance(1e-6));
}

}  // namespace
}  // namespace femflex::importer
