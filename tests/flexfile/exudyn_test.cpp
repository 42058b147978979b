// Tests body files for Exudyn. Truth: the original body, sums over its lumped masses, and the keys
// that Exudyn's reader expects.
#include <string>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/flexfile/flexfile.h"
#include "femflex/frames.h"
#include "femflex/io/hdf5_file.h"
#include "femflex/io/npy.h"

#include "bodies.h"
#include "bytes/npz.h"
#include "support/support.h"

namespace femflex::flexfile {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using testing::relative_difference;
using testing::tolerance;

FlexBody body_without_rotations() {
  testing::RandomBodyOptions options;
  options.rotary_inertia = false;
  options.with_everything = false;
  options.damping_matrix = false;
  return testing::random_body(31, options);
}

// Truth: the body, bit by bit but for products of the mass.
TEST(Exudyn, BothFormsKeepTranslationsMatricesAndInvariants) {
  const testing::TemporaryFolder folder;
  const FlexBody body = body_without_rotations();
  for (const char* name : {"b.npz", "b.hdf5"}) {
    SCOPED_TRACE(name);
    Diagnostics diagnostics;
    write_body(body, folder / name, {}, diagnostics);
    ASSERT_EQ(diagnostics.warnings().size(), 2U);
    EXPECT_EQ(diagnostics.warnings()[0].code, "translations-only");
    EXPECT_EQ(diagnostics.warnings()[1].code, "left-out");
    const FlexBody again = read_body(folder / name, {}, diagnostics);
    for (Index k = 0; k < body.node_count(); ++k) {
      EXPECT_EQ(again.nodes[static_cast<std::size_t>(k)].id,
                body.nodes[static_cast<std::size_t>(k)].id);
      EXPECT_EQ(again.nodes[static_cast<std::size_t>(k)].position,
                body.nodes[static_cast<std::size_t>(k)].position);
      EXPECT_EQ(again.shapes.middleRows(6 * k, 3), body.shapes.middleRows(6 * k, 3));
    }
    EXPECT_EQ(again.mass, body.mass);
    EXPECT_EQ(again.stiffness, body.stiffness);
    const InertiaInvariants& i = again.invariants;
    const InertiaInvariants& j = body.invariants;
    EXPECT_EQ(i.mass, j.mass);
    EXPECT_LE(relative_difference(i.first_moment, j.first_moment), tolerance(1e-15));
    EXPECT_EQ(i.translation, j.translation);
    EXPECT_EQ(i.rotation, j.rotation);
    EXPECT_EQ(i.translation_rate, j.translation_rate);
    EXPECT_EQ(i.inertia, j.inertia);
    EXPECT_EQ(i.inertia_rate, j.inertia_rate);
    EXPECT_EQ(i.inertia_curvature, j.inertia_curvature);
  }
}

// Truth: the definitions with explicit cross matrices, Psi~' M Psi and so on, for lumped masses.
TEST(Exudyn, InertiaTermsAreTheProductsOfTheirDefinitions) {
  const testing::TemporaryFolder folder;
  const FlexBody body = body_without_rotations();
  Diagnostics diagnostics;
  write_body(body, folder / "b.npz", {}, diagnostics);
  const std::string bytes = testing::read_text(folder / "b.npz");
  std::vector<std::string> pickled;
  const auto arrays = read_npz(bytes, "b.npz", pickled);
  const Index n = body.mode_count();
  const Index rows = 3 * body.node_count();
  MatrixXd M = MatrixXd::Zero(rows, rows);
  MatrixXd Psi(rows, n);
  MatrixXd PsiTilde(rows, 3 * n);
  MatrixXd xTilde(rows, 3);
  MatrixXd Phit(rows, 3);
  for (Index k = 0; k < body.node_count(); ++k) {
    M.diagonal().segment(3 * k, 3) = body.lumped_mass.row(k).head(3);
    Psi.middleRows(3 * k, 3) = body.shapes.middleRows(6 * k, 3);
    xTilde.middleRows(3 * k, 3) = cross_matrix(body.nodes[static_cast<std::size_t>(k)].position);
    Phit.middleRows(3 * k, 3).setIdentity();
    for (Index j = 0; j < n; ++j)
      PsiTilde.block(3 * k, 3 * j, 3, 3) = cross_matrix(Psi.col(j).segment<3>(3 * k));
  }
  const auto expect = [&](const std::string& key, const MatrixXd& want) {
    EXPECT_LE(relative_difference(arrays.at(key).numbers, want), tolerance(1e-12)) << key;
  };
  expect("mPsiTildePsi", PsiTilde.transpose() * M * Psi);
  expect("mPsiTildePsiTilde", PsiTilde.transpose() * M * PsiTilde);
  expect("mPhitTPsi", Phit.transpose() * M * Psi);
  expect("mPhitTPsiTilde", Phit.transpose() * M * PsiTilde);
  expect("mXRefTildePsiTilde", xTilde.transpose() * M * PsiTilde);
  expect("inertiaLocal", xTilde.transpose() * M * xTilde);
  EXPECT_EQ(arrays.at("type").text, "ObjectFFRFreducedOrderInterface");
  EXPECT_TRUE(pickled.empty());
}

// Truth: the keys and markers of the format as its own reader expects them.
TEST(Exudyn, Hdf5FormMarksEveryObjectWithItsType) {
  const testing::TemporaryFolder folder;
  Diagnostics diagnostics;
  write_body(body_without_rotations(), folder / "b.hdf5", {}, diagnostics);
  const io::Hdf5File file = io::Hdf5File::open(folder / "b.hdf5");
  EXPECT_EQ(file.children("/").size(), 22U);
  for (const std::string& key : file.children("/"))
    EXPECT_TRUE(file.has_attribute("/" + key, "datatype")) << key;
  EXPECT_EQ(file.text_attribute("/totalMass", "datatype"), "float");
  EXPECT_EQ(file.text_attribute("/fileVersion", "datatype"), "int");
  EXPECT_EQ(file.text_attribute("/postProcessingModes", "datatype"), "dict");
  EXPECT_EQ(file.shape("/modeBasis"), (std::vector<std::uint64_t>{21, 4}));
  EXPECT_TRUE(file.shape("/totalMass").empty());
}

// Exudyn compares the attribute with 'ndarray'; h5py gives a text for a datatype of variable length
// (class 9 of the HDF5 file format, III.A.2) and bytes, which equal no text, for one of fixed
// length (class 3). The datatype follows the name of the attribute.
TEST(Exudyn, MarksAreTextsOfVariableLength) {
  const testing::TemporaryFolder folder;
  Diagnostics diagnostics;
  write_body(body_without_rotations(), folder / "b.hdf5", {}, diagnostics);
  const std::string bytes = testing::read_text(folder / "b.hdf5");
  const std::string name("datatype\0", 9);
  std::size_t marks = 0;
  for (std::size_t at = bytes.find(name); at != std::string::npos; at = bytes.find(name, at + 1)) {
    EXPECT_EQ(static_cast<int>(bytes[at + name.size()]) & 0xf, 9);
    ++marks;
  }
  EXPECT_EQ(marks, 22U);
}

// Exudyn reads the member, takes .item() of it and looks for 'matrix' in that: it must be an array
// without extents, of no pickled object, and hold no such word.
TEST(Exudyn, NpzFormHasEmptyPostProcessingModes) {
  const testing::TemporaryFolder folder;
  Diagnostics diagnostics;
  write_body(body_without_rotations(), folder / "b.npz", {}, diagnostics);
  const std::string bytes = testing::read_text(folder / "b.npz");
  std::vector<std::string> pickled;
  const auto arrays = read_npz(bytes, "b.npz", pickled);
  EXPECT_TRUE(pickled.empty());
  ASSERT_EQ(arrays.count("postProcessingModes"), 1U);
  EXPECT_TRUE(arrays.at("postProcessingModes").is_text);
  EXPECT_EQ(arrays.at("postProcessingModes").text, "");
  const std::size_t at = bytes.find("postProcessingModes.npy");
  EXPECT_NE(bytes.find("{'descr': '<U1', 'fortran_order': False, 'shape': (), }", at),
            std::string::npos);
}

// Truth: numpy's layout: a header of a multiple of 64 bytes that ends with a new line.
TEST(Npz, HeadersArePaddedAsNumpyDoes) {
  const std::string bytes = npy_of_numbers(MatrixXd::Identity(3, 4), {3, 4});
  const std::string text = "{'descr': '<f8', 'fortran_order': True, 'shape': (3, 4), }";
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  EXPECT_EQ(bytes.substr(10, text.size()), text);
  EXPECT_EQ(bytes.size(), 128U + 12 * 8);
  EXPECT_EQ(bytes[127], '\n');
  EXPECT_NE(npy_of_numbers(MatrixXd::Zero(5, 1), {5}).find("'shape': (5,)"), std::string::npos);
  EXPECT_NE(npy_of_numbers(MatrixXd::Zero(1, 1), {}).find("'shape': ()"), std::string::npos);
}

// A wrong byte anywhere in a member breaks its checksum.
TEST(Npz, ChecksumsFindAWrongByte) {
  const testing::TemporaryFolder folder;
  write_npz(folder / "a.npz", {{"x", npy_of_numbers(MatrixXd::Random(20, 3), {20, 3})}});
  std::string bytes = testing::read_text(folder / "a.npz");
  bytes[400] = static_cast<char>(bytes[400] ^ 4);
  std::vector<std::string> pickled;
  EXPECT_THROW(read_npz(bytes, "a.npz", pickled), ParseError);
}

// Truth: what numpy was given, see data/npz/ORIGIN.md.
TEST(Npz, ReadsTheKindsOfNumpy) {
  const MatrixXd counted = (MatrixXd(2, 3) << 0, 1, 2, 3, 4, 5).finished();
  for (const char* name : {"npz/kinds/stored.npz", "npz/kinds/deflated.npz"}) {
    SCOPED_TRACE(name);
    std::vector<std::string> pickled;
    const auto arrays = read_npz(testing::read_text(testing::data(name)), name, pickled);
    for (const char* key : {"rows", "fortran", "big"})
      EXPECT_EQ(arrays.at(key).numbers, counted) << key;
    EXPECT_EQ(arrays.at("scalar").numbers, MatrixXd::Constant(1, 1, -2.5));
    EXPECT_EQ(arrays.at("flags").numbers, (MatrixXd(3, 1) << 1, 0, 1).finished());
    EXPECT_EQ(arrays.at("nothing").numbers.size(), 0);
    EXPECT_EQ(arrays.at("text").text, "\u0141\u00e9\U0001F600");
    EXPECT_EQ(arrays.at("big_text").text, "\u0141\u00e9\U0001F600");
    EXPECT_EQ(arrays.at("utf8").text, "\u00e9");
    EXPECT_EQ(pickled, std::vector<std::string>{"objects"});
  }
}

// An object where numbers are expected is named as such, with what to do.
TEST(Npz, NumbersInAnObjectAreRefused) {
  const testing::TemporaryFolder folder;
  write_npz(folder / "a.npz", {{"modeBasis", io::npy_header("|O", false, {3, 1}) + "x"}});
  Diagnostics diagnostics;
  try {
    read_body(folder / "a.npz", {}, diagnostics);
    FAIL() << "nothing was thrown";
  } catch (const ParseError& error) {
    EXPECT_EQ(error.message(), "is a pickled object, which is not read");
    EXPECT_FALSE(error.fix().empty());
    EXPECT_EQ(error.where().record, "modeBasis");
  }
}

}  // namespace
}  // namespace femflex::flexfile
