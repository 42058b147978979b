// Tests the library of Woehler curves against figures that the codes print beside their formulas.
#include "femflex/durability/curve_library.h"

#include <array>
#include <cmath>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "femflex/errors.h"

#include "support/support.h"

namespace femflex::durability {
namespace {

using testing::tolerance;

WoehlerCurve curve_of(const std::string& name) {
  const std::optional<LibraryCurve> found = library_curve(name);
  EXPECT_TRUE(found) << name;
  EXPECT_FALSE(found->source.empty()) << name;
  check_curve(found->curve);
  return found->curve;
}

// Truth: the class is the range at 2e6 cycles. Its range at the knee is 0.585 of it (IIW, 1e7
// cycles) and 0.737 of it (Eurocode 3, 5e6 cycles); below, the slope is 5.
TEST(CurveLibrary, ClassesOfWeldsAreRangesAtTwoMillionCycles) {
  for (const auto& [name, share] : {std::pair("iiw:71", 0.585), std::pair("eurocode3:71", 0.737)}) {
    const WoehlerCurve curve = curve_of(name);
    EXPECT_NEAR(cycles_to_failure(35.5e6, curve), 2e6, tolerance(1e-9) * 2e6) << name;
    EXPECT_NEAR(2.0 * curve.knee, share * 71e6, 0.001 * 71e6) << name;
    EXPECT_NEAR(cycles_to_failure(0.5 * curve.knee, curve),
                32.0 * curve.knee_cycles,
                tolerance(1e-9) * 32.0 * curve.knee_cycles);
  }
  EXPECT_EQ(curve_of("iiw:160").slope, 5.0);
}

// Truth: the column "fatigue limit at 1e7 cycles" of the table (a range in MPa, four digits).
TEST(CurveLibrary, CurvesOfDnvHaveTheirLimitAtTenMillionCycles) {
  // log10 a is printed with three decimals: half of the last is 10^(0.0005 / 3) of the range
  constexpr double kDigitsOfLogA = 4e-4;
  constexpr std::array<std::pair<const char*, double>, 7> kLimits = {{{"dnv:C", 73.10},
                                                                      {"dnv:D", 52.63},
                                                                      {"dnv:E", 46.78},
                                                                      {"dnv:F", 41.52},
                                                                      {"dnv:F3", 32.75},
                                                                      {"dnv:W1", 26.32},
                                                                      {"dnv:W3", 21.05}}};
  for (const auto& [name, limit] : kLimits)
    EXPECT_NEAR(2.0 * curve_of(name).knee / (limit * 1e6), 1.0, kDigitsOfLogA) << name;
}

// Truth: by hand. FKM: 0.45 R_m and M = 0.35 R_m / 1000 - 0.1 of steel; textbook: half of R_m at
// 1e6 cycles, nine tenths at 1e3, 700 MPa at most.
TEST(CurveLibrary, CurvesOfMaterialsFollowTheirTensileStrength) {
  const WoehlerCurve steel = curve_of("fkm-steel:600");
  EXPECT_NEAR(steel.knee, 270e6, tolerance(1e-9) * 270e6);
  EXPECT_NEAR(steel.sensitivity, 0.11, tolerance(1e-12));
  EXPECT_EQ(curve_of("fkm-steel:250").sensitivity, 0.0);
  EXPECT_NEAR(curve_of("fkm-grey-iron:250").sensitivity, 0.5, tolerance(1e-12));
  const WoehlerCurve textbook = curve_of("textbook-steel:800");
  EXPECT_NEAR(cycles_to_failure(400e6, textbook), 1e6, 1e-3);
  EXPECT_NEAR(cycles_to_failure(720e6, textbook), 1e3, tolerance(1e-9) * 1e3);
  EXPECT_NEAR(curve_of("textbook-steel:1600").knee, 700e6, 1.0);
}

TEST(CurveLibrary, OtherNamesAreNoCurves) {
  EXPECT_FALSE(library_curve("steel.json"));
  EXPECT_FALSE(library_curve("C:steel.json"));
  for (const char* name :
       {"iiw:", "iiw", "iiw:7x", "iiw:500", "dnv:B9", "fkm-steel:60", "fkm-steel", "dnv:d"})
    EXPECT_THROW(static_cast<void>(library_curve(name)), UsageError) << name;
}

}  // namespace
}  // namespace femflex::durability
