// Tests the reader of nodes and springs that works directly on the text of a lattice. Truth: the
// reader of whole documents, on the lattices of data/ and on handwritten texts.
#include "lattice/plain_lattice.h"

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/errors.h"

#include "document/json_text.h"
#include "lattice/lattice_json.h"
#include "lattice/run_lattice.h"
#include "support/support.h"

namespace femflex::testing {
namespace {

namespace fs = std::filesystem;

const std::string kHead =
    R"({ "dimension": 2, "nodes": [ { "id": 1, "x": [0, 0], "fixed": true },
  { "id": 20, "x": [1, 0], "mass": 1 }, { "id": 3, "x": [1, 1], "mass": 2 } ],
  "note": "\"springs\": [ not these ]", "springs": )";

std::string whole_by_parts(const std::string& text) {
  const auto plain = tools::take_plain_lattice(text);
  if (!plain) return "not plain";
  const auto read = tools::read_plain_lattice(tools::parse_json(plain->rest, "test"), *plain);
  return read ? tools::lattice_json(*read).dump() : "does not fit";
}

std::string whole_at_once(const std::string& text) {
  return tools::lattice_json(tools::read_lattice_json(tools::parse_json(text, "test"))).dump();
}

TEST(PlainLattice, AreThoseOfTheReaderOfWholeDocuments) {
  const char* const lists[] = {
      R"([ { "i": 1, "j": 20, "k": 5 } ])",
      R"([{"i":1,"j":20,"k":5e3,"d":1.25,"law":"linear"},{"i":20,"j":3,"k":-2,"d":"initial"}])",
      R"([ // a remark
 { "k": 2, "j": 3, /* ] */ "i": 1, "d": 0, },
 { "i": 20, "j": 3, "k": 7, "damping": 0.5, "tension_only": true },
 ])",
      R"([ { "id": 4, "i": 1, "j": 20, "k": 5, "area": 2, "break_stress": 3, "density": 1 },
           { "id": 9, "i": 1, "j": 3, "k": 5, "break_force": 3, "break_elongation": 0.25,
             "modulus": 7, "tension_only": false } ])",
      "[]",
  };
  for (const std::string list : lists) {
    for (const char* const tail : {" }", ",\n \"gravity\": [0, -9.81], \"loads\": [] }"}) {
      std::string text = kHead + list;
      text += tail;
      EXPECT_EQ(whole_by_parts(text), whole_at_once(text)) << text;
    }
  }
  const std::string hinged =
      kHead + R"([ { "id": 7, "i": 1, "j": 20, "k": 5 }, { "id": 2, "i": 20, "j": 3, "k": 5 } ],
                 "rotational_springs": [ { "a": 2, "b": 7, "k": 1 } ] })";
  EXPECT_EQ(whole_by_parts(hinged), whole_at_once(hinged));
}

TEST(PlainLattice, NodesAreThoseOfTheReaderOfWholeDocuments) {
  const std::string springs = R"("springs": [ { "i": 1, "j": 20, "k": 5 } ])";
  const std::string plain = R"("nodes": [ { "id": 1, "x": [0, 0], "fixed": "xy" },
   { "v": [1, -2], "id": 20, "x": [1, 0.5], "mass": 3, "damping": 0.25, "fixed": [1] }, // a remark
   { "id": 3, "x": [2, 0], "mass": 1, "fixed": false }, { "id": 4, "x": [3, 0], "fixed": true, },
 ])";
  for (const std::string& text : {R"({ "dimension": 2, )" + plain + ", " + springs + " }",
                                  "{ " + springs + ",\n" + plain + R"(, "dimension": 2 })"}) {
    EXPECT_EQ(tools::take_plain_lattice(text)->nodes.size(), 4U);
    EXPECT_EQ(whole_by_parts(text), whole_at_once(text)) << text;
  }
  const char* const others[] = {
      R"([ { "id": 1, "x": [0, 0], "mass": 1 }, { "id": 20, "x": [1, 0], "mass": 1, "damping": { "c": 1, "c2": 2 } } ])",
      R"([ { "id": 1, "x": [0, 0], "mass": 1 }, { "id": 20, "x": [1, 0], "mass": 1, "fixed": [ "x" ] } ])",
  };
  for (const std::string nodes : others) {
    const std::string text = R"({ "dimension": 2, "nodes": )" + nodes + ", " + springs + " }";
    const std::vector<tools::PlainNode> read = tools::take_plain_lattice(text)->nodes;
    ASSERT_EQ(read.size(), 2U);
    EXPECT_TRUE(read[0].is_plain);
    EXPECT_FALSE(read[1].is_plain);
    EXPECT_EQ(whole_by_parts(text), whole_at_once(text)) << text;
  }
}

// A few springs with formulas or tables among many plain ones keep their places in the list.
TEST(PlainLattice, OthersAmongPlainOnesKeepTheirPlace) {
  const char* const lists[] = {
      R"([ { "i": 1, "j": 20, "force": "5*e" }, { "i": 20, "j": 3, "k": 7, "law": "linear" } ])",
      R"([ { "i": 1, "j": 20, "k": 5 }, { "i": 20, "j": 3, "force": [[0, 0], [1, 2]] } ])",
      R"([ { "i": 1, "j": 20, "k": 5 },
           // one with a formula
           { "i": 20, "j": 3, "force": "5*e" } /* and */, { "id": 9, "i": 1, "j": 3, "k": 2 }, ])",
      R"([ { "i": 1, "j": 20, "force": "e" }, { "i": 20, "j": 3, "force": "2*e" } ])",
  };
  for (const std::string list : lists) {
    const std::string text = kHead + list + R"(, "gravity": [0, -9.81] })";
    EXPECT_EQ(whole_by_parts(text), whole_at_once(text)) << text;
  }
  const std::string hinged = kHead + R"([ { "id": 7, "i": 1, "j": 20, "force": "e" },
    { "id": 2, "i": 20, "j": 3, "k": 5 } ], "rotational_springs": [ { "a": 2, "b": 7, "k": 1 } ] })";
  EXPECT_EQ(whole_by_parts(hinged), whole_at_once(hinged));
}

