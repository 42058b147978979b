// live_lattice(): a lattice as a LiveModel, which a live page runs.
#pragma once

#include <memory>

#include "document/json.h"
#include "live/live_model.h"

namespace femflex::live {

/// @throws  the exceptions of tools::read_lattice_json() and tools::start_of_run()
std::unique_ptr<LiveModel> live_lattice(const tools::Json& document);

}  // namespace femflex::live
