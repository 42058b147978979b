#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>

namespace femflex::hamiltonian::tiles {

/// Zeros that begin at a cache line.
struct Aligned {
  explicit Aligned(std::size_t count = 0)
      : values(static_cast<double*>(
            count == 0 ? nullptr
                       : ::operator new[](count * sizeof(double), std::align_val_t(64)))) {
    std::fill_n(values.get(), count, 0.0);
  }
  struct Free {
    void operator()(double* p) const { ::operator delete[](p, std::align_val_t(64)); }
  };
  double* data() const { return values.get(); }
  std::unique_ptr<double[], Free> values;
};

}  // namespace femflex::hamiltonian::tiles
