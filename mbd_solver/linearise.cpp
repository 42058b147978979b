// Linearisation of a system about a state: mass, damping and stiffness by differences, reduced to
// the directions that the constraints leave free and that carry mass; eigenvalues, mode shapes and
// frequency responses. Equations: docs/theory/multibody.md.
#include "femflex/mbd_solver/linearise.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <variant>

#include <Eigen/Cholesky>
#include <fmt/format.h>

#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/largest.h"
#include "femflex/mbd_solver/joint_types.h"

#include "integrators/free_stiffness.h"
#include "integrators/kinks.h"
#include "integrators/linear_guests.h"
#include "integrators/run_start.h"
#include "integrators/stick_slip.h"
#include "integrators/tangent.h"
#include "spatial/spin.h"

namespace femflex::mbd_solver {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

// a square root of mass below this share of the largest one counts as zero
constexpr double kMinMassRoot = 1e-10;
constexpr double kMassRoundOff = 1e-13;  // smaller masses, relative to a mass of 1, are round-off
// a rate below this share of the fastest one is round-off of differences
constexpr double kRateRoundOff = 1e-9;
constexpr double kMinRate = 1e-12;  // [1/s] the same limit if there is no stiffness
// a root below this share of the largest is zero and has no damping ratio
constexpr double kRootRoundOff = 1e-12;
// a spin is about an axle if its component across the axis of symmetry is below this share
constexpr double kOnAxle = 1e-6;
constexpr double kAnySpin = 1e6;  // [s] step in which any spin matters
// [1/s] a motion is steady if velocities, relative to the largest, change more slowly than this;
// such a rate is below that of any mode of interest
constexpr double kUnsteady = 0.01;
// step of central differences of outputs, relative to Model::unit_of()
constexpr double kOutputStep = 1e-5;

/// Time by which the output of a sampled block lags on average [s].
double mean_delay(const SampleBlock& sample) {
  return (0.5 + sample.delay) * sample.period;
}

/// Warns of blocks whose outputs a linearisation keeps constant.
/// @throws NumericalError  a motion follows a block that reads the system: the constraint would
/// then depend on states that the free directions do not contain
void check_blocks(const Model& model, const Tangent& tan, Diagnostics& diagnostics) {
  const BlockNetwork& net = model.network;
  const Index n = net.state_count;
  if (net.drives_motions && (!tan.rates_by_position.topRows(n).isZero(0.0) ||
                             !tan.rates_by_velocity.topRows(n).isZero(0.0))) {
    const auto driven = std::find_if(model.motions.begin(), model.motions.end(), [](const auto& m) {
      return m.block_output >= 0;
    });
    throw NumericalError(
        "driven-motion",
        fmt::format("motion {} follows a block, and blocks read the system: such a "
                    "system is not linearised",
                    driven->name),
        {},
        "drive a force or torque instead");
  }
  for (const BlockModel& block : net.blocks)
    if (std::holds_alternative<SampleBlock>(block.law))
      diagnostics.warn(
          "sampled-block",
          fmt::format("block {} is held at its last sample: a linearised system takes no samples, "
                      "so its output does not follow its input; for the effect of sampling to "
                      "first order, put a delay of {:.6g} s in its place",
                      block.name,
                      mean_delay(std::get<SampleBlock>(block.law))));
}

/// Prepares set-valued friction at a state: a sticking contact holds like a joint, a sliding one
/// damps by the slope of its law. If the state does not contain the modes, they are chosen and the
/// accelerations computed.
/// @throws ModelError  the accelerations cannot be computed
void choose_grips(Engine& engine, State& at) {
  engine.ws.grips = true;
  StickSlip friction(engine);
  if (!friction.is_fresh(at)) return;
  engine.ws.multipliers = at.multipliers;  // friction levels may depend on reactions
  double work = 0.0;
  if (!friction.choose(at, true, work)) engine.throw_failure();
}

/// Returns the free directions that carry mass, and sets S to the stiffness in the remaining
/// directions. Massless bodies follow the other bodies through the springs that position them.
/// Masses of directions are compared for motions of equal size in the units of the coordinates,
/// independent of their stiffness.
/// @throws NumericalError  nothing positions a massless body, or only a damper does
MatrixXd directions_with_mass(const FreeStiffness& free,
                              const MatrixXd& M,
                              const MatrixXd& C,
                              MatrixXd& S) {
  const MatrixXd N = free.units.asDiagonal() * free.B;
  if (N.cols() == 0) return N;
  const MatrixXd mass = N.transpose() * M * N;
  VectorXd scale = mass.diagonal().cwiseAbs().cwiseSqrt();
  const VectorXd size = free.B.colwise().norm().transpose();
  const double min_root = kMinMassRoot * scale.cwiseQuotient(size).maxCoeff();
  for (Index i = 0; i < scale.size(); ++i)
    scale(i) = scale(i) > min_root * size(i) ? 1.0 / scale(i) : 0.0;
  const MatrixXd unit = scale.asDiagonal() * mass * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(MatrixXd(0.5 * (unit + unit.transpose())));
  const Index massless_count = (eigen.eigenvalues().array() < kMassRoundOff).count();
  if (massless_count == 0) return N;
  const MatrixXd Z = eigen.eigenvectors().leftCols(massless_count);
  const MatrixXd Y = eigen.eigenvectors().rightCols(N.cols() - massless_count);
  const Eigen::FullPivLU<MatrixXd> stiffness(Z.transpose() * S * Z);
  const MatrixXd damping = N.transpose() * C * N;
  const bool is_damped =
      (damping * Z).cwiseAbs().maxCoeff() > kRateRoundOff * damping.cwiseAbs().maxCoeff();
  if (!stiffness.isInvertible() || is_damped)
    throw NumericalError("mass-singular",
                         "a free direction has no mass: the eigenvalues are not all finite",
                         {},
                         "give the massless body a small mass, or hold it by a joint or a spring");
  const MatrixXd condensed = Y - Z * stiffness.solve(MatrixXd(Z.transpose() * S * Y));
  S = condensed.transpose() * S * condensed;
  return N * condensed;
}

/// Motions that no stiffness resists, in coordinates of the free directions.
struct FreeMotions {
  // without resistance by stiffness, damping or states: double eigenvalues 0
  MatrixXd undamped;
  // directions w on which the undamped motions exert no load. The other motions x fulfil w' M x =
  // 0. If the stiffness is symmetric, w are the undamped motions, mass-orthonormal
  MatrixXd unloaded;
  Index damped = 0;  // number of motions with resistance by damping only: single eigenvalues 0
};

/// Motions without stiffness if the stiffness is not symmetric, if forces have states or if bodies
/// move, so that the damping contains gyroscopic terms. They are
/// removed from the eigenproblem only if neither damping nor states act on them.
/// @param sizes  lengths of the free directions, see unresisted()
/// @param noise  as FreeStiffness::noise
FreeMotions motions_left_alone(const Linearisation& system,
                               const MatrixXd& S,
                               const VectorXd& sizes,
                               double noise) {
  const Unresisted found = unresisted(S, sizes, noise);
  const MatrixXd &U = found.directions, &Z = found.motions;
  if (U.cols() == 0 || U.cols() != Z.cols()) return {};
  const VectorXd length = sizes.cwiseInverse();
  const auto of_length = [&](const MatrixXd& A) -> MatrixXd {
    return length.asDiagonal() * A * length.asDiagonal();
  };
  const double damping =
      std::max(largest(of_length(system.damping)),
               std::sqrt(largest(of_length(system.stiffness)) * largest(of_length(system.mass))));
  const auto rate = [&](const MatrixXd& A) { return largest(A * length.asDiagonal()); };
  const bool is_alone =
      largest(system.damping.transpose() * U) <= kRateRoundOff * damping * largest(sizes) &&
      largest(system.force_by_states.transpose() * U) <=
          kRateRoundOff * largest(length.asDiagonal() * system.force_by_states) &&
      largest(system.rates_by_position * Z) <= kRateRoundOff * rate(system.rates_by_position) &&
      largest(system.rates_by_velocity * Z) <= kRateRoundOff * rate(system.rates_by_velocity);
  if (!is_alone) return {};
  // the load that a motion causes may act along another free direction, as a thrust that turns a
  // body
  const Eigen::ColPivHouseholderQR<MatrixXd> mass(U.transpose() * system.mass * Z);
  if (mass.rank() < U.cols()) return {};
  return {Z, U, 0};
}

// The stiffness of each motion is compared with the value that it would have if no terms cancelled.
// Eigenvalues cannot be used: round-off moves a double eigenvalue 0 by the square root of
// round-off.
FreeMotions motions_without_stiffness(const Linearisation& system,
                                      const MatrixXd& S,
                                      const VectorXd& sizes,
                                      const FreeStiffness& free) {
  if (is_one_sided(S, free.noise) || system.rates_by_states.rows() > 0)
    return motions_left_alone(system, S, sizes, free.noise);
  const double none = free.no_stiffness();
  FreeMotions out;
  out.undamped.resize(S.rows(), 0);
  const MatrixXd symmetric = 0.5 * (S + S.transpose());
  const Eigen::SelfAdjointEigenSolver<MatrixXd> stiffness(symmetric);
  const auto count = (stiffness.eigenvalues().array().abs() < none).count();
  if (count == 0) return out;
  MatrixXd Z(S.rows(), count);
  Index at = 0;
  for (Index k = 0; k < S.rows(); ++k)
    if (std::abs(stiffness.eigenvalues()(k)) < none) Z.col(at++) = stiffness.eigenvectors().col(k);
  const MatrixXd damping = 0.5 * (system.damping + system.damping.transpose());
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> rates(Z.transpose() * damping * Z,
                                                                 Z.transpose() * system.mass * Z);
  const double fastest = std::sqrt(
      (system.stiffness.diagonal().array().abs() / system.mass.diagonal().array()).maxCoeff());
  std::vector<Index> undamped;
  for (Index k = 0; k < count; ++k)
    if (std::abs(rates.eigenvalues()(k)) <= kRateRoundOff * fastest + kMinRate)
      undamped.push_back(k);
  out.damped = count - static_cast<Index>(undamped.size());
  out.undamped = out.unloaded = Z * rates.eigenvectors()(Eigen::all, undamped);
  return out;
}

/// Basis of the motions that are mass-orthogonal to the given ones.
MatrixXd mass_orthogonal_to(const MatrixXd& motions, const MatrixXd& mass) {
  const Index n = mass.rows();
  if (motions.cols() == 0) return MatrixXd::Identity(n, n);
  if (motions.cols() == n) return MatrixXd::Zero(n, 0);
  const Eigen::LLT<MatrixXd> factor(mass);
  const Eigen::HouseholderQR<MatrixXd> qr(factor.matrixU() * motions);
  const MatrixXd Q = qr.householderQ() * MatrixXd::Identity(n, n);
  return factor.matrixU().solve(MatrixXd(Q.rightCols(n - motions.cols())));
}

/// Scales A so that rows and columns have similar size: A becomes D^-1 A D, with D a returned
/// diagonal of powers of two [Parlett 1969]. Needed because states may have any units.
VectorXd balance_units(MatrixXd& A) {
  constexpr double kRadix = 2.0;
  constexpr double kWorthwhile = 0.95;  // scalings that reduce row and column by less than this are
                                        // skipped
  VectorXd D = VectorXd::Ones(A.rows());
  for (bool any = true; any;) {
    any = false;
    for (Index i = 0; i < A.rows(); ++i) {
      double column = A.col(i).cwiseAbs().sum() - std::abs(A(i, i));
      const double row = A.row(i).cwiseAbs().sum() - std::abs(A(i, i));
      if (!(column > 0.0) || !(row > 0.0) || !std::isfinite(column + row)) continue;
      const double before = column + row;
      double factor = 1.0;
      for (; column < row / kRadix; column *= kRadix * kRadix)
        factor *= kRadix;
      for (; column >= row * kRadix; column /= kRadix * kRadix)
        factor /= kRadix;
      if (!((column + row) / factor < kWorthwhile * before)) continue;
      any = true;
      D(i) *= factor;
      A.row(i) /= factor;
      A.col(i) *= factor;
    }
  }
  return D;
}

/// Adds eigenvalues and shapes of the motions in the span of Y together with the force states. The
/// smallest `zeros` eigenvalues are set to 0.
void add_modes(const MatrixXd& Y, Index zeros, Linearisation& system) {
  const Index f = Y.cols();
  const Index ns = system.rates_by_states.rows();
  if (f + ns == 0) return;
  const Eigen::PartialPivLU<MatrixXd> mass(Y.transpose() * system.mass * Y);
  const MatrixXd K = mass.solve(MatrixXd(Y.transpose() * system.stiffness * Y));
  const MatrixXd C = mass.solve(MatrixXd(Y.transpose() * system.damping * Y));
  // time in units of the fastest motion, so that both halves of the state are of similar size
  double rate =
      f > 0 ? std::max(std::sqrt(K.cwiseAbs().maxCoeff()), std::numeric_limits<double>::min())
            : std::numeric_limits<double>::min();
  if (ns > 0) {  // states, for example of a controller, may be the only resistance
    rate = std::max(rate, system.rates_by_states.cwiseAbs().maxCoeff());
    if (!(rate > kMinRate)) rate = 1.0;
  }
  MatrixXd A = MatrixXd::Zero(2 * f + ns, 2 * f + ns);
  A.block(0, f, f, f) = rate * MatrixXd::Identity(f, f);
  A.block(f, 0, f, f) = K / -rate;
  A.block(f, f, f, f) = -C;
  if (ns > 0) {
    // the columns and rows of the force states; balance_units() below chooses their units
    A.block(f, 2 * f, f, ns) = mass.solve(MatrixXd(Y.transpose() * system.force_by_states)) / -rate;
    A.block(2 * f, 0, ns, f) = system.rates_by_position * Y;
    A.block(2 * f, f, ns, f) = rate * (system.rates_by_velocity * Y);
    A.block(2 * f, 2 * f, ns, ns) = system.rates_by_states;
  }
  const VectorXd D = ns > 0 ? balance_units(A) : VectorXd::Ones(2 * f + ns);
  const Eigen::EigenSolver<MatrixXd> solver(A);
  if (solver.info() != Eigen::Success)
    throw NumericalError("eigenvalues",
                         "the eigenvalues of the linearised system did not converge");
  Eigen::VectorXcd values = solver.eigenvalues();
  const double largest = values.cwiseAbs().maxCoeff();
  std::vector<Index> order(static_cast<std::size_t>(2 * f + ns));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    return std::abs(values(a)) < std::abs(values(b));
  });
  for (Index k = 0; k < zeros; ++k)
    values(order[static_cast<std::size_t>(k)]) = 0.0;
  for (Index k = 0; k < 2 * f + ns; ++k) {
    const std::complex<double> value = values(k);
    if (value.imag() < 0.0) continue;
    SystemMode mode;
    mode.eigenvalue = value;
    const double size = std::abs(value);
    mode.frequency_hz = size / (2.0 * std::numbers::pi);
    mode.damping_ratio = size > kRootRoundOff * largest ? 0.0 - value.real() / size : 0.0;
    mode.shape = system.free_directions *
                 (Y * D.head(f).cwiseProduct(solver.eigenvectors().col(k).head(f)).eval());
    system.modes.push_back(std::move(mode));
  }
}

