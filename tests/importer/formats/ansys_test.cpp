// Tests ANSYS files: matrices, results and decks of one model. Truth: the numbers in
// data/ansys/make_ansys.py, and the geometry of the element shapes.
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/importer/import_model.h"
#include "femflex/importer/read_contents.h"
#include "femflex/importer/statistics.h"

#include "importer/formats/element_order.h"
#include "support/support.h"

namespace femflex::importer {
namespace {

using testing::data;
using testing::relative_difference;
using testing::tolerance;

FileContents ansys(const std::string& name) {
  Diagnostics diagnostics;
  FileContents contents = read_contents(data("ansys/valid/" + name), {}, diagnostics);
  EXPECT_TRUE(diagnostics.empty()) << name;
  return contents;
}

/// @param is_held  the files do not tell what is held, so that rigid motions leave forces
FeModel bars(const std::vector<std::string>& names, bool is_held = false) {
  ImportRequest request;
  request.force = is_held;
  for (const std::string& name : names)
    request.files.push_back(data("ansys/valid/" + name));
  Diagnostics diagnostics;
  return import_model(request, diagnostics).model;
}

/// Positions and bars of make_ansys.py.
const std::map<std::int64_t, Eigen::Vector3d>& bar_nodes() {
  static const std::map<std::int64_t, Eigen::Vector3d> nodes{
      {1, {0, 0, 0}}, {2, {1, 0, 0}}, {3, {0, 1.5, 0}}, {7, {0.25, 0.5, 2}}, {12, {-1, -1, -0.5}}};
  return nodes;
}

/// K of the bars on the rows of a model, in basic directions.
Eigen::MatrixXd stiffness_of_bars(const DofMap& dofs) {
  constexpr double kBar = 1000.0;  // [N/m]
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(dofs.size(), dofs.size());
  for (const auto& [a, b] :
       {std::pair{1, 2}, {1, 3}, {1, 7}, {2, 3}, {2, 7}, {3, 7}, {12, 1}, {12, 2}, {12, 3}}) {
    const Eigen::Vector3d n = (bar_nodes().at(b) - bar_nodes().at(a)).normalized();
    Eigen::VectorXd row = Eigen::VectorXd::Zero(dofs.size());
    for (std::int8_t c = 1; c <= 3; ++c) {
      if (const auto i = dofs.find({a, c}); i >= 0) row(i) = -n(c - 1);
      if (const auto i = dofs.find({b, c}); i >= 0) row(i) = n(c - 1);
    }
    K += kBar * row * row.transpose();
  }
  return K;
}

// Truth: K = sum k n n' of bars, whatever the byte order, form of the mass and axes of the nodes.
TEST(AnsysFull, MatricesAreThoseOfTheBarsInBasicDirections) {
  for (const char* name : {"bars.full", "bars_big.full", "bars_lumped.full"}) {
    SCOPED_TRACE(name);
    const FeModel model = bars({"bars.cdb", name});
    ASSERT_EQ(model.dofs.size(), 12);
    ASSERT_TRUE(model.stiffness && model.mass);
    const Eigen::MatrixXd K = Eigen::MatrixXd(*model.stiffness).selfadjointView<Eigen::Lower>();
    EXPECT_LT(relative_difference(K, stiffness_of_bars(model.dofs)), tolerance(1e-14));
    const Eigen::MatrixXd M = Eigen::MatrixXd(*model.mass).selfadjointView<Eigen::Lower>();
    EXPECT_LT(relative_difference(M, 2.0 * Eigen::MatrixXd::Identity(12, 12)), tolerance(1e-14));
    EXPECT_EQ(model.fixed, (std::vector<Dof>{{12, 1}, {12, 2}, {12, 3}}));
  }
}

/// Eigenvalues of the pencil of a model.
Eigen::VectorXd eigenvalues(const FeModel& model) {
  const Eigen::MatrixXd K = Eigen::MatrixXd(*model.stiffness).selfadjointView<Eigen::Lower>();
  const Eigen::MatrixXd M = Eigen::MatrixXd(*model.mass).selfadjointView<Eigen::Lower>();
  return Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(K, M, Eigen::EigenvaluesOnly)
      .eigenvalues();
}

// Truth: with all modes of its inner node the superelement loses nothing, so that it has the
// eigenvalues of the bars, whatever the byte order, the columns stored and the way to name the
// rows.
TEST(AnsysSuperelement, HasTheEigenvaluesOfTheWholeModel) {
  const Eigen::VectorXd whole = eigenvalues(bars({"bars.cdb", "bars.full"}));
  for (const char* name : {"bars.sub", "bars_big.sub", "bars_upper.sub"}) {
    SCOPED_TRACE(name);
    const FeModel model = bars({name}, true);
    ASSERT_EQ(model.dofs.size(), 12);
    EXPECT_EQ(model.interface_nodes, (std::vector<std::int64_t>{7, 3, 2}));  // order of the rows
    const Eigen::VectorXd reduced = eigenvalues(model);
    EXPECT_LT((reduced - whole).cwiseAbs().maxCoeff(), tolerance(1e-12 * whole.maxCoeff()));
    for (const std::int64_t node : {2, 3, 7})
      EXPECT_EQ(
          model.nodes.at(static_cast<std::size_t>(node == 2 ? 0 : (node == 3 ? 1 : 2))).position,
          bar_nodes().at(node));
  }
}

// Truth: K of the masters is the Schur complement of K of the bars, in basic directions.
TEST(AnsysSuperelement, StiffnessOfTheMastersIsTheCondensedOne) {
  const FeModel whole = bars({"bars.cdb", "bars.full"});
  const Eigen::MatrixXd K = stiffness_of_bars(whole.dofs);
  std::vector<Eigen::Index> inside, out;
  for (Eigen::Index i = 0; i < whole.dofs.size(); ++i)
    (whole.dofs[i].node == 1 ? inside : out).push_back(i);
  const Eigen::MatrixXd condensed =
      K(out, out) - K(out, inside) * K(inside, inside).inverse() * K(inside, out);
  const FeModel model = bars({"bars.sub"}, true);
  const Eigen::MatrixXd reduced = Eigen::MatrixXd(*model.stiffness).selfadjointView<Eigen::Lower>();
  std::vector<Eigen::Index> rows;
  for (const Eigen::Index i : out)
    rows.push_back(model.dofs.find(whole.dofs[i]));
  EXPECT_LT(relative_difference(reduced(rows, rows), condensed), tolerance(1e-13));
}

TEST(AnsysSuperelement, SaysWhatTheFileIs) {
  const FileContents contents = ansys("bars_big.sub");
  EXPECT_EQ(contents.format, "ansys-sub");
  EXPECT_EQ(contents.endian, "big");
  EXPECT_EQ(contents.title, "five bars");
  ASSERT_EQ(contents.matrices.size(), 2U);
  EXPECT_EQ(contents.matrices[1].name, "MASS");
  EXPECT_EQ(contents.matrices[0].row_dofs.front(), (Dof{7, 1}));
  EXPECT_EQ(contents.scalar_points, (std::vector<std::int64_t>{13, 14, 15}));
  ASSERT_EQ(contents.unread.size(), 1U);
  EXPECT_EQ(contents.unread[0].what, "load vectors");
}

// Truth: the axes of the nodes in each file. The superelement numbers them from 1 like the deck,
// although the deck turns another node first.
TEST(AnsysFiles, AxesOfNodesFindEachOtherAcrossFiles) {
  const testing::TemporaryFolder folder;
  const std::string head = "/PREP7\nNBLOCK,6,SOLID\n(3i9,6e21.13e3)\n";
  const auto node = [](int id, double x, double y, double z, double turn) {
    return fmt::format("{:9d}{:9d}{:9d}{:21.13E}{:21.13E}{:21.13E}{:21.13E}{:21.13E}{:21.13E}\n",
                       id,
                       0,
                       0,
                       x,
                       y,
                       z,
                       turn,
                       turn == 30.0 ? 20.0 : 0.0,
                       turn == 30.0 ? 10.0 : 0.0);
  };
  testing::write_text(folder / "deck.cdb",
                      head + node(2, 1, 0, 0, 0) + node(1, 0, 0, 0, 77.0) +
                          node(3, 0, 1.5, 0, 30.0) + node(7, 0.25, 0.5, 2, 0) + "-1\nFINISH\n");
  testing::write_text(folder / "other.cdb", head + node(3, 0, 1.5, 0, 31.0) + "-1\nFINISH\n");
  ImportRequest request;
  request.force = true;  // node 12 is held, which these files do not tell
  request.files = {folder / "deck.cdb", data("ansys/valid/bars.sub")};
  Diagnostics diagnostics;
  const FeModel both = import_model(request, diagnostics).model;
  const FeModel alone = bars({"bars.sub"}, true);
  const Eigen::MatrixXd K = Eigen::MatrixXd(*alone.stiffness).selfadjointView<Eigen::Lower>();
  const Eigen::MatrixXd with = Eigen::MatrixXd(*both.stiffness).selfadjointView<Eigen::Lower>();
  EXPECT_LT(relative_difference(with, K), tolerance(1e-12));
  request.files[0] = folder / "other.cdb";
  try {
    static_cast<void>(import_model(request, diagnostics));
    FAIL() << "axes of two models were mixed";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.code(), "duplicate-grid");
  }
}

TEST(AnsysFull, SaysWhatTheFileIs) {
  const FileContents contents = ansys("bars_big.full");
  EXPECT_EQ(contents.format, "ansys-full");
  EXPECT_EQ(contents.endian, "big");
  EXPECT_EQ(contents.title, "five bars");
  EXPECT_EQ(contents.program, "ANSYS 21.1");
  ASSERT_EQ(contents.matrices.size(), 2U);
  EXPECT_EQ(contents.matrices[0].name, "STIFFNESS");
  EXPECT_EQ(contents.matrices[0].row_dofs.front(), (Dof{2, 1}));
}

// Truth: K phi = omega^2 M phi and phi' M phi = 1 with the matrices of the other file.
TEST(AnsysResult, ModesSatisfyTheMatricesOfTheFull) {
  for (const char* name : {"bars.rst", "bars_plain.rst", "bars_single.rst"}) {
    SCOPED_TRACE(name);
    const FeModel model = bars({"bars.cdb", "bars.full", name});
    ASSERT_EQ(model.modes.count(), 8);
    const double digits = std::string(name) == "bars_single.rst" ? 1e-6 : 1e-12;
    const Eigen::MatrixXd K = stiffness_of_bars(model.dofs);
    for (Eigen::Index k = 0; k < 8; ++k) {
      Eigen::VectorXd phi(12);
      for (Eigen::Index i = 0; i < 12; ++i)
        phi(i) = model.modes.shapes(model.modes.rows.find(model.dofs[i]), k);
      const double lambda = model.modes.modes[static_cast<std::size_t>(k)].eigenvalue;
      EXPECT_LT((K * phi - 2.0 * lambda * phi).norm(), tolerance(digits * K.norm()));
      EXPECT_NEAR(2.0 * phi.squaredNorm(), 1.0, tolerance(digits));
    }
  }
}

// Truth: the numbers of the modes that make_ansys.py writes with an imaginary part; the others are
// those of the file without any.
TEST(AnsysResult, AComplexShapeIsNotReadByItsRealPartAlone) {
  Diagnostics diagnostics;
  const FileContents contents =
      read_contents(data("ansys/valid/bars_complex.rst"), {}, diagnostics);
  ASSERT_EQ(diagnostics.warnings().size(), 1U);
  EXPECT_EQ(diagnostics.warnings()[0].code, "complex-modes");
  ASSERT_EQ(contents.unread.size(), 1U);
  EXPECT_EQ(contents.unread[0].what, "complex shapes");
  EXPECT_EQ(contents.unread[0].count, 8);
  const FileContents real = ansys("bars.rst");
  ASSERT_EQ(contents.modes.size(), 1U);
  ASSERT_EQ(contents.modes[0].shapes.cols(), 4);
  Eigen::Index column = 0;
  for (const Eigen::Index mode : {1, 4, 5, 6}) {  // from 0
    EXPECT_EQ(contents.modes[0].shapes.col(column), real.modes.at(0).shapes.col(mode));
    EXPECT_EQ(contents.modes[0].frequencies_hz[static_cast<std::size_t>(column++)],
              real.modes[0].frequencies_hz[static_cast<std::size_t>(mode)]);
  }
}

// Truth: the columns of bars_plain.rst, which are modes there.
TEST(AnsysResult, LoadStepsAreDisplacements) {
  const FileContents steps = ansys("bars_steps.rst");
  const FileContents modes = ansys("bars_plain.rst");
  ASSERT_EQ(steps.modes.size(), 1U);
  EXPECT_EQ(steps.modes[0].kind, RawModes::Kind::displacement);
  EXPECT_EQ(steps.modes[0].points, modes.modes.at(0).points);
  EXPECT_EQ(steps.modes[0].shapes, modes.modes[0].shapes);
  EXPECT_EQ(steps.modes[0].numbers, (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_TRUE(steps.modes[0].frequencies_hz.empty());
}

// Truth: bars.rst. The third DOF of the last six modes is called a rotation about x; then
// these modes have six rows a node, and the first two three.
TEST(AnsysResult, ShapesWithoutRotationsHaveThreeRowsANode) {
  const FileContents plain = ansys("bars.rst");
  ASSERT_EQ(plain.modes.size(), 1U);
  const RawModes& three = plain.modes[0];
  EXPECT_EQ(three.components, 3);
  const auto points = std::ssize(three.points);
  ASSERT_EQ(three.shapes.rows(), 3 * points);
  std::string bytes = testing::read_text(data("ansys/valid/bars.rst"));
  const auto integer = [&](std::size_t word) {
    std::int32_t out = 0;
    std::memcpy(&out, bytes.data() + 4 * word, 4);
    return out;
  };
  constexpr std::size_t kHeader = 103 + 2;  // word of the first item of the second record
  const auto pointers = static_cast<std::size_t>(integer(kHeader + 10)) + 2;
  for (std::size_t mode = 2; mode < 8; ++mode) {
    const std::size_t third = static_cast<std::size_t>(integer(pointers + mode)) + 2 + 22;
    ASSERT_EQ(integer(third), 3);  // UZ
    const std::int32_t rotation = 4;
    std::memcpy(bytes.data() + 4 * third, &rotation, 4);
  }
  const testing::TemporaryFolder folder;
  testing::write_text(folder / "turned.rst", bytes);
  Diagnostics diagnostics;
  const FileContents contents = read_contents(folder / "turned.rst", {}, diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  ASSERT_EQ(contents.modes.size(), 2U);
  EXPECT_EQ(contents.modes[0].shapes, three.shapes.leftCols(2));
  const RawModes& six = contents.modes[1];
  EXPECT_EQ(six.components, 6);
  ASSERT_EQ(six.shapes.rows(), 6 * points);
  for (Eigen::Index p = 0; p < points; ++p) {
    EXPECT_EQ(six.shapes.middleRows(6 * p, 2), three.shapes.block(3 * p, 2, 2, 6));
    EXPECT_TRUE(six.shapes.row(6 * p + 2).isZero(0.0));
    EXPECT_EQ(six.shapes.row(6 * p + 3), three.shapes.block(3 * p + 2, 2, 1, 6));
    EXPECT_TRUE(six.shapes.middleRows(6 * p + 4, 2).isZero(0.0));
  }
}

// Truth: the file with its eight modes; the pointer of one of them is 0, as in a run that stopped.
TEST(AnsysResult, ADataSetWithoutAPlaceIsCounted) {
  constexpr std::size_t kHeader = 103 + 2;  // word of the first item of the second record
  constexpr std::size_t kWord = 4;
  std::string bytes = testing::read_text(data("ansys/valid/bars.rst"));
  std::int32_t pointers = 0;  // item 11
  std::memcpy(&pointers, bytes.data() + kWord * (kHeader + 10), kWord);
  std::memset(bytes.data() + kWord * (static_cast<std::size_t>(pointers) + 2 + 7), 0, kWord);
  const testing::TemporaryFolder folder;
  testing::write_text(folder / "stopped.rst", bytes);
  Diagnostics diagnostics;
  const FileContents contents = read_contents(folder / "stopped.rst", {}, diagnostics);
  ASSERT_EQ(contents.modes.size(), 1U);
  EXPECT_EQ(contents.modes[0].shapes, ansys("bars.rst").modes.at(0).shapes.leftCols(7));
  ASSERT_EQ(contents.unread.size(), 1U);
  EXPECT_EQ(contents.unread[0].what, "data sets that were not written");
}

// Truth: the nodes and bars of make_ansys.py; the compressed form says the same as the plain one.
TEST(AnsysResult, MeshIsThatOfTheDeck) {
  const FileContents deck = ansys("bars.cdb");
  for (const char* name : {"bars.rst", "bars_plain.rst", "bars_single.rst"}) {
    SCOPED_TRACE(name);
    const FileContents result = ansys(name);
    ASSERT_EQ(result.grids.size(), deck.grids.size());
    for (std::size_t k = 0; k < deck.grids.size(); ++k) {
      EXPECT_EQ(result.grids[k].id, deck.grids[k].id);
      EXPECT_EQ(result.grids[k].x, deck.grids[k].x);
      EXPECT_EQ(result.grids[k].displacement_system, deck.grids[k].displacement_system);
    }
    ASSERT_EQ(result.elements.size(), 1U);
    EXPECT_EQ(result.elements[0].connectivity, deck.elements.at(0).connectivity);
    EXPECT_EQ(result.elements[0].ids.size(), 9U);
    EXPECT_EQ(result.units->name, "m-kg-s");
  }
}

TEST(AnsysDeck, ReadsSetsConstraintsAndForces) {
  const FileContents deck = ansys("bars.cdb");
  EXPECT_EQ(deck.format, "ansys-deck");
  EXPECT_EQ(deck.title, "five bars");
  EXPECT_EQ(deck.units->name, "m-kg-s");
  EXPECT_EQ(deck.node_sets.at("FOOT"), (std::vector<std::int64_t>{1, 2, 3, 12}));
  EXPECT_EQ(deck.fixed, (std::vector<Dof>{{12, 1}, {12, 2}, {12, 3}}));
  ASSERT_EQ(deck.loads.forces.size(), 1U);
  EXPECT_EQ(deck.loads.forces[0].node, 7);
  EXPECT_EQ(deck.loads.forces[0].value[0], 12.5);
  ASSERT_EQ(deck.unread.size(), 1U);
  EXPECT_EQ(deck.unread[0].what, "MPDATA");
}

// Truth: the lines. An archive of parameters has no mesh, which is told as such; one that begins
// with more parameters than the head of a file that tells its format is read.
TEST(AnsysDeck, WithParametersAloneIsToldByThem) {
  const testing::TemporaryFolder folder;
  const std::string head = "/COM,ANSYS RELEASE  12.1    10:26:33    06/05/2009\n";
  const std::string array =
      "*DIM,MYARRAY  ,ARRAY,       3,       1,       1,\n"
      "*PREAD,MYARRAY  ,       3\n 1.0000\n 2.0000\n 3.0000\nEND PREAD\n";
  const auto message = [&](const std::string& text) {
    testing::write_text(folder / "part.cdb", text);
    Diagnostics diagnostics;
    try {
      static_cast<void>(read_contents(folder / "part.cdb", {}, diagnostics));
    } catch (const ParseError& error) {
      EXPECT_NE(error.fix().find("CDWRITE"), std::string::npos) << error.fix();
      return error.message();
    }
    return std::string("read");
  };
  for (const std::string& text : {head + array, array, head + "*SET,A,3.0\n"})
    EXPECT_NE(message(text).find("parameters alone"), std::string::npos) << message(text);
  EXPECT_NE(message(head + "/PREP7\nET,1,185\nN,1,0,0,0\n").find("NBLOCK"), std::string::npos);
  std::string many = head;
  while (many.size() < 100'000)
    many += array;
  EXPECT_NE(message(many).find("NBLOCK"), std::string::npos);
  const std::string nodes =
      "NBLOCK,6,SOLID,1,1\n(3i9,6e21.13e3)\n        1        0        0  "
      "1.0000000000000E+000\n-1\n";
  EXPECT_EQ(message(many + nodes), "read");
  EXPECT_EQ(message(head + array + nodes), "read");
}

// Truth: 1000 element + 100 mode + 10 corner + component; the wedge has none, since its nodes
// coincide in part.
TEST(AnsysResult, StressesOfSolidsStandAtTheirCorners) {
  for (const char* name : {"solids.rst", "solids_old.rst"}) {
    SCOPED_TRACE(name);
    const FileContents contents = ansys(name);
    ASSERT_EQ(contents.stresses.size(), 2U);
    EXPECT_EQ(contents.stresses[0].type, "CTETRA");
    EXPECT_EQ(contents.stresses[1].type, "CHEXA");
    for (const RawStress& stress : contents.stresses) {
      EXPECT_EQ(stress.numbers, (std::vector<std::int64_t>{1, 2}));
      ASSERT_EQ(stress.places.size(), stress.type == "CHEXA" ? 8U : 4U);
      for (std::size_t k = 0; k < stress.places.size(); ++k)
        for (int mode = 1; mode <= 2; ++mode)
          for (Eigen::Index c = 0; c < 6; ++c)
            EXPECT_EQ(stress.values(static_cast<Eigen::Index>(6 * k) + c, mode - 1),
                      1000.0 * static_cast<double>(stress.places[k].element) + 100.0 * mode +
                          10.0 * static_cast<double>(k) + static_cast<double>(c));
    }
    EXPECT_EQ(contents.stresses[0].places[2].node, 4);
    EXPECT_EQ(contents.modes.at(0).frequencies_hz, (std::vector<double>{10.0, 20.0}));
  }
}

// Truth: a rotation about z turns x towards y, as the first of the three angles.
TEST(AnsysDeck, AxesOfRotatedNodesTurnAboutZFirst) {
  const FileContents deck = ansys("bars.cdb");
  ASSERT_EQ(deck.systems.size(), 1U);
  const Eigen::Matrix3d R = deck.systems[0].resolved->axes;
  // about z, then the new x: the new x axis is left alone by the second turn, and the third turns
  // it about the new y, in the plane of the new x and z
  const double z = 30.0 * M_PI / 180.0;
  const double x = 20.0 * M_PI / 180.0;
  const Eigen::Vector3d new_y(-std::sin(z) * std::cos(x), std::cos(z) * std::cos(x), std::sin(x));
  EXPECT_LT((R.col(1) - new_y).norm(), tolerance(1e-14));
  EXPECT_LT((R * R.transpose() - Eigen::Matrix3d::Identity()).norm(), tolerance(1e-14));
  EXPECT_GT(R.determinant(), 0.0);
}

// Truth: geometry. Each mid node lies in the middle of the edge that the shape says it belongs to,
// and a solid has its apex or upper face above the lower one.
TEST(AnsysDeck, EveryShapeHasItsNodesInOrder) {
  const FileContents deck = ansys("shapes.dat");
  const std::map<std::string, int> expected{{"hexahedron8", 1},
                                            {"wedge6", 1},
                                            {"pyramid5", 1},
                                            {"tetrahedron4", 2},
                                            {"hexahedron20", 1},
                                            {"wedge15", 1},
                                            {"pyramid13", 1},
                                            {"tetrahedron10", 2},
                                            {"quad4", 1},
                                            {"quad8", 1},
                                            {"triangle3", 1},
                                            {"triangle6", 1},
                                            {"bar2", 1}};
  EXPECT_EQ(shapes_in_order(deck), expected);
}

// Truth: what was done to each file of data/ansys/invalid.
TEST(AnsysFiles, EachDamageIsNamed) {
  for (const auto& [name, code] : {std::pair{"cut.full", "pointer"},
                                   {"unsymmetric.full", "unsymmetric"},
                                   {"frontal.full", "frontal"},
                                   {"claims_too_much.full", "header"},
                                   {"pointer.full", "pointer"},
                                   {"row.full", "row"},
                                   {"cut.sub", "record"},
                                   {"sparse.sub", "sparse-superelement"},
                                   {"unsymmetric.sub", "unsymmetric"},
                                   {"claims_too_much.sub", "header"},
                                   {"modes.sub", "header"},
                                   {"temperature.sub", "dofs"},
                                   {"twice.sub", "dofs"},
                                   {"node.sub", "rows"},
                                   {"nan.sub", "not-finite"},
                                   {"window.rst", "sparse"},
                                   {"bits.rst", "sparse"},
                                   {"zlib.rst", "zlib-record"},
                                   {"format.cdb", "format"},
                                   {"truncated.cdb", "truncated"},
                                   {"number.cdb", "number"},
                                   {"component.cdb", "component"}}) {
    Diagnostics diagnostics;
    try {
      read_contents(data(std::string("ansys/invalid/") + name), {}, diagnostics);
      FAIL() << name << " was read";
    } catch (const ParseError& error) {
      EXPECT_EQ(error.code(), code) << name << ": " << error.what();
    }
  }
}

}  // namespace
}  // namespace femflex::importer
