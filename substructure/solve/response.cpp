// Computes responses of a part over frequency and over time, the latter from its transfer functions
// or by Newmark steps. docs/theory/substructures.md §4.
#include <cmath>
#include <limits>

#include <Eigen/SparseLU>
#include <fmt/format.h>
#include <unsupported/Eigen/MatrixFunctions>

#include "femflex/errors.h"
#include "femflex/substructure/solve.h"

#include "partition.h"

namespace femflex::substructure {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

namespace {

/// exp(z) - 1 without cancellation for small z.
Complex expm1(Complex z) {
  const double e = std::expm1(z.real());
  const double half = std::sin(0.5 * z.imag());
  const double cos_less_one = -2.0 * half * half;
  return {e + (e + 1.0) * cos_less_one, (e + 1.0) * std::sin(z.imag())};
}

/// Sum of the sizes of the terms of R u in the row in which the right side b is largest, relative
/// to the right side there. Rounding of the terms is an error of the solution u as many times as
/// large.
double cancellation(const ComplexSparse& R, const VectorXcd& u, const VectorXcd& b) {
  Index row = 0;
  const double size = b.cwiseAbs().maxCoeff(&row);
  if (size == 0.0) return 0.0;
  double sum = 0.0;
  for (Index j = 0; j < R.outerSize(); ++j)
    for (ComplexSparse::InnerIterator it(R, j); it; ++it)
      if (it.row() == row) sum += std::abs(it.value() * u(j));
  return sum / size;
}

// Largest relative error of a frequency response by rounding; with a larger one R(i w) counts as
// singular, as that of a free part at rest.
constexpr double kMostRounding = 1e-3;

void check_times(std::span<const double> times) {
  for (const double t : times) {
    if (!std::isfinite(t))
      throw ModelError("time", fmt::format("one of the times is {}, not a finite number", t));
  }
}

}  // namespace

VectorXd step_response(const TransferFunction& transfer, std::span<const double> times) {
  check_times(times);
  if (transfer.direct.size() > 1) {
    throw ModelError("improper",
                     "the transfer function grows with s; a step would give an impulse",
                     {},
                     "compute the frequency response, or simulate a smooth motion");
  }
  VectorXd y = VectorXd::Zero(static_cast<Index>(times.size()));
  for (Index i = 0; i < y.size(); ++i) {
    const double t = times[static_cast<std::size_t>(i)];
    if (t < 0.0) continue;
    Complex sum = transfer.direct.empty() ? 0.0 : transfer.direct.front();
    for (const PoleTerm& term : transfer.terms) {
      const Complex p = term.pole;
      // I_j = integral of tau^(j-1)/(j-1)! exp(p tau) from 0 to t
      Complex integral = p == 0.0 ? Complex(t) : expm1(p * t) / p;
      double weight = 1.0;  // t^(j-1)/(j-1)!
      for (std::size_t j = 1; j <= term.residues.size(); ++j) {
        sum += term.residues[j - 1] * integral;
        weight *= t / static_cast<double>(j);
        integral = p == 0.0 ? Complex(weight * t / static_cast<double>(j + 1))
                            : (weight * std::exp(p * t) - integral) / p;
      }
    }
    y(i) = sum.real();
  }
  return y;
}

VectorXd impulse_response(const TransferFunction& transfer, std::span<const double> times) {
  check_times(times);
  VectorXd y = VectorXd::Zero(static_cast<Index>(times.size()));
  for (Index i = 0; i < y.size(); ++i) {
    const double t = times[static_cast<std::size_t>(i)];
    if (t < 0.0) continue;
    Complex sum = 0.0;
    for (const PoleTerm& term : transfer.terms) {
      double weight = 1.0;
      const Complex exponential = std::exp(term.pole * t);
      for (std::size_t j = 1; j <= term.residues.size(); ++j) {
        sum += term.residues[j - 1] * weight * exponential;
        weight *= t / static_cast<double>(j);
      }
    }
    y(i) = sum.real();
  }
  return y;
}

VectorXd simulate(const TransferFunction& transfer,
                  const Eigen::Ref<const VectorXd>& input,
                  double dt,
                  Hold hold) {
  if (!(dt > 0.0) || !std::isfinite(dt)) {
    throw ModelError("time-step", fmt::format("the time step is {} s, but must be positive", dt));
  }
  const Index samples = input.size();
  VectorXd y = VectorXd::Zero(samples);
  for (const PoleTerm& term : transfer.terms) {
    // x_1' = p x_1 + u, x_j' = p x_j + x_{j-1}, output sum residue_j x_j; u' = v, v' = 0
    const auto m = static_cast<Index>(term.residues.size());
    MatrixXcd chain = MatrixXcd::Zero(m + 2, m + 2);
    for (Index j = 0; j < m; ++j) {
      chain(j, j) = term.pole * dt;
      chain(j, j == 0 ? m : j - 1) = dt;
    }
    if (hold == Hold::first_order) chain(m, m + 1) = 1.0;
    const MatrixXcd step = chain.exp();
    const Eigen::Map<const VectorXcd> residues(term.residues.data(), m);
    VectorXcd x = VectorXcd::Zero(m);
    for (Index i = 0; i + 1 < samples; ++i) {
      const double change = hold == Hold::first_order ? input(i + 1) - input(i) : 0.0;
      x = (step.topLeftCorner(m, m) * x + step.col(m).head(m) * input(i) +
           step.col(m + 1).head(m) * change)
              .eval();
      y(i + 1) += (residues.transpose() * x).value().real();
    }
  }
  VectorXd derivative = input;
  for (const double d : transfer.direct) {
    y += d * derivative;
    VectorXd next = VectorXd::Zero(samples);
    for (Index i = 0; i < samples && samples > 1; ++i) {
      const Index before = std::max<Index>(i - 1, 0);
      const Index after = std::min<Index>(i + 1, samples - 1);
      next(i) =
          (derivative(after) - derivative(before)) / (static_cast<double>(after - before) * dt);
    }
    derivative = next;
  }
  return y;
}

std::vector<MatrixXcd> frequency_response(const DynamicStiffness& part,
                                          const Supports& supports,
                                          std::span<const Input> inputs,
                                          std::span<const Output> outputs,
                                          std::span<const double> omega,
                                          Progress& progress) {
  const Partition partition(part, supports);
  for (const Input& input : inputs)
    partition.check(input);
  for (const Output& output : outputs)
    partition.check(output);
  Eigen::SparseLU<ComplexSparse, Eigen::COLAMDOrdering<std::int32_t>> lu;
  std::vector<MatrixXcd> all;
  progress.begin("frequency response", static_cast<double>(omega.size()), "points");
  bool analysed = false;
  for (const double w : omega) {
    const Complex s(0.0, w);
    const ComplexSparse R = partition.evaluate(s);
    // the sparsity pattern is the same at each frequency, unless terms vanish as at w = 0
    if (!analysed || w == 0.0) lu.analyzePattern(R);
    analysed = w != 0.0;
    lu.factorize(R);
    const auto fail = [&] {
      throw NumericalError("singular",
                           fmt::format("R(i w) of '{}' is singular at w = {} rad/s", part.name, w),
                           {},
                           "leave this frequency out, or hold the part");
    };
    if (lu.info() != Eigen::Success) fail();
    MatrixXcd H(static_cast<Index>(outputs.size()), static_cast<Index>(inputs.size()));
    for (std::size_t j = 0; j < inputs.size(); ++j) {
      const VectorXcd b = partition.right_side(inputs[j], s);
      const VectorXcd u = lu.solve(b);
      // pivots of a singular matrix are seldom exact zeros
      if (!(cancellation(R, u, b) * std::numeric_limits<double>::epsilon() < kMostRounding)) fail();
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        H(static_cast<Index>(i), static_cast<Index>(j)) =
            (partition.left_side(outputs[i], s).transpose() * u).value() +
            partition.feed_through(inputs[j], outputs[i], s);
      }
    }
    if (!H.allFinite()) fail();
    all.push_back(std::move(H));
    progress.step(static_cast<double>(all.size()));
  }
  progress.end();
  return all;
}

