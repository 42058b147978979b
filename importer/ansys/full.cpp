// Reads the assembled matrices of ANSYS column by column, without the rows of constrained DOFs.
#include "ansys/full.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/large_pages.h"

#include "ansys/binary_records.h"
#include "bytes/finite.h"
#include "bytes/input_file.h"
#include "matrix_entries.h"

namespace femflex::importer {
namespace {

/// Items of the header, counted from 1.
struct FullItem {
  enum : std::size_t {
    kKind = 1,
    kEquations = 2,
    kStiffnessTerms = 9,
    kDofsPerNode = 8,
    kLumped = 11,
    kUnsymmetric = 14,
    kStiffness = 19,
    kConstraintEquations = 21,
    kMass = 27,
    kDamping = 29,
    kNodes = 33,
    kMassTerms = 34,
    kDampingTerms = 35,
    kDofs = 36,
  };
};

/// Columns between two reports of progress.
constexpr std::size_t kColumnsPerReport = 4096;

class FullReader {
 public:
  FullReader(InputFile& file, Diagnostics& diagnostics, Progress& progress)
      : file_(file),
        diagnostics_(diagnostics),
        progress_(progress),
        records_(file.bytes(), file.name()) {}

  FileContents read() {
    records_.describe(contents_);
    header_ = records_.header();
    constexpr std::size_t kLeastItems = 37;
    records_.expect_integers(header_, "the header", kLeastItems);
    check_header();
    read_dofs();
    read_matrix("STIFFNESS", FullItem::kStiffness, FullItem::kStiffnessTerms);
    read_matrix("MASS", FullItem::kMass, FullItem::kMassTerms);
    read_matrix("DAMPING", FullItem::kDamping, FullItem::kDampingTerms);
    if (const std::int64_t count = header_.item(FullItem::kConstraintEquations); count > 0)
      diagnostics_.warn(
          "constraint-equations",
          fmt::format("{} constraint equations (CE, CP) are not applied to the matrices", count),
          {file_.name()});
    return std::move(contents_);
  }

 private:
  [[noreturn]] void refuse(const char* code, const std::string& what, const char* remedy) const {
    throw ParseError(
        code, what, {file_.name(), -1, -1, static_cast<std::int64_t>(4 * header_.word())}, remedy);
  }

  void check_header() const {
    if (header_.item(FullItem::kKind) != -static_cast<std::int64_t>(AnsysFile::full))
      refuse("frontal",
             "the matrices are not from symbolic assembly",
             "solve with EQSLV,SPARSE or MODOPT,LANB");
    if (header_.item(FullItem::kUnsymmetric) != 0)
      refuse("unsymmetric",
             "the matrices are not symmetric",
             "write them without gyroscopic terms, friction and fluids");
  }

  /// Reads the DOF of each equation, and which equations are free.
  void read_dofs() {
    const std::int64_t equations = header_.item(FullItem::kEquations);
    const auto limit = static_cast<std::int64_t>(records_.words());
    if (equations < 1 || equations > limit || equations > std::numeric_limits<std::int32_t>::max())
      records_.fail(
          "header", fmt::format("the header claims {} equations", equations), header_.word());
    equations_ = static_cast<std::size_t>(equations);
    const AnsysRecord labels = records_.at(static_cast<std::int64_t>(header_.next()));
    records_.expect_integers(labels, "the DOF numbers", 1);
    const AnsysRecord nodes = records_.at(static_cast<std::int64_t>(labels.next()));
    const AnsysRecord per_node = records_.at(header_.pointer(FullItem::kDofs, FullItem::kDofs + 1));
    const AnsysRecord dofs = records_.at(static_cast<std::int64_t>(per_node.next()));
    const auto node_count =
        static_cast<std::size_t>(std::max<std::int64_t>(header_.item(FullItem::kNodes), 0));
    records_.expect_integers(nodes, "the nodes", node_count);
    records_.expect_integers(per_node, "the DOFs per node", node_count);
    records_.expect_integers(dofs, "the DOFs", equations_);
    free_row_.assign(equations_, -1);
    std::size_t equation = 0;
    for (std::size_t n = 0; n < node_count; ++n) {
      for (std::int64_t k = 0; k < per_node.integer(n); ++k, ++equation) {
        if (equation >= equations_) break;
        add_dof(equation, nodes.integer(n), dofs.integer(equation), labels);
      }
    }
    if (equation != equations_)
      records_.fail(
          "dofs",
          fmt::format(
              "the nodes have {} DOFs, the header claims {} equations", equation, equations_),
          per_node.word());
    std::vector<Dof> sorted = rows_;
    std::sort(sorted.begin(), sorted.end());
    if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
        twice != sorted.end() && twice->component != 0)
      records_.fail("dofs",
                    fmt::format("two equations belong to one DOF of node {}", twice->node),
                    dofs.word());
  }

