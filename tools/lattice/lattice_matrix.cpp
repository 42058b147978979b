// Reads springs from the two triangles, and writes lattices of quartic springs. Notation: k
// stiffness, d rest length, n number of nodes.
#include "lattice/lattice_matrix.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <deque>
#include <fstream>
#include <optional>

#include <fmt/format.h>

#include "femflex/csv.h"
#include "femflex/errors.h"
#include "femflex/text.h"

#include "document/json.h"
#include "lattice/lattice_doubts.h"
#include "lattice/lattice_text.h"

namespace femflex::tools {
namespace {

using namespace hamiltonian;

struct Row {
  explicit Row(const CsvRows& rows) : line(rows.where().line), cells(rows.row()) {}
  std::int64_t line;
  CsvCells cells;
};

std::deque<Row> rows_of(std::string_view text, const std::string& file) {
  std::deque<Row> out;
  CsvRows rows(text, file);
  while (rows.next()) {
    if (!out.empty()) rows.require_size(out.front().cells.size());
    out.emplace_back(rows);
  }
  return out;
}

bool is_letters(std::string_view cell) {
  return cell == "-" || (!cell.empty() && cell.find_first_not_of("xyz") == std::string_view::npos);
}

/// The cells of a K/D matrix file: numbers, and the letters of fixed DOFs.
class Cells {
 public:
  Cells(std::string_view text, const std::string& file) : rows_(rows_of(text, file)), file_(file) {
    const std::size_t n = rows_.size();
    if (n == 0) fail(0, "the file holds no matrix");
    const std::size_t width = rows_[0].cells.size();
    has_letters_ = is_letters(rows_[0].cells.back());
    const std::size_t letters = has_letters_ ? 1 : 0;
    if (width < n + 1 + letters || width > n + 3 + letters)
      fail(0,
           fmt::format("{} rows and {} columns", n, width),
           "a row has a column for each node, 1 to 3 coordinates, and may end with held DOFs "
           "like xy");
    dimension_ = static_cast<int>(width - n - letters);
  }

  [[noreturn]] void fail(std::size_t row, std::string message, std::string fix = {}) const {
    throw ParseError(
        "bad-matrix", std::move(message), {file_, row < size() ? line(row) : -1}, std::move(fix));
  }
  std::size_t size() const { return rows_.size(); }
  int dimension() const { return dimension_; }
  std::int64_t line(std::size_t row) const { return rows_[row].line; }
  bool is_empty(std::size_t row, std::size_t column) const {
    return rows_[row].cells[column].empty();
  }
  /// The number in a cell; 0 for an empty cell.
  double number(std::size_t row, std::size_t column) const {
    const std::string_view cell = rows_[row].cells[column];
    if (cell.empty()) return 0.0;
    const std::optional<double> value = csv_value(cell);
    return value ? *value : csv_number(cell, "", column, {file_, line(row)});
  }
  LatticeNode node(std::size_t i) const {
    LatticeNode node;
    node.id = static_cast<std::int64_t>(i) + 1;
    node.mass = number(i, i);
    if (node.mass < 0.0) fail(i, fmt::format("column {}: mass {}", i + 1, node.mass));
    for (int axis = 0; axis < dimension_; ++axis)
      node.position(axis) = number(i, size() + static_cast<std::size_t>(axis));
    if (!has_letters_) return node;
    const std::string_view held = rows_[i].cells.back();
    if (!is_letters(held)) fail(i, fmt::format("'{}': expected letters of 'xyz' or -", held));
    for (std::size_t axis = 0; axis < 3; ++axis) {
      node.fixed[axis] = held.find("xyz"[axis]) != std::string_view::npos;
      if (node.fixed[axis] && axis >= static_cast<std::size_t>(dimension_))
        fail(i, fmt::format("'{}': the nodes have {} coordinates", held, dimension_));
    }
    return node;
  }

 private:
  std::deque<Row> rows_;
  const std::string& file_;
  bool has_letters_ = false;
  int dimension_ = 0;
};

}  // namespace

Lattice parse_lattice_matrix(std::string_view text,
                             const std::string& file,
                             bool from_start,
                             Diagnostics& diagnostics) {
  const Cells cells(text, file);
  const std::size_t n = cells.size();
  Lattice lattice;
  lattice.dimension = cells.dimension();
  for (std::size_t i = 0; i < n; ++i)
    lattice.nodes.push_back(cells.node(i));
  LatticePlaces places{file, {}, {}};
  int idle = 0;
  std::size_t idle_row = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double k = cells.number(i, j);
      const double d = cells.number(j, i);
      if (k == 0.0 && d != 0.0) {
        if (idle++ == 0) idle_row = j;
      }
      if (k == 0.0) continue;
      if (k < 0.0)
        cells.fail(i,
                   fmt::format("column {}: stiffness k = {} is negative", j + 1, k),
                   "springs that push apart are written in JSON");
      if (d < 0.0)
        cells.fail(j, fmt::format("column {}: rest length d = {} is negative", i + 1, d));
      Spring spring;
      spring.a = static_cast<std::int32_t>(j);
      spring.b = static_cast<std::int32_t>(i);
      spring.stiffness = k;
      spring.rest_length = d;
      if (from_start || cells.is_empty(j, i)) spring.reference = Reference::initial;
      lattice.springs.push_back(spring);
      places.springs.push_back(cells.line(i));
    }
  }
  if (idle > 0)
    diagnostics.warn("rest-length-alone",
                     fmt::format("{} rest length{} above the diagonal without a stiffness k below "
                                 "it: no spring there",
                                 idle,
                                 idle == 1 ? "" : "s"),
                     {file, cells.line(idle_row)});
  lattice = make_lattice(std::move(lattice));
  warn_of_doubts(lattice, places, diagnostics);
  return lattice;
}

