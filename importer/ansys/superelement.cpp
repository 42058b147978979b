// Reads superelements of ANSYS: first who the rows are, which two lists of the file must agree on,
// then the matrices row by row.
#include "ansys/superelement.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/large_pages.h"

#include "ansys/binary_records.h"
#include "ansys/elements.h"
#include "bytes/finite.h"
#include "bytes/input_file.h"

namespace femflex::importer {
namespace {

/// Items of the header, counted from 1.
struct SubItem {
  enum : std::size_t {
    kKind = 1,
    kRows = 2,
    kDofsPerNode = 5,
    kLargestNode = 6,
    kNodes = 9,
    kUnsymmetric = 10,
    kStiffness = 11,
    kMass = 12,
    kDamping = 13,
    kStressStiffness = 14,
    kLoads = 15,
    kTransformations = 21,
    kMatrices = 22,
    kDofNumbers = 31,
    kRowDofs = 32,
    kNodeTable = 33,
    kNodeList = 35,
    kPositions = 36,
    kGlobalDofs = 38,
    kModes = 44,
  };
};

/// Kind of a file with sparse matrices.
constexpr std::int64_t kSparseKind = 9;
/// DOF numbers of a node in the list of DOFs by node numbers.
constexpr std::int64_t kDofsInList = 32;

/// A row as the file gives it, in one reading of its node.
using SubRow = std::pair<std::int64_t, std::int64_t>;  ///< node, DOF number

class SubReader {
 public:
  SubReader(InputFile& file, Diagnostics& diagnostics, Progress& progress)
      : file_(file),
        diagnostics_(diagnostics),
        progress_(progress),
        records_(file.bytes(), file.name()) {}

  FileContents read() {
    records_.describe(contents_);
    header_ = records_.header();
    records_.expect_integers(header_, "the header", SubItem::kModes);
    check_header();
    read_nodes();
    read_rows();
    read_matrices();
    count_unread();
    return std::move(contents_);
  }

 private:
  [[noreturn]] void refuse(const char* code, const std::string& what, const char* remedy) const {
    throw ParseError(
        code, what, {file_.name(), -1, -1, static_cast<std::int64_t>(4 * header_.word())}, remedy);
  }

  /// A count of things that take a word each at least. @throws ParseError
  std::size_t checked_count(std::size_t item, const char* what) const {
    const std::int64_t count = header_.item(item);
    if (count < 0 || static_cast<std::uint64_t>(count) > records_.words())
      records_.fail("header", fmt::format("the header claims {} {}", count, what), header_.word());
    return static_cast<std::size_t>(count);
  }

  /// A record of integers to which an item of the header points.
  AnsysRecord integers(std::size_t item, const char* what, std::size_t count) const {
    AnsysRecord record = records_.at(header_.item(item));
    records_.expect_integers(record, what, count);
    return record;
  }

  void check_header() {
    if (header_.item(SubItem::kKind) == kSparseKind)
      refuse("sparse-superelement",
             "the matrices of the superelement are stored sparse",
             "export the matrices with *EXPORT,,MMF and give a table of nodes with them");
    if (header_.item(SubItem::kKind) != static_cast<std::int64_t>(AnsysFile::superelement))
      records_.fail("header",
                    fmt::format("the kind of the file is {}", header_.item(SubItem::kKind)),
                    header_.word());
    if (header_.item(SubItem::kUnsymmetric) != 0)
      refuse("unsymmetric",
             "the matrices are not symmetric",
             "write them without gyroscopic terms, friction and fluids");
    rows_ = checked_count(SubItem::kRows, "rows");
    if (rows_ == 0) records_.fail("header", "the superelement has no rows", header_.word());
    modes_ = checked_count(SubItem::kModes, "modes");
    if (modes_ >= rows_)
      records_.fail("header",
                    fmt::format("the header claims {} modes among {} rows", modes_, rows_),
                    header_.word());
    for (const auto& [item, name] : {std::pair{SubItem::kStiffness, "STIFFNESS"},
                                     {SubItem::kMass, "MASS"},
                                     {SubItem::kDamping, "DAMPING"},
                                     {SubItem::kStressStiffness, ""}})
      if (header_.item(item) != 0) names_.emplace_back(name);
  }

  void read_nodes() {
    const std::size_t count = checked_count(SubItem::kNodes, "nodes");
    const AnsysRecord list = integers(SubItem::kNodeList, "the nodes", count);
    std::int64_t word = header_.item(SubItem::kPositions);
    AnsysNodeAxes axes;
    for (std::size_t k = 0; k < count; ++k) {
      const AnsysRecord record = records_.at(word);
      constexpr std::size_t kReals = 6;  // x, y, z, three angles
      records_.expect_reals(record, "a node", kReals);
      std::array<double, kReals> values{};
      for (std::size_t c = 0; c < kReals; ++c) {
        values[c] = record.real(c);
        if (!std::isfinite(values[c]))
          records_.fail("not-finite", "a coordinate is not finite", record.word());
      }
      RawGrid grid;
      grid.id = list.integer(k);
      if (grid.id < 1)
        records_.fail("node", fmt::format("{} is not the number of a node", grid.id), list.word());
      grid.x = {values[0], values[1], values[2]};
      grid.displacement_system = axes.system_of({values[3], values[4], values[5]});
      nodes_.insert(grid.id);
      contents_.grids.push_back(std::move(grid));
      word = static_cast<std::int64_t>(record.next());
    }
    contents_.systems = axes.take();
    contents_.position_precision = std::numeric_limits<double>::epsilon();
  }

