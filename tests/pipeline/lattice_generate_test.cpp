// Tests generated beams, plates and frames: counts, masses and stiffness. Truth: closed forms, and
// matrices assembled in the test.
#include "lattice/lattice_generate.h"

#include <cmath>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "femflex/dense.h"
#include "femflex/hamiltonian/lattice_system.h"

#include "document/json_text.h"
#include "lattice/run_lattice.h"
#include "program.h"

namespace femflex::tools {
namespace {

using hamiltonian::Lattice;
using testing::Program;
using testing::tolerance;

Lattice generated(const std::string& json, int dimension) {
  return generated_lattice(parse_json(json, "generate"), dimension);
}

double total_mass(const Lattice& lattice) {
  double sum = 0.0;
  for (const auto& node : lattice.nodes)
    sum += node.mass;
  return sum;
}

/// Springs as pairs of node numbers, in ascending order within the pair.
std::set<std::pair<std::int64_t, std::int64_t>> pairs(const Lattice& lattice) {
  std::set<std::pair<std::int64_t, std::int64_t>> out;
  for (const auto& s : lattice.springs) {
    const std::int64_t a = lattice.nodes[static_cast<std::size_t>(s.a)].id;
    const std::int64_t b = lattice.nodes[static_cast<std::size_t>(s.b)].id;
    out.insert({std::min(a, b), std::max(a, b)});
  }
  return out;
}

/// Stored energy after all x coordinates are multiplied by 1 + e.
double energy_of_stretch(Lattice lattice, double e) {
  for (auto& spring : lattice.springs) {
    const auto& a = lattice.nodes[static_cast<std::size_t>(spring.a)].position;
    const auto& b = lattice.nodes[static_cast<std::size_t>(spring.b)].position;
    spring.rest_length = (b - a).norm();
  }
  for (auto& node : lattice.nodes)
    node.position.x() *= 1.0 + e;
  const hamiltonian::LatticeSystem system(std::move(lattice));
  const hamiltonian::State state = system.start();
  return system.energy(state.memory, state.q, state.p).potential;
}

// Truth: a bar of n square cells of side a has 2 n chords, n + 1 posts and 2 n diagonals. If it is
// stretched by e along its axis only, a chord stores k a^2 e^2 / 2 and a diagonal k_d a^2 e^2 / 4
// to first order.
TEST(LatticeGenerate, AFlatBeamHasItsCellsMassAndStiffness) {
  const Lattice beam = generated(R"({ "type": "beam", "length": 6, "cells": 12, "total_mass": 3,
      "k": 200, "k_diagonal": 80, "law": "linear" })",
                                 2);
  EXPECT_EQ(beam.nodes.size(), 26U);
  EXPECT_EQ(beam.springs.size(), 2U * 12U + 13U + 2U * 12U);
  EXPECT_NEAR(total_mass(beam), 3.0, tolerance(1e-13));
  EXPECT_NEAR(beam.nodes[0].mass, 3.0 / 48.0, tolerance(1e-15));  // mass of a corner of one cell
  EXPECT_EQ(beam.nodes.back().position, Eigen::Vector3d(6.0, 0.5, 0.0));
  const double e = 1e-5;
  const double a = 0.5;
  const double closed = 24.0 * 200.0 * a * a * e * e / 2.0 + 24.0 * 80.0 * a * a * e * e / 4.0;
  EXPECT_NEAR(energy_of_stretch(beam, e), closed, tolerance(1e-4) * closed);
}

// Truth: at L = d, the slope of a quartic spring k/2 (L^2 - d^2)^2 is 4 k d^2.
TEST(LatticeGenerate, QuarticCellsAreAsStiffAsDocumented) {
  const std::string cells = R"({ "type": "plate", "cells": [1, 1], "size": [0.5, 0.5],
      "k_diagonal": 0, "law": "{}", "k": {} })";
  const double e = 1e-6;
  const auto plate = [&](const char* law, double k) {
    std::string text = cells;
    text.replace(text.find("{}"), 2, law);
    text.replace(text.find("{}"), 2, fmt::format("{}", k));
    return energy_of_stretch(generated(text, 2), e);
  };
  const double linear = plate("linear", 4.0 * 30.0 * 0.25);
  EXPECT_NEAR(plate("quartic", 30.0), linear, tolerance(1e-5) * linear);
}

