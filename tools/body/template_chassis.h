// The FE model of the chassis in the truck template of `femflex new`.
#pragma once

#include <cstdint>
#include <vector>

#include "femflex/fe_model.h"

namespace femflex::tools {

/// Size of a ladder frame, and the nodes where it is loaded.
struct LadderFrame {
  int bays = 12;          ///< of 0.5 m
  double rigidity = 1e8;  ///< E A of a bar [N]
  std::vector<std::int64_t> interface_nodes = {301, 303, 1101, 1103};
};

/// A ladder frame for the template of a truck, so that the template runs unchanged: two rails 0.8 m
/// apart, each of two chords 0.2 m apart, in bays of point masses on bars. The node of bay s from 0
/// on at x = s/2 m is 100 (s + 1) plus 1 right bottom, 2 right top, 3 left bottom, 4 left top. The
/// usual one has 6 m and twelve bays, the wheels at bays 2 and 10; it weighs 520 kg and its first
/// bending mode is near 20 Hz.
FeModel template_chassis(const LadderFrame& frame = {});

}  // namespace femflex::tools
