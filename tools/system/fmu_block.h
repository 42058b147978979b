// Blocks of a system file that are FMUs.
#pragma once

#include "femflex/mbd_solver/system.h"

#include "document/json_text.h"
#include "system/system_reader.h"

namespace femflex::tools {

/// Reads "file", "kind", "inputs", "outputs", "parameters", "step", "offset", "extrapolation" and
/// "repeats" into a block, loads the FMU, and takes its outputs at the start.
/// @throws ParseError, UsageError, ModelError  with the file and the variable
void read_fmu_block(ObjectReader& reader, const SystemReader& in, mbd_solver::Block& block);

/// Compares the units of the inputs of FMUs with those of channels that they read as they are.
/// @throws ModelError  they measure different quantities
void check_guest_units(const mbd_solver::System& system);

}  // namespace femflex::tools
