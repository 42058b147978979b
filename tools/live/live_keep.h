// Writes the changed model and the run so far to files.
#pragma once

#include <filesystem>
#include <vector>

#include "document/json.h"
#include "live/live_model.h"
#include "live/live_session.h"

namespace femflex::live {

/// A run of a live page and its model.
struct WatchedRun {
  const tools::Json& document;  ///< with all changes
  const LiveSource& source;
  LiveModel& model;
  const std::vector<double>& times;
  const std::vector<double>& rows;  ///< one after another, in the order of the channels
};

/// Writes NAME-kept-N.json and, if there are rows, NAME-kept-N.h5, under numbers that are free.
/// @return { "files": [...] }
tools::Json keep_run(const WatchedRun& run, const std::filesystem::path& folder);

}  // namespace femflex::live
