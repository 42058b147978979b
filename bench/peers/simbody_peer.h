// Simulates a chain of bars on hinges in Simbody. Simbody's headers need C++17, so this header does
// not include them.
#pragma once

#include <array>

namespace femflex::bench {

/// A chain along x that starts at the ground. Its hinge axes are y and z alternately.
struct PeerChain {
  int count = 0;
  double length = 0.0;            ///< length of a bar [m]
  double mass = 0.0;              ///< mass of a bar [kg]
  std::array<double, 3> moments;  ///< moments of inertia of a bar about its mass centre, along its
                                  ///< axes [kg m^2]
  std::array<double, 3> gravity;  ///< [m/s^2]
  double end = 0.0;               ///< end time [s]
};

/// Position of the tip of the last bar at the end [m], computed by Simbody's Runge-Kutta-Merson
/// method.
std::array<double, 3> simbody_tip(const PeerChain& chain, double accuracy);

}  // namespace femflex::bench
