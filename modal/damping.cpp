// Parses the damping rules of the command line, gives a body damping ratios or a damping matrix by
// such a rule, and computes the ratios of the body's eigenmodes, the damping of its rigid motions,
// and its damped poles. Notation: m, k, b are the modal mass, stiffness and damping matrices, V the
// eigenvectors of (k, m) with V' m V = 1.
#include "femflex/modal/damping.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>

#include "femflex/damping.h"
#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/frequency.h"
#include "femflex/number_list.h"

#include "dense/symmetric_eigen.h"

namespace femflex::modal {
namespace {

constexpr std::string_view kHelp = "write none, 0.01, 1%, true:0.01, adams, file, or 1:0.35,2:0.25";

/// A number between 0 and 1, or a percentage: "0.02", "2%".
double parse_ratio(std::string_view item, std::string_view text) {
  const bool is_percentage = item.ends_with('%');
  const std::string_view number = is_percentage ? item.substr(0, item.size() - 1) : item;
  double ratio = 0.0;
  const auto [end, fault] = std::from_chars(number.data(), number.data() + number.size(), ratio);
  if (fault != std::errc{} || end != number.data() + number.size() || !std::isfinite(ratio) ||
      ratio < 0.0)
    throw UsageError("damping",
                     item == text ? fmt::format("'{}' is not a damping ratio", item)
                                  : fmt::format("'{}' in '{}' is not a damping ratio", item, text),
                     {},
                     std::string(kHelp));
  if (is_percentage) ratio /= 100.0;
  if (ratio > 1.0)
    throw UsageError(
        "damping",
        fmt::format("the damping ratio {} in '{}' is above 1 (critical damping)", item, text),
        {},
        is_percentage || ratio > 100.0
            ? std::string("give at most 1 or 100%; more than critical damping goes into a damping "
                          "matrix")
            : fmt::format("for {0} per cent write {1:.6g} or {0:.6g}%; more than critical damping "
                          "goes into a damping matrix",
                          ratio,
                          ratio / 100.0));
  return ratio;
}

std::vector<std::int64_t> modes_of(std::string_view list, std::string_view text) {
  try {
    return parse_number_list(list);
  } catch (const UsageError& error) {
    throw UsageError(
        "damping",
        fmt::format("'{}' in the damping '{}' names no modes: {}", list, text, error.message()),
        {},
        std::string(kHelp));
  }
}

DenseEigen eigenmodes(const Eigen::MatrixXd& k, const Eigen::MatrixXd& m) {
  DenseEigen pairs = generalised_eigen(k, m);
  if (!pairs.ok)
    throw ModelError("modal-mass", "the modal mass of the body is not positive definite");
  return pairs;
}

DenseEigen eigenmodes(const FlexBody& body) {
  return eigenmodes(body.stiffness, body.mass);
}

/// Eigenvalues below this fraction of the largest one belong to rigid motions.
constexpr double kRigidEigenvalue = 1e-12;

/// The largest eigenvalue that counts as that of a rigid motion.
double rigid_limit(const Eigen::VectorXd& lambda) {
  return lambda.size() > 0 ? kRigidEigenvalue * lambda.tail(1)(0) : 0.0;
}

/// Writes into `damping` the block that gives each eigenmode of the subset `part`, taken alone, the
/// damping ratio `ratio`; rigid motions get none (true_mode_damping()).
void add_true_damping(const FlexBody& body,
                      const std::vector<Eigen::Index>& part,
                      double ratio,
                      Eigen::MatrixXd& damping) {
  if (part.empty()) return;
  const Eigen::MatrixXd mass = body.mass(part, part);
  const DenseEigen pairs = eigenmodes(body.stiffness(part, part), mass);
  // a Rayleigh quotient of the whole body tells its frequencies if the part has rigid motions alone
  const double of_body = body.stiffness.diagonal().cwiseQuotient(body.mass.diagonal()).maxCoeff();
  if (pairs.values.tail(1)(0) <= kRigidEigenvalue * of_body) return;
  const Eigen::VectorXd ratios = Eigen::VectorXd::Constant(pairs.values.size(), ratio);
  damping(part, part) = true_mode_damping(mass, pairs.vectors, pairs.values, ratios);
}

/// The largest |b_ij| / sqrt(b_ii b_jj): 0 if b does not couple the eigenmodes. Modes whose b_ii is
/// round-off are left out: in a positive semidefinite b their couplings are round-off, too.
double coupling_of(const Eigen::MatrixXd& b) {
  constexpr double kUndamped = 1e-12;  // b_ii of an undamped mode, relative to the largest
  const double least = b.size() > 0 ? kUndamped * b.diagonal().maxCoeff() : 0.0;
  double out = 0.0;
  for (Eigen::Index j = 0; j < b.cols(); ++j)
    for (Eigen::Index i = 0; i < j; ++i)
      if (b(i, i) > least && b(j, j) > least)
        out = std::max(out, std::abs(b(i, j)) / std::sqrt(b(i, i) * b(j, j)));
  return out;
}

}  // namespace

DampingRule parse_damping(std::string_view text) {
  DampingRule rule;
  if (text == "none") return rule;
  if (text == "adams" || text == "file") {
    rule.kind = text == "adams" ? DampingRule::Kind::adams : DampingRule::Kind::matrix;
    return rule;
  }
  if (constexpr std::string_view place = "true:"; text.starts_with(place)) {
    rule.kind = DampingRule::Kind::true_modes;
    rule.ratio = parse_ratio(text.substr(place.size()), text);
    return rule;
  }
  if (text.find(':') == std::string_view::npos) {
    rule.kind = DampingRule::Kind::uniform;
    rule.ratio = parse_ratio(text, text);
    return rule;
  }
  rule.kind = DampingRule::Kind::per_mode;
  std::unordered_set<std::int64_t> given;  // a range may name very many modes
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const std::string_view item = text.substr(at, comma - at);
    at = comma + 1;
    const std::size_t colon = item.find(':');
    if (colon == std::string_view::npos)
      throw UsageError("damping",
                       fmt::format("'{}' in '{}' lacks mode or ratio", item, text),
                       {},
                       std::string(kHelp));
    const double ratio = parse_ratio(item.substr(colon + 1), text);
    for (const std::int64_t mode : modes_of(item.substr(0, colon), text)) {
      if (!given.insert(mode).second)
        throw UsageError("damping",
                         fmt::format("'{}' gives mode {} twice", text, mode),
                         {},
                         "give each mode one ratio");
      rule.by_mode.emplace_back(mode, ratio);
    }
  }
  return rule;
}

