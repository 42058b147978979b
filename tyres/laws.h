// The tyre laws as functions of one contact; each law has its own file. forces() in tyre.cpp calls
// them.
#pragma once

#include "femflex/tyres/mf61_tyre.h"
#include "femflex/tyres/pac2002_tyre.h"
#include "femflex/tyres/simple_tyres.h"
#include "femflex/tyres/tyre.h"
#include "femflex/tyres/tyre_state.h"

#include "contact.h"

namespace femflex::tyres {

TyreForces law_forces(const LinearTyre& tyre, const Contact& at);
TyreForces law_forces(const FialaTyre& tyre, const Contact& at);
TyreForces law_forces(const TmeasyTyre& tyre, const Contact& at);
TyreForces law_forces(const Pac2002Tyre& tyre, const Contact& at);
TyreForces law_forces(const Mf61Tyre& tyre, const Contact& at);

/// Relaxation lengths without slip.
RelaxationLengths law_relaxation(const LinearTyre& tyre, const Contact& at);
RelaxationLengths law_relaxation(const FialaTyre& tyre, const Contact& at);
RelaxationLengths law_relaxation(const TmeasyTyre& tyre, const Contact& at);
RelaxationLengths law_relaxation(const Pac2002Tyre& tyre, const Contact& at);
RelaxationLengths law_relaxation(const Mf61Tyre& tyre, const Contact& at);

/// Effective rolling radius [m] at a load [N], a spin [rad/s] and a pressure [Pa], NaN: nominal.
double law_radius(const LinearTyre& tyre, double Fz, double spin, double pressure);
double law_radius(const FialaTyre& tyre, double Fz, double spin, double pressure);
double law_radius(const TmeasyTyre& tyre, double Fz, double spin, double pressure);
double law_radius(const Pac2002Tyre& tyre, double Fz, double spin, double pressure);
double law_radius(const Mf61Tyre& tyre, double Fz, double spin, double pressure);

}  // namespace femflex::tyres
