// Tests stresses of a small model over a run. Truth: Hooke's law. Elements without stress are
// listed.
#include "femflex/durability/run_stress.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "small_models.h"
#include "support/support.h"

namespace femflex::durability {
namespace {

using testing::tolerance;

constexpr Eigen::Index kInstants = 400;

Eigen::VectorXd times() {
  return Eigen::VectorXd::LinSpaced(kInstants, 0.0, 1.0);
}

/// Two coordinates with different frequencies.
Eigen::MatrixXd coordinates() {
  const Eigen::ArrayXd phase = 2.0 * std::numbers::pi * times().array();
  Eigen::MatrixXd out(kInstants, 2);
  out << (3.0 * phase).sin(), 0.7 * (5.0 * phase).cos();
  return out;
}

Eigen::Matrix3d strain_at(Eigen::Index k) {
  const Eigen::MatrixXd zeta = coordinates();
  const Eigen::Matrix3d H = zeta(k, 0) * gradients()[0] + zeta(k, 1) * gradients()[1];
  return 0.5 * (H + H.transpose());
}

/// Stress of a solid [Pa].
Eigen::Matrix3d solid_stress(Eigen::Index k) {
  const Eigen::Matrix3d e = strain_at(k);
  const double mu = kYoung / (2.0 * (1.0 + kPoisson));
  const double lambda = kYoung * kPoisson / ((1.0 + kPoisson) * (1.0 - 2.0 * kPoisson));
  return 1e6 * (2.0 * mu * e + lambda * e.trace() * Eigen::Matrix3d::Identity());
}

double von_mises(const Eigen::Matrix3d& s) {
  return std::sqrt(1.5) * (s - s.trace() / 3.0 * Eigen::Matrix3d::Identity()).norm();
}

/// Plane stress [Pa].
Eigen::Matrix3d plane_stress(Eigen::Index k) {
  const Eigen::Matrix3d e = strain_at(k);
  const double factor = 1e6 * kYoung / (1.0 - kPoisson * kPoisson);
  Eigen::Matrix3d s = Eigen::Matrix3d::Zero();
  s(0, 0) = factor * (e(0, 0) + kPoisson * e(1, 1));
  s(1, 1) = factor * (e(1, 1) + kPoisson * e(0, 0));
  s(0, 1) = s(1, 0) = factor * (1.0 - kPoisson) * e(0, 1);
  return s;
}

Extreme largest_of(const std::function<double(Eigen::Index)>& value) {
  Extreme out{value(0), times()[0]};
  for (Eigen::Index k = 1; k < kInstants; ++k)
    if (value(k) > out.value) out = {value(k), times()[k]};
  return out;
}

void expect_extreme(const Extreme& found, const Extreme& expected) {
  EXPECT_NEAR(found.value, expected.value, tolerance(1e-12) * std::abs(expected.value));
  EXPECT_EQ(found.time, expected.time);
}

// Truth: Hooke's law at each instant, with the uniform strain of the displacement field.
TEST(RunStress, PeaksAreThoseOfHookesLaw) {
  const FeModel model = small_model();
  const ShapeSet shapes = shapes_of(model);
  const StressMesh mesh(model, shapes, {});
  ASSERT_EQ(mesh.size(), 4U);
  ASSERT_EQ(mesh.left_out().size(), 1U);
  EXPECT_EQ(mesh.left_out()[0].type, "CBUSH");
  EXPECT_EQ(mesh.left_out()[0].count, 1);
  for (const int threads : {1, 2})
    for (const StressPlaces places : {StressPlaces::centre, StressPlaces::corners}) {
      const RunStress run = stress_over_run(ComputedStress(mesh, places),
                                            times(),
                                            coordinates(),
                                            {.threads = threads, .bytes = 1},
                                            no_progress());
      for (const LocationPeaks& peaks : run.locations) {
        const std::string& type = mesh.type(peaks.location.element);
        SCOPED_TRACE(type);
        const auto solid = [](Eigen::Index k) { return von_mises(solid_stress(k)); };
        const auto shell = [](Eigen::Index k) { return von_mises(plane_stress(k)); };
        const auto along = [&](Eigen::Index k) {
          return 1e6 * kYoung * (type == "CBAR" ? strain_at(k)(0, 0) : strain_at(k)(1, 1));
        };
        if (type == "CHEXA") expect_extreme(peaks.von_mises, largest_of(solid));
        if (type == "CQUAD4") {
          expect_extreme(peaks.von_mises, largest_of(shell));
          // the stress of a shell belongs to a face
          EXPECT_NE(face_of(peaks.location), "none");
        }
        if (type == "CBAR" || type == "CROD") expect_extreme(peaks.signed_max, largest_of(along));
      }
    }
}

// Truth: the extremes over all instants in double precision. Cases: equal peaks, signals longer and
// shorter than a panel, sums of large terms that almost cancel, stress that is never negative, zero
// stress.
TEST(RunStress, PeaksAreThoseOfEveryInstant) {
  const FeModel model = small_model();
  const ShapeSet shapes = shapes_of(model);
  const StressMesh mesh(model, shapes, {});
  const ComputedStress source(mesh, StressPlaces::corners);
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (const Eigen::Index count : {1, 63, 64, 65, 1000})
    for (int kind = 0; kind < 5; ++kind) {
      SCOPED_TRACE(std::to_string(count) + " instants, kind " + std::to_string(kind));
      Eigen::MatrixXd zeta(count, 2);
      for (Eigen::Index t = 0; t < count; ++t) {
        const double a = normal(random);
        zeta.row(t) << a, normal(random);
        if (kind == 1) zeta.row(t) << static_cast<double>(t % 4), static_cast<double>(t % 3);
        if (kind == 2) zeta.row(t) << 1e6 + 1e-3 * a, -1e6 + 1e-3 * normal(random);
        if (kind == 3) zeta.row(t) << a * a, 0.0;
        if (kind == 4) zeta.row(t).setZero();
      }
      const Eigen::VectorXd time = Eigen::VectorXd::LinSpaced(count, 0.0, 1.0);
      const RunStress run = stress_over_run(source, time, zeta, {}, no_progress());
      const ModalStress all = source.stress(0, source.size());
      const Eigen::MatrixXd histories = zeta * all.S.transpose();
      ASSERT_EQ(run.locations.size(), all.locations.size());
      Invariants scalars;
      for (std::size_t k = 0; k < all.locations.size(); ++k) {
        SixHistories six{};
        for (std::size_t c = 0; c < 6; ++c)
          if (all.locations[k].rows[c] >= 0)
            six[c] = histories.col(all.locations[k].rows[c]).data();
        compute_invariants(six, count, scalars);
        const double scale = scalars.tresca.maxCoeff() + (kind == 2 ? 1e15 : 1e-300);
        const auto near = [&](const Extreme& found, double expected) {
          EXPECT_NEAR(found.value, expected, tolerance(1e-13) * scale);
        };
        near(run.locations[k].signed_max, scalars.signed_von_mises.maxCoeff());
        near(run.locations[k].signed_min, scalars.signed_von_mises.minCoeff());
        near(run.locations[k].von_mises, scalars.signed_von_mises.abs().maxCoeff());
        near(run.locations[k].principal_max, scalars.principal_max.maxCoeff());
        near(run.locations[k].principal_min, scalars.principal_min.minCoeff());
        near(run.locations[k].tresca, scalars.tresca.maxCoeff());
        if (kind == 1 && count == 1000) {  // the first of several equal peaks
          EXPECT_LT(run.locations[k].von_mises.time, 0.0125);
        }
      }
    }
}

// Truth: the documented messages.
TEST(RunStress, RefusesRunsThatDiverged) {
  const FeModel model = small_model();
  const ShapeSet shapes = shapes_of(model);
  const StressMesh mesh(model, shapes, {});
  const ComputedStress source(mesh, StressPlaces::centre);
  Eigen::MatrixXd zeta = coordinates();
  zeta(kInstants - 1, 1) = std::numeric_limits<double>::quiet_NaN();
  const auto code = [&](const Eigen::VectorXd& time, const Eigen::MatrixXd& each) {
    return testing::code_of([&] { stress_over_run(source, time, each, {}, no_progress()); });
  };
  EXPECT_EQ(code(times(), zeta), "not-finite");
  EXPECT_EQ(code(times(), coordinates().leftCols(1)), "mode-count");
  EXPECT_EQ(code(Eigen::VectorXd(), Eigen::MatrixXd(0, 2)), "no-rows");
}

// Truth: the history by Hooke's law, counted by a separate call of rainflow().
TEST(RunStress, DamageIsThatOfTheHistory) {
  const FeModel model = small_model();
  const ShapeSet shapes = shapes_of(model);
  const std::vector<std::int64_t> rod = {4};
  const StressMesh mesh(model, shapes, rod);
  DamageRule rule;
  rule.curve = {.slope = 4.0, .knee = 50e6, .knee_cycles = 1e6};
  const RunStress run = stress_over_run(ComputedStress(mesh, StressPlaces::centre),
                                        times(),
                                        coordinates(),
                                        {.damage = rule},
                                        no_progress());
  std::vector<double> history;
  for (Eigen::Index k = 0; k < kInstants; ++k)
    history.push_back(1e6 * kYoung * strain_at(k)(1, 1));
  const double expected = damage_of(rainflow(history, Residue::half_cycles), rule.curve);
  ASSERT_GT(expected, 0.0);
  EXPECT_EQ(run.counted, static_cast<std::int64_t>(run.locations.size()));
  EXPECT_NEAR(run.locations.front().damage, expected, tolerance(1e-10) * expected);
  // a knee above every amplitude means no damage
  rule.curve.knee = 1e12;
  rule.curve.below = BelowKnee::original;
  const RunStress none = stress_over_run(ComputedStress(mesh, StressPlaces::centre),
                                         times(),
                                         coordinates(),
                                         {.damage = rule},
                                         no_progress());
  EXPECT_EQ(none.counted, 0);
  EXPECT_EQ(none.locations.front().damage, 0.0);
}

/// Coordinates of `kind`: noise, slow and smooth, rest with a burst, levels with ties, one mode
/// alone (shear changes its sign with the others), a growing wave, small wiggles on a large swing.
Eigen::MatrixXd motion_of_kind(int kind, Eigen::Index count) {
  std::mt19937 random(static_cast<unsigned>(31 + kind));
  std::normal_distribution<double> normal;
  Eigen::MatrixXd zeta(count, 2);
  for (Eigen::Index t = 0; t < count; ++t) {
    const auto x = static_cast<double>(t);
    const double a = normal(random);
    const double b = normal(random);
    zeta.row(t) << a, b;
    if (kind == 1) zeta.row(t) << std::sin(0.004 * x), std::sin(0.0031 * x + 1.0);
    if (kind == 2) zeta.row(t) << (t > 400 && t < 500 ? a : 0.0), 0.0;
    if (kind == 3) zeta.row(t) << static_cast<double>(t % 4), static_cast<double>(t % 3);
    if (kind == 4) zeta.row(t) << 0.0, a;
    if (kind == 5) zeta.row(t) << 1e-3 * x * std::sin(0.3 * x), 0.2 * b;
    if (kind == 6) zeta.row(t) << std::sin(0.01 * x) + 1e-4 * a, 1e-7 * b;
  }
  return zeta;
}

// Truth: every instant in double precision, counted by rainflow(). Turning points are found in
// single precision, and cycles that together do less than 1e-9 of the damage are not counted.
TEST(RunStress, DamageIsThatOfEveryInstant) {
  const FeModel model = small_model();
  const ShapeSet shapes = shapes_of(model);
  const StressMesh mesh(model, shapes, {});
  const ComputedStress source(mesh, StressPlaces::corners);
  const ModalStress all = source.stress(0, source.size());
  WoehlerCurve welds{.slope = 3.0, .knee = 30e6, .knee_cycles = 1e6};
  WoehlerCurve base{.slope = 5.5, .knee = 30e6, .knee_cycles = 1e6, .below = BelowKnee::original};
  base.mean = MeanStress::goodman;
  base.strength = 5e9;
  WoehlerCurve fkm{.slope = 8.0, .knee = 30e6, .knee_cycles = 1e6, .below = BelowKnee::elementary};
  fkm.mean = MeanStress::fkm;
  fkm.sensitivity = 0.3;
  for (const Eigen::Index count : {1, 2, 63, 64, 65, 128, 1500})
    for (int kind = 0; kind < 7; ++kind)
      for (const Criterion criterion : {Criterion::signed_von_mises, Criterion::principal})
        for (const WoehlerCurve& curve : {welds, base, fkm})
          for (const Residue residue : {Residue::half_cycles, Residue::repeated}) {
            SCOPED_TRACE(::testing::Message()
                         << count << " instants, kind " << kind << ", slope " << curve.slope);
            const Eigen::MatrixXd zeta = motion_of_kind(kind, count);
            const Eigen::VectorXd time = Eigen::VectorXd::LinSpaced(count, 0.0, 1.0);
            const DamageRule rule{curve, criterion, residue};
            const RunStress run =
                stress_over_run(source, time, zeta, {.damage = rule}, no_progress());
            const Eigen::MatrixXd histories = zeta * all.S.transpose();
            for (std::size_t k = 0; k < all.locations.size(); ++k) {
              SixHistories six{};
              for (std::size_t c = 0; c < 6; ++c)
                if (all.locations[k].rows[c] >= 0)
                  six[c] = histories.col(all.locations[k].rows[c]).data();
              const Eigen::ArrayXd history =
                  counted_history(criterion, six, count, run.locations[k]);
              const double expected = damage_of(
                  rainflow({history.data(), static_cast<std::size_t>(count)}, residue), curve);
              EXPECT_NEAR(run.locations[k].damage, expected, tolerance(2e-9) * expected) << k;
            }
          }
}

// Truth: the error codes and the texts of the reasons.
TEST(RunStress, SaysWhyElementsHaveNoStress) {
  FeModel model = small_model();
  const auto reasons = [&] {
    const ShapeSet shapes = shapes_of(model);
    std::vector<std::string> out;
    const StressMesh mesh(model, shapes, {});
    for (const LeftOut& each : mesh.left_out())
      out.push_back(each.type + ": " + each.reason);
    return out;
  };
  model.properties.properties[1].refusal = "plies of laminates are not supported";
  model.properties.properties[2].material = "7";
  model.properties.elements[3].property = 1;
  const std::vector<std::string> found = reasons();
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0], "CQUAD4:  p: plies of laminates are not supported");
  EXPECT_EQ(found[1], "CBAR: material 7 is missing, or of a kind that is not read");
  EXPECT_EQ(found[3], "CBUSH: springs have forces and no stress");
  model.elements[1].type = "CSHEAR";
  EXPECT_EQ(reasons()[0], "CSHEAR: shear panels (PSHEAR) are not supported");
  model.elements[1].type = "CQUAD4";
  const auto code = [](const FeModel& m, std::vector<std::int64_t> wanted = {}) {
    return testing::code_of([&] {
      const ShapeSet shapes = shapes_of(m);
      const StressMesh mesh(m, shapes, wanted);
    });
  };
  EXPECT_EQ(code(small_model()), "no error");
  EXPECT_EQ(code(small_model(), {99}), "no-such-element");
  FeModel bare = small_model();
  bare.properties = {};
  EXPECT_EQ(code(bare), "no-materials");
  FeModel unknown = small_model();
  unknown.units.reset();
  EXPECT_EQ(code(unknown), "no-units");
}

