// Tests the FLEX format against the published listings.
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/flexfile/flexfile.h"
#include "femflex/inertia_invariants.h"

#include "bodies.h"
#include "bytes/line_cursor.h"
#include "bytes/text_sink.h"
#include "support/support.h"

namespace femflex::flexfile {
namespace {

namespace fs = std::filesystem;
using testing::tolerance;

/// Our path names and the listings of the published document that they reproduce.
const std::map<std::string, std::string> kListings{
    {"dynamic", "p3_dynamic_notscaled_notortho.flex"},
    {"dynamic_scaled", "p4_dynamic_scaled_notortho.flex"},
    {"static", "p6_static_notscaled_notortho.flex"},
    {"static_ortho", "p7_static_notscaled_ortho.flex"},
    {"static_ortho_scaled", "p9_static_scaled_ortho.flex"}};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  LineCursor cursor(text, "text");
  while (!cursor.at_end())
    lines.emplace_back(cursor.next());
  return lines;
}

/// Compares record by record: comments and integers letter by letter, reals to `units` units of the
/// seventh digit or, as round-off, to 1e-6 of the largest number of the group.
/// A group is a run of records; 3 nodes and 2 modes make the groups of the listings.
void expect_equal_records(const std::string& text, const std::string& reference) {
  const std::vector<std::string> a = lines_of(text);
  const std::vector<std::string> b = lines_of(reference);
  ASSERT_EQ(a.size(), b.size());
  std::size_t first = 0;
  while (first < b.size() && b[first].starts_with('*'))
    ++first;
  first += 3;  // counters and two records of DOFs
  for (std::size_t k = 0; k < first; ++k)
    EXPECT_EQ(a[k], b[k]) << "line " << k + 1;
  for (std::size_t k = first; k < b.size(); ++k) {
    ASSERT_EQ(a[k].size(), b[k].size()) << "line " << k + 1;
    double largest = 0.0;
    for (std::size_t at = 0; at < b[k].size(); at += 13)
      largest = std::max(largest, std::abs(std::stod(b[k].substr(at, 13))));
    for (std::size_t at = 0; at < b[k].size(); at += 13) {
      const double x = std::stod(a[k].substr(at, 13));
      const double y = std::stod(b[k].substr(at, 13));
      const double unit = y == 0.0 ? 0.0 : std::pow(10.0, std::floor(std::log10(std::abs(y))) - 6);
      EXPECT_LE(std::abs(x - y), std::max(1.001 * unit, 1e-6 * largest))
          << "line " << k + 1 << " column " << at + 1;
    }
  }
}

FlexBody read(const fs::path& path) {
  Diagnostics diagnostics;
  return read_body(path, {}, diagnostics);
}

void write(const FlexBody& body, const fs::path& path, bool sidecar = true) {
  Diagnostics diagnostics;
  WriteOptions options;
  options.sidecar = sidecar;
  write_body(body, path, options, diagnostics);
}

/// The error that reading `text` as a FLEX file ends with.
Where fault_of(const std::string& text, std::string* message = nullptr) {
  const testing::TemporaryFolder folder;
  testing::write_text(folder / "bad.flex", text);
  try {
    read(folder / "bad.flex");
  } catch (const ParseError& error) {
    if (message != nullptr) *message = error.message();
    return error.where();
  }
  ADD_FAILURE() << "accepted";
  return {};
}

std::string sample_text() {
  return testing::read_text(testing::data("double_mass_spring/flex/dynamic.flex"));
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), with);
}

// Truth: the five published listings, to one unit of the seventh digit, comments letter by letter.
TEST(Flex, BodiesBuiltFromClosedFormsWriteThePublishedListings) {
  if (testing::shared_folder().empty()) GTEST_SKIP() << "no folder of reference files";
  const testing::TemporaryFolder folder;
  for (const auto& [path, listing] : kListings) {
    SCOPED_TRACE(listing);
    write(testing::double_mass_spring(path), folder / "a.flex");
    expect_equal_records(
        testing::read_text(folder / "a.flex"),
        testing::read_text(testing::shared_folder() / "reference/meeuwse/flex" / listing));
  }
}

