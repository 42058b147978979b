// Refuses counts below zero and frequencies that are not above zero.
#include "request_checks.h"

#include <cmath>

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::modal {

void check_count(std::int64_t count, std::string_view option) {
  if (count < 0)
    throw UsageError("count",
                     fmt::format("{} modes were requested", count),
                     {},
                     fmt::format("give zero or a positive number ({})", option));
}

void check_highest_frequency(const std::optional<double>& fmax_hz) {
  if (fmax_hz && !(*fmax_hz > 0.0 && std::isfinite(*fmax_hz)))
    throw UsageError("fmax",
                     fmt::format("{} Hz is not a valid upper frequency", *fmax_hz),
                     {},
                     "give a frequency above zero");
}

}  // namespace femflex::modal
