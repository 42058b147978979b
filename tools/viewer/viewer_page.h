#pragma once

#include <filesystem>
#include <string>

#include "femflex/flex_body.h"

#include "pipeline/results_file.h"

namespace femflex::viewer {

/// A page without any outside file: a 3D view of a body with its modes.
std::string mode_page(const FlexBody& body);

/// Playback of a simulation. Flexible bodies come from the files the result remembers; bodies
/// without one show as their frame.
/// @param result_file  where the series came from: body files count from its folder
std::string playback_page(const pipeline::ResultSeries& series,
                          const std::filesystem::path& result_file);

}  // namespace femflex::viewer