// Truth: the published listings themselves: what is read writes the same records again.
TEST(Flex, ThePublishedListingsSurviveReadingAndWriting) {
  if (testing::shared_folder().empty()) GTEST_SKIP() << "no folder of reference files";
  const testing::TemporaryFolder folder;
  for (const auto& [path, listing] : kListings) {
    SCOPED_TRACE(listing);
    const fs::path reference = testing::shared_folder() / "reference/meeuwse/flex" / listing;
    write(read(reference), folder / "a.flex");
    EXPECT_EQ(testing::read_text(folder / "a.flex"), testing::read_text(reference));
  }
}

// Truth: files written once and checked by hand; a change of the writer must be noticed.
TEST(Flex, WritesTheFilesOfTheDataFolder) {
  const testing::TemporaryFolder folder;
  for (const std::string& path : testing::double_mass_spring_paths()) {
    write(testing::double_mass_spring(path), folder / "a.flex");
    SCOPED_TRACE(path);
    expect_equal_records(
        testing::read_text(folder / "a.flex"),
        testing::read_text(testing::data("double_mass_spring/flex/" + path + ".flex")));
  }
}

// Truth: closed forms of the same body, to half a unit of the seventh digit.
TEST(Flex, ReadsNumbersKindsAndFlagsOfAFileWithoutSidecar) {
  for (const std::string& path : testing::double_mass_spring_paths()) {
    SCOPED_TRACE(path);
    const FlexBody want = testing::double_mass_spring(path);
    Diagnostics diagnostics;
    const FlexBody body =
        read_body(testing::data("double_mass_spring/flex/" + path + ".flex"), {}, diagnostics);
    ASSERT_EQ(body.nodes.size(), 3U);
    EXPECT_EQ(body.nodes[2].id, 3);
    EXPECT_EQ(body.nodes[2].position, Eigen::Vector3d(0, 0, 2));
    const double tol = tolerance(5e-7);  // half a unit of the seventh digit of 0.1...
    EXPECT_LE(testing::relative_difference(body.shapes, want.shapes), tol);
    EXPECT_LE(testing::relative_difference(body.mass, want.mass), tol);
    EXPECT_LE(testing::relative_difference(body.stiffness, want.stiffness), tol);
    EXPECT_EQ(body.lumped_mass, want.lumped_mass);
    EXPECT_EQ(body.path.scaled, want.path.scaled);
    EXPECT_EQ(body.path.orthogonalised, want.path.orthogonalised);
    EXPECT_EQ(body.modes[0].kind,
              path.starts_with("dynamic") ? ModeKind::dynamic : ModeKind::static_);
    EXPECT_NEAR(body.invariants.mass, 10.0, tolerance(1e-12));
    EXPECT_LE(
        testing::relative_difference(body.invariants.translation, want.invariants.translation),
        tol);
  }
}

// Truth: the body itself; with its sidecar nothing is lost but digits beyond the seventh.
TEST(Flex, SidecarKeepsWhatFlexCannotHold) {
  const testing::TemporaryFolder folder;
  const FlexBody body = testing::random_body(3);
  write(body, folder / "b.flex");
  ASSERT_TRUE(fs::exists(folder / "b.flex.h5"));
  FlexBody again = read(folder / "b.flex");
  const double tol =
      tolerance(1e-6);  // seven digits, of numbers that may be a tenth of the largest
  EXPECT_LE(testing::relative_difference(again.shapes, body.shapes), tol);
  EXPECT_LE(testing::relative_difference(again.mass, body.mass), tol);
  EXPECT_LE(testing::relative_difference(again.stiffness, body.stiffness), tol);
  again.nodes = body.nodes;
  again.shapes = body.shapes;
  again.mass = body.mass;
  again.stiffness = body.stiffness;
  again.lumped_mass = body.lumped_mass;
  again.initial_zeta = body.initial_zeta;
  again.initial_zeta_dot = body.initial_zeta_dot;
  EXPECT_EQ(testing::difference(again, body), "");
}

