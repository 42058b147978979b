// Growth factors: by which factor an integration method multiplies the amplitude of a linear
// oscillator in one step.
#pragma once

#include <complex>

#include "femflex/hamiltonian/integrate.h"

namespace femflex::hamiltonian {

/// Growth per step of a motion exp(lambda t) at z = h lambda, for a method that treats position and
/// momentum alike (euler, ab2, ab3, rk4).
double growth(Integrator integrator, std::complex<double> z);

/// Growth per step of leapfrog and symplectic4 at x = omega h, undamped.
double splitting_growth(Integrator integrator, double x);

/// Growth per step of semi-implicit Euler on  x'' + c x' + k x = 0,  hc = h c, hhk = h^2 k.
double semi_implicit_growth(double hc, double hhk);

}  // namespace femflex::hamiltonian
