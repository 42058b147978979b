// Tests files as other programs and editors write them: whatever is readable is read; the rest is
// reported with a remedy. Truth: the numbers of the texts below, and the same file without the
// oddity.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/importer/import_model.h"
#include "femflex/importer/op4_writer.h"
#include "femflex/importer/read_contents.h"
#include "femflex/importer/statistics.h"

#include "calculix/inp_elements.h"
#include "nastran/bulk_elements.h"
#include "support/support.h"

namespace femflex::importer {
namespace {

using testing::data;
using testing::TemporaryFolder;
using testing::write_text;

class Strangers : public ::testing::Test {
 protected:
  FileContents read(const std::string& name, const std::string& text) {
    write_text(folder_ / name, text);
    return read_contents(folder_ / name, {}, diagnostics_);
  }
  bool warned(const std::string& code) const {
    return std::any_of(diagnostics_.warnings().begin(),
                       diagnostics_.warnings().end(),
                       [&](const Warning& w) { return w.code == code; });
  }
  static RawMatrix diagonal(const std::string& name, const std::vector<double>& values) {
    RawMatrix out;
    out.name = name;
    out.rows = out.cols = static_cast<std::int64_t>(values.size());
    out.form = RawMatrix::Form::square;
    out.is_dense = true;
    out.values.assign(values.size() * values.size(), 0.0);
    for (std::size_t k = 0; k < values.size(); ++k)
      out.values[k * (values.size() + 1)] = values[k];
    return out;
  }
  TemporaryFolder folder_;
  Diagnostics diagnostics_;
};

TEST_F(Strangers, AByteOrderMarkChangesNothing) {
  for (const char* name : {"calculix/valid/chain.dof",
                           "calculix/valid/static.frd",
                           "calculix/valid/sub.inp",
                           "calculix/valid/subk.mtx",
                           "matrix_market/valid/general.mtx",
                           "double_mass_spring/dms.bdf",
                           "double_mass_spring/dms_km.pch",
                           "double_mass_spring/dms.f06",
                           "double_mass_spring/dms_km_ascii.op4",
                           "node_table/valid/commas.csv"}) {
    if (!std::filesystem::exists(data(name))) continue;
    SCOPED_TRACE(name);
    const FileContents plain = read_contents(data(name), {}, diagnostics_);
    const FileContents marked = read(std::filesystem::path(name).filename(),
                                     "\xEF\xBB\xBF" + testing::read_text(data(name)));
    EXPECT_EQ(marked.format, plain.format);
    EXPECT_EQ(marked.grids.size(), plain.grids.size());
    EXPECT_EQ(marked.row_map, plain.row_map);
    ASSERT_EQ(marked.matrices.size(), plain.matrices.size());
    for (std::size_t k = 0; k < plain.matrices.size(); ++k)
      EXPECT_EQ(statistics_of(marked.matrices[k]).frobenius,
                statistics_of(plain.matrices[k]).frobenius);
  }
}

TEST_F(Strangers, DecksOfCalculixMayBeginWithAnyKeywordOrComment) {
  const std::string nodes = "*NODE\n1,0.,0.,0.\n2,1.,0.,0.\n";
  for (const std::string first : {"*SURFACE, NAME=S1, TYPE=NODE\n1\n",
                                  "*\n",
                                  ">**\n>** mailed\n",
                                  "** comment\n*\n*Solid Section, ELSET=E\n",
                                  "*MATERIAL, NAME=M\n",
                                  "*Amplitude, NAME=A\n0.,1.\n"}) {
    SCOPED_TRACE(first);
    const FileContents contents = read("deck.inp", first + nodes + "*\n*STEP\n>** end\n");
    EXPECT_EQ(contents.format, "inp");
    EXPECT_EQ(contents.grids.size(), 2U);
  }
}

TEST_F(Strangers, OneOddElementDoesNotStopTheDeck) {
  const std::string grids =
      "BEGIN BULK\nGRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,1.,1.,0.\nGRID,4,,.5,0.,0.\n"
      "GRID,5,,1.,.5,0.\nGRID,6,,.5,.5,0.\n";
  const FileContents bare = read("a.bdf", grids + "CTRIAX6,7,1,1,,2,,3,\nENDDATA\n");
  ASSERT_EQ(bare.elements.size(), 1U);
  EXPECT_EQ(bare.elements[0].connectivity, (std::vector<std::int64_t>{1, 2, 3}));
  const FileContents whole = read("b.bdf", grids + "CTRIAX6,7,1,1,4,2,5,3,6\nENDDATA\n");
  EXPECT_EQ(whole.elements[0].connectivity, (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6}));
  EXPECT_FALSE(warned("odd-element"));
  const FileContents odd = read("c.bdf", grids + "CQUAD4,8,1,1,2,3\nCTRIA3,9,1,1,2,3\nENDDATA\n");
  EXPECT_EQ(odd.element_counts.at("CQUAD4"), 1);
  ASSERT_EQ(odd.elements.size(), 1U);
  EXPECT_EQ(odd.elements[0].type, "CTRIA3");
  EXPECT_TRUE(warned("odd-element"));
}

// Abaqus and CalculiX number the middle of a beam between its ends, NASTRAN after them.
TEST_F(Strangers, AMiddleNodeOfABeamComesAfterItsEnds) {
  const FileContents deck = read("beam.inp",
                                 "*NODE\n1,0.,0.,0.\n2,1.,0.,0.\n3,2.,0.,0.\n"
                                 "*ELEMENT, TYPE=B32\n7,1,2,3\n*ELEMENT, TYPE=T3D3\n8,1,2,3\n"
                                 "*ELEMENT, TYPE=S6\n9,1,2,3,4,5,6\n");
  ASSERT_EQ(deck.elements.size(), 2U);
  EXPECT_EQ(deck.elements[0].connectivity, (std::vector<std::int64_t>{1, 3, 2, 1, 3, 2}));
  EXPECT_EQ(deck.elements[1].connectivity, (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6}));
}

