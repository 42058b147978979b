// Tests the comparison of two bodies by their eigenmodes.
#include "femflex/modal/compare_bodies.h"

#include <cmath>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/modal/reduce.h"

#include "problems.h"
#include "support/support.h"

namespace femflex::modal {
namespace {

using testing::code_of;

FlexBody block() {
  ReduceOptions options;
  options.method = Method::craig_bampton;
  options.normal = 4;
  options.orthogonalise = options.scale = true;
  Diagnostics diagnostics;
  return reduce(testing::joined_block(), options, diagnostics);
}

NodePairs all_nodes(const FlexBody& body) {
  NodePairs nodes;
  for (Eigen::Index k = 0; k < body.node_count(); ++k) {
    nodes.a.push_back(k);
    nodes.b.push_back(k);
  }
  return nodes;
}

// Truth: a modal mass matrix with the eigenvalues 3 and -1.
TEST(CompareBodies, RefusesAMassThatIsNotPositiveDefinite) {
  const FlexBody sound = block();
  FlexBody bad = sound;
  bad.mass.topLeftCorner<2, 2>() << 1.0, 2.0, 2.0, 1.0;
  EXPECT_EQ(code_of([&] { compare_bodies(sound, bad, all_nodes(sound), 1e-6); }),
            "mass-not-positive");
}

// Truth: one body has a stiffness where the other has none; shapes and masses are the same.
TEST(CompareBodies, AZeroModeIsNotAnElasticOneOfTheSameShape) {
  const FlexBody elastic = block();
  FlexBody loose = elastic;
  loose.stiffness(0, 0) = 0.0;
  const NodePairs nodes = all_nodes(elastic);
  const ModeComparison from_loose = compare_bodies(loose, elastic, nodes, 1e-6);
  EXPECT_FALSE(from_loose.passes);
  EXPECT_TRUE(std::isinf(from_loose.modes.front().error_percent));
  EXPECT_FALSE(compare_bodies(elastic, loose, nodes, 1e-6).passes);
  EXPECT_TRUE(compare_bodies(loose, loose, nodes, 1e-6).passes);
}

}  // namespace
}  // namespace femflex::modal
