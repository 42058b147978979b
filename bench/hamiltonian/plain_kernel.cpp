// Leapfrog steps of a network of springs, written as a first simple program would do it. Benchmarks
// compare the tiled kernels of femflex with it. Forces are computed in a loop over the nodes with
// an inner loop over the bonds of the node. Compiled with -O3 -march=native.
#include "plain_kernel.h"

#include <cmath>

namespace femflex::bench {
namespace {

constexpr int kDim = 3;

/// Calls use(i, f) for each node i with the force f of its springs. A bond r pulls with s r, where
/// s = alpha |r|^2 - beta for a quartic spring and alpha - beta / |r| for a linear one.
template <bool Linear, typename Use>
void for_forces(const PlainNetwork& n, const Use& use) {
  const std::int64_t nodes = static_cast<std::int64_t>(n.first.size()) - 1;
  const std::int64_t* first = n.first.data();
  const std::int32_t* partner = n.partner.data();
  const double* alpha = n.alpha.data();
  const double* beta = n.beta.data();
  const double* x = n.x.data();
  for (std::int64_t i = 0; i < nodes; ++i) {
    double f[kDim] = {};
    for (std::int64_t k = first[i]; k < first[i + 1]; ++k) {
      const double* there = x + std::int64_t{partner[k]} * kDim;
      double r[kDim];
      double r2 = 0.0;
      for (int d = 0; d < kDim; ++d) {
        r[d] = there[d] - x[i * kDim + d];
        r2 += r[d] * r[d];
      }
      const double s = Linear ? alpha[k] - beta[k] / std::sqrt(r2) : alpha[k] * r2 - beta[k];
      for (int d = 0; d < kDim; ++d)
        f[d] += s * r[d];
    }
    use(i, f);
  }
}

/// A step without dampers. Friction on the nodes multiplies velocities by keep = exp(-c h / m);
/// without friction keep is 1.
template <bool Linear>
void step(PlainNetwork& n, double h) {
  double* __restrict__ next = n.x_next.data();
  double* __restrict__ u = n.u.data();
  const double* x = n.x.data();
  const double keep = n.keep;
  const double kick = 0.5 * (1.0 + keep) * h;
  for_forces<Linear>(n, [&](std::int64_t i, const double* f) {
    for (int d = 0; d < kDim; ++d) {
      u[i * kDim + d] = keep * u[i * kDim + d] + kick * f[d];
      next[i * kDim + d] = x[i * kDim + d] + h * u[i * kDim + d];
    }
  });
}

/// out = v - tau C w, where -C w are the forces of the dampers along the bonds at velocities w.
/// All masses are 1.
void damp(const PlainNetwork& n, const double* v, const double* w, double tau, double* out) {
  const std::int64_t nodes = static_cast<std::int64_t>(n.first.size()) - 1;
  const double* x = n.x.data();
  const std::int32_t* partner = n.partner.data();
  for (std::int64_t i = 0; i < nodes; ++i) {
    double f[kDim] = {};
    for (std::int64_t k = n.first[static_cast<std::size_t>(i)];
         k < n.first[static_cast<std::size_t>(i) + 1];
         ++k) {
      const std::int64_t j = std::int64_t{partner[k]} * kDim;
      double r[kDim];
      double r2 = 0.0;
      double rate = 0.0;
      for (int d = 0; d < kDim; ++d) {
        r[d] = x[j + d] - x[i * kDim + d];
        r2 += r[d] * r[d];
        rate += r[d] * (w[j + d] - w[i * kDim + d]);
      }
      const double s = n.damper * rate / r2;
      for (int d = 0; d < kDim; ++d)
        f[d] += s * r[d];
    }
    for (int d = 0; d < kDim; ++d)
      out[i * kDim + d] = v[i * kDim + d] + tau * f[d];
  }
}

/// A step with dampers: half a kick of the springs, a midpoint step of the dampers, the other half
/// of the kick, then the drift.
template <bool Linear>
void step_damped(PlainNetwork& n, double h) {
  for_forces<Linear>(n, [&](std::int64_t i, const double* f) {
    for (int d = 0; d < kDim; ++d) {
      n.a[static_cast<std::size_t>(i * kDim + d)] = f[d];
      n.v[static_cast<std::size_t>(i * kDim + d)] =
          n.u[static_cast<std::size_t>(i * kDim + d)] + 0.5 * h * f[d];
    }
  });
  damp(n, n.v.data(), n.v.data(), 0.5 * h, n.w.data());
  damp(n, n.v.data(), n.w.data(), h, n.u.data());
  for (std::size_t i = 0; i < n.u.size(); ++i) {
    n.u[i] += 0.5 * h * n.a[i];
    n.x_next[i] = n.x[i] + h * n.u[i];
  }
}

}  // namespace

void advance_plainly(PlainNetwork& n, std::int64_t steps, double h) {
  for (std::int64_t s = 0; s < steps; ++s, ++n.step) {
    const double time = static_cast<double>(n.step) * h;
    for (const std::size_t i : n.loaded)
      n.u[i] += h * n.load_size * std::sin(n.load_rate * time);
    if (n.damper > 0.0)
      n.is_linear ? step_damped<true>(n, h) : step_damped<false>(n, h);
    else
      n.is_linear ? step<true>(n, h) : step<false>(n, h);
    for (std::size_t k = 0; k < n.moved.size(); ++k) {
      n.u[n.moved[k]] = 0.0;
      n.x_next[n.moved[k]] = n.home[k] + n.motion_size * std::sin(n.motion_rate * (time + h));
    }
    n.x.swap(n.x_next);
  }
}

}  // namespace femflex::bench
