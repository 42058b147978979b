// Tests MUMPS with little memory: a factor on disk gives the same counts and solutions as one in
// memory. Truth: the supernodal factorisation, and residuals.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/modal/compute_modes.h"
#include "femflex/parallel.h"

#include "dense/symmetric_eigen.h"
#include "problems.h"
#include "solve/mumps_share.h"
#include "solve/ordering.h"
#include "solve/projection.h"
#include "support/support.h"

namespace femflex::testing {
namespace {

using namespace femflex::modal;

/// A block whose factor is larger than its matrices, with the order of its elimination.
struct Block {
  FeModel model = brick_block(14, 12, 10, 1.0, 0.9, 0.8);
  std::vector<std::int32_t> group;
  std::vector<std::int32_t> order;
  Block() {
    for (const Dof& dof : model.dofs.rows())
      group.push_back(static_cast<std::int32_t>(dof.node));
    order = fill_reducing_order(*model.stiffness, group);
  }
  const SparseMatrix& K() const { return *model.stiffness; }
  const SparseMatrix& M() const { return *model.mass; }
};

/// lambda among the first bending modes of the block, off the eigenvalues.
constexpr double kAmongModes = 4.0e8;

class LittleMemory : public ::testing::Test {
 protected:
  void SetUp() override {
    if (make_mumps_factorisation() == nullptr) GTEST_SKIP() << "MUMPS is not built in";
  }

  /// Counts and solves with the memory `share` of what the usual way takes.
  void expect_as_usual(double share, const std::string& way) {
    const Block block;
    std::unique_ptr<Factorisation> usual = make_supernodal_factorisation(1);
    usual->analyse(block.K(), block.order, block.group);
    ASSERT_TRUE(usual->factor(block.K(), kAmongModes, block.M()));
    ASSERT_GT(usual->inertia().negative, 6);

    std::unique_ptr<Factorisation> lean = make_mumps_factorisation();
    lean->analyse(block.K(), block.order, block.group);
    const double whole = lean->memory();
    ASSERT_GT(whole, 0.0);
    EXPECT_TRUE(lean->fit(share * whole)) << lean->memory() << " of " << whole;
    EXPECT_EQ(lean->name(), way);
    ASSERT_TRUE(lean->factor(block.K(), kAmongModes, block.M()));
    EXPECT_EQ(lean->inertia().negative, usual->inertia().negative);

    Eigen::MatrixXd x = Eigen::MatrixXd::Random(block.K().rows(), 5);
    const Eigen::MatrixXd right = x;
    lean->solve(x);
    const Eigen::MatrixXd rest =
        right - symmetric_product(block.K(), x) + kAmongModes * symmetric_product(block.M(), x);
    EXPECT_LT(rest.norm(), tolerance(1e-9) * right.norm());
  }
};

TEST_F(LittleMemory, AllOfItIsTheUsualWay) {
  expect_as_usual(1.0, "mumps");
}

TEST_F(LittleMemory, AFactorOnDiskCountsTheSameEigenvalues) {
  expect_as_usual(0.75, "mumps, on disk");
}

TEST_F(LittleMemory, TooLittleIsToldWithTheLeastThatWouldDo) {
  const Block block;
  std::unique_ptr<Factorisation> lean = make_mumps_factorisation();
  lean->analyse(block.K(), block.order, block.group);
  const double whole = lean->memory();
  EXPECT_FALSE(lean->fit(1000.0));
  EXPECT_LT(lean->memory(), whole);

  ModeRequest request;
  request.normal = 10;
  request.solve.memory = 1e6;  // less than the program itself
  Diagnostics diagnostics;
  EXPECT_EQ(code_of([&] { compute_modes(block.model, request, diagnostics); }), "needs-memory");
}

/// TMPDIR during its life.
class TemporaryFolderOfMumps {
 public:
  explicit TemporaryFolderOfMumps(const std::string& folder) {
    if (const char* old = std::getenv("TMPDIR")) old_ = old;
    ::setenv("TMPDIR", folder.c_str(), 1);
  }
  TemporaryFolderOfMumps(const TemporaryFolderOfMumps&) = delete;
  TemporaryFolderOfMumps& operator=(const TemporaryFolderOfMumps&) = delete;
  TemporaryFolderOfMumps(TemporaryFolderOfMumps&&) = delete;
  TemporaryFolderOfMumps& operator=(TemporaryFolderOfMumps&&) = delete;
  ~TemporaryFolderOfMumps() {
    if (old_)
      ::setenv("TMPDIR", old_->c_str(), 1);
    else
      ::unsetenv("TMPDIR");
  }

 private:
  std::optional<std::string> old_;
};

// Truth: the name of the folder.
TEST_F(LittleMemory, AFolderThatCannotHoldTheFactorIsNamed) {
  const Block block;
  std::unique_ptr<Factorisation> lean = make_mumps_factorisation();
  lean->analyse(block.K(), block.order, block.group);
  const double half = 0.75 * lean->memory();
  {
    const TemporaryFolderOfMumps folder("/" + std::string(300, 'x'));
    EXPECT_EQ(code_of([&] { lean->fit(half); }), "temporary-folder");
  }
  const TemporaryFolderOfMumps folder("/no/such/folder");
  ASSERT_TRUE(lean->fit(half));
  try {
    lean->factor(block.K(), kAmongModes, block.M());
    FAIL() << "written to nowhere";
  } catch (const NumericalError& error) {
    EXPECT_EQ(error.where().file, "/no/such/folder") << error.message();
  }
}

TEST(MemorySizes, AreReadWithTheirUnits) {
  EXPECT_EQ(parse_memory("16G"), 16e9);
  EXPECT_EQ(parse_memory("2.5 GB"), 2.5e9);
  EXPECT_EQ(parse_memory("800M"), 800e6);
  EXPECT_EQ(parse_memory("1000"), 1000.0);
  for (const char* text : {"", "much", "-1G", "5X", "G", "1e400"})
    EXPECT_EQ(code_of([&] { parse_memory(text); }), "memory") << text;
}

}  // namespace
}  // namespace femflex::testing
