// A basis of vectors whose rows are spread over the processes of a team.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

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

/// The way of numbers between a process and its leader.
struct LeaderLink {
  std::function<std::vector<double>()> receive;
  std::function<void(std::span<const double>)> send;
};

/// First row that process `rank` of `size` holds. The leader has the matrices and the blocks, and
/// holds no row if there are others.
Eigen::Index first_row(Eigen::Index rows, int rank, int size);

/// What a process other than the leader does with its rows of a basis at an order.
void execute(const TeamOrder& order, LocalBasis& rows, const LeaderLink& leader);

}  // namespace femflex::modal
