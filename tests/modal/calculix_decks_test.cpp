// Tests small CalculiX models of every kind (data/calculix/decks) as a user runs them: import, then
// modes.
#include <cmath>
#include <fstream>
#include <numbers>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/importer/import_model.h"
#include "femflex/modal/compute_modes.h"
#include "femflex/modal/reduce.h"
#include "femflex/modal/validate.h"

#include "support/support.h"

namespace femflex::modal {
namespace {

using testing::data;

struct Deck {
  std::string name;
  std::vector<double> frequencies;  ///< [Hz], seven digits, as CalculiX prints them
};

std::vector<Deck> decks() {
  std::vector<Deck> out;
  std::ifstream in(data("calculix/decks/frequencies.csv"));
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream fields(line);
    Deck deck;
    std::getline(fields, deck.name, ',');
    for (std::string field; std::getline(fields, field, ',');)
      deck.frequencies.push_back(std::stod(field));
    out.push_back(std::move(deck));
  }
  return out;
}

class CalculixModes : public ::testing::TestWithParam<Deck> {};

// Truth: CalculiX's own frequencies, above its round-off of zero; those below are zero modes here.
// What cannot be told from the deck is refused with its reason, and so is a K that CalculiX itself
// made indefinite (negative eigenvalues, printed as zeros).
TEST_P(CalculixModes, AreThoseThatCalculixPrints) {
  constexpr double zero = 0.2;  // [Hz]
  static const std::set<std::string> reasons{"expanded-rows", "cyclic-symmetry", "indefinite"};
  const Deck& deck = GetParam();
  const auto file = [&](const char* end) { return data("calculix/decks/" + deck.name + end); };
  std::vector<double> expected;
  for (const double hz : deck.frequencies)
    if (hz > zero) expected.push_back(hz);
  try {
    Diagnostics diagnostics;
    const FeModel model =
        importer::import_model(
            {.files = {file(".inp"), file(".sti.gz"), file(".mas.gz"), file(".dof")},
             .units = parse_units("m-kg-s")},
            diagnostics)
            .model;
    ModeRequest request;
    request.normal = static_cast<std::int64_t>(deck.frequencies.size());
    const ComputedModes modes = compute_modes(model, request, diagnostics);
    const auto free = static_cast<std::int64_t>(deck.frequencies.size() - expected.size());
    EXPECT_EQ(modes.report.zero_modes, free);
    for (std::size_t k = 0; k < expected.size(); ++k) {
      const double lambda = modes.modes.modes[static_cast<std::size_t>(free) + k].eigenvalue;
      EXPECT_NEAR(std::sqrt(lambda) / (2.0 * std::numbers::pi), expected[k], 5e-6 * expected[k]);
    }
  } catch (const ModelError& error) {
    EXPECT_TRUE(reasons.contains(error.code())) << error.what();
    EXPECT_FALSE(error.fix().empty());
  }
}

INSTANTIATE_TEST_SUITE_P(All, CalculixModes, ::testing::ValuesIn(decks()), [](const auto& deck) {
  return deck.param.name;
});

// Truth: what *BOUNDARY holds along the axes of *TRANSFORM stays still in every shape of the body,
// and what it leaves moves: the end of transform_r along axes 2 and 3, the root of transform_c
// along the radius of its cylinder alone.
TEST(CalculixTransforms, HoldWhatTheDeckHoldsAndNothingElse) {
  for (const bool cylinder : {false, true}) {
    const std::string name = cylinder ? "transform_c" : "transform_r";
    SCOPED_TRACE(name);
    const auto file = [&](const char* end) { return data("calculix/decks/" + name + end); };
    Diagnostics diagnostics;
    const FeModel model =
        importer::import_model(
            {.files = {file(".inp"), file(".sti.gz"), file(".mas.gz"), file(".dof")},
             .units = parse_units("m-kg-s")},
            diagnostics)
            .model;
    ReduceOptions options;
    options.method = Method::dynamic;
    options.normal = 2;
    const FlexBody body = reduce(model, options, diagnostics);
    const std::vector<std::int64_t> ends =
        cylinder ? std::vector<std::int64_t>{1, 4, 5, 8} : std::vector<std::int64_t>{9, 10, 11, 12};
    for (const std::int64_t node : ends) {
      const Eigen::Index at = find_node(body, node);
      const Eigen::Vector3d u = body.shapes.col(0).segment<3>(6 * at);
      if (cylinder) {  // its axis runs along x through (0, 0.05, 0.06)
        Eigen::Vector3d radius =
            body.nodes[static_cast<std::size_t>(at)].position - Eigen::Vector3d(0, 0.05, 0.06);
        radius.x() = 0.0;
        EXPECT_LT(u.cross(radius.normalized()).norm(), 1e-12 * u.norm()) << node;
      } else {
        EXPECT_LT(std::abs(u.dot(Eigen::Vector3d(0.6, 0.8, 0.0))), 1e-12 * u.norm()) << node;
      }
      EXPECT_GT(u.norm(), 1e-3) << node;
    }
  }
}

FeModel model_of(const std::string& name, std::vector<std::int64_t> interface_nodes) {
  const auto file = [&](const char* end) { return data("calculix/decks/" + name + end); };
  Diagnostics diagnostics;
  importer::ImportRequest request;
  request.files = {file(".inp"), file(".sti.gz"), file(".mas.gz"), file(".dof")};
  request.units = parse_units("m-kg-s");
  request.interface_nodes = std::move(interface_nodes);
  return importer::import_model(request, diagnostics).model;
}

/// What the first five modes of a Craig-Chang body of twelve modes show beside the model.
Validation comparison_of(const FeModel& model, Diagnostics& diagnostics) {
  ReduceOptions reduction;
  reduction.method = Method::craig_chang;
  reduction.normal = 12;
  ValidateOptions options;
  options.modes = 5;
  return validate(reduce(model, reduction, diagnostics), model, options, diagnostics);
}

// Truth: the model itself. B31, C3D8I and S4 have internal DOFs, which bodies do not hold; a body
// that has the modes of the model agrees with it.
TEST(CalculixBodies, AgreeWithModelsThatHaveInternalDofs) {
  const std::vector<std::pair<std::string, std::vector<std::int64_t>>> decks{
      {"free_B31", {111, 112, 113, 114}}, {"free_C3D8I", {1, 4, 22}}, {"free_S4", {111, 112}}};
  for (const auto& [name, interface_nodes] : decks) {
    SCOPED_TRACE(name);
    Diagnostics diagnostics;
    const Validation found = comparison_of(model_of(name, interface_nodes), diagnostics);
    EXPECT_EQ(found.reduced_zero_modes, 6);
    for (const Validation::Frequency& one : found.frequencies) {
      EXPECT_LT(std::abs(one.error_percent), 1e-6);
      EXPECT_GT(one.mac, 1.0 - 1e-8);
    }
    EXPECT_TRUE(found.pass);
  }
}

// Truth: the constraint modes, which are in the body: rigid motions and static displacements are
// exact, though the internal DOFs of modes that it left out are not told by the nodes.
TEST(CalculixBodies, OfEigenvectorsKeepTheirStaticsDespiteInternalDofs) {
  const FeModel model = model_of("free_C3D8I", {1, 4, 22});
  ReduceOptions reduction;
  reduction.method = Method::craig_bampton;
  reduction.normal = 60;
  reduction.orthogonalise = true;
  Diagnostics diagnostics;
  const FlexBody body = reduce(model, reduction, diagnostics);
  ValidateOptions options;
  options.modes = 5;
  const Validation found = validate(body, model, options, diagnostics);
  EXPECT_EQ(found.reduced_zero_modes, 6);
  EXPECT_LT(found.static_error, 1e-8);
}

/// The code of the error of a reduction; empty: there is none.
std::string error_of(const FeModel& model, Method method, std::int64_t normal, int krylov) {
  ReduceOptions options;
  options.method = method;
  options.normal = normal;
  options.krylov = krylov;
  Diagnostics diagnostics;
  try {
    static_cast<void>(reduce(model, options, diagnostics));
  } catch (const Error& error) {
    return error.code();
  }
  return "";
}

// M of CalculiX's S4 has the rank 87, that of its B31 54 (their eigenvalues). More shapes than that
// are told by their number; about as many as the rank are a matter of round-off.
TEST(CalculixBodies, OfMoreShapesThanMTellsApartAreRefusedForThat) {
  const FeModel beam = model_of("free_B31", {111, 112, 113, 114});
  EXPECT_EQ(error_of(beam, Method::craig_chang, 30, 0), "");
  const FeModel shell = model_of("free_S4", {111, 112});
  EXPECT_EQ(error_of(shell, Method::krylov, 0, 30), "too-many-shapes");
  EXPECT_EQ(error_of(shell, Method::craig_chang, 40, 0), "");
}

// Two nodes of a free block of solids: held there, it can turn about the line through them. Truth:
// the modes of the model, which are compared all the same.
TEST(CalculixBodies, AreComparedWhoseInterfaceCannotHoldThem) {
  for (const std::vector<std::int64_t>& nodes : {std::vector<std::int64_t>{1}, {1, 4}}) {
    Diagnostics diagnostics;
    const Validation found = comparison_of(model_of("free_C3D8", nodes), diagnostics);
    EXPECT_EQ(found.frequencies.size(), 5U);
    EXPECT_TRUE(found.pass);
    EXPECT_EQ(found.static_error, -1.0);
    EXPECT_TRUE(found.frf.empty());
    ASSERT_FALSE(diagnostics.warnings().empty());
    EXPECT_EQ(diagnostics.warnings().back().code, "interface-not-compared");
  }
}

/// k_geo of the first two modes of the spinning bar, per mass, from a stiffness under spin.
Eigen::Vector2d spun_bar(const std::string& name, Diagnostics& diagnostics) {
  const auto model_with = [&](const std::string& stiffness) {
    const auto file = [](const std::string& end) { return data("calculix/spin/" + end); };
    Diagnostics quiet;
    return importer::import_model(
               {.files = {file("bar.inp"), file(stiffness), file("bar.mas.gz"), file("bar.dof")},
                .units = parse_units("m-kg-s")},
               quiet)
        .model;
  };
  FeModel model = model_with("bar.sti.gz");
  ModeRequest request;
  request.normal = 2;
  model.modes = compute_modes(model, request, diagnostics).modes;
  ReduceOptions options;
  options.method = Method::given;
  PreloadedStiffness spun;
  spun.cause = GeometricStiffness::Cause::spin_zz;
  spun.amount = 100.0;
  spun.stiffness = *model_with(name).stiffness;
  options.preloaded = {spun};
  const FlexBody body = reduce(model, options, diagnostics);
  return body.geometric.at(0).stiffness.diagonal().cwiseQuotient(body.mass.diagonal());
}

// Truth: CalculiX's own K of a step in which the load has ended; the bending of the lag plane then
// stiffens as that of the flap plane, by 1.19 Omega^2 for a slender beam (Wright et al. 1982),
// whose terms of inertia differ by Omega^2.
TEST(CalculixSpin, TheSofteningOfTheLoadIsNotCountedTwice) {
  Diagnostics quiet, diagnostics;
  const Eigen::Vector2d expected = spun_bar("spun_without_load.sti.gz", quiet);
  EXPECT_TRUE(quiet.empty());
  EXPECT_NEAR(expected(0), 1.19, 0.03);
  EXPECT_NEAR(expected(1), 1.19, 0.03);
  const Eigen::Vector2d found = spun_bar("spun.sti.gz", diagnostics);
  EXPECT_LT((found - expected).norm(), 2e-4);  // the load of the last step follows the deflection
  ASSERT_EQ(diagnostics.warnings().size(), 1U);
  EXPECT_EQ(diagnostics.warnings().front().code, "spin-softening");
}

}  // namespace
}  // namespace femflex::modal
