// RowOf: a vector type that holds one row of right-hand sides, with functions to load and store it.
#pragma once

#include <cstring>

namespace femflex::modal {

/// One row of `W` numbers as a vector type, which the compiler maps to the registers of the
/// machine.
template <int W>
struct RowOf {
  using type __attribute__((vector_size(W * sizeof(double)))) = double;
};
template <>
struct RowOf<1> {
  using type = double;
};

template <int W>
[[gnu::always_inline]] inline void load(typename RowOf<W>::type& row, const double* from) {
  std::memcpy(&row, from, sizeof(row));
}
template <int W>
[[gnu::always_inline]] inline void store(double* to, const typename RowOf<W>::type& row) {
  std::memcpy(to, &row, sizeof(row));
}

}  // namespace femflex::modal
