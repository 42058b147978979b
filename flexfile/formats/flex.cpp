// Reads and writes DADS FLEX files group by group. The table of node numbers in the header gives
// the ids of the nodes, by which the body sorts them.
#include "formats/flex.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "femflex/io/mapped_file.h"
#include "femflex/text.h"

#include "derive.h"
#include "formats/flex_columns.h"
#include "formats/flex_header.h"
#include "formats/native_hdf5.h"
#include "nodal_masses.h"

namespace femflex::flexfile {
namespace {

using Eigen::Index;

/// Width of the integer columns, found from the length of the counter record. The five counters are
/// 3 columns wide unless numbers need more.
std::int64_t integer_width(LineCursor& lines) {
  const std::string_view line = trimmed_right(lines.peek());
  const auto size = static_cast<std::int64_t>(line.size());
  if (size < 15 || size > 95 || size % 5 != 0) {
    lines.next();
    lines.fail(
        "bad-counters",
        fmt::format("the record has {} columns, expected five integers of 3 columns each, or "
                    "of a larger common width",
                    size),
        "group 1 (counters)",
        std::min<std::int64_t>(size, 15) + 1);
  }
  return size / 5;
}

void read_vector(FlexColumns& columns, std::string_view group, Eigen::Ref<Eigen::VectorXd> out) {
  columns.begin_reals(group, out.size());
  for (Index k = 0; k < out.size(); ++k)
    out(k) = columns.real();
}

Eigen::MatrixXd read_square(FlexColumns& columns, std::string_view group, Index n) {
  Eigen::MatrixXd a(n, n);
  columns.begin_reals(group, n * n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      a(i, j) = columns.real();
  return a;
}

/// Fills the node ids of the body. Returns for each node of the file its index in the body, which
/// has its nodes in ascending order of id.
std::vector<Index> map_nodes(const LineCursor& lines,
                             const FlexHeader& header,
                             Index count,
                             FlexBody& body,
                             Diagnostics& diagnostics) {
  const auto n = static_cast<std::size_t>(count);
  body.nodes.resize(n);
  std::vector<Index> body_index(n);
  std::iota(body_index.begin(), body_index.end(), Index{0});
  std::vector<std::int64_t> ids(n, 0);
  if (header.nodes.empty()) {
    diagnostics.warn("no-node-table",
                     "there is no table of node numbers in the comments: nodes are numbered from 1",
                     {lines.file()});
    std::iota(ids.begin(), ids.end(), std::int64_t{1});
  } else {
    if (header.nodes.size() != n)
      lines.fail(
          "node-table",
          fmt::format("the table of node numbers has {} pairs, but the counters give {} nodes",
                      header.nodes.size(),
                      n),
          "group 1 (counters)");
    for (const FlexHeader::Pair& pair : header.nodes) {
      if (pair.number < 1 || pair.number > count || pair.id < 1 ||
          ids[static_cast<std::size_t>(pair.number - 1)] != 0)
        lines.fail(
            "node-table",
            fmt::format(
                "pair {} {}: expected every number from 1 to {} once", pair.id, pair.number, n),
            "table of node numbers");
      ids[static_cast<std::size_t>(pair.number - 1)] = pair.id;
    }
  }
  std::vector<Index> order = body_index;
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    return ids[static_cast<std::size_t>(a)] < ids[static_cast<std::size_t>(b)];
  });
  for (std::size_t k = 0; k < n; ++k) {
    body_index[static_cast<std::size_t>(order[k])] = static_cast<Index>(k);
    body.nodes[k].id = ids[static_cast<std::size_t>(order[k])];
    if (k > 0 && body.nodes[k].id == body.nodes[k - 1].id)
      lines.fail("node-table",
                 fmt::format("node {} appears twice", body.nodes[k].id),
                 "table of node numbers");
  }
  return body_index;
}

/// Number of dynamic modes for group 1: of the body's modes or, if they were orthogonalised, of the
/// chosen modes from which they were made.
Index dynamic_count(const FlexBody& body) {
  Index count = 0;
  if (body.path.orthogonalised && body.back) {
    for (const ModeInfo& mode : body.back->chosen_modes)
      count += mode.kind == ModeKind::dynamic ? 1 : 0;
  } else {
    for (const BodyMode& mode : body.modes)
      count += mode.kind == ModeKind::dynamic ? 1 : 0;
  }
  return std::min(count, body.mode_count());
}

/// Writes a group of reals, six per record.
template <class Values>
void put_group(TextSink& out, Index count, const Values& value) {
  for (Index k = 0; k < count; ++k) {
    out.e13(value(k));
    if (k % 6 == 5 || k + 1 == count) out.put('\n');
  }
}

/// The counters of group 1.
struct FlexCounters {
  std::int64_t nodes = 0;
  std::int64_t dynamic = 0;
  std::int64_t fixed = 0;  // static modes
  std::int64_t width = 0;  // width of an integer [columns]

