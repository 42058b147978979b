// Tests data lines of CalculiX and Abaqus decks that are not wholly understood: none is read in
// part without a word. Truth: the lines.
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/importer/read_contents.h"

#include "support/support.h"

namespace femflex::importer {
namespace {

using testing::code_of;
using testing::TemporaryFolder;
using testing::write_text;

// Truth: the lines; a unit, and a second node on the line of the first. A comma may end a line, and
// three numbers of the normal may follow.
TEST(InpLines, TextAfterTheCoordinatesOfANodeIsRefused) {
  const TemporaryFolder folder;
  const auto code = [&](const std::string& line) {
    write_text(folder / "run.inp", "*NODE\n1, 0., 0., 0.\n" + line + "\n");
    Diagnostics diagnostics;
    return code_of([&] {
      const FileContents contents = read_contents(folder / "run.inp", {}, diagnostics);
      EXPECT_EQ(contents.grids.size(), 2U) << line;
    });
  };
  EXPECT_EQ(code("7, 0., 0., 1.5mm"), "entry");
  EXPECT_EQ(code("7, 1., 2., 3.0 8, 4., 5., 6."), "entry");
  EXPECT_EQ(code("7, 0., 0., 1.5"), "no error");
  EXPECT_EQ(code("7, 0., 0., 1.5 ,"), "no error");
  EXPECT_EQ(code("7, 0., 0., 1.5, 0., 0., 1."), "no error");
  EXPECT_EQ(code("7, 0."), "no error");
}

// Truth: the lines; 7 is warping, 11 the temperature, which hold no displacement.
TEST(InpLines, LinesOfSupportsThatHoldNothingAreCounted) {
  const TemporaryFolder folder;
  using Counts = std::map<std::string, std::int64_t>;
  const auto counts = [&](const std::string& line, const std::vector<Dof>& fixed) {
    write_text(
        folder / "run.inp",
        "*NODE, NSET=N1\n1, 0., 0., 0.\n*BOUNDARY\n" + line + "\n*STEP\n*STATIC\n*END STEP\n");
    Diagnostics diagnostics;
    const FileContents contents = read_contents(folder / "run.inp", {}, diagnostics);
    EXPECT_EQ(contents.fixed, fixed) << line;
    Counts out;
    for (const Unread& unread : contents.unread)
      out[unread.what] = unread.count;
    return out;
  };
  EXPECT_EQ(counts("N1", {}), (Counts{{"*BOUNDARY without a direction", 1}}));
  EXPECT_EQ(counts("N1,", {}), (Counts{{"*BOUNDARY without a direction", 1}}));
  EXPECT_EQ(counts("N1,3,1", {}), (Counts{{"*BOUNDARY on directions 3 to 1", 1}}));
  EXPECT_EQ(counts("N1,7", {}), (Counts{{"*BOUNDARY on direction 7", 1}}));
  EXPECT_EQ(counts("N1,0", {}), (Counts{{"*BOUNDARY on direction 0", 1}}));
  EXPECT_EQ(counts("N1,11,11,293.", {}), (Counts{{"*BOUNDARY on direction 11", 1}}));
  EXPECT_EQ(counts("N1,6,8", {{1, 6}}), (Counts{{"*BOUNDARY on direction 8", 1}}));
  EXPECT_EQ(counts("N1,2,3", {{1, 2}, {1, 3}}), Counts{});
}

}  // namespace
}  // namespace femflex::importer