// Truth: a .flex and a .fdf of one name are two files with a sidecar each; a sidecar of the old
// name is read.
TEST(Flex, EachEndingHasItsOwnSidecar) {
  const testing::TemporaryFolder folder;
  const FlexBody body = testing::random_body(3), other = testing::random_body(4);
  write(body, folder / "b.flex");
  write(other, folder / "b.fdf");
  EXPECT_EQ(read(folder / "b.flex").interface_nodes, body.interface_nodes);
  EXPECT_EQ(read(folder / "b.flex").damping.has_value(), body.damping.has_value());
  EXPECT_TRUE(fs::exists(folder / "b.fdf.h5"));
  fs::rename(folder / "b.fdf.h5", folder / "b.flex.h5");
  EXPECT_EQ(read(folder / "b.fdf").interface_nodes, other.interface_nodes);
}

// A sidecar must never be applied to another body.
TEST(Flex, SidecarOfAnotherFileIsLeftAsideWithAWarning) {
  const testing::TemporaryFolder folder;
  write(testing::random_body(3), folder / "b.flex");
  write(testing::random_body(4), folder / "c.flex", false);
  fs::rename(folder / "c.flex", folder / "b.flex");
  Diagnostics diagnostics;
  const FlexBody body = read_body(folder / "b.flex", {}, diagnostics);
  ASSERT_EQ(diagnostics.warnings().size(), 2U);
  EXPECT_EQ(diagnostics.warnings()[0].code, "foreign-sidecar");
  EXPECT_FALSE(body.back.has_value());
}

// Truth: Fortran's rules for E13.7, by hand.
TEST(Flex, NumbersAreWrittenAsFortranDoes) {
  const std::map<double, std::string> cases{{0.0, "0.0000000E+00"},
                                            {-0.0, "0.0000000E+00"},
                                            {1.0, "0.1000000E+01"},
                                            {-0.414213562, "-.4142136E+00"},
                                            {9.99999996e5, "0.1000000E+07"},
                                            {1e-120, "0.1000000-119"},
                                            {-1.5e120, "-.1500000+121"},
                                            {2.2250738585072014e-308, "0.2225074-307"},
                                            {std::numeric_limits<double>::max(), "0.1797693+309"}};
  for (const auto& [value, text] : cases) {
    TextSink sink;
    sink.e13(value);
    EXPECT_EQ(sink.text(), text) << value;
  }
}

// Truth: Fortran's rules for G18.12 as the published input shows them.
TEST(Flex, GeneralNumbersAreWrittenAsFortranDoes) {
  const std::map<double, std::string> cases{{0.0, "0.000000000000E+00"},
                                            {1.0, " 1.00000000000    "},
                                            {-1.0, "-1.00000000000    "},
                                            {15.0, " 15.0000000000    "},
                                            {0.35, "0.350000000000    "},
                                            {-0.5, "-.500000000000    "},
                                            {0.05, "0.500000000000E-01"},
                                            {-0.05, "-.500000000000E-01"},
                                            {123456789012.0, " 123456789012.    "},
                                            {1e12, "0.100000000000E+13"}};
  for (const auto& [value, text] : cases) {
    TextSink sink;
    sink.g18(value);
    EXPECT_EQ(sink.text(), text) << value;
  }
}

// More than 166 nodes need more than three digits: the width grows and is found again.
TEST(Flex, IntegerColumnsGrowWithTheNumberOfNodes) {
  testing::RandomBodyOptions options;
  options.nodes = 2000;
  options.modes = 2;
  options.with_everything = false;
  const FlexBody body = testing::random_body(1, options);
  const testing::TemporaryFolder folder;
  write(body, folder / "big.flex", false);
  const std::string text = testing::read_text(folder / "big.flex");
  EXPECT_NE(text.find("\n  2000     1     1     0     0\n     1     2"), std::string::npos);
  const FlexBody again = read(folder / "big.flex");
  EXPECT_EQ(again.nodes.back().id, body.nodes.back().id);
  EXPECT_LE(testing::relative_difference(again.shapes, body.shapes), tolerance(1e-7));
}

