// Implements make_tyre(): law, coefficients in SI units, ranges, side, use mode. Reports missing
// and contradictory values.
#include "femflex/tyres/read_tyre.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "femflex/text.h"

#include "check_tyre.h"
#include "coefficient_names.h"
#include "tir_units.h"

namespace femflex::tyres {
namespace {

/// Converts one file to one tyre.
class TyreReader {
 public:
  TyreReader(const TirFile& file, Diagnostics& notes)
      : file_(file), notes_(notes), units_(units_of(file)) {}

  ReadTyre read();

 private:
  [[noreturn]] void contradict(std::string code, std::string message, std::string_view name) const {
    const TirEntry* entry = file_.find(name);
    throw ModelError(std::move(code),
                     std::move(message),
                     entry ? file_.where(*entry) : Where{.file = file_.name});
  }
  std::string text(std::string_view name) const {
    const TirEntry* entry = file_.find(name);
    return entry == nullptr ? std::string() : upper_case(entry->text);
  }
  /// Reads a value in SI units. Returns false if the file does not contain the name.
  bool take_any(std::string_view name, Dimension dimension, double& value) {
    const TirEntry* entry = file_.find(name);
    if (entry == nullptr) return false;
    value = file_.number(*entry) * units_.factor(dimension);
    used_.insert(std::string(name));
    return true;
  }
  /// As take_any(), for a value used by a law.
  /// @throws ModelError  it is larger than is possible for a tyre
  bool take(std::string_view name, Dimension dimension, double& value) {
    if (!take_any(name, dimension, value)) return false;
    const double limit = sizes_of(dimension).largest;
    if (!(std::abs(value) <= limit))
      contradict("not-a-tyre",
                 fmt::format("{} = {} in SI units is not a value of a tyre; its size is at most {}",
                             name,
                             value,
                             limit),
                 name);
    if (dimension == Dimension::none && std::abs(value) >= std::abs(largest_.value))
      largest_ = {std::string(name), value};
    return true;
  }
  void need_positive(std::string_view name,
                     double value,
                     Dimension dimension = Dimension::none) const {
    if (!(value > 0.0))
      contradict("not-positive", fmt::format("{} = {} must be positive", name, value), name);
    const double limit = sizes_of(dimension).smallest;
    if (value < limit)
      contradict("not-a-tyre",
                 fmt::format("{} = {} in SI units is not a value of a tyre; it is at least {}",
                             name,
                             value,
                             limit),
                 name);
  }
  /// The stiffnesses of the carcass may be missing, but must not be negative.
  void check_carcass(double longitudinal, double lateral) const {
    if (longitudinal != 0.0)
      need_positive("LONGITUDINAL_STIFFNESS", longitudinal, Dimension::stiffness);
    if (lateral != 0.0) need_positive("LATERAL_STIFFNESS", lateral, Dimension::stiffness);
  }
  /// The vertical stiffness may be missing, but must not be negative and must bear the nominal
  /// load.
  void check_deflection(double stiffness, double load, double radius) const;

  template <typename Law>
  Law coefficients(std::span<const CoefficientName<Law>> names);
  void need_rising(const std::string& stem, const std::array<double, 2>& pair) const;
  void need_slips(const std::string& small_stem,
                  const std::array<double, 2>& small,
                  const std::string& large_stem,
                  const std::array<double, 2>& large) const;
  TmeasyCurve tmeasy_curve(std::string_view axis);
  std::array<double, 2> tmeasy_pair(const std::string& stem);
  TyreLaw law();
  LinearTyre linear();
  FialaTyre fiala();
  TmeasyTyre tmeasy();
  Pac2002Tyre pac2002();
  Mf61Tyre mf61();
  void need_factors(
      double fnomin, double radius, double lfzo, double longvl, double lmuy, double pky2) const;
  Range range(std::string_view low, std::string_view high, Dimension dimension);
  void mirror_half(Range& range, std::string_view low, std::string_view high);
  void take_ranges();
  void take_side(const TirEntry& entry);
  void take_model();
  void take_vertical();
  void tell_unused();

