// Tests models of real FE programs, which are read from the folder of sample data beside the
// project.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include <gtest/gtest.h>

#include "femflex/importer/import_model.h"
#include "femflex/importer/read_contents.h"
#include "femflex/modal/compute_modes.h"
#include "femflex/modal/reduce.h"
#include "femflex/modal/validate.h"

#include "solve/projection.h"
#include "support/support.h"

namespace femflex::modal {
namespace {

namespace fs = std::filesystem;
using testing::relative_difference;
using testing::tolerance;

/// Columns of a CSV file without its head line.
std::vector<std::vector<double>> read_csv(const fs::path& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  std::vector<std::vector<double>> rows;
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    rows.emplace_back();
    for (std::string field; std::getline(fields, field, ',');)
      rows.back().push_back(std::stod(field));
  }
  return rows;
}

class RealModels : public ::testing::Test {
 protected:
  void SetUp() override {
    shared_ = testing::shared_folder();
    if (shared_.empty()) GTEST_SKIP() << "no folder of sample data beside the project";
  }

  FeModel import(const std::vector<fs::path>& files, const std::vector<std::int64_t>& interface) {
    importer::ImportRequest request;
    request.files = files;
    request.units = parse_units("m-kg-s");
    request.interface_nodes = interface;
    return importer::import_model(request, diagnostics_).model;
  }

  std::optional<FeModel> chassis() {
    const fs::path zip = shared_ / "data" / "calculix" / "chassis_5k.zip";
    const testing::CommandResult unpacked =
        testing::run("unzip -o -q '" + zip.string() + "'", folder_.path());
    if (unpacked.exit_code != 0) return std::nullopt;
    std::vector<std::int64_t> interface;
    for (std::int64_t point = 0; point < 8; ++point)
      interface.push_back(1798 + 2 * point);
    FeModel model = import({folder_ / "chassis_5k.sti",
                            folder_ / "chassis_5k.mas",
                            folder_ / "chassis_5k.dof",
                            folder_ / "chassis_5k_mesh.inp"},
                           {});
    // translations of a ROT NODE are rotations of its REF NODE, as the .inp file says; a file of
    // DOFs alone does not
    std::vector<Dof> rows = model.dofs.rows();
    for (Dof& dof : rows)
      for (const std::int64_t reference : interface)
        if (dof.node == reference + 1 && dof.component <= 3)
          dof = {reference, static_cast<std::int8_t>(dof.component + 3)};
    model.dofs = DofMap(rows);
    model.interface_nodes = interface;
    return make_fe_model(std::move(model));
  }

