// Reads MED files, which Salome and code_aster write: mesh, groups, and shapes of modes.
#pragma once

#include <filesystem>

#include "readers.h"

namespace femflex::importer {

/// MED 3 and 4 (and meshes of 2.3), which are HDF5 files:
///
///   /ENS_MAA/MESH        attributes ESP dimension, TYP 0 unstructured; in it one group a step
///     NOE/COO            all x, then all y, then all z; NOE/NUM numbers, NOE/FAM families
///     MAI/KIND/NOD       first nodes of all elements, then the second ones, ...; counted from 1
///   /FAS/MESH/NOEUD/F    families of nodes, /ELEME/F of elements: attribute NUM
///     GRO/NOM            their groups
///   /CHA/FIELD           attribute NOM: names of components, 16 bytes each; one group a step
///     STEP               attributes NDT, NOR numbers; PDT time, frequency [Hz] of modes
///       NOE/PROFILE/CO   values at the nodes, component by component
///   /PROFILS/NAME/PFL    nodes of a profile, counted from 1
///
/// Solids have their lower face the other way round, so that its normal points out of them; mid
/// nodes follow the lower, the upper and then the upright edges. Fields with DX, DY or DZ are
/// shapes in basic axes (DRX.. are rotations, other components dropped); other fields are listed as
/// not read.
bool is_med(const FileHead& head);
FileContents read_med(const std::filesystem::path& path,
                      const ReadOptions& options,
                      Diagnostics& diagnostics,
                      Progress& progress);

}  // namespace femflex::importer
