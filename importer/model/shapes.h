// Chooses the mode shapes of an imported model.
#pragma once

#include "femflex/diagnostics.h"
#include "femflex/importer/import_model.h"
#include "femflex/mode_set.h"

#include "model/gather.h"
#include "model/matrices.h"

namespace femflex::importer {

/// Where a shape was read.
struct ShapeOrigin {
  const FileContents* file = nullptr;
  const RawModes* table = nullptr;  ///< null: a matrix
  Eigen::Index column = 0;
};

/// The shapes of one import in basic directions, and their precision.
struct Shapes {
  ModeSet modes;
  /// one per mode; true if the mode was read in single precision
  std::vector<bool> single_precision;
  std::vector<ShapeOrigin> origins;  ///< one per mode
};

/// Takes the shapes that were picked. Without picks, it takes eigenvectors as dynamic modes from
/// the file that gives them with the most digits, and displacements as static modes.
/// @param gathered  without picks, RawModes::shapes of its files move to the result
Shapes choose_shapes(const ImportRequest& request,
                     Gathered& gathered,
                     const Matrices& matrices,
                     Diagnostics& diagnostics);

}  // namespace femflex::importer
