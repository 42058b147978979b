// Reads the bookkeeping tables of OUTPUT2 files (EQEXIN, BGPDT, CSTM, USET, LAMA) and builds the
// DOFs of the g-set from them.
#include "nastran/op2_tables.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <tuple>
#include <utility>

namespace femflex::importer {
namespace {

bool is_rotation(const Eigen::Matrix3d& axes) {
  constexpr double kMaxAxesError = 1e-4;  // far above the round-off of single precision
  return (axes.transpose() * axes - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff() <
         kMaxAxesError;
}

/// Keeps the first of repeated entries; `less` compares their whole content.
template <typename T, typename Less>
void drop_repeats(std::vector<T>& list, Less less) {
  std::vector<std::size_t> order(list.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return less(list[a], list[b]);
  });
  std::vector<bool> repeats(list.size(), false);
  for (std::size_t i = 1; i < order.size(); ++i)
    if (!less(list[order[i - 1]], list[order[i]])) repeats[order[i]] = true;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!repeats[i]) {
      if (kept != i) list[kept] = std::move(list[i]);
      ++kept;
    }
  }
  list.resize(kept);
}

void remove_repeats(FileContents& contents) {
  drop_repeats(contents.grids, [](const RawGrid& a, const RawGrid& b) {
    return std::tie(a.id, a.position_system, a.x, a.displacement_system, a.superelement) <
           std::tie(b.id, b.position_system, b.x, b.displacement_system, b.superelement);
  });
  drop_repeats(contents.systems, [](const RawSystem& a, const RawSystem& b) {
    return std::tie(a.id, a.kind, a.reference, a.points, a.grids) <
           std::tie(b.id, b.kind, b.reference, b.points, b.grids);
  });
  drop_repeats(contents.scalar_points, std::less<>());
  std::vector<std::int64_t> scalars = contents.scalar_points;
  std::sort(scalars.begin(), scalars.end());
  for (Dof& dof : contents.interface)  // EXTRN writes component 1 for a scalar point
    if (std::binary_search(scalars.begin(), scalars.end(), dof.node)) dof.component = 0;
  drop_repeats(contents.interface, std::less<>());
}

}  // namespace

bool Op2Bookkeeping::read(const Op2Records::Table& table,
                          std::int64_t number,
                          const Op2Words& record,
                          FileContents& contents) {
  const std::string& name = table.name;
  if (name == "EQEXIN" || name == "EQEXINS") {
    read_eqexin(number, record);
    return true;
  }
  if (name == "BGPDT" || name == "BGPDTS") {
    // word 4 of the trailer is the number of g-set DOFs in the wide form, 0 in the classic form
    read_bgpdt(number, record, table.trailer[3] > 0);
    return true;
  }
  if (name == "CSTM" || name == "CSTMS") {
    read_cstm(number, record, table.trailer[4] > 0, contents);
    return true;
  }
  if (name.starts_with("USET")) {
    if (number == 1) {
      std::vector<std::uint32_t> masks(record.size());
      for (std::size_t i = 0; i < masks.size(); ++i)
        masks[i] = static_cast<std::uint32_t>(record.integer(i));
      sets_.push_back(std::move(masks));
    }
    return true;
  }
  if (name == "LAMA" || name == "BLAMA" || name == "LAMAS" || name == "BLAMAS") {
    read_lama(name, number, record, contents);
    return true;
  }
  return false;
}

void Op2Bookkeeping::read_eqexin(std::int64_t number, const Op2Words& record) {
  if (number != 2) return;
  std::vector<Point> points;
  for (std::size_t i = 0; i + 2 <= record.size(); i += 2) {
    const std::int64_t code = record.integer(i + 1);
    points.push_back({record.integer(i), code / 10, code % 10 != 1});
  }
  points_.push_back(std::move(points));
}

void Op2Bookkeeping::read_bgpdt(std::int64_t number, const Op2Words& record, bool wide) {
  if (number != 1) return;
  std::vector<GridPoint> grid_points;
  if (!wide) {
    for (std::size_t i = 0; i + 4 <= record.size(); i += 4) {
      grid_points.push_back(
          {0, record.integer(i), {record.real(i + 1), record.real(i + 2), record.real(i + 3)}});
    }
  } else {
    // CD, SIL, external id, DOF code, 0, 0, then x, y, z as float64
    const std::size_t step = record.layout().word == 4 ? 2 : 1;
    const std::size_t width = 6 + 3 * step;
    if (record.size() % width == 0) {
      for (std::size_t i = 0; i + width <= record.size(); i += width) {
        grid_points.push_back(
            {record.integer(i + 2),
             record.integer(i),
             {record.real64(i + 6), record.real64(i + 6 + step), record.real64(i + 6 + 2 * step)}});
      }
    }
  }
  grid_points_.push_back(std::move(grid_points));
}

