// Evaluates the system with all modes at the states of a run that has only some of them, and
// computes the correction. Notation: xi are modal coordinates in which mass and stiffness of a body
// are diagonal; r is the residual, -r the load on them.
#include "integrators/left_out.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/frequency.h"

#include "spatial/rotation.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::ArrayXd;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// eigenvalue, relative to the largest of the body, below which a mode counts as rigid motion
constexpr double kRigid = 1e-13;
// if the initial state is deformed, modes start with their static response if their period is below
// 2 pi times this many periods of the lowest mode
constexpr double kStaticPeriods = 100.0;
// turn of a body [rad] after which the kept matrix is rebuilt; its directions are then wrong by 2 %
constexpr double kLargestTurn = 0.02;
// Spectral radius at infinite frequency. With 0.8 differences of constraints, which one correction
// each does not remove, grow where rows are close; with 0.6 the difference is damped where they are
// far apart.
constexpr double kRadius = 0.7;
// Largest number of steps of the run that the difference takes at once. Over 30 at once half of the
// difference is lost where modes with such periods swing freely.
constexpr std::size_t kStepsAtOnce = 13;
// largest relative difference of steps that share a matrix
constexpr double kSameRows = 1e-6;
// number of rows between two measurements of the loads
constexpr std::int64_t kRowsPerMeasure = 10;
// growth of the largest static response after which its cause is determined again
constexpr double kNewCause = 1.2;
// Corrections of Newton's method at a row if forces have states, as leaf springs that turn round:
// at most this many, until one is below kDone of the first. One above kSlow of the one before has
// the matrix made anew.
constexpr int kPassesOfStates = 12;
constexpr double kDone = 0.02, kSlow = 0.3;
// share of the missing displacement that may remain; LeftOutReport::more_modes reaches it
constexpr double kGoal = 0.01;

/// A copy of the system with every mode of its flexible bodies enabled.
System with_all_modes(const System& system) {
  System all = system;
  for (Body& body : all.bodies)
    if (auto* flexible = std::get_if<Flexible>(&body.kind))
      flexible->enabled = std::vector<bool>(flexible->body->modes.size(), true);
  return all;
}

bool leaves_modes_out(const Body& body) {
  const auto* flexible = std::get_if<Flexible>(&body.kind);
  if (flexible == nullptr) return false;
  const std::vector<bool> acts = acting_modes(*flexible);
  return !std::all_of(acts.begin(), acts.end(), [](bool a) { return a; });
}

/// Interface nodes of the body and nodes that the system refers to.
std::vector<std::int64_t> nodes_of_interest(const Model& model, int body) {
  const BodyModel& b = model.bodies[static_cast<std::size_t>(body)];
  const FlexBody& flex = *model.flexes[static_cast<std::size_t>(b.flex)].body;
  std::set<std::int64_t> nodes(flex.interface_nodes.begin(), flex.interface_nodes.end());
  for (const MarkerModel& marker : model.markers)
    if (marker.body == body && marker.node >= 0)
      nodes.insert(flex.nodes[static_cast<std::size_t>(marker.node)].id);
  return {nodes.begin(), nodes.end()};
}

/// load / k of each mode; 0 for rigid modes.
ArrayXd static_response(const FlexModel& f, const ArrayXd& load) {
  const ArrayXd lambda = f.k_diagonal.array() / f.m_diagonal.array();
  return (lambda > kRigid * lambda.maxCoeff()).select(load / f.k_diagonal.array(), 0.0);
}

std::size_t quotient_above(std::size_t a, std::size_t b) {
  return (a + b - 1) / b;
}

/// Steps of a part, up to a limit, when a number of steps is divided. Parts of equal length share a
/// matrix, so that the last one is shorter only where equal parts would be far below the limit.
std::size_t steps_of_part(std::size_t count, std::size_t limit) {
  limit = std::clamp<std::size_t>(limit, 1, count);
  for (std::size_t equal = limit; 4 * equal >= limit; --equal)
    if (count % equal == 0) return equal;
  return quotient_above(count, quotient_above(count, limit));
}

/// Root mean square of |u_P| over rows, from the sum of zeta zeta' over rows.
double rms_at(const Eigen::Ref<const MatrixXd>& Phi_P, const MatrixXd& squares, double rows) {
  return std::sqrt(std::max(0.0, (Phi_P * squares * Phi_P.transpose()).trace() / rows));
}

}  // namespace

