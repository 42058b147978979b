// Tests `femflex reduce` as a user runs it: every method, geometric stiffening from preloaded
// matrices, tables.
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "femflex/flexfile/flexfile.h"
#include "femflex/importer/fe_model_file.h"

#include "problems.h"
#include "program.h"

namespace femflex::testing {
namespace {

FeModel held_block() {
  FeModel block = brick_block(6, 1, 1, 1.0, 0.2, 0.15);
  block.interface_nodes = {1, 8, 15, 22};  // the corners of one end face
  return block;
}

FlexBody body_in(const std::filesystem::path& path) {
  Diagnostics diagnostics;
  return flexfile::read_body(path, {}, diagnostics);
}

/// The shapes in the order of the DOFs of a model with translations only.
Eigen::MatrixXd on_model(const FeModel& model, const FlexBody& body) {
  Eigen::MatrixXd U(model.dofs.size(), body.mode_count());
  for (std::int64_t row = 0; row < model.dofs.size(); ++row)
    U.row(row) =
        body.shapes.row(6 * find_node(body, model.dofs[row].node) + model.dofs[row].component - 1);
  return U;
}

// Truth: (K(preload) - K) / amount, projected on the shapes of the body. It is in the .fbm file
// and, to the digits of the text, in the SID file.
TEST(ReduceVerb, TakesStiffeningFromPreloadedModelsIntoTheBodyFiles) {
  const Program femflex;
  const FeModel block = held_block();
  FeModel spun = block;
  FeModel pulled = block;
  // any symmetric change of K is sufficient: springs between nodes with consecutive numbers
  std::vector<Entry> strings;
  for (std::int64_t node = 0; node + 1 < static_cast<std::int64_t>(block.nodes.size()); ++node)
    for (std::int8_t c = 2; c <= 3; ++c) {
      const std::int64_t a = block.dofs.find({block.nodes[static_cast<std::size_t>(node)].id, c});
      const std::int64_t b =
          block.dofs.find({block.nodes[static_cast<std::size_t>(node + 1)].id, c});
      strings.push_back({a, a, 3e4});
      strings.push_back({b, b, 3e4});
      strings.push_back({std::max(a, b), std::min(a, b), -3e4});
    }
  const SparseMatrix change = assemble(block.dofs.size(), block.dofs.size(), strings);
  *spun.stiffness += change;
  *pulled.stiffness -= 2.0 * change;
  importer::write_fe_model(block, femflex.file("block.fe.h5"));
  importer::write_fe_model(spun, femflex.file("spun.fe.h5"));
  importer::write_fe_model(pulled, femflex.file("pulled.fe.h5"));
  const CommandResult made = femflex(
      "reduce block.fe.h5 --method craig-bampton --normal 6 --orthogonalise --scale "
      "--drop-rigid --geometric spin-zz=spun.fe.h5@100 "
      "--geometric acceleration-x=pulled.fe.h5@-4 -o b.fbm b.SID_FEM");
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const FlexBody body = body_in(femflex.file("b.fbm"));
  ASSERT_EQ(body.geometric.size(), 2u);
  const Eigen::MatrixXd U = on_model(block, body);
  const Eigen::MatrixXd expected = U.transpose() * (mirrored(change) * U);
  EXPECT_EQ(body.geometric[0].cause, GeometricStiffness::Cause::spin_zz);
  EXPECT_LT(relative_difference(body.geometric[0].stiffness, expected / 100.0), tolerance(1e-8));
  EXPECT_EQ(body.geometric[1].cause, GeometricStiffness::Cause::acceleration_x);
  EXPECT_LT(relative_difference(body.geometric[1].stiffness, expected / 2.0), tolerance(1e-8));

  const FlexBody sid = body_in(femflex.file("b.SID_FEM"));
  ASSERT_EQ(sid.geometric.size(), 2u);
  for (const GeometricStiffness& term : sid.geometric) {
    const bool is_spin = term.cause == GeometricStiffness::Cause::spin_zz;
    EXPECT_TRUE(is_spin || term.cause == GeometricStiffness::Cause::acceleration_x);
    EXPECT_LT(relative_difference(term.stiffness, expected / (is_spin ? 100.0 : 2.0)),
              tolerance(1e-6));
  }

  // a model with other DOFs is not a preloaded state of this model
  importer::write_fe_model(brick_block(5, 1, 1, 1.0, 0.2, 0.15), femflex.file("other.fe.h5"));
  const CommandResult refused =
      femflex("reduce block.fe.h5 --method guyan --geometric spin-zz=other.fe.h5 -o no.fbm");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("other DOFs"), std::string::npos) << refused.err;
  EXPECT_FALSE(femflex.has("no.fbm"));
}

// Each method gives a body that the next step can use. Truth: the full model.
TEST(ReduceVerb, EveryMethodEndsInABodyThatValidates) {
  const Program femflex;
  importer::write_fe_model(held_block(), femflex.file("block.fe.h5"));
  for (const std::string method : {"craig-bampton --normal 30",
                                   "craig-chang --normal 16",
                                   "krylov --krylov 3",
                                   "auto --band 0-2000Hz"}) {
    const CommandResult made = femflex("reduce block.fe.h5 --method " + method + " -o b.fbm");
    ASSERT_EQ(made.exit_code, 0) << method << made.err;
    const CommandResult judged =
        femflex("validate b.fbm --against block.fe.h5 --modes 4 --band 0-2000Hz");
    EXPECT_EQ(judged.exit_code, 0) << method << judged.out;
  }
  // a body with normal modes only has the right frequencies, but no static solutions, so the check
  // fails
  ASSERT_EQ(femflex("reduce block.fe.h5 --method dynamic --normal 16 -o b.fbm").exit_code, 0);
  const CommandResult judged = femflex("validate b.fbm --against block.fe.h5 --modes 4");
  EXPECT_EQ(judged.exit_code, 1);
  EXPECT_NE(judged.out.find("static displacements"), std::string::npos) << judged.out;
  EXPECT_EQ(judged.out.find("is off by 0"), std::string::npos) << judged.out;
}

// The modes of a set that spans all motions (normal modes of every DOF) contain the total mass: the
// sum of gamma^2 / m is the mass in each direction and the inertia about each axis.
TEST(ReduceVerb, EffectiveMassesOfACompleteSetAddUpToTheBody) {
  const Program femflex;
  const FeModel block = held_block();
  importer::write_fe_model(block, femflex.file("block.fe.h5"));
  const tools::Json made =
      femflex.json("reduce block.fe.h5 --method dynamic --keep-rigid --normal " +
                   std::to_string(block.dofs.size()) + " -o b.fbm");
  const tools::Json& table = *made.find("effective_mass");
  ASSERT_EQ(table.find("modes")->items().size(), static_cast<std::size_t>(block.dofs.size()));
  for (std::size_t c = 0; c < 6; ++c)
    EXPECT_NEAR(table.find("sum")->items()[c].number() / table.find("body")->items()[c].number(),
                1.0,
                tolerance(1e-8));
  EXPECT_NEAR(table.find("body")->items()[0].number(), 7850.0 * 0.2 * 0.15, tolerance(1e-8));
  // the mass matrix of bricks is not lumped; the difference is reported, and the total mass is
  // correct
  EXPECT_LT(made.find("lumped")->find("mass")->number(), tolerance(1e-10));
  EXPECT_GT(made.find("lumped")->find("modal")->number(), 0.1);
  EXPECT_LE(made.find("lumped")->find("rotation")->number(), 2.0);
  const CommandResult text = femflex("reduce block.fe.h5 --method dynamic --tables -o b.fbm");
  for (const char* title : {"participation", "effective mass", "kinetic energy"})
    EXPECT_NE(text.out.find(title), std::string::npos) << title;
}

// In a set that is not orthogonal, modes share mass. Their total effective mass equals that of the
// orthogonalised set.
TEST(ReduceVerb, EffectiveMassesOfASetThatIsNotOrthogonalAreToldAsAWhole) {
  const Program femflex;
  importer::write_fe_model(held_block(), femflex.file("block.fe.h5"));
  const auto table = [&](const std::string& options) {
    return *femflex
                .json("reduce block.fe.h5 --method craig-bampton --keep-rigid --normal 4 " +
                      options + " -o b.fbm")
                .find("effective_mass");
  };
  const tools::Json apart = table("");
  const tools::Json orthogonal = table("--orthogonalise --reject-above 1e20");
  EXPECT_FALSE(apart.find("orthogonal")->boolean());
  EXPECT_TRUE(orthogonal.find("orthogonal")->boolean());
  for (std::size_t c = 0; c < 6; ++c)
    EXPECT_NEAR(
        apart.find("sum")->items()[c].number() / orthogonal.find("sum")->items()[c].number(),
        1.0,
        tolerance(1e-8));
}

// The list shows the mode numbers that --select accepts, even if the model already contains modes.
TEST(ModesVerb, ListsTheNumbersThatSelectTakes) {
  const Program femflex;
  importer::write_fe_model(held_block(), femflex.file("block.fe.h5"));
  ASSERT_EQ(femflex("modes block.fe.h5 --normal 8").exit_code, 0);
  const tools::Json again = femflex.json("modes block.fe.h5 --normal 10");
  const tools::Json& last = again.find("modes")->items().back();
  EXPECT_EQ(last.find("label")->text(), "dynamic:18");
  const tools::Json body = femflex.json("reduce block.fe.h5 --select dynamic:18 -o b.fbm");
  EXPECT_NEAR(body.find("modes")->items()[0].find("frequency_hz")->number(),
              last.find("frequency_hz")->number(),
              tolerance(1e-6) * last.find("frequency_hz")->number());
}

TEST(ReduceVerb, RefusesNegativeCounts) {
  const Program femflex;
  importer::write_fe_model(held_block(), femflex.file("block.fe.h5"));
  for (const char* call : {"modes block.fe.h5 --normal -5",
                           "modes block.fe.h5 --krylov -1",
                           "reduce block.fe.h5 --method dynamic --normal -5 -o b.fbm",
                           "reduce block.fe.h5 --method krylov --krylov -2 -o b.fbm"}) {
    const CommandResult refused = femflex(call);
    EXPECT_EQ(refused.exit_code, 2) << call;
    EXPECT_NE(refused.err.find("is negative where a count was expected"), std::string::npos)
        << call << refused.err;
  }
}

// Truth: the methods that use each option. Without --method, a model that holds modes gives these.
TEST(ReduceVerb, RefusesOptionsOfOtherMethods) {
  const Program femflex;
  importer::write_fe_model(held_block(), femflex.file("block.fe.h5"));
  femflex("modes block.fe.h5 --normal 10");
  for (const auto& [options, option] :
       {std::pair("--normal 40 --fmax 500", "--normal"),
        std::pair("--fmax 500", "--fmax"),
        std::pair("--band 0-100Hz", "--band"),
        std::pair("--tolerance 1e-2", "--tolerance"),
        std::pair("--krylov 2", "--krylov"),
        std::pair("--method guyan --normal 4", "--normal"),
        std::pair("--method krylov --normal 4", "--normal"),
        std::pair("--method dynamic --tolerance 0.1", "--tolerance"),
        std::pair("--method dynamic --tolerance 1e-3", "--tolerance"),  // the default
        std::pair("--method guyan --krylov 4", "--krylov"),
        std::pair("--method auto --band 0-9Hz --fmax 9", "--fmax")}) {
    const CommandResult refused = femflex(fmt::format("reduce block.fe.h5 {} -o b.fbm", options));
    EXPECT_EQ(refused.exit_code, 2) << options;
    EXPECT_NE(refused.err.find(fmt::format("{} has no effect", option)), std::string::npos)
        << options << refused.err;
  }
}

// The frame of a free body describes its rigid motion, so a set that contains rigid modes has no
// unique accelerations. The printed recipe drops these modes. A body that keeps them causes an
// error that states the reason.
TEST(ReduceVerb, ARecipeGivesABodyThatRunsAndKeptRigidModesAreNamed) {
  const Program femflex;
  importer::write_fe_model(held_block(), femflex.file("block.fe.h5"));
  const std::string recipe =
      "reduce block.fe.h5 --method craig-bampton --normal 4 --orthogonalise --scale "
      "--reject-above 1e20 ";
  ASSERT_EQ(femflex(recipe + "-o free.fbm").exit_code, 0);
  ASSERT_EQ(femflex(recipe + "--keep-rigid -o kept.fbm").exit_code, 0);
  for (const char* name : {"free", "kept"})
    write_text(femflex.file(std::string(name) + ".json"),
               std::string(R"({ "bodies": { "block": { "flex": ")") + name +
                   R"(.fbm" } }, "gravity": [0, 0, -9.81],
         "analyses": [ { "type": "dynamic", "end": 0.002, "step": 1e-5 } ] })");
  EXPECT_EQ(femflex("simulate free.json -o free.h5").exit_code, 0);
  const CommandResult doubted = femflex("linearise kept.json --no-statics");
  EXPECT_NE(doubted.err.find("hold rigid-body motion"), std::string::npos) << doubted.err;
  EXPECT_EQ(femflex("linearise free.json --no-statics").err, "");
  const CommandResult failed = femflex("simulate kept.json -o kept.h5");
  EXPECT_NE(failed.exit_code, 0);
  EXPECT_NE(failed.err.find("modes of body 'block' hold rigid-body motion"), std::string::npos)
      << failed.err;
}