// What the readers call a type must lead back to the shape whose nodes they took.
TEST(ElementNames, EveryTypeOfADeckGivesItsShapeBack) {
  int drawn = 0;
  for (const char* name :
       {"CBAR",    "CBEAM",   "CBEAM3",  "CBEND",   "CBUSH",   "CBUSH1D", "CGAP",    "CHEXA",
        "CONROD",  "CPENTA",  "CPLSTN3", "CPLSTN4", "CPLSTN6", "CPLSTN8", "CPLSTS3", "CPLSTS4",
        "CPLSTS6", "CPLSTS8", "CPYRAM",  "CQUAD",   "CQUAD4",  "CQUAD8",  "CQUADR",  "CQUADX",
        "CQUADX4", "CQUADX8", "CROD",    "CSHEAR",  "CTETRA",  "CTRAX3",  "CTRAX6",  "CTRIA3",
        "CTRIA6",  "CTRIAR",  "CTRIAX",  "CTRIAX3", "CTRIAX6", "CTUBE",   "CVISC"}) {
    const ElementKind* kind = find_element(name);
    ASSERT_NE(kind, nullptr) << name;
    for (const ElementShape shape : {kind->corners, kind->with_mids})
      if (shape != ElementShape::none) {
        EXPECT_EQ(shape_of(name, topology_of(shape).node_count), shape) << name;
      }
    drawn += kind->first >= 0 ? 1 : 0;
  }
  EXPECT_EQ(drawn, 39);
  for (const char* type : {"C3D4", "C3D6",   "C3D8R", "C3D10", "C3D15", "C3D20R", "SC6R",
                           "SC8R", "STRI65", "STRI3", "S3R",   "S4R",   "S6",     "S8R",
                           "M3D3", "M3D8R",  "B31",   "B32R",  "B33",   "T3D2",   "T3D3"}) {
    const auto nodes = static_cast<int>(nodes_of(type));
    EXPECT_EQ(topology_of(shape_of(nastran_name(type), nodes)).node_count, nodes) << type;
  }
}

TEST_F(Strangers, AnSpcWithoutASetHoldsInEveryCase) {
  const std::string bulk =
      "BEGIN BULK\nGRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nSPC,,1,123,0.\n"
      "SPC1,,456,1\nSPC1,9,3,2\nENDDATA\n";
  EXPECT_EQ(read("a.bdf", "SOL 103\nCEND\nSPC = 9\n" + bulk).fixed.size(), 7U);
  EXPECT_EQ(read("b.bdf", "SOL 103\nCEND\n" + bulk).fixed.size(), 6U);
}

