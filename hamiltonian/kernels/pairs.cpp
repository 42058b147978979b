// Finds the distinct pairs of spring constants (alpha, beta) of a network by hashing their leading
// bits. Pairs that differ only in their last bits count as equal.
#include "kernels/pairs.h"

#include <bit>
#include <unordered_map>

namespace femflex::hamiltonian::tiles {
namespace {

constexpr std::size_t kMaxPairs = 4096;  // with more distinct pairs, each bond gets its own
constexpr unsigned kRounding = 6;        // number of lowest bits that are ignored

struct Key {
  std::uint64_t a = 0, b = 0;
  bool operator==(const Key&) const = default;
};
struct Hash {
  std::size_t operator()(const Key& k) const {
    return static_cast<std::size_t>((k.a ^ (k.b * 0x9e3779b97f4a7c15ULL)) * 0xff51afd7ed558ccdULL >>
                                    11U);
  }
};
using Known = std::unordered_map<Key, std::uint32_t, Hash>;

Key key_of(const Bond& bond) {
  return {std::bit_cast<std::uint64_t>(bond.alpha) >> kRounding,
          std::bit_cast<std::uint64_t>(bond.beta) >> kRounding};
}

/// Also finds an adjacent key, because rounding may cross the border between two keys.
Known::const_iterator find(const Known& known, const Key& key) {
  for (const std::uint64_t a : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
    for (const std::uint64_t b : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
      const auto found = known.find({key.a + a, key.b + b});
      if (found != known.end()) return found;
    }
  }
  return known.end();
}

Pairs one_each(std::span<const Bond> bonds) {
  Pairs out;
  for (const Bond& bond : bonds) {
    out.number.push_back(static_cast<std::uint32_t>(out.alpha.size()));
    out.alpha.push_back(bond.alpha);
    out.beta.push_back(bond.beta);
  }
  return out;
}

}  // namespace

Pairs find_pairs(std::span<const Bond> bonds) {
  Pairs out;
  Known known;
  out.number.reserve(bonds.size());
  Key last;
  std::uint32_t number = 0;
  for (const Bond& bond : bonds) {
    const Key key = key_of(bond);
    if (out.alpha.empty() || !(key == last)) {
      const auto found = find(known, key);
      if (found != known.end()) {
        number = found->second;
      } else {
        number = static_cast<std::uint32_t>(out.alpha.size());
        known.emplace(key, number);
        out.alpha.push_back(bond.alpha);
        out.beta.push_back(bond.beta);
        if (known.size() > kMaxPairs) return one_each(bonds);
      }
      last = key;
    }
    out.number.push_back(number);
  }
  return out;
}

}  // namespace femflex::hamiltonian::tiles
