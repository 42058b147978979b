// Chooses the stiffness, mass and damping matrix of a model among the matrices of its files. K
// comes first, and its rows determine the DOFs; M and D must fit K by their size or by named rows.
#include "model/matrices.h"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/importer/statistics.h"

#include "model/matrix_roles.h"

namespace femflex::importer {
namespace {

/// True if two matrices agree in size, norm and sum to the digits of text formats.
bool same_matrix(const RawMatrix& a, const RawMatrix& b) {
  constexpr double kRelativeTolerance = 1e-5;
  if (a.rows != b.rows || a.cols != b.cols) return false;
  const MatrixStatistics x = statistics_of(a);
  const MatrixStatistics y = statistics_of(b);
  const double size = std::max(x.frobenius, y.frobenius);
  return std::abs(x.frobenius - y.frobenius) <= kRelativeTolerance * size &&
         std::abs(x.sum - y.sum) <= kRelativeTolerance * size * static_cast<double>(a.rows);
}

/// Finds the DOFs of the rows of `candidate`; the rows are empty if no guess fits.
RowGuess rows_of(const Candidate& candidate,
                 const Gathered& gathered,
                 const std::string& dof_order,
                 Diagnostics& diagnostics) {
  const RawMatrix& matrix = *candidate.matrix;
  if (!matrix.row_dofs.empty() && dof_order.empty())
    return {"rows named in " + short_name(candidate.file->path),
            false,
            resolved_rows(gathered, *candidate.file, matrix.row_dofs)};
  std::vector<RowGuess> guesses = guess_rows(gathered, *candidate.file, matrix.rows, dof_order);
  if (guesses.empty()) return {};
  // the names of guesses that come from a list in a file begin with `rows`
  const bool is_certain = guesses.size() == 1 || guesses[0].name.rfind("rows", 0) == 0;
  if (is_certain || gathered.geometry.elements.empty()) {
    if (!is_certain)
      diagnostics.warn("row-order",
                       fmt::format("rows of {} may be the {} or the {}: the first is used",
                                   matrix.name,
                                   guesses[0].name,
                                   guesses[1].name),
                       {candidate.file->path});
    return guesses[0];
  }
  const SparseMatrix full = full_matrix(matrix);
  std::size_t best = 0;
  std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
  for (std::size_t k = 0; k < guesses.size(); ++k) {
    const std::int64_t unexpected = unexpected_couplings(full, guesses[k].rows, gathered);
    if (unexpected < fewest) {
      fewest = unexpected;
      best = k;
    }
  }
  return guesses[best];
}

void check_complex(const RawMatrix& matrix, const std::string& file, bool force) {
  if (!matrix.is_complex || force) return;
  for (std::size_t k = 1; k < matrix.values.size(); k += 2)
    if (matrix.values[k] != 0.0)
      throw ModelError("complex-matrix",
                       fmt::format("{} has imaginary parts", matrix.name),
                       {file},
                       "give a real matrix, or --force to take its real part");
}

/// True for a cyclic sector, whose complex matrix CalculiX stores as a real one of twice the size.
bool is_cyclic(const Candidate& candidate, const Gathered& gathered) {
  return candidate.file->format == "coordinate-matrix" &&
         std::any_of(gathered.files.begin(), gathered.files.end(), [&](const FileContents& file) {
           return !file.row_map.empty() &&
                  2 * static_cast<std::int64_t>(file.row_map.size()) == candidate.matrix->rows;
         });
}

/// Throws that the rows of a matrix cannot be identified.
[[noreturn]] void no_rows(const Candidate& candidate, const Gathered& gathered) {
  if (is_cyclic(candidate, gathered))
    throw ModelError(
        "cyclic-symmetry",
        fmt::format("{} has twice the rows of the .dof file: it is the complex matrix "
                    "of one sector (*CYCLIC SYMMETRY MODEL), not of a whole part",
                    candidate.matrix->name),
        {candidate.file->path},
        "model all sectors, without *CYCLIC SYMMETRY MODEL, and write the matrices again");
  std::string fix =
      "give the deck, the EXTRN, .dof or .mapping file as well, or list the DOFs by --dof-order";
  if (const std::size_t nodes = gathered.nodes.size(); nodes > 0)
    fix = fmt::format("the deck given has {} nodes, so the matrix may be of another model; {}",
                      nodes,
                      "give the deck of this matrix, or list the DOFs by --dof-order");
  throw ModelError("no-row-map",
                   fmt::format("the DOFs of the {} rows of {} are unknown",
                               candidate.matrix->rows,
                               candidate.matrix->name),
                   {candidate.file->path},
                   fix);
}

/// A chosen matrix and its rows.
struct ChosenMatrix {
  Candidate from;
  RowGuess rows;
};

class MatrixChooser {
 public:
  MatrixChooser(const ImportRequest& request, const Gathered& gathered, Diagnostics& diagnostics)
      : request_(request), gathered_(gathered), diagnostics_(diagnostics) {}

