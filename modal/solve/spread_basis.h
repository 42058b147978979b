// A basis of vectors whose rows are spread over the processes of a team.
#pragma once

#include <functional>
#include <memory>

#include <Eigen/Core>

#include "solve/lanczos_basis.h"
#include "solve/team.h"

namespace femflex::modal {

/// A basis of which every process holds a range of rows, see first_row(). The leader has whole
/// blocks, and sends and receives their rows. The team must outlive it.
std::unique_ptr<LanczosBasis> make_spread_basis(Team& team,
                                                Eigen::Index rows,
                                                Eigen::Index columns,
                                                int threads);

/// The way of matrices between a process and its leader.
struct LeaderLink {
  std::function<void(Eigen::Ref<Eigen::MatrixXd>)> receive;
  std::function<void(const Eigen::Ref<const Eigen::MatrixXd>&)> send;
};

/// First row that process `rank` of `size` holds. The leader has the matrices and the blocks, and
/// holds no row if there are others.
Eigen::Index first_row(Eigen::Index rows, int rank, int size);

/// The rows of a basis on a process other than the leader.
class SpreadRows {
 public:
  SpreadRows(Eigen::Index rows, Eigen::Index columns, int threads);
  void execute(const TeamOrder& order, const LeaderLink& leader);

 private:
  void receive(Eigen::MatrixXd& block, Eigen::Index columns, const LeaderLink& leader) const;
  static Eigen::MatrixXd small(Eigen::Index rows, Eigen::Index columns, const LeaderLink& leader);
  void remove(Eigen::Index from, Eigen::Index count, const LeaderLink& leader);

  Eigen::Index rows_;
  LocalBasis basis_;
  Eigen::MatrixXd W_, M_W_;  // blocks under way, kept because new memory costs as much as a product
};

}  // namespace femflex::modal
