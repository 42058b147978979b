// Reader and writer of SID files, the standard input data of flexible bodies (`.SID_FEM`).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "femflex/diagnostics.h"
#include "femflex/flex_body.h"
#include "femflex/progress.h"

// Layout (Wallrapp 1993/94): text with one
// `keyword = value` per line, nested by `new x`/`x` and `end x`; each matrix is a Taylor object
// M(q) = M0 + sum_l M1_l q_l with entries m0( r, c) and m1( r, l, c), zeros left out.
//
//   <nodes> <modes> :text
//   part / new modal
//     refmod   mass, nelastq, ielastq(i)
//     frame    new node = id: origin, phi, psi, AP
//     mdCM J Ct Cr Me Gr Ge Oe ksigma Ke De
//
// Meaning of the numbers: docs/theory/body_files.md eq. (3) to (14).

namespace femflex::flexfile {

/// True if the first bytes of a file are those of a SID file.
bool is_sid(std::string_view head);
FlexBody read_sid(const std::filesystem::path& path, Diagnostics& diagnostics, Progress& progress);
/// @param file  name for messages
FlexBody parse_sid(std::string_view text,
                   const std::string& file,
                   Diagnostics& diagnostics,
                   Progress& progress);
/// The numbers of nodes and of modes at the beginning of line 1.
std::string sid_counts(Eigen::Index nodes, Eigen::Index modes);
/// @param units  unit set that line 1 declares
void write_sid(const FlexBody& body,
               const std::filesystem::path& path,
               std::string_view units,
               Diagnostics& diagnostics,
               Progress& progress);

}  // namespace femflex::flexfile
