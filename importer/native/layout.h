#pragma once

#include <string>

namespace femflex::importer::native {

/// Layout of `.fe.h5`, described in docs/formats/fe_model.md. Parts that a model does not have are
/// absent from the file. Matrices are compressed by columns; everything is little-endian.
inline constexpr const char* kKind = "fe-model";
inline constexpr int kVersion = 1;

}  // namespace femflex::importer::native
