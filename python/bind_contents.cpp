// Binds the raw contents of FE files: matrices and shapes as arrays, not yet interpreted.
#include <cmath>
#include <complex>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/complex.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "femflex/errors.h"
#include "femflex/importer/op4_writer.h"
#include "femflex/importer/read_contents.h"
#include "femflex/importer/statistics.h"

#include "arrays.h"
#include "bindings.h"
#include "calls.h"

namespace femflex::python {
namespace {

using importer::FileContents;
using importer::RawMatrix;
using importer::RawModes;
using Contents = std::shared_ptr<FileContents>;
using Complex = std::complex<double>;

Contents read_contents(const std::string& path,
                       const std::string& format,
                       const py::object& callback) {
  PythonProgress progress(callback);
  Diagnostics diagnostics;
  Contents contents;
  call(progress, [&]() {
    contents = std::make_shared<FileContents>(
        importer::read_contents(path, {format}, diagnostics, progress));
  });
  show(diagnostics, 2);
  return contents;
}

py::dtype type_of(const RawMatrix& matrix) {
  return matrix.is_complex ? py::dtype::of<Complex>() : py::dtype::of<double>();
}

py::array values_of(const RawMatrix& matrix, const py::object& owner) {
  const py::dtype type = type_of(matrix);
  const auto count =
      static_cast<py::ssize_t>(matrix.is_complex ? matrix.values.size() / 2 : matrix.values.size());
  return view(type, {count}, {type.itemsize()}, matrix.values.data(), owner);
}

/// Row offsets of every column, from the offsets of the columns that are not empty.
py::array all_columns(const RawMatrix& matrix) {
  std::vector<std::int64_t> start(static_cast<std::size_t>(matrix.cols) + 1, 0);
  for (std::size_t k = 0; k < matrix.col.size(); ++k)
    start[static_cast<std::size_t>(matrix.col[k]) + 1] =
        matrix.col_start[k + 1] - matrix.col_start[k];
  for (std::size_t c = 1; c < start.size(); ++c)
    start[c] += start[c - 1];
  return copy(start);
}

/// A numpy array if the file stores a dense matrix, a scipy csc matrix if it stores a sparse one;
/// the missing triangle of a symmetric matrix is filled in.
py::object object_of(const RawMatrix& matrix, const py::object& owner) {
  if (matrix.is_dense && matrix.triangle == RawMatrix::Triangle::all)
    return values_of(matrix, owner)
        .attr("reshape")(py::make_tuple(matrix.rows, matrix.cols), py::arg("order") = "F");
  const py::module_ sparse = py::module_::import("scipy.sparse");
  const py::tuple shape = py::make_tuple(matrix.rows, matrix.cols);
  py::object out;
  if (matrix.is_dense) {
    out = sparse.attr("csc_matrix")(
        values_of(matrix, owner).attr("reshape")(shape, py::arg("order") = "F"));
  } else {
    const py::array rows = view(py::dtype::of<std::int32_t>(),
                                {static_cast<py::ssize_t>(matrix.row.size())},
                                {sizeof(std::int32_t)},
                                matrix.row.data(),
                                owner);
    out = sparse.attr("csc_matrix")(
        py::make_tuple(values_of(matrix, owner), rows, all_columns(matrix)),
        py::arg("shape") = shape);
  }
  if (matrix.triangle == RawMatrix::Triangle::all) return out;
  const char* function = matrix.triangle == RawMatrix::Triangle::lower ? "tril" : "triu";
  const py::object other = sparse.attr(function)(
      out, matrix.triangle == RawMatrix::Triangle::lower ? -1 : 1, py::arg("format") = "csc");
  return out.attr("__add__")(other.attr("T")).attr("tocsc")();
}

py::dict matrices_of(const py::object& self) {
  py::dict out;
  for (const RawMatrix& matrix : self.cast<Contents>()->matrices) {
    std::string name = matrix.name;
    for (int k = 2; out.contains(text_of(name)); ++k)
      name = fmt::format("{}#{}", matrix.name, k);
    out[text_of(name)] = object_of(matrix, self);
  }
  return out;
}

py::list modes_of(const py::object& self) {
  py::list out;
  for (const RawModes& modes : self.cast<Contents>()->modes) {
    py::dict item;
    item["source"] = text_of(modes.source);
    item["subcase"] = modes.subcase;
    item["points"] = copy(modes.points);
    item["components"] = modes.components;
    item["shapes"] = view(modes.shapes, self);
    item["imaginary"] =
        modes.imaginary.size() > 0 ? py::object(view(modes.imaginary, self)) : py::none();
    item["eigenvalues"] = copy(modes.eigenvalues);
    item["frequencies_hz"] = copy(modes.frequencies_hz);
    item["generalised_mass"] = copy(modes.generalised_mass);
    out.append(item);
  }
  return out;
}

py::array grid_positions(const FileContents& contents) {
  Diagnostics ignored;  // read_contents() has reported faults of the systems already
  const std::vector<Eigen::Vector3d> positions =
      importer::basic_positions(contents, importer::resolve_systems(contents, ignored), ignored);
  Eigen::MatrixXd out(static_cast<Eigen::Index>(positions.size()), 3);
  for (std::size_t k = 0; k < positions.size(); ++k)
    out.row(static_cast<Eigen::Index>(k)) = positions[k].transpose();
  return copy(out);
}

RawMatrix raw_of(const std::string& name, const py::object& object) {
  if (py::hasattr(object, "ndim") && object.attr("ndim").cast<int>() != 2)
    throw UsageError(
        "shape",
        fmt::format(
            "{}: the array has {} dimensions, expected 2", name, object.attr("ndim").cast<int>()),
        {},
        "make a column of it by reshape(-1, 1)");
  const py::object csc =
      py::module_::import("scipy.sparse").attr("csc_matrix")(object, py::arg("copy") = true);
  csc.attr("sum_duplicates")();  // also sorts
  const auto [rows, cols] = csc.attr("shape").cast<std::pair<std::int64_t, std::int64_t>>();
  if (rows > INT32_MAX || cols > INT32_MAX)
    throw UsageError("shape", fmt::format("{}: more than 2^31 rows or columns", name));
  const Integers row(csc.attr("indices").cast<py::object>());
  const Integers start(csc.attr("indptr").cast<py::object>());
  const py::array_t<Complex, py::array::c_style | py::array::forcecast> value(
      csc.attr("data").cast<py::object>());
  RawMatrix out;
  out.name = name;
  out.rows = rows;
  out.cols = cols;
  out.form = rows == cols ? RawMatrix::Form::square : RawMatrix::Form::rectangular;
  out.is_complex = csc.attr("dtype").attr("kind").cast<std::string>() == "c";
  out.col_start.push_back(0);
  for (std::int64_t c = 0; c < cols; ++c) {
    const std::int64_t end = start.data()[c + 1];
    if (end == start.data()[c]) continue;
    out.col.push_back(static_cast<std::int32_t>(c));
    out.col_start.push_back(end);
  }
  for (py::ssize_t k = 0; k < value.size(); ++k) {
    if (!std::isfinite(value.data()[k].real()) || !std::isfinite(value.data()[k].imag()))
      throw UsageError("not-finite", fmt::format("{}: some entries are not finite numbers", name));
    out.row.push_back(static_cast<std::int32_t>(row.data()[k]));
    out.values.push_back(value.data()[k].real());
    if (out.is_complex) out.values.push_back(value.data()[k].imag());
  }
  return out;
}

void write_op4(const std::string& path, const py::dict& matrices, bool ascii) {
  if (matrices.empty())
    throw UsageError(
        "usage", "no matrices are given to write", {}, "give a dict such as {'KAA': stiffness}");
  std::vector<RawMatrix> raw;
  for (const auto& [name, matrix] : matrices)
    raw.push_back(raw_of(py::str(name), py::reinterpret_borrow<py::object>(matrix)));
  call([&](Progress& /*none*/) {
    importer::Op4Format format;
    format.ascii = ascii;
    importer::write_op4(raw, format, path);
  });
}

}  // namespace

void bind_contents(py::module_& module) {
  py::class_<FileContents, Contents>(
      module,
      "Contents",
      "What one file of an FE code says, in its own terms: no unit, frame or meaning changed.")
      .def_readonly("format", &FileContents::format, "'op4', 'op2', 'bulk', 'punch', ...")
      .def_property_readonly(
          "program",
          [](const FileContents& contents) { return text_of(contents.program); },
          "Code and version where the file says so.")
      .def_property_readonly(
          "title",
          [](const FileContents& contents) { return text_of(contents.title); },
          "Title of the run.")
      .def_property_readonly(
          "matrices",
          &matrices_of,
          "Matrices by name: numpy where stored dense (a view), scipy csc where sparse, both "
          "triangles. A repeated name gets '#2', '#3', ...")
      .def_property_readonly(
          "modes",
          &modes_of,
          "Tables of shapes: source, subcase, points, components (rows of each point: 6, or 3 "
          "where "
          "the file gives translations alone), shapes (components * points x count), imaginary, "
          "eigenvalues [1/time^2], frequencies_hz, generalised_mass.")
      .def_property_readonly(
          "node_ids",
          [](const FileContents& contents) {
            std::vector<std::int64_t> ids;
            for (const importer::RawGrid& grid : contents.grids)
              ids.push_back(grid.id);
            return copy(ids);
          },
          "Ids of the grids, in file order.")
      .def_property_readonly(
          "positions", &grid_positions, "Positions of the grids (grids x 3), basic.")
      .def_readonly("element_counts", &FileContents::element_counts, "Element cards by name.");
  module.def("read_contents",
             &read_contents,
             py::arg("path"),
             py::arg("format") = "",
             py::arg("progress") = py::none());
  module.def(
      "write_op4", &write_op4, py::arg("path"), py::arg("matrices"), py::arg("ascii") = false);
}

}  // namespace femflex::python
