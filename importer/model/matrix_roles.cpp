// Ranks matrices by their names (KAA, MGG, ...) for the role of stiffness, mass or damping, and
// reports matrices that cannot be used.
#include "model/matrix_roles.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/listed.h"
#include "femflex/number.h"
#include "femflex/text.h"

#include "model/matrices.h"

namespace femflex::importer {
namespace {

/// True for tables of effective masses and rigid-body masses, which MSC and NX write with the
/// modes: 6 rows, or one per mode.
bool is_effective_mass(const RawMatrix& matrix) {
  static const std::set<std::string_view> names{"EFMASSS",
                                                "EFMFSMS",
                                                "EFMFACS",
                                                "EFMASS",
                                                "MEFMASS",
                                                "MEFFMASS",
                                                "RBMASS",
                                                "RBMASSS",
                                                "MPFACS",
                                                "MODALMAS"};
  return names.contains(matrix.name);
}

/// True for a square matrix with non-zero values.
bool is_usable(const RawMatrix& matrix) {
  return matrix.rows == matrix.cols && has_values(matrix);
}

/// The text after the letter of a square DMIG: `10` of K10.
std::string suffix_of(const RawMatrix& matrix, char letter) {
  const bool has_suffix = matrix.layout == RawMatrix::Layout::dmig && is_usable(matrix) &&
                          matrix.name.size() > 1 && matrix.name.front() == letter;
  return has_suffix ? matrix.name.substr(1) : "";
}

/// Candidates among the DMIG of an external superelement (K10, M10); empty unless exactly one
/// suffix has both K and M.
std::vector<Candidate> by_suffix(const Gathered& gathered, const Role& role) {
  std::set<std::string> stiffness;
  std::set<std::string> mass;
  for (const FileContents& file : gathered.files)
    for (const RawMatrix& matrix : file.matrices) {
      stiffness.insert(suffix_of(matrix, kStiffness.letter));
      mass.insert(suffix_of(matrix, kMass.letter));
    }
  std::vector<std::string> common;
  std::set_intersection(
      stiffness.begin(), stiffness.end(), mass.begin(), mass.end(), std::back_inserter(common));
  common.erase(std::remove(common.begin(), common.end(), ""), common.end());
  std::vector<Candidate> out;
  if (common.size() != 1) return out;
  for (const FileContents& file : gathered.files)
    for (const RawMatrix& matrix : file.matrices)
      if (suffix_of(matrix, role.letter) == common.front())
        out.push_back({&file, &matrix, role.names.size() + 1});
  return out;
}

}  // namespace

std::size_t rank_of(const RawMatrix& matrix, const Role& role) {
  if (is_effective_mass(matrix)) return kNoRank;
  for (std::size_t k = 0; k < role.names.size(); ++k)
    if (matrix.name == role.names[k]) return k;
  // MATK, MATM and MATB of an external superelement, of which each table is called EXTDB
  if (matrix.name == "EXTDB" && matrix.inner_name == fmt::format("MAT{}", role.letter)) return 0;
  // EXTSEOUT appends a suffix of the user to KAAX; other codes write words such as STIFFNESS
  const std::string upper = upper_case(matrix.name);
  if (matrix.layout == RawMatrix::Layout::dmig && upper.substr(0, 3) == role.names[1]) return 0;
  return upper.find(role.word) != std::string::npos ? role.names.size() : kNoRank;
}

bool has_values(const RawMatrix& matrix) {
  // 1 x 1 zeros stand for absent matrices
  return matrix.rows > 0 &&
         std::any_of(matrix.values.begin(), matrix.values.end(), [](double v) { return v != 0.0; });
}

std::vector<Candidate> candidates(const Gathered& gathered, const Role& role) {
  std::vector<Candidate> out;
  for (const FileContents& file : gathered.files)
    for (const RawMatrix& matrix : file.matrices) {
      const std::size_t rank = rank_of(matrix, role);
      if (rank != kNoRank && is_usable(matrix)) out.push_back({&file, &matrix, rank});
    }
  std::stable_sort(out.begin(), out.end(), [](const Candidate& a, const Candidate& b) {
    return a.rank < b.rank;
  });
  return out.empty() ? by_suffix(gathered, role) : out;
}

Candidate picked(const Gathered& gathered, const MatrixPick& pick, const Role& role) {
  const FileContents& file = file_of(gathered, pick.path);
  std::string name = pick.name;
  std::int64_t occurrence = 1;
  if (const std::size_t hash = name.rfind('#'); hash != std::string::npos) {
    if (const auto n = parse_integer(std::string_view(name).substr(hash + 1))) {
      occurrence = *n;
      name.resize(hash);
    }
  }
  std::vector<const RawMatrix*> found;
  std::string names;
  for (const RawMatrix& matrix : file.matrices) {
    names += (names.empty() ? "" : ", ") + matrix.name;
    if (name.empty() ? rank_of(matrix, role) != kNoRank || file.matrices.size() == 1
                     : matrix.name == name || matrix.inner_name == name)
      found.push_back(&matrix);
  }
  if (occurrence < 1 || static_cast<std::size_t>(occurrence) > found.size())
    throw UsageError("no-such-matrix",
                     fmt::format("there is no {} matrix '{}'", role.label, pick.name),
                     {pick.path.string()},
                     names.empty() ? "the file has no matrices" : "the file has " + names);
  const RawMatrix* matrix = found[static_cast<std::size_t>(occurrence - 1)];
  if (matrix->rows != matrix->cols)
    throw ModelError(
        "matrix-size",
        fmt::format("{} is {} x {}, but must be square", matrix->name, matrix->rows, matrix->cols),
        {pick.path.string()},
        "choose another matrix");
  return {&file, matrix, 0};
}

void refuse_rectangular(const Gathered& gathered, const Role& role) {
  for (const FileContents& file : gathered.files)
    for (const RawMatrix& matrix : file.matrices)
      if (rank_of(matrix, role) < role.names.size() && matrix.rows != matrix.cols &&
          has_values(matrix))
        throw ModelError(
            "matrix-size",
            fmt::format("{} is {} x {}, but a {} matrix must be square",
                        matrix.name,
                        matrix.rows,
                        matrix.cols,
                        role.label),
            {file.path},
            fmt::format("write the whole matrix, or choose another one by --{}", role.label));
}

void warn_missing_matrices(const Gathered& gathered,
                           bool has_stiffness,
                           bool has_mass,
                           Diagnostics& diagnostics) {
  if (has_stiffness && has_mass) return;
  if (has_stiffness && !candidates(gathered, kMass).empty()) return;  // already reported
  constexpr std::size_t kMaxListed = 8;
  std::vector<std::string> found;
  for (const FileContents& file : gathered.files)
    for (const RawMatrix& matrix : file.matrices) {
      const bool taken = (has_stiffness && rank_of(matrix, kStiffness) != kNoRank) ||
                         (has_mass && rank_of(matrix, kMass) != kNoRank) ||
                         rank_of(matrix, kDamping) != kNoRank;
      if (taken || !is_usable(matrix)) continue;
      found.push_back(fmt::format("{} ({} x {}{}) of {}",
                                  matrix.name,
                                  matrix.rows,
                                  matrix.cols,
                                  is_effective_mass(matrix) ? ", effective masses" : "",
                                  short_name(file.path)));
    }
  const char* missing = has_stiffness
                            ? "no mass matrix: only statics can be computed, no modes, no "
                              "bodies"
                        : has_mass ? "no stiffness matrix: nothing can be computed but its mass"
                                   : "no stiffness and no mass matrix: nothing can be computed";
  const char* option = has_stiffness ? "--mass FILE:NAME" : "--stiffness FILE:NAME";
  diagnostics.warn(
      "no-matrices",
      fmt::format("the model has {}; {}",
                  missing,
                  found.empty() ? "give the file that holds it (OP4, OP2, DMIG, .sti and .mas, ...)"
                                : fmt::format("not recognised by name: {}; choose one by {}",
                                              listed(found, kMaxListed),
                                              option)));
}

}  // namespace femflex::importer
