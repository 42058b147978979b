// Pictures of a system for the viewer: picture_of() lists what is drawn; with_motion() and
// PictureSink record the motion for playback.
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "femflex/mbd_solver/results.h"
#include "femflex/mbd_solver/system.h"

#include "document/json.h"
#include "results/result_rows.h"

namespace femflex::tools {

/// What a viewer draws of a system besides flexible bodies: boxes and bars of rigid bodies in their
/// own frames, joints, springs, bushings, wheels. Lengths in m, quaternions w x y z.
/// @param with_file  flexible bodies whose file the result names; for others the mesh is included
Json picture_of(const mbd_solver::System& system, const std::set<std::string>& with_file);

/// A place such as "chassis/301" in the form of picture_of(): { "body", "at", "node" }.
Json scene_place(const mbd_solver::System& system, const std::string& name);

/// The system with additional outputs for the motion of its bodies, if its "outputs" lack them:
/// frames, modal coordinates, and node displacements of flexible bodies without a file.
mbd_solver::System with_motion(mbd_solver::System system, const std::set<std::string>& with_file);

/// Passes the requested channels to a result, and separately the motion that with_motion() added,
/// thinned to a limited number of rows.
class PictureSink : public mbd_solver::ResultSink {
 public:
  /// @param system         the system before with_motion(); if it has no outputs, everything is
  /// requested
  /// @param expected_rows  number of rows of the whole run; 0: unknown
  PictureSink(ResultRows& rows, const mbd_solver::System& system, double expected_rows);

  void begin(std::span<const mbd_solver::Channel> channels) override;
  void append(double t, std::span<const double> values) override;

 private:
  bool is_asked(const std::string& channel) const;
  bool is_motion(const std::string& channel) const;

  ResultRows& kept_;
  std::vector<std::string> outputs_;
  std::set<std::string> bodies_;
  std::vector<std::size_t> asked_, motion_;  // columns of a row
  std::vector<double> row_;
  double expected_rows_ = 0.0;
  std::int64_t stride_ = 1;
  std::int64_t rows_ = 0;
};

}  // namespace femflex::tools