/// Coordinates y that turn with each body; for a body that spins on an axle, with the body that
/// carries it. dx = T y, dv = T (y' + W y'), dv' = T (y'' + W1 y' + W2 y). Coefficients of a steady
/// rotation are then constant. eq. (33-35)
struct TurningCoordinates {
  MatrixXd T, W, W1, W2;
  VectorXd steady;  // accelerations of a motion that is steady in these coordinates
};

/// Angular velocity of a body relative to the body that carries it, in B, if it spins about an axis
/// of symmetry and a joint allows this rotation; else 0.
Vector3d spin_on_axle(const Engine& engine, const Spin& spin) {
  const Model& model = engine.model;
  const auto& bodies = engine.ws.bodies;
  for (const JointModel& joint : model.joints) {
    if (joint.is_motion || joint.legs.size() != 2) continue;
    if (!has_angle(joint.type)) continue;
    const int on[2] = {model.markers[static_cast<std::size_t>(joint.legs[0])].body,
                       model.markers[static_cast<std::size_t>(joint.legs[1])].body};
    if (on[0] == on[1] || (on[0] != spin.body && on[1] != spin.body)) continue;
    const int carrier = on[0] == spin.body ? on[1] : on[0];
    const BodyKinematics& own = bodies[static_cast<std::size_t>(spin.body)];
    const BodyKinematics& other = bodies[static_cast<std::size_t>(carrier)];
    if (own.w.norm() <= other.w.norm()) continue;  // the other body spins on this one
    const Vector3d relative = own.w - own.R.transpose() * (other.R * other.w);
    const Vector3d across = relative - relative.dot(spin.axis) * spin.axis;
    if (across.norm() <= kOnAxle * relative.norm()) return relative;
  }
  return Vector3d::Zero();
}

