// Adapters from the libraries tyres and roads to the wheels of the solver. They add the lag of the
// contact patch, its behaviour near standstill, and the friction of the road.
#include "system/wheels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <variant>

#include "femflex/errors.h"
#include "femflex/tyres/relaxation.h"
#include "femflex/unit_constants.h"

namespace femflex::tools {
namespace {

/// Smallest relaxation length divided by the radius, for files without one. The patch is then a
/// stiff spring at standstill; the steady state does not depend on this value.
constexpr double kMinRelaxation = 0.05;
constexpr double kSlopeSlip = 1e-3;  // slip at which the stiffness at standstill is taken
// A brush tyre slides as a whole from 3 mu Fz / K on [Pacejka 2012] section 3.2.
constexpr double kSlidingSlip = 3.0;
constexpr int kCamPoints = 20;          // points of a cam on each side of its middle
constexpr int kCamHalvings = 6;         // maximum number of halvings of a piece between two
                                        // such points
constexpr std::size_t kCamEdges = 128;  // maximum number of further points at edges of the road
constexpr double kPatchShare = 0.7;  // length of the contact patch divided by the undeformed chord
constexpr double kShiftShare = 0.8;  // distance of the cams divided by the length of the contact
                                     // patch
// smallest friction factor by which slips are divided; below it, forces are proportional to it
constexpr double kMinFriction = 1e-3;

double radius_of(const tyres::TyreLaw& law) {
  return std::visit([](const auto& own) { return own.unloaded_radius; }, law);
}

double stiffness_of(const tyres::TyreLaw& law) {
  return std::visit([](const auto& own) { return own.vertical_stiffness; }, law);
}

class WheelTyre final : public mbd_solver::TyreCharacteristic {
 public:
  WheelTyre(const tyres::Tyre& tyre, const WheelOptions& options)
      : tyre_(tyre),
        options_(options),
        radius_(radius_of(tyre.law)),
        stiffness_(options.vertical_stiffness > 0.0 ? options.vertical_stiffness
                                                    : stiffness_of(tyre.law)) {
    if (!(stiffness_ > 0.0))
      throw ModelError("tyre",
                       "the file has no VERTICAL_STIFFNESS",
                       {},
                       "add it, or give the wheel \"vertical_stiffness\"");
  }

  WheelTyreParts parts() const { return {tyre_, options_}; }

  double unloaded_radius() const override { return radius_; }

  double normal_force(double deflection, double rate) const override {
    return std::max(0.0, stiffness_ * deflection + options_.vertical_damping * rate);
  }

  mbd_solver::WheelLoad load(const mbd_solver::WheelMotion& motion,
                             const mbd_solver::PatchRule& rule,
                             double* patch,
                             double* rates) const override {
    const double mu = std::max(motion.friction, kMinFriction);
    const double low = tyre_.low_speed;
    const double speed = std::abs(motion.Vx);
    // Laws that divide slip speeds by the speed give no force at rest. Below the low speed they are
    // evaluated at the low speed. Moments that reverse with the direction of travel follow eq. (2)
    // of docs/theory/tyres.md.
    tyres::TyreState state{.gamma = motion.camber,
                           .load = motion.load,
                           .speed = speed < low ? low : motion.Vx,
                           .side = options_.side};
    const double direction = speed < low ? tyres::direction_of_travel(motion.Vx, low) : 1.0;
    const tyres::RelaxationLengths sigma = tyres::relaxation_lengths(tyre_, state);
    const double sigma_x = std::max(sigma.x, kMinRelaxation * radius_);
    const double sigma_y = std::max(sigma.y, kMinRelaxation * radius_);
    const double Re = tyres::effective_radius(tyre_, motion.load, motion.spin, state.pressure);
    const double Vsx = motion.Vx - Re * motion.spin;
    const double share = tyres::standstill_share(speed, low);
    tyres::PatchDirection x{.sigma = sigma_x, .slip_speed = Vsx};
    tyres::PatchDirection y{.sigma = sigma_y, .slip_speed = motion.Vy};
    if (share > 0.0) {
      const tyres::TyreForces free = tyres::forces(tyre_, state);
      find_standstill(state, free, true, mu, x);
      find_standstill(state, free, false, mu, y);
    }
    const auto along = tyres::deflection_of(x, speed, share, rule.constants[0], rule.gain);
    const auto across = tyres::deflection_of(y, speed, share, rule.constants[1], rule.gain);
    patch[0] = along.u;
    patch[1] = across.u;
    rates[0] = along.rate;
    rates[1] = across.rate;
    const double u = tyres::damped_deflection(x, along, share);
    const double v = tyres::damped_deflection(y, across, share);
    tyres::TyreState on_road = state;
    on_road.kappa = u / sigma_x / mu;
    on_road.alpha = -std::atan(v / sigma_y / mu);
    tyres::TyreForces f = tyres::forces(tyre_, on_road);
    if (motion.friction != 1.0) f = on_slippery_road(f, state, motion.friction);
    return {.fx = f.fx,
            .fy = f.fy,
            .mx = f.mx,
            .my = direction * f.my,
            .mz = direction * f.mz,
            .kappa = u / sigma_x,
            .alpha = -std::atan(v / sigma_y)};
  }

