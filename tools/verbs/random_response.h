// The response of a linear system to stationary random inputs. The verb stress uses it.
#pragma once

#include <filesystem>

#include "femflex/durability/spectra.h"
#include "femflex/mbd_solver/linear_system.h"
#include "femflex/progress.h"

#include "verbs/random_inputs.h"

namespace femflex::verbs {

/// Integrals of the spectral densities of all outputs over the band of the inputs.
/// @throws NumericalError  "not-stable": a root does not decay, so nothing is stationary
/// @param path  the file of the inputs, for messages
/// @throws UsageError      the delays need too many frequencies
/// @throws Cancelled       the user wants to stop
durability::ModalMoments moments_of_outputs(const mbd_solver::LinearSystem& linear,
                                            const RandomInputs& inputs,
                                            const std::filesystem::path& path,
                                            Progress& progress);

}  // namespace femflex::verbs
