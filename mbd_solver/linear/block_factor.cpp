// Block LU of the matrix of a step. Orders bodies and joints for elimination by minimum degree,
// with a joint after one of its bodies; stores one dense front per node; factors and solves front
// by front.
#include "linear/block_factor.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace femflex::mbd_solver {
namespace {

/// A smaller pivot, relative to the body's largest diagonal entry, is round-off for a body that may
/// have no mass.
constexpr double kSingularPivot = 1e-13;

}  // namespace

BlockFactor::BlockFactor(std::vector<BlockNode> nodes,
                         const std::vector<std::pair<int, int>>& edges)
    : nodes_(std::move(nodes)) {
  first_.resize(nodes_.size());
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    first_[k] = size_;
    size_ += nodes_[k].size;
  }
  order(edges);
}

// Returns, for each joint, the body at the free end of the branch (open chain) that the joint
// carries, or -1 if the joint is part of a loop. Removes the leaves of the graph of bodies and
// joints one by one; several joints between the same bodies count as one.
std::vector<int> BlockFactor::branch_ends(const std::vector<std::pair<int, int>>& edges) const {
  const std::size_t count = nodes_.size();
  std::vector<std::set<int>> bodies(count);  // bodies of each joint
  for (const auto& [a, b] : edges)
    for (const auto& [i, j] : {std::pair{a, b}, std::pair{b, a}}) {
      const BlockNode& joint = nodes_[static_cast<std::size_t>(i)];
      const BlockNode& other = nodes_[static_cast<std::size_t>(j)];
      if (joint.multiplier && !other.multiplier)
        bodies[static_cast<std::size_t>(i)].insert(other.body >= 0 ? other.body : j);
    }
  std::vector<std::vector<int>> joints(count);  // joints of each body
  for (std::size_t u = 0; u < count; ++u)
    for (const int body : bodies[u])
      joints[static_cast<std::size_t>(body)].push_back(static_cast<int>(u));
  std::vector<int> ends(count, -1);
  std::vector<bool> removed(count, false);
  std::vector<int> open;
  for (std::size_t body = 0; body < count; ++body)
    if (!joints[body].empty()) open.push_back(static_cast<int>(body));
  while (!open.empty()) {
    const int body = open.back();
    open.pop_back();
    std::vector<int> remaining_joints;
    for (const int u : joints[static_cast<std::size_t>(body)])
      if (!removed[static_cast<std::size_t>(u)]) remaining_joints.push_back(u);
    if (remaining_joints.empty()) continue;
    const std::set<int>& ends_of_joint = bodies[static_cast<std::size_t>(remaining_joints.front())];
    if (!std::all_of(remaining_joints.begin(), remaining_joints.end(), [&](int u) {
          return bodies[static_cast<std::size_t>(u)] == ends_of_joint;
        }))
      continue;
    for (const int u : remaining_joints) {
      ends[static_cast<std::size_t>(u)] = body;
      removed[static_cast<std::size_t>(u)] = true;
    }
    for (const int other : ends_of_joint)
      if (other != body) open.push_back(other);
  }
  return ends;
}

namespace {

/// The graph of block nodes during elimination by minimum degree, diagonal nodes first. The
/// diagonal block of a joint is zero until adjacent bodies are eliminated. In a branch it becomes
/// regular when the body at the end of the branch is eliminated. In a loop it may stay singular
/// until all bodies of the joint are eliminated, so the joint waits for all of them.
class Elimination {
 public:
  Elimination(const std::vector<BlockNode>& nodes,
              const std::vector<std::pair<int, int>>& edges,
              std::vector<int> branch_ends)
      : nodes_(nodes),
        ends_(std::move(branch_ends)),
        adjacent_(nodes.size()),
        eliminated_(nodes.size(), false),
        ready_(nodes.size(), false),
        cost_(nodes.size(), 0) {
    for (const auto& [a, b] : edges) {
      if (a == b) continue;
      adjacent_[static_cast<std::size_t>(a)].insert(b);
      adjacent_[static_cast<std::size_t>(b)].insert(a);
    }
    for (std::size_t k = 0; k < nodes.size(); ++k)
      ready_[k] = !nodes[k].multiplier;
    for (std::size_t k = 0; k < nodes.size(); ++k)
      update_cost(static_cast<int>(k));
  }

