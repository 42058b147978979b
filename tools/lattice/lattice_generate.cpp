// Reads the options of each kind of regular lattice, checks that the result fits into memory, and
// calls its generator in hamiltonian/. See docs/formats/lattice.md, "Generated lattices".
#include "lattice/lattice_generate.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "femflex/hamiltonian/generators.h"

#include "document/json_text.h"
#include "document/placed_at.h"
#include "document/whole_number.h"
#include "lattice/lattice_memory.h"
#include "lattice/lattice_values.h"

namespace femflex::tools {
namespace {

using namespace hamiltonian;
using namespace lattice_values;

constexpr std::int64_t kMost = 100000000;  // largest number of cells or nodes in one direction

int generated_count(const Json& value, std::string_view what) {
  const auto number = whole_number(value.number(), 1, kMost);
  if (!number)
    value.fail("bad-count",
               fmt::format("{}: {} is not a whole number from 1 to 1e8", what, value.number()));
  return static_cast<int>(*number);
}

/// One item for each of `n` directions; for n = 1 a plain number is also accepted.
/// @param read  reads and checks an item
template <class Item>
std::array<Item, 3> one_a_direction(const Json& value,
                                    std::size_t n,
                                    std::string_view what,
                                    Item (*read)(const Json&, std::string_view)) {
  std::array<Item, 3> out{};
  if (value.is_number() && n == 1) {
    out[0] = read(value, what);
    return out;
  }
  const auto& items = value.items();
  if (items.size() != n)
    value.fail("bad-vector", fmt::format("{}: {} numbers, expected {}", what, items.size(), n));
  for (std::size_t i = 0; i < n; ++i)
    out[i] = read(items[i], what);
  return out;
}

std::array<int, 3> counts(const Json& value, std::size_t n, std::string_view what) {
  std::array<int, 3> out = one_a_direction(value, n, what, generated_count);
  std::fill(out.begin() + static_cast<std::ptrdiff_t>(n), out.end(), 1);
  return out;
}

std::array<double, 3> lengths(const Json& value, std::size_t n, std::string_view what) {
  return one_a_direction(value, n, what, positive);
}

/// Reads the options that all kinds of lattices have in common.
void material(ObjectReader& in, BlockOptions& o) {
  const Json* each = in.find("mass");
  const Json* total = in.find("total_mass");
  if (each != nullptr && total != nullptr)
    total->fail("contradiction", "both 'mass' of a node and 'total_mass' are given", "keep one");
  if (each != nullptr) o.node_mass = not_negative_or(in, "mass", 1.0);
  if (total != nullptr) o.total_mass = not_negative_or(in, "total_mass", 0.0);
  o.stiffness = finite(in.need("k"));
  o.diagonal_stiffness = number_or(in, "k_diagonal", o.stiffness);
  o.face_diagonals = in.boolean("face_diagonals", true);
  o.space_diagonals = in.boolean("space_diagonals", true);
  o.law = choice_or(in, "law", kStiffnessLaws, o.law);
}

/// Throws if a lattice would not fit into memory.
/// @param part  share of the cells of the full block that exist
void require_room(const ObjectReader& in, const BlockOptions& o, double part) {
  double nodes = part;
  int ways = 0;
  for (const int count : o.nodes) {
    nodes *= count;
    ways += count > 1 ? 1 : 0;
  }
  const int faces = ways * (ways - 1) / 2;  // number of faces of cells per node
  const int springs =
      ways + (o.face_diagonals ? 2 * faces : 0) + (o.space_diagonals && ways == 3 ? 4 : 0);
  require_memory(nodes, springs * nodes, in.value().where());
}

Lattice block(ObjectReader& in, int dimension) {
  BlockOptions o;
  o.dimension = dimension;
  const auto n = static_cast<std::size_t>(dimension);
  o.nodes = counts(in.need("nodes"), n, "nodes");
  const Eigen::Vector3d size = vector(in.need("size"), dimension);
  for (std::size_t i = 0; i < 3; ++i)
    o.size[i] = size(static_cast<Eigen::Index>(i));
  material(in, o);
  require_room(in, o, 1.0);
  return make_block(o);
}

/// A beam of cells along `axis`; "cells_across" and "section" follow the order of the other axes.
Lattice beam(ObjectReader& in, int dimension) {
  if (dimension == 1)
    in.value().fail("bad-dimension", "a beam needs 2 or 3 dimensions", "a chain is a bar in one");
  BlockOptions o;
  o.dimension = dimension;
  const Json* along = in.find("axis");
  const auto axis =
      along == nullptr ? std::size_t{0} : static_cast<std::size_t>(axis_of(*along, dimension));
  const auto across = static_cast<std::size_t>(dimension - 1);
  const int cells = generated_count(in.need("cells"), "cells");
  const double length = positive(in.need("length"), "length");
  const Json* more = in.find("cells_across");
  const std::array<int, 3> cells_across =
      more == nullptr ? std::array{1, 1, 1} : counts(*more, across, "cells_across");
  const Json* section = in.find("section");
  std::array<double, 3> sides{};
  if (section != nullptr) {
    sides = lengths(*section, across, "section");
  } else {  // cells are as long as wide
    for (std::size_t i = 0; i < across; ++i)
      sides[i] = length / cells * cells_across[i];
  }
  for (std::size_t i = 0, k = 0; i < static_cast<std::size_t>(dimension); ++i) {
    o.nodes[i] = (i == axis ? cells : cells_across[k]) + 1;
    o.size[i] = i == axis ? length : sides[k];
    if (i != axis) ++k;
  }
  if (dimension == 2) o.nodes[2] = 1;
  material(in, o);
  require_room(in, o, 1.0);
  return make_block(o);
}

/// A plate of cells in the xy plane; in 3D with the requested number of layers along z.
Lattice plate(ObjectReader& in, int dimension) {
  if (dimension == 1) in.value().fail("bad-dimension", "a plate needs 2 or 3 dimensions");
  BlockOptions o;
  o.dimension = dimension;
  const std::array<int, 3> cells = counts(in.need("cells"), 2, "cells");
  const std::array<double, 3> size = lengths(in.need("size"), 2, "size");
  o.nodes = {cells[0] + 1, cells[1] + 1, 1};
  o.size = {size[0], size[1], 0.0};
  const Json* layers = in.find("layers");
  const Json* thickness = in.find("thickness");
  if (dimension == 2) {
    for (const Json* given : {layers, thickness})
      if (given != nullptr)
        given->fail("bad-dimension", "a plate in 2 dimensions lies in their plane", "leave it out");
  } else {
    const int n = layers == nullptr ? 1 : generated_count(*layers, "layers");
    o.nodes[2] = n + 1;
    o.size[2] = thickness == nullptr ? n * size[0] / cells[0] : positive(*thickness, "thickness");
  }
  material(in, o);
  require_room(in, o, 1.0);
  return make_block(o);
}

/// Share of the cells of the outline that belong to bars; `thickness` is the number of cells across
/// a bar.
double part_of_frame(const FrameOptions& o) {
  double part = 0.0;
  const int d = o.outline.dimension;
  for (int along = 0; along < d; ++along) {
    double share = d == 2 ? 2.0 : 4.0;  // number of bars along this axis
    for (int across = 0; across < d; ++across)
      if (across != along)
        share *=
            std::min(1.0, (o.thickness + 1.0) / o.outline.nodes[static_cast<std::size_t>(across)]);
    part += share;
  }
  return std::min(1.0, part);
}

Lattice frame(ObjectReader& in, int dimension) {
  if (dimension == 1) in.value().fail("bad-dimension", "a frame needs 2 or 3 dimensions");
  FrameOptions o;
  o.outline.dimension = dimension;
  const auto n = static_cast<std::size_t>(dimension);
  o.outline.nodes = counts(in.need("cells"), n, "cells");
  for (std::size_t i = 0; i < n; ++i)
    ++o.outline.nodes[i];
  o.outline.size = lengths(in.need("size"), n, "size");
  if (const Json* thickness = in.find("thickness"))
    o.thickness = generated_count(*thickness, "thickness");
  o.is_closed = in.boolean("closed", dimension == 3);
  material(in, o.outline);
  require_room(in, o.outline, part_of_frame(o));
  return make_frame(o);
}

Lattice ladder(ObjectReader& in, int dimension) {
  if (dimension == 1) in.value().fail("bad-dimension", "a ladder needs 2 or 3 dimensions");
  LadderOptions o;
  const Json& columns = in.need("columns");
  o.columns = generated_count(columns, "columns");
  if (o.columns < 2) columns.fail("bad-count", "a ladder has at least two columns");
  const Json* cell = in.find("cell");
  if (cell != nullptr) o.cell = positive(*cell, "cell");
  o.node_mass = not_negative_or(in, "mass", o.node_mass);
  o.chord = number_or(in, "k_chord", o.chord);
  o.vertical = number_or(in, "k_vertical", o.vertical);
  o.diagonal = number_or(in, "k_diagonal", o.diagonal);
  require_memory(2.0 * o.columns, 5.0 * o.columns, in.value().where());
  return make_ladder(o);
}

Lattice chain(ObjectReader& in, int dimension) {
  ChainOptions o;
  o.dimension = std::min(dimension, 2);
  o.links = generated_count(in.need("links"), "links");
  if (const Json* length = in.find("length")) o.length = positive(*length, "length");
  o.mass = not_negative_or(in, "mass", o.mass);
  o.end_mass = not_negative_or(in, "end_mass", o.mass);
  o.stiffness = number_or(in, "k", o.stiffness);
  require_memory(o.links, o.links, in.value().where());
  return make_chain(o);
}

}  // namespace

Lattice generated_lattice(const Json& value, int dimension) {
  ObjectReader in(value, "generate");
  in.declare_keys({"type", "nodes", "size", "cells", "length", "columns", "links", "k", "mass"});
  const std::string kind =
      choice(in.need("type"), {"block", "beam", "plate", "frame", "ladder", "chain"});
  // a second reader, because each kind accepts only its own keys
  ObjectReader keys(value, fmt::format("generate {}", kind));
  (void)keys.find("type");
  Lattice out = placed_at(value, [&] {
    return kind == "block"    ? block(keys, dimension)
           : kind == "beam"   ? beam(keys, dimension)
           : kind == "plate"  ? plate(keys, dimension)
           : kind == "frame"  ? frame(keys, dimension)
           : kind == "ladder" ? ladder(keys, dimension)
                              : chain(keys, dimension);
  });
  keys.finish();
  return out;
}

}  // namespace femflex::tools