TurningCoordinates turning_coordinates(const Engine& engine, const VectorXd& velocity) {
  const Model& model = engine.model;
  const Index n = model.nv;
  TurningCoordinates out;
  out.T = MatrixXd::Identity(n, n);
  out.W = out.W1 = out.W2 = MatrixXd::Zero(n, n);
  out.steady = VectorXd::Zero(n);
  std::vector<Vector3d> spin_of(model.bodies.size(), Vector3d::Zero());
  std::vector<Spin> spins;
  SpinAxes(model).find(velocity, kAnySpin, spins);
  for (const Spin& spin : spins)
    spin_of[static_cast<std::size_t>(spin.body)] = spin_on_axle(engine, spin);
  for (std::size_t k = 0; k + 1 < model.bodies.size(); ++k) {
    const BodyModel& b = model.bodies[k];
    const BodyKinematics& kin = engine.ws.bodies[k];
    Matrix6d turn = Matrix6d::Identity(), rate = Matrix6d::Zero(), first = Matrix6d::Zero(),
             second = Matrix6d::Zero();
    const Vector3d turning = kin.w - spin_of[k];  // angular velocity of the axes of y, in B
    Vector6d steady;
    steady << (kin.R * turning).cross(kin.v), -spin_of[k].cross(turning);
    const Eigen::Matrix3d s = cross_matrix(spin_of[k]);
    const Eigen::Matrix3d w = cross_matrix(turning);
    turn.topLeftCorner<3, 3>() = kin.R;
    rate.topLeftCorner<3, 3>() = rate.bottomRightCorner<3, 3>() = w;
    first.topLeftCorner<3, 3>() = 2.0 * w;
    first.bottomRightCorner<3, 3>() = w - s;
    second.topLeftCorner<3, 3>() = w * w;
    second.bottomRightCorner<3, 3>() = -s * w;
    set_rigid_components(b, steady, out.steady.data() + b.v0);
    for (int r = 0; r < b.nr; ++r) {
      for (int c = 0; c < b.nr; ++c) {
        const int i = b.dof[static_cast<std::size_t>(r)], j = b.dof[static_cast<std::size_t>(c)];
        out.T(b.v0 + r, b.v0 + c) = turn(i, j);
        out.W(b.v0 + r, b.v0 + c) = rate(i, j);
        out.W1(b.v0 + r, b.v0 + c) = first(i, j);
        out.W2(b.v0 + r, b.v0 + c) = second(i, j);
      }
    }
  }
  return out;
}