  /// Eliminates the next node; the remaining neighbours become neighbours of each other.
  /// @param neighbours  receives the remaining nodes adjacent to the eliminated one
  int eliminate(std::vector<int>& neighbours) {
    const int best = cheapest();
    const auto b = static_cast<std::size_t>(best);
    eliminated_[b] = true;
    neighbours.assign(adjacent_[b].begin(), adjacent_[b].end());
    for (const int i : neighbours) {
      const auto u = static_cast<std::size_t>(i);
      adjacent_[u].erase(best);
      for (const int j : neighbours)
        if (j != i) adjacent_[u].insert(j);
    }
    for (const int i : neighbours) {
      const auto u = static_cast<std::size_t>(i);
      if (nodes_[u].multiplier) ready_[u] = is_regular(i);
      update_cost(i);
    }
    return best;
  }

 private:
  /// Removes and returns the candidate of least cost.
  int cheapest() {
    if (!candidates_.empty()) {
      const int best = candidates_.begin()->second;
      candidates_.erase(candidates_.begin());
      return best;
    }
    // only multipliers without bodies remain; factor() will report them
    const auto next = std::find(eliminated_.begin(), eliminated_.end(), false);
    return static_cast<int>(next - eliminated_.begin());
  }
  /// Whether the eliminations so far have made the block of a joint regular.
  bool is_regular(int joint) const {
    const int end = ends_[static_cast<std::size_t>(joint)];
    bool has_body = false, has_end = false;
    for (const int j : adjacent_[static_cast<std::size_t>(joint)]) {
      const BlockNode& node = nodes_[static_cast<std::size_t>(j)];
      if (node.multiplier) continue;
      has_body = true;
      has_end = has_end || (node.body >= 0 ? node.body : j) == end;
    }
    return !has_body || (end >= 0 && !has_end);
  }
  /// Updates a node's cost and, if the node may be eliminated, its position among the candidates.
  void update_cost(int k) {
    const auto u = static_cast<std::size_t>(k);
    candidates_.erase({cost_[u], k});
    int degree = 0;
    for (const int other : adjacent_[u])
      degree += nodes_[static_cast<std::size_t>(other)].size;
    cost_[u] = nodes_[u].diagonal ? -1 : degree;
    if (ready_[u]) candidates_.insert({cost_[u], k});
  }

  const std::vector<BlockNode>& nodes_;
  std::vector<int> ends_;  // per joint: result of branch_ends()
  std::vector<std::set<int>> adjacent_;
  std::vector<bool> eliminated_, ready_;
  std::vector<int> cost_;
  std::set<std::pair<int, int>> candidates_;  // cost and index of nodes that may be eliminated
};

}  // namespace

void BlockFactor::order(const std::vector<std::pair<int, int>>& edges) {
  Elimination elimination(nodes_, edges, branch_ends(edges));
  position_.assign(nodes_.size(), -1);
  fronts_.resize(nodes_.size());
  for (std::size_t step = 0; step < fronts_.size(); ++step) {
    Front& front = fronts_[step];
    front.node = elimination.eliminate(front.neighbours);
    const auto b = static_cast<std::size_t>(front.node);
    position_[b] = static_cast<int>(step);
    front.s = nodes_[b].size;
    front.diagonal = nodes_[b].diagonal;
  }
  lay_out_fronts();
  map_to_parents();
}

