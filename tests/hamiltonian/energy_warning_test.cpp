// Tests that a run with an energy error gives a warning, or stops with the time and a remedy, for
// every method. Truth: the energy of a conservative lattice, including that of broken springs, is
// constant; other lattices are compared with a run by dormand-prince at 1e-10.
#include <cmath>

#include <gtest/gtest.h>

#include "models.h"
#include "support/support.h"

namespace femflex::hamiltonian {
namespace {

struct Case {
  std::string name;
  Lattice lattice;
  bool conserves = true;
  std::vector<std::string> methods = integrator_names();
};

/// A row of masses on quartic springs that hangs from a held node, pulled sideways at its end.
Lattice row(int nodes) {
  Lattice lattice;
  lattice.dimension = 2;
  for (int i = 0; i < nodes; ++i) {
    lattice.nodes.push_back(node_at(i + 1, i, 0.0, 1.0, i == 0));
    if (i == 0) continue;
    Spring spring;
    spring.a = i - 1;
    spring.b = i;
    spring.stiffness = 50.0;
    spring.reference = Reference::initial;
    lattice.springs.push_back(spring);
  }
  lattice.nodes.back().velocity = Eigen::Vector3d(3.0, 2.0, 0.0);
  return lattice;
}

/// A block above the size from which leapfrog uses its fast kernels.
Lattice large() {
  BlockOptions options;
  options.dimension = 2;
  options.nodes = {60, 50, 1};
  options.size = {59.0, 49.0, 0.0};
  options.stiffness = 50.0;
  options.diagonal_stiffness = 50.0;
  Lattice lattice = make_block(options);
  for (LatticeNode& node : lattice.nodes)
    node.velocity.x() = 0.5 * std::sin(0.3 * static_cast<double>(node.id));
  return lattice;
}

std::vector<Case> cases() {
  std::vector<Case> out;
  out.push_back({"plain", row(6)});
  out.push_back({"large", large(), true, {"leapfrog", "semi-implicit-euler"}});
  Lattice rubbed = row(6);
  rubbed.friction = 0.05;
  out.push_back({"friction", rubbed, false});
  Lattice damped = row(6);
  for (Spring& spring : damped.springs)
    spring.damping.c = 0.3;
  out.push_back({"damped", damped, false});
  Lattice loaded = row(6);
  Load load;
  load.node = 5;
  load.force = Eigen::Vector3d(4.0, 0.0, 0.0);
  load.history.expression = "1 - exp(-t)";
  loaded.loads.push_back(load);
  out.push_back({"loaded", loaded, false});
  Lattice breaking = row(6);
  breaking.springs[2].break_elongation = 0.05;
  out.push_back({"breaking", breaking});
  Lattice moved = row(6);
  moved.nodes[0].fixed = {false, true, true};
  PrescribedMotion motion;
  motion.displacement.expression = "0.2*sin(2*t)";
  moved.motions.push_back(motion);
  out.push_back({"moved", moved, false});
  return out;
}

struct Outcome {
  RunResult result;
  std::string said;
};

Outcome run_at(const LatticeSystem& system, const std::string& integrator, double h, double end) {
  RunOptions options;
  options.integrator = parse_integrator(integrator);
  options.step = h;
  options.end = end;
  options.relative_tolerance = integrator == "dormand-prince" ? 1e-10 : 1e-8;
  Diagnostics diagnostics;
  Outcome out;
  out.result = run(system, system.start(), options, nullptr, diagnostics, no_progress());
  for (const Warning& warning : diagnostics.warnings())
    out.said += warning.code + ": " + warning.message + "\n";
  return out;
}

TEST(EnergyWarning, NoMethodEndsWithAWrongEnergyInSilence) {
  constexpr double kWrong = 0.1;  // of the energy that moves; the warning begins at 0.02
  int wrong = 0;
  for (const Case& each : cases()) {
    const LatticeSystem system(make_lattice(each.lattice));
    const double omega = system.fastest_motion(system.start()).omega;
    const double end = std::ceil(60.0 / omega * 20.0) / 20.0;
    Outcome truth;
    if (!each.conserves) {
      truth = run_at(system, "dormand-prince", 0.0, end);
      ASSERT_EQ(truth.result.status, RunStatus::finished) << each.name << truth.result.message;
      EXPECT_EQ(truth.said, "") << each.name;
    }
    const double kinetic =
        system.energy(system.start().memory, system.start().q, system.start().p).kinetic;
    const double moving = std::max(kinetic, std::abs(truth.result.work));
    for (const std::string& integrator : each.methods) {
      if (integrator == "dormand-prince") continue;
      for (const double part : {0.2, 0.5, 0.8, 1.0, 1.4, 2.0, 4.0}) {  // of 1 / omega
        const double h = end / std::ceil(end * omega / part);
        const Outcome got = run_at(system, integrator, h, end);
        const double right = each.conserves ? got.result.start.total() : truth.result.end.total();
        const bool is_wrong = got.result.status != RunStatus::finished ||
                              !(std::abs(got.result.end.total() + got.result.broken_energy -
                                         right) < kWrong * moving);
        if (!is_wrong) continue;
        ++wrong;
        EXPECT_FALSE(got.said.empty() && got.result.status == RunStatus::finished)
            << each.name << ", " << integrator << " at " << part << " / omega: energy "
            << got.result.end.total() << " instead of " << right << " J, moving " << moving
            << ", error " << got.result.largest_energy_error;
        if (got.result.status != RunStatus::finished) {
          EXPECT_NE(got.result.message.find("t = "), std::string::npos) << got.result.message;
          EXPECT_NE(got.result.message.find("step"), std::string::npos) << got.result.message;
        }
      }
    }
  }
  EXPECT_GT(wrong, 50);  // the sweep did meet wrong runs
}

TEST(EnergyWarning, GoodStepsAreSilent) {
  for (const Case& each : cases()) {
    const LatticeSystem system(make_lattice(each.lattice));
    const double omega = system.fastest_motion(system.start()).omega;
    const double end = 20.0 / omega;
    for (const std::string& integrator : each.methods) {
      const bool is_first_order = integrator == "euler" || integrator == "semi-implicit-euler";
      const double h = end / (is_first_order ? 20000.0 : 1000.0);
      const Outcome got = run_at(system, integrator, h, end);
      EXPECT_EQ(got.said, "") << each.name << ", " << integrator;
      EXPECT_EQ(got.result.status, RunStatus::finished) << each.name << ", " << integrator;
    }
  }
}

}  // namespace
}  // namespace femflex::hamiltonian
