// Leaf spring by the law of [Fancher 1980] as a differential equation in time for the force F:
// F' = |delta'| (E - F) / beta with delta the compression, E(delta) the envelope of loading or
// unloading and beta the decay length. F depends on the path of delta, not on its speed.
#include "spatial/forces/leaf_spring.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "spatial/compiler.h"
#include "spatial/equations.h"
#include "spatial/forces/coordinate.h"

namespace femflex::mbd_solver {

namespace {

/// In long strokes the force lags behind its envelope by decay times the envelope's slope. Where
/// the lags of both envelopes are wider than the loop, the spring gives back more than it takes.
void warn_of_gain(const LeafSpringLaw& law, const std::string& user, Compiler& compiler) {
  std::vector<double> places = law.loading.x();
  places.insert(places.end(), law.unloading.x().begin(), law.unloading.x().end());
  for (const double x : places) {
    const double loop = law.loading(x) - law.unloading(x);
    const double lag = law.decay * (law.loading.slope(x) + law.unloading.slope(x));
    if (!(loop > 0.0) || !(lag > loop)) continue;  // envelopes that meet enclose no loop there
    compiler.warn(
        "leaf-gain",
        fmt::format("{}: at a compression of {:.4g} m its envelopes are {:.4g} N apart, and decay "
                    "times their slopes is {:.4g} N: in long strokes the spring gives more energy "
                    "than it takes; a decay below {:.3g} m ends that",
                    user,
                    x,
                    loop,
                    lag,
                    law.decay * loop / lag));
    return;
  }
}

}  // namespace

PairLoad LeafSpringLaw::load(const Model& /*model*/,
                             const Workspace& /*ws*/,
                             const MarkerKinematics& a_now,
                             const MarkerKinematics& b_now,
                             const double* states,
                             double* rates) const {
  PairLoad load;
  rates[0] = 0.0;
  const CoordinateNow now = coordinate_now(ForceCoordinate::distance, a_now, b_now);
  if (!(now.value > 0.0)) return load;
  const double compression = length - now.value;
  const double rate = -now.rate;  // of the compression
  const double push = states[0];
  const double envelope = rate >= 0.0 ? loading(compression) : unloading(compression);
  rates[0] = std::abs(rate) * (envelope - push) / decay;
  load.value = push;
  load.length = compression;
  push_along(ForceCoordinate::distance, now, a_now, b_now, push, load);
  load.power_input = -push * rate;
  return load;
}

LeafSpringLaw compile_law(const LeafSpring& spring, const std::string& user, Compiler& compiler) {
  LeafSpringLaw law;
  law.a = compiler.place(spring.a, user);
  law.b = compiler.place(spring.b, user);
  const double distance = compiler.initial_distance(law.a, law.b);
  law.length = spring.length.value_or(distance);
  law.decay = spring.decay;
  check_number(law.length, user, "the length");
  if (!(law.decay > 0.0) || !std::isfinite(law.decay))
    throw ModelError("decay",
                     fmt::format("{}: decay is {} m; expected a length above 0", user, law.decay));
  law.loading = curve_of(spring.loading, user);
  law.unloading = curve_of(spring.unloading, user);
  for (const Table* table : {&spring.loading, &spring.unloading})
    for (const double x : table->x)
      if (law.loading(x) < law.unloading(x))
        throw ModelError(
            "envelopes",
            fmt::format("{}: at a compression of {} m loading ({} N) is below unloading ({} N)",
                        user,
                        x,
                        law.loading(x),
                        law.unloading(x)),
            {},
            "a spring takes more force to compress than it gives back: exchange the tables");
  const double compression = law.length - distance;
  const double middle = 0.5 * (law.loading(compression) + law.unloading(compression));
  law.first_states = {spring.first_force ? *spring.first_force : middle};
  check_number(law.first_states[0], user, "the first force");
  warn_of_gain(law, user, compiler);
  law.state_count = 1;
  for (const double force : spring.loading.y)
    law.state_unit = std::max(law.state_unit, std::abs(force));
  law.is_stiff = true;
  return law;
}

}  // namespace femflex::mbd_solver
