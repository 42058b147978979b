// Reads SID files (standard input data of flexible bodies) section by section. Each matrix is a
// Taylor object M(q) = m0 + sum_l m1_l q_l of the modal coordinates q.
#include "formats/sid.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/io/mapped_file.h"
#include "femflex/number.h"
#include "femflex/text.h"

#include "bytes/line_cursor.h"
#include "derive.h"
#include "formats/sid_objects.h"

namespace femflex::flexfile {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// Reads SID text by words, never by columns, because writers place the equals sign differently.
class SidReader {
 public:
  SidReader(std::string_view text, std::string file)
      : lines_(text, std::move(file)), bytes_(text.size()) {}

  LineCursor& lines() { return lines_; }
  std::size_t bytes() const { return bytes_; }

  /// Next non-empty line, split at the equals sign.
  void next() {
    do {
      if (lines_.at_end()) fail("truncated", "the file ends, expected 'end part'");
      line_ = lines_.next();
    } while (trimmed(line_).empty());
    const std::size_t equals = line_.find('=');
    keyword_ = trimmed(line_.substr(0, equals));
    value_ =
        equals == std::string_view::npos ? std::string_view() : trimmed(line_.substr(equals + 1));
  }
  std::string_view keyword() const { return keyword_; }
  std::string_view value() const { return value_; }
  bool is(std::string_view keyword) const { return keyword_ == keyword; }

  [[noreturn]] void fail(std::string code, std::string message, std::string_view at = {}) const {
    const bool is_in_line =
        !at.empty() && at.data() >= line_.data() && at.data() <= line_.data() + line_.size();
    lines_.fail(std::move(code),
                std::move(message),
                section_,
                is_in_line ? at.data() - line_.data() + 1 : -1);
  }
  void section(std::string name) { section_ = std::move(name); }
  const std::string& section() const { return section_; }

  /// Moves to the next line, which must have this keyword.
  void expect(std::string_view keyword) {
    next();
    if (!is(keyword))
      fail("bad-keyword", fmt::format("found '{}', expected '{}'", keyword_, keyword), keyword_);
  }

  std::int64_t integer(std::string_view text) const {
    const std::optional<std::int64_t> value = parse_integer(text);
    if (!value) fail("bad-number", fmt::format("'{}' is not an integer", text), text);
    return *value;
  }
  std::int64_t integer_of(std::string_view keyword) {
    expect(keyword);
    return integer(value_);
  }
  /// Reads a real with an exponent letter D, d, E or e.
  double real(std::string_view text) const {
    const std::optional<double> value = parse_real(text);
    if (!value) fail("bad-number", fmt::format("'{}' is not a number", text.substr(0, 40)), text);
    return *value;
  }

