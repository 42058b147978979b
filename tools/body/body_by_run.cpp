#include "body/body_by_run.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "femflex/channel.h"
#include "femflex/damping.h"
#include "femflex/errors.h"
#include "femflex/io/sha256.h"

#include "document/json_text.h"
#include "results/compare_results.h"

namespace femflex::tools {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

std::vector<std::string> bodies_made_from(const std::filesystem::path& body_file,
                                          const ResultSeries& run,
                                          const std::filesystem::path& run_file) {
  const std::string wanted = io::sha256_of_file(body_file);
  std::vector<std::string> names;
  for (const auto& [attribute, text] : run.attributes) {
    if (attribute != "flex") continue;
    const Json flex = parse_json(text, run_file.string());
    for (const Json::Member& member : flex.members())
      if (const Json* sha = member.value.find("sha256"); sha != nullptr && sha->text() == wanted)
        names.push_back(member.key);
  }
  if (names.empty())
    throw UsageError("another-body",
                     fmt::format("no body of the run was made from {}", body_file.string()),
                     {run_file.string()},
                     "simulate with this body file, and do not change it afterwards");
  return names;
}

// Adds the snapshots of one body, rotated into the mass norm: C += (L' a)(L' a)'.
void add_snapshots(const ResultSeries& run,
                   const std::filesystem::path& run_file,
                   const std::string& name,
                   const MatrixXd& upper,
                   MatrixXd& C) {
  const Index n = upper.rows();
  MatrixXd a(n, run.time.size());
  for (Index i = 0; i < n; ++i) {
    const std::string channel = channel_text(name, "zeta_ddot", std::to_string(i + 1));
    const Index column = run.find(channel);
    if (column < 0)
      throw UsageError("no-such-channel",
                       fmt::format("the run has no channel '{}'", channel),
                       {run_file.string()},
                       fmt::format("add \"{}/zeta_ddot\" to the outputs of the system, and run it "
                                   "with every mode of the body",
                                   name));
    a.row(i) = run.values.col(column).transpose();
  }
  const MatrixXd y = upper * a;
  C.selfadjointView<Eigen::Lower>().rankUpdate(y);
}

BodyMode describe(const VectorXd& part, const std::vector<BodyMode>& modes) {
  Index first = 0;
  const double largest = part.cwiseAbs().maxCoeff(&first);
  BodyMode out;
  out.kind = modes[static_cast<std::size_t>(first)].kind;
  for (Index i = 0; i < part.size(); ++i) {
    if (i != first && std::abs(part(i)) < 0.05 * largest) continue;
    for (const std::string& source : modes[static_cast<std::size_t>(i)].sources)
      if (std::find(out.sources.begin(), out.sources.end(), source) == out.sources.end())
        out.sources.push_back(source);
  }
  return out;
}

// The body in the coordinates of the columns of S, S' m S = 1 and S' k S diagonal.
FlexBody in_columns(const FlexBody& body, const MatrixXd& S) {
  FlexBody out = body;
  const Index n = S.cols();
  out.shapes = body.shapes * S;
  out.mass = MatrixXd::Identity(n, n);
  out.stiffness = MatrixXd((S.transpose() * body.stiffness * S).diagonal().asDiagonal());
  out.invariants = in_basis(body.invariants, S);
  for (GeometricStiffness& g : out.geometric)
    g.stiffness = (S.transpose() * g.stiffness * S).eval();
  const VectorXd before = body.mass.diagonal().cwiseMax(0.0).cwiseSqrt();
  out.modes.clear();
  double least = 1e300, most = -1e300;
  bool is_known = true;
  for (const BodyMode& mode : body.modes) {
    is_known = is_known && std::isfinite(mode.damping_ratio);
    least = std::min(least, mode.damping_ratio);
    most = std::max(most, mode.damping_ratio);
  }
  // one ratio for all stays one ratio for all; others become the matrix that they stand for
  const bool is_uniform = !body.damping && is_known && most - least <= 1e-12 * std::abs(most);
  const MatrixXd b = S.transpose() * damping_matrix(body) * S;
  for (Index i = 0; i < n; ++i) {
    BodyMode mode = describe(S.col(i).cwiseProduct(before), body.modes);
    mode.eigenvalue = out.stiffness(i, i);
    mode.damping_ratio = is_uniform ? most : ratio_from_damping(b(i, i), out.stiffness(i, i), 1.0);
    out.modes.push_back(std::move(mode));
  }
  out.damping.reset();
  if (!is_uniform && (body.damping || is_known)) out.damping = 0.5 * (b + b.transpose());
  if (body.back) {
    out.back->V = body.back->V * body.back->alpha.asDiagonal() * S;
    out.back->alpha = VectorXd::Ones(n);
  }
  // zeta_old = S zeta in the mass norm
  const MatrixXd to_new = S.transpose() * body.mass;
  out.initial_zeta = to_new * body.initial_zeta;
  out.initial_zeta_dot = to_new * body.initial_zeta_dot;
  out.path.orthogonalised = true;
  out.path.scaled = true;
  return make_flex_body(std::move(out));
}

}  // namespace

RunModes body_by_run(const FlexBody& body,
                     const std::filesystem::path& body_file,
                     const std::vector<std::filesystem::path>& runs,
                     Index count,
                     double below_hz) {
  const Index all = body.mode_count();
  if (count < 1 || count > all)
    throw UsageError("mode-count",
                     fmt::format("{} shapes of a body of {} modes", count, all),
                     {body_file.string()});
  const Eigen::LLT<MatrixXd> factor(body.mass);
  if (factor.info() != Eigen::Success)
    throw ModelError("modal-mass-singular",
                     fmt::format("{}: the modal mass matrix is not positive definite", body.name),
                     {},
                     "reduce with --orthogonalise");
  RunModes out;
  const MatrixXd upper = factor.matrixU();
  MatrixXd C = MatrixXd::Zero(all, all);
  for (const std::filesystem::path& run_file : runs) {
    ResultSeries run = read_results(run_file);
    const std::vector<std::string> names = bodies_made_from(body_file, run, run_file);
    if (below_hz > 0.0) low_pass(run, below_hz);
    MatrixXd of_run = MatrixXd::Zero(all, all);
    for (const std::string& name : names) {
      add_snapshots(run, run_file, name, upper, of_run);
      out.seen_in.push_back(name);
    }
    if (const double size = of_run.trace(); size > 0.0) C += of_run / size;
  }
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(C);  // rising
  const VectorXd share = solver.eigenvalues().cwiseMax(0.0);
  const double total = share.sum();
  const auto moved = (share.array() > 1e-13 * std::max(share.maxCoeff(), 1e-300)).count();
  if (!(total > 0.0) || count > moved)
    throw UsageError(
        "mode-count",
        fmt::format("{} shapes where the run moves {}", count, total > 0.0 ? moved : 0),
        {runs.front().string()},
        "keep fewer, or run a richer motion");
  out.kept_share = share.tail(count).sum() / total;
  const MatrixXd S =
      upper.triangularView<Eigen::Upper>().solve(solver.eigenvectors().rightCols(count).eval());
  const MatrixXd k = S.transpose() * body.stiffness * S;
  const Eigen::SelfAdjointEigenSolver<MatrixXd> diagonal(0.5 * (k + k.transpose()));
  out.body = in_columns(body, S * diagonal.eigenvectors());
  return out;
}

}  // namespace femflex::tools
