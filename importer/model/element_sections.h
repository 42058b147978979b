// Joins the materials and sections of the elements of all files of an import.
#pragma once

#include "femflex/diagnostics.h"
#include "femflex/element_properties.h"

#include "model/gather.h"

namespace femflex::importer {

/// Joins the files: every element refers to its property, and orientations are turned into the
/// basic coordinate system. An element whose property is missing gets a property that says so when
/// its stress is asked for. Of two elements with the same id the first is kept.
ElementProperties element_properties(const Gathered& gathered, Diagnostics& diagnostics);

}  // namespace femflex::importer
