// A lattice as a model that runs on a live page.
#pragma once

#include <memory>

#include "document/json.h"
#include "live/live_model.h"

namespace femflex::live {

/// Starts a lattice.
/// @throws as tools::read_lattice_json() and tools::start_of_run()
std::unique_ptr<LiveModel> live_lattice(const tools::Json& document);

}  // namespace femflex::live