LeftOutWatch::LeftOutWatch(const System& system, const Model& model, const DynamicOptions& options)
    : model_(model), rule_(std::min(options.rho, kRadius)), spin_axes_(model) {
  if (std::none_of(system.bodies.begin(), system.bodies.end(), leaves_modes_out)) return;
  Diagnostics unused;
  try {
    all_ = std::make_unique<const Model>(compile(with_all_modes(system), unused));
  } catch (const ModelError&) {
    return;  // disabled modes that repeat other modes have no coordinates of their own
  }
  ws_.emplace(*all_);
  ws_->marker_count = all_->acting_markers;
  kkt_.emplace(*all_);
  q_ = all_->initial.position;
  v_ = all_->initial.velocity;
  for (VectorXd* each :
       {&a_, &d_.x, &d_.rate, &d_.true_acceleration, &d_.algorithmic, &f_, &solution_})
    each->setZero(all_->nv);
  c_.setZero(all_->nl);
  multipliers_.setZero(all_->nl);
  for (VectorXd* each : {&d_.first_order.force_states,
                         &d_.first_order.force_state_rates,
                         &d_.first_order.algorithmic_rates,
                         &state_constants_})
    each->setZero(all_->state_count);
  d_.attitudes.resize(model.bodies.size());
  matrix_attitudes_ = d_.attitudes;
  for (std::size_t k = 0; k < system.bodies.size(); ++k)
    if (leaves_modes_out(system.bodies[k])) add_body(static_cast<int>(k));
}

const FlexModel& LeftOutWatch::all_modes(const Watched& watched) const {
  return all_
      ->flexes[static_cast<std::size_t>(all_->bodies[static_cast<std::size_t>(watched.body)].flex)];
}

const FlexModel& LeftOutWatch::acting(const Watched& watched) const {
  return model_
      .flexes[static_cast<std::size_t>(model_.bodies[static_cast<std::size_t>(watched.body)].flex)];
}

void LeftOutWatch::add_body(int body) {
  Watched watched;
  watched.body = body;
  const FlexModel& all = all_modes(watched);
  watched.E = all.zeta_to_xi * acting(watched).X;
  watched.k = acting(watched).k_diagonal;
  watched.nodes = nodes_of_interest(model_, body);
  watched.shapes.resize(3 * static_cast<Index>(watched.nodes.size()), all.X.rows());
  for (std::size_t p = 0; p < watched.nodes.size(); ++p)
    watched.shapes.middleRows(3 * static_cast<Index>(p), 3) =
        all.body->shapes.middleRows(6 * find_node(*all.body, watched.nodes[p]), 3);
  watched.left_out_squares.setZero(all.n, all.n);
  watched.squares.setZero(all.n, all.n);
  watched_.push_back(std::move(watched));
}

/// Copies a state of the run to q_, v_, a_ of the system with all modes.
void LeftOutWatch::map_state(const State& state) {
  auto watched = watched_.begin();
  for (std::size_t k = 0; k + 1 < model_.bodies.size(); ++k) {
    const BodyModel& from = model_.bodies[k];
    const BodyModel& to = all_->bodies[k];
    q_.segment(to.q0, 7) = state.position.segment(from.q0, 7);
    v_.segment(to.v0, to.nr) = state.velocity.segment(from.v0, from.nr);
    a_.segment(to.v0, to.nr) = state.acceleration.segment(from.v0, from.nr);
    const bool is_watched = watched != watched_.end() && watched->body == static_cast<int>(k);
    const auto copy = [&](const VectorXd& source, int at, VectorXd& target, int place) {
      if (is_watched)
        target.segment(place, to.n).noalias() = watched->E * source.segment(at, from.n);
      else
        target.segment(place, to.n) = source.segment(at, from.n);
    };
    copy(state.position, from.q0 + 7, q_, to.q0 + 7);
    copy(state.velocity, from.v0 + from.nr, v_, to.v0 + to.nr);
    copy(state.acceleration, from.v0 + from.nr, a_, to.v0 + to.nr);
    if (is_watched) ++watched;
  }
}

