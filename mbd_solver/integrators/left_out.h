// LeftOutWatch: what the modes of flexible bodies that do not act would add to a run, row by row,
// and its summary.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "femflex/mbd_solver/simulate.h"

#include "integrators/engine.h"

namespace femflex::mbd_solver {

/// Watches a run for what its flexible bodies leave out.
///
/// The same system with all modes of these bodies, at the state of the run, does not fulfil its
/// equations: the rows of its residual that are not zero are the loads that no acting mode holds.
/// The difference that they make follows from one correction of Newton's method at each row, in the
/// scheme of generalised-alpha with the rows as its steps: joints, forces and the acting modes give
/// way to it. docs/theory/multibody.md eq. (52)
class LeftOutWatch {
 public:
  /// @param model  of `system`
  LeftOutWatch(const System& system, const Model& model, const DynamicOptions& options);
  /// Computes Workspace::left_out at a row, after set_all().
  void row(Engine& engine, const State& state);
  /// One entry for each body with modes that do not act; none if the difference was lost.
  std::vector<LeftOutReport> summary() const;

 private:
  /// A flexible body with modes that do not act.
  struct Watched {
    int body = 0;
    Eigen::MatrixXd E;  // xi of all modes = E xi (all x acting)
    Eigen::VectorXd k;  // stiffness of the acting modes
    std::vector<std::int64_t> nodes;
    Eigen::MatrixXd shapes;            // (3 nodes x modes), by zeta
    Eigen::MatrixXd left_out_squares;  // sum over rows of xi xi' of the difference, lower triangle
    Eigen::MatrixXd squares;           // the same of the acting modes
    double energy = 0.0, share = 0.0, share_squares = 0.0;
    double largest = 0.0;  // [m] static response of a node when `cause` was found
    std::string cause;
  };
  void add_body(int body);
  void map_state(const State& state);
  /// Computes the residual at the mapped state moved by the difference.
  void evaluate(const Engine& engine, const State& state, bool moved);
  bool start(const Engine& engine, const State& state);
  bool step(const Engine& engine, const State& state);
  bool update_matrix(double h, double gain_rate, double gain_x);
  void measure_load(Watched& watched);
  void find_cause(Watched& watched, const Eigen::ArrayXd& load);
  void keep(Watched& watched, Engine& engine);
  LeftOutReport report(const Watched& watched) const;
  const FlexModel& all_modes(const Watched& watched) const;
  const FlexModel& acting(const Watched& watched) const;

  const Model& model_;
  double alpha_m_ = 0.0, alpha_f_ = 0.0, gamma_ = 0.0, beta_ = 0.0;
  std::unique_ptr<const Model> all_;  // of the system with all modes; null: nothing is left out
  std::optional<Workspace> ws_;
  std::optional<KktMatrix> kkt_;
  Eigen::VectorXd q_, v_, a_;  // of the run, mapped; then moved by the difference
  // the difference: of positions (moves of the group), velocities, accelerations
  Eigen::VectorXd x_, rate_, true_, algorithmic_;
  Eigen::VectorXd f_, c_, solution_, multipliers_;  // right-hand sides and solutions of the matrix
  std::vector<Eigen::Quaterniond> attitudes_;       // R_WB of the bodies at the last row
  std::vector<Eigen::Quaterniond> matrix_attitudes_;  // when the kept matrix was made
  double matrix_step_ = 0.0;                          // [s] 0: none is kept
  std::vector<Watched> watched_;
  double t_ = 0.0;  // [s] of the last row
  std::int64_t rows_ = 0, measured_ = 0;
  bool is_lost_ = false;
};

}  // namespace femflex::mbd_solver
