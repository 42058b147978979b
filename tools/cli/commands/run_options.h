// Options of verbs that override how a system is run: simulate and study.
#pragma once

#include <utility>

#include "femflex/mbd_solver/simulate.h"

#include "fields.h"

namespace femflex::cli {

/// The option --end. @param set  stores a RunOverrides::end
inline Option end_option(Setter set) {
  return {.name = "--end",
          .value = "SECONDS",
          .help = "end of the dynamic analysis",
          .unit = "s",
          .set = std::move(set)};
}

/// The option --integrator. @param set  stores a RunOverrides::integrator
inline Option integrator_option(Setter set) {
  return {.name = "--integrator",
          .value = "NAME",
          .help = "overrides the system's",
          .choices = mbd_solver::integrator_names(),
          .set = std::move(set)};
}

}  // namespace femflex::cli
