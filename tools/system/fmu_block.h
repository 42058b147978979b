// Reads blocks of a system file that are FMUs. The system reader calls it.
#pragma once

#include "femflex/mbd_solver/system.h"

#include "document/json_text.h"
#include "system/system_reader.h"

namespace femflex::tools {

/// Reads "file", "kind", "inputs", "outputs", "parameters", "step", "offset", "extrapolation" and
/// "repeats" into a block. Loads the FMU and determines its initial outputs.
/// @throws ParseError, UsageError, ModelError  with the file and the variable
void read_fmu_block(ObjectReader& reader, const SystemReader& in, mbd_solver::Block& block);

/// Compares the units of FMU inputs with those of the channels connected to them.
/// @throws ModelError  the units belong to different quantities
void check_guest_units(const mbd_solver::System& system);

}  // namespace femflex::tools
