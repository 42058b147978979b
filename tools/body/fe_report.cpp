// JSON, tables and text of mode lists and reduced bodies. Participation, effective mass and kinetic
// energy are in mode_mass_report.cpp.
#include "body/fe_report.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <complex>
#include <numbers>

#include <fmt/format.h>

#include "femflex/damping.h"
#include "femflex/frequency.h"
#include "femflex/number_list.h"

namespace femflex::tools {
namespace {

std::string_view reason_name(RejectionReason reason) {
  switch (reason) {
    case RejectionReason::below_limit:
      return "below";
    case RejectionReason::above_limit:
      return "above";
    case RejectionReason::dependent:
      return "dependent";
    case RejectionReason::rigid:
      return "rigid";
  }
  return "?";
}

/// Labels of modes, with numbers of the same kind joined: "static:1-3,7 dynamic:2".
std::string joined_labels(const std::vector<std::string>& labels) {
  std::string out;
  std::string kind;
  std::vector<std::int64_t> numbers;
  const auto flush = [&] {
    if (numbers.empty()) return;
    out += fmt::format("{}{}:{}", out.empty() ? "" : " ", kind, format_number_list(numbers));
    numbers.clear();
  };
  for (const std::string& label : labels) {
    const std::size_t colon = label.rfind(':');
    std::int64_t number = 0;
    const char* end = label.data() + label.size();
    if (colon == std::string::npos ||
        std::from_chars(label.data() + colon + 1, end, number).ptr != end) {
      flush();
      out += fmt::format("{}{}", out.empty() ? "" : " ", label);
      continue;
    }
    if (label.compare(0, colon, kind) != 0) flush();
    kind = label.substr(0, colon);
    numbers.push_back(number);
  }
  flush();
  return out;
}

/// The resulting damping: the damping ratio of each eigenmode of the reduced body, and the damping
/// matrix b.
Json body_damping_json(const FlexBody& body) {
  constexpr Eigen::Index kMaxListed = 60;  // largest number of modes for which b is listed
  if (body.mode_count() == 0) return {};
  const modal::TrueDamping damping = modal::true_damping(body);
  Json out = Json::object();
  Json modes = Json::list();
  for (Eigen::Index i = 0; i < damping.ratio.size(); ++i) {
    Json item = Json::object();
    item["frequency_hz"] = damping.frequency_hz(i);
    item["damping_ratio"] = damping.ratio(i);
    modes.push_back(std::move(item));
  }
  out["true_modes"] = std::move(modes);
  out["coupling"] = damping.coupling;
  Json poles = Json::list();
  for (const std::complex<double>& s : modal::damped_poles(body)) {
    Json item = Json::object();
    item["frequency_hz"] = std::abs(s) / (2.0 * std::numbers::pi);
    item["damping_ratio"] = -s.real() / std::abs(s);
    item["eigenvalue"] = std::vector<double>{s.real(), s.imag()};
    poles.push_back(std::move(item));
  }
  out["poles"] = std::move(poles);
  if (damping.ratio.size() > kMaxListed) return out;
  out["matrix"] = matrix_rows_json(damping_matrix(body));
  return out;
}

}  // namespace

Json matrix_rows_json(const Eigen::MatrixXd& matrix) {
  Json rows = Json::list();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    rows.push_back(Json(std::vector<double>(matrix.row(i).begin(), matrix.row(i).end())));
  return rows;
}

std::vector<double> inertia_entries(const Eigen::Matrix3d& inertia) {
  return {inertia(0, 0), inertia(1, 1), inertia(2, 2), inertia(0, 1), inertia(1, 2), inertia(0, 2)};
}

double gyration_radius(double mass, const Eigen::Matrix3d& inertia) {
  return mass > 0.0 ? std::sqrt(inertia.trace() / mass) : 0.0;
}

Json mode_table_json(std::span<const ModeInfo> modes, double factor) {
  Json out = Json::list();
  for (const ModeInfo& mode : modes) {
    Json item = Json::object();
    item["label"] = label_of(mode);
    item["kind"] = name_of(mode.kind);
    item["eigenvalue"] = mode.eigenvalue * factor;
    item["frequency_hz"] = frequency_hz(mode.eigenvalue * factor);
    item["generalised_mass"] = mode.generalised_mass;
    out.push_back(std::move(item));
  }
  return out;
}

std::string mode_table_text(std::span<const ModeInfo> modes, double factor) {
  TextTable table({"mode", "Hz", "omega^2", "generalised mass", "source"});
  for (const ModeInfo& mode : modes)
    table.add({label_of(mode),
               readable(frequency_hz(mode.eigenvalue * factor)),
               readable(mode.eigenvalue * factor),
               readable(mode.generalised_mass),
               mode.source});
  return table.text(60);
}

Json solve_json(const modal::SolveReport& report, bool is_reproducible) {
  Json out = Json::object();
  out["backend"] = report.backend;
  out["eigensolver"] = report.eigensolver;
  out["unknowns"] = report.unknowns;
  out["factor_entries"] = report.factor_entries;
  out["factor_memory"] = report.factor_memory;
  out["shift"] = report.shift;
  out["sturm_expected"] = report.sturm_expected;
  out["rigid_modes"] = report.rigid_modes;
  out["worst_residual"] = report.worst_residual;
  if (is_reproducible) return out;
  Json seconds = Json::object();
  seconds["order"] = report.seconds_order;
  seconds["factor"] = report.seconds_factor;
  seconds["modes"] = report.seconds_modes;
  seconds["check"] = report.seconds_check;
  out["seconds"] = std::move(seconds);
  return out;
}

Json body_report_json(const FlexBody& body) {
  Json out = Json::object();
  Json path = Json::object();
  path["orthogonalised"] = body.path.orthogonalised;
  path["scaled"] = body.path.scaled;
  path["reject_below"] = body.path.reject_below;
  path["reject_above"] = body.path.reject_above;
  path["rigid_modes"] = body.path.rigid_modes;
  out["path"] = std::move(path);
  out["nodes"] = body.node_count();
  out["mass"] = body.invariants.mass;
  Json modes = Json::list();
  for (std::size_t i = 0; i < body.modes.size(); ++i) {
    const BodyMode& mode = body.modes[i];
    Json item = Json::object();
    item["index"] = i + 1;
    item["kind"] = name_of(mode.kind);
    item["sources"] = mode.sources;
    item["eigenvalue"] = mode.eigenvalue;
    item["frequency_hz"] = frequency_hz(mode.eigenvalue);
    item["alpha"] = body.back ? Json(body.back->alpha(static_cast<Eigen::Index>(i))) : Json();
    item["damping_ratio"] = mode.damping_ratio;
    item["enabled"] = mode.enabled;
    modes.push_back(std::move(item));
  }
  out["modes"] = std::move(modes);
  out["damping"] = body_damping_json(body);
  std::int64_t below = 0;
  std::int64_t above = 0;
  std::int64_t rigid = 0;
  Json dependent = Json::list();
  for (const RejectedMode& mode : body.rejected) {
    if (mode.reason == RejectionReason::below_limit) ++below;
    if (mode.reason == RejectionReason::above_limit) ++above;
    if (mode.reason == RejectionReason::rigid) ++rigid;
    if (mode.reason != RejectionReason::dependent) continue;
    Json item = Json::object();
    item["source"] = mode.source;
    item["repeats"] = mode.repeats;
    dependent.push_back(std::move(item));
  }
  Json rejected = Json::object();
  rejected["count"] = body.rejected.size();
  rejected["below"] = below;
  rejected["above"] = above;
  rejected["rigid"] = rigid;
  rejected["dependent"] = std::move(dependent);
  out["rejected"] = std::move(rejected);
  return out;
}

TextTable body_mode_table(const FlexBody& body) {
  TextTable table({"mode", "made of", "Hz", "k/m 1/s^2", "alpha", "damping"});
  for (std::size_t i = 0; i < body.modes.size(); ++i) {
    const BodyMode& mode = body.modes[i];
    std::string sources = joined_labels(mode.sources);
    if (sources.size() > 40)
      sources = fmt::format("{} and {} more", mode.sources.front(), mode.sources.size() - 1);
    table.add({std::to_string(i + 1),
               sources,
               readable(frequency_hz(mode.eigenvalue)),
               readable(mode.eigenvalue),
               body.back ? readable(body.back->alpha(static_cast<Eigen::Index>(i))) : "-",
               readable(mode.damping_ratio)});
  }
  return table;
}

TextTable eigenmode_damping_table(const FlexBody& body) {
  const modal::TrueDamping damping = modal::true_damping(body);
  TextTable table({"eigenmode", "Hz", "ratio"});
  for (Eigen::Index i = 0; i < damping.ratio.size(); ++i)
    if (std::isfinite(damping.ratio(i)))
      table.add({std::to_string(i + 1),
                 readable(damping.frequency_hz(i)),
                 readable(damping.ratio(i), 3)});
  return table;
}

TextTable pole_table(const Eigen::VectorXcd& poles) {
  TextTable table({"pole", "real 1/s", "imaginary rad/s", "Hz", "ratio"});
  for (Eigen::Index i = 0; i < poles.size(); ++i) {
    const std::complex<double> s = poles(i);
    const bool swings = s.imag() > 0.0;
    table.add({std::to_string(i + 1),
               readable(s.real()),
               swings ? readable(s.imag()) : "-",
               swings ? readable(std::abs(s) / (2.0 * std::numbers::pi)) : "does not swing",
               swings ? readable(-s.real() / std::abs(s), 3) : "-"});
  }
  return table;
}

namespace {

/// Text about the damping of the eigenmodes if damping is defined on shapes that are not
/// orthogonal. Empty if the damping does not couple the eigenmodes, because the mode table then
/// shows their ratios.
std::string coupled_damping_text(const FlexBody& body) {
  constexpr double kCoupled = 1e-6;  // below this, no printed digit changes
  constexpr std::size_t kRows = 60;
  if (body.mode_count() == 0) return {};
  const double coupling = modal::true_damping(body).coupling;
  if (coupling < kCoupled) return {};
  std::string out = "damping of the true modes, the diagonal of the damping alone\n" +
                    eigenmode_damping_table(body).text(kRows);
  out += fmt::format(
      "  the damping couples the eigenmodes (largest coupling {}): the body decays in the motions "
      "of its poles\n",
      readable(coupling, 3));
  const Eigen::VectorXcd poles = modal::damped_poles(body);
  if (poles.size() > 0) out += pole_table(poles).text(kRows);
  return out;
}

}  // namespace

std::string body_report_text(const FlexBody& body) {
  std::string out = fmt::format("{}: {} nodes, {} modes, mass {} kg, {}, {}\n",
                                body.name.empty() ? "body" : body.name,
                                body.node_count(),
                                body.mode_count(),
                                readable(body.invariants.mass),
                                body.path.orthogonalised ? "orthogonalised" : "not orthogonalised",
                                body.path.scaled ? "scaled" : "not scaled");
  out += body_mode_table(body).text(60);
  out += coupled_damping_text(body);
  if (body.path.rigid_modes > 0)
    out += fmt::format(
        "  {} rigid-body modes dropped: the frame of the body moves by itself "
        "(--keep-rigid keeps them)\n",
        body.path.rigid_modes);
  for (const RejectedMode& mode : body.rejected) {
    if (mode.reason == RejectionReason::rigid) continue;
    out += fmt::format("  rejected {}: {}", mode.source, reason_name(mode.reason));
    if (!mode.repeats.empty()) out += " on " + joined_labels(mode.repeats);
    if (!std::isnan(mode.eigenvalue))
      out += fmt::format(", eigenvalue {}", readable(mode.eigenvalue));
    out += "\n";
  }
  return out;
}

Json automatic_json(const modal::ReduceReport& report) {
  Json curve = Json::list();
  for (const modal::ReduceReport::AutoStep& step : report.curve) {
    Json item = Json::object();
    item["normal_modes"] = step.normal_modes;
    item["highest_hz"] = step.highest_hz;
    item["frf_error"] = step.frf_error;
    curve.push_back(std::move(item));
  }
  Json out = Json::object();
  out["curve"] = std::move(curve);
  out["kept_why"] = report.kept_why;
  return out;
}

Json invariants_json(const modal::InertiaDifference& difference) {
  Json out = Json::object();
  out["mass"] = difference.mass;
  out["centre"] = difference.centre;
  out["inertia"] = difference.inertia;
  out["translation"] = difference.translation;
  out["rotation"] = difference.rotation;
  out["modal"] = difference.modal;
  return out;
}

std::string lumped_text(const modal::InertiaDifference& difference) {
  return fmt::format(
      "  lumped nodal masses against the mass matrix: centre off by {} m; relative errors mass {}, "
      "inertia {}, modal invariants 3 {}, 4 {}, 6 {}\n",
      readable(difference.centre, 2),
      readable(difference.mass, 2),
      readable(difference.inertia, 2),
      readable(difference.translation, 2),
      readable(difference.rotation, 2),
      readable(difference.modal, 2));
}

}  // namespace femflex::tools
