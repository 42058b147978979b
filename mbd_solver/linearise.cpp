#include "femflex/mbd_solver/linearise.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <fmt/format.h>

#include "femflex/errors.h"

#include "integrators/tangent.h"

namespace femflex::mbd_solver {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// The state with whatever this system needs and the state does not hold at zero.
/// @throws ModelError  the state of another system
State completed(const Model& model, const State& state) {
  if (state.position.size() != model.nq || state.velocity.size() != model.nv)
    throw ModelError(
        "state-size",
        fmt::format(
            "the state holds {} velocities, the system has {}", state.velocity.size(), model.nv));
  State at = state;
  if (at.joint_angles.size() != model.turns) at.joint_angles.setZero(model.turns);
  if (at.acceleration.size() != model.nv) at.acceleration.setZero(model.nv);
  if (at.multipliers.size() != model.nl) at.multipliers.setZero(model.nl);
  return at;
}

}  // namespace

// eq. (33-35): coordinates that turn with each body, in which a steady rotation has constant
// coefficients: dx = T y, dv = T (y' + W y)
Linearisation linearise(const System& system, const State& state, Diagnostics& diagnostics) {
  const Model model = compile(system, diagnostics);
  Engine engine(model);
  const State at = completed(model, state);
  const Tangent tan = tangent(engine, at);
  const Index n = model.nv;
  MatrixXd T = MatrixXd::Identity(n, n), W = MatrixXd::Zero(n, n), W1 = W, W2 = W;
  for (std::size_t k = 0; k + 1 < model.bodies.size(); ++k) {
    const BodyModel& b = model.bodies[k];
    const BodyKinematics& kin = engine.ws.bodies[k];
    Matrix6d turn = Matrix6d::Identity(), spin = Matrix6d::Zero(), first = Matrix6d::Zero(),
             second = Matrix6d::Zero();
    const Eigen::Matrix3d w = cross_matrix(kin.w);
    turn.topLeftCorner<3, 3>() = kin.R;
    spin.topLeftCorner<3, 3>() = spin.bottomRightCorner<3, 3>() = w;
    first.topLeftCorner<3, 3>() = 2.0 * w;
    first.bottomRightCorner<3, 3>() = w;
    second.topLeftCorner<3, 3>() = w * w;
    for (int r = 0; r < b.nr; ++r)
      for (int c = 0; c < b.nr; ++c) {
        const int i = b.dof[static_cast<std::size_t>(r)], j = b.dof[static_cast<std::size_t>(c)];
        T(b.v0 + r, b.v0 + c) = turn(i, j);
        W(b.v0 + r, b.v0 + c) = spin(i, j);
        W1(b.v0 + r, b.v0 + c) = first(i, j);
        W2(b.v0 + r, b.v0 + c) = second(i, j);
      }
  }
  const MatrixXd M = T.transpose() * tan.M * T;
  const MatrixXd C0 = T.transpose() * tan.C * T;
  const MatrixXd C = C0 + M * W1;
  const MatrixXd K = T.transpose() * tan.K * T + C0 * W + M * W2;
  const MatrixXd N = null_space(tan.G * T);
  Linearisation result;
  result.mass = N.transpose() * M * N;
  result.damping = N.transpose() * C * N;
  result.stiffness = N.transpose() * K * N;
  result.free_directions = T * N;
  const Index f = N.cols();
  if (f == 0) return result;
  const Eigen::FullPivLU<MatrixXd> mass(result.mass);
  if (mass.rank() < f)
    throw NumericalError("mass-singular",
                         "a free direction has no mass: the eigenvalues are not all finite",
                         {},
                         "give the massless body a small mass, or hold it by a joint");
  MatrixXd A = MatrixXd::Zero(2 * f, 2 * f);
  A.topRightCorner(f, f).setIdentity();
  A.bottomLeftCorner(f, f) = -mass.solve(result.stiffness);
  A.bottomRightCorner(f, f) = -mass.solve(result.damping);
  const Eigen::EigenSolver<MatrixXd> solver(A);
  if (solver.info() != Eigen::Success)
    throw NumericalError("eigenvalues",
                         "the eigenvalues of the linearised system did not converge");
  const double largest = solver.eigenvalues().cwiseAbs().maxCoeff();
  for (Index k = 0; k < 2 * f; ++k) {
    const std::complex<double> value = solver.eigenvalues()(k);
    if (value.imag() < 0.0) continue;
    SystemMode mode;
    mode.eigenvalue = value;
    const double size = std::abs(value);
    mode.frequency_hz = size / (2.0 * std::numbers::pi);
    mode.damping_ratio = size > 1e-12 * largest ? 0.0 - value.real() / size : 0.0;
    mode.shape = result.free_directions * solver.eigenvectors().col(k).head(f);
    const double norm = mode.shape.norm();
    if (norm > 0.0) mode.shape /= norm;
    result.modes.push_back(std::move(mode));
  }
  std::sort(result.modes.begin(), result.modes.end(), [](const SystemMode& a, const SystemMode& b) {
    return a.frequency_hz < b.frequency_hz;
  });
  return result;
}

ChannelSlopes channel_slopes(const System& system, const State& state, Diagnostics& diagnostics) {
  const Model model = compile(system, diagnostics);
  const State at = completed(model, state);
  Engine engine(model);
  ChannelSlopes out{model.outputs.channels, {}};
  out.rows.resize(static_cast<Index>(out.channels.size()), model.nv);
  const auto values = [&](double step, Index i) {
    const VectorXd dx = VectorXd::Unit(model.nv, i) * step;
    State moved = at;
    move(model, at.position, dx, moved.position);
    engine.set_all(moved);
    VectorXd found(out.rows.rows());
    for (Index c = 0; c < found.size(); ++c)
      found(c) = read(model, engine.ws, model.outputs.probes[static_cast<std::size_t>(c)]);
    return found;
  };
  const double step = 1e-5 * model.length_scale;
  for (Index i = 0; i < model.nv; ++i)
    out.rows.col(i) = (values(step, i) - values(-step, i)) / (2.0 * step);
  return out;
}

Eigen::VectorXcd frequency_response(const Linearisation& system,
                                    const VectorXd& load,
                                    const VectorXd& output,
                                    const VectorXd& frequencies_hz) {
  const VectorXd right = system.free_directions.transpose() * load;
  const VectorXd left = system.free_directions.transpose() * output;
  Eigen::VectorXcd answer(frequencies_hz.size());
  for (Index k = 0; k < frequencies_hz.size(); ++k) {
    const double w = 2.0 * std::numbers::pi * frequencies_hz(k);
    const Eigen::MatrixXcd Z =
        (system.stiffness - w * w * system.mass).cast<std::complex<double>>() +
        std::complex<double>(0.0, w) * system.damping.cast<std::complex<double>>();
    const Eigen::VectorXcd x = Z.partialPivLu().solve(right.cast<std::complex<double>>());
    answer(k) = left.cast<std::complex<double>>().dot(x);
  }
  return answer;
}

}  // namespace femflex::mbd_solver
