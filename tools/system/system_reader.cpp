// Evaluates formulas of parameters and converts every number to SI by the factor of its unit.
#include "system/system_reader.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/io/sha256.h"
#include "femflex/is_rotation.h"
#include "femflex/laws/curve.h"
#include "femflex/laws/formula.h"
#include "femflex/text.h"
#include "femflex/unit_constants.h"

#include "document/file_kind.h"
#include "document/nearest_name.h"
#include "document/number_text.h"

namespace femflex::tools {

namespace {

/// The names that a formula may use alone: `t`, and those of objects with one channel.
std::vector<std::string> names_in_document(const Json& document) {
  std::vector<std::string> out = {"t", "energy", "constraint_violation"};
  for (const char* section : {"bodies", "joints", "motions", "forces", "blocks", "inputs"})
    if (const Json* found = document.find(section); found != nullptr && found->is_object())
      for (const Json::Member& member : found->members())
        out.push_back(member.key);
  return out;
}

/// @throws ParseError  a parameter is none of the values of "one_of"
void check_one_of(const SystemReader& in,
                  const Json& found,
                  const std::string& name,
                  const Json& limits) {
  ObjectReader reader(limits, "limits of " + name);
  const std::vector<Json>& values = reader.need("one_of").items();
  reader.finish();
  const double value = in.number(found);
  std::string list;
  for (const Json& each : values) {
    if (in.number(each) == value) return;
    list += fmt::format("{}{:.6g}", list.empty() ? "" : ", ", in.number(each));
  }
  found.fail("limits",
             fmt::format("{} is {:.6g}, which is not one of {}", name, value, list),
             "give one of them");
}

/// @throws ParseError  a parameter lies outside of its limits
void check_limits(const SystemReader& in, const Json& document, const Json& limits) {
  const Json* parameters = document.find("parameters");
  for (const Json::Member& member : limits.members()) {
    const Json* found = parameters == nullptr ? nullptr : parameters->find(member.key);
    if (found == nullptr) {
      std::vector<std::string> names;
      if (parameters != nullptr)
        for (const Json::Member& each : parameters->members())
          names.push_back(each.key);
      member.value.fail("unknown-name",
                        fmt::format("\"limits\": there is no parameter '{}'", member.key),
                        suggestion(member.key, names));
    }
    if (member.value.is_object()) {
      check_one_of(in, *found, member.key, member.value);
      continue;
    }
    const std::vector<Json>& ends = member.value.items();
    if (ends.size() != 2)
      member.value.fail("limits",
                        fmt::format("the limits of {} are not two numbers", member.key),
                        "write [least, largest]");
    const double value = in.number(*found), least = in.number(ends[0]),
                 largest = in.number(ends[1]);
    if (value >= least && value <= largest) continue;
    found->fail("limits",
                fmt::format("{} is {:.6g}, which is not within its limits, {:.6g} to {:.6g}",
                            member.key,
                            value,
                            least,
                            largest),
                fmt::format("give a value within them, or others with \"limits\": {{ \"{}\": "
                            "[least, largest] }}",
                            member.key));
  }
}

}  // namespace

SystemReader::SystemReader(const Json& document,
                           std::filesystem::path folder,
                           Diagnostics& diagnostics,
                           Progress& progress,
                           ReadCache* cache)
    : parameters_(document, "system"),
      names_(names_in_document(document)),
      folder_(std::move(folder)),
      diagnostics_(diagnostics),
      progress_(progress),
      cache_(cache) {
  if (const Json* units = document.find("units"); units != nullptr) {
    try {
      units_ = parse_units(units->text());
    } catch (const UsageError& error) {
      units->fail("units", error.message(), error.fix());
    }
  }
  if (const Json* planar = document.find("planar"); planar != nullptr) planar_ = planar->boolean();
  if (const Json* limits = document.find("limits"); limits != nullptr)
    check_limits(*this, document, *limits);
}

double SystemReader::number(const Json& value, double factor) const {
  return parameters_.number(value) * factor;
}

double SystemReader::number(ObjectReader& reader,
                            std::string_view key,
                            double fallback,
                            double factor) const {
  const Json* found = reader.find(key);
  return found == nullptr ? fallback : number(*found, factor);
}

std::optional<double> SystemReader::maybe(ObjectReader& reader,
                                          std::string_view key,
                                          double factor) const {
  const Json* found = reader.find(key);
  if (found == nullptr) return std::nullopt;
  return number(*found, factor);
}

double SystemReader::with_unit(const Json& value, std::string_view unit) const {
  if (!value.is_text() || is_formula(value)) return number(value);
  const std::string& text = value.text();
  if (const auto number = number_of_text(text, unit)) return *number;
  value.fail("wrong-kind",
             fmt::format("'{}' is not a number in {}", text, unit),
             fmt::format("write 120 or \"120 {}\"", unit));
}

std::vector<double> SystemReader::numbers(const Json& value, double factor) const {
  std::vector<double> out;
  for (const Json& item : value.items())
    out.push_back(number(item, factor));
  return out;
}

Eigen::Vector3d SystemReader::vector(const Json& value, double factor) const {
  const std::vector<double> three = numbers(value, factor);
  if (three.size() != 3)
    value.fail("wrong-size", fmt::format("{} numbers where [x, y, z] was expected", three.size()));
  return {three[0], three[1], three[2]};
}

std::optional<Eigen::Vector3d> SystemReader::maybe_vector(ObjectReader& reader,
                                                          std::string_view key,
                                                          double factor) const {
  const Json* found = reader.find(key);
  if (found == nullptr) return std::nullopt;
  return vector(*found, factor);
}

mbd_solver::Value SystemReader::value(const Json& value, double factor) const {
  if (value.is_object()) return history(value, factor);
  if (!value.is_text() || is_formula(value)) return number(value, factor);
  const std::string& text = value.text();
  try {
    const std::vector<std::string> used = laws::Formula::names_in(text, parameters_.values());
    if (used.empty()) return laws::Formula(text, {}, parameters_.values())({}) * factor;
    for (const std::string& name : used)
      check_formula_name(value, name);
    mbd_solver::Value formula = laws::Formula::of_time(text, parameters_.values());
    formula.factor = factor;
    return formula;
  } catch (const ModelError& error) {
    value.fail("formula", error.message(), error.fix());  // names the text
  }
}

void SystemReader::check_formula_name(const Json& where, const std::string& name) const {
  // parts of an object are named with '/', and masses of a lattice with '.' as well
  if (name.find_first_of("/.") != std::string::npos) return;
  if (std::find(names_.begin(), names_.end(), name) != names_.end()) return;
  std::vector<std::string> known = names_;
  for (const auto& parameter : parameters_.values())
    known.push_back(parameter.first);
  where.fail(
      "unknown-name",
      fmt::format(
          "'{}': '{}' is neither a parameter nor an object of this system", where.text(), name),
      suggestion(name, known) +
          "; a parameter is defined in \"parameters\", a channel is written "
          "[body/place/quantity/component]");
}

mbd_solver::Value SystemReader::value(ObjectReader& reader,
                                      std::string_view key,
                                      double fallback,
                                      double factor) const {
  const Json* found = reader.find(key);
  return found == nullptr ? mbd_solver::Value(fallback) : value(*found, factor);
}

mbd_solver::Value3 SystemReader::value3(const Json& list, double factor) const {
  const std::vector<Json>& items = list.items();
  if (items.size() != 3)
    list.fail("wrong-size", fmt::format("{} entries where [x, y, z] was expected", items.size()));
  return {value(items[0], factor), value(items[1], factor), value(items[2], factor)};
}

mbd_solver::Table SystemReader::table(const Json& value, double x_factor, double y_factor) const {
  ObjectReader reader(value, "table");
  mbd_solver::Table out;
  out.x = numbers(reader.need("x"), x_factor);
  out.y = numbers(reader.need("y"), y_factor);
  out.interpolation = choice_or(reader, "interpolation", kInterpolations, out.interpolation);
  reader.finish();
  if (out.x.size() != out.y.size() || out.x.empty())
    value.fail("wrong-size",
               fmt::format("{} x and {} y values", out.x.size(), out.y.size()),
               "give as many, at least one");
  for (std::size_t i = 1; i < out.x.size(); ++i) {
    if (out.x[i] <= out.x[i - 1]) value.fail("order", "x values do not rise");
  }
  return out;
}

namespace {

/// The three axes of a sequence of rotations, in the order of the text: "zyx".
std::string axes_in_order(const Json& order) {
  const std::string& axes = order.text();
  if (axes.size() != 3 || axes.find_first_not_of("xyz") != std::string::npos)
    order.fail("unknown-choice",
               fmt::format("'{}' is not an order of axes", axes),
               "write for example \"zyx\" or \"zxz\"");
  return axes;
}

}  // namespace

Eigen::Matrix3d SystemReader::orientation(const Json& value) const {
  ObjectReader reader(value, "orientation");
  const Json* euler = reader.find("euler");
  const Json* order = reader.find("order");
  const Json* quaternion = reader.find("quaternion");
  const Json* axis = reader.find("axis");
  const Json* angle = reader.find("angle");
  const Json* matrix = reader.find("matrix");
  const Json* unit = reader.find("unit");
  reader.finish();
  const std::array<bool, 4> given = {euler != nullptr,
                                     quaternion != nullptr,
                                     axis != nullptr || angle != nullptr,
                                     matrix != nullptr};
  const auto rules = std::count(given.begin(), given.end(), true);
  if (rules > 1)
    value.fail("two-rules",
               fmt::format("orientation: {} rules are given, of which one would be taken", rules),
               "keep one of euler, quaternion, axis with angle, matrix");
  const double turn = unit != nullptr && choice(*unit, {"deg", "rad"}) == "deg" ? kDegree : 1.0;
  if (euler != nullptr) {
    const Eigen::Vector3d angles = vector(*euler, turn);
    const std::string axes = order == nullptr ? "zyx" : axes_in_order(*order);
    Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
    for (std::size_t i = 0; i < 3; ++i)
      R = R * Eigen::AngleAxisd(angles(static_cast<Eigen::Index>(i)),
                                Eigen::Vector3d::Unit(axes[i] - 'x'))
                  .toRotationMatrix();
    return R;
  }
  if (quaternion != nullptr) {
    const std::vector<double> q = numbers(*quaternion);
    if (q.size() != 4 || !(std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3])) > 1e-6))
      quaternion->fail("wrong-size", "no quaternion", "write [w, x, y, z], not all zero");
    return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
  }
  if (axis != nullptr && angle != nullptr) {
    const Eigen::Vector3d direction = vector(*axis);
    if (!(direction.norm() > 0.0)) axis->fail("zero-axis", "the axis has no length");
    return Eigen::AngleAxisd(number(*angle, turn), direction.normalized()).toRotationMatrix();
  }
  if (matrix != nullptr) {
    Eigen::Matrix3d R;
    if (matrix->items().size() != 3)
      matrix->fail("wrong-size", "no 3 x 3 matrix", "write three rows");
    for (std::size_t row = 0; row < 3; ++row)
      R.row(static_cast<Eigen::Index>(row)) = vector(matrix->items()[row]).transpose();
    if (!is_rotation(R))
      matrix->fail("no-rotation",
                   "the matrix is not a rotation",
                   "columns are the body's axes in the world");
    return R;
  }
  value.fail("missing-key", "orientation: no euler, quaternion, axis with angle, or matrix");
}

std::filesystem::path SystemReader::file(const Json& name) const {
  if (part<FeModel>(name) != nullptr)
    name.fail("wrong-file-kind", "is an FE model; expected a flexible body", "reduce it first");
  if (part<FlexBody>(name) != nullptr)
    name.fail("wrong-file-kind", "is a flexible body; expected an FE model");
  const std::filesystem::path path = folder_ / name.text();
  try {
    require_file(path);
  } catch (const UsageError& error) {
    name.fail("no-such-file",
              fmt::format("'{}': {}", path.string(), error.message()),
              error.fix() + "; the path is relative to the system file");
  }
  sources_.push_back({path.filename().string(), file_digest(cache_, path)});
  files_.push_back(path);
  return path;
}

}  // namespace femflex::tools