/// Warns of laws without one slope at the state.
void warn_of_kinks(Engine& engine, const State& at, const MatrixXd& N, Diagnostics& diagnostics) {
  const std::vector<Kink> kinks = kinks_at(engine, at, N);
  if (kinks.empty()) return;
  const bool any_jump =
      std::any_of(kinks.begin(), kinks.end(), [](const Kink& kink) { return kink.jump != 0.0; });
  diagnostics.warn(
      "kink",
      fmt::format("the state lies on a knot or switch: {}; the linearised system {}; linearise "
                  "about a state beside it, for example with a little more load",
                  text_of(kinks),
                  any_jump ? "divides the jump by a small step, and its modes mean nothing"
                           : "has the mean of the two slopes"));
}

/// Warns if velocities change in the turning coordinates, so that the motion is not steady.
void warn_of_unsteady_motion(const Engine& engine,
                             const State& at,
                             const VectorXd& steady,
                             Diagnostics& diagnostics) {
  std::string who;
  const double change = engine.size_of(VectorXd(at.acceleration - steady), &who);
  const double speed = engine.size_of(at.velocity);
  if (change <= kUnsteady * speed) return;
  diagnostics.warn("not-steady",
                   fmt::format("the motion is not steady: the velocity of {} changes by {:.3g} of "
                               "the largest per second; modes are those of the motion as it is",
                               who,
                               change / speed));
}

}  // namespace

