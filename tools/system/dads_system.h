// read_dads_system(): reads a formatted input of DADS (a multibody program) as a system, and
// describes its content for `femflex info`.
#pragma once

#include <filesystem>

#include "document/json.h"
#include "system/system_json.h"

namespace femflex::tools {

/// Reads a formatted DADS input as a system. Brackets become fixed joints, forces on nodes act from
/// the start, and there is one dynamic analysis with the Runge-Kutta integrator.
SystemDocument read_dads_system(const std::filesystem::path& path, Diagnostics& diagnostics);

/// The content of a formatted DADS input: times, gravity, bodies, joints, forces, flexible bodies.
Json describe_dads(const std::filesystem::path& path, Diagnostics& diagnostics);

}  // namespace femflex::tools