void Op2Bookkeeping::read_cstm(std::int64_t number,
                               const Op2Words& record,
                               bool split,
                               FileContents& contents) {
  const auto store = [&](std::int64_t id, std::int64_t kind, const std::array<double, 12>& reals) {
    if (kind < 1 || kind > 3) return;
    CoordinateSystem system;
    system.id = id;
    system.kind = static_cast<CoordinateSystem::Kind>(kind);
    for (Eigen::Index i = 0; i < 3; ++i) {
      system.origin(i) = reals[static_cast<std::size_t>(i)];
      for (Eigen::Index j = 0; j < 3; ++j)
        system.axes(i, j) = reals[static_cast<std::size_t>(3 + 3 * i + j)];
    }
    if (!is_rotation(system.axes)) return;
    for (const RawSystem& declared : contents.systems)
      if (declared.id == id) return;  // CORD2x has at least as many digits
    RawSystem raw;
    raw.id = id;
    raw.kind = system.kind;
    raw.resolved = system;
    contents.systems.push_back(raw);
  };
  std::array<double, 12> reals{};
  if (!split) {
    if (number != 1 || record.size() % 14 != 0) return;
    for (std::size_t i = 0; i + 14 <= record.size(); i += 14) {
      for (std::size_t k = 0; k < 12; ++k)
        reals[k] = record.real(i + 2 + k);
      store(record.integer(i), record.integer(i + 1), reals);
    }
    return;
  }
  // split form: integers (cid, type, 0, index) in record 1, float64 in record 2
  if (number == 1) {
    cstm_integers_.clear();
    for (std::size_t i = 0; i < record.size(); ++i)
      cstm_integers_.push_back(record.integer(i));
    return;
  }
  const std::size_t step = record.layout().word == 4 ? 2 : 1;
  if (number != 2 || cstm_integers_.size() % 4 != 0 ||
      record.size() != cstm_integers_.size() / 4 * 12 * step)
    return;
  for (std::size_t s = 0; s < cstm_integers_.size() / 4; ++s) {
    for (std::size_t k = 0; k < 12; ++k)
      reals[k] = record.real64((s * 12 + k) * step);
    store(cstm_integers_[4 * s], cstm_integers_[4 * s + 1], reals);
  }
}

void Op2Bookkeeping::read_lama(const std::string& name,
                               std::int64_t number,
                               const Op2Words& record,
                               FileContents& contents) {
  if (number % 2 == 1) {
    RawEigenvalues values;
    values.source = name;
    if (record.size() > 3) values.subcase = record.integer(3);
    contents.eigenvalues.push_back(std::move(values));
    return;
  }
  RawEigenvalues& values = contents.eigenvalues.back();
  for (std::size_t i = 0; i + 7 <= record.size(); i += 7) {
    values.mode.push_back(record.integer(i));
    values.eigenvalue.push_back(record.real(i + 2));
    values.frequency_hz.push_back(record.real(i + 4));
    values.generalised_mass.push_back(record.real(i + 5));
  }
}

void Op2Bookkeeping::finish(FileContents& contents) const {
  remove_repeats(contents);
  if (points_.size() != 1) return;  // several superelements: a matrix may belong to any of them
  std::vector<Point> points = points_.front();
  std::sort(
      points.begin(), points.end(), [](const Point& a, const Point& b) { return a.sil < b.sil; });
  std::int64_t next = 1;
  for (const Point& point : points) {
    if (point.sil != next) {  // the points are not in g-set order
      contents.row_map.clear();
      return;
    }
    if (point.scalar) {
      contents.row_map.push_back({point.id, 0});
    } else {
      for (std::int8_t c = 1; c <= 6; ++c)
        contents.row_map.push_back({point.id, c});
    }
    next += point.scalar ? 1 : 6;
  }
  if (sets_.size() == 1 && sets_.front().size() == contents.row_map.size())
    contents.row_sets = sets_.front();
  for (RawMatrix& matrix : contents.matrices) {
    if (matrix.inner_name.empty() && matrix.row_dofs.empty() && matrix.name.ends_with("GG") &&
        matrix.rows == static_cast<std::int64_t>(contents.row_map.size())) {
      matrix.row_dofs = contents.row_map;
      if (matrix.cols == matrix.rows) matrix.col_dofs = contents.row_map;
    }
  }
  if (!contents.grids.empty() || grid_points_.size() != 1 ||
      grid_points_.front().size() != points.size())
    return;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const GridPoint& grid_point = grid_points_.front()[i];
    if (points[i].scalar) {
      contents.scalar_points.push_back(points[i].id);
      continue;
    }
    if (grid_point.id != 0 && grid_point.id != points[i].id) continue;
    RawGrid grid;
    grid.id = points[i].id;
    grid.x = grid_point.x;
    grid.displacement_system = grid_point.system;
    contents.grids.push_back(grid);
  }
}

}  // namespace femflex::importer