void apply_damping(FlexBody& body, const DampingRule& rule) {
  if (rule.kind == DampingRule::Kind::none || rule.kind == DampingRule::Kind::matrix) return;
  body.damping.reset();
  if (rule.kind == DampingRule::Kind::true_modes) {
    // enabled and disabled modes are damped as two sets, so that disabling a mode acts like leaving
    // it out
    std::vector<Eigen::Index> acting, others;
    for (std::size_t i = 0; i < body.modes.size(); ++i)
      (body.modes[i].enabled ? acting : others).push_back(static_cast<Eigen::Index>(i));
    body.damping = Eigen::MatrixXd::Zero(body.mode_count(), body.mode_count());
    add_true_damping(body, acting, rule.ratio, *body.damping);
    add_true_damping(body, others, rule.ratio, *body.damping);
    // ratios of the shapes, by the inverse of eq. (12)
    for (std::size_t i = 0; i < body.modes.size(); ++i) {
      const auto at = static_cast<Eigen::Index>(i);
      const double ratio =
          ratio_from_damping((*body.damping)(at, at), body.stiffness(at, at), body.mass(at, at));
      body.modes[i].damping_ratio = std::isnan(ratio) ? 0.0 : ratio;
    }
    return;
  }
  for (BodyMode& mode : body.modes) {
    mode.damping_ratio = rule.kind == DampingRule::Kind::uniform ? rule.ratio : 0.0;
    if (rule.kind == DampingRule::Kind::adams)
      mode.damping_ratio = adams_damping_ratio(frequency_hz(mode.eigenvalue));
  }
  for (const auto& [number, ratio] : rule.by_mode) {
    if (number < 1 || number > static_cast<std::int64_t>(body.modes.size()))
      throw UsageError(
          "damping",
          fmt::format(
              "damping of mode {}, but the body has modes 1 to {}", number, body.modes.size()));
    body.modes[static_cast<std::size_t>(number - 1)].damping_ratio = ratio;
  }
}

