// Tests stresses through importer, elements and durability with CalculiX decks and matrices: static
// solutions and a modal response. Truth: CalculiX's own stresses, which have seven digits.
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/dense.h"
#include "femflex/durability/run_stress.h"
#include "femflex/durability/stress_source.h"
#include "femflex/importer/import_model.h"

#include "support/support.h"

namespace femflex::testing {
namespace {

using durability::ModalStress;
using durability::ShapeSet;
using durability::StressMesh;
using durability::StressPlaces;

using SixStresses = Eigen::Matrix<double, 6, 1>;  // xx, yy, zz, xy, yz, zx
using PointStresses = std::map<std::pair<std::int64_t, int>, SixStresses>;

/// The lists of a `.dat` file by time. Their columns are xx, yy, zz, xy, xz, yz.
std::map<double, PointStresses> el_print(const std::filesystem::path& path) {
  std::map<double, PointStresses> out;
  std::ifstream in(path);
  double time = 0.0;
  for (std::string line; std::getline(in, line);) {
    if (const std::size_t at = line.find("and time"); at != std::string::npos)
      time = std::stod(line.substr(at + 8));
    std::istringstream fields(line);
    std::int64_t element = 0;
    int point = 0;
    SixStresses s;
    if (fields >> element >> point >> s[0] >> s[1] >> s[2] >> s[3] >> s[5] >> s[4])
      out[time][{element, point}] = s;
  }
  return out;
}

FeModel held_block(const std::string& type, const std::string& deck) {
  const std::string base = "calculix/decks/held_" + type;
  importer::ImportRequest request;
  request.files = {data(deck), data(base + ".sti.gz"), data(base + ".mas.gz"), data(base + ".dof")};
  request.units = parse_units("m-kg-s");
  Diagnostics diagnostics;
  return importer::import_model(request, diagnostics).model;
}

Eigen::MatrixXd full(const SparseMatrix& lower) {
  return Eigen::MatrixXd(lower).selfadjointView<Eigen::Lower>();
}

void set_shapes(FeModel& model, const Eigen::MatrixXd& shapes) {
  model.modes = make_mode_set(
      model.dofs, shapes, std::vector<ModeInfo>(static_cast<std::size_t>(shapes.cols())));
}

/// Largest difference from the list, divided by the largest stress of the list, at the integration
/// points of all elements for the coordinates of one instant.
double difference_to(const PointStresses& listed,
                     const StressMesh& mesh,
                     const ModalStress& stress,
                     const Eigen::VectorXd& zeta,
                     double scale) {
  const Eigen::VectorXd s = stress.S * zeta;
  double out = 0.0;
  for (const durability::StressLocation& at : stress.locations) {
    const auto found = listed.find({mesh.id(at.element), at.point.index + 1});
    if (found == listed.end()) continue;
    for (std::size_t c = 0; c < 6; ++c)
      out = std::max(out, std::abs(s[at.rows[c]] - found->second[static_cast<Eigen::Index>(c)]));
  }
  return out / scale;
}

double largest_of(const PointStresses& listed) {
  double out = 0.0;
  for (const auto& [place, s] : listed)
    out = std::max(out, s.cwiseAbs().maxCoeff());
  return out;
}

class StressValues : public ::testing::TestWithParam<const char*> {};

// Truth: CalculiX's stresses at all integration points under a static load. The displacements are
// K^-1 f with CalculiX's K.
TEST_P(StressValues, OfAStaticLoadAreThoseOfCalculix) {
  const std::string type = GetParam();
  FeModel model = held_block(type, "element_stress/held/" + type + ".inp");
  ASSERT_EQ(model.loads.size(), 1U);
  set_shapes(model, full(*model.stiffness).ldlt().solve(model.loads[0].load));
  const ShapeSet shapes = durability::shapes_of(model);
  const StressMesh mesh(model, shapes, {});
  EXPECT_TRUE(mesh.left_out().empty());
  const PointStresses listed =
      el_print(data("element_stress/held/" + type + ".dat")).begin()->second;
  const ModalStress stress =
      durability::modal_stress(mesh, 0, mesh.size(), StressPlaces::integration_points);
  ASSERT_EQ(stress.locations.size(), listed.size());
  EXPECT_LT(difference_to(listed, mesh, stress, Eigen::VectorXd::Ones(1), largest_of(listed)),
            tolerance(2e-6));
}
INSTANTIATE_TEST_SUITE_P(
    Types,
    StressValues,
    ::testing::Values(
        "C3D4", "C3D10", "C3D6", "C3D15", "C3D8", "C3D8R", "C3D8I", "C3D20", "C3D20R"),
    [](const auto& type) { return std::string(type.param); });

/// Force over time of history.inp: straight lines between the values 0, 1, 0, -1/2, 0.
double ramp(double t) {
  constexpr std::array<std::pair<double, double>, 5> kPoints{
      {{0.0, 0.0}, {0.002, 1.0}, {0.004, 0.0}, {0.006, -0.5}, {0.01, 0.0}}};
  for (std::size_t k = 1; k < kPoints.size(); ++k) {
    const auto& [t0, f0] = kPoints[k - 1];
    const auto& [t1, f1] = kPoints[k];
    if (t <= t1) return f0 + (f1 - f0) * (t - t0) / (t1 - t0);
  }
  return 0.0;
}

/// Solution of z'' + w^2 z = f(t), exact if f is linear within each step.
Eigen::VectorXd response(double w, double force, double step, int count) {
  Eigen::VectorXd out(count + 1);
  double z = 0.0;
  double v = 0.0;
  out[0] = 0.0;
  for (int k = 0; k < count; ++k) {
    const double f0 = force * ramp(k * step);
    const double slope = (force * ramp((k + 1) * step) - f0) / step;
    const double a = z - f0 / (w * w);
    const double b = (v - slope / (w * w)) / w;
    z = a * std::cos(w * step) + b * std::sin(w * step) + (f0 + slope * step) / (w * w);
    v = -a * w * std::sin(w * step) + b * w * std::cos(w * step) + slope / (w * w);
    out[k + 1] = z;
  }
  return out;
}

// Truth: CalculiX's modal dynamics with ten undamped modes. femflex's modes and response are exact
// for CalculiX's K and M.
TEST(StressHistory, InTenModesIsThatOfCalculix) {
  FeModel model = held_block("C3D20", "calculix/decks/held_C3D20.inp");
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(full(*model.stiffness),
                                                                         full(*model.mass));
  constexpr int kModes = 10;
  const Eigen::MatrixXd V = solver.eigenvectors().leftCols<kModes>();
  set_shapes(model, V);
  Eigen::VectorXd load = Eigen::VectorXd::Zero(model.dofs.size());
  for (const std::int64_t node : {9, 10, 11, 12, 26, 29, 31, 32}) {
    load[model.dofs.find({node, 2})] = 100.0;
    load[model.dofs.find({node, 3})] = -250.0;
  }
  constexpr double kStep = 1e-5;
  constexpr int kSteps = 1000;
  Eigen::MatrixXd zeta(kSteps + 1, kModes);
  for (int m = 0; m < kModes; ++m)
    zeta.col(m) = response(std::sqrt(solver.eigenvalues()[m]), V.col(m).dot(load), kStep, kSteps);
  const ShapeSet shapes = durability::shapes_of(model);
  const StressMesh mesh(model, shapes, {});
  const ModalStress stress =
      durability::modal_stress(mesh, 0, mesh.size(), StressPlaces::integration_points);
  const std::map<double, PointStresses> listed = el_print(data("element_stress/held/history.dat"));
  ASSERT_EQ(listed.size(), 10U);
  double scale = 0.0;
  for (const auto& [time, points] : listed)
    scale = std::max(scale, largest_of(points));
  for (const auto& [time, points] : listed) {
    const auto row = static_cast<Eigen::Index>(std::lround(time / kStep));
    EXPECT_LT(difference_to(points, mesh, stress, zeta.row(row).transpose(), scale),
              tolerance(5e-5))
        << time;
  }
}

// Truth: CalculiX's S4, which is expanded into solids with eight integration points. The mean over
// each height is extrapolated to the faces. Only components that do not change by rotation about z
// are compared; the plate is in the plane x-y.
TEST(StressOfAShell, IsThatOfCalculix) {
  importer::ImportRequest request;
  request.files = {data("element_stress/held/S4.inp"),
                   data("calculix/decks/plate_S4.sti.gz"),
                   data("calculix/decks/plate_S4.mas.gz"),
                   data("calculix/decks/plate_S4.dof")};
  request.units = parse_units("m-kg-s");
  Diagnostics diagnostics;
  FeModel model = importer::import_model(request, diagnostics).model;
  ASSERT_EQ(model.loads.size(), 1U);
  set_shapes(model, full(*model.stiffness).ldlt().solve(model.loads[0].load));
  const PointStresses listed = el_print(data("element_stress/held/S4.dat")).begin()->second;
  const ShapeSet shapes = durability::shapes_of(model);
  const StressMesh mesh(model, shapes, {});
  ASSERT_EQ(mesh.size(), 6U);
  const ModalStress stress = durability::modal_stress(mesh, 0, mesh.size(), StressPlaces::centre);
  for (const durability::StressLocation& at : stress.locations) {
    SixStresses low = SixStresses::Zero();
    SixStresses high = SixStresses::Zero();
    for (int p = 1; p <= 4; ++p) {
      low += 0.25 * listed.at({mesh.id(at.element), p});
      high += 0.25 * listed.at({mesh.id(at.element), p + 4});
    }
    const double side = at.point.layer == elements::Layer::top ? 0.5 : -0.5;
    const SixStresses face = 0.5 * (low + high) + side * std::sqrt(3.0) * (high - low);
    const double xx = stress.S(at.rows[0], 0);
    const double yy = stress.S(at.rows[1], 0);
    const double xy = stress.S(at.rows[3], 0);
    EXPECT_NEAR(xx + yy, face[0] + face[1], tolerance(2e-6) * largest_of(listed));
    EXPECT_NEAR(std::hypot(0.5 * (xx - yy), xy),
                std::hypot(0.5 * (face[0] - face[1]), face[3]),
                tolerance(2e-6) * largest_of(listed));
  }
}

// A .frd file gives no rotations, which the stresses of shells need; those of the solid beside them
// do not.
TEST(StressOfAShell, IsNotMadeFromTranslationsAlone) {
  importer::ImportRequest request;
  request.files = {data("calculix/decks/fold_S4.inp"),
                   data("calculix/decks/fold_S4.sti.gz"),
                   data("calculix/decks/fold_S4.mas.gz"),
                   data("calculix/decks/fold_S4.dof"),
                   data("calculix/shells/fold_text.frd")};
  request.units = parse_units("m-kg-s");
  Diagnostics diagnostics;
  const FeModel model = importer::import_model(request, diagnostics).model;
  const ShapeSet shapes = durability::shapes_of(model);
  const StressMesh mesh(model, shapes, {});
  EXPECT_EQ(mesh.size(), 0U);
  ASSERT_EQ(mesh.left_out().size(), 1U);
  EXPECT_EQ(mesh.left_out()[0].reason, "the shapes hold no rotations");
  EXPECT_EQ(mesh.left_out()[0].count, 6);
}

/// Plane stress of steel with the strains in the plane across n of a spatial stress.
Eigen::Matrix3d plane_stress(const Eigen::Matrix3d& stress, const Eigen::Vector3d& n) {
  constexpr double kNu = 0.3;
  const Eigen::Matrix3d across = Eigen::Matrix3d::Identity() - n * n.transpose();
  // strain times E
  const Eigen::Matrix3d strain =
      (1.0 + kNu) * stress - kNu * stress.trace() * Eigen::Matrix3d::Identity();
  const Eigen::Matrix3d flat = across * strain * across;
  return ((1.0 - kNu) * flat + kNu * flat.trace() * across) / (1.0 - kNu * kNu);
}

/// The first mode, of modal mass 1, by inverse iteration: rows of rotations have no mass.
Eigen::VectorXd first_mode(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M) {
  const Eigen::LDLT<Eigen::MatrixXd> factor(K);
  Eigen::VectorXd u = Eigen::VectorXd::Ones(K.rows());
  for (int k = 0; k < 100; ++k) {
    u = factor.solve(M * u);
    u /= std::sqrt(u.dot(M * u));
  }
  return u;
}

class CurvedShells : public ::testing::TestWithParam<const char*> {};

// Truth: the first mode of CalculiX's S4 and S8R on a part of a cylinder (thickness 4 % of the
// radius) with nodes off the middle surface, at the integration points of its solids. CalculiX
// takes the law of a solid; plane stress with its strains is that of the shell. S4 is compared at
// the centre, where its internal modes have no strain.
TEST_P(CurvedShells, WithOffsetHaveTheStrainsOfCalculix) {
  const std::string base = "element_stress/held/arc_" + std::string(GetParam());
  const bool is_linear = std::string(GetParam()) == "S4";
  importer::ImportRequest request;
  request.files = {
      data(base + ".inp"), data(base + ".sti.gz"), data(base + ".mas.gz"), data(base + ".dof")};
  request.units = parse_units("m-kg-s");
  Diagnostics diagnostics;
  FeModel model = importer::import_model(request, diagnostics).model;
  set_shapes(model, first_mode(full(*model.stiffness), full(*model.mass)));
  const double height = 0.002 / std::sqrt(3.0);
  model.properties.properties[0].fibres = {-height, height};
  const PointStresses listed = el_print(data(base + ".dat")).rbegin()->second;
  const ShapeSet shapes = durability::shapes_of(model);
  const StressMesh mesh(model, shapes, {});
  ASSERT_EQ(mesh.size(), 6U);
  const ModalStress stress = durability::modal_stress(
      mesh, 0, mesh.size(), is_linear ? StressPlaces::centre : StressPlaces::integration_points);
  double scale = 0.0;
  std::array<double, 2> difference = {0.0, 0.0};  // for both signs of the mode
  for (const durability::StressLocation& at : stress.locations) {
    const int layer = at.point.layer == elements::Layer::top ? 5 : 1;
    SixStresses s = SixStresses::Zero();
    for (int p = 0; p < 4; ++p)
      if (is_linear || p == at.point.index)
        s += (is_linear ? 0.25 : 1.0) * listed.at({mesh.id(at.element), layer + p});
    Eigen::Matrix3d theirs;
    theirs << s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2];
    Eigen::Matrix3d ours = Eigen::Matrix3d::Zero();
    ours.topLeftCorner<2, 2>() << stress.S(at.rows[0], 0), stress.S(at.rows[3], 0),
        stress.S(at.rows[3], 0), stress.S(at.rows[1], 0);
    const Eigen::Matrix3d& R = at.point.axes;
    theirs = plane_stress(theirs, R.col(2));
    ours = R * ours * R.transpose();
    scale = std::max(scale, theirs.cwiseAbs().maxCoeff());
    difference[0] = std::max(difference[0], (ours - theirs).cwiseAbs().maxCoeff());
    difference[1] = std::max(difference[1], (ours + theirs).cwiseAbs().maxCoeff());
  }
  // a quarter of thickness / radius: the thickness of CalculiX's solids changes
  EXPECT_LT(std::min(difference[0], difference[1]) / scale, tolerance(1e-2));
}
INSTANTIATE_TEST_SUITE_P(Types, CurvedShells, ::testing::Values("S4", "S8R"), [](const auto& type) {
  return std::string(type.param);
});

/// A cantilever of ten bars along x [m] under a force along y at its end.
FeModel cantilever() {
  FeModel model;
  model.units = parse_units("m-kg-s");
  constexpr int kBars = 10;
  constexpr double kLength = 2.0;
  constexpr double kForce = 100.0;
  FeMaterial steel;
  steel.name = "1";
  steel.constants = {2.1e11, 0.3, FeProperty::kNone};
  FeProperty bar;
  bar.kind = FeProperty::Kind::beam;
  bar.material = "1";
  bar.area = 2e-4;
  bar.I1 = 1e-8;
  bar.I2 = 3e-8;
  bar.J = 1e-8;
  bar.points = {{0.01, 0.0}, {-0.01, 0.0}};
  model.properties.materials = {steel};
  model.properties.properties = {bar};
  ElementBlock block{"CBAR", 2, {}, {}};
  std::vector<Dof> rows;
  for (int k = 0; k <= kBars; ++k) {
    model.nodes.push_back({k + 1, {kLength * k / kBars, 0.0, 0.0}, 0});
    for (std::int8_t c = 1; c <= 6; ++c)
      rows.push_back({k + 1, c});
    if (k == kBars) break;
    block.ids.push_back(k + 1);
    block.connectivity.insert(block.connectivity.end(), {k + 1, k + 2});
    ElementSection section;
    section.element = k + 1;
    section.property = 0;
    section.direction = Eigen::Vector3d::UnitY();
    model.properties.elements.push_back(section);
  }
  model.elements = {block};
  Eigen::MatrixXd shape = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(rows.size()), 1);
  for (int k = 0; k <= kBars; ++k) {
    const double x = kLength * k / kBars;
    const double EI = 2.1e11 * 1e-8;
    shape(6 * k + 1, 0) = kForce * x * x * (3.0 * kLength - x) / (6.0 * EI);
    shape(6 * k + 5, 0) = kForce * x * (2.0 * kLength - x) / (2.0 * EI);
  }
  model.modes = make_mode_set(DofMap(rows), shape, {ModeInfo{}});
  return model;
}

