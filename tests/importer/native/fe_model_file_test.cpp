// Tests the native FE model file .fe.h5. Truth: the original model, in every bit of every field.
#include "femflex/importer/fe_model_file.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/io/hdf5_file.h"

#include "native/layout.h"
#include "support/support.h"

namespace femflex::importer {
namespace {

using testing::TemporaryFolder;

/// One item of every kind, with numbers that decimal text cannot represent exactly.
FeModel sample() {
  FeModel model;
  model.name = "sample";
  model.units = Units{"mm-t-s", 1e-3, 1e3, 1.0};
  model.nodes = {{1, {0.1, 1.0 / 3.0, -0.0}, 0}, {7, {1e-300, 2.0, 3.0}, 5}, {9, {4, 5, 6}, 0}};
  model.systems = {{5, CoordinateSystem::Kind::cylindrical, {1, 2, 3}, Eigen::Matrix3d::Random()}};
  model.elements = {{"CBAR", 2, {11, 12}, {1, 7, 7, 9}}, {"CTRIA3", 3, {13}, {1, 7, 9}}};
  model.rigid_elements = {{"RBE2", 20, {1}, {7, 9}, "123456"}, {"RBE3", 21, {7, 9}, {1}, "123"}};
  model.constraints = {{{1, 1}, {{{7, 1}, 1.0 / 3.0}, {{9, 5}, -0.0}}, 1}, {{1, 2}, {}, 1}};
  Eigen::Matrix3d inertia = Eigen::Vector3d(1, 2, 3).asDiagonal();
  inertia(0, 1) = inertia(1, 0) = -0.25;
  model.concentrated_masses = {{7, 450.0, {0, 0.1, 0}, inertia}};
  model.fixed = {{1, 1}, {1, 2}};
  model.dofs = DofMap({{1, 3}, {7, 3}, {501, 0}});
  model.stiffness =
      assemble(3, 3, {{0, 0, 20.0}, {1, 0, -1.0 / 3.0}, {1, 1, 10.0}, {2, 2, 1e17 + 1}});
  model.mass = assemble(3, 3, {{0, 0, 5.0}, {1, 1, 5.0}});
  model.damping = SparseMatrix(3, 3);
  model.loads = {{3, "", Eigen::Vector3d(0.0, 1.0, std::nextafter(1.0, 2.0))}};
  model.modes = make_mode_set(DofMap({{1, 3}, {7, 3}}),
                              Eigen::Matrix2d{{std::sqrt(2.0) - 1.0, 1.0}, {1.0, -0.1}},
                              {{ModeKind::static_, 1, 1.2, 5.0, "a.pch:$DISPLACEMENTS"},
                               {ModeKind::constraint, 1, NAN, NAN, ""}});
  FeStressTable& stress = model.stresses.stress;
  stress.sources = {"a.op2:OES1X1"};
  stress.types = {"CTRIA3", "NODE"};
  stress.places = {{.element = 13,
                    .level = 3,
                    .face = FeStressPlace::Face::ply,
                    .axes = FeStressPlace::Axes::material,
                    .components = 11},
                   {.node = 9, .type = 1, .kind = FeStressPlace::Kind::node, .components = 63}};
  stress.shapes = {1};
  stress.values = Eigen::VectorXd::LinSpaced(9, 0.1, 1.0 / 3.0);
  model.interface_nodes = {7, 1};
  model.provenance = {{{"a.bdf", "00ff"}}, "MYSTRAN 17.0", "import a.bdf"};
  return model;
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

template <typename A>
bool same_bits(const A& a, const A& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  for (Eigen::Index col = 0; col < a.cols(); ++col)
    for (Eigen::Index row = 0; row < a.rows(); ++row)
      if (!same_bits(double{a(row, col)}, double{b(row, col)})) return false;
  return true;
}

bool same_matrix(const std::optional<SparseMatrix>& a, const std::optional<SparseMatrix>& b) {
  if (a.has_value() != b.has_value()) return false;
  if (!a) return true;
  return a->nonZeros() == b->nonZeros() && same_bits(Eigen::MatrixXd(*a), Eigen::MatrixXd(*b));
}

// Truth: no part is at a place that is not a number. The file says so when it is read, and
// where.
TEST(FeModelFile, RefusesNumbersThatAreNotFinite) {
  const TemporaryFolder folder;
  const auto told = [&](const FeModel& model) -> std::string {
    write_fe_model(model, folder / "bad.fe.h5");
    try {
      read_fe_model(folder / "bad.fe.h5");
    } catch (const ModelError& error) {
      EXPECT_EQ(error.where().file, (folder / "bad.fe.h5").string());
      EXPECT_FALSE(error.fix().empty());
      return error.message();
    }
    return "";
  };
  const double inf = std::numeric_limits<double>::infinity();
  FeModel model = sample();
  EXPECT_EQ(told(model), "");
  model.nodes[1].position.y() = NAN;
  EXPECT_EQ(told(model), "the position of node 7 is not finite");
  model = sample();
  model.systems[0].axes(1, 2) = inf;
  EXPECT_EQ(told(model), "coordinate system 5 is not finite");
  model = sample();
  model.concentrated_masses[0].inertia(0, 0) = NAN;
  EXPECT_EQ(told(model), "the concentrated mass of node 7 is not finite");
  model = sample();
  model.constraints[0].terms[1].factor = -inf;
  EXPECT_EQ(told(model), "the factor of 9/R2 in the equation of 1/T1 is not finite");
  model = sample();
  model.loads[0].load(2) = NAN;
  EXPECT_EQ(told(model), "load case 3 is not finite");
  model = sample();
  model.stresses.stress.values(3, 0) = NAN;
  EXPECT_EQ(told(model), "the table of stresses has a value that is not finite");
  model = sample();
  model.stresses.stress.shapes = {2};
  EXPECT_EQ(told(model), "the table of stresses has values of shape 3, but the model has 2");
  model = sample();
  model.stresses.stress.places.pop_back();
  EXPECT_EQ(told(model),
            "the table of stresses has 9 x 1 values, but its places and shapes need 3 x 1");
  model = sample();
  model.units->length = 0.0;
  EXPECT_EQ(told(model), "a unit of 0 SI units is not positive and finite");
}

// Truth: the model that was written.
TEST(FeModelFile, GivesBackEveryBitOfEveryField) {
  const TemporaryFolder folder;
  const FeModel a = make_fe_model(sample());
  write_fe_model(a, folder / "sample.fe.h5");
  EXPECT_TRUE(is_fe_model_file(folder / "sample.fe.h5"));
  const FeModel b = read_fe_model(folder / "sample.fe.h5");

  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.units, b.units);
  ASSERT_EQ(a.nodes.size(), b.nodes.size());
  for (std::size_t k = 0; k < a.nodes.size(); ++k) {
    EXPECT_EQ(a.nodes[k].id, b.nodes[k].id);
    EXPECT_TRUE(same_bits(a.nodes[k].position, b.nodes[k].position));
    EXPECT_EQ(a.nodes[k].displacement_system, b.nodes[k].displacement_system);
  }
  ASSERT_EQ(b.systems.size(), 1U);
  EXPECT_EQ(b.systems[0].kind, CoordinateSystem::Kind::cylindrical);
  EXPECT_TRUE(same_bits(a.systems[0].axes, b.systems[0].axes));
  EXPECT_TRUE(same_bits(a.systems[0].origin, b.systems[0].origin));
  ASSERT_EQ(b.elements.size(), 2U);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(a.elements[k].type, b.elements[k].type);
    EXPECT_EQ(a.elements[k].nodes_per_element, b.elements[k].nodes_per_element);
    EXPECT_EQ(a.elements[k].ids, b.elements[k].ids);
    EXPECT_EQ(a.elements[k].connectivity, b.elements[k].connectivity);
    EXPECT_EQ(a.rigid_elements[k].type, b.rigid_elements[k].type);
    EXPECT_EQ(a.rigid_elements[k].id, b.rigid_elements[k].id);
    EXPECT_EQ(a.rigid_elements[k].independent, b.rigid_elements[k].independent);
    EXPECT_EQ(a.rigid_elements[k].dependent, b.rigid_elements[k].dependent);
    EXPECT_EQ(a.rigid_elements[k].components, b.rigid_elements[k].components);
  }
  ASSERT_EQ(a.constraints.size(), b.constraints.size());
  for (std::size_t k = 0; k < a.constraints.size(); ++k) {
    EXPECT_EQ(a.constraints[k].dependent, b.constraints[k].dependent);
    EXPECT_EQ(a.constraints[k].element, b.constraints[k].element);
    ASSERT_EQ(a.constraints[k].terms.size(), b.constraints[k].terms.size());
    for (std::size_t j = 0; j < a.constraints[k].terms.size(); ++j) {
      EXPECT_EQ(a.constraints[k].terms[j].dof, b.constraints[k].terms[j].dof);
      EXPECT_TRUE(same_bits(a.constraints[k].terms[j].factor, b.constraints[k].terms[j].factor));
    }
  }
  ASSERT_EQ(b.concentrated_masses.size(), 1U);
  EXPECT_EQ(b.concentrated_masses[0].node, 7);
  EXPECT_TRUE(same_bits(a.concentrated_masses[0].inertia, b.concentrated_masses[0].inertia));
  EXPECT_TRUE(same_bits(a.concentrated_masses[0].offset, b.concentrated_masses[0].offset));
  EXPECT_EQ(a.fixed, b.fixed);
  EXPECT_EQ(a.dofs, b.dofs);
  EXPECT_TRUE(same_matrix(a.stiffness, b.stiffness));
  EXPECT_TRUE(same_matrix(a.mass, b.mass));
  EXPECT_TRUE(same_matrix(a.damping, b.damping));
  ASSERT_EQ(b.loads.size(), 1U);
  EXPECT_EQ(b.loads[0].id, 3);
  EXPECT_EQ(b.loads[0].label, "");
  EXPECT_TRUE(same_bits(a.loads[0].load, b.loads[0].load));
  const FeStressTable& stress = b.stresses.stress;
  EXPECT_EQ(stress.sources, a.stresses.stress.sources);
  EXPECT_EQ(stress.types, a.stresses.stress.types);
  EXPECT_EQ(stress.shapes, a.stresses.stress.shapes);
  EXPECT_TRUE(same_bits(stress.values, a.stresses.stress.values));
  ASSERT_EQ(stress.places.size(), 2U);
  EXPECT_EQ(stress.places[0].element, 13);
  EXPECT_EQ(stress.places[0].level, 3);
  EXPECT_EQ(stress.places[0].face, FeStressPlace::Face::ply);
  EXPECT_EQ(stress.places[0].axes, FeStressPlace::Axes::material);
  EXPECT_EQ(stress.places[0].components, 11);
  EXPECT_EQ(stress.places[1].node, 9);
  EXPECT_EQ(stress.places[1].kind, FeStressPlace::Kind::node);
  EXPECT_TRUE(b.stresses.strain.empty());
  EXPECT_EQ(a.modes.rows, b.modes.rows);
  EXPECT_TRUE(same_bits(a.modes.shapes, b.modes.shapes));
  ASSERT_EQ(b.modes.modes.size(), 2U);
  EXPECT_EQ(b.modes.modes[0].kind, ModeKind::static_);
  EXPECT_EQ(b.modes.modes[0].source, "a.pch:$DISPLACEMENTS");
  EXPECT_TRUE(same_bits(a.modes.modes[0].eigenvalue, b.modes.modes[0].eigenvalue));
  EXPECT_TRUE(std::isnan(b.modes.modes[1].eigenvalue));
  EXPECT_EQ(a.interface_nodes, b.interface_nodes);
  ASSERT_EQ(b.provenance.sources.size(), 1U);
  EXPECT_EQ(b.provenance.sources[0].sha256, "00ff");
  EXPECT_EQ(b.provenance.program, "MYSTRAN 17.0");
  EXPECT_EQ(b.provenance.options, "import a.bdf");
}

// Truth: an empty model is a valid model.
TEST(FeModelFile, KeepsPartsThatAreAbsentAbsent) {
  const TemporaryFolder folder;
  write_fe_model({}, folder / "empty.fe.h5");
  const FeModel model = read_fe_model(folder / "empty.fe.h5");
  EXPECT_FALSE(model.units);
  EXPECT_FALSE(model.stiffness);
  EXPECT_TRUE(model.nodes.empty());
  EXPECT_EQ(model.modes.count(), 0);
}

/// A file of datasets given by `write`, and why it is refused; empty if it is read.
std::string refusal_of(const std::function<void(io::Hdf5File&)>& write) {
  const TemporaryFolder folder;
  io::Hdf5File file = io::Hdf5File::create(folder / "a.fe.h5");
  file.set_attribute("/", "femflex_kind", native::kKind);
  file.set_attribute("/", "layout_version", std::int64_t{native::kVersion});
  for (const char* name : {"name", "program", "options"})
    file.set_attribute("/", name, "x");
  write(file);
  file.commit();
  try {
    read_fe_model(folder / "a.fe.h5");
  } catch (const ParseError& error) {
    return error.where().record + " " + error.message();
  }
  return "";
}

void put(io::Hdf5File& file, const std::string& path, const std::vector<std::int64_t>& values) {
  file.write(path, std::span<const std::int64_t>(values), {values.size()});
}

void put(io::Hdf5File& file, const std::string& path, const std::vector<double>& values) {
  file.write(path, std::span<const double>(values), {values.size()});
}

// Truth: a model never has shapes that its file does not hold.
TEST(FeModelFile, ModesWithoutTheirShapesAreRefused) {
  const auto modes = [](bool has_rows) {
    return refusal_of([&](io::Hdf5File& file) {
      file.make_group("/modes");
      if (has_rows) put(file, "/modes/rows", std::vector<std::int64_t>{1, 3, 7, 3});
      file.write("/modes/kind", {"dynamic"});
      file.write("/modes/source", {"a"});
      put(file, "/modes/number", std::vector<std::int64_t>{1});
      put(file, "/modes/eigenvalue", std::vector<double>{1.0});
      put(file, "/modes/generalised_mass", std::vector<double>{1.0});
    });
  };
  EXPECT_EQ(modes(true), "/modes/shapes is missing");
  EXPECT_EQ(modes(false), "");  // no rows, no shapes
}

// Truth: the counts of the records add up to the size of the list that they share.
TEST(FeModelFile, ListsWithSurplusValuesAreRefused) {
  const auto elements = [](const std::vector<std::int64_t>& ids,
                           const std::vector<std::int64_t>& nodes) {
    return refusal_of([&](io::Hdf5File& file) {
      put(file, "/nodes/id", std::vector<std::int64_t>{1, 7});
      put(file, "/nodes/displacement_system", std::vector<std::int64_t>{0, 0});
      put(file, "/nodes/position", std::vector<double>(6, 1.0));
      file.write("/elements/type", {"CBAR"});
      put(file, "/elements/nodes_per_element", std::vector<std::int64_t>{2});
      put(file, "/elements/count", std::vector<std::int64_t>{1});
      put(file, "/elements/id", ids);
      put(file, "/elements/nodes", nodes);
    });
  };
  EXPECT_EQ(elements({11}, {1, 7}), "");
  EXPECT_EQ(elements({11, 12}, {1, 7}), "/elements/id has 2 values, but the records count 1");
  EXPECT_EQ(elements({11}, {1, 7, 7}), "/elements/nodes has 3 values, but the records count 2");
  EXPECT_EQ(elements({11}, {1}), "/elements/nodes has too few values");
  EXPECT_EQ(refusal_of([](io::Hdf5File& file) {
              put(file, "/rigid_elements/nodes", std::vector<std::int64_t>{7});
            }),
            "/rigid_elements/nodes has 1 values, but the records count 0");
  EXPECT_EQ(refusal_of([](io::Hdf5File& file) {
              put(file, "/constraints/terms", std::vector<std::int64_t>{7, 1});
              put(file, "/constraints/factors", std::vector<double>{1.0});
            }),
            "/constraints/terms has 1 values, but the records count 0");
}

TEST(FeModelFile, ARowOutsideTheMatrixIsNamed) {
  const auto matrix = [](std::int64_t first, std::int64_t second) {
    return refusal_of([&](io::Hdf5File& file) {
      file.make_group("/stiffness");
      file.set_attribute("/stiffness", "rows", std::int64_t{3});
      file.set_attribute("/stiffness", "columns", std::int64_t{1});
      put(file, "/stiffness/column_start", std::vector<std::int64_t>{0, 2});
      put(file, "/stiffness/row", std::vector<std::int64_t>{first, second});
      put(file, "/stiffness/value", std::vector<double>{1.0, 2.0});
    });
  };
  EXPECT_EQ(matrix(1, 3), "/stiffness/row row 3 is outside 0 to 2");
  EXPECT_EQ(matrix(-1, 2), "/stiffness/row row -1 is outside 0 to 2");
  EXPECT_EQ(matrix(1, 1), "/stiffness/row the row numbers of a column do not increase");
}

// Truth: the contract that bad input gives one typed error and is recognised as what it is.
TEST(FeModelFile, RefusesWhatIsNoFeModel) {
  const TemporaryFolder folder;
  testing::write_text(folder / "text.fe.h5", "SOL 103\n");
  EXPECT_FALSE(is_fe_model_file(folder / "text.fe.h5"));
  EXPECT_THROW(read_fe_model(folder / "text.fe.h5"), ParseError);
  EXPECT_THROW(read_fe_model(folder / "absent.fe.h5"), UsageError);
}

}  // namespace
}  // namespace femflex::importer
