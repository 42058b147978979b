// Writers of superelements for finite-element codes: NASTRAN bulk data (DMIG), CalculiX and Abaqus
// (modal masses and springs with equations), OpenFAST ExtPtfm (FlexASCII).
// docs/formats/superelements.md.
#pragma once

#include <filesystem>
#include <string>

#include "femflex/diagnostics.h"
#include "femflex/flex_body.h"

namespace femflex::flexfile {

/// A file to write, and the name of the units in which its numbers are ("m-kg-s").
struct SuperelementFile {
  const std::filesystem::path& path;
  std::string units;
};

/// NASTRAN: GRID, SPOINT, EXTRN and the matrices KAAX, MAAX and, with damping, BAAX as DMIG cards,
/// to be included in a deck.
void write_dmig(const FlexBody& body, const SuperelementFile& file);
/// CalculiX and Abaqus: a deck to be included. Rotations and modes are translations of nodes of
/// their own; damping is not carried.
void write_calculix_superelement(const FlexBody& body,
                                 const SuperelementFile& file,
                                 Diagnostics& diagnostics);
/// OpenFAST ExtPtfm, FlexASCII: dimension, mass, stiffness, damping and a load of zero.
/// @throws ModelError  the interface is not one node with six DOFs
void write_ext_ptfm(const FlexBody& body, const SuperelementFile& file);

}  // namespace femflex::flexfile
