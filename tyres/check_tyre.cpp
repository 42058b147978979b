// Evaluates a tyre on a grid of usual states and checks the results: signs of the stiffnesses,
// finite forces, usual sizes.
#include "check_tyre.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <variant>
#include <vector>

#include <fmt/format.h>

namespace femflex::tyres {
namespace {

/// Limits for warnings: horizontal force / load (racing tyres reach 3); moment / (load * radius);
/// relaxation length / radius (usually 1 to 3).
constexpr double kUnusualForce = 10.0;
constexpr double kUnusualMoment = 10.0;
constexpr double kUnusualRelaxation = 50.0;
/// Slip stiffness / load, below which a tyre is too soft (usually 5 to 30); radius [m] above which
/// it is too large (the largest of mines have 2 m).
constexpr double kUnusualSoftness = 0.3;
constexpr double kUnusualRadius = 5.0;

constexpr std::array kUsualLoads = {0.1, 1.0, 2.0};  // relative to the nominal load
constexpr std::array kUsualSlips = {-1.0, -0.05, 0.0, 0.1};
constexpr std::array kUsualAngles = {-0.3, 0.0, 0.05};  // slip angles [rad]
constexpr std::array kUsualCambers = {0.0, 0.1};        // [rad]
constexpr std::array kUsualSpeeds = {0.1, 20.0};        // [m/s]

bool is_finite(const TyreForces& f) {
  return std::isfinite(f.fx) && std::isfinite(f.fy) && std::isfinite(f.mx) && std::isfinite(f.my) &&
         std::isfinite(f.mz) && std::isfinite(f.effective_radius) &&
         std::isfinite(f.relaxation_x) && std::isfinite(f.relaxation_y);
}

std::string text_at(const TyreState& at) {
  return fmt::format("at a load of {:.6g} N, kappa {}, alpha {} rad, camber {} rad, {} m/s",
                     at.load,
                     at.kappa,
                     at.alpha,
                     at.gamma,
                     at.speed);
}

/// The forces of a rolling tyre drive it back from slip. With a negative stiffness they drive it
/// further, so that every run would drift away.
void check_stiffness(const Tyre& tyre, const std::string& file, Diagnostics& notes) {
  constexpr double kSmallSlip = 1e-3;  // where the forces of every law are still straight
  constexpr double kUsualSpeed = 20.0;
  TyreState at;
  at.load = nominal_load(tyre);
  at.speed = kUsualSpeed;
  at.side = tyre.side;
  const auto refuse = [&](const std::string& what, const char* remedy) {
    throw ModelError("not-a-tyre",
                     fmt::format("at its nominal load of {:.6g} N the tyre has {}", at.load, what),
                     {.file = file},
                     remedy);
  };
  const auto tell_if_soft = [&](double stiffness, const char* name, const char* unit) {
    if (stiffness == 0.0 || stiffness >= kUnusualSoftness * at.load) return;  // 0: not in the file
    notes.warn(
        "unusual-forces",
        fmt::format("at a load of {:.6g} N {} is {:.3g} {}, less than a tyre has; check units "
                    "and scaling factors",
                    at.load,
                    name,
                    stiffness,
                    unit),
        {.file = file});
  };
  const auto slope = [&](double TyreState::*slip, double TyreForces::*force) {
    TyreState forward = at, back = at;
    forward.*slip = kSmallSlip;
    back.*slip = -kSmallSlip;
    return (forces(tyre, forward).*force - forces(tyre, back).*force) / (2.0 * kSmallSlip);
  };
  const double along = slope(&TyreState::kappa, &TyreForces::fx);
  if (along < 0.0)
    refuse(fmt::format("the stiffness dFx/dkappa = {:.3g} N, below 0", along),
           "check the signs of CSLIP, or of PKX1, PKX2, PCX1, PDX1 and their factors LKX, LCX, "
           "LMUX");
  const double across = -slope(&TyreState::alpha, &TyreForces::fy);
  if (across < 0.0)
    refuse(fmt::format("the cornering stiffness -dFy/dalpha = {:.3g} N/rad, below 0", across),
           "check the signs of CALPHA, or of PKY1, PCY1, PDY1 and their factors LKY, LCY, LMUY "
           "(in the axes of the TYDEX format W, PKY1 is below 0)");
  tell_if_soft(along, "dFx/dkappa", "N");
  tell_if_soft(across, "-dFy/dalpha", "N/rad");
  const TyreForces f = forces(tyre, at);
  if (f.relaxation_x < 0.0 || f.relaxation_y < 0.0)
    refuse(
        fmt::format(
            "relaxation lengths of {:.3g} and {:.3g} m, below 0", f.relaxation_x, f.relaxation_y),
        "check the signs of RELAX_LENGTH_X and RELAX_LENGTH_Y, or of PTX1 and PTY1");
}

/// The nominal pressure, and the ends of the pressure range.
std::vector<double> pressures_of(const Tyre& tyre) {
  std::vector<double> out = {TyreState().pressure};
  for (const double end : {tyre.ranges.pressure.low, tyre.ranges.pressure.high})
    if (std::isfinite(end)) out.push_back(end);
  return out;
}

std::vector<TyreState> usual_states(const Tyre& tyre) {
  std::vector<TyreState> out;
  const double nominal = nominal_load(tyre);
  for (const double pressure : pressures_of(tyre))
    for (const double share : kUsualLoads)
      for (const double speed : kUsualSpeeds)
        for (const double gamma : kUsualCambers)
          for (const double alpha : kUsualAngles)
            for (const double kappa : kUsualSlips) {
              TyreState at;
              at.kappa = kappa;
              at.alpha = alpha;
              at.gamma = gamma;
              at.load = share * nominal;
              at.speed = speed;
              at.pressure = pressure;
              at.side = tyre.side;
              out.push_back(at);
            }
  return out;
}

/// The result that exceeds its usual limit by the largest factor.
struct Unusual {
  double times = 1.0;
  std::string text;

