// Reads grid points, scalar points, coordinate systems and EXTRN from the geometry tables of
// OUTPUT2 files. Word 0 to 2 of a record are its key; op2_tables.h lists the layouts.
#include <algorithm>
#include <string>

#include "nastran/op2_tables.h"

namespace femflex::importer {
namespace {

/// Number of words of one real. If `wide` is true, reals are float64 also in 32-bit files.
std::size_t words_of_real(bool wide, const Op2Words& record) {
  return wide && record.layout().word == 4 ? 2 : 1;
}

/// The real at word i, float64 if `wide`.
double real_at(const Op2Words& record, std::size_t i, bool wide) {
  return wide ? record.real64(i) : record.real(i);
}

// The read functions of type bool return false if the size of the record does not fit the layout.
bool read_grids(const Op2Words& record, FileContents& contents) {
  const bool wide = record.integer(2) != 1;
  const std::size_t step = words_of_real(wide, record);
  const std::size_t width = 5 + 3 * step;
  if ((record.size() - 3) % width != 0) return false;
  contents.grids.reserve(contents.grids.size() + (record.size() - 3) / width);
  for (std::size_t at = 3; at + width <= record.size(); at += width) {
    RawGrid grid;
    grid.id = record.integer(at);
    grid.position_system = record.integer(at + 1);
    for (std::size_t k = 0; k < 3; ++k)
      grid.x[k] = real_at(record, at + 2 + k * step, wide);
    grid.displacement_system = record.integer(at + 2 + 3 * step);
    const std::int64_t fixed = record.integer(at + 3 + 3 * step);
    if (fixed > 0) grid.fixed = std::to_string(fixed);
    grid.superelement = record.integer(at + 4 + 3 * step);
    contents.grids.push_back(std::move(grid));
  }
  return true;
}

bool read_systems(const Op2Words& record, CoordinateSystem::Kind kind, FileContents& contents) {
  const std::int64_t version = record.integer(2);
  const bool wide = version / 10000 == 222 || version / 10000 == 131;
  const std::size_t step = words_of_real(wide, record);
  const std::size_t width = 4 + 9 * step;
  if ((record.size() - 3) % width != 0) return false;
  for (std::size_t at = 3; at + width <= record.size(); at += width) {
    RawSystem system;
    system.id = record.integer(at);
    system.kind = kind;
    system.reference = record.integer(at + 3);
    for (std::size_t k = 0; k < 9; ++k)
      system.points[k / 3][k % 3] = real_at(record, at + 4 + k * step, wide);
    contents.systems.push_back(system);
  }
  return true;
}

bool read_systems_by_grids(const Op2Words& record,
                           CoordinateSystem::Kind kind,
                           FileContents& contents) {
  if ((record.size() - 3) % 6 != 0) return false;
  for (std::size_t at = 3; at + 6 <= record.size(); at += 6) {
    RawSystem system;
    system.id = record.integer(at);
    system.kind = kind;
    system.grids = {record.integer(at + 3), record.integer(at + 4), record.integer(at + 5)};
    contents.systems.push_back(system);
  }
  return true;
}

void read_extrn(const Op2Words& record, FileContents& contents) {
  for (std::size_t at = 3; at + 2 <= record.size(); at += 2) {
    const std::int64_t id = record.integer(at);
    const std::int64_t components = record.integer(at + 1);
    if (id <= 0) break;
    if (components <= 0) {
      contents.interface.push_back({id, 0});
      continue;
    }
    for (const char c : std::to_string(components)) {
      if (c >= '1' && c <= '6')
        contents.interface.push_back({id, static_cast<std::int8_t>(c - '0')});
    }
  }
}

}  // namespace

bool is_geometry_table(std::string_view name) {
  if (name.starts_with("IGEOM")) return true;
  return name.starts_with("GEOM") && name.size() >= 5 && name[4] >= '1' && name[4] <= '4';
}

bool read_geometry_record(const Op2Words& record, FileContents& contents) {
  using Kind = CoordinateSystem::Kind;
  if (record.size() < 3) return false;
  const auto has_key = [&](std::int64_t a, std::int64_t b) {
    return record.integer(0) == a && record.integer(1) == b;
  };
  if (record.integer(0) == 65535) return true;  // the end of the table
  if (has_key(4501, 45)) return read_grids(record, contents);
  if (has_key(2101, 21)) return read_systems(record, Kind::rectangular, contents);
  if (has_key(2001, 20)) return read_systems(record, Kind::cylindrical, contents);
  if (has_key(2201, 22)) return read_systems(record, Kind::spherical, contents);
  if (has_key(1801, 18)) return read_systems_by_grids(record, Kind::rectangular, contents);
  if (has_key(1701, 17)) return read_systems_by_grids(record, Kind::cylindrical, contents);
  if (has_key(1901, 19)) return read_systems_by_grids(record, Kind::spherical, contents);
  if (has_key(5551, 49)) {
    for (std::size_t at = 3; at < record.size(); ++at)
      contents.scalar_points.push_back(record.integer(at));
    return true;
  }
  if (has_key(1627, 16)) {
    read_extrn(record, contents);
    return true;
  }
  return false;
}

}  // namespace femflex::importer