Linearisation linearise(const System& system, const State& state, Diagnostics& diagnostics) {
  if (has_guests(system)) {
    State near = state;
    const System linear = with_linear_guests(system, near, diagnostics);
    return linearise(linear, near, diagnostics);
  }
  const Model model = compile(system, diagnostics);
  Engine engine(model);
  State at = completed(model, state);
  if (model.grip_count > 0) choose_grips(engine, at);
  const bool at_rest = at.velocity.isZero(0.0);
  engine.ws.roads_stand = at_rest;
  const Tangent tan = tangent(engine, at);
  if (const std::string wrong = negative_friction(model, engine.ws); !wrong.empty())
    throw ModelError("bad-load", wrong, {}, kFrictionRemedy);
  check_blocks(model, tan, diagnostics);
  const auto [T, W, W1, W2, steady] = turning_coordinates(engine, at.velocity);
  if (!at_rest) warn_of_unsteady_motion(engine, at, steady, diagnostics);
  const MatrixXd M = T.transpose() * tan.M * T;
  const MatrixXd C0 = T.transpose() * tan.C * T;
  const MatrixXd C = C0 + M * W1;
  const MatrixXd K = T.transpose() * tan.K * T + C0 * W + M * W2;
  const FreeStiffness free = free_stiffness(model, tan.G * T, K);
  MatrixXd S = free.S;
  const MatrixXd N = directions_with_mass(free, M, C, S);
  Linearisation result;
  result.mass = N.transpose() * M * N;
  result.damping = N.transpose() * C * N;
  result.stiffness = N.transpose() * K * N;
  result.free_directions = T * N;
  result.turning = T * W * N;
  result.force_by_states = N.transpose() * T.transpose() * tan.force_by_states;
  result.rates_by_position = (tan.rates_by_position * T + tan.rates_by_velocity * T * W) * N;
  result.rates_by_velocity = tan.rates_by_velocity * T * N;
  result.rates_by_states = tan.rates_by_states;
  warn_of_kinks(engine, at, result.free_directions, diagnostics);
  if (N.cols() + model.state_count == 0) return result;
  const VectorXd sizes = (free.units.cwiseInverse().asDiagonal() * N).colwise().norm().transpose();
  const FreeMotions free_motions = at_rest ? motions_without_stiffness(result, S, sizes, free)
                                           : motions_left_alone(result, S, sizes, free.noise);
  for (Index k = 0; k < free_motions.undamped.cols(); ++k) {
    SystemMode mode;
    mode.is_free = true;
    const VectorXd shape = result.free_directions * free_motions.undamped.col(k);
    mode.shape = shape.cast<std::complex<double>>();
    result.modes.push_back(std::move(mode));
  }
  add_modes(mass_orthogonal_to(free_motions.unloaded, result.mass), free_motions.damped, result);
  for (SystemMode& mode : result.modes)
    if (const double norm = mode.shape.norm(); norm > 0.0) mode.shape /= norm;
  std::stable_sort(
      result.modes.begin(), result.modes.end(), [](const SystemMode& a, const SystemMode& b) {
        return a.frequency_hz < b.frequency_hz;
      });
  return result;
}