  std::int64_t modes() const { return dynamic + fixed; }
};

constexpr std::string_view kCounterGroup = "group 1 (counters)";

FlexCounters read_counters(LineCursor& lines, FlexColumns& columns) {
  FlexCounters counters;
  counters.width = integer_width(lines);
  columns.begin_integers(kCounterGroup, 5, counters.width);
  counters.nodes = columns.integer();
  counters.dynamic = columns.integer();
  counters.fixed = columns.integer();
  for (int k = 0; k < 2; ++k)
    if (const std::int64_t zero = columns.integer(); zero != 0)
      lines.fail("bad-counters",
                 fmt::format("counter {} is {}, expected 0", 4 + k, zero),
                 std::string(kCounterGroup),
                 (3 + k) * counters.width + 1);
  // before memory is allocated: the file must hold at least 6 shape numbers per node and mode, 6
  // masses and 3 coordinates per node, m, k and the initial state, each in 13 columns
  const auto remaining = static_cast<double>(lines.bytes_left());
  const auto nodes = static_cast<double>(counters.nodes);
  const auto n = static_cast<double>(counters.modes());
  constexpr double kColumnsPerNumber = 13.0;
  const double needed = kColumnsPerNumber * (6.0 * nodes * (n + 1.5) + 2.0 * n * (n + 1.0));
  if (needed > remaining)
    lines.fail("truncated",
               fmt::format("{} nodes and {} modes need {:.0f} bytes, but only {:.0f} remain",
                           counters.nodes,
                           counters.modes(),
                           needed,
                           remaining),
               std::string(kCounterGroup),
               1,
               "export the file again");
  return counters;
}

/// Reads group 2, which must be the numbers 1, 2, 3, ...
void check_dof_numbers(const LineCursor& lines,
                       FlexColumns& columns,
                       const FlexCounters& counters) {
  const std::string group = "group 2 (numbers of the DOFs)";
  columns.begin_integers(group, 6 * counters.nodes, counters.width);
  for (std::int64_t k = 0; k < 6 * counters.nodes; ++k)
    if (const std::int64_t number = columns.integer(); number != k + 1)
      lines.fail("dof-numbers",
                 fmt::format("found {}, expected {}", number, k + 1),
                 group,
                 k % 12 * counters.width + 1);
}

/// Reads groups 5 to 7. `body_index`: index in the body of each of the file's nodes.
void read_positions(FlexColumns& columns, const std::vector<Index>& body_index, FlexBody& body) {
  for (int axis = 0; axis < 3; ++axis) {
    Eigen::VectorXd x(static_cast<Index>(body_index.size()));
    read_vector(columns, fmt::format("group {} (positions {})", 5 + axis, "xyz"[axis]), x);
    for (std::size_t k = 0; k < body_index.size(); ++k)
      body.nodes[static_cast<std::size_t>(body_index[k])].position(axis) = x(static_cast<Index>(k));
  }
}

void read_shapes(FlexColumns& columns,
                 const std::vector<Index>& body_index,
                 FlexBody& body,
                 Progress& progress) {
  const Index n = body.shapes.cols();
  progress.begin("read FLEX", static_cast<double>(n), "modes");
  for (Index mode = 0; mode < n; ++mode) {
    progress.step(static_cast<double>(mode));
    const std::string group = fmt::format("group 8 (shape of mode {})", mode + 1);
    for (const Index node : body_index) {
      columns.begin_reals(group, 6);
      for (Index c = 0; c < 6; ++c)
        body.shapes(6 * node + c, mode) = columns.real();
    }
  }
  progress.end();
}

void read_lumped_mass(FlexColumns& columns, const std::vector<Index>& body_index, FlexBody& body) {
  body.lumped_mass.resize(static_cast<Index>(body_index.size()), 6);
  for (const Index node : body_index) {
    columns.begin_reals("group 11 (lumped mass)", 6);
    for (Index c = 0; c < 6; ++c)
      body.lumped_mass(node, c) = columns.real();
  }
}

/// Copies to the body what the header says about orthogonalised and rejected modes.
void read_path(const FlexHeader& header, FlexBody& body) {
  body.path.scaled = header.scaled;
  body.path.orthogonalised = header.orthogonalised;
  body.path.rigid_modes = header.rigid_modes;
  if (header.below) body.path.reject_below = *header.below;
  if (header.above) body.path.reject_above = *header.above;
  for (int k = 0; k < header.rejected; ++k) {
    RejectedMode rejected;
    if (k < header.rejected_below)
      rejected.reason = RejectionReason::below_limit;
    else if (k < header.rejected_below + header.rejected_above)
      rejected.reason = RejectionReason::above_limit;
    body.rejected.push_back(rejected);
  }
}

}  // namespace

