// Tests small CalculiX models of every kind (data/calculix/decks, made by make_decks.py). The
// matrices from MATRIXSTORAGE are imported with their deck. Truth: the frequencies that CalculiX
// prints for the same deck.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/constraints.h"
#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/importer/import_model.h"
#include "femflex/rigid_residual.h"

#include "support/support.h"

namespace femflex::importer {
namespace {

using testing::data;
using testing::tolerance;

struct Deck {
  std::string name;
  std::vector<double> frequencies;  ///< [Hz], seven digits
};

std::vector<Deck> decks() {
  std::vector<Deck> out;
  std::ifstream in(data("calculix/decks/frequencies.csv"));
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream fields(line);
    Deck deck;
    std::getline(fields, deck.name, ',');
    for (std::string field; std::getline(fields, field, ',');)
      deck.frequencies.push_back(std::stod(field));
    out.push_back(std::move(deck));
  }
  return out;
}

ImportResult import_deck(const std::string& name) {
  const auto file = [&](const char* end) { return data("calculix/decks/" + name + end); };
  Diagnostics diagnostics;
  return import_model({.files = {file(".inp"), file(".sti.gz"), file(".mas.gz"), file(".dof")}},
                      diagnostics);
}

/// All frequencies [Hz], rising, from M x = mu B x with B = K + s M, which bears rows without mass
/// and motions without stiffness. What B does not resist at all, the spin of a rigid body about its
/// own line, has neither and is left out.
Eigen::VectorXd frequencies_of(const FeModel& model, double near) {
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(model.dofs.size(), model.dofs.size());
  const Eigen::MatrixXd M = model.mass->selfadjointView<Eigen::Lower>() * one;
  const double shift = std::pow(2.0 * std::numbers::pi * near, 2);
  const Eigen::MatrixXd B = model.stiffness->selfadjointView<Eigen::Lower>() * one + shift * M;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> of_B(B);
  const double least = 1e-14 * of_B.eigenvalues().maxCoeff();
  const Eigen::Index none = (of_B.eigenvalues().array() <= least).count();
  const Eigen::Index rank = B.rows() - none;
  const Eigen::MatrixXd Q = of_B.eigenvectors().rightCols(rank) *
                            of_B.eigenvalues().tail(rank).cwiseSqrt().cwiseInverse().asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> of_M(Q.transpose() * M * Q,
                                                            Eigen::EigenvaluesOnly);
  const Eigen::VectorXd mu = of_M.eigenvalues().reverse().cwiseMax(1e-300);
  return (mu.cwiseInverse().array() - shift).max(0.0).sqrt() / (2.0 * std::numbers::pi);
}

// Truth: CalculiX's own frequencies, to the digits of its .dat and the 14 of its matrices.
class CalculixDecks : public ::testing::TestWithParam<Deck> {};

TEST_P(CalculixDecks, HaveTheFrequenciesThatCalculixPrints) {
  const Deck& deck = GetParam();
  ImportResult result;
  try {
    result = import_deck(deck.name);
  } catch (const ModelError& error) {
    // what cannot be told from the deck is refused with its reason, not guessed
    EXPECT_TRUE(error.code() == "expanded-rows" || error.code() == "cyclic-symmetry")
        << deck.name << ": " << error.message();
    EXPECT_FALSE(error.fix().empty());
    return;
  }
  const std::vector<double>& expected = deck.frequencies;
  const double largest = expected.back();
  const Eigen::VectorXd found = frequencies_of(result.model, largest);
  for (std::size_t k = 0; k < expected.size(); ++k) {
    // both give rigid motions as round-off, lambda of 1e-7 of the largest; ARPACK's own error on
    // the others is near 1e-6
    const double digits = tolerance(3e-6) * expected[k] + 3e-4 * largest;
    const double close = expected[k] > 0.01 * largest ? tolerance(3e-6) * expected[k] : digits;
    EXPECT_NEAR(found(static_cast<Eigen::Index>(k)), expected[k], close) << deck.name << " " << k;
  }
}

INSTANTIATE_TEST_SUITE_P(All, CalculixDecks, ::testing::ValuesIn(decks()), [](const auto& deck) {
  return deck.param.name;
});

TEST(CalculixDeck, AreFortyAndMore) {
  EXPECT_GE(decks().size(), 40U);
}

struct Motion {
  std::string deck;
  Eigen::Index mode = 0;  ///< from 1
  std::int64_t node = 0;
  Eigen::Vector3d u = Eigen::Vector3d::Zero();
};

std::vector<Motion> motions() {
  std::vector<Motion> out;
  std::ifstream in(data("calculix/decks/shapes.csv"));
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream fields(line);
    std::vector<std::string> words;
    for (std::string field; std::getline(fields, field, ',');)
      words.push_back(field);
    out.push_back({words.at(0),
                   std::stol(words.at(1)),
                   std::stol(words.at(2)),
                   {std::stod(words.at(3)), std::stod(words.at(4)), std::stod(words.at(5))}});
  }
  return out;
}