void LeftOutWatch::evaluate(const Engine& engine, const State& state, bool moved, double gain) {
  map_state(state);
  Workspace& ws = *ws_;
  if (moved) {
    const VectorXd here = q_;
    move(*all_, here, d_.x, q_);
    v_ += d_.rate;
    a_ += d_.true_acceleration;
    for (const Spin& spin : spins_)
      if (spin.at >= 0) {
        const Eigen::Vector3d w = v_.segment<3>(spin.at);
        a_.segment<3>(spin.at) -=
            spin.drift(w) - spin.drift(w - Eigen::Vector3d(d_.rate.segment<3>(spin.at)));
      }
  }
  if (all_->has_memory()) ws.set_memory(state);
  ws.state_gain = gain;
  // dz = c + g dz' with dz' the difference of rates, so that z = (z_run + c - g z'_run) + g z'
  if (gain > 0.0) ws.state_constants += state_constants_ - gain * engine.ws.state_rates;
  ws.grips = engine.ws.grips;
  ws.inputs = engine.ws.inputs;
  ws.t = state.time;
  ws.q = q_;
  ws.v = v_;
  ws.a = a_;
  ws.multipliers = state.multipliers;
  position_kinematics(*all_, ws);
  constraints(*all_, ws);
  velocity_kinematics(*all_, ws);
  marker_bias(*all_, ws);
  residual(*all_, ws, a_, &ws.multipliers);
}

/// The difference at the first row: none for bodies that start undeformed, whose other modes are
/// undeformed too; else the static one, since the others have settled. Its acceleration counts as
/// zero: that of modes which are faster than the rows, times the square of the row's step, is far
/// above their static response. Returns false if it is lost.
bool LeftOutWatch::start(const Engine& engine, const State& state) {
  evaluate(engine, state, false);
  bool is_deformed = false;
  double lowest = 0.0;  // eigenvalue
  for (const Watched& watched : watched_) {
    const FlexModel& f = all_modes(watched);
    is_deformed =
        is_deformed || !state.position
                            .segment(model_.bodies[static_cast<std::size_t>(watched.body)].q0 + 7,
                                     acting(watched).n)
                            .isZero(0.0);
    const ArrayXd lambda = f.k_diagonal.array() / f.m_diagonal.array();
    for (const double each : lambda)
      if (each > kRigid * lambda.maxCoeff() && (lowest == 0.0 || each < lowest)) lowest = each;
  }
  if (!is_deformed || lowest == 0.0) return true;
  const double weight =
      kStaticPeriods * kStaticPeriods / lowest;  // of stiffness against mass [s^2]
  if (!kkt_->factor(*all_, *ws_, 0.0, weight)) return false;
  f_ = -ws_->force;
  c_.setZero();
  kkt_->solve(*all_, *ws_, f_, c_, d_.true_acceleration, multipliers_);
  d_.x = weight * d_.true_acceleration;
  d_.true_acceleration.setZero();
  return d_.x.allFinite();
}

/// Factors the matrix of the step unless the kept one has the same step, contracts, and no body has
/// turned far since, but for its spin. Returns false if that fails.
bool LeftOutWatch::update_matrix(double h) {
  bool is_kept = !is_slow_ && std::abs(h - matrix_step_) <= kSameRows * h;
  for (std::size_t k = 0; k + 1 < model_.bodies.size() && is_kept; ++k) {
    const Eigen::Quaterniond now = attitude(q_.data() + all_->bodies[k].q0);
    double turn = now.angularDistance(matrix_attitudes_[k]);
    for (const Spin& spin : spins_)
      if (spin.body == static_cast<int>(k))
        turn = (now * spin.axis - matrix_attitudes_[k] * spin.axis).norm();
    is_kept = turn < kLargestTurn;
  }
  if (is_kept) return true;
  is_slow_ = false;
  matrix_step_ = h;
  for (std::size_t k = 0; k + 1 < model_.bodies.size(); ++k)
    matrix_attitudes_[k] = attitude(q_.data() + all_->bodies[k].q0);
  const double gain_x = 1.0 / rule_.beta_prime(h);
  return kkt_->factor(*all_, *ws_, rule_.gamma_prime(h) * gain_x, gain_x, h);
}

