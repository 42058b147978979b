// Defines the name and version of the native FE model layout and the types of its datasets, for its
// reader and writer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "femflex/fe_model.h"

namespace femflex::importer::native {

// datasets by the type of their numbers
using Integers = std::vector<std::int64_t>;
using Reals = std::vector<double>;
using Texts = std::vector<std::string>;

/// Layout of `.fe.h5`, described in docs/formats/fe_model.md. Data that a model does not have are
/// absent from the file. Matrices are compressed by columns; everything is little-endian.
inline constexpr const char* kKind = "fe-model";
/// version 2 added /constraints, without which motions would be wrong
inline constexpr int kVersion = 2;
/// The lowest layout version that can hold the whole model, so that older programs can still read
/// it.
inline std::int64_t version_of(const FeModel& model) {
  return model.constraints.empty() ? 1 : 2;
}

}  // namespace femflex::importer::native
