// Tests channels of lattices that are computed on request: energies of springs and nodes, polar
// coordinates, mass from energy, bending stiffness. Also tests polynomials as arrays.
#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <numbers>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "lattice/beam_bending.h"
#include "lattice/run_lattice.h"
#include "program.h"
#include "results/results_file.h"

namespace femflex::tools {
namespace {

using testing::Program;
using testing::staal;
using testing::tolerance;

double column(const ResultSeries& series, const std::string& name, Eigen::Index row) {
  const auto at = series.find(name);
  EXPECT_GE(at, 0) << name;
  return at < 0 ? std::nan("") : series.values(row, at);
}

/// The rows of a CSV file, by the names of its columns.
std::vector<std::map<std::string, double>> table_of(const std::string& name) {
  std::ifstream in(testing::data("lattice/staal/" + name));
  std::string line, cell;
  const auto next = [&]() {
    const bool is_read = static_cast<bool>(std::getline(in, line));
    if (line.ends_with('\r')) line.pop_back();
    return is_read;
  };
  next();
  std::vector<std::string> names;
  for (std::istringstream head(line); std::getline(head, cell, ',');)
    names.push_back(cell);
  std::vector<std::map<std::string, double>> rows;
  while (next()) {
    std::size_t i = 0;
    std::map<std::string, double>& row = rows.emplace_back();
    for (std::istringstream cells(line); std::getline(cells, cell, ',');)
      row[names[i++]] = std::stod(cell);
  }
  return rows;
}

// Truth: energy is a sum. The energies of nodes, springs, hinges, groups and gravity add up to the
// totals.
TEST(LatticeChannels, EnergiesOfThePartsAddUpToTheTotals) {
  const Program femflex;
  testing::write_text(femflex.file("net.json"), R"({ "dimension": 2, "gravity": 9.81, "nodes": [
    { "id": 1, "x": [0, 0], "mass": 1, "fixed": true }, { "id": 2, "x": [1, 0.2], "mass": 0.4 },
    { "id": 5, "x": [2, 0], "mass": 0.5, "v": [0.3, 1] } ],
    "springs": [ { "i": 1, "j": 2, "k": 50, "d": 0.9 }, { "i": 2, "j": 5, "k": 400, "law": "linear" } ],
    "rotational_springs": [ { "a": 1, "b": 2, "k": 3, "angle": 0.1 } ] })");
  ASSERT_EQ(femflex("lattice net.json --end 0.5 --dt 1e-3 -o r.h5 --show springs,nodes,parts "
                    "--group first=1 --group both=1-2")
                .exit_code,
            0);
  const ResultSeries r = read_results(femflex.file("r.h5"));
  for (const Eigen::Index row : {Eigen::Index{0}, Eigen::Index{37}, r.time.size() - 1}) {
    const auto at = [&](const std::string& name) { return column(r, name, row); };
    const double scale = tolerance(1e-12) * (std::abs(at("energy/potential")) + 1.0);
    double nodes = 0.0, kinetic = 0.0;
    for (const std::string id : {"1", "2", "5"}) {
      nodes += at(id + "/potential");
      kinetic += at(id + "/kinetic");
    }
    EXPECT_NEAR(kinetic, at("energy/kinetic"), scale);
    EXPECT_NEAR(nodes + at("hinge1/potential"), at("energy/potential"), scale);
    EXPECT_NEAR(at("springs/potential") + at("hinges/potential") + at("gravity/potential"),
                at("energy/potential"),
                scale);
    EXPECT_NEAR(at("spring1/potential") + at("spring2/potential"), at("springs/potential"), scale);
    EXPECT_NEAR(at("first/potential"), at("spring1/potential"), scale);
    EXPECT_NEAR(at("both/potential"), at("springs/potential"), scale);
    const double stretch = at("spring2/length") - std::hypot(1.0, 0.2);
    EXPECT_NEAR(at("spring2/force"), 400 * stretch, tolerance(1e-9));
    EXPECT_NEAR(at("spring2/potential"), 200 * stretch * stretch, tolerance(1e-9));
  }
}