namespace {

/// @throws ModelError  simulate_sparse() cannot take these arguments
void check_sparse(const DynamicStiffness& part,
                  const Partition& partition,
                  std::span<const Input> inputs,
                  std::span<const Output> outputs,
                  const InputSamples& input) {
  if (part.order() > 2) {
    throw ModelError("order",
                     fmt::format("R(s) of '{}' is of order {}; sparse simulation takes order 2",
                                 part.name,
                                 part.order()));
  }
  if (!(input.dt > 0.0) || !std::isfinite(input.dt)) {
    throw ModelError("time-step",
                     fmt::format("the time step is {} s, but must be positive", input.dt));
  }
  if (input.values.rows() != static_cast<Index>(inputs.size())) {
    throw ModelError(
        "sizes-differ",
        fmt::format("{} inputs, but {} rows of samples", inputs.size(), input.values.rows()));
  }
  for (const Input& in : inputs) {
    partition.check(in);
    if (in.kind == Input::Kind::motion) {
      throw ModelError("prescribed-motion",
                       "sparse simulation takes forces; prescribed motion needs the poles");
    }
  }
  for (const Output& out : outputs) {
    partition.check(out);
    if (out.kind == Output::Kind::reaction) {
      throw ModelError(
          "reaction",
          fmt::format("a reaction is requested at port {}, but sparse simulation gives "
                      "displacements only",
                      out.port));
    }
  }
}

}  // namespace

