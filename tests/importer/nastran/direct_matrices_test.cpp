// Tests the cards DMI and DMIG with small decks written here. Truth: the matrices that the NASTRAN
// Quick Reference Guide gives for such cards, written out by hand.
#include <complex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/importer/read_contents.h"
#include "femflex/importer/statistics.h"

#include "support/support.h"

namespace femflex::importer {
namespace {

RawMatrix matrix_of_cards(const std::string& cards) {
  const testing::TemporaryFolder folder;
  testing::write_text(folder / "deck.bdf", "BEGIN BULK\n" + cards + "ENDDATA\n");
  Diagnostics diagnostics;
  return read_contents(folder / "deck.bdf", {"bulk"}, diagnostics).matrices.at(0);
}

/// "code: message" of the error that these cards give; "" if they are read.
std::string refusal_of(const std::string& cards) {
  try {
    matrix_of_cards(cards);
  } catch (const ParseError& error) {
    return error.code() + ": " + error.message();
  }
  return "";
}

std::vector<double> column_of(const RawMatrix& matrix, std::int64_t col) {
  std::vector<double> column;
  for (std::int64_t row = 0; row < matrix.rows; ++row)
    column.push_back(entry_of(matrix, row, col).real());
  return column;
}

// Truth: remark 8 of DMI in the Quick Reference Guide.
TEST(DmiCards, ThruRepeatsAValueAndRowsMayBeNamed) {
  const std::string header = "DMI,RRR,0,2,1,1,,12,1\n";
  const std::vector<double> expected{0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 2};
  EXPECT_EQ(column_of(matrix_of_cards(header + "DMI,RRR,1,2,1.0,THRU,10,12,2.0\n"), 0), expected);
  EXPECT_EQ(column_of(matrix_of_cards(
                          "DMI     RRR     0       2       1       1               12      1\n"
                          "DMI     RRR     1       2       1.0     THRU    10      12      2.0\n"),
                      0),
            expected);
  EXPECT_EQ(
      column_of(matrix_of_cards(
                    "DMI*    RRR                            0               2               1\n"
                    "*                      1                              12               1\n"
                    "DMI*    RRR                            1               2             1.0\n"
                    "*       THRU                          10              12             2.0\n"),
                0),
      expected);
  // the next row may be named as well, a row may end its line, and a value may lack its point
  EXPECT_EQ(column_of(matrix_of_cards("DMI,A,0,2,2,2,,4,1\nDMI,A,1,1,1.0,2,3.0\n"), 0),
            (std::vector<double>{1, 3, 0, 0}));
  EXPECT_EQ(column_of(matrix_of_cards("DMI,A,0,2,2,2,,4,1\nDMI,A,1,1,1.0,3\n+,5.0,6\n"), 0),
            (std::vector<double>{1, 0, 5, 6}));
}

TEST(DmiCards, ComplexValuesTakeTwoFields) {
  for (const char* type : {"3", "4"}) {
    const RawMatrix matrix = matrix_of_cards(std::string("DMI,QQQ,0,2,") + type +
                                             ",,,4,2\nDMI,QQQ,1,1,1.0,2.0,3.0,0.0,3\n,5.0,6.0\n"
                                             "DMI,QQQ,2,2,6.0,7.0,4,8.0,9.0\n");
    EXPECT_EQ(entry_of(matrix, 0, 0), std::complex<double>(1.0, 2.0));
    EXPECT_EQ(entry_of(matrix, 1, 0), std::complex<double>(3.0, 0.0));
    EXPECT_EQ(entry_of(matrix, 2, 0), std::complex<double>(5.0, 6.0));
    EXPECT_EQ(entry_of(matrix, 3, 1), std::complex<double>(8.0, 9.0));
    EXPECT_EQ(matrix.is_single, *type == '3');
  }
}

TEST(DmiCards, EveryFormIsTheMatrixThatItSays) {
  const RawMatrix identity = matrix_of_cards("DMI,IDM,0,8,2,2,,3\n");
  EXPECT_EQ(identity.form, RawMatrix::Form::identity);
  ASSERT_EQ(identity.cols, 3);
  const RawMatrix diagonal = matrix_of_cards("DMI,DG,0,3,2,2,,3,1\nDMI,DG,1,1,2.,THRU,2,3.\n");
  ASSERT_EQ(diagonal.cols, 3);
  const double values[] = {2.0, 2.0, 3.0};
  for (std::int64_t row = 0; row < 3; ++row)
    for (std::int64_t col = 0; col < 3; ++col) {
      EXPECT_EQ(entry_of(identity, row, col), row == col ? 1.0 : 0.0);
      EXPECT_EQ(entry_of(diagonal, row, col), row == col ? values[row] : 0.0);
    }
  EXPECT_EQ(matrix_of_cards("DMI,L,0,4,2,2,,2,2\n").form, RawMatrix::Form::lower_factor);
  EXPECT_EQ(matrix_of_cards("DMI,L,0,5,2,2,,2,2\n").form, RawMatrix::Form::upper_factor);
  EXPECT_EQ(refusal_of("DMI,S,0,1,2,2,,3,2\n"),
            "dmi-size: a matrix of FORM 1 is square, but this one is 3 x 2; write form 2");
  EXPECT_EQ(refusal_of("DMI,S,0,7,2,2,,3,3\n"), "dmi-form: FORM 7 is not one of 1 to 6, 8");
  EXPECT_EQ(refusal_of("DMI,S,0,2,5,2,,3,3\n"), "matrix-type: TIN 5 is not one of 1, 2, 3, 4");
  EXPECT_EQ(refusal_of("DMI,S,0,2,2,2,,-3,3\n"), "dmi-size: M = -3 is not 1 to 2147483646");
  EXPECT_EQ(refusal_of("DMI,S,0,8,2,2,,2000000\n"),
            "dmi-size: an identity matrix of 2000000 rows is larger than 1000000");
  EXPECT_EQ(refusal_of("DMI,S,0,8,2,2,,2\nDMI,S,1,1,1.\n"),
            "dmi-column: the columns of an identity matrix (form 8) are not given");
  EXPECT_EQ(refusal_of("DMI,S,0,3,2,2,,2\nDMI,S,2,2,1.\n"),
            "dmi-column: column 2: a diagonal matrix (form 3) has all its values in column 1");
}

TEST(DmiCards, RowsOutsideOrBackwardsAreRefused) {
  const std::string header = "DMI,A,0,2,2,2,,9,2\nDMI,A,1,1,7.0\n";
  EXPECT_EQ(refusal_of(header + "DMI,A,2,-5,THRU,3\n"),
            "dmi-row: row -5 is outside the matrix of 9 rows");
  EXPECT_EQ(refusal_of(header + "DMI,A,2,0,1.0\n"),
            "dmi-row: row 0 is outside the matrix of 9 rows");
  EXPECT_EQ(refusal_of(header + "DMI,A,2,9,1.0,2.0\n"),
            "dmi-row: row 10 is outside the matrix of 9 rows");
  EXPECT_EQ(refusal_of(header + "DMI,A,2,1,1.0,THRU,10\n"),
            "dmi-row: row 10 is outside the matrix of 9 rows");
  EXPECT_EQ(refusal_of(header + "DMI,A,2,1,THRU,3\n"),
            "dmi-thru: THRU must follow the value that it repeats");
  EXPECT_EQ(refusal_of(header + "DMI,A,2,1,1.0,5,THRU,7\n"),
            "dmi-thru: THRU must follow the value that it repeats");
  EXPECT_EQ(refusal_of(header + "DMI,A,2,5,1.0,THRU,3\n"), "dmi-thru: THRU 3 goes back from row 5");
  EXPECT_EQ(refusal_of(header + "DMI,A,2,5,1.0,2,3.0\n"),
            "dmi-row: row 2 comes after row 5, but the rows of a column must rise; a value needs a "
            "decimal point");
  EXPECT_EQ(refusal_of(header + "DMI,A,1,1,1.0\n"),
            "dmi-repeated: row 1 of column 1 is given twice");
}

// Truth: "input of an element of the matrix more than once will produce a fatal message" (DMIG).
TEST(DmigCards, AnElementIsGivenOnce) {
  const std::string header = "DMIG,KAA,0,6,2,0\n";
  const std::string lower = header + "DMIG,KAA,1,1,,1,1,10.\n+,2,1,-4.\n";
  const std::string twice = "dmig-repeated: (1/T1, 1/T1) is given twice, as 10 and ";
  for (const char* other : {"", "DMIG,KAA,2,1,,1,1,-4.\n"})  // one triangle, and both
    for (const char* value : {"10", "5"})
      EXPECT_EQ(refusal_of(lower + other + header + "DMIG,KAA,1,1,,1,1," + value + ".\n"),
                twice + value)
          << other;
  EXPECT_EQ(refusal_of("DMIG,KAA,0,1,2,0\nDMIG,KAA,1,1,,1,1,10.\nDMIG,KAA,1,1,,1,1,5.\n"),
            twice + "5");
  EXPECT_EQ(refusal_of("DMIG,KAA,0,6,3,0\nDMIG,KAA,1,1,,2,1,1.,2.\nDMIG,KAA,2,1,,1,1,1.,3.\n"),
            "dmig-both-triangles: (2/T1, 1/T1) is given twice, as 1+2i and 1+3i, but the "
            "matrix is symmetric");
  const RawMatrix both = matrix_of_cards(lower + "DMIG,KAA,2,1,,1,1,-4.\n+,2,1,8.\n");
  EXPECT_EQ(both.values, (std::vector<double>{10.0, -4.0, 8.0}));
  const RawMatrix mixed = matrix_of_cards(header + "DMIG,KAA,1,1,,2,1,1.\nDMIG,KAA,3,1,,1,1,2.\n");
  EXPECT_EQ(entry_of(mixed, 0, 1), 1.0);
  EXPECT_EQ(entry_of(mixed, 2, 0), 2.0);
}

TEST(DmigCards, ATermNamesItsGridPoint) {
  const std::string header = "DMIG,KAA,0,6,2,0\n";
  EXPECT_EQ(refusal_of(header + "DMIG,KAA,1,1,,1,1,1.0\nDMIG,KAA,2,1,,,1,3.0\n"),
            "dmig-dof: a term names no grid point");
}

TEST(DmigCards, AHeaderSaysOneKnownForm) {
  EXPECT_EQ(refusal_of("DMIG,KAA,0,5,2,0\n"), "dmig-form: IFO 5 is not one of 1, 2, 6, 9");
  EXPECT_EQ(refusal_of("DMIG,KAA,0,6,0,0\n"), "matrix-type: TIN 0 is not one of 1, 2, 3, 4");
  EXPECT_EQ(refusal_of("DMIG,KAA,0,6,2,0\nDMIG,KAA,1,1,,1,1,1.\nDMIG,KAA,0,1,4,0\n"),
            "dmig-headers: a second header differs from the one at line 2 (IFO, TIN, POLAR: 6, 2, "
            "0 and 1, 4, 0)");
  EXPECT_EQ(refusal_of("DMIG,KAA,0,6,2,0\nDMIG,KAA,1,1,,1,1,1.,5.\n"),
            "dmig-imaginary: an imaginary part 5 is given, but TIN 2 in the header is real");
  const RawMatrix joined = matrix_of_cards(
      "DMIG,KAA,0,6,2,0\nDMIG,KAA,1,1,,1,1,1.\nDMIG,KAA,0,6,2,0\nDMIG,KAA,2,1,,2,1,5.\n");
  EXPECT_EQ(joined.values, (std::vector<double>{1.0, 5.0}));
}

}  // namespace
}  // namespace femflex::importer