bool is_flex(std::string_view head) {
  if (!head.starts_with('*')) return false;
  const std::string_view text = head.substr(0, 4096);
  return text.substr(0, text.find('\n')).find("NASTRAN DADS") != std::string_view::npos ||
         head.find("ORTHOGONALIZED") != std::string_view::npos;
}

FlexBody parse_flex(LineCursor& lines,
                    bool ends_here,
                    Diagnostics& diagnostics,
                    Progress& progress) {
  const FlexHeader header = parse_flex_header(lines);
  FlexColumns columns(lines);
  const FlexCounters counters = read_counters(lines, columns);
  const Index n = counters.modes();
  const std::int64_t dynamic = counters.dynamic;
  FlexBody body;
  const std::vector<Index> body_index = map_nodes(lines, header, counters.nodes, body, diagnostics);
  check_dof_numbers(lines, columns, counters);
  body.initial_zeta.resize(n);
  body.initial_zeta_dot.resize(n);
  read_vector(columns, "group 3 (modal positions)", body.initial_zeta);
  read_vector(columns, "group 4 (modal velocities)", body.initial_zeta_dot);
  read_positions(columns, body_index, body);
  body.shapes.resize(6 * counters.nodes, n);
  read_shapes(columns, body_index, body, progress);
  body.mass = read_square(columns, "group 9 (modal mass)", n);
  body.stiffness = read_square(columns, "group 10 (modal stiffness)", n);
  read_lumped_mass(columns, body_index, body);
  while (ends_here && !lines.at_end())
    if (const std::string_view line = lines.next(); !trimmed(line).empty())
      lines.fail("surplus",
                 fmt::format("unexpected '{}' after the last group", line.substr(0, 40)),
                 "end of file",
                 1,
                 "the counters do not fit the groups");
  read_path(header, body);
  body.modes.resize(static_cast<std::size_t>(n));
  for (std::int64_t k = 0; k < n; ++k) {
    BodyMode& mode = body.modes[static_cast<std::size_t>(k)];
    mode.kind = k < dynamic ? ModeKind::dynamic : ModeKind::static_;
    if (!header.orthogonalised)
      mode.sources = {k < dynamic ? fmt::format("dynamic:{}", k + 1)
                                  : fmt::format("static:{}", k - dynamic + 1)};
  }
  derive_eigenvalues(body);
  body.invariants = derived_invariants(body);
  return body;
}

