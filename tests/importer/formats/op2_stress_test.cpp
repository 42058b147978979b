// Tests element stresses and strains of NASTRAN OUTPUT2 files: the place of every word in every
// layout. Real files are compared with the printed tables of the same run.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/importer/import_model.h"
#include "femflex/importer/read_contents.h"

#include "support/support.h"

namespace femflex::importer {
namespace {

using testing::data;
using testing::shared_folder;

using Face = FeStressPlace::Face;
using Kind = FeStressPlace::Kind;

/// Words of the values of one place, counted from 0; two words are added.
struct Words {
  FeStressPlace place;
  std::vector<std::vector<int>> rows;
};

const RawStress* find_stress(const FileContents& contents, const std::string& type, Face face) {
  for (const RawStress& each : contents.stresses)
    if (!each.is_strain && each.type == type &&
        std::any_of(each.places.begin(), each.places.end(), [&](const FeStressPlace& place) {
          return place.face == face;
        }))
      return &each;
  return nullptr;
}

/// Word k of mode m of data/op2/make_op2.py: k + element / 8 + 1000 m.
void expect_words(const RawStress& stress, std::int64_t element, const std::vector<Words>& words) {
  SCOPED_TRACE(stress.type);
  ASSERT_EQ(stress.numbers, (std::vector<std::int64_t>{1, 2}));
  ASSERT_EQ(stress.places.size(), words.size());
  Eigen::Index row = 0;
  for (std::size_t k = 0; k < words.size(); ++k) {
    const FeStressPlace& found = stress.places[k];
    EXPECT_EQ(found.element, element);
    EXPECT_EQ(found.node, words[k].place.node);
    EXPECT_EQ(found.kind, words[k].place.kind);
    EXPECT_EQ(found.face, words[k].place.face);
    EXPECT_EQ(found.index, words[k].place.index);
    EXPECT_EQ(found.level, words[k].place.level);
    ASSERT_EQ(component_count(found), static_cast<int>(words[k].rows.size()));
    for (const std::vector<int>& sum : words[k].rows) {
      for (int mode = 1; mode <= 2; ++mode) {
        double expected = 0.0;
        for (const int word : sum)
          expected += word + static_cast<double>(element) / 8.0 + 1000.0 * mode;
        EXPECT_EQ(stress.values(row, mode - 1), expected) << "place " << k;
      }
      ++row;
    }
  }
  EXPECT_EQ(row, stress.values.rows());
}

FeStressPlace place_of(Kind kind, Face face, std::int32_t index, std::int64_t node = 0) {
  FeStressPlace out;
  out.kind = kind;
  out.face = face;
  out.index = index;
  out.node = node;
  return out;
}

// Truth: the numbers of words in NASTRAN's tables, as data/op2/make_op2.py counts them.
TEST(Op2Stress, EveryWordIsInItsPlaceInEveryLayout) {
  for (const char* name : {"stress_le32", "stress_be64", "stress_sort2"}) {
    SCOPED_TRACE(name);
    Diagnostics diagnostics;
    const FileContents contents =
        read_contents(data(std::string("op2/valid/") + name + ".op2"), {}, diagnostics);
    EXPECT_TRUE(diagnostics.empty());
    ASSERT_EQ(contents.stresses.size(), 8U);

    expect_words(contents.stresses[0],
                 7,
                 {{place_of(Kind::centre, Face::bottom, 0), {{2}, {3}, {4}}},
                  {place_of(Kind::centre, Face::top, 0), {{10}, {11}, {12}}}});
    std::vector<Words> bar;
    for (int end = 0; end < 2; ++end)
      for (int fibre = 0; fibre < 4; ++fibre) {
        bar.push_back({place_of(Kind::end, Face::fibre, end), {{(end == 0 ? 1 : 9) + fibre, 5}}});
        bar.back().place.level = fibre;
      }
    expect_words(*find_stress(contents, "CBAR", Face::fibre), 8, bar);
    expect_words(*find_stress(contents, "CROD", Face::none),
                 9,
                 {{place_of(Kind::centre, Face::none, 0), {{1}, {3}}}});
    Words ply{place_of(Kind::centre, Face::ply, 0), {{2}, {3}, {4}, {6}, {5}}};
    ply.place.level = 1;
    expect_words(*find_stress(contents, "CQUAD4", Face::ply), 7, {ply});
    std::vector<Words> beam;
    for (int end = 0; end < 2; ++end)
      for (int fibre = 0; fibre < 4; ++fibre) {
        const int at = end == 0 ? 1 : 101;
        beam.push_back(
            {place_of(Kind::end, Face::fibre, end, end == 0 ? 11 : 15), {{at + 2 + fibre}}});
        beam.back().place.level = fibre;
      }
    expect_words(*find_stress(contents, "CBEAM", Face::fibre), 5, beam);

    const auto with_corners =
        std::find_if(contents.stresses.begin(), contents.stresses.end(), [](const RawStress& s) {
          return s.places.size() == 10;
        });
    ASSERT_NE(with_corners, contents.stresses.end());
    std::vector<Words> quad;
    const std::vector<std::int64_t> nodes = {0, 11, 12, 15, 11};
    for (int point = 0; point < 5; ++point)
      for (const Face face : {Face::bottom, Face::top}) {
        const int first = 4 + 17 * point + (face == Face::top ? 8 : 0);
        quad.push_back({place_of(point == 0 ? Kind::centre : Kind::corner,
                                 face,
                                 std::max(0, point - 1),
                                 nodes[static_cast<std::size_t>(point)]),
                        {{first}, {first + 1}, {first + 2}}});
      }
    expect_words(*with_corners, 4, quad);

    std::vector<Words> hexa;
    for (int point = 0; point < 9; ++point) {
      const int at = 4 + 21 * point;
      hexa.push_back({place_of(point == 0 ? Kind::centre : Kind::corner,
                               Face::none,
                               std::max(0, point - 1),
                               point == 0 ? 0 : 11 + point % 2),
                      {{at + 1}, {at + 9}, {at + 15}, {at + 2}, {at + 10}, {at + 16}}});
    }
    expect_words(*find_stress(contents, "CHEXA", Face::none), 3, hexa);

    const RawStress& strain = contents.stresses[7];
    EXPECT_TRUE(strain.is_strain);
    EXPECT_EQ(strain.places[0].axes, FeStressPlace::Axes::material);
    EXPECT_EQ(contents.stresses[0].places[0].axes, FeStressPlace::Axes::element);
    std::map<std::string, std::int64_t> unread;
    for (const Unread& each : contents.unread)
      unread[each.what] = each.count;
    EXPECT_TRUE(unread.contains("OES1X1 CSHEAR"));
    EXPECT_TRUE(unread.contains("OSTR1X CQUAD4 curvature"));
  }
}

// Truth: the columns of the shapes have the same numbers; words as above.
TEST(Op2Stress, AnImportGivesEachShapeItsStresses) {
  Diagnostics diagnostics;
  const ImportResult result = import_model(
      {.files = {data("op2/valid/stress_le32.op2")}, .force = true}, diagnostics, no_progress());
  const FeStressTable& stress = result.model.stresses.stress;
  EXPECT_EQ(stress.shapes, (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(stress.sources, (std::vector<std::string>{"stress_le32.op2:OES1X1"}));
  EXPECT_EQ(stress.places.size(), 2U + 8U + 1U + 1U + 8U + 10U + 9U);
  EXPECT_EQ(stress.values(0, 1), 2.0 + 7.0 / 8.0 + 2000.0);
  EXPECT_EQ(result.model.stresses.strain.places.size(), 2U);
  const std::vector<Warning>& warnings = diagnostics.warnings();
  EXPECT_TRUE(std::any_of(warnings.begin(), warnings.end(), [](const Warning& each) {
    return each.code == "stress-unread";
  }));
}

/// A printed number: mode, element, node (0: centre), row of its places, value.
struct Printed {
  int mode = 0;
  std::string type;
  std::int64_t element = 0;
  std::int64_t node = 0;
  int row = 0;
  double value = 0.0;
};

/// Value of a row among the rows of an element at a node.
double value_at(const FileContents& contents, const Printed& wanted) {
  for (const RawStress& raw : contents.stresses) {
    if (raw.is_strain || raw.type != wanted.type || raw.source != "OES1X1") continue;
    Eigen::Index row = 0;
    int seen = 0;
    for (const FeStressPlace& place : raw.places)
      for (int c = 0; c < component_count(place); ++c, ++row)
        if (place.element == wanted.element && place.node == wanted.node && seen++ == wanted.row)
          return raw.values(row, wanted.mode - 1);
  }
  return 0.0;
}

// Truth: the tables that MSC NASTRAN printed in the same run (mode_solid_shell_bar.f06), seven
// digits.
TEST(Op2Stress, RealFilesHoldWhatTheRunPrinted) {
  if (shared_folder().empty()) GTEST_SKIP() << "no shared folder";
  Diagnostics diagnostics;
  const FileContents contents =
      read_contents(shared_folder() / "data/nastran/op2/mode_solid_shell_bar.op2", {}, diagnostics);
  const std::vector<Printed> all = {{1, "CQUAD4", 6, 0, 0, -1.454429e4},
                                    {1, "CQUAD4", 6, 0, 1, -1.353792e5},
                                    {1, "CQUAD4", 6, 0, 2, -2.042784e5},
                                    {1, "CQUAD4", 6, 0, 5, -2.648223e5},
                                    {1, "CQUAD4", 6, 4, 1, 6.637259e5},
                                    {1, "CQUAD4", 6, 14, 3, -7.966641e4},
                                    {1, "CHEXA", 1, 0, 0, -1.040119e4},
                                    {1, "CHEXA", 1, 0, 1, 1.989720e3},
                                    {1, "CHEXA", 1, 0, 4, -1.012816e5},
                                    {1, "CHEXA", 1, 0, 5, -2.746185e4},
                                    {1, "CHEXA", 1, 3, 2, 8.800775e5},
                                    {1, "CBAR", 13, 0, 0, 1.388910e6},
                                    {1, "CBEAM", 12, 18, 2, -5.869962e6},
                                    {1, "CBEAM", 12, 22, 3, 5.488578e6},
                                    {1, "CROD", 14, 0, 1, -2.438087e6},
                                    {1, "CTETRA", 4, 10, 3, 2.844234e2},
                                    {1, "CTRIA3", 11, 0, 4, -5.210869e5}};
  for (const Printed& each : all)
    EXPECT_NEAR(value_at(contents, each), each.value, 0.6e-6 * std::abs(each.value))
        << each.type << " " << each.element << " row " << each.row;
}

}  // namespace
}  // namespace femflex::importer
