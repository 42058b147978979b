// --keep-nodes: rows of shapes at wanted nodes alone. Truth: the same import with all rows.
#include "femflex/importer/kept_nodes.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/importer/import_model.h"

#include "support/support.h"

namespace femflex::importer {
namespace {

using testing::code_of;
using testing::data;
using testing::TemporaryFolder;
using testing::write_text;

FeModel kept(const std::vector<std::filesystem::path>& files, const std::string& nodes) {
  Diagnostics diagnostics;
  ImportRequest request;
  request.files = files;
  if (!nodes.empty()) request.keep_nodes = parse_kept_nodes(nodes);
  FeModel out = import_model(request, diagnostics).model;
  return out;
}

/// Checks that `part` has the rows of `all` at these nodes, bit by bit.
void expect_rows_of(const FeModel& part, const FeModel& all, std::size_t nodes) {
  ASSERT_EQ(part.modes.count(), all.modes.count());
  std::set<std::int64_t> seen;
  for (Eigen::Index row = 0; row < part.modes.rows.size(); ++row) {
    const Dof& dof = part.modes.rows[row];
    seen.insert(dof.node);
    const auto from = all.modes.rows.find(dof);
    ASSERT_GE(from, 0);
    EXPECT_EQ(part.modes.shapes.row(row), all.modes.shapes.row(from));
  }
  EXPECT_EQ(seen.size(), nodes);
  EXPECT_EQ(part.nodes.size(), all.nodes.size());
}

TEST(KeptNodes, ResultFilesGiveTheWantedRowsAlone) {
  for (const char* name : {"calculix/valid/tower_binary.frd",
                           "calculix/valid/tower_text.frd",
                           "ansys/valid/bars.rst",
                           "npz/valid/model.npz"}) {
    SCOPED_TRACE(name);
    const FeModel all = kept({data(name)}, "");
    ASSERT_GE(all.nodes.size(), 3U);
    const std::string two = std::to_string(all.nodes[2].id) + "," + std::to_string(all.nodes[0].id);
    expect_rows_of(kept({data(name)}, two), all, 2);
  }
}

TEST(KeptNodes, ASetOrAFileOfIdsNamesThem) {
  const TemporaryFolder folder;
  const auto& result = data("calculix/valid/tower_text.frd");
  const FeModel all = kept({result}, "");
  const std::string first = std::to_string(all.nodes[0].id);
  const std::string second = std::to_string(all.nodes[1].id);
  write_text(folder / "ids.txt", "# held\n" + first + ", " + second + "\n\n" + second + "\n");
  expect_rows_of(kept({result}, (folder / "ids.txt").string()), all, 2);
  // the set stands in a file behind the shapes
  write_text(folder / "sets.inp", "*NSET, NSET=HELD\n" + second + "\n*ELSET, ELSET=E\n1\n");
  expect_rows_of(kept({result, folder / "sets.inp"}, "set:HELD"), all, 1);
}

// Truth: the deck's ASET1, as import_model() takes it without --keep-nodes.
TEST(KeptNodes, InterfaceNodesOfADeckAreKept) {
  const TemporaryFolder folder;
  const FeModel all = kept({data("calculix/valid/tower_text.frd")}, "");
  const std::string first = std::to_string(all.nodes[0].id);
  const std::string second = std::to_string(all.nodes[1].id);
  write_text(folder / "aset.bdf", "BEGIN BULK\nASET1,123," + second + "\nENDDATA\n");
  Diagnostics diagnostics;
  ImportRequest request;
  request.files = {data("calculix/valid/tower_text.frd"), folder / "aset.bdf"};
  request.keep_nodes = parse_kept_nodes(first + ",987654");
  expect_rows_of(import_model(request, diagnostics).model, all, 2);
  bool is_told = false;
  for (const Warning& each : diagnostics.warnings())
    is_told = is_told || each.message.find("the first is 987654") != std::string::npos;
  EXPECT_TRUE(is_told);
}

// Truth: what is wrong with each word; a range that runs backwards is a range all the same.
TEST(KeptNodes, AFileOfIdsIsRefusedForTheReasonOfItsWord) {
  const TemporaryFolder folder;
  const auto told = [&](const std::string& text) -> std::string {
    write_text(folder / "ids.txt", "7\n" + text + "\n");
    try {
      (void)kept({data("calculix/valid/tower_text.frd")}, (folder / "ids.txt").string());
    } catch (const ParseError& error) {
      EXPECT_EQ(error.where().line, 2);
      EXPECT_EQ(error.code(), "entry");
      return error.message();
    }
    return "";
  };
  EXPECT_EQ(told("20-1"), "range '20-1' in '20-1' is empty");
  EXPECT_EQ(told("1-99999999"), "'1-99999999' holds more than 10000000 numbers");
  EXPECT_EQ(told("two"), "'two' in 'two' is not a number");
  EXPECT_EQ(told("1-9:0"), "range '1-9' in '1-9:0' is empty");
  EXPECT_EQ(told(std::string(5000, 'x')).substr(0, 43), "'" + std::string(40, 'x') + "..");
}

TEST(KeptNodes, MistakesAreNamed) {
  const TemporaryFolder folder;
  const auto& result = data("calculix/valid/tower_text.frd");
  write_text(folder / "words.txt", "1 two 3\n");
  write_text(folder / "none.txt", "# nothing\n");
  const auto code = [&](const std::string& nodes) {
    return code_of([&] { (void)kept({result}, nodes); });
  };
  EXPECT_EQ(code("set:NOBODY"), "keep-nodes");
  EXPECT_EQ(code("987654"), "keep-nodes");
  EXPECT_EQ(code((folder / "words.txt").string()), "entry");
  EXPECT_EQ(code((folder / "none.txt").string()), "keep-nodes");
  EXPECT_NE(code((folder / "missing.txt").string()), "");
  EXPECT_EQ(code_of([] { (void)parse_kept_nodes(""); }), "usage");
  EXPECT_NE(code_of([] { (void)parse_kept_nodes("1-"); }), "");
}

}  // namespace
}  // namespace femflex::importer