// Truth: (n + 1)(m + 1)(l + 1) nodes; n m l cells of 12 edges, some of which neighbouring cells
// share.
TEST(LatticeGenerate, ABeamInSpaceRunsAlongItsAxis) {
  const Lattice beam = generated(R"({ "type": "beam", "axis": "z", "length": 4, "cells": 8,
      "cells_across": [2, 1], "section": [0.6, 0.2], "mass": 0.1, "k": 50 })",
                                 3);
  EXPECT_EQ(beam.nodes.size(), 3U * 2U * 9U);
  EXPECT_NEAR(total_mass(beam), 5.4, tolerance(1e-12));
  EXPECT_TRUE(beam.nodes.back().position.isApprox(Eigen::Vector3d(0.6, 0.2, 4.0), 1e-14));
  const std::size_t edges = 2 * 2 * 9 + 3 * 1 * 9 + 3 * 2 * 8;
  const std::size_t faces = 2 * (2 * 1 * 9 + 2 * 2 * 8 + 3 * 1 * 8);  // two diagonals for each face
  EXPECT_EQ(beam.springs.size(), edges + faces + 4 * 2 * 1 * 8);
}

// Truth: the same nodes and springs as a block with that number of nodes.
TEST(LatticeGenerate, APlateOfTwoLayersIsABlockOfThreeSheets) {
  const Lattice plate = generated(
      R"({ "type": "plate", "cells": [4, 3], "size": [2, 1.5], "layers": 2, "mass": 1, "k": 5 })",
      3);
  const Lattice block = generated(
      R"({ "type": "block", "nodes": [5, 4, 3], "size": [2, 1.5, 1], "mass": 1, "k": 5 })", 3);
  ASSERT_EQ(plate.nodes.size(), block.nodes.size());
  for (std::size_t i = 0; i < plate.nodes.size(); ++i)
    EXPECT_EQ(plate.nodes[i].position, block.nodes[i].position);
  EXPECT_EQ(pairs(plate), pairs(block));
}

// Truth: counted by hand. A portal with an outline of 7 x 8 cells and bars 2 cells thick has 2 * 2
// * 8 + 3 * 2 = 38 cells. Its nodes are the 8 x 9 nodes of the outline without the inner nodes of
// the opening. The number of edges follows from Euler's formula.
TEST(LatticeGenerate, APortalHasTwoColumnsAndAGirder) {
  const Lattice frame = generated(R"({ "type": "frame", "cells": [7, 8], "size": [7, 8],
      "thickness": 2, "total_mass": 76, "k": 5 })",
                                  2);
  const std::size_t cells = 38;
  const std::size_t nodes = 8 * 9 - 2 * 6;  // inner nodes of the opening: x 3 to 4, y 0 to 5
  EXPECT_EQ(frame.nodes.size(), nodes);
  // V - E + F = 1 for a shape without a hole (the opening is open below)
  const std::size_t edges = nodes + cells - 1;
  EXPECT_EQ(frame.springs.size(), edges + 2 * cells);
  EXPECT_EQ(pairs(frame).size(), frame.springs.size());
  EXPECT_NEAR(total_mass(frame), 76.0, tolerance(1e-12));
  for (const auto& node : frame.nodes) {
    EXPECT_FALSE(node.position.x() > 2.5 && node.position.x() < 4.5 && node.position.y() < 5.5);
    if (node.position.x() == 0.0 && node.position.y() == 0.0) {
      EXPECT_NEAR(node.mass, 2.0 / 4.0, tolerance(1e-13));
    }
  }
  // closed frame: one hole, V - E + F = 0
  const Lattice ring = generated(R"({ "type": "frame", "cells": [7, 8], "size": [7, 8],
      "closed": true, "mass": 1, "k": 5, "face_diagonals": false })",
                                 2);
  const std::size_t ring_cells = 7 * 8 - 5 * 6;
  EXPECT_EQ(ring.nodes.size(), 8U * 9U - 4U * 5U);
  EXPECT_EQ(ring.springs.size(), ring.nodes.size() + ring_cells);
}