// Truth: without rotations in the shapes the bending of shells and beams is unknown.
TEST(RunStress, ShellsNeedRotations) {
  FeModel model = small_model();
  std::vector<Dof> rows;
  std::vector<Eigen::Index> kept;
  for (std::int32_t k = 0; k < model.modes.rows.size(); ++k)
    if (model.modes.rows.rows()[static_cast<std::size_t>(k)].component <= 3) {
      rows.push_back(model.modes.rows.rows()[static_cast<std::size_t>(k)]);
      kept.push_back(k);
    }
  model.modes = make_mode_set(
      DofMap(rows), Eigen::MatrixXd(model.modes.shapes(kept, Eigen::all)), model.modes.modes);
  const ShapeSet shapes = shapes_of(model);
  const StressMesh mesh(model, shapes, {});
  EXPECT_EQ(mesh.size(), 2U);  // the solid and the rod
}

/// One element whose stress per unit of its single shape is given [Pa].
class OneStress final : public StressSource {
 public:
  explicit OneStress(const std::vector<std::pair<std::size_t, double>>& components) {
    StressLocation at;
    stress_.S.resize(static_cast<Eigen::Index>(components.size()), 1);
    for (std::size_t r = 0; r < components.size(); ++r) {
      at.rows[components[r].first] = static_cast<std::int32_t>(r);
      stress_.S(static_cast<Eigen::Index>(r), 0) = components[r].second;
    }
    stress_.locations = {at};
  }
  std::size_t size() const override { return 1; }
  std::int64_t id(std::size_t) const override { return 1; }
  const std::string& type(std::size_t) const override { return type_; }
  Eigen::Index shape_count() const override { return 1; }
  std::size_t most_rows() const override { return 6; }
  ModalStress stress(std::size_t, std::size_t) const override { return stress_; }
  const std::vector<LeftOut>& left_out() const override { return none_; }

