// Spectral moments, distributions of rainflow amplitudes, and their damage. Damage is integrated
// with incomplete gamma functions, so the knee of a curve is taken into account exactly.
#include "femflex/durability/spectra.h"

#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/name_table.h"

namespace femflex::durability {
namespace {

using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;

// A series or continued fraction has converged if a term changes it by a smaller fraction than
// this.
constexpr double kConverged = 1e-15;
constexpr int kMostTerms = 10000;

/// The incomplete gamma functions of a and x.
struct IncompleteGamma {
  double lower = 0.0;  ///< integral of t^(a-1) e^-t from 0 to x
  double upper = 0.0;  ///< integral of t^(a-1) e^-t from x to infinity
};

/// Uses the series [Abramowitz 1964] 6.5.29 for small x and the continued fraction 6.5.31 for large
/// x.
IncompleteGamma incomplete_gamma(double a, double x) {
  const double whole = std::tgamma(a);
  if (!(x > 0.0)) return {0.0, whole};
  if (!std::isfinite(x)) return {whole, 0.0};
  const double front = std::exp(a * std::log(x) - x);
  if (x < a + 1.0) {
    double term = 1.0 / a, sum = term;
    for (int n = 1; n < kMostTerms && term > kConverged * sum; ++n) {
      term *= x / (a + n);
      sum += term;
    }
    return {front * sum, whole - front * sum};
  }
  // modified Lentz method; all denominators are positive here
  double b = x + 1.0 - a, c = 1e300, d = 1.0 / b, fraction = d;
  for (int n = 1; n < kMostTerms; ++n) {
    const double up = n * (a - n);
    b += 2.0;
    d = 1.0 / (b + up * d);
    c = b + up / c;
    fraction *= c * d;
    if (std::abs(c * d - 1.0) < kConverged) break;
  }
  return {whole - front * fraction, front * fraction};
}

/// Expected value of 1 / N if the density of the amplitudes s is proportional to
/// s^(power - 1) e^-((s / scale)^power): the Rayleigh distribution for power 2, the exponential one
/// for power 1.
double mean_damage(double scale, double power, const WoehlerCurve& curve) {
  if (!(scale > 0.0)) return 0.0;
  const double limit = std::pow(curve.knee / scale, power);
  const auto part = [&](double slope) { return incomplete_gamma(1.0 + slope / power, limit); };
  const auto size = [&](double slope) { return std::pow(scale / curve.knee, slope); };
  double sum = size(curve.slope) * part(curve.slope).upper;
  if (curve.below == BelowKnee::elementary) sum += size(curve.slope) * part(curve.slope).lower;
  const double flat = 2.0 * curve.slope - 1.0;
  if (curve.below == BelowKnee::haibach) sum += size(flat) * part(flat).lower;
  return sum / curve.knee_cycles;
}

/// Damage with Rayleigh amplitudes: density s / sigma^2 e^(-s^2 / (2 sigma^2)).
double rayleigh_damage(double sigma, const WoehlerCurve& curve) {
  return mean_damage(std::sqrt(2.0) * sigma, 2.0, curve);
}

double dirlik_rate(const SpectralMoments& m, const WoehlerCurve& curve) {
  const double sigma = m.rms(), gamma = m.regularity();
  const double x_m = m.m1 / m.m0 * std::sqrt(m.m2 / m.m4);
  const double D1 = 2.0 * (x_m - gamma * gamma) / (1.0 + gamma * gamma);
  const double below = 1.0 - gamma - D1 + D1 * D1;
  const double R = (gamma - x_m - D1 * D1) / below;
  const double D2 = below / (1.0 - R);
  const double D3 = 1.0 - D1 - D2;
  double mean = 0.0;
  if (D3 != 0.0) mean += D3 * rayleigh_damage(sigma, curve);
  if (D2 != 0.0) mean += D2 * rayleigh_damage(std::abs(R) * sigma, curve);
  if (D1 > 0.0) {
    const double Q = 1.25 * (gamma - D3 - D2 * R) / D1;
    mean += D1 * mean_damage(Q * sigma, 1.0, curve);
  }
  return m.peaks() * mean;
}

double tovo_rate(const SpectralMoments& m, const WoehlerCurve& curve) {
  const double a1 = m.m1 / std::sqrt(m.m0 * m.m2), a2 = m.regularity();
  const double b = (a1 - a2) *
                   (1.112 * (1.0 + a1 * a2 - (a1 + a2)) * std::exp(2.11 * a2) + (a1 - a2)) /
                   ((a2 - 1.0) * (a2 - 1.0));
  // Level-crossing counting: Rayleigh amplitudes at the rate of crossings. Range counting: smaller
  // amplitudes at the rate of peaks.
  return b * m.crossings() * rayleigh_damage(m.rms(), curve) +
         (1.0 - b) * m.peaks() * rayleigh_damage(a2 * m.rms(), curve);
}

/// Integrates f^k times a linear function between two frequencies: returns the weights of its
/// values at both ends. Gauss's rule of three points [Abramowitz 1964] 25.4.30 is exact up to k =
/// 4, and has no differences of nearly equal powers if the frequencies lie close together.
std::pair<double, double> end_weights(double from, double to, int k) {
  const double reach = std::sqrt(0.6);
  const std::array<std::pair<double, double>, 3> rule{
      {{-reach, 5.0 / 9.0}, {0.0, 8.0 / 9.0}, {reach, 5.0 / 9.0}}};
  const double half = 0.5 * (to - from);
  std::pair<double, double> out{0.0, 0.0};
  for (const auto& [x, weight] : rule) {
    const double value = half * weight * std::pow(from + half * (1.0 + x), k);
    out.first += 0.5 * (1.0 - x) * value;
    out.second += 0.5 * (1.0 + x) * value;
  }
  return out;
}

constexpr auto kMethods =
    name_table<SpectralMethod>({{SpectralMethod::dirlik, "dirlik"},
                                {SpectralMethod::tovo_benasciutti, "tovo-benasciutti"},
                                {SpectralMethod::narrow_band, "narrow-band"}});

}  // namespace

double SpectralMoments::rms() const {
  return std::sqrt(m0);
}

double SpectralMoments::crossings() const {
  return m0 > 0.0 ? std::sqrt(m2 / m0) : 0.0;
}

double SpectralMoments::peaks() const {
  return m2 > 0.0 ? std::sqrt(m4 / m2) : 0.0;
}

double SpectralMoments::regularity() const {
  return m0 > 0.0 && m4 > 0.0 ? m2 / std::sqrt(m0 * m4) : 1.0;
}

SpectralMoments moments_of(const Eigen::VectorXd& hz, const Eigen::VectorXd& G) {
  if (hz.size() != G.size() || hz.size() < 2)
    throw UsageError("no-spectrum", "a spectrum needs two frequencies at least");
  SpectralMoments out;
  for (Index k = 0; k < hz.size(); ++k) {
    if (!(G(k) >= 0.0) || !std::isfinite(G(k)))
      throw UsageError("no-spectrum",
                       fmt::format("the density at {} Hz is {}; expected 0 or more", hz(k), G(k)));
    if (!(hz(k) >= 0.0) || (k > 0 && !(hz(k) > hz(k - 1))))
      throw UsageError(
          "no-spectrum",
          fmt::format("frequency {} Hz in row {}: expected ascending ones from 0", hz(k), k + 1));
    if (k == 0) continue;
    const std::array<std::pair<int, double*>, 4> moments{
        {{0, &out.m0}, {1, &out.m1}, {2, &out.m2}, {4, &out.m4}}};
    for (const auto& [power, sum] : moments) {
      const auto [before, after] = end_weights(hz(k - 1), hz(k), power);
      *sum += before * G(k - 1) + after * G(k);
    }
  }
  return out;
}

SpectralMethod parse_spectral_method(std::string_view name) {
  return kMethods.parse(name, "usage", "a way to damage from spectra");
}

std::vector<std::string> spectral_method_names() {
  return kMethods.names();
}

double damage_rate(const SpectralMoments& moments,
                   const WoehlerCurve& curve,
                   SpectralMethod method) {
  // such a narrow band is a sine of random amplitude; the formulas for wide bands would divide 0 by
  // 0
  constexpr double kNarrow = 1e-9;
  if (!(moments.m0 > 0.0) || !(moments.m2 > 0.0)) return 0.0;
  const bool is_narrow =
      method == SpectralMethod::narrow_band || 1.0 - moments.regularity() < kNarrow;
  if (is_narrow) return moments.crossings() * rayleigh_damage(moments.rms(), curve);
  return method == SpectralMethod::dirlik ? dirlik_rate(moments, curve) : tovo_rate(moments, curve);
}

void add_band(double from_hz,
              const MatrixXcd& from,
              double to_hz,
              const MatrixXcd& to,
              ModalMoments& moments) {
  const auto real_of = [](const MatrixXcd& H) -> MatrixXd {
    MatrixXd parts(H.rows(), 2 * H.cols());
    parts << H.real(), H.imag();
    return parts * parts.transpose();
  };
  const MatrixXd before = real_of(from), after = real_of(to);
  const std::array<std::pair<int, MatrixXd*>, 4> targets{
      {{0, &moments.m0}, {1, &moments.m1}, {2, &moments.m2}, {4, &moments.m4}}};
  for (const auto& [power, sum] : targets) {
    if (sum->size() == 0) sum->setZero(before.rows(), before.cols());
    const auto [w_before, w_after] = end_weights(from_hz, to_hz, power);
    *sum += w_before * before + w_after * after;
  }
}

std::vector<SpectralMoments> von_mises_moments(const ModalStress& stress,
                                               const ModalMoments& moments) {
  std::vector<SpectralMoments> out(stress.locations.size());
  const std::array<std::pair<const MatrixXd*, double SpectralMoments::*>, 4> kinds{
      {{&moments.m0, &SpectralMoments::m0},
       {&moments.m1, &SpectralMoments::m1},
       {&moments.m2, &SpectralMoments::m2},
       {&moments.m4, &SpectralMoments::m4}}};
  for (const auto& [m, field] : kinds) {
    const MatrixXd SM = stress.S * *m;
    for (std::size_t k = 0; k < out.size(); ++k) {
      const std::array<std::int32_t, 6>& rows = stress.locations[k].rows;
      const auto product = [&](std::size_t a, std::size_t b) {
        return rows[a] < 0 || rows[b] < 0 ? 0.0 : SM.row(rows[a]).dot(stress.S.row(rows[b]));
      };
      double sum = 0.0;
      for (std::size_t c = 0; c < 3; ++c)
        sum += product(c, c) - product(c, (c + 1) % 3) + 3.0 * product(c + 3, c + 3);
      if (!std::isfinite(sum))
        throw NumericalError("not-finite", fmt::format("a spectral moment of a stress is {}", sum));
      out[k].*field = std::max(0.0, sum);
    }
  }
  return out;
}

}  // namespace femflex::durability
