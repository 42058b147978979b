// Checks the counts and frequencies that requests of modes and of reductions share.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace femflex::modal {

/// @param option  the option that sets the count, for the message
/// @throws UsageError  the count is negative
void check_count(std::int64_t count, std::string_view option);

/// @throws UsageError  the frequency is zero, negative or not finite
void check_highest_frequency(const std::optional<double>& fmax_hz);

}  // namespace femflex::modal
