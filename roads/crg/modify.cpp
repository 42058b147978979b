// Options and modifiers of a .crg file. Without GRID_NAN_MODE, missing heights at a border get the
// nearest value of their cross section. Positions are those of the file unless a modifier moves
// them.
#include "crg/modify.h"

#include <cmath>
#include <cstddef>
#include <limits>

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::roads::crg {
namespace {

using Entries = std::map<std::string, Entry>;

Where modifier_place(const std::string& file, std::int64_t line) {
  Where where;
  where.file = file;
  where.line = line;
  return where;
}

double number_or(const Entries& entries, const std::string& key, double otherwise) {
  const auto found = entries.find(key);
  return found == entries.end() ? otherwise : found->second.value;
}

/// An integer from 0 to `last`.
int choice(const Entries& entries,
           const std::string& key,
           int otherwise,
           int last,
           const std::string& file) {
  const auto found = entries.find(key);
  if (found == entries.end()) return otherwise;
  const double value = found->second.value;
  for (int k = 0; k <= last; ++k)
    if (value == static_cast<double>(k)) return k;
  throw ParseError("crg-option",
                   fmt::format("{} {}; whole numbers from 0 to {} are possible", key, value, last),
                   modifier_place(file, found->second.line));
}

/// Treatment of missing heights between the border of a cross section and its first height.
enum class Missing { keep, zero, hold };

/// Replaces missing heights of a cross section between a border and the first existing height.
/// @param step  1 from the right border, -1 from the left border
void fill_border(
    double* row, std::ptrdiff_t size, std::ptrdiff_t step, Missing rule, double offset) {
  std::ptrdiff_t k = step > 0 ? 0 : size - 1;
  const auto is_inside = [size](std::ptrdiff_t j) { return j >= 0 && j < size; };
  while (is_inside(k) && std::isnan(row[k]))
    k += step;
  const double held = is_inside(k) ? row[k] : std::numeric_limits<double>::quiet_NaN();
  for (k -= step; is_inside(k); k -= step)
    row[k] = rule == Missing::zero ? offset : held + offset;
}

void fill_borders(
    Missing rule, double offset, const std::string& file, Diagnostics& diagnostics, CrgData& data) {
  const std::size_t width = data.v.size();
  std::size_t inner = 0;
  for (std::size_t i = 0; i < data.sections(); ++i) {
    double* row = data.z.data() + i * width;
    if (rule != Missing::keep) {
      fill_border(row, static_cast<std::ptrdiff_t>(width), 1, rule, offset);
      fill_border(row, static_cast<std::ptrdiff_t>(width), -1, rule, offset);
    }
    for (std::size_t j = 0; j < width; ++j)
      inner += std::isnan(row[j]) ? 1 : 0;
  }
  if (inner > 0)
    diagnostics.warn(
        "crg-missing",
        fmt::format(
            "{} of {} heights are missing; the road has no value there", inner, data.z.size()),
        modifier_place(file, -1));
}

void scale(std::vector<double>& values, double factor) {
  if (factor == 0.0) return;  // OpenCRG ignores a factor of 0
  for (double& value : values)
    value *= factor;
}

/// Rotates the line about a centre, then moves it.
void move_line(const Entries& modifiers, CrgData& data) {
  const double angle = number_or(modifiers, "REFLINE_OFFSET_PHI", 0.0);
  const double centre_x = number_or(modifiers, "REFLINE_ROTCENTER_X", data.x_start);
  const double centre_y = number_or(modifiers, "REFLINE_ROTCENTER_Y", data.y_start);
  const double dx = number_or(modifiers, "REFLINE_OFFSET_X", 0.0);
  const double dy = number_or(modifiers, "REFLINE_OFFSET_Y", 0.0);
  const double dz = number_or(modifiers, "REFLINE_OFFSET_Z", 0.0);
  const double c = std::cos(angle), s = std::sin(angle);
  const auto turn = [&](double& x, double& y) {
    const double from_x = x - centre_x, from_y = y - centre_y;
    x = centre_x + c * from_x - s * from_y + dx;
    y = centre_y + s * from_x + c * from_y + dy;
  };
  turn(data.x_start, data.y_start);
  if (data.x_end && data.y_end) turn(*data.x_end, *data.y_end);
  for (double& heading : data.heading)
    heading += angle;
  data.z_start += dz;
  if (data.z_end) *data.z_end += dz;
}

/// Rejects modifiers that move the road by a reference point or stretch the line.
void refuse_others(const Entries& modifiers, const std::string& file) {
  for (const auto& [key, entry] : modifiers) {
    const bool is_stretch = key == "SCALE_LENGTH" || key == "SCALE_CURVATURE";
    if (key.starts_with("REFPOINT_") || (is_stretch && entry.value != 1.0))
      throw ModelError("crg-modifier",
                       fmt::format("the modifier {} is not supported", key),
                       modifier_place(file, entry.line),
                       "REFLINE_OFFSET_X, _Y, _Z and _PHI move a road");
  }
}

}  // namespace

void apply_options(const Entries& options,
                   const std::string& file,
                   Diagnostics& diagnostics,
                   CrgData& data) {
  constexpr int kLastMode = 4, kHold = 2;
  data.u_border.mode =
      static_cast<Border>(choice(options, "BORDER_MODE_U", kHold, kLastMode, file));
  data.v_border.mode =
      static_cast<Border>(choice(options, "BORDER_MODE_V", kHold, kLastMode, file));
  data.u_border.offset = number_or(options, "BORDER_OFFSET_U", 0.0);
  data.v_border.offset = number_or(options, "BORDER_OFFSET_V", 0.0);
  data.smooth_start = number_or(options, "BORDER_SMOOTH_UBEG", 0.0);
  data.smooth_end = number_or(options, "BORDER_SMOOTH_UEND", 0.0);
  if (data.smooth_start < 0.0 || data.smooth_end < 0.0)
    throw ParseError("crg-option",
                     "BORDER_SMOOTH_UBEG or BORDER_SMOOTH_UEND is negative",
                     modifier_place(file, -1));
  const auto closed = options.find("REFLINE_CONTINUATION");
  if (closed != options.end() && closed->second.value != 0.0)
    diagnostics.warn(
        "crg-option",
        "REFLINE_CONTINUATION: a closed track is not supported; the line goes on straight",
        modifier_place(file, closed->second.line));
}

void apply_modifiers(const Entries& modifiers,
                     const std::string& file,
                     Diagnostics& diagnostics,
                     CrgData& data) {
  refuse_others(modifiers, file);
  const double width = number_or(modifiers, "SCALE_WIDTH", 0.0);
  if (width < 0.0)
    throw ParseError("crg-option", "SCALE_WIDTH is negative", modifier_place(file, -1));
  scale(data.v, width);
  scale(data.z, number_or(modifiers, "SCALE_Z_GRID", 0.0));
  const double slope = number_or(modifiers, "SCALE_SLOPE", 0.0);
  scale(data.slope, slope);
  if (slope != 0.0 && data.z_end) data.z_end = data.z_start + slope * (*data.z_end - data.z_start);
  scale(data.banking, number_or(modifiers, "SCALE_BANKING", 0.0));
  constexpr int kLastRule = 2;
  const int rule = choice(modifiers, "GRID_NAN_MODE", kLastRule, kLastRule, file);
  fill_borders(static_cast<Missing>(rule),
               number_or(modifiers, "GRID_NAN_OFFSET", 0.0),
               file,
               diagnostics,
               data);
  move_line(modifiers, data);
}

}  // namespace femflex::roads::crg