// Truth: a mass on a linear spring moves on a circle at the rate w with k (r - d) = m w^2 r. Its
// angle is w t over any number of turns and its speed is w r; its mass follows from its kinetic
// energy.
TEST(LatticeChannels, ACirclingMassHasItsAngleRadiusAndMass) {
  const Program femflex;
  constexpr double w = 4.0, m = 1.5, d = 1.0, k = 100.0;
  const double r = k * d / (k - m * w * w);
  testing::write_text(femflex.file("rotor.json"),
                      fmt::format(R"({{ "dimension": 2, "nodes": [
    {{ "id": 1, "x": [2, 3], "fixed": true }}, {{ "id": 2, "x": [2, {}], "mass": {}, "v": [{}, 0] }} ],
    "springs": [ {{ "i": 1, "j": 2, "k": {}, "d": {}, "law": "linear" }} ] }})",
                                  3 - r,
                                  m,
                                  w * r,
                                  k,
                                  d));
  ASSERT_EQ(femflex("lattice rotor.json --end 5 --dt 2e-4 --integrator rk4 -o r.h5 --show polar "
                    "--show mass --nodes 2")
                .exit_code,
            0);
  const ResultSeries series = read_results(femflex.file("r.h5"));
  for (const Eigen::Index row : {Eigen::Index{0}, Eigen::Index{20}, series.time.size() - 1}) {
    const auto at = [&](const std::string& name) { return column(series, name, row); };
    EXPECT_NEAR(at("2/angle"), w * series.time(row), tolerance(1e-8));
    EXPECT_NEAR(at("2/radius"), r, tolerance(1e-9));
    EXPECT_NEAR(at("2/velocity/around"), w * r, tolerance(1e-8));
    EXPECT_NEAR(at("2/velocity/radial"), 0.0, tolerance(1e-8));
    EXPECT_NEAR(at("2/mass_from_energy"), m, tolerance(1e-12));
    EXPECT_NEAR(at("2/mass_from_energy/around"), m, tolerance(1e-8));
  }
  EXPECT_GT(column(series, "2/angle", series.time.size() - 1), 6.0 * std::numbers::pi);
}

// Truth: table 4 of the document of 2007, computed again independently: bending stiffness of the
// ladder at four places.
TEST(LatticeChannels, TheCantileverHasTheBendingStiffnessesOfTable4) {
  const Program femflex;
  for (const auto& row : table_of("table4_cantilever_k200.csv")) {
    const double force = row.at("F");
    if (force > 100) continue;
    const Json document = femflex.json(
        fmt::format("lattice {} --statics --beam cantilever --load-factor {} --nodes 3,5,7,9",
                    staal("model_table4.json"),
                    force));
    const Json& beam = *document.find("beam");
    EXPECT_DOUBLE_EQ(beam.find("length")->number(), 16.0);
    EXPECT_DOUBLE_EQ(beam.find("load")->number(), force);
    const std::array<const char*, 4> names = {
        "EI4_static", "EI8_static", "EI12_static", "EI16_static"};
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_NEAR(beam.find("nodes")->items()[i].find("bending_stiffness")->number(),
                  row.at(names[i]),
                  tolerance(1e-5) * row.at(names[i]));
    const double difference =
        beam.find("nodes")->items()[3].find("difference_to_first_percent")->number();
    EXPECT_NEAR(
        difference, 100 * (row.at("EI16_static") / row.at("EI4_static") - 1), tolerance(1e-2));
  }
}

// Truth: the columns of the document. Its printed EI follow from its printed deflections to one
// unit in the last digit, and its differences follow from EI to one per cent.
TEST(LatticeChannels, TheFormulasGiveTheColumnsOfTheDocument) {
  const AnyLattice cantilever =
      read_any_lattice(testing::data("lattice/staal/model_table4.json"), {});
  const hamiltonian::LatticeSystem held(cantilever.document.lattice);
  const BeamBending first(held, BeamKind::cantilever);
  for (const auto& row : table_of("table4_cantilever_k200.csv"))
    for (const int x : {4, 8, 12, 16})
      EXPECT_NEAR(first.bending_stiffness(row.at("F"), x, row.at(fmt::format("v{}_doc", x))),
                  row.at(fmt::format("EI{}_from_doc_v", x)),
                  1.0);
  const AnyLattice supported =
      read_any_lattice(testing::data("lattice/staal/model_table6.json"), {});
  const hamiltonian::LatticeSystem between(supported.document.lattice);
  const BeamBending second(between, BeamKind::two_supports);
  for (const auto& row : table_of("table6_dual_load_bottom.csv")) {
    const auto stiffness = [&](int point) {
      return second.bending_stiffness(
          row.at("F"), point < 3 ? 4.0 : 8.0, row.at(fmt::format("v{}_doc", point)));
    };
    for (const int point : {1, 2, 3, 4})
      EXPECT_NEAR(stiffness(point), row.at(fmt::format("EI{}_from_doc_v", point)), 1.0);
    EXPECT_NEAR(100 * (stiffness(3) / stiffness(4) - 1), row.at("diff34_pct_doc"), 1.0);
    EXPECT_NEAR(100 * (stiffness(1) / stiffness(3) - 1), row.at("diff13_pct_doc"), 1.0);
  }
}

