// Finds normal modes of small models by a dense eigensolver.
#pragma once

#include <cstdint>
#include <optional>

#include <Eigen/Core>

#include "solve/normal_modes.h"
#include "solve/shifted_factor.h"

namespace femflex::modal {

/// Largest order for dense matrices: four dense matrices of it take 4.6 GB.
inline constexpr Eigen::Index kMaxDenseOrder = 12000;

/// True if a dense solver is faster for `count` modes of n unknowns, as measured.
bool suits_dense(Eigen::Index n, std::int64_t count);

/// The requested modes by dense matrices, the lower ones refined by one step of inverse iteration.
/// @param rigid  see normal_modes()
/// @param count  largest number of modes; 0: as many as the request says
/// @param given_shift  shift of the user, from which on eigenvalues may be negative
/// @throws ModelError  more modes requested than exist; K or M is indefinite
NormalModes dense_modes(ShiftedFactor& factor,
                        const Eigen::MatrixXd& rigid,
                        const NormalRequest& request,
                        std::int64_t count,
                        std::optional<double> given_shift);

}  // namespace femflex::modal
