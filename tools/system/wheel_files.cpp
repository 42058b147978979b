// Reads the files of tyres and roads; of CSV tables it tells grids from tracks.
#include "system/wheel_files.h"

#include <string>
#include <string_view>

#include "femflex/csv.h"
#include "femflex/io/mapped_file.h"
#include "femflex/roads/crg.h"
#include "femflex/text.h"

namespace femflex::tools {
namespace {

bool begins_number(std::string_view cell) {
  return !cell.empty() && (cell.front() == '-' || cell.front() == '+' || cell.front() == '.' ||
                           (cell.front() >= '0' && cell.front() <= '9'));
}

/// True if the first row is the head of a grid: a cell that is not a number, then a number.
bool is_grid(std::string_view csv, const std::string& file) {
  CsvRows rows(csv, file);
  if (!rows.next() || rows.cells().size() < 2) return false;
  return !begins_number(rows.cells()[0]) && begins_number(rows.cells()[1]);
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
  if (is_grid(file.bytes(), name)) return roads::read_grid(file.bytes(), name);
  return roads::read_tracks(file.bytes(), name, track);
}

}  // namespace femflex::tools
