#include "model/matrices.h"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/importer/statistics.h"

#include "bytes/number.h"

namespace femflex::importer {
namespace {

struct Candidate {
  const FileContents* file = nullptr;
  const RawMatrix* matrix = nullptr;
  std::size_t rank = 0;
};

/// Names by what they hold; sets with the constraints worked in come first.
struct Role {
  const char* what;
  std::array<std::string_view, 9> names;
  std::string_view word;
};
constexpr Role kStiffness{
    "stiffness", {"KAAX", "KAA", "KLL", "KFF", "KXX", "KNN", "KGG", "STIFFNESS", "K"}, "STIF"};
constexpr Role kMass{
    "mass", {"MAAX", "MAA", "MLL", "MFF", "MXX", "MNN", "MGG", "MASS", "M"}, "MASS"};
constexpr Role kDamping{
    "damping", {"BAAX", "BAA", "BLL", "BFF", "BXX", "BNN", "BGG", "DAMPING", "D"}, "DAMP"};
constexpr std::size_t kNoRank = 99;

std::size_t rank_of(const RawMatrix& matrix, const Role& role) {
  for (std::size_t k = 0; k < role.names.size(); ++k)
    if (matrix.name == role.names[k]) return k;
  // EXTSEOUT adds a suffix of the user's to KAAX; other codes write words
  std::string upper = matrix.name;
  std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) {
    return static_cast<char>(std::toupper(c));
  });
  if (matrix.layout == "dmig" && upper.substr(0, 3) == role.names[1]) return 0;
  return upper.find(role.word) != std::string::npos ? role.names.size() : kNoRank;
}

bool holds_numbers(const RawMatrix& matrix) {
  // 1 x 1 zeros stand for matrices that were not there
  return matrix.rows > 0 &&
         std::any_of(matrix.values.begin(), matrix.values.end(), [](double v) { return v != 0.0; });
}

bool usable(const RawMatrix& matrix) {
  return matrix.rows == matrix.cols && holds_numbers(matrix);
}

std::vector<Candidate> candidates(const Gathered& gathered, const Role& role) {
  std::vector<Candidate> out;
  for (const FileContents& file : gathered.files)
    for (const RawMatrix& matrix : file.matrices) {
      const std::size_t rank = rank_of(matrix, role);
      if (rank != kNoRank && usable(matrix)) out.push_back({&file, &matrix, rank});
    }
  std::stable_sort(out.begin(), out.end(), [](const Candidate& a, const Candidate& b) {
    return a.rank < b.rank;
  });
  return out;
}

/// By size, norm and sum: text forms lose digits.
bool same_matrix(const RawMatrix& a, const RawMatrix& b) {
  constexpr double digits = 1e-5;
  if (a.rows != b.rows || a.cols != b.cols) return false;
  const MatrixStatistics x = statistics_of(a);
  const MatrixStatistics y = statistics_of(b);
  const double size = std::max(x.frobenius, y.frobenius);
  return std::abs(x.frobenius - y.frobenius) <= digits * size &&
         std::abs(x.sum - y.sum) <= digits * size * static_cast<double>(a.rows);
}

/// `NAME`, or `NAME#2` for the second of that name.
Candidate picked(const Gathered& gathered, const MatrixPick& pick, const Role& role) {
  const FileContents& file = file_of(gathered, pick.path);
  std::string name = pick.name;
  std::int64_t which = 1;
  if (const std::size_t hash = name.rfind('#'); hash != std::string::npos) {
    if (const auto n = parse_integer(std::string_view(name).substr(hash + 1))) {
      which = *n;
      name.resize(hash);
    }
  }
  std::vector<const RawMatrix*> found;
  std::string names;
  for (const RawMatrix& matrix : file.matrices) {
    names += (names.empty() ? "" : ", ") + matrix.name;
    if (name.empty() ? rank_of(matrix, role) != kNoRank || file.matrices.size() == 1
                     : matrix.name == name)
      found.push_back(&matrix);
  }
  if (which < 1 || static_cast<std::size_t>(which) > found.size())
    throw UsageError("no-such-matrix",
                     fmt::format("holds no {} matrix '{}'", role.what, pick.name),
                     {pick.path.string()},
                     names.empty() ? "it has no matrices" : "it has " + names);
  const RawMatrix* matrix = found[static_cast<std::size_t>(which - 1)];
  if (matrix->rows != matrix->cols)
    throw ModelError(
        "matrix-size",
        fmt::format("{} is {} x {}: not square", matrix->name, matrix->rows, matrix->cols),
        {pick.path.string()},
        "pick another matrix");
  return {&file, matrix, 0};
}

