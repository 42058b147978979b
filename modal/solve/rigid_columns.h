// The rigid motions of a model, or of its parts, from the positions of the nodes.
#pragma once

#include <cstdint>
#include <vector>

#include <Eigen/Core>

#include "femflex/fe_model.h"

#include "solve/shifted_factor.h"
#include "solve/system.h"

namespace femflex::modal {

/// Mean of the positions of the nodes.
Eigen::Vector3d middle(const FeModel& model);
/// The six rigid motions about the mean of the nodes, on the unknowns.
Eigen::MatrixXd rigid_columns(const FeModel& model, const System& system);
/// The rigid motions of each part that K does not connect to the others. Parts count separately if
/// each has interface nodes, because the structure outside then joins them, or if there is no
/// interface at all. If a part can move but has no interface nodes, the whole model counts as one
/// part, as do more than kMaxLooseParts parts. A part fixed by its own constraints need not have
/// interface nodes.
/// @param factor  factorisation of the whole system
std::vector<Eigen::MatrixXd> rigid_columns_of_parts(const FeModel& model,
                                                    const System& system,
                                                    ShiftedFactor& factor,
                                                    const std::vector<std::int64_t>& interface);

}  // namespace femflex::modal
