// Shapes that a file gives as translations alone: three rows a node through the whole import, and
// what is told where the matrices have rotations as well.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/importer/import_model.h"
#include "femflex/importer/read_contents.h"
#include "femflex/nodal_shapes.h"

#include "model/missing_rotations.h"
#include "support/support.h"

namespace femflex::importer {
namespace {

using testing::data;

bool are_told(const Diagnostics& diagnostics, const std::string& code) {
  return std::any_of(diagnostics.warnings().begin(),
                     diagnostics.warnings().end(),
                     [&](const Warning& warning) { return warning.code == code; });
}

/// The shell deck fold_S4 with its matrices, and one more file.
ImportResult fold(const std::filesystem::path& more, Diagnostics& diagnostics) {
  ImportRequest request;
  for (const char* ending : {".inp", ".sti.gz", ".mas.gz", ".dof"})
    request.files.push_back(data(std::string("calculix/decks/fold_S4") + ending));
  request.files.push_back(more);
  request.units = parse_units("m-kg-s");
  return import_model(request, diagnostics);
}

// Truth: the columns as read, which the tests of the reader compare with the files.
TEST(TranslationShapes, OfAFrdFileHaveThreeRowsANodeInTheModel) {
  for (const char* name : {"calculix/valid/tower_text.frd",
                           "calculix/valid/tower_binary.frd",
                           "calculix/shells/fold_text.frd",
                           "calculix/shells/fold_binary.frd"}) {
    SCOPED_TRACE(name);
    Diagnostics diagnostics;
    const FileContents read = read_contents(data(name), {}, diagnostics);
    const FeModel model = import_model({.files = {data(name)}}, diagnostics).model;
    EXPECT_FALSE(are_told(diagnostics, "missing-rotations"));
    const RawModes& raw = read.modes.back();
    ASSERT_EQ(raw.kind, RawModes::Kind::normal);
    ASSERT_EQ(raw.components, 3);
    ASSERT_EQ(model.modes.rows.size(), 3 * std::ssize(model.nodes));
    for (std::size_t p = 0; p < raw.points.size(); ++p)
      for (std::int8_t c = 1; c <= 3; ++c)
        EXPECT_EQ(model.modes.shapes.row(model.modes.rows.find({raw.points[p], c}))
                      .head(raw.shapes.cols()),
                  raw.shapes.row(3 * static_cast<Eigen::Index>(p) + c - 1));
  }
}

// Truth: the import of all shapes. The same file may be picked more than once.
TEST(TranslationShapes, PickedOnesAreThoseOfTheWholeImport) {
  const std::filesystem::path path = data("calculix/valid/tower_binary.frd");
  Diagnostics diagnostics;
  const ModeSet all = import_model({.files = {path}}, diagnostics).model.modes;
  const ModeSet picked = import_model({.files = {path},
                                       .modes = {{path, ModeKind::dynamic, {3, 1}, ""},
                                                 {path, ModeKind::static_, {}, ""},
                                                 {path, ModeKind::dynamic, {2}, ""}}},
                                      diagnostics)
                             .model.modes;
  ASSERT_EQ(all.count(), 4);  // dynamic:1-3, static:1
  ASSERT_EQ(picked.count(), 4);
  EXPECT_EQ(picked.rows, all.rows);
  EXPECT_EQ(picked.shapes, all.shapes(Eigen::all, {2, 0, 3, 1}).eval());
}

// A universal file with modes of six numbers a node and a load case of three.
TEST(TranslationShapes, JoinThoseWithRotations) {
  Diagnostics diagnostics;
  const ModeSet modes =
      import_model({.files = {data("universal/valid/modes.unv")}}, diagnostics).model.modes;
  ASSERT_EQ(modes.count(), 3);
  ASSERT_EQ(modes.rows.size(), 18);
  EXPECT_EQ(modes.shapes(modes.rows.find({8, 3}), 2), 8.375);
  EXPECT_EQ(modes.shapes(modes.rows.find({8, 4}), 2), 0.0);
  EXPECT_NE(modes.shapes(modes.rows.find({8, 4}), 0), 0.0);
}

// The fold of the shell turns in the matrices; the rotations of the others follow inner nodes,
// which the file does not give either.
TEST(TranslationShapes, OfTurningNodesAreTold) {
  for (const char* name : {"calculix/shells/fold_text.frd", "calculix/shells/fold_binary.frd"}) {
    SCOPED_TRACE(name);
    Diagnostics diagnostics;
    const FeModel model = fold(data(name), diagnostics).model;
    EXPECT_TRUE(are_told(diagnostics, "missing-rotations"));
    EXPECT_FALSE(missing_rotations(model).empty());
    const Eigen::MatrixXd shapes = nodal_shapes(model, model.modes, *model.units);
    for (Eigen::Index node = 0; node < shapes.rows() / 6; ++node)
      EXPECT_TRUE(shapes.middleRows(6 * node + 3, 3).isZero(0.0)) << node;
  }
}

TEST(TranslationShapes, OfNodesThatDoNotTurnAreRead) {
  const FeModel model = [] {
    FeModel out;
    out.nodes = {{1, Eigen::Vector3d::Zero()}, {2, Eigen::Vector3d::UnitX()}};
    out.dofs = DofMap::all_six({1, 2});
    out.modes.rows = DofMap({{1, 1}, {1, 2}, {1, 3}});
    out.fixed = {{1, 6}};
    SparseMatrix K(12, 12);
    K.setIdentity();
    K.coeffRef(4, 4) = 0.0;  // 1/R2 has no stiffness and no mass
    out.stiffness = K;
    return out;
  }();
  EXPECT_EQ(missing_rotations(model), (std::vector<Dof>{{1, 4}}));  // node 2 has no shapes at all
}

// Truth: the file: six columns of shapes, no eigenvalues, so that they are no normal modes.
TEST(ShapesWithoutEigenvalues, AreLeftOutWithTheirRemedy) {
  const auto file = data("npz/valid/shapes_alone.npz");
  Diagnostics diagnostics;
  EXPECT_EQ(import_model({.files = {file}}, diagnostics).model.modes.count(), 0);
  EXPECT_TRUE(are_told(diagnostics, "no-eigenvalues"));
  Diagnostics silent;
  ImportRequest request{.files = {file}};
  request.modes.push_back({.path = file, .kind = ModeKind::dynamic});
  EXPECT_EQ(import_model(request, silent).model.modes.count(), 6);
  EXPECT_FALSE(are_told(silent, "no-eigenvalues"));
}

}  // namespace
}  // namespace femflex::importer
