// Kernels that solve with one dense panel of a sparse factor L S L' (S holds the signs of the
// pivots).
#pragma once

#include "dense/panel.h"

namespace femflex::modal {

/// Number of right-hand sides in a strip: one wide vector.
constexpr int kPanelColumns = 8;
/// Largest number of strips in one pass over a factor: as many as fit in the registers.
constexpr int kPanelStrips = 3;

/// Triangular solves with one panel, for `columns` (1, 4 or 8) right-hand sides stored row by row:
/// first the `width` rows of the panel's triangle (y_top), then the rows below it (y_below). With
/// `strips` above 1, for two or three strips of eight right-hand sides, stored one after the other.
/// The diagonal of the panel is inverted.
///   forward:   y_top <- L_top^-1 y_top, y_below <- y_below - L_below y_top
///   backward:  y_top <- L_top^-T (y_top - L_below' y_below)
void forward_panel(const Panel& panel, int columns, int strips, double* y);
void backward_panel(const Panel& panel, int columns, int strips, double* y);
/// The same with a panel in single precision and sums in double precision; `columns` is 8.
void forward_panel(const PanelOf<float>& panel, int columns, int strips, double* y);
void backward_panel(const PanelOf<float>& panel, int columns, int strips, double* y);

}  // namespace femflex::modal
