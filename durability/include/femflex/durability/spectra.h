// Damage of stationary Gaussian signals from their power spectral density, without a history.
#pragma once

#include <complex>
#include <cstdint>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include "femflex/durability/modal_stress.h"
#include "femflex/durability/woehler.h"

namespace femflex::durability {

/// m_k = integral of f^k G(f) df over a one-sided power spectral density G; G has the unit of the
/// signal squared per Hz, m_k that of the signal squared times Hz^k.
struct SpectralMoments {
  double m0 = 0.0, m1 = 0.0, m2 = 0.0, m4 = 0.0;

  double rms() const;
  double crossings() const;  ///< [1/s] crossings of zero with rising slope
  double peaks() const;      ///< [1/s] maxima
  /// crossings / peaks: 1 of a narrow band, towards 0 of a wide one
  double regularity() const;
};

/// The moments of G, which is linear between its points and zero beyond them.
/// @param hz  ascending, 0 or above
/// @throws UsageError  sizes differ, frequencies do not ascend, or G is below 0 or not finite
SpectralMoments moments_of(const Eigen::VectorXd& hz, const Eigen::VectorXd& G);

/// How amplitudes of rainflow cycles follow from the moments.
enum class SpectralMethod : std::uint8_t {
  narrow_band,       ///< one cycle per crossing, Rayleigh amplitudes; an upper bound
  dirlik,            ///< [Dirlik 1985]
  tovo_benasciutti,  ///< between level crossings and range counting [Benasciutti 2005]
};
/// narrow-band, dirlik, tovo-benasciutti.  @throws UsageError
SpectralMethod parse_spectral_method(std::string_view name);

/// Expected damage per second at mean 0.
double damage_rate(const SpectralMoments& moments,
                   const WoehlerCurve& curve,
                   SpectralMethod method);

/// Integrals of f^k Re(G_zeta) df, for the cross spectral densities G_zeta(f) of modal coordinates:
/// everything that damage of every place needs.
struct ModalMoments {
  Eigen::MatrixXd m0, m1, m2, m4;  ///< (shapes x shapes), symmetric
};

/// Adds the part between two frequencies, in which G_zeta is linear.
/// @param responses  columns are the coordinates' responses to independent processes, each times
/// the root of its spectral density: G_zeta = H H*
void add_band(double from_hz,
              const Eigen::MatrixXcd& from,
              double to_hz,
              const Eigen::MatrixXcd& to,
              ModalMoments& moments);

/// Moments of the von Mises stress, whose density is the trace of Q times the stresses' densities
/// [Preumont 1994]; one per location.
std::vector<SpectralMoments> von_mises_moments(const ModalStress& stress,
                                               const ModalMoments& moments);

}  // namespace femflex::durability
