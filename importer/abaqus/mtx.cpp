// Reads the matrices that Abaqus and CalculiX write as text: either one entry per line (node, DOF,
// node, DOF, value), or a user element with the lower triangle of each of its matrices.
#include "abaqus/mtx.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/lines.h"
#include "femflex/number.h"
#include "femflex/text.h"

#include "bytes/input_file.h"
#include "bytes/line_steps.h"
#include "first_lines.h"
#include "matrix_entries.h"
#include "role_by_name.h"

namespace femflex::importer {
namespace {

/// Takes a comma, with blanks before it, off the front of `line`; false if none is there.
bool skip_comma(std::string_view& line) {
  line = trimmed(line);
  if (line.empty() || line.front() != ',') return false;
  line.remove_prefix(1);
  return true;
}

/// More nodes than any element has; a larger number is a fault of the file.
constexpr std::int64_t kMostElementNodes = 10'000'000;

/// One matrix entry, with DOFs in place of row numbers.
struct LabelEntry {
  Dof row, col;
  double value = 0.0;
};

/// Takes `node, component` off the front of `line`; false if it is not there or the component is
/// outside 0 to 100.
bool take_labelled_dof(std::string_view& line, Dof& dof) {
  std::int64_t component = 0;
  if (!take_integer(line, dof.node) || !skip_comma(line) || !take_integer(line, component))
    return false;
  dof.component = static_cast<std::int8_t>(std::clamp<std::int64_t>(component, -1, 127));
  return component >= 0 && component <= 100;
}

/// Reads `node, dof, node, dof, value`; false if the line has another form. A comma after the value
/// and what follows it are ignored.
bool take_label_line(std::string_view line, LabelEntry& entry) {
  return take_labelled_dof(line, entry.row) && skip_comma(line) &&
         take_labelled_dof(line, entry.col) && skip_comma(line) && take_real(line, entry.value) &&
         trimmed(line).substr(0, 1).find_first_not_of(',') == std::string_view::npos;
}

/// True for a line without an entry: blank, keyword or comment.
bool is_blank_or_star(std::string_view line) {
  line = trimmed(line);
  return line.empty() || line.front() == '*';
}

bool is_keyword(std::string_view line, std::string_view keyword) {
  return line.size() > 1 && line[0] == '*' && line[1] != '*' &&
         upper_case(line.substr(1, keyword.size())) == keyword;
}

/// Reads a *USER ELEMENT. Its data lines list the directions of the DOFs at a node. The first line
/// is for the first node of the element and has the directions alone. Any other line begins with
/// the position of its node. A list is valid for all following nodes, up to the next list. Then
/// come the matrices, *MATRIX, TYPE=, with the values of a lower triangle. The comment "** ELEMENT
/// NODES" holds the nodes. Substructures of CalculiX repeat a node for each of its DOFs.
class UserElementReader {
 public:
  UserElementReader(InputFile& file, Progress& progress)
      : file_(file), progress_(progress), lines_(file.bytes()) {}

  FileContents read(Diagnostics& diagnostics) {
    contents_.encoding = "ascii";
    while (lines_.next()) {
      const std::string_view line = trimmed(lines_.line());
      if (line.empty()) continue;
      if (line.starts_with("**"))
        read_comment(line.substr(2));
      else if (line.front() == '*')
        read_keyword(line);
      else if (part_ == Part::directions)
        read_directions(line);
      else if (part_ == Part::values)
        read_values(line);
    }
    close_matrix();
    if (contents_.matrices.empty()) fail("truncated", "there is no *MATRIX in the file");
    name_rows(diagnostics);
    return std::move(contents_);
  }

 private:
  [[noreturn]] void fail(const char* code, const std::string& what) const {
    throw ParseError(code, what, {file_.name(), lines_.number()});
  }

  /// What the data lines after a keyword hold.
  enum class Part : std::uint8_t { unread, directions, values };

  /// Directions of the DOFs at the node of a position (from 1) and at the nodes after it.
  struct Directions {
    std::int64_t position = 1;
    std::vector<std::int8_t> directions;
  };

  void read_comment(std::string_view text) {
    if (upper_case(text).find("ELEMENT NODES") != std::string::npos) {
      in_nodes_ = true;
      return;
    }
    std::int64_t node = 0;
    while (in_nodes_ && take_integer(text, node)) {
      nodes_.push_back(node);
      if (!skip_comma(text)) break;
    }
  }

  void read_keyword(std::string_view line) {
    in_nodes_ = false;
    close_matrix();
    part_ = Part::unread;
    if (is_keyword(line, "MATRIX")) {
      part_ = Part::values;
      matrix_type_ = role_of_text(upper_case(line));
      if (matrix_type_.empty()) matrix_type_ = "MATRIX";
    } else if (is_keyword(line, "USER ELEMENT")) {
      if (node_count_ > 0)
        fail(
            "second-element",
            "a second *USER ELEMENT: the file of a user element holds one; give each its own file");
      part_ = Part::directions;
      node_count_ = node_count_of(line);
    } else {
      contents_.unread.push_back({std::string(line.substr(0, line.find(','))), 1});
    }
  }

