// Writers of superelements for finite-element codes: NASTRAN bulk data (DMIG), CalculiX and Abaqus
// (modal masses and springs with equations).
// docs/formats/superelements.md.
#pragma once

#include <filesystem>
#include <string>

#include "femflex/diagnostics.h"
#include "femflex/flex_body.h"
#include "femflex/flexfile/superelement.h"

namespace femflex::flexfile {

/// A file to write, the name of the units in which its numbers are ("m-kg-s"), and whether the
/// frame of the body moves.
struct SuperelementFile {
  const std::filesystem::path& path;
  std::string units;
  FrameMotion frame = FrameMotion::free;
};

/// NASTRAN: GRID, SPOINT, EXTRN and the matrices KAAX, MAAX and, with damping, BAAX as DMIG cards,
/// to be included in a deck.
void write_dmig(const FlexBody& body, const SuperelementFile& file);
/// CalculiX and Abaqus: a deck to be included. Rotations and modes are translations of nodes of
/// their own; damping is not carried.
void write_calculix_superelement(const FlexBody& body,
                                 const SuperelementFile& file,
                                 Diagnostics& diagnostics);

}  // namespace femflex::flexfile
