// Elements, rigid elements, constraints and loads of OUTPUT2 files. Truth: the cards that the words
// stand for; decks beside real files.
#include "nastran/op2_cards.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/importer/read_contents.h"

#include "support/support.h"

namespace femflex::importer {
namespace {

using testing::shared_folder;
using testing::tolerance;

/// Words of a record, written as NASTRAN does in files of 32 bits.
class RecordOfWords {
 public:
  RecordOfWords& integers(const std::vector<std::int32_t>& values) {
    for (const std::int32_t value : values)
      append(&value);
    return *this;
  }
  RecordOfWords& reals(const std::vector<float>& values) {
    for (const float value : values)
      append(&value);
    return *this;
  }
  Op2Words words() const { return {bytes_, {4, false}}; }

 private:
  void append(const void* word) {
    bytes_.resize(bytes_.size() + 4);
    std::memcpy(bytes_.data() + bytes_.size() - 4, word, 4);
  }
  std::string bytes_;
};

TEST(Op2Cards, RigidElementsEndWithAndWithoutTheirExpansion) {
  FileContents contents;
  Diagnostics diagnostics;
  const std::string file = "x.op2";
  Op2Cards cards(contents, file, diagnostics);
  RecordOfWords rbe2;
  rbe2.integers({6901, 69, 295, 7, 1, 123456, 2, 3, -1}).reals({6.5e-6F});
  rbe2.integers({8, 4, 123, 5, -1}).reals({0.0F});
  EXPECT_TRUE(cards.read(rbe2.words()));
  EXPECT_TRUE(cards.read(rbe2.words()));  // GEOM4S repeats GEOM4
  RecordOfWords plain;
  plain.integers({6901, 69, 295, 17, 1, 123456, 2, 3, -1, 18, 4, 123, 5, -1});
  EXPECT_TRUE(cards.read(plain.words()));
  RecordOfWords rbe3;
  rbe3.integers({7101, 71, 187, 9, 10, 123456}).reals({1.0F}).integers({123, 2, 3, -1});
  rbe3.reals({2.5F}).integers({12, 4, -1, -2, 2, 123, 3, 12, 4, 3, -3}).reals({1e-5F, 0.0F});
  EXPECT_TRUE(cards.read(rbe3.words()));
  cards.finish();
  ASSERT_EQ(contents.rigid_elements.size(), 5U);
  EXPECT_EQ(contents.rigid_elements[0].dependent, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(contents.rigid_elements[1].components, "123");
  EXPECT_EQ(contents.rigid_elements[3].id, 18);
  const RawConstraint& mean = contents.rigid_elements[4];
  EXPECT_EQ(mean.independent, (std::vector<std::int64_t>{2, 3, 4}));
  EXPECT_EQ(mean.factors, (std::vector<double>{1, 1, 1, 1, 1, 1, 2.5, 2.5}));
  EXPECT_EQ(mean.dependent_dofs.size(), 6U);
}

// Truth: the tables of MSC Nastran 2021.1 and later, which have ALPHA and TREF after the list.
TEST(Op2Cards, RigidElementsOfNewerFilesEndWithATemperature) {
  FileContents contents;
  Diagnostics diagnostics;
  const std::string file = "x.op2";
  Op2Cards cards(contents, file, diagnostics);
  RecordOfWords rbe2;
  rbe2.integers({6901, 69, 295, 132, 253, 123456, 1, 2, -1}).reals({0.0F, 0.0F});
  rbe2.integers({133, 254, 123456, 3, -1}).reals({-1.2e-5F, 20.0F});
  rbe2.integers({134, 255, 123456, 4, -1}).reals({0.0F, 0.0F});
  EXPECT_TRUE(cards.read(rbe2.words()));
  RecordOfWords rbar;
  rbar.integers({6601, 66, 292, 9, 254, 3, 123456, 0, 0, 123456}).reals({1e-5F, 20.0F});
  EXPECT_TRUE(cards.read(rbar.words()));
  cards.finish();
  ASSERT_EQ(contents.rigid_elements.size(), 4U);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(contents.rigid_elements[k].id, 132 + static_cast<std::int64_t>(k));
    EXPECT_EQ(contents.rigid_elements[k].independent[0], 253 + static_cast<std::int64_t>(k));
  }
  EXPECT_EQ(contents.rigid_elements[3].type, "RBAR");
  EXPECT_EQ(contents.rigid_elements[3].dependent, std::vector<std::int64_t>{3});
}

/// le32.op2 with its first record of the key (first, second, third) changed by `edit`, which gets
/// the words from the key on.
template <typename Edit>
FileContents edited(std::int32_t first,
                    std::int32_t second,
                    std::int32_t third,
                    Edit edit,
                    Diagnostics& diagnostics) {
  std::string bytes = testing::read_text(testing::data("op2/valid/le32.op2"));
  std::string key(12, ' ');
  const std::int32_t words[] = {first, second, third};
  std::memcpy(key.data(), words, key.size());
  const std::size_t at = bytes.find(key);
  EXPECT_NE(at, std::string::npos);
  if (at == std::string::npos) return {};
  edit(bytes.data() + at);
  const testing::TemporaryFolder folder;
  testing::write_text(folder / "x.op2", bytes);
  return read_contents(folder / "x.op2", {}, diagnostics);
}

// Truth: GEOM1 holds ID CP X1 X2 X3 CD PS SEID of each grid; PS counts without any other card.
TEST(Op2Cards, PermanentConstraintsOfGridsAreFixed) {
  Diagnostics diagnostics;
  const FileContents contents = edited(
      4501,
      45,
      1,
      [](char* record) {
        const std::int32_t ps = 135;
        std::memcpy(record + 4 * (3 + 6), &ps, 4);
      },
      diagnostics);
  ASSERT_FALSE(contents.grids.empty());
  const std::int64_t id = contents.grids[0].id;
  EXPECT_EQ(contents.fixed, (std::vector<Dof>{{id, 1}, {id, 3}, {id, 5}}));
}

// A rigid element of an unknown layout may tie anything.
TEST(Op2Cards, TellsOfRigidElementsThatItCannotRead) {
  Diagnostics diagnostics;
  edited(
      4501,
      45,
      1,
      [](char* record) {
        const std::int32_t key[] = {6901, 69};
        std::memcpy(record, key, sizeof key);
      },
      diagnostics);
  EXPECT_TRUE(std::any_of(diagnostics.warnings().begin(),
                          diagnostics.warnings().end(),
                          [](const Warning& each) { return each.code == "unread-constraint"; }));
}

TEST(Op2Cards, ConstraintsFollowTheCaseControl) {
  FileContents contents;
  for (std::int64_t id = 1; id <= 5; ++id)
    contents.grids.push_back({.id = id});
  Diagnostics diagnostics;
  const std::string file = "x.op2";
  Op2Cards cards(contents, file, diagnostics);
  std::vector<std::int32_t> chosen(166, 0);
  chosen[0] = 1;
  chosen[1] = 3;  // MPC
  chosen[2] = 2;  // SPC
  cards.read_case(RecordOfWords().integers(chosen).words());
  const auto read = [&](const std::vector<std::int32_t>& words) {
    EXPECT_TRUE(cards.read(RecordOfWords().integers(words).words()));
  };
  read({5491, 59, 13, 2, 20, 21, -1});
  read({5481, 58, 12, 20, 12, 1, 1, 2, 99, 3, 0, 5, -1});
  read({5501, 55, 16, 21, 3, 6, 0, 98, 4, 1, 0});
  RecordOfWords mpc;
  mpc.integers({4901, 49, 17, 3, 1, 3}).reals({1.0F}).integers({2, 3}).reals({-0.5F});
  mpc.integers({3, 3}).reals({-0.5F}).integers({-1, -1, -1});
  EXPECT_TRUE(cards.read(mpc.words()));
  RecordOfWords force;
  force.integers({4201, 42, 18, 7, 5, 0}).reals({2.0F, 0.0F, 0.0F, 1.5F});
  EXPECT_TRUE(cards.read(force.words()));
  EXPECT_FALSE(cards.read(RecordOfWords().integers({1, 2, 3, 4}).words()));
  EXPECT_FALSE(cards.read(RecordOfWords().integers({3001, 30, 48, 1, 1, 2}).words()));
  cards.finish();
  EXPECT_EQ(contents.fixed, (std::vector<Dof>{{1, 1}, {1, 2}, {2, 1}, {2, 2}, {3, 6}}));
  ASSERT_EQ(contents.rigid_elements.size(), 1U);
  EXPECT_EQ(contents.rigid_elements[0].factors, (std::vector<double>{1.0, -0.5, -0.5}));
  EXPECT_EQ(contents.constraint_sets.chosen, (std::vector<std::int64_t>{3}));
  EXPECT_TRUE(contents.constraint_sets.case_control);
  ASSERT_EQ(contents.loads.forces.size(), 1U);
  EXPECT_EQ(contents.loads.forces[0].value[2], 3.0);
}

/// Grids and components that these records of SPC hold, "1/3 2/1", and whether a support moves.
std::pair<std::string, bool> held_by(const std::vector<RecordOfWords>& records) {
  FileContents contents;
  for (std::int64_t id = 1; id <= 9; ++id)
    contents.grids.push_back({.id = id});
  contents.loads.forces.push_back({.set = 1, .node = 1});
  Diagnostics diagnostics;
  const std::string file = "x.op2";
  Op2Cards cards(contents, file, diagnostics);
  std::string out;
  for (const RecordOfWords& each : records)
    if (!cards.read(each.words())) out += "unread ";
  cards.finish();
  for (const Dof& dof : contents.fixed)
    out += std::to_string(dof.node) + "/" + std::to_string(dof.component) + " ";
  return {out, !contents.loads.unread.empty()};
}

// Truth: the cards that were written. Layouts of the DMAP Programmer's Guides: NX four words, MSC
// five, newer MSC six with the value as a float64 (key 620016), which rigid_rbe2--v2020.op2 has.
TEST(Op2Cards, SinglePointConstraintsHaveFourFiveOrSixWords) {
  const auto record = [] { return RecordOfWords().integers({5501, 55, 16}); };
  using Held = std::pair<std::string, bool>;
  EXPECT_EQ(held_by({record().integers({1, 2, 3, 0, 1, 4, 12, 0})}), Held("2/3 4/1 4/2 ", false));
  EXPECT_EQ(held_by({record().integers({1, 2, 3}).reals({0.01F}).integers({1, 4, 12, 0})}),
            Held("2/3 4/1 4/2 ", true));
  EXPECT_EQ(held_by({record().integers({1, 2, 3, 0, 0, 1, 4, 12, 0, 0})}),
            Held("2/3 4/1 4/2 ", false));
  RecordOfWords five = record().integers({1, 2, 3, 0}).reals({0.01F}).integers({1, 4, 12, 0, 0});
  five.integers({1, 5, 1, 0, 0, 1, 6, 1, 0, 0});  // 20 words: five entries of four as well
  EXPECT_EQ(held_by({five}), Held("2/3 4/1 4/2 5/1 6/1 ", true));
  const auto six = [](double value) {
    std::int32_t words[2];
    std::memcpy(words, &value, 8);
    RecordOfWords out;
    out.integers({5501, 55, 620016, 1, 2, 3, 0, words[0], words[1], 1, 4, 12, 0, 0, 0});
    return out;
  };
  EXPECT_EQ(held_by({six(0.0)}), Held("2/3 4/1 4/2 ", false));
  EXPECT_EQ(held_by({six(0.01)}), Held("2/3 4/1 4/2 ", true));
  EXPECT_EQ(held_by({six(1.0)}), Held("2/3 4/1 4/2 ", true));  // whose first word is 0
  // neither of the layouts
  EXPECT_EQ(held_by({record().integers({1, 2, 3, 0, 1, 4, 12})}), Held("unread ", false));
  EXPECT_EQ(held_by({record().integers({1, 2, 777777, 0})}), Held("unread ", false));
}

std::map<std::string, std::vector<std::int64_t>> nodes_by_type(const FileContents& contents) {
  std::map<std::string, std::vector<std::int64_t>> out;
  for (const ElementBlock& block : contents.elements) {
    std::vector<std::int64_t>& nodes = out[block.type];
    nodes.insert(nodes.end(), block.connectivity.begin(), block.connectivity.end());
  }
  for (auto& [type, nodes] : out)
    std::sort(nodes.begin(), nodes.end());
  return out;
}

// Truth: the deck of the same run, read by itself.
TEST(Op2Cards, RealFilesHoldTheElementsOfTheirDecks) {
  if (shared_folder().empty()) GTEST_SKIP() << "the folder of real files is absent";
  const std::filesystem::path folder = shared_folder() / "data/nastran";
  for (const auto& [op2, deck] : {std::pair{"mode_solid_shell_bar.op2", "mode_solid_shell_bar.bdf"},
                                  std::pair{"rigid_rbe2--v2020.op2", "rigid_rbe2.bdf"},
                                  std::pair{"modes_elements.op2", "elements/modes_elements.bdf"}}) {
    SCOPED_TRACE(op2);
    Diagnostics diagnostics;
    const FileContents read = read_contents(folder / "op2" / op2, {}, diagnostics);
    const FileContents truth = read_contents(folder / "bulk" / deck, {}, diagnostics);
    auto expected = nodes_by_type(truth);
    expected.erase("PLOTEL");  // the table of elements has none
    EXPECT_EQ(nodes_by_type(read), expected);
    EXPECT_EQ(read.fixed, truth.fixed);
    EXPECT_EQ(read.masses.size(), truth.masses.size());
    ASSERT_EQ(read.rigid_elements.size(), truth.rigid_elements.size());
    for (std::size_t k = 0; k < truth.rigid_elements.size(); ++k)
      EXPECT_EQ(read.rigid_elements[k].dependent, truth.rigid_elements[k].dependent);
    EXPECT_EQ(read.loads.forces.size(), truth.loads.forces.size());
  }
}

}  // namespace
}  // namespace femflex::importer