/// Turns of a body are components along its axes, which have turned since the last row. Those of a
/// body that spins turn far in a row, so that its rates follow.
void LeftOutWatch::turn_axes(const State& state) {
  for (std::size_t k = 0; k + 1 < model_.bodies.size(); ++k) {
    const BodyModel& b = all_->bodies[k];
    if (b.nr != 6) continue;
    const Eigen::Quaterniond now = attitude(state.position.data() + model_.bodies[k].q0);
    const Eigen::Quaterniond turn = now.conjugate() * d_.attitudes[k];
    const auto turned = [&](VectorXd& x) {
      x.segment<3>(b.v0 + 3) = turn * Eigen::Vector3d(x.segment<3>(b.v0 + 3));
    };
    turned(d_.x);
    if (std::none_of(spins_.begin(), spins_.end(), [&](const Spin& spin) {
          return spin.body == static_cast<int>(k);
        }))
      continue;
    for (VectorXd* each : {&d_.rate, &d_.true_acceleration, &d_.algorithmic})
      turned(*each);
  }
}

/// Differences of force states and their rates at the moved state, which has just been evaluated.
void LeftOutWatch::keep_states(const Engine& engine, const State& state) {
  const VectorXd rates = ws_->state_rates - engine.ws.state_rates;
  VectorXd algorithmic;
  rule_.state_rates(d_.first_order, rates, algorithmic);
  d_.first_order.force_states = ws_->states - state.force_states;
  d_.first_order.force_state_rates = rates;
  d_.first_order.algorithmic_rates = algorithmic;
}

/// docs/theory/multibody.md eq. (21-23, 42) for the difference. It is unsettled if corrections of
/// forces with states do not come to an end.
LeftOutWatch::Step LeftOutWatch::step(const Engine& engine, const State& state) {
  const double h = state.time - d_.t;
  if (!(h > 0.0)) return Step::followed;
  const double by_true = rule_.algorithmic(1.0, 0.0, 0.0);
  const double gain_x = 1.0 / rule_.beta_prime(h), gain_rate = rule_.gamma_prime(h) * gain_x;
  map_state(state);
  spin_axes_.find(v_, h, spins_);
  turn_axes(state);
  // the algorithmic acceleration is `kept` + by_true times the true one, which is 0 at first
  const VectorXd kept =
      rule_.algorithmic(VectorXd::Zero(all_->nv), d_.true_acceleration, d_.algorithmic);
  d_.x += h * d_.rate + h * h * ((0.5 - rule_.beta) * d_.algorithmic + rule_.beta * kept);
  d_.rate += h * ((1.0 - rule_.gamma) * d_.algorithmic + rule_.gamma * kept);
  d_.true_acceleration.setZero();
  const bool has_states = all_->state_count > 0;
  const double gain = has_states ? rule_.state_gain(h) : 0.0;
  if (has_states) rule_.state_constants(d_.first_order, h, state_constants_);
  bool is_settled = !has_states;
  double first = 0.0, before = 0.0;  // sizes of corrections
  for (int pass = 0; pass < (has_states ? kPassesOfStates : 1); ++pass) {
    evaluate(engine, state, true, gain);
    if (!update_matrix(h)) return Step::failed;
    f_ = -ws_->force;
    c_ = -ws_->phi / gain_x;
    kkt_->solve(*all_, *ws_, f_, c_, solution_, multipliers_);
    d_.true_acceleration += solution_;
    d_.x += gain_x * solution_;
    d_.rate += gain_rate * solution_;
    const double size = solution_.norm();
    if (pass == 0) first = size;
    is_settled = is_settled || (pass > 0 && size <= kDone * first);
    if (is_settled) break;
    is_slow_ = pass > 0 && size > kSlow * before;
    before = size;
  }
  d_.algorithmic = kept + by_true * d_.true_acceleration;
  if (has_states) {
    evaluate(engine, state, true, gain);
    keep_states(engine, state);
  }
  if (!d_.x.allFinite()) return Step::failed;
  return is_settled ? Step::followed : Step::unsettled;
}

/// Sets where the difference is.
void LeftOutWatch::leave(const State& state) {
  d_.t = state.time;
  for (std::size_t k = 0; k + 1 < model_.bodies.size(); ++k)
    d_.attitudes[k] = attitude(state.position.data() + model_.bodies[k].q0);
}

