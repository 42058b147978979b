// Mean normals at the nodes of shells, as CalculiX and Abaqus take them where shells are curved.
#pragma once

#include <cstdint>
#include <unordered_map>

#include <Eigen/Core>

#include "femflex/fe_model.h"

namespace femflex::durability {

/// Unit normals of nodes, in basic axes.
using NodeNormals = std::unordered_map<std::int64_t, Eigen::Vector3d>;

/// Whether the shells of a property have mean normals.
bool has_mean_normals(const FeProperty& property);

/// The mean normals at the nodes of the shells of CalculiX and Abaqus (*SHELL SECTION). Nodes whose
/// elements differ by 20 degrees or more, in thickness or in offset have none: there each element
/// keeps its own normal, as shells of other codes do everywhere.
NodeNormals mean_normals(const FeModel& model);

}  // namespace femflex::durability
