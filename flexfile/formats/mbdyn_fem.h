// Reader and writer of MBDyn modal joint data (`.fem`).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "femflex/diagnostics.h"
#include "femflex/flex_body.h"
#include "femflex/progress.h"

// Layout: text; `** RECORD GROUP n` begins a record, `** END OF FILE` ends
// the file, numbers are free-format in lines of any length.
//
//    1  REV0 nodes normal attachment constraint rejected    2  labels
//    3, 4  modal displacement and velocity at the start     5, 6, 7  all x, all y, all z
//    8  per mode one comment line and a row of six per node 9, 10  modal mass and stiffness
//   11  lumped mass, a row of six per node                 12  mass, centre, inertia about it
//   13  modal damping                                      14-18  invariants 3, 4, -8, 5, 9

namespace femflex::flexfile {

/// True if the first bytes of a file are those of an MBDyn modal joint file.
bool is_mbdyn_fem(std::string_view head);
FlexBody read_mbdyn_fem(const std::filesystem::path& path,
                        Diagnostics& diagnostics,
                        Progress& progress);
/// @param file  name for messages
FlexBody parse_mbdyn_fem(std::string_view text,
                         const std::string& file,
                         Diagnostics& diagnostics,
                         Progress& progress);
/// @param units       unit set that the first comment declares
/// @param invariants  write groups 14 to 18 instead of group 11. MBDyn up to version 2021 refuses
///                    these groups; later versions add them to group 11, if both are there
void write_mbdyn_fem(const FlexBody& body,
                     const std::filesystem::path& path,
                     std::string_view units,
                     bool invariants,
                     Diagnostics& diagnostics,
                     Progress& progress);

}  // namespace femflex::flexfile
