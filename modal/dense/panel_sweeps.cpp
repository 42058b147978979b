// Solves with the dense panels of a sparse factor L S L', for several right-hand sides at a time in
// vector registers.
#include "dense/panel_sweeps.h"

#include <cstddef>

#include "femflex/clones.h"

#include "dense/row_of.h"

namespace femflex::modal {
namespace {

// Forward substitution with a block of C columns of L: first their triangle, then the rows below
// it. Thus each number of y is loaded once for C numbers of L. The right-hand sides are stored as S
// strips of W columns, one strip after the other.
template <int W, int S, int C, typename Number>
[[gnu::always_inline]] inline void forward_block(const Number* l,
                                                 std::ptrdiff_t j,
                                                 std::ptrdiff_t rows,
                                                 double* y) {
  using Row = typename RowOf<W>::type;
  const Number* column[C];
  Row x[C][S];
  for (int k = 0; k < C; ++k)
    column[k] = l + (j + k) * rows;
  for (int s = 0; s < S; ++s)
    for (int k = 0; k < C; ++k) {
      double* place = y + (s * rows + j + k) * W;
      load<W>(x[k][s], place);
      for (int before = 0; before < k; ++before)
        x[k][s] -= static_cast<double>(column[before][j + k]) * x[before][s];
      x[k][s] *= static_cast<double>(column[k][j + k]);
      store<W>(place, x[k][s]);
    }
  const std::ptrdiff_t ahead = C * rows;  // distance to the same row of the next block
  for (std::ptrdiff_t i = j + C; i < rows; ++i) {
    if (C > 1 && i % 8 == 0)
      for (int k = 0; k < C; ++k)
        __builtin_prefetch(column[k] + i + ahead);
    Row sum[S];
    for (int s = 0; s < S; ++s)
      load<W>(sum[s], y + (s * rows + i) * W);
    for (int k = 0; k < C; ++k)
      for (int s = 0; s < S; ++s)
        sum[s] -= static_cast<double>(column[k][i]) * x[k][s];
    for (int s = 0; s < S; ++s)
      store<W>(y + (s * rows + i) * W, sum[s]);
  }
}

template <int W, int S, int C, typename Number>
[[gnu::always_inline]] inline void backward_block(const Number* l,
                                                  std::ptrdiff_t j,
                                                  std::ptrdiff_t rows,
                                                  double* y) {
  using Row = typename RowOf<W>::type;
  constexpr int sums = C * S < 8 ? 2 : 1;  // two sums over alternate rows hide the latency
  const Number* column[C];
  Row x[sums][C][S] = {};
  for (int k = 0; k < C; ++k) {
    column[k] = l + (j + k) * rows;
    for (int s = 0; s < S; ++s)
      load<W>(x[0][k][s], y + (s * rows + j + k) * W);
  }
  const std::ptrdiff_t ahead = -C * rows;
  std::ptrdiff_t i = j + C;
  for (; i + sums <= rows; i += sums) {
    if (C > 1 && i % 8 < sums)
      for (int k = 0; k < C; ++k)
        __builtin_prefetch(column[k] + i + ahead);
    for (int r = 0; r < sums; ++r) {
      Row from[S];
      for (int s = 0; s < S; ++s)
        load<W>(from[s], y + (s * rows + i + r) * W);
      for (int k = 0; k < C; ++k)
        for (int s = 0; s < S; ++s)
          x[r][k][s] -= static_cast<double>(column[k][i + r]) * from[s];
    }
  }
  for (; i < rows; ++i)
    for (int s = 0; s < S; ++s) {
      Row from;
      load<W>(from, y + (s * rows + i) * W);
      for (int k = 0; k < C; ++k)
        x[0][k][s] -= static_cast<double>(column[k][i]) * from;
    }
  for (int s = 0; s < S; ++s)
    for (int k = C - 1; k >= 0; --k) {
      Row sum = x[0][k][s];
      if (sums > 1) sum += x[sums - 1][k][s];
      for (int after = C - 1; after > k; --after)
        sum -= static_cast<double>(column[k][j + after]) * x[0][after][s];
      sum *= static_cast<double>(column[k][j + k]);
      x[0][k][s] = sum;
      store<W>(y + (s * rows + j + k) * W, sum);
    }
}

template <int W, int S, int C, typename Number>
[[gnu::always_inline]] inline void forward(const Number* l,
                                           std::ptrdiff_t width,
                                           std::ptrdiff_t rows,
                                           double* y) {
  std::ptrdiff_t j = 0;
  for (; j + C <= width; j += C)
    forward_block<W, S, C>(l, j, rows, y);
  for (; j < width; ++j)
    forward_block<W, S, 1>(l, j, rows, y);
}

template <int W, int S, int C, typename Number>
[[gnu::always_inline]] inline void backward(const Number* l,
                                            std::ptrdiff_t width,
                                            std::ptrdiff_t rows,
                                            double* y) {
  std::ptrdiff_t j = width;
  for (; j % C != 0; --j)
    backward_block<W, S, 1>(l, j - 1, rows, y);
  for (j -= C; j >= 0; j -= C)
    backward_block<W, S, C>(l, j, rows, y);
}

FEMFLEX_CLONES void forward1(const double* l, std::ptrdiff_t w, std::ptrdiff_t r, double* y) {
  forward<1, 1, 4>(l, w, r, y);
}
FEMFLEX_CLONES void forward4(const double* l, std::ptrdiff_t w, std::ptrdiff_t r, double* y) {
  forward<4, 1, 4>(l, w, r, y);
}
FEMFLEX_CLONES void forward8(const double* l, std::ptrdiff_t w, std::ptrdiff_t r, double* y) {
  forward<8, 1, 4>(l, w, r, y);
}
FEMFLEX_CLONES void backward1(const double* l, std::ptrdiff_t w, std::ptrdiff_t r, double* y) {
  backward<1, 1, 4>(l, w, r, y);
}
FEMFLEX_CLONES void backward4(const double* l, std::ptrdiff_t w, std::ptrdiff_t r, double* y) {
  backward<4, 1, 4>(l, w, r, y);
}
FEMFLEX_CLONES void backward8(const double* l, std::ptrdiff_t w, std::ptrdiff_t r, double* y) {
  backward<8, 1, 4>(l, w, r, y);
}

FEMFLEX_CLONES void forward8_single(const float* l, std::ptrdiff_t w, std::ptrdiff_t r, double* y) {
  forward<8, 1, 4>(l, w, r, y);
}
FEMFLEX_CLONES void backward8_single(const float* l,
                                     std::ptrdiff_t w,
                                     std::ptrdiff_t r,
                                     double* y) {
  backward<8, 1, 4>(l, w, r, y);
}

// Two or three strips are solved together if the machine has 32 wide registers, enough for blocks
// of eight columns; otherwise one by one.
using Kernel = void (*)(const double*, std::ptrdiff_t, std::ptrdiff_t, double*);
[[maybe_unused]] void one_by_one(Kernel kernel, const Panel& panel, int strips, double* y) {
  for (std::ptrdiff_t s = 0; s < strips; ++s)
    kernel(panel.values, panel.width, panel.rows(), y + s * panel.rows() * 8);
}
#if FEMFLEX_VERSIONS
[[gnu::target("arch=x86-64-v4")]] void forward_strips(const Panel& p, int strips, double* y) {
  strips == 3 ? forward<8, 3, 8>(p.values, p.width, p.rows(), y)
              : forward<8, 2, 8>(p.values, p.width, p.rows(), y);
}
[[gnu::target("arch=x86-64-v4")]] void backward_strips(const Panel& p, int strips, double* y) {
  strips == 3 ? backward<8, 3, 8>(p.values, p.width, p.rows(), y)
              : backward<8, 2, 8>(p.values, p.width, p.rows(), y);
}
[[gnu::target("default")]]
#endif
void forward_strips(const Panel& panel, int strips, double* y) {
  one_by_one(forward8, panel, strips, y);
}
#if FEMFLEX_VERSIONS
[[gnu::target("default")]]
#endif
void backward_strips(const Panel& panel, int strips, double* y) {
  one_by_one(backward8, panel, strips, y);
}

}  // namespace

void forward_panel(const Panel& panel, int columns, int strips, double* y) {
  if (strips > 1) return forward_strips(panel, strips, y);
  const Kernel kernel = columns == 1 ? forward1 : columns == 4 ? forward4 : forward8;
  kernel(panel.values, panel.width, panel.rows(), y);
}

void backward_panel(const Panel& panel, int columns, int strips, double* y) {
  if (strips > 1) return backward_strips(panel, strips, y);
  const Kernel kernel = columns == 1 ? backward1 : columns == 4 ? backward4 : backward8;
  kernel(panel.values, panel.width, panel.rows(), y);
}

void forward_panel(const PanelOf<float>& panel, int /*columns*/, int strips, double* y) {
  for (std::ptrdiff_t s = 0; s < strips; ++s)
    forward8_single(panel.values, panel.width, panel.rows(), y + s * panel.rows() * kPanelColumns);
}

void backward_panel(const PanelOf<float>& panel, int /*columns*/, int strips, double* y) {
  for (std::ptrdiff_t s = 0; s < strips; ++s)
    backward8_single(panel.values, panel.width, panel.rows(), y + s * panel.rows() * kPanelColumns);
}

}  // namespace femflex::modal
