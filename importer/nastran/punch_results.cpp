// Reads eigenvectors, displacements and element stresses from the result blocks of NASTRAN punch
// files. A block is one shape: `$` header lines, then data lines point by point or element by
// element. Blocks on the same points form a group.
#include "nastran/punch_results.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/number.h"
#include "femflex/text.h"

#include "nastran/polar.h"

namespace femflex::importer {
namespace {

/// A line without the sequence number in columns 73 to 80.
std::string_view text_part(std::string_view line) {
  return line.substr(0, 72);
}

bool starts(std::string_view line, std::string_view with) {
  return line.size() >= with.size() && std::equal(with.begin(), with.end(), line.begin());
}

/// The text after the first `=`; empty if there is none.
std::string_view value_part(std::string_view line) {
  const std::size_t equals = line.find('=');
  return equals == std::string_view::npos ? std::string_view{} : line.substr(equals + 1);
}

}  // namespace

bool PunchResults::Block::is_shape() const {
  return !by_point && (starts(name, "EIGENVECTOR") || starts(name, "DISPLACEMENT"));
}

bool PunchResults::Block::is_stress() const {
  return !by_point && output == Output::real && element_type > 0 &&
         (name == "ELEMENT STRESSES" || name == "ELEMENT STRAINS");
}

std::string PunchResults::Block::label() const {
  return "$" + name + (element_type > 0 ? " " + op2_element_name(element_type) : "") +
         (by_point ? " (sorted by point)" : "");
}

void PunchResults::fail(const char* code, std::string message, std::int64_t number) const {
  throw ParseError(code,
                   std::move(message),
                   {file_, number, -1, -1, "$" + block_.name},
                   "the punch file is damaged");
}

void PunchResults::header(std::string_view line, std::int64_t number) {
  line = trimmed(text_part(line));
  if (starts(line, "$TITLE")) {
    end_block();
    block_ = {};
    in_block_ = true;
    if (contents_.title.empty()) contents_.title = trimmed(value_part(line));
    return;
  }
  if (!in_block_) return;
  if (!points_.empty() || lines_ > 0 || !words_.empty()) {
    // a header after data, but without $TITLE: the next shape of the same table begins
    const Block current = block_;
    end_block();
    block_ = current;
    in_block_ = true;
  }
  if (starts(line, "$SUBTITLE") || starts(line, "$LABEL")) return;
  if (starts(line, "$REAL OUTPUT")) {
    block_.output = Output::real;
  } else if (starts(line, "$REAL-IMAGINARY")) {
    block_.output = Output::rectangular;
  } else if (starts(line, "$MAGNITUDE-PHASE")) {
    block_.output = Output::polar;
  } else if (starts(line, "$SUBCASE")) {
    std::string_view value = value_part(line);
    if (!take_integer(value, block_.subcase))
      fail("punch-header", "a subcase is not an integer", number);
  } else if (starts(line, "$POINT ID") || starts(line, "$ELEMENT ID")) {
    block_.by_point = true;
  } else if (starts(line, "$ELEMENT TYPE")) {
    std::string_view value = value_part(line);
    if (!take_integer(value, block_.element_type))
      fail("punch-header", "an element type is not an integer", number);
    block_.in_material_axes = value.find("MATERIAL") != std::string_view::npos;
  } else if (starts(line, "$EIGENVALUE")) {
    std::string_view value = trimmed(value_part(line));
    const bool pair = !value.empty() && value[0] == '(';
    if (pair) value.remove_prefix(1);
    bool is_valid = take_real(value, block_.eigenvalue);
    if (is_valid && pair) {
      value = trimmed(value);
      is_valid = !value.empty() && value[0] == ',';
      if (is_valid) value.remove_prefix(1);
      is_valid = is_valid && take_real(value, block_.eigenvalue_imaginary);
    }
    if (!is_valid) fail("punch-header", "an eigenvalue is not a number", number);
    block_.has_eigenvalue = true;
    if (const std::size_t mode = line.find("MODE"); mode != std::string_view::npos) {
      std::string_view rest = value_part(line.substr(mode));
      take_integer(rest, block_.mode);
    }
  } else if (block_.name.empty() && line.find('=') == std::string_view::npos) {
    block_.name = line.substr(1);
  }
}

void PunchResults::stress_data(std::string_view line, std::int64_t number) {
  line = text_part(line);
  if (!starts(line, "-CONT-")) {
    if (trimmed(line).empty()) return;
    close_element();
    const auto id = parse_integer(line.substr(0, 10));
    if (!id)
      fail("punch-element",
           fmt::format("'{}' is not an element id", trimmed(line.substr(0, 10))),
           number);
    words_.push_back(static_cast<double>(*id));
  } else if (words_.empty()) {
    fail("punch-element", "a -CONT- line has no element before it", number);
  }
  constexpr std::size_t kMostWords = 4096;  // CHEXA with 20 corners has 445
  if (words_.size() > kMostWords)
    fail("punch-element", fmt::format("an element has more than {} words", kMostWords), number);
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t from = 18 + 18 * k;
    std::string_view field = from < line.size() ? line.substr(from, 18) : std::string_view{};
    double value = 0.0;  // blank fields and texts (CEN/4, GRID) too
    if (!take_real(field, value) || !trimmed(field).empty()) value = 0.0;
    words_.push_back(value);
  }
}

