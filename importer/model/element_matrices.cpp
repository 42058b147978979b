// Assembles the matrices of elements (KELM, MELM, BELM). A column holds the lower triangle of one
// element, column by column, along the displacement systems of its nodes or along its own axes:
//   K = sum over elements of C' A k A' C, A the axes of the element, C the CD axes of its nodes.
#include "model/element_matrices.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "model/matrices.h"
#include "model/matrix_roles.h"
#include "raw_matrix.h"

namespace femflex::importer {
namespace {

constexpr std::int64_t kAlongNodes = 3;  // forms of element matrices
constexpr std::int64_t kAlongElement = 4;

/// The g-set: rows of EQEXIN, else by ascending id.
std::vector<Dof> rows_of_g_set(const Gathered& gathered) {
  for (const FileContents& file : gathered.files)
    if (file.format == "op2" && !file.row_map.empty()) return file.row_map;
  std::map<std::int64_t, bool> is_scalar;
  for (const Node& node : gathered.nodes)
    is_scalar.emplace(node.id, false);
  for (const std::int64_t id : gathered.geometry.scalar_points)
    is_scalar.emplace(id, true);
  std::vector<Dof> rows;
  for (const auto& [id, scalar] : is_scalar)
    for (int c = 1; c <= (scalar ? 1 : 6); ++c)
      rows.push_back({id, static_cast<std::int8_t>(scalar ? 0 : c)});
  return rows;
}

class ElementAssembly {
 public:
  ElementAssembly(const Gathered& gathered,
                  const FileContents& file,
                  const RawElementDictionary& dictionary,
                  const RawMatrix& source)
      : gathered_(gathered),
        file_(file),
        dictionary_(dictionary),
        source_(source),
        rows_(rows_of_g_set(gathered)) {}

  RawMatrix assemble(const std::string& name) {
    if (rows_.empty())
      throw ModelError("no-row-map",
                       fmt::format("the DOFs of the element matrices {} are unknown", source_.name),
                       {file_.path},
                       "give the deck, or the OP2 with its grids, as well");
    columns_ = full_matrix(source_);
    const std::vector<std::int64_t> column = column_of_each();
    for (std::size_t k = 0; k < column.size(); ++k)
      add(dictionary_.elements[k], column[k]);
    RawMatrix out;
    out.name = name;
    out.inner_name = source_.name;
    out.rows = out.cols = static_cast<std::int64_t>(rows_.size());
    out.form = RawMatrix::Form::symmetric;
    out.triangle = RawMatrix::Triangle::lower;
    out.is_single = source_.is_single;
    set_entries(out, std::move(entries_));
    out.row_dofs = rows_;
    out.col_dofs = rows_;
    return out;
  }

 private:
  [[noreturn]] void fail(const RawElementMatrix& element, const std::string& what) const {
    throw ModelError(
        "element-matrix",
        fmt::format(
            "{}: element {} (kind {}): {}", source_.name, element.element, element.type, what),
        {file_.path},
        "write the matrices and their dictionary by one run, or the assembled KGG and "
        "MGG");
  }

  /// The column of each element: by the order of the addresses, where elements may share one, else
  /// by their own order.
  std::vector<std::int64_t> column_of_each() const {
    const std::vector<RawElementMatrix>& elements = dictionary_.elements;
    std::set<std::array<std::int64_t, 2>> addresses;
    for (const RawElementMatrix& element : elements)
      addresses.insert(element.address);
    const std::vector<std::array<std::int64_t, 2>> sorted(addresses.begin(), addresses.end());
    std::vector<std::int64_t> out;
    if (static_cast<std::int64_t>(sorted.size()) == source_.cols) {
      for (const RawElementMatrix& element : elements)
        out.push_back(std::lower_bound(sorted.begin(), sorted.end(), element.address) -
                      sorted.begin());
      return out;
    }
    if (static_cast<std::int64_t>(elements.size()) != source_.cols)
      throw ModelError("element-matrix",
                       fmt::format("{} has {} columns, but its dictionary names {} elements",
                                   source_.name,
                                   source_.cols,
                                   elements.size()),
                       {file_.path},
                       "write both by one run");
    for (std::size_t k = 0; k < elements.size(); ++k)
      out.push_back(static_cast<std::int64_t>(k));
    return out;
  }