// Truth: closed forms of a rod of 1 kg and 1 m that moves in a plane: mass centre, and inertia
// about it. Nodes on one line must not cause a warning about units.
TEST(CheckVerb, WeighsABeamInThePlaneAndTrustsItsUnits) {
  const Program femflex;
  importer::write_fe_model(beam(10, "ff"), femflex.file("beam.fe.h5"));
  EXPECT_EQ(femflex("check beam.fe.h5").exit_code, 0);
  const tools::Json told = femflex.json("check beam.fe.h5");
  EXPECT_NEAR(told.find("mass")->number(), 1.0, tolerance(1e-12));
  EXPECT_NEAR(told.find("centre")->items()[0].number(), 0.5, tolerance(1e-12));
  EXPECT_NEAR(told.find("inertia")->items()[1].number(), 1.0 / 12.0 + 1.0 / 600.0, tolerance(1e-9));
  // millimetres and tonnes read as metres and kilograms would give a beam of 1e9 kg
  FeModel heavy = beam(10, "ff");
  *heavy.mass *= 1e9;
  importer::write_fe_model(heavy, femflex.file("heavy.fe.h5"));
  EXPECT_EQ(femflex("check heavy.fe.h5").exit_code, 1);
}

}  // namespace
}  // namespace femflex::testing
