// Imports an FE model from one or several files of FE codes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/fe_model.h"
#include "femflex/importer/kept_nodes.h"
#include "femflex/importer/spider.h"
#include "femflex/progress.h"

namespace femflex::importer {

/// One matrix of one file: `--stiffness FILE:NAME`.
struct MatrixPick {
  std::filesystem::path path;
  std::string name;  ///< empty: the only matrix in the file, or the one whose name tells its role
};

/// Shapes of one file with their kind: `--modes FILE:KIND[=list]`.
struct ModesPick {
  std::filesystem::path path;
  ModeKind kind = ModeKind::dynamic;
  /// 1-based, counted in file order over all tables of the file; empty: all
  std::vector<std::int64_t> numbers;
  std::string name;  ///< a matrix that contains the shapes (OP4); empty: the result tables of the
                     ///< file or, if it has none, its only matrix or those named like shapes
};

/// What to import, and how.
struct ImportRequest {
  std::vector<std::filesystem::path> files;  ///< in any order; together they describe one model
  std::optional<MatrixPick> stiffness, mass, damping;
  std::vector<ModesPick> modes;  ///< files named here need not be in `files`
  /// How to identify the matrix rows, if the files do not define them clearly:
  /// "" found by size, "sorted" g-set in ascending order of id, "cards" g-set in the order of the
  /// GRID cards, or a list of DOFs `11/T3,12/R1,501/S`.
  std::string dof_order;
  std::optional<std::int64_t> mpc;  ///< the set of multipoint constraints to apply
  std::optional<Units> units;       ///< overrides what the files say
  std::vector<std::int64_t> interface_nodes;
  std::vector<Spider> spiders;          ///< nodes to add and tie to the mesh; interface nodes, too
  std::optional<KeptNodes> keep_nodes;  ///< shapes are kept at these and the interface nodes alone
  bool force = false;                   ///< accept the model even if a proof failed
};

/// Result of one check that the imported data fit each other.
struct Proof {
  std::string name;  ///< "symmetry of K", "rigid motion", "mass", "mode dynamic:3", ...
  double value = 0.0;
  double limit = 0.0;
  bool passed = true;
  std::string text;         ///< one sentence with the figures
  std::string remedy = {};  ///< of a failure whose cause is known; empty: the files do not fit
};

/// The imported model and the checks that it has passed.
struct ImportResult {
  FeModel model;
  std::vector<Proof> proofs;
};

/// Combines FE files into one model. Matrix rows are mapped to DOFs, all directions are transformed
/// to basic, symmetric matrices are stored by their lower triangle. Checks that the data fit each
/// other: K and M symmetric, |K R| of rigid-body motions small, R' M R equal to the mass that the
/// deck declares, K phi = omega^2 M phi for given modes.
/// @throws ParseError, UsageError  as read_contents()
/// @throws ModelError  data that do not fit each other, or a failed proof unless `force` is set
ImportResult import_model(const ImportRequest& request,
                          Diagnostics& diagnostics,
                          Progress& progress = no_progress());

}  // namespace femflex::importer
