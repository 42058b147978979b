// Applies options and modifiers of a .crg file to its data [OpenCRG 1.2, 6.4.5 and 6.4.6].
// read_crg() calls it.
#pragma once

#include <map>
#include <string>

#include "femflex/diagnostics.h"
#include "femflex/roads/crg.h"

#include "crg/header.h"

namespace femflex::roads::crg {

/// Applies border rules and fading at the ends; options for messages and checks are skipped.
/// @throws ParseError  a value is out of range
void apply_options(const std::map<std::string, Entry>& options,
                   const std::string& file,
                   Diagnostics& diagnostics,
                   CrgData& data);

/// Fills missing heights at the borders, scales, rotates and moves.
/// @throws ModelError  a modifier is not supported
/// @throws ParseError  a value is out of range
void apply_modifiers(const std::map<std::string, Entry>& modifiers,
                     const std::string& file,
                     Diagnostics& diagnostics,
                     CrgData& data);

}  // namespace femflex::roads::crg