  /// The matrix of one element with both triangles, as written.
  Eigen::MatrixXd matrix_of(const RawElementMatrix& element, std::int64_t column) const {
    const auto n = static_cast<std::int64_t>(element.first_rows.size()) * element.dofs_per_node;
    const std::int64_t count = n * (n + 1) / 2;
    if (count > source_.rows)
      fail(element, fmt::format("{} rows and columns do not fit {} values", n, source_.rows));
    Eigen::VectorXd packed = Eigen::VectorXd::Zero(count);
    for (SparseMatrix::InnerIterator it(columns_, static_cast<Eigen::Index>(column)); it; ++it) {
      if (it.value() != 0.0 && it.row() >= count)
        fail(element,
             fmt::format("value {} of its column is beyond the {} of a symmetric matrix",
                         it.row() + 1,
                         count));
      if (it.row() < count) packed(it.row()) = it.value();
    }
    Eigen::MatrixXd k(n, n);
    for (Eigen::Index j = 0, at = 0; j < n; ++j)
      for (Eigen::Index i = j; i < n; ++i, ++at)
        k(i, j) = k(j, i) = packed(at);
    return k;
  }

  /// Turns the matrix from the axes of the element to those of its nodes, three rows at a time.
  void turn(const RawElementMatrix& element, Eigen::MatrixXd& k) const {
    if (element.dofs_per_node % 3 != 0)
      fail(element, fmt::format("{} DOFs per node cannot be along axes", element.dofs_per_node));
    for (std::size_t node = 0; node < element.first_rows.size(); ++node) {
      const auto row = static_cast<std::size_t>(element.first_rows[node] - 1);
      const Eigen::Matrix3d to_node =
          displacement_axes(gathered_, rows_[row].node).transpose() * element.axes;
      for (std::int64_t part = 0; part < element.dofs_per_node / 3; ++part) {
        const Eigen::Index first =
            static_cast<Eigen::Index>(node) * element.dofs_per_node + 3 * part;
        k.middleRows<3>(first) = (to_node * k.middleRows<3>(first)).eval();
        k.middleCols<3>(first) = (k.middleCols<3>(first) * to_node.transpose()).eval();
      }
    }
  }

  void add(const RawElementMatrix& element, std::int64_t column) {
    if (element.dofs_per_node < 1 || element.dofs_per_node > 6)
      fail(element, fmt::format("{} DOFs per node", element.dofs_per_node));
    if (element.form != kAlongNodes && element.form != kAlongElement)
      fail(element, fmt::format("form {} is not known", element.form));
    const auto size = static_cast<std::int64_t>(rows_.size());
    for (const std::int64_t first : element.first_rows)
      if (first + element.dofs_per_node - 1 > size)
        fail(element, fmt::format("row {} is beyond the {} of the model", first, size));
    Eigen::MatrixXd k = matrix_of(element, column);
    if (element.form == kAlongElement) turn(element, k);
    const auto row_of = [&](Eigen::Index i) {
      return static_cast<std::int32_t>(
          element.first_rows[static_cast<std::size_t>(i / element.dofs_per_node)] - 1 +
          i % element.dofs_per_node);
    };
    for (Eigen::Index j = 0; j < k.cols(); ++j)
      for (Eigen::Index i = j; i < k.rows(); ++i) {
        if (k(i, j) == 0.0) continue;
        const std::int32_t a = row_of(i);
        const std::int32_t b = row_of(j);
        // two nodes of an element may be one: both halves then stand on its diagonal
        const double factor = i != j && a == b ? 2.0 : 1.0;
        entries_.push_back({std::max(a, b), std::min(a, b), factor * k(i, j), 0.0});
      }
  }

  const Gathered& gathered_;
  const FileContents& file_;
  const RawElementDictionary& dictionary_;
  const RawMatrix& source_;
  std::vector<Dof> rows_;
  SparseMatrix columns_;
  std::vector<RawEntry> entries_;
};

/// KGG of KELM, MGG of MELM, BGG of BELM.
std::string assembled_name(const std::string& elements) {
  return elements.substr(0, 1) + "GG";
}

}  // namespace

void assemble_element_matrices(Gathered& gathered, Diagnostics& diagnostics) {
  for (FileContents& file : gathered.files) {
    for (const RawElementDictionary& dictionary : file.dictionaries) {
      const std::string name = assembled_name(dictionary.matrix);
      const RawMatrix* source = nullptr;
      bool is_there = false;
      for (const RawMatrix& matrix : file.matrices) {
        if (matrix.name == dictionary.matrix) source = &matrix;
        is_there = is_there || (matrix.name == name && has_values(matrix));
      }
      if (source == nullptr || is_there || source->is_complex) continue;
      try {
        file.matrices.push_back(
            ElementAssembly(gathered, file, dictionary, *source).assemble(name));
      } catch (const ModelError& error) {
        diagnostics.warn("element-matrices",
                         fmt::format("{} is not assembled: {}", source->name, error.message()),
                         {file.path});
      }
    }
  }
}

}  // namespace femflex::importer
