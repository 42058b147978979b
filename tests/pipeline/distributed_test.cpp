// Tests factorisations distributed over processes: mpiexec -n N femflex ... --distributed gives the
// same modes and bodies as one process, verified by the same Sturm count. Truth: femflex on one
// process with its own factorisation.
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "femflex/flexfile/flexfile.h"
#include "femflex/importer/fe_model_file.h"

#include "problems.h"
#include "program.h"

namespace femflex::testing {
namespace {

// Frequencies of two solvers with residuals of 5e-9 agree much better than that, because the error
// of a frequency is proportional to the square of the residual.
constexpr double kFrequency = 1e-9;
// Shapes differ by about the residual divided by the distance between eigenvalues.
constexpr double kAngle = 1e-6;
// Static shapes differ by rounding errors of the two factorisations: the condition number of K
// times 1e-16.
constexpr double kStatic = 1e-8;

/// Sets the environment so that Open MPI starts any number of ranks for any user, on processors
/// that other tests use as well, and keeps its files in `folder`: two runs that make the same
/// folder at a time fail.
void allow_many_ranks(const std::filesystem::path& folder) {
  ::setenv("OMPI_MCA_orte_tmpdir_base", folder.c_str(), 1);
  ::setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
  ::setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  ::setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
  ::setenv("OMPI_MCA_hwloc_base_binding_policy", "none", 1);
  ::setenv("OMPI_MCA_mpi_yield_when_idle", "1", 1);
}

class Distributed : public ::testing::Test {
 protected:
  void SetUp() override {
    if (FEMFLEX_HAVE_MPI == 0) {
      GTEST_SKIP() << "femflex-mpi is not built: no MPI, or no parallel MUMPS";
    }
    allow_many_ranks(femflex_.file(".").parent_path());
  }

  void write(const FeModel& model) const {
    FeModel with_units = model;
    with_units.units = Units{};
    importer::write_fe_model(with_units, femflex_.file("m.fe.h5"));
  }

  FlexBody read(const std::string& name) const {
    Diagnostics diagnostics;
    return flexfile::read_body(femflex_.file(name), {}, diagnostics);
  }

  /// Runs femflex on `ranks` processes with --json.
  CommandResult on_ranks(int ranks, const std::string& words) const {
    // a lost rank must end the run; all runs here take less than a minute
    return run("timeout 60 '" FEMFLEX_MPIEXEC "' -n " + std::to_string(ranks) + " '" +
                   femflex_program().string() + "' " + words + " --distributed",
               femflex_.file(".").parent_path());
  }

  /// Checks that the modes of m.fe.h5 on `ranks` processes equal those on one process.
  void expect_same_modes(int ranks, const std::string& request) const {
    const CommandResult alone = femflex_("modes m.fe.h5 " + request + " -o alone.fe.h5 --json");
    ASSERT_EQ(alone.exit_code, 0) << alone.err;
    const CommandResult spread =
        on_ranks(ranks, "modes m.fe.h5 " + request + " -o spread.fe.h5 --json");
    ASSERT_EQ(spread.exit_code, 0) << spread.err;
    const FeModel expected = importer::read_fe_model(femflex_.file("alone.fe.h5"));
    const FeModel found = importer::read_fe_model(femflex_.file("spread.fe.h5"));
    expect_same(expected, found, ranks);
    const tools::Json document = tools::parse_json(spread.out, "spread");
    const tools::Json reference = tools::parse_json(alone.out, "alone");
    EXPECT_EQ(document.find("solve")->find("sturm_expected")->number(),
              reference.find("solve")->find("sturm_expected")->number());
    EXPECT_EQ(document.find("solve")->find("backend")->text(),
              "mumps on " + std::to_string(ranks) + (ranks == 1 ? " process" : " processes"));
  }

