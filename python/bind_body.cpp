// Binds FlexBody: construction from arrays, matrices and tables as views, reading and writing of
// body files.
#include <array>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "femflex/damping.h"
#include "femflex/errors.h"
#include "femflex/flexfile/flexfile.h"
#include "femflex/frequency.h"
#include "femflex/modal/correlation.h"
#include "femflex/modal/damping.h"

#include "arrays.h"
#include "bindings.h"
#include "body/fe_report.h"
#include "body/inputs.h"
#include "calls.h"

namespace femflex::python {
namespace {

using Body = std::shared_ptr<FlexBody>;

Body read_body(const std::string& path, const std::string& units, const py::object& callback) {
  PythonProgress progress(callback);
  Diagnostics diagnostics;
  Body body;
  call(progress, [&]() {
    std::optional<Units> known;
    if (!units.empty()) known = parse_units(units);
    body = std::make_shared<FlexBody>(tools::load_body(path, known, diagnostics, progress));
  });
  show(diagnostics, 2);
  return body;
}

void write_body(const FlexBody& body,
                const std::filesystem::path& path,
                const std::string& format,
                const std::string& units,
                bool sidecar) {
  Diagnostics diagnostics;
  call([&](Progress& progress) {
    flexfile::WriteOptions options;
    options.format = format;
    options.units = units;
    options.sidecar = sidecar;
    flexfile::write_body(body, path, options, diagnostics, progress);
  });
  show(diagnostics, 1);
}

/// The rule that `text` states, for a body that has no FE model behind it.
modal::DampingRule rule_for_body(const std::string& text) {
  const modal::DampingRule rule = modal::parse_damping(text);
  if (rule.kind == modal::DampingRule::Kind::matrix)
    throw UsageError("usage",
                     "damping 'file' needs the FE model",
                     {},
                     "use femflex.reduce(model, damping='file')");
  return rule;
}

/// Sets source and eigenvalue k_ii / m_ii of each mode; the body must have passed make_flex_body().
void set_eigenvalues(FlexBody& body) {
  for (Eigen::Index k = 0; k < body.mode_count(); ++k) {
    if (!(body.mass(k, k) > 0.0))
      throw UsageError("modal-mass",
                       fmt::format("mass: entry {0},{0} is {1}; the modal mass must be positive "
                                   "definite",
                                   k + 1,
                                   body.mass(k, k)));
    BodyMode& mode = body.modes[static_cast<std::size_t>(k)];
    mode.sources = {"given:" + std::to_string(k + 1)};
    mode.eigenvalue = body.stiffness(k, k) / body.mass(k, k);
  }
}

Body make_body(const py::object& node_ids,
               const Numbers& positions,
               const Numbers& shapes,
               const Numbers& mass,
               const Numbers& stiffness,
               const Numbers& lumped_mass,
               const std::optional<Numbers>& damping,
               const std::string& damping_rule,
               const std::vector<std::int64_t>& interface_nodes,
               const std::string& name) {
  FlexBody body;
  body.name = name;
  const std::vector<std::int64_t> ids = integers_of(node_ids, "node_ids");
  const Eigen::MatrixXd x = matrix_of(positions, "positions");
  if (x.rows() != static_cast<Eigen::Index>(ids.size()) || x.cols() != 3)
    throw UsageError("shape", "positions: expected one row of x, y, z per node");
  for (std::size_t k = 0; k < ids.size(); ++k)
    body.nodes.push_back({ids[k], x.row(static_cast<Eigen::Index>(k)).transpose()});
  body.shapes = matrix_of(shapes, "shapes");
  body.mass = matrix_of(mass, "mass");
  body.stiffness = matrix_of(stiffness, "stiffness");
  const Eigen::MatrixXd lumped = matrix_of(lumped_mass, "lumped_mass");
  if (lumped.rows() != x.rows() || lumped.cols() != 6)
    throw UsageError("shape", "lumped_mass: expected one row of mx, my, mz, Jx, Jy, Jz per node");
  body.lumped_mass = lumped;
  if (damping) body.damping = matrix_of(*damping, "damping");
  if (damping && !damping_rule.empty())
    throw UsageError("usage",
                     "both damping and damping_rule are given",
                     {},
                     "give the damping matrix or a rule");
  const modal::DampingRule rule =
      damping_rule.empty() ? modal::DampingRule{} : rule_for_body(damping_rule);
  body.interface_nodes = interface_nodes;
  body.modes.resize(static_cast<std::size_t>(body.shapes.cols()));
  body.invariants = invariants_from_lumped(x.transpose(), body.shapes, body.lumped_mass);
  body.provenance.options = "made in Python";
  body = make_flex_body(std::move(body));
  set_eigenvalues(body);
  modal::apply_damping(body, rule);
  return std::make_shared<FlexBody>(std::move(body));
}

/// Positions (nodes x 3) or ids of the nodes, as a view of the members of BodyNode.
py::array of_nodes(const py::object& self, bool is_position) {
  const std::vector<BodyNode>& nodes = self.cast<Body>()->nodes;
  const auto count = static_cast<py::ssize_t>(nodes.size());
  if (is_position)
    return view(py::dtype::of<double>(),
                {count, 3},
                {sizeof(BodyNode), sizeof(double)},
                nodes.empty() ? nullptr : nodes.front().position.data(),
                self);
  return view(py::dtype::of<std::int64_t>(),
              {count},
              {sizeof(BodyNode)},
              nodes.empty() ? nullptr : &nodes.front().id,
              self);
}

py::array per_mode(const FlexBody& body, double (*number)(const BodyMode&)) {
  std::vector<double> out;
  for (const BodyMode& mode : body.modes)
    out.push_back(number(mode));
  return copy(out);
}

py::array shapes_at(const py::object& self, std::int64_t id) {
  const Body body = self.cast<Body>();
  const Eigen::Index node = find_node(*body, id);
  if (node < 0)
    throw UsageError("no-such-node",
                     "the body has no node " + std::to_string(id),
                     {},
                     "node_ids lists those it has");
  return view(py::dtype::of<double>(),
              {6, body->shapes.cols()},
              {sizeof(double), static_cast<py::ssize_t>(sizeof(double)) * body->shapes.rows()},
              body->shapes.data() + 6 * node,
              self);
}

const char* name_of(RejectionReason reason) {
  switch (reason) {
    case RejectionReason::below_limit:
      return "below-limit";
    case RejectionReason::above_limit:
      return "above-limit";
    case RejectionReason::dependent:
      return "dependent";
    case RejectionReason::rigid:
      return "rigid";
  }
  return "?";
}

py::list rejected_of(const FlexBody& body) {
  py::list out;
  for (const RejectedMode& mode : body.rejected) {
    py::dict item;
    item["source"] = mode.source;
    item["reason"] = name_of(mode.reason);
    item["eigenvalue"] = mode.eigenvalue;
    item["repeats"] = mode.repeats;
    out.append(item);
  }
  return out;
}

py::dict invariants_of(const FlexBody& body) {
  const InertiaInvariants& in = body.invariants;
  const auto columns = [](const Eigen::Matrix3Xd& m) { return copy(Eigen::MatrixXd(m)); };
  py::dict out;
  out["mass"] = in.mass;
  out["first_moment"] = copy(Eigen::VectorXd(in.first_moment));
  out["translation"] = columns(in.translation);
  out["rotation"] = columns(in.rotation);
  out["translation_rate"] = columns(in.translation_rate);
  out["modal"] = copy(in.modal);
  out["inertia"] = copy(Eigen::MatrixXd(in.inertia));
  out["inertia_rate"] = columns(in.inertia_rate);
  out["inertia_curvature"] = copy(in.inertia_curvature);
  return out;
}

py::object back_of(const py::object& self) {
  const Body body = self.cast<Body>();
  if (!body->back) return py::none();
  std::vector<std::string> labels;
  for (const ModeInfo& mode : body->back->chosen_modes)
    labels.push_back(label_of(mode));
  py::dict out;
  out["U"] = view(body->back->chosen_shapes, self);
  out["V"] = view(body->back->V, self);
  out["alpha"] = view(body->back->alpha, self);
  out["labels"] = labels;
  return out;
}

Body with_damping(const FlexBody& body, const std::string& rule) {
  const modal::DampingRule parsed = rule_for_body(rule);
  auto out = std::make_shared<FlexBody>(body);
  out->damping.reset();
  for (BodyMode& mode : out->modes)
    mode.damping_ratio = std::numeric_limits<double>::quiet_NaN();
  modal::apply_damping(*out, parsed);
  return out;
}

py::dict effective_mass_of(const FlexBody& body) {
  const modal::EffectiveMass effective = modal::effective_mass(body);
  py::dict out;
  out["participation"] = copy(Eigen::MatrixXd(effective.participation));
  out["effective_mass"] = copy(Eigen::MatrixXd(effective.effective_mass));
  out["total"] = copy(Eigen::VectorXd(effective.total));
  return out;
}

void bind_matrices(py::class_<FlexBody, Body>& type) {
  const auto matrix = [&](const char* name, Eigen::MatrixXd FlexBody::*member, const char* doc) {
    type.def_property_readonly(
        name,
        [member](const py::object& self) { return view((*self.cast<Body>()).*member, self); },
        doc);
  };
  matrix("shapes",
         &FlexBody::shapes,
         "Phi (6 nodes x modes): rows tx ty tz rx ry rz of node 1, node 2, ... [m, rad]. A view.");
  matrix("mass", &FlexBody::mass, "m = Phi' M Phi (modes x modes) [kg]. A view.");
  matrix("stiffness", &FlexBody::stiffness, "k = Phi' K Phi (modes x modes) [N/m]. A view.");
  type.def_property_readonly(
          "damping",
          [](const FlexBody& body) { return copy(damping_matrix(body)); },
          "b (modes x modes) [N s/m]: the body's matrix, else diag(2 ratio sqrt(k_ii m_ii)).")
      .def_property_readonly(
          "lumped_mass",
          [](const py::object& self) {
            const Body body = self.cast<Body>();
            const py::ssize_t rows = body->lumped_mass.rows();
            return view(py::dtype::of<double>(),
                        {rows, 6},
                        {sizeof(double), static_cast<py::ssize_t>(sizeof(double)) * rows},
                        body->lumped_mass.data(),
                        self);
          },
          "(nodes x 6) mx my mz [kg], Jx Jy Jz [kg m^2]. A view.")
      .def_property_readonly(
          "invariants",
          &invariants_of,
          "The nine inertia invariants by name, body frame, SI: mass [kg], first_moment [kg m], "
          "translation, rotation, translation_rate, modal, inertia [kg m^2], inertia_rate, "
          "inertia_curvature.")
      .def_property_readonly(
          "back",
          &back_of,
          "Back-transformation to the chosen modes, eta = V diag(alpha) zeta: U, V, "
          "alpha, labels; None where the file could not carry it. Views.");
}

void bind_tables(py::class_<FlexBody, Body>& type) {
  type.def_property_readonly(
          "eigenvalues",
          [](const FlexBody& body) {
            return per_mode(body, [](const BodyMode& mode) { return mode.eigenvalue; });
          },
          "k_ii / m_ii [rad^2/s^2], one per mode.")
      .def_property_readonly(
          "frequencies_hz",
          [](const FlexBody& body) {
            return per_mode(body,
                            [](const BodyMode& mode) { return frequency_hz(mode.eigenvalue); });
          },
          "sqrt(k_ii / m_ii) / 2 pi [Hz], one per mode.")
      .def_property_readonly(
          "damping_ratio",
          [](const FlexBody& body) {
            return per_mode(body, [](const BodyMode& mode) { return mode.damping_ratio; });
          },
          "Ratio of critical, one per mode; NaN where none is stated.")
      .def_property_readonly(
          "kinds",
          [](const FlexBody& body) {
            std::vector<std::string> out;
            for (const BodyMode& mode : body.modes)
              out.emplace_back(femflex::name_of(mode.kind));
            return out;
          },
          "'dynamic', 'static', ... one per mode.")
      .def_property_readonly(
          "sources",
          [](const FlexBody& body) {
            std::vector<std::vector<std::string>> out;
            for (const BodyMode& mode : body.modes)
              out.push_back(mode.sources);
            return out;
          },
          "The chosen modes that each mode is made of.")
      .def_property_readonly(
          "enabled",
          [](const FlexBody& body) {
            std::vector<bool> out;
            for (const BodyMode& mode : body.modes)
              out.push_back(mode.enabled);
            return out;
          },
          "Whether the mode acts in a simulation, one per mode.")
      .def_property_readonly(
          "rejected", &rejected_of, "Modes left out: source, reason, eigenvalue, repeats.")
      .def_property_readonly(
          "interface_nodes",
          [](const FlexBody& body) { return copy(body.interface_nodes); },
          "Ids of the nodes where the body is held or loaded.");
}

/// Binds the module's functions about bodies.
void bind_body_functions(py::module_& module) {
  module.def(
      "read_body",
      &read_body,
      py::arg("path"),
      py::arg("units") = "",
      py::arg("progress") = py::none(),
      "Reads a flexible body of any format, in SI; `units` are those of a file that gives none.");
  module.def(
      "mac",
      [](const Numbers& a, const Numbers& b) {
        for (const auto& [shapes, name] : {std::pair(&a, "a"), std::pair(&b, "b")})
          if (!matrix_of(*shapes, name).allFinite())
            throw UsageError("not-finite",
                             fmt::format("{}: some entries are not finite numbers", name),
                             {},
                             "leave out the rows or shapes that have no values");
        return copy(modal::mac(matrix_of(a, "a"), matrix_of(b, "b")));
      },
      py::arg("a"),
      py::arg("b"),
      "Modal assurance criterion of two sets of shapes (rows x modes), 0 to 1.");
  module.def(
      "body_formats",
      []() {
        py::list out;
        for (const flexfile::Format& format : flexfile::formats()) {
          py::dict item;
          item["name"] = format.name;
          item["endings"] = format.extensions;
          item["title"] = format.title;
          item["can_read"] = format.can_read;
          item["can_write"] = format.can_write;
          out.append(item);
        }
        return out;
      },
      "Every format of flexible bodies: name, endings, title, can_read, can_write.");
}

}  // namespace

void bind_body(py::module_& module) {
  py::class_<FlexBody, Body> type(module,
                                  "FlexBody",
                                  "A flexible body in modal coordinates zeta: u = shapes @ zeta. "
                                  "SI units, body frame.");
  type.def(py::init(&make_body),
           py::kw_only(),
           py::arg("node_ids"),
           py::arg("positions"),
           py::arg("shapes"),
           py::arg("mass"),
           py::arg("stiffness"),
           py::arg("lumped_mass"),
           py::arg("damping") = py::none(),
           py::arg("damping_rule") = "",
           py::arg("interface_nodes") = std::vector<std::int64_t>{},
           py::arg("name") = "",
           "From arrays in SI: positions (nodes x 3) [m], shapes (6 nodes x modes), mass and "
           "stiffness (modes x modes), lumped_mass (nodes x 6). Invariants follow from the lumped "
           "masses.")
      .def_property_readonly(
          "name", [](const FlexBody& body) { return text_of(body.name); }, "Name of the body.")
      .def_property_readonly(
          "node_ids",
          [](const py::object& self) { return of_nodes(self, false); },
          "Ids of the nodes, rising. A view.")
      .def_property_readonly(
          "positions",
          [](const py::object& self) { return of_nodes(self, true); },
          "Undeformed positions (nodes x 3) in the body frame [m]. A view.")
      .def("shapes_at",
           &shapes_at,
           py::arg("node"),
           "Rows tx ty tz rx ry rz of one node (6 x modes) [m, rad]. A view.")
      .def_property_readonly(
          "total_mass", [](const FlexBody& body) { return body.invariants.mass; }, "[kg]")
      .def_property_readonly(
          "centre_of_mass",
          [](const FlexBody& body) { return copy(Eigen::VectorXd(body.centre_of_mass())); },
          "In the body frame [m].")
      .def_property_readonly(
          "inertia",
          [](const FlexBody& body) { return copy(Eigen::MatrixXd(body.invariants.inertia)); },
          "About the origin of the body frame (3 x 3) [kg m^2].")
      .def_property_readonly(
          "provenance",
          [](const FlexBody& body) { return dict_of(body.provenance); },
          "Source files with their sha256, FE code, options.")
      .def("with_damping",
           &with_damping,
           py::arg("rule"),
           "The same body damped by a rule: '0.02', '2%', 'true:0.02', 'adams', '1:0.35,2:0.25' or "
           "'none'.")
      .def(
          "with_damping",
          [](const FlexBody& body, double ratio) {
            return with_damping(body, fmt::format("{}", ratio));
          },
          py::arg("rule"),
          "The same body with one ratio of critical damping for all modes.")
      .def("effective_mass",
           &effective_mass_of,
           "participation and effective_mass (modes x 6) [kg, kg m^2], and their total.")
      .def("write",
           &write_body,
           py::arg("path"),
           py::arg("format") = "",
           py::arg("units") = "",
           py::arg("sidecar") = true,
           "Writes a body file of the format that the ending (or `format`) asks for, whole or not "
           "at all; `units` is the reader's unit set, SI where left out.")
      .def("__len__", &FlexBody::mode_count);
  bind_matrices(type);
  bind_tables(type);
  bind_body_functions(module);
}

}  // namespace femflex::python