void PunchResults::close_element() {
  if (words_.empty()) return;
  StressShape shape;
  shape.source = block_.name;
  shape.is_strain = block_.name == "ELEMENT STRAINS";
  shape.kind = block_.has_eigenvalue ? RawModes::Kind::normal : RawModes::Kind::displacement;
  shape.subcase = block_.subcase;
  shape.number = block_.mode;
  auto added = StressEntries::Added::unknown_layout;
  // the last line may end with one or two blank fields that are not words
  const std::size_t shortest = words_.size() - 2;
  while (added == StressEntries::Added::unknown_layout && words_.size() >= shortest) {
    added = stresses_.add(shape, block_.element_type, words_, block_.in_material_axes);
    words_.pop_back();
  }
  if (added != StressEntries::Added::yes)
    add_unread(block_.label() + (added == StressEntries::Added::curvature ? " curvature" : ""), 1);
  words_.clear();
}

void PunchResults::data(std::string_view line, std::int64_t number) {
  if (block_.is_stress()) {
    stress_data(line, number);
    return;
  }
  if (!block_.is_shape()) {
    lines_ = 1;  // at least one line was read
    return;
  }
  line = text_part(line);
  const bool is_continuation = starts(line, "-CONT-");
  if (!is_continuation) {
    if (trimmed(line).empty()) return;
    close_point(number);
    const auto id = parse_integer(line.substr(0, 10));
    if (!id)
      fail("punch-point",
           fmt::format("'{}' is not a point id", trimmed(line.substr(0, 10))),
           number);
    const char type = line.size() > 17 ? line[17] : 'G';
    points_.push_back(*id);
    scalar_.push_back(type == 'G' ? 0 : 1);
    std::fill(std::begin(point_), std::end(point_), 0.0);
  } else if (lines_ == 0) {
    fail("punch-point", "a -CONT- line has no point before it", number);
  }
  const int max_lines = block_.is_complex() ? 4 : 2;
  if (lines_ >= max_lines)
    fail("punch-point", fmt::format("a point has more than {} lines", max_lines), number);
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t from = 18 + 18 * k;
    std::string_view field = from < line.size() ? line.substr(from, 18) : std::string_view{};
    double value = 0.0;
    if (take_real(field, value)) {
      if (!trimmed(field).empty())
        fail("not-a-number",
             fmt::format("'{}' is not a number", trimmed(line.substr(from, 18))),
             number);
    } else if (!trimmed(field).empty() || scalar_.back() == 0) {
      fail("not-a-number",
           fmt::format("value {}: '{}' is not a number", k + 1, trimmed(field)),
           number);
    }
    point_[static_cast<std::size_t>(lines_) * 3 + k] = value;
  }
  ++lines_;
}