/// Displacement of a node in a shape on the rows of the model; nothing follows from no row.
Eigen::Vector3d displacement(const FeModel& model,
                             const Dependence& dependence,
                             const Eigen::VectorXd& shape,
                             std::int64_t node) {
  Eigen::Vector3d out = Eigen::Vector3d::Zero();
  for (std::int8_t c = 1; c <= 3; ++c) {
    if (const auto row = model.dofs.find({node, c}); row >= 0) {
      out(c - 1) = shape(row);
    } else if (const Dependence::Follower* follower = dependence.find({node, c})) {
      EXPECT_TRUE(follower->complete) << to_string(follower->dof);
      for (const Dependence::RowTerm& term : follower->rows)
        out(c - 1) += term.factor * shape(term.row);
    }
  }
  return out;
}

// Truth: the displacements that CalculiX prints, of nodes that follow others: rigid bodies whose
// rotation node CalculiX adds, or whose rotations are held or stand in equations; equations along
// *TRANSFORM axes; a kinematic coupling. Shapes of unit generalised mass; their sign is free.
TEST(CalculixDeck, NodesThatFollowOthersMoveAsCalculixPrints) {
  std::map<std::string, FeModel> models;
  int compared = 0;
  for (const Motion& motion : motions()) {
    SCOPED_TRACE(motion.deck + " mode " + std::to_string(motion.mode) + " node " +
                 std::to_string(motion.node));
    const auto [entry, is_new] = models.try_emplace(motion.deck);
    if (is_new) entry->second = import_deck(motion.deck).model;
    const FeModel& model = entry->second;
    const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(model.dofs.size(), model.dofs.size());
    const Eigen::MatrixXd K = model.stiffness->selfadjointView<Eigen::Lower>() * one;
    const Eigen::MatrixXd M = model.mass->selfadjointView<Eigen::Lower>() * one;
    // M x = mu K x: the first modes have the largest mu, and x' K x = 1
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> modes(M, K);
    const Eigen::Index column = model.dofs.size() - motion.mode;
    const Eigen::VectorXd shape =
        modes.eigenvectors().col(column) / std::sqrt(modes.eigenvalues()(column));
    const Eigen::Vector3d u = displacement(model, Dependence(model), shape, motion.node);
    const double difference = std::min((u - motion.u).norm(), (u + motion.u).norm());
    EXPECT_LT(difference, tolerance(1e-5) * motion.u.norm());
    ++compared;
  }
  EXPECT_GE(compared, 20);
}

double mass_along(const FeModel& model, int axis) {
  const auto R = rigid_body_shapes(model, model.dofs, Eigen::Vector3d::Zero());
  const Eigen::VectorXd x = R.col(axis);
  return x.dot(model.mass->selfadjointView<Eigen::Lower>() * x);
}

