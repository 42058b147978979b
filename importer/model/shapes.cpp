// Chooses the mode shapes of an imported model: collects tables of shapes from result blocks and
// matrices, takes those with the most digits, and transforms them to basic directions.
#include "model/shapes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::importer {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// One table of shapes from any source. Its rows are along CD or basic directions.
struct Table {
  const FileContents* file = nullptr;
  const RawModes* raw = nullptr;  ///< null for matrices
  std::string source;
  bool is_normal = false;
  bool single_precision = false;
  bool basic = false;
  std::vector<Dof> rows;
  Eigen::MatrixXd shapes;
  std::vector<double> eigenvalues, generalised_mass;
};

/// Makes a table from result blocks: three or six rows per point, one for a scalar point.
/// @param shapes  RawModes::shapes of `raw`, which the caller may have moved out of it
Table table_of(const FileContents& file, const RawModes& raw, Eigen::MatrixXd shapes) {
  Table out;
  out.file = &file;
  out.raw = &raw;
  out.source = fmt::format("{}:{}", short_name(file.path), raw.source);
  out.is_normal = raw.kind == RawModes::Kind::normal;
  out.single_precision = raw.single_precision;
  out.basic = raw.frame == RawModes::Frame::basic;
  std::vector<Eigen::Index> from;
  from.reserve(static_cast<std::size_t>(shapes.rows()));
  out.rows.reserve(static_cast<std::size_t>(shapes.rows()));
  for (std::size_t p = 0; p < raw.points.size(); ++p) {
    const Eigen::Index first = raw.components * static_cast<Eigen::Index>(p);
    const bool scalar = p < raw.is_scalar.size() && raw.is_scalar[p] != 0;
    for (Eigen::Index c = 0; c < (scalar ? 1 : raw.components); ++c) {
      out.rows.push_back({raw.points[p], static_cast<std::int8_t>(scalar ? 0 : c + 1)});
      from.push_back(first + c);
    }
  }
  if (std::cmp_equal(from.size(), shapes.rows()))
    out.shapes = std::move(shapes);
  else
    out.shapes = shapes(from, Eigen::all);
  out.eigenvalues = raw.eigenvalues;
  out.generalised_mass = raw.generalised_mass;
  return out;
}

bool begins_with(const std::string& name, std::initializer_list<const char*> starts) {
  return std::any_of(
      starts.begin(), starts.end(), [&](const char* start) { return name.rfind(start, 0) == 0; });
}

bool is_shape_matrix(const RawMatrix& matrix) {
  if (matrix.is_complex) return false;
  return begins_with(matrix.name, {"PHI", "EIGEN_VE", "SHAPES", "MUG"}) || matrix.name == "U" ||
         matrix.name == "PHA" || matrix.name == "PHG" || matrix.name == "PHX";
}

std::vector<double> dense_column(const RawMatrix& matrix) {
  std::vector<double> out(static_cast<std::size_t>(matrix.rows), 0.0);
  if (matrix.is_dense) {
    std::copy_n(matrix.values.begin(), out.size(), out.begin());
  } else {
    for (std::size_t k = 0; k < matrix.row.size(); ++k)
      out[static_cast<std::size_t>(matrix.row[k])] = matrix.values[k];
  }
  return out;
}

/// The first column of `count` numbers in the file whose name has one of the given starts
/// (eigenvalues or generalised masses of shapes in the same file); empty if there is none.
std::vector<double> column_of(const FileContents& file,
                              std::initializer_list<const char*> starts,
                              std::int64_t count) {
  for (const RawMatrix& matrix : file.matrices)
    if (begins_with(matrix.name, starts) && !matrix.is_complex && matrix.cols == 1 &&
        matrix.rows == count)
      return dense_column(matrix);
  return {};
}

/// Makes a table from shapes stored in a matrix; its rows are empty if their DOFs are unknown.
Table table_of(const FileContents& file,
               const RawMatrix& matrix,
               const Gathered& gathered,
               const Matrices& matrices,
               const std::string& dof_order) {
  Table out;
  out.file = &file;
  out.source = fmt::format("{}:{}", short_name(file.path), matrix.name);
  out.single_precision = matrix.is_single;
  if (!matrix.row_dofs.empty()) {
    out.rows = matrix.row_dofs;
  } else if (matrix.rows == matrices.dofs.size()) {
    out.rows = matrices.local;
  } else {
    const std::string order = dof_order == "sorted" || dof_order == "cards" ? dof_order
                              : matrices.by_cards                           ? "cards"
                                                                            : "";
    const std::vector<RowGuess> guesses = guess_rows(gathered, file, matrix.rows, order);
    if (guesses.empty()) return out;
    out.rows = guesses.front().rows;
  }
  out.shapes = Eigen::MatrixXd(full_matrix(matrix));
  out.eigenvalues = column_of(file, {"EIGEN_VA", "LAMBDA", "LAMA"}, matrix.cols);
  out.generalised_mass = column_of(file, {"GEN_MASS"}, matrix.cols);
  out.is_normal = matrix.name.rfind("MUG", 0) != 0;
  return out;
}