/// Takes the difference from the last row to this one: in one step, or in parts through steps of
/// the run, as short as it needs.
bool LeftOutWatch::follow(Engine& engine, const State& state) {
  std::vector<const State*> way;
  for (const State& each : steps_.states())
    if (each.time > d_.t && each.time < state.time) way.push_back(&each);
  way.push_back(&state);
  std::size_t stride = steps_of_part(way.size(), std::min(kStepsAtOnce, way.size() / parts_));
  for (std::size_t done = 0; done < way.size();) {
    const std::size_t taken = std::min(stride, way.size() - done);
    const State& to = *way[done + taken - 1];
    const bool is_divisible = taken > 1;
    const Difference before = is_divisible ? d_ : Difference{};
    if (way.size() > 1) engine.set_all(to);
    const Step result = step(engine, to);
    if (result != Step::followed && is_divisible) {
      d_ = before;
      stride = steps_of_part(taken, taken / 2);
      parts_ = quotient_above(way.size(), stride);
      continue;
    }
    if (result == Step::failed) return false;
    leave(to);
    done += taken;
  }
  return true;
}

void LeftOutWatch::row(Engine& engine, const State& state) {
  if (watched_.empty() || is_lost_) return;
  is_lost_ = !(rows_ == 0 ? start(engine, state) : follow(engine, state));
  leave(state);
  steps_.clear();
  if (is_lost_) return;
  if (rows_ % kRowsPerMeasure == 0) {
    evaluate(engine, state, false);
    for (Watched& watched : watched_)
      measure_load(watched);
    ++measured_;
  }
  for (Watched& watched : watched_)
    keep(watched, engine);
  ++rows_;
}

/// Measures the load that no enabled mode can represent, from the residual at the state of the run.
void LeftOutWatch::measure_load(Watched& watched) {
  const BodyModel& b = all_->bodies[static_cast<std::size_t>(watched.body)];
  const FlexModel& f = all_modes(watched);
  const ArrayXd load = -ws_->force.segment(b.v0 + b.nr, b.n).array();
  // load that the enabled modes represent: their inertia, damping and elastic forces
  VectorXd held = f.k_diagonal.cwiseProduct(q_.segment(b.q0 + 7, b.n)) +
                  f.m_diagonal.cwiseProduct(a_.segment(b.v0 + b.nr, b.n));
  held += f.b * v_.segment(b.v0 + b.nr, b.n);
  const ArrayXd all_load = load + held.array();
  const double all_energy = 0.5 * (static_response(f, all_load) * all_load).sum();
  watched.energy = 0.5 * (static_response(f, load) * load).sum();
  watched.share = all_energy > 0.0 ? std::sqrt(watched.energy / all_energy) : 0.0;
  watched.share_squares += watched.share * watched.share;
  find_cause(watched, load);
}

/// Stores the difference of a body for the channels and the summary.
void LeftOutWatch::keep(Watched& watched, Engine& engine) {
  const BodyModel& b = all_->bodies[static_cast<std::size_t>(watched.body)];
  const BodyModel& own = model_.bodies[static_cast<std::size_t>(watched.body)];
  const auto xi = d_.x.segment(b.v0 + b.nr, b.n);
  LeftOutValues& values = engine.ws.left_out[static_cast<std::size_t>(b.flex)];
  values.zeta.noalias() = all_modes(watched).X * xi;
  values.energy = watched.energy;
  values.share = watched.share;
  watched.left_out_squares.selfadjointView<Eigen::Lower>().rankUpdate(xi);
  watched.squares.selfadjointView<Eigen::Lower>().rankUpdate(
      VectorXd(watched.E * engine.ws.q.segment(own.q0 + 7, own.n) + xi));
}

namespace {

/// Largest displacement of a node; u has three rows per node.
double largest_move(const VectorXd& u) {
  double largest = 0.0;
  for (Index p = 0; p + 2 < u.size(); p += 3)
    largest = std::max(largest, u.segment<3>(p).norm());
  return largest;
}

}  // namespace

