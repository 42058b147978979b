// Arrays of numpy, scipy and MATLAB, and the meaning of their names.
#include "exchange/named_arrays.h"

#include <cmath>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/importer/import_model.h"
#include "femflex/importer/read_contents.h"
#include "femflex/importer/statistics.h"

#include "support/support.h"

namespace femflex::importer {
namespace {

using testing::code_of;
using testing::data;
using testing::tolerance;

/// Stiffness of four masses at the corners of a tetrahedron, joined by six bars of EA / L = 1000:
/// the sum of 1000 n n' over the bars at a node, and its opposite between the ends of a bar.
Eigen::MatrixXd tetrahedron_stiffness() {
  constexpr double kBar = 1000.0;
  Eigen::Matrix<double, 3, 4> x = Eigen::Matrix<double, 3, 4>::Zero();
  x.rightCols<3>().setIdentity();
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(12, 12);
  for (int a = 0; a < 4; ++a)
    for (int b = a + 1; b < 4; ++b) {
      const Eigen::Vector3d n = (x.col(b) - x.col(a)).normalized();
      const Eigen::Matrix3d k = kBar * n * n.transpose();
      K.block<3, 3>(3 * a, 3 * a) += k;
      K.block<3, 3>(3 * b, 3 * b) += k;
      K.block<3, 3>(3 * a, 3 * b) -= k;
      K.block<3, 3>(3 * b, 3 * a) -= k;
    }
  return K;
}

FileContents contents_of(const std::string& name) {
  Diagnostics diagnostics;
  FileContents contents = read_contents(data(name), {}, diagnostics);
  EXPECT_TRUE(diagnostics.empty()) << name;
  return contents;
}

const RawMatrix& matrix_called(const FileContents& contents, const std::string& name) {
  for (const RawMatrix& matrix : contents.matrices)
    if (matrix.name == name) return matrix;
  throw std::runtime_error("no matrix " + name);
}

/// entry_of() gives the entries of the whole matrix, of which one triangle may be stored.
void expect_equal(const RawMatrix& matrix, const Eigen::MatrixXd& expected) {
  ASSERT_EQ(matrix.rows, expected.rows());
  ASSERT_EQ(matrix.cols, expected.cols());
  for (Eigen::Index i = 0; i < expected.rows(); ++i)
    for (Eigen::Index j = 0; j < expected.cols(); ++j)
      EXPECT_NEAR(entry_of(matrix, i, j).real(), expected(i, j), tolerance(1e-12)) << i << ' ' << j;
}

// Truth: the stiffness by hand. Lines may be rows or columns, in any order, with repeated entries.
TEST(Npz, EverySparseFormOfScipyGivesTheSameMatrix) {
  for (const char* name : {"csr", "csc", "coo", "repeated"}) {
    SCOPED_TRACE(name);
    const FileContents contents = contents_of(std::string("npz/valid/") + name + ".npz");
    EXPECT_EQ(contents.format, "npz");
    ASSERT_EQ(contents.matrices.size(), 1U);
    EXPECT_EQ(contents.matrices[0].name, name);
    EXPECT_EQ(contents.matrices[0].triangle, RawMatrix::Triangle::all);
    expect_equal(contents.matrices[0], tetrahedron_stiffness());
  }
}

// Truth: the same stiffness; one triangle of a matrix stands for both.
TEST(Npz, ATriangleStandsForASymmetricMatrix) {
  const FileContents diagonals = contents_of("npz/valid/dia.npz");
  EXPECT_EQ(diagonals.matrices.at(0).triangle, RawMatrix::Triangle::lower);
  expect_equal(diagonals.matrices.at(0), tetrahedron_stiffness());
  const FileContents plain = contents_of("npz/valid/plain.npz");
  EXPECT_EQ(matrix_called(plain, "K").triangle, RawMatrix::Triangle::lower);
  EXPECT_EQ(matrix_called(plain, "M").triangle, RawMatrix::Triangle::all);
  expect_equal(matrix_called(plain, "M"),
               Eigen::Vector4d(1, 2, 3, 4).replicate<1, 3>().transpose().reshaped().asDiagonal());
  ASSERT_EQ(plain.unread.size(), 1U);
  EXPECT_EQ(plain.unread[0].what, "note");
  ASSERT_EQ(plain.grids.size(), 4U);
  EXPECT_EQ(plain.grids[3].id, 14);
  EXPECT_EQ(plain.grids[3].x[2], 1.0);
  ASSERT_EQ(plain.row_map.size(), 12U);
  EXPECT_EQ(plain.row_map[11], (Dof{14, 3}));
}

// Truth: the ids of the file, which are unsigned integers and descend.
TEST(Npz, UnsignedIntegersNameNodes) {
  const FileContents contents = contents_of("npz/valid/unsigned.npz");
  ASSERT_EQ(contents.grids.size(), 4U);
  EXPECT_EQ(contents.grids[0].id, 14);
  EXPECT_EQ(contents.grids[3].id, 11);
  EXPECT_EQ(contents.grids[3].x[2], 1.0);
  ASSERT_EQ(contents.row_map.size(), 12U);
  EXPECT_EQ(contents.row_map[0], (Dof{14, 1}));
  expect_equal(matrix_called(contents, "K"), tetrahedron_stiffness());
}

// Truth: shapes are columns of numbers, whatever their form. The entry above the diagonal is 0.
TEST(NamedArrays, SquareShapesAreNotATriangle) {
  RawMatrix shapes;
  shapes.name = "phi";
  shapes.rows = shapes.cols = 2;
  shapes.layout = RawMatrix::Layout::dense;
  shapes.is_dense = true;
  shapes.values = {1.0, 5.0, 0.0, 1.0};
  FileContents contents;
  add_named_arrays({shapes}, "shapes.npz", contents);
  EXPECT_EQ(contents.matrices.at(0).name, "SHAPES");
  EXPECT_EQ(entry_of(contents.matrices.at(0), 0, 1).real(), 0.0);
  EXPECT_EQ(entry_of(contents.matrices.at(0), 1, 0).real(), 5.0);
}

// Truth: the proofs of the import: rigid motions of K, masses, eigenvalues of the shapes, and the
// trace 12 * 1000 of K, as each bar adds 2 * 1000 to it.
TEST(NamedArrays, AFileAloneIsAModel) {
  for (const char* name : {"npz/valid/model.npz",
                           "npz/valid/plain.npz",
                           "matlab/valid/packed.mat",
                           "matlab/valid/hdf.mat"}) {
    SCOPED_TRACE(name);
    Diagnostics diagnostics;
    const ImportResult result = import_model({.files = {data(name)}}, diagnostics);
    const FeModel& model = result.model;
    EXPECT_EQ(model.nodes.size(), 4U);
    ASSERT_TRUE(model.stiffness && model.mass);
    EXPECT_NEAR(model.stiffness->diagonal().sum(), 12e3, tolerance(1e-9));
    EXPECT_NEAR(model.mass->diagonal().sum(), 30.0, tolerance(1e-12));
    EXPECT_EQ(model.damping.has_value(), std::string(name) == "npz/valid/model.npz");
    if (std::string(name) == "npz/valid/plain.npz") continue;
    EXPECT_EQ(model.modes.count(), 6);
    int modes = 0;
    for (const Proof& proof : result.proofs)
      if (proof.name.starts_with("mode ")) {
        ++modes;
        EXPECT_LT(proof.value, tolerance(1e-11)) << proof.name;
      }
    EXPECT_EQ(modes, 6);
  }
}

// Truth: the stiffness by hand, full and sparse, packed and plain, level 5 and HDF5.
TEST(Matlab, SparseAndFullMatricesOfBothLevels) {
  for (const char* name : {"model", "packed", "hdf"}) {
    SCOPED_TRACE(name);
    const FileContents contents = contents_of(std::string("matlab/valid/") + name + ".mat");
    EXPECT_EQ(contents.format, "matlab");
    expect_equal(matrix_called(contents, "K"), tetrahedron_stiffness());
    EXPECT_EQ(matrix_called(contents, "SHAPES").cols, 6);
    EXPECT_EQ(contents.grids.size(), 4U);
    EXPECT_EQ(contents.row_map.size(), 12U);
  }
  const FileContents damped = contents_of("matlab/valid/model.mat");
  expect_equal(matrix_called(damped, "D"), 1e-3 * tetrahedron_stiffness());
  const FileContents packed = contents_of("matlab/valid/packed.mat");
  EXPECT_EQ(packed.unread.size(), 2U);  // a text and a struct
  EXPECT_EQ(matrix_called(packed, "LAMBDA").cols, 1);
}

// Truth: the variables that MATLAB lists. A string or table is an opaque variable, whose name
// stands behind its flags; what such variables hold is in an array of bytes without a name.
TEST(Matlab, OpaqueVariablesAreCountedByNameAndTheirWorkspaceIsLeftOut) {
  std::string file(128, ' ');
  file.replace(124, 4, std::string("\0\1IM", 4));
  const auto word = [](std::uint32_t value) {
    std::string out(4, '\0');
    for (std::size_t k = 0; k < 4; ++k)
      out[k] = static_cast<char>(value >> (8U * k) & 0xFFU);
    return out;
  };
  const auto element = [&](std::uint32_t type, std::string data) {
    std::string out = word(type) + word(static_cast<std::uint32_t>(data.size()));
    data.resize((data.size() + 7) / 8 * 8, '\0');
    return out + data;
  };
  constexpr std::uint32_t kInt8 = 1, kUint8 = 2, kInt32 = 5, kUint32 = 6, kMatrix = 14;
  const auto flags = [&](std::uint32_t kind) { return element(kUint32, word(kind) + word(0)); };
  const auto bytes = [&](const std::string& name, const std::string& data) {
    return element(kMatrix,
                   flags(9) +
                       element(kInt32, word(1) + word(static_cast<std::uint32_t>(data.size()))) +
                       element(kInt8, name) + element(kUint8, data));
  };
  file += element(kMatrix,
                  flags(17) + element(kInt8, "label") + element(kInt8, "MCOS") +
                      element(kInt8, "string") + bytes("", "abcd"));
  file += bytes("COUNT", std::string(1, '\5'));
  file += bytes("", std::string(96, '\1'));
  const testing::TemporaryFolder folder;
  testing::write_text(folder / "m.mat", file);
  Diagnostics diagnostics;
  const FileContents contents = read_contents(folder / "m.mat", {}, diagnostics);
  ASSERT_EQ(contents.matrices.size(), 1U);
  EXPECT_EQ(contents.matrices[0].name, "COUNT");
  ASSERT_EQ(contents.unread.size(), 1U);
  EXPECT_NE(contents.unread[0].what.find("label"), std::string::npos) << contents.unread[0].what;
}

// Truth: what was done to each file, by its name.
TEST(NamedArrays, EachDamageIsNamed) {
  for (const auto& [name, code] : {std::pair{"npz/invalid/outside.npz", "npz"},
                                   {"npz/invalid/descends.npz", "npz"},
                                   {"npz/invalid/missing.npz", "npz"},
                                   {"npz/invalid/bsr.npz", "npz"},
                                   {"npz/invalid/infinite.npz", "npz"},
                                   {"npz/invalid/huge.npz", "npz"},
                                   {"npz/invalid/nodes.npz", "array"},
                                   {"npz/invalid/ids.npz", "array"},
                                   {"npz/invalid/short_ids.npz", "array"},
                                   {"npz/invalid/component.npz", "array"},
                                   {"matlab/invalid/infinite.mat", "not-finite"},
                                   {"matlab/invalid/nodes.mat", "array"},
                                   {"matlab/invalid/cut.mat", "mat"},
                                   {"matlab/invalid/outside.mat", "mat"}}) {
    Diagnostics diagnostics;
    const std::filesystem::path path = data(name);
    EXPECT_EQ(code_of([&] { (void)read_contents(path, {}, diagnostics); }), code) << name;
  }
}

}  // namespace
}  // namespace femflex::importer
