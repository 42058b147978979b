// Names of what a body file does not hold, as `compare` lists them, and the warning of what a body
// loses in it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/flex_body.h"
#include "femflex/flexfile/flexfile.h"

namespace femflex::flexfile {

/// What files with the matrices of a superelement (.mat, .op4) hold.
inline constexpr Holds kMatricesHold = {.rotations = true, .damping = true};

/// What one of two holds or both.
Holds operator|(const Holds& a, const Holds& b);

/// Names of what files do not hold, such as "damping".
std::vector<std::string> contents_lacking(const Holds& holds);

/// Warns of contents that change the motion of a body (damping, stiffening, initial state, modes
/// that do not act) and that its file does not hold.
/// @param holds  what the file holds, and that of whose loss is told elsewhere
/// @param title  name of the format for the message
/// @param file   the file that was written
void warn_of_left_out(const FlexBody& body,
                      const Holds& holds,
                      std::string_view title,
                      const std::string& file,
                      Diagnostics& diagnostics);

}  // namespace femflex::flexfile