  static void expect_same(const FeModel& expected, const FeModel& found, int ranks) {
    ASSERT_EQ(found.modes.count(), expected.modes.count());
    double largest = 0.0;
    for (const ModeInfo& mode : expected.modes.modes)
      if (!std::isnan(mode.eigenvalue))
        largest = std::max(largest, std::sqrt(std::abs(mode.eigenvalue)));
    for (std::size_t k = 0; k < expected.modes.modes.size(); ++k) {
      const ModeInfo& mode = expected.modes.modes[k];
      EXPECT_EQ(found.modes.modes[k].kind, mode.kind) << k;
      if (std::isnan(mode.eigenvalue)) continue;  // a static shape has no eigenvalue
      const double omega = std::sqrt(std::abs(mode.eigenvalue));
      // rigid modes have the eigenvalue 0
      EXPECT_NEAR(std::sqrt(std::abs(found.modes.modes[k].eigenvalue)),
                  omega,
                  tolerance(kFrequency) * (omega > kFrequency * largest ? omega : largest))
          << "mode " << k + 1 << " on " << ranks;
    }
    // the part of the found shapes outside the span of the expected ones, in the norm of M
    const SparseMatrix& M = *expected.mass;
    const Eigen::MatrixXd X = shapes_on(expected.modes, expected.dofs);
    const Eigen::MatrixXd Y = shapes_on(found.modes, expected.dofs);
    const Eigen::MatrixXd MX = M.selfadjointView<Eigen::Lower>() * X;
    const Eigen::MatrixXd G = X.transpose() * MX;
    const Eigen::MatrixXd left = Y - X * G.ldlt().solve(MX.transpose() * Y);
    const Eigen::VectorXd outside =
        left.cwiseProduct(M.selfadjointView<Eigen::Lower>() * left).colwise().sum();
    const Eigen::VectorXd whole =
        Y.cwiseProduct(M.selfadjointView<Eigen::Lower>() * Y).colwise().sum();
    for (std::size_t k = 0; k < expected.modes.modes.size(); ++k) {
      if (!std::isnan(expected.modes.modes[k].eigenvalue)) continue;
      const auto j = static_cast<Eigen::Index>(k);
      EXPECT_LT((X.col(j) - Y.col(j)).norm(), tolerance(kStatic) * X.col(j).norm()) << k + 1;
    }
    for (Eigen::Index j = 0; j < Y.cols(); ++j)
      EXPECT_LT(std::sqrt(std::abs(outside(j)) / whole(j)), tolerance(kAngle)) << "mode " << j + 1;
  }

