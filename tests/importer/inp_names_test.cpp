// Tests names of sets and of nodes behind instances in CalculiX and Abaqus decks.
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/importer/read_contents.h"

#include "support/support.h"

namespace femflex::importer {
namespace {

using testing::TemporaryFolder;
using testing::write_text;

/// True if a warning contains `words`.
bool warns_of(const Diagnostics& diagnostics, const std::string& words) {
  for (const Warning& entry : diagnostics.warnings())
    if (entry.message.find(words) != std::string::npos) return true;
  return false;
}

// Truth: Abaqus keeps the names of a part and of the assembly apart: a bare name is the assembly's,
// behind an instance it is the part's.
TEST(InpNames, OfAPartAndOfTheAssemblyAreKeptApart) {
  const TemporaryFolder folder;
  write_text(
      folder / "run.inp",
      "*HEADING\nx\n*PART, NAME=P\n*NODE\n1, 0., 0., 0.\n5, 1., 0., 0.\n*NSET, NSET=Set-1\n5\n"
      "*NSET, NSET=Own\nSet-1\n*END PART\n*ASSEMBLY, NAME=A\n*INSTANCE, NAME=P-1, PART=P\n"
      "*END INSTANCE\n*NSET, NSET=Set-1, INSTANCE=P-1\n1\n*END ASSEMBLY\n"
      "*BOUNDARY\nSet-1, 1\nP-1.Set-1, 2\nOwn, 3\nP-1.5, 4\n");
  Diagnostics diagnostics;
  const FileContents contents = read_contents(folder / "run.inp", {}, diagnostics);
  EXPECT_EQ(std::set<Dof>(contents.fixed.begin(), contents.fixed.end()),
            (std::set<Dof>{{1, 1}, {5, 2}, {5, 3}, {5, 4}}));
  EXPECT_EQ(contents.node_sets.at("SET-1"), (std::vector<std::int64_t>{1}));
  EXPECT_EQ(contents.node_sets.at("P.SET-1"), (std::vector<std::int64_t>{5}));
  EXPECT_EQ(contents.node_sets.at("OWN"), (std::vector<std::int64_t>{5}));
}

// Truth: the lines themselves. Without instances a dot is part of a name.
TEST(InpNames, OfCalculixMayHaveDots) {
  const TemporaryFolder folder;
  write_text(folder / "run.inp",
             "*NODE\n1, 0., 0., 0.\n2, 1., 0., 0.\n7, 2., 0., 0.\n*NSET, NSET=FIX.1\n7\n"
             "*NSET, NSET=BOTH\nFIX.1, 2\n*BOUNDARY\nFIX.1, 1\nBOTH, 2\nTIP.2, 3\n");
  Diagnostics diagnostics;
  const FileContents contents = read_contents(folder / "run.inp", {}, diagnostics);
  EXPECT_EQ(std::set<Dof>(contents.fixed.begin(), contents.fixed.end()),
            (std::set<Dof>{{7, 1}, {7, 2}, {2, 2}}));
  EXPECT_TRUE(warns_of(diagnostics, "TIP.2"));
}

// Truth: the deck has one instance, so that a name behind another one names nothing.
TEST(InpNames, BehindAnInstanceThatTheDeckLacksNameNothing) {
  const TemporaryFolder folder;
  const std::string deck =
      "*HEADING\nx\n*PART, NAME=P\n*NODE\n1, 0., 0., 0.\n7, 1., 0., 0.\n*NSET, NSET=OWN\n7\n"
      "*END PART\n*ASSEMBLY, NAME=A\n*INSTANCE, NAME=\"P 1\", PART=P\n*END INSTANCE\n"
      "*NSET, NSET=TOP, INSTANCE=\"P 1\"\n1\n*NSET, NSET=BAD\nWRONG-1.7, WRONG-1.TOP\n"
      "*NSET, NSET=GOOD\nP 1.7, P 1.TOP\n*END ASSEMBLY\n*BOUNDARY\n";
  const auto held = [&](const std::string& lines, Diagnostics& diagnostics) {
    write_text(folder / "run.inp", deck + lines);
    const FileContents contents = read_contents(folder / "run.inp", {}, diagnostics);
    return std::set<Dof>(contents.fixed.begin(), contents.fixed.end());
  };
  Diagnostics diagnostics;
  EXPECT_EQ(held("WRONG-1.7, 1\nWRONG-1.TOP, 2\nWRONG-1.OWN, 3\n", diagnostics), (std::set<Dof>{}));
  for (const char* name : {"WRONG-1.7", "WRONG-1.TOP", "WRONG-1.OWN"})
    EXPECT_TRUE(warns_of(diagnostics, name)) << name;
  Diagnostics of_sets;
  EXPECT_EQ(held("BAD, 1\nGOOD, 2\n", of_sets), (std::set<Dof>{{7, 2}, {1, 2}}));
  Diagnostics quiet;
  EXPECT_EQ(held("\"P 1\".7, 1\np 1.Top, 2\nP.OWN, 3\n\"P 1.OWN\", 4\n", quiet),
            (std::set<Dof>{{7, 1}, {1, 2}, {7, 3}, {7, 4}}));
}

// Truth: names in quotes may hold commas and blanks; the plate is held at node 1.
TEST(InpNames, QuotedNamesMayHoldCommas) {
  const TemporaryFolder folder;
  for (const char* name : {"N,1", "a b", "a, b,c", "=x,"}) {
    const std::string quoted = std::string("\"") + name + "\"";
    write_text(folder / "q.inp",
               "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n*ELEMENT, TYPE=S4, ELSET=" + quoted +
                   "\n1,1,2,3,4\n*NSET, NSET=" + quoted + "\n1\n*BOUNDARY\n" + quoted + ",1,6\n");
    Diagnostics diagnostics;
    const FileContents contents = read_contents(folder / "q.inp", {}, diagnostics);
    EXPECT_TRUE(contents.unread.empty()) << name;
    EXPECT_EQ(contents.fixed.size(), 6U) << name;
  }
}

}  // namespace
}  // namespace femflex::importer