  const TirFile& file_;
  Diagnostics& notes_;
  TirUnits units_;
  std::set<std::string, std::less<>> used_;
  LargestCoefficient largest_;
  ReadTyre out_;
};

void TyreReader::check_deflection(double stiffness, double load, double radius) const {
  if (stiffness < 0.0)
    contradict("not-positive",
               fmt::format("VERTICAL_STIFFNESS = {} must not be negative", stiffness),
               "VERTICAL_STIFFNESS");
  if (stiffness > 0.0 && load > stiffness * radius)
    contradict(
        "not-a-tyre",
        fmt::format("with VERTICAL_STIFFNESS = {} N/m the tyre deflects by {:.3g} m under its "
                    "nominal load, more than its radius of {} m",
                    stiffness,
                    load / stiffness,
                    radius),
        "VERTICAL_STIFFNESS");
}

template <typename Law>
Law TyreReader::coefficients(std::span<const CoefficientName<Law>> names) {
  Law tyre;
  for (const CoefficientName<Law>& c : names) {
    if (take(c.name, c.dimension, tyre.*c.member)) continue;
    if (c.lack == Lack::needed)
      contradict(
          "missing", fmt::format("{} is missing, without it there is no force", c.name), c.name);
    if (c.lack == Lack::listed) out_.missing.emplace_back(c.name);
  }
  return tyre;
}

LinearTyre TyreReader::linear() {
  const auto t = coefficients<LinearTyre>(kLinearNames);
  need_positive("FNOMIN", t.fnomin, Dimension::force);
  need_positive("UNLOADED_RADIUS", t.unloaded_radius, Dimension::length);
  check_deflection(t.vertical_stiffness, t.fnomin, t.unloaded_radius);
  return t;
}

FialaTyre TyreReader::fiala() {
  const auto t = coefficients<FialaTyre>(kFialaNames);
  need_positive("UNLOADED_RADIUS", t.unloaded_radius, Dimension::length);
  need_positive("CSLIP", t.cslip, Dimension::force);
  need_positive("CALPHA", t.calpha, Dimension::force_per_angle);
  need_positive("UMIN", t.umin);
  check_deflection(t.vertical_stiffness, 0.0, t.unloaded_radius);
  if (t.umax < t.umin)
    contradict(
        "friction-order", fmt::format("UMAX = {} is below UMIN = {}", t.umax, t.umin), "UMAX");
  return t;
}

/// Reads NAME_N and NAME_2N, the values at the payload and at twice the payload.
std::array<double, 2> TyreReader::tmeasy_pair(const std::string& stem) {
  std::array<double, 2> pair = {};
  const Dimension dimension =
      stem.front() == 'D' || stem.front() == 'F' ? Dimension::force : Dimension::none;
  constexpr std::array<std::string_view, 2> kLoads = {"_N", "_2N"};
  for (std::size_t i = 0; i < kLoads.size(); ++i) {
    const std::string name = stem + std::string(kLoads[i]);
    if (!take(name, dimension, pair[i])) out_.missing.push_back(name);
  }
  return pair;
}

TmeasyCurve TyreReader::tmeasy_curve(std::string_view axis) {
  const std::string a(axis);
  const TmeasyCurve curve = {tmeasy_pair("DF" + a + "0"),
                             tmeasy_pair("S" + a + "M"),
                             tmeasy_pair("F" + a + "M"),
                             tmeasy_pair("S" + a + "S"),
                             tmeasy_pair("F" + a + "S")};
  need_rising(fmt::format("DF{}0", axis), curve.slope);
  need_rising(fmt::format("F{}M", axis), curve.force_peak);
  need_slips(
      fmt::format("S{}M", axis), curve.slip_peak, fmt::format("S{}S", axis), curve.slip_sliding);
  return curve;
}

/// Two slips whose lines (17) over the load keep above zero and in this order down to no load.
void TyreReader::need_slips(const std::string& small_stem,
                            const std::array<double, 2>& small,
                            const std::string& large_stem,
                            const std::array<double, 2>& large) const {
  const auto check_order = [&](double below, double above, const std::string& load) {
    if (above <= below)
      contradict(
          "slip-order",
          fmt::format(
              "{}{} = {} is not above {}{} = {}", large_stem, load, above, small_stem, load, below),
          large_stem + (load.starts_with('_') ? load : "_2N"));
  };
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string load = i == 0 ? "_N" : "_2N";
    need_positive(small_stem + load, small[i]);
    check_order(small[i], large[i], load);
  }
  for (const auto& [stem, pair] : {std::pair(small_stem, small), std::pair(large_stem, large)})
    if (pair[1] >= 2.0 * pair[0])
      contradict("load-curve",
                 fmt::format("{0}_2N = {1} is not below twice {0}_N = {2}: the line over the load "
                             "would be negative at small loads",
                             stem,
                             pair[1],
                             pair[0]),
                 stem + "_2N");
  check_order(2.0 * small[0] - small[1], 2.0 * large[0] - large[1], " at no load");
}

/// The parabola (17) through zero load is positive up to twice the payload if and only if its value
/// there is less than four times that at the payload.
void TyreReader::need_rising(const std::string& stem, const std::array<double, 2>& pair) const {
  need_positive(stem + "_N", pair[0], Dimension::force);
  need_positive(stem + "_2N", pair[1], Dimension::force);
  if (pair[1] >= 4.0 * pair[0])
    contradict("load-curve",
               fmt::format("{0}_2N = {1} is not below four times {0}_N = {2}: the curve over the "
                           "load would be negative at small loads",
                           stem,
                           pair[1],
                           pair[0]),
               stem + "_2N");
}

TmeasyTyre TyreReader::tmeasy() {
  auto t = coefficients<TmeasyTyre>(kTmeasyNames);
  need_positive("PAYLOAD", t.payload, Dimension::force);
  need_positive("UNLOADED_RADIUS", t.unloaded_radius, Dimension::length);
  need_positive("VERTICAL_STIFFNESS", t.vertical_stiffness, Dimension::stiffness);
  check_carcass(t.longitudinal_stiffness, t.lateral_stiffness);
  check_deflection(t.vertical_stiffness, t.payload, t.unloaded_radius);
  t.x = tmeasy_curve("X");
  t.y = tmeasy_curve("Y");
  t.trail = tmeasy_pair("NL0");
  t.slip_trail_zero = tmeasy_pair("SY0");
  t.slip_trail_end = tmeasy_pair("SYE");
  t.radius_weight = tmeasy_pair("LAMBDA");
  t.rolling_resistance = tmeasy_pair("RR");
  need_slips("SY0", t.slip_trail_zero, "SYE", t.slip_trail_end);
  return t;
}

void TyreReader::need_factors(
    double fnomin, double radius, double lfzo, double longvl, double lmuy, double pky2) const {
  need_positive("FNOMIN", fnomin, Dimension::force);
  need_positive("UNLOADED_RADIUS", radius, Dimension::length);
  need_positive("LFZO", lfzo);
  need_positive("LONGVL", longvl, Dimension::speed);
  need_positive("LMUY", lmuy);
  if (pky2 == 0.0) contradict("zero", "PKY2 = 0: the load of the peak stiffness is zero", "PKY2");
  if (file_.find("PCX1") == nullptr && file_.find("PCY1") == nullptr)
    contradict("no-coefficients", "neither PCX1 nor PCY1: the file has no slip forces", "FITTYP");
}

Pac2002Tyre TyreReader::pac2002() {
  const auto t = coefficients<Pac2002Tyre>(kPac2002Names);
  need_factors(t.fnomin, t.unloaded_radius, t.lfzo, t.longvl, t.lmuy, t.pky2);
  if (t.pty2 == 0.0 && t.pty1 != 0.0)
    contradict("zero", "PTY2 = 0: the load of the peak is zero", "PTY2");
  check_deflection(t.vertical_stiffness, t.fnomin, t.unloaded_radius);
  return t;
}

Mf61Tyre TyreReader::mf61() {
  const auto t = coefficients<Mf61Tyre>(kMf61Names);
  need_factors(t.fnomin, t.unloaded_radius, t.lfzo, t.longvl, t.lmuy, t.pky2);
  if (t.nompres != 0.0) need_positive("NOMPRES", t.nompres, Dimension::pressure);
  if (t.inflpres != 0.0) need_positive("INFLPRES", t.inflpres, Dimension::pressure);
  check_carcass(t.longitudinal_stiffness, t.lateral_stiffness);
  check_deflection(t.vertical_stiffness, t.fnomin, t.unloaded_radius);
  return t;
}

TyreLaw TyreReader::law() {
  const std::string format = text("PROPERTY_FILE_FORMAT");
  if (format == "LINEAR") return linear();
  if (format == "FIALA") return fiala();
  if (format == "TMEASY") return tmeasy();
  if (format == "PAC2002") return pac2002();
  const TirEntry* named = file_.find("PROPERTY_FILE_FORMAT");
  std::string type = "none";
  if (const TirEntry* fit = file_.find("FITTYP")) {
    named = fit;
    type = fit->text;
    const double number = file_.number(*fit);
    if (number == 6.0 || number == 21.0 || number == 52.0) return pac2002();
    if (number == 62.0)
      notes_.warn("as-mf61",
                  "FITTYP 62 is read as Magic Formula 6.1; its vertical force is not used",
                  file_.where(*fit));
    if (number == 60.0 || number == 61.0 || number == 62.0) return mf61();
  } else if (format == "MF_05") {
    return pac2002();
  }
  throw ParseError(
      "unknown-law",
      fmt::format("PROPERTY_FILE_FORMAT '{}', FITTYP {}: this tyre law is not known", format, type),
      named != nullptr ? file_.where(*named) : Where{.file = file_.name},
      "use LINEAR, FIALA, TMEASY, PAC2002, or FITTYP 6, 21, 52, 60, 61, 62");
}

Range TyreReader::range(std::string_view low, std::string_view high, Dimension dimension) {
  Range r;
  const bool has_low = take_any(low, dimension, r.low);
  const bool has_high = take_any(high, dimension, r.high);
  if (has_low && has_high && r.low >= r.high)
    contradict(
        "range", fmt::format("{} = {} is not below {} = {}", low, r.low, high, r.high), high);
  return r;
}

/// A tyre measured in braking only, or in bends to one side, has no forces on the other side if its
/// range ends at 0.
void TyreReader::mirror_half(Range& range, std::string_view low, std::string_view high) {
  if (range.low < 0.0 && range.high > 0.0) return;
  const Range measured = range;
  range.low = std::min(range.low, -range.high);
  range.high = std::max(-measured.low, range.high);
  const TirEntry* entry = file_.find(measured.high > 0.0 ? low : high);
  notes_.warn(
      "half-range",
      fmt::format("{} = {} and {} = {} leave out one sign of the slip: the coefficients are "
                  "used from {} to {}",
                  low,
                  measured.low,
                  high,
                  measured.high,
                  range.low,
                  range.high),
      entry != nullptr ? file_.where(*entry) : Where{.file = file_.name});
}

void TyreReader::take_ranges() {
  TyreRanges& r = out_.tyre.ranges;
  r.kappa = range("KPUMIN", "KPUMAX", Dimension::none);
  r.alpha = range("ALPMIN", "ALPMAX", Dimension::angle);
  r.gamma = range("CAMMIN", "CAMMAX", Dimension::angle);
  mirror_half(r.kappa, "KPUMIN", "KPUMAX");
  mirror_half(r.alpha, "ALPMIN", "ALPMAX");
  r.load = range("FZMIN", "FZMAX", Dimension::force);
  r.pressure = range("PRESMIN", "PRESMAX", Dimension::pressure);
  need_positive("FZMAX", r.load.high, Dimension::force);
  need_positive("PRESMAX", r.pressure.high, Dimension::pressure);
  if (const double load = nominal_load(out_.tyre); r.load.low > load)
    contradict("range",
               fmt::format("FZMIN = {} N is above the nominal load of {} N", r.load.low, load),
               "FZMIN");
  // above twice the payload, the parabolas of TMeasy decrease with the load
  if (const auto* t = std::get_if<TmeasyTyre>(&out_.tyre.law))
    r.load.high = std::min(r.load.high, 2.0 * t->payload);
}

void TyreReader::take_side(const TirEntry& entry) {
  Tyre& tyre = out_.tyre;
  const std::string side = upper_case(entry.text);
  if (side == "RIGHT") {
    tyre.side = Side::right;
  } else if (side == "SYMMETRIC" || side == "SYMMETRICAL") {
    if (auto* a = std::get_if<Pac2002Tyre>(&tyre.law)) *a = symmetric_part(*a);
    if (auto* b = std::get_if<Mf61Tyre>(&tyre.law)) *b = symmetric_part(*b);
  } else if (side == "UNKNOWN") {
    notes_.warn("unknown-side",
                "TYRESIDE = 'UNKNOWN': the tyre is taken as one of the left side",
                file_.where(entry));
  } else if (side != "LEFT") {
    throw ParseError("unknown-side",
                     fmt::format("TYRESIDE: '{}' is not a side", side),
                     file_.where(entry),
                     "use LEFT, RIGHT or SYMMETRIC");
  }
}

/// Reads the damping of the vertical force, and tells curves in place of the stiffness.
void TyreReader::take_vertical() {
  double& damping = out_.tyre.vertical_damping;
  if (take("VERTICAL_DAMPING", Dimension::damping, damping) && damping < 0.0)
    contradict("not-positive",
               fmt::format("VERTICAL_DAMPING = {} must not be negative", damping),
               "VERTICAL_DAMPING");
  for (const char* curve : {"DEFLECTION_LOAD_CURVE", "BOTTOMING_CURVE"})
    if (std::find(file_.sections.begin(), file_.sections.end(), curve) != file_.sections.end())
      notes_.warn("unused-curve",
                  fmt::format("[{}] is not used: the vertical force is VERTICAL_STIFFNESS times "
                              "the deflection",
                              curve),
                  {.file = file_.name, .record = curve});
}

/// Reads side and low speed; the last digit of USE_MODE selects the forces to compute.
void TyreReader::take_model() {
  Tyre& tyre = out_.tyre;
  if (const TirEntry* entry = file_.find("TYRESIDE")) take_side(*entry);
  if (take("VXLOW", Dimension::speed, tyre.low_speed))
    need_positive("VXLOW", tyre.low_speed, Dimension::speed);
  double mode = 4.0;
  if (!take("USE_MODE", Dimension::none, mode)) return;
  const double digit = std::fmod(std::abs(mode), 10.0);
  constexpr double kMostMode = 999.0;  // modes have up to three digits
  if (digit != std::floor(digit) || std::abs(mode) > kMostMode)
    contradict(
        "use-mode", fmt::format("USE_MODE = {} is not a number from 0 to 999", mode), "USE_MODE");
  tyre.has_longitudinal = digit != 0.0 && digit != 2.0;
  tyre.has_lateral = digit >= 2.0;
  tyre.is_combined = digit >= 4.0;
}

/// Reports coefficients that the law does not have, because of another version or a misspelling.
void TyreReader::tell_unused() {
  constexpr std::array<std::string_view, 5> kSections = {"LONGITUDINAL_COEFFICIENTS",
                                                         "LATERAL_COEFFICIENTS",
                                                         "ALIGNING_COEFFICIENTS",
                                                         "OVERTURNING_COEFFICIENTS",
                                                         "ROLLING_COEFFICIENTS"};
  // transient and gyroscopic coefficients that some suppliers write in these sections; not reported
  constexpr std::array<std::string_view, 9> kElsewhere = {
      "PTX1", "PTX2", "PTX3", "PTY1", "PTY2", "PTN1", "PTN2", "QTZ1", "MBELT"};
  std::string names;
  for (const TirEntry& entry : file_.entries) {
    if (used_.contains(entry.name) ||
        std::find(kSections.begin(), kSections.end(), entry.section) == kSections.end() ||
        std::find(kElsewhere.begin(), kElsewhere.end(), entry.name) != kElsewhere.end())
      continue;
    out_.unused.push_back(entry.name);
    names += (names.empty() ? "" : ", ") + entry.name;
  }
  if (!names.empty())
    notes_.warn("unused-coefficients",
                fmt::format("the {} tyre has no {}", law_name(out_.tyre.law), names),
                {.file = file_.name});
}

ReadTyre TyreReader::read() {
  out_.tyre.law = law();
  take_ranges();
  take_model();
  take_vertical();
  tell_unused();
  check_forces(out_.tyre, largest_, file_.name, notes_);
  return std::move(out_);
}

}  // namespace

ReadTyre make_tyre(const TirFile& file, Diagnostics& notes) {
  return TyreReader(file, notes).read();
}

ReadTyre read_tyre(std::string_view bytes, std::string_view name, Diagnostics& notes) {
  return make_tyre(parse_tir(bytes, name), notes);
}

}  // namespace femflex::tyres
