// Files of tyres and roads for the wheels of a system.
#pragma once

#include <filesystem>

#include "femflex/diagnostics.h"
#include "femflex/roads/road.h"
#include "femflex/tyres/read_tyre.h"

namespace femflex::tools {

/// The tyre of a `.tir` file.
/// @throws ParseError, ModelError  see tyres::read_tyre()
tyres::ReadTyre read_tyre_file(const std::filesystem::path& path, Diagnostics& diagnostics);

/// The road of an OpenCRG file (`.crg`) or of a CSV table. Two columns are one profile, three are
/// two tracks; a first line with an empty cell or a word and then numbers begins a grid.
/// @param track  distance between the tracks of a table with three columns [m]
/// @throws ParseError, ModelError  see roads::read_crg(), roads::read_tracks(), roads::read_grid()
roads::Layer read_road_file(const std::filesystem::path& path,
                            double track,
                            Diagnostics& diagnostics);

}  // namespace femflex::tools
