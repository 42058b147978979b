// What the files of each body format cannot hold, by the names of the contents that `compare`
// lists.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/flex_body.h"

namespace femflex::flexfile {

/// The format of files that hold the matrices of a superelement (.mat, .op4).
inline constexpr std::string_view kSuperelementMatrices = "matrices";

/// Contents that files of this format do not hold, such as "damping"; of FLEX without its sidecar.
std::vector<std::string> contents_lacking(std::string_view format);

/// Warns of contents that change the motion of a body (damping, stiffening, initial state) and that
/// a file of this format does not hold.
/// @param title  name of the format for the message
/// @param file   the file that was written
void warn_of_left_out(const FlexBody& body,
                      std::string_view format,
                      std::string_view title,
                      const std::string& file,
                      Diagnostics& diagnostics);

}  // namespace femflex::flexfile
