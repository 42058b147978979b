// Frequency responses from the Schur form, on frequencies that follow the peaks of the system, its
// slopes between them and the delays between inputs.
#include "verbs/random_response.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/balanced_truncation.h"
#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/unit_constants.h"

namespace femflex::verbs {
namespace {

using durability::ModalMoments;
using Eigen::Index;

constexpr double kTurn = 2.0 * std::numbers::pi;

/// Scales the states by powers of 2 until each row of A is about as large as its column; otherwise
/// the stiffest mode would round off the damping of the softest. Returns the scales.
Eigen::VectorXd scale_states(Eigen::MatrixXd& A) {
  constexpr double kGain = 0.95;  // a step that gains less than this is not worth it
  Eigen::VectorXd scale = Eigen::VectorXd::Ones(A.rows());
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (Index i = 0; i < A.rows(); ++i) {
      const double own = std::abs(A(i, i));
      const double row = A.row(i).cwiseAbs().sum() - own;
      const double column = A.col(i).cwiseAbs().sum() - own;
      if (!(row > 0.0) || !(column > 0.0)) continue;
      const double factor = std::exp2(std::round(0.5 * std::log2(row / column)));
      if (!(column * factor + row / factor < kGain * (row + column))) continue;
      A.row(i) /= factor;
      A.col(i) *= factor;
      scale(i) *= factor;
      is_changed = true;
    }
  }
  return scale;
}

/// Frequency responses of the outputs of a linear system. Equal roots, as in critical damping, need
/// no care in the Schur form.
class FrequencyResponses {
 public:
  /// @throws NumericalError  a root does not decay
  explicit FrequencyResponses(const mbd_solver::LinearSystem& system) : D_(system.D) {
    Eigen::MatrixXd A = system.A;
    const Eigen::VectorXd scale = scale_states(A);
    Eigen::MatrixXcd U(A.rows(), A.rows());
    if (A.rows() > 0) {
      const Eigen::ComplexSchur<Eigen::MatrixXd> schur(A);
      if (schur.info() != Eigen::Success)
        throw NumericalError("not-converged", "the Schur form of the system did not converge");
      roots_ = schur.matrixT().diagonal();
      shifted_ = -schur.matrixT();
      U = schur.matrixU();
    }
    left_ = system.C * scale.asDiagonal() * U;
    right_ = U.adjoint() * (scale.cwiseInverse().asDiagonal() * system.B);
    check_decay();
  }
  /// The responses at a frequency (outputs x inputs).
  Eigen::MatrixXcd at(double hz) {
    if (roots_.size() == 0) return D_.cast<std::complex<double>>();
    shifted_.diagonal() = std::complex<double>(0.0, kTurn * hz) - roots_.array();
    return left_ * shifted_.triangularView<Eigen::Upper>().solve(right_) + D_;
  }
  /// The lowest |root| [Hz], below which the responses are constant; infinite without states.
  double lowest_hz() const {
    return roots_.size() == 0 ? std::numeric_limits<double>::infinity()
                              : roots_.cwiseAbs().minCoeff() / kTurn;
  }
  /// Frequencies that resolve the peaks.
  std::vector<double> peaks() const {
    // Near a peak, equal steps of the angle whose tangent is the distance from it divided by half
    // its width: all pieces have the same area. Farther away, distances grow by a ratio until steps
    // of the frequency itself are as fine. Linear interpolation misses 0.1 % of the area.
    constexpr int kPoints = 30;
    constexpr double kReach = 65.0 * kDegree;
    constexpr double kGrowth = 1.05;
    constexpr double kFar = 0.2;  // of the frequency of the peak
    std::vector<double> out;
    for (const std::complex<double>& root : roots_) {
      const double peak = root.imag() / kTurn;
      const double width = -root.real() / kTurn;
      if (peak < 0.0) continue;  // its conjugate is taken
      for (int p = -kPoints; p <= kPoints; ++p)
        out.push_back(peak + width * std::tan(kReach * p / kPoints));
      double distance = width * std::tan(kReach) * kGrowth;
      while (distance < kFar * peak) {
        out.push_back(peak - distance);
        out.push_back(peak + distance);
        distance *= kGrowth;
      }
    }
    return out;
  }

