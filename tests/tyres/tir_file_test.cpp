// Tests tyre property files: units, ranges, use mode, missing and unused coefficients, and one
// error for each file of data/tyres/invalid.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/diagnostics.h"
#include "femflex/errors.h"
#include "femflex/tyres/read_tyre.h"

#include "reference_table.h"
#include "support/support.h"

namespace femflex::testing {
namespace {

using tyres::ReadTyre;
using tyres::Side;
using tyres::TirFile;
using tyres::Tyre;
using tyres::TyreForces;
using tyres::TyreState;

struct Fault {
  std::string file;
  std::int64_t line;
  std::string message;  ///< expected part of the message
};

// Truth: the line of the fault; the error code is the name of the file.
TEST(TirFile, EachInvalidFileEndsInOneErrorWithItsLine) {
  const std::vector<Fault> faults = {
      {"no_section.tir", 1, "is not in a section"},
      {"section_name.tir", 3, "expected [NAME]"},
      {"section_twice.tir", 15, "defined twice"},
      {"no_name.tir", 4, "no name before '='"},
      {"no_value.tir", 9, "CSLIP has no value"},
      {"open_quote.tir", 2, "quote is not closed"},
      {"name_twice.tir", 13, "first in line 9"},
      {"no_equals.tir", 9, "'CSLIP 3e5' is neither"},
      {"table_row.tir", 18, "'wide' is not a number"},
      {"not_a_number.tir", 10, "CALPHA: '2x5'"},
      {"two_values.tir", 7, "WIDTH = 0.4 here, but 0.3 in line 5"},
      {"unknown_unit.tir", 2, "'furlong'"},
      {"unknown_law.tir", 2, "'FTIRE'"},
      {"missing.tir", -1, "CALPHA is missing"},
      {"not_positive.tir", 4, "UNLOADED_RADIUS = -0.5"},
      {"friction_order.tir", 12, "UMAX = 0.9 is below UMIN = 1.6"},
      {"range.tir", 17, "FZMIN = 9000 is not below FZMAX = 200"},
      {"unknown_side.tir", 3, "'FRONT'"},
      {"use_mode.tir", 3, "4.5"},
      {"zero.tir", 11, "PKY2 = 0"},
      {"no_coefficients.tir", 2, "neither PCX1 nor PCY1"},
      {"slip_order.tir", 27, "SXS_N = 0.05 is not above SXM_N = 0.12"},
  };
  for (const Fault& fault : faults) {
    Diagnostics notes;
    const std::string text = read_text(data("tyres/invalid/" + fault.file));
    try {
      tyres::read_tyre(text, fault.file, notes);
      ADD_FAILURE() << fault.file << " was read";
    } catch (const Error& error) {
      std::string code = std::filesystem::path(fault.file).stem().string();
      std::replace(code.begin(), code.end(), '_', '-');
      EXPECT_EQ(error.code(), code);
      EXPECT_EQ(error.where().line, fault.line) << error.what();
      EXPECT_EQ(error.where().file, fault.file);
      EXPECT_NE(error.message().find(fault.message), std::string::npos) << error.what();
    }
  }
  Diagnostics notes;
  EXPECT_EQ(code_of([&] {
              tyres::read_tyre(read_text(data("tyres/invalid/empty.tir")), "empty.tir", notes);
            }),
            "not-a-tyre");
}

// Truth: every truncated file is read or ends in an Error; no other exception is thrown.
TEST(TirFile, ACutFileIsReadOrRefused) {
  const std::string text = read_text(data("tyres/valid/car_mf61.tir"));
  int refused = 0;
  for (std::size_t size = 0; size < text.size(); ++size) {
    Diagnostics notes;
    try {
      tyres::read_tyre(text.substr(0, size), "cut.tir", notes);
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 100);
}

// Truth: every file with one changed byte is read or ends in an Error.
TEST(TirFile, AFileWithAChangedByteIsReadOrRefused) {
  std::mt19937 random(22);
  for (const char* name : {"truck_tmeasy.tir", "truck_fiala.tir", "car_mf61.tir"}) {
    const std::string text = read_text(data(std::string("tyres/valid/") + name));
    for (int i = 0; i < 3400; ++i) {
      std::string changed = text;
      changed[random() % text.size()] = static_cast<char>(random() % 256);
      Diagnostics notes;
      try {
        const ReadTyre read = tyres::read_tyre(changed, name, notes);
        tyres::forces(read.tyre, {0.05, 0.05, 0.02, 4000.0, 20.0});
      } catch (const Error& error) {
        EXPECT_FALSE(error.message().empty());
      }
    }
  }
}

/// Whether all results are finite numbers.
bool is_finite(const TyreForces& f) {
  return std::isfinite(f.fx + f.fy + f.mx + f.my + f.mz) &&
         std::isfinite(f.effective_radius + f.relaxation_x + f.relaxation_y);
}

// Truth: no tyre weighs more than 1e30 N. If one number of a file is replaced by an impossible one,
// the file is refused or its forces are finite.
TEST(TirFile, NumbersThatNoTyreHasAreRefusedOrHarmless) {
  for (const char* name : {"trailer_linear.tir",
                           "truck_fiala.tir",
                           "truck_tmeasy.tir",
                           "truck_pac2002.tir",
                           "car_mf61.tir"}) {
    const TirFile sample = sample_tir(name);
    for (const tyres::TirEntry& entry : sample.entries)
      for (const double number : {1e30, -1e30, 1e300, 1e-30, 0.0, -1.0}) {
        TirFile file = sample;
        file.set(entry.name, number, entry.section);
        Diagnostics notes;
        try {
          const Tyre tyre = tyres::make_tyre(file, notes).tyre;
          const double load = tyres::nominal_load(tyre);
          for (const double slip : {-0.2, 0.0, 0.2})
            EXPECT_TRUE(is_finite(tyres::forces(tyre, {slip, -slip, 0.05, load, 20.0})))
                << name << " " << entry.name << " = " << number;
        } catch (const Error& error) {
          EXPECT_FALSE(error.message().empty());
        }
      }
  }
}

// Truth: the number that was changed. The message contains its name, or the size of a result.
TEST(TirFile, AbsurdNumbersAreTold) {
  const auto note_of = [](const char* name, const char* key, double number) {
    TirFile file = sample_tir(name);
    for (const tyres::TirEntry& entry : sample_tir(name).entries)
      if (entry.name == key) file.set(key, number, entry.section);
    Diagnostics notes;
    try {
      tyres::make_tyre(file, notes);
    } catch (const ModelError& error) {
      return error.message();
    }
    return notes.empty() ? std::string() : notes.warnings().front().message;
  };
  const auto tells = [&](const char* name, const char* key, double number, const char* part) {
    const std::string note = note_of(name, key, number);
    EXPECT_NE(note.find(part), std::string::npos) << key << ": " << note;
  };
  tells("car_mf61.tir", "PKX3", 1e30, "PKX3 = 1e+30");
  tells("car_mf61.tir", "VERTICAL_STIFFNESS", 209.0, "deflects by 19.1 m");
  tells("car_mf61.tir", "PDX1", 100.0, "Fx is");
  tells("car_mf61.tir", "QSX2", 1e4, "Mx is");
  tells("car_mf61.tir", "LONGITUDINAL_STIFFNESS", 358.0, "relaxation length forwards");
  tells("car_mf61.tir", "FNOMIN", 1e-20, "FNOMIN = 1e-20");
  tells("car_mf61.tir", "USE_MODE", 1e30, "USE_MODE = 1e+30");
  tells("car_mf61.tir", "FZMAX", -5.0, "FZMAX");
  // eq. (17): a line through the values at one and two payloads that is not above zero at no load
  tells("truck_tmeasy.tir", "SXM_2N", 0.25, "twice SXM_N");
  tells("truck_tmeasy.tir", "SYM_2N", 0.48, "twice SYM_N");
  tells("truck_tmeasy.tir", "SXS_2N", 1.2, "twice SXS_N");
  tells("truck_tmeasy.tir", "SY0_2N", 0.5, "twice SY0_N");
  tells("truck_tmeasy.tir", "SYE_2N", 1.0, "twice SYE_N");
  // the order of two lines at no load: SXS 0.01, SXM 0.1
  tells("truck_tmeasy.tir", "SXS_2N", 1.09, "at no load");
  tells("truck_tmeasy.tir", "FXM_2N", 2e5, "four times FXM_N");
  // signs: the forces must drive the wheel back from slip
  tells("trailer_linear.tir", "CSLIP", -3e5, "dFx/dkappa = -3e+05 N, below 0");
  tells("trailer_linear.tir", "CALPHA", -1.7e5, "-dFy/dalpha = -1.7e+05 N/rad, below 0");
  tells("trailer_linear.tir", "RELAX_LENGTH_Y", -0.6, "relaxation lengths of 0.3 and -0.6 m");
  tells("car_mf61.tir", "PKX1", -20.0, "dFx/dkappa");
  tells("car_mf61.tir", "PKY1", 20.0, "-dFy/dalpha");
  tells("truck_pac2002.tir", "LKX", -1.0, "dFx/dkappa");
  tells("truck_pac2002.tir", "LKY", -1.0, "-dFy/dalpha");
  // units that are not those of the numbers: kilonewton read as newton, millimetres as metres
  tells("truck_fiala.tir", "CSLIP", 0.38, "dFx/dkappa is 380 N, less than a tyre has");
  tells("truck_fiala.tir", "CALPHA", 4.19e-3, "-dFy/dalpha is 240 N/rad");
  tells("trailer_linear.tir", "CALPHA", 170.0, "-dFy/dalpha is 170 N/rad");
  tells("truck_pac2002.tir", "UNLOADED_RADIUS", 538.0, "UNLOADED_RADIUS is 538 m");
  EXPECT_EQ(note_of("truck_fiala.tir", "CALPHA", 1.0), "");  // 57 kN/rad
  EXPECT_EQ(note_of("car_mf61.tir", "PKX3", 0.3), "");
}

// Truth: CSLIP 380 kN, CALPHA 240 kN/rad, radius 0.538 m, as stated in the head of the file.
TEST(TirFile, UnitsOfTheFileBecomeSi) {
  const Tyre tyre = sample_tyre("truck_fiala.tir");
  const auto& fiala = std::get<tyres::FialaTyre>(tyre.law);
  EXPECT_DOUBLE_EQ(fiala.unloaded_radius, 0.538);
  EXPECT_DOUBLE_EQ(fiala.cslip, 380e3);
  EXPECT_NEAR(fiala.calpha, 240e3, 1e-9 * 240e3);
  EXPECT_DOUBLE_EQ(fiala.vertical_stiffness, 980e3);
  EXPECT_DOUBLE_EQ(fiala.rolling_resistance, 3.2e-3);
}

// Truth: the metre, its multiples, the inch and the foot, in the names and abbreviations of Adams,
// in the British spelling, as plurals and symbols; MASS has no effect.
TEST(TirFile, UnitsHaveTheirUsualSpellings) {
  struct Spelling {
    const char* line;
    double radius, stiffness;  // of 0.5 LENGTH, 800 FORCE / LENGTH
  };
  constexpr double kFoot = 0.3048, kPound = 4.4482216152605;
  for (const Spelling& each : {Spelling{"LENGTH = 'METRES'", 0.5, 800.0},
                               Spelling{"LENGTH = 'kilometre'", 500.0, 0.8},
                               Spelling{"LENGTH = 'centimetre'", 0.005, 8e4},
                               Spelling{"LENGTH = 'Centimeters'", 0.005, 8e4},
                               Spelling{"LENGTH = 'cm'", 0.005, 8e4},
                               Spelling{"LENGTH = 'millimetres'", 0.0005, 8e5},
                               Spelling{"LENGTH = 'feet'", 0.5 * kFoot, 800.0 / kFoot},
                               Spelling{"FORCE = 'knewton'", 0.5, 8e5},
                               Spelling{"FORCE = 'KPOUND_FORCE'", 0.5, 8e5 * kPound},
                               Spelling{"MASS = 'tonne'", 0.5, 800.0}}) {
    Diagnostics notes;
    const std::string text =
        std::string("[UNITS]\n") + each.line +
        "\n[MODEL]\nPROPERTY_FILE_FORMAT = 'FIALA'\n[DIMENSION]\nUNLOADED_RADIUS = 0.5\n"
        "WIDTH = 0.2\n[PARAMETER]\nVERTICAL_STIFFNESS = 800\nVERTICAL_DAMPING = 1\n"
        "ROLLING_RESISTANCE = 0\nCSLIP = 400\nCALPHA = 400\nUMAX = 1\nUMIN = 0.9\n";
    try {
      const Tyre tyre = tyres::read_tyre(text, "a.tir", notes).tyre;
      const auto& fiala = std::get<tyres::FialaTyre>(tyre.law);
      EXPECT_NEAR(fiala.unloaded_radius, each.radius, 1e-14) << each.line;
      EXPECT_NEAR(fiala.vertical_stiffness, each.stiffness, 1e-14 * each.stiffness) << each.line;
    } catch (const Error& error) {
      ADD_FAILURE() << each.line << ": " << error.what();
    }
  }
}

// Truth: the same text without the mark, which editors of Windows put before UTF-8.
TEST(TirFile, AByteOrderMarkIsSkipped) {
  const std::string text = read_text(data("tyres/valid/trailer_linear.tir"));
  Diagnostics notes;
  const Tyre plain = tyres::read_tyre(text, "a.tir", notes).tyre;
  const Tyre marked = tyres::read_tyre("\xEF\xBB\xBF" + text, "a.tir", notes).tyre;
  const TyreState at{.kappa = 0.02, .alpha = 0.03, .load = 2e4};
  EXPECT_EQ(tyres::forces(plain, at).fx, tyres::forces(marked, at).fx);
  EXPECT_TRUE(notes.empty());
}

// Truth: the file lacks two coefficients and contains one that is unknown to every law. Without
// LKYC its default 1 is used.
TEST(TirFile, TellsWhatIsMissingAndWhatIsUnused) {
  TirFile file = sample_tir("car_mf61.tir");
  std::erase_if(file.entries, [](const tyres::TirEntry& entry) {
    return entry.name == "RBY4" || entry.name == "QDZ11" || entry.name == "LKYC";
  });
  file.set("PDY9", 1.0, "LATERAL_COEFFICIENTS");
  Diagnostics notes;
  const ReadTyre read = tyres::make_tyre(file, notes);
  EXPECT_EQ(read.missing, (std::vector<std::string>{"RBY4", "QDZ11"}));
  EXPECT_EQ(read.unused, std::vector<std::string>{"PDY9"});
  ASSERT_EQ(notes.warnings().size(), 1U);
  EXPECT_EQ(notes.warnings().front().code, "unused-coefficients");
  EXPECT_EQ(std::get<tyres::Mf61Tyre>(read.tyre.law).lkyc, 1.0);
}

// Truth: inputs beyond the limits in the file give the forces at the limits and a message.
TEST(TirFile, InputsOutsideTheRangesAreClampedAndTold) {
  const Tyre tyre = sample_tyre("car_mf61.tir");
  const TyreState limit = {1.5, 1.57, 0.26, 9000.0, 20.0, 300000.0};
  const TyreState beyond = {2.5, 1.6, 0.5, 12000.0, 20.0, 400000.0};
  const TyreForces a = tyres::forces(tyre, limit);
  const TyreForces b = tyres::forces(tyre, beyond);
  EXPECT_EQ(a.outside, 0);
  EXPECT_EQ(b.outside, 31);
  EXPECT_EQ(a.fx, b.fx);
  EXPECT_EQ(a.fy, b.fy);
  EXPECT_EQ(a.mz, b.mz);
}

// Truth: the last digit of USE_MODE: 1 longitudinal, 2 lateral, 3 both without interaction.
TEST(TirFile, TheUseModeChoosesTheForces) {
  const TyreState state = {0.05, 0.04, 0.02, 30000.0, 20.0};
  const auto at = [&](double mode) {
    TirFile file = sample_tir("truck_pac2002.tir");
    file.set("USE_MODE", mode, {});
    Diagnostics notes;
    return tyres::forces(tyres::make_tyre(file, notes).tyre, state);
  };
  EXPECT_EQ(at(1).fy, 0.0);
  EXPECT_NE(at(1).fx, 0.0);
  EXPECT_EQ(at(12).fx, 0.0);
  EXPECT_NE(at(12).mz, 0.0);
  EXPECT_EQ(at(0).fx, 0.0);
  EXPECT_GT(std::abs(at(3).fy), std::abs(at(4).fy));
}

// Truth: force times time over length: 0.002 kN s/mm are 2000 N s/m, with milliseconds 2.
TEST(TirFile, TheVerticalDampingIsReadInItsUnits) {
  EXPECT_NEAR(sample_tyre("truck_fiala.tir").vertical_damping, 2000.0, 1e-9);
  EXPECT_EQ(sample_tyre("car_mf61.tir").vertical_damping, 0.0);
  std::string text = read_text(data("tyres/valid/truck_fiala.tir"));
  text.replace(text.find("'second'"), 8, "'milli' ");
  Diagnostics notes;
  EXPECT_NEAR(tyres::read_tyre(text, "a.tir", notes).tyre.vertical_damping, 2.0, 1e-12);
  TirFile file = sample_tir("truck_fiala.tir");
  file.set("VERTICAL_DAMPING", -0.002, {});
  EXPECT_EQ(code_of([&] { tyres::make_tyre(file, notes); }), "not-positive");
}

// Truth: the forms of property files that suppliers and Adams write; nothing of them is used, so
// the forces are those of the file without them.
TEST(TirFile, HeadersCommentsAndRowsOfSuppliersAreSkipped) {
  const std::string text = read_text(data("tyres/valid/truck_pac2002.tir"));
  const TyreState at{.kappa = 0.02, .alpha = 0.03, .load = 2e4};
  Diagnostics plain_notes;
  const TyreForces plain = tyres::forces(tyres::read_tyre(text, "a.tir", plain_notes).tyre, at);
  const std::string header =
      "[MDI_HEADER]\nFILE_TYPE = 'tir'\n(COMMENTS)\n{comment_string}\n'Tire - 315/80R22.5'\n"
      "'pressure = 8 bar'\nmeasured on a drum\n";
  Diagnostics notes;
  const Tyre read =
      tyres::read_tyre(header + text + "\n[SHAPE]\n 1.00 0.00\n 1.00 0.40\n", "a.tir", notes).tyre;
  EXPECT_EQ(tyres::forces(read, at).fx, plain.fx);
  EXPECT_EQ(tyres::forces(read, at).fy, plain.fy);
  EXPECT_EQ(notes.warnings().size(), plain_notes.warnings().size());
  EXPECT_EQ(code_of([&] { tyres::read_tyre(text + "\n[SHAPE]\n1.0 wide\n", "a.tir", notes); }),
            "table-row");
  EXPECT_EQ(code_of([&] { tyres::read_tyre(text + "\n[SHAPE]\nwide\n", "a.tir", notes); }),
            "no-equals");
}

// Truth: without relaxation PTY2 divides nothing; an unknown side is the default one; curves of the
// vertical force are not used.
TEST(TirFile, WhatATyreDoesNotNeedIsToldOrLeft) {
  const TyreState at{.kappa = 0.02, .alpha = 0.03, .load = 2e4};
  TirFile file = sample_tir("truck_pac2002.tir");
  file.set("PTY1", 0.0, {});
  file.set("PTY2", 0.0, {});
  Diagnostics notes;
  const Tyre read = tyres::make_tyre(file, notes).tyre;
  EXPECT_EQ(tyres::relaxation_lengths(read, at).y, 0.0);
  EXPECT_EQ(tyres::forces(read, at).fy, tyres::forces(sample_tyre("truck_pac2002.tir"), at).fy);
  EXPECT_TRUE(notes.empty());
  file.set("PTY1", 1.0, {});
  EXPECT_EQ(code_of([&] { tyres::make_tyre(file, notes); }), "zero");
  std::string text = read_text(data("tyres/valid/truck_pac2002.tir"));
  text.replace(text.find("'LEFT'"), 6, "'UNKNOWN'");
  text += "\n[DEFLECTION_LOAD_CURVE]\n{pen fz}\n0 0\n0.05 30000\n";
  const Tyre unknown = tyres::read_tyre(text, "a.tir", notes).tyre;
  EXPECT_EQ(unknown.side, tyres::Side::left);
  ASSERT_EQ(notes.warnings().size(), 2U);
  EXPECT_EQ(notes.warnings()[0].code, "unknown-side");
  EXPECT_EQ(notes.warnings()[1].code, "unused-curve");
}

// Truth: the forces within the range of the whole file. A tyre measured in braking only drives,
// too.
TEST(TirFile, ARangeOfOneSignIsMirroredAndTold) {
  const Tyre whole = sample_tyre("truck_pac2002.tir");
  for (const auto& [name, kappa] : {std::pair{"KPUMAX", 0.1}, {"KPUMIN", -0.1}}) {
    TirFile file = sample_tir("truck_pac2002.tir");
    file.set(name, 0.0, {});
    Diagnostics notes;
    const Tyre half = tyres::make_tyre(file, notes).tyre;
    const TyreState at{.kappa = kappa, .load = 2e4};
    EXPECT_EQ(tyres::forces(half, at).fx, tyres::forces(whole, at).fx) << name;
    EXPECT_EQ(tyres::forces(half, at).outside, 0) << name;
    ASSERT_EQ(notes.warnings().size(), 1U) << name;
    EXPECT_EQ(notes.warnings().front().code, "half-range");
  }
}

}  // namespace
}  // namespace femflex::testing
