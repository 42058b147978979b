// A chain of bars on hinges in Simbody, whose headers are C++17: nothing of them is seen here.
#pragma once

#include <array>

namespace femflex::bench {

/// A chain along x whose hinges turn about y and z in turn, the first one on the ground.
struct PeerChain {
  int count = 0;
  double length = 0.0;            ///< of a bar [m]
  double mass = 0.0;              ///< of a bar [kg]
  std::array<double, 3> moments;  ///< about the mass centre of a bar, along its axes [kg m^2]
  std::array<double, 3> gravity;  ///< [m/s^2]
  double end = 0.0;               ///< of the motion [s]
};

/// The tip of the last bar at the end [m], by Simbody's Runge-Kutta-Merson method.
std::array<double, 3> simbody_tip(const PeerChain& chain, double accuracy);

}  // namespace femflex::bench
