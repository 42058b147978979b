// Tests free bodies whose mass matrix was condensed by an FE program.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "femflex/importer/fe_model_file.h"

#include "program.h"
#include "support/spring_frame.h"

namespace femflex::testing {
namespace {

namespace frame = spring_frame;

/// The frame with K and M reduced to the nodes `kept` by Guyan: u = (1; -K_ii^-1 K_ib) u_b.
FeModel condensed_frame(const std::vector<int>& kept) {
  std::vector<Eigen::Index> b, i;
  std::vector<std::int64_t> ids;
  FeModel model;
  model.name = "frame";
  model.units = Units{};
  for (int id = 1; id <= frame::kNodes; ++id) {
    const bool stays = std::find(kept.begin(), kept.end(), id) != kept.end();
    for (int c = 1; c <= 6; ++c)
      (stays ? b : i).push_back(frame::at(id, c));
    if (!stays) continue;
    ids.push_back(id);
    model.nodes.push_back({id, frame::position(id)});
  }
  const Eigen::MatrixXd K = frame::stiffness(), M = frame::mass();
  const auto count = static_cast<Eigen::Index>(b.size());
  Eigen::MatrixXd T = Eigen::MatrixXd::Zero(K.rows(), count);
  T(b, Eigen::all).setIdentity();
  if (!i.empty())
    T(i, Eigen::all) = -Eigen::MatrixXd(K(i, i)).ldlt().solve(Eigen::MatrixXd(K(i, b)));
  const auto lower = [](const Eigen::MatrixXd& a) {
    return lower_triangle((0.5 * (a + a.transpose())).sparseView());
  };
  model.dofs = DofMap::all_six(ids);
  model.stiffness = lower(T.transpose() * K * T);
  model.mass = lower(T.transpose() * M * T);
  return make_fe_model(std::move(model));
}

constexpr const char* kSpin = R"json({
  "femflex": 1, "name": "spin", "units": "m-kg-s",
  "bodies": { "frame": { "flex": "frame.fbm", "model": "frame.fe.h5", "as": "flex", "damping": "none",
                         "angular_velocity": [8, -5, 12], "zeta_dot": [1, -2, 1, 0.5] } },
  "analyses": [ { "type": "dynamic", "end": 1, "integrator": "runge-kutta", "output_step": 0.1,
                  "relative_tolerance": 1e-11, "absolute_tolerance": 1e-13 } ],
  "outputs": [ "energy", "frame/3/position" ],
  "variants": { "full": { "bodies": { "frame": { "as": "full" } } } } })json";

// Truth: conservation of energy of the reduced body and of the full model, both read from files.
TEST(FreeBody, OfACondensedMassMatrixKeepsItsEnergy) {
  const Program femflex;
  importer::write_fe_model(condensed_frame({1, 2, 3, 5, 7, 8}), femflex.file("frame.fe.h5"));
  ASSERT_EQ(femflex("modes frame.fe.h5 --normal 10 -o modes.fe.h5").exit_code, 0);
  const CommandResult reduced =
      femflex("reduce modes.fe.h5 --select dynamic:7-10 --scale -o frame.fbm frame.sid");
  ASSERT_EQ(reduced.exit_code, 0) << reduced.err;
  write_text(femflex.file("spin.json"), kSpin);
  for (const std::string options : {"", " --variant full"}) {
    const tools::Json run = femflex.json("simulate spin.json -o spin.h5" + options);
    EXPECT_LT(run.find("energy_drift")->number(), tolerance(1e-9)) << options;
  }
}

// Truth: the same body without conversion. SID omits only data on which no motion depends.
TEST(FreeBody, MovesTheSameFromItsSid) {
  const Program femflex;
  importer::write_fe_model(condensed_frame({1, 2, 3, 5, 7, 8}), femflex.file("frame.fe.h5"));
  ASSERT_EQ(femflex("modes frame.fe.h5 --normal 10 -o modes.fe.h5").exit_code, 0);
  ASSERT_EQ(
      femflex("reduce modes.fe.h5 --select dynamic:7-10 --scale -o frame.fbm frame.sid").exit_code,
      0);
  write_text(femflex.file("spin.json"), kSpin);
  ASSERT_EQ(femflex("simulate spin.json -o fbm.h5").exit_code, 0);
  const CommandResult sid =
      femflex("simulate spin.json -o sid.h5 --set bodies.frame.flex=frame.sid");
  ASSERT_EQ(sid.exit_code, 0) << sid.err;
  EXPECT_EQ(sid.err.find("sid-identity"), std::string::npos) << sid.err;
  const tools::Json compared = femflex.json("compare fbm.h5 sid.h5");
  for (const tools::Json& channel : compared.find("channels")->items())
    EXPECT_LT(channel.find("relative_rms")->number(), tolerance(1e-8));
}

}  // namespace
}  // namespace femflex::testing