// Truth: n^3 cells; the frame consists of twelve edges one cell thick with 12 (n - 2) + 8 cells.
TEST(LatticeGenerate, ABoxFrameHasTwelveBars) {
  const auto box = [](const char* closed) {
    return generated(fmt::format(R"({{ "type": "frame", "cells": [5, 5, 5], "size": [1, 1, 1],
      "closed": {}, "total_mass": 44, "k": 5 }})",
                                 closed),
                     3);
  };
  const Lattice whole = box("true");
  EXPECT_NEAR(whole.nodes[0].mass, 44.0 / (12 * 3 + 8) / 8.0, tolerance(1e-13));
  EXPECT_NEAR(total_mass(whole), 44.0, tolerance(1e-12));
  // four bars on the ground, without their ends, which belong to the legs
  const Lattice table = box("false");
  EXPECT_NEAR(table.nodes[0].mass, 44.0 / (12 * 3 + 8 - 4 * 3) / 8.0, tolerance(1e-13));
}

// Truth: K u = f with a stiffness matrix assembled in the test cell by cell, under a load small
// enough for linear behaviour.
TEST(LatticeGenerate, AClampedPortalBendsAsAnAssemblyOfItsOwn) {
  const Program femflex;
  constexpr int nx = 6;
  constexpr int ny = 5;
  constexpr double k = 4e4;
  constexpr double kd = 1e4;
  testing::write_text(femflex.file("portal.json"), R"({ "dimension": 2, "generate": {
    "type": "frame", "cells": [6, 5], "size": [3, 2.5], "mass": 0.2, "k": 4e4, "k_diagonal": 1e4,
    "law": "linear" } })");
  const Lattice made = read_any_lattice(femflex.file("portal.json"), {}).document.lattice;

  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(2 * (nx + 1) * (ny + 1), 2 * (nx + 1) * (ny + 1));
  std::set<std::pair<int, int>> done;
  const auto bar = [&](int xa, int ya, int xb, int yb, double stiffness) {
    const int a = xa + (nx + 1) * ya;
    const int b = xb + (nx + 1) * yb;
    if (!done.insert({std::min(a, b), std::max(a, b)}).second) return;
    const Eigen::Vector2d n = Eigen::Vector2d(xb - xa, yb - ya).normalized();
    const Eigen::Matrix2d block = stiffness * n * n.transpose();
    K.block<2, 2>(2 * a, 2 * a) += block;
    K.block<2, 2>(2 * b, 2 * b) += block;
    K.block<2, 2>(2 * a, 2 * b) -= block;
    K.block<2, 2>(2 * b, 2 * a) -= block;
  };
  for (int y = 0; y < ny; ++y) {
    for (int x = 0; x < nx; ++x) {
      if (x > 0 && x < nx - 1 && y < ny - 1) continue;
      bar(x, y, x + 1, y, k);
      bar(x, y + 1, x + 1, y + 1, k);
      bar(x, y, x, y + 1, k);
      bar(x + 1, y, x + 1, y + 1, k);
      bar(x, y, x + 1, y + 1, kd);
      bar(x + 1, y, x, y + 1, kd);
    }
  }
  const int top = (nx + 1) * ny;  // the upper left corner, at which a force acts to the right
  Eigen::VectorXd f = Eigen::VectorXd::Zero(K.rows());
  f(2 * top) = 0.01;
  for (int i = 0; i < K.rows(); ++i) {
    const bool is_foot = i / 2 <= nx;
    if (!is_foot && K(i, i) != 0.0) continue;
    K.row(i).setZero();
    K.col(i).setZero();
    K(i, i) = 1.0;
    f(i) = 0.0;
  }
  const Eigen::VectorXd u = K.ldlt().solve(f);

  std::string feet;
  std::int64_t corner = 0;
  for (const auto& node : made.nodes) {
    if (node.position.y() == 0.0) feet += (feet.empty() ? "" : ", ") + std::to_string(node.id);
    if (node.position.x() == 0.0 && node.position.y() == 2.5) corner = node.id;
  }
  std::string text = testing::read_text(femflex.file("portal.json"));
  text.insert(
      text.rfind('}'),
      fmt::format(
          R"(, "fixed": {{ "xy": [{}] }}, "loads": [ {{ "node": {}, "force": [0.01, 0] }} ])",
          feet,
          corner));
  testing::write_text(femflex.file("loaded.json"), text);
  const Json rest = femflex.json(fmt::format("lattice loaded.json --statics --nodes {}", corner));
  const auto& x = rest.find("nodes")->items()[0].find("position")->items();
  EXPECT_NEAR(x[0].number(), u(2 * top), tolerance(1e-4) * u.norm());
  EXPECT_NEAR(x[1].number() - 2.5, u(2 * top + 1), tolerance(1e-4) * u.norm());
  EXPECT_GT(u(2 * top), 1e-7);
}