ChannelJacobian channel_jacobian(const System& system,
                                 const State& state,
                                 Diagnostics& diagnostics) {
  const Model model = compile(system, diagnostics);
  const State at = completed(model, state);
  Engine engine(model);
  ChannelJacobian out{model.outputs.channels, {}};
  out.rows.resize(static_cast<Index>(out.channels.size()), model.nv);
  const auto values = [&](double step, Index i) {
    const VectorXd dx = VectorXd::Unit(model.nv, i) * step;
    State moved = at;
    move(model, at.position, dx, moved.position);
    engine.set_all(moved);
    return read_row(model, engine.ws);
  };
  const VectorXd steps = kOutputStep * units_of(model);
  for (Index i = 0; i < model.nv; ++i)
    out.rows.col(i) = (values(steps(i), i) - values(-steps(i), i)) / (2.0 * steps(i));
  return out;
}

Eigen::VectorXcd frequency_response(const Linearisation& system,
                                    const VectorXd& load,
                                    const VectorXd& output,
                                    const VectorXd& frequencies_hz) {
  const VectorXd right = system.free_directions.transpose() * load;
  const VectorXd left = system.free_directions.transpose() * output;
  Eigen::VectorXcd response(frequencies_hz.size());
  const Index ns = system.rates_by_states.rows();
  for (Index k = 0; k < frequencies_hz.size(); ++k) {
    const double w = 2.0 * std::numbers::pi * frequencies_hz(k);
    Eigen::MatrixXcd Z = (system.stiffness - w * w * system.mass).cast<std::complex<double>>() +
                         std::complex<double>(0.0, w) * system.damping.cast<std::complex<double>>();
    if (ns > 0) {
      const std::complex<double> s(0.0, w);
      const Eigen::MatrixXcd lag = s * Eigen::MatrixXcd::Identity(ns, ns) -
                                   system.rates_by_states.cast<std::complex<double>>();
      const Eigen::MatrixXcd drive = system.rates_by_position.cast<std::complex<double>>() +
                                     s * system.rates_by_velocity.cast<std::complex<double>>();
      Z += system.force_by_states.cast<std::complex<double>>() * lag.fullPivLu().solve(drive);
    }
    const Eigen::VectorXcd x = Z.partialPivLu().solve(right.cast<std::complex<double>>());
    response(k) = left.cast<std::complex<double>>().dot(x);
  }
  return response;
}

}  // namespace femflex::mbd_solver
