// live_system(): a multibody system as a LiveModel, which a live page runs.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "femflex/flex_body.h"

#include "document/json.h"
#include "live/live_model.h"

namespace femflex::live {

/// Bodies already in memory; key: the text that the document writes instead of a file name.
using LiveBodies = std::map<std::string, std::shared_ptr<const FlexBody>>;

/// Starts a system at t = 0 with the options of its first dynamic analysis, or the default options
/// if it has none.
/// @param folder  that of the document, from which file names count
/// @throws  the exceptions of tools::read_system() and mbd_solver::Stepping
std::unique_ptr<LiveModel> live_system(const tools::Json& document,
                                       const std::filesystem::path& folder,
                                       const LiveBodies& bodies);

}  // namespace femflex::live
