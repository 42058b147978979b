// BlockFactor: LU factors of the block matrix of a time step, along the tree of bodies and joints.
// KktMatrix (spatial/kkt.cpp) uses it.
#pragma once

#include <utility>
#include <vector>

#include <Eigen/Core>

#include "linear/front_kernel.h"

namespace femflex::mbd_solver {

/// A group of unknowns of a KKT matrix: a body, its modal coordinates, or a joint's multipliers.
struct BlockNode {
  int size = 0;
  bool multiplier = false;  ///< the diagonal block is zero, so a neighbour must be eliminated first
  bool diagonal = false;    ///< the diagonal block is a diagonal matrix (modal coordinates)
  /// the diagonal block may be singular (massless body), so its pivots are checked
  bool may_be_singular = false;
  /// index of the body, the same for all its nodes and less than the number of nodes
  int body = -1;
};

/// LU factors of a matrix with a symmetric block pattern, by dense fronts along an elimination
/// tree. The tree is analysed once (docs/theory/multibody.md eq. 30-32). For a tree of bodies the
/// work grows linearly with the number of bodies.
class BlockFactor {
 public:
  BlockFactor() = default;
  BlockFactor(std::vector<BlockNode> nodes, const std::vector<std::pair<int, int>>& edges);

  /// A block of the matrix, stored in a front. Element (r, c) is data[r * row_step + c * col_step].
  struct Block {
    double* data = nullptr;
    int row_step = 0;
    int col_step = 0;
    double& operator()(int r, int c) const { return data[r * row_step + c * col_step]; }
  };
  /// Sets all blocks to zero.
  void clear();
  /// Returns block (i, j); entries may be added to it until factor(). For i != j, (i, j) must be an
  /// edge. The diagonal block of a diagonal node has only the entries (r, r).
  Block block(int i, int j);

  /// Factors the matrix in place. Returns false if a pivot is zero, is not finite, or is round-off
  /// in a node that may be singular. failed_node() then returns the node, and solve() must not be
  /// called.
  bool factor();
  /// Node whose pivot failed in factor().
  int failed_node() const { return failed_; }
  /// Solves A x = b: b becomes x. Unknowns are node after node, in the order given to the
  /// constructor.
  void solve(double* b);
  /// Absolute value of the pivot of a node's row in the last factor().
  double pivot(int node, int row) const;
  int size() const { return size_; }

 private:
  struct Front {
    int node = 0;
    int s = 0;      // number of pivots
    int width = 0;  // number of rows of the front, including pivots
    bool diagonal = false;
    std::size_t data = 0;   // offset of the width x width array, or of the diagonal form
    std::vector<int> rows;  // unknown (index in the whole system) of each front row
    int parent = -1;
    std::vector<int> to_parent;                 // index of row s + k in the parent's front
    std::vector<int> neighbours, neighbour_at;  // later nodes and their first row in the front
    std::size_t permutation = 0;
    FrontKernel kernel;
  };
  std::vector<int> branch_ends(const std::vector<std::pair<int, int>>& edges) const;
  void order(const std::vector<std::pair<int, int>>& edges);
  void lay_out_fronts();
  void map_to_parents();
  bool factor_dense(Front& front);
  bool factor_diagonal(Front& front);
  void extend_add(const Front& front, const double* schur, int stride);

  std::vector<BlockNode> nodes_;
  std::vector<int> first_;     // first unknown of each node
  std::vector<int> position_;  // position of each node in the elimination order
  std::vector<Front> fronts_;  // in elimination order
  std::vector<double> values_;
  std::vector<double> pivots_;  // pivot of each unknown after factor()
  std::vector<int> permutation_;
  std::vector<double> scratch_, schur_;
  int size_ = 0;
  int failed_ = -1;
};

}  // namespace femflex::mbd_solver
