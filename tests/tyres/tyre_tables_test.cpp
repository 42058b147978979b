// Tests tyre forces against tables that tests/tyres/reference/*.py computes from the published
// equations.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/diagnostics.h"
#include "femflex/tyres/read_tyre.h"
#include "femflex/tyres/tyre.h"

#include "reference_table.h"
#include "support/support.h"

namespace femflex::testing {
namespace {

using tyres::Tyre;
using tyres::TyreForces;

struct Output {
  const char* name;
  double TyreForces::*member;
  bool is_force;  ///< whether it is a force or moment, with the load as scale; otherwise it is a
                  ///< length [m]
};
constexpr std::array<Output, 8> kOutputs = {
    {{"fx", &TyreForces::fx, true},
     {"fy", &TyreForces::fy, true},
     {"mx", &TyreForces::mx, true},
     {"my", &TyreForces::my, true},
     {"mz", &TyreForces::mz, true},
     {"effective radius", &TyreForces::effective_radius, false},
     {"sigma x", &TyreForces::relaxation_x, false},
     {"sigma y", &TyreForces::relaxation_y, false}}};

void compare(const TyreCase& c, const Tyre& tyre) {
  const TyreForces found = tyres::forces(tyre, c.state);
  for (const Output& output : kOutputs) {
    const double expected = c.expected.*output.member;
    const double scale = std::abs(expected) + (output.is_force ? c.state.load : 1.0);
    EXPECT_NEAR(found.*output.member, expected, tolerance(1e-10) * scale)
        << c.group << ": " << output.name << " at kappa " << c.state.kappa << ", alpha "
        << c.state.alpha << ", gamma " << c.state.gamma << ", load " << c.state.load;
  }
}

// Truth: the tables. In them each group of coefficients acts alone, then all groups act together,
// then every scaling factor acts.
void compare_groups(const std::string& name, const std::string& file) {
  const std::map<std::string, Tyre> tyres = tyres_of_groups(name, sample_tir(file));
  for (const TyreCase& c : tyre_cases(name)) {
    // a group without values of its own uses only the common coefficients
    const auto found = tyres.find(c.group);
    compare(c, found != tyres.end() ? found->second : tyres.at("only"));
  }
}

TEST(TyreTables, MagicFormula61FollowsItsEquationsGroupByGroup) {
  compare_groups("mf61", "car_mf61.tir");
}

TEST(TyreTables, Pac2002FollowsItsEquationsGroupByGroup) {
  compare_groups("pac2002", "truck_pac2002.tir");
}

// Truth: every changed coefficient changes some output, so each coefficient that is read is also
// used.
TEST(TyreTables, EveryCoefficientOfTheSampleFilesActs) {
  for (const auto& [name, file] : std::map<std::string, std::string>{
           {"mf61", "car_mf61.tir"}, {"pac2002", "truck_pac2002.tir"}}) {
    const tyres::TirFile sample = sample_tir(file);
    const Tyre tyre = sample_tyre(file);
    const std::vector<TyreCase> cases = tyre_cases(name);
    for (const tyres::TirEntry& entry : sample.entries) {
      const bool is_coefficient = entry.section.ends_with("COEFFICIENTS") ||
                                  entry.section == "VERTICAL" || entry.section == "STRUCTURAL";
      if (!is_coefficient) continue;
      tyres::TirFile changed = sample;
      changed.set(entry.name, 1.03 * sample.number(entry) + 0.001, entry.section);
      Diagnostics notes;
      const Tyre other = tyres::make_tyre(changed, notes).tyre;
      const auto acts = [&](const TyreCase& c) {
        const TyreForces a = tyres::forces(tyre, c.state);
        const TyreForces b = tyres::forces(other, c.state);
        return std::any_of(kOutputs.begin(), kOutputs.end(), [&](const Output& output) {
          return a.*output.member != b.*output.member;
        });
      };
      EXPECT_TRUE(std::any_of(cases.begin(), cases.end(), acts)) << file << ": " << entry.name;
    }
  }
}

TEST(TyreTables, LinearFialaAndTmeasyFollowTheirEquations) {
  for (const auto& [name, file] :
       std::map<std::string, std::string>{{"linear", "trailer_linear.tir"},
                                          {"fiala", "truck_fiala.tir"},
                                          {"tmeasy", "truck_tmeasy.tir"}}) {
    const Tyre tyre = sample_tyre(file);
    for (const TyreCase& c : tyre_cases(name))
      compare(c, tyre);
  }
}

}  // namespace
}  // namespace femflex::testing