// Truth: sigma = F L c / I at the root of a slender cantilever.
TEST(StressOfABar, AtTheRootOfACantilever) {
  const FeModel model = cantilever();
  const ShapeSet shapes = durability::shapes_of(model);
  const std::vector<std::int64_t> root = {1};
  const StressMesh mesh(model, shapes, root);
  const ModalStress stress = durability::modal_stress(mesh, 0, 1, StressPlaces::centre);
  const durability::StressLocation& at = stress.locations.front();
  EXPECT_EQ(durability::face_of(at), "C");
  EXPECT_EQ(at.point.index, 0);
  EXPECT_NEAR(stress.S(at.rows[0], 0), -100.0 * 2.0 * 0.01 / 1e-8, tolerance(1e-9) * 2e8);
}

/// A block of an `.frd` file: six values per node, twelve characters each.
using NodeValues = std::map<std::int64_t, SixStresses>;

/// All blocks with the given name, in the order of the file.
std::vector<NodeValues> frd_blocks(const std::filesystem::path& path, const std::string& name) {
  std::vector<NodeValues> out;
  std::ifstream in(path);
  bool is_inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(" -4")) {
      is_inside = line.find(" " + name + " ") != std::string::npos;
      if (is_inside) out.emplace_back();
    }
    if (line.starts_with(" -3")) is_inside = false;
    if (!is_inside || !line.starts_with(" -1")) continue;
    SixStresses& six = out.back()[std::stoll(line.substr(3, 10))];
    for (std::size_t c = 0; c < 6; ++c)
      six[static_cast<Eigen::Index>(c)] = std::stod(line.substr(13 + 12 * c, 12));
  }
  return out;
}