// Sets the rows of the fronts in the order of elimination, and the offsets of the fronts in the
// arrays.
void BlockFactor::lay_out_fronts() {
  std::size_t values = 0, permutations = 0, widest = 0;
  for (Front& front : fronts_) {
    std::sort(front.neighbours.begin(), front.neighbours.end(), [&](int a, int b) {
      return position_[static_cast<std::size_t>(a)] < position_[static_cast<std::size_t>(b)];
    });
    const auto append = [&](int node) {
      const auto u = static_cast<std::size_t>(node);
      for (int r = 0; r < nodes_[u].size; ++r)
        front.rows.push_back(first_[u] + r);
    };
    append(front.node);
    for (const int node : front.neighbours) {
      front.neighbour_at.push_back(static_cast<int>(front.rows.size()));
      append(node);
    }
    front.width = static_cast<int>(front.rows.size());
    front.data = values;
    const auto w = static_cast<std::size_t>(front.width), s = static_cast<std::size_t>(front.s);
    front.kernel = front_kernel(front.s, front.width);
    values += front.diagonal ? s + 2 * s * (w - s) : w * w;
    front.permutation = permutations;
    permutations += s;
    widest = std::max(widest, w);
    if (!front.neighbours.empty())
      front.parent = position_[static_cast<std::size_t>(front.neighbours.front())];
  }
  values_.assign(values, 0.0);
  permutation_.assign(permutations, 0);
  pivots_.assign(static_cast<std::size_t>(size_), 0.0);
  scratch_.assign(widest, 0.0);
  schur_.assign(widest * widest, 0.0);
}

// Maps the rows of each front to rows of its parent, which is the front of its first neighbour.
void BlockFactor::map_to_parents() {
  std::vector<int> row_in_parent(static_cast<std::size_t>(size_), -1);
  for (Front& front : fronts_) {
    if (front.parent < 0) continue;
    const Front& parent = fronts_[static_cast<std::size_t>(front.parent)];
    for (std::size_t r = 0; r < parent.rows.size(); ++r)
      row_in_parent[static_cast<std::size_t>(parent.rows[r])] = static_cast<int>(r);
    for (std::size_t r = static_cast<std::size_t>(front.s); r < front.rows.size(); ++r)
      front.to_parent.push_back(row_in_parent[static_cast<std::size_t>(front.rows[r])]);
  }
}

void BlockFactor::clear() {
  std::fill(values_.begin(), values_.end(), 0.0);
}

BlockFactor::Block BlockFactor::block(int i, int j) {
  const bool i_first =
      position_[static_cast<std::size_t>(i)] <= position_[static_cast<std::size_t>(j)];
  const int early = i_first ? i : j;
  const int late = i_first ? j : i;
  Front& front = fronts_[static_cast<std::size_t>(position_[static_cast<std::size_t>(early)])];
  int at = 0;
  if (i != j)
    for (std::size_t k = 0; k < front.neighbours.size(); ++k)
      if (front.neighbours[k] == late) at = front.neighbour_at[k];
  double* data = values_.data() + front.data;
  if (!front.diagonal) {
    if (i_first) return {data + at, front.width, 1};
    return {data + at * front.width, front.width, 1};
  }
  if (i == j) return {data, 1, 0};  // (r, r)
  // two (s x w) arrays for the modal node: its block row, then its block column transposed
  const int w = front.width - front.s;
  double* right = data + front.s + (at - front.s);
  if (i_first) return {right, w, 1};
  return {right + front.s * w, 1, w};
}

// Adds the Schur complement of a front to its parent (extend-add of the multifrontal method).
void BlockFactor::extend_add(const Front& front, const double* schur, int stride) {
  if (front.parent < 0) return;
  const Front& parent = fronts_[static_cast<std::size_t>(front.parent)];
  double* target = values_.data() + parent.data;
  const int w = front.width - front.s;
  const int* map = front.to_parent.data();
  for (int r = 0; r < w; ++r) {
    double* row = target + map[r] * parent.width;
    const double* from = schur + r * stride;
    for (int c = 0; c < w; ++c)
      row[map[c]] += from[c];
  }
}

