// A motion as a series of files for ParaView: the mesh of all bodies where it stands at each
// instant.
#pragma once

#include <cstddef>
#include <filesystem>

#include "femflex/flex_body.h"
#include "femflex/progress.h"

#include "viewer_page.h"

namespace femflex::viewer {

/// What write_motion_series() wrote.
struct MotionSeries {
  FlexBody mesh;           ///< nodes and elements of all bodies, numbered from 1; without modes
  std::size_t frames = 0;  ///< instants
};

/// Writes a `.pvd` and one `.vtu` per instant: points where the nodes stand in the world [m], the
/// elastic displacement in world axes [m], node numbers of the bodies (`node`), and the number of
/// the body (`body`) from 1. Rigid bodies are the box of their mass and inertia and bars to their
/// joints.
/// @param max_frames  most instants; of more rows every second, third, ... is taken
/// @throws UsageError  the result holds no motion of a body
MotionSeries write_motion_series(const tools::ResultSeries& series,
                                 const ResultFiles& files,
                                 const std::filesystem::path& output,
                                 Eigen::Index max_frames,
                                 Progress& progress);

}  // namespace femflex::viewer
