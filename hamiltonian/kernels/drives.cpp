// Adds the impulses of changing loads to the velocities of single DOFs, sets the DOFs of prescribed
// motion, and counts the work of both.
#include "kernels/drives.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace femflex::hamiltonian::tiles {

Drives::Drives(std::vector<Dof> loaded,
               std::vector<Dof> prescribed,
               std::vector<Dof> observed,
               int steps)
    : observed_(std::move(observed)),
      load_work_(loaded.size()),
      support_work_(prescribed.size()),
      last_move_(prescribed.size()) {
  for (std::size_t i = 0; i < loaded.size(); ++i)
    driven_.push_back({loaded[i], false, i});
  for (std::size_t i = 0; i < prescribed.size(); ++i)
    driven_.push_back({prescribed[i], true, i});
  std::stable_sort(driven_.begin(), driven_.end(), [](const DrivenDof& p, const DrivenDof& q) {
    return p.dof.place < q.dof.place;
  });
  find_loads();
  if (driven_.empty() && observed_.empty()) return;
  steps_.resize(static_cast<std::size_t>(steps));
  for (Drive& drive : steps_) {
    for (std::vector<double>* v : {&drive.before, &drive.after, &drive.mean})
      v->assign(loaded.size(), 0.0);
    drive.target.assign(prescribed.size(), 0.0);
    drive.speed.assign(prescribed.size(), 0.0);
    drive.observed.assign(observed_.size(), 0.0);
  }
}

/// Finds the loads on prescribed DOFs: the forces of special springs and hinges.
void Drives::find_loads() {
  for (DrivenDof& each : driven_) {
    if (!each.is_prescribed) continue;
    for (const DrivenDof& other : within(each.dof.place, each.dof.place + 1))
      if (!other.is_prescribed && other.dof.axis == each.dof.axis)
        each.load = static_cast<std::ptrdiff_t>(other.index);
  }
}

void Drives::read_positions(const AxisArrays* axes, std::int64_t stride) {
  for (std::size_t i = 0; i < observed_.size(); ++i)
    steps_[0].observed[i] = axes[observed_[i].axis].x[stride * observed_[i].place];
}

std::span<Drives::DrivenDof> Drives::within(std::int64_t first, std::int64_t last) {
  const auto by_place = [](const DrivenDof& each, std::int64_t place) {
    return each.dof.place < place;
  };
  const auto begin = std::lower_bound(driven_.begin(), driven_.end(), first, by_place);
  return {begin, std::lower_bound(begin, driven_.end(), last, by_place)};
}

void Drives::before(int s,
                    std::int64_t first,
                    std::int64_t last,
                    const AxisArrays* axes,
                    std::int64_t stride,
                    double h) {
  const Drive& drive = steps_[static_cast<std::size_t>(s)];
  for (DrivenDof& each : within(first, last)) {
    const AxisArrays& axis = axes[each.dof.axis];
    const std::int64_t at = stride * each.dof.place;
    each.start = axis.x[at];
    if (!each.is_prescribed)
      axis.u[at] += 0.5 * h * each.dof.inverse_mass * drive.before[each.index];
  }
}

void Drives::set_speeds(
    int s, std::int64_t first, std::int64_t last, double* const* v, std::int64_t stride) {
  const Drive& drive = steps_[static_cast<std::size_t>(s)];
  for (const DrivenDof& each : within(first, last)) {
    if (each.is_prescribed) v[each.dof.axis][stride * each.dof.place] = drive.speed[each.index];
  }
}

void Drives::after(int s,
                   std::int64_t first,
                   std::int64_t last,
                   const AxisArrays* axes,
                   std::int64_t stride,
                   double h) {
  const Drive& drive = steps_[static_cast<std::size_t>(s)];
  for (const DrivenDof& each : within(first, last)) {
    const AxisArrays& axis = axes[each.dof.axis];
    const std::int64_t at = stride * each.dof.place;
    if (each.is_prescribed) {
      const double kick = axis.a != nullptr ? axis.a[at] : axis.u[at] / h;
      double force = kick / each.dof.inverse_mass;
      if (axis.a != nullptr && each.load >= 0) {  // which axis.u contains, and axis.a does not
        const auto load = static_cast<std::size_t>(each.load);
        force += 0.5 * (drive.before[load] + drive.after[load]);
      }
      axis.u[at] = 0.0;
      axis.x_next[at] = drive.target[each.index];
      const double moved = axis.x_next[at] - each.start;
      support_work_[each.index] -= 0.5 * force * (last_move_[each.index] + moved);
      last_move_[each.index] = moved;
      continue;
    }
    const double kick = 0.5 * h * each.dof.inverse_mass * drive.after[each.index];
    axis.u[at] += kick;
    axis.x_next[at] += h * kick;
    load_work_[each.index] += drive.mean[each.index] * (axis.x_next[at] - each.start);
  }
}

double Drives::load_work() const {
  return std::accumulate(load_work_.begin(), load_work_.end(), 0.0);
}

double Drives::support_work() const {
  return std::accumulate(support_work_.begin(), support_work_.end(), 0.0);
}

void Drives::restart() {
  std::fill(last_move_.begin(), last_move_.end(), 0.0);
}

}  // namespace femflex::hamiltonian::tiles
