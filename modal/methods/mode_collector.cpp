// Collects blocks of shapes as they are computed, and numbers the shapes within their kind. Removes
// the share of normal modes from other shapes.
#include "methods/mode_collector.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "dense/symmetric_eigen.h"
#include "solve/hertz.h"
#include "solve/memory.h"
#include "solve/projection.h"

namespace femflex::modal {
namespace {

double eigenvalue_at(double hz, const FeModel& model) {
  if (!model.units)
    throw ModelError("no-units",
                     "a frequency in Hz needs the time unit of the model",
                     {},
                     "give the units, for example --units mm-t-s");
  return eigenvalue_of_hz(model, hz);
}

}  // namespace

void ModeCollector::add(ModeKind kind, Eigen::MatrixXd u, const std::string& source) {
  for (Eigen::Index j = 0; j < u.cols(); ++j) {
    const auto same = std::count_if(
        infos_.begin(), infos_.end(), [&](const ModeInfo& info) { return info.kind == kind; });
    infos_.push_back({.kind = kind, .number = same + 1, .source = source});
  }
  blocks_.push_back(std::move(u));
}

void ModeCollector::add_normal(const NormalModes& modes,
                               Eigen::MatrixXd u,
                               const std::string& source) {
  const auto count = static_cast<std::size_t>(u.cols());
  add(ModeKind::dynamic, std::move(u), source);
  for (std::size_t j = 0; j < count; ++j) {
    ModeInfo& info = infos_[infos_.size() - count + j];
    info.eigenvalue = modes.lambda(static_cast<Eigen::Index>(j));
    info.generalised_mass = 1.0;
  }
}

void ModeCollector::rewind(std::size_t mark) {
  for (; blocks_.size() > mark; blocks_.pop_back())
    infos_.resize(infos_.size() - static_cast<std::size_t>(blocks_.back().cols()));
}

ModeSet ModeCollector::finish(const FeModel& model) && {
  const auto count = static_cast<Eigen::Index>(infos_.size());
  if (blocks_.size() == 1)
    return make_mode_set(model.dofs, std::move(blocks_.front()), std::move(infos_));
  Eigen::MatrixXd shapes(model.dofs.size(), count);
  Eigen::Index at = 0;
  for (Eigen::MatrixXd& block : blocks_) {
    shapes.middleCols(at, block.cols()) = block;
    at += block.cols();
    block.resize(0, 0);
  }
  return make_mode_set(model.dofs, std::move(shapes), std::move(infos_));
}

NormalRequest ModeWork::normal_request() const {
  NormalRequest normal;
  normal.count =
      request.fmin_hz ? 0 : request.normal;  // for a band, keep_band() takes the first ones
  normal.at_most = request.at_most;
  normal.all = request.all;
  if (!request.fmax_hz) return normal;
  normal.limit = eigenvalue_at(*request.fmax_hz, model);
  normal.foretell = [this](std::int64_t count) {
    check_memory(system.size(), others + count, memory_limit(), diagnostics);
  };
  return normal;
}

void ModeWork::keep_band(NormalModes& normal) const {
  if (!request.fmin_hz) return;
  const double lowest = eigenvalue_at(*request.fmin_hz, model);
  const Eigen::Index before = (normal.lambda.array() < lowest).count();
  Eigen::Index count = normal.lambda.size() - before;
  if (request.normal > 0) count = std::min<Eigen::Index>(count, request.normal);
  normal.lambda = normal.lambda.segment(before, count).eval();
  normal.X = normal.X.middleCols(before, count).eval();
  normal.report.rigid_modes =
      std::clamp<std::int64_t>(normal.report.rigid_modes - before, 0, count);
}

void ModeWork::check_definite(const NormalModes& normal) const {
  if (normal.report.negative_modes == 0 || request.solve.shift) return;
  throw ModelError(
      "indefinite-stiffness",
      fmt::format("K is indefinite: {} eigenvalues lie below zero, the lowest at {:.4g}",
                  normal.report.negative_modes,
                  normal.lambda.minCoeff()),
      {},
      "look for elements of negative stiffness, or give a --shift below them");
}

Eigen::MatrixXd ModeWork::load_columns() const {
  if (model.loads.empty())
    throw ModelError("no-loads", "the model holds no load cases", {}, "import some");
  Eigen::MatrixXd f(model.dofs.size(), static_cast<Eigen::Index>(model.loads.size()));
  for (std::size_t k = 0; k < model.loads.size(); ++k)
    f.col(static_cast<Eigen::Index>(k)) = model.loads[k].load;
  return system.restrict_load(f);
}

Eigen::MatrixXd unit_columns(Eigen::Index rows, const std::vector<std::int64_t>& ones) {
  Eigen::MatrixXd e = Eigen::MatrixXd::Zero(rows, static_cast<Eigen::Index>(ones.size()));
  for (std::size_t k = 0; k < ones.size(); ++k)
    e(ones[k], static_cast<Eigen::Index>(k)) = 1.0;
  return e;
}

void clear_round_off(const Eigen::VectorXd& length_before, Eigen::MatrixXd& u) {
  // relative to the length before the subtraction: a few 1e4 last digits, which subtracting many
  // modes leaves
  constexpr double kRoundOff = 1e-11;
  for (Eigen::Index j = 0; j < u.cols(); ++j)
    if (!(length_before(j) > 0.0) || u.col(j).norm() < kRoundOff * length_before(j))
      u.col(j).setZero();
}

void remove_share(Eigen::MatrixXd& u, const Eigen::MatrixXd& Phi, const SparseMatrix& M) {
  if (Phi.cols() > 0) add_product(u, Phi, transposed_product(Phi, symmetric_product(M, u)), -1.0);
}

}  // namespace femflex::modal
