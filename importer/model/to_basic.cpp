// Transforms the rows of matrices and shapes from displacement systems (CD) to basic directions
// (u_basic = T u_local), and expands stored matrices to both triangles; declared in matrices.h.
#include <algorithm>
#include <array>
#include <filesystem>
#include <unordered_map>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "model/matrices.h"

namespace femflex::importer {
namespace {

/// Rows of one node's translations or rotations.
struct Triad {
  std::array<std::int32_t, 3> row{-1, -1, -1};  ///< row of each component, -1: absent
};

using Triplets = std::vector<Eigen::Triplet<double, std::int32_t>>;

/// Adds the entries of u_basic = R u_local for the available components, with R = `axes`. Absent
/// components are zero or were eliminated by constraints, so the available ones must span as many
/// basic directions.
void transform_triad_rows(const Triad& triad,
                          const Eigen::Matrix3d& axes,
                          std::vector<Dof>& rows,
                          Triplets& out) {
  constexpr double kMinComponent = 1e-12;  // smaller components of an axis are round-off
  constexpr double kMinEntry = 1e-15;
  std::vector<int> basic;
  std::vector<int> local;
  for (int c = 0; c < 3; ++c)
    if (triad.row[static_cast<std::size_t>(c)] >= 0) local.push_back(c);
  for (int b = 0; b < 3; ++b) {
    const bool is_reached = std::any_of(
        local.begin(), local.end(), [&](int c) { return std::abs(axes(b, c)) > kMinComponent; });
    if (is_reached) basic.push_back(b);
  }
  const Dof first = rows[static_cast<std::size_t>(triad.row[static_cast<std::size_t>(local[0])])];
  if (basic.size() != local.size())
    throw ModelError(
        "partial-triad",
        fmt::format("node {} has {} of 3 {} in a displacement system that is inclined to basic",
                    first.node,
                    local.size(),
                    first.component <= 3 ? "translations" : "rotations"),
        {},
        "keep all three components of the node, or give it a displacement system along basic");
  const int offset = first.component <= 3 ? 1 : 4;
  for (std::size_t k = 0; k < local.size(); ++k) {
    const std::int32_t to = triad.row[static_cast<std::size_t>(local[k])];
    rows[static_cast<std::size_t>(to)].component = static_cast<std::int8_t>(basic[k] + offset);
    for (const int c : local) {
      const double value = axes(basic[k], c);
      if (std::abs(value) > kMinEntry)
        out.emplace_back(to, triad.row[static_cast<std::size_t>(c)], value);
    }
  }
}

}  // namespace

std::string short_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

BasicTransform transform_to_basic(const Gathered& gathered, const std::vector<Dof>& local) {
  BasicTransform transform;
  transform.rows = local;
  struct NodeTriads {
    Triad translation, rotation;
    Eigen::Matrix3d axes;
  };
  std::unordered_map<std::int64_t, std::size_t> index;
  std::vector<NodeTriads> inclined;
  Triplets triplets;
  for (std::size_t k = 0; k < local.size(); ++k) {
    const Dof& dof = local[k];
    const auto row = static_cast<std::int32_t>(k);
    const auto [it, is_new] = index.try_emplace(dof.node, inclined.size());
    if (is_new) {
      const Eigen::Matrix3d axes = displacement_axes(gathered, dof.node);
      if (axes.isIdentity(0.0))
        it->second = static_cast<std::size_t>(-1);
      else
        inclined.push_back({{}, {}, axes});
    }
    if (it->second == static_cast<std::size_t>(-1) || dof.component == 0) {
      triplets.emplace_back(row, row, 1.0);
      continue;
    }
    NodeTriads& node = inclined[it->second];
    Triad& triad = dof.component <= 3 ? node.translation : node.rotation;
    triad.row[static_cast<std::size_t>((dof.component - 1) % 3)] = row;
  }
  transform.is_identity = inclined.empty();
  if (transform.is_identity) return transform;
  for (const NodeTriads& node : inclined)
    for (const Triad* triad : {&node.translation, &node.rotation})
      if (*std::max_element(triad->row.begin(), triad->row.end()) >= 0)
        transform_triad_rows(*triad, node.axes, transform.rows, triplets);
  const auto n = static_cast<Eigen::Index>(local.size());
  transform.T.resize(n, n);
  transform.T.setFromTriplets(triplets.begin(), triplets.end());
  return transform;
}

SparseMatrix on_rows(const SparseMatrix& full, const std::vector<Dof>& from, const DofMap& to) {
  std::vector<std::int32_t> row_of;
  row_of.reserve(from.size());
  bool is_same_order = static_cast<std::int64_t>(from.size()) == to.size();
  for (const Dof& dof : from) {
    row_of.push_back(static_cast<std::int32_t>(to.find(dof)));
    is_same_order = is_same_order && row_of.back() == static_cast<std::int32_t>(row_of.size()) - 1;
  }
  if (is_same_order) return full;
  std::vector<Eigen::Triplet<double, std::int32_t>> triplets;
  triplets.reserve(static_cast<std::size_t>(full.nonZeros()));
  for (Eigen::Index j = 0; j < full.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(full, j); it; ++it)
      triplets.emplace_back(row_of[static_cast<std::size_t>(it.row())],
                            row_of[static_cast<std::size_t>(j)],
                            it.value());
  SparseMatrix out(to.size(), to.size());
  out.setFromTriplets(triplets.begin(), triplets.end());
  return out;
}

SparseMatrix full_matrix(const RawMatrix& raw, std::int64_t max_nonzeros) {
  const std::size_t parts = raw.is_complex ? 2 : 1;
  const auto stored = static_cast<std::int64_t>(raw.values.size() / parts);
  if (raw.triangle != RawMatrix::Triangle::all) max_nonzeros /= 2;
  const auto check = [&](std::int64_t count) {
    if (count > max_nonzeros)
      throw ModelError(
          "too-many-nonzeros",
          fmt::format("{} has {} non-zeros; the limit is {}", raw.name, count, max_nonzeros),
          {},
          "reduce the model in the FE code first");
  };
  if (!raw.is_dense) check(stored);
  SparseMatrix out(raw.rows, raw.cols);
  if (raw.is_dense) {
    std::int64_t count = 0;
    for (std::size_t k = 0; k < raw.values.size(); k += parts)
      count += raw.values[k] != 0.0 ? 1 : 0;
    check(count);
    out.reserve(count);
    std::size_t k = 0;
    for (std::int64_t col = 0; col < raw.cols; ++col) {
      out.startVec(col);
      for (std::int64_t row = 0; row < raw.rows; ++row, k += parts)
        if (raw.values[k] != 0.0) out.insertBack(row, col) = raw.values[k];
    }
  } else {
    out.reserve(stored);
    std::size_t c = 0;
    for (std::int64_t col = 0; col < raw.cols; ++col) {
      out.startVec(col);
      if (c == raw.col.size() || raw.col[c] != col) continue;
      for (auto k = static_cast<std::size_t>(raw.col_start[c]);
           k < static_cast<std::size_t>(raw.col_start[c + 1]);
           ++k)
        if (raw.values[k * parts] != 0.0) out.insertBack(raw.row[k], col) = raw.values[k * parts];
      ++c;
    }
  }
  out.finalize();
  if (raw.triangle == RawMatrix::Triangle::all) return out;
  if (raw.triangle == RawMatrix::Triangle::upper) return mirrored(SparseMatrix(out.transpose()));
  return mirrored(out);
}

}  // namespace femflex::importer
