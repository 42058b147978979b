// Writes SID files (standard input data of flexible bodies) section by section; sid.h shows the
// layout.
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "femflex/frames.h"

#include "bytes/text_sink.h"
#include "derive.h"
#include "formats/sid.h"
#include "formats/sid_objects.h"

namespace femflex::flexfile {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr std::size_t kEqualsColumn = 48;  ///< number of columns before the equals sign

class SidWriter {
 public:
  SidWriter(TextSink& out, Index modes) : out_(out), n_(modes) {}

  void plain(std::size_t indent, std::string_view text) {
    out_.repeat(' ', indent);
    out_.put(text);
    out_.put('\n');
  }
  void label(std::size_t indent, std::string_view keyword) {
    out_.repeat(' ', indent);
    out_.put(keyword);
    if (indent + keyword.size() < kEqualsColumn)
      out_.repeat(' ', kEqualsColumn - indent - keyword.size());
    out_.put('=');
  }
  void integer(std::size_t indent, std::string_view keyword, Index value, std::size_t width = 5) {
    label(indent, keyword);
    out_.integer(value, width);
    out_.put('\n');
  }
  void real(std::size_t indent, std::string_view keyword, double value) {
    label(indent, keyword);
    out_.d11(value);
    out_.put('\n');
  }
  void text(std::size_t indent, std::string_view keyword, std::string_view value) {
    label(indent, keyword);
    out_.put(value);
    out_.put('\n');
  }

  /// Writes the lines of an object before its numbers. The structure is 3 (full) or 0 (all zero),
  /// because some readers accept nothing else.
  void head(
      std::size_t indent, std::string_view name, int order, Index rows, Index cols, bool is_zero) {
    plain(indent, name);
    integer(indent + 5 + extra(indent), "order", order);
    integer(indent + 5 + extra(indent), "nrow", rows);
    integer(indent + 5 + extra(indent), "ncol", cols);
    integer(indent + 5 + extra(indent), "nq", n_);
    integer(indent + 5 + extra(indent), "nqn", 0);
    integer(indent + 5 + extra(indent), "structure", is_zero ? 0 : 3);
  }
  void tail(std::size_t indent, std::string_view name) {
    out_.repeat(' ', indent);
    out_.put("end ");
    out_.put(name);
    out_.put('\n');
  }

  void entry(Index row, Index col, double value) {
    if (is_negligible(value)) return;
    char* p = begin("m0(");
    p = number(p, row);
    *p++ = ',';
    p = number(p, col);
    finish(p, value);
  }
  void entry(Index row, Index mode, Index col, double value) {
    if (is_negligible(value)) return;
    char* p = begin("m1(");
    p = number(p, row);
    *p++ = ',';
    p = number(p, mode);
    *p++ = ',';
    p = number(p, col);
    finish(p, value);
  }

  void object(std::size_t indent, std::string_view name, const Taylor& taylor) {
    bool is_zero = taylor.m0.isZero(0.0);
    for (const MatrixXd& m1 : taylor.m1)
      is_zero = is_zero && m1.isZero(0.0);
    head(indent, name, taylor.m1.empty() ? 0 : 1, taylor.m0.rows(), taylor.m0.cols(), is_zero);
    for (Index r = 0; r < taylor.m0.rows(); ++r)
      for (Index c = 0; c < taylor.m0.cols(); ++c)
        entry(r + 1, c + 1, taylor.m0(r, c));
    for (Index c = 0; c < taylor.m0.cols(); ++c)
      for (Index r = 0; r < taylor.m0.rows(); ++r)
        for (std::size_t l = 0; l < taylor.m1.size(); ++l)
          entry(r + 1, static_cast<Index>(l) + 1, c + 1, taylor.m1[l](r, c));
    tail(indent, name);
  }

 private:
  static std::size_t extra(std::size_t indent) { return indent < 20 ? 10 : 0; }
  /// Smaller values are left out like zeros: their exponent needs a third digit.
  static constexpr double kMinValue = 1e-99;
  static bool is_negligible(double value) { return std::abs(value) < kMinValue; }
  char* begin(std::string_view keyword) {
    line_.fill(' ');
    return std::copy(keyword.begin(), keyword.end(), line_.data() + 26);
  }
  static char* number(char* p, Index value) {
    if (value < 10) *p++ = ' ';
    return std::to_chars(p, p + 20, value).ptr;
  }
  void finish(char* p, double value) {
    *p++ = ')';
    p = std::max(p, line_.data() + kEqualsColumn);
    *p++ = '=';
    out_.put({line_.data(), static_cast<std::size_t>(p - line_.data())});
    out_.d11(value);
    out_.put('\n');
  }

