// Writes MBDyn modal joint data group by group; the record layout is in mbdyn_fem.h.
#include <string_view>

#include <fmt/format.h>

#include "femflex/damping.h"
#include "femflex/frames.h"

#include "bytes/text_sink.h"
#include "derive.h"
#include "formats/mbdyn_fem.h"
#include "nodal_masses.h"

namespace femflex::flexfile {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;

/// Writes headings and numbers of record groups.
class FemWriter {
 public:
  explicit FemWriter(TextSink& out) : out_(out) {}

  void group(int number, std::string_view title) {
    out_.put("**\n** RECORD GROUP ");
    out_.integer(number);
    out_.put(", ");
    out_.put(title);
    out_.put('\n');
  }
  /// Writes get(0) to get(count - 1), `per_line` numbers per line.
  template <class Get>
  void numbers(Index count, Index per_line, const Get& get) {
    for (Index k = 0; k < count; ++k) {
      out_.e16(get(k));
      out_.put(k % per_line == per_line - 1 || k + 1 == count ? '\n' : ' ');
    }
  }
  void matrix(const MatrixXd& a) {
    for (Index r = 0; r < a.rows(); ++r)
      numbers(a.cols(), a.cols(), [&](Index c) { return a(r, c); });
  }
  /// Writes the symmetric part.
  void symmetric(const MatrixXd& a) { matrix(0.5 * (a + a.transpose())); }

 private:
  TextSink& out_;
};

void put_invariants(FemWriter& fem, const FlexBody& body) {
  const InertiaInvariants& i = body.invariants;
  const Index n = body.mode_count();
  fem.group(14, "INVARIANT 3");
  fem.matrix(i.translation);
  fem.group(15, "INVARIANT 4");
  fem.matrix(i.rotation);
  fem.group(16, "INVARIANT 8");
  fem.matrix(-i.inertia_rate);
  fem.group(17, "INVARIANT 5");
  fem.matrix(i.translation_rate);
  fem.group(18, "INVARIANT 9");
  for (Index a = 0; a < 3; ++a)
    for (Index j = 0; j < n; ++j)
      fem.numbers(3 * n, 3 * n, [&](Index k) { return i.inertia_curvature(3 * j + a, k); });
}

/// Writes group 11, from which MBDyn computes the invariants; 1, 2 and 7 come from group 12.
void put_nodal_masses(FemWriter& fem,
                      const FlexBody& body,
                      const std::filesystem::path& path,
                      Diagnostics& diagnostics) {
  NodalMasses masses = nodal_masses(body, true);
  if (masses.values.isZero(0.0)) {
    diagnostics.warn("no-lumped-mass",
                     "the nodes have no mass: without invariants MBDyn does not couple modes and "
                     "rigid motion",
                     {path.string()});
    return;
  }
  fem.group(11, "DIAGONAL OF LUMPED MASS MATRIX");
  fem.numbers(6 * body.node_count(), 6, [&](Index k) { return masses.values(k / 6, k % 6); });
  // invariants 1, 2 and 7 come from group 12
  for (const std::size_t rigid : {0, 1, 6})
    masses.errors.of[rigid] = 0.0;
  warn_of_nodal_masses(masses,
                       "MBDyn",
                       "--mbdyn-invariants writes all of them, for MBDyn versions after 2021",
                       path.string(),
                       diagnostics);
}

}  // namespace

void write_mbdyn_fem(const FlexBody& body,
                     const std::filesystem::path& path,
                     std::string_view units,
                     bool invariants,
                     Diagnostics& diagnostics,
                     Progress& progress) {
  TextSink out(path);
  FemWriter fem(out);
  const Index n = body.mode_count();
  const Index nodes = body.node_count();
  out.put(
      fmt::format("** modal data of a flexible body, written by femflex, numbers in {}\n", units));
  fem.group(1, "HEADER");
  out.put("**   REVISION,  NODE,  NORMAL, ATTACHMENT, CONSTRAINT, REJECTED MODES.\n      REV0");
  for (const Index count : {nodes, n, Index{0}, Index{0}, Index{0}})
    out.integer(count, 10);
  out.put('\n');
  fem.group(2, "FINITE ELEMENT NODE LIST");
  for (Index k = 0; k < nodes; ++k) {
    out.integer(body.nodes[static_cast<std::size_t>(k)].id);
    out.put(k % 6 == 5 || k + 1 == nodes ? '\n' : ' ');
  }
  if (!body.initial_zeta.isZero(0.0)) {
    fem.group(3, "INITIAL MODAL DISPLACEMENTS");
    fem.numbers(n, 6, [&](Index k) { return body.initial_zeta(k); });
  }
  if (!body.initial_zeta_dot.isZero(0.0)) {
    fem.group(4, "INITIAL MODAL VELOCITIES");
    fem.numbers(n, 6, [&](Index k) { return body.initial_zeta_dot(k); });
  }
  for (Index axis = 0; axis < 3; ++axis) {
    fem.group(static_cast<int>(5 + axis), fmt::format("NODAL {} COORDINATES", "XYZ"[axis]));
    fem.numbers(
        nodes, 6, [&](Index k) { return body.nodes[static_cast<std::size_t>(k)].position(axis); });
  }
  fem.group(8, "MODE SHAPES");
  progress.begin("write MBDyn", static_cast<double>(n), "modes");
  for (Index mode = 0; mode < n; ++mode) {
    progress.step(static_cast<double>(mode));
    out.put("**    NORMAL MODE SHAPE # ");
    out.integer(mode + 1);
    out.put('\n');
    fem.numbers(6 * nodes, 6, [&](Index k) { return body.shapes(k, mode); });
  }
  progress.end();
  fem.group(9, "MODAL MASS MATRIX");
  fem.symmetric(body.mass);
  fem.group(10, "MODAL STIFFNESS MATRIX");
  fem.symmetric(body.stiffness);
  // MBDyn adds group 11 to the invariants of groups 14 to 18: write only one of them
  if (!invariants) put_nodal_masses(fem, body, path, diagnostics);
  fem.group(12, "GLOBAL INERTIA PROPERTIES");
  const Vector3d centre =
      body.invariants.mass > 0.0 ? body.centre_of_mass() : Vector3d(Vector3d::Zero());
  fem.numbers(1, 1, [&](Index) { return body.invariants.mass; });
  fem.numbers(3, 3, [&](Index k) { return centre(k); });
  fem.symmetric(body.invariants.inertia +
                body.invariants.mass * cross_matrix(centre) * cross_matrix(centre));
  const MatrixXd b = damping_matrix(body);
  if (!b.isZero(0.0)) {
    fem.group(13, "MODAL DAMPING MATRIX");
    fem.symmetric(b);
  }
  if (invariants) put_invariants(fem, body);
  out.put("**\n** END OF FILE\n");
  out.commit();
}

}  // namespace femflex::flexfile
