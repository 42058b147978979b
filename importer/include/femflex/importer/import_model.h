#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/fe_model.h"
#include "femflex/progress.h"

namespace femflex::importer {

/// One matrix of one file: `--stiffness FILE:NAME`.
struct MatrixPick {
  std::filesystem::path path;
  std::string name;  ///< empty: the file's only matrix, or the one with a telling name
};

/// Shapes of one file with their kind: `--modes FILE:KIND[=list]`.
struct ModesPick {
  std::filesystem::path path;
  ModeKind kind = ModeKind::dynamic;
  std::vector<std::int64_t> numbers;  ///< 1-based, in file order over all its tables; empty: all
  std::string name;  ///< a matrix that holds the shapes (OP4); empty: the file's result tables, or
                     ///< its only or plainly named matrix
};

struct ImportRequest {
  std::vector<std::filesystem::path> files;  ///< in any order; they complete each other
  std::optional<MatrixPick> stiffness, mass, damping;
  std::vector<ModesPick> modes;  ///< files named here need not be in `files`
  /// How to identify the matrix rows, if the files do not define them clearly:
  /// "" found by size, "sorted" g-set by rising id, "cards" g-set in the order of the GRID cards,
  /// or a list of DOFs `11/T3,12/R1,501/S`.
  std::string dof_order;
  std::optional<std::int64_t> mpc;  ///< the set of multipoint constraints to apply
  std::optional<Units> units;       ///< overrides what the files say
  std::vector<std::int64_t> interface_nodes;
  bool force = false;  ///< take the model although a proof failed
};

/// One check that the parts fit each other.
struct Proof {
  std::string name;  ///< "symmetry of K", "rigid motion", "mass", "mode dynamic:3", ...
  double value = 0.0;
  double limit = 0.0;
  bool passed = true;
  std::string text;  ///< one sentence with the figures
};

struct ImportResult {
  FeModel model;
  std::vector<Proof> proofs;
};

/// Combines FE files into one model: rows of matrices mapped to DOFs, every direction transformed
/// to basic, symmetric matrices stored by their lower triangle; and checks that the parts fit: K
/// and M symmetric, |K R| of rigid-body motions small, R' M R equal to the mass that the deck
/// declares, K phi = omega^2 M phi for given modes.
/// @throws ParseError, UsageError  as read_contents()
/// @throws ModelError  parts that do not fit each other, or a failed proof unless `force`
ImportResult import_model(const ImportRequest& request,
                          Diagnostics& diagnostics,
                          Progress& progress = no_progress());

}  // namespace femflex::importer
