// Runs:  06_couple_substructures
//
// Two bars from two suppliers, each known by its dynamic stiffness R(s) = M s^2 + C s + K alone,
// are joined end to end and fixed at one end. Half of each bar's mass is at each of its ends, so
// that the free DOFs have the masses m and m / 2: with equal bars omega^2 = (k / m) (2 -+ sqrt 2).
#include <cmath>
#include <cstdio>
#include <vector>

#include "femflex/substructure/bars.h"
#include "femflex/substructure/connectivity.h"
#include "femflex/substructure/solve.h"

int main() {
  namespace sub = femflex::substructure;
  const sub::Bar steel{.mass = 8.0, .stiffness = 2e6, .damping = 40.0};

  // 1. The parts, and which ports meet: port 2 of part 1 with port 1 of part 2.
  const sub::DynamicStiffness first = sub::bar_part(steel);
  const sub::DynamicStiffness second = sub::bar_part(steel);
  const std::vector<const sub::DynamicStiffness*> parts = {&first, &second};
  const sub::ConnectionTable table = {{1, 1, 0, 0}, {1, 2, 2, 1}, {2, 2, 0, 0}};
  const sub::DynamicStiffness whole = sub::assembled(parts, table, "two bars");

  // 2. Boundary conditions come last: port 1 is fixed.
  const sub::Supports supports{.fixed = {1}, .prescribed = {}};
  const sub::Poles poles = sub::poles(whole, supports);
  std::printf("ports %d\n", static_cast<int>(whole.port_count()));
  for (Eigen::Index k = 0; k < poles.values.size(); ++k)
    if (poles.values(k).imag() > 0.0)
      std::printf("omega %.4f rad/s, damping ratio %.5f\n",
                  std::abs(poles.values(k)),
                  -poles.values(k).real() / std::abs(poles.values(k)));
  for (const double root : {2.0 - std::sqrt(2.0), 2.0 + std::sqrt(2.0)})
    std::printf("closed form %.4f rad/s\n", std::sqrt(steel.stiffness / steel.mass * root));

  // 3. The response of the free end to a force there.
  const std::vector<sub::Input> force = {{sub::Input::Kind::force, 3}};
  const std::vector<sub::Output> tip = {{sub::Output::Kind::displacement, 3}};
  const std::vector<double> omega = {0.0, 200.0, 400.0};
  const auto response = sub::frequency_response(whole, supports, force, tip, omega);
  for (std::size_t k = 0; k < omega.size(); ++k)
    std::printf("|u / f| at %5.1f rad/s: %.4e m/N\n", omega[k], std::abs(response[k](0, 0)));
}
