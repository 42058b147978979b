// Tests the commands of ANSYS decks: names, selections, components, supports and forces, and blocks
// that are cut short. Truth: the decks, and the ANSYS Command Reference.
#include <array>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/importer/read_contents.h"

#include "support/support.h"

namespace femflex::importer {
namespace {

using testing::data;

// Truth: the commands of the file; D after NSEL by place is not read, and said.
TEST(AnsysDeck, ConstraintsAndForcesNameNodesInManyWays) {
  Diagnostics diagnostics;
  const FileContents deck = read_contents(data("ansys/valid/loads.cdb"), {}, diagnostics);
  std::vector<Dof> held = {{1, 1}, {1, 2}, {1, 6}, {2, 3}, {3, 3}};
  for (const std::int64_t node : {4, 6})
    for (std::int8_t component = 1; component <= 6; ++component)
      held.push_back({node, component});
  held.insert(held.end(), {{4, 4}, {6, 4}});
  EXPECT_EQ(deck.fixed, held);
  ASSERT_EQ(deck.loads.forces.size(), 3U);
  EXPECT_EQ(deck.loads.forces[0].set, 1);
  EXPECT_EQ(deck.loads.forces[0].value[1], 1.0);
  EXPECT_EQ(deck.loads.forces[1].set, 2);
  EXPECT_EQ(deck.loads.forces[1].value[1], 3.0);
  EXPECT_EQ(deck.loads.forces[2].node, 6);
  EXPECT_TRUE(deck.loads.forces[2].is_moment);
  EXPECT_EQ(deck.loads.forces[2].value[2], 2.0);
  ASSERT_EQ(diagnostics.warnings().size(), 1U);
  EXPECT_NE(diagnostics.warnings()[0].message.find("1 commands D"), std::string::npos);
}

/// A deck of nodes 1 to 4, then these commands.
FileContents deck_with(const std::string& commands, Diagnostics& diagnostics) {
  const testing::TemporaryFolder folder;
  std::string text = "/PREP7\nNBLOCK,6,SOLID\n(3i9,6e21.13e3)\n";
  for (int id = 1; id <= 4; ++id)
    text += fmt::format("{:9d}{:9d}{:9d}{:21.13E}\n", id, 0, 0, 1.0 * id);
  testing::write_text(folder / "deck.cdb", text + "-1\n" + commands + "FINISH\n");
  return read_contents(folder / "deck.cdb", {}, diagnostics);
}

// Truth: the manual of the commands: each selects other nodes than all, or none.
TEST(AnsysDeck, ASelectionThatIsNotKnownHoldsNoNode) {
  for (const char* selection : {"NSLE,S",
                                "NSLL,S,1",
                                "NSLK,S",
                                "NSLA,S,1",
                                "NSLV,S",
                                "CMSEL,S,OTHER",
                                "NSLE,S\nCM,MINE,NODE\nALLSEL\nCMSEL,S,MINE"}) {
    Diagnostics diagnostics;
    const FileContents deck = deck_with(std::string(selection) + "\nD,ALL,ALL\n", diagnostics);
    EXPECT_TRUE(deck.fixed.empty()) << selection;
    EXPECT_EQ(diagnostics.warnings().size(), 1U) << selection;
  }
  Diagnostics diagnostics;
  const FileContents named = deck_with(
      "CMBLOCK,FOOT,NODE,2\n(8i10)\n         2         3\nCMSEL,S,FOOT\nCM,COPY,NODE\nALLSEL\n"
      "CMSEL,S,COPY\nD,ALL,UX\n",
      diagnostics);
  EXPECT_EQ(named.fixed, (std::vector<Dof>{{2, 1}, {3, 1}}));
}

// Truth: the manual: FCUM,ADD adds, FDELE and DDELE delete; FSCALE is not read, and said.
TEST(AnsysDeck, ForcesAndSupportsAreAddedAndDeleted) {
  Diagnostics diagnostics;
  const FileContents deck = deck_with(
      "F,1,FX,2\nFCUM,ADD\nF,1,FX,3\nF,2,FY,4\nF,3,FZ,4\nFDELE,2,ALL,3\n"
      "D,ALL,UX,0\nDDELE,2,UX,4,2\n",
      diagnostics);
  ASSERT_EQ(deck.loads.forces.size(), 1U);
  EXPECT_EQ(deck.loads.forces[0].value[0], 5.0);
  EXPECT_EQ(deck.fixed, (std::vector<Dof>{{1, 1}, {3, 1}}));
  EXPECT_TRUE(diagnostics.empty());
  deck_with("F,1,FX,2\nFSCALE,2\n", diagnostics);
  ASSERT_EQ(diagnostics.warnings().size(), 1U);
  EXPECT_NE(diagnostics.warnings()[0].message.find("FSCALE"), std::string::npos);
}

// Truth: the words of the command N, whose third field is y. A node at y = -1 does not end a block.
TEST(AnsysDeck, NodesOutsideBlocksCountAsUnreadWhereverTheyAre) {
  for (const char* node : {"N,9,1.0,-1,0\n", "N,9,1.0,2,0\n"}) {
    Diagnostics diagnostics;
    EXPECT_EQ(deck_with(node, diagnostics).unread.size(), 1U) << node;
  }
}

/// The code of the error that a deck of these lines in its NBLOCK brings; empty: it was read.
std::string fault_of_nodes(const std::string& lines) {
  const testing::TemporaryFolder folder;
  testing::write_text(
      folder / "deck.cdb",
      "/PREP7\nNBLOCK,6,SOLID\n(3i9,6e21.13e3)\n" + lines + "N,R5.3,LOC,       -1,\n");
  Diagnostics diagnostics;
  try {
    const FileContents deck = read_contents(folder / "deck.cdb", {}, diagnostics);
    EXPECT_EQ(deck.grids.size(), 1U) << lines;
    EXPECT_TRUE(deck.unread.empty()) << lines;
    return "";
  } catch (const ParseError& error) {
    return error.code();
  }
}

// Truth: the columns of the format; stars are what Fortran writes for a number that is too wide.
TEST(AnsysDeck, NumbersOutsideTheirColumnsAreNotRead) {
  const std::string one = "        1        0        0";
  EXPECT_EQ(fault_of_nodes(one + "  5.0000000000000E+000\n"), "");
  EXPECT_EQ(fault_of_nodes(one + "\n"), "");
  EXPECT_EQ(fault_of_nodes("*********        0        0  5.0000000000000E+000\n"), "number");
  EXPECT_EQ(fault_of_nodes(one + "*********************\n"), "number");
  EXPECT_EQ(fault_of_nodes("\t1\t0\t0\t5.0\t0.0\t0.0\n"), "number");
  EXPECT_EQ(fault_of_nodes("       1       0       0 5.000000000E+00 1.000000000E+00\n"), "number");
  EXPECT_EQ(fault_of_nodes(one + " 5.000000000E+00 1.000000000E+00\n"), "number");
}

// Truth: the columns of the format, whose integers may have several widths, as Workbench writes.
TEST(AnsysDeck, IntegersOfSeveralWidthsStandWhereTheFormatSays) {
  const testing::TemporaryFolder folder;
  testing::write_text(
      folder / "deck.cdb",
      "NBLOCK,6,SOLID,    2,    2\n(1i7,2i9,6e21.13)\n"
      " 219712        0        0  9.8936757830530E-02 -8.0709219224048E-04  8.5376495335856E+00\n"
      "1219713        0        0  9.6580324356880E-02\n-1\n"
      "ET,1,180\nEBLOCK,19,SOLID\n(3i3,8i4,2i8)\n"
      "  1  1  1   1   0   0   0   0   2   0   5  219712 1219713\n-1\n"
      "CMBLOCK,BOTH,NODE,2\n(1i7,1i9)\n 219712  1219713\n");
  Diagnostics diagnostics;
  const FileContents deck = read_contents(folder / "deck.cdb", {}, diagnostics);
  ASSERT_EQ(deck.grids.size(), 2U);
  EXPECT_EQ(deck.grids[0].id, 219712);
  EXPECT_EQ(deck.grids[0].x,
            (std::array{9.8936757830530e-2, -8.0709219224048e-4, 8.5376495335856}));
  EXPECT_EQ(deck.grids[1].id, 1219713);
  ASSERT_EQ(deck.elements.size(), 1U);
  EXPECT_EQ(deck.elements[0].ids, (std::vector<std::int64_t>{5}));
  EXPECT_EQ(deck.elements[0].connectivity, (std::vector<std::int64_t>{219712, 1219713}));
  EXPECT_EQ(deck.node_sets.at("BOTH"), (std::vector<std::int64_t>{219712, 1219713}));
}

// Truth: the manual: a component that is defined again has the new members, CMDELE deletes it.
TEST(AnsysDeck, AComponentThatIsDefinedAgainIsNotTheSumOfBoth) {
  const auto block = [](const std::string& name, int first, int last) {
    return fmt::format("CMBLOCK,{},NODE,2\n(8i10)\n{:10d}{:10d}\n", name, first, last);
  };
  Diagnostics diagnostics;
  const FileContents deck =
      deck_with(block("FOOT", 1, 2) + block("HEAD", 3, 4) + block("FOOT", 1, -3) + "cmdele,head\n",
                diagnostics);
  EXPECT_EQ(deck.node_sets,
            (std::map<std::string, std::vector<std::int64_t>>{{"FOOT", {1, 2, 3}}}));
}

// Truth: the commands; N,R5.3,LOC,-1 ends a block, in small letters too, and with a number N is a
// node.
TEST(AnsysDeck, NodesMastersAndMovingSupportsAreCounted) {
  Diagnostics diagnostics;
  const FileContents deck = deck_with(
      "n,r5.3,loc,       -1,\nN,R5.3,LOC,       9,  1.0,  0.0,  0.0\nN,10,1,2,3\n"
      "D,1,UX,0.5\nD,1,UY,0.0\nD,2,UX\nM,2,UX\n",
      diagnostics);
  EXPECT_EQ(deck.fixed, (std::vector<Dof>{{1, 1}, {1, 2}, {2, 1}}));
  std::map<std::string, std::int64_t> unread;
  for (const Unread& each : deck.unread)
    unread[each.what] = each.count;
  EXPECT_EQ(unread,
            (std::map<std::string, std::int64_t>{
                {"D with a value other than 0", 1}, {"M", 1}, {"N", 2}}));
}

// Truth: the nodes of the deck; the end of a range may be any number.
TEST(AnsysDeck, ARangeMayEndBeyondAllNodes) {
  Diagnostics diagnostics;
  const FileContents deck =
      deck_with("D,2,UX,0,,9223372036854775807,2\nD,1,UY,0,,99999999\n", diagnostics);
  EXPECT_EQ(deck.fixed, (std::vector<Dof>{{2, 1}, {4, 1}, {1, 2}, {2, 2}, {3, 2}, {4, 2}}));
}

/// Forces of a deck: node, component from 1, value.
using Forces = std::vector<std::tuple<std::int64_t, int, double>>;

Forces forces_of(const FileContents& deck) {
  Forces out;
  for (const RawForce& force : deck.loads.forces)
    for (int c = 0; c < 3; ++c)
      if (force.value[static_cast<std::size_t>(c)] != 0.0)
        out.emplace_back(force.node, c + 1, force.value[static_cast<std::size_t>(c)]);
  return out;
}

constexpr const char* kFoot = "CMBLOCK,FOOT,NODE,2\n(8i10)\n         2         3\n";

// Truth: the Command Reference: the first four characters of a name are read.
TEST(AnsysDeck, NamesOfCommandsMayBeCutToFourCharacters) {
  Diagnostics diagnostics;
  const FileContents forces = deck_with("F,4,FX,12.5\nFDEL,ALL,ALL\nF,3,FY,1\n", diagnostics);
  EXPECT_EQ(forces_of(forces), (Forces{{3, 2, 1.0}}));
  const FileContents all =
      deck_with(std::string(kFoot) + "CMSE,S,FOOT\nALLS\nF,ALL,FX,1\n", diagnostics);
  EXPECT_EQ(forces_of(all), (Forces{{1, 1, 1.0}, {2, 1, 1.0}, {3, 1, 1.0}, {4, 1, 1.0}}));
  const FileContents held = deck_with(
      std::string(kFoot) + "cmse,s,foot\nd,all,ux\nddelete,3,ux\nCMDE,FOOT\n", diagnostics);
  EXPECT_EQ(held.fixed, (std::vector<Dof>{{2, 1}}));
  EXPECT_TRUE(held.node_sets.empty());
  const FileContents steps = deck_with("F,1,FX,1\nSOLV\nF,1,FX,2\n", diagnostics);
  ASSERT_EQ(steps.loads.forces.size(), 2U);
  EXPECT_EQ(steps.loads.forces[1].set, 2);
  EXPECT_TRUE(diagnostics.empty());
}

// Truth: the lines; a parameter whose name begins as a command is none.
TEST(AnsysDeck, AParameterIsNotACommand) {
  Diagnostics diagnostics;
  const FileContents deck = deck_with("F,1,FX,1\nSOLVER=3\nF,1,FX,2\nfdel=4\n", diagnostics);
  EXPECT_EQ(forces_of(deck), (Forces{{1, 1, 2.0}}));
}

// Truth: the Command Reference: `$` separates commands on one line.
TEST(AnsysDeck, DollarsSeparateTheCommandsOfALine) {
  Diagnostics diagnostics;
  const FileContents deck = deck_with(
      "ALLSEL $ F,3,FX,12.5 $F,2,FY,1 ! $ F,1,FX,9\n/COM, $ F,1,FX,9\nC*** $ F,1,FX,9\n"
      "/TITLE,5 $ a part $ F,1,FX,9\n",
      diagnostics);
  EXPECT_EQ(forces_of(deck), (Forces{{2, 2, 1.0}, {3, 1, 12.5}}));
  EXPECT_EQ(deck.title, "5 $ a part $ F,1,FX,9");
}

/// What reading a deck brings: the code of the error or of the warnings; empty: read in silence.
std::string told_of(const std::string& text) {
  const testing::TemporaryFolder folder;
  testing::write_text(folder / "deck.cdb", text);
  Diagnostics diagnostics;
  try {
    read_contents(folder / "deck.cdb", {}, diagnostics);
  } catch (const ParseError& error) {
    return error.code();
  }
  return diagnostics.empty() ? "" : diagnostics.warnings().front().code;
}

constexpr const char* kRow = "        1        0        0  5.0000000000000E+000\n";

// Truth: what was done to the lines. Real decks end their blocks with -1 or N,R5.3,LOC,-1; the
// second number of the head is that of the rows, the first the largest number of a node.
TEST(AnsysDeck, ABlockOfNodesThatIsCutShortIsNotRead) {
  const auto nodes = [](const std::string& head, const std::string& rows) {
    return told_of("NBLOCK,6,SOLID" + head + "\n(3i9,6e21.13e3)\n" + rows);
  };
  const std::string rows = std::string(kRow) + kRow;
  for (const char* head : {"", ",9,3", ",9,0", ",9"}) {
    EXPECT_EQ(nodes(head, rows + "\n" + kRow + "-1\n"), "truncated") << head;
    EXPECT_EQ(nodes(head, rows + "FINISH\n"), "truncated") << head;
    EXPECT_EQ(nodes(head, rows + "SOLVE\n" + kRow + "-1\n"), "truncated") << head;
    EXPECT_EQ(nodes(head, rows), "truncated") << head;
  }
  for (const char* end : {"-1\n", "N,R5.3,LOC,       -1,\n", "n,unbl,loc,-1,\n"})
    for (const char* head : {"", ",9,2", ",9,0", ",9"})
      EXPECT_EQ(nodes(head, rows + end), "") << head << end;
  for (const char* end : {"\n", "FINISH\n", ""})
    EXPECT_EQ(nodes(",9,2", rows + end), "") << end;
  EXPECT_EQ(nodes(",9,3", rows + "-1\n"), "block-count");
}

// Truth: the lines, as above: three bars, and a brick with 20 nodes on two lines.
TEST(AnsysDeck, ABlockOfElementsThatIsCutShortIsNotRead) {
  const auto elements = [](const std::string& head, const std::string& rows) {
    return told_of("NBLOCK,6,SOLID\n(3i9,6e21.13e3)\n" + std::string(kRow) + "-1\nET,1,180\n" +
                   "EBLOCK,19,SOLID" + head + "\n(19i3)\n" + rows);
  };
  const std::string row = "  1  1  1  1  0  0  0  0  2  0  1  1  1\n";
  for (const char* head : {"", ",9,3"}) {
    EXPECT_EQ(elements(head, row + row + "\n" + row + " -1\n"), "truncated") << head;
    EXPECT_EQ(elements(head, row + row + "FINISH\n"), "truncated") << head;
    EXPECT_EQ(elements(head, row + row + row + " -1\n"), "") << head;
  }
  EXPECT_EQ(elements(",9,2", row + row + "FINISH\n"), "");
  const std::string brick = "  1  1  1  1  0  0  0  0 20  0  1  1  1  1  1  1  1  1  1\n";
  const std::string rest = "  1  1  1  1  1  1  1  1  1  1  1  1\n";
  EXPECT_EQ(elements("", brick + rest + " -1\n"), "");
  EXPECT_EQ(elements("", brick + "\n" + rest + " -1\n"), "truncated");
  EXPECT_EQ(elements("", brick + " -1\n"), "truncated");
  EXPECT_EQ(elements("", "  1  1  1  1  0  0  0  0  2  0  1  1\n -1\n"), "truncated");
}

// Truth: the number of items in the head of the component.
TEST(AnsysDeck, AComponentThatIsCutShortIsNotRead) {
  const auto component = [](const std::string& rows) {
    return told_of("NBLOCK,6,SOLID\n(3i9,6e21.13e3)\n" + std::string(kRow) +
                   "-1\nCMBLOCK,FOOT,NODE,24\n(8i3)\n" + rows);
  };
  const std::string row = "  1  2  3  4  5  6  7  8\n";
  EXPECT_EQ(component(row + "FINISH\n"), "truncated");
  EXPECT_EQ(component(row + "\n" + row + row), "truncated");
  EXPECT_EQ(component(row + row + row + "FINISH\n"), "");
}

// Truth: the Command Reference: a name stands for one component; upper and lower case are one.
TEST(AnsysDeck, AComponentIsWhatItsLastDefinitionSays) {
  using Sets = std::map<std::string, std::vector<std::int64_t>>;
  Diagnostics diagnostics;
  const std::string other = "CMBLOCK,OTHER,NODE,1\n(8i10)\n         4\n";
  const std::string foot = kFoot + other;
  const auto sets = [&](const std::string& commands) {
    return deck_with(foot + commands, diagnostics).node_sets;
  };
  EXPECT_EQ(sets("CMSEL,S,OTHER\nCM,FOOT,NODE\n"), (Sets{{"FOOT", {4}}, {"OTHER", {4}}}));
  EXPECT_EQ(sets("CMBLOCK,FOOT,ELEM,1\n(8i10)\n         1\n"), (Sets{{"OTHER", {4}}}));
  EXPECT_EQ(sets("CM,FOOT,ELEM\n"), (Sets{{"OTHER", {4}}}));
  EXPECT_EQ(sets("cmblock,foot,node,1\n(8i10)\n         1\n"),
            (Sets{{"FOOT", {1}}, {"OTHER", {4}}}));
  const FileContents unknown = deck_with(foot + "NSLE,S\nCM,FOOT,NODE\n", diagnostics);
  EXPECT_EQ(unknown.node_sets, (Sets{{"OTHER", {4}}}));
  ASSERT_EQ(unknown.unread.size(), 1U);
  EXPECT_EQ(unknown.unread[0].what, "CM of unknown nodes");
}

// Truth: the Command Reference: each command loads, ties, turns or makes nodes. CDWRITE writes the
// rotation and the acceleration that are 0, too.
TEST(AnsysDeck, CommandsThatLoadOrTieNodesAreCounted) {
  for (const char* command : {"OMEGA,0,0,100",
                              "CMOMEGA,FOOT,100",
                              "SFBEAM,1,1,PRES,5",
                              "CEINTF,0.1",
                              "CPINTF,UX",
                              "NGEN,2,10,1,4",
                              "EGEN,2,10,1",
                              "NROTAT,ALL",
                              "ACEL,,,9.81"}) {
    Diagnostics diagnostics;
    const FileContents deck = deck_with(std::string(command) + "\n", diagnostics);
    ASSERT_EQ(deck.unread.size(), 1U) << command;
    EXPECT_EQ(deck.unread[0].what, std::string(command).substr(0, std::string(command).find(',')));
  }
  Diagnostics diagnostics;
  EXPECT_TRUE(
      deck_with("ACEL,  0.00000000    ,  0.0,0\nOMEGA,0,0,0,\n", diagnostics).unread.empty());
}

// Truth: the Command Reference, /UNITS.
TEST(AnsysDeck, UnitsAreThoseOfTheLastUnits) {
  Diagnostics diagnostics;
  for (const auto& [command, name] : {std::pair{"/UNITS,SI", "m-kg-s"},
                                      {"/units,mks", "m-kg-s"},
                                      {"/UNI,CGS", "cm-g-s"},
                                      {"/UNITS,MPA", "mm-t-s"}}) {
    const FileContents deck = deck_with(std::string(command) + "\n", diagnostics);
    ASSERT_TRUE(deck.units) << command;
    EXPECT_EQ(deck.units->name, name);
  }
  const FileContents bft = deck_with("/UNITS,SI\n/UNITS,BFT\n", diagnostics);
  EXPECT_FALSE(bft.units);
  ASSERT_EQ(bft.unread.size(), 1U);
  EXPECT_EQ(bft.unread[0].what, "/UNITS");
}

}  // namespace
}  // namespace femflex::importer
