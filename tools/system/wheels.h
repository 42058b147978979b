// Tyres and roads for the wheels of a system: the rooms tyres and roads behind the interfaces of
// mbd_solver/wheel.h, and the files that they are read from.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "femflex/diagnostics.h"
#include "femflex/mbd_solver/wheel.h"
#include "femflex/roads/road.h"
#include "femflex/tyres/read_tyre.h"

namespace femflex::tools {

/// How a tyre is mounted, and what its file does not say.
struct WheelOptions {
  tyres::Side side = tyres::Side::left;
  double vertical_stiffness = 0.0;  ///< [N/m]; 0: that of the file
  double vertical_damping = 0.0;    ///< [N s/m]
};

/// The tyre of a `.tir` file.
/// @throws ParseError, ModelError  see tyres::read_tyre()
tyres::ReadTyre read_tyre_file(const std::filesystem::path& path, Diagnostics& diagnostics);

/// The road of an OpenCRG file (`.crg`) or of a CSV table: two or three columns are one profile or
/// two tracks, a first line that begins with an empty cell or a word and then numbers is a grid.
/// @param track  distance of the tracks of a table with three columns [m]
/// @throws ParseError, ModelError  see roads::read_crg(), roads::read_tracks(), roads::read_grid()
roads::Layer read_road_file(const std::filesystem::path& path,
                            double track,
                            Diagnostics& diagnostics);

/// A tyre for the solver, with the lag of its contact patch: docs/theory/tyres.md, eq. (4) to (6b).
/// @throws ModelError  the vertical stiffness is not positive
std::shared_ptr<const mbd_solver::TyreCharacteristic> wheel_tyre(const tyres::Tyre& tyre,
                                                                 const WheelOptions& options);

/// Two cams, one behind the other, that roll over the road in place of the tyre and smooth what is
/// shorter than its contact patch: superellipses (x / length)^order + (z / height)^order = 1 at the
/// distance `shift`. docs/theory/roads.md, [Schmeitz 2004].
struct Cams {
  double length = 0.0, height = 0.0;  ///< half axes [m]
  double order = 2.0;
  double shift = 0.0;  ///< [m]
};
/// Cams of a tyre without numbers of its own: its circle, at 0.8 of the length of the contact patch
/// under this load.
Cams cams_of(const mbd_solver::TyreCharacteristic& tyre, double load);

/// A road for the solver.
/// @param cams  the wheel rolls on the plane that the cams find, not on the tangent plane
std::shared_ptr<const mbd_solver::RoadSurface> wheel_road(roads::Road road,
                                                          std::optional<Cams> cams = {});

}  // namespace femflex::tools