  void take(const Tyre& tyre, const TyreState& at, const TyreForces& f) {
    const double radius = std::visit([](const auto& law) { return law.unloaded_radius; }, tyre.law);
    const bool has_limit = !std::holds_alternative<LinearTyre>(tyre.law);
    const double force = has_limit ? kUnusualForce * at.load : at.load * kNoLimit;
    const double moment = kUnusualMoment * at.load * radius;
    const double relaxation = kUnusualRelaxation * radius;
    take(at, "Fx", f.fx, "N", force);
    take(at, "Fy", f.fy, "N", force);
    take(at, "Mx", f.mx, "N m", moment);
    take(at, "My", f.my, "N m", moment);
    take(at, "Mz", f.mz, "N m", has_limit ? moment : moment * kNoLimit);
    take(at, "the relaxation length forwards", f.relaxation_x, "m", relaxation);
    take(at, "the relaxation length sideways", f.relaxation_y, "m", relaxation);
  }

 private:
  /// Factor on the limits for the linear tyre, whose forces increase with slip.
  static constexpr double kNoLimit = 1e3;

  void take(const TyreState& at, const char* name, double value, const char* unit, double usual) {
    if (!(std::abs(value) > times * usual)) return;
    times = std::abs(value) / usual;
    text = fmt::format("{} {} is {:.3g} {}, more than a tyre has", text_at(at), name, value, unit);
  }
};

}  // namespace

Sizes sizes_of(Dimension dimension) {
  switch (dimension) {
    case Dimension::none:
      return {1e-6, 1e6};
    case Dimension::force:
      return {1e-3, 1e9};
    case Dimension::length:
      return {1e-4, 1e3};
    case Dimension::speed:
      return {1e-4, 1e4};
    case Dimension::pressure:
      return {1.0, 1e10};
    case Dimension::stiffness:
    case Dimension::damping:
    case Dimension::force_per_angle:
      return {1e-3, 1e12};
    case Dimension::angle:
      return {1e-6, 1e6};
  }
  return {};
}

void check_forces(const Tyre& tyre,
                  const LargestCoefficient& largest,
                  const std::string& file,
                  Diagnostics& notes) {
  check_stiffness(tyre, file, notes);
  const double radius = std::visit([](const auto& law) { return law.unloaded_radius; }, tyre.law);
  if (radius > kUnusualRadius)
    notes.warn("unusual-radius",
               fmt::format("UNLOADED_RADIUS is {:.3g} m, more than a tyre has; check the units of "
                           "the file",
                           radius),
               {.file = file});
  Unusual worst;
  for (const TyreState& at : usual_states(tyre)) {
    const TyreForces f = forces(tyre, at);
    if (!is_finite(f))
      throw ModelError("not-a-tyre",
                       fmt::format("{} the forces are not finite numbers", text_at(at)),
                       {.file = file},
                       largest.name.empty() ? std::string("check its coefficients")
                                            : fmt::format("check its coefficients; the largest is "
                                                          "{} = {}",
                                                          largest.name,
                                                          largest.value));
    worst.take(tyre, at, f);
  }
  if (worst.times > 1.0)
    notes.warn("unusual-forces",
               worst.text + "; check units, FNOMIN, scaling factors and coefficients",
               {.file = file});
}

}  // namespace femflex::tyres