  /// The number after NODES=.
  std::int64_t node_count_of(std::string_view line) const {
    const std::string upper = upper_case(line);
    const std::size_t name = upper.find("NODES");
    const std::size_t equals = name == std::string::npos ? name : upper.find('=', name);
    std::string_view text =
        equals == std::string::npos ? "" : std::string_view(upper).substr(equals + 1);
    std::int64_t count = 0;
    if (!take_integer(text, count) || count < 1 || count > kMostElementNodes)
      fail("entry",
           fmt::format("*USER ELEMENT: expected NODES= with a number from 1 to {}",
                       kMostElementNodes));
    return count;
  }

  /// Reads one list of directions; all lists but the first begin with the position of their node.
  void read_directions(std::string_view line) {
    Directions list;
    if (!lists_.empty()) {
      if (!take_integer(line, list.position) || !skip_comma(line))
        fail(
            "entry",
            "expected 'position of a node, directions': only the first list is without a position");
      if (list.position <= lists_.back().position || list.position > node_count_)
        fail("entry",
             fmt::format("node {} follows node {} of {}",
                         list.position,
                         lists_.back().position,
                         node_count_));
    }
    std::int64_t direction = 0;
    while (take_integer(line, direction)) {
      if (direction < 0 || direction > 6)
        fail("entry", fmt::format("direction {} is outside 0 to 6", direction));
      list.directions.push_back(static_cast<std::int8_t>(direction));
      if (!skip_comma(line)) break;
    }
    if (!trimmed(line).empty() || list.directions.empty())
      fail("entry", fmt::format("'{}' is not a direction", line.substr(0, 60)));
    lists_.push_back(std::move(list));
  }

  /// Position of the node, from 0, and direction of each row.
  std::vector<std::pair<std::int64_t, std::int8_t>> rows() const {
    std::vector<std::pair<std::int64_t, std::int8_t>> out;
    for (std::size_t k = 0; k < lists_.size(); ++k) {
      const std::int64_t end = k + 1 < lists_.size() ? lists_[k + 1].position : node_count_ + 1;
      for (std::int64_t position = lists_[k].position; position < end; ++position)
        for (const std::int8_t direction : lists_[k].directions)
          out.emplace_back(position - 1, direction);
    }
    return out;
  }

  void read_values(std::string_view line) {
    double value = 0.0;
    while (take_real(line, value)) {
      values_.push_back(value);
      if (!skip_comma(line)) break;
    }
    if (!trimmed(line).empty())
      fail("entry", fmt::format("expected a number or a comma at '{}'", line.substr(0, 60)));
    if (lines_.number() % kLinesPerReport == 0)
      progress_.step(static_cast<double>(lines_.offset()));
  }

  /// Stores the values read so far as a matrix; does nothing outside a matrix.
  void close_matrix() {
    if (matrix_type_.empty()) return;
    const auto n = static_cast<std::int64_t>(rows().size());
    if (static_cast<std::int64_t>(values_.size()) != n * (n + 1) / 2)
      fail("truncated",
           fmt::format("{}: found {} values, a lower triangle of {} rows has {}",
                       matrix_type_,
                       values_.size(),
                       n,
                       n * (n + 1) / 2));
    RawMatrix matrix;
    matrix.name = matrix_type_;
    matrix.rows = matrix.cols = n;
    matrix.layout = RawMatrix::Layout::lower_rows;
    matrix.form = RawMatrix::Form::symmetric;
    matrix.triangle = RawMatrix::Triangle::lower;
    MatrixEntries entries(false);
    std::size_t k = 0;
    for (std::int64_t row = 0; row < n; ++row)
      for (std::int64_t col = 0; col <= row; ++col)
        entries.add(static_cast<std::int32_t>(row), static_cast<std::int32_t>(col), values_[k++]);
    entries.finish(matrix);
    contents_.matrices.push_back(std::move(matrix));
    values_.clear();
    matrix_type_.clear();
  }

  /// Tells which node and direction each row is.
  void name_rows(Diagnostics& diagnostics) {
    if (static_cast<std::int64_t>(nodes_.size()) != node_count_) {
      diagnostics.warn(
          "element-nodes",
          fmt::format(
              "{} nodes in comments \"** ELEMENT NODES\" of an element with {}: the rows are "
              "not identified",
              nodes_.size(),
              node_count_),
          {file_.name()});
      return;
    }
    for (const auto& [position, direction] : rows())
      contents_.row_map.push_back({nodes_[static_cast<std::size_t>(position)], direction});
    for (RawMatrix& matrix : contents_.matrices)
      matrix.row_dofs = matrix.col_dofs = contents_.row_map;
  }

