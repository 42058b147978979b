// Damage of stationary Gaussian signals, computed from their power spectral density without a time
// history.
#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include "femflex/durability/modal_stress.h"
#include "femflex/durability/woehler.h"

namespace femflex::durability {

/// Moments m_k = integral of f^k G(f) df of a one-sided power spectral density G over the frequency
/// f. The unit of G is the unit of the signal squared per Hz.
struct SpectralMoments {
  double m0 = 0.0, m1 = 0.0, m2 = 0.0, m4 = 0.0;

  double rms() const;
  double crossings() const;  ///< upward crossings of zero per second [1/s]
  double peaks() const;      ///< maxima per second [1/s]
  /// crossings / peaks: 1 for a narrow band, near 0 for a wide one
  double regularity() const;
};

/// The moments of G. G is linear between its points, and zero below the first and above the last.
/// @param hz  frequencies in ascending order, 0 or more
/// @throws UsageError  the sizes differ, the frequencies do not ascend, or G is negative or not
/// finite
SpectralMoments moments_of(const Eigen::VectorXd& hz, const Eigen::VectorXd& G);

/// Method by which the distribution of rainflow amplitudes follows from the moments.
enum class SpectralMethod : std::uint8_t {
  narrow_band,       ///< one cycle per crossing, with Rayleigh amplitudes; an upper bound
  dirlik,            ///< [Dirlik 1985]
  tovo_benasciutti,  ///< a mean of level-crossing counting and range counting [Benasciutti 2005]
};
/// Reads "narrow-band", "dirlik" or "tovo-benasciutti".
/// @throws UsageError  the name is none of these
SpectralMethod parse_spectral_method(std::string_view name);
std::vector<std::string> spectral_method_names();

/// Expected damage per second of a signal with mean 0.
double damage_rate(const SpectralMoments& moments,
                   const WoehlerCurve& curve,
                   SpectralMethod method);

/// Integrals of f^k Re(G_zeta) df, where G_zeta(f) is the matrix of cross spectral densities of the
/// modal coordinates. The damage at every point follows from these integrals.
struct ModalMoments {
  Eigen::MatrixXd m0, m1, m2, m4;  ///< (shapes x shapes), symmetric
};

/// Adds the integrals between two frequencies, over which G_zeta is taken as linear.
/// @param responses  G_zeta = H H*. Each column of H is the response of the modal coordinates to
/// one of the independent processes, times the root of the spectral density of that process.
/// `from` and `to` are H at the two frequencies.
void add_band(double from_hz,
              const Eigen::MatrixXcd& from,
              double to_hz,
              const Eigen::MatrixXcd& to,
              ModalMoments& moments);

/// Moments of the von Mises stress, one per location. Its density is the trace of Q times the
/// densities of the stress components [Preumont 1994].
std::vector<SpectralMoments> von_mises_moments(const ModalStress& stress,
                                               const ModalMoments& moments);

}  // namespace femflex::durability