  /// `number`: the DOF of the equation, or its position among the DOFs of the model if no DOF has
  /// this number; negative if it is constrained.
  void add_dof(std::size_t equation,
               std::int64_t node,
               std::int64_t number,
               const AnsysRecord& labels) {
    const std::int64_t wanted = number < 0 ? -number : number;
    bool is_label = false;
    for (std::size_t k = 0; k < labels.count(); ++k)
      is_label = is_label || labels.integer(k) == wanted;
    const bool is_position = wanted >= 1 && wanted <= static_cast<std::int64_t>(labels.count());
    if (!is_label && !is_position)
      records_.fail(
          "dofs", fmt::format("equation {} has the unknown DOF {}", equation + 1, number), 0);
    const std::int64_t label =
        is_label ? wanted : labels.integer(static_cast<std::size_t>(wanted - 1));
    const Dof dof{node, component_of_ansys_dof(label)};
    if (number < 0) {
      contents_.fixed.push_back(dof);
      return;
    }
    free_row_[equation] = static_cast<std::int32_t>(rows_.size());
    rows_.push_back(dof);
  }

  /// `terms_item`: item of the header with the number of terms, which only saves address space.
  void read_matrix(const char* name, std::size_t pointer_item, std::size_t terms_item) {
    const std::int64_t pointer = header_.pointer(pointer_item, pointer_item + 1);
    if (pointer == 0) return;
    RawMatrix matrix;
    matrix.name = name;
    matrix.rows = matrix.cols = static_cast<std::int64_t>(rows_.size());
    matrix.form = RawMatrix::Form::symmetric;
    matrix.layout = RawMatrix::Layout::sparse;
    matrix.triangle = RawMatrix::Triangle::lower;
    MatrixEntries entries(false);
    constexpr std::size_t kWordsOfTerm = 3;  // row and value
    const auto terms = static_cast<std::uint32_t>(header_.item(terms_item));
    const std::size_t most = records_.words() / kWordsOfTerm;
    const std::size_t room = terms == 0 ? most : std::min<std::size_t>(terms, most);
    matrix.row.reserve(room);
    matrix.values.reserve(room);
    if (terms != 0) {  // else the room is a bound, most of which is never filled
      LargePages pages;
      pages.ask(matrix.row.data(), room * sizeof(std::int32_t));
      pages.ask(matrix.values.data(), room * sizeof(double));
    }
    if (pointer_item == FullItem::kMass && header_.item(FullItem::kLumped) != 0)
      read_diagonal(pointer, entries);
    else
      read_columns(pointer, matrix, entries);
    if (matrix.col_start.empty()) entries.finish(matrix);
    matrix.row_dofs = rows_;
    matrix.col_dofs = rows_;
    contents_.matrices.push_back(std::move(matrix));
  }

  void read_diagonal(std::int64_t pointer, MatrixEntries& entries) {
    const AnsysRecord diagonal = records_.at(pointer);
    records_.expect_reals(diagonal, "the lumped mass", equations_);
    for (std::size_t k = 0; k < equations_; ++k)
      if (free_row_[k] >= 0) entries.add(free_row_[k], free_row_[k], finite(diagonal, k));
  }

  /// Reads a matrix column by column into `matrix`, as long as its columns hold their rows in
  /// ascending order behind the diagonal, which is the last entry in the file; all others through
  /// `entries`, which sorts them.
  void read_columns(std::int64_t pointer, RawMatrix& matrix, MatrixEntries& entries) {
    std::int64_t word = pointer;
    bool is_sorted = true;
    for (std::size_t col = 0; col < equations_; ++col) {
      const AnsysRecord indices = records_.at(word);
      const AnsysRecord values = records_.at(static_cast<std::int64_t>(indices.next()));
      records_.expect_integers(indices, "row numbers", 1);
      if (!values.is_integer() && values.count() == 2 * indices.count())
        refuse("complex", "the matrices are complex", "write them in a modal analysis");
      records_.expect_reals(values, "the values of a column", indices.count());
      word = static_cast<std::int64_t>(values.next());
      if (col % kColumnsPerReport == 0) {
        file_.release_before(4 * indices.word());
        progress_.step(static_cast<double>(4 * word));
      }
      if (free_row_[col] < 0) continue;
      if (is_sorted && append_column(col, indices, values, matrix)) continue;
      if (is_sorted) move_entries(matrix, entries);
      is_sorted = false;
      for (std::size_t k = 0; k < indices.count(); ++k)
        add_entry(col, indices, values, k, entries);
    }
    if (is_sorted) matrix.col_start.push_back(static_cast<std::int64_t>(matrix.row.size()));
  }

