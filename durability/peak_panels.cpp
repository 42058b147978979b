// Computes the bounds of stress scalars over panels of instants, for peak_search.cpp. There are
// kernels for three vector widths; the processor determines at run time which one is used. The
// histories of a panel stay in registers, so the kernels write only the bounds.
#include "peak_panels.h"

#include <algorithm>
#include <cstring>

#include "femflex/clones.h"

#if defined(__GNUC__) && !defined(__clang__)
// all functions that return vectors are inlined, so their calling convention does not matter
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace femflex::durability {
namespace {

template <class T, int width>
struct VectorOf;
template <>
struct VectorOf<float, 4> {
  using type = float __attribute__((vector_size(16)));
};
template <>
struct VectorOf<float, 8> {
  using type = float __attribute__((vector_size(32)));
};
template <>
struct VectorOf<float, 16> {
  using type = float __attribute__((vector_size(64)));
};
template <>
struct VectorOf<double, 2> {
  using type = double __attribute__((vector_size(16)));
};
template <>
struct VectorOf<double, 4> {
  using type = double __attribute__((vector_size(32)));
};
template <>
struct VectorOf<double, 8> {
  using type = double __attribute__((vector_size(64)));
};

#define FEMFLEX_INLINE inline __attribute__((always_inline))

template <class V, class T>
FEMFLEX_INLINE V load(const T* from) {
  V out;
  std::memcpy(&out, from, sizeof(V));
  return out;
}
template <class V>
FEMFLEX_INLINE V larger(V a, V b) {
  return a > b ? a : b;
}
template <class V>
FEMFLEX_INLINE V smaller(V a, V b) {
  return a < b ? a : b;
}

template <int width, class V>
FEMFLEX_INLINE float largest_lane(V v) {
  float out = v[0];
  for (int l = 1; l < width; ++l)
    out = std::max(out, v[l]);
  return out;
}
template <int width, class V>
FEMFLEX_INLINE float smallest_lane(V v) {
  float out = v[0];
  for (int l = 1; l < width; ++l)
    out = std::min(out, v[l]);
  return out;
}

/// Running bounds, one per vector lane.
template <class V>
struct LaneBounds {
  V vm2_high, vm2_low, m_high, m_low, r2_high;

  FEMFLEX_INLINE void add(V m, V r2, V vm2, V may_be_positive, V may_be_negative) {
    const V zero{};
    const V minus = zero - vm2;
    vm2_high = larger(vm2_high, may_be_positive > zero ? vm2 : minus);
    vm2_low = smaller(vm2_low, may_be_negative > zero ? minus : vm2);
    m_high = larger(m_high, m);
    m_low = smaller(m_low, m);
    r2_high = larger(r2_high, r2);
  }
};

template <int width, class V>
FEMFLEX_INLINE void set_bounds(const LaneBounds<V>& lanes, PanelBounds& out) {
  out.vm2_high = largest_lane<width>(lanes.vm2_high);
  out.vm2_low = smallest_lane<width>(lanes.vm2_low);
  out.m_high = largest_lane<width>(lanes.m_high);
  out.m_low = smallest_lane<width>(lanes.m_low);
  out.r2_high = largest_lane<width>(lanes.r2_high);
}

template <class V>
FEMFLEX_INLINE LaneBounds<V> no_bounds() {
  constexpr float kHuge = 3e38F;
  const V zero{};
  return {zero - kHuge, zero + kHuge, zero - kHuge, zero + kHuge, zero};
}

/// Square root lane by lane; one instruction, since the room is compiled without errno.
template <int width, class V>
FEMFLEX_INLINE V root(V v) {
  float lanes[width];
  std::memcpy(lanes, &v, sizeof(V));
  for (float& each : lanes)
    each = __builtin_sqrtf(each);
  return load<V>(lanes);
}

/// Returns false if the sign of the scalar is uncertain where its size exceeds the slack.
template <int width, int count, Scalar scalar>
FEMFLEX_INLINE bool plane_kernel(
    const float* zeta, int modes, const float* S, float slack, float* history, PanelBounds& out) {
  using V = typename VectorOf<float, width>::type;
  LaneBounds<V> lanes = no_bounds<V>();
  V doubt{};
  for (int begin = 0; begin < kPanel; begin += width * count) {
    V xx[count]{};
    V yy[count]{};
    V xy[count]{};
    for (int k = 0; k < modes; ++k) {
      const float* from = zeta + static_cast<std::ptrdiff_t>(k) * kPanel + begin;
      const float* s = S + static_cast<std::ptrdiff_t>(3) * k;
      for (int v = 0; v < count; ++v) {
        const V z = load<V>(from + v * width);
        xx[v] += s[0] * z;
        yy[v] += s[1] * z;
        xy[v] += s[2] * z;
      }
    }
    for (int v = 0; v < count; ++v) {
      const V m = 0.5F * (xx[v] + yy[v]);
      const V d = 0.5F * (xx[v] - yy[v]);
      const V r2 = d * d + xy[v] * xy[v];
      const V vm2 = m * m + 3.0F * r2;
      lanes.add(m, r2, vm2, m + slack, slack - m);
      if constexpr (scalar != Scalar::none) {
        const V zero{};
        const V size_of_m = larger(m, zero - m);
        const V size = scalar == Scalar::von_mises ? root<width>(vm2) : size_of_m + root<width>(r2);
        const V value = m < zero ? zero - size : size;
        std::memcpy(history + begin + v * width, &value, sizeof(V));
        // above 0 where |m| <= slack and the size is above it
        doubt = larger(doubt, size_of_m <= zero + slack ? size - slack : zero);
      }
    }
  }
  set_bounds<width>(lanes, out);
  return scalar == Scalar::none || !(largest_lane<width>(doubt) > 0.0F);
}

/// Writes 1 for each value that may be an extreme.
template <int width>
FEMFLEX_INLINE void extreme_kernel(const float* window, float tolerance, std::int32_t* flags) {
  using V = typename VectorOf<float, width>::type;
  for (int begin = 0; begin < kPanel; begin += width) {
    const V here = load<V>(window + begin + 1);
    const V before = here - load<V>(window + begin);
    const V after = load<V>(window + begin + 2) - here;
    const V zero{};
    const auto rises = smaller(before, after) > zero + tolerance;
    const auto falls = larger(before, after) < zero - tolerance;
    const auto between = rises | falls;  // -1 where it is true
    const auto flag = between + 1;
    std::memcpy(flags + begin, &flag, sizeof(flag));
  }
}

template <int width>
FEMFLEX_INLINE void point_kernel(const double* by_instant,
                                 int stride,
                                 const double* S,
                                 std::span<const std::int32_t> instants,
                                 double* out) {
  using V = typename VectorOf<double, width>::type;
  for (const std::int32_t instant : instants) {
    const double* zeta = by_instant + static_cast<std::ptrdiff_t>(instant) * stride;
    V sum[3]{};
    for (int k = 0; k < stride; k += width) {
      const V z = load<V>(zeta + k);
      for (int c = 0; c < 3; ++c)
        sum[c] += z * load<V>(S + static_cast<std::ptrdiff_t>(c) * stride + k);
    }
    for (const V& each : sum) {
      double total = 0.0;
      for (int l = 0; l < width; ++l)
        total += each[l];
      *out++ = total;
    }
  }
}

template <int width, int count>
FEMFLEX_INLINE void spatial_kernel(
    const float* zeta, int modes, const float* S, float slack, PanelBounds& out) {
  using V = typename VectorOf<float, width>::type;
  constexpr float kThird = 1.0F / 3.0F;
  LaneBounds<V> lanes = no_bounds<V>();
  for (int begin = 0; begin < kPanel; begin += width * count) {
    V h[6][count]{};
    for (int k = 0; k < modes; ++k) {
      const float* from = zeta + static_cast<std::ptrdiff_t>(k) * kPanel + begin;
      const float* s = S + static_cast<std::ptrdiff_t>(6) * k;
      for (int v = 0; v < count; ++v) {
        const V z = load<V>(from + v * width);
        for (int c = 0; c < 6; ++c)
          h[c][v] += s[c] * z;
      }
    }
    for (int v = 0; v < count; ++v) {
      const V p = kThird * (h[0][v] + h[1][v] + h[2][v]);
      const V x = h[0][v] - p;
      const V y = h[1][v] - p;
      const V z = h[2][v] - p;
      const V J2 = 0.5F * (x * x + y * y + z * z) + h[3][v] * h[3][v] + h[4][v] * h[4][v] +
                   h[5][v] * h[5][v];
      const V r2 = kThird * J2;
      // the sum of the largest and smallest principal stresses is between 2 p - r and 2 p + r
      const V up = p + slack;
      const V down = slack - p;
      const V square = 0.25F * r2;
      const V zero{};
      const V one = zero + 1.0F;
      const V positive = up > zero ? one : (up * up <= square ? one : zero);
      const V negative = down > zero ? one : (down * down <= square ? one : zero);
      lanes.add(p, r2, 3.0F * J2, positive, negative);
    }
  }
  set_bounds<width>(lanes, out);
}

template <int width, int count>
FEMFLEX_INLINE void exact_kernel(const double* zeta, int modes, const double* S, double* out) {
  using V = typename VectorOf<double, width>::type;
  for (int begin = 0; begin < kPanel; begin += width * count) {
    V sum[kExactRows][count]{};
    for (int k = 0; k < modes; ++k) {
      const double* from = zeta + static_cast<std::ptrdiff_t>(k) * kPanel + begin;
      const double* s = S + static_cast<std::ptrdiff_t>(kExactRows) * k;
      for (int v = 0; v < count; ++v) {
        const V z = load<V>(from + v * width);
        for (int c = 0; c < kExactRows; ++c)
          sum[c][v] += s[c] * z;
      }
    }
    for (int c = 0; c < kExactRows; ++c)
      for (int v = 0; v < count; ++v)
        std::memcpy(out + c * kPanel + begin + v * width, &sum[c][v], sizeof(V));
  }
}

#if FEMFLEX_VERSIONS
[[gnu::target("arch=x86-64-v4")]] bool plane_panel(const PlanePanel& panel,
                                                   Scalar scalar,
                                                   float* history,
                                                   PanelBounds& out) {
  if (scalar == Scalar::von_mises)
    return plane_kernel<16, 4, Scalar::von_mises>(
        panel.zeta, panel.modes, panel.S, panel.slack, history, out);
  if (scalar == Scalar::principal)
    return plane_kernel<16, 4, Scalar::principal>(
        panel.zeta, panel.modes, panel.S, panel.slack, history, out);
  return plane_kernel<16, 4, Scalar::none>(
      panel.zeta, panel.modes, panel.S, panel.slack, history, out);
}
[[gnu::target("arch=x86-64-v3")]] bool plane_panel(const PlanePanel& panel,
                                                   Scalar scalar,
                                                   float* history,
                                                   PanelBounds& out) {
  if (scalar == Scalar::von_mises)
    return plane_kernel<8, 4, Scalar::von_mises>(
        panel.zeta, panel.modes, panel.S, panel.slack, history, out);
  if (scalar == Scalar::principal)
    return plane_kernel<8, 4, Scalar::principal>(
        panel.zeta, panel.modes, panel.S, panel.slack, history, out);
  return plane_kernel<8, 4, Scalar::none>(
      panel.zeta, panel.modes, panel.S, panel.slack, history, out);
}
[[gnu::target("default")]]
#endif
bool plane_panel(const PlanePanel& panel, Scalar scalar, float* history, PanelBounds& out) {
  if (scalar == Scalar::von_mises)
    return plane_kernel<4, 4, Scalar::von_mises>(
        panel.zeta, panel.modes, panel.S, panel.slack, history, out);
  if (scalar == Scalar::principal)
    return plane_kernel<4, 4, Scalar::principal>(
        panel.zeta, panel.modes, panel.S, panel.slack, history, out);
  return plane_kernel<4, 4, Scalar::none>(
      panel.zeta, panel.modes, panel.S, panel.slack, history, out);
}

#if FEMFLEX_VERSIONS
[[gnu::target("arch=x86-64-v4")]] void extremes(const float* window,
                                                float tolerance,
                                                std::int32_t* flags) {
  extreme_kernel<16>(window, tolerance, flags);
}
[[gnu::target("arch=x86-64-v3")]] void extremes(const float* window,
                                                float tolerance,
                                                std::int32_t* flags) {
  extreme_kernel<8>(window, tolerance, flags);
}
[[gnu::target("default")]]
#endif
void extremes(const float* window, float tolerance, std::int32_t* flags) {
  extreme_kernel<4>(window, tolerance, flags);
}

#if FEMFLEX_VERSIONS
[[gnu::target("arch=x86-64-v4")]] void points(const double* by_instant,
                                              int stride,
                                              const double* S,
                                              std::span<const std::int32_t> instants,
                                              double* out) {
  point_kernel<8>(by_instant, stride, S, instants, out);
}
[[gnu::target("arch=x86-64-v3")]] void points(const double* by_instant,
                                              int stride,
                                              const double* S,
                                              std::span<const std::int32_t> instants,
                                              double* out) {
  point_kernel<4>(by_instant, stride, S, instants, out);
}
[[gnu::target("default")]]
#endif
void points(const double* by_instant,
            int stride,
            const double* S,
            std::span<const std::int32_t> instants,
            double* out) {
  point_kernel<2>(by_instant, stride, S, instants, out);
}

#if FEMFLEX_VERSIONS
[[gnu::target("arch=x86-64-v4")]] void spatial_panel(
    const float* zeta, int modes, const float* S, float slack, PanelBounds& out) {
  spatial_kernel<16, 4>(zeta, modes, S, slack, out);
}
[[gnu::target("arch=x86-64-v3")]] void spatial_panel(
    const float* zeta, int modes, const float* S, float slack, PanelBounds& out) {
  spatial_kernel<8, 2>(zeta, modes, S, slack, out);
}
[[gnu::target("default")]]
#endif
void spatial_panel(const float* zeta, int modes, const float* S, float slack, PanelBounds& out) {
  spatial_kernel<4, 2>(zeta, modes, S, slack, out);
}

#if FEMFLEX_VERSIONS
[[gnu::target("arch=x86-64-v4")]] void exact_panel(const double* zeta,
                                                   int modes,
                                                   const double* S,
                                                   double* out) {
  exact_kernel<8, 4>(zeta, modes, S, out);
}
[[gnu::target("arch=x86-64-v3")]] void exact_panel(const double* zeta,
                                                   int modes,
                                                   const double* S,
                                                   double* out) {
  exact_kernel<4, 4>(zeta, modes, S, out);
}
[[gnu::target("default")]]
#endif
void exact_panel(const double* zeta, int modes, const double* S, double* out) {
  exact_kernel<2, 4>(zeta, modes, S, out);
}

}  // namespace

PackedCoordinates::PackedCoordinates(const Eigen::MatrixXd& zeta)
    : instants(zeta.rows()),
      modes(static_cast<int>(zeta.cols())),
      panels(static_cast<int>((zeta.rows() + kPanel - 1) / kPanel)) {
  const std::size_t size =
      static_cast<std::size_t>(panels) * kPanel * static_cast<std::size_t>(modes);
  exact.resize(size);
  single.resize(size);
  std::size_t at = 0;
  for (Eigen::Index first = 0; first < zeta.rows(); first += kPanel)
    for (Eigen::Index k = 0; k < zeta.cols(); ++k)
      for (Eigen::Index l = 0; l < kPanel; ++l)
        exact[at++] = zeta(std::min(first + l, zeta.rows() - 1), k);
  constexpr int kLanes = 8;
  stride = (modes + kLanes - 1) / kLanes * kLanes;
  by_instant.assign(static_cast<std::size_t>(instants) * static_cast<std::size_t>(stride), 0.0);
  Eigen::Map<Eigen::MatrixXd>(by_instant.data(), stride, instants).topRows(modes) =
      zeta.transpose();
  largest = zeta.cwiseAbs().colwise().maxCoeff();
  for (at = 0; at < size; ++at) {
    const double scale = largest[static_cast<Eigen::Index>(at / kPanel) % zeta.cols()];
    single[at] = scale > 0.0 ? static_cast<float>(exact[at] / scale) : 0.0F;
  }
}

void plane_bounds(const PlanePanel& panel, PanelBounds& out) {
  plane_panel(panel, Scalar::none, nullptr, out);
}

bool plane_history(const PlanePanel& panel, Scalar scalar, float* history, PanelBounds& out) {
  return plane_panel(panel, scalar, history, out);
}

int uncertain_extremes(const float* window, float tolerance, std::uint8_t* places) {
  std::int32_t flags[kPanel];
  extremes(window, tolerance, flags);
  int count = 0;
  // without a branch: every place is written, and the next one over it unless it is kept
  for (int k = 0; k < kPanel; ++k) {
    places[count] = static_cast<std::uint8_t>(k + 1);
    count += flags[k];
  }
  return count;
}

void exact_points(const double* by_instant,
                  int stride,
                  const double* S,
                  std::span<const std::int32_t> instants,
                  double* out) {
  points(by_instant, stride, S, instants, out);
}

void spatial_bounds(const float* zeta, int modes, const float* S, float slack, PanelBounds& out) {
  spatial_panel(zeta, modes, S, slack, out);
}

void exact_histories(const double* zeta, int modes, const double* S, double* out) {
  exact_panel(zeta, modes, S, out);
}

}  // namespace femflex::durability