void PunchResults::close_point(std::int64_t number) {
  if (lines_ == 0) return;
  const int expected_lines = block_.is_complex() ? 4 : 2;
  if (lines_ != expected_lines) {
    // a scalar point may be written in one line, or one line per part
    if (scalar_.back() == 0 || (lines_ != 1 && lines_ != expected_lines / 2))
      fail("punch-point",
           fmt::format(
               "point {} has {} lines instead of {}", points_.back(), lines_, expected_lines),
           number);
    if (block_.is_complex() && lines_ == 2) {  // the second line is the imaginary part
      point_[6] = point_[3];
      point_[3] = 0.0;
    }
  }
  if (block_.output == Output::polar)
    for (std::size_t k = 0; k < 6; ++k)
      from_polar(point_[k], point_[6 + k]);
  values_.insert(values_.end(), point_, point_ + 6);
  if (block_.is_complex()) imaginary_.insert(imaginary_.end(), point_ + 6, point_ + 12);
  lines_ = 0;
}

bool PunchResults::same_table(const Group& group) const {
  return group.first.name == block_.name && group.first.subcase == block_.subcase &&
         group.first.is_complex() == block_.is_complex() &&
         group.first.has_eigenvalue == block_.has_eigenvalue && group.points == points_;
}

void PunchResults::add_unread(const std::string& label, std::int64_t count) {
  const auto it = std::find_if(
      unread_.begin(), unread_.end(), [&](const Unread& u) { return u.what == label; });
  if (it == unread_.end())
    unread_.push_back({label, count});
  else
    it->count += count;
}

void PunchResults::end_block() {
  if (!in_block_) return;
  in_block_ = false;
  if (!block_.is_shape()) {
    close_element();
    if (lines_ > 0) add_unread(block_.label(), 1);
    lines_ = 0;
    return;
  }
  close_point(-1);
  if (points_.empty()) return;
  if (groups_.empty() || !same_table(groups_.back())) {
    Group group;
    group.first = block_;
    group.points = points_;
    group.scalar = scalar_;
    groups_.push_back(std::move(group));
  }
  Group& group = groups_.back();
  group.values.insert(group.values.end(), values_.begin(), values_.end());
  group.imaginary.insert(group.imaginary.end(), imaginary_.begin(), imaginary_.end());
  if (block_.has_eigenvalue) {
    group.eigenvalues.push_back(block_.eigenvalue);
    group.eigenvalues_imaginary.push_back(block_.eigenvalue_imaginary);
  }
  group.numbers.push_back(block_.mode);
  ++group.shapes;
  points_.clear();
  scalar_.clear();
  values_.clear();
  imaginary_.clear();
}

void PunchResults::finish() {
  end_block();
  for (Group& group : groups_) {
    RawModes modes;
    modes.source = group.first.name;
    modes.kind = group.first.is_complex()                  ? RawModes::Kind::complex
                 : starts(group.first.name, "EIGENVECTOR") ? RawModes::Kind::normal
                                                           : RawModes::Kind::displacement;
    modes.subcase = group.first.subcase;
    modes.points = std::move(group.points);
    modes.is_scalar = std::move(group.scalar);
    const auto rows = static_cast<Eigen::Index>(6 * modes.points.size());
    modes.shapes = Eigen::Map<const Eigen::MatrixXd>(group.values.data(), rows, group.shapes);
    group.values = {};
    if (group.first.is_complex())
      modes.imaginary =
          Eigen::Map<const Eigen::MatrixXd>(group.imaginary.data(), rows, group.shapes);
    modes.eigenvalues = std::move(group.eigenvalues);
    if (group.first.is_complex()) {
      modes.eigenvalues_imaginary = std::move(group.eigenvalues_imaginary);
    } else {
      for (const double lambda : modes.eigenvalues)
        modes.frequencies_hz.push_back(std::copysign(std::sqrt(std::abs(lambda)), lambda) /
                                       (2.0 * std::numbers::pi));
    }
    modes.numbers = std::move(group.numbers);
    modes.single_precision = true;
    contents_.modes.push_back(std::move(modes));
  }
  stresses_.finish(contents_);
  for (Unread& unread : unread_)
    contents_.unread.push_back(std::move(unread));
}

}  // namespace femflex::importer
