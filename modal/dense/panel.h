// Kernels that factor one dense panel of a sparse factor L S L' (S holds the signs of the pivots),
// update the rows below it, and solve with it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "dense/packed_triangle.h"

namespace femflex::modal {

/// Number of right-hand sides in a strip: one wide vector.
constexpr int kPanelColumns = 8;
/// Largest number of strips in one pass over a factor: as many as fit in the registers.
constexpr int kPanelStrips = 3;

/// One dense panel of a factor L S L': `width` columns by `width + below` rows, stored by columns;
/// S holds the signs of the pivots. Number is double, or float for a factor of which only the signs
/// matter.
template <typename Number>
struct PanelOf {
  Number* values = nullptr;
  std::int32_t width = 0;
  std::int32_t below = 0;
  std::int32_t rows() const { return width + below; }
};
using Panel = PanelOf<double>;

/// Factors the panel in place. A positive definite factorisation of the triangle is tried first.
/// @param sign       out: 1 or -1 per column
/// @param min_pivot  pivots that are no larger than this count as zero, per column
/// @return number of columns with a negative pivot, or -1 if a pivot is zero
template <typename Number>
int factor_panel(const PanelOf<Number>& panel, std::int8_t* sign, const Number* min_pivot);

/// C <- C - B S B', where B are the rows below the triangle of a factored panel.
template <typename Number>
void subtract_square(const PanelOf<Number>& panel,
                     const std::int8_t* sign,
                     int negative,
                     const PackedTriangle<Number>& C);

/// Replaces the diagonal of L by its inverse, for the solves, because a division takes three times
/// as long as a product and the next column waits for it.
template <typename Number>
void invert_diagonal(const PanelOf<Number>& panel);

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