 private:
  LineCursor lines_;
  std::size_t bytes_ = 0;
  std::string_view line_, keyword_, value_;
  std::string section_ = "line 1";
};

/// Indices of `m0( 1, 2)` or `m1( 1, 2, 3)`.
std::array<std::int64_t, 3> indices(const SidReader& sid, std::size_t count) {
  std::array<std::int64_t, 3> out{};
  const std::string_view keyword = sid.keyword();
  const char* p = keyword.data() + 2;
  const char* end = keyword.data() + keyword.size();
  const auto skip = [&] {
    while (p != end && *p == ' ')
      ++p;
  };
  bool is_valid = true;
  for (std::size_t k = 0; k < count && is_valid; ++k) {
    skip();
    is_valid = p != end && *p == (k == 0 ? '(' : ',');
    if (!is_valid) break;
    ++p;
    skip();
    const auto number = std::from_chars(p, end, out[k]);
    is_valid = number.ec == std::errc();
    p = number.ptr;
  }
  skip();
  if (!is_valid || p == end || *p != ')' || p + 1 != end)
    sid.fail("bad-keyword", fmt::format("'{}' does not have {} indices", keyword, count), keyword);
  return out;
}

/// Size of a matrix.
struct Extent {
  Index rows = 0;
  Index cols = 0;
};

/// A Taylor object as written. Omitted entries take no memory.
struct SparseTaylor {
  struct FirstOrder {
    Index row = 0;
    Index mode = 0;
    Index col = 0;
    double value = 0.0;
  };
  MatrixXd m0;
  bool has_order_1 = false;
  std::vector<FirstOrder> m1;
};

/// The object for n modes with all entries, also the omitted zeros.
Taylor dense(const SparseTaylor& sparse, Index n) {
  Taylor object{sparse.m0, {}};
  if (sparse.has_order_1)
    object.m1.assign(static_cast<std::size_t>(n),
                     MatrixXd::Zero(sparse.m0.rows(), sparse.m0.cols()));
  for (const SparseTaylor::FirstOrder& entry : sparse.m1)
    object.m1[static_cast<std::size_t>(entry.mode)](entry.row, entry.col) = entry.value;
  return object;
}

/// Reads one Taylor object, after its name.
SparseTaylor read_taylor(SidReader& sid, std::string_view name, Extent expected, Index n) {
  const std::string end = fmt::format("end {}", name);
  const std::int64_t order = sid.integer_of("order");
  const std::int64_t rows = sid.integer_of("nrow");
  const std::int64_t cols = sid.integer_of("ncol");
  const std::int64_t modes = sid.integer_of("nq");
  sid.integer_of("nqn");
  const std::int64_t structure = sid.integer_of("structure");
  if (order < 0 || order > 1 || structure < 0 || structure > 4)
    sid.fail("bad-object",
             fmt::format("order {} or structure {} is not supported", order, structure));
  if (rows != expected.rows || cols != expected.cols || modes != n)
    sid.fail("bad-size",
             fmt::format("{} has the size {} x {} for {} modes, expected {} x {} for {}",
                         name,
                         rows,
                         cols,
                         modes,
                         expected.rows,
                         expected.cols,
                         n));
  SparseTaylor object{MatrixXd::Zero(rows, cols), order == 1, {}};
  if (structure == 4) object.m0.setIdentity();
  for (sid.next(); !sid.is(end); sid.next()) {
    const bool is_first_order = sid.keyword().starts_with("m1");
    if (!is_first_order && !sid.keyword().starts_with("m0"))
      sid.fail("bad-keyword",
               fmt::format("found '{}', expected '{}'", sid.keyword(), end),
               sid.keyword());
    const auto at = indices(sid, is_first_order ? 3 : 2);
    const std::int64_t row = at[0];
    const std::int64_t col = is_first_order ? at[2] : at[1];
    const std::int64_t mode = is_first_order ? at[1] : 1;
    const bool has_mode = !is_first_order || (mode >= 1 && mode <= n);
    if (row < 1 || row > rows || col < 1 || col > cols || !has_mode)
      sid.fail("bad-index",
               fmt::format("'{}' lies outside {} x {}", sid.keyword(), rows, cols),
               sid.keyword());
    if (is_first_order && order == 0)
      sid.fail("bad-index", "m1 appears in an object of order 0", sid.keyword());
    const double value = sid.real(sid.value());
    if (is_first_order)
      object.m1.push_back({row - 1, mode - 1, col - 1, value});
    else
      object.m0(row - 1, col - 1) = value;
    if (structure != 2 || row > cols || col > rows || row == col) continue;
    if (is_first_order)
      object.m1.push_back({col - 1, mode - 1, row - 1, value});
    else
      object.m0(col - 1, row - 1) = value;
  }
  return object;
}

/// Skips an object that is not used here, after its name.
void skip_object(SidReader& sid, const std::string& name) {
  const std::string end = fmt::format("end {}", name);
  do
    sid.next();
  while (!sid.is(end));
}

/// A node with its shapes, as written.
struct NodeData {
  BodyNode node;
  SparseTaylor phi, psi;
};

NodeData read_node(SidReader& sid, Index n) {
  NodeData data;
  data.node.id = sid.integer(sid.value());
  sid.section(fmt::format("node {}", data.node.id));
  SparseTaylor origin;
  bool has_origin = false;
  for (sid.next(); !sid.is("end node"); sid.next()) {
    const std::string name(sid.keyword());
    if (name == "rframe") continue;
    if (name == "origin") {
      origin = read_taylor(sid, name, {3, 1}, n);
      has_origin = true;
    } else if (name == "phi") {
      data.phi = read_taylor(sid, name, {3, n}, n);
    } else if (name == "psi") {
      data.psi = read_taylor(sid, name, {3, n}, n);
    } else {
      skip_object(sid, name);  // AP repeats psi; bodies do not hold sigma
    }
  }
  if (!has_origin) sid.fail("missing", "the node has no origin");
  data.node.position = origin.m0;
  if (data.phi.m0.size() == 0) {
    data.phi.m0 = MatrixXd::Zero(3, n);
    for (const SparseTaylor::FirstOrder& entry : origin.m1)
      data.phi.m0(entry.row, entry.mode) = entry.value;
  }
  if (data.psi.m0.size() == 0) data.psi.m0 = MatrixXd::Zero(3, n);
  return data;
}

/// Limit of the memory for the contents of a file of `bytes` [bytes]. Since zeros are left out, a
/// short text may stand for large matrices, but no body needs a thousand bytes of memory per byte
/// of text.
double max_memory(double bytes) {
  constexpr double kMemoryPerByte = 1e3;
  constexpr double kMinMemory = 1e6;
  return kMemoryPerByte * bytes + kMinMemory;
}

/// Reads the stiffening by nodal forces, which SID stores in the first order of phi and psi.
void read_force_stiffening(const SidReader& sid,
                           const std::vector<NodeData>& all,
                           Index n,
                           FlexBody& body) {
  const double limit = max_memory(static_cast<double>(sid.bytes()));
  double memory = 0.0;
  for (const NodeData& data : all)
    for (int first = 0; first < 6; first += 3) {
      std::array<MatrixXd, 3> G;
      for (const SparseTaylor::FirstOrder& entry : first == 0 ? data.phi.m1 : data.psi.m1) {
        MatrixXd& g = G[static_cast<std::size_t>(entry.row)];
        if (g.size() == 0) {
          memory += 8.0 * static_cast<double>(n) * static_cast<double>(n);
          if (memory > limit)
            sid.fail(
                "bad-count",
                "the stiffening matrices need far more memory than the size of the file allows");
          g = MatrixXd::Zero(n, n);
        }
        g(entry.col, entry.mode) = -entry.value;
      }
      for (std::size_t r = 0; r < 3; ++r)
        if (G[r].size() > 0)
          body.geometric.push_back({GeometricStiffness::Cause::force,
                                    data.node.id,
                                    static_cast<std::int8_t>(first + static_cast<int>(r) + 1),
                                    0.5 * (G[r] + G[r].transpose())});
    }
}

/// Kind of a mode by the first word of its name; an unknown word stands for a dynamic mode.
ModeKind kind_of(std::string_view name) {
  const std::string_view word = take_word(name);
  for (int k = 0; k <= static_cast<int>(ModeKind::given); ++k)
    if (word == name_of(static_cast<ModeKind>(k))) return static_cast<ModeKind>(k);
  return ModeKind::dynamic;
}

void read_refmod(SidReader& sid, Index n, FlexBody& body, SidObjects& objects) {
  sid.section("refmod");
  for (sid.next(); !sid.is("end refmod"); sid.next()) {
    if (sid.is("mass")) {
      objects.mass = sid.real(sid.value());
    } else if (sid.is("nelastq")) {
      if (sid.integer(sid.value()) != n)
        sid.fail("bad-count",
                 fmt::format("nelastq is {}, but line 1 has {} modes", sid.value(), n));
    } else if (sid.keyword().starts_with("ielastq")) {
      if (static_cast<Index>(body.modes.size()) == n)
        sid.fail("bad-count", fmt::format("there are more than {} names of modes", n));
      BodyMode mode;
      mode.kind = kind_of(sid.value());
      body.modes.push_back(mode);
    }
  }
  if (static_cast<Index>(body.modes.size()) != n)
    sid.fail(
        "bad-count",
        fmt::format("there are {} names of modes, but line 1 has {} modes", body.modes.size(), n));
}

void read_frame(SidReader& sid, Index nodes, Index n, FlexBody& body) {
  sid.section("frame");
  std::vector<NodeData> all;
  for (sid.next(); !sid.is("end frame"); sid.next()) {
    if (!sid.is("new node"))
      sid.fail("bad-keyword",
               fmt::format("found '{}', expected 'new node'", sid.keyword()),
               sid.keyword());
    if (static_cast<Index>(all.size()) == nodes)
      sid.fail("bad-count", fmt::format("there are more than the {} nodes of line 1", nodes));
    all.push_back(read_node(sid, n));
    sid.section("frame");
  }
  if (static_cast<Index>(all.size()) != nodes)
    sid.fail("bad-count", fmt::format("there are {} nodes, but line 1 has {}", all.size(), nodes));
  std::sort(all.begin(), all.end(), [](const NodeData& a, const NodeData& b) {
    return a.node.id < b.node.id;
  });
  body.shapes.resize(6 * nodes, n);
  for (Index k = 0; k < nodes; ++k) {
    NodeData& data = all[static_cast<std::size_t>(k)];
    if (k > 0 && data.node.id == body.nodes.back().id)
      sid.fail("bad-count", fmt::format("node {} appears twice", data.node.id));
    body.nodes.push_back(data.node);
    body.shapes.middleRows<3>(6 * k) = data.phi.m0;
    body.shapes.middleRows<3>(6 * k + 3) = data.psi.m0;
  }
  read_force_stiffening(sid, all, n, body);
}

}  // namespace