  fs::path shared_;
  testing::TemporaryFolder folder_;
  Diagnostics diagnostics_;
};

/// A x in 64 bits of mantissa, where the machine has them.
Eigen::Matrix<long double, Eigen::Dynamic, 1> long_product(
    const SparseMatrix& lower, const Eigen::Matrix<long double, Eigen::Dynamic, 1>& x) {
  Eigen::Matrix<long double, Eigen::Dynamic, 1> y =
      Eigen::Matrix<long double, Eigen::Dynamic, 1>::Zero(x.size());
  for (Eigen::Index col = 0; col < lower.cols(); ++col)
    for (SparseMatrix::InnerIterator it(lower, col); it; ++it) {
      y(it.row()) += static_cast<long double>(it.value()) * x(col);
      if (it.row() != col) y(col) += static_cast<long double>(it.value()) * x(it.row());
    }
  return y;
}

/// |K x - lambda M x| / |K x| of the double vectors delivered, on the free rows.
double true_residual(const FeModel& model, const ComputedModes& modes, std::size_t k, bool held) {
  using Vector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;
  const Vector x = modes.modes.shapes.col(static_cast<Eigen::Index>(k)).cast<long double>();
  Vector force = long_product(*model.stiffness, x);
  Vector rest = force - static_cast<long double>(modes.modes.modes[k].eigenvalue) *
                            long_product(*model.mass, x);
  for (const std::int64_t node : model.interface_nodes)
    for (std::int8_t c = 1; held && c <= 6; ++c)
      if (const std::int64_t row = model.dofs.find({node, c}); row >= 0) rest(row) = force(row) = 0;
  return static_cast<double>(rest.norm() / force.norm());
}

double orthogonality_error(const FeModel& model, const ComputedModes& modes) {
  const Eigen::MatrixXd m = project(*model.mass, modes.modes.shapes);
  return (m - Eigen::MatrixXd::Identity(m.rows(), m.cols())).cwiseAbs().maxCoeff();
}

// The residual of the vectors as delivered, evaluated with more digits than a double has: their
// rounding alone amounts to 9e-9 in the lowest free mode. Orthogonality includes the rigid modes.
TEST_F(RealModels, ChassisModesHaveSmallResidualsAndAreOrthogonal) {
  if (std::numeric_limits<long double>::digits < 64)
    GTEST_SKIP() << "long double is no longer than double here";
  const std::optional<FeModel> model = chassis();
  if (!model) GTEST_SKIP() << "unzip is not installed";
  for (const bool clamped : {false, true}) {
    ModeRequest request;
    request.normal = 20;
    request.fixed = clamped ? ModeRequest::Boundary::interface : ModeRequest::Boundary::none;
    const ComputedModes modes = compute_modes(*model, request, diagnostics_);
    double worst = 0.0;
    for (std::size_t k = clamped ? 0 : 6; k < 20; ++k)
      worst = std::max(worst, true_residual(*model, modes, k, clamped));
    EXPECT_LT(worst, tolerance(1e-8)) << (clamped ? "clamped" : "free");
    EXPECT_NEAR(modes.report.worst_residual / worst, 1.0, 1e-2);
    EXPECT_LT(orthogonality_error(*model, modes), tolerance(1e-10));
  }
}

// Truth: a Craig-Chang set of 11 normal modes, 6 of them rigid, which validation accepts. The
// search may find fewer, and not more; round-off of K must not count as resonances near 0 Hz.
TEST_F(RealModels, ChassisAutomaticSetIsNoLargerThanAFreeSetThatMeetsTheTolerance) {
  const std::optional<FeModel> model = chassis();
  if (!model) GTEST_SKIP() << "unzip is not installed";
  ReduceOptions options;
  options.method = Method::craig_chang;
  options.normal = 11;
  const FlexBody free_set = reduce(*model, options, diagnostics_);
  options.method = Method::automatic;
  options.normal.reset();
  options.band = FrequencyBand{0.0, 50.0};
  options.tolerance = 5e-2;
  const FlexBody automatic = reduce(*model, options, diagnostics_);
  EXPECT_LE(automatic.mode_count(), free_set.mode_count());
  ValidateOptions validation;
  validation.band = options.band;
  for (const FlexBody* body : {&free_set, &automatic})
    EXPECT_LE(validate(*body, *model, validation, diagnostics_).frf_error, options.tolerance);
}

// CalculiX 2.20 and a block Lanczos prototype, to twelve digits (chassis_5k_expected.csv).
TEST_F(RealModels, ChassisFrequenciesAreThoseOfCalculix) {
  const std::optional<FeModel> model = chassis();
  if (!model) GTEST_SKIP() << "unzip is not installed";
  const auto expected = read_csv(shared_ / "data" / "calculix" / "chassis_5k_expected.csv");
  for (const bool clamped : {false, true}) {
    ModeRequest request;
    request.normal = 20;
    request.fixed = clamped ? ModeRequest::Boundary::interface : ModeRequest::Boundary::none;
    const ComputedModes modes = compute_modes(*model, request, diagnostics_);
    EXPECT_EQ(modes.report.sturm_expected, 20);
    EXPECT_EQ(modes.report.rigid_modes, clamped ? 0 : 6);
    for (std::size_t k = clamped ? 0 : 6; k < 20; ++k) {
      const double truth = expected[k][clamped ? 6 : 3];
      EXPECT_NEAR(modes.modes.modes[k].eigenvalue / truth, 1.0, tolerance(1e-8)) << k;
      EXPECT_NEAR(
          modes.modes.modes[k].eigenvalue / expected[k][clamped ? 4 : 1], 1.0, tolerance(1e-6));
    }
  }
}

// INDEX.md of the data: mass, centre and inertia of the chassis from its own consistent M.
TEST_F(RealModels, ChassisInertiaIsThatOfItsMassMatrix) {
  const std::optional<FeModel> model = chassis();
  if (!model) GTEST_SKIP() << "unzip is not installed";
  ReduceOptions options;
  options.method = Method::craig_bampton;
  options.orthogonalise = options.scale = true;
  options.rigid_modes = RigidModes::drop;
  const FlexBody body = reduce(*model, options, diagnostics_);
  EXPECT_EQ(body.mode_count(), 48 + 20 - 6);
  EXPECT_EQ(body.path.rigid_modes, 6);
  EXPECT_NEAR(body.invariants.mass, 369.8744160000, tolerance(1e-6));
  EXPECT_NEAR(body.centre_of_mass().x(), 2.926927, tolerance(1e-6));
  EXPECT_NEAR(body.centre_of_mass().z(), 0.123048, tolerance(1e-6));
  EXPECT_NEAR(body.invariants.inertia(0, 0), 64.44768, tolerance(1e-5));
  EXPECT_NEAR(body.invariants.inertia(2, 2), 4405.004, tolerance(1e-3));
}

// MYSTRAN 17: framecb.f06 holds the fixed-interface eigenvalues, OP4 the Craig-Bampton matrices.
TEST_F(RealModels, FrameFrequenciesAreThoseOfMystran) {
  const fs::path folder = shared_ / "data" / "nastran" / "mystran";
  const FeModel model =
      import({folder / "frame.bdf", folder / "frame_kgg_mgg_sparse.op4"}, {1, 2, 3, 4, 5, 6, 7, 8});
  ModeRequest request;
  request.normal = 8;
  const ComputedModes free = compute_modes(model, request, diagnostics_);
  EXPECT_EQ(free.report.rigid_modes, 6);
  EXPECT_NEAR(std::sqrt(free.modes.modes[6].eigenvalue) / (2 * M_PI), 3.108, tolerance(5e-4));
  EXPECT_LT(free.report.worst_residual, tolerance(1e-8));
  EXPECT_LT(orthogonality_error(model, free), tolerance(1e-10));
}

// MYSTRAN SOL 31 on the frame: OP4 holds KXX and MXX, 48 interface DOFs in the displacement
// system of their grids (turned by 30 degrees about z) and 20 fixed-interface modes.
TEST_F(RealModels, FrameCraigBamptonMatricesAreThoseOfMystran) {
  const fs::path folder = shared_ / "data" / "nastran" / "mystran";
  const FeModel model = import({folder / "framecb.bdf", folder / "frame_kgg_mgg_sparse.op4"},
                               {1, 2, 3, 4, 5, 6, 7, 8});
  ReduceOptions options;
  options.method = Method::craig_bampton;
  options.normal = 20;
  const FlexBody body = reduce(model, options, diagnostics_);
  ASSERT_EQ(body.mode_count(), 68);
  const importer::FileContents published =
      importer::read_contents(folder / "framecb.ou1.op4", {}, diagnostics_);
  Eigen::MatrixXd turn = Eigen::MatrixXd::Identity(68, 68);  // ours (basic) from theirs
  for (const CoordinateSystem& system : model.systems)
    if (system.id == 10)
      for (Eigen::Index block = 0; block < 16; ++block)
        turn.block<3, 3>(3 * block, 3 * block) = system.axes;
  int compared = 0;
  for (const importer::RawMatrix& raw : published.matrices) {
    if (raw.name != "KXX" && raw.name != "MXX") continue;
    ASSERT_TRUE(raw.is_dense);
    const Eigen::MatrixXd truth = Eigen::Map<const Eigen::MatrixXd>(raw.values.data(), 68, 68);
    Eigen::MatrixXd ours =
        turn.transpose() * (raw.name == "KXX" ? body.stiffness : body.mass) * turn;
    // the sign of a normal mode is arbitrary
    for (Eigen::Index mode = 48; mode < 68; ++mode)
      if (ours.col(mode).head<48>().dot(truth.col(mode).head<48>()) < 0.0) {
        ours.col(mode) *= -1.0;
        ours.row(mode) *= -1.0;
      }
    // every entry on the scale of its own row and column
    const Eigen::VectorXd scale = truth.diagonal().cwiseSqrt().cwiseInverse();
    const Eigen::MatrixXd error = scale.asDiagonal() * (ours - truth) * scale.asDiagonal();
    EXPECT_LT(error.cwiseAbs().maxCoeff(), tolerance(1e-9)) << raw.name;
    EXPECT_LT(relative_difference(ours, truth), tolerance(1e-9)) << raw.name;
    ++compared;
  }
  EXPECT_EQ(compared, 2);
}

FeModel frame_of_the_project(Diagnostics& diagnostics) {
  importer::ImportRequest files;
  files.files = {testing::data("chassis/framec.bdf"),
                 testing::data("chassis/framec_kgg_mgg_ascii.op4")};
  files.units = parse_units("m-kg-s");
  files.interface_nodes = {1, 2, 3, 4, 5, 6, 7, 8, 51};
  return importer::import_model(files, diagnostics).model;
}

// Two equal frames, not coupled: twice six rigid modes, and every elastic frequency twice, in
// vectors that are orthogonal.
TEST(TwoFramesSideBySide, EveryFrequencyComesTwice) {
  Diagnostics diagnostics;
  const FeModel one = frame_of_the_project(diagnostics);
  FeModel both = one;
  std::vector<Dof> rows = one.dofs.rows();
  const std::int64_t n = one.dofs.size();
  const std::int64_t stride = one.nodes.back().id;
  for (const Node& node : one.nodes)
    both.nodes.push_back({node.id + stride, node.position + Eigen::Vector3d(0, 3, 0), 0});
  for (const Dof& dof : one.dofs.rows())
    rows.push_back({dof.node + stride, dof.component});
  both.dofs = DofMap(rows);
  for (RigidElement element : one.rigid_elements) {
    for (std::int64_t& id : element.independent)
      id += stride;
    for (std::int64_t& id : element.dependent)
      id += stride;
    both.rigid_elements.push_back(element);
  }
  for (const Dof& dof : one.fixed)
    both.fixed.push_back({dof.node + stride, dof.component});
  both.concentrated_masses.clear();
  both.elements.clear();
  const auto twice = [&](const SparseMatrix& A) {
    std::vector<Entry> entries;
    for (Eigen::Index col = 0; col < A.cols(); ++col)
      for (SparseMatrix::InnerIterator it(A, col); it; ++it) {
        entries.push_back({it.row(), col, it.value()});
        entries.push_back({it.row() + n, col + n, it.value()});
      }
    return assemble(2 * n, 2 * n, entries);
  };
  both.stiffness = twice(*one.stiffness);
  both.mass = twice(*one.mass);
  both = make_fe_model(std::move(both));
  ModeRequest request;
  request.normal = 16;
  const ComputedModes single = compute_modes(one, request, diagnostics);
  request.normal = 32;
  const ComputedModes modes = compute_modes(both, request, diagnostics);
  EXPECT_EQ(modes.report.sturm_expected, 32);
  const double first = single.modes.modes[6].eigenvalue;
  for (std::size_t k = 0; k < 12; ++k)
    EXPECT_LT(std::abs(modes.modes.modes[k].eigenvalue), tolerance(1e-6) * first) << k;
  for (std::size_t k = 12; k < 32; ++k)
    EXPECT_NEAR(modes.modes.modes[k].eigenvalue / single.modes.modes[k / 2].eigenvalue,
                1.0,
                tolerance(1e-8))
        << k;
  EXPECT_LT(orthogonality_error(both, modes), tolerance(1e-10));
}

// K of the double mass-spring with K(2, 1) = -12 and K(1, 2) = -10.
TEST(IllPosedFiles, AnUnsymmetricStiffnessIsRefusedWithItsSize) {
  testing::TemporaryFolder folder;
  const std::string head = "%%MatrixMarket matrix coordinate real general\n";
  testing::write_text(folder / "K.mtx", head + "2 2 4\n1 1 30\n1 2 -10\n2 1 -12\n2 2 10\n");
  testing::write_text(folder / "M.mtx", head + "2 2 2\n1 1 5\n2 2 5\n");
  importer::ImportRequest request;
  request.files = {testing::data("double_mass_spring/dms.bdf")};
  request.stiffness = importer::MatrixPick{folder / "K.mtx", ""};
  request.mass = importer::MatrixPick{folder / "M.mtx", ""};
  request.dof_order = "2/T3,3/T3";
  request.units = parse_units("m-kg-s");
  Diagnostics diagnostics;
  try {
    importer::import_model(request, diagnostics);
    FAIL() << "K is not symmetric";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.code(), "proof-failed");
    EXPECT_NE(error.message().find("K - K'"), std::string::npos) << error.message();
  }
}