// Truth: symmetry. A beam in space, fixed at one face and loaded at the other, deflects equally at
// all nodes of a cross section. In another orientation it has the same stiffness.
TEST(LatticeChannels, ABeamInSpaceBendsByItsAxisWhereverThatPoints) {
  const Program femflex;
  struct Beam {
    const char* axis;
    const char* held;
    std::array<int, 4> loaded;
  };
  std::vector<double> stiffness;
  for (const Beam& each :
       {Beam{"x", "1, 6, 11, 16", {5, 10, 15, 20}}, Beam{"z", "1, 2, 3, 4", {17, 18, 19, 20}}}) {
    std::vector<std::string> loads;
    for (const int node : each.loaded)
      loads.push_back(fmt::format(R"({{ "node": {}, "force": [0, -0.25, 0] }})", node));
    testing::write_text(
        femflex.file("beam.json"),
        fmt::format(R"({{ "dimension": 3, "fixed": {{ "xyz": [{}] }}, "loads": [{}], "generate": {{
          "type": "beam", "length": 4, "cells": 4, "axis": "{}", "k": 1e4, "law": "linear" }} }})",
                    each.held,
                    fmt::join(loads, ", "),
                    each.axis));
    const Json document =
        femflex.json(fmt::format("lattice beam.json --statics --beam cantilever --nodes {},{}",
                                 each.loaded[0],
                                 each.loaded[3]));
    const Json& beam = *document.find("beam");
    EXPECT_NEAR(beam.find("length")->number(), 4.0, tolerance(1e-12));
    EXPECT_NEAR(beam.find("load")->number(), 1.0, tolerance(1e-12));
    for (const Json& node : beam.find("nodes")->items())
      stiffness.push_back(node.find("bending_stiffness")->number());
  }
  ASSERT_EQ(stiffness.size(), 4U);
  for (const double value : stiffness)
    EXPECT_NEAR(value, stiffness[0], tolerance(1e-3) * stiffness[0]);
}

// Truth: there is no deflection at the start of a run. At the end, a beam under its load has the
// stiffness that follows from its deflection.
TEST(LatticeChannels, ABeamInMotionHasItsStiffnessAsAChannel) {
  const Program femflex;
  ASSERT_EQ(femflex("lattice " + staal("model_table4.json") +
                    " --beam cantilever --nodes 5,9 --end 2 --dt 1e-3 -o r.h5")
                .exit_code,
            0);
  const ResultSeries r = read_results(femflex.file("r.h5"));
  const Eigen::Index last = r.time.size() - 1;
  EXPECT_TRUE(std::isnan(column(r, "9/bending_stiffness", 0)));
  EXPECT_EQ(femflex("compare r.h5 r.h5").exit_code, 0);  // rows without a value are equal
  EXPECT_NEAR(column(r, "9/bending_stiffness", last) * column(r, "9/deflection", last),
              1.0 * 16 * 16 * 32 / 6.0,
              tolerance(1e-9));
}

TEST(LatticeChannels, WhatCannotBeShownIsRefused) {
  const Program femflex;
  testing::write_text(femflex.file("net.json"), R"({ "dimension": 2, "nodes": [
    { "id": 1, "x": [0, 0], "fixed": true }, { "id": 2, "x": [1, 0], "mass": 1, "fixed": true },
    { "id": 3, "x": [2, 0], "mass": 1 } ], "springs": [ { "i": 2, "j": 3, "k": 5 } ] })");
  testing::write_text(femflex.file("H.txt"), "H = [0]^2 + [1]^2");
  const auto refused = [&](const std::string& words, const std::string& part) {
    const testing::CommandResult run = femflex("lattice " + words + " --end 0.1 --csv r.csv");
    EXPECT_EQ(run.exit_code, 2) << words;
    EXPECT_EQ(testing::line_count(run.err), 1U) << run.err;
    EXPECT_NE(run.err.find(part), std::string::npos) << run.err;
  };
  refused("net.json --show energies", "springs, nodes, parts, polar or mass");
  refused("net.json --show springs --springs 2", "there is no spring 2");
  refused("net.json --springs 1", "--springs needs --show springs");
  refused("net.json --centre 0,0", "--centre needs --show polar");
  refused("net.json --show polar", "--centre");
  refused("net.json --show polar --centre 1", "1 numbers");
  refused("net.json --group 1-2", "NAME=SPRINGS");
  refused("net.json --group all=1-7", "there is no spring");
  refused("net.json --group all=", "NAME=SPRINGS");
  refused("net.json --group energy=1", "two channels would be called 'energy/potential'");
  refused("net.json --group a=1 --group a=1", "each --group differently");
  refused("net.json --show springs --springs 1,1", "each spring once");
  refused("net.json --beam cantilever", "no load");
  refused("net.json --beam bridge", "two-supports");
  refused("H.txt --initial 0,1 --show nodes", "--show needs nodes and springs");
  refused(staal("model_table4.json") + " --beam two-supports", "cantilever");
  refused(staal("model_table6.json") + " --beam cantilever", "two-supports");
  EXPECT_FALSE(femflex.has("r.csv"));
}