 private:
  /// Forces on a road with the friction factor mu, computed from the forces at slips divided by mu.
  /// Moments that are not caused by slip are unchanged. The linear tyre has no friction limit, so
  /// on roads with mu < 1 its horizontal force is limited to mu times the load.
  tyres::TyreForces on_slippery_road(const tyres::TyreForces& at_slips,
                                     const tyres::TyreState& without_slip,
                                     double mu) const {
    const tyres::TyreForces free = tyres::forces(tyre_, without_slip);
    tyres::TyreForces f = at_slips;
    f.fx *= mu;
    f.fy *= mu;
    f.mz *= mu;
    f.mx = free.mx + mu * (at_slips.mx - free.mx);
    f.my = free.my + mu * (at_slips.my - free.my);
    if (!std::holds_alternative<tyres::LinearTyre>(tyre_.law) || mu >= 1.0) return f;
    const double limit = mu * without_slip.load, pull = std::hypot(f.fx, f.fy);
    if (pull <= limit) return f;
    f.fx *= limit / pull;
    f.fy *= limit / pull;
    f.mz *= limit / pull;
    return f;
  }

  /// Sets the damping time and the sliding deflection of a direction of the patch, eq. (6b) and
  /// (6d). c is the stiffness of the patch.
  void find_standstill(const tyres::TyreState& at,
                       const tyres::TyreForces& free,
                       bool is_forward,
                       double mu,
                       tyres::PatchDirection& patch) const {
    const auto rise_at = [&](double slip) {
      tyres::TyreState moved = at;
      (is_forward ? moved.kappa : moved.alpha) = slip;
      const tyres::TyreForces f = tyres::forces(tyre_, moved);
      return std::abs(is_forward ? f.fx - free.fx : f.fy - free.fy);
    };
    const double slip_stiffness = rise_at(kSlopeSlip) / kSlopeSlip,
                 c = slip_stiffness / patch.sigma;
    if (!(c > 0.0)) return;
    double limit = rise_at(is_forward ? 1.0 : std::atan(1.0));
    if (mu < 1.0 && std::holds_alternative<tyres::LinearTyre>(tyre_.law))
      limit = std::min(limit, at.load);
    const double slip = std::min(1.0, kSlidingSlip * limit / slip_stiffness);
    // the mass of eq. (6b) is that whose weight is the load
    patch.damping_time = std::sqrt(at.load / kStandardGravity / c);
    patch.sliding = mu * slip * patch.sigma;
  }

  tyres::Tyre tyre_;
  WheelOptions options_;
  double radius_, stiffness_;
};

class WheelRoad final : public mbd_solver::RoadSurface {
 public:
  WheelRoad(std::shared_ptr<const roads::Road> road, const std::optional<Cams>& cams)
      : road_(std::move(road)), cams_(cams) {
    if (!cams) return;
    shift_ = cams->shift;
    length_ = cams->length;
    height_ = cams->height;
    order_ = cams->order;
    for (int k = -kCamPoints; k <= kCamPoints; ++k) {
      const double place = length_ * k / kCamPoints;
      cam_.push_back({place, cam_at(place)});
    }
  }

  WheelRoadParts parts() const { return {road_, cams_}; }

  bool covers(double x, double y) const override { return road_->covers(x, y); }

  mbd_solver::RoadPlane under(double x,
                              double y,
                              double forward_x,
                              double forward_y,
                              mbd_solver::RoadHint& hint) const override {
    mbd_solver::RoadPlane plane = at(x, y, hint);
    if (cam_.empty()) return plane;
    const auto cam_height = [&](double shift) {
      const roads::RoadLine line{
          x + shift * forward_x, y + shift * forward_y, forward_x, forward_y, length_};
      return highest(line, [&](double place) {
        return at(line.x + place * forward_x, line.y + place * forward_y, hint).height;
      });
    };
    const double front = cam_height(0.5 * shift_), rear = cam_height(-0.5 * shift_);
    const double along = (front - rear) / shift_;
    const double across = -forward_y * plane.slope_x + forward_x * plane.slope_y;
    // on a slope the cams are higher above the plane's point below them
    plane.height = 0.5 * (front + rear) - lift(along);
    plane.slope_x = along * forward_x - across * forward_y;
    plane.slope_y = along * forward_y + across * forward_x;
    return plane;
  }

  mbd_solver::RoadPlane at(double x, double y, mbd_solver::RoadHint& hint) const override {
    roads::RoadCursor cursor{.segment = hint.segment, .x = hint.x, .y = hint.y};
    const roads::RoadPoint point = road_->at(x, y, cursor);
    hint = {.segment = cursor.segment, .x = cursor.x, .y = cursor.y};
    return {.height = point.elevation.height,
            .slope_x = point.elevation.slope_x,
            .slope_y = point.elevation.slope_y,
            .friction = point.friction};
  }