// Truth: a plate of 0.3 x 0.2 m, 4 mm thick, and a bar of 0.5 x 0.02 x 0.01 m, of 7850 kg/m3; rigid
// motions leave no force on any row of a free part.
TEST(CalculixDeck, FreeShellsAndBeamsHaveTheirMassAndSixRigidMotions) {
  const std::map<std::string, double> masses{
      {"free_S4", 7850.0 * 0.3 * 0.2 * 0.004},
      {"free_S8R", 7850.0 * 0.3 * 0.2 * 0.004},
      {"free_B31", 7850.0 * 0.5 * 0.02 * 0.01},
      {"free_B32", 7850.0 * 0.5 * 0.02 * 0.01},
      // an edge tied to a rigid body
      {"free_shell_rigid_body_S4", 7850.0 * 0.3 * 0.2 * 0.004},
      {"free_shell_rigid_body_S8R", 7850.0 * 0.3 * 0.2 * 0.004},
      {"free_beam_rigid_body", 7850.0 * 0.5 * 0.02 * 0.01},
      {"free_beam_tied_B32", 7850.0 * 0.5 * 0.02 * 0.01 + 0.3}};
  for (const auto& [name, mass] : masses) {
    SCOPED_TRACE(name);
    const FeModel model = import_deck(name).model;
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(mass_along(model, axis) / mass, 1.0, tolerance(1e-9));
    EXPECT_LT(rigid_residual(model).value, tolerance(1e-9));
  }
}

// Truth: the frequencies that CalculiX prints for this free arc: three zeros, and 220, 258, 321 Hz
// of rotations, which its hourglass control resists.
TEST(CalculixDeck, AnArcOfC3D8RThatIsHeldAgainstRotationIsRefusedWithTheReason) {
  try {
    import_deck("free_arc_C3D8R");
    ADD_FAILURE() << "no error";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.code(), "proof-failed");
    EXPECT_NE(error.message().find("C3D8R"), std::string::npos) << error.message();
    EXPECT_NE(error.message().find("hourglass"), std::string::npos) << error.message();
  }
}

// Truth: CalculiX's own matrices of a held distorted block, and of a free plate and a held arc of
// S4R, which resist rotations; the lowest frequency of such an arc is three times that of S4. The
// matrices of the block with the nodes of another mesh are of another model.
TEST(CalculixDeck, HourglassControlIsTheReasonForDistortedC3D8RAndS4R) {
  const auto refused = [](const std::filesystem::path& deck, const std::string& matrices) {
    const auto file = [&](const char* end) { return data("calculix/hourglass/" + matrices + end); };
    Diagnostics diagnostics;
    try {
      import_model({.files = {deck, file(".sti.gz"), file(".mas.gz"), file(".dof")}}, diagnostics);
    } catch (const ModelError& error) {
      EXPECT_EQ(error.code(), "proof-failed");
      return std::string(error.what());
    }
    return std::string();
  };
  for (const std::string name : {"held_block_C3D8R", "free_plate_S4R", "held_arc_S4R"}) {
    const std::filesystem::path deck = data("calculix/hourglass/" + name + ".inp");
    const std::string type = name.substr(name.rfind('_') + 1);
    const std::string message = refused(deck, name);
    EXPECT_NE(message.find("hourglass control"), std::string::npos) << message;
    EXPECT_NE(message.find("the deck has " + type), std::string::npos) << message;
    EXPECT_NE(message.find(type == "S4R" ? "take S4 or S8R" : "take C3D8I"), std::string::npos)
        << message;
    EXPECT_EQ(message.find("files of one model"), std::string::npos) << message;
  }
  const testing::TemporaryFolder folder;
  std::ifstream in(data("calculix/hourglass/held_block_C3D8R.inp"));
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  for (std::size_t at = 0; (at = text.find(",0.1", at)) != std::string::npos; ++at)
    text.replace(at, 4, ",0.15");
  std::ofstream(folder / "moved.inp") << text;
  const std::string message = refused(folder / "moved.inp", "held_block_C3D8R");
  EXPECT_NE(message.find("files of one model"), std::string::npos) << message;
  EXPECT_EQ(message.find("hourglass"), std::string::npos) << message;
}