/// Rank by number of digits: double-precision sources (OP4) come first and F06 last.
int digits_rank(const Table& table) {
  const std::string& format = table.file->format;
  if (!table.single_precision) return 0;
  if (format == "op2") return 1;
  if (format == "f06") return 3;
  return 2;
}

class ShapeChooser {
 public:
  ShapeChooser(const ImportRequest& request,
               Gathered& gathered,
               const Matrices& matrices,
               Diagnostics& diagnostics)
      : request_(request), gathered_(gathered), matrices_(matrices), diagnostics_(diagnostics) {}

  Shapes choose() {
    if (request_.modes.empty())
      choose_all();
    else
      for (const ModesPick& pick : request_.modes)
        add_picked(pick);
    return std::move(out_);
  }

 private:
  /// False, with a warning, if the shapes are complex.
  bool is_real(const FileContents& file, const RawModes& raw) {
    if (raw.kind != RawModes::Kind::complex) return true;
    diagnostics_.warn("complex-modes",
                      fmt::format("the complex shapes of {} are left out", raw.source),
                      {file.path});
    return false;
  }

  /// Takes the shapes that the user picked.
  void add_picked(const ModesPick& pick) {
    const FileContents& file = file_of(gathered_, pick.path);
    std::vector<Table> all;
    if (!pick.name.empty()) {
      for (const RawMatrix& matrix : file.matrices)
        if (matrix.name == pick.name) all.push_back(table_with_rows(file, matrix));
    } else {
      for (const RawModes& raw : file.modes)  // copied: another pick may want them, too
        if (is_real(file, raw)) all.push_back(table_of(file, raw, raw.shapes));
      // a file may hold both normal modes and displacements under loads; the requested kind decides
      const bool wants_normal = pick.kind == ModeKind::dynamic;
      const bool has_wanted = std::any_of(
          all.begin(), all.end(), [&](const Table& t) { return t.is_normal == wants_normal; });
      if (has_wanted)
        std::erase_if(all, [&](const Table& t) { return t.is_normal != wants_normal; });
      if (all.empty())
        for (const RawMatrix& matrix : file.matrices)
          if (is_shape_matrix(matrix) || file.matrices.size() == 1)
            all.push_back(table_with_rows(file, matrix));
    }
    if (all.empty())
      throw UsageError("no-such-modes",
                       fmt::format("there are no shapes {} in the file", pick.name),
                       {pick.path.string()},
                       "`femflex info` lists its contents");
    add_numbers(all, pick.kind, pick.numbers, pick.path);
  }

  /// A table from a matrix. @throws ModelError  its rows are unknown
  Table table_with_rows(const FileContents& file, const RawMatrix& matrix) {
    Table table = table_of(file, matrix, gathered_, matrices_, request_.dof_order);
    if (table.rows.empty())
      throw ModelError(
          "no-row-map",
          fmt::format("the DOFs of the {} rows of {} are unknown", matrix.rows, matrix.name),
          {file.path},
          "give the deck as well, or list the DOFs by --dof-order");
    return table;
  }

  /// Adds the shapes with the given numbers, counted over all tables; empty: all.
  void add_numbers(std::vector<Table>& all,
                   ModeKind kind,
                   std::vector<std::int64_t> numbers,
                   const std::filesystem::path& path) {
    std::int64_t total = 0;
    for (const Table& table : all)
      total += table.shapes.cols();
    if (numbers.empty())
      for (std::int64_t k = 1; k <= total; ++k)
        numbers.push_back(k);
    for (const std::int64_t number : numbers) {
      if (number < 1 || number > total)
        throw UsageError("no-such-mode",
                         fmt::format("shape {} was requested, but there are {}", number, total),
                         {path.string()},
                         "`femflex info` lists its contents");
    }
    std::int64_t before = 0;
    for (Table& table : all) {
      const Eigen::Index count = table.shapes.cols();
      std::vector<Eigen::Index> columns;
      for (const std::int64_t number : numbers)
        if (number > before && number <= before + count)
          columns.push_back(static_cast<Eigen::Index>(number - before - 1));
      if (!columns.empty()) add(table, kind, columns);
      before += count;
    }
  }

