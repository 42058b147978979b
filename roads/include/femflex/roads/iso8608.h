// Generates random roads of ISO 8608 with two tracks. Displacement spectrum: G(n) = G(n_0)
// (n/n_0)^-w over spatial frequency n [1/m], n_0 = 0.1 1/m. The coherency between the tracks is
// given.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "femflex/laws/iso8608.h"
#include "femflex/roads/tables.h"

namespace femflex::roads {

using laws::iso8608_roughness;

/// Parameters of a random road.
struct RandomRoad {
  double roughness = 16e-6;  ///< G(n_0) [m^3]
  double exponent = 2.0;     ///< w
  double lowest = 0.01;      ///< [1/m] lowest spatial frequency of the profile
  double highest = 10.0;     ///< [1/m] highest spatial frequency of the profile
  double length = 1000.0;    ///< [m] minimum length; the period of the profile is at most twice
                             ///< this length
  double spacing = 0.02;     ///< [m] distance of points, at most half the shortest wavelength
  double track = 2.0;        ///< [m] distance between the tracks
  std::uint64_t seed = 1;    ///< equal seeds give equal roads on every machine
  /// Coherency of the tracks at n [1/m], from 0 to 1. Its square is the ordinary coherence.
  std::function<double(double)> coherency;
};

/// exp(-decay track n): a coherency that decreases with spatial frequency. [Bogsjo 2007]
std::function<double(double)> exponential_coherency(double decay, double track);

/// Heights of the two tracks at x = 0, spacing, 2 spacing, ... over one period.
struct TwoTracks {
  double spacing = 0.0;  ///< [m]
  std::vector<double> left, right;
};

/// @throws ModelError  a number is out of range, or more than 2^24 points are needed
TwoTracks generate_tracks(const RandomRoad& road);

/// The generated tracks as a layer of a road that starts at x = `start` [m].
Tracks random_road(const RandomRoad& road, double start);

}  // namespace femflex::roads
