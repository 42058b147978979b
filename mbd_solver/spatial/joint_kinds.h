// Constraint rows of each joint type, from the table in joint_kinds.cpp.
#pragma once

#include <vector>

#include "femflex/mbd_solver/system.h"

#include "spatial/model.h"

namespace femflex::mbd_solver {

/// The constraint rows of a joint type in the axes of a and b, except rows that contain numbers of
/// the individual joint: those of distance, screw and gear.
std::vector<RowModel> rows_of(JointType type);

/// Whether both places of the joint coincide at one point.
bool needs_one_point(JointType type);

}  // namespace femflex::mbd_solver