  /// Takes the normal modes of the file that has them with the most digits, and the static
  /// solutions of all files.
  void choose_all() {
    std::vector<Table> normal;
    std::vector<Table> solutions;
    const RawMatrix* unused = nullptr;  // shapes without eigenvalues
    const FileContents* unused_file = nullptr;
    for (FileContents& file : gathered_.files) {
      for (RawModes& raw : file.modes) {
        if (!is_real(file, raw)) continue;
        Table table = table_of(file, raw, std::move(raw.shapes));
        (table.is_normal ? normal : solutions).push_back(std::move(table));
      }
      for (const RawMatrix& matrix : file.matrices) {
        if (!is_shape_matrix(matrix)) continue;
        Table table = table_of(file, matrix, gathered_, matrices_, request_.dof_order);
        if (table.rows.empty() || !table.is_normal) continue;
        if (table.eigenvalues.empty()) {
          // OUTPUT4 writes eigenvalues to another unit, and shapes whether they are wanted or not
          if (file.format == "op4" || unused != nullptr) continue;
          unused = &matrix;
          unused_file = &file;
          continue;
        }
        normal.push_back(std::move(table));
      }
    }
    if (normal.empty() && unused != nullptr)
      diagnostics_.warn(
          "no-eigenvalues",
          fmt::format("the {} columns of {} have no eigenvalues and are left out; --modes "
                      "{}:dynamic takes them as modes",
                      unused->cols,
                      unused->name,
                      short_name(unused_file->path)),
          {unused_file->path});
    add_normal(normal);
    for (Table& table : solutions)
      add(table, ModeKind::static_, all_columns(table));
  }

  void add_normal(std::vector<Table>& normal) {
    if (normal.empty()) return;
    const Table* best = &normal.front();
    for (const Table& table : normal)
      if (digits_rank(table) < digits_rank(*best)) best = &table;
    const FileContents* file = best->file;
    const int rank = digits_rank(*best);
    for (Table& table : normal) {
      if (table.file == file && digits_rank(table) == rank)
        add(table, ModeKind::dynamic, all_columns(table));
      else if (table.file != file && warned_.insert(table.file).second)
        diagnostics_.warn("modes-twice",
                          fmt::format("the eigenvectors of this file are not used, but those of {}",
                                      short_name(file->path)),
                          {table.file->path});
    }
  }

  static std::vector<Eigen::Index> all_columns(const Table& table) {
    std::vector<Eigen::Index> out;
    for (Eigen::Index k = 0; k < table.shapes.cols(); ++k)
      out.push_back(k);
    return out;
  }

  /// Adds these columns, and takes the shapes and rows out of the table.
  void add(Table& table, ModeKind kind, const std::vector<Eigen::Index>& columns) {
    Eigen::MatrixXd shapes;
    if (columns == all_columns(table))
      shapes = std::move(table.shapes);
    else
      shapes = table.shapes(Eigen::all, columns);
    std::vector<ModeInfo> infos;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const auto at = static_cast<std::size_t>(columns[k]);
      ModeInfo info;
      info.kind = kind;
      info.number = static_cast<std::int64_t>(k) + 1;
      info.eigenvalue = at < table.eigenvalues.size() ? table.eigenvalues[at] : kNan;
      info.generalised_mass =
          at < table.generalised_mass.size() ? table.generalised_mass[at] : kNan;
      info.source = table.source;
      infos.push_back(info);
      out_.single_precision.push_back(table.single_precision);
      out_.origins.push_back({table.file, table.raw, columns[k]});
    }
    std::vector<Dof> rows = std::move(table.rows);
    if (!table.basic) {
      const BasicTransform transform = transform_to_basic(gathered_, rows);
      if (!transform.is_identity) shapes = transform.T * shapes;
      rows = transform.rows;
    }
    ModeSet set = make_mode_set(DofMap(std::move(rows)), std::move(shapes), std::move(infos));
    out_.modes = out_.modes.count() == 0 ? std::move(set) : merged(out_.modes, set);
  }

  const ImportRequest& request_;
  Gathered& gathered_;
  const Matrices& matrices_;
  Diagnostics& diagnostics_;
  Shapes out_;
  std::set<const FileContents*> warned_;
};

}  // namespace

Shapes choose_shapes(const ImportRequest& request,
                     Gathered& gathered,
                     const Matrices& matrices,
                     Diagnostics& diagnostics) {
  return ShapeChooser(request, gathered, matrices, diagnostics).choose();
}

}  // namespace femflex::importer