 private:
  /// A place of a cam, with cam_at() and the height of the road there [m].
  struct Footing {
    double place = 0.0, cam = 0.0, road = 0.0;
  };
  /// A piece of a cam between two places, and how many times it may be halved.
  struct Piece {
    Footing first, last;
    int halvings = 0;
    /// Upper bound of all sums in the piece if cam and road are monotonic in it.
    double bound() const { return std::max(first.cam, last.cam) + std::max(first.road, last.road); }
  };

  /// Minus the height of the underside of a cam above its lowest point, at `place` [m] from its
  /// middle.
  double cam_at(double place) const {
    const double rest = std::max(0.0, 1.0 - std::pow(std::abs(place) / length_, order_));
    return height_ * (std::pow(rest, 1.0 / order_) - 1.0);
  }

  /// Height of the lowest point of a cam that touches the road: the largest sum of cam_at() and the
  /// height of the road, where `road_at` gives the road at a place of the cam. Points at the edges
  /// of the road are added to those of the cam. A piece between points is halved while its bound()
  /// exceeds the largest sum so far.
  template <class RoadAt>
  double highest(const roads::RoadLine& line, const RoadAt& road_at) const {
    std::array<double, kCamEdges> edges;
    const std::size_t count = road_->edges(line, edges);
    std::sort(edges.begin(), edges.begin() + static_cast<std::ptrdiff_t>(count));
    std::array<Footing, 2 * kCamPoints + 1 + kCamEdges> coarse;
    std::size_t size = 0;
    const auto put = [&](double place, double cam) {
      coarse[size++] = {place, cam, road_at(place)};
    };
    std::size_t next = 0;
    for (const CamPoint& point : cam_) {
      for (; next < count && edges[next] < point.x; ++next)
        put(edges[next], cam_at(edges[next]));
      put(point.x, point.z);
    }
    double found = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < size; ++k)
      found = std::max(found, coarse[k].cam + coarse[k].road);
    for (std::size_t k = 0; k + 1 < size; ++k)
      found = highest_of({coarse[k], coarse[k + 1], kCamHalvings}, road_at, found);
    return found;
  }

  /// The largest sum in a piece, or `found` if that is larger.
  template <class RoadAt>
  double highest_of(const Piece& whole, const RoadAt& road_at, double found) const {
    std::array<Piece, kCamHalvings + 1> open;
    open[0] = whole;
    for (std::size_t count = 1; count > 0;) {
      const Piece piece = open[--count];
      if (piece.halvings == 0 || piece.bound() <= found) continue;
      const double place = 0.5 * (piece.first.place + piece.last.place);
      const Footing middle{place, cam_at(place), road_at(place)};
      found = std::max(found, middle.cam + middle.road);
      open[count++] = {piece.first, middle, piece.halvings - 1};
      open[count++] = {middle, piece.last, piece.halvings - 1};
    }
    return found;
  }

  /// Height by which a cam rises on a plane of this slope compared with a level plane [m].
  double lift(double slope) const {
    const double conjugate = order_ / (order_ - 1.0);
    const double ratio = std::abs(slope) * length_ / height_;
    return height_ * (std::pow(1.0 + std::pow(ratio, conjugate), 1.0 / conjugate) - 1.0);
  }

  /// A point of a cam: its distance from the middle, and cam_at() there [m].
  struct CamPoint {
    double x, z;
  };
  std::shared_ptr<const roads::Road> road_;
  std::optional<Cams> cams_;
  std::vector<CamPoint> cam_;
  double length_ = 0.0, height_ = 0.0, order_ = 2.0, shift_ = 0.0;
};

}  // namespace

std::shared_ptr<const mbd_solver::TyreCharacteristic> wheel_tyre(const tyres::Tyre& tyre,
                                                                 const WheelOptions& options) {
  return std::make_shared<WheelTyre>(tyre, options);
}

WheelTyreParts parts_of(const mbd_solver::TyreCharacteristic& tyre) {
  const auto* own = dynamic_cast<const WheelTyre*>(&tyre);
  if (own == nullptr) throw ModelError("tyre", "the tyre is not one of a property file");
  return own->parts();
}

Cams cams_of(const mbd_solver::TyreCharacteristic& tyre, double load) {
  const double radius = tyre.unloaded_radius();
  // deflection at which the normal force equals the load; at zero rate the force is linear
  const double stiffness = tyre.normal_force(radius, 0.0) / radius;
  const double deflection = std::min(load / stiffness, radius);
  const double chord = 2.0 * std::sqrt(deflection * (2.0 * radius - deflection));
  return {
      .length = radius, .height = radius, .order = 2.0, .shift = kShiftShare * kPatchShare * chord};
}

std::shared_ptr<const mbd_solver::RoadSurface> shared_wheel_road(
    std::shared_ptr<const roads::Road> road, std::optional<Cams> cams) {
  return std::make_shared<WheelRoad>(std::move(road), cams);
}

WheelRoadParts parts_of(const mbd_solver::RoadSurface& road) {
  const auto* own = dynamic_cast<const WheelRoad*>(&road);
  if (own == nullptr) throw ModelError("road", "the road is not one of a system file");
  return own->parts();
}

}  // namespace femflex::tools
