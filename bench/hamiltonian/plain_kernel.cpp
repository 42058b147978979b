// One loop over nodes, one over the bonds of a node; compiled with -O3 -march=native.
#include "plain_kernel.h"

#include <cmath>

namespace femflex::bench {
namespace {

template <int Dim, bool Linear>
void step(PlainNetwork& n, double h) {
  const std::int64_t nodes = static_cast<std::int64_t>(n.first.size()) - 1;
  const std::int64_t* first = n.first.data();
  const std::int32_t* partner = n.partner.data();
  const double* alpha = n.alpha.data();
  const double* beta = n.beta.data();
  const double* x = n.x.data();
  double* __restrict__ next = n.x_next.data();
  double* __restrict__ u = n.u.data();
  const double keep = n.keep;
  const double kick = 0.5 * (1.0 + keep) * h;
  for (std::int64_t i = 0; i < nodes; ++i) {
    double f[Dim] = {};
    for (std::int64_t k = first[i]; k < first[i + 1]; ++k) {
      const double* there = x + std::int64_t{partner[k]} * Dim;
      double r[Dim];
      double r2 = 0.0;
      for (int d = 0; d < Dim; ++d) {
        r[d] = there[d] - x[i * Dim + d];
        r2 += r[d] * r[d];
      }
      const double s = Linear ? alpha[k] - beta[k] / std::sqrt(r2) : alpha[k] * r2 - beta[k];
      for (int d = 0; d < Dim; ++d)
        f[d] += s * r[d];
    }
    for (int d = 0; d < Dim; ++d) {
      u[i * Dim + d] = keep * u[i * Dim + d] + kick * f[d];
      next[i * Dim + d] = x[i * Dim + d] + h * u[i * Dim + d];
    }
  }
  n.x.swap(n.x_next);
}

}  // namespace

void advance_plainly(PlainNetwork& network, std::int64_t steps, double h) {
  for (std::int64_t s = 0; s < steps; ++s) {
    if (network.dimension == 3)
      network.is_linear ? step<3, true>(network, h) : step<3, false>(network, h);
    else
      network.is_linear ? step<2, true>(network, h) : step<2, false>(network, h);
  }
}

}  // namespace femflex::bench
