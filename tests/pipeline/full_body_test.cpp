#include <gtest/gtest.h>

#include "femflex/importer/fe_model_file.h"

#include "pipeline/results_file.h"
#include "problems.h"
#include "program.h"

namespace femflex::testing {
namespace {

constexpr const char* kSwing = R"json({
  "femflex": 1, "name": "swing", "units": "m-kg-s", "gravity": [0, 0, -9.81],
  "bodies": { "block": { "flex": "block.fbm", "model": "block.fe.h5", "damping": "none",
                         "as": "flex", "angular_velocity": [0, 0, 3] } },
  "joints": { "pin": { "type": "spherical", "a": "ground", "b": "block/1" } },
  "forces": { "push": { "type": "force", "on": "block/24", "value": [0, "200*sin(30*t)", 0] } },
  "analyses": [ { "type": "dynamic", "end": 0.1, "step": 2e-4, "output_step": 0.01 } ],
  "outputs": [ "block/24/position", "block/13/position", "block/24/velocity" ],
  "variants": { "full": { "bodies": { "block": { "as": "full" } } } } })json";

// Truth: a second way to the same equations. All elastic modes, found by shift and invert, reduced
// and written, against the full FE model split by a dense eigenproblem; the block swings through
// large angles.
TEST(FullBody, AFlexibleBodyWithAllItsModesMovesAsTheFullOne) {
  const Program femflex;
  FeModel block = brick_block(5, 1, 1, 1.0, 0.1, 0.1);  // 72 freedoms, 66 elastic modes
  block.name = "block";
  block.units = parse_units("m-kg-s");
  importer::write_fe_model(block, femflex.file("block.fe.h5"));
  write_text(femflex.file("swing.json"), kSwing);
  ASSERT_EQ(femflex("modes block.fe.h5 --normal 72 -o all.fe.h5").exit_code, 0);
  ASSERT_EQ(femflex("reduce all.fe.h5 --orthogonalise --drop-rigid -o block.fbm").exit_code, 0);
  ASSERT_EQ(femflex("simulate swing.json -o flex.h5").exit_code, 0);
  ASSERT_EQ(femflex("simulate swing.json --variant full -o full.h5").exit_code, 0);
  const pipeline::Json compared = femflex.json("compare flex.h5 full.h5");
  ASSERT_EQ(compared.find("channels")->items().size(), 9U);
  for (const pipeline::Json& channel : compared.find("channels")->items())
    EXPECT_LT(channel.find("max")->number(), tolerance(1e-8));  // of 1 m, and of 3 m/s
}

}  // namespace
}  // namespace femflex::testing
