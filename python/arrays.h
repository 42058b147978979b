// Conversions between numpy or scipy arrays and Eigen matrices.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "femflex/dof_map.h"
#include "femflex/provenance.h"
#include "femflex/sparse.h"

/// Conversions between numpy or scipy and Eigen. Views share memory with a C++ value that `owner`
/// keeps alive. They are read-only, because femflex checks a value only when it is made.
namespace femflex::python {

namespace py = pybind11;

/// Numbers passed from Python, copied and cast if necessary.
using Numbers = py::array_t<double, py::array::f_style | py::array::forcecast>;
using Integers = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;

/// A read-only array that uses memory kept alive by `owner`; strides in bytes.
py::array view(const py::dtype& type,
               std::vector<py::ssize_t> shape,
               std::vector<py::ssize_t> strides,
               const void* data,
               py::handle owner);
py::array view(const Eigen::MatrixXd& matrix, py::handle owner);
py::array view(const Eigen::VectorXd& vector, py::handle owner);
/// Node ids and components of DOFs.
py::array view_nodes(const DofMap& dofs, py::handle owner);
py::array view_components(const DofMap& dofs, py::handle owner);
/// A scipy.sparse.csc_matrix that shares the arrays of `matrix`.
py::object view(const SparseMatrix& matrix, py::handle owner);

/// The same numbers in a new array.
py::array copy(const double* data, Eigen::Index rows, Eigen::Index cols);
py::array copy(const Eigen::VectorXd& vector);
py::array copy(const Eigen::MatrixXd& matrix);
py::array copy(const std::vector<double>& values);
py::array copy(const std::vector<std::int64_t>& values);

/// @param what  names the argument in messages
/// @throws UsageError  not an array of two (one) dimensions
Eigen::MatrixXd matrix_of(const Numbers& array, const char* what);
Eigen::VectorXd vector_of(const Numbers& array, const char* what);
/// Whole numbers from any array or sequence; numbers with a fraction are not cut.
/// @throws UsageError  also if an entry is not a whole number
std::vector<std::int64_t> integers_of(const py::object& values, const char* what);

/// The lower triangle of a symmetric scipy or numpy matrix.
/// @throws ModelError  not square, or not symmetric to 1e-9 of its largest entry
SparseMatrix symmetric_of(const py::object& matrix, const char* what);

py::dict dict_of(const Provenance& provenance);

}  // namespace femflex::python
