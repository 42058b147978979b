// Tests SID files. Truth: the original body, and equations of motion from the file compared with
// sums over the nodes.
#include "formats/sid.h"

#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/flexfile/flexfile.h"
#include "femflex/frames.h"

#include "bodies.h"
#include "equations.h"
#include "support/support.h"

namespace femflex::flexfile {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using testing::relative_difference;
using testing::tolerance;

FlexBody sid_body(unsigned seed, Index modes = 4) {
  testing::RandomBodyOptions options;
  options.rotary_inertia = false;
  options.with_everything = false;
  options.modes = modes;
  FlexBody body = testing::random_body(seed, options);
  body.stiffness *= 1e-4;  // so that no term is hidden by k q
  return body;
}

void write_sid(const FlexBody& body, const std::filesystem::path& path) {
  Diagnostics diagnostics;
  write_body(body, path, {}, diagnostics);
}

FlexBody read_sid(const std::filesystem::path& path) {
  Diagnostics diagnostics;
  FlexBody body = read_body(path, {}, diagnostics);
  for (const Warning& warning : diagnostics.warnings())
    ADD_FAILURE() << warning.code << ": " << warning.message;
  return body;
}

// Truth: sum of mass times acceleration over the nodes, for any motion; the file's numbers have 12
// digits.
TEST(Sid, EquationsOfMotionBuiltFromTheFileEqualTheSumOverNodes) {
  const testing::TemporaryFolder folder;
  for (unsigned seed = 0; seed < 10; ++seed) {
    const FlexBody body = sid_body(seed, 1 + seed % 5);
    write_sid(body, folder / "b.sid");
    const testing::Motion motion = testing::random_motion(seed + 100, body.mode_count());
    EXPECT_LE(testing::difference(testing::from_sid_file(folder / "b.sid", motion),
                                  testing::direct_sum_first_order(body, motion)),
              tolerance(1e-9));
  }
}

// Truth: the body, to the 12 digits of the file; from ten modes on the columns shift.
TEST(Sid, KeepsShapesMatricesInvariantsAndStiffening) {
  const testing::TemporaryFolder folder;
  for (const Index modes : {1, 4, 12}) {
    testing::RandomBodyOptions options;
    options.modes = modes;
    const FlexBody body = testing::random_body(11, options);
    write_sid(body, folder / "b.SID_FEM");
    const FlexBody again = read_sid(folder / "b.SID_FEM");
    const double tol = tolerance(2e-11);
    ASSERT_EQ(again.nodes.size(), body.nodes.size());
    for (std::size_t k = 0; k < body.nodes.size(); ++k) {
      EXPECT_EQ(again.nodes[k].id, body.nodes[k].id);
      EXPECT_LE(relative_difference(again.nodes[k].position, body.nodes[k].position), tol);
    }
    EXPECT_LE(relative_difference(again.shapes, body.shapes), tol);
    EXPECT_LE(relative_difference(again.mass, body.mass), tol);
    EXPECT_LE(relative_difference(again.stiffness, body.stiffness), tol);
    EXPECT_LE(relative_difference(*again.damping, *body.damping), tol);
    const InertiaInvariants& i = again.invariants;
    const InertiaInvariants& j = body.invariants;
    EXPECT_NEAR(i.mass, j.mass, tol * j.mass);
    EXPECT_LE(relative_difference(i.first_moment, j.first_moment), tol);
    EXPECT_LE(relative_difference(i.translation, j.translation), tol);
    EXPECT_LE(relative_difference(i.rotation, j.rotation), tol);
    EXPECT_LE(relative_difference(i.translation_rate, j.translation_rate), tol);
    EXPECT_LE(relative_difference(i.modal, j.modal), tol);
    EXPECT_LE(relative_difference(i.inertia, j.inertia), tol);
    EXPECT_LE(relative_difference(i.inertia_rate, j.inertia_rate), tol);
    EXPECT_LE(relative_difference(i.inertia_curvature, j.inertia_curvature), tol);
    ASSERT_EQ(again.geometric.size(), body.geometric.size());
    for (std::size_t k = 0; k < body.geometric.size(); ++k) {
      EXPECT_EQ(again.geometric[k].cause, body.geometric[k].cause);
      EXPECT_EQ(again.geometric[k].node, body.geometric[k].node);
      EXPECT_LE(relative_difference(again.geometric[k].stiffness, body.geometric[k].stiffness),
                tolerance(1e-9));
    }
    EXPECT_EQ(again.modes[0].kind, body.modes[0].kind);
  }
}

// Truth: the sample's numbers, worked out by hand from three point masses.
TEST(Sid, ReadsASampleOfAnotherHand) {
  if (testing::shared_folder().empty()) GTEST_SKIP() << "no folder of reference files";
  Diagnostics diagnostics;
  const FlexBody body =
      read_body(testing::shared_folder() / "formats/examples/tiny.SID_FEM", {}, diagnostics);
  ASSERT_EQ(diagnostics.warnings().size(), 1U);
  EXPECT_EQ(diagnostics.warnings()[0].code, "units-assumed");
  FlexBody twin = body;
  twin.lumped_mass.setZero(3, 6);
  twin.lumped_mass.leftCols(3) << 2, 2, 2, 1, 1, 1, 1, 1, 1;
  const testing::Motion motion = testing::random_motion(5, 2);
  EXPECT_LE(testing::difference(testing::from_invariants(body, motion),
                                testing::direct_sum(twin, motion)),
            tolerance(1e-11));
}

// Structure 2 is mirrored and 4 is the identity, whatever program wrote them.
TEST(Sid, HonoursSymmetricAndUnitStructures) {
  const testing::TemporaryFolder folder;
  const FlexBody body = sid_body(3, 2);
  write_sid(body, folder / "b.sid");
  std::string text = testing::read_text(folder / "b.sid");
  const std::size_t me = text.find("           Me\n");
  const std::size_t ke = text.find("           Ke\n");
  const auto set_structure = [&](std::size_t from, char structure) {
    const std::size_t at = text.find("structure", from);
    text[text.find('\n', at) - 1] = structure;
    return text.find('\n', at) + 1;
  };
  std::size_t at = set_structure(ke, '2');
  const std::size_t upper = text.find("m0( 1, 2)", at);
  const std::size_t start = text.rfind('\n', upper) + 1;
  text.erase(start, text.find('\n', upper) + 1 - start);
  at = set_structure(me, '4');
  text.erase(at, text.find("           end Me", at) - at);
  testing::write_text(folder / "c.sid", text);
  Diagnostics diagnostics;
  const FlexBody again = read_body(folder / "c.sid", {}, diagnostics);
  EXPECT_LE(relative_difference(again.stiffness, body.stiffness), tolerance(1e-11));
  EXPECT_EQ(again.mass, MatrixXd::Identity(2, 2));
}

// Files of one public generator store Ge component by component.
TEST(Sid, TakesGeInEitherOrder) {
  const testing::TemporaryFolder folder;
  const FlexBody body = sid_body(4, 3);
  write_sid(body, folder / "b.sid");
  std::string text = testing::read_text(folder / "b.sid");
  const std::size_t from = text.find("           Ge\n");
  const std::size_t until = text.find("           end Ge\n");
  std::string section = text.substr(from, until - from);
  for (int old_column = 1; old_column <= 9; ++old_column) {
    const int mode = (old_column - 1) / 3;
    const int component = (old_column - 1) % 3;
    const std::string was = ", " + std::to_string(old_column) + ")";
    const std::string is = ", #" + std::to_string(3 * component + mode + 1) + ")";
    for (std::size_t at = section.find(was); at != std::string::npos; at = section.find(was, at))
      section.replace(at, was.size(), is);
  }
  std::erase(section, '#');
  text.replace(from, until - from, section);
  testing::write_text(folder / "c.sid", text);
  EXPECT_LE(relative_difference(read_sid(folder / "c.sid").invariants.translation_rate,
                                body.invariants.translation_rate),
            tolerance(1e-10));
}

// A file whose parts contradict each other is read, with a warning.
TEST(Sid, SaysWhichIdentityAFileBreaks) {
  const testing::TemporaryFolder folder;
  write_sid(sid_body(5, 2), folder / "b.sid");
  std::string text = testing::read_text(folder / "b.sid");
  const std::size_t ct = text.find("m0( 1, 1)", text.find("           Ct\n"));
  const std::size_t digit = text.find('.', ct) + 1;
  text[digit] = text[digit] == '9' ? '1' : static_cast<char>(text[digit] + 1);
  testing::write_text(folder / "c.sid", text);
  Diagnostics diagnostics;
  read_body(folder / "c.sid", {}, diagnostics);
  ASSERT_FALSE(diagnostics.empty());
  EXPECT_EQ(diagnostics.warnings()[0].code, "sid-identity");
  EXPECT_NE(diagnostics.warnings()[0].message.find("mdCM"), std::string::npos);
}

// Counts of line 1 decide over memory: they are compared with the bytes of the file.
TEST(Sid, RefusesCountsBeyondTheFile) {
  const testing::TemporaryFolder folder;
  testing::write_text(folder / "c.sid", "  900000000   60  :text\n part\n");
  testing::write_text(folder / "d.sid", "  9   60000000  :text\n part\n");
  Diagnostics diagnostics;
  EXPECT_THROW(read_body(folder / "c.sid", {}, diagnostics), ParseError);
  EXPECT_THROW(read_body(folder / "d.sid", {}, diagnostics), ParseError);
}

// Truth: the mass and the places of the body. A rigid part, which has no modes, has places of
// nodes.
TEST(Sid, KeepsABodyWithoutModes) {
  const testing::TemporaryFolder folder;
  const FlexBody body = sid_body(3, 0);
  write_sid(body, folder / "rigid.sid");
  const FlexBody back = read_sid(folder / "rigid.sid");
  EXPECT_EQ(back.mode_count(), 0);
  ASSERT_EQ(back.nodes.size(), body.nodes.size());
  for (std::size_t k = 0; k < body.nodes.size(); ++k)
    EXPECT_LT((back.nodes[k].position - body.nodes[k].position).norm(),
              tolerance(1e-11) * (1.0 + body.nodes[k].position.norm()));
  EXPECT_LT(relative_difference(back.invariants.inertia, body.invariants.inertia),
            tolerance(1e-10));
}

// Truth: the counts. Those that fill their columns still are two numbers, as the reader needs.
TEST(Sid, CountsOfLargeBodiesAreApart) {
  EXPECT_EQ(sid_counts(221, 20), "  221  20");  // as the sample has them
  for (const Index nodes : {10, 99999, 1234567})
    for (const Index modes : {999, 1000, 54321}) {
      std::istringstream line(sid_counts(nodes, modes));
      Index first = 0, second = 0;
      line >> first >> second;
      EXPECT_EQ(first, nodes);
      EXPECT_EQ(second, modes);
      EXPECT_TRUE(is_sid(sid_counts(nodes, modes) + "   :nodes, modes\n part\n"));
    }
}

// Truth: every line of the sample but names and numbers.
TEST(Sid, WritesTheLayoutOfTheSample) {
  if (testing::shared_folder().empty()) GTEST_SKIP() << "no folder of reference files";
  const testing::TemporaryFolder folder;
  const auto sample = testing::shared_folder() / "formats/examples/tiny.SID_FEM";
  Diagnostics diagnostics;
  write_sid(read_body(sample, {}, diagnostics), folder / "b.sid");
  const std::string a = testing::read_text(folder / "b.sid");
  const std::string b = testing::read_text(sample);
  // after the mode names; structures 1 of the sample are 3 here, and full
  const std::size_t from_a = a.find("           end refmod");
  const std::size_t from_b = b.find("           end refmod");
  const std::size_t until_a = a.find("           Ke\n");
  const std::size_t until_b = b.find("           Ke\n");
  EXPECT_EQ(a.substr(from_a, until_a - from_a), b.substr(from_b, until_b - from_b));
}

}  // namespace
}  // namespace femflex::flexfile