TEST_F(Strangers, FreeFieldsMayBeginBehindBlanks) {
  const FileContents contents = read(
      "a.bdf",
      "BEGIN BULK\nGRID    7       ,, 1.,2.,3.\nGRID 8 0 4. 5. 6.\nGRID    ,9,,7.,8.,9.\n"
      "CBUSH   10211,  10010, 7, 8,\n        ,,,\nRBE2  ,5,7,123,8,\n        9, 10\nENDDATA\n");
  ASSERT_EQ(contents.grids.size(), 3U);
  EXPECT_EQ(contents.grids[0].id, 7);
  EXPECT_EQ(contents.grids[0].x[2], 3.0);
  EXPECT_EQ(contents.grids[1].id, 8);
  EXPECT_EQ(contents.grids[1].x[1], 5.0);
  EXPECT_EQ(contents.element_counts.at("CBUSH"), 1);
  EXPECT_TRUE(contents.unread.empty());
  ASSERT_EQ(contents.rigid_elements.size(), 1U);
  EXPECT_EQ(contents.rigid_elements[0].dependent, (std::vector<std::int64_t>{8, 9, 10}));
}

TEST_F(Strangers, EveryElementCountsAndAPointCountsOnce) {
  const FileContents contents =
      read("a.bdf",
           "BEGIN BULK\nSPOINT,11,12\nSPOINT,12,THRU,13\nCHBDYG,1,,AREA4,,,,,\n,1,2,3,4\n"
           "CHBDYE,2,3,1\nCHBDYP,3,1,LINE,,,1,2\nCPLSTN3,4,1,1,2,3\nCPLSTN8,5,1,1,2,3,4,5,6\n,7,8\n"
           "CBEAM3,6,1,1,2,3,0.,0.,1.\nCQUADX8,7,1,1,2,3,4,5,6\n,7,8\nCAABSF,8,1,1,2\nENDDATA\n");
  EXPECT_EQ(contents.scalar_points, (std::vector<std::int64_t>{11, 12, 13}));
  for (const char* name :
       {"CHBDYG", "CHBDYE", "CHBDYP", "CPLSTN3", "CPLSTN8", "CBEAM3", "CQUADX8", "CAABSF"})
    EXPECT_EQ(contents.element_counts.count(name), 1U) << name;
  EXPECT_TRUE(contents.unread.empty());
}

// Truth: 64-bit range; the id after the last one would overflow and never end the list.
TEST_F(Strangers, RangesUpToTheLargestIntegerAreRefused) {
  for (const char* card : {"SPOINT,9223372036854775806,THRU,9223372036854775807",
                           "RBE2,1,2,123,-9223372036854775806,THRU,9223372036854775807"})
    EXPECT_THROW(read("a.bdf", std::string("BEGIN BULK\n") + card + "\nENDDATA\n"), ParseError)
        << card;
}

TEST_F(Strangers, PrintFilesOfMscNastran2018AreKnownByTheirPageLine) {
  std::string text = "1                JUNE   6, 2021  MSC Nastran 12/18/18   PAGE     1\n";
  for (int line = 0; line < 3000; ++line)
    text += "                              N E W S                                  \n";
  text +=
      "                                   R E A L   E I G E N V A L U E S\n"
      "   MODE    EXTRACTION      EIGENVALUE            RADIANS             CYCLES  \n"
      "     NO.       ORDER\n"
      "         1         1        4.000000E+00        2.000000E+00        3.183099E-01        "
      "1.000000E+00        4.000000E+00\n";
  const FileContents contents = read("job.f06", text);
  EXPECT_EQ(contents.format, "f06");
  ASSERT_EQ(contents.eigenvalues.size(), 1U);
  EXPECT_EQ(contents.eigenvalues[0].eigenvalue[0], 4.0);
}