// Truth: the matrices, which hold the constraints of the deck already, so that none is left for
// their rows.
TEST(CalculixDeck, ConstraintsAreInTheMatrices) {
  for (const Deck& deck : decks()) {
    SCOPED_TRACE(deck.name);
    try {
      const FeModel model = import_deck(deck.name).model;
      const Dependence dependence(model);
      for (const Dof& dof : model.dofs.rows())
        EXPECT_EQ(dependence.find(dof), nullptr) << to_string(dof);
    } catch (const ModelError&) {  // refused with its reason
      continue;
    }
  }
}

// Truth: the matrices. The rotation of a rigid body at a node of a shell has rows; that of the
// shell there is another one.
TEST(CalculixDeck, ABodyAtANodeOfAShellKeepsItsRotations) {
  for (const char* name : {"body_on_S4", "body_on_S8R"}) {
    SCOPED_TRACE(name);
    const FeModel model = import_deck(name).model;
    const Dependence dependence(model);
    int rotations = 0;
    for (const Dof& dof : model.dofs.rows()) {
      EXPECT_EQ(dependence.find(dof), nullptr) << to_string(dof);
      rotations += dof.component > 3 ? 1 : 0;
    }
    EXPECT_EQ(rotations, 2);  // the line from the body to its node turns about itself freely
  }
}

// Truth: a rotation of the free part without strain. CalculiX ties the middle of a section with an
// offset as if it were at its node, so that the body would turn by another angle than the part.
TEST(CalculixDeck, ARigidBodyOnShellsWithAnOffsetIsRefusedWithTheReason) {
  try {
    import_deck("free_arc_tied_offset_S8R");
    ADD_FAILURE() << "no error";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.code(), "proof-failed");
    EXPECT_NE(error.message().find("with an offset"), std::string::npos) << error.message();
  }
}

/// The displacement of a node under the loads of `step`, which replace the steps of a deck.
Eigen::Vector3d moved_by(const std::string& name, const std::string& step, std::int64_t node) {
  const testing::TemporaryFolder folder;
  const std::string deck = testing::read_text(data("calculix/decks/" + name + ".inp"));
  testing::write_text(folder / "run.inp", deck.substr(0, deck.find("*STEP")) + step);
  const auto file = [&](const char* end) { return data("calculix/decks/" + name + end); };
  Diagnostics diagnostics;
  const FeModel model =
      import_model({.files = {folder / "run.inp", file(".sti.gz"), file(".mas.gz"), file(".dof")}},
                   diagnostics)
          .model;
  if (model.loads.size() != 1) {
    ADD_FAILURE() << model.loads.size() << " load cases";
    return Eigen::Vector3d::Zero();
  }
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(model.dofs.size(), model.dofs.size());
  const Eigen::MatrixXd K = model.stiffness->selfadjointView<Eigen::Lower>() * one;
  return displacement(model, Dependence(model), K.ldlt().solve(model.loads[0].load), node);
}

