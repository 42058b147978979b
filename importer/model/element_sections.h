// Materials and sections of the elements of all files of an import.
#pragma once

#include "femflex/diagnostics.h"
#include "femflex/element_properties.h"

#include "model/gather.h"

namespace femflex::importer {

/// Joins the files: every element refers to its property, directions become basic. Elements whose
/// property is missing refer to one with that reason as its refusal. Of two elements with one id
/// the first is kept.
ElementProperties element_properties(const Gathered& gathered, Diagnostics& diagnostics);

}  // namespace femflex::importer