  Matrices choose() {
    choose_leading(request_.stiffness, kStiffness, stiffness_);
    choose_matching(request_.mass, kMass, mass_);
    choose_matching(request_.damping, kDamping, damping_);
    warn_missing_matrices(gathered_, stiffness_.has_value(), mass_.has_value(), diagnostics_);
    if (!stiffness_ && !mass_ && !damping_) return {};
    return assemble_all();
  }

 private:
  /// Sets `out` to the matrix that determines the DOFs: the picked one, else the first candidate
  /// whose rows are known.
  void choose_leading(const std::optional<MatrixPick>& pick,
                      const Role& role,
                      std::optional<ChosenMatrix>& out) {
    if (pick) {
      const Candidate candidate = picked(gathered_, *pick, role);
      out =
          ChosenMatrix{candidate, rows_of(candidate, gathered_, request_.dof_order, diagnostics_)};
      if (out->rows.rows.empty()) no_rows(candidate, gathered_);
      return;
    }
    std::vector<Candidate> all = candidates(gathered_, role);
    // a file that stands in a pick alone gives what the pick names and nothing else
    std::erase_if(all, [&](const Candidate& candidate) {
      return std::find(request_.files.begin(), request_.files.end(), candidate.file->path) ==
             request_.files.end();
    });
    for (const Candidate& candidate : all) {
      RowGuess rows = rows_of(candidate, gathered_, request_.dof_order, diagnostics_);
      if (rows.rows.empty()) continue;
      warn_of_same_name(all, candidate);
      out = ChosenMatrix{candidate, std::move(rows)};
      return;
    }
    if (!all.empty()) no_rows(all.front(), gathered_);
    refuse_rectangular(gathered_, role);
  }

  void warn_of_same_name(const std::vector<Candidate>& all, const Candidate& taken) {
    const auto same = std::count_if(all.begin(), all.end(), [&](const Candidate& other) {
      return other.matrix->name == taken.matrix->name && other.file == taken.file;
    });
    if (same > 1)
      diagnostics_.warn(
          "repeated-matrix",
          fmt::format(
              "{} matrices are called {}: the first that fits is used", same, taken.matrix->name),
          {taken.file->path});
    for (const Candidate& other : all)
      if (other.file != taken.file && other.matrix->name == taken.matrix->name &&
          !same_matrix(*other.matrix, *taken.matrix))
        diagnostics_.warn("repeated-matrix",
                          fmt::format("{} is in {} too, with other values: that of {} is used",
                                      taken.matrix->name,
                                      short_name(other.file->path),
                                      short_name(taken.file->path)),
                          {other.file->path});
  }

  /// Sets `out` to the picked mass or damping matrix, else to the first candidate that has named
  /// rows, or has the size of K and belongs to the same displacement set (any set if K was picked).
  void choose_matching(const std::optional<MatrixPick>& pick,
                       const Role& role,
                       std::optional<ChosenMatrix>& out) {
    if (pick || !stiffness_) {
      if (pick || &role == &kMass) choose_leading(pick, role, out);
      if (out) adopt_rows(*out);
      return;
    }
    std::vector<Candidate> all = candidates(gathered_, role);
    const ChosenMatrix& k = *stiffness_;
    std::stable_sort(all.begin(), all.end(), [&](const Candidate& a, const Candidate& b) {
      const auto distance = [&](const Candidate& c) {
        return (c.rank == k.from.rank ? 0 : 2) + (c.file == k.from.file ? 0 : 1);
      };
      return distance(a) < distance(b);
    });
    for (const Candidate& candidate : all) {
      const bool has_named_rows = !candidate.matrix->row_dofs.empty();
      const bool set_fits =
          candidate.rank == k.from.rank || has_named_rows || request_.stiffness.has_value();
      if (!set_fits || (!has_named_rows && candidate.matrix->rows != k.from.matrix->rows)) continue;
      out = ChosenMatrix{candidate, {}};
      adopt_rows(*out);
      warn_of_same_name(all, candidate);
      return;
    }
    if (all.empty() && &role == &kMass) refuse_rectangular(gathered_, role);
    explain_left_out(all, role);
  }

