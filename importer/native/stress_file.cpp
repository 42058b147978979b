// Writes and reads the stresses and strains of shapes in a .fe.h5 file. Each place is a row of nine
// integers; the stresses are one matrix with a column per shape.
#include "native/stress_file.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "native/dataset_reader.h"

namespace femflex::importer::native {
namespace {

/// element, node, type, index, level, kind, face, axes, components
constexpr std::size_t kPlaceWidth = 9;

void write_table(const std::string& group, const FeStressTable& table, io::Hdf5File& file) {
  if (table.empty()) return;
  file.make_group(group);
  file.write(group + "/sources", table.sources);
  file.write(group + "/types", table.types);
  std::vector<std::int64_t> places;
  places.reserve(kPlaceWidth * table.places.size());
  for (const FeStressPlace& place : table.places)
    places.insert(places.end(),
                  {place.element,
                   place.node,
                   place.type,
                   place.index,
                   place.level,
                   static_cast<std::int64_t>(place.kind),
                   static_cast<std::int64_t>(place.face),
                   static_cast<std::int64_t>(place.axes),
                   place.components});
  file.write(
      group + "/places", std::span<const std::int64_t>(places), {table.places.size(), kPlaceWidth});
  file.write(group + "/shapes", std::span<const std::int64_t>(table.shapes), {table.shapes.size()});
  file.write_matrix(group + "/values", table.values);
}

FeStressTable read_table(const std::string& group, const io::Hdf5File& file) {
  FeStressTable out;
  if (!file.has(group)) return out;
  out.sources = file.read_texts(group + "/sources");
  out.types = file.read_texts(group + "/types");
  const std::vector<std::int64_t> places = file.read_integers(group + "/places");
  if (places.size() % kPlaceWidth != 0)
    throw damaged(file, group + "/places", "places are rows of nine numbers");
  constexpr std::int64_t kLargest = 2147483647;
  for (std::size_t k = 0; k < places.size(); k += kPlaceWidth) {
    const std::int64_t* row = places.data() + k;
    for (std::size_t c = 2; c < kPlaceWidth; ++c)
      if (row[c] < 0 || row[c] > kLargest)
        throw damaged(file, group + "/places", "a number of a place is out of range");
    if (row[5] > static_cast<std::int64_t>(FeStressPlace::Kind::node) ||
        row[6] > static_cast<std::int64_t>(FeStressPlace::Face::ply) ||
        row[7] > static_cast<std::int64_t>(FeStressPlace::Axes::material) || row[8] > 63)
      throw damaged(file, group + "/places", "a kind, face, axes or components are unknown");
    out.places.push_back({row[0],
                          row[1],
                          static_cast<std::int32_t>(row[2]),
                          static_cast<std::int32_t>(row[3]),
                          static_cast<std::int32_t>(row[4]),
                          static_cast<FeStressPlace::Kind>(row[5]),
                          static_cast<FeStressPlace::Face>(row[6]),
                          static_cast<FeStressPlace::Axes>(row[7]),
                          static_cast<std::uint8_t>(row[8])});
  }
  out.shapes = file.read_integers(group + "/shapes");
  out.values = file.read_matrix(group + "/values");
  return out;
}

}  // namespace

void write_stresses(const FeStresses& stresses, io::Hdf5File& file) {
  write_table("/stresses", stresses.stress, file);
  write_table("/strains", stresses.strain, file);
}

FeStresses read_stresses(const io::Hdf5File& file) {
  return {read_table("/stresses", file), read_table("/strains", file)};
}

}  // namespace femflex::importer::native
