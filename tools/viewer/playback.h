// Parts of the playback of results: shown frames, bodies and their meshes, plotted channels, and
// the view of a lattice.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "viewer_page.h"

namespace femflex::viewer {

/// Rows shown in a playback: about `max_count` of `rows`, including the first and the last.
std::vector<Eigen::Index> frames_of(Eigen::Index rows, Eigen::Index max_count);

/// Names of the moving bodies: those of the scene in its order, then those that occur only in
/// channels.
std::vector<std::string> moving_bodies(const tools::ResultSeries& motion, const tools::Json* scene);

/// Makes a body without a file from its nodes and elements in the scene.
/// @throws ParseError  the scene is incomplete
FlexBody body_of_mesh(const tools::Json& mesh);

/// Channels of position (x y z) and orientation (w x y z) of a body, after its name and '/'.
extern const std::array<const char*, 7> kMotionChannels;

/// Adds the channels of a result for the plots below the picture, thinned if there are very many
/// rows.
void add_channels(const tools::ResultSeries& series, View& view, Blobs& blobs);

/// True if channels belong to numbered point masses: "12/position/x".
bool is_lattice_result(const tools::ResultSeries& series);

/// The playback view of a lattice result.
/// @param lattice_text  the lattice in JSON, as stored in the result; empty: only masses are shown
View lattice_view(const tools::ResultSeries& series,
                  const std::filesystem::path& result_file,
                  const std::string& lattice_text,
                  Blobs& blobs);

}  // namespace femflex::viewer
