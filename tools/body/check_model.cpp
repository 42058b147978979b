// Checks an FE model or a body. Notation: K, M stiffness and mass matrix; R the six rigid motions
// of the nodes, so that R' M R is the rigid mass matrix and K R the force of a rigid motion.
#include "body/check_model.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "femflex/constraints.h"
#include "femflex/errors.h"
#include "femflex/flexfile/flexfile.h"
#include "femflex/modal/compute_modes.h"
#include "femflex/modal/mass_properties.h"
#include "femflex/rigid_residual.h"

#include "body/check_units.h"
#include "body/fe_report.h"
#include "body/held_mass.h"
#include "document/table.h"

namespace femflex::tools {
namespace {

// largest rigid_residual() of a free model; matrices from single-precision files reach 1e-7
constexpr double kRigidLimit = 1e-6;

/// Computes mass, centre and inertia. Reports missing mass, and mass that differs between
/// directions.
void mass_properties(const FeModel& model, CheckReport& report) {
  const modal::MassProperties found = modal::mass_properties(model);
  report.mass = found.mass;
  report.centre = found.centre;
  report.inertia = found.inertia;
  if (!(report.mass > 0.0))
    report.findings.push_back({"no-mass",
                               "the mass matrix holds no mass",
                               "M",
                               "check the mass matrix and the DOF order"});
  else if (!found.is_isotropic)
    report.findings.push_back(
        {"uneven-mass",
         fmt::format("the mass differs by direction: {} in x, {} in y, {} in z",
                     readable(found.directional.x()),
                     readable(found.directional.y()),
                     readable(found.directional.z())),
         "M",
         "",
         false});
}

/// Reports the mass of held nodes, which the mass matrix lacks.
void mass_of_held_nodes(const FeModel& model, CheckReport& report) {
  const std::optional<HeldMass> found = held_mass(model);
  if (!found) return;
  report.findings.push_back(
      {"held-mass", found->text(), std::to_string(found->first), kHeldMassRemedy, false});
}

/// Reports a rigid motion that causes a force |K R|, except in rows that the model itself grounds.
void rigid_motion(const FeModel& model, CheckReport& report) {
  if (!(model.stiffness->coeffs().size() > 0 &&
        model.stiffness->coeffs().cwiseAbs().maxCoeff() > 0.0)) {
    report.findings.push_back(
        {"no-stiffness", "the stiffness matrix is zero", "K", "check --stiffness"});
    return;
  }
  const RigidResidual found = rigid_residual(model);
  report.rigid_residual = found.value;
  if (report.rigid_residual <= kRigidLimit) return;
  constexpr const char* kRigidMotions[] = {
      "translation x", "translation y", "translation z", "rotation x", "rotation y", "rotation z"};
  report.findings.push_back(
      {"grounded",
       fmt::format("{} causes a force: |K R| = {} |K| |R|, largest at {}",
                   kRigidMotions[found.motion],
                   readable(report.rigid_residual, 3),
                   to_string(model.dofs[found.row])),
       to_string(model.dofs[found.row]),
       "the part is held by springs to ground or constraints, or the DOF order is wrong",
       model.fixed.empty() && report.zero_modes != 0});
}

/// Reports DOFs without stiffness and support: with mass they are mechanisms, without mass they
/// only enlarge the model.
void dofs_without_stiffness(const FeModel& model, CheckReport& report) {
  const SparseMatrix& K = *model.stiffness;
  std::vector<bool> has_stiffness(static_cast<std::size_t>(K.rows()), false);
  for (int col = 0; col < K.outerSize(); ++col) {
    for (SparseMatrix::InnerIterator entry(K, col); entry; ++entry) {
      if (entry.value() == 0.0) continue;
      has_stiffness[static_cast<std::size_t>(entry.row())] = true;
      has_stiffness[static_cast<std::size_t>(entry.col())] = true;
    }
  }
  std::vector<bool> has_mass(has_stiffness.size(), false);
  if (model.mass) {
    for (int col = 0; col < model.mass->outerSize(); ++col) {
      for (SparseMatrix::InnerIterator entry(*model.mass, col); entry; ++entry) {
        if (entry.row() == entry.col() && entry.value() != 0.0)
          has_mass[static_cast<std::size_t>(entry.row())] = true;
      }
    }
  }
  const std::set<Dof> fixed(model.fixed.begin(), model.fixed.end());
  std::set<std::int64_t> tied;  // nodes of rigid elements
  for (const RigidElement& element : model.rigid_elements) {
    tied.insert(element.independent.begin(), element.independent.end());
    tied.insert(element.dependent.begin(), element.dependent.end());
  }
  std::int64_t massless = 0;
  std::int64_t with_mass = 0;
  std::string first;  // the first DOF with mass
  for (std::int64_t row = 0; row < model.dofs.size(); ++row) {
    if (has_stiffness[static_cast<std::size_t>(row)] || fixed.contains(model.dofs[row]) ||
        tied.contains(model.dofs[row].node))
      continue;
    if (has_mass[static_cast<std::size_t>(row)]) {
      if (with_mass++ == 0) first = to_string(model.dofs[row]);
    } else {
      ++massless;
    }
  }
  if (with_mass > 0)
    report.findings.push_back(
        {"mechanism",
         fmt::format("{} DOFs carry mass but no stiffness, the first is {}", with_mass, first),
         first,
         "hold these DOFs by constraints, or leave them out at the import",
         true});
  if (massless > 0)
    report.findings.push_back({"empty-dofs",
                               fmt::format("{} DOFs have neither stiffness nor mass", massless),
                               "",
                               "",
                               false});
}

/// Reports constraints of the deck that the matrices do not include.
void unapplied_constraints(const FeModel& model, CheckReport& report) {
  const Dependence dependence(model);
  if (dependence.unapplied().empty()) return;
  report.findings.push_back(
      {"unapplied-constraints",
       fmt::format("the matrices do not contain {}", cards_of(model, dependence.unapplied())),
       "",
       "import the deck again, choose the MPC set by --mpc, or export matrices of the n-set "
       "(KNN, MNN)"});
}

/// Counts zero modes among the lowest eight, or among all if fewer exist, and reports those that
/// are not rigid motions.
void zero_modes(const FeModel& model, CheckReport& report, Progress& progress) {
  modal::ModeRequest request;
  request.normal = 8;
  request.at_most = true;
  Diagnostics ignored;
  std::int64_t rigid = 0;
  try {
    const modal::ComputedModes found = modal::compute_modes(model, request, ignored, progress);
    report.zero_modes = found.report.zero_modes;
    rigid = found.report.rigid_modes;
  } catch (const Cancelled&) {
    throw;
  } catch (const Error& error) {
    report.findings.push_back({error.code(), error.message(), error.where().text(), error.fix()});
  }
  if (report.zero_modes > rigid)
    report.findings.push_back(
        {"rigid-motions",
         fmt::format("K has {} zero modes, but {} of them are rigid motions of the nodes",
                     report.zero_modes,
                     rigid == 0 ? "none" : fmt::format("only {}", rigid)),
         "",
         "give positions with more digits, or look for a mechanism or a wrong order of rows",
         false});
  if (report.zero_modes > 6)
    report.findings.push_back(
        {"mechanism",
         fmt::format("{} zero modes where a part has at most 6", report.zero_modes),
         "",
         "look for parts that are not connected"});
}

/// Reports missing matrices, without which modes and bodies cannot be computed.
void missing_parts(const FeModel& model, CheckReport& report) {
  if (model.nodes.empty() && model.dofs.size() == 0) {
    report.findings.push_back({"empty",
                               "the model is empty: no nodes and no matrices",
                               "",
                               "import the files of the FE code again"});
    return;
  }
  const char* remedy = "import again with the file that holds it (OP4, OP2, DMIG, .sti and .mas)";
  if (!model.stiffness)
    report.findings.push_back({"no-stiffness",
                               "the model holds no stiffness matrix: no modes and no statics",
                               "K",
                               remedy});
  if (!model.mass)
    report.findings.push_back(
        {"no-mass", "the model holds no mass matrix: no modes and no bodies", "M", remedy});
}

/// Mass, centre and inertia as text, in kg and m if the units are known.
std::string mass_text(const CheckReport& report) {
  if (!(report.mass > 0.0)) return "";
  const Units units = report.units.value_or(Units{});
  const char* remark = report.units ? "" : " (in the file's units, which are not known)";
  const Eigen::Vector3d centre = report.centre * units.length;
  const double turn = report.inertia.trace() * units.inertia();  // scale of the entries
  const double arm = units.length * gyration_radius(report.mass, report.inertia) + centre.norm();
  std::string moments;
  for (const double each : inertia_entries(report.inertia))
    moments += readable_beside(each * units.inertia(), turn) + " ";
  return fmt::format("  mass {}{}, centre {} {} {}{}{}\n",
                     readable(report.mass * units.mass),
                     report.units ? " kg" : "",
                     readable_beside(centre.x(), arm),
                     readable_beside(centre.y(), arm),
                     readable_beside(centre.z(), arm),
                     report.units ? " m" : "",
                     remark) +
         fmt::format("  inertia about the centre {}{}(xx yy zz xy yz xz)\n",
                     moments,
                     report.units ? "kg m2 " : "");
}

}  // namespace

bool CheckReport::passes() const {
  return std::none_of(
      findings.begin(), findings.end(), [](const CheckFinding& f) { return f.is_error; });
}

CheckReport check_model(const FeModel& model, Progress& progress) {
  CheckReport report;
  report.units = model.units;
  missing_parts(model, report);
  if (model.mass) mass_properties(model, report);
  mass_of_held_nodes(model, report);
  if (model.stiffness) dofs_without_stiffness(model, report);
  if (model.stiffness) unapplied_constraints(model, report);
  if (model.stiffness && model.mass && report.mass > 0.0) zero_modes(model, report, progress);
  if (model.stiffness) rigid_motion(model, report);
  check_units(model, report);
  return report;
}

CheckReport check_body(const FlexBody& body) {
  CheckReport report;
  report.units = Units{};
  report.mass = body.invariants.mass;
  if (report.mass > 0.0) {
    report.centre = body.centre_of_mass();
    const Eigen::Matrix3d tilde = cross_matrix(report.centre);
    report.inertia = body.invariants.inertia - report.mass * tilde.transpose() * tilde;
  }
  report.zero_modes = 0;
  for (const BodyMode& mode : body.modes) {
    if (std::abs(mode.eigenvalue) < body.path.reject_below) ++report.zero_modes;
  }
  for (const flexfile::Finding& finding : flexfile::check_body(body)) {
    if (finding.code == "not-symmetric") report.is_symmetric = false;
    report.findings.push_back({finding.code, finding.message, "", "", finding.is_error});
  }
  return report;
}

Json check_json(const CheckReport& report) {
  Json out = Json::object();
  out["units"] = report.units ? Json(report.units->name) : Json();
  out["mass"] = report.mass;
  out["centre"] = Json::list_of(report.centre);
  out["inertia"] = inertia_entries(report.inertia);
  out["symmetric"] = report.is_symmetric;
  out["rigid_residual"] = report.rigid_residual < 0 ? Json() : Json(report.rigid_residual);
  out["zero_modes"] = report.zero_modes < 0 ? Json() : Json(report.zero_modes);
  out["verdict"] = report.passes() ? "pass" : "fail";
  Json findings = Json::list();
  for (const CheckFinding& finding : report.findings) {
    Json item = Json::object();
    item["code"] = finding.code;
    item["message"] = finding.message;
    item["where"] = finding.where;
    item["fix"] = finding.fix;
    item["fault"] = finding.is_error;
    findings.push_back(std::move(item));
  }
  out["findings"] = std::move(findings);
  return out;
}

std::string check_text(const CheckReport& report, const std::string& name) {
  std::string out = fmt::format("{}: {}\n", name, report.passes() ? "pass" : "fail");
  out += mass_text(report);
  if (report.rigid_residual >= 0)
    out += fmt::format("  rigid residual {}\n", readable(report.rigid_residual, 3));
  if (report.zero_modes >= 0) out += fmt::format("  zero modes {}\n", report.zero_modes);
  for (const CheckFinding& finding : report.findings) {
    out += fmt::format("  {}: {}", finding.is_error ? "fault" : "note", finding.message);
    if (!finding.fix.empty()) out += "; " + finding.fix;
    out += "\n";
  }
  return out;
}

}  // namespace femflex::tools
