// Converts a .crg file to CrgData: channels, axes, reference line, options and modifiers of
// [OpenCRG 1.2].
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/number.h"
#include "femflex/roads/crg.h"
#include "femflex/text.h"

#include "crg/header.h"
#include "crg/modify.h"
#include "crg/records.h"

namespace femflex::roads {
namespace {

using crg::Entry;
using crg::Header;
using crg::HeaderLine;
using Entries = std::map<std::string, Entry>;

// two numbers of a file agree if they differ by less than this share of an increment; axes in files
// have four or more digits
constexpr double kAgreement = 0.01;
// [m] smallest and largest increment; the smallest increment of OpenCRG is 1 mm
constexpr double kLeastIncrement = 1e-4, kMostIncrement = 1e4;

Where crg_place(const std::string& file, std::int64_t line = -1) {
  Where where;
  where.file = file;
  where.line = line;
  return where;
}

std::optional<double> value_of(const Entries& entries, const std::string& key) {
  const auto found = entries.find(key);
  return found == entries.end() ? std::nullopt : std::optional(found->second.value);
}

/// Columns of the data, and their encoding.
struct Channels {
  crg::Encoding encoding;
  std::size_t count = 0;
  std::optional<std::size_t> heading, slope, banking;
  std::vector<std::pair<double, std::size_t>> sections;  // number or position [m] of the section,
                                                         // column
  bool has_positions = false;
  std::optional<double> u_start, u_increment;  // [m] from the virtual channel u
};

crg::Encoding encoding_of(std::string_view word, const Where& where) {
  const std::string name = upper_case(trimmed(word));
  for (const char* known : {"KRBI", "KDBI", "LRFI", "LDFI"})
    if (name == known) return {known[2] == 'F', known[1] == 'D'};
  throw ParseError("crg-encoding",
                   fmt::format("data format '{}'", name.substr(0, 40)),
                   where,
                   "formats are KRBI, KDBI, LRFI and LDFI");
}

/// Reads the virtual channel, such as "reference line u,m,0.0,0.01".
void take_virtual(std::string_view text, Channels& channels) {
  constexpr std::string_view kName = "reference line u";
  if (!lower_case(text).starts_with(kName)) return;
  std::size_t comma = text.find(',');
  for (auto* target :
       {static_cast<std::optional<double>*>(nullptr), &channels.u_start, &channels.u_increment}) {
    if (comma == std::string_view::npos) return;
    text.remove_prefix(comma + 1);
    comma = text.find(',');
    if (target != nullptr) *target = parse_real(text.substr(0, comma));
  }
}

/// Reads a channel such as "long section 3" or "long section at v = -1.5".
void take_section(const std::string& name, const Where& where, Channels& channels) {
  constexpr std::string_view kLong = "long section", kAt = "at v";
  std::string_view rest = trimmed(std::string_view(name).substr(kLong.size()));
  const bool is_position = rest.starts_with(kAt);
  if (is_position) {
    rest = trimmed(rest.substr(kAt.size()));
    if (!rest.starts_with('='))
      throw ParseError("crg-channel", "a position is written 'at v = number'", where);
    rest.remove_prefix(1);
  }
  const auto value = parse_real(rest);
  if (!value || !std::isfinite(*value))
    throw ParseError("crg-channel", fmt::format("'{}' is not a number", rest.substr(0, 40)), where);
  if (!channels.sections.empty() && channels.has_positions != is_position)
    throw ParseError("crg-channel", "long sections by number and by position are mixed", where);
  channels.has_positions = is_position;
  channels.sections.emplace_back(*value, channels.count);
}

void take_channel(std::string_view text,
                  const Where& where,
                  Channels& channels,
                  Diagnostics& diagnostics) {
  const std::size_t comma = text.find(',');
  const std::string name = lower_case(trimmed(text.substr(0, comma)));
  const std::string unit =
      comma == std::string_view::npos ? std::string() : lower_case(trimmed(text.substr(comma + 1)));
  std::string expected = "m/m";
  if (name == "reference line phi") {
    channels.heading = channels.count;
    expected = "rad";
  } else if (name == "reference line slope") {
    channels.slope = channels.count;
  } else if (name == "reference line banking") {
    channels.banking = channels.count;
  } else if (name.starts_with("long section")) {
    take_section(name, where, channels);
    expected = "m";
  } else {
    diagnostics.warn("crg-channel", fmt::format("channel '{}' is not read", name), where);
    expected = unit;
  }
  if (unit != expected)
    throw ParseError("crg-unit",
                     fmt::format("{} has the unit '{}'; {} is expected",
                                 name.substr(0, 40),
                                 unit.substr(0, 20),
                                 expected),
                     where);
  ++channels.count;
}

Channels channels_of(const Header& header, const std::string& file, Diagnostics& diagnostics) {
  const auto found = header.sections.find("KD_DEFINITION");
  if (found == header.sections.end())
    throw ParseError("crg-section", "there is no section $KD_DEFINITION", crg_place(file));
  Channels channels;  // the default encoding is KRBI
  for (const HeaderLine& line : found->second) {
    const Where where = crg_place(file, line.number);
    const std::string_view rest = line.text.substr(std::min<std::size_t>(2, line.text.size()));
    if (line.text.starts_with("#:"))
      channels.encoding = encoding_of(rest, where);
    else if (line.text.starts_with("U:"))
      take_virtual(rest, channels);
    else if (line.text.starts_with("D:"))
      take_channel(rest, where, channels, diagnostics);
    else
      diagnostics.warn("crg-channel", "the line is not read", where);
  }
  if (channels.sections.size() < 2)
    throw ParseError(
        "crg-channel",
        fmt::format("{} long sections; two or more are needed", channels.sections.size()),
        crg_place(file));
  std::sort(channels.sections.begin(), channels.sections.end());
  return channels;
}

/// v of numbered sections: evenly spaced, number 1 at the right border.
std::vector<double> numbered_positions(const Channels& channels,
                                       const Entries& road,
                                       const std::string& file) {
  const std::size_t n = channels.sections.size();
  for (std::size_t k = 0; k < n; ++k)
    if (channels.sections[k].first != static_cast<double>(k + 1))
      throw ParseError("crg-channel",
                       fmt::format("long sections are not numbered from 1 to {}", n),
                       crg_place(file));
  const auto right = value_of(road, "LONG_SECTION_V_RIGHT");
  const auto left = value_of(road, "LONG_SECTION_V_LEFT");
  const auto given = value_of(road, "LONG_SECTION_V_INCREMENT");
  const auto last = static_cast<double>(n - 1);
  if (!given && !(right && left))
    throw ParseError("crg-section",
                     "positions of numbered long sections are missing",
                     crg_place(file),
                     "give two of LONG_SECTION_V_RIGHT, _LEFT and _INCREMENT");
  const double step = given ? *given : (*left - *right) / last;
  const double first = right ? *right : (left ? *left - last * step : -0.5 * last * step);
  if (!(step > 0.0))
    throw ModelError("crg-axis", fmt::format("v increment {} m", step), crg_place(file));
  if (left && std::abs(first + last * step - *left) > kAgreement * step)
    throw ModelError("crg-axis",
                     fmt::format("{} long sections from {} m by {} m end at {} m, and "
                                 "LONG_SECTION_V_LEFT is {} m",
                                 n,
                                 first,
                                 step,
                                 first + last * step,
                                 *left),
                     crg_place(file));
  std::vector<double> v(n);
  for (std::size_t k = 0; k < n; ++k)
    v[k] = first + static_cast<double>(k) * step;
  return v;
}

/// Sets start and increment of the u axis, and compares the number of cross sections with END_U.
void set_u_axis(const Entries& road,
                const Channels& channels,
                std::size_t rows,
                const std::string& file,
                CrgData& data) {
  const auto start = value_of(road, "REFERENCE_LINE_START_U");
  const auto increment = value_of(road, "REFERENCE_LINE_INCREMENT");
  const auto end = value_of(road, "REFERENCE_LINE_END_U");
  data.u_start = start.value_or(channels.u_start.value_or(0.0));
  if (!increment && !channels.u_increment)
    throw ParseError("crg-section", "REFERENCE_LINE_INCREMENT is missing", crg_place(file));
  data.u_increment = increment ? *increment : *channels.u_increment;
  if (!(data.u_increment >= kLeastIncrement && data.u_increment <= kMostIncrement))
    throw ModelError("crg-axis",
                     fmt::format("REFERENCE_LINE_INCREMENT {} m; it must be from {} to {} m",
                                 data.u_increment,
                                 kLeastIncrement,
                                 kMostIncrement),
                     crg_place(file));
  if (rows < 2)
    throw ParseError("truncated",
                     fmt::format("{} cross sections; two or more are needed", rows),
                     crg_place(file));
  if (!end) return;
  const double expected = (*end - data.u_start) / data.u_increment + 1.0;
  if (std::abs(expected - static_cast<double>(rows)) <= kAgreement * static_cast<double>(rows) &&
      std::abs(expected - static_cast<double>(rows)) < 0.5)
    return;
  const std::string message =
      fmt::format("{} cross sections; the header's u axis has {:.1f}", rows, expected);
  if (static_cast<double>(rows) < expected)
    throw ParseError("truncated", message, crg_place(file), "write the file again");
  throw ModelError("crg-axis", message, crg_place(file));
}

/// The column of a channel of the reference line; empty if there is none. If the channel has one
/// value per segment, the first row is omitted.
std::vector<double> line_channel(const std::vector<double>& rows,
                                 const Channels& channels,
                                 std::optional<std::size_t> column,
                                 bool is_per_segment) {
  std::vector<double> out;
  if (!column) return out;
  const std::size_t n = rows.size() / channels.count;
  for (std::size_t i = is_per_segment ? 1 : 0; i < n; ++i)
    out.push_back(rows[i * channels.count + *column]);
  return out;
}

std::vector<double> or_constant(std::vector<double> values,
                                const Entries& road,
                                const std::string& key,
                                const std::string& file) {
  if (!values.empty()) {
    if (!std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); }))
      throw ModelError(
          "not-finite", "the reference line has a row without a value", crg_place(file));
    return values;
  }
  const double start = value_of(road, "REFERENCE_LINE_START_" + key).value_or(0.0);
  const auto end = value_of(road, "REFERENCE_LINE_END_" + key);
  if (end && std::abs(*end - start) > kAgreement * std::max(std::abs(start), std::abs(*end)))
    throw ModelError("crg-line",
                     fmt::format("REFERENCE_LINE_START_{0} {1} and REFERENCE_LINE_END_{0} {2} "
                                 "differ, and there is no channel in between",
                                 key,
                                 start,
                                 *end),
                     crg_place(file));
  return {start};
}

