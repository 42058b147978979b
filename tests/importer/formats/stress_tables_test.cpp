// Tests how element stresses are read from punch files, print files and MSC's HDF5: every word is
// in its place, the numbers equal those of OUTPUT2 of the same run, and tables that are not read
// are counted by name.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "femflex/importer/import_model.h"
#include "femflex/importer/read_contents.h"

#include "nastran/op2_stress_layouts.h"
#include "support/support.h"

namespace femflex::importer {
namespace {

using testing::shared_folder;
using testing::TemporaryFolder;
using testing::write_text;

using PlaceKey = std::tuple<bool, std::string, std::int64_t, std::int64_t, int, int, int, int>;
using ValuesByPlace = std::map<PlaceKey, std::vector<double>>;

/// All values of a file: by quantity, type, element, node, index, level, kind and face those of all
/// components and shapes.
ValuesByPlace values_by_place(const FileContents& contents) {
  ValuesByPlace out;
  for (const RawStress& raw : contents.stresses) {
    Eigen::Index row = 0;
    for (const FeStressPlace& place : raw.places) {
      std::vector<double>& values = out[{raw.is_strain,
                                         raw.type,
                                         place.element,
                                         place.node,
                                         place.index,
                                         place.level,
                                         static_cast<int>(place.kind),
                                         static_cast<int>(place.face)}];
      for (int c = 0; c < component_count(place); ++c, ++row)
        for (Eigen::Index j = 0; j < raw.values.cols(); ++j)
          values.push_back(raw.values(row, j));
    }
  }
  return out;
}

std::map<std::string, std::int64_t> unread_of(const FileContents& contents) {
  std::map<std::string, std::int64_t> out;
  for (const Unread& each : contents.unread)
    out[each.what] += each.count;
  return out;
}

FileContents contents_of(const std::filesystem::path& path) {
  Diagnostics diagnostics;
  return read_contents(path, {}, diagnostics);
}

// Truth: OUTPUT2 of the same run of MSC NASTRAN in single precision; a print file has seven digits.
TEST(StressTables, APrintFileHoldsWhatOutput2OfTheRunHolds) {
  if (shared_folder().empty()) GTEST_SKIP() << "no shared folder";
  const FileContents op2 =
      contents_of(shared_folder() / "data/nastran/op2/mode_solid_shell_bar.op2");
  const FileContents f06 =
      contents_of(shared_folder() / "data/nastran/f06/mode_solid_shell_bar.f06");
  for (const RawStress& each : f06.stresses)
    EXPECT_EQ(each.numbers, (std::vector<std::int64_t>{1, 2, 3})) << each.source;
  const ValuesByPlace truth = values_by_place(op2);
  const ValuesByPlace printed = values_by_place(f06);
  EXPECT_EQ(printed.size(), 79U + 51U);
  for (const auto& [place, values] : printed) {
    const auto found = truth.find(place);
    ASSERT_NE(found, truth.end()) << std::get<1>(place) << " " << std::get<2>(place);
    ASSERT_EQ(values.size(), found->second.size());
    // half of the last digit, and OUTPUT2's own rounding
    for (std::size_t k = 0; k < values.size(); ++k)
      EXPECT_NEAR(values[k], found->second[k], 5.7e-7 * std::abs(values[k]))
          << std::get<1>(place) << " " << std::get<2>(place) << " value " << k;
  }
  const std::map<std::string, std::int64_t> unread = unread_of(f06);
  EXPECT_EQ(unread.at("STRAINS IN TRIANGULAR ELEMENTS (TRIA3), curvature"), 12);
  EXPECT_TRUE(unread.contains("FORCES IN BAR ELEMENTS (CBAR)"));
}

// Truth: OUTPUT2 of the same static run, single precision.
TEST(StressTables, Hdf5HoldsWhatOutput2OfTheRunHolds) {
  if (shared_folder().empty()) GTEST_SKIP() << "no shared folder";
  const std::filesystem::path folder = shared_folder() / "data/nastran";
  const ValuesByPlace truth =
      values_by_place(contents_of(folder / "op2/static_solid_shell_bar_global_radial_cd.op2"));
  const FileContents msc = contents_of(folder / "hdf5/static_solid_shell_bar.h5");
  const ValuesByPlace found = values_by_place(msc);
  ASSERT_EQ(found.size(), 106U + 78U);
  // the decks of the two runs have other recovery points of the beam: its numbers as h5py reads
  // them
  const std::vector<double> beam = {7213.72331571, 7048.58448832, 13257.3632124, 13422.50203979};
  for (int fibre = 0; fibre < 4; ++fibre) {
    const auto at = found.find({false,
                                "CBEAM",
                                12,
                                18,
                                0,
                                fibre,
                                static_cast<int>(FeStressPlace::Kind::end),
                                static_cast<int>(FeStressPlace::Face::fibre)});
    ASSERT_NE(at, found.end());
    EXPECT_NEAR(at->second.front(), beam[static_cast<std::size_t>(fibre)], 1e-8);
  }
  for (const auto& [place, values] : found) {
    if (std::get<1>(place) == "CBEAM") continue;
    const auto each = truth.find(place);
    ASSERT_NE(each, truth.end()) << std::get<1>(place) << " " << std::get<2>(place);
    ASSERT_EQ(values.size(), each->second.size());
    double largest = 0.0;
    for (const double value : values)
      largest = std::max(largest, std::abs(value));
    for (std::size_t k = 0; k < values.size(); ++k)
      EXPECT_NEAR(values[k], each->second[k], 1e-6 * largest) << std::get<1>(place);
  }
  const std::map<std::string, std::int64_t> unread = unread_of(msc);
  EXPECT_EQ(unread.at("STRAIN/TRIA3 curvature"), 4);
  EXPECT_EQ(unread.at("ELEMENT_FORCE/BAR"), 1);
  // modes: all element types of the file, and those that are not read by name and number
  const FileContents modes = contents_of(folder / "hdf5/modes_elements.h5");
  EXPECT_EQ(values_by_place(modes).size(), 138U + 92U);
  EXPECT_EQ(unread_of(modes).at("STRESS/SHEAR"), 3);
  EXPECT_EQ(unread_of(modes).at("STRESS/ELAS1"), 12);
}

// Truth: a type whose entries are read has the name that they get.
TEST(Op2ElementNames, AreThoseOfTheLayouts) {
  int read = 0;
  for (std::int64_t number = 0; number < 400; ++number)
    for (std::size_t width = 1; width < 400; ++width)
      if (const Op2StressLayout* layout = op2_stress_layout(number, width)) {
        EXPECT_EQ(op2_element_name(number), layout->type) << number;
        ++read;
      }
  EXPECT_EQ(read, 27);
  EXPECT_EQ(op2_element_name(4), "CSHEAR");
  EXPECT_EQ(op2_element_name(399), "element type 399");
}

/// Words of an entry of OUTPUT2: nodes 11, 12, ..; ply 2; else k + 1000 m + 0.5.
std::vector<double> words_of_entry(const Op2StressLayout& layout, std::int64_t element, int mode) {
  std::vector<double> out(layout.width);
  for (std::size_t k = 0; k < layout.width; ++k)
    out[k] = static_cast<double>(k) + 1000.0 * mode + 0.5;
  out[0] = static_cast<double>(element);
  if (layout.system != 0) out[layout.system] = 0.0;
  if (layout.ply != 0) out[layout.ply] = 2.0;
  double node = 11.0;
  for (const Op2StressPlace& place : layout.places)
    if (place.node != 0) out[place.node] = node++;
  return out;
}

/// A block of a punch file for one element.
std::string punch_block(const std::string& name,
                        const std::string& type,
                        const std::vector<double>& words,
                        int mode) {
  std::string out = "$TITLE   =\n$SUBTITLE=\n$LABEL   =\n$" + name + "\n$REAL OUTPUT\n";
  out += "$SUBCASE ID =           1\n$ELEMENT TYPE =" + type + "\n";
  out += fmt::format("$EIGENVALUE = {:14.7E}  MODE ={:6d}\n", 100.0 * mode, mode);
  out += fmt::format("{:10d}        ", static_cast<int>(words[0]));
  for (std::size_t k = 1; k < words.size(); ++k) {
    if (k > 1 && k % 3 == 1) out += "\n-CONT-            ";
    if (words[k] == std::floor(words[k]))
      out += fmt::format("{:18d}", static_cast<int>(words[k]));
    else
      out += fmt::format("{:18.6E}", words[k]);
  }
  return out + "\n";
}

std::string punch_shape(int mode) {
  std::string out = "$TITLE   =\n$SUBTITLE=\n$LABEL   =\n$EIGENVECTOR\n$REAL OUTPUT\n";
  out += "$SUBCASE ID =           1\n";
  out += fmt::format("$EIGENVALUE = {:14.7E}  MODE ={:6d}\n", 100.0 * mode, mode);
  for (int node = 11; node < 13; ++node) {
    out += fmt::format("{:10d}       G{:18.6E}{:18.6E}{:18.6E}\n", node, 1.0, 0.0, 0.5 * mode);
    out += fmt::format("-CONT-            {:18.6E}{:18.6E}{:18.6E}\n", 0.0, 0.0, 0.0);
  }
  return out;
}

// Truth: words as written, and the layouts of OUTPUT2; two modes, of which each keeps its own.
TEST(StressTables, PunchHoldsTheWordsOfOutput2) {
  struct Case {
    std::int64_t type;
    std::size_t width;
    const char* header;
  };
  const std::vector<Case> cases = {{34, 16, "          34  BAR"},
                                   {2, 111, "           2  BEAM"},
                                   {1, 5, "           1  ROD"},
                                   {33, 17, "          33  QUAD4   MATERIAL"},
                                   {144, 87, "         144  QUAD4C   BILIN"},
                                   {75, 70, "          75  TRIA6"},
                                   {39, 109, "          39  TETRA"},
                                   {67, 193, "          67  HEXA"},
                                   {95, 11, "          95  QUAD4"}};
  std::string text;
  for (int mode = 1; mode < 3; ++mode)
    text += punch_shape(mode);
  for (int mode = 1; mode < 3; ++mode)
    for (const Case& each : cases) {
      const Op2StressLayout* layout = op2_stress_layout(each.type, each.width);
      ASSERT_NE(layout, nullptr) << each.header;
      text += punch_block(
          "ELEMENT STRESSES", each.header, words_of_entry(*layout, each.type, mode), mode);
    }
  text += punch_block("ELEMENT STRESSES", "         102  BUSH", {5, 1.5, 2.5, 3.5}, 1);
  text += punch_block("ELEMENT FORCES", "          34  BAR", {5, 1.5, 2.5, 3.5}, 1);
  text += "GRID,11,,0.,0.,0.\nGRID,12,,1.,0.,0.\n";
  const TemporaryFolder folder;
  write_text(folder / "stress.pch", text);
  const FileContents contents = contents_of(folder / "stress.pch");

  ASSERT_EQ(contents.stresses.size(), cases.size());
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const RawStress& raw = contents.stresses[k];
    SCOPED_TRACE(raw.type);
    const Op2StressLayout& layout = *op2_stress_layout(cases[k].type, cases[k].width);
    EXPECT_EQ(raw.numbers, (std::vector<std::int64_t>{1, 2}));
    ASSERT_EQ(raw.places.size(), layout.places.size());
    const std::vector<Op2ValueWords> rows = value_words(layout);
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (int mode = 1; mode < 3; ++mode) {
        const std::vector<double> words = words_of_entry(layout, cases[k].type, mode);
        EXPECT_EQ(raw.values(static_cast<Eigen::Index>(r), mode - 1),
                  words[rows[r].first] + (rows[r].second == 0 ? 0.0 : words[rows[r].second]));
      }
    if (cases[k].type == 33) {
      EXPECT_EQ(raw.places[0].axes, FeStressPlace::Axes::material);
    }
  }
  const std::map<std::string, std::int64_t> unread = unread_of(contents);
  EXPECT_EQ(unread.at("$ELEMENT STRESSES CBUSH"), 1);
  EXPECT_EQ(unread.at("$ELEMENT FORCES CBAR"), 1);

