// template_chassis(): the FE model of the chassis in the truck templates of `femflex new`.
#pragma once

#include <cstdint>
#include <vector>

#include "femflex/fe_model.h"

namespace femflex::tools {

/// Size of a ladder frame, and its loaded nodes.
struct LadderFrame {
  int bays = 12;          ///< number of bays, each 0.5 m long
  double rigidity = 1e8;  ///< rigidity E A of a bar [N]
  std::vector<std::int64_t> interface_nodes = {301, 303, 1101, 1103};
};

/// A ladder frame for the truck templates, which thus run without files of the user. It has two
/// rails 0.8 m apart, each of two chords 0.2 m apart, in bays of point masses and bars. The nodes
/// at bay s (from 0), x = s/2 m, have the numbers 100 (s + 1) plus 1 (right bottom), 2 (right top),
/// 3 (left bottom) or 4 (left top). The default frame has twelve bays (6 m), wheels at bays 2 and
/// 10, a mass of 520 kg, and its first bending mode near 20 Hz.
FeModel template_chassis(const LadderFrame& frame = {});

}  // namespace femflex::tools
