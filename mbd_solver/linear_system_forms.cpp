// Forms of a LinearSystem: sampled() with held inputs, by a matrix exponential; balanced() by
// core/balanced_truncation. warn_of_movers() tells what the matrices alone leave out.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "femflex/balanced_truncation.h"
#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/listed.h"
#include "femflex/mbd_solver/linear_system.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// e^M by scaling and squaring with the Padé approximant of order 13 [Higham 2005].
MatrixXd exponential(const MatrixXd& M) {
  constexpr double kTheta = 5.37;  // largest norm for which the approximant is exact within
                                   // round-off
  constexpr double kPade[] = {64764752532480000.0,
                              32382376266240000.0,
                              7771770303897600.0,
                              1187353796428800.0,
                              129060195264000.0,
                              10559470521600.0,
                              670442572800.0,
                              33522128640.0,
                              1323241920.0,
                              40840800.0,
                              960960.0,
                              16380.0,
                              182.0,
                              1.0};
  const double norm = M.cwiseAbs().colwise().sum().maxCoeff();
  const int halvings = norm > kTheta ? static_cast<int>(std::ceil(std::log2(norm / kTheta))) : 0;
  const MatrixXd X = M * std::ldexp(1.0, -halvings);
  const MatrixXd one = MatrixXd::Identity(M.rows(), M.cols());
  const MatrixXd X2 = X * X, X4 = X2 * X2, X6 = X4 * X2;
  const MatrixXd odd = X * (X6 * (kPade[13] * X6 + kPade[11] * X4 + kPade[9] * X2) + kPade[7] * X6 +
                            kPade[5] * X4 + kPade[3] * X2 + kPade[1] * one);
  const MatrixXd even = X6 * (kPade[12] * X6 + kPade[10] * X4 + kPade[8] * X2) + kPade[6] * X6 +
                        kPade[4] * X4 + kPade[2] * X2 + kPade[0] * one;
  MatrixXd out = (even - odd).partialPivLu().solve(MatrixXd(even + odd));
  for (int k = 0; k < halvings; ++k)
    out = (out * out).eval();
  return out;
}

}  // namespace

void warn_of_movers(const LinearSystem& system,
                    const std::string& consequence,
                    Diagnostics& diagnostics) {
  if (system.movers.empty()) return;
  constexpr std::size_t kNamed = 4;  // movers that are named
  diagnostics.warn(
      "no-equilibrium",
      fmt::format("the state is not one of equilibrium: {}; {}; a static analysis before finds "
                  "an equilibrium",
                  listed(system.movers, kNamed, ", ", ", "),
                  consequence));
}

LinearSystem sampled(const LinearSystem& system, double step) {
  if (!(step > 0.0) || !std::isfinite(step))
    throw UsageError("bad-option",
                     fmt::format("the sampling time is {} s; expected above 0", step));
  if (system.step > 0.0) throw UsageError("bad-option", "the system is sampled already");
  const Index n = system.A.rows(), m = system.B.cols();
  MatrixXd both = MatrixXd::Zero(n + m + 1, n + m + 1);  // the last column: a constant input 1
  both.block(0, 0, n, n) = step * system.A;
  both.block(0, n, n, m) = step * system.B;
  if (system.rates0.size() == n) both.block(0, n + m, n, 1) = step * system.rates0;
  const MatrixXd e = exponential(both);
  LinearSystem out = system;
  out.A = e.topLeftCorner(n, n);
  out.B = e.block(0, n, n, m);
  out.rates0 = e.block(0, n + m, n, 1);
  out.step = step;
  return out;
}

BalancedSystem balanced(const LinearSystem& system, int order) {
  const Index n = system.A.rows();
  if (order < 1 || order > n)
    throw UsageError("bad-option", fmt::format("an order of {}; expected 1 to {}", order, n));
  if (system.step > 0.0)
    throw UsageError("bad-option", "a sampled system cannot be balanced: sample it afterwards");
  const BalancedBasis basis = balance({system.A, system.B, system.C}, order);
  BalancedSystem out;
  out.hankel = basis.hankel;
  out.bound = basis.error_bound();
  out.system = system;
  out.system.A = basis.left.transpose() * system.A * basis.right;
  out.system.B = basis.left.transpose() * system.B;
  out.system.C = system.C * basis.right;
  if (system.rates0.size() == n) out.system.rates0 = basis.left.transpose() * system.rates0;
  out.system.states.clear();
  for (Index k = 1; k <= basis.right.cols(); ++k)
    out.system.states.push_back(fmt::format("balanced/{}", k));
  return out;
}

}  // namespace femflex::mbd_solver
