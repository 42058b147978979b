#pragma once

#include <filesystem>

#include "json.h"
#include "system_json.h"

namespace femflex::pipeline {

/// A formatted DADS input as a system: brackets become fixed joints, forces on nodes act from the
/// start, one dynamic analysis by the accurate integrator.
SystemDocument read_dads_system(const std::filesystem::path& path, Diagnostics& diagnostics);

/// What a formatted DADS input says: times, gravity, bodies, joints, forces, flexible bodies.
Json describe_dads(const std::filesystem::path& path, Diagnostics& diagnostics);

}  // namespace femflex::pipeline