Eigen::MatrixXd simulate_sparse(const DynamicStiffness& part,
                                const Supports& supports,
                                std::span<const Input> inputs,
                                std::span<const Output> outputs,
                                const InputSamples& input,
                                Progress& progress) {
  const Partition partition(part, supports);
  check_sparse(part, partition, inputs, outputs, input);
  const double dt = input.dt;
  const Index n = partition.free_count();
  const auto coefficient = [&](std::size_t k) {
    return k < partition.coefficients().size() ? partition.coefficients()[k] : SparseMatrix(n, n);
  };
  const SparseMatrix K = coefficient(0);
  const SparseMatrix C = coefficient(1);
  const SparseMatrix M = coefficient(2);
  // Newmark with beta 1/4, gamma 1/2 in displacement form: M may be singular (eq. 14)
  const SparseMatrix left = K + 2.0 / dt * C + 4.0 / (dt * dt) * M;
  Eigen::SparseLU<SparseMatrix, Eigen::COLAMDOrdering<std::int32_t>> lu(left);
  if (lu.info() != Eigen::Success) {
    throw NumericalError("singular", "the step matrix of the simulation is singular");
  }
  VectorXd u = VectorXd::Zero(n);
  VectorXd v = VectorXd::Zero(n);
  // M a = f - K u - C v at the last step, stored as a vector so that M need not be inverted
  VectorXd inertia = VectorXd::Zero(n);
  const VectorXd moving = (SparseMatrix(C.cwiseAbs()) + SparseMatrix(M.cwiseAbs())) *
                          VectorXd::Ones(n);  // zero in rows without mass and damping
  Eigen::MatrixXd y =
      Eigen::MatrixXd::Zero(static_cast<Index>(outputs.size()), input.values.cols());
  progress.begin("simulation", static_cast<double>(input.values.cols()), "steps");
  for (Index i = 0; i < input.values.cols(); ++i) {
    VectorXd f = VectorXd::Zero(n);
    for (std::size_t j = 0; j < inputs.size(); ++j) {
      f(partition.free_index(inputs[j].port)) += input.values(static_cast<Index>(j), i);
    }
    if (i > 0) {
      const VectorXd right =
          f + M * (4.0 / (dt * dt) * u + 4.0 / dt * v) + inertia + C * (2.0 / dt * u + v);
      const VectorXd next = lu.solve(right);
      v = (2.0 / dt * (next - u) - v).eval();
      u = next;
    }
    inertia = f - K * u - C * v;
    // at the start a force on a row without mass and damping is not in balance; later steps are
    if (i == 0) inertia = (moving.array() > 0.0).select(inertia, 0.0);
    for (std::size_t j = 0; j < outputs.size(); ++j) {
      if (!partition.is_fixed(outputs[j].port)) {
        y(static_cast<Index>(j), i) = u(partition.free_index(outputs[j].port));
      }
    }
    progress.step(static_cast<double>(i));
  }
  progress.end();
  return y;
}

}  // namespace femflex::substructure
