#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "femflex/flex_body.h"

#include "document/json.h"
#include "results/results_file.h"
#include "view_data.h"

namespace femflex::viewer {

/// One picture of a page: what the page's script needs, in numbers.
struct View {
  std::string title;
  tools::Json data = tools::Json::object();
};

/// A result, from whose folder its body files count, and body files that go before them.
struct ResultFiles {
  std::filesystem::path result;
  std::vector<std::filesystem::path> flex;
};

/// Mode shapes of a body.
View mode_view(const FlexBody& body, Blobs& blobs);

/// Playback of a simulation or of a lattice. Flexible bodies come from the files that the result
/// remembers; bodies without one show as boxes, bars or their frame.
/// @throws UsageError  nothing in the result moves that could be shown
View playback_view(const tools::ResultSeries& series, const ResultFiles& files, Blobs& blobs);

/// One page without any outside file: one view, or two side by side.
std::string page_of(const std::vector<View>& views, const Blobs& blobs);

}  // namespace femflex::viewer