bool BlockFactor::factor_dense(Front& front) {
  double* F = values_.data() + front.data;
  const int w = front.width;
  const int s = front.s;
  double min_pivot = 0.0;
  if (nodes_[static_cast<std::size_t>(front.node)].may_be_singular)
    for (int k = 0; k < s; ++k)
      min_pivot = std::max(min_pivot, kSingularPivot * std::abs(F[k * w + k]));
  if (!front.kernel.eliminate(F,
                              s,
                              w,
                              permutation_.data() + front.permutation,
                              pivots_.data() + front.rows.front(),
                              min_pivot))
    return false;
  extend_add(front, F + s * w + s, w);
  return true;
}

// Factors a front whose pivot block is a diagonal matrix D, with rows B to the right of D and
// columns C below D: the Schur complement is -C' D^-1 B.
bool BlockFactor::factor_diagonal(Front& front) {
  const int s = front.s;
  const int w = front.width - s;
  double* D = values_.data() + front.data;
  double* B = D + s;
  const double* C = B + s * w;
  double* S = schur_.data();
  std::fill(S, S + w * w, 0.0);
  for (int k = 0; k < s; ++k) {
    pivots_[static_cast<std::size_t>(front.rows[static_cast<std::size_t>(k)])] = std::abs(D[k]);
    if (D[k] == 0.0 || !std::isfinite(D[k])) return false;
    D[k] = 1.0 / D[k];
    double* b = B + k * w;
    const double* c = C + k * w;
    for (int j = 0; j < w; ++j)
      b[j] *= D[k];
    for (int i = 0; i < w; ++i) {
      const double factor = c[i];
      double* row = S + i * w;
      for (int j = 0; j < w; ++j)
        row[j] -= factor * b[j];
    }
  }
  extend_add(front, S, w);
  return true;
}

bool BlockFactor::factor() {
  failed_ = -1;
  for (Front& front : fronts_)
    if (!(front.diagonal ? factor_diagonal(front) : factor_dense(front))) {
      failed_ = front.node;
      return false;
    }
  return true;
}

void BlockFactor::solve(double* b) {
  double* x = scratch_.data();
  for (const Front& front : fronts_) {
    const int w = front.width;
    const int s = front.s;
    const int* rows = front.rows.data();
    const double* F = values_.data() + front.data;
    if (front.diagonal) {
      const int rest = w - s;
      const double* C = F + s + s * rest;
      std::fill(x, x + rest, 0.0);
      for (int k = 0; k < s; ++k) {
        const double y = b[rows[k]] * F[k];
        b[rows[k]] = y;
        const double* c = C + k * rest;
        for (int i = 0; i < rest; ++i)
          x[i] += c[i] * y;
      }
      for (int i = 0; i < rest; ++i)
        b[rows[s + i]] -= x[i];
      continue;
    }
    // pivot rows of a node are adjacent in b
    front.kernel.forward(F, s, w, permutation_.data() + front.permutation, rows, b);
  }
  for (auto it = fronts_.rbegin(); it != fronts_.rend(); ++it) {
    const Front& front = *it;
    const int w = front.width;
    const int s = front.s;
    const int* rows = front.rows.data();
    const double* F = values_.data() + front.data;
    if (front.diagonal) {
      for (int c = s; c < w; ++c)
        x[c] = b[rows[c]];
      const int rest = w - s;
      const double* B = F + s;
      for (int k = 0; k < s; ++k) {
        const double* row = B + k * rest;
        double sum = 0.0;
        for (int c = 0; c < rest; ++c)
          sum += row[c] * x[s + c];
        b[rows[k]] -= sum;
      }
      continue;
    }
    front.kernel.backward(F, s, w, rows, b, x);
  }
}

double BlockFactor::pivot(int node, int row) const {
  return pivots_[static_cast<std::size_t>(first_[static_cast<std::size_t>(node)] + row)];
}

}  // namespace femflex::mbd_solver