TEST(PlainLattice, FaultsOfNodesKeepTheirMessageAndTheirPlace) {
  const char* const lists[] = {
      R"({ "id": 2, "x": [0, 0] }, { "id": 1, "x": [0, 0] })",
      R"({ "id": 2, "x": [0, 0], "mass": -1 })",
      R"({ "id": 2, "x": [0, 0, 0] })",
      R"({ "id": 2, "x": [0, 0], "fixed": "xyz" })",
      R"({ "id": 2, "x": [0, 0], "fixed": [2] })",
      R"({ "id": 2, "x": [0, 0], "damping": -1 })",
      R"({ "id": 2, "x": [0, 0], "colour": 1 })",
      R"({ "id": 2.5, "x": [0, 0] })",
      R"({ "id": 2 })",
      R"({ "x": [0, 0] })",
      R"({ "id": 2, "x": [0, 1e999] })",
  };
  const TemporaryFolder folder;
  const fs::path file = folder / "net.json";
  for (const std::string list : lists) {
    const std::string text = R"({ "dimension": 2, "nodes": [ { "id": 1, "x": [0, 1] },
)" + list + R"( ], "springs": [ { "i": 1, "j": 2, "k": 5 } ] })";
    write_text(file, text);
    try {
      (void)tools::read_any_lattice(file, {});
      ADD_FAILURE() << "accepted: " << list;
    } catch (const Error& error) {
      EXPECT_EQ(error.where().file, file.string()) << list;
      EXPECT_EQ(error.where().line, 2) << list << ": " << error.message();
    }
  }
}

TEST(PlainLattice, LatticesOfTheTreeAreReadAlike) {
  int compared = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(data("lattice"))) {
    if (entry.path().extension() != ".json") continue;
    const std::string text = read_text(entry.path());
    const auto plain = tools::take_plain_lattice(text);
    if (!plain) continue;
    std::string expected;
    try {
      expected = whole_at_once(text);
    } catch (const Error&) {
      continue;  // a document with a fault elsewhere
    }
    EXPECT_EQ(whole_by_parts(text), expected) << entry.path();
    ++compared;
  }
  EXPECT_GT(compared, 3);
}

// Text that the fast reader does not understand or finds wrong is given to the complete reader,
// which reports the fault.
TEST(PlainLattice, FaultsKeepTheirMessageAndTheirPlace) {
  const char* const lists[] = {
      "[\n { \"i\": 1, \"j\": 20, \"k\": 5 },\n { \"i\": 1, \"j\": 4, \"k\": 5 } ]",
      "[\n { \"i\": 1, \"j\": 20, \"k\": 5, \"k\": 6 } ]",
      "[\n { \"i\": 1, \"j\": 20 } ]",
      "[\n { \"i\": 1, \"j\": 20, \"k\": 5, \"stifness\": 6 } ]",
      "[\n { \"i\": 1, \"j\": 1, \"k\": 5 } ]",
      "[\n { \"i\": 1, \"j\": 20, \"k\": 5, \"d\": -1 } ]",
      "[\n { \"i\": 1.5, \"j\": 20, \"k\": 5 } ]",
      "[\n { \"i\": 1, \"j\": 20, \"k\": 5e } ]",
      "[\n { \"i\": 1, \"j\": 20, \"k\": .5 } ]",
      "[\n { \"i\": 1, \"j\": 20, \"k\": 5, \"damping\": -1 } ]",
      "[\n { \"i\": 1, \"j\": 20, \"k\": 5 } { \"i\": 1, \"j\": 3, \"k\": 5 } ]",
      R"([
 { "id": 2, "i": 1, "j": 20, "k": 5 }, { "id": 2, "i": 1, "j": 3, "k": 5 } ])",
      "[\n { \"i\": 1, \"j\": 20, \"k\": 5, \"break_stress\": 1 } ]",
      "[\n { \"i\": 1, \"j\": 20, \"force\": \"e\" }, { \"i\": 1, \"j\": 4, \"k\": 1 } ]",
      "[\n { \"i\": 1, \"j\": 20, \"k\": 1 }, { \"i\": 1, \"j\": 3, \"force\": \"e +\" } ]",
      R"([ { "id": 2, "i": 1, "j": 20, "k": 5 },
 { "i": 1, "j": 3, "force": "e" } ])",
  };
  const TemporaryFolder folder;
  const fs::path file = folder / "net.json";
  for (const std::string list : lists) {
    write_text(file, kHead + list + " }");
    try {
      (void)tools::read_any_lattice(file, {});
      ADD_FAILURE() << "accepted: " << list;
    } catch (const Error& error) {
      EXPECT_EQ(error.where().file, file.string()) << list;
      EXPECT_GE(error.where().line, 4) << list << ": " << error.message();
    }
  }
  // a fault after the list is reported with its own line and column
  write_text(file, kHead + "[\n { \"i\": 1, \"j\": 20, \"k\": 5 }\n ], \"gravty\": 3 }");
  try {
    (void)tools::read_any_lattice(file, {});
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.where().line, 5);
    EXPECT_EQ(error.where().column, 5);
  }
}

}  // namespace
}  // namespace femflex::testing
