// Viewer pages in one HTML file: mode shapes of a body or FE model, or the playback of a result.
// The verb view makes them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "femflex/flex_body.h"

#include "document/json.h"
#include "results/results_file.h"
#include "view_data.h"

namespace femflex::viewer {

/// A picture of a page, as data for the page's script.
struct View {
  std::string title;
  tools::Json data = tools::Json::object();
};

/// The path of a result, and body files to use instead of those to which the result refers. Paths
/// in the result are relative to its folder.
struct ResultFiles {
  std::filesystem::path result;
  std::vector<std::filesystem::path> flex;
};

/// Mode shapes of a body.
View mode_view(const FlexBody& body, Blobs& blobs);

/// The mesh of an FE model and its mode shapes, in SI units if its units are known.
View model_view(const FeModel& model, Blobs& blobs);

/// Playback of a simulation or of a lattice. Flexible bodies are read from the files to which the
/// result refers; bodies without a file are shown as boxes, bars or their frame.
/// @throws UsageError  the result contains no motion that can be shown
View playback_view(const tools::ResultSeries& series, const ResultFiles& files, Blobs& blobs);

/// A page with one view, or two views side by side, that needs no other file.
std::string page_of(const std::vector<View>& views, const Blobs& blobs);

}  // namespace femflex::viewer
