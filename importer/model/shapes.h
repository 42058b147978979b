#pragma once

#include "femflex/diagnostics.h"
#include "femflex/importer/import_model.h"
#include "femflex/mode_set.h"

#include "model/gather.h"
#include "model/matrices.h"

namespace femflex::importer {

/// The shapes of one import, directions basic, and their precision.
struct Shapes {
  ModeSet modes;
  std::vector<bool> single_precision;  ///< one per mode
};

/// Takes the shapes that were picked; without picks, eigenvectors as dynamic modes from the file
/// that gives them with the most digits, and displacements as static modes.
Shapes choose_shapes(const ImportRequest& request,
                     const Gathered& gathered,
                     const Matrices& matrices,
                     Diagnostics& diagnostics);

}  // namespace femflex::importer