void put_flex(const FlexBody& body,
              const Eigen::Matrix<double, Eigen::Dynamic, 6>& masses,
              TextSink& out,
              Progress& progress) {
  put_flex_header(body, out);
  const Index n = body.mode_count();
  const Index nodes = body.node_count();
  const Index dynamic = dynamic_count(body);
  // columns of integers are 3 wide or, for larger numbers, one blank wider than the largest
  std::size_t width = 3;
  if (const std::int64_t largest = std::max(6 * nodes, n); largest > 999)
    width = fmt::formatted_size("{}", largest) + 1;
  for (const Index counter : {nodes, dynamic, n - dynamic, Index{0}, Index{0}})
    out.integer(counter, width);
  out.put('\n');
  for (Index k = 1; k <= 6 * nodes; ++k) {
    out.integer(k, width);
    if (k % 12 == 0 || k == 6 * nodes) out.put('\n');
  }
  put_group(out, n, [&](Index k) { return body.initial_zeta(k); });
  put_group(out, n, [&](Index k) { return body.initial_zeta_dot(k); });
  for (Index axis = 0; axis < 3; ++axis)
    put_group(out, nodes, [&](Index k) {
      return body.nodes[static_cast<std::size_t>(k)].position(axis);
    });
  progress.begin("write FLEX", static_cast<double>(n), "modes");
  for (Index mode = 0; mode < n; ++mode) {
    progress.step(static_cast<double>(mode));
    put_group(out, 6 * nodes, [&](Index k) { return body.shapes(k, mode); });
  }
  progress.end();
  put_group(out, n * n, [&](Index k) { return body.mass(k / n, k % n); });
  put_group(out, n * n, [&](Index k) { return body.stiffness(k / n, k % n); });
  put_group(out, 6 * nodes, [&](Index k) { return masses(k / 6, k % 6); });
}

FlexBody read_flex(const std::filesystem::path& path,
                   Diagnostics& diagnostics,
                   Progress& progress,
                   bool& has_sidecar) {
  const io::MappedFile file(path);
  LineCursor lines(file.bytes(), file.name());
  FlexBody body = parse_flex(lines, true, diagnostics, progress);
  body.name = path.stem().string();
  has_sidecar = read_sidecar(sidecar_to_read(path), file.bytes(), body, diagnostics);
  return body;
}

std::filesystem::path sidecar_of(const std::filesystem::path& flex) {
  std::filesystem::path path = flex;
  const bool is_fdf = lower_case(flex.extension().string()) == ".fdf";
  path.replace_extension(is_fdf ? ".fdf.h5" : ".flex.h5");
  return path;
}

std::filesystem::path sidecar_to_read(const std::filesystem::path& flex) {
  std::filesystem::path path = sidecar_of(flex);
  if (!std::filesystem::exists(path)) {
    path = flex;
    path.replace_extension(".flex.h5");
  }
  return path;
}

void write_flex(const FlexBody& body,
                const std::filesystem::path& path,
                bool sidecar,
                Diagnostics& diagnostics,
                Progress& progress) {
  const NodalMasses masses = nodal_masses(body);
  TextSink out(path);
  if (sidecar) out.hash_from_here();
  put_flex(body, masses.values, out, progress);
  const std::string hash = out.hash();
  if (sidecar) {
    io::Hdf5File sidecar_file =
        make_sidecar(body, sidecar_of(path), path.filename().string(), hash);
    out.commit();
    sidecar_file.commit();
  } else {
    out.commit();
    if (masses.values.isZero(0.0))
      diagnostics.warn(
          "no-lumped-mass",
          "the body has no nodal masses: without a sidecar the file describes no inertia",
          {path.string()});
    diagnostics.warn(
        "flex-alone",
        "written without sidecar: back-transformation, damping, stiffening, invariants "
        "and interface nodes are left out",
        {path.string()});
  }
  warn_of_nodal_masses(masses,
                       "a reader of FLEX (DADS)",
                       sidecar ? "femflex itself takes them from the sidecar"
                               : "write a sidecar for femflex, or .sid or .npz for other programs",
                       path.string(),
                       diagnostics);
}

}  // namespace femflex::flexfile
