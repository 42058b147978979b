// Reader and writer of DADS FLEX files, a text of fixed Fortran columns.
#pragma once

#include <filesystem>
#include <string_view>

#include "femflex/diagnostics.h"
#include "femflex/flex_body.h"
#include "femflex/progress.h"

#include "bytes/line_cursor.h"
#include "bytes/text_sink.h"

// Layout (docs/formats/flex.md):
//
//   * comments      table of node numbers in five columns, number of rigid-body modes, SCALED or
//                   NOT SCALED, ORTHOGONALIZED or NOT, and then what was rejected
//    1  5I3         nodes, dynamic modes, static modes, 0, 0
//    2  12I3        numbers of the 6 N DOFs
//    3, 4  6E13.7   modal positions and velocities at the start
//    5, 6, 7        all x, all y, all z
//    8              one record per mode and node: x y z psi theta phi
//    9, 10          modal mass and stiffness, row by row
//   11              one record per node: mx my mz Jx Jy Jz
//
// Each group starts a new record; fields touch, so columns alone tell them apart.

namespace femflex::flexfile {

/// True if the first bytes of a file are those of a FLEX file.
bool is_flex(std::string_view head);

/// Reads FLEX content from the next line of `lines` on.
/// @param ends_here  true if text other than blank lines after group 11 is an error
FlexBody parse_flex(LineCursor& lines,
                    bool ends_here,
                    Diagnostics& diagnostics,
                    Progress& progress);

/// @param masses  group 11, as FlexBody::lumped_mass
void put_flex(const FlexBody& body,
              const Eigen::Matrix<double, Eigen::Dynamic, 6>& masses,
              TextSink& out,
              Progress& progress);

/// @param has_sidecar  set to true if a sidecar of this very file was found
FlexBody read_flex(const std::filesystem::path& path,
                   Diagnostics& diagnostics,
                   Progress& progress,
                   bool& has_sidecar);

/// `NAME.flex.h5` next to `NAME.flex`, `NAME.fdf.h5` next to `NAME.fdf`.
std::filesystem::path sidecar_of(const std::filesystem::path& flex);
/// The sidecar that exists: sidecars of .fdf files were once named as those of .flex files.
std::filesystem::path sidecar_to_read(const std::filesystem::path& flex);

/// Group 11 holds nodal_masses(): the only inertia that DADS receives.
void write_flex(const FlexBody& body,
                const std::filesystem::path& path,
                bool sidecar,
                Diagnostics& diagnostics,
                Progress& progress);

}  // namespace femflex::flexfile
