// Solves with a supernodal factor L S L' for strips of right-hand sides.
#pragma once

#include <cstdint>

#include "dense/panel.h"
#include "solve/supernodes.h"

namespace femflex::modal {

/// The panel of a supernode; `values` holds all panels of the factor.
template <typename Number>
PanelOf<Number> panel_of(const Supernode& node, Number* values) {
  return {values + node.panel, node.width, node.below};
}

/// A finished factor L S L': panels with inverted diagonals, and the signs S.
template <typename Number>
struct SweptFactor {
  const Supernodes& tree;
  Number* values;
  const std::int8_t* sign;  ///< null: all 1
  int threads;
};

/// Replaces x by A^-1 x. Its rows are in elimination order. Its columns form strips of `width` (1,
/// 4 or 8) columns, each stored row by row, one strip after the other. Several strips at once use a
/// panel of L while it is in the cache.
void sweep(const SweptFactor<double>& factor, int width, int strips, double* x);
/// The same with a factor in single precision; the strips have 8 columns.
void sweep(const SweptFactor<float>& factor, int strips, double* x);

}  // namespace femflex::modal
