// The description of one matrix as JSON: size, storage, sums, and the entries that the user asked
// for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/importer/contents.h"
#include "femflex/sparse.h"

#include "document/json.h"

namespace femflex::tools {

/// An entry of a matrix to show; indices count from 1.
struct Sample {
  std::int64_t row = 0;
  std::int64_t col = 0;
};

/// A matrix of a file. Warns of samples that it does not have.
Json matrix_json(const importer::RawMatrix& matrix,
                 const std::vector<Sample>& samples,
                 Diagnostics& diagnostics);
/// A symmetric matrix of a model, of which the lower triangle is stored. Warns of samples that it
/// does not have.
Json sparse_json(const std::string& name,
                 const SparseMatrix& lower,
                 const std::vector<Sample>& samples,
                 Diagnostics& diagnostics);

}  // namespace femflex::tools
