// Splits the matrices of a System by fixed unknowns (b) and free unknowns (i). The functions are
// declared in system.h.
#include <algorithm>

#include "solve/projection.h"
#include "solve/system.h"

namespace femflex::modal {

Partition partition(const System& system, const std::vector<std::int64_t>& held) {
  Partition out;
  out.b = held;
  const auto n = static_cast<std::size_t>(system.size());
  // position k in b is stored as -2 - k, position k in i as k
  std::vector<std::int64_t> place(n, -1);
  for (std::size_t k = 0; k < held.size(); ++k)
    place[static_cast<std::size_t>(held[k])] = -2 - static_cast<std::int64_t>(k);
  for (std::size_t row = 0; row < n; ++row)
    if (place[row] == -1) {
      place[row] = static_cast<std::int64_t>(out.i.size());
      out.i.push_back(static_cast<std::int64_t>(row));
      out.group_i.push_back(system.group[row]);
    }
  const auto ni = static_cast<std::int64_t>(out.i.size());
  const auto nb = static_cast<std::int64_t>(out.b.size());
  const auto split =
      [&](const SparseMatrix& A, SparseMatrix& ii, SparseMatrix& ib, SparseMatrix& bb) {
        std::vector<femflex::Entry> rectangle;
        std::vector<femflex::Entry> corner;
        ii.resize(ni, ni);
        ii.reserve(A.nonZeros());
        for (Eigen::Index col = 0; col < A.cols(); ++col) {
          const std::int64_t c = place[static_cast<std::size_t>(col)];
          if (c >= 0) ii.startVec(c);
          for (SparseMatrix::InnerIterator it(A, col); it; ++it) {
            const std::int64_t r = place[static_cast<std::size_t>(it.row())];
            if (r >= 0 && c >= 0)
              ii.insertBack(r, c) = it.value();
            else if (r >= 0)
              rectangle.push_back({r, -2 - c, it.value()});
            else if (c >= 0)
              rectangle.push_back({c, -2 - r, it.value()});
            else
              corner.push_back({std::max(-2 - r, -2 - c), std::min(-2 - r, -2 - c), it.value()});
          }
        }
        ii.finalize();
        ii.makeCompressed();
        ib = assemble(ni, nb, rectangle);
        bb = assemble(nb, nb, corner);
      };
  split(system.K, out.K_ii, out.K_ib, out.K_bb);
  split(system.M, out.M_ii, out.M_ib, out.M_bb);
  return out;
}

Eigen::MatrixXd scatter(const std::vector<std::int64_t>& rows,
                        const Eigen::MatrixXd& x_i,
                        Eigen::Index size) {
  Eigen::MatrixXd x = Eigen::MatrixXd::Zero(size, x_i.cols());
  for (Eigen::Index col = 0; col < x.cols(); ++col)
    for (std::size_t k = 0; k < rows.size(); ++k)
      x(rows[k], col) = x_i(static_cast<Eigen::Index>(k), col);
  return x;
}

}  // namespace femflex::modal
