// Reads the tables of OUTPUT2 files that tell what the rows and columns of a matrix are: element
// matrices (KDICT, MDICT, BDICT) and the recovery of an external superelement (TUG1).
#include "nastran/op2_dictionary.h"

#include <algorithm>
#include <utility>

namespace femflex::importer {
namespace {

constexpr std::size_t kHeaderWords = 5;   // of a record
constexpr std::size_t kElementWords = 5;  // of an element, before its rows
constexpr std::int64_t kTransformed = 4;  // form with axes
constexpr std::int64_t kMaxNodes = 1000;  // of one element

/// Words TYPE, ID, COMP, ROW of record 2 of TUG1, from one TYPE to the next.
std::size_t words_per_point(const Op2Words& record) {
  for (std::size_t k = 1; k < std::min<std::size_t>(record.size(), 16); ++k)
    if (record.text(k, 1) == "TYPE") return k;
  return 0;
}

}  // namespace

std::string_view matrix_of_dictionary(std::string_view table) {
  if (table == "KDICT") return "KELM";
  if (table == "MDICT") return "MELM";
  if (table == "BDICT") return "BELM";
  return {};
}

bool read_element_dictionary(const Op2Words& record, RawElementDictionary& dictionary) {
  if (record.size() < kHeaderWords) return false;
  const std::int64_t width = record.integer(1);
  const std::int64_t nodes = record.integer(2);
  const std::int64_t form = record.integer(4);
  if (nodes < 1 || nodes > kMaxNodes || width < 1) return false;
  const std::size_t step = record.layout().word == 4 ? 2 : 1;  // words of a float64
  const std::size_t rows_end = kElementWords + static_cast<std::size_t>(nodes);
  const std::size_t needed = rows_end + (form == kTransformed ? 9 * step : 0);
  const auto stride = static_cast<std::size_t>(width);
  if (stride < needed || (record.size() - kHeaderWords) % stride != 0) return false;
  std::vector<RawElementMatrix> elements;
  elements.reserve((record.size() - kHeaderWords) / stride);
  for (std::size_t at = kHeaderWords; at + stride <= record.size(); at += stride) {
    RawElementMatrix element;
    element.type = record.integer(0);
    element.form = form;
    element.dofs_per_node = record.integer(3);
    element.element = record.integer(at);
    element.address = {record.integer(at + 3), record.integer(at + 4)};
    const std::int64_t used = record.integer(at + 1);
    if (used < 0 || used > nodes) return false;
    for (std::size_t k = kElementWords; k < rows_end; ++k)
      if (record.integer(at + k) > 0) element.first_rows.push_back(record.integer(at + k));
    if (static_cast<std::int64_t>(element.first_rows.size()) != used) return false;
    for (std::size_t k = 0; form == kTransformed && k < 9; ++k)
      element.axes(static_cast<Eigen::Index>(k / 3), static_cast<Eigen::Index>(k % 3)) =
          record.real64(at + rows_end + k * step);
    elements.push_back(std::move(element));
  }
  dictionary.elements.insert(dictionary.elements.end(),
                             std::make_move_iterator(elements.begin()),
                             std::make_move_iterator(elements.end()));
  return true;
}

std::vector<Dof> recovery_rows(const std::vector<RecoveryPoint>& points, std::int64_t count) {
  constexpr std::int64_t kMaxRows = 600'000'000;  // as many as a matrix may have
  if (count < 0 || count > kMaxRows || count > 6 * static_cast<std::int64_t>(points.size()))
    return {};
  std::vector<Dof> out(static_cast<std::size_t>(count), Dof{0, -1});
  for (const RecoveryPoint& point : points) {
    if (point.components < 1 || point.components > 6 || point.row < 1 ||
        point.row + point.components - 1 > count)
      return {};
    const bool is_scalar = point.type == 2;
    for (std::int64_t c = 0; c < (is_scalar ? 1 : point.components); ++c)
      out[static_cast<std::size_t>(point.row - 1 + c)] = {
          point.id, static_cast<std::int8_t>(is_scalar ? 0 : c + 1)};
  }
  return out;
}

std::vector<Dof> read_recovery_rows(const Op2Words& record, std::int64_t count) {
  const std::size_t width = words_per_point(record);
  if (width < 4 || record.size() < 2 * width || record.size() % width != 0) return {};
  std::vector<RecoveryPoint> points;
  for (std::size_t at = 2 * width; at + width <= record.size(); at += width)
    points.push_back({record.integer(at),
                      record.integer(at + 1),
                      record.integer(at + 2),
                      record.integer(at + 3)});
  return recovery_rows(points, count);
}

}  // namespace femflex::importer
