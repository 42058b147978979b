// Reads MBDyn modal joint data: the text is split into record groups first, then each group is read
// where its data are needed.
#include "formats/mbdyn_fem.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/frames.h"
#include "femflex/io/mapped_file.h"
#include "femflex/number.h"

#include "derive.h"

namespace femflex::flexfile {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;

/// One record group, whose numbers are read from front to back.
class FemRecord {
 public:
  FemRecord() = default;
  FemRecord(std::string_view text, std::string_view body, std::string file, int group)
      : text_(text), body_(body), file_(std::move(file)), group_(group) {}

  [[noreturn]] void fail(std::string code, std::string message, const char* at) const {
    const std::string_view before = text_.substr(0, static_cast<std::size_t>(at - text_.data()));
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
    throw ParseError(
        std::move(code),
        std::move(message),
        {file_, line, static_cast<std::int64_t>(before.size() - start) + 1, -1, name()});
  }
  std::string name() const { return fmt::format("record group {}", group_); }

  /// Next word; comment lines within a record are skipped.
  std::string_view word() {
    for (;;) {
      const std::size_t first = body_.find_first_not_of(" \t\r\n");
      if (first == std::string_view::npos) {
        const char* end = body_.data() + body_.size();
        body_ = {};
        fail("truncated", "the record ends before all its numbers", end);
      }
      body_.remove_prefix(first);
      if (body_.substr(0, 2) != "**") break;
      skip_line();
    }
    std::size_t end = 0;
    while (end < body_.size() && body_[end] > ' ')
      ++end;
    const std::string_view word = body_.substr(0, end);
    body_.remove_prefix(end);
    return word;
  }
  double real() {
    const std::string_view text = word();
    const std::optional<double> value = parse_real(text);
    if (!value)
      fail("bad-number", fmt::format("'{}' is not a number", text.substr(0, 40)), text.data());
    return *value;
  }
  std::int64_t integer() {
    const std::string_view text = word();
    const std::optional<std::int64_t> value = parse_integer(text);
    if (!value)
      fail("bad-number", fmt::format("'{}' is not an integer", text.substr(0, 40)), text.data());
    return *value;
  }
  template <class Matrix>
  void fill_rows(Matrix&& a) {
    for (Index r = 0; r < a.rows(); ++r)
      for (Index c = 0; c < a.cols(); ++c)
        a(r, c) = real();
  }
  void skip_line() {
    const std::size_t end = body_.find('\n');
    body_.remove_prefix(end == std::string_view::npos ? body_.size() : end + 1);
  }
  /// The line before the rows of a mode: begins with `**` or is empty.
  void mode_line() {
    const std::string_view line = body_.substr(0, body_.find('\n'));
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first != std::string_view::npos && !line.starts_with("**"))
      fail("no-mode-line", "the comment line before a mode shape is missing", line.data() + first);
    skip_line();
  }
  /// Checks that only comments and blank lines are left.
  void end() {
    while (!body_.empty()) {
      const std::string_view line = body_.substr(0, body_.find('\n'));
      const std::size_t first = line.find_first_not_of(" \t\r");
      if (first != std::string_view::npos && line.substr(first, 2) != "**")
        fail("surplus",
             fmt::format("unexpected '{}' after the record", line.substr(first, 40)),
             line.data() + first);
      skip_line();
    }
  }
  const char* position() const { return body_.data(); }

 private:
  std::string_view text_, body_;
  std::string file_;
  int group_ = 0;
};

/// Splits the text at `** RECORD GROUP n`.
std::map<int, FemRecord> split_records(std::string_view text, const std::string& file) {
  std::map<int, FemRecord> records;
  constexpr std::string_view kStart = "** RECORD GROUP";
  int group = 0;
  std::size_t body = 0;
  bool ended = false;
  const auto close = [&](std::size_t at) {
    if (group == 0) return;
    FemRecord record(text, text.substr(body, at - body), file, group);
    if (!records.emplace(group, record).second)
      record.fail("twice", "the group appears twice", text.data() + body);
  };
  for (std::size_t at = text.starts_with("**") ? 0 : text.find("\n**");
       at != std::string_view::npos;
       at = text.find("\n**", at + 1)) {
    const std::size_t line = text[at] == '\n' ? at + 1 : at;
    const std::string_view rest = text.substr(line);
    if (rest.starts_with("** END OF FILE")) {
      close(line);
      ended = true;
      break;
    }
    if (!rest.starts_with(kStart)) continue;
    close(line);
    std::string_view number = rest.substr(kStart.size(), 16);
    number.remove_prefix(std::min(number.find_first_not_of(' '), number.size()));
    int next = 0;
    const auto end = std::from_chars(number.data(), number.data() + number.size(), next);
    const FemRecord context(text, text, file, next);
    if (end.ec != std::errc() || next < 1 || next > 19)
      context.fail("bad-group", "the number of a record group must be 1 to 19", text.data() + line);
    if (records.empty() && group == 0 && next != 1)
      context.fail("bad-group", "the first record group must be 1", text.data() + line);
    group = next;
    body = std::min(text.find('\n', line), text.size() - 1) + 1;
  }
  if (!ended) {
    const FemRecord context(text, text, file, group);
    context.fail("truncated", "there is no '** END OF FILE'", text.data() + text.size());
  }
  return records;
}

