// Constraint rows of each joint type, from the table in joint_kinds.cpp. compile_joints.cpp uses
// them.
#pragma once

#include <vector>

#include "femflex/mbd_solver/joint_types.h"
#include "femflex/mbd_solver/system.h"

#include "spatial/model.h"

namespace femflex::mbd_solver {

/// The constraint rows of a joint type in the axes of a and b. Does not include the rows of
/// distance, screw and gear joints, which contain numbers of the individual joint.
std::vector<RowModel> rows_of(JointType type);

/// Whether both places of the joint coincide at one point.
bool needs_one_point(JointType type);

}  // namespace femflex::mbd_solver
