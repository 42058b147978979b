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
///   /FAS/MESH/NOEUD/F    families of nodes, /ELEME/F of elements: attribute NUM, GRO/NOM its
///   groups /CHA/FIELD           attribute NOM: names of components, 16 bytes each; in it one group
///   a step
///     STEP               attributes NDT, NOR numbers; PDT time, of code_aster's modes frequency
///     [Hz]
///       NOE/PROFILE/CO   values at the nodes, component by component
///   /PROFILS/NAME/PFL    nodes of a profile, counted from 1
///
/// Solids have their lower face the other way round, so that its normal points out of them; mid
/// nodes follow the lower, the upper and then the upright edges. Fields with the components DX, DY,
/// DZ (and DRX, DRY, DRZ) are shapes along basic directions, others are counted.
bool is_med(const FileHead& head);
FileContents read_med(const std::filesystem::path& path,
                      const ReadOptions& options,
                      Diagnostics& diagnostics,
                      Progress& progress);

}  // namespace femflex::importer
