// Turns compressed lines into columns by sorting them twice by counting, and reads nodes and DOFs
// out of arrays.
#include "exchange/named_arrays.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/importer/statistics.h"
#include "femflex/text.h"

#include "raw_matrix.h"

namespace femflex::importer {
namespace {

/// The same entries, compressed the other way; `count` is the number of lines of the result. Their
/// indices ascend.
CompressedLines flipped(const CompressedLines& from, std::int64_t count, std::size_t parts) {
  CompressedLines out;
  out.are_rows = !from.are_rows;
  out.start.assign(static_cast<std::size_t>(count) + 1, 0);
  for (const std::int32_t line : from.index)
    ++out.start[static_cast<std::size_t>(line) + 1];
  for (std::size_t k = 1; k < out.start.size(); ++k)
    out.start[k] += out.start[k - 1];
  std::vector<std::int64_t> next(out.start.begin(), out.start.end() - 1);
  out.index.resize(from.index.size());
  out.values.resize(from.values.size());
  for (std::size_t line = 0; line + 1 < from.start.size(); ++line)
    for (auto k = static_cast<std::size_t>(from.start[line]);
         k < static_cast<std::size_t>(from.start[line + 1]);
         ++k) {
      const auto to = static_cast<std::size_t>(next[static_cast<std::size_t>(from.index[k])]++);
      out.index[to] = static_cast<std::int32_t>(line);
      for (std::size_t p = 0; p < parts; ++p)
        out.values[parts * to + p] = from.values[parts * k + p];
    }
  return out;
}

bool has_ascending_indices(const CompressedLines& lines) {
  for (std::size_t line = 0; line + 1 < lines.start.size(); ++line)
    for (std::int64_t k = lines.start[line] + 1; k < lines.start[line + 1]; ++k)
      if (lines.index[static_cast<std::size_t>(k - 1)] >= lines.index[static_cast<std::size_t>(k)])
        return false;
  return true;
}

/// Reads the arrays that are not matrices.
class NamedNodes {
 public:
  NamedNodes(const std::vector<RawMatrix>& arrays, const std::string& file)
      : arrays_(arrays), file_(file) {}

  const RawMatrix* find(std::string_view name) const {
    for (const RawMatrix& array : arrays_)
      if (lower_case(array.name) == name) return &array;
    return nullptr;
  }

  std::vector<RawGrid> grids() const {
    const RawMatrix* nodes = find("nodes");
    const RawMatrix* ids = find("node_ids");
    std::vector<RawGrid> out;
    if (nodes == nullptr) return out;
    const std::int64_t first = nodes->cols == 4 ? 1 : 0;
    if (nodes->is_complex || nodes->cols != 3 + first)
      fail(*nodes, "expected columns id, x, y, z, or x, y, z");
    const std::int64_t listed = ids == nullptr ? 0 : std::max(ids->rows, ids->cols);
    if (ids != nullptr && first == 0 &&
        (listed != nodes->rows || std::min(ids->rows, ids->cols) != 1))
      fail(*ids, fmt::format("expected one id for each of {} nodes", nodes->rows));
    for (std::int64_t k = 0; k < nodes->rows; ++k) {
      RawGrid grid;
      grid.id = k + 1;
      if (first == 1)
        grid.id = whole(*nodes, k, 0);
      else if (ids != nullptr)
        grid.id = ids->cols == 1 ? whole(*ids, k, 0) : whole(*ids, 0, k);
      if (grid.id < 1) fail(*nodes, fmt::format("{} is not a positive node id", grid.id));
      for (std::int64_t c = 0; c < 3; ++c)
        grid.x[static_cast<std::size_t>(c)] = entry_of(*nodes, k, first + c).real();
      out.push_back(std::move(grid));
    }
    return out;
  }

  std::vector<Dof> dofs() const {
    const RawMatrix* table = find("dofs");
    std::vector<Dof> out;
    if (table == nullptr) return out;
    std::set<std::int64_t> nodes;
    for (const RawGrid& grid : grids())
      nodes.insert(grid.id);
    if (table->is_complex || table->cols != 2) fail(*table, "expected columns node, component");
    for (std::int64_t k = 0; k < table->rows; ++k) {
      const std::int64_t component = whole(*table, k, 1);
      if (component < 0 || component > 6)
        fail(*table, fmt::format("{} is not a component from 0 to 6", component));
      const std::int64_t id = whole(*table, k, 0);
      if (component == 0 && nodes.contains(id))
        fail(*table,
             fmt::format("component 0 means a scalar point, but {} is one of the nodes, whose "
                         "components count from 1 to 6",
                         id));
      out.push_back({id, static_cast<std::int8_t>(component)});
    }
    return out;
  }

 private:
  [[noreturn]] void fail(const RawMatrix& array, const std::string& what) const {
    throw ParseError("array",
                     fmt::format("{} is {} x {}: {}", array.name, array.rows, array.cols, what),
                     {file_, -1, -1, -1, array.name},
                     "docs/formats/fe-files.md lists the names of arrays");
  }

  std::int64_t whole(const RawMatrix& array, std::int64_t row, std::int64_t col) const {
    constexpr double kMost = 1e15;  // every whole number up to this one is a double
    const double value = array.is_complex ? 0.5 : entry_of(array, row, col).real();
    if (value != std::floor(value) || std::abs(value) > kMost)
      fail(array, fmt::format("{} in row {} is not a whole number", value, row + 1));
    return static_cast<std::int64_t>(value);
  }

