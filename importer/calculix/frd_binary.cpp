// Copies the entries of binary fields in one pass over the file and the memory.
#include "calculix/frd_binary.h"

#include "bytes/finite.h"

namespace femflex::importer {
namespace {

/// copy_entries() of one kind. Stored > 0: the number of reals (3 or 6), known to the compiler.
template <typename Real, std::size_t Stored, bool All>
bool copy_rows(const BinaryEntries& entries, const std::vector<std::size_t>* places, double* to) {
  const std::size_t width = Stored > 0 ? Stored : entries.stored;
  const std::size_t stride = sizeof(std::int32_t) + width * sizeof(Real);
  const std::size_t rows = Stored > 0 ? Stored : entries.rows();
  const std::size_t count = All ? entries.count : places->size();
  FiniteCheck check;
  for (std::size_t k = 0; k < count; ++k, to += rows) {
    const char* at = entries.start + (All ? k : (*places)[k]) * stride + sizeof(std::int32_t);
    for (std::size_t c = 0; c < width; ++c) {
      const Real value = load<Real>(at + c * sizeof(Real), false);
      check.see(value);
      to[c] = static_cast<double>(value);
    }
    for (std::size_t c = width; c < rows; ++c)
      to[c] = 0.0;
  }
  return check.all_finite();
}

template <typename Real, bool All>
bool copy_numbers(const BinaryEntries& entries,
                  const std::vector<std::size_t>* places,
                  double* to) {
  if (entries.stored == 3) return copy_rows<Real, 3, All>(entries, places, to);
  if (entries.stored == 6) return copy_rows<Real, 6, All>(entries, places, to);
  return copy_rows<Real, 0, All>(entries, places, to);
}

template <bool All>
bool copy_widths(const BinaryEntries& entries, const std::vector<std::size_t>* places, double* to) {
  return entries.real_width == sizeof(float) ? copy_numbers<float, All>(entries, places, to)
                                             : copy_numbers<double, All>(entries, places, to);
}

}  // namespace

bool copy_entries(const BinaryEntries& entries,
                  const std::vector<std::size_t>* places,
                  double* to) {
  return places == nullptr ? copy_widths<true>(entries, places, to)
                           : copy_widths<false>(entries, places, to);
}

}  // namespace femflex::importer
