// Tyres and roads for the wheels of a system: adapts the rooms tyres/ and roads/ to the interfaces
// of mbd_solver/wheel.h, and reads their files.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "femflex/diagnostics.h"
#include "femflex/mbd_solver/wheel.h"
#include "femflex/roads/road.h"
#include "femflex/tyres/read_tyre.h"

namespace femflex::tools {

/// How a tyre is mounted, and values that its file lacks.
struct WheelOptions {
  tyres::Side side = tyres::Side::left;
  double vertical_stiffness = 0.0;  ///< [N/m]; 0: that of the file
  double vertical_damping = 0.0;    ///< [N s/m]
};

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

/// A tyre for the solver, with the lag of its contact patch: docs/theory/tyres.md, eq. (4) to (6c).
/// @throws ModelError  the vertical stiffness is not positive
std::shared_ptr<const mbd_solver::TyreCharacteristic> wheel_tyre(const tyres::Tyre& tyre,
                                                                 const WheelOptions& options);

/// Two cams, one behind the other, that roll over the road in place of the tyre and smooth
/// unevenness shorter than its contact patch [Schmeitz 2004], docs/theory/roads.md. Each is the
/// superellipse (x / length)^order + (z / height)^order = 1.
struct Cams {
  double length = 0.0, height = 0.0;  ///< half axes [m]
  double order = 2.0;
  double shift = 0.0;  ///< distance between the cams [m]
};
/// Default cams of a tyre: circles of its radius, their distance 0.8 of the length of the contact
/// patch under `load` [N].
Cams cams_of(const mbd_solver::TyreCharacteristic& tyre, double load);

/// A road for the solver.
/// @param cams  if given, the wheel rolls on the plane that the cams find, not on the tangent plane
std::shared_ptr<const mbd_solver::RoadSurface> wheel_road(roads::Road road,
                                                          std::optional<Cams> cams = {});
/// The same for a road that several wheels share.
std::shared_ptr<const mbd_solver::RoadSurface> shared_wheel_road(
    std::shared_ptr<const roads::Road> road, std::optional<Cams> cams);

}  // namespace femflex::tools
