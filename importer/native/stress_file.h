// Writes and reads the stresses and strains of mode shapes in native FE model files (`.fe.h5`).
#pragma once

#include "femflex/fe_stress.h"
#include "femflex/io/hdf5_file.h"

namespace femflex::importer::native {

/// Writes /stresses and /strains (docs/formats/fe_model.md); leaves empty ones out.
void write_stresses(const FeStresses& stresses, io::Hdf5File& file);

/// @throws ParseError  datasets of different sizes, or a number out of range
FeStresses read_stresses(const io::Hdf5File& file);

}  // namespace femflex::importer::native