  /// The physical rows if their N are places in the node table, or node numbers; empty if a row
  /// has no node with a position then.
  std::optional<std::vector<SubRow>> rows_by(bool are_places) const {
    const std::size_t per_node = checked_count(SubItem::kDofsPerNode, "DOFs per node");
    const AnsysRecord numbers = integers(SubItem::kDofNumbers, "the DOF numbers", per_node);
    const AnsysRecord rows = integers(SubItem::kRowDofs, "the DOFs of the rows", rows_);
    const AnsysRecord table = integers(SubItem::kNodeTable, "the node table", 0);
    if (per_node == 0) return std::nullopt;
    std::vector<SubRow> out;
    for (std::size_t k = 0; k + modes_ < rows_; ++k) {
      const std::int64_t row = rows.integer(k) - 1;
      if (row < 0) return std::nullopt;
      const auto place = static_cast<std::size_t>(row) / per_node;
      if (are_places && place >= table.count()) return std::nullopt;
      const std::int64_t node =
          are_places ? table.integer(place) : static_cast<std::int64_t>(place) + 1;
      if (!nodes_.contains(node)) return std::nullopt;
      out.emplace_back(node, numbers.integer(static_cast<std::size_t>(row) % per_node));
    }
    return out;
  }

  /// True if the list of DOFs by node numbers has these rows.
  bool fits_list(std::vector<SubRow> rows) const {
    std::sort(rows.begin(), rows.end());
    const AnsysRecord list = integers(SubItem::kGlobalDofs, "the DOFs by node numbers", 0);
    if (list.count() < rows.size()) return false;
    for (std::size_t k = 0; k < rows.size(); ++k)
      if (list.integer(k) != (rows[k].first - 1) * kDofsInList + rows[k].second) return false;
    return true;
  }

  /// The physical rows, in the reading that the other lists of the file confirm.
  std::vector<SubRow> physical_rows() const {
    const std::optional<std::vector<SubRow>> places = rows_by(true);
    const std::optional<std::vector<SubRow>> numbers = rows_by(false);
    if (places && (!numbers || *numbers == *places)) return *places;
    if (numbers && !places) return *numbers;
    if (places && header_.item(SubItem::kGlobalDofs) > 0) {
      const bool fit_places = fits_list(*places);
      if (fit_places != fits_list(*numbers)) return fit_places ? *places : *numbers;
    }
    refuse("rows",
           "the lists of the file do not agree on the node of each row",
           "export the matrices with *EXPORT,,MMF and give a table of nodes with them");
  }

  void read_rows() {
    std::set<Dof> seen;
    for (const auto& [node, number] : physical_rows()) {
      const Dof dof{node, component_of_ansys_dof(number)};
      if (dof.component == 0)
        refuse("dofs",
               fmt::format("node {} has DOF number {}, which is not a displacement", node, number),
               "give the superelement of a structural analysis");
      if (!seen.insert(dof).second)
        records_.fail("dofs",
                      fmt::format("two rows belong to one DOF of node {}", node),
                      static_cast<std::size_t>(header_.item(SubItem::kRowDofs)));
      row_dofs_.push_back(dof);
    }
    contents_.interface = row_dofs_;
    std::int64_t last = std::max<std::int64_t>(header_.item(SubItem::kLargestNode), 0);
    if (!nodes_.empty()) last = std::max(last, *nodes_.rbegin());
    for (std::size_t k = 0; k < modes_; ++k) {
      contents_.scalar_points.push_back(++last);
      row_dofs_.push_back({last, 0});
      contents_.generalised.push_back(row_dofs_.back());
    }
  }

