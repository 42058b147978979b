// Binds FeModel and its ModeSet: construction from arrays, matrices as scipy views, reading and
// writing of model files.
#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "femflex/errors.h"
#include "femflex/fe_model.h"
#include "femflex/importer/fe_model_file.h"
#include "femflex/modal/correlation.h"

#include "arrays.h"
#include "bindings.h"
#include "body/fe_report.h"
#include "body/inputs.h"
#include "calls.h"
#include "values.h"

namespace femflex::python {
namespace {

/// A view of a symmetric matrix of the model with both triangles, made when first requested; None
/// if the model has no such matrix.
/// @param lower   the matrix in the model
/// @param member  the member of ModelBox that stores both triangles
py::object both_triangles(const py::object& self,
                          const std::optional<SparseMatrix>& lower,
                          std::unique_ptr<SparseMatrix> ModelBox::*member) {
  if (!lower) return py::none();
  std::unique_ptr<SparseMatrix>& both = (*self.cast<ModelPtr>()).*member;
  if (!both) {
    both = std::make_unique<SparseMatrix>(mirrored(*lower));
    both->makeCompressed();
  }
  return view(*both, self);
}

std::optional<Units> units_of(const std::string& name) {
  if (name.empty()) return std::nullopt;
  return parse_units(name);
}

ModelPtr read_model(const std::string& path, const std::string& units, const py::object& callback) {
  PythonProgress progress(callback);
  Diagnostics diagnostics;
  auto box = std::make_shared<ModelBox>();
  call(progress,
       [&]() { box->model = tools::load_model(path, units_of(units), diagnostics, progress); });
  show(diagnostics, 2);  // called by femflex.read_model, which the user's code calls
  return box;
}

void set_matrix(std::optional<SparseMatrix>& member, const py::object& matrix, const char* what) {
  if (!matrix.is_none()) member = symmetric_of(matrix, what);
}

ModelPtr make_model(const py::object& node_ids,
                    const Numbers& positions,
                    const py::object& stiffness,
                    const py::object& mass,
                    const py::object& damping,
                    const py::object& dof_nodes,
                    const py::object& dof_components,
                    const std::string& units,
                    const std::vector<std::int64_t>& interface_nodes,
                    const std::string& name) {
  FeModel model;
  model.name = name;
  model.units = units_of(units);
  const std::vector<std::int64_t> ids = integers_of(node_ids, "node_ids");
  const Eigen::MatrixXd x = matrix_of(positions, "positions");
  if (x.rows() != static_cast<Eigen::Index>(ids.size()) || x.cols() != 3)
    throw UsageError("shape", "positions: expected one row of x, y, z per node");
  for (std::size_t k = 0; k < ids.size(); ++k)
    model.nodes.push_back({ids[k], x.row(static_cast<Eigen::Index>(k)).transpose(), 0});
  if (dof_nodes.is_none() != dof_components.is_none())
    throw UsageError(
        "usage", "only one of dof_nodes and dof_components was given", {}, "give both or neither");
  if (!dof_nodes.is_none()) {
    const std::vector<std::int64_t> nodes = integers_of(dof_nodes, "dof_nodes");
    const std::vector<std::int64_t> components = integers_of(dof_components, "dof_components");
    if (nodes.size() != components.size())
      throw UsageError(
          "shape",
          fmt::format(
              "dof_nodes has {} entries, dof_components {}", nodes.size(), components.size()),
          {},
          "give dof_nodes and dof_components the same length");
    std::vector<Dof> rows;
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      // DofMap checks the same, but a number too large for 8 bits would wrap to a valid component
      if (components[k] < 0 || components[k] > 6)
        throw UsageError("component-range",
                         fmt::format("dof_components: {} at node {}", components[k], nodes[k]),
                         {},
                         "give 1 to 6 for x, y, z and the rotations, 0 for a scalar point");
      rows.push_back({nodes[k], static_cast<std::int8_t>(components[k])});
    }
    model.dofs = DofMap(std::move(rows));
  } else {
    model.dofs = DofMap::all_six(ids);
  }
  set_matrix(model.stiffness, stiffness, "stiffness");
  set_matrix(model.mass, mass, "mass");
  set_matrix(model.damping, damping, "damping");
  model.interface_nodes = interface_nodes;
  model.provenance.options = "made in Python";
  auto box = std::make_shared<ModelBox>();
  box->model = make_fe_model(std::move(model));
  return box;
}

py::array node_positions(const py::object& self) {
  const std::vector<Node>& nodes = self.cast<ModelPtr>()->model.nodes;
  const double* first = nodes.empty() ? nullptr : nodes.front().position.data();
  return view(py::dtype::of<double>(),
              {static_cast<py::ssize_t>(nodes.size()), 3},
              {sizeof(Node), sizeof(double)},
              first,
              self);
}

py::array node_ids_of(const py::object& self) {
  const std::vector<Node>& nodes = self.cast<ModelPtr>()->model.nodes;
  return view(py::dtype::of<std::int64_t>(),
              {static_cast<py::ssize_t>(nodes.size())},
              {sizeof(Node)},
              nodes.empty() ? nullptr : &nodes.front().id,
              self);
}

/// Node ids (elements x nodes) by type. Where a type has several numbers of nodes, such as CHEXA
/// with 8 and with 20, its keys are `CHEXA-8` and `CHEXA-20`.
py::dict elements_of(const ModelBox& box) {
  std::map<std::string, std::map<int, std::vector<std::int64_t>>> by_type;
  for (const ElementBlock& block : box.model.elements) {
    std::vector<std::int64_t>& all = by_type[block.type][block.nodes_per_element];
    all.insert(all.end(), block.connectivity.begin(), block.connectivity.end());
  }
  py::dict out;
  for (const auto& [type, by_width] : by_type)
    for (const auto& [width, connectivity] : by_width) {
      const std::string key = by_width.size() > 1 ? fmt::format("{}-{}", type, width) : type;
      const auto count = static_cast<py::ssize_t>(connectivity.size()) / std::max(1, width);
      out[py::str(key)] = copy(connectivity).attr("reshape")(count, width);
    }
  return out;
}

py::list loads_of(const py::object& self) {
  py::list out;
  for (const LoadCase& load : self.cast<ModelPtr>()->model.loads) {
    py::dict item;
    item["id"] = load.id;
    item["label"] = text_of(load.label);
    item["load"] = view(load.load, self);
    out.append(item);
  }
  return out;
}

py::array per_mode(const ModeSet& modes, double (*number)(const ModeInfo&)) {
  std::vector<double> out;
  for (const ModeInfo& mode : modes.modes)
    out.push_back(number(mode));
  return copy(out);
}

void bind_modes(py::module_& module) {
  // a ModeSet is part of a model, and each object keeps that model alive
  py::class_<ModeSet>(module, "ModeSet", "Shapes as read or computed, u = U eta; model units.")
      .def("__len__", &ModeSet::count)
      .def_property_readonly(
          "shapes",
          [](const py::object& self) { return view(self.cast<const ModeSet&>().shapes, self); },
          "U (DOFs x modes) [model length, rad]; dof_nodes and dof_components name the rows. A "
          "view.")
      .def_property_readonly(
          "dof_nodes",
          [](const py::object& self) { return view_nodes(self.cast<const ModeSet&>().rows, self); },
          "Node of each row of `shapes`. A view.")
      .def_property_readonly(
          "dof_components",
          [](const py::object& self) {
            return view_components(self.cast<const ModeSet&>().rows, self);
          },
          "1..3 translations, 4..6 rotations, 0 a scalar point. A view.")
      .def_property_readonly(
          "labels",
          [](const ModeSet& modes) {
            std::vector<std::string> out;
            for (const ModeInfo& mode : modes.modes)
              out.push_back(label_of(mode));
            return out;
          },
          "'dynamic:1', 'static:2', ... one per mode.")
      .def_property_readonly(
          "eigenvalues",
          [](const ModeSet& modes) {
            return per_mode(modes, [](const ModeInfo& mode) { return mode.eigenvalue; });
          },
          "omega^2 [1/time^2] of the model's units; NaN where not known.")
      .def_property_readonly(
          "generalised_mass",
          [](const ModeSet& modes) {
            return per_mode(modes, [](const ModeInfo& mode) { return mode.generalised_mass; });
          },
          "[model mass]; NaN where not known.");
}

using ModelType = py::class_<ModelBox, ModelPtr>;

/// Binds names, nodes and DOFs.
void bind_rows(ModelType& type) {
  type.def_property_readonly(
          "name", [](const ModelBox& box) { return text_of(box.model.name); }, "Name of the part.")
      .def_property_readonly(
          "units",
          [](const ModelBox& box) -> py::object {
            if (!box.model.units) return py::none();
            return py::str(box.model.units->name);
          },
          "Unit set of every number, None where not known.")
      .def_property_readonly("node_ids", &node_ids_of, "Ids of the nodes, rising. A view.")
      .def_property_readonly(
          "positions", &node_positions, "Positions (nodes x 3), basic [model length]. A view.")
      .def_property_readonly(
          "dof_nodes",
          [](const py::object& self) {
            return view_nodes(self.cast<ModelPtr>()->model.dofs, self);
          },
          "Node of each row of the matrices. A view.")
      .def_property_readonly(
          "dof_components",
          [](const py::object& self) {
            return view_components(self.cast<ModelPtr>()->model.dofs, self);
          },
          "Component of each row: 1..3 translations, 4..6 rotations, 0 a scalar point. A view.");
}

/// Binds matrices and other contents of the model.
void bind_contents_of_model(ModelType& type) {
  type.def_property_readonly(
          "stiffness",
          [](const py::object& self) {
            return both_triangles(
                self, self.cast<ModelPtr>()->model.stiffness, &ModelBox::stiffness);
          },
          "K, both triangles (scipy csc) [model force/length]; None if there is no such matrix.")
      .def_property_readonly(
          "mass",
          [](const py::object& self) {
            return both_triangles(self, self.cast<ModelPtr>()->model.mass, &ModelBox::mass);
          },
          "M, both triangles (scipy csc) [model mass]; None if there is no such matrix.")
      .def_property_readonly(
          "damping",
          [](const py::object& self) {
            return both_triangles(self, self.cast<ModelPtr>()->model.damping, &ModelBox::damping);
          },
          "D, both triangles (scipy csc) [model force time/length]; None if there is no such "
          "matrix.")
      .def_property_readonly("elements",
                             &elements_of,
                             "Node ids (elements x nodes) by type; 'CHEXA-8' and 'CHEXA-20' if "
                             "elements of a type differ in their number of nodes.")
      .def_property_readonly(
          "loads", &loads_of, "Load cases: id, label, load (DOFs) [model force, moment].")
      .def_property_readonly(
          "interface_nodes",
          [](const ModelBox& box) { return copy(box.model.interface_nodes); },
          "Nodes where the body will be held or loaded.")
      .def_property_readonly(
          "modes",
          [](ModelBox& box) -> ModeSet& { return box.model.modes; },
          py::return_value_policy::reference_internal,
          "The modes that the model holds.")
      .def_property_readonly(
          "provenance",
          [](const ModelBox& box) { return dict_of(box.model.provenance); },
          "Source files with their sha256, FE code, options.");
}

}  // namespace

