// Tests the units that files declare: those of DTI,UNITS with PARAM,WTMASS, and what an import does
// where a request or another file contradicts them.
#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/importer/import_model.h"
#include "femflex/importer/read_contents.h"
#include "femflex/unit_constants.h"

#include "support/support.h"

namespace femflex::importer {
namespace {

using testing::TemporaryFolder;
using testing::tolerance;
using testing::write_text;

constexpr const char* kGrid = "GRID,1,,0.,0.,0.\n";

FileContents deck(const std::string& cards, Diagnostics& diagnostics) {
  const TemporaryFolder folder;
  write_text(folder / "a.bdf", "BEGIN BULK\n" + cards + kGrid + "ENDDATA\n");
  return read_contents(folder / "a.bdf", {}, diagnostics);
}

/// The unit of mass [kg] of a deck with these cards; 0 if the units stay unknown, which is told.
double mass_unit(const std::string& cards) {
  Diagnostics diagnostics;
  const FileContents contents = deck(cards, diagnostics);
  EXPECT_EQ(contents.units.has_value(), diagnostics.warnings().empty()) << cards;
  return contents.units ? contents.units->mass : 0.0;
}

// Truth: matrices hold WTMASS times the masses of the cards, and their unit of mass is that of
// force * time^2 / length. 1 N s^2/mm is 1 t, 1 lbf s^2/in is 1 slinch.
TEST(DeclaredUnits, TheUnitOfMassOfMatricesFollowsFromThatOfForce) {
  EXPECT_NEAR(mass_unit("DTI,UNITS,1,KG,N,M,S\n"), 1.0, tolerance(1e-14));
  EXPECT_NEAR(mass_unit("DTI,UNITS,1,KG,N,MM,S\nPARAM,WTMASS,.001\n"), 1e3, tolerance(1e-10));
  EXPECT_NEAR(mass_unit("PARAM,WTMASS,.001\nDTI,UNITS,1,KG,N,MM,S\n"), 1e3, tolerance(1e-10));
  EXPECT_NEAR(
      mass_unit("DTI,UNITS,1,LBM,LBF,IN,S\nPARAM,WTMASS,.00259\n"), kSlinch, tolerance(1e-10));
  EXPECT_NEAR(mass_unit("DTI,UNITS,1,KG,KN,MM,MS\n"), 1.0, tolerance(1e-14));
  EXPECT_NEAR(mass_unit("DTI,UNITS,1,SLINCH,LBF,IN,S\n"), kSlinch, tolerance(1e-10));
  EXPECT_NEAR(mass_unit("DTI,UNITS,1,KG,,M,S\n"), 1.0, tolerance(1e-14));
}

// Without WTMASS the masses of kg, N, mm, s may be in kg or in t: nothing tells.
TEST(DeclaredUnits, StayUnknownWhereTheyDoNotFitEachOther) {
  for (const char* cards : {"DTI,UNITS,1,KG,N,MM,S\n",
                            "DTI,UNITS,1,LBM,LBF,IN,S\n",
                            "DTI,UNITS,1,KG,N,MM,S\nPARAM,WTMASS,.00259\n",
                            "DTI,UNITS,1,KG,,MM,S\nPARAM,WTMASS,.001\n"})
    EXPECT_EQ(mass_unit(cards), 0.0) << cards;
  Diagnostics diagnostics;
  deck("DTI,UNITS,1,KG,N,MM,S\n", diagnostics);
  ASSERT_EQ(diagnostics.warnings().size(), 1U);
  const std::string& told = diagnostics.warnings()[0].message;
  EXPECT_NE(told.find("1 kg"), std::string::npos) << told;
  EXPECT_NE(told.find("1000 kg"), std::string::npos) << told;
}

// Truth: the reference guide of OptiStruct: MG is a milligram, MGG a megagram. With N, mm and s MG
// can be a megagram alone, as older decks have it.
TEST(DeclaredUnits, MgIsTheMassThatFitsTheForce) {
  EXPECT_NEAR(mass_unit("DTI,UNITS,1,MG,N,MM,S\n"), 1e3, tolerance(1e-10));
  EXPECT_NEAR(mass_unit("DTI,UNITS,1,MGG,N,MM,S\n"), 1e3, tolerance(1e-10));
  EXPECT_NEAR(mass_unit("DTI,UNITS,1,MG,NN,MM,S\n"), 1e-6, tolerance(1e-18));
  EXPECT_EQ(mass_unit("DTI,UNITS,1,MG,KN,MM,S\n"), 0.0);
  Diagnostics diagnostics;
  const FileContents contents = deck("DTI,UNITS,1,MG,,MM,S\n", diagnostics);
  ASSERT_TRUE(contents.units.has_value());
  EXPECT_NEAR(contents.units->mass, 1e-6, tolerance(1e-18));
  EXPECT_EQ(diagnostics.warnings().size(), 1U);
}

std::string code_of(const ImportRequest& request) {
  Diagnostics diagnostics;
  try {
    import_model(request, diagnostics);
  } catch (const Error& error) {
    return error.code();
  }
  return "";
}

// Truth: two files of one model, of which one says mm-t-s and the other m-kg-s, cannot both be
// right; nor can a request that differs from the file.
TEST(DeclaredUnits, RefuseARequestOrAFileThatContradictsThem) {
  const TemporaryFolder folder;
  const auto write = [&](const std::string& name, const std::string& units) {
    write_text(folder / name, "BEGIN BULK\nDTI,UNITS,1," + units + "\n" + kGrid + "ENDDATA\n");
    return folder / name;
  };
  const auto tonnes = write("t.bdf", "T,N,MM,S"), same = write("u.bdf", "MGG,N,MM,S");
  const auto metres = write("m.bdf", "KG,N,M,S");
  EXPECT_EQ(code_of({.files = {tonnes}, .units = parse_units("mm-t-s")}), "");
  EXPECT_EQ(code_of({.files = {tonnes}, .units = parse_units("m-kg-s")}), "units-contradict");
  EXPECT_EQ(code_of({.files = {tonnes, same}}), "");
  EXPECT_EQ(code_of({.files = {tonnes, metres}}), "units-contradict");
}

}  // namespace
}  // namespace femflex::importer
