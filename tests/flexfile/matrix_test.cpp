// Writes and checks the conformance page docs/formats/matrix.md: for each pair of formats A and B,
// the fields that survive the conversion fbm -> A -> B -> fbm, and the largest difference. With
// FEMFLEX_WRITE_DOCS=1 the page is written again.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "femflex/flexfile/flexfile.h"
#include "femflex/inertia_invariants.h"

#include "bodies.h"
#include "support/support.h"

namespace femflex::flexfile {
namespace {

using Eigen::MatrixXd;

/// Compares two bodies in one field. Returns 0 if they are equal, infinity if the field is lost,
/// and otherwise the difference relative to the largest number.
using Field = std::function<double(const FlexBody&, const FlexBody&)>;

double relative(const MatrixXd& a, const MatrixXd& b) {
  return testing::relative_difference(a, b);
}
double equal(bool is_equal) {
  return is_equal ? 0.0 : INFINITY;
}

MatrixXd positions(const FlexBody& body) {
  MatrixXd c(3, body.node_count());
  for (Eigen::Index k = 0; k < body.node_count(); ++k)
    c.col(k) = body.nodes[static_cast<std::size_t>(k)].position;
  return c;
}

MatrixXd rows(const MatrixXd& shapes, Eigen::Index first) {
  MatrixXd out(shapes.rows() / 2, shapes.cols());
  for (Eigen::Index k = 0; 6 * k < shapes.rows(); ++k)
    out.middleRows(3 * k, 3) = shapes.middleRows(6 * k + first, 3);
  return out;
}

double invariants(const InertiaInvariants& a, const InertiaInvariants& b) {
  return std::max({std::abs(a.mass - b.mass) / b.mass,
                   relative(a.first_moment, b.first_moment),
                   relative(a.translation, b.translation),
                   relative(a.rotation, b.rotation),
                   relative(a.translation_rate, b.translation_rate),
                   relative(a.modal, b.modal),
                   relative(a.inertia, b.inertia),
                   relative(a.inertia_rate, b.inertia_rate),
                   relative(a.inertia_curvature, b.inertia_curvature)});
}

double geometric(const FlexBody& a, const FlexBody& b) {
  if (a.geometric.size() != b.geometric.size()) return INFINITY;
  double worst = 0.0;
  for (std::size_t k = 0; k < a.geometric.size(); ++k)
    worst = std::max(worst,
                     a.geometric[k].cause != b.geometric[k].cause
                         ? INFINITY
                         : relative(a.geometric[k].stiffness, b.geometric[k].stiffness));
  return worst;
}

const std::vector<std::pair<std::string, Field>>& fields() {
  static const std::vector<std::pair<std::string, Field>> all{
      {"node ids",
       [](const FlexBody& a, const FlexBody& b) {
         return equal(
             std::equal(a.nodes.begin(),
                        a.nodes.end(),
                        b.nodes.begin(),
                        b.nodes.end(),
                        [](const BodyNode& x, const BodyNode& y) { return x.id == y.id; }));
       }},
      {"positions",
       [](const FlexBody& a, const FlexBody& b) { return relative(positions(a), positions(b)); }},
      {"translations",
       [](const FlexBody& a, const FlexBody& b) {
         return relative(rows(a.shapes, 0), rows(b.shapes, 0));
       }},
      {"rotations",
       [](const FlexBody& a, const FlexBody& b) {
         return a.shapes.size() == b.shapes.size() && rows(a.shapes, 3).isZero(0.0)
                    ? INFINITY
                    : relative(rows(a.shapes, 3), rows(b.shapes, 3));
       }},
      {"m, k",
       [](const FlexBody& a, const FlexBody& b) {
         return std::max(relative(a.mass, b.mass), relative(a.stiffness, b.stiffness));
       }},
      {"damping",
       [](const FlexBody& a, const FlexBody& b) {
         return a.damping ? relative(*a.damping, *b.damping) : INFINITY;
       }},
      {"nodal masses",
       [](const FlexBody& a, const FlexBody& b) {
         return a.lumped_mass.isZero(0.0) ? INFINITY : relative(a.lumped_mass, b.lumped_mass);
       }},
      {"invariants",
       [](const FlexBody& a, const FlexBody& b) { return invariants(a.invariants, b.invariants); }},
      {"stiffening", geometric},
      {"initial state",
       [](const FlexBody& a, const FlexBody& b) {
         return a.initial_zeta.isZero(0.0)
                    ? INFINITY
                    : std::max(relative(a.initial_zeta, b.initial_zeta),
                               relative(a.initial_zeta_dot, b.initial_zeta_dot));
       }},
      {"V, alpha, U",
       [](const FlexBody& a, const FlexBody& b) {
         return a.back ? std::max({relative(a.back->V, b.back->V),
                                   relative(a.back->alpha, b.back->alpha),
                                   relative(a.back->chosen_shapes, b.back->chosen_shapes)})
                       : INFINITY;
       }},
      {"mode kinds",
       [](const FlexBody& a, const FlexBody& b) {
         return equal(
             std::equal(a.modes.begin(),
                        a.modes.end(),
                        b.modes.begin(),
                        b.modes.end(),
                        [](const BodyMode& x, const BodyMode& y) { return x.kind == y.kind; }));
       }},
      {"interface",
       [](const FlexBody& a, const FlexBody& b) {
         return equal(a.interface_nodes == b.interface_nodes);
       }},
      {"elements",
       [](const FlexBody& a, const FlexBody& b) {
         return equal(a.elements.size() == b.elements.size());
       }},
      {"rejected", [](const FlexBody& a, const FlexBody& b) {
         return equal(a.rejected.size() == b.rejected.size() && a.path.scaled == b.path.scaled &&
                      a.path.orthogonalised == b.path.orthogonalised);
       }}};
  return all;
}

/// A format with one choice of options.
struct Way {
  std::string title;
  std::string format;
  bool sidecar = true;
  bool mbdyn_invariants = true;
  /// precision of the numbers, and the fields that the format contains
  double precision = 0.0;
  std::vector<std::string> holds;
};

const std::vector<Way>& ways() {
  static const std::vector<std::string> most{"node ids",
                                             "positions",
                                             "translations",
                                             "rotations",
                                             "m, k",
                                             "damping",
                                             "nodal masses",
                                             "invariants",
                                             "stiffening",
                                             "initial state",
                                             "V, alpha, U",
                                             "mode kinds",
                                             "interface",
                                             "elements",
                                             "rejected"};
  const auto without = [](std::vector<std::string> lost) {
    std::vector<std::string> kept;
    for (const std::string& field : most)
      if (std::find(lost.begin(), lost.end(), field) == lost.end()) kept.push_back(field);
    return kept;
  };
  static const std::vector<Way> all{
      {".fbm", "fbm", true, true, 0.0, most},
      {".flex + sidecar", "flex", true, true, 1e-6, most},
      {".flex alone",
       "flex",
       false,
       true,
       5e-6,
       without({"damping", "stiffening", "V, alpha, U", "mode kinds", "interface", "elements"})},
      {".SID_FEM",
       "sid",
       true,
       true,
       1e-10,
       without(
           {"nodal masses", "initial state", "V, alpha, U", "interface", "elements", "rejected"})},
      {".fem",
       "mbdyn",
       true,
       false,
       1e-13,
       without({"stiffening", "V, alpha, U", "mode kinds", "interface", "elements", "rejected"})},
      {".fem, 14 to 18",
       "mbdyn",
       true,
       true,
       1e-13,
       without({"nodal masses",
                "stiffening",
                "V, alpha, U",
                "mode kinds",
                "interface",
                "elements",
                "rejected"})},
      {".npz",
       "exudyn",
       true,
       true,
       1e-14,
       without({"node ids",
                "rotations",
                "damping",
                "nodal masses",
                "stiffening",
                "initial state",
                "V, alpha, U",
                "mode kinds",
                "interface",
                "elements",
                "rejected"})},
      {".hdf5",
       "exudyn-hdf5",
       true,
       true,
       1e-14,
       without({"node ids",
                "rotations",
                "damping",
                "nodal masses",
                "stiffening",
                "initial state",
                "V, alpha, U",
                "mode kinds",
                "interface",
                "elements",
                "rejected"})}};
  return all;
}

FlexBody through(const FlexBody& body, const Way& way, const testing::TemporaryFolder& folder) {
  WriteOptions options;
  options.format = way.format;
  options.sidecar = way.sidecar;
  options.mbdyn_invariants = way.mbdyn_invariants;
  Diagnostics diagnostics;
  write_body(body, folder / "body", options, diagnostics);
  FlexBody again = read_body(folder / "body", {}, diagnostics);
  std::filesystem::remove(folder / "body.flex.h5");
  return again;
}

std::string shown(double difference) {
  if (!std::isfinite(difference)) return "-";
  if (difference <= 5e-14) return "equal";
  return fmt::format("1e{}", static_cast<int>(std::ceil(std::log10(difference))));
}

bool holds(const Way& way, const std::string& field) {
  return std::find(way.holds.begin(), way.holds.end(), field) != way.holds.end();
}

// Truth: the body itself. Fields that both formats contain survive the conversion, to the lower
// precision of the two. The page shows the measured differences.
TEST(Matrix, EveryPairOfFormatsKeepsWhatBothHold) {
  const testing::TemporaryFolder folder;
  const FlexBody body = testing::random_body(77);
  std::string single = "| field |";
  std::string rule = "|---|";
  for (const Way& way : ways()) {
    single += fmt::format(" {} |", way.title);
    rule += "---|";
  }
  const std::string head = single.substr(9) + "\n" + rule + "\n";
  std::string pairs = "| from \\ to |" + head;
  std::map<std::string, std::string> one_way;
  for (const Way& a : ways()) {
    const FlexBody first = through(body, a, folder);
    pairs += fmt::format("| {} |", a.title);
    for (const auto& [name, compare] : fields())
      one_way[name] += fmt::format(" {} |", shown(compare(first, body)));
    for (const Way& b : ways()) {
      const FlexBody second = through(first, b, folder);
      int kept = 0;
      double worst = 0.0;
      for (const auto& [name, compare] : fields()) {
        const double difference = compare(second, body);
        // FLEX alone and group 11 of MBDyn derive invariants from nodal masses
        const bool is_derived = b.title == ".flex alone" || b.title == ".fem";
        // these are computed again, so the field did not survive
        const bool is_found = holds(b, "nodal masses") && !holds(a, "nodal masses") &&
                              (name == "nodal masses" || (is_derived && name == "invariants"));
        const bool expected = holds(a, name) && holds(b, name) &&
                              (name != "invariants" || !is_derived || holds(a, "nodal masses"));
        if (std::isfinite(difference) && difference < 1e-3 && !is_found) {
          ++kept;
          worst = std::max(worst, difference);
        }
        if (expected) {
          EXPECT_LE(difference,
                    testing::tolerance(std::max({a.precision, b.precision, 2e-14}) * 2.0))
              << a.title << " -> " << b.title << ": " << name;
        }
      }
      pairs += fmt::format(" {}, {} |", kept, shown(worst));
    }
    pairs += "\n";
  }
  std::string table = "| field |" + head;
  for (const auto& [name, compare] : fields())
    table += fmt::format("| {} |{}\n", name, one_way[name]);
  const std::string page = fmt::format(
      "# What survives which format\n\n"
      "Made by a test (`flexfile.Matrix...`, tests/flexfile/matrix_test.cpp) from a random body of "
      "7 "
      "nodes and 4 modes\nthat uses every field; written anew with `FEMFLEX_WRITE_DOCS=1`. Numbers "
      "are the next power of ten above the\nlargest difference, relative to the largest number of "
      "the field; equal is to 5e-14; `-` is lost. `.fem, 14 to 18` is MBDyn with "
      "`--mbdyn-invariants`.\nWhat other programs made of these files: [readers](readers.md).\n\n"
      "## `.fbm` to a format and back\n\n{}\n"
      "Exudyn keeps the skin of a body as triangles, FLEX alone the kinds as dynamic or static; "
      "FLEX alone "
      "and `.fem` derive\ninvariants from nodal masses; where a file gives none, masses are found "
      "that "
      "come near them.\n\n"
      "## Pairs: of {} fields so many survive, largest difference among them\n\n{}",
      table,
      fields().size(),
      pairs);
  const char* write = std::getenv("FEMFLEX_WRITE_DOCS");
  const auto path = testing::data("../docs/formats/matrix.md");
  if (write != nullptr) testing::write_text(path, page);
  EXPECT_EQ(testing::read_text(path), page) << "run once with FEMFLEX_WRITE_DOCS=1 and look at it";
}

// Truth: relations that are valid for every body of point masses, before and after each format.
TEST(Matrix, ConsistencyChecksPassBeforeAndAfterEveryFormat) {
  const testing::TemporaryFolder folder;
  testing::RandomBodyOptions options;
  options.rotary_inertia = false;
  for (unsigned seed = 0; seed < 3; ++seed) {
    const FlexBody body = testing::random_body(seed, options);
    for (const ConsistencyCheck& check : consistency_checks(body.invariants, false))
      EXPECT_LE(check.residual, testing::tolerance(1e-10)) << check.name;
    for (const Way& way : ways()) {
      const FlexBody again = through(body, way, folder);
      // FLEX and SID round m, which the trace of 9 is compared with
      const bool rounds = way.format == "flex";
      for (const ConsistencyCheck& check : consistency_checks(again.invariants, rounds))
        EXPECT_LE(check.residual, testing::tolerance(1e-10)) << way.title << ": " << check.name;
    }
  }
}

}  // namespace
}  // namespace femflex::flexfile