 private:
  ModalStress stress_;
  std::string type_ = "CQUAD4";
  std::vector<LeftOut> none_;
};

// Truth: cycles of +-tau do the damage of cycles of +-sqrt(3) tau along one axis (von Mises) or of
// +-tau (principal stress), in any axes, with a little tension in phase, in plane and spatial
// states.
TEST(RunStress, AlternatingShearCountsItsWholeRange) {
  constexpr double tau = 100e6;
  const double c = std::cos(0.8), s = std::sin(0.8);  // twice the angle of the axes
  DamageRule rule;
  rule.curve = {.slope = 3.0, .knee = 50e6, .knee_cycles = 1e6, .below = BelowKnee::elementary};
  const Eigen::ArrayXd wave = (2.0 * std::numbers::pi * 8.0 * times().array()).sin();
  const auto damage_of_range = [&](double amplitude) {
    const Eigen::ArrayXd history = amplitude * wave;
    return damage_of(
        rainflow({history.data(), static_cast<std::size_t>(history.size())}, rule.residue),
        rule.curve);
  };
  const std::vector<std::vector<std::pair<std::size_t, double>>> states = {
      {{3, tau}},
      {{0, s * tau}, {1, -s * tau}, {3, c * tau}},
      {{4, tau}},
      {{0, s * tau}, {2, -s * tau}, {5, c * tau}}};
  for (const auto& state : states)
    for (const auto& [criterion, amplitude] :
         {std::pair{Criterion::signed_von_mises, std::sqrt(3.0) * tau},
          std::pair{Criterion::principal, tau}}) {
      rule.criterion = criterion;
      const RunStress run =
          stress_over_run(OneStress(state), times(), wave, {.damage = rule}, no_progress());
      const double expected = damage_of_range(amplitude);
      EXPECT_NEAR(run.locations.front().damage, expected, tolerance(1e-9) * expected);
    }
  // a curve without damage below its knee of 1.7 tau
  rule.curve.below = BelowKnee::original;
  rule.curve.knee = 1.7 * tau;
  rule.criterion = Criterion::signed_von_mises;
  const RunStress high =
      stress_over_run(OneStress({{3, tau}}), times(), wave, {.damage = rule}, no_progress());
  const double expected = damage_of_range(std::sqrt(3.0) * tau);
  ASSERT_GT(expected, 0.0);
  EXPECT_NEAR(high.locations.front().damage, expected, tolerance(1e-9) * expected);
}

// Truth: points of a bar on its axis have no stress of bending.
TEST(RunStress, BarsWithoutRecoveryPointsAreCounted) {
  FeModel model = small_model();
  const ShapeSet shapes = shapes_of(model);
  const auto counted = [&](const std::vector<Eigen::Vector2d>& points) {
    for (FeProperty& property : model.properties.properties)
      if (property.kind == FeProperty::Kind::beam) property.points = points;
    return StressMesh(model, shapes, {}).bars_without_bending();
  };
  const Eigen::Vector2d axis(0.0, 0.0);
  EXPECT_EQ(counted({}), 1);
  EXPECT_EQ(counted({axis, axis, axis, axis}), 1);
  EXPECT_EQ(counted({axis, {0.0, -0.5}}), 0);
}

}  // namespace
}  // namespace femflex::durability
