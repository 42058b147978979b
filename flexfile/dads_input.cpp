// Reads formatted DADS inputs (records: docs/formats/dads.md). Keyword records are separated by
// blanks; reals are G18.12, up to four per record, 18 columns each and touching. Logicals are 5
// columns and touch.
#include "femflex/flexfile/dads_input.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/io/mapped_file.h"
#include "femflex/number.h"
#include "femflex/progress.h"
#include "femflex/text.h"

#include "bytes/line_cursor.h"
#include "formats/flex.h"

namespace femflex::flexfile {
namespace {

using Eigen::Vector3d;

constexpr std::size_t kWidth = 18;

/// Reads records; errors name the block that they belong to.
class DadsReader {
 public:
  DadsReader(std::string_view text, std::string file) : lines_(text, std::move(file)) {}

  LineCursor& lines() { return lines_; }
  void block(std::string name) { block_ = std::move(name); }
  bool at_end() const { return lines_.at_end(); }

  /// Moves to the next record.
  std::string_view next() {
    if (lines_.at_end()) fail("truncated", "the file ends within the block");
    line_ = lines_.next();
    return line_;
  }

  [[noreturn]] void fail(std::string code, std::string message, std::int64_t column = -1) const {
    lines_.fail(std::move(code), std::move(message), block_, column);
  }

  /// `count` reals of the next record, which must not hold more.
  std::vector<double> reals(std::size_t count) {
    next();
    std::vector<double> values = reals_from(0, count);
    const std::string_view rest =
        line_.size() > count * kWidth ? trimmed(line_.substr(count * kWidth)) : std::string_view();
    if (!rest.empty())
      fail("surplus",
           fmt::format("unexpected '{}' after {} reals", rest, count),
           static_cast<std::int64_t>(count * kWidth) + 1);
    return values;
  }
  Vector3d vector() {
    const std::vector<double> v = reals(3);
    return {v[0], v[1], v[2]};
  }

  /// Reals of this record from 0-based column `from` on; trailing blanks of the record may be
  /// missing.
  std::vector<double> reals_from(std::size_t from, std::size_t count) const {
    std::vector<double> values;
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t at = from + k * kWidth;
      const std::string_view field =
          at < line_.size() ? line_.substr(at, kWidth) : std::string_view();
      const std::string_view number = trimmed(field);
      double value = 0.0;
      const auto end = std::from_chars(number.data(), number.data() + number.size(), value);
      // E form fills all columns; F form has 14 and leaves four blanks, which editors strip
      const std::size_t size = trimmed_right(field).size();
      const bool is_shifted = size == kWidth ? field[0] == ' ' && field[1] != '.' : size != 14;
      if (number.empty() || end.ec != std::errc() || end.ptr != number.data() + number.size() ||
          !std::isfinite(value) || is_shifted)
        fail("bad-number",
             fmt::format(
                 "columns {} to {} contain '{}', expected a real as Fortran G18.12 writes it",
                 at + 1,
                 at + kWidth,
                 field),
             static_cast<std::int64_t>(at) + 1);
      values.push_back(value);
    }
    return values;
  }

  std::string_view line() const { return line_; }

  std::int64_t integer(std::string_view word) const {
    const std::optional<std::int64_t> value = parse_integer(word);
    if (!value) fail("bad-number", fmt::format("'{}' is not an integer", word), column_of(word));
    return *value;
  }

  /// A number of 32 bits.
  int small_integer(std::string_view word) const {
    const std::int64_t value = integer(word);
    if (value < std::numeric_limits<int>::min() || value > std::numeric_limits<int>::max())
      fail("bad-number", fmt::format("'{}' is too large", word), column_of(word));
    return static_cast<int>(value);
  }

  /// Takes the next word, which must be the one that the meaning of the records relies on.
  void expect_word(std::string_view& rest, std::string_view what, std::string_view known) const {
    const std::string_view found = view(rest, what);
    if (found != known)
      fail("unsupported",
           fmt::format("{} is '{}'; only {} is supported", what, found, known),
           column_of(found));
  }

  // Take the next word off the front of `rest`; `expected` names it in the error.
  std::string word(std::string_view& rest, std::string_view expected) const {
    return std::string(view(rest, expected));
  }
  std::string_view view(std::string_view& rest, std::string_view expected) const {
    const std::string_view word = take_word(rest);
    if (word.empty())
      fail("short-record",
           fmt::format("the record ends, expected {}", expected),
           static_cast<std::int64_t>(line_.size()) + 1);
    return word;
  }

  /// 1-based column at which `part` begins in the record; -1 if it is not in the record.
  std::int64_t column_of(std::string_view part) const {
    return part.data() >= line_.data() && part.data() <= line_.data() + line_.size()
               ? part.data() - line_.data() + 1
               : -1;
  }