namespace {

bool is_whole(std::string_view cell, std::int64_t least, std::int64_t most) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  return error == std::errc() && end == cell.data() + cell.size() && value >= least &&
         value <= most;
}

/// True for a row "node, dof, node, dof, value", the format of matrix entries of Abaqus.
bool is_labels(const CsvCells& cells) {
  constexpr std::int64_t kMostComponents = 30;
  const auto dof = [&](std::size_t at) {
    return is_whole(cells[at], 1, 1000000000) && is_whole(cells[at + 1], 1, kMostComponents);
  };
  return cells.size() == 5 && dof(0) && dof(2);
}

/// True for a row "id, x, y, z".
bool is_node_row(const CsvCells& cells) {
  return cells.size() == 4 && is_whole(cells[0], 1, 1000000000);
}

}  // namespace

bool is_lattice_matrix(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string line;
  std::size_t rows = 0;
  std::size_t width = 0;
  bool first_has_letters = false;
  bool labels = true;
  bool nodes = true;
  while (std::getline(in, line)) {
    const std::string_view row = csv_row(without_byte_order_mark(line));
    if (row.empty()) continue;
    const CsvCells cells(row);
    const bool has_letters = is_letters(cells.back());
    if (rows == 0) {
      width = cells.size();
      first_has_letters = has_letters;
    }
    if (cells.size() != width || has_letters != first_has_letters || ++rows >= width) return false;
    const auto numbers = cells.end() - (has_letters ? 1 : 0);
    if (!std::all_of(cells.begin(), numbers, [](std::string_view cell) {
          return cell.empty() || csv_value(cell);
        }))
      return false;
    labels = labels && is_labels(cells);
    nodes = nodes && is_node_row(cells);
  }
  if (rows == 0 || labels || nodes) return false;
  const std::size_t coordinates = width - rows - (first_has_letters ? 1 : 0);
  return coordinates >= 1 && coordinates <= 3;
}

std::string lattice_matrix(const Lattice& lattice) {
  const std::size_t n = lattice.nodes.size();
  const auto refuse = [](const std::string& what) {
    throw ModelError(
        "no-matrix", what + " has no place in a K/D matrix", {}, "write the lattice as JSON");
  };
  if (n > 20000) refuse(fmt::format("a lattice of {} nodes", n));
  if (!lattice.hinges.empty()) refuse("a rotational spring");
  std::vector<std::string> cells(n * n, "0");
  for (const Spring& s : lattice.springs) {
    if (s.law != SpringLaw::quartic || s.tension_only || s.damping.is_active() ||
        std::isfinite(s.break_force) || std::isfinite(s.break_elongation) ||
        std::isfinite(s.break_stress) || s.reference == Reference::current || s.stiffness < 0.0)
      refuse("a spring that is not plainly quartic");
    const auto low = static_cast<std::size_t>(std::min(s.a, s.b));
    const auto high = static_cast<std::size_t>(std::max(s.a, s.b));
    if (cells[high * n + low] != "0") refuse("a second spring between two nodes");
    cells[high * n + low] = shortest(s.stiffness);
    cells[low * n + high] = shortest(s.rest_length);
  }
  bool any_held = false;
  for (const LatticeNode& node : lattice.nodes) {
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(lattice.dimension); ++axis)
      any_held = any_held || node.fixed[axis];
  }
  std::string text;
  for (std::size_t i = 0; i < n; ++i) {
    const LatticeNode& node = lattice.nodes[i];
    cells[i * n + i] = shortest(node.mass);
    for (std::size_t j = 0; j < n; ++j)
      text += cells[i * n + j] + ",";
    for (int axis = 0; axis < lattice.dimension; ++axis)
      text += shortest(node.position(axis)) + (axis + 1 < lattice.dimension ? "," : "");
    if (any_held) {
      std::string held;
      for (std::size_t axis = 0; axis < static_cast<std::size_t>(lattice.dimension); ++axis)
        if (node.fixed[axis]) held += "xyz"[axis];
      text += "," + (held.empty() ? "-" : held);
    }
    text += "\n";
  }
  return text;
}

}  // namespace femflex::tools