  InputFile& file_;
  Progress& progress_;
  Lines lines_;
  FileContents contents_;
  bool in_nodes_ = false;  // between the comment "** ELEMENT NODES" and the next keyword
  std::vector<std::int64_t> nodes_;
  Part part_ = Part::unread;
  std::int64_t node_count_ = 0;    // NODES=
  std::vector<Directions> lists_;  // by ascending position
  std::string matrix_type_;        // role of the current matrix; empty outside a matrix
  std::vector<double> values_;
};

/// Warns of rows that hold a support instead of the stiffness: Abaqus writes 1e36 on the diagonal
/// of each DOF that *BOUNDARY holds.
void warn_of_supports(const std::vector<LabelEntry>& entries,
                      const std::string& file,
                      Diagnostics& diagnostics) {
  constexpr double kSupport = 1e30;
  const auto is_support = [](const LabelEntry& each) {
    return each.row == each.col && each.value >= kSupport;
  };
  const auto count = std::count_if(entries.begin(), entries.end(), is_support);
  if (count == 0) return;
  diagnostics.warn(
      "supports-in-matrix",
      fmt::format("{} rows have 1e36 on the diagonal, which stands for *BOUNDARY, the first is {}: "
                  "write the matrices from a step without *BOUNDARY",
                  count,
                  to_string(std::find_if(entries.begin(), entries.end(), is_support)->row)),
      {file});
}

}  // namespace

bool is_abaqus_labels(const FileHead& head) {
  LabelEntry entry;
  return first_lines_fit(head, kTestedLines, is_blank_or_star, [&](std::string_view line) {
    return take_label_line(trimmed(line), entry);
  });
}

FileContents read_abaqus_labels(const std::filesystem::path& path,
                                const ReadOptions& /*options*/,
                                Diagnostics& diagnostics,
                                Progress& progress) {
  InputFile file(path);
  Lines lines(file.bytes());
  std::vector<LabelEntry> entries;
  while (lines.next()) {
    if (is_blank_or_star(lines.line())) continue;
    const std::string_view line = trimmed(lines.line());
    LabelEntry entry;
    if (!take_label_line(line, entry)) {
      throw ParseError("entry",
                       fmt::format("'{}' is not 'node, dof, node, dof, value'", line.substr(0, 60)),
                       {file.name(), lines.number()},
                       "the file may be truncated: export it again");
    }
    entries.push_back(entry);
    report_lines(file, lines, progress);
  }
  warn_of_supports(entries, file.name(), diagnostics);
  std::vector<Dof> dofs;
  for (const LabelEntry& entry : entries) {
    dofs.push_back(entry.row);
    dofs.push_back(entry.col);
  }
  std::sort(dofs.begin(), dofs.end());
  dofs.erase(std::unique(dofs.begin(), dofs.end()), dofs.end());
  const auto index_of = [&](const Dof& dof) {
    return static_cast<std::int32_t>(std::lower_bound(dofs.begin(), dofs.end(), dof) -
                                     dofs.begin());
  };
  RawMatrix matrix;
  matrix.name = role_of_file(file.name());
  matrix.rows = matrix.cols = static_cast<std::int64_t>(dofs.size());
  matrix.layout = RawMatrix::Layout::labels;
  matrix.form = RawMatrix::Form::symmetric;
  MatrixEntries sorted(false);
  sorted.reserve(entries.size());
  for (const LabelEntry& entry : entries)
    sorted.add(index_of(entry.row), index_of(entry.col), entry.value);
  if (sorted.has_above() && !sorted.has_below()) {
    matrix.triangle = RawMatrix::Triangle::upper;
  } else if (sorted.has_below() && !sorted.has_above()) {
    matrix.triangle = RawMatrix::Triangle::lower;
  } else if (sorted.has_below() && sorted.has_above()) {
    matrix.form = RawMatrix::Form::square;
  }
  sorted.finish(matrix);
  FileContents contents;
  contents.encoding = "ascii";
  contents.program = "Abaqus";
  contents.row_map = dofs;
  matrix.col_dofs = dofs;
  matrix.row_dofs = std::move(dofs);
  contents.matrices.push_back(std::move(matrix));
  return contents;
}

bool is_user_element(const FileHead& head) {
  Lines lines(head.bytes);
  while (lines.next()) {
    const std::string_view line = trimmed(lines.line());
    if (line.empty() || line.starts_with("**")) continue;
    return is_keyword(line, "USER ELEMENT");
  }
  return false;
}

FileContents read_user_element(const std::filesystem::path& path,
                               const ReadOptions& /*options*/,
                               Diagnostics& diagnostics,
                               Progress& progress) {
  InputFile file(path);
  return UserElementReader(file, progress).read(diagnostics);
}

}  // namespace femflex::importer