 private:
  LineCursor lines_;
  std::string_view line_;
  std::string block_;
};

/// Reads the words TRUE and FALSE, separated by blanks or touching in columns of five.
std::vector<bool> logicals(const DadsReader& reader, std::string_view rest) {
  std::vector<bool> values;
  for (rest = trimmed(rest); !rest.empty(); rest = trimmed(rest)) {
    if (rest.starts_with("TRUE")) {
      values.push_back(true);
      rest.remove_prefix(4);
    } else if (rest.starts_with("FALSE")) {
      values.push_back(false);
      rest.remove_prefix(5);
    } else {
      reader.fail("bad-word",
                  fmt::format("found '{}', expected TRUE or FALSE", rest),
                  reader.column_of(rest));
    }
  }
  return values;
}

void read_system(DadsReader& reader, std::string_view rest, DadsInput& input) {
  reader.expect_word(rest, "the set of units", input.units);
  reader.expect_word(rest, "the kind of analysis", input.analysis);
  const std::vector<double> gravity = reader.reals(4);
  if (gravity[0] != input.length_factor)
    reader.fail(
        "unsupported",
        fmt::format(
            "the length factor is {}; only {} is supported", gravity[0], input.length_factor),
        1);
  input.gravity_direction = {gravity[1], gravity[2], gravity[3]};
  const std::vector<double> times = reader.reals(4);
  input.gravity = times[0];
  input.start = times[1];
  input.end = times[2];
  input.print_step = times[3];
  reader.next();
  const std::vector<double> assembly = reader.reals_from(0, 2);
  input.redundancy_tolerance = assembly[0];
  input.assembly_tolerance = assembly[1];
  if (input.end < input.start || !(input.print_step > 0.0))
    reader.fail("bad-times",
                fmt::format("the simulation from {} to {} s with steps of {} s is empty",
                            input.start,
                            input.end,
                            input.print_step));
}

void read_integration(DadsReader& reader, DadsInput& input) {
  const std::vector<double> values = reader.reals(3);
  input.max_step = values[0];
  input.integration_tolerance = values[1];
  input.constraint_tolerance = values[2];
}

DadsBracket read_bracket(DadsReader& reader, std::string_view rest) {
  DadsBracket bracket;
  bracket.name = reader.word(rest, "the name of the joint");
  bracket.body_i = reader.word(rest, "the first body");
  bracket.body_j = reader.word(rest, "the second body");
  bracket.node_i = reader.integer(reader.view(rest, "the node on the first body"));
  bracket.node_j = reader.integer(reader.view(rest, "the node on the second body"));
  for (std::size_t point = 0; point < 3; ++point) {
    bracket.triad_i[point] = reader.vector();
    bracket.triad_j[point] = reader.vector();
  }
  return bracket;
}

DadsBody read_body_block(DadsReader& reader, std::string_view rest) {
  DadsBody body;
  body.name = reader.word(rest, "the name of the body");
  reader.expect_word(rest, "the sign of the orientation", "POSITIVE");
  reader.expect_word(rest, "the kind of orientation", "EULER");
  const std::vector<bool> flags = logicals(reader, rest);
  if (flags.size() != 3)
    reader.fail("short-record", fmt::format("found {} logicals, expected 3", flags.size()));
  body.is_ground = flags[0];
  for (int record = 0; record < 2; ++record) {
    std::string_view names = reader.next();
    while (!trimmed(names).empty())
      reader.expect_word(names, "a curve or user force", "NONE");
  }
  body.position = reader.vector();
  body.orientation = reader.vector();
  const std::vector<double> mass = reader.reals(4);
  body.mass = mass[0];
  body.inertia = {mass[1], mass[2], mass[3]};
  body.products = reader.vector();
  body.velocity = reader.vector();
  body.spin = reader.vector();
  return body;
}

/// Warns of ratios outside 0 to 1, since 35 may mean 35 %. The ratio is kept, because damping above
/// critical exists.
void check_damping(DadsReader& reader,
                   const std::vector<double>& ratios,
                   Diagnostics& diagnostics) {
  for (std::size_t k = 0; k < ratios.size(); ++k)
    if (!(ratios[k] >= 0.0 && ratios[k] <= 1.0))
      diagnostics.warn("damping-ratio",
                       fmt::format("mode {}: the damping ratio is {:.6g}, where 1 is critical "
                                   "damping: write {:.6g} for {:.6g} %",
                                   k + 1,
                                   ratios[k],
                                   ratios[k] / 100.0,
                                   ratios[k]),
                       {reader.lines().file(), reader.lines().number(), -1, -1, "FLEXIBLE"});
}

DadsFlexible read_flexible(DadsReader& reader, std::string_view rest, Diagnostics& diagnostics) {
  DadsFlexible flexible;
  std::string_view name = reader.view(rest, "the name of the flexible block");
  const std::size_t letters = name.find_first_not_of("0123456789");
  if (letters == std::string_view::npos) {  // number and name are separated by blanks
    flexible.code = reader.small_integer(name);
    name = reader.view(rest, "the name of the flexible block");
  } else if (letters > 0) {
    flexible.code = reader.small_integer(name.substr(0, letters));
    name.remove_prefix(letters);
  }
  flexible.name = name;
  flexible.body = reader.word(rest, "the body");
  const std::int64_t modes = reader.integer(reader.view(rest, "the number of modes"));
  const std::int64_t forces = reader.integer(reader.view(rest, "the number of nodal forces"));
  // a number takes two bytes or more
  const auto max_count = static_cast<std::int64_t>(reader.lines().bytes_left() / 2);
  if (modes < 0 || forces < 0 || modes > max_count || forces > max_count)
    reader.fail(
        "bad-count",
        fmt::format("{} modes and {} forces do not fit into the rest of the file", modes, forces));
  for (std::int64_t count_read = 0; count_read < modes;) {
    reader.next();
    const auto count = static_cast<std::size_t>(std::min<std::int64_t>(modes - count_read, 4));
    const std::vector<double> values = reader.reals_from(0, count);
    flexible.damping_ratio.insert(flexible.damping_ratio.end(),
                                  values.begin(),
                                  values.end());  // text after the numbers is a comment
    count_read += static_cast<std::int64_t>(count);
  }
  check_damping(reader, flexible.damping_ratio, diagnostics);
  for (std::int64_t k = 0; k < forces; ++k) {
    std::string_view record = reader.next();
    const std::string_view node = reader.view(record, "a node");
    const auto from = static_cast<std::size_t>(record.data() - reader.line().data()) + 1;
    const std::vector<double> force = reader.reals_from(from, 3);
    flexible.forces.push_back({reader.integer(node), {force[0], force[1], force[2]}});
  }
  flexible.flex = parse_flex(reader.lines(), false, diagnostics, no_progress());
  flexible.flex.name = flexible.body;
  if (flexible.flex.mode_count() != modes)
    reader.fail("bad-count",
                fmt::format("the FLEX content has {} modes, but the block has {}",
                            flexible.flex.mode_count(),
                            modes));
  for (std::size_t k = 0; k < flexible.damping_ratio.size(); ++k)
    flexible.flex.modes[k].damping_ratio = flexible.damping_ratio[k];
  for (const DadsNodeForce& force : flexible.forces)
    if (find_node(flexible.flex, force.node) < 0)
      reader.fail("unknown-node",
                  fmt::format("a force acts on node {}, which the body does not have", force.node));
  return flexible;
}

void check_names(const DadsReader& reader, const DadsInput& input) {
  const auto is_body = [&](const std::string& name) {
    return std::any_of(input.bodies.begin(), input.bodies.end(), [&](const DadsBody& body) {
      return body.name == name;
    });
  };
  const auto check = [&](const std::string& name) {
    if (!is_body(name)) reader.fail("unknown-body", fmt::format("there is no block BODY {}", name));
  };
  for (const DadsBracket& bracket : input.brackets) {
    check(bracket.body_i);
    check(bracket.body_j);
  }
  for (const DadsFlexible& flexible : input.flexible)
    check(flexible.body);
}

}  // namespace

