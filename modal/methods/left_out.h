// Computes the shapes that a reduction leaves out, for the body to carry without their acting.
#pragma once

#include <cstdint>
#include <vector>

#include <Eigen/Core>

#include "femflex/diagnostics.h"
#include "femflex/fe_model.h"
#include "femflex/modal/reduce.h"
#include "femflex/mode_set.h"
#include "femflex/progress.h"

namespace femflex::modal {

/// The next normal modes of the component and the static responses to unit forces at chosen nodes,
/// less what the shapes X of a body and rigid motion hold of them: K-orthogonal to X, orthogonal
/// among each other in K and M, by rising eigenvalue, of unit generalised mass.
/// docs/theory/modal.md eq. (38)
///
/// With the response to a unit force at a node among them, the static displacement of this node is
/// complete under every load, wherever it acts.
/// @param X  elastic shapes on model.dofs, units of the model
/// @return   kind modal_truncation, on model.dofs; eigenvalues and masses in units of the model
/// @throws ModelError  no K and M; a node is not in the model, or X contains rigid motion
ModeSet left_out_shapes(const FeModel& model,
                        const Eigen::MatrixXd& X,
                        const ReduceOptions& options,
                        Diagnostics& diagnostics,
                        Progress& progress);

}  // namespace femflex::modal