/// What the rows of `candidate` are; empty rows where nothing fits.
RowGuess rows_of(const Candidate& candidate,
                 const Gathered& gathered,
                 const std::string& dof_order,
                 Diagnostics& diagnostics) {
  const RawMatrix& matrix = *candidate.matrix;
  if (!matrix.row_dofs.empty() && dof_order.empty())
    return {"rows named in " + short_name(candidate.file->path),
            false,
            settled_rows(gathered, *candidate.file, matrix.row_dofs)};
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

/// A matrix of this name that is not square is none that can be left out in silence.
void refuse_rectangular(const Gathered& gathered, const Role& role) {
  for (const FileContents& file : gathered.files)
    for (const RawMatrix& matrix : file.matrices)
      if (rank_of(matrix, role) < role.names.size() && matrix.rows != matrix.cols &&
          holds_numbers(matrix))
        throw ModelError(
            "matrix-size",
            fmt::format("{} is {} x {}: a {} matrix is square",
                        matrix.name,
                        matrix.rows,
                        matrix.cols,
                        role.what),
            {file.path},
            fmt::format("write the whole matrix, or pick another one by --{}", role.what));
}

[[noreturn]] void no_rows(const Candidate& candidate) {
  throw ModelError("no-row-map",
                   fmt::format("nothing says which freedoms the {} rows of {} are",
                               candidate.matrix->rows,
                               candidate.matrix->name),
                   {candidate.file->path},
                   "give the deck, the EXTRN, .dof or .mapping file as well, or name the freedoms "
                   "by --dof-order");
}

struct Part {
  Candidate from;
  RowGuess rows;
};

class Chooser {
 public:
  Chooser(const ImportRequest& request, const Gathered& gathered, Diagnostics& diagnostics)
      : request_(request), gathered_(gathered), diagnostics_(diagnostics) {}

  Matrices choose() {
    lead(request_.stiffness, kStiffness, stiffness_);
    follow(request_.mass, kMass, mass_);
    follow(request_.damping, kDamping, damping_);
    if (!stiffness_ && !mass_ && !damping_) return {};
    return assemble_all();
  }

 private:
  /// The stiffness decides on the set: the first whose rows are known.
  void lead(const std::optional<MatrixPick>& pick, const Role& role, std::optional<Part>& out) {
    if (pick) {
      const Candidate candidate = picked(gathered_, *pick, role);
      out = Part{candidate, rows_of(candidate, gathered_, request_.dof_order, diagnostics_)};
      if (out->rows.rows.empty()) no_rows(candidate);
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
    if (!all.empty()) no_rows(all.front());
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
        diagnostics_.warn(
            "repeated-matrix",
            fmt::format("{} stands in {} too, with other numbers: that of {} is taken",
                        taken.matrix->name,
                        short_name(other.file->path),
                        short_name(taken.file->path)),
            {other.file->path});
  }

  /// Mass and damping go with the stiffness: the same set, by the same size or by named rows.
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

  /// Nothing fits the stiffness: of the same set it must, of others it may be left out.
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
      part.rows = {"named rows", false, settled_rows(gathered_, *part.from.file, matrix.row_dofs)};
      return;
    }
    if (stiffness_ && matrix.rows == stiffness_->from.matrix->rows) {
      part.rows = stiffness_->rows;
      return;
    }
    if (part.rows.rows.empty())
      part.rows = rows_of(part.from, gathered_, request_.dof_order, diagnostics_);
    if (part.rows.rows.empty()) no_rows(part.from);
  }

  Matrices assemble_all() {
    Matrices out;
    const std::optional<Part>& leader = stiffness_ ? stiffness_ : mass_ ? mass_ : damping_;
    out.rows_name = leader->rows.name;
    out.is_g_set = leader->rows.is_g_set;
    out.by_cards = leader->rows.name.find("cards") != std::string::npos;
    // the union: DMIG lists only freedoms with entries
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
  return Chooser(request, gathered, diagnostics).choose();
}

}  // namespace femflex::importer