bool is_dads_input(std::string_view head) {
  std::string_view line = trimmed(head.substr(0, head.find('\n')));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return trimmed(line) == "HEADER" && head.find("SYSTEM") != std::string_view::npos;
}

DadsInput read_dads_input(const std::filesystem::path& path, Diagnostics& diagnostics) {
  const io::MappedFile file(path);
  return parse_dads_input(file.bytes(), file.name(), diagnostics);
}

DadsInput parse_dads_input(std::string_view text,
                           const std::string& file,
                           Diagnostics& diagnostics) {
  DadsReader reader(text, file);
  DadsInput input;
  reader.block("HEADER");
  if (trimmed(reader.next()) != "HEADER")
    reader.fail("bad-word", "expected HEADER on the first line", 1);
  for (std::string_view line = reader.next(); trimmed(line) != "END"; line = reader.next())
    input.title.emplace_back(trimmed_right(line));
  bool has_system = false;
  while (!reader.at_end()) {
    reader.block("between blocks");
    std::string_view rest = reader.next();
    const std::string_view keyword = take_word(rest);
    if (keyword.empty()) continue;
    reader.block(std::string(keyword));
    if (keyword == "SYSTEM") {
      read_system(reader, rest, input);
      has_system = true;
    } else if (keyword == "DYNAMIC") {
      read_integration(reader, input);
    } else if (keyword == "BRACKET") {
      input.brackets.push_back(read_bracket(reader, rest));
    } else if (keyword == "BODY") {
      input.bodies.push_back(read_body_block(reader, rest));
    } else if (keyword == "FLEXIBLE") {
      input.flexible.push_back(read_flexible(reader, rest, diagnostics));
    } else {
      reader.fail(
          "bad-word", fmt::format("'{}' is not a known block", keyword), reader.column_of(keyword));
    }
  }
  reader.block("end of file");
  if (!has_system) reader.fail("missing-block", "there is no block SYSTEM");
  if (input.bodies.empty()) reader.fail("missing-block", "there is no block BODY");
  check_names(reader, input);
  return input;
}

}  // namespace femflex::flexfile