FeModel held_modes() {
  importer::ImportRequest request;
  request.files = {data("element_stress/held/modes.inp"), data("element_stress/held/modes.frd")};
  request.units = parse_units("m-kg-s");
  Diagnostics diagnostics;
  return importer::import_model(request, diagnostics).model;
}

// Truth: the text of the file, to its last digit.
TEST(ReadStressValues, OfFrdFilesAreTheirText) {
  const FeModel model = held_modes();
  const std::filesystem::path path = data("element_stress/held/modes.frd");
  ASSERT_EQ(model.modes.count(), 4);
  for (const bool is_strain : {false, true}) {
    const FeStressTable& table = is_strain ? model.stresses.strain : model.stresses.stress;
    const std::vector<NodeValues> blocks = frd_blocks(path, is_strain ? "TOSTRAIN" : "STRESS");
    ASSERT_EQ(blocks.size(), 4U);
    ASSERT_EQ(table.shapes.size(), 4U);
    ASSERT_EQ(table.places.size(), blocks.front().size());
    for (std::size_t mode = 0; mode < 4; ++mode)
      for (std::size_t k = 0; k < table.places.size(); ++k) {
        const SixStresses& text = blocks[mode].at(table.places[k].node);
        for (Eigen::Index c = 0; c < 6; ++c)
          EXPECT_EQ(
              table.values(6 * static_cast<Eigen::Index>(k) + c, static_cast<Eigen::Index>(mode)),
              (is_strain && c >= 3 ? 2.0 : 1.0) * text[c]);
      }
  }
}