  const std::vector<RawMatrix>& arrays_;
  const std::string& file_;
};

/// The stored triangle of a square matrix of which only one triangle has entries.
RawMatrix::Triangle triangle_of(const RawMatrix& matrix) {
  using Triangle = RawMatrix::Triangle;
  if (matrix.rows != matrix.cols || matrix.is_complex) return Triangle::all;
  bool has_lower = false, has_upper = false;
  const auto count = [&](std::int64_t row, std::int64_t col, double value) {
    if (value == 0.0) return;
    has_lower = has_lower || row > col;
    has_upper = has_upper || row < col;
  };
  if (matrix.is_dense) {
    for (std::int64_t col = 0; col < matrix.cols && !(has_lower && has_upper); ++col)
      for (std::int64_t row = 0; row < matrix.rows; ++row)
        count(row, col, matrix.values[static_cast<std::size_t>(col * matrix.rows + row)]);
  } else {
    for (std::size_t c = 0; c < matrix.col.size() && !(has_lower && has_upper); ++c)
      for (std::int64_t k = matrix.col_start[c]; k < matrix.col_start[c + 1]; ++k)
        count(matrix.row[static_cast<std::size_t>(k)],
              matrix.col[c],
              matrix.values[static_cast<std::size_t>(k)]);
  }
  if (has_lower == has_upper) return Triangle::all;
  return has_lower ? Triangle::lower : Triangle::upper;
}

/// The name by which the import knows an array.
std::string role_name(const RawMatrix& array, const NamedNodes& named) {
  const std::string name = lower_case(array.name);
  if (name == "phi" || name == "shapes" || name == "modes") return "SHAPES";
  if (name == "lambda" || name == "eigenvalues") return "LAMBDA";
  if (array.rows != array.cols) return array.name;
  if (name == "k" || name == "m" || name == "d") return upper_case(name);
  const RawMatrix* k = named.find("k");
  const bool has_both = k != nullptr && k->rows == array.rows && named.find("m") != nullptr;
  if (has_both && (name == "c" || name == "b") && named.find("d") == nullptr) return "D";
  return array.name;
}

}  // namespace

void set_compressed(RawMatrix& matrix, CompressedLines lines) {
  const std::size_t parts = matrix.is_complex ? 2 : 1;
  if (lines.are_rows) {
    lines = flipped(lines, matrix.cols, parts);
  } else if (!has_ascending_indices(lines)) {
    lines = flipped(flipped(lines, matrix.rows, parts), matrix.cols, parts);
  }
  matrix.is_dense = false;
  std::size_t kept = 0;  // entries so far; those at one position are merged in place
  for (std::size_t col = 0; col + 1 < lines.start.size(); ++col) {
    const auto first = static_cast<std::size_t>(lines.start[col]);
    const auto last = static_cast<std::size_t>(lines.start[col + 1]);
    if (first == last) continue;
    matrix.col.push_back(static_cast<std::int32_t>(col));
    matrix.col_start.push_back(static_cast<std::int64_t>(kept));
    for (std::size_t k = first; k < last; ++k) {
      const bool is_repeated = k > first && lines.index[k] == lines.index[kept - 1];
      const std::size_t to = is_repeated ? kept - 1 : kept++;
      lines.index[to] = lines.index[k];
      for (std::size_t p = 0; p < parts; ++p)
        lines.values[parts * to + p] =
            lines.values[parts * k + p] + (is_repeated ? lines.values[parts * to + p] : 0.0);
    }
  }
  lines.index.resize(kept);
  lines.values.resize(parts * kept);
  matrix.col_start.push_back(static_cast<std::int64_t>(kept));
  matrix.row = std::move(lines.index);
  matrix.values = std::move(lines.values);
}

bool is_node_array(std::string_view name) {
  const std::string lower = lower_case(name);
  return lower == "nodes" || lower == "node_ids" || lower == "dofs";
}

void add_named_arrays(std::vector<RawMatrix> arrays,
                      const std::string& file,
                      FileContents& contents) {
  const NamedNodes named(arrays, file);
  contents.grids = named.grids();
  contents.row_map = named.dofs();
  std::vector<std::string> names;
  for (const RawMatrix& array : arrays)
    names.push_back(role_name(array, named));
  const auto nodes = static_cast<std::int64_t>(contents.grids.size());
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    RawMatrix& array = arrays[i];
    if (is_node_array(array.name)) continue;
    array.name = names[i];
    if (array.name == "LAMBDA" && array.rows == 1 && array.is_dense)
      std::swap(array.rows, array.cols);
    array.form = form_of_size(array);
    if (array.name != "SHAPES" && array.name != "LAMBDA") array.triangle = triangle_of(array);
    const std::int64_t per_node = nodes == 0 ? 0 : array.rows / nodes;
    const bool fits = array.rows == array.cols && (per_node == 3 || per_node == 6) &&
                      array.rows == per_node * nodes;
    if (fits && contents.row_map.empty())
      for (const RawGrid& grid : contents.grids)
        for (std::int64_t c = 1; c <= per_node; ++c)
          contents.row_map.push_back({grid.id, static_cast<std::int8_t>(c)});
    contents.matrices.push_back(std::move(array));
  }
}

}  // namespace femflex::importer