TEST_F(Strangers, ForeignFormatsAreNamedWithTheirRemedy) {
  using namespace std::string_literals;
  const std::string ansys = "\x64\0\0\0\0\0\0\x80"s;
  struct Foreign {
    std::string name, bytes, expected;
  };
  const std::vector<Foreign> all{
      {"a.full", ansys + "\x04\0\0\0"s, ".full"},
      {"a.rst", ansys + "\x0c\0\0\0"s, "result"},
      {"a.emat", ansys + "\x02\0\0\0"s, ".emat"},
      {"a.cdb", "/COM,ANSYS RELEASE 2019 R2\n/PREP7\n", "ANSYS"},
      {"a.neu", "   -1\n   100\n<NULL>\n8.2\n   -1\n", "FEMAP"},
      {"a.msh", "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n", "gmsh"},
      {"a.mat", "\x01\x02\x03\x04nothing", "MATLAB"},
      {"a.zip", "PK\x03\x04\x14\0\0\0\0\0model.bdf"s, "zip"},
      {"a.op2", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n", "git-lfs"},
      {"a.pdf", "%PDF-1.5\n", "PDF"},
      {"a.bdf", "<!DOCTYPE html>\n<html>\nGRID,1,,0.,0.,0.\n", "web page"},
      {"a.k", "*KEYWORD\n*NODE\n", "LS-DYNA"},
      {"a.xdb", "\x01\x02\x03\x04nothing", ".xdb"},
      {"a.odb", "\x01\x02\x03\x04nothing", "Abaqus"},
      {"b.bdf", "\xFF\xFEG\0R\0"s, "UTF-16"},
      {"a.xz", "\xFD"s + "7zXZ\0"s, "xz"}};
  for (const Foreign& foreign : all) {
    SCOPED_TRACE(foreign.name);
    write_text(folder_ / foreign.name, foreign.bytes);
    EXPECT_EQ(detect_format(folder_ / foreign.name), "");
    try {
      read_contents(folder_ / foreign.name, {}, diagnostics_);
      FAIL() << "was read";
    } catch (const ParseError& error) {
      EXPECT_EQ(error.code(), "foreign-format");
      EXPECT_NE(error.message().find(foreign.expected), std::string::npos) << error.message();
      EXPECT_FALSE(error.fix().empty());
    }
  }
  EXPECT_THROW(read("noise", "\x01\x02 nothing known"), ParseError);
}

// .frd holds six digits of a coordinate, the deck all of them.
TEST_F(Strangers, AnFrdJoinsItsDeck) {
  write_text(folder_ / "a.inp", "*NODE\n30,0.,-13.3333333,8.\n31,1.00000499,2.,0.\n");
  const std::string head =
      "    1C\n    1Ujob\n    2C                             2"
      "                                     1\n";
  const auto frd = [&](const char* y) {
    write_text(folder_ / "a.frd",
               head + " -1        30 0.00000E+00" + y + " 8.00000E+00\n" +
                   " -1        31 1.00000E+00 2.00000E+00 0.00000E+00\n -3\n 9999\n");
    return import_model({.files = {folder_ / "a.frd", folder_ / "a.inp"}}, diagnostics_);
  };
  const FeModel model = frd("-1.33333E+01").model;
  ASSERT_EQ(model.nodes.size(), 2U);
  EXPECT_EQ(model.nodes[0].position.y(), -13.3333333);
  EXPECT_THROW(frd("-1.33335E+01"), ModelError);
}

TEST_F(Strangers, EffectiveMassesAreNoMassMatrixAndNothingIsLeftOutInSilence) {
  write_text(folder_ / "a.bdf", "BEGIN BULK\nGRID,1,,0.,0.,0.\nENDDATA\n");
  const std::vector<double> six{1, 2, 3, 4, 5, 6};
  write_op4(std::vector{diagonal("KGG", six), diagonal("EFMASSS", six)}, {}, folder_ / "k.op4");
  const FeModel model =
      import_model({.files = {folder_ / "a.bdf", folder_ / "k.op4"}, .force = true}, diagnostics_)
          .model;
  EXPECT_TRUE(model.stiffness && !model.mass);
  ASSERT_TRUE(warned("no-matrices"));
  const std::string message = diagnostics_.warnings().back().message;
  EXPECT_NE(message.find("EFMASSS (6 x 6, effective masses)"), std::string::npos) << message;
}

// An external superelement by EXTSEOUT(DMIGPCH, DMIGSFIX=10); numbers of the cards.
TEST_F(Strangers, MatricesOfASuperelementWithASuffixAreTaken) {
  const auto cards = [](const std::string& name, const char* value) {
    return "DMIG," + name + ",0,6,2,0,,,6\nDMIG," + name + ",1,1,,1,1," + value + "\nDMIG," + name +
           ",1,2,,1,2," + value + "\n";
  };
  const std::string grid = "BEGIN BULK\nGRID,1,,0.,0.,0.\n";
  write_text(folder_ / "one.bdf", grid + cards("K10", "4.") + cards("M10", "2.") + "ENDDATA\n");
  const FeModel one = import_model({.files = {folder_ / "one.bdf"}}, diagnostics_).model;
  ASSERT_TRUE(one.stiffness && one.mass);
  EXPECT_EQ(one.stiffness->coeff(0, 0), 4.0);
  EXPECT_EQ(one.mass->coeff(1, 1), 2.0);
  EXPECT_FALSE(warned("no-matrices"));
  write_text(folder_ / "two.bdf",
             grid + cards("K10", "4.") + cards("M10", "2.") + cards("K20", "4.") +
                 cards("M20", "2.") + "ENDDATA\n");
  const FeModel two = import_model({.files = {folder_ / "two.bdf"}}, diagnostics_).model;
  EXPECT_FALSE(two.stiffness || two.mass);
  ASSERT_TRUE(warned("no-matrices"));
  const std::string message = diagnostics_.warnings().back().message;
  EXPECT_NE(message.find("K10 (2 x 2)"), std::string::npos) << message;
  EXPECT_NE(message.find("--stiffness FILE:NAME"), std::string::npos) << message;
}

/// Matrices of a held block of two bricks and of a plate of shells (data/calculix/decks).
class WrongParts : public Strangers {
 protected:
  static std::filesystem::path deck(const std::string& name) {
    return data("calculix/decks/" + name);
  }
  void expect_refused(const ImportRequest& request, const std::string& proof) {
    try {
      import_model(request, diagnostics_);
      FAIL() << "was taken";
    } catch (const ModelError& error) {
      EXPECT_EQ(error.code(), "proof-failed");
      EXPECT_NE(error.message().find(proof), std::string::npos) << error.message();
    }
  }
};

TEST_F(WrongParts, StiffnessAndMassAreNotOneMatrixAndNotSwapped) {
  for (const std::string name :
       {"held_C3D8", "free_C3D8", "held_C3D20R", "free_C3D10", "plate_S4"}) {
    SCOPED_TRACE(name);
    ImportRequest request{.files = {deck(name + ".inp"), deck(name + ".dof")}};
    const std::filesystem::path k = deck(name + ".sti.gz");
    const std::filesystem::path m = deck(name + ".mas.gz");
    request.stiffness = MatrixPick{m, ""};
    request.mass = MatrixPick{m, ""};
    expect_refused(request, "are the same matrix");
    request.stiffness = MatrixPick{k, ""};
    request.mass = MatrixPick{k, ""};
    expect_refused(request, "are the same matrix");
    request.stiffness = MatrixPick{m, ""};
    expect_refused(request, "");
    request.stiffness = MatrixPick{k, ""};
    request.mass = MatrixPick{m, ""};
    EXPECT_NO_THROW(import_model(request, diagnostics_));
  }
}

// Truth: K R = 0 on rows whose neighbours are all there, though the part is held.
TEST_F(WrongParts, ADeckOfAnotherModelIsRefusedForHeldPartsToo) {
  const auto with_deck = [&](const std::string& text) {
    write_text(folder_ / "other.inp", text);
    return ImportRequest{.files = {folder_ / "other.inp",
                                   deck("held_C3D20R.sti.gz"),
                                   deck("held_C3D20R.mas.gz"),
                                   deck("held_C3D20R.dof")}};
  };
  const std::string right = testing::read_text(deck("held_C3D20R.inp"));
  EXPECT_NO_THROW(import_model(with_deck(right), diagnostics_));
  // nodes of another mesh: numbers in reverse order
  const std::size_t at = right.find("*ELEMENT");
  std::string other = "*NODE, NSET=NALL\n";
  for (int id = 1; id <= 32; ++id)
    other += std::to_string(id) + "," + std::to_string(0.1 * (id % 5)) + "," +
             std::to_string(0.07 * (id % 7)) + "," + std::to_string(0.03 * (id % 11)) + "\n";
  expect_refused(with_deck("*HEADING\nother\n" + other + right.substr(at)),
                 "rigid motion of inner nodes");
  // numbers far from those of the rows
  std::string far = "*NODE, NSET=NALL\n";
  for (int id = 1; id <= 8; ++id)
    far += std::to_string(9000 + id) + "," + std::to_string(id % 2) + "," +
           std::to_string((id / 2) % 2) + "," + std::to_string((id / 4) % 2) + "\n";
  far += "*ELEMENT, TYPE=C3D8, ELSET=E\n1,9001,9002,9003,9004,9005,9006,9007,9008\n";
  expect_refused(with_deck(far), "rows of the nodes");
}

}  // namespace
}  // namespace femflex::importer