  /// Called if no mass or damping matrix fits K. Throws if one belongs to the same displacement set
  /// as K; warns if there are only mass matrices of other sets.
  void explain_left_out(const std::vector<Candidate>& all, const Role& role) {
    const Candidate& k = stiffness_->from;
    const std::size_t set = rank_of(*k.matrix, kStiffness);
    for (const Candidate& candidate : all)
      if (candidate.rank == set && set < role.names.size())
        throw ModelError(
            "matrix-size",
            fmt::format("{} is {} x {}, but {} of {} is {} x {}",
                        candidate.matrix->name,
                        candidate.matrix->rows,
                        candidate.matrix->cols,
                        k.matrix->name,
                        short_name(k.file->path),
                        k.matrix->rows,
                        k.matrix->cols),
            {candidate.file->path},
            fmt::format("give matrices of one model and one set, or choose another one "
                        "by --{}",
                        role.label));
    if (all.empty() || &role != &kMass) return;
    const RawMatrix& first = *all.front().matrix;
    diagnostics_.warn("mass-left-out",
                      fmt::format("the model has no mass: {} ({} x {}) is not of the set of {} ({} "
                                  "x {}); name a mass matrix by --mass",
                                  first.name,
                                  first.rows,
                                  first.cols,
                                  k.matrix->name,
                                  k.matrix->rows,
                                  k.matrix->cols),
                      {all.front().file->path});
  }

  /// Gives `part` the rows that its file names, else those of the stiffness, else the best guess.
  void adopt_rows(ChosenMatrix& part) {
    const RawMatrix& matrix = *part.from.matrix;
    if (!matrix.row_dofs.empty() && request_.dof_order.empty()) {
      part.rows = {"named rows", false, resolved_rows(gathered_, *part.from.file, matrix.row_dofs)};
      return;
    }
    if (stiffness_ && matrix.rows == stiffness_->from.matrix->rows) {
      part.rows = stiffness_->rows;
      return;
    }
    if (part.rows.rows.empty())
      part.rows = rows_of(part.from, gathered_, request_.dof_order, diagnostics_);
    if (part.rows.rows.empty()) no_rows(part.from, gathered_);
  }

  Matrices assemble_all() {
    Matrices out;
    const std::optional<ChosenMatrix>& leader = stiffness_ ? stiffness_ : mass_ ? mass_ : damping_;
    out.rows_name = leader->rows.name;
    out.is_g_set = leader->rows.is_g_set;
    out.by_cards = leader->rows.name.find("cards") != std::string::npos;
    // the union of all rows, because DMIG lists only DOFs with entries
    out.local = leader->rows.rows;
    std::vector<Dof> seen = out.local;
    std::sort(seen.begin(), seen.end());
    std::vector<Dof> more;
    for (const std::optional<ChosenMatrix>* part : {&mass_, &damping_})
      if (*part)
        for (const Dof& dof : (*part)->rows.rows)
          if (!std::binary_search(seen.begin(), seen.end(), dof)) more.push_back(dof);
    std::sort(more.begin(), more.end());
    more.erase(std::unique(more.begin(), more.end()), more.end());
    out.local.insert(out.local.end(), more.begin(), more.end());
    const DofMap local(out.local);
    const BasicTransform transform = transform_to_basic(gathered_, out.local);
    out.dofs = DofMap(transform.rows);
    out.stiffness = make(stiffness_, local, transform);
    out.mass = make(mass_, local, transform);
    out.damping = make(damping_, local, transform);
    return out;
  }

  std::optional<ModelMatrix> make(const std::optional<ChosenMatrix>& part,
                                  const DofMap& local,
                                  const BasicTransform& transform) const {
    if (!part) return std::nullopt;
    const RawMatrix& raw = *part->from.matrix;
    check_complex(raw, part->from.file->path, request_.force);
    ModelMatrix out;
    out.name = fmt::format("{} of {}", raw.name, short_name(part->from.file->path));
    out.single_precision = raw.is_single;
    out.full = on_rows(full_matrix(raw), part->rows.rows, local);
    if (!transform.is_identity) {
      const SparseMatrix half = transform.T * out.full;
      const SparseMatrix back = transform.T.transpose();
      out.full = half * back;
    }
    return out;
  }

  const ImportRequest& request_;
  const Gathered& gathered_;
  Diagnostics& diagnostics_;
  std::optional<ChosenMatrix> stiffness_, mass_, damping_;
};

}  // namespace

Matrices choose_matrices(const ImportRequest& request,
                         const Gathered& gathered,
                         Diagnostics& diagnostics) {
  return MatrixChooser(request, gathered, diagnostics).choose();
}

}  // namespace femflex::importer
