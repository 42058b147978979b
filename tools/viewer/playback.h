// Playback of results, in parts: the frames that are shown, the bodies and their meshes, the
// channels that are plotted, and the view of a lattice.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "viewer_page.h"

namespace femflex::viewer {

/// Rows that a playback shows: about `max_count` of `rows`, the first and the last included.
std::vector<Eigen::Index> frames_of(Eigen::Index rows, Eigen::Index max_count);

/// Names of the bodies that move: those of the scene in its order, then those that appear in
/// channels only.
std::vector<std::string> moving_bodies(const tools::ResultSeries& motion, const tools::Json* scene);

/// Makes a body that has no file from its nodes and elements in the scene.
/// @throws ParseError  a scene that is not complete
FlexBody body_of_mesh(const tools::Json& mesh);

/// Channels of the place and the orientation of a body, after its name and '/': x y z, then w x y
/// z.
extern const std::array<const char*, 7> kMotionChannels;

/// Channels of a result for the plots below the picture, thinned if there are very many rows.
void add_channels(const tools::ResultSeries& series, View& view, Blobs& blobs);

/// True if the channels are those of point masses by number: "12/position/x".
bool is_lattice_result(const tools::ResultSeries& series);

/// The playback view of a lattice result.
/// @param lattice_text  the lattice in JSON, as stored in the result; empty: only masses are shown
View lattice_view(const tools::ResultSeries& series,
                  const std::filesystem::path& result_file,
                  const std::string& lattice_text,
                  Blobs& blobs);

}  // namespace femflex::viewer