// Truth: the other blocks of the same file. A stress that overflowed in the file does not remove
// its shape.
TEST(ReadStressValues, AreLeftOutWhereTheyAreNoNumbers) {
  std::ifstream in(data("element_stress/held/modes.frd"));
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  const std::size_t block = text.find("STRESS");
  const std::size_t row = text.find("\n -1", block);
  text.replace(row + 14, 12, "         NaN");
  const TemporaryFolder folder;
  std::ofstream(folder / "modes.frd") << text;
  importer::ImportRequest request;
  request.files = {folder / "modes.frd"};
  request.units = parse_units("m-kg-s");
  Diagnostics diagnostics;
  const FeModel model = importer::import_model(request, diagnostics).model;
  EXPECT_EQ(model.modes.count(), 4);
  EXPECT_EQ(model.stresses.stress.shapes, (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_EQ(model.stresses.strain.shapes.size(), 4U);
}

// Truth: CalculiX's mean stresses at the nodes, which agree with femflex's corner stresses: for
// C3D20R only one extrapolation from eight integration points to the corners exists. Shapes and
// stresses have six digits.
TEST(ReadStressValues, AgreeWithComputedOnes) {
  const FeModel model = held_modes();
  const ShapeSet shapes = durability::shapes_of(model);
  const durability::ReadStress read(model, StressPlaces::corners, {});
  const ModalStress means = read.stress(0, read.size());
  const StressMesh mesh(model, shapes, {});
  const ModalStress corners = durability::modal_stress(mesh, 0, mesh.size(), StressPlaces::corners);
  std::map<std::int64_t, std::pair<Eigen::MatrixXd, int>> sums;
  const ElementBlock& block = model.elements.front();
  for (const durability::StressLocation& at : corners.locations) {
    const auto node =
        block.connectivity[20 * at.element + static_cast<std::size_t>(at.point.index)];
    Eigen::MatrixXd six(6, 4);
    for (std::size_t c = 0; c < 6; ++c)
      six.row(static_cast<Eigen::Index>(c)) = corners.S.row(at.rows[c]);
    auto [sum, is_new] = sums.try_emplace(node, six, 1);
    if (is_new) continue;
    sum->second.first += six;
    ++sum->second.second;
  }
  ASSERT_EQ(sums.size(), 12U);
  const Eigen::RowVectorXd scale = means.S.cwiseAbs().colwise().maxCoeff();
  std::size_t compared = 0;
  for (const durability::StressLocation& at : means.locations) {
    EXPECT_EQ(face_of(at), "none");
    const auto sum = sums.find(at.node);
    if (sum == sums.end()) continue;
    ++compared;
    const Eigen::MatrixXd mean = sum->second.first / sum->second.second;
    for (std::size_t c = 0; c < 6; ++c)
      for (Eigen::Index mode = 0; mode < 4; ++mode)
        EXPECT_NEAR(means.S(at.rows[c], mode),
                    mean(static_cast<Eigen::Index>(c), mode),
                    tolerance(5e-4) * scale[mode]);
  }
  EXPECT_EQ(compared, 12U);
}

}  // namespace
}  // namespace femflex::testing
