// Writer of flexible bodies for MBSim, the input of its ExternalFlexibleFfrBody (HDF5).
// docs/formats/superelements.md.
#pragma once

#include <filesystem>

#include "femflex/diagnostics.h"
#include "femflex/flex_body.h"

namespace femflex::flexfile {

/// Writes the body in SI. MBSim computes the mass matrix of rigid and modal motion from integrals
/// of positions and translations; the share of rotary inertia in it is added to them so that the
/// matrix at rest is that of the body, and a warning tells how large it is.
/// @throws UsageError  the name is that of an FE model (.fe.h5) or of a sidecar (.flex.h5)
void write_mbsim(const FlexBody& body, const std::filesystem::path& path, Diagnostics& diagnostics);

}  // namespace femflex::flexfile
