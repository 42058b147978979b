// write_motion_series(): a motion as a series of files for ParaView, with the deformed mesh of all
// bodies at each instant.
#pragma once

#include <cstddef>
#include <filesystem>

#include "femflex/flex_body.h"
#include "femflex/progress.h"

#include "viewer_page.h"

namespace femflex::viewer {

/// Outcome of write_motion_series().
struct MotionSeries {
  FlexBody mesh;           ///< nodes and elements of all bodies, numbered from 1, without modes
  std::size_t frames = 0;  ///< number of instants
};

/// Writes a `.pvd` file and one `.vtu` file per instant: positions of the nodes in the world [m],
/// elastic displacements in world axes [m], node numbers of the bodies (`node`), and the number of
/// the body, counted from 1 (`body`). A rigid body is drawn as the box of its mass and inertia and
/// bars to its joints.
/// @param max_frames  largest number of instants; of more rows only every second, third, ... is
/// used
/// @throws UsageError  the result contains no motion of a body
MotionSeries write_motion_series(const tools::ResultSeries& series,
                                 const ResultFiles& files,
                                 const std::filesystem::path& output,
                                 Eigen::Index max_frames,
                                 Progress& progress);

}  // namespace femflex::viewer