/// The record groups of a file.
class FemFile {
 public:
  FemFile(std::string_view text, const std::string& file)
      : name_(file), records_(split_records(text, file)) {}
  bool has(int group) const { return records_.count(group) != 0; }
  FemRecord& record(int group) {
    const auto found = records_.find(group);
    if (found == records_.end())
      throw ParseError("missing",
                       fmt::format("there is no record group {}", group),
                       {name_, -1, -1, -1, fmt::format("record group {}", group)});
    return found->second;
  }
  template <class Matrix>
  void fill_rows(int group, Matrix&& a) {
    FemRecord& r = record(group);
    r.fill_rows(a);
    r.end();
  }

 private:
  std::string name_;
  std::map<int, FemRecord> records_;
};

/// Number of nodes, and the kind of each mode.
struct FemSizes {
  std::int64_t nodes = 0;
  std::vector<ModeKind> kinds;
};

FemSizes read_sizes(FemRecord& record) {
  record.mode_line();
  record.word();  // skip the revision
  const char* at = record.position();
  FemSizes sizes;
  sizes.nodes = record.integer();
  const std::int64_t normal = record.integer();
  const std::int64_t attachment = record.integer();
  const std::int64_t constraint = record.integer();
  const std::int64_t rejected = record.integer();
  constexpr std::int64_t kMaxCount = 1000000000;
  if (sizes.nodes < 0 || sizes.nodes > kMaxCount || normal < 0 || normal > kMaxCount ||
      attachment < 0 || attachment > kMaxCount || constraint < 0 || constraint > kMaxCount ||
      rejected < 0 || rejected > normal + attachment + constraint)
    record.fail("bad-count", "a count is negative or too large", at);
  const std::int64_t n = normal + attachment + constraint - rejected;
  // checked by the caller before anything of this size is allocated
  sizes.kinds.assign(static_cast<std::size_t>(std::min<std::int64_t>(n, 10000000)),
                     ModeKind::dynamic);
  for (std::size_t k = 0; k < sizes.kinds.size(); ++k)
    if (static_cast<std::int64_t>(k) >= normal)
      sizes.kinds[k] = static_cast<std::int64_t>(k) >= normal + attachment ? ModeKind::constraint
                                                                           : ModeKind::attachment;
  return sizes;
}

/// Returns for each row of the file the index of its node in the body. Labels may come in any
/// order, but bodies keep nodes in ascending order of id.
std::vector<Index> map_labels(FemRecord& record, Index count, FlexBody& body) {
  std::vector<std::pair<std::int64_t, Index>> labels;
  const char* at = record.position();
  for (Index k = 0; k < count; ++k)
    labels.emplace_back(record.integer(), k);
  record.end();
  std::sort(labels.begin(), labels.end());
  std::vector<Index> body_index(labels.size());
  for (std::size_t k = 0; k < labels.size(); ++k) {
    if (k > 0 && labels[k].first == labels[k - 1].first)
      record.fail("twice", fmt::format("node {} appears twice", labels[k].first), at);
    body_index[static_cast<std::size_t>(labels[k].second)] = static_cast<Index>(k);
    body.nodes.push_back({labels[k].first, Vector3d::Zero()});
  }
  return body_index;
}

void read_inertia(FemFile& fem, FlexBody& body) {
  FemRecord& record = fem.record(12);
  InertiaInvariants& i = body.invariants;
  i.mass = record.real();
  Vector3d centre;
  for (Index k = 0; k < 3; ++k)
    centre(k) = record.real();
  Matrix3d about_centre;
  record.fill_rows(about_centre);
  record.end();
  i.first_moment = i.mass * centre;
  // parallel axes: group 12 is about the centre of mass
  i.inertia = about_centre - i.mass * cross_matrix(centre) * cross_matrix(centre);
}

void read_invariants(FemFile& fem, FlexBody& body) {
  InertiaInvariants& i = body.invariants;
  if (fem.has(14)) fem.fill_rows(14, i.translation);
  if (fem.has(15)) fem.fill_rows(15, i.rotation);
  if (fem.has(16)) {
    fem.fill_rows(16, i.inertia_rate);
    i.inertia_rate = -i.inertia_rate;
  }
  if (fem.has(17)) fem.fill_rows(17, i.translation_rate);
  if (fem.has(18)) {
    const Index n = body.mode_count();
    FemRecord& record = fem.record(18);
    for (Index a = 0; a < 3; ++a)
      for (Index j = 0; j < n; ++j)
        for (Index k = 0; k < n; ++k)
          for (Index b = 0; b < 3; ++b)
            i.inertia_curvature(3 * j + a, 3 * k + b) = record.real();
    record.end();
  }
}

