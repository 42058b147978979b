#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/fe_model.h"
#include "femflex/modal/compute_modes.h"
#include "femflex/mode_set.h"
#include "femflex/sparse.h"

#include "solve/normal_modes.h"
#include "solve/system.h"

namespace femflex::modal {

/// Collects shapes of several kinds on the DOFs of the model.
class ModeCollector {
 public:
  void add(ModeKind kind, Eigen::MatrixXd u, const std::string& source);
  void add_normal(const NormalModes& modes, Eigen::MatrixXd u, const std::string& source);

  std::size_t mark() const { return blocks_.size(); }
  /// Forgets what came after the mark.
  void rewind(std::size_t mark);

  ModeSet finish(const FeModel& model) &&;

 private:
  std::vector<Eigen::MatrixXd> blocks_;
  std::vector<ModeInfo> infos_;
};

/// What the modes of a request are computed from, and where they go.
struct ModeWork {
  const FeModel& model;
  const System& system;
  const ModeRequest& request;
  Diagnostics& diagnostics;
  Progress& progress;
  ModeCollector& modes;
  SolveReport& report;

  bool wants_normal(const NormalRequest& normal) const {
    return normal.count > 0 || normal.limit || normal.all;
  }
  NormalRequest normal_request() const;
  /// Leaves the modes of the band of the request.
  void keep_band(NormalModes& normal) const;
  /// K may be indefinite where the user gave a shift for it, and nowhere else.
  /// @throws ModelError
  void refuse_negative(const NormalModes& normal) const;
  /// One column per load case, on the unknowns.
  /// @throws ModelError  the model holds none
  Eigen::MatrixXd load_columns() const;
};

/// Columns with a single 1, at the rows `ones`.
Eigen::MatrixXd unit_columns(Eigen::Index rows, const std::vector<std::int64_t>& ones);

/// Columns of which nothing but round-off is left become zero.
void clear_round_off(const Eigen::VectorXd& length_before, Eigen::MatrixXd& u);

/// Subtracts from u its share of the M-orthonormal shapes Phi: a share that is zero but for
/// round-off.
void remove_share(Eigen::MatrixXd& u, const Eigen::MatrixXd& Phi, const SparseMatrix& M);

}  // namespace femflex::modal