// Truth: all cells of side a have the strains e and e_y. The energy a^2/2 (2 k e^2 + k e_y^2 + k_d
// (e + e_y)^2) has its minimum at e_y = -e k_d / (k + k_d) (Poisson effect). The minimum is E A a
// e^2 / 2 with E A = a (2 k + k k_d / (k + k_d)). The ends disturb one or two cells.
TEST(LatticeGenerate, ALongBeamStretchesAsDocumented) {
  const Program femflex;
  testing::write_text(femflex.file("bar.json"), R"({ "dimension": 2, "generate": {
    "type": "beam", "length": 20, "cells": 40, "k": 3e4, "k_diagonal": 2e4, "law": "linear" },
    "fixed": { "xy": [1], "x": [42] }, "loads": [ { "node": 41, "force": [0.05, 0] },
    { "node": 82, "force": [0.05, 0] } ] })");
  const Json rest = femflex.json("lattice bar.json --statics --nodes 16,26,21,62");
  const auto at = [&](std::size_t node, std::size_t axis) {
    return rest.find("nodes")->items()[node].find("position")->items()[axis].number();
  };
  const double k = 3e4;
  const double kd = 2e4;
  const double strain = (at(1, 0) - at(0, 0) - 5.0) / 5.0;
  const double closed = 0.1 / (0.5 * (2.0 * k + k * kd / (k + kd)));
  EXPECT_NEAR(strain, closed, tolerance(1e-4) * closed);
  const double across = (at(3, 1) - at(2, 1) - 0.5) / 0.5;
  EXPECT_NEAR(-across / strain, kd / (k + kd), tolerance(1e-4));
}

// A file with a recipe instead of a list of springs is a lattice to every verb.
TEST(LatticeGenerate, AGeneratedLatticeIsKnownForOne) {
  const Program femflex;
  testing::write_text(femflex.file("bar.json"), R"({ "dimension": 2,
    "generate": { "type": "beam", "length": 2, "cells": 4, "k": 3 } })");
  const Json info = femflex.json("info bar.json");
  EXPECT_EQ(info.find("files")->items()[0].find("format")->text(), "femflex lattice");
}

TEST(LatticeGenerate, RecipesThatCannotBeSayWhatIsWrong) {
  const auto refused = [](const std::string& json, int dimension, const std::string& part) {
    try {
      (void)generated(json, dimension);
      ADD_FAILURE() << json;
    } catch (const ParseError& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
      EXPECT_EQ(error.where().line, 1);
    }
  };
  refused(
      R"({ "type": "frame", "cells": [2, 5], "size": [1, 1], "k": 1 })", 2, "no opening along x");
  refused(R"({ "type": "frame", "cells": [5], "size": [1], "k": 1 })", 1, "2 or 3 dimensions");
  refused(R"({ "type": "beam", "cells": 5, "k": 1 })", 2, "'length' is missing");
  refused(R"({ "type": "beam", "cells": 5, "length": 0, "k": 1 })", 2, "length is 0");
  refused(
      R"({ "type": "beam", "cells": 5, "length": 1, "k": 1, "axis": "z" })", 2, "is not an axis");
  refused(
      R"({ "type": "plate", "cells": [5, 5], "size": [1, 1], "k": 1, "layers": 2 })", 2, "plane");
  refused(
      R"({ "type": "plate", "cells": [5, 5], "size": [1, 1], "k": 1, "mass": 1, "total_mass": 2 })",
      2,
      "both 'mass'");
  refused(R"({ "type": "beam", "cells": 5, "length": 1, "k": 1, "links": 3 })",
          2,
          "unknown key 'links'");
}

}  // namespace
}  // namespace femflex::tools
