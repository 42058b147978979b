// Tests damage from spectral densities. Truth: closed forms, and rainflow counts of signals with
// these densities.
#include "femflex/durability/spectra.h"

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/errors.h"

#include "support/support.h"

namespace femflex::durability {
namespace {

using testing::tolerance;

constexpr double kPi = std::numbers::pi;

WoehlerCurve curve_of(double slope, BelowKnee below) {
  WoehlerCurve out;
  out.slope = slope;
  out.knee = 2.0;
  out.knee_cycles = 1e6;
  out.below = below;
  return out;
}

/// A band of constant spectral density between two frequencies.
struct Band {
  double from = 0.0, to = 0.0, variance = 0.0;
};

SpectralMoments moments_of_bands(const std::vector<Band>& bands) {
  SpectralMoments out;
  for (const Band& band : bands) {
    const double G = band.variance / (band.to - band.from);
    const SpectralMoments one =
        moments_of(Eigen::Vector2d(band.from, band.to), Eigen::Vector2d(G, G));
    out.m0 += one.m0;
    out.m1 += one.m1;
    out.m2 += one.m2;
    out.m4 += one.m4;
  }
  return out;
}

/// Damage per second of a Gaussian signal with this density, by rainflow counting. The signal is a
/// sum of cosines with random phases.
double counted_rate(const std::vector<Band>& bands, double step, const WoehlerCurve& curve) {
  constexpr int kRows = 150000;
  constexpr int kCosines = 60;  // for each band
  std::mt19937 engine(11);
  std::uniform_real_distribution<double> share(0.0, 1.0);
  std::vector<double> signal(kRows, 0.0);
  for (const Band& band : bands)
    for (int k = 0; k < kCosines; ++k) {
      const double hz = band.from + (band.to - band.from) * (k + share(engine)) / kCosines;
      const double amplitude = std::sqrt(2.0 * band.variance / kCosines);
      // a rotating pointer replaces the computation of every cosine
      const double turn = 2.0 * kPi * hz * step;
      double x = std::cos(2.0 * kPi * share(engine)), y = std::sqrt(1.0 - x * x);
      if (share(engine) < 0.5) y = -y;
      const double c = std::cos(turn), s = std::sin(turn);
      for (double& value : signal) {
        value += amplitude * x;
        const double next = c * x - s * y;
        y = s * x + c * y;
        x = next;
      }
    }
  return damage_of(rainflow(signal, Residue::half_cycles), curve) / (kRows * step);
}

// Truth: integrals of powers over a constant density.
TEST(Spectra, MomentsOfABandAreThoseOfItsIntegral) {
  const SpectralMoments m = moments_of(Eigen::Vector3d(2.0, 3.0, 5.0), Eigen::Vector3d(4, 4, 4));
  EXPECT_NEAR(m.m0, 12.0, tolerance(1e-14) * 12.0);
  EXPECT_NEAR(m.m1, 2.0 * (25.0 - 4.0), tolerance(1e-14) * 42.0);
  EXPECT_NEAR(m.m2, 4.0 / 3.0 * (125.0 - 8.0), tolerance(1e-14) * 156.0);
  EXPECT_NEAR(m.m4, 4.0 / 5.0 * (3125.0 - 32.0), tolerance(1e-14) * 2474.0);
}

// Truth: the area of a triangle, and its centre of area: a peak as narrow as one of a billion.
TEST(Spectra, MomentsOfANarrowPeakAreThoseOfItsArea) {
  const double hz = 1000.0;
  for (const double width : {1e-4, 1e-6}) {
    const double from = hz - width;
    const double to = hz + width;
    const SpectralMoments m =
        moments_of(Eigen::Vector3d(from, hz, to), Eigen::Vector3d(0.0, 1.0, 0.0));
    const double area = 0.5 * (to - from);
    EXPECT_NEAR(m.m0, area, tolerance(1e-9) * area);
    EXPECT_NEAR(m.m2, area * hz * hz, tolerance(1e-9) * m.m2);
    EXPECT_NEAR(m.m4, area * std::pow(hz, 4), tolerance(1e-9) * m.m4);
  }
}

// Truth: f0 (sqrt(2) sigma)^k Gamma(1 + k / 2) / (N_D S_D^k).
TEST(Spectra, DamageOfANarrowBandIsTheClosedForm) {
  const double sigma = 0.7, hz = 12.0;
  const SpectralMoments m{
      sigma * sigma, sigma * sigma * hz, sigma * sigma * hz * hz, sigma * sigma * std::pow(hz, 4)};
  for (const double k : {3.0, 5.0, 7.3}) {
    const double expected =
        hz * std::pow(std::sqrt(2.0) * sigma / 2.0, k) * std::tgamma(1.0 + k / 2.0) / 1e6;
    for (const SpectralMethod method :
         {SpectralMethod::narrow_band, SpectralMethod::dirlik, SpectralMethod::tovo_benasciutti})
      EXPECT_NEAR(damage_rate(m, curve_of(k, BelowKnee::elementary), method),
                  expected,
                  tolerance(1e-12) * expected);
  }
}

// Truth: the integral of the Rayleigh density over N(S), by the trapezoidal rule.
TEST(Spectra, KneesOfTheCurveAreTakenExactly) {
  const double sigma = 0.9, hz = 5.0;
  const SpectralMoments m{
      sigma * sigma, sigma * sigma * hz, sigma * sigma * hz * hz, sigma * sigma * std::pow(hz, 4)};
  for (const BelowKnee below : {BelowKnee::original, BelowKnee::haibach, BelowKnee::elementary}) {
    const WoehlerCurve curve = curve_of(5.0, below);
    double sum = 0.0;
    constexpr int kPieces = 200000;
    const double piece = 12.0 * sigma / kPieces;
    for (int k = 0; k < kPieces; ++k) {
      const double s = (k + 0.5) * piece;
      sum += piece * s / (sigma * sigma) * std::exp(-0.5 * s * s / (sigma * sigma)) /
             cycles_to_failure(s, curve);
    }
    const double rate = damage_rate(m, curve, SpectralMethod::narrow_band);
    EXPECT_NEAR(rate, hz * sum, tolerance(1e-5) * rate);
  }
}

// Truth: Dirlik's closed form for a straight line of slope k,
//   sqrt(m4 / m2) (sigma / S_D)^k / N_D
//     (D1 Q^k Gamma(1 + k) + 2^(k/2) Gamma(1 + k/2) (D2 |R|^k + D3)),
// of two narrow bands for which R is negative.
TEST(Spectra, DirliksClosedFormTakesTheSizeOfR) {
  const SpectralMoments m = moments_of_bands({{0.95, 1.05, 900.0}, {19.9, 20.1, 0.018}});
  const double sigma = std::sqrt(m.m0), gamma = m.m2 / std::sqrt(m.m0 * m.m4);
  const double x = m.m1 / m.m0 * std::sqrt(m.m2 / m.m4);
  const double D1 = 2.0 * (x - gamma * gamma) / (1.0 + gamma * gamma);
  const double R = (gamma - x - D1 * D1) / (1.0 - gamma - D1 + D1 * D1);
  const double D2 = (1.0 - gamma - D1 + D1 * D1) / (1.0 - R), D3 = 1.0 - D1 - D2;
  const double Q = 1.25 * (gamma - D3 - D2 * R) / D1;
  ASSERT_LT(R, -0.1);
  for (const double k : {3.0, 5.0}) {
    const double expected =
        std::sqrt(m.m4 / m.m2) * std::pow(sigma / 2.0, k) / 1e6 *
        (D1 * std::pow(Q, k) * std::tgamma(1.0 + k) +
         std::pow(2.0, 0.5 * k) * std::tgamma(1.0 + 0.5 * k) * (D2 * std::pow(-R, k) + D3));
    EXPECT_NEAR(damage_rate(m, curve_of(k, BelowKnee::elementary), SpectralMethod::dirlik),
                expected,
                tolerance(1e-9) * expected);
  }
}

// Truth: rainflow counts of a signal of 150,000 rows; the sampling error of its damage is about 3
// %.
TEST(Spectra, NarrowBandSignalHasTheDamageOfItsDensity) {
  const std::vector<Band> band = {{9.8, 10.2, 1.0}};
  const WoehlerCurve curve = curve_of(4.0, BelowKnee::elementary);
  const double counted = counted_rate(band, 0.005, curve);
  const double rate = damage_rate(moments_of_bands(band), curve, SpectralMethod::narrow_band);
  EXPECT_NEAR(rate, counted, tolerance(0.06) * counted);
}

// Truth: rainflow counts. Dirlik and Tovo-Benasciutti are empirical and accurate to about 10 %
// here; the narrow-band formula is much less accurate.
TEST(Spectra, WideBandSignalsHaveTheDamageOfTheirDensity) {
  const WoehlerCurve curve = curve_of(4.0, BelowKnee::elementary);
  for (const std::vector<Band>& bands : {std::vector<Band>{{1.0, 20.0, 1.0}},
                                         std::vector<Band>{{2.0, 3.0, 1.0}, {18.0, 22.0, 0.3}}}) {
    const SpectralMoments m = moments_of_bands(bands);
    const double counted = counted_rate(bands, 0.003, curve);
    for (const SpectralMethod method : {SpectralMethod::dirlik, SpectralMethod::tovo_benasciutti})
      EXPECT_NEAR(damage_rate(m, curve, method), counted, tolerance(0.15) * counted);
    EXPECT_GT(damage_rate(m, curve, SpectralMethod::narrow_band), counted);
  }
}

// Truth: 0 would be a false comfort.
TEST(Spectra, MomentsThatAreNotFiniteAreRefused) {
  ModalMoments moments;
  moments.m0 = moments.m1 = moments.m2 = moments.m4 = Eigen::MatrixXd::Constant(1, 1, 1.0);
  ModalStress stress;
  stress.S = Eigen::MatrixXd::Constant(1, 1, 2.0);
  stress.locations.resize(1);
  stress.locations[0].rows[0] = 0;
  EXPECT_EQ(von_mises_moments(stress, moments)[0].m0, 4.0);
  for (const double bad : {std::nan(""), HUGE_VAL}) {
    moments.m0(0, 0) = bad;
    EXPECT_EQ(testing::code_of([&]() { von_mises_moments(stress, moments); }), "not-finite");
  }
}

// Truth: white noise with one-sided density G on a coordinate with x'' + 2 D w x' + w^2 x = u
// causes the variance G / (8 D w^3) [Crandall 1963].
TEST(Spectra, MomentsOfAnOscillatorUnderWhiteNoiseAreTheClosedForm) {
  const double w = 2.0 * kPi * 8.0, D = 0.02, G = 3.0;
  ModalMoments moments;
  const auto at = [&](double hz) {
    const std::complex<double> s(0.0, 2.0 * kPi * hz);
    return Eigen::MatrixXcd::Constant(1, 1, std::sqrt(G) / (s * s + 2.0 * D * w * s + w * w));
  };
  constexpr double kStep = 0.01, kEnd = 400.0;
  for (double hz = 0.0; hz < kEnd; hz += kStep)
    add_band(hz, at(hz), hz + kStep, at(hz + kStep), moments);
  const double expected = G / (8.0 * D * w * w * w);
  EXPECT_NEAR(moments.m0(0, 0), expected, tolerance(1e-4) * expected);
  // twice the coordinate: as stress xx of a rod, and as the shear stress of its torsion
  ModalStress stress;
  stress.S = Eigen::Vector2d(2.0, 2.0);
  StressLocation axial, shear;
  axial.rows[0] = 0;
  shear.rows[3] = 1;
  stress.locations = {axial, shear};
  const std::vector<SpectralMoments> found = von_mises_moments(stress, moments);
  EXPECT_NEAR(found[0].m0, 4.0 * expected, tolerance(1e-4) * 4.0 * expected);
  EXPECT_NEAR(found[1].m0, 12.0 * expected, tolerance(1e-4) * 12.0 * expected);
  // a lightly damped coordinate crosses zero at its natural frequency
  EXPECT_NEAR(found[0].crossings(), 8.0, tolerance(1e-2) * 8.0);
}

TEST(Spectra, DensitiesThatCannotBeAreRefused) {
  EXPECT_THROW(moments_of(Eigen::Vector2d(1, 2), Eigen::Vector2d(1, -1)), UsageError);
  EXPECT_THROW(moments_of(Eigen::Vector2d(2, 1), Eigen::Vector2d(1, 1)), UsageError);
  EXPECT_THROW(moments_of(Eigen::Vector2d(-1, 1), Eigen::Vector2d(1, 1)), UsageError);
  EXPECT_THROW(moments_of(Eigen::VectorXd::Ones(1), Eigen::VectorXd::Ones(1)), UsageError);
  EXPECT_THROW(parse_spectral_method("dirlick"), UsageError);
}

}  // namespace
}  // namespace femflex::durability
