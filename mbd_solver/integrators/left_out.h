// LeftOutWatch: estimates what the disabled modes of flexible bodies would add to a run, row by
// row, and gives a summary. simulate() uses it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "femflex/mbd_solver/simulate.h"

#include "integrators/alpha_rule.h"
#include "integrators/engine.h"
#include "integrators/kept_steps.h"

namespace femflex::mbd_solver {

/// Estimates the effect of disabled modes along a run.
///
/// The state of the run is inserted into the same system with all modes. The residual of its
/// equations then contains the loads that no enabled mode can represent. One Newton correction
/// gives the difference of the motion, by generalised-alpha from row to row, or in equal parts
/// where many steps of the run lie between. Joints, forces and enabled modes respond to this
/// difference. Where forces have states and the corrections do not come to an end, the parts become
/// shorter. docs/theory/multibody.md eq. (52)
class LeftOutWatch {
 public:
  /// @param model  of `system`
  LeftOutWatch(const System& system, const Model& model, const DynamicOptions& options);
  bool is_needed() const { return !watched_.empty(); }
  /// Receives the steps between rows.
  KeptSteps& steps() { return steps_; }
  /// Computes Workspace::left_out at a row. Call Engine::set_all() before.
  void row(Engine& engine, const State& state);
  /// One entry per body with disabled modes; empty if the difference could not be computed.
  std::vector<LeftOutReport> summary() const;
  /// Why a summary is missing or cannot be true; else empty.
  std::string note(const std::vector<LeftOutReport>& summary) const;

 private:
  /// A flexible body with disabled modes.
  struct Watched {
    int body = 0;
    Eigen::MatrixXd E;  // (all x enabled): xi of all modes = E xi of the enabled modes
    Eigen::VectorXd k;  // stiffness of the enabled modes
    std::vector<std::int64_t> nodes;
    Eigen::MatrixXd shapes;            // (3 nodes x modes), by zeta
    Eigen::MatrixXd left_out_squares;  // sum over rows of xi xi', xi the difference; lower triangle
    Eigen::MatrixXd squares;           // the same sum for the motion with the difference
    double energy = 0.0, share = 0.0, share_squares = 0.0;
    double largest = 0.0;  // [m] static response of a node when `cause` was found
    std::string cause;
  };
  void add_body(int body);
  void map_state(const State& state);
  /// Computes the residual at the mapped state moved by the difference.
  /// @param gain  [s] of the rule for force states and blocks; 0: they are those of the run
  void evaluate(const Engine& engine, const State& state, bool moved, double gain = 0.0);
  void turn_axes(const State& state);
  void keep_states(const Engine& engine, const State& state);
  bool start(const Engine& engine, const State& state);
  enum class Step { followed, unsettled, failed };
  Step step(const Engine& engine, const State& state);
  bool follow(Engine& engine, const State& state);
  bool update_matrix(double h);
  void measure_load(Watched& watched);
  void find_cause(Watched& watched, const Eigen::ArrayXd& load);
  void keep(Watched& watched, Engine& engine);
  LeftOutReport report(const Watched& watched) const;
  const FlexModel& all_modes(const Watched& watched) const;
  const FlexModel& acting(const Watched& watched) const;

  const Model& model_;
  AlphaRule rule_;
  std::unique_ptr<const Model> all_;  // of the system with all modes; null: nothing is left out
  std::optional<Workspace> ws_;
  std::optional<KktMatrix> kkt_;
  Eigen::VectorXd q_, v_, a_;  // of the run, mapped to all modes; then with the difference added
  /// The difference at the last row, or at the last step on the way to the next.
  struct Difference {
    // of positions (translations and rotations), velocities, accelerations
    Eigen::VectorXd x, rate, true_acceleration, algorithmic;
    State first_order;  // its force states and their rates are the differences of these
    std::vector<Eigen::Quaterniond> attitudes;  // R_WB of the bodies
    double t = 0.0;                             // [s]
  };
  void leave(const State& state);
  Difference d_;
  KeptSteps steps_;
  std::size_t parts_ = 1;            // in which the last rows had to be taken
  Eigen::VectorXd state_constants_;  // of the rule of the differences in this row
  SpinAxes spin_axes_;
  std::vector<Spin>
      spins_;  // of the row; their true_ and algorithmic_ are in axes that do not spin
  Eigen::VectorXd f_, c_, solution_, multipliers_;  // right-hand sides and solutions of the matrix
  std::vector<Eigen::Quaterniond> matrix_attitudes_;  // when the kept matrix was made
  double matrix_step_ = 0.0;                          // [s] 0: none is kept
  bool is_slow_ = false;                              // the kept matrix no longer contracts
  std::vector<Watched> watched_;
  std::int64_t rows_ = 0, measured_ = 0;
  bool is_lost_ = false;
};

}  // namespace femflex::mbd_solver
