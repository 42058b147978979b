// Search for peaks in single precision. Histories of stress are divided into panels of 64 instants.
// Bounds of the scalars of each panel show which panels need an exact computation. Called by
// peak_search.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <vector>

#include <Eigen/Core>

namespace femflex::durability {

/// Number of instants in a panel.
inline constexpr int kPanel = 64;
/// Unit round-off of single precision.
inline constexpr double kSingle = 6e-8;

/// Allocates memory that starts at a cache line, for fast vector loads.
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

/// Modal coordinates in panels: 64 instants of mode 1, then 64 of mode 2, and so on. The last panel
/// is filled with copies of the last instant.
struct PackedCoordinates {
  Eigen::Index instants = 0;
  int modes = 0;
  int panels = 0;
  LineVector<float> single;  ///< each mode divided by its largest |zeta|
  LineVector<double> exact;
  LineVector<double>
      by_instant;           ///< all modes of instant 1, of instant 2, ..., `stride` numbers each
  int stride = 0;           ///< number of modes, filled up with zeros to a multiple of 8
  Eigen::VectorXd largest;  ///< largest |zeta| of each mode

  explicit PackedCoordinates(const Eigen::MatrixXd& zeta);
  const float* single_panel(int p) const {
    return single.data() + static_cast<std::ptrdiff_t>(p) * kPanel * modes;
  }
  const double* exact_panel(int p) const {
    return exact.data() + static_cast<std::ptrdiff_t>(p) * kPanel * modes;
  }
};

/// Largest and smallest values of a panel. For plane states m = (xx + yy) / 2 and r^2 = ((xx - yy)
/// / 2)^2 + xy^2. For spatial states m is the mean of the three normal stresses and r^2 = J2 / 3.
/// The sign of the von Mises stress is uncertain if |m| is small; the bounds then allow both signs.
struct PanelBounds {
  float vm2_high = 0.0F;  ///< bound of the largest signed von Mises stress: its square, or minus
                          ///< its square if it is negative everywhere
  float vm2_low = 0.0F;   ///< bound of the smallest signed von Mises stress, with reversed sign
  float m_high = 0.0F, m_low = 0.0F;
  float r2_high = 0.0F;
};

/// One panel of a plane state: 64 instants of the modal coordinates, and the stresses of the modes.
struct PlanePanel {
  const float* zeta;
  int modes;
  const float* S;  ///< xx, yy, xy of mode 1, then of mode 2, and so on
  float slack;     ///< bound of the single-precision error of m
};

/// Computes the bounds of one panel of a plane state.
void plane_bounds(const PlanePanel& panel, PanelBounds& out);
/// Computes the bounds of one panel of a spatial state. S contains the six components xx, yy, zz,
/// xy, yz, zx of mode 1, then of mode 2, and so on.
void spatial_bounds(const float* zeta, int modes, const float* S, float slack, PanelBounds& out);

/// The scalar whose history plane_history() writes.
enum class Scalar : std::uint8_t { none, von_mises, principal };

/// Bounds of one panel of a plane state, and the history of a scalar with the sign of m: the von
/// Mises stress, or |m| + r, the principal stress of largest size.
/// @param history  64 values
/// @return  false if the sign is uncertain at an instant where the scalar exceeds `slack`
bool plane_history(const PlanePanel& panel, Scalar scalar, float* history, PanelBounds& out);

/// Finds the values of a window that may be local extremes: those that do not certainly lie between
/// their neighbours.
/// @param window     66 values; the first and the last are neighbours alone
/// @param tolerance  differences up to this are uncertain
/// @param places     receives the indices of the values found, at most 64, from 1
/// @return  their number
int uncertain_extremes(const float* window, float tolerance, std::uint8_t* places);

/// Values of three rows at chosen instants in double precision.
/// @param by_instant  coordinates of one instant after another, `stride` numbers each
/// @param stride      number of modes, filled up with zeros to a multiple of 8
/// @param S           three rows, one after another, of `stride` numbers each
/// @param out         three values of the first instant, of the second, ...
void exact_points(const double* by_instant,
                  int stride,
                  const double* S,
                  std::span<const std::int32_t> instants,
                  double* out);

/// Rows that exact_histories() computes at once.
inline constexpr int kExactRows = 3;
/// Computes histories of three rows over a panel in double precision, one row after another.
/// @param S    three values of mode 1, then of mode 2, and so on
/// @param out  (3 x 64)
void exact_histories(const double* zeta, int modes, const double* S, double* out);

}  // namespace femflex::durability
