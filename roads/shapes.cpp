// Construction and checks of bumps (cleats, potholes, kerbs) and waves; shapes.h contains the
// evaluation.
#include "femflex/roads/shapes.h"

#include <algorithm>
#include <numbers>

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::roads {
namespace {

void require_finite(double value, const char* what) {
  if (!std::isfinite(value))
    throw ModelError("not-finite", fmt::format("road: {} is not a finite number", what));
}

/// Infinity is accepted.
void require_length(double value, const char* what) {
  if (!(value >= 0.0))
    throw ModelError("road-size",
                     fmt::format("road: {} is {} m; a length of 0 or more is needed", what, value));
}

void require_positive(double value, const char* what) {
  if (!(value > 0.0) || !std::isfinite(value))
    throw ModelError("road-size",
                     fmt::format("road: {} is {} m; it must be above 0 and finite", what, value));
}

}  // namespace

LocalAxes::LocalAxes(const Placement& at)
    : at_(at), cos_(std::cos(at.heading)), sin_(std::sin(at.heading)) {
  require_finite(at.x, "x of a placement");
  require_finite(at.y, "y of a placement");
  require_finite(at.heading, "heading of a placement");
}

Bump::Bump(const Placement& at, const Size& size)
    : axes_(at),
      size_(size),
      along_{size.length, size.ramp},
      across_{size.width, size.ramp},
      height_(size.height),
      half_width_(0.5 * size.width),
      is_endless_(std::isinf(size.width)) {
  require_finite(size.height, "height of a bump");
  require_length(size.length, "length of a bump");
  require_length(size.width, "width of a bump");
  require_positive(size.ramp, "ramp of a bump");
}

Wave::Wave(const Placement& at, const Shape& shape) : axes_(at), shape_(shape) {
  require_finite(shape.amplitude, "amplitude of a wave");
  require_finite(shape.shift, "shift of a wave");
  require_positive(shape.first_wavelength, "first wavelength");
  require_positive(shape.last_wavelength, "last wavelength");
  require_positive(shape.length, "length of a wave");
  require_positive(shape.track, "track width of a wave");
  constexpr double kTurn = 2.0 * std::numbers::pi;
  wave_number_ = kTurn / shape.first_wavelength;
  sweep_ = (kTurn / shape.last_wavelength - wave_number_) / shape.length;
}

double Wave::jump() const {
  // the largest height of the two tracks at the two ends
  const double last = (wave_number_ + 0.5 * sweep_ * shape_.length) * shape_.length;
  double largest = 0.0;
  for (const double phi : {0.0, last})
    for (const double shift : {0.0, shape_.shift})
      largest = std::max(largest, std::abs(shape_.amplitude * std::sin(phi + shift)));
  return largest;
}

}  // namespace femflex::roads