bool is_sid(std::string_view head) {
  LineCursor lines(head, "");
  const std::string_view first = lines.next();
  std::string_view rest = first;
  for (int k = 0; k < 2; ++k) {
    const std::string_view word = take_word(rest);
    if (word.empty() || word.find_first_not_of("0123456789") != std::string_view::npos)
      return false;
  }
  return trimmed(lines.next()) == "part";
}

FlexBody parse_sid(std::string_view text,
                   const std::string& file,
                   Diagnostics& diagnostics,
                   Progress& progress) {
  SidReader sid(text, file);
  std::string_view rest = sid.lines().next();
  const Index nodes = sid.integer(take_word(rest));
  const Index n = sid.integer(take_word(rest));
  // bytes of text that every node and mode must have, and bytes of memory that their numbers take
  constexpr double kTextOfNode = 100.0;
  constexpr double kTextOfMode = 8.0;
  constexpr double kMemoryOfShapes = 48.0;
  constexpr double kMemoryOfPairs = 600.0;
  const auto bytes = static_cast<double>(text.size());
  const double limit = max_memory(bytes);
  const double memory = kMemoryOfShapes * static_cast<double>(nodes) * static_cast<double>(n) +
                        kMemoryOfPairs * static_cast<double>(n) * static_cast<double>(n);
  if (nodes < 0 || n < 0 || kTextOfNode * static_cast<double>(nodes) > bytes ||
      kTextOfMode * static_cast<double>(n) > bytes || memory > limit)
    sid.fail(
        "bad-count",
        fmt::format("line 1 claims {} nodes and {} modes, impossible in a file of {:.0f} bytes",
                    nodes,
                    n,
                    bytes));
  sid.expect("part");
  sid.expect("new modal");

  FlexBody body;
  SidObjects s;  // letters of the format
  const std::map<std::string, std::pair<Taylor*, Extent>, std::less<>> objects{
      {"mdCM", {&s.mdCM, {3, 1}}},
      {"J", {&s.J, {6, 1}}},
      {"Ct", {&s.Ct, {n, 3}}},
      {"Cr", {&s.Cr, {n, 3}}},
      {"Me", {&s.Me, {n, n}}},
      {"Gr", {&s.Gr, {3, 3 * n}}},
      {"Ge", {&s.Ge, {n, 3 * n}}},
      {"Oe", {&s.Oe, {n, 6}}},
      {"ksigma", {&s.ksigma, {n, 1}}},
      {"Ke", {&s.Ke, {n, n}}},
      {"De", {&s.De, {n, n}}}};
  for (const auto& [name, target] : objects)
    target.first->m0 = MatrixXd::Zero(target.second.rows, target.second.cols);
  std::vector<std::string> seen;
  progress.begin("read SID", bytes, "B");
  for (sid.next(); !sid.is("end modal"); sid.next()) {
    progress.step(static_cast<double>(sid.lines().offset()));
    const std::string name(sid.keyword());
    sid.section(name);
    if (std::find(seen.begin(), seen.end(), name) != seen.end())
      sid.fail("twice", fmt::format("'{}' appears twice", name), sid.keyword());
    seen.push_back(name);
    if (name == "refmod") {
      read_refmod(sid, n, body, s);
    } else if (name == "frame") {
      read_frame(sid, nodes, n, body);
    } else if (const auto object = objects.find(name); object != objects.end()) {
      *object->second.first = dense(read_taylor(sid, name, object->second.second, n), n);
    } else {
      sid.fail("bad-keyword", fmt::format("'{}' is not a known section", name), sid.keyword());
    }
    sid.section("modal");
  }
  sid.expect("end part");
  progress.end();
  for (const char* required : {"refmod", "frame", "mdCM", "J", "Me", "Ke"})
    if (std::find(seen.begin(), seen.end(), required) == seen.end())
      sid.fail("missing", fmt::format("there is no section '{}'", required));

  body.lumped_mass = MatrixXd::Zero(nodes, 6);
  std::vector<GeometricStiffness> force = std::move(body.geometric);
  body_from_sid(s, body, diagnostics);
  body.geometric.insert(body.geometric.end(), force.begin(), force.end());
  derive_eigenvalues(body);
  derive_damping_ratios(body);
  return body;
}

FlexBody read_sid(const std::filesystem::path& path, Diagnostics& diagnostics, Progress& progress) {
  const io::MappedFile file(path);
  FlexBody body = parse_sid(file.bytes(), file.name(), diagnostics, progress);
  body.name = path.stem().string();
  return body;
}

}  // namespace femflex::flexfile
