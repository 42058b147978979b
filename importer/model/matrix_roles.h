// Recognises matrices of input files as stiffness, mass or damping by their names.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/importer/import_model.h"

#include "model/gather.h"

namespace femflex::importer {

/// A role of matrices in the model, and the names of matrices that have it. Names of matrices to
/// which the constraints have been applied come first.
struct Role {
  const char* label;  ///< word for messages and options
  char letter;        ///< first letter of its DMIG names
  std::array<std::string_view, 9> names;
  std::string_view word;  ///< part of longer names that tells the role
};
inline constexpr Role kStiffness{
    "stiffness", 'K', {"KAAX", "KAA", "KLL", "KFF", "KXX", "KNN", "KGG", "STIFFNESS", "K"}, "STIF"};
inline constexpr Role kMass{
    "mass", 'M', {"MAAX", "MAA", "MLL", "MFF", "MXX", "MNN", "MGG", "MASS", "M"}, "MASS"};
inline constexpr Role kDamping{
    "damping", 'B', {"BAAX", "BAA", "BLL", "BFF", "BXX", "BNN", "BGG", "DAMPING", "D"}, "DAMP"};
/// Rank of matrices that do not have the role.
inline constexpr std::size_t kNoRank = 99;

/// A matrix that may have a role.
struct Candidate {
  const FileContents* file = nullptr;
  const RawMatrix* matrix = nullptr;
  std::size_t rank = 0;  ///< index of its name in Role::names; larger if found otherwise
};

/// Index of the matrix name in Role::names, or their number if the name contains Role::word;
/// kNoRank if the name does not tell the role.
std::size_t rank_of(const RawMatrix& matrix, const Role& role);

/// False for the 1 x 1 zeros that stand for absent matrices.
bool has_values(const RawMatrix& matrix);

/// Square matrices that may have the role, the most certain first. If no name matches: DMIG K10
/// together with M10 of an external superelement with a suffix, provided that only one suffix has
/// both.
std::vector<Candidate> candidates(const Gathered& gathered, const Role& role);

/// The matrix that the user picked: `NAME`, or `NAME#2` for the second of that name.
/// @throws UsageError  there is no such matrix;  ModelError  it is not square
Candidate picked(const Gathered& gathered, const MatrixPick& pick, const Role& role);

/// Checks that no matrix with a name of the role has to be left out because it is not square.
/// @throws ModelError  there is one
void refuse_rectangular(const Gathered& gathered, const Role& role);

/// Warns of a missing K or M, and names the square matrices of the files that were not used.
void warn_missing_matrices(const Gathered& gathered,
                           bool has_stiffness,
                           bool has_mass,
                           Diagnostics& diagnostics);

}  // namespace femflex::importer