void bind_fe_model(py::module_& module) {
  bind_modes(module);
  py::class_<ModelBox, ModelPtr> type(
      module,
      "FeModel",
      "A part as an FE code describes it: nodes, DOFs, K, M, D, modes. "
      "Numbers are in `units`, directions basic.");
  type.def(py::init(&make_model),
           py::kw_only(),
           py::arg("node_ids"),
           py::arg("positions"),
           py::arg("stiffness") = py::none(),
           py::arg("mass") = py::none(),
           py::arg("damping") = py::none(),
           py::arg("dof_nodes") = py::none(),
           py::arg("dof_components") = py::none(),
           py::arg("units") = "m-kg-s",
           py::arg("interface_nodes") = std::vector<std::int64_t>{},
           py::arg("name") = "",
           "From arrays: node ids, positions (nodes x 3) [length], symmetric matrices with both "
           "triangles. dof_nodes and dof_components name the DOF of each row; without them, each "
           "node has six rows.")
      .def(
          "rigid_body_shapes",
          [](const ModelBox& box, const std::array<double, 3>& origin) {
            return copy(Eigen::MatrixXd(rigid_body_shapes(
                box.model, box.model.dofs, Eigen::Vector3d(origin[0], origin[1], origin[2]))));
          },
          py::arg("origin") = std::array<double, 3>{},
          "Six rigid motions (DOFs x 6) about `origin` [model length].")
      .def(
          "write",
          [](const ModelBox& box, const std::filesystem::path& path) {
            call([&](Progress& /*none*/) { importer::write_fe_model(box.model, path); });
          },
          py::arg("path"),
          "Writes a native FE model (.fe.h5), whole or not at all.");
  bind_rows(type);
  bind_contents_of_model(type);
  module.def("read_model",
             &read_model,
             py::arg("path"),
             py::arg("units") = "",
             py::arg("progress") = py::none(),
             "Reads a model from any FE file that femflex can import.");
}

}  // namespace femflex::python
