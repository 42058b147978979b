// Reads CalculiX result files (.frd).
#pragma once

#include <filesystem>

#include "readers.h"

namespace femflex::importer {

/// CalculiX result files (.frd), ASCII and binary: nodes, elements, displacement fields of modes
/// and steps with the stresses (STRESS) and total strains (TOSTRAIN, tensor components) that follow
/// them.
///
///   1U text, 1PGM generalised mass, 1PGK eigenvalue [rad^2/s^2] before the field they belong to
///   2C nodes: -1, id, 3E12.5          3C elements: -1 id type ..., -2 node ids
///   100CL: columns 13 to 24 the frequency [Hz] or time, column 58 the kind (2: modal), column 75
///   the form (0: I5 ids, 1: I10 ids, 2 and 3: binary)
///   -4 field name, -5 components, -1 id and values in 12 columns each, -2 more values, -3 end
///
/// Binary blocks follow their lines of text at once and have no end line: nodes of 4 bytes for the
/// id and three reals; elements of id, type, group, material and nodes, 4 bytes each; results of an
/// id and the components that are not derived (last field of -5). Little endian.
///
/// Values of text have six digits. Modes have unit generalised mass.
bool is_frd(const FileHead& head);
FileContents read_frd(const std::filesystem::path& path,
                      const ReadOptions& options,
                      Diagnostics& diagnostics,
                      Progress& progress);

}  // namespace femflex::importer
