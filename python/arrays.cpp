// Makes read-only numpy views of C++ memory, copies, and checked Eigen matrices from Python
// arguments.
#include "arrays.h"

#include <cmath>
#include <cstddef>
#include <utility>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "femflex/errors.h"

namespace femflex::python {
namespace {

constexpr py::ssize_t kDouble = sizeof(double);

/// Size of that many doubles, for strides.
py::ssize_t bytes(Eigen::Index numbers) {
  return kDouble * static_cast<py::ssize_t>(numbers);
}

}  // namespace

py::array view(const py::dtype& type,
               std::vector<py::ssize_t> shape,
               std::vector<py::ssize_t> strides,
               const void* data,
               py::handle owner) {
  py::array out(type, std::move(shape), std::move(strides), data, owner);
  py::detail::array_proxy(out.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return out;
}

py::array view(const Eigen::MatrixXd& matrix, py::handle owner) {
  return view(py::dtype::of<double>(),
              {matrix.rows(), matrix.cols()},
              {kDouble, bytes(matrix.rows())},
              matrix.data(),
              owner);
}

py::array view(const Eigen::VectorXd& vector, py::handle owner) {
  return view(py::dtype::of<double>(), {vector.size()}, {kDouble}, vector.data(), owner);
}

py::array view_nodes(const DofMap& dofs, py::handle owner) {
  const auto* first = dofs.rows().empty() ? nullptr : &dofs.rows().front().node;
  return view(py::dtype::of<std::int64_t>(), {dofs.size()}, {sizeof(Dof)}, first, owner);
}

py::array view_components(const DofMap& dofs, py::handle owner) {
  const auto* first = dofs.rows().empty() ? nullptr : &dofs.rows().front().component;
  return view(py::dtype::of<std::int8_t>(), {dofs.size()}, {sizeof(Dof)}, first, owner);
}

py::object view(const SparseMatrix& matrix, py::handle owner) {
  const auto integers = [&](const std::int32_t* data, Eigen::Index count) {
    return view(py::dtype::of<std::int32_t>(), {count}, {sizeof(std::int32_t)}, data, owner);
  };
  const py::array values =
      view(py::dtype::of<double>(), {matrix.nonZeros()}, {kDouble}, matrix.valuePtr(), owner);
  const py::object csc = py::module_::import("scipy.sparse").attr("csc_matrix");
  return csc(py::make_tuple(values,
                            integers(matrix.innerIndexPtr(), matrix.nonZeros()),
                            integers(matrix.outerIndexPtr(), matrix.cols() + 1)),
             py::arg("shape") = py::make_tuple(matrix.rows(), matrix.cols()),
             py::arg("copy") = false);
}

py::array copy(const double* data, Eigen::Index rows, Eigen::Index cols) {
  return {py::dtype::of<double>(), {rows, cols}, {kDouble, bytes(rows)}, data};
}

py::array copy(const Eigen::VectorXd& vector) {
  return {py::dtype::of<double>(), {vector.size()}, {kDouble}, vector.data()};
}

py::array copy(const Eigen::MatrixXd& matrix) {
  return copy(matrix.data(), matrix.rows(), matrix.cols());
}

py::array copy(const std::vector<double>& values) {
  return {py::dtype::of<double>(), {values.size()}, {sizeof(double)}, values.data()};
}

py::array copy(const std::vector<std::int64_t>& values) {
  return {py::dtype::of<std::int64_t>(), {values.size()}, {sizeof(std::int64_t)}, values.data()};
}

Eigen::MatrixXd matrix_of(const Numbers& array, const char* what) {
  if (array.ndim() != 2)
    throw UsageError(
        "shape", fmt::format("{}: the array has {} dimensions, expected 2", what, array.ndim()));
  return Eigen::Map<const Eigen::MatrixXd>(array.data(), array.shape(0), array.shape(1));
}

Eigen::VectorXd vector_of(const Numbers& array, const char* what) {
  if (array.ndim() != 1)
    throw UsageError(
        "shape", fmt::format("{}: the array has {} dimensions, expected 1", what, array.ndim()));
  return Eigen::Map<const Eigen::VectorXd>(array.data(), array.shape(0));
}

std::vector<std::int64_t> integers_of(const py::object& values, const char* what) {
  const py::array as_given = py::array::ensure(values);
  if (as_given && as_given.dtype().kind() == 'f' && as_given.ndim() == 1) {
    for (const double number : vector_of(Numbers(as_given), what)) {
      if (!std::isfinite(number) || number != std::floor(number))
        throw UsageError("whole-numbers",
                         fmt::format("{}: {} is not a whole number", what, number));
    }
  }
  const Integers array = Integers::ensure(values);
  if (!array)
    throw UsageError(
        "shape", fmt::format("{}: not whole numbers", what), {}, "give one number per entry");
  if (array.ndim() != 1)
    throw UsageError(
        "shape", fmt::format("{}: the array has {} dimensions, expected 1", what, array.ndim()));
  return {array.data(), array.data() + array.size()};
}

SparseMatrix symmetric_of(const py::object& matrix, const char* what) {
  const py::object given = py::module_::import("scipy.sparse").attr("coo_matrix")(matrix);
  if (py::dtype(given.attr("dtype").cast<py::object>()).kind() == 'c')
    throw ModelError("complex",
                     fmt::format("{}: the matrix is complex, expected real numbers", what),
                     {},
                     "give its real part; structural damping, the imaginary part of a stiffness, "
                     "becomes a damping matrix or ratios of the modes (--damping)");
  const py::object coo = given.attr("astype")("float64");
  const auto [rows, cols] = coo.attr("shape").cast<std::pair<std::int64_t, std::int64_t>>();
  if (rows != cols)
    throw ModelError("not-square",
                     fmt::format("{}: the matrix is {} x {}, expected square", what, rows, cols));
  const Integers row(coo.attr("row").cast<py::object>());
  const Integers col(coo.attr("col").cast<py::object>());
  const Numbers value(coo.attr("data").cast<py::object>());
  std::vector<Entry> entries(static_cast<std::size_t>(value.size()));
  for (std::size_t k = 0; k < entries.size(); ++k)
    entries[k] = {row.data()[k], col.data()[k], value.data()[k]};
  const SparseMatrix full = assemble(rows, cols, entries);
  const Asymmetry worst = asymmetry(full);
  if (worst.relative > 1e-9)
    throw ModelError("not-symmetric",
                     fmt::format("{}: not symmetric, |A - A'| = {:.2g} |A| at ({}, {})",
                                 what,
                                 worst.relative,
                                 worst.row,
                                 worst.col),
                     {},
                     "give both triangles, for example (A + A') / 2");
  return lower_triangle(full);
}

py::dict dict_of(const Provenance& provenance) {
  py::list sources;
  for (const Provenance::Source& source : provenance.sources) {
    py::dict item;
    item["file"] = source.file;
    item["sha256"] = source.sha256;
    sources.append(item);
  }
  py::dict out;
  out["sources"] = sources;
  out["program"] = provenance.program;
  out["options"] = provenance.options;
  return out;
}

}  // namespace femflex::python