/// Compares the sizes claimed by `sizes` with the bytes of `text` before memory is allocated.
void check_sizes(const FemRecord& head, const FemSizes& sizes, std::string_view text) {
  const auto nodes = static_cast<double>(sizes.nodes);
  const auto n = static_cast<double>(sizes.kinds.size());
  // a number and a blank are two bytes: shapes 6 N n and matrices 2 n n must be in the file
  constexpr double kBytesOfNumber = 2.0;
  const double needed = kBytesOfNumber * (6.0 * nodes * n + 2.0 * n * n + 4.0 * nodes);
  if (needed > static_cast<double>(text.size()))
    head.fail("truncated",
              fmt::format("{} nodes and {} modes need at least {:.0f} bytes, but the file has {}",
                          sizes.nodes,
                          sizes.kinds.size(),
                          needed,
                          text.size()),
              text.data());
}

/// Groups 5 to 7. `body_index`: index in the body of each of the file's nodes.
void read_positions(FemFile& fem, const std::vector<Index>& body_index, FlexBody& body) {
  for (int axis = 0; axis < 3; ++axis) {
    FemRecord& record = fem.record(5 + axis);
    for (const Index k : body_index)
      body.nodes[static_cast<std::size_t>(k)].position(axis) = record.real();
    record.end();
  }
}

void read_shapes(FemFile& fem,
                 const std::vector<Index>& body_index,
                 FlexBody& body,
                 Progress& progress) {
  const Index n = body.shapes.cols();
  FemRecord& shapes = fem.record(8);
  progress.begin("read MBDyn", static_cast<double>(n), "modes");
  for (Index mode = 0; mode < n; ++mode) {
    progress.step(static_cast<double>(mode));
    if (mode > 0) shapes.skip_line();  // skip the rest of the last row
    shapes.mode_line();
    for (const Index k : body_index)
      for (Index c = 0; c < 6; ++c)
        body.shapes(6 * k + c, mode) = shapes.real();
  }
  progress.end();
  shapes.end();
}

void warn_of_groups(const FemFile& fem, const std::string& file, Diagnostics& diagnostics) {
  if (!fem.has(11) && !fem.has(14))
    diagnostics.warn(
        "no-inertia-coupling",
        "the file has neither lumped masses nor invariants: modes and rigid motion are uncoupled",
        {file});
  if (fem.has(11) && (fem.has(14) || fem.has(15) || fem.has(16) || fem.has(17) || fem.has(18)))
    diagnostics.warn(
        "doubled-coupling",
        "the file has nodal masses (group 11) and invariants (14 to 18): the latter are "
        "used here, but MBDyn adds both, which doubles the coupling: export it again",
        {file});
  if (fem.has(19))
    diagnostics.warn("stiffening-left-out", "record group 19 (stiffening) is not read", {file});
}

}  // namespace

bool is_mbdyn_fem(std::string_view head) {
  return head.starts_with("** RECORD GROUP 1") ||
         head.find("\n** RECORD GROUP 1") != std::string_view::npos;
}

FlexBody parse_mbdyn_fem(std::string_view text,
                         const std::string& file,
                         Diagnostics& diagnostics,
                         Progress& progress) {
  FemFile fem(text, file);
  FemRecord& head = fem.record(1);
  const FemSizes sizes = read_sizes(head);
  const Index nodes = sizes.nodes;
  const auto n = static_cast<Index>(sizes.kinds.size());
  check_sizes(head, sizes, text);
  FlexBody body;
  const std::vector<Index> body_index = map_labels(fem.record(2), nodes, body);
  body.initial_zeta = Eigen::VectorXd::Zero(n);
  body.initial_zeta_dot = Eigen::VectorXd::Zero(n);
  if (fem.has(3)) fem.fill_rows(3, body.initial_zeta);
  if (fem.has(4)) fem.fill_rows(4, body.initial_zeta_dot);
  read_positions(fem, body_index, body);
  body.shapes.resize(6 * nodes, n);
  read_shapes(fem, body_index, body, progress);
  body.mass.resize(n, n);
  body.stiffness.resize(n, n);
  fem.fill_rows(9, body.mass);
  fem.fill_rows(10, body.stiffness);
  body.lumped_mass = MatrixXd::Zero(nodes, 6);
  if (fem.has(11)) {
    FemRecord& record = fem.record(11);
    for (const Index k : body_index)
      for (Index c = 0; c < 6; ++c)
        body.lumped_mass(k, c) = record.real();
    record.end();
  }
  if (fem.has(13)) {
    body.damping = MatrixXd(n, n);
    fem.fill_rows(13, *body.damping);
  }
  body.modes.resize(static_cast<std::size_t>(n));
  for (std::size_t k = 0; k < body.modes.size(); ++k)
    body.modes[k].kind = sizes.kinds[k];
  body.invariants = derived_invariants(body);
  if (fem.has(12)) read_inertia(fem, body);
  read_invariants(fem, body);
  warn_of_groups(fem, file, diagnostics);
  derive_eigenvalues(body);
  derive_damping_ratios(body);
  return body;
}

FlexBody read_mbdyn_fem(const std::filesystem::path& path,
                        Diagnostics& diagnostics,
                        Progress& progress) {
  const io::MappedFile file(path);
  FlexBody body = parse_mbdyn_fem(file.bytes(), file.name(), diagnostics, progress);
  body.name = path.stem().string();
  return body;
}

}  // namespace femflex::flexfile
