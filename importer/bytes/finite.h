// Tells whether all numbers of a binary record are finite, at the cost of two operations on bits.
#pragma once

#include <bit>
#include <cstdint>

namespace femflex::importer {

/// NaN and infinity have every bit of their exponent set, so that one more in its last place
/// carries into the sign.
class FiniteCheck {
 public:
  void see(float value) {
    carried_ |= (std::bit_cast<std::uint32_t>(value) & 0x7F800000U) + 0x00800000U;
  }
  void see(double value) {
    carried_wide_ |=
        (std::bit_cast<std::uint64_t>(value) & 0x7FF0000000000000ULL) + 0x0010000000000000ULL;
  }
  bool all_finite() const { return carried_ >> 31U == 0 && carried_wide_ >> 63U == 0; }

 private:
  std::uint32_t carried_ = 0;
  std::uint64_t carried_wide_ = 0;
};

}  // namespace femflex::importer