// Truth: displacements that CalculiX 2.20 prints. It applies pressures on the faces of the solids
// into which it expands shells: P on the lower one, of a radius of 0.198 m here, SPOS on the upper
// one of 0.202 m, which differ by 2 %.
TEST(CalculixDeck, PressuresActOnTheFacesOfExpandedShells) {
  const std::string of_elements = "*STEP\n*STATIC\n*DLOAD\nEALL,P,1e5\n*END STEP\n";
  const std::string of_surface =
      "*SURFACE,NAME=SU,TYPE=ELEMENT\nEALL,SPOS\n*STEP\n*STATIC\n"
      "*DSLOAD\nSU,P,1e5\n*END STEP\n";
  const Eigen::Vector3d below(5.045206e-02, 2.043449e-06, 3.840405e-02);
  const Eigen::Vector3d above(-5.146445e-02, -2.098306e-06, -3.917522e-02);
  EXPECT_LT((moved_by("shell_of_arc_S8R", of_elements, 22) - below).norm(),
            tolerance(2e-4) * below.norm());
  EXPECT_LT((moved_by("shell_of_arc_S8R", of_surface, 22) - above).norm(),
            tolerance(2e-4) * above.norm());
  // printed for the middle of the section, of which the node is off by the offset
  const double flat = 8.242006e-02;
  EXPECT_NEAR(moved_by("shell_offset", of_elements, 12).z(), flat, tolerance(2e-4) * flat);
  EXPECT_NEAR(moved_by("shell_offset", of_surface, 12).z(), -flat, tolerance(2e-4) * flat);
}

// Truth: displacements that CalculiX 2.20 prints. It applies forces on the nodes of shells with an
// offset in the middle of the section: at the node itself they would bend the plate.
TEST(CalculixDeck, ForcesOnShellsWithAnOffsetActInTheMiddle) {
  const auto load = [](const std::string& line) {
    return "*STEP\n*STATIC\n*CLOAD\n" + line + "\n*END STEP\n";
  };
  const auto close = [](const Eigen::Vector3d& found, double x, double y, double z) {
    const Eigen::Vector3d truth(x, y, z);
    EXPECT_LT((found - truth).norm(), tolerance(2e-6) * truth.norm()) << found.transpose();
  };
  close(moved_by("shell_offset", load("12,1,1000."), 12), 8.119649e-06, -8.782289e-06, 0.0);
  close(moved_by("shell_offset", load("12,2,1000."), 12), -8.782289e-06, 2.228712e-05, 0.0);
  close(moved_by("shell_offset", load("5,1,1000."), 12), 2.292424e-06, -4.268698e-06, 0.0);
  EXPECT_NEAR(moved_by("shell_offset", load("12,3,10."), 12).z(), 3.713849e-04, tolerance(1e-9));
}

// Truth: the nodes of the deck follow their expanded nodes as rigid bodies do: translation and
// rotation of every node under the six rigid motions.
TEST(CalculixDeck, NodesOfShellsAndBeamsFollowRigidMotions) {
  for (const char* name : {"free_S4",
                           "free_S8R",
                           "free_B31",
                           "free_B32",
                           "free_shell_rigid_body_S4",
                           "free_shell_rigid_body_S8R",
                           "fold_S4",
                           "jump_S4",
                           "two_sections_S4",
                           "shell_of_arc_S8R",
                           "frame_B32"}) {
    SCOPED_TRACE(name);
    const FeModel model = import_deck(name).model;
    const auto R = rigid_body_shapes(model, model.dofs, Eigen::Vector3d::Zero());
    const Dependence dependence(model);
    int nodes = 0;
    for (const auto& [dof, follower] : dependence.followers()) {
      if (!follower.complete || dof.component == 0) continue;
      const Eigen::Vector3d at = find_node(model, dof.node)->position;
      const DofMap own({dof});
      const auto expected = rigid_body_shapes(model, own, Eigen::Vector3d::Zero());
      Eigen::RowVectorXd moved = Eigen::RowVectorXd::Zero(6);
      for (const Dependence::RowTerm& term : follower.rows)
        moved += term.factor * R.row(term.row);
      EXPECT_LT((moved - expected.row(0)).cwiseAbs().maxCoeff(), tolerance(1e-9) * (1 + at.norm()))
          << to_string(dof);
      ++nodes;
    }
    EXPECT_GT(nodes, 6);
  }
}

}  // namespace
}  // namespace femflex::importer
