// Compares the block LU of the multibody solver with Eigen's general sparse LU, on matrices of open
// chains: [M G'; G 0] in blocks, with six velocities per body and five multipliers per hinge. Both
// analyse the pattern once; the times are for one factorisation with one solve. Not measured:
// matrices with modal coordinates.
#include "linear/block_factor.h"

#include <cstdlib>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include <Eigen/SparseLU>
#include <fmt/format.h>

namespace {

using femflex::mbd_solver::BlockFactor;
using femflex::mbd_solver::BlockNode;

constexpr int kBody = 6;
constexpr int kHinge = 5;

double cpu_now() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// Calls `work` repeatedly for some tenths of a second; returns CPU seconds per call.
template <class Work>
double cpu_of(const Work& work) {
  const double start = cpu_now();
  int calls = 0;
  do {
    work();
    ++calls;
  } while (cpu_now() - start < 0.3);
  return (cpu_now() - start) / calls;
}

struct Entry {
  int i = 0, j = 0;  // nodes
  Eigen::MatrixXd block;
};

/// A chain with bodies 0, 2, 4 and so on, and hinges 1, 3, 5 and so on between them; both
/// triangles.
std::vector<Entry> chain(int bodies) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  const auto filled = [&](int rows, int columns) {
    Eigen::MatrixXd out(rows, columns);
    for (Eigen::Index k = 0; k < out.size(); ++k)
      out.data()[k] = any(random);
    return out;
  };
  std::vector<Entry> out;
  for (int b = 0; b < bodies; ++b) {
    const Eigen::MatrixXd half = filled(kBody, kBody);
    out.push_back(
        {2 * b, 2 * b, half * half.transpose() + Eigen::MatrixXd::Identity(kBody, kBody)});
    for (const int hinge : {2 * b - 1, 2 * b + 1}) {
      if (hinge < 0 || hinge > 2 * bodies - 2) continue;
      const Eigen::MatrixXd G = filled(kHinge, kBody);
      out.push_back({hinge, 2 * b, G});
      out.push_back({2 * b, hinge, G.transpose()});
    }
  }
  return out;
}

void line(int bodies) {
  const std::vector<Entry> entries = chain(bodies);
  std::vector<BlockNode> nodes;
  std::vector<int> first;
  int size = 0;
  for (int node = 0; node < 2 * bodies - 1; ++node) {
    const bool hinge = node % 2 == 1;
    nodes.push_back(
        {.size = hinge ? kHinge : kBody, .multiplier = hinge, .body = hinge ? -1 : node});
    first.push_back(size);
    size += nodes.back().size;
  }
  std::vector<std::pair<int, int>> edges;
  std::vector<Eigen::Triplet<double>> triplets;
  for (const Entry& entry : entries) {
    if (entry.i > entry.j) edges.emplace_back(entry.i, entry.j);
    for (Eigen::Index c = 0; c < entry.block.cols(); ++c)
      for (Eigen::Index r = 0; r < entry.block.rows(); ++r)
        triplets.emplace_back(static_cast<int>(first[static_cast<std::size_t>(entry.i)] + r),
                              static_cast<int>(first[static_cast<std::size_t>(entry.j)] + c),
                              entry.block(r, c));
  }
  const Eigen::VectorXd load = Eigen::VectorXd::Ones(size);

  BlockFactor ours(nodes, edges);
  Eigen::VectorXd x;
  const double own = cpu_of([&] {
    ours.clear();
    for (const Entry& entry : entries) {
      const BlockFactor::Block block = ours.block(entry.i, entry.j);
      for (Eigen::Index c = 0; c < entry.block.cols(); ++c)
        for (Eigen::Index r = 0; r < entry.block.rows(); ++r)
          block(static_cast<int>(r), static_cast<int>(c)) = entry.block(r, c);
    }
    ours.factor();
    x = load;
    ours.solve(x.data());
  });

  Eigen::SparseMatrix<double> A(size, size);
  A.setFromTriplets(triplets.begin(), triplets.end());
  Eigen::SparseLU<Eigen::SparseMatrix<double>> general;
  general.analyzePattern(A);
  Eigen::VectorXd y;
  const double theirs = cpu_of([&] {
    general.factorize(A);
    y = general.solve(load);
  });
  fmt::print(
      "{:5} bodies, {:6} unknowns: block LU {:8.1f} us, residual {:.0e}; SparseLU {:8.1f} us, "
      "{:.0e}; "
      "{:.1f} times\n",
      bodies,
      size,
      1e6 * own,
      (A * x - load).norm() / load.norm(),
      1e6 * theirs,
      (A * y - load).norm() / load.norm(),
      theirs / own);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<int> counts;
  for (int k = 1; k < argc; ++k)
    counts.push_back(std::atoi(argv[k]));
  if (counts.empty()) counts = {10, 100, 1000};
  for (const int bodies : counts)
    line(bodies);
}
