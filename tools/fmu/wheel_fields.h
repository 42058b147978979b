// Fields of tyres of property files, and of the roads under them, for the resources of an FMU.
// Roads that wheels share are written once.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "femflex/mbd_solver/system.h"

#include "fmu/archive.h"
#include "fmu/curve_fields.h"
#include "system/wheels.h"

namespace femflex::fmu {

template <class T, class Laws>
inline constexpr bool kIsAmong = false;
template <class T, class... Laws>
inline constexpr bool kIsAmong<T, std::variant<Laws...>> = (std::is_same_v<T, Laws> || ...);

/// Coefficients of a law of tyres: a structure of doubles alone, in the order of its members.
template <class A, class T>
requires kIsAmong<T, tyres::TyreLaw>
void field(A& a, T& x) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(double) == 0 &&
                alignof(T) == alignof(double));
  a.raw(&x, sizeof x);
}
template <class A>
void field(A& a, tyres::Range& x) {
  fields(a, x.low, x.high);
}
template <class A>
void field(A& a, tyres::TyreRanges& x) {
  fields(a, x.kappa, x.alpha, x.gamma, x.load, x.pressure);
}
template <class A>
void field(A& a, tyres::Tyre& x) {
  fields(a, x.law, x.ranges, x.side, x.low_speed, x.has_longitudinal, x.has_lateral);
  field(a, x.is_combined);
}
template <class A>
void field(A& a, tools::WheelTyreParts& x) {
  fields(a, x.tyre, x.options.side, x.options.vertical_stiffness, x.options.vertical_damping);
}

// --- roads --------------------------------------------------------------------------------------
template <class A>
void field(A& a, roads::Placement& x) {
  fields(a, x.x, x.y, x.heading);
}
template <class A>
void field(A& a, roads::FrictionPatch& x) {
  fields(a, x.at, x.length, x.width, x.friction);
}
template <class A>
void field(A& a, roads::BorderRule& x) {
  fields(a, x.mode, x.offset);
}
template <class A>
void field(A& a, roads::CrgData& x) {
  fields(a, x.u_start, x.u_increment, x.x_start, x.y_start, x.z_start, x.x_end, x.y_end, x.z_end);
  fields(a, x.v, x.heading, x.slope, x.banking, x.z, x.u_border, x.v_border);
  fields(a, x.smooth_start, x.smooth_end);
}
template <class A>
void field(A& a, roads::Bump::Size& x) {
  fields(a, x.height, x.length, x.width, x.ramp);
}
template <class A>
void field(A& a, roads::Wave::Shape& x) {
  fields(a, x.amplitude, x.first_wavelength, x.last_wavelength, x.length, x.track, x.shift);
}

// Layers have no default, so that each is made from what its constructor takes.
template <class A>
roads::Layer layer_of(A& a, const roads::Plane* x) {
  roads::Plane out;
  if (x != nullptr) out = *x;
  fields(a, out.height, out.slope_x, out.slope_y);
  return out;
}
template <class A>
roads::Layer layer_of(A& a, const roads::Tracks* x) {
  laws::Curve left, right;
  double track = 0.0;
  if (x != nullptr) left = x->left(), right = x->right(), track = x->track();
  fields(a, left, right, track);
  if (track == 0.0) return roads::Tracks(std::move(left));
  return roads::Tracks(std::move(left), std::move(right), track);
}
template <class A>
roads::Layer layer_of(A& a, const roads::Grid* grid) {
  std::vector<double> x, y, z;
  if (grid != nullptr) x = grid->x(), y = grid->y(), z = grid->z();
  fields(a, x, y, z);
  return roads::Grid(std::move(x), std::move(y), std::move(z));
}
template <class A>
roads::Layer layer_of(A& a, const roads::Bump* x) {
  roads::Placement at;
  roads::Bump::Size size;
  if (x != nullptr) at = x->placement(), size = x->size();
  fields(a, at, size);
  return roads::Bump(at, size);
}
template <class A>
roads::Layer layer_of(A& a, const roads::Wave* x) {
  roads::Placement at;
  roads::Wave::Shape shape;
  if (x != nullptr) at = x->placement(), shape = x->shape();
  fields(a, at, shape);
  return roads::Wave(at, shape);
}
template <class A>
roads::Layer layer_of(A& a, const roads::CrgRoad* x) {
  roads::CrgData data;
  if (x != nullptr) data = x->data();
  field(a, data);
  return roads::CrgRoad(std::move(data));
}

/// A layer of the kind with this number in roads::Layer; null to read one.
template <class A, std::size_t k = 0>
roads::Layer layer_of_kind(A& a, std::size_t kind, const roads::Layer* x) {
  if constexpr (k < std::variant_size_v<roads::Layer>) {
    if (kind != k) return layer_of_kind<A, k + 1>(a, kind, x);
    using T = std::variant_alternative_t<k, roads::Layer>;
    return layer_of(a, x == nullptr ? static_cast<const T*>(nullptr) : std::get_if<T>(x));
  } else {
    Reader::fail();
  }
}

template <class A>
void road_field(A& a, std::shared_ptr<const roads::Road>& x) {
  std::vector<roads::Layer> layers;
  double friction = 1.0;
  std::vector<roads::FrictionPatch> patches;
  if (!A::kReads) layers = x->layers(), friction = x->friction_outside(), patches = x->patches();
  const std::size_t n = a.count(layers.size(), 1);
  for (std::size_t k = 0; k < n; ++k) {
    auto kind = static_cast<std::uint8_t>(A::kReads ? 0 : layers[k].index());
    field(a, kind);
    roads::Layer layer = layer_of_kind(a, kind, A::kReads ? nullptr : &layers[k]);
    if (A::kReads) layers.push_back(std::move(layer));
  }
  fields(a, friction, patches);
  if (A::kReads) x = std::make_shared<const roads::Road>(std::move(layers), friction, patches);
}

/// A road by its number among the shared ones; its fields follow the first mention.
template <class A>
void shared_road(A& a, std::shared_ptr<const roads::Road>& x) {
  auto& known = a.shared();
  auto number = static_cast<std::uint64_t>(
      std::find(known.begin(), known.end(), std::shared_ptr<const void>(x)) - known.begin());
  field(a, number);
  if (number > known.size()) Reader::fail();
  if (number < known.size()) {
    if (A::kReads) x = std::static_pointer_cast<const roads::Road>(known[number]);
    return;
  }
  road_field(a, x);
  known.push_back(x);
}

template <class A>
void field(A& a, tools::Cams& x) {
  fields(a, x.length, x.height, x.order, x.shift);
}

template <class A>
void field(A& a, mbd_solver::RollingTyre& x) {
  tools::WheelTyreParts tyre;
  tools::WheelRoadParts road;
  if (!A::kReads) tyre = tools::parts_of(*x.tyre), road = tools::parts_of(*x.road);
  fields(a, x.on, x.axis, tyre);
  shared_road(a, road.road);
  field(a, road.cams);
  if (!A::kReads) return;
  x.tyre = tools::wheel_tyre(tyre.tyre, tyre.options);
  x.road = tools::shared_wheel_road(std::move(road.road), road.cams);
}

}  // namespace femflex::fmu
