// Options and modifiers of a .crg file applied to its data [OpenCRG 1.2, 6.4.5 and 6.4.6].
#pragma once

#include <map>
#include <string>

#include "femflex/diagnostics.h"
#include "femflex/roads/crg.h"

#include "crg/header.h"

namespace femflex::roads::crg {

/// Border rules and fading at the ends; options of messages and checks are skipped.
/// @throws ParseError  a value out of its range
void apply_options(const std::map<std::string, Entry>& options,
                   const std::string& file,
                   Diagnostics& diagnostics,
                   CrgData& data);

/// Fills missing heights at the borders, scales, turns and moves.
/// @throws ModelError  a modifier that is not supported;  ParseError  a value out of its range
void apply_modifiers(const std::map<std::string, Entry>& modifiers,
                     const std::string& file,
                     Diagnostics& diagnostics,
                     CrgData& data);

}  // namespace femflex::roads::crg
