// Reads the element stresses and strains of MSC Nastran's HDF5 files.
#pragma once

#include <cstdint>
#include <functional>

#include "femflex/importer/contents.h"
#include "femflex/io/hdf5_file.h"
#include "femflex/progress.h"

#include "nastran/stress_entries.h"

namespace femflex::importer {

/// Reads /NASTRAN/RESULT/ELEMENTAL/STRESS and STRAIN: one dataset per element type, one record per
/// element and domain. Fields are addressed by name:
///   ROD, CONROD, TUBE  A T (TUBE: AS TS)
///   BAR                X1A .. X4A, AX, X1B .. X4B: bending at C D E F, without the axial stress AX
///   BEAM               GRID SD XC XD XE XF, 11 stations each
///   TRIA3, QUAD4       FD1 X1 Y1 TXY1 of the bottom face, FD2 .. of the top face
///   QUAD_CN, TRIA6 ..  GRID and the same, centre and corners
///   TETRA .. HEXA      CID GRID X Y Z TXY TYZ TZX, centre and corners
///   QUAD4_COMP ..      PLY X1 Y1 T1 L1 L2
/// Tables of other elements, complex ones, element forces and energies are counted as unread.
///
/// @param shape_of  the shape of a domain (DOMAIN_ID), without source and kind of table
void read_msc_stresses(const io::Hdf5File& file,
                       const std::function<StressShape(std::int64_t)>& shape_of,
                       FileContents& contents,
                       Progress& progress);

}  // namespace femflex::importer
