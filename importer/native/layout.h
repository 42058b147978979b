#pragma once

#include <cstdint>
#include <string>

#include "femflex/fe_model.h"

namespace femflex::importer::native {

/// Layout of `.fe.h5`, described in docs/formats/fe_model.md. Parts that a model does not have are
/// absent from the file. Matrices are compressed by columns; everything is little-endian.
inline constexpr const char* kKind = "fe-model";
inline constexpr int kVersion = 2;  ///< 2: with /constraints, without which motions would be wrong
/// The lowest layout version that holds all of the model, so that older programs can still read it.
inline std::int64_t version_of(const FeModel& model) {
  return model.constraints.empty() ? 1 : 2;
}

}  // namespace femflex::importer::native
