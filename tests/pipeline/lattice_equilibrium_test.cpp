// Tests equilibrium and modes of a lattice that is a body of a system. Truth: the lattice engine's
// equilibrium and K.
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "program.h"

namespace femflex::tools {
namespace {

using testing::Program;
using testing::tolerance;

// Truth: the lattice engine's equilibrium, and the modes of its K and M there. K by differences of
// the residual is accurate to 1e-7.
TEST(LatticeBody, RestsAndSwingsWithItsHingesAsItsOwnStiffnessSays) {
  const Program femflex;
  testing::write_text(femflex.file("net.json"), R"({ "dimension": 2, "gravity": 9.81, "nodes": [
    { "id": 1, "x": [0, 0], "mass": 1, "fixed": true }, { "id": 2, "x": [1, 0], "mass": 1, "fixed": true },
    { "id": 3, "x": [2, 0.1], "mass": 0.3 }, { "id": 4, "x": [3, 0.2], "mass": 0.2 } ], "springs": [
    { "i": 1, "j": 2, "k": 900 }, { "i": 2, "j": 3, "k": 900 }, { "i": 3, "j": 4, "k": 900 } ],
    "rotational_springs": [ { "a": 1, "b": 2, "k": 80 }, { "a": 2, "b": 3, "k": 60 } ] })");
  testing::write_text(femflex.file("s.json"), R"({ "femflex": 1, "units": "m-kg-s",
    "planar": true, "gravity": [0, -9.81, 0], "bodies": { "net": { "lattice": "net.json" } },
    "analyses": [ { "type": "static" } ], "outputs": [ "net" ] })");
  const Json body = femflex.json("linearise s.json");
  const Json own = femflex.json("lattice net.json --statics --nodes 3,4 --to-fe net.fe.h5");
  const Json& values = *body.find("equilibrium")->find("values");
  for (const Json& node : own.find("nodes")->items()) {
    for (std::size_t axis = 0; axis < 2; ++axis)
      EXPECT_NEAR(
          values.find(fmt::format("net/{}/position/{}", node.find("id")->number(), "xy"[axis]))
              ->number(),
          node.find("position")->items()[axis].number(),
          tolerance(1e-10));
  }
  const Json modes = femflex.json("modes net.fe.h5 --normal 4");
  for (std::size_t k = 0; k < 4; ++k) {
    const double hz = modes.find("modes")->items()[k].find("frequency_hz")->number();
    EXPECT_NEAR(
        body.find("modes")->items()[k].find("frequency_hz")->number(), hz, tolerance(1e-6) * hz);
  }
}

}  // namespace
}  // namespace femflex::tools
