// Tests the full response of an interface, by which selections of modes and bodies are judged.
// Truth: dense complex matrices of the whole part. Cases: many modes within the width of one
// resonance, a wide interface, and a band that ends beyond the last mode.
#include "methods/interface_response.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/dense.h"
#include "femflex/modal/reduce.h"
#include "femflex/modal/validate.h"

#include "methods/response_search.h"
#include "problems.h"
#include "support/support.h"

namespace femflex::modal {
namespace {

using testing::joined_block;
using testing::kLossFactor;
using testing::spring_net;
using testing::square_of_hz;
using testing::tolerance;

std::vector<Eigen::Index> interface_rows(const FeModel& model) {
  std::vector<Eigen::Index> rows;
  for (const std::int64_t node : model.interface_nodes)
    for (std::int64_t row = 0; row < model.dofs.size(); ++row)
      if (model.dofs[row].node == node) rows.push_back(row);
  return rows;
}

/// Receptance of the interface, by (1 + i g) K - w^2 M of all DOFs.
Eigen::MatrixXcd receptance_in_order(const FeModel& model, double w2) {
  const Eigen::MatrixXd K = mirrored(*model.stiffness);
  const Eigen::MatrixXd M = mirrored(*model.mass);
  const Eigen::MatrixXcd Z =
      std::complex<double>(1.0, kLossFactor) * K.cast<std::complex<double>>() -
      w2 * M.cast<std::complex<double>>();
  const std::vector<Eigen::Index> rows = interface_rows(model);
  return Eigen::MatrixXcd(Z.inverse())(rows, rows);
}

/// Free frequencies of the whole part.
std::vector<double> frequencies_of(const FeModel& model) {
  const Eigen::MatrixXd K = mirrored(*model.stiffness);
  const Eigen::MatrixXd M = mirrored(*model.mass);
  const Eigen::VectorXd lambda =
      Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(K, M).eigenvalues();
  std::vector<double> hz;
  for (const double value : lambda)
    hz.push_back(std::sqrt(std::max(0.0, value)) / (2.0 * std::numbers::pi));
  return hz;
}

struct Case {
  const char* name;
  FeModel model;
};

std::vector<Case> overlapping() {
  std::vector<Case> cases{{"chain", spring_net(40, 1)},
                          {"net", spring_net(12, 12)},
                          {"net, wide interface", spring_net(12, 12)}};
  cases[0].model.interface_nodes = {1};
  cases[1].model.interface_nodes = {1, 12, 133, 144};
  for (std::int64_t node = 1; node <= 144; node += node % 3)
    cases[2].model.interface_nodes.push_back(node++);
  return cases;
}

// Second algorithm: the inverse of the complex matrix of all DOFs; both ways to the response, by
// counted modes and moments, and frequency by frequency.
TEST(InterfaceResponse, HoldsWhereModesOverlap) {
  for (const Case& c : overlapping()) {
    const double last = frequencies_of(c.model).back();
    for (const bool by_modes : {false, true})
      for (const double share : {0.02, 0.3, 0.6, 0.8, 0.95, 1.0, 1.3, 1e5}) {
        Diagnostics diagnostics;
        CraigBamptonSolver solver(c.model, {}, diagnostics);
        InterfaceSampler sampler(solver, kLossFactor);
        const double w2 = square_of_hz(share * last);
        if (by_modes) sampler.prepare_modes(w2, 1000, no_progress());
        const Eigen::MatrixXcd expected = receptance_in_order(c.model, w2);
        EXPECT_LT((sampler.at(w2).Z.inverse() - expected).norm(), tolerance(1e-9) * expected.norm())
            << c.name << (by_modes ? " by modes" : "") << " at " << share << " of " << last
            << " Hz";
      }
  }
}

// Moments of the modes that were not computed: the band ends where a tenth of them lie below, and
// below the first one.
TEST(InterfaceResponse, TakesInAllModesBeyondTheBand) {
  const FeModel model = joined_block();
  const std::vector<double> hz = frequencies_of(model);
  for (const double top : {0.5 * hz[6], 1.1 * hz[hz.size() / 10]}) {
    Diagnostics diagnostics;
    CraigBamptonSolver solver(model, {}, diagnostics);
    InterfaceSampler sampler(solver, kLossFactor);
    sampler.prepare_modes(square_of_hz(top), 1000, no_progress());
    EXPECT_LT(solver.parts().normal.lambda.size(), static_cast<Eigen::Index>(hz.size()) / 3);
    for (const double share : {0.1, 0.5, 0.9, 1.0}) {
      const double w2 = square_of_hz(share * top);
      const Eigen::MatrixXcd expected = receptance_in_order(model, w2);
      EXPECT_LT((sampler.at(w2).Z.inverse() - expected).norm(), tolerance(1e-8) * expected.norm())
          << share << " of " << top << " Hz";
    }
  }
}

// By construction: all fixed-interface modes together with the constraint modes span every motion.
TEST(InterfaceResponse, OfABodyWithAllModesIsThatOfTheModel) {
  for (const Case& c : overlapping()) {
    const auto free = static_cast<std::int64_t>(c.model.dofs.size()) -
                      static_cast<std::int64_t>(interface_rows(c.model).size());
    ReduceOptions options;
    options.method = Method::craig_bampton;
    options.normal = free;
    options.reject_below = -1e3;
    options.reject_above = 1e15;
    Diagnostics diagnostics;
    const FlexBody body = reduce(c.model, options, diagnostics);
    const double last = frequencies_of(c.model).back();
    for (const double share : {0.1, 0.7, 1.2}) {
      ValidateOptions check;
      check.band = FrequencyBand{0.0, share * last};
      const Validation seen = validate(body, c.model, check, diagnostics);
      EXPECT_LT(seen.frf_error, tolerance(1e-8)) << c.name << " to " << share * last << " Hz";
      EXPECT_TRUE(seen.pass) << c.name;
    }
  }
}

/// Static condensation to the one DOF of an interface: stiffness and mass.
std::pair<double, double> condensed(const FeModel& model) {
  const Eigen::MatrixXd K = mirrored(*model.stiffness);
  const Eigen::MatrixXd M = mirrored(*model.mass);
  const Eigen::Index b = interface_rows(model).front();
  std::vector<Eigen::Index> inner;
  for (Eigen::Index row = 0; row < K.rows(); ++row)
    if (row != b) inner.push_back(row);
  Eigen::VectorXd shape(K.rows());
  shape(inner) = -K(inner, inner).ldlt().solve(K(inner, b));
  shape(b) = 1.0;
  return {std::max(0.0, shape.dot(K * shape)), shape.dot(M * shape)};
}

// The error that an automatic choice reports is that of the body at every frequency; the truth is
// the dense matrix of the whole part, in steps of a fifth of a resonance's width.
TEST(Automatic, ErrsByNoMoreThanItSaysWhereModesOverlap) {
  for (const Case& c : overlapping()) {
    const double last = frequencies_of(c.model).back();
    const bool one = c.model.interface_nodes.size() == 1;
    for (const double share :
         one ? std::vector<double>{0.3, 0.7, 1.1, 1e7} : std::vector<double>{0.5}) {
      ReduceOptions options;
      options.method = Method::automatic;
      options.tolerance = 1e-2;
      options.band = FrequencyBand{0.0, share * last};
      options.rigid_modes = RigidModes::keep;
      options.reject_below = -1e3;
      options.reject_above = 1e15;
      Diagnostics diagnostics;
      ReduceReport report;
      const FlexBody body = reduce(c.model, options, diagnostics, no_progress(), &report);
      std::vector<Eigen::Index> rows;  // of the body, which has six for each node
      for (const std::int64_t node : c.model.interface_nodes)
        rows.push_back(6 * (node - 1) + 2);
      const Eigen::MatrixXd Phi_b = body.shapes(rows, Eigen::all);
      double claimed = -1.0;
      for (const auto& point : report.curve)
        if (point.normal_modes == body.mode_count() - static_cast<std::int64_t>(rows.size()))
          claimed = point.frf_error;
      ASSERT_GT(claimed, 0.0);
      EXPECT_LE(claimed, options.tolerance);
      if (!one) continue;
      const std::pair<double, double> k_and_m = condensed(c.model);
      const int steps = static_cast<int>(std::log(50.0) / std::log(1.0 + 0.2 * kLossFactor));
      const double top = std::min(share, 1.5) * last;
      const double third_octave = std::exp2(1.0 / 3.0);
      std::vector<double> hz;
      std::vector<double> size;
      std::vector<double> difference;
      for (int k = 0; k <= steps; ++k) {  // down to a fiftieth
        hz.push_back(top * std::pow(1.0 + 0.2 * kLossFactor, -k));
        const double w2 = square_of_hz(hz.back());
        const Eigen::MatrixXcd full = receptance_in_order(c.model, w2);
        const Eigen::MatrixXcd z =
            std::complex<double>(1.0, kLossFactor) * body.stiffness.cast<std::complex<double>>() -
            w2 * body.mass.cast<std::complex<double>>();
        const Eigen::MatrixXcd reduced = Phi_b * z.inverse() * Phi_b.transpose();
        // one DOF at the interface: k + w^2 m of it is the scale of (37)
        const double scale = k_and_m.first + w2 * k_and_m.second;
        size.push_back(scale * full.norm());
        difference.push_back(scale * (reduced - full).norm());
      }
      double worst = 0.0;
      for (std::size_t i = 0; i < hz.size(); ++i) {
        double peak = 0.0;
        for (std::size_t j = 0; j < hz.size(); ++j)
          if (hz[j] * hz[j] <= hz[i] * hz[i] * third_octave &&
              hz[i] * hz[i] <= hz[j] * hz[j] * third_octave)
            peak = std::max(peak, size[j]);
        worst = std::max(worst, difference[i] / peak);
      }
      EXPECT_LT(worst, 1.02 * claimed) << c.name << " to " << share * last << " Hz";
    }
  }
}

// Closed form: two springs k1, k2 and masses m1, m2 in a row, seen at the first mass, vanish there
// at w^2 = k2 / m2, but for the damping. A shift of that place by a relative d moves the response
// by about d of the neighbouring peaks, while it moves the response itself there by d / g.
TEST(ResponseEnvelope, AShiftedZeroOfTheResponseCountsByThePeaksBesideIt) {
  const double k = 100.0;
  const double m = 1.0;
  const double g = 1e-4;
  const auto response = [&](double w2, double shift) {
    const std::complex<double> c(1.0, g);
    const std::complex<double> k2 = k * (1.0 + shift) * c;
    return 1.0 / (k * c - w2 * m + k2 - k2 * k2 / (k2 - w2 * m));
  };
  const double d = 1e-3;
  const double zero = k / m;
  std::vector<ResponseEnvelope::Point> points;
  double hz = 0.2;
  while (hz < 5.0) {
    points.push_back({hz, std::abs(response(square_of_hz(hz), 0.0))});
    hz *= 1.0 + 0.1 * g;
  }
  const ResponseEnvelope envelope(points);
  const double at = std::sqrt(zero) / (2.0 * std::numbers::pi);
  const double full = std::abs(response(zero, 0.0));
  const double off = std::abs(response(zero, d) - response(zero, 0.0));
  EXPECT_GT(off / full, 1.0);
  const double peak = envelope.at(at, full);
  double largest = 0.0;  // the definition, written out
  for (const ResponseEnvelope::Point& point : points)
    if (std::abs(std::log2(point.frequency / at)) <= 1.0 / 6.0)
      largest = std::max(largest, point.size);
  EXPECT_EQ(peak, largest);
  EXPECT_NEAR(off / peak, d / (std::cbrt(2.0) - 1.0), 0.1 * d / (std::cbrt(2.0) - 1.0));
  EXPECT_EQ(envelope.at(at, 2.0 * peak), 2.0 * peak);
}

// Both ends and every resonance of the band, no step above the one asked for.
TEST(ResponseFrequencies, LeaveNoGapWiderThanTheStep) {
  for (const double from : {0.0, 3.0}) {
    const ResponseSearch search{.band = {from, 50.0},
                                .even_steps = 7,
                                .resonances = {41.0, 1.0, 7.0, 60.0},
                                .last_resonance = 50.0,
                                .relative_step = 0.01,
                                .nearest = 1e-3};
    const std::vector<double> hz = response_frequencies(search);
    EXPECT_LE(hz.front(), from > 0.0 ? from : 0.5);
    EXPECT_EQ(hz.back(), 50.0);
    for (std::size_t i = 1; i < hz.size(); ++i) {
      EXPECT_GT(hz[i], hz[i - 1]);
      EXPECT_LT(hz[i], 1.0111 * hz[i - 1]);
    }
    for (const double resonance : {7.0, 41.0})
      EXPECT_TRUE(std::any_of(hz.begin(), hz.end(), [&](double f) {
        return std::abs(f - resonance) <= 1.1e-3 * resonance;
      })) << resonance;
  }
}

// A body whose matrices differ by round-off errs by the same, however few points were asked for.
TEST(Validation, RoundOffInABodyDoesNotChangeItsResponseError) {
  const FeModel model = joined_block();
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> share(-1.0, 1.0);
  for (const Method method : {Method::craig_bampton, Method::craig_chang, Method::guyan})
    for (const int points : {1, 8, 40}) {
      ReduceOptions options;
      options.method = method;
      options.normal = method == Method::guyan ? 0 : 16;
      Diagnostics diagnostics;
      const FlexBody body = reduce(model, options, diagnostics);
      FlexBody other = body;
      for (Eigen::MatrixXd* A : {&other.mass, &other.stiffness})
        for (Eigen::Index i = 0; i < A->rows(); ++i)
          for (Eigen::Index j = 0; j <= i; ++j)
            (*A)(i, j) = (*A)(j, i) = (*A)(i, j) * (1.0 + 1e-14 * share(engine));
      ValidateOptions check;
      check.frf_points = points;
      const double a = validate(body, model, check, diagnostics).frf_error;
      const double b = validate(other, model, check, diagnostics).frf_error;
      EXPECT_NEAR(a / b, 1.0, tolerance(1e-6)) << name_of(method) << ", " << points << " points";
    }
}

}  // namespace
}  // namespace femflex::modal
