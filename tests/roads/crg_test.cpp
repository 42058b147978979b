// Tests OpenCRG files: sample files in every encoding against closed forms, and files that are
// truncated or have changed bytes.
#include "femflex/roads/crg.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/lines.h"
#include "femflex/number.h"

#include "support/support.h"

namespace femflex::roads {
namespace {

using testing::code_of;
using testing::tolerance;

const std::vector<std::string> kEncodings = {"krbi", "kdbi", "lrfi", "ldfi"};
// Error of a height [m] from 7 decimals, 4-byte reals, and chords instead of arcs.
constexpr double kFileAccuracy = 2e-7;

std::string sample(const std::string& name) {
  return testing::read_text(testing::data("").parent_path().parent_path() /
                            "tests/roads/reference" / name);
}

CrgRoad road_of(const std::string& bytes) {
  Diagnostics diagnostics;
  return CrgRoad(read_crg(bytes, "sample.crg", diagnostics));
}

struct Place {
  double x = 0.0, y = 0.0, z = 0.0;
};

std::vector<Place> bend_heights() {
  const std::string text = sample("bend_heights.csv");
  std::vector<Place> places;
  Lines lines(text);
  while (lines.next()) {
    std::string line(lines.line());
    if (line.starts_with('#')) continue;
    std::replace(line.begin(), line.end(), ',', ' ');
    std::string_view rest = line;
    Place place;
    if (take_real(rest, place.x) && take_real(rest, place.y) && take_real(rest, place.z))
      places.push_back(place);
  }
  return places;
}

/// A straight road of 5 m x 2 m with z = 0.1 u + 0.2 v + 0.03 u v.
CrgData straight() {
  CrgData data;
  data.u_increment = 0.5;
  data.v = {-1.0, -0.25, 1.0};
  data.heading = {0.0};
  data.slope = {0.0};
  data.banking = {0.0};
  for (int i = 0; i <= 10; ++i)
    for (const double v : data.v)
      data.z.push_back(0.1 * 0.5 * i + 0.2 * v + 0.03 * 0.5 * i * v);
  return data;
}

// Closed form: tests/roads/reference/make_samples.py, a circle with slope and banking.
TEST(Crg, BankedBendOfEveryEncodingIsItsClosedForm) {
  const std::vector<Place> places = bend_heights();
  ASSERT_EQ(places.size(), 400U);
  for (const std::string& encoding : kEncodings) {
    const CrgRoad road = road_of(sample("bend_" + encoding + ".crg"));
    RoadCursor cursor;
    double largest = 0.0;
    for (const Place& place : places)
      largest = std::max(largest, std::abs(road.at(place.x, place.y, cursor).height - place.z));
    EXPECT_LT(largest, kFileAccuracy) << encoding;
  }
}

// Truth: central differences of the height, away from kinks.
TEST(Crg, SlopesAreTheGradientOfTheHeight) {
  const CrgRoad road = road_of(sample("bend_kdbi.crg"));
  constexpr double kStep = 1e-6;
  int compared = 0;
  for (const Place& place : bend_heights()) {
    RoadCursor cursor;
    const LinePoint at = road.project(place.x, place.y, cursor);
    const double share = at.u / 0.02 - std::floor(at.u / 0.02);
    const bool is_at_kink = share < 0.01 || share > 0.99 || std::abs(at.v + 1.0) < 0.01 ||
                            std::abs(at.v + 0.2) < 0.01 || std::abs(at.v) < 0.01 ||
                            std::abs(at.v - 0.7) < 0.01;
    if (is_at_kink) continue;
    const auto z = [&](double dx, double dy) {
      return road.at(place.x + dx, place.y + dy, cursor).height;
    };
    const Elevation here = road.at(place.x, place.y, cursor);
    EXPECT_NEAR(here.slope_x, (z(kStep, 0) - z(-kStep, 0)) / (2.0 * kStep), 1e-8);
    EXPECT_NEAR(here.slope_y, (z(0, kStep) - z(0, -kStep)) / (2.0 * kStep), 1e-8);
    ++compared;
  }
  EXPECT_GT(compared, 300);
}

// Truth: position() is the inverse of project(), also beyond both ends.
TEST(Crg, ProjectionAndPositionAreInverse) {
  const CrgRoad road = road_of(sample("bend_ldfi.crg"));
  RoadCursor cursor;
  for (double u = -2.0; u <= 14.0; u += 0.0937)
    for (const double v : {-3.0, -0.4, 0.0, 1.1, 4.0}) {
      const Eigen::Vector2d at = road.position({u, v});
      const LinePoint back = road.project(at.x(), at.y(), cursor);
      EXPECT_NEAR(back.u, u, tolerance(1e-9)) << u << " " << v;
      EXPECT_NEAR(back.v, v, tolerance(1e-9)) << u << " " << v;
    }
}

// Truth: a new cursor searches the whole line. A cursor that has moved along the road must find the
// same place.
TEST(Crg, RememberedSegmentGivesTheHeightOfAFreshSearch) {
  const CrgRoad road = road_of(sample("bend_kdbi.crg"));
  RoadCursor driving;
  for (double u = -1.0; u <= 13.0; u += 0.11) {
    const Eigen::Vector2d at = road.position({u, 0.8 * std::sin(u)});
    RoadCursor fresh;
    EXPECT_EQ(road.at(at.x(), at.y(), driving).height, road.at(at.x(), at.y(), fresh).height);
  }
  // a jump back by 11 m
  const Eigen::Vector2d at = road.position({1.0, 0.5});
  EXPECT_NEAR(road.project(at.x(), at.y(), driving).u, 1.0, tolerance(1e-9));
}

// Closed form: z = 0.1 u + 0.2 v + 0.03 u v is bilinear, so the grid represents it exactly.
TEST(Crg, BilinearSurfaceOnUnevenSectionsIsExact) {
  const CrgRoad road(straight());
  RoadCursor cursor;
  for (double x = 0.01; x < 5.0; x += 0.173)
    for (double y = -0.99; y < 1.0; y += 0.067) {
      const Elevation at = road.at(x, y, cursor);
      EXPECT_NEAR(at.height, 0.1 * x + 0.2 * y + 0.03 * x * y, tolerance(1e-14));
      EXPECT_NEAR(at.slope_x, 0.1 + 0.03 * y, tolerance(1e-13));
      EXPECT_NEAR(at.slope_y, 0.2 + 0.03 * x, tolerance(1e-13));
    }
}

// Truth: the definitions of the border modes in the published format.
TEST(Crg, BordersFollowTheirModes) {
  const auto height = [](Border mode, double x, double y) {
    CrgData data = straight();
    data.u_border = {mode, 0.5};
    data.v_border = {mode, 0.0};
    RoadCursor cursor;
    return CrgRoad(data).at(x, y, cursor).height;
  };
  const auto inside = [](double x, double y) { return 0.1 * x + 0.2 * y + 0.03 * x * y; };
  EXPECT_TRUE(std::isnan(height(Border::none, 5.5, 0.0)));
  EXPECT_NEAR(height(Border::zero, 5.5, 0.0), 0.5, 1e-15);
  EXPECT_NEAR(height(Border::hold, 5.5, 0.3), inside(5.0, 0.3) + 0.5, 1e-14);
  EXPECT_NEAR(height(Border::hold, 2.0, 1.7), inside(2.0, 1.0), 1e-14);
  EXPECT_NEAR(height(Border::repeat, 6.0, 0.3), inside(1.0, 0.3), 1e-14);
  EXPECT_NEAR(height(Border::repeat, 2.0, -1.2), inside(2.0, 0.8), 1e-14);
  EXPECT_NEAR(height(Border::mirror, 6.0, 0.3), inside(4.0, 0.3), 1e-14);
  EXPECT_NEAR(height(Border::mirror, 2.0, 1.2), inside(2.0, 0.8), 1e-14);
}

// Closed form: over smooth_start the heights above the reference line increase linearly from 0.
TEST(Crg, EndsFadeLinearly) {
  CrgData data = straight();
  data.z_start = 2.0;
  data.smooth_start = 2.0;
  RoadCursor cursor;
  const CrgRoad road(data);
  EXPECT_NEAR(road.at(0.0, 0.5, cursor).height, 2.0, 1e-14);
  const double full = 0.1 * 0.5 + 0.2 * 0.5 + 0.03 * 0.5 * 0.5;
  EXPECT_NEAR(road.at(0.5, 0.5, cursor).height, 2.0 + 0.25 * full, 1e-14);
}

// Truth: make_samples.py. Missing heights at the border of a row are equal to the next height in
// the row.
TEST(Crg, SmallRoadFillsBordersMovesAndOffsets) {
  for (const std::string& encoding : kEncodings) {
    const CrgRoad road = road_of(sample("small_" + encoding + ".crg"));
    ASSERT_EQ(road.data().sections(), 6U) << encoding;
    EXPECT_NEAR(road.height_at({2.0, -0.75}), 0.04, kFileAccuracy);
    EXPECT_NEAR(road.height_at({2.5, 0.75}), 0.06, kFileAccuracy);
    EXPECT_NEAR(road.height_at({2.5, -0.75}), 0.03, kFileAccuracy);
    EXPECT_NEAR(road.height_at({4.0, 0.75}), 0.2 + 0.25, kFileAccuracy);
    EXPECT_NEAR(road.position({1.0, 0.0}).x(), 100.0, 1e-12);
    EXPECT_NEAR(road.position({2.0, 0.0}).y(), std::sin(0.25), 1e-12);
  }
}

/// Code of the error on reading the bytes, empty without error; any other exception fails the test.
std::string outcome(const std::string& bytes) {
  try {
    road_of(bytes);
  } catch (const Error& error) {
    EXPECT_FALSE(error.message().empty());
    return error.code();
  }
  return {};
}

// Truth: the header gives the number of cross sections, so every truncation is found. Only the line
// end of the last text line may be missing.
TEST(Crg, EveryCutIsAnError) {
  for (const std::string& encoding : kEncodings) {
    const std::string bytes = sample("small_" + encoding + ".crg");
    const bool is_text = encoding[2] == 'f';
    for (std::size_t size = 0; size + (is_text ? 1 : 0) < bytes.size(); ++size)
      EXPECT_NE(outcome(bytes.substr(0, size)), "") << encoding << " cut at " << size;
    EXPECT_EQ(outcome(bytes), "");
  }
}

// Truth: a changed file is read or refused with an Error; the random seed is fixed.
TEST(Crg, FlippedBytesAreReadOrRefused) {
  std::mt19937 random(8608);
  int refused = 0;
  for (const std::string& encoding : kEncodings) {
    const std::string bytes = sample("small_" + encoding + ".crg");
    for (int k = 0; k < 2500; ++k) {
      std::string changed = bytes;
      const std::size_t at = random() % bytes.size();
      changed[at] = static_cast<char>(random() & 0xFFU);
      refused += outcome(changed).empty() ? 0 : 1;
    }
  }
  EXPECT_GT(refused, 1000);
}

/// A text sample with one piece of text replaced.
std::string changed(const std::string& from, const std::string& to) {
  std::string bytes = sample("small_lrfi.crg");
  const std::size_t at = bytes.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return bytes.replace(at, from.size(), to);
}

TEST(Crg, FaultsHaveTheirNames) {
  EXPECT_EQ(outcome(changed("#:LRFI", "#:LRBI")), "crg-encoding");
  EXPECT_EQ(outcome(changed("END_U = 3.5", "END_U = 4.0")), "truncated");
  EXPECT_EQ(outcome(changed("END_U = 3.5", "END_U = 2.5")), "crg-axis");
  EXPECT_EQ(outcome(changed("INCREMENT = 0.5", "INCREMENT = -1 ")), "crg-axis");
  EXPECT_EQ(outcome(changed("START_U = 1.0", "START_U = 1,0")), "crg-entry");
  EXPECT_EQ(outcome(changed("long section 4,m", "long section 5,m")), "crg-channel");
  EXPECT_EQ(outcome(changed("long section 4,m", "long section 4,mm")), "crg-unit");
  EXPECT_EQ(outcome(changed("REFLINE_OFFSET_X", "REFPOINT_X")), "crg-modifier");
  EXPECT_EQ(outcome(changed("BORDER_MODE_V = 2", "BORDER_MODE_V = 7")), "crg-option");
  EXPECT_EQ(outcome(changed("$ROAD_CRG_OPTS", "$ROAD_CRG_FILE")), "crg-reference");
  EXPECT_EQ(outcome(changed(" *missing*", " missing* ")), "crg-field");
}

TEST(Crg, HeaderFormsOfThePublishedDescriptionAreRead) {
  // CR LF line ends, and blanks around the comment at the end of a section
  std::string bytes = sample("small_lrfi.crg");
  std::string windows;
  for (const char c : bytes)
    windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(outcome(windows), "");
  EXPECT_EQ(outcome(changed("$!***", "$  ! **")), "");
  // without a format line the data are KRBI
  std::string binary = sample("small_krbi.crg");
  const std::size_t at = binary.find("#:KRBI\n");
  EXPECT_EQ(outcome(binary.erase(at, 7)), "");
}

// Truth: there is no cross section where the heading changes by more than a right angle.
TEST(Crg, SharpTurnsAndFarEndsAreRefused) {
  CrgData data = straight();
  data.heading.assign(10, 0.0);
  data.heading[4] = 1.7;
  EXPECT_EQ(code_of([&] { CrgRoad road(data); }), "crg-line");
  data = straight();
  data.x_end = 5.2;
  data.y_end = 0.0;
  EXPECT_EQ(code_of([&] { CrgRoad road(data); }), "crg-line");
  // a small difference at the end is distributed over the line
  data.x_end = 5.01;
  EXPECT_NEAR(CrgRoad(data).position({2.5, 0.0}).x(), 2.505, 1e-12);
}

}  // namespace
}  // namespace femflex::roads
