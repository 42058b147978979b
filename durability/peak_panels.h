// Search for peaks in single precision: histories of stress in panels of 64 instants, each with
// bounds of its scalars, so that only few panels need an exact computation.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

#include <Eigen/Core>

namespace femflex::durability {

/// Instants of a panel.
inline constexpr int kPanel = 64;

/// Memory that starts at a cache line, for vector loads.
template <class T>
struct LineAllocator {
  using value_type = T;
  static constexpr std::align_val_t kLine{64};
  LineAllocator() = default;
  template <class U>
  LineAllocator(const LineAllocator<U>&) {}  // NOLINT: allocators convert
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), kLine)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, kLine); }
  template <class U>
  bool operator==(const LineAllocator<U>&) const {
    return true;
  }
};
template <class T>
using LineVector = std::vector<T, LineAllocator<T>>;

/// Modal coordinates panel by panel: 64 instants of mode 1, of mode 2, ... The last panel is filled
/// up with copies of the last instant.
struct PackedCoordinates {
  Eigen::Index instants = 0;
  int modes = 0;
  int panels = 0;
  LineVector<float> single;  ///< each mode divided by its largest |zeta|
  LineVector<double> exact;
  Eigen::VectorXd largest;  ///< largest |zeta| of each mode

  explicit PackedCoordinates(const Eigen::MatrixXd& zeta);
  const float* single_panel(int p) const {
    return single.data() + static_cast<std::ptrdiff_t>(p) * kPanel * modes;
  }
  const double* exact_panel(int p) const {
    return exact.data() + static_cast<std::ptrdiff_t>(p) * kPanel * modes;
  }
};

/// Largest and smallest values of a panel. Plane states: m = (xx + yy) / 2 and
/// r^2 = ((xx - yy) / 2)^2 + xy^2; others: m the mean of the three normal stresses and
/// r^2 = J2 / 3. The sign of the von Mises stress is uncertain if |m| is small; then both signs are
/// taken into account.
struct PanelBounds {
  float vm2_high = 0.0F;  ///< largest square of the von Mises stress where its sign may be
                          ///< positive; minus the smallest square if it is negative everywhere
  float vm2_low = 0.0F;   ///< likewise for the smallest value: squares with negative sign
  float m_high = 0.0F, m_low = 0.0F;
  float r2_high = 0.0F;
};

/// Bounds of one panel of a plane state.
/// @param S      xx, yy, xy of mode 1, of mode 2, ...
/// @param slack  bound of the single-precision error of m
void plane_bounds(const float* zeta, int modes, const float* S, float slack, PanelBounds& out);
/// Bounds of one panel of a spatial state; S has the six components xx, yy, zz, xy, yz, zx of each
/// mode.
void spatial_bounds(const float* zeta, int modes, const float* S, float slack, PanelBounds& out);

/// Rows that exact_histories() computes at once.
inline constexpr int kExactRows = 3;
/// Histories of three rows over a panel in double precision, one after another.
/// @param S    three numbers of mode 1, of mode 2, ...
/// @param out  (3 x 64)
void exact_histories(const double* zeta, int modes, const double* S, double* out);

}  // namespace femflex::durability