 private:
  void check_decay() const {
    if (roots_.size() == 0) return;
    Index slowest = 0;
    const double rate = roots_.real().maxCoeff(&slowest);  // [1/s]
    const double fastest = roots_.cwiseAbs().maxCoeff();
    if (rate < -kMinDecay * fastest) return;
    const std::string decay =
        rate < 0.0 ? fmt::format(
                         "decays too slowly to be told from round-off (its root has the "
                         "real part {:.3g} 1/s, the largest root is {:.3g} 1/s)",
                         rate,
                         fastest)
                   : fmt::format("does not decay (its root has the real part {:.3g} 1/s)", rate);
    throw NumericalError(
        "not-stable",
        fmt::format("a motion at {:.3g} Hz {}: the system has no stationary random response",
                    std::abs(roots_(slowest).imag()) / kTurn,
                    decay),
        {},
        "start from a stable equilibrium, hold free motions by springs or joints, damp all modes");
  }

  Eigen::VectorXcd roots_;
  Eigen::MatrixXcd shifted_;  // s - T at the last frequency; A = U T U* in scaled states
  Eigen::MatrixXcd left_, right_;
  Eigen::MatrixXd D_;
};

/// Frequencies between which the densities of the outputs are taken as linear.
std::vector<double> frequencies(const FrequencyResponses& responses,
                                const RandomInputs& inputs,
                                const std::filesystem::path& path) {
  const Eigen::VectorXd& given = inputs.densities.time;
  const double from = given(0), to = given(given.size() - 1);
  std::vector<double> out = responses.peaks();
  std::erase_if(out, [&](double hz) { return !(hz > from && hz < to); });
  out.insert(out.end(), given.data(), given.data() + given.size());
  // between peaks, responses rise and fall as powers of the frequency
  constexpr double kRatio = 1.02;
  constexpr double kLowest = 1e-3;  // of the highest frequency; or the lowest root
  const double lowest = std::max(from, std::min(kLowest * to, responses.lowest_hz()));
  double between = lowest * kRatio;
  while (between < to) {
    out.push_back(between);
    between *= kRatio;
  }
  // the sum of two inputs with a delay between them has the period 1 / delay over the frequency
  constexpr double kShare = 0.05;
  constexpr double kMost = 1e6;
  const double delay = inputs.widest_delay();
  const double count = (to - from) * delay / kShare;
  if (count > kMost)
    throw UsageError(
        "no-spectrum",
        fmt::format("delays that differ by {} s in one column, over a band of {} Hz, need {:.2g} "
                    "frequencies; at most {:.0g} are taken",
                    delay,
                    to - from,
                    count,
                    kMost),
        {path.string()},
        "give processes so far apart as independent columns");
  for (int k = 1; k < count; ++k)
    out.push_back(from + k * kShare / delay);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace

ModalMoments moments_of_outputs(const mbd_solver::LinearSystem& linear,
                                const RandomInputs& inputs,
                                const std::filesystem::path& path,
                                Progress& progress) {
  FrequencyResponses responses(linear);
  const Eigen::VectorXd& given = inputs.densities.time;
  const Eigen::MatrixXd& values = inputs.densities.values;
  const auto columns = static_cast<Index>(inputs.columns.size());
  Index row = 0;
  const auto at = [&](double f) {
    while (row + 2 < given.size() && given(row + 1) < f)
      ++row;
    const double share = (f - given(row)) / (given(row + 1) - given(row));
    const Eigen::RowVectorXd G = (1.0 - share) * values.row(row) + share * values.row(row + 1);
    const Eigen::MatrixXcd H = responses.at(f);
    Eigen::MatrixXcd out = Eigen::MatrixXcd::Zero(H.rows(), columns);
    for (Index c = 0; c < columns; ++c)
      for (const DrivenInput& each : inputs.columns[static_cast<std::size_t>(c)])
        out.col(c) += H.col(each.input) * std::polar(each.factor * std::sqrt(std::max(0.0, G(c))),
                                                     -kTurn * f * each.delay);
    return out;
  };
  const std::vector<double> hz = frequencies(responses, inputs, path);
  progress.begin("responses", static_cast<double>(hz.size()), "frequencies");
  ModalMoments moments;
  Eigen::MatrixXcd before = at(hz.front());
  for (std::size_t k = 1; k < hz.size(); ++k) {
    progress.step(static_cast<double>(k));
    Eigen::MatrixXcd now = at(hz[k]);
    durability::add_band(hz[k - 1], before, hz[k], now, moments);
    before = std::move(now);
  }
  progress.end();
  return moments;
}

}  // namespace femflex::verbs