  Diagnostics diagnostics;
  const ImportResult result =
      import_model({.files = {folder / "stress.pch"}, .force = true}, diagnostics, no_progress());
  EXPECT_EQ(result.model.stresses.stress.shapes, (std::vector<std::int64_t>{0, 1}));
}

/// A page of a print file of NASTRAN.
std::string f06_page(double eigenvalue, const std::string& body) {
  return fmt::format(
      "1    JOB                                            MSC.NASTRAN  6/17/05   PAGE    11\n"
      "0                                                                    SUBCASE 1\n"
      "      EIGENVALUE = {:13.6E}\n{}",
      eigenvalue,
      body);
}

// Truth: values as written. Modes 2 and 3 have the same printed eigenvalue: the first page is that
// of mode 2. The rod has one margin; the element of the last page lacks its top face.
TEST(StressTables, PagesOfEqualEigenvaluesBelongToSuccessiveModes) {
  std::string text;
  for (int mode = 1; mode < 4; ++mode)
    text += f06_page(
        mode == 1 ? 10.0 : 20.0,
        fmt::format(
            "          CYCLES =  1.0E+00        R E A L   E I G E N V E C T O R   N O .{:11d}\n \n"
            "      POINT ID.   TYPE          T1             T2             T3\n"
            "            11      G     {:13.6E}   0.0            0.0            0.0            "
            "0.0            0.0\n",
            mode,
            1.0 * mode));
  for (int mode = 1; mode < 4; ++mode)
    text += f06_page(
        mode == 1 ? 10.0 : 20.0,
        fmt::format("            S T R E S S E S   I N   R O D   E L E M E N T S      ( C R O D )\n"
                    "       ELEMENT       AXIAL       SAFETY      TORSIONAL     SAFETY\n"
                    "            14    2.703420E+06   1.2E+00 {:13.6E}             "
                    "        15   -1.083711E+06             -2.420754E+06\n",
                    -1.0 * mode));
  text += f06_page(
      10.0,
      "      S T R E S S E S   I N   T R I A N G U L A R   E L E M E N T S   ( T R I A 3 )\n"
      "0       8   -1.250000E-01     -4.433462E+04   5.629494E+05   1.789989E+04    88.3131\n");
  text += f06_page(10.0,
                   "      S T R E S S E S   I N   S H E A R   P A N E L S   ( C S H E A R )\n"
                   "            22    3.328818E-06\n");
  const TemporaryFolder folder;
  write_text(folder / "rods.f06", text);
  const FileContents contents = contents_of(folder / "rods.f06");
  ASSERT_EQ(contents.stresses.size(), 1U);
  const RawStress& rods = contents.stresses.front();
  EXPECT_EQ(rods.numbers, (std::vector<std::int64_t>{1, 2, 3}));
  const Eigen::MatrixXd expected = (Eigen::MatrixXd(4, 3) << 2.703420e6,
                                    2.703420e6,
                                    2.703420e6,
                                    -1.0,
                                    -2.0,
                                    -3.0,
                                    -1.083711e6,
                                    -1.083711e6,
                                    -1.083711e6,
                                    -2.420754e6,
                                    -2.420754e6,
                                    -2.420754e6)
                                       .finished();
  EXPECT_EQ(rods.values, expected);
  EXPECT_EQ(unread_of(contents).at("STRESSES IN TRIANGULAR ELEMENTS (TRIA3), incomplete"), 1);
  EXPECT_EQ(unread_of(contents).at("STRESSES IN SHEAR PANELS (CSHEAR)"), 1);
}

// Truth: values as written, in the formats in which MYSTRAN writes; largest and smallest at the end
// of a table are no elements.
TEST(StressTables, MystransTablesAreReadToo) {
  std::string text = " MYSTRAN Version 15\n >> MYSTRAN BEGIN\n";
  const auto table = [&](const std::string& type, const std::string& rows) {
    text +=
        " OUTPUT FOR EIGENVECTOR        1\n \n"
        "      E L E M E N T   S T R E S S E S   I N   L O C A L   E L E M E N T   "
        "C O O R D I N A T E   S Y S T E M\n"
        "                F O R   E L E M E N T   T Y P E   " +
        type + "\n  Elem  Location       Stress\n   ID                Distance\n" + rows +
        "                         ------------- -------------\n"
        " MAX* :     9.900000E+01  9.900000E+01  9.900000E+01  9.900000E+01\n";
  };
  text +=
      " OUTPUT FOR EIGENVECTOR        1\n \n   GRID     COORD      T1            T2\n"
      "             11        0  1.000000E+00  0.000000E+00  0.000000E+00  0.000000E+00"
      "  0.000000E+00  0.000000E+00\n";
  table("B A R",
        "             12  1.000000E+00  2.000000E+00  3.000000E+00  4.000000E+00"
        "  1.000000E+01  1.400000E+01  1.100000E+01\n"
        "                 5.000000E+00  6.000000E+00  7.000000E+00  8.000000E+00"
        "  1.000000E+01  1.800000E+01  1.500000E+01\n");
  table("T R I A 3",
        "       7    CENTER     -5.00000E-04  1.00000E+00  2.00000E+00  3.00000E+00"
        "   12.000  1.00000E+00\n"
        "                        5.00000E-04  4.00000E+00  5.00000E+00  6.00000E+00"
        "   12.000  1.00000E+00\n");
  std::string quad;
  std::string hexa =
      "        3  CENTER            1.000000E+00  2.000000E+00  3.000000E+00"
      "  4.000000E+00  5.000000E+00  6.000000E+00  9.000000E+00\n";
  for (int point = 0; point < 5; ++point)
    quad += (point == 0 ? std::string("       8  CENTER     ")
                        : fmt::format("           GRD{:8d}", 10 + point)) +
            fmt::format(
                " -5.000E-04{:13.5E}  2.00000E+00  3.00000E+00   12.00  1.00000E+00\n"
                "                       5.000E-04{:13.5E}  5.00000E+00  6.00000E+00"
                "   12.00\n",
                100.0 + point,
                200.0 + point);
  for (int point = 1; point < 9; ++point)
    hexa += fmt::format(
        "           GRD{:8d}     {:14.6E}  2.000000E+00  3.000000E+00"
        "  4.000000E+00  5.000000E+00  6.000000E+00\n",
        10 + point,
        1.0 + point);
  table("Q U A D 4", quad);
  table("H E X A 8", hexa);
  table("T E T R A 4",
        "        4  CENTER            1.000000E+00  2.000000E+00  3.000000E+00"
        "  4.000000E+00  5.000000E+00  6.000000E+00  9.000000E+00\n");
  table("B U S H", "                         9  1.000000E+00  2.000000E+00\n");
  const TemporaryFolder folder;
  write_text(folder / "mystran.f06", text);
  const FileContents contents = contents_of(folder / "mystran.f06");
  const ValuesByPlace found = values_by_place(contents);
  ASSERT_EQ(contents.modes.size(), 1U);
  for (const RawStress& each : contents.stresses)
    EXPECT_EQ(each.numbers, (std::vector<std::int64_t>{1})) << each.source;
  EXPECT_EQ(found.size(), 8U + 2U + 10U + 9U + 1U);
  const auto at = [&](const char* type,
                      std::int64_t element,
                      std::int64_t node,
                      int index,
                      int level,
                      FeStressPlace::Kind kind,
                      FeStressPlace::Face face) {
    const auto place = found.find(
        {false, type, element, node, index, level, static_cast<int>(kind), static_cast<int>(face)});
    return place == found.end() ? std::vector<double>() : place->second;
  };
  using At = FeStressPlace::Kind;
  using Side = FeStressPlace::Face;
  using Values = std::vector<double>;
  EXPECT_EQ(at("CBAR", 12, 0, 1, 2, At::end, Side::fibre), (Values{17.0}));
  EXPECT_EQ(at("CTRIA3", 7, 0, 0, 0, At::centre, Side::top), (Values{4, 5, 6}));
  EXPECT_EQ(at("CQUAD4", 8, 0, 0, 0, At::centre, Side::bottom), (Values{100, 2, 3}));
  EXPECT_EQ(at("CQUAD4", 8, 13, 2, 0, At::corner, Side::top), (Values{203, 5, 6}));
  EXPECT_EQ(at("CHEXA", 3, 18, 7, 0, At::corner, Side::none), (Values{9, 2, 3, 4, 5, 6}));
  EXPECT_EQ(at("CTETRA", 4, 0, 0, 0, At::centre, Side::none), (Values{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(unread_of(contents).size(), 1U);
  EXPECT_EQ(unread_of(contents).begin()->second, 1);
}

// Truth: values as written. A line of which a number cannot be read makes its element incomplete
// and no other one; each is counted.
TEST(StressTables, ElementsWithUnreadableLinesAreCounted) {
  const auto quad = [](int id, const std::string& bad, const std::string& instead) {
    std::string out;
    for (int point = 0; point < 5; ++point)
      for (const char* face : {"-1.25", "1.25"}) {
        const std::string head = face[0] != '-' ? std::string(19, ' ')
                                 : point == 0   ? fmt::format("0{:8d}    CEN/4 ", id)
                                                : fmt::format("{:18d} ", 10 + point);
        std::string values =
            fmt::format(" {}E-01 {}.0E+00 5.0E+05 1.7E+04 88.3 5.0E+05 1.0E+00", face, point + 1);
        if (bad == fmt::format("{}{}", point, face[0]))
          values.replace(values.find("5.0E+05"), 7, instead);
        out += head + values + "\n";
      }
    return out;
  };
  std::string quads =
      "    S T R E S S E S   I N   Q U A D R I L A T E R A L   E L E M E N T S   ( Q U A D 4 )"
      "        OPTION = BILIN\n";
  int id = 20;
  for (const char* instead : {"    NaN", "*******"})
    for (const char* bad : {"01", "0-", "21", "2-", "41", "4-"}) {
      quads += quad(id, bad, instead) + quad(id + 1, "", "");
      id += 2;
    }
  const TemporaryFolder folder;
  write_text(
      folder / "gaps.f06",
      f06_page(
          10.0,
          "          CYCLES =  1.0E+00        R E A L   E I G E N V E C T O R   N O .          1\n"
          " \n      POINT ID.   TYPE          T1             T2             T3\n"
          "            11      G      1.000000E+00   0.0   0.0   0.0   0.0   0.0\n") +
          f06_page(10.0, quads) +
          f06_page(10.0,
                   "            S T R E S S E S   I N   R O D   E L E M E N T S      ( C R O D )\n"
                   "            14            NaN   1.2E+00  1.0E+00             "
                   "        15   -1.083711E+06             -2.420754E+06\n"
                   "            16    3.000000E+06             *************             "
                   "        17             NaN             -2.420754E+06\n") +
          f06_page(10.0,
                   "            S T R E S S E S   I N   B A R   E L E M E N T S      ( C B A R )\n"
                   "0    12    1.0E+00   ******** 3.0E+00  4.0E+00  1.0E+01  1.4E+01  1.1E+01\n"
                   "           5.0E+00   6.0E+00  7.0E+00  8.0E+00           1.8E+01  1.5E+01\n"
                   "0    13    1.0E+00   2.0E+00  3.0E+00  4.0E+00  1.0E+01  1.4E+01  1.1E+01\n"
                   "           5.0E+00   6.0E+00  7.0E+00  8.0E+00           1.8E+01  1.5E+01\n"));
  const FileContents contents = contents_of(folder / "gaps.f06");
  std::set<std::int64_t> elements;
  for (const RawStress& each : contents.stresses) {
    EXPECT_GT(each.values.cwiseAbs().minCoeff(), 0.0) << each.type;
    for (const FeStressPlace& place : each.places)
      elements.insert(place.element);
  }
  std::set<std::int64_t> expected{13, 15};
  for (int whole = 21; whole < id; whole += 2)
    expected.insert(whole);
  EXPECT_EQ(elements, expected);
  std::map<std::string, std::int64_t> unread = unread_of(contents);
  EXPECT_EQ(unread["STRESSES IN QUADRILATERAL ELEMENTS (QUAD4) OPTION=BILIN, incomplete"], 12);
  EXPECT_EQ(unread["STRESSES IN ROD ELEMENTS (CROD), incomplete"], 3);
  EXPECT_EQ(unread["STRESSES IN BAR ELEMENTS (CBAR), incomplete"], 1);
}

// Truth: the columns of the table. MYSTRAN writes I8, ES14.6, ES10.2 and a flag for a margin below
// zero, ES14.6 (WRITE_ROD.f90); a blank margin leaves a gap of 25, so that 10 are a margin.
TEST(StressTables, AMarginIsNoTorsionalStress) {
  const std::string shape =
      "          CYCLES =  1.0E+00        R E A L   E I G E N V E C T O R   N O .          1\n"
      " \n      POINT ID.   TYPE          T1             T2             T3\n"
      "            11      G      1.000000E+00   0.0   0.0   0.0   0.0   0.0\n";
  const std::string rods =
      "            S T R E S S E S   I N   R O D   E L E M E N T S      ( C R O D )\n"
      "            14  2.700000E+06  1.20E+00  ************                  15  3.000000E+06"
      " -5.00E-01*  4.000000E+06\n"
      "            16  5.000000E+06             6.000000E+06\n";
  const std::string beams =
      "            S T R E S S E S   I N   B E A M   E L E M E N T S        ( C B E A M )\n"
      "0       21\n"
      "             1   0.000   1.0E+00  2.0E+00  3.0E+00  4.0E+00  4.0E+00  1.0E+00\n"
      "             5  *****\n"
      "0       22\n"
      "             1   0.000   1.0E+00  2.0E+00  3.0E+00  4.0E+00  4.0E+00  1.0E+00\n"
      "             2   1.000   1.0E+00  2.0E+00  3.0E+00  4.0E+00  4.0E+00  1.0E+00\n";
  const std::string solids =
      "          S T R E S S E S   I N   H E X A H E D R O N   S O L I D   E L E M E N T S   ( H E "
      "X "
      "A )\n"
      "0      ****           0GRID CS  8 GP\n";
  const TemporaryFolder folder;
  write_text(folder / "margins.f06",
             f06_page(10.0, shape) + f06_page(10.0, rods) + f06_page(10.0, beams) +
                 f06_page(10.0, solids));
  const FileContents contents = contents_of(folder / "margins.f06");
  std::set<std::int64_t> elements;
  std::set<double> largest;
  for (const RawStress& each : contents.stresses) {
    for (const FeStressPlace& place : each.places)
      elements.insert(place.element);
    largest.insert(each.values.maxCoeff());
  }
  EXPECT_EQ(elements, (std::set<std::int64_t>{15, 16, 22}));
  EXPECT_TRUE(largest.contains(6e6));
  std::map<std::string, std::int64_t> unread = unread_of(contents);
  EXPECT_EQ(unread["STRESSES IN ROD ELEMENTS (CROD), incomplete"], 1);
  EXPECT_EQ(unread["STRESSES IN BEAM ELEMENTS (CBEAM), incomplete"], 1);
  EXPECT_EQ(unread["STRESSES IN HEXAHEDRON SOLID ELEMENTS (HEXA), incomplete"], 1);
}

}  // namespace
}  // namespace femflex::importer