// Scans lose the leading zero of a number; the rest of the record then slides to the left.
TEST(Flex, RefusesANumberThatLostItsLeadingZero) {
  const std::string text = replaced(sample_text(),
                                    "0.0000000E+000.1000000E+010.2000000E+01",
                                    "0.0000000E+00.1000000E+010.2000000E+01");
  const Where where = fault_of(text);
  EXPECT_EQ(where.column, 14);
  EXPECT_EQ(where.line, 19);
  EXPECT_NE(where.record.find("group 7"), std::string::npos);
}

// Another damage seen in scans: fourteen columns for a negative number with its zero.
TEST(Flex, RefusesANegativeNumberThatGrewAZero) {
  std::string message;
  const Where where =
      fault_of(replaced(sample_text(), "-.4142136E+00", "-0.4142136E+00"), &message);
  EXPECT_EQ(where.column, 27);
  EXPECT_NE(message.find("columns 27 to 39 contain '-0.4142136E+0'"), std::string::npos) << message;
}

// Letters that look like digits.
TEST(Flex, RefusesALetterWithinANumberAndNamesItsColumns) {
  std::string message;
  const Where where = fault_of(replaced(sample_text(), "0.6862915E+01", "0.68629l5E+01"), &message);
  EXPECT_EQ(where.column, 1);
  EXPECT_NE(message.find("0.68629l5E+01"), std::string::npos) << message;
  EXPECT_NE(where.record.find("group 10"), std::string::npos);
}

// Collapsed blanks shift integers.
TEST(Flex, RefusesIntegersWhoseColumnsCollapsed) {
  EXPECT_EQ(fault_of(replaced(sample_text(), "  3  2  0  0  0", "3 2 0 0 0")).column, 10);
  EXPECT_EQ(fault_of(replaced(sample_text(), "  1  2  3  4", "  1 2  3  4 ")).column, 4);
  EXPECT_EQ(fault_of(replaced(sample_text(), " 13 14 15", " 13 15 14")).column, 4);
}

TEST(Flex, RefusesSurplusAndMissingRecords) {
  EXPECT_NE(fault_of(sample_text() + "0.1000000E+01\n").record.find("end of file"),
            std::string::npos);
  const std::string text = sample_text();
  const std::size_t last = text.rfind('\n', text.size() - 2);
  std::string message;
  fault_of(text.substr(0, last + 1), &message);
  EXPECT_NE(message.find("3 nodes and 2 modes need"), std::string::npos) << message;
  // 13 bytes of blanks satisfy that estimate, not the records
  EXPECT_NE(fault_of(text.substr(0, last + 1) + std::string(90, '\n')).record.find("group 11"),
            std::string::npos);
}

// Counters decide how much memory is taken: they are compared with the bytes that follow.
TEST(Flex, RefusesCountersBeyondTheFile) {
  std::string message;
  fault_of(replaced(sample_text(), "  3  2  0  0  0", "999999999999999999  0  0  0  0"), &message);
  fault_of(replaced(sample_text(), "  3  2  0  0  0", "999999  0  0  0"), &message);
  fault_of(replaced(sample_text(), "  3  2  0  0  0", "999 99  0  0  0"), &message);
  EXPECT_NE(message.find("999 nodes and 99 modes need"), std::string::npos) << message;
}

// Node numbers in any order of the file; bodies keep them rising.
TEST(Flex, SortsNodesByTheNumbersOfTheTable) {
  std::string text = sample_text();
  text = replaced(text,
                  "      1   1          2   2          3   3",
                  "     70   1          2   2          3   3");
  const testing::TemporaryFolder folder;
  testing::write_text(folder / "t.flex", text);
  const FlexBody body = read(folder / "t.flex");
  ASSERT_EQ(body.nodes.size(), 3U);
  EXPECT_EQ(body.nodes[2].id, 70);
  EXPECT_EQ(body.nodes[2].position.z(), 0.0);
  EXPECT_EQ(body.nodes[1].position.z(), 2.0);
  EXPECT_EQ(body.shapes(8, 0), 1.0);
  EXPECT_EQ(body.lumped_mass(2, 0), 0.0);
}

}  // namespace
}  // namespace femflex::flexfile