/// Finds the force, joint or motion that causes most of the static response, if the response has
/// grown.
void LeftOutWatch::find_cause(Watched& watched, const ArrayXd& load) {
  const FlexModel& f = all_modes(watched);
  const MatrixXd shapes = watched.shapes * f.X;
  const double now = largest_move(shapes * static_response(f, load).matrix());
  if (!(now > kNewCause * watched.largest)) return;
  watched.largest = now;
  const BodyModel& b = all_->bodies[static_cast<std::size_t>(watched.body)];
  double most = 0.0;
  ArrayXd rest = load;
  // response to one load, without the part that the enabled modes represent
  const auto consider = [&](const std::string& name, const ArrayXd& one) {
    VectorXd x = static_response(f, one).matrix();
    x -= watched.E * (watched.E.transpose() * one.matrix()).cwiseQuotient(watched.k);
    const double size = largest_move(shapes * x);
    if (!(size > most)) return;
    most = size;
    watched.cause = name;
  };
  const auto of_body = [&](const VectorXd& all) -> ArrayXd {
    return -all.segment(b.v0 + b.nr, b.n).array();
  };
  const VectorXd kept = ws_->force;
  for (std::size_t k = 0; k < all_->forces.size(); ++k) {
    ws_->force.setZero();
    subtract_force(*all_, *ws_, k);
    const ArrayXd one = of_body(ws_->force);
    rest -= one;
    consider("force " + all_->forces[k].name, one);
  }
  ws_->force = kept;
  for (const JointModel& joint : all_->joints) {
    VectorXd alone = VectorXd::Zero(all_->nl);
    alone.segment(joint.l0, joint.m) = ws_->multipliers.segment(joint.l0, joint.m);
    f_.setZero();
    add_jacobian_transposed_times(*all_, *ws_, alone, f_);
    const ArrayXd one = of_body(f_);
    rest -= one;
    consider((joint.is_motion ? "motion " : "joint ") + joint.name, one);
  }
  consider("its own inertia", rest);
}

LeftOutReport LeftOutWatch::report(const Watched& watched) const {
  const BodyModel& b = all_->bodies[static_cast<std::size_t>(watched.body)];
  const FlexModel& f = all_modes(watched);
  const FlexModel& own = acting(watched);
  const auto rows = static_cast<double>(std::max<std::int64_t>(rows_, 1));
  const auto by_zeta = [&](const MatrixXd& squares) -> MatrixXd {
    return f.X * MatrixXd(squares.selfadjointView<Eigen::Lower>()) * f.X.transpose();
  };
  const MatrixXd left = by_zeta(watched.left_out_squares), whole = by_zeta(watched.squares);
  LeftOutReport out;
  out.body = b.name;
  out.cause = watched.cause;
  out.share =
      std::sqrt(watched.share_squares / static_cast<double>(std::max<std::int64_t>(measured_, 1)));
  Index worst = -1;
  for (std::size_t p = 0; p < watched.nodes.size(); ++p) {
    const auto Phi_P = watched.shapes.middleRows(3 * static_cast<Index>(p), 3);
    out.nodes.push_back({watched.nodes[p], rms_at(Phi_P, whole, rows), rms_at(Phi_P, left, rows)});
    if (worst < 0 ||
        out.nodes.back().left_out > out.nodes[static_cast<std::size_t>(worst)].left_out)
      worst = static_cast<Index>(p);
  }
  if (worst < 0) return out;
  out.worst = out.nodes[static_cast<std::size_t>(worst)];
  // adds disabled modes in their order until the remaining displacement is small
  const auto Phi_P = watched.shapes.middleRows(3 * worst, 3);
  VectorXd is_left = VectorXd::Ones(f.X.rows());
  for (Index j = 0; j < own.X.rows(); ++j)
    if (!own.X.row(j).isZero(0.0)) is_left(j) = 0.0;
  const double goal = kGoal * out.worst.displacement;
  double rest = out.worst.left_out;
  for (Index j = 0; j < is_left.size() && rest > goal; ++j) {
    if (is_left(j) == 0.0) continue;
    is_left(j) = 0.0;
    ++out.more_modes;
    out.up_to_hz = frequency_hz(f.body->modes[static_cast<std::size_t>(j)].eigenvalue);
    rest = rms_at(Phi_P * is_left.asDiagonal(), left, rows);
  }
  out.rest = rest;
  out.reaches_goal = rest <= goal;
  return out;
}

std::vector<LeftOutReport> LeftOutWatch::summary() const {
  std::vector<LeftOutReport> out;
  if (is_lost_) return out;
  for (const Watched& watched : watched_)
    out.push_back(report(watched));
  return out;
}

std::string LeftOutWatch::note(const std::vector<LeftOutReport>& summary) const {
  constexpr const char* kHelp =
      "rows every two to five steps let it follow the motion (output_step)";
  if (is_lost_)
    return fmt::format(
        "what left-out modes would add could not be followed beyond t = {:.3g} s: {}", d_.t, kHelp);
  for (const LeftOutReport& each : summary)
    if (each.worst.left_out > each.worst.displacement)
      return fmt::format(
          "what left-out modes of {} would add is larger than the displacement "
          "with it: it is not to be trusted; {}",
          each.body,
          kHelp);
  return {};
}

}  // namespace femflex::mbd_solver
