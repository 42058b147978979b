// Reads tables of element stresses and strains from NASTRAN's and MYSTRAN's print files: puts the
// printed values where OUTPUT2 has its words, so that one list of layouts serves both.
#include "nastran/f06_stresses.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <utility>
#include <vector>

#include "femflex/number.h"
#include "femflex/text.h"

#include "nastran/op2_element_types.h"

namespace femflex::importer {
namespace {

constexpr std::size_t kShellPoint = 17;  ///< words of a corner of a shell: grid, then two faces
constexpr std::size_t kShellFace = 8;    ///< height, xx, yy, xy, angle, major, minor, von Mises
constexpr std::size_t kSolidPoint = 21;
constexpr std::size_t kSolidHead = 4;
/// Words of xx yy zz xy yz zx behind the first word of a point of a solid.
constexpr std::array<std::size_t, 6> kSolidWords{1, 9, 15, 2, 10, 16};
constexpr std::size_t kBarWords = 16;
constexpr std::size_t kBeamWords = 111;
constexpr std::size_t kBeamEndB = 101;
constexpr std::size_t kPlyWords = 11;
constexpr std::size_t kMostCorners = 20;

/// The text of a heading in single letters: words are two blanks or more apart.
std::string joined_letters(std::string_view line) {
  std::string out;
  line = trimmed(line.substr(std::min<std::size_t>(1, line.size())));
  std::size_t blanks = 0;
  for (const char c : line) {
    if (c == ' ') {
      ++blanks;
      continue;
    }
    if (blanks > 1) out += ' ';
    blanks = 0;
    out += c;
  }
  return out;
}

/// Takes a word of digits alone off the front: an id.
bool take_f06_id(std::string_view& line, double& id) {
  std::string_view rest = line;
  const std::string_view word = take_word(rest);
  if (word.empty() || !std::all_of(word.begin(), word.end(), [](char c) {
        return std::isdigit(static_cast<unsigned char>(c)) != 0;
      }))
    return false;
  const auto value = parse_integer(word);
  if (!value) return false;
  id = static_cast<double>(*value);
  line = rest;
  return true;
}

/// Drops the words before the next id.
void skip_to_id(std::string_view& line) {
  double id = 0.0;
  for (std::string_view rest = line; !trimmed(line).empty(); rest = line) {
    if (take_f06_id(rest, id)) return;
    take_word(line);
  }
}

std::vector<double> reals_of(std::string_view line) {
  std::vector<double> out;
  double value = 0.0;
  while (take_real(line, value)) {
    out.push_back(value);
    if (!line.empty() && line.front() == '*') line.remove_prefix(1);
  }
  return out;
}

/// OUTPUT2 type numbers of one element name; 0: none.
struct ElementName {
  std::string_view name;  ///< without the C of its card
  std::int64_t type = 0, centre_type = 0, ply_type = 0;
  Op2Family family = Op2Family::unread;  ///< of `type`, else of the centre
};

std::string_view without_c(std::string_view name) {
  if (name.starts_with("C") && name != "CONROD") name.remove_prefix(1);
  return name;
}

std::vector<ElementName> element_names() {
  std::vector<ElementName> out;
  for (const Op2ElementType& each : kOp2ElementTypes) {
    if (each.family == Op2Family::unread) continue;
    const std::string_view name = without_c(each.name);
    auto at =
        std::find_if(out.begin(), out.end(), [&](const ElementName& e) { return e.name == name; });
    if (at == out.end()) at = out.insert(out.end(), {.name = name});
    if (each.family == Op2Family::plies) {
      at->ply_type = each.number;
      continue;
    }
    if (each.family == Op2Family::shell_centre)
      at->centre_type = each.number;
    else
      at->type = each.number;
    if (each.has_centre_alone()) at->centre_type = each.number;
    if (each.family != Op2Family::shell_centre || at->type == 0) at->family = each.family;
  }
  return out;
}

/// @param is_prefix  the name may continue (HEXA8, TRIA3K of MYSTRAN); PYRAM must match exactly
const ElementName* element_named(std::string_view name, bool is_prefix) {
  static const std::vector<ElementName> known = element_names();
  name = without_c(name);
  for (const ElementName& each : known)
    if (is_prefix && each.name != "PYRAM" ? name.starts_with(each.name) : name == each.name)
      return &each;
  return nullptr;
}

}  // namespace

bool F06Stresses::is_heading(std::string_view line) {
  if (line.find("S T R ") == std::string_view::npos && line.find("F O R C E") == line.npos)
    return false;
  return line.find("S T R E S S E S ") != line.npos || line.find("S T R A I N S ") != line.npos ||
         line.find("F O R C E S   I N ") != line.npos ||
         line.find("E N G I N E E R I N G   F O R C E S") != line.npos;
}

F06Stresses::Table F06Stresses::table_of(const std::string& heading, std::string_view next) {
  Table out;
  out.name = heading;
  out.is_strain = heading.find("STRAINS") != std::string::npos;
  const std::string type = joined_letters(next);
  constexpr std::string_view kMystranType = "FOR ELEMENT TYPE ";
  const ElementName* element = nullptr;
  const bool is_layered = heading.find("LAYERED COMPOSITE") != std::string::npos;
  if (heading.starts_with("ELEMENT STRESSES IN ") || heading.starts_with("ELEMENT STRAINS IN ")) {
    if (!type.starts_with(kMystranType)) return out;
    out.is_mystran = true;
    out.name += ", " + type.substr(4);
    element = element_named(std::string_view(type).substr(kMystranType.size()), true);
    out.in_material_axes = heading.find("LOCAL") == std::string::npos;
    out.system = heading.find("BASIC") != std::string::npos   ? 0.0
                 : heading.find("LOCAL") != std::string::npos ? -1.0
                                                              : 1.0;
  } else if (heading.starts_with("STRESSES IN ") || heading.starts_with("STRAINS IN ")) {
    const std::size_t from = heading.find('(');
    const std::size_t to = heading.find(')');
    if (from == std::string::npos || to == std::string::npos || to < from) return out;
    element =
        element_named(trimmed(std::string_view(heading).substr(from + 1, to - from - 1)), false);
  }
  if (element == nullptr) return out;
  out.type = is_layered ? element->ply_type : element->type;
  out.centre_type = element->centre_type;
  if (is_layered)
    out.form = out.type == 0 ? Form::unread : Form::ply;
  else if (element->family == Op2Family::bar)
    out.form = Form::bar;
  else if (element->family == Op2Family::beam)
    out.form = out.is_mystran ? Form::unread : Form::beam;
  else if (element->family == Op2Family::solid)
    out.form = Form::solid;
  else
    out.form = element->family == Op2Family::rod ? Form::rod : Form::shell;
  return out;
}

void F06Stresses::read_table(Lines& lines, const Page& page) {
  const std::string heading = joined_letters(lines.line());
  const Table table = table_of(heading, lines.peek());
  StressShape shape;
  shape.source = table.name;
  shape.is_strain = table.is_strain;
  const bool is_mode = page.eigenvalue.has_value() || page.mode > 0;
  shape.kind = is_mode ? RawModes::Kind::normal : RawModes::Kind::displacement;
  shape.subcase = page.subcase;
  shape.number = page.mode;
  shape.eigenvalue = page.eigenvalue;
  if (table.name != table_.name || shape != shape_) close_element();  // else a page continues
  table_ = table;
  shape_ = shape;
  while (lines.next()) {
    const std::string_view line = lines.line();
    if (line.starts_with("1") || is_heading(line) || line.find("OUTPUT FOR") != line.npos) {
      lines.back();
      return;
    }
    if (table_.is_mystran && line.find("------") != line.npos) {  // largest and smallest follow
      close_element();
      return;
    }
    if (line.find("MATERIAL COORD") != line.npos) table_.in_material_axes = true;
    if (line.size() > 1) take_line(line.substr(1));
  }
}

void F06Stresses::take_line(std::string_view line) {
  switch (table_.form) {
    case Form::bar:
      return take_bar(line);
    case Form::beam:
      return take_beam(line);
    case Form::rod:
      return take_rods(line);
    case Form::shell:
      return take_shell(line);
    case Form::ply:
      return take_ply(line);
    case Form::solid:
      return table_.is_mystran ? take_mystran_solid(line) : take_solid(line);
    case Form::unread:
      break;
  }
  double id = 0.0;
  if (take_f06_id(line, id)) ++unread_[table_.name];
}

void F06Stresses::take_bar(std::string_view line) {
  double id = 0.0;
  constexpr std::size_t kPoints = 4;
  if (take_f06_id(line, id)) {
    const std::vector<double> values = reals_of(line);
    close_element();
    if (values.size() <= kPoints) return count_incomplete();
    words_.assign(kBarWords, 0.0);
    words_[0] = id;
    std::copy_n(values.begin(), kPoints + 1, words_.begin() + 1);
  } else if (!words_.empty()) {
    const std::vector<double> values = reals_of(line);
    if (values.size() < kPoints) return;
    std::copy_n(values.begin(), kPoints, words_.begin() + 9);
    add(words_, table_.type);
    words_.clear();
  }
}

void F06Stresses::take_beam(std::string_view line) {
  double id = 0.0;
  if (!take_f06_id(line, id)) return;
  const std::vector<double> values = reals_of(line);
  if (trimmed(line).empty()) {
    close_element();
    words_.assign(kBeamWords, 0.0);
    words_[0] = id;
  } else if (!words_.empty() && values.size() > 4 && (values[0] <= 0.0 || values[0] >= 1.0)) {
    const std::size_t at = values[0] <= 0.0 ? 1 : kBeamEndB;
    words_[at] = id;
    std::copy_n(values.begin(), 5, words_.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    ++filled_;
  }
}

void F06Stresses::take_rods(std::string_view line) {
  // margins may be blank: then the gap before the torsional value is wide
  constexpr std::size_t kMarginGap = 17;  // columns between the ends of axial value and margin
  std::string_view rest = line;
  double id = 0.0;
  while (take_f06_id(rest, id)) {
    std::vector<double> values;
    std::vector<std::size_t> ends;
    double value = 0.0;
    for (std::string_view ahead = rest; values.size() < 4; ahead = rest) {
      const std::string_view word = take_word(ahead);
      if (word.find('.') == word.npos || !take_real(rest, value)) break;
      values.push_back(value);
      ends.push_back(line.size() - rest.size());
      if (rest.starts_with('*')) rest.remove_prefix(1);  // of MYSTRAN, behind a negative margin
    }
    const bool has_margin = values.size() > 1 && ends[1] - ends[0] < kMarginGap;
    const std::size_t torsion = has_margin ? 2 : 1;
    if (values.size() <= torsion) {
      count_incomplete();
      skip_to_id(rest);
      continue;
    }
    add({id, values[0], 0.0, values[torsion], 0.0}, table_.type);
    skip_to_id(rest);
  }
}

void F06Stresses::take_shell(std::string_view line) {
  double id = 0.0;
  std::string_view rest = trimmed(line);
  const bool is_grid = rest.starts_with("GRD");
  if (is_grid) rest.remove_prefix(3);
  const bool has_id = take_f06_id(rest, id);
  rest = trimmed(rest);
  const bool is_centre = rest.starts_with("CEN");
  if (is_centre) take_word(rest);
  const std::vector<double> values = reals_of(rest);
  constexpr std::size_t kNeeded = 4;  // height and three components
  const bool is_readable = values.size() >= kNeeded;
  if (!is_readable && (!has_id || trimmed(rest).empty())) return;
  // in a table of corners each element begins with its centre
  const bool has_centres = words_.size() > 1 && words_[1] != 0.0;
  if (has_id && !is_grid && (is_centre || !has_centres)) {
    close_element();
    words_ = {id, is_centre ? 1.0 : 0.0};
    id = 0.0;
  }
  if (words_.empty()) return;
  if (has_id) {
    words_.resize(2 + kShellPoint * (point_ + 1), 0.0);
    words_[2 + kShellPoint * point_] = id;
    has_gap_ = has_gap_ || filled_ != 2 * point_ || !is_readable;
    filled_ = 2 * point_++;
  }
  if (!is_readable || point_ == 0 || point_ > kMostCorners || filled_ >= 2 * point_) return;
  const std::size_t at = 3 + kShellPoint * (point_ - 1) + kShellFace * (filled_ % 2);
  std::copy_n(values.begin(),
              std::min(values.size(), kShellFace),
              words_.begin() + static_cast<std::ptrdiff_t>(at));
  ++filled_;
}

void F06Stresses::take_ply(std::string_view line) {
  double element = 0.0;
  double ply = 0.0;
  if (!take_f06_id(line, element) || !take_f06_id(line, ply)) return;
  const std::vector<double> values = reals_of(line);
  if (values.size() < 5) {
    if (!trimmed(line).empty()) count_incomplete();
    return;
  }
  std::vector<double> words(kPlyWords, 0.0);
  words[0] = element;
  words[1] = ply;
  std::copy_n(values.begin(), 5, words.begin() + 2);
  add(words, table_.type);
}

void F06Stresses::take_solid(std::string_view line) {
  const std::size_t head = line.find("GRID CS");
  if (head != line.npos) {
    std::string_view ids = line.substr(0, head);
    std::string_view rest = line.substr(head + 7);
    std::int64_t element = 0;
    std::int64_t system = 0;
    std::int64_t corners = 0;
    close_element();
    if (!take_integer(ids, element) || !take_integer(ids, system) || !take_integer(rest, corners) ||
        corners < 0 || corners > static_cast<std::int64_t>(kMostCorners))
      return count_incomplete();
    words_.assign(kSolidHead + kSolidPoint * (static_cast<std::size_t>(corners) + 1), 0.0);
    words_[0] = static_cast<double>(element);
    words_[1] = static_cast<double>(system);
    words_[3] = static_cast<double>(corners);
    return;
  }
  if (words_.empty()) return;
  std::string_view rest = trimmed(line);
  double grid = 0.0;
  if (rest.starts_with("CENTER") || take_f06_id(rest, grid)) {
    if (grid == 0.0) take_word(rest);
    const std::size_t at = kSolidHead + kSolidPoint * point_;
    if (at + kSolidPoint > words_.size()) return;
    words_[at] = grid;
    ++point_;
  }
  rest = trimmed(rest);
  if (point_ == 0 || rest.size() < 2 || rest[0] < 'X' || rest[0] > 'Z' || rest[1] != ' ') return;
  const auto component = static_cast<std::size_t>(rest[0] - 'X');
  rest.remove_prefix(1);
  const std::size_t at = kSolidHead + kSolidPoint * (point_ - 1);
  for (const std::size_t row : {component, component + 3}) {
    double value = 0.0;
    if (!take_real(rest, value)) return;
    words_[at + kSolidWords[row]] = value;
    ++filled_;
    rest = trimmed(rest);
    if (rest.size() > 2) rest.remove_prefix(2);  // XY, YZ, ZX
  }
}

void F06Stresses::take_mystran_solid(std::string_view line) {
  double id = 0.0;
  std::string_view rest = trimmed(line);
  const bool is_grid = rest.starts_with("GRD");
  if (is_grid) rest.remove_prefix(3);
  if (!take_f06_id(rest, id)) return;
  rest = trimmed(rest);
  if (rest.starts_with("CENTER")) take_word(rest);
  const std::vector<double> values = reals_of(rest);
  if (values.empty() && trimmed(rest).empty()) return;
  if (!is_grid) {
    close_element();
    words_ = {id, table_.system, 0.0, 0.0};
    id = 0.0;
  }
  if (words_.empty() || point_ > kMostCorners) return;
  if (values.size() < kSolidWords.size()) {
    has_gap_ = true;
    return;
  }
  const std::size_t at = kSolidHead + kSolidPoint * point_;
  words_.resize(at + kSolidPoint, 0.0);
  words_[at] = id;
  for (std::size_t c = 0; c < kSolidWords.size(); ++c)
    words_[at + kSolidWords[c]] = values[c];
  words_[3] = static_cast<double>(point_);
  ++point_;
  filled_ += kSolidWords.size();
}

void F06Stresses::close_element() {
  const std::vector<double> words = std::move(words_);
  const std::size_t points = point_;
  const std::size_t filled = filled_;
  words_.clear();
  const bool has_gap = std::exchange(has_gap_, false);
  point_ = 0;
  filled_ = 0;
  if (words.empty()) return;
  if (has_gap) return count_incomplete();
  const bool is_whole_solid = table_.form == Form::solid && filled == kSolidWords.size() * points &&
                              words.size() == kSolidHead + kSolidPoint * points;
  if (table_.form == Form::shell && filled == 2 * points) {
    if (points > 1)
      add(words, table_.type);
    else {
      std::vector<double> centre(words.begin() + 2, words.end());
      centre[0] = words[0];
      add(centre, table_.centre_type);
    }
  } else if (is_whole_solid || (table_.form == Form::beam && filled == 2)) {
    add(words, table_.type);
  } else {
    count_incomplete();
  }
}

void F06Stresses::count_incomplete() {
  ++unread_[table_.name + ", incomplete"];
}

void F06Stresses::add(const std::vector<double>& words, std::int64_t type) {
  const auto added = entries_.add(shape_, type, words, table_.in_material_axes);
  if (added == StressEntries::Added::yes) return;
  ++unread_[table_.name + (added == StressEntries::Added::curvature ? ", curvature" : "")];
}

void F06Stresses::finish(
    FileContents& contents,
    const std::function<std::int64_t(std::int64_t, double, std::size_t)>& mode_of) {
  close_element();
  std::map<std::pair<std::string, std::pair<std::int64_t, double>>, std::size_t> count;
  for (StressColumn& column : entries_.columns()) {
    StressShape& shape = column.shape;
    if (shape.number != 0 || !shape.eigenvalue) continue;
    const std::size_t n = count[{shape.source, {shape.subcase, *shape.eigenvalue}}]++;
    shape.number = mode_of(shape.subcase, *shape.eigenvalue, n);
  }
  entries_.finish(contents);
  for (const auto& [name, number] : unread_)
    contents.unread.push_back({name, number});
}

}  // namespace femflex::importer