TrueDamping true_damping(const FlexBody& body) {
  const DenseEigen pairs = eigenmodes(body);
  const Eigen::MatrixXd b = pairs.vectors.transpose() * damping_matrix(body) * pairs.vectors;
  const Eigen::Index n = b.rows();
  TrueDamping out;
  out.frequency_hz = pairs.values.unaryExpr(&frequency_hz);
  out.ratio.resize(n);
  const double least = rigid_limit(pairs.values);
  for (Eigen::Index i = 0; i < n; ++i)
    out.ratio(i) = pairs.values(i) > least ? ratio_from_damping(b(i, i), pairs.values(i), 1.0)
                                           : std::numeric_limits<double>::quiet_NaN();
  out.coupling = coupling_of(b);
  return out;
}

double damping_of_rigid_motions(const FlexBody& body) {
  const DenseEigen pairs = generalised_eigen(body.stiffness, body.mass);
  if (!pairs.ok) return 0.0;
  const Eigen::Index n = pairs.values.size();
  const double least = rigid_limit(pairs.values);
  Eigen::Index rigid = 0;
  while (rigid < n && pairs.values(rigid) <= least)
    ++rigid;
  if (rigid == 0 || rigid == n) return 0.0;
  const Eigen::MatrixXd V = pairs.vectors.leftCols(rigid);
  // V is one of many bases of the rigid motions: the largest v' b v is an eigenvalue
  const DenseEigen damped = symmetric_eigen(V.transpose() * damping_matrix(body) * V, 0);
  return damped.values.maxCoeff() / (2.0 * std::sqrt(pairs.values(rigid)));
}

Eigen::VectorXcd damped_poles(const FlexBody& body) {
  // Below this coupling the poles are computed from single eigenmodes, because they change with the
  // square of the coupling.
  constexpr double kUncoupled = 1e-9;
  // the eigenvalues of a full matrix of twice this size take about a second
  constexpr Eigen::Index kMostCoupled = 400;
  const DenseEigen pairs = eigenmodes(body);
  const Eigen::MatrixXd b = pairs.vectors.transpose() * damping_matrix(body) * pairs.vectors;
  const Eigen::Index n = b.rows();
  const double least = rigid_limit(pairs.values);
  const Eigen::VectorXd omega = pairs.values.unaryExpr(
      [&](double lambda) { return lambda > least ? std::sqrt(lambda) : 0.0; });
  std::vector<std::complex<double>> found;
  if (coupling_of(b) < kUncoupled) {
    for (Eigen::Index i = 0; i < n; ++i) {
      const double half = 0.5 * b(i, i);
      const std::complex<double> root =
          std::sqrt(std::complex<double>(half * half - omega(i) * omega(i)));
      // the larger one first: the smaller one as omega^2 / larger keeps its digits
      const std::complex<double> larger = -half - root;
      found.push_back(larger);
      found.push_back(larger == 0.0 ? larger : omega(i) * omega(i) / larger);
    }
  } else if (n <= kMostCoupled) {
    // states (omega y, y'), in which an undamped body has a skew-symmetric matrix
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2 * n, 2 * n);
    A.topRightCorner(n, n).diagonal() = omega;
    A.bottomLeftCorner(n, n).diagonal() = -omega;
    A.bottomRightCorner(n, n) = -b;
    const Eigen::VectorXcd values = A.eigenvalues();
    found.assign(values.begin(), values.end());
  }
  double largest = 0.0;
  for (const std::complex<double>& s : found)
    largest = std::max(largest, std::abs(s));
  std::erase_if(found, [&](const std::complex<double>& s) {
    return s.imag() < 0.0 || std::abs(s) <= kRigidEigenvalue * largest;
  });
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& c) {
    return std::abs(a) < std::abs(c);
  });
  return Eigen::Map<const Eigen::VectorXcd>(found.data(), static_cast<Eigen::Index>(found.size()));
}

}  // namespace femflex::modal
