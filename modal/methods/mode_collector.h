// Collects computed modes in one set (ModeCollector), and holds the inputs from which every kind of
// mode is computed (ModeWork).
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
  /// Adds the columns of u, shapes on the DOFs of the model, numbered within their kind.
  void add(ModeKind kind, Eigen::MatrixXd u, const std::string& source);
  void add_normal(const NormalModes& modes, Eigen::MatrixXd u, const std::string& source);

  /// The present state, for rewind().
  std::size_t mark() const { return blocks_.size(); }
  /// Removes the modes added after mark() returned `mark`.
  void rewind(std::size_t mark);

  /// The modes added, in their order, on model.dofs.
  ModeSet finish(const FeModel& model) &&;

 private:
  std::vector<Eigen::MatrixXd> blocks_;
  std::vector<ModeInfo> infos_;
};

/// The inputs from which the modes of a request are computed, and the collector that receives them.
struct ModeWork {
  const FeModel& model;
  const System& system;
  const ModeRequest& request;
  Eigen::Index others;  ///< lower bound of the number of modes besides normal ones
  Diagnostics& diagnostics;
  Progress& progress;
  ModeCollector& modes;
  SolveReport& report;

  bool wants_normal(const NormalRequest& normal) const {
    return normal.count > 0 || normal.limit || normal.all;
  }
  /// Number and limit of normal modes in the request, the limit as an eigenvalue of the model.
  NormalRequest normal_request() const;
  /// Keeps only the modes in the band of the request.
  void keep_band(NormalModes& normal) const;
  /// Checks that K is not indefinite, unless the user gave a shift for it.
  /// @throws ModelError
  void check_definite(const NormalModes& normal) const;
  /// One column per load case, on the unknowns.
  /// @throws ModelError  the model holds none
  Eigen::MatrixXd load_columns() const;
};

/// Columns with a single 1, at the rows `ones`.
Eigen::MatrixXd unit_columns(Eigen::Index rows, const std::vector<std::int64_t>& ones);

/// Sets columns to zero that contain only round-off.
void clear_round_off(const Eigen::VectorXd& length_before, Eigen::MatrixXd& u);

/// Subtracts from u its share along the M-orthonormal shapes Phi, which is only round-off.
void remove_share(Eigen::MatrixXd& u, const Eigen::MatrixXd& Phi, const SparseMatrix& M);

}  // namespace femflex::modal
