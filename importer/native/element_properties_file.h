// Writes and reads materials and element sections in native FE models (docs/formats/fe_model.md).
#pragma once

#include "femflex/element_properties.h"
#include "femflex/io/hdf5_file.h"

namespace femflex::importer::native {

/// Writes /materials, /properties and /element_sections; nothing if there are none.
void write_element_properties(const ElementProperties& all, io::Hdf5File& file);

/// @throws ParseError  sizes do not fit each other, or an element refers to no property
ElementProperties read_element_properties(const io::Hdf5File& file);

}  // namespace femflex::importer::native
