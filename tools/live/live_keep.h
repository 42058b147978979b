// keep_run(): writes the changed model of a live page and its run to files. LiveSession calls it.
#pragma once

#include <filesystem>
#include <vector>

#include "document/json.h"
#include "live/live_model.h"
#include "live/live_session.h"

namespace femflex::live {

/// A run of a live page and its model.
struct WatchedRun {
  const tools::Json& document;  ///< the document with all changes
  const LiveSource& source;
  LiveModel& model;
  const std::vector<double>& times;
  const std::vector<double>& rows;  ///< one row after another, channels in their order
};

/// Writes NAME-kept-N.json, a file NAME-kept-N-KEY.fbm for each body that has none, and, if there
/// are rows, NAME-kept-N.h5, with the first free number N.
/// @return { "files": [...] }
tools::Json keep_run(const WatchedRun& run, const std::filesystem::path& folder);

}  // namespace femflex::live
