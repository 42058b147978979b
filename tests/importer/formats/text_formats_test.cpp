// Tests the readers of Abaqus, ANSYS and CalculiX files, of text tables and of print files.
#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/importer/read_contents.h"
#include "femflex/importer/statistics.h"

#include "importer/formats/read_files.h"
#include "support/support.h"

namespace femflex::importer {
namespace {

using testing::data;
using testing::tolerance;

// --- Abaqus and ANSYS

TEST(Abaqus, CoordinateLinesHoldBothTriangles) {
  const RawMatrix matrix = only_matrix_of("abaqus/valid/chain_STIF1.mtx");
  EXPECT_EQ(matrix.name, "STIFFNESS");
  EXPECT_EQ(matrix.triangle, RawMatrix::Triangle::all);
  EXPECT_EQ(statistics_of(matrix).nonzeros, 7);
}

TEST(Abaqus, LabelsNameTheRows) {
  const RawMatrix matrix = only_matrix_of("abaqus/valid/labels_STIF1.mtx");
  EXPECT_EQ(matrix.row_dofs, (std::vector<Dof>{{-3, 1}, {5, 1}, {5, 2}, {7, 1}}));
  EXPECT_EQ(entry_of(matrix, 2, 1).real(), -1.0);  // the other triangle
  EXPECT_EQ(entry_of(matrix, 0, 0).real(), 4.0);
}

// Truth: the file's comment, and its values.
TEST(Abaqus, AListOfDirectionsIsForItsNodeAndTheNextOnes) {
  const FileContents contents = read_silently("abaqus/valid/element.mtx");
  EXPECT_EQ(contents.row_map,
            (std::vector<Dof>{{11, 1}, {11, 2}, {11, 6}, {12, 1}, {12, 2}, {12, 6}, {15, 1}}));
  ASSERT_EQ(contents.matrices.size(), 1U);
  EXPECT_EQ(entry_of(contents.matrices[0], 6, 6).real(), 16.0);
  EXPECT_EQ(entry_of(contents.matrices[0], 6, 2).real(), 1.0);
  ASSERT_EQ(contents.unread.size(), 1U);
  EXPECT_EQ(contents.unread[0].what, "*UEL PROPERTY");
}

TEST(Abaqus, AnInstanceMovesItsNodesAndKeepsItsSets) {
  const FileContents contents = read_silently("abaqus/valid/instance.inp");
  ASSERT_EQ(contents.grids.size(), 3U);
  EXPECT_EQ(contents.grids[1].x, (std::array<double, 3>{11.0, 0.5, -2.0}));
  EXPECT_EQ(contents.grids[2].x, (std::array<double, 3>{12.0, 0.0, 1.0}));
  EXPECT_EQ(contents.element_counts.at("CBAR"), 1);
  EXPECT_EQ(contents.node_sets.at("ENDS"), (std::vector<std::int64_t>{1, 3}));
  EXPECT_EQ(contents.node_sets.at("ALL"), (std::vector<std::int64_t>{1, 3, 2}));
  ASSERT_EQ(contents.masses.size(), 1U);
  EXPECT_EQ(contents.masses[0].node, 3);
  EXPECT_EQ(contents.masses[0].mass, 4.5);
  EXPECT_EQ(contents.fixed.size(), 9U);  // two nodes along 1 to 3, and a pinned one
}

TEST(Abaqus, BadFilesAreRefusedWithTheReason) {
  expect_fault("abaqus/invalid/labels.mtx", "entry");
  expect_fault("abaqus/invalid/coordinate.mtx", "entry");
  expect_fault("abaqus/invalid/generate.inp", "entry");
  expect_fault("abaqus/invalid/element_order.mtx", "entry");
  expect_fault("abaqus/invalid/element_nodes.mtx", "entry");
  expect_fault("abaqus/invalid/element_comma.mtx", "entry");
  expect_fault("abaqus/invalid/element_twice.mtx", "second-element");
  expect_fault("abaqus/invalid/element_cut.mtx", "truncated");
  expect_fault("abaqus/invalid/node.inp", "entry");
  expect_fault("abaqus/invalid/loop.inp", "include");
}

TEST(Ansys, AMappingNamesTheRows) {
  EXPECT_EQ(read_silently("ansys/valid/equations.mapping").row_map,
            (std::vector<Dof>{{3, 1}, {3, 5}, {8, 0}}));
  expect_fault("ansys/invalid/skips.mapping", "mapping");
}

// --- CalculiX

TEST(Calculix, AMatrixFindsItsRowsBesideIt) {
  const FileContents contents = read_silently("calculix/valid/chain.sti");
  const RawMatrix& matrix = contents.matrices.at(0);
  EXPECT_EQ(matrix.name, "STIFFNESS");
  EXPECT_EQ(matrix.triangle, RawMatrix::Triangle::upper);
  EXPECT_EQ(matrix.row_dofs, (std::vector<Dof>{{101, 1}, {9155, 3}, {102, 2}}));
  EXPECT_EQ(statistics_of(matrix).nonzeros, 7);  // explicit zeros do not count
  EXPECT_EQ(only_matrix_of("calculix/valid/chain.mas").name, "MASS");
  EXPECT_EQ(read_silently("calculix/valid/chain.dof").row_map.size(), 3U);
}

TEST(Calculix, BadFilesAreRefusedWithTheReason) {
  expect_fault("calculix/invalid/entry.sti", "entry");
  expect_fault("calculix/invalid/direction.dof", "dof");
  expect_fault("calculix/invalid/node.frd", "node");
  expect_fault("calculix/invalid/binary.frd", "line");
}

// The stiffness of a free block retained at the six nodes of one end: a translation is free.
// Truth: the lines. CalculiX writes nan into matrices that it could not compute; in the first line,
// by which the format is known, and in a later one.
TEST(Calculix, AMatrixOfNotANumberIsToldAsSuch) {
  const testing::TemporaryFolder folder;
  for (const char* text : {"1 1                 -nan\n1 2                 -nan\n2 2  1.0\n",
                           "1 1 2.0\n1 2  nan\n2 2  1.0\n",
                           "1 1 2.0\n2 2  inf\n"}) {
    testing::write_text(folder / "job.sti", text);
    Diagnostics diagnostics;
    try {
      static_cast<void>(read_contents(folder / "job.sti", {}, diagnostics));
      ADD_FAILURE() << "no error";
    } catch (const ParseError& error) {
      EXPECT_EQ(error.code(), "not-finite") << error.what();
      EXPECT_FALSE(error.fix().empty());
    }
  }
}

TEST(Calculix, ASubstructureStiffnessLetsItselfBeMoved) {
  const RawMatrix matrix = only_matrix_of("calculix/valid/subk.mtx");
  ASSERT_EQ(matrix.rows, 18);
  EXPECT_EQ(matrix.row_dofs[4], (Dof{118, 2}));
  EXPECT_EQ(entry_of(matrix, 3, 2), entry_of(matrix, 2, 3));
  for (std::int64_t row = 0; row < 18; ++row)
    EXPECT_GT(entry_of(matrix, row, row).real(), 0.0);
}

// Truth: the same run written as text, six digits of each number.
TEST(Frd, BinaryBlocksSayWhatTheTextSays) {
  const FileContents binary = read_silently("calculix/valid/tower_binary.frd");
  const FileContents text = read_silently("calculix/valid/tower_text.frd");
  EXPECT_EQ(binary.encoding, "binary");
  EXPECT_EQ(text.encoding, "ascii");
  ASSERT_EQ(binary.grids.size(), 13U);
  for (std::size_t k = 0; k < 13; ++k) {
    EXPECT_EQ(binary.grids[k].id, text.grids.at(k).id);
    EXPECT_EQ(binary.grids[k].x, text.grids[k].x);
  }
  ASSERT_EQ(binary.elements.size(), 2U);
  for (std::size_t k = 0; k < 2; ++k)
    EXPECT_EQ(binary.elements[k].connectivity, text.elements.at(k).connectivity);
  constexpr double kSixDigits = 6e-6;
  ASSERT_EQ(binary.modes.size(), 2U);  // the static step, the modes
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(binary.modes[k].points, text.modes.at(k).points);
    EXPECT_EQ(binary.modes[k].frequencies_hz, text.modes[k].frequencies_hz);
    EXPECT_LT(testing::relative_difference(binary.modes[k].shapes, text.modes[k].shapes),
              kSixDigits);
  }
  ASSERT_EQ(binary.stresses.size(), text.stresses.size());
  ASSERT_EQ(binary.stresses.size(), 3U);
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_LT(testing::relative_difference(binary.stresses[k].values, text.stresses[k].values),
              kSixDigits);
}

// Frequencies of the solver's own list (beam_frq.dat): 35.14785 and 58.83338 Hz; norm by an
// independent reader.
TEST(Calculix, ModesOfAResultFileCarryTheirFrequencies) {
  const FileContents contents = read_silently("calculix/valid/beam_frq.frd");
  EXPECT_EQ(contents.grids.size(), 54U);
  EXPECT_EQ(contents.element_counts.at("CHEXA"), 16);
  ASSERT_EQ(contents.modes.size(), 1U);
  const RawModes& modes = contents.modes[0];
  ASSERT_EQ(modes.shapes.cols(), 10);
  EXPECT_NEAR(modes.frequencies_hz[0], 35.14785, tolerance(1e-5));
  EXPECT_NEAR(modes.eigenvalues[1], 136649.3, tolerance(0.1));
  EXPECT_EQ(modes.generalised_mass[0], 1.0);
  EXPECT_NEAR(shape_norms(modes)[0], 1.03766971603, tolerance(1e-10));
}

TEST(Calculix, AStaticFieldIsADisplacementAndPartsOfStressesAreCounted) {
  const FileContents contents = read_silently("calculix/valid/static.frd");
  ASSERT_EQ(contents.modes.size(), 1U);
  EXPECT_EQ(contents.modes[0].kind, RawModes::Kind::displacement);
  EXPECT_EQ(contents.modes[0].shapes(4, 0), -0.005);  // touching fields
  EXPECT_EQ(contents.modes[0].shapes.rows(), 6);      // translations alone
  EXPECT_EQ(contents.grids[0].x[1], -1.0);
  ASSERT_EQ(contents.elements.size(), 1U);
  EXPECT_EQ(contents.elements[0].connectivity, (std::vector<std::int64_t>{7, 8}));
  ASSERT_EQ(contents.unread.size(), 1U);
  EXPECT_EQ(contents.unread[0].what, "STRESS");
}

TEST(Calculix, ARigidBodyNamesItsRotationNode) {
  const FileContents contents = read_silently("calculix/valid/rigid_ms.inp");
  EXPECT_EQ(contents.grids.size(), 56U);
  EXPECT_EQ(contents.rotation_nodes.at(9002), 9001);
  ASSERT_EQ(contents.rigid_elements.size(), 1U);
  EXPECT_EQ(contents.rigid_elements[0].dependent.size(), 6U);
}

// --- tables of nodes, print files

TEST(NodeTable, FieldsMayStandBetweenCommasTabsOrBlanks) {
  const FileContents commas = read_silently("node_table/valid/commas.csv");
  EXPECT_EQ(commas.grids.at(1).id, 7);
  EXPECT_EQ(commas.grids.at(1).x, (std::array<double, 3>{1.0, 0.25, 0.0}));
  const FileContents german = read_silently("node_table/valid/german.txt");
  EXPECT_EQ(german.grids.at(0).x, (std::array<double, 3>{-4.5e-16, 0.1, 0.15}));
  EXPECT_EQ(read_silently("node_table/valid/blanks.txt").grids.at(1).x[2], 6.0);
  expect_fault("node_table/invalid/short.csv", "entry");
}

TEST(F06, AVectorGoesOnOverPagesAndScalarPointsShareALine) {
  Diagnostics diagnostics;
  const FileContents contents = read_contents(data("f06/valid/nx.f06"), {}, diagnostics);
  ASSERT_EQ(diagnostics.warnings().size(), 1U);
  EXPECT_EQ(diagnostics.warnings()[0].code, "few-digits");
  ASSERT_EQ(contents.modes.size(), 1U);
  const RawModes& modes = contents.modes[0];
  EXPECT_EQ(modes.subcase, 2);
  EXPECT_EQ(modes.points, (std::vector<std::int64_t>{3, 4, 101, 102}));
  EXPECT_EQ(modes.is_scalar, (std::vector<std::uint8_t>{0, 0, 1, 1}));
  EXPECT_EQ(modes.shapes(2, 0), -3.0);
  EXPECT_EQ(modes.shapes(18, 0), 8.0);
  EXPECT_EQ(modes.shapes(7, 1), 2.0);
  EXPECT_EQ(modes.eigenvalues, (std::vector<double>{4.0, -9.0}));
  EXPECT_EQ(modes.generalised_mass, (std::vector<double>{1.0, 0.5}));
  expect_fault("f06/invalid/short_row.f06", "eigenvector");
}

// omega^2 = 4 -+ 2 sqrt(2) for two masses of 5 kg on springs of 20 and 10 N/m.
TEST(F06, AMystranFileGivesModesAndTheRowsOfItsSets) {
  Diagnostics diagnostics;
  const FileContents contents = read_contents(data("f06/valid/dms.f06"), {}, diagnostics);
  EXPECT_EQ(contents.program, "MYSTRAN");
  ASSERT_EQ(contents.modes.size(), 1U);
  EXPECT_NEAR(contents.modes[0].eigenvalues[0], 4.0 - 2.0 * std::sqrt(2.0), tolerance(1e-6));
  EXPECT_NEAR(contents.modes[0].shapes(8, 0), 1.711412e-01, tolerance(1e-12));
  EXPECT_EQ(contents.row_map.size(), 18U);
  EXPECT_EQ(contents.set_rows.at("L"), (std::vector<Dof>{{2, 3}, {3, 3}}));
}

// Norms of the shapes and sum of the positions by an independent reader; the scalar points 100 to
// 102 are in the shapes.
TEST(MscHdf5, ShapesFindTheirEigenvaluesThoughTheyLiveInOtherDomains) {
  if (testing::shared_folder().empty()) GTEST_SKIP() << "the folder of real files is absent";
  Diagnostics diagnostics;
  const FileContents contents = read_contents(
      testing::shared_folder() / "data/nastran/hdf5/modes_elements.h5", {}, diagnostics);
  EXPECT_EQ(contents.format, "msc-h5");
  EXPECT_EQ(contents.grids.size(), 40U);
  EXPECT_EQ(contents.scalar_points, (std::vector<std::int64_t>{100, 101, 102}));
  ASSERT_EQ(contents.modes.size(), 1U);
  const RawModes& modes = contents.modes[0];
  EXPECT_EQ(modes.points.size(), 43U);
  EXPECT_EQ(modes.is_scalar.back(), 1);
  const std::vector<double> norms = shape_norms(modes);
  ASSERT_EQ(norms.size(), 3U);
  EXPECT_NEAR(norms[0], 2.08933043376, tolerance(1e-10));
  EXPECT_NEAR(norms[2], 1.57834284143, tolerance(1e-10));
  EXPECT_EQ(modes.generalised_mass, (std::vector<double>{1.0, 1.0, 1.0}));
}

TEST(MscHdf5, AFileThatEndsEarlyIsRefused) {
  expect_fault("msc_h5/invalid/cut.h5", "not-hdf5");
}

TEST(MscHdf5, ComplexShapesAndDisplacementsAreRead) {
  if (testing::shared_folder().empty()) GTEST_SKIP() << "the folder of real files is absent";
  Diagnostics diagnostics;
  const std::filesystem::path folder = testing::shared_folder() / "data/nastran/hdf5";
  const FileContents complex = read_contents(folder / "modes_complex_elements.h5", {}, diagnostics);
  ASSERT_EQ(complex.modes.size(), 1U);
  EXPECT_EQ(complex.modes[0].kind, RawModes::Kind::complex);
  EXPECT_EQ(complex.modes[0].imaginary.cols(), 4);
  EXPECT_NEAR(shape_norms(complex.modes[0])[3], 1.0, tolerance(1e-12));
  const FileContents statics = read_contents(folder / "static_solid_shell_bar.h5", {}, diagnostics);
  ASSERT_EQ(statics.modes.size(), 1U);
  EXPECT_EQ(statics.modes[0].kind, RawModes::Kind::displacement);
  EXPECT_NEAR(shape_norms(statics.modes[0])[0], 0.00904987297588, tolerance(1e-13));
  EXPECT_EQ(statics.systems.size(), 7U);
}

}  // namespace
}  // namespace femflex::importer