  TextSink& out_;
  Index n_;
  std::array<char, 128> line_{};
};

/// phi or psi of one node. Its first order is the stiffening by a unit force: k grows by G, so the
/// modal force grows by -G q.
Taylor node_shape(const FlexBody& body, Index node, Index first) {
  const Index n = body.mode_count();
  Taylor shape{body.shapes.middleRows<3>(6 * node + first), {}};
  for (const GeometricStiffness& g : body.geometric) {
    const Index component = g.component - 1 - first;
    if (g.cause != GeometricStiffness::Cause::force || component < 0 || component > 2 ||
        g.node != body.nodes[static_cast<std::size_t>(node)].id)
      continue;
    if (shape.m1.empty()) shape.m1.assign(static_cast<std::size_t>(n), MatrixXd::Zero(3, n));
    for (Index l = 0; l < n; ++l)
      shape.m1[static_cast<std::size_t>(l)].row(component) -= g.stiffness.col(l).transpose();
  }
  return shape;
}

void put_node(SidWriter& sid, const FlexBody& body, Index k) {
  const Index n = body.mode_count();
  const BodyNode& node = body.nodes[static_cast<std::size_t>(k)];
  const auto phi = body.shapes.middleRows<3>(6 * k);
  const auto psi = body.shapes.middleRows<3>(6 * k + 3);
  sid.integer(16, "new node", node.id, 8);
  sid.text(21, "rframe", "    body ref");
  sid.head(21, "origin", 1, 3, 1, false);
  for (Index r = 0; r < 3; ++r)
    sid.entry(r + 1, 1, node.position(r));
  for (Index r = 0; r < 3; ++r)
    for (Index l = 0; l < n; ++l)
      sid.entry(r + 1, l + 1, 1, phi(r, l));
  sid.tail(21, "origin");
  sid.object(21, "phi", node_shape(body, k, 0));
  sid.object(21, "psi", node_shape(body, k, 3));
  sid.head(21, "AP", 1, 3, 3, false);
  for (Index r = 1; r <= 3; ++r)
    sid.entry(r, r, 1.0);
  for (Index c = 0; c < 3; ++c)
    for (Index r = 0; r < 3; ++r) {
      if (r == c) continue;
      const Index axis = 3 - r - c;  // psi~(r, c) = -eps(r, c, axis) psi_axis
      const double sign = (c - r + 3) % 3 == 1 ? -1.0 : 1.0;
      for (Index l = 0; l < n; ++l)
        sid.entry(r + 1, l + 1, c + 1, sign * psi(axis, l));
    }
  sid.tail(21, "AP");
  sid.plain(16, "end node");
}

/// Name of a mode for `ielastq`, without words by which readers find sections.
std::string sid_mode_name(const BodyMode& mode, Index number) {
  std::string kind(name_of(mode.kind));
  if (mode.kind == ModeKind::dynamic) kind = "Eigen";
  const double hz = frequency_of(mode);
  return std::isnan(hz) ? fmt::format(" {} Mode{:5}", kind, number)
                        : fmt::format(" {} Mode{:5} :{:13.4f} Hz", kind, number, hz);
}

/// The words of line 1 that tell how the body frame is attached.
const char* frame_kind(const FlexBody& body) {
  const InertiaInvariants& i = body.invariants;
  constexpr double kMaxCoupling = 1e-9;  // of rigid and modal motion, relative to their masses
  const double size = body.mass.size() == 0 ? 0.0 : body.mass.diagonal().cwiseAbs().maxCoeff();
  if (i.modes() > 0 &&
      i.translation.cwiseAbs().maxCoeff() <= kMaxCoupling * std::sqrt(size * i.mass) &&
      i.rotation.cwiseAbs().maxCoeff() <= kMaxCoupling * std::sqrt(size * i.inertia.trace()))
    return "mean axes";
  for (Index k = 0; k < body.node_count(); ++k)
    if (body.shapes.middleRows<6>(6 * k).isZero(0.0)) return "tangent axes";
  return "axes of the finite-element model";
}

}  // namespace

std::string sid_counts(Index nodes, Index modes) {
  return fmt::format("{:5} {:3}", nodes, modes);
}

void write_sid(const FlexBody& body,
               const std::filesystem::path& path,
               std::string_view units,
               Diagnostics& diagnostics,
               Progress& progress) {
  TextSink out(path);
  const Index n = body.mode_count();
  const SidObjects objects = sid_objects(body);
  SidWriter sid(out, n);
  out.put(sid_counts(body.node_count(), n));
  out.put(fmt::format("   :nodes, modes: femflex, numbers in {}, {}\n", units, frame_kind(body)));
  sid.plain(1, "part");
  sid.text(6, "new modal", "");
  sid.plain(11, "refmod");
  sid.real(16, "mass", objects.mass);
  sid.integer(16, "nelastq", n);
  for (Index k = 0; k < n; ++k)
    sid.text(16,
             fmt::format("ielastq ({:4})", k + 1),
             sid_mode_name(body.modes[static_cast<std::size_t>(k)], k + 1));
  sid.plain(11, "end refmod");
  sid.plain(11, "frame");
  progress.begin("write SID", static_cast<double>(body.node_count()), "nodes");
  for (Index k = 0; k < body.node_count(); ++k) {
    if (k % 256 == 0) progress.step(static_cast<double>(k));
    put_node(sid, body, k);
  }
  progress.end();
  sid.plain(11, "end frame");
  sid.object(11, "mdCM", objects.mdCM);
  sid.object(11, "J", objects.J);
  sid.object(11, "Ct", objects.Ct);
  sid.object(11, "Cr", objects.Cr);
  sid.object(11, "Me", objects.Me);
  sid.object(11, "Gr", objects.Gr);
  sid.object(11, "Ge", objects.Ge);
  sid.object(11, "Oe", objects.Oe);
  sid.object(11, "ksigma", objects.ksigma);
  sid.object(11, "Ke", objects.Ke);
  sid.object(11, "De", objects.De);
  sid.plain(6, "end modal");
  sid.plain(1, "end part");
  out.commit();
  if (body.back)
    diagnostics.warn(
        "sid-back", "SID cannot store the back-transformation: it is left out", {path.string()});
}

}  // namespace femflex::flexfile
