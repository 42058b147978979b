// Kernels that factor one dense panel of a sparse factor L S L' (S holds the signs of the pivots)
// and update the rows below it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "dense/packed_triangle.h"

namespace femflex::modal {

/// One dense panel of a factor L S L': `width` columns by `width + below` rows, stored by columns;
/// S holds the signs of the pivots. Number is double, or float for a rough factor.
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

}  // namespace femflex::modal
