// Reads and writes flexible bodies in all supported file formats, and checks them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/flex_body.h"
#include "femflex/flexfile/superelement.h"
#include "femflex/progress.h"

namespace femflex::flexfile {

/// What files of a format hold of a body besides its nodes, shapes, matrices and invariants.
struct Holds {
  bool rotations = false;
  bool damping = false;
  bool stiffening = false;  ///< geometric stiffness
  bool initial_state = false;
  /// acting modes, back-transformation, interface nodes, nodal masses
  bool rest = false;
};

/// What reads the files of a format.
enum class FormatUse : std::uint8_t {
  femflex,
  solver,        ///< a multibody solver, which adds six rigid motions to the body
  superelement,  ///< a solver that knows the DOFs of its interface and internal ones
  picture,
};

/// A file format for flexible bodies.
struct Format {
  std::string name;                     ///< "fbm", "flex", "sid", "mbdyn", "exudyn", "vtu", ...
  std::vector<std::string> extensions;  ///< ".flex", ".fdf": in lower case
  std::string title;                    ///< name for tables and messages
  FormatUse use = FormatUse::solver;
  Holds holds;  ///< of FLEX: without its sidecar
  bool is_binary = false;
  bool has_free_units = false;  ///< its numbers may be in other units than SI
  bool can_read = false;
  bool can_write = false;
};

/// All supported formats.
const std::vector<Format>& formats();

/// How read_body() reads a file.
struct ReadOptions {
  std::string format;  ///< overrides detection; empty: detected from the content
  std::string units;   ///< unit set of a file that states none; empty: SI, with a warning
};

/// How write_body() writes a file.
struct WriteOptions {
  std::string format;  ///< overrides the file extension
  /// FLEX, SID, MBDyn: name of the unit set in which the file is written; empty: SI
  std::string units;
  bool sidecar = true;            ///< FLEX: write NAME.flex.h5 with data that FLEX cannot store
  bool mbdyn_invariants = false;  ///< MBDyn: write groups 14 to 18, which need a version after 2021
  FrameMotion frame = FrameMotion::free;  ///< superelements: whether the body's frame moves
  int deflate = 0;         ///< .fbm: 0 stores shapes uncompressed, 1..9 compresses them
  double amplitude = 0.1;  ///< .pvd, .glb: largest motion of a mode / size of the body
};

/// The format of a file, by its content alone: a name of formats(), or "" if none fits.
/// @throws UsageError  no such file;  ParseError  an empty file
std::string detect_body_format(const std::filesystem::path& path);

/// The format of this name; null if there is none.
const Format* find_format(std::string_view name);

/// The format by the extension of `path`, or by `options.format`.
/// @throws UsageError  no such format, or one that cannot be written
const Format& format_for_writing(const std::filesystem::path& path, const WriteOptions& options);

/// Reads a whole body of any format, in SI. Quantities that the format cannot store are derived if
/// possible (invariants from nodal lumped masses), else left empty and reported in `diagnostics`.
/// @throws UsageError  no such file or format;  ParseError  the file breaks its format;
///         ModelError  its numbers do not fit each other
FlexBody read_body(const std::filesystem::path& path,
                   const ReadOptions& options,
                   Diagnostics& diagnostics,
                   Progress& progress = no_progress());

/// Writes the complete file or nothing. Data that the format cannot store are reported in
/// `diagnostics`.
/// @throws UsageError  no such format, or an unwritable folder;  ModelError  an invalid body
void write_body(const FlexBody& body,
                const std::filesystem::path& path,
                const WriteOptions& options,
                Diagnostics& diagnostics,
                Progress& progress = no_progress());

/// One result of a check.
struct Finding {
  std::string code;       ///< kebab case
  std::string message;    ///< what was found and what was expected
  bool is_error = false;  ///< false: a note
};

/// Physical checks of a single body: consistency of the invariants, positive mass, symmetric
/// matrices, rank of the mass matrix of rigid and modal coordinates together, k/m against the mode
/// table.
std::vector<Finding> check_body(const FlexBody& body);

}  // namespace femflex::flexfile