  void read_matrices() {
    // before memory is taken: a triangle of each matrix, of two words a value
    const double words = static_cast<double>(rows_) * static_cast<double>(rows_ + 1) *
                         static_cast<double>(names_.size());
    if (names_.empty() || words > static_cast<double>(records_.words()))
      records_.fail(
          "header",
          fmt::format("the file cannot hold {} matrices of {} rows", names_.size(), rows_),
          header_.word());
    for (const std::string& name : names_) {
      RawMatrix matrix;
      matrix.name = name;
      matrix.rows = matrix.cols = static_cast<std::int64_t>(rows_);
      matrix.form = RawMatrix::Form::symmetric;
      matrix.layout = RawMatrix::Layout::dense;
      matrix.is_dense = true;
      matrix.values.reserve(rows_ * rows_);
      LargePages().ask(matrix.values.data(), rows_ * rows_ * sizeof(double));
      matrix.values.resize(rows_ * rows_);
      matrix.row_dofs = row_dofs_;
      matrix.col_dofs = row_dofs_;
      contents_.matrices.push_back(std::move(matrix));
    }
    std::int64_t word = header_.item(SubItem::kMatrices);
    for (std::size_t i = 0; i < rows_; ++i) {
      for (RawMatrix& matrix : contents_.matrices) {
        const AnsysRecord record = records_.at(word, rows_);
        add_row(i, record, matrix);
        word = static_cast<std::int64_t>(record.next());
      }
      file_.release_before(4 * static_cast<std::size_t>(word));
      progress_.step(static_cast<double>(4 * word));
    }
    for (RawMatrix& matrix : contents_.matrices)
      mirror(matrix.values);
    std::erase_if(contents_.matrices, [](const RawMatrix& matrix) { return matrix.name.empty(); });
  }

  /// Which columns the rows hold; the first two rows tell.
  enum class Columns : std::uint8_t { unknown, all, lower, upper };

  Columns columns_of(std::size_t i, std::size_t count) const {
    if (rows_ == 1) return Columns::all;
    if (columns_ != Columns::unknown) return columns_;
    if (i == 0) return count == rows_ ? Columns::unknown : Columns::lower;
    return count == rows_ ? Columns::all : Columns::upper;
  }

  void add_row(std::size_t i, const AnsysRecord& record, RawMatrix& matrix) {
    if (!record.is_integer() && record.count() == 2 * rows_ && rows_ > 1)
      refuse("complex", "the matrices are complex", "write them without structural damping");
    columns_ = columns_of(i, record.count());
    const std::size_t first = columns_ == Columns::upper ? i : 0;
    const std::size_t end = columns_ == Columns::lower ? i + 1 : rows_;
    if (record.is_integer() || record.count() != end - first)
      records_.fail("row",
                    fmt::format("row {} of {} has {} values, expected {}",
                                i + 1,
                                matrix.name,
                                record.count(),
                                end - first),
                    record.word());
    // a row of a symmetric matrix is the column of this number, which lies together in memory
    double* const to = matrix.values.data() + i * rows_ + first;
    FiniteCheck check;
    record.with_reals([&](const auto& real) {
      for (std::size_t k = 0; k < end - first; ++k)
        check.see(to[k] = real(k));
    });
    if (!check.all_finite()) records_.fail("not-finite", "a number is not finite", record.word());
  }

  /// Fills the triangle that the rows leave out from the other one, tile by tile.
  void mirror(std::vector<double>& values) const {
    if (columns_ != Columns::lower && columns_ != Columns::upper) return;
    constexpr std::size_t kTile = 64;
    const std::size_t n = rows_;
    for (std::size_t j0 = 0; j0 < n; j0 += kTile)
      for (std::size_t i0 = 0; i0 <= j0; i0 += kTile)
        for (std::size_t j = j0; j < std::min(j0 + kTile, n); ++j)
          for (std::size_t i = i0; i < std::min(i0 + kTile, j); ++i) {
            double& above = values[j * n + i];  // row i, column j
            double& below = values[i * n + j];
            (columns_ == Columns::lower ? below : above) =
                columns_ == Columns::lower ? above : below;
          }
  }

  void count_unread() {
    if (header_.item(SubItem::kStressStiffness) != 0)
      contents_.unread.push_back({"stress stiffness", 1});
    if (const std::int64_t loads = header_.item(SubItem::kLoads); loads > 0)
      contents_.unread.push_back({"load vectors", loads});
    if (const std::int64_t moves = header_.item(SubItem::kTransformations); moves > 0)
      diagnostics_.warn("transformed",
                        fmt::format("the superelement was moved {} times by SETRAN or SESYMM: "
                                    "check that its nodes are where they should be",
                                    moves),
                        {file_.name()});
  }

  InputFile& file_;
  Diagnostics& diagnostics_;
  Progress& progress_;
  AnsysRecords records_;
  AnsysRecord header_;
  FileContents contents_;
  std::size_t rows_ = 0, modes_ = 0;
  std::vector<std::string> names_;  ///< of the matrices in each group of rows; empty: left out
  std::set<std::int64_t> nodes_;    ///< with a position
  std::vector<Dof> row_dofs_;
  Columns columns_ = Columns::unknown;
};

}  // namespace

bool is_ansys_superelement(const FileHead& head) {
  return is_ansys_file(head, AnsysFile::superelement);
}

FileContents read_ansys_superelement(const std::filesystem::path& path,
                                     const ReadOptions& /*options*/,
                                     Diagnostics& diagnostics,
                                     Progress& progress) {
  InputFile file(path);
  return SubReader(file, diagnostics, progress).read();
}

}  // namespace femflex::importer