void set_line(const std::vector<double>& rows,
              const Channels& channels,
              const Entries& road,
              const std::string& file,
              CrgData& data) {
  data.heading =
      or_constant(line_channel(rows, channels, channels.heading, true), road, "PHI", file);
  data.slope = or_constant(line_channel(rows, channels, channels.slope, true), road, "S", file);
  data.banking =
      or_constant(line_channel(rows, channels, channels.banking, false), road, "B", file);
  data.x_start = value_of(road, "REFERENCE_LINE_START_X").value_or(0.0);
  data.y_start = value_of(road, "REFERENCE_LINE_START_Y").value_or(0.0);
  data.z_start = value_of(road, "REFERENCE_LINE_START_Z").value_or(0.0);
  data.x_end = value_of(road, "REFERENCE_LINE_END_X");
  data.y_end = value_of(road, "REFERENCE_LINE_END_Y");
  data.z_end = value_of(road, "REFERENCE_LINE_END_Z");
  if (data.x_end.has_value() != data.y_end.has_value())
    throw ModelError("crg-line",
                     "one of REFERENCE_LINE_END_X and REFERENCE_LINE_END_Y is missing",
                     crg_place(file));
}

}  // namespace

CrgData read_crg(std::string_view bytes, const std::string& file, Diagnostics& diagnostics) {
  const Header header = crg::read_header(bytes, file);
  if (header.sections.contains("ROAD_CRG_FILE"))
    throw ModelError("crg-reference",
                     "the file refers to other files by $ROAD_CRG_FILE",
                     crg_place(file),
                     "give the file that holds the road data");
  const Entries road = crg::entries_of(header, "ROAD_CRG", file, diagnostics);
  if (road.empty())
    throw ParseError("crg-section", "section $ROAD_CRG is missing or empty", crg_place(file));
  const Channels channels = channels_of(header, file, diagnostics);
  const std::vector<double> rows = crg::read_rows(
      bytes, {file, header.data_offset, header.data_line}, channels.encoding, channels.count);
  const std::size_t n = rows.size() / channels.count;

  CrgData data;
  set_u_axis(road, channels, n, file, data);
  if (channels.has_positions)
    for (const auto& section : channels.sections)
      data.v.push_back(section.first);
  else
    data.v = numbered_positions(channels, road, file);
  set_line(rows, channels, road, file, data);
  data.z.reserve(n * channels.sections.size());
  for (std::size_t i = 0; i < n; ++i)
    for (const auto& section : channels.sections)
      data.z.push_back(rows[i * channels.count + section.second]);
  crg::apply_options(
      crg::entries_of(header, "ROAD_CRG_OPTS", file, diagnostics), file, diagnostics, data);
  crg::apply_modifiers(
      crg::entries_of(header, "ROAD_CRG_MODS", file, diagnostics), file, diagnostics, data);
  return data;
}

}  // namespace femflex::roads