  /// Appends a column to `matrix`; false, and nothing is appended, if its rows are in another
  /// order.
  bool append_column(std::size_t col,
                     const AnsysRecord& indices,
                     const AnsysRecord& values,
                     RawMatrix& matrix) const {
    const std::size_t start = matrix.row.size();
    const std::size_t last = indices.count() - 1;
    if (indices.integer(last) != static_cast<std::int64_t>(col) + 1) return false;
    matrix.row.resize(start + last + 1);
    matrix.values.resize(start + last + 1);
    std::int32_t* to = matrix.row.data() + start;
    double* value = matrix.values.data() + start;
    std::int32_t previous = *to++ = free_row_[col];
    *value++ = finite(values, last);
    bool is_sorted = true;
    FiniteCheck check;
    indices.with_integers([&](const auto& integer) {
      values.with_reals([&](const auto& real) {
        for (std::size_t k = 0; k < last; ++k) {
          const std::int32_t row = row_at(integer(k) - 1, col, indices);
          if (row < 0) continue;
          is_sorted = is_sorted && row > previous;
          *to++ = previous = row;
          check.see(*value++ = real(k));
        }
      });
    });
    if (!check.all_finite()) refuse_special(values);
    const std::size_t end = is_sorted ? static_cast<std::size_t>(to - matrix.row.data()) : start;
    matrix.row.resize(end);
    matrix.values.resize(end);
    if (!is_sorted) return false;
    matrix.col.push_back(free_row_[col]);
    matrix.col_start.push_back(static_cast<std::int64_t>(start));
    return true;
  }

  /// Moves the columns that `matrix` has so far to `entries`.
  static void move_entries(RawMatrix& matrix, MatrixEntries& entries) {
    matrix.col_start.push_back(static_cast<std::int64_t>(matrix.row.size()));
    for (std::size_t c = 0; c < matrix.col.size(); ++c)
      for (auto k = static_cast<std::size_t>(matrix.col_start[c]);
           k < static_cast<std::size_t>(matrix.col_start[c + 1]);
           ++k)
        entries.add(matrix.row[k], matrix.col[c], matrix.values[k]);
    matrix.col.clear();
    matrix.col_start.clear();
    matrix.row.clear();
    matrix.values.clear();
  }

  /// The free row of an entry in row `row`, from 0; -1 if it is constrained.
  std::int32_t row_at(std::int64_t row, std::size_t col, const AnsysRecord& indices) const {
    if (row < 0 || row >= static_cast<std::int64_t>(equations_))
      records_.fail(
          "row",
          fmt::format("row {} of column {} exceeds the {} equations", row + 1, col + 1, equations_),
          indices.word());
    return free_row_[static_cast<std::size_t>(row)];
  }

  void add_entry(std::size_t col,
                 const AnsysRecord& indices,
                 const AnsysRecord& values,
                 std::size_t k,
                 MatrixEntries& entries) {
    const std::int32_t i = row_at(indices.integer(k) - 1, col, indices);
    if (i < 0) return;
    const std::int32_t j = free_row_[col];
    entries.add(std::max(i, j), std::min(i, j), finite(values, k));
  }

  double finite(const AnsysRecord& values, std::size_t k) const {
    const double value = values.real(k);
    if (!std::isfinite(value)) refuse_special(values);
    return value;
  }
  [[noreturn]] void refuse_special(const AnsysRecord& values) const {
    records_.fail("not-finite", "a number is not finite", values.word());
  }

  InputFile& file_;
  Diagnostics& diagnostics_;
  Progress& progress_;
  AnsysRecords records_;
  AnsysRecord header_;
  FileContents contents_;
  std::size_t equations_ = 0;
  std::vector<std::int32_t> free_row_;  ///< row of each equation; -1: constrained
  std::vector<Dof> rows_;
};

}  // namespace

bool is_ansys_full(const FileHead& head) {
  return is_ansys_file(head, AnsysFile::full);
}

FileContents read_ansys_full(const std::filesystem::path& path,
                             const ReadOptions& /*options*/,
                             Diagnostics& diagnostics,
                             Progress& progress) {
  InputFile file(path);
  return FullReader(file, diagnostics, progress).read();
}

}  // namespace femflex::importer