// Attachment modes alone: nothing else checks the shifted factor, which five bars free to turn
// about themselves make singular. Every back end holds them and comes to the same solutions.
TEST(FrameOfLumpedMasses, AttachmentModesNeedNoNormalModes) {
  Diagnostics diagnostics;
  const FeModel model = frame_of_the_project(diagnostics);
  ModeRequest request;
  request.attachment = true;
  request.dofs = {{1, 3}, {2, 3}};
  std::vector<std::int64_t> rows;
  for (const Dof& dof : request.dofs)
    rows.push_back(model.dofs.find(dof));
  Eigen::MatrixXd first;
  for (const std::string& name : backend_names()) {
    request.solve.backend = parse_backend(name);
    const Eigen::MatrixXd u =
        compute_modes(model, request, diagnostics).modes.shapes(rows, Eigen::all);
    if (first.size() == 0) first = u;
    EXPECT_LT(relative_difference(u, first), tolerance(1e-7)) << name;
    EXPECT_LT(std::abs(u(0, 1) - u(1, 0)), tolerance(1e-7) * u.cwiseAbs().maxCoeff()) << name;
  }
}

// A frame of lumped shells and rigid elements, whose M is semidefinite in empty rows and in full
// ones: every mode that exists comes, and reduces to a body. Residuals are the truth.
TEST(FrameOfLumpedMasses, HasAllItsFiniteModes) {
  Diagnostics diagnostics;
  FeModel model = frame_of_the_project(diagnostics);
  ModeRequest request;
  request.all = true;
  const ComputedModes all = compute_modes(model, request, diagnostics);
  EXPECT_EQ(all.report.rigid_modes, 6);
  EXPECT_LT(all.report.worst_residual, tolerance(1e-8));
  request.all = false;
  request.normal = 30;
  const ComputedModes few = compute_modes(model, request, diagnostics);
  for (std::size_t k = 6; k < 30; ++k)
    EXPECT_NEAR(all.modes.modes[k].eigenvalue / few.modes.modes[k].eigenvalue, 1.0, tolerance(1e-9))
        << k;
  request.normal = all.modes.count() + 1;
  EXPECT_THROW(compute_modes(model, request, diagnostics), ModelError);
  model.modes = all.modes;
  ReduceOptions options;
  options.rigid_modes = RigidModes::drop;
  const FlexBody body = reduce(model, options, diagnostics);
  EXPECT_EQ(body.mode_count(), all.modes.count() - 6);
  EXPECT_NEAR(body.invariants.mass, 410.712, tolerance(5e-4));
}

}  // namespace
}  // namespace femflex::modal