  Program femflex_;
};

TEST_F(Distributed, AFreeBlockHasTheModesOfOneProcess) {
  write(brick_block(12, 5, 4, 1.0, 0.31, 0.17));
  for (const int ranks : {1, 2, 4})
    expect_same_modes(ranks, "--normal 20");
}

// The last front of a cube is so large that MUMPS would distribute it by ScaLAPACK, which does not
// count negative pivots.
TEST_F(Distributed, ACubeWithALargeLastFrontIsCounted) {
  write(brick_block(17, 17, 17, 1.0, 0.9, 0.8));
  expect_same_modes(2, "--normal 12");
}

TEST_F(Distributed, TwoLoosePartsHaveTwelveRigidModes) {
  write(copies(brick_block(8, 4, 3, 1.0, 0.31, 0.17), 2));
  expect_same_modes(2, "--normal 24");
}

// Twelve cantilevers without connection: every frequency occurs twelve times.
TEST_F(Distributed, TwelvefoldFrequenciesComeWithAllTheirCopies) {
  write(copies(beam(30, "cf"), 12));
  for (const int ranks : {2, 4})
    expect_same_modes(ranks, "--normal 36");
}

TEST_F(Distributed, AllModesBelowAFrequencyAreCountedOverAllProcesses) {
  FeModel plate_model = plate(12, 's');
  write(plate_model);
  expect_same_modes(2, "--fmax 40");
}

TEST_F(Distributed, ConstraintAndAttachmentShapesAreThoseOfOneProcess) {
  write(joined_block());
  expect_same_modes(2, "--constraint --normal 12 --fixed interface");
  expect_same_modes(2, "--residual --normal 12");
}

// A real chassis of 5,223 DOFs: body, invariants and frequencies.
TEST_F(Distributed, TheChassisReducesToTheSameBody) {
  const std::string chassis =
      data("chassis/framec.bdf").string() + " " + data("chassis/framec_kgg_mgg_ascii.op4").string();
  ASSERT_EQ(
      femflex_("import " + chassis + " --interface 1-8,51 --units m-kg-s -o m.fe.h5").exit_code, 0);
  const std::string words =
      "reduce m.fe.h5 --method craig-bampton --normal 20 --orthogonalise --scale -o ";
  ASSERT_EQ(femflex_(words + "alone.fbm").exit_code, 0);
  const FlexBody expected = read("alone.fbm");
  for (const int ranks : {2, 4}) {
    const CommandResult spread = on_ranks(ranks, words + "spread.fbm");
    ASSERT_EQ(spread.exit_code, 0) << spread.err;
    const FlexBody found = read("spread.fbm");
    ASSERT_EQ(found.modes.size(), expected.modes.size());
    for (std::size_t k = 0; k < expected.modes.size(); ++k)
      EXPECT_NEAR(std::sqrt(found.modes[k].eigenvalue / expected.modes[k].eigenvalue),
                  1.0,
                  tolerance(kFrequency))
          << k;
    EXPECT_NEAR(found.invariants.mass,
                expected.invariants.mass,
                tolerance(1e-12) * expected.invariants.mass);
    // invariants that do not depend on the signs of the shapes
    EXPECT_LT(relative_difference(found.invariants.inertia, expected.invariants.inertia),
              tolerance(1e-12));
    EXPECT_EQ(found.provenance.options, expected.provenance.options);
  }
}

// The second block is not supported: K_ii is singular, and zero pivots are found on all ranks.
TEST_F(Distributed, APartThatNothingHoldsIsNamedAsByOneProcess) {
  FeModel model = copies(joined_block(), 2);
  model.interface_nodes = joined_block().interface_nodes;
  write(model);
  const std::string words = "modes m.fe.h5 --constraint --normal 4 --fixed interface -o out.fe.h5";
  const CommandResult alone = femflex_(words);
  const CommandResult spread = on_ranks(2, words);
  EXPECT_EQ(alone.exit_code, 3) << alone.err;
  EXPECT_EQ(spread.exit_code, alone.exit_code);
  EXPECT_NE(spread.err.find(alone.err), std::string::npos) << alone.err << spread.err;
  EXPECT_FALSE(femflex_.has("out.fe.h5"));
}

// Wrong input gives one message, not one message per rank.
TEST_F(Distributed, AnErrorIsToldOnce) {
  const CommandResult result = on_ranks(2, "modes nowhere.fe.h5 --normal 3 -o out.fe.h5");
  EXPECT_EQ(result.exit_code, 2);
  const std::size_t first = result.err.find("nowhere.fe.h5");
  ASSERT_NE(first, std::string::npos) << result.err;
  EXPECT_EQ(result.err.find("nowhere.fe.h5: no such file", first + 1), std::string::npos)
      << result.err;
  const CommandResult other = on_ranks(2, "info nowhere.fe.h5");
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_NE(other.err.find("--distributed"), std::string::npos) << other.err;
}

// The block takes seconds, so that the signal arrives while both ranks work.
TEST_F(Distributed, ALostRankEndsTheRunWithAMessageAndNoOutput) {
  write(brick_block(24, 16, 16, 1.0, 0.9, 0.8));
  const CommandResult result =
      run("timeout 60 '" FEMFLEX_MPIEXEC "' -n 2 '" + femflex_program().string() +
              "' modes m.fe.h5 --normal 60 -o out.fe.h5 --distributed & run=$!\n"
              "for k in $(seq 200); do\n"
              "  ranks=$(for p in /proc/[0-9]*; do\n"
              "    [ \"$(readlink $p/cwd)\" = \"$PWD\" ] && [ \"$(cat $p/comm)\" = femflex-mpi ] "
              "&& basename $p\n"
              "  done | sort -n)\n"
              "  [ $(echo $ranks | wc -w) -ge 2 ] && break\n"
              "  sleep 0.05\n"
              "done\n"
              "sleep 0.5\n"
              "kill -9 $(echo $ranks | cut -d' ' -f2)\n"
              "wait $run",
          femflex_.file(".").parent_path());
  EXPECT_NE(result.exit_code, 0);
  EXPECT_NE(result.exit_code, 124) << "the run did not end by itself";  // exit code of the program
                                                                        // timeout
  EXPECT_NE(result.err.find("ignal"), std::string::npos) << result.err;
  EXPECT_FALSE(femflex_.has("out.fe.h5"));
}

TEST(LittleMemory, IsToldBeforeItIsTaken) {
  const Program femflex;
  FeModel model = brick_block(6, 3, 2, 1.0, 0.31, 0.17);
  model.units = Units{};
  importer::write_fe_model(model, femflex.file("m.fe.h5"));
  const CommandResult little = femflex("modes m.fe.h5 --normal 8 --memory 1M -o out.fe.h5");
  EXPECT_EQ(little.exit_code, 3);
  EXPECT_NE(little.err.find("--memory"), std::string::npos) << little.err;
  EXPECT_FALSE(femflex.has("out.fe.h5"));
  const CommandResult wrong = femflex("modes m.fe.h5 --normal 8 --memory plenty -o out.fe.h5");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.err.find("plenty"), std::string::npos) << wrong.err;
  EXPECT_EQ(line_count(wrong.err), 1U) << wrong.err;
  EXPECT_EQ(femflex("modes m.fe.h5 --normal 8 --memory 4G -o out.fe.h5").exit_code, 0);
}

TEST(DistributedWithoutMpi, SaysWhatToInstall) {
  const TemporaryFolder folder;
  std::filesystem::copy_file(femflex_program(), folder / "femflex");
  const CommandResult result =
      run("PATH= ./femflex modes m.fe.h5 --normal 3 --distributed", folder.path());
  EXPECT_EQ(result.exit_code, 2);
  for (const char* part : {"femflex-mpi", "libmumps-dev", "libopenmpi-dev"})
    EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
  EXPECT_EQ(line_count(result.err), 1U) << result.err;
}

}  // namespace
}  // namespace femflex::testing
