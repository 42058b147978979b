// Multiplies the numbers of nodes, springs or bytes by measured amounts of memory, and compares the
// result with the memory that is free.
#include "lattice/lattice_memory.h"

#include <optional>
#include <string>

#include <fmt/format.h>

#include "femflex/memory.h"

namespace femflex::tools {
namespace {

// Measured as the largest resident size in runs of blocks, chains and lists of 3e4 to 1e5 nodes.
constexpr double kPerNode = 600.0;      // [bytes] two copies of the model, the index of nodes, and
                                        // states
constexpr double kPerSpring = 300.0;    // [bytes] the same
constexpr double kPerCharacter = 50.0;  // [bytes] per character of JSON, including the model

std::string gigabytes(double bytes) {
  return fmt::format("{:.3g} GB", bytes / 1e9);
}

void require(double bytes, const std::string& what, const Where& place, const std::string& fix) {
  const std::optional<double> there = memory_at_hand();
  if (!there || bytes <= *there) return;
  throw NumericalError(
      "out-of-memory",
      fmt::format("{} need about {}, and {} are free", what, gigabytes(bytes), gigabytes(*there)),
      place,
      fix);
}

}  // namespace

void require_memory(double nodes, double springs, const Where& place) {
  require(kPerNode * nodes + kPerSpring * springs,
          fmt::format("{:.4g} nodes and {:.4g} springs", nodes, springs),
          place,
          "take fewer nodes, or a machine with more memory");
}

void require_memory_to_read(double bytes, const Where& place) {
  require(kPerCharacter * bytes,
          fmt::format("{} of text", gigabytes(bytes)),
          place,
          "give a regular lattice by \"generate\", or take a machine with more memory");
}

}  // namespace femflex::tools
