// Chooses K first; its rows determine the set of DOFs. M and D must then fit that set by size or by
// named rows.
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

/// Compares two matrices by size, norm and sum, because text forms lose digits.
bool same_matrix(const RawMatrix& a, const RawMatrix& b) {
  constexpr double digits = 1e-5;
  if (a.rows != b.rows || a.cols != b.cols) return false;
  const MatrixStatistics x = statistics_of(a);
  const MatrixStatistics y = statistics_of(b);
  const double size = std::max(x.frobenius, y.frobenius);
  return std::abs(x.frobenius - y.frobenius) <= digits * size &&
         std::abs(x.sum - y.sum) <= digits * size * static_cast<double>(a.rows);
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
  const bool sure = guesses.size() == 1 || guesses[0].name.rfind("rows", 0) == 0;
  if (sure || gathered.geometry.elements.empty()) {
    if (!sure)
      diagnostics.warn("row-order",
                       fmt::format("rows of {} may be the {} or the {}: the first is taken",
                                   matrix.name,
                                   guesses[0].name,
                                   guesses[1].name),
                       {candidate.file->path});
    return guesses[0];
  }
  const SparseMatrix full = full_matrix(matrix);
  std::size_t best = 0;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (std::size_t k = 0; k < guesses.size(); ++k) {
    const std::int64_t strange = strange_couplings(full, guesses[k].rows, gathered);
    if (strange < least) {
      least = strange;
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

[[noreturn]] void no_rows(const Candidate& candidate, const Gathered& gathered) {
  if (is_cyclic(candidate, gathered))
    throw ModelError(
        "cyclic-symmetry",
        fmt::format("{} has twice the rows of the .dof file: it is the complex matrix "
                    "of one sector (*CYCLIC SYMMETRY MODEL), not of a whole part",
                    candidate.matrix->name),
        {candidate.file->path},
        "model all sectors, without *CYCLIC SYMMETRY MODEL, and write the matrices again");
  throw ModelError("no-row-map",
                   fmt::format("the DOFs of the {} rows of {} are unknown",
                               candidate.matrix->rows,
                               candidate.matrix->name),
                   {candidate.file->path},
                   "give the deck, the EXTRN, .dof or .mapping file as well, or name the DOFs "
                   "by --dof-order");
}

struct Part {
  Candidate from;
  RowGuess rows;
};

class MatrixChooser {
 public:
  MatrixChooser(const ImportRequest& request, const Gathered& gathered, Diagnostics& diagnostics)
      : request_(request), gathered_(gathered), diagnostics_(diagnostics) {}

  Matrices choose() {
    lead(request_.stiffness, kStiffness, stiffness_);
    follow(request_.mass, kMass, mass_);
    follow(request_.damping, kDamping, damping_);
    name_missing(gathered_, stiffness_.has_value(), mass_.has_value(), diagnostics_);
    if (!stiffness_ && !mass_ && !damping_) return {};
    return assemble_all();
  }

 private:
  /// Chooses the matrix that determines the set of DOFs: the first one whose rows are known.
  void lead(const std::optional<MatrixPick>& pick, const Role& role, std::optional<Part>& out) {
    if (pick) {
      const Candidate candidate = picked(gathered_, *pick, role);
      out = Part{candidate, rows_of(candidate, gathered_, request_.dof_order, diagnostics_)};
      if (out->rows.rows.empty()) no_rows(candidate, gathered_);
      return;
    }
    const std::vector<Candidate> all = candidates(gathered_, role);
    for (const Candidate& candidate : all) {
      RowGuess rows = rows_of(candidate, gathered_, request_.dof_order, diagnostics_);
      if (rows.rows.empty()) continue;
      warn_of_namesakes(all, candidate);
      out = Part{candidate, std::move(rows)};
      return;
    }
    if (!all.empty()) no_rows(all.front(), gathered_);
    refuse_rectangular(gathered_, role);
  }

  void warn_of_namesakes(const std::vector<Candidate>& all, const Candidate& taken) {
    const auto same = std::count_if(all.begin(), all.end(), [&](const Candidate& other) {
      return other.matrix->name == taken.matrix->name && other.file == taken.file;
    });
    if (same > 1)
      diagnostics_.warn(
          "repeated-matrix",
          fmt::format(
              "{} matrices are called {}: the first that fits is taken", same, taken.matrix->name),
          {taken.file->path});
    for (const Candidate& other : all)
      if (other.file != taken.file && other.matrix->name == taken.matrix->name &&
          !same_matrix(*other.matrix, *taken.matrix))
        diagnostics_.warn("repeated-matrix",
                          fmt::format("{} is in {} too, with other numbers: that of {} is taken",
                                      taken.matrix->name,
                                      short_name(other.file->path),
                                      short_name(taken.file->path)),
                          {other.file->path});
  }

  /// Chooses a mass or damping matrix of the same set as the stiffness, by the same size or by
  /// named rows.
  void follow(const std::optional<MatrixPick>& pick, const Role& role, std::optional<Part>& out) {
    if (pick || !stiffness_) {
      if (pick || &role == &kMass) lead(pick, role, out);
      if (out) adopt_rows(*out);
      return;
    }
    std::vector<Candidate> all = candidates(gathered_, role);
    const Part& k = *stiffness_;
    std::stable_sort(all.begin(), all.end(), [&](const Candidate& a, const Candidate& b) {
      const auto far = [&](const Candidate& c) {
        return (c.rank == k.from.rank ? 0 : 2) + (c.file == k.from.file ? 0 : 1);
      };
      return far(a) < far(b);
    });
    for (const Candidate& candidate : all) {
      const bool named = !candidate.matrix->row_dofs.empty();
      const bool set_fits =
          candidate.rank == k.from.rank || named || request_.stiffness.has_value();
      if (!set_fits || (!named && candidate.matrix->rows != k.from.matrix->rows)) continue;
      out = Part{candidate, {}};
      adopt_rows(*out);
      warn_of_namesakes(all, candidate);
      return;
    }
    if (all.empty() && &role == &kMass) refuse_rectangular(gathered_, role);
    explain_left_out(all, role);
  }

  /// Called if no matrix fits the stiffness. A matrix of the same set is an error; one of another
  /// set may be left out.
  void explain_left_out(const std::vector<Candidate>& all, const Role& role) {
    const Candidate& k = stiffness_->from;
    const std::size_t set = rank_of(*k.matrix, kStiffness);
    for (const Candidate& candidate : all)
      if (candidate.rank == set && set < role.names.size())
        throw ModelError("matrix-size",
                         fmt::format("{} is {} x {}, but {} of {} is {} x {}",
                                     candidate.matrix->name,
                                     candidate.matrix->rows,
                                     candidate.matrix->cols,
                                     k.matrix->name,
                                     short_name(k.file->path),
                                     k.matrix->rows,
                                     k.matrix->cols),
                         {candidate.file->path},
                         fmt::format("give matrices of one model and one set, or pick another one "
                                     "by --{}",
                                     role.what));
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

  void adopt_rows(Part& part) {
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
    const std::optional<Part>& leader = stiffness_ ? stiffness_ : mass_ ? mass_ : damping_;
    out.rows_name = leader->rows.name;
    out.is_g_set = leader->rows.is_g_set;
    out.by_cards = leader->rows.name.find("cards") != std::string::npos;
    // the union of all rows, because DMIG lists only DOFs with entries
    out.local = leader->rows.rows;
    std::vector<Dof> seen = out.local;
    std::sort(seen.begin(), seen.end());
    std::vector<Dof> more;
    for (const std::optional<Part>* part : {&mass_, &damping_})
      if (*part)
        for (const Dof& dof : (*part)->rows.rows)
          if (!std::binary_search(seen.begin(), seen.end(), dof)) more.push_back(dof);
    std::sort(more.begin(), more.end());
    more.erase(std::unique(more.begin(), more.end()), more.end());
    out.local.insert(out.local.end(), more.begin(), more.end());
    const DofMap local(out.local);
    const BasicTurn turn = turn_to_basic(gathered_, out.local);
    out.dofs = DofMap(turn.rows);
    out.stiffness = make(stiffness_, local, turn);
    out.mass = make(mass_, local, turn);
    out.damping = make(damping_, local, turn);
    return out;
  }

  std::optional<ModelMatrix> make(const std::optional<Part>& part,
                                  const DofMap& local,
                                  const BasicTurn& turn) const {
    if (!part) return std::nullopt;
    const RawMatrix& raw = *part->from.matrix;
    check_complex(raw, part->from.file->path, request_.force);
    ModelMatrix out;
    out.name = fmt::format("{} of {}", raw.name, short_name(part->from.file->path));
    out.single_precision = raw.is_single;
    out.full = on_rows(full_matrix(raw), part->rows.rows, local);
    if (!turn.is_identity) {
      const SparseMatrix half = turn.T * out.full;
      const SparseMatrix back = turn.T.transpose();
      out.full = half * back;
    }
    return out;
  }

  const ImportRequest& request_;
  const Gathered& gathered_;
  Diagnostics& diagnostics_;
  std::optional<Part> stiffness_, mass_, damping_;
};

}  // namespace

Matrices choose_matrices(const ImportRequest& request,
                         const Gathered& gathered,
                         Diagnostics& diagnostics) {
  return MatrixChooser(request, gathered, diagnostics).choose();
}

}  // namespace femflex::importer
