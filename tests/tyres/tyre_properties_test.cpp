// Tests properties that every tyre law has for any coefficients: zero force at zero slip, slopes,
// mirror symmetry, friction limits, continuity at the limits of the inputs.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/diagnostics.h"
#include "femflex/tyres/read_tyre.h"
#include "femflex/tyres/tyre.h"

#include "reference_table.h"
#include "support/support.h"

namespace femflex::testing {
namespace {

using tyres::Side;
using tyres::TirFile;
using tyres::Tyre;
using tyres::TyreForces;
using tyres::TyreState;

const std::vector<std::string> kSamples = {"trailer_linear.tir",
                                           "truck_fiala.tir",
                                           "truck_tmeasy.tir",
                                           "truck_pac2002.tir",
                                           "car_mf61.tir"};

/// Largest difference between two sets of forces and moments.
double distance(const TyreForces& a, const TyreForces& b) {
  return std::max({std::abs(a.fx - b.fx),
                   std::abs(a.fy - b.fy),
                   std::abs(a.mx - b.mx),
                   std::abs(a.my - b.my),
                   std::abs(a.mz - b.mz)});
}

double load_of(const std::string& file) {
  return file == "car_mf61.tir" ? 4000.0 : 30000.0;
}

// Truth: the relaxation lengths of the complete law at zero slip.
TEST(TyreProperties, RelaxationLengthsAreThoseWithoutSlip) {
  for (const std::string& name : kSamples) {
    const Tyre tyre = sample_tyre(name);
    for (const double share : {0.0, 0.3, 1.0, 5.0})
      for (const double gamma : {-0.05, 0.0, 0.08})
        for (const Side side : {Side::left, Side::right}) {
          TyreState state{0.0, 0.0, gamma, share * load_of(name), 20.0};
          state.side = side;
          const TyreForces f = tyres::forces(tyre, state);
          state.kappa = 0.1;
          state.alpha = -0.1;
          const tyres::RelaxationLengths sigma = tyres::relaxation_lengths(tyre, state);
          EXPECT_EQ(sigma.x, f.relaxation_x) << name << share;
          EXPECT_EQ(sigma.y, f.relaxation_y) << name << share;
        }
  }
}

// Truth: without conicity and ply steer there is no preferred lateral direction.
TEST(TyreProperties, ASymmetricTyreAtZeroSlipHasNoSideForceAndNoMoment) {
  for (const std::string& name : kSamples) {
    Tyre tyre = sample_tyre(name);
    if (auto* law = std::get_if<tyres::Pac2002Tyre>(&tyre.law)) *law = symmetric_part(*law);
    if (auto* law = std::get_if<tyres::Mf61Tyre>(&tyre.law)) *law = symmetric_part(*law);
    const TyreForces f = tyres::forces(tyre, {0.0, 0.0, 0.0, load_of(name), 20.0});
    EXPECT_EQ(f.fy, 0.0) << name;
    EXPECT_EQ(f.mx, 0.0) << name;
    EXPECT_EQ(f.mz, 0.0) << name;
    EXPECT_LT(f.my, 0.0) << name;
  }
}

// Truth: reflection in the wheel plane, with braking, camber and all symmetric coefficients.
TEST(TyreProperties, ASymmetricTyreIsItsOwnMirrorImage) {
  for (const std::string& name : kSamples) {
    Tyre tyre = sample_tyre(name);
    if (auto* law = std::get_if<tyres::Pac2002Tyre>(&tyre.law)) *law = symmetric_part(*law);
    if (auto* law = std::get_if<tyres::Mf61Tyre>(&tyre.law)) *law = symmetric_part(*law);
    const double load = load_of(name);
    const TyreForces left = tyres::forces(tyre, {-0.06, 0.05, 0.04, load, 20.0});
    const TyreForces right = tyres::forces(tyre, {-0.06, -0.05, -0.04, load, 20.0});
    EXPECT_LE(distance(left, mirrored(right)), tolerance(1e-12) * load) << name;
  }
}

// Truth: a tyre on the other side is the mirror image, with mirrored conicity and ply steer.
TEST(TyreProperties, ATyreOnTheOtherSideIsMirrored) {
  for (const std::string& name : kSamples) {
    const Tyre tyre = sample_tyre(name);
    TyreState state = {0.03, 0.05, 0.02, load_of(name), 20.0};
    const TyreForces left = tyres::forces(tyre, state);
    state.alpha = -state.alpha;
    state.gamma = -state.gamma;
    state.side = Side::right;
    EXPECT_EQ(distance(tyres::forces(tyre, state), mirrored(left)), 0.0) << name;
  }
}

// Truth: central differences. The stiffnesses are eq. (37) and (41) of docs/theory/tyres.md,
// evaluated by hand.
TEST(TyreProperties, TheStiffnessIsTheSlopeAtZeroForce) {
  TirFile file = sample_tir("car_mf61.tir");
  for (const char* shift : {"PHX1", "PHX2", "PVX1", "PVX2", "RHX1", "PEX4"})
    file.set(shift, 0.0, {});
  std::erase_if(file.entries, [](const tyres::TirEntry& e) { return e.name == "TYRESIDE"; });
  Diagnostics notes;
  Tyre tyre = tyres::make_tyre(file, notes).tyre;
  auto& law = std::get<tyres::Mf61Tyre>(tyre.law);
  law = symmetric_part(law);
  law.rvy3 = 0.0;
  const double load = 5000.0;
  const double step = 1e-6;
  const auto at = [&](double kappa, double alpha) {
    return tyres::forces(tyre, {kappa, alpha, 0.0, load, 20.0});
  };
  const double dfz = load / 4000.0 - 1.0;
  const double Kx = load * (21.4 - 1.9 * dfz) * std::exp(0.24 * dfz);
  const double Ky = -18.7 * 4000.0 * std::sin(1.93 * std::atan(load / 4000.0 / 1.72));
  EXPECT_NEAR((at(step, 0.0).fx - at(-step, 0.0).fx) / (2 * step), Kx, tolerance(1e-6) * Kx);
  EXPECT_NEAR((at(0.0, step).fy - at(0.0, -step).fy) / (2 * step), Ky, tolerance(1e-6) * -Ky);
}

// Truth: in the three laws with few coefficients, the coefficients are the slopes at zero slip.
TEST(TyreProperties, SmallLawsStartWithTheirCoefficients) {
  const double step = 1e-7;
  const auto slope = [&](const std::string& name, double load, bool is_side) {
    const Tyre tyre = sample_tyre(name);
    const auto at = [&](double s) {
      return tyres::forces(tyre, {is_side ? 0.0 : s, is_side ? s : 0.0, 0.0, load, 1e6});
    };
    const TyreForces a = at(step);
    const TyreForces b = at(-step);
    return (is_side ? a.fy - b.fy : a.fx - b.fx) / (2 * step);
  };
  EXPECT_NEAR(slope("trailer_linear.tir", 50000.0, false), 600e3, tolerance(1e-6) * 600e3);
  EXPECT_NEAR(slope("trailer_linear.tir", 25000.0, true), -170e3, tolerance(1e-6) * 170e3);
  EXPECT_NEAR(slope("truck_fiala.tir", 32000.0, false), 380e3, tolerance(1e-6) * 380e3);
  EXPECT_NEAR(slope("truck_fiala.tir", 32000.0, true), -240e3, tolerance(2e-6) * 240e3);
  EXPECT_NEAR(slope("truck_tmeasy.tir", 32000.0, false), 360e3, tolerance(2e-6) * 360e3);
  EXPECT_NEAR(slope("truck_tmeasy.tir", 64000.0, true), -300e3, tolerance(2e-6) * 300e3);
}

// Truth: D is the largest value of D sin(...), so without offsets no force exceeds mu Fz at pure
// slip, and the curve reaches mu Fz. The limit is U Fz for Fiala and the larger peak for TMeasy.
TEST(TyreProperties, FrictionBoundsTheForcesOfPureSlip) {
  struct Bound {
    const char* file;
    double load, mux, muy, reached;
  };
  for (const Bound& bound :
       {Bound{"car_mf61.tir", 4000.0, 1.06, 0.98, 0.999},
        Bound{"truck_pac2002.tir", 32000.0, 0.84, 0.79, 0.999},
        Bound{"truck_fiala.tir", 32000.0, 0.86, 0.86, 0.85},
        Bound{"truck_tmeasy.tir", 32000.0, 26500.0 / 32000.0, 24500.0 / 32000.0, 0.999}}) {
    Tyre tyre = sample_tyre(bound.file);
    const auto without_offsets = [](auto law) {
      law = symmetric_part(law);
      law.pvx1 = law.pvx2 = law.rhx1 = 0.0;
      law.lvx = law.lvy = 0.0;
      return law;
    };
    if (auto* law = std::get_if<tyres::Pac2002Tyre>(&tyre.law)) *law = without_offsets(*law);
    if (auto* law = std::get_if<tyres::Mf61Tyre>(&tyre.law)) *law = without_offsets(*law);
    double fx = 0.0;
    double fy = 0.0;
    for (double s = -1.0; s <= 1.0; s += 0.002) {
      fx = std::max(fx, std::abs(tyres::forces(tyre, {s, 0.0, 0.0, bound.load, 20.0}).fx));
      fy = std::max(fy, std::abs(tyres::forces(tyre, {0.0, s, 0.0, bound.load, 20.0}).fy));
    }
    EXPECT_LE(fx, bound.mux * bound.load * (1 + 1e-12)) << bound.file;
    EXPECT_LE(fy, bound.muy * bound.load * (1 + 1e-12)) << bound.file;
    EXPECT_GE(fx, bound.reached * bound.mux * bound.load) << bound.file;
    EXPECT_GE(fy, bound.reached * bound.muy * bound.load) << bound.file;
  }
}

// Truth: the forces are continuous at a slip angle of 90 degrees, at lift-off and at speed 0.
TEST(TyreProperties, ForcesAreContinuousSidewaysAtLiftOffAndAtStandstill) {
  for (const std::string& name : kSamples) {
    Tyre tyre = sample_tyre(name);
    tyre.ranges.alpha = {};
    const double load = load_of(name);
    const double half = 0.5 * std::numbers::pi;
    for (const double end : {-half, half}) {
      const TyreForces at = tyres::forces(tyre, {0.05, end, 0.03, load, 5.0});
      const TyreForces near = tyres::forces(tyre, {0.05, end * (1 - 1e-9), 0.03, load, 5.0});
      EXPECT_TRUE(std::isfinite(at.fx + at.fy + at.mx + at.my + at.mz)) << name;
      EXPECT_LE(distance(at, near), 1e-5 * load) << name << " sideways";
    }
    const TyreState lifting = {0.05, 0.1, 0.03, 1e-9 * load, 5.0};
    EXPECT_LE(distance(tyres::forces(tyre, lifting), TyreForces{}), 1e-8 * load) << name;
    const TyreForces ahead = tyres::forces(tyre, {0.05, 0.1, 0.03, load, 1e-9});
    const TyreForces still = tyres::forces(tyre, {0.05, 0.1, 0.03, load, 0.0});
    const TyreForces back = tyres::forces(tyre, {0.05, 0.1, 0.03, load, -1e-9});
    EXPECT_LE(distance(ahead, still), 1e-6 * load) << name << " standing";
    EXPECT_LE(distance(back, still), 1e-6 * load) << name << " standing";
  }
}

// Truth: without contact all forces are zero; the effective radius remains positive.
TEST(TyreProperties, AWheelInTheAirHasNoForces) {
  for (const std::string& name : kSamples) {
    const Tyre tyre = sample_tyre(name);
    for (const double load : {0.0, -100.0}) {
      const TyreForces f = tyres::forces(tyre, {0.1, 0.1, 0.1, load, 20.0});
      EXPECT_EQ(distance(f, TyreForces{}), 0.0) << name;
      EXPECT_GT(f.effective_radius, 0.2) << name;
    }
  }
}

// Truth: slip always dissipates power. Apart from the offsets of a real tyre, Fx and Fy are
// opposite to the slip velocity.
TEST(TyreProperties, SlidingTakesPowerFromTheWheel) {
  for (const std::string& name : kSamples) {
    const Tyre tyre = sample_tyre(name);
    const double load = load_of(name);
    for (double kappa = -0.9; kappa <= 0.9; kappa += 0.12)
      for (double alpha = -1.0; alpha <= 1.0; alpha += 0.13) {
        const TyreForces f = tyres::forces(tyre, {kappa, alpha, 0.0, load, 20.0});
        const double power = -f.fx * kappa + f.fy * std::tan(alpha);
        EXPECT_LT(power, 0.0) << name << " at " << kappa << ", " << alpha;
      }
  }
}

}  // namespace
}  // namespace femflex::testing
