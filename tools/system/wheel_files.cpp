// Reads the files of tyres and roads; of CSV tables it tells grids from tracks.
#include "system/wheel_files.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "femflex/io/mapped_file.h"
#include "femflex/roads/crg.h"
#include "femflex/text.h"

namespace femflex::tools {
namespace {

/// True if the first line with content is the head of a grid: a cell that is not a number, then a
/// number.
bool is_grid(std::string_view csv) {
  while (!csv.empty()) {
    const std::size_t end = std::min(csv.find('\n'), csv.size());
    const std::string_view line = trimmed(csv.substr(0, end));
    csv.remove_prefix(std::min(end + 1, csv.size()));
    if (line.empty() || line.front() == '#') continue;
    const std::size_t comma = line.find_first_of(",;\t");
    if (comma == std::string_view::npos) return false;
    const auto begins_number = [](std::string_view cell) {
      cell = trimmed(cell);
      return !cell.empty() && (cell.front() == '-' || cell.front() == '+' || cell.front() == '.' ||
                               (cell.front() >= '0' && cell.front() <= '9'));
    };
    return !begins_number(line.substr(0, comma)) && begins_number(line.substr(comma + 1));
  }
  return false;
}

}  // namespace

tyres::ReadTyre read_tyre_file(const std::filesystem::path& path, Diagnostics& diagnostics) {
  const io::MappedFile file(path);
  return tyres::read_tyre(file.bytes(), path.string(), diagnostics);
}

roads::Layer read_road_file(const std::filesystem::path& path,
                            double track,
                            Diagnostics& diagnostics) {
  const io::MappedFile file(path);
  const std::string name = path.string();
  if (lower_case(path.extension().string()) == ".crg")
    return roads::CrgRoad(roads::read_crg(file.bytes(), name, diagnostics));
  if (is_grid(file.bytes())) return roads::read_grid(file.bytes(), name);
  return roads::read_tracks(file.bytes(), name, track);
}

}  // namespace femflex::tools