// Truth: the same model. The arrays of a lattice's Hamiltonian are read back exactly, and the
// motion equals that of the lattice.
TEST(PolynomialArrays, OfALatticeMoveAsTheLattice) {
  const Program femflex;
  testing::write_text(femflex.file("net.json"), R"({ "dimension": 2, "gravity": 9.81, "nodes": [
    { "id": 1, "x": [0, 0], "mass": 1, "fixed": true }, { "id": 2, "x": [0.5, 0], "mass": 0.4 },
    { "id": 3, "x": [0.5, 0.5], "mass": 0.4, "v": [0.1, 0] } ], "springs": [
    { "i": 1, "j": 2, "k": 50 }, { "i": 2, "j": 3, "k": 60 }, { "i": 1, "j": 3, "k": 30 } ] })");
  ASSERT_EQ(femflex("lattice net.json --to-polynomial H.json").exit_code, 0);
  ASSERT_EQ(femflex("lattice H.json --write again.json").exit_code, 0);
  EXPECT_EQ(testing::read_text(femflex.file("H.json")),
            testing::read_text(femflex.file("again.json")));
  const std::string how = " --end 1 --dt 0.001 --integrator leapfrog";
  const Json lattice = femflex.json("lattice net.json" + how);
  const Json polynomial = femflex.json("lattice H.json" + how);
  const auto& states = polynomial.find("states")->items();
  ASSERT_EQ(states.size(), 12U);
  for (const std::size_t node : {1U, 2U})
    for (std::size_t axis = 0; axis < 2; ++axis)
      EXPECT_NEAR(states[4 * node + axis].number(),
                  lattice.find("nodes")->items()[node].find("position")->items()[axis].number(),
                  tolerance(1e-12));
}

// Truth: the message contains the fault and its line.
TEST(PolynomialArrays, MistakesAreNamedWithTheirLine) {
  const Program femflex;
  const auto refused = [&](const std::string& text, const std::string& part) {
    testing::write_text(femflex.file("H.json"), "{\n" + text + " }");
    const testing::CommandResult run = femflex("lattice H.json --end 1");
    EXPECT_EQ(run.exit_code, 2) << text;
    EXPECT_NE(run.err.find("H.json:2:"), std::string::npos) << run.err;
    EXPECT_NE(run.err.find(part), std::string::npos) << run.err;
  };
  const std::string arrays =
      R"("polynomial": { "coefficients": [1, 2], "variables_per_term": [2, )";
  refused(arrays + R"(1], "variables": [0, 0] })", "asks for 3 variables, there are 2");
  refused(arrays + R"(-1], "variables": [0] })", "whole number from 0");
  refused(arrays + R"(1.5], "variables": [0, 0, 1] })", "whole number");
  refused(arrays + R"(1], "variables": [0, 0, 1], "state": 2 })", "states");
  refused(arrays + R"(1], "variables": [0, 0, 1], "states": 1 })", "blocks of 2");
  refused(arrays + R"(1], "variables": [0, 0, 1] }, "start": [1])", "1 start states");
  refused(
      R"("polynomial": { "coefficients": [1], "variables_per_term": [1, 1], "variables": [0, 1] })",
      "coefficient");
  refused(R"("polynomial": "[0]^2 +")", "expected");
  refused(R"("polynomial": "[0]^2", "dimension": 0)", "from 1");
  refused(R"("polynomial": "[0]^2", "springs": [])", "springs");
}

// Truth: the equilibrium leaves out loads that end, and so does the stiffness that it tells: the
// same as without them.
TEST(LatticeChannels, TheCantileverIsBentByLastingLoads) {
  const Program femflex;
  Json model =
      parse_json(testing::read_text(testing::data("lattice/staal/model_table4.json")), "m");
  Json passing = model.find("loads")->items()[0];
  passing["t"] = parse_json("[0, 5]", "t");
  model["loads"].push_back(passing);
  testing::write_text(femflex.file("m.json"), model.dump_line());
  const std::string call = " --statics --beam cantilever --nodes 3,9";
  const Json with = femflex.json("lattice m.json --csv with.csv" + call);
  const Json without =
      femflex.json("lattice " + staal("model_table4.json") + " --csv without.csv" + call);
  EXPECT_EQ(with.find("beam")->find("load")->number(), 1.0);
  EXPECT_EQ(with.find("beam")->dump_line(), without.find("beam")->dump_line());
  EXPECT_EQ(testing::read_text(femflex.file("with.csv")),
            testing::read_text(femflex.file("without.csv")));
}

}  // namespace
}  // namespace femflex::tools
