// Selects modes of a set by kind and number, as written on the command line.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include "femflex/mode_set.h"

namespace femflex::modal {

/// Some modes of one kind; no numbers means all of them.
struct ModeSelection {
  ModeKind kind = ModeKind::dynamic;
  std::vector<std::int64_t> numbers;  ///< 1-based within the kind
};

/// Reads `dynamic:1-20,25,static:1,constraint` (a kind without numbers means all its modes).
/// `all` means the whole set and returns an empty vector.
/// @throws UsageError  a kind or list that does not parse
std::vector<ModeSelection> parse_selection(std::string_view text);

/// Column numbers of the chosen modes in `modes`, in the order requested; an empty selection takes
/// all of them.
/// @throws UsageError  a chosen mode does not exist (the message lists those that do), or is chosen
/// twice
std::vector<Eigen::Index> columns_of(const ModeSet& modes,
                                     const std::vector<ModeSelection>& selection);

}  // namespace femflex::modal
