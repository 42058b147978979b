#pragma once

#include <memory>
#include <utility>

#include "femflex/fe_model.h"
#include "femflex/sparse.h"

/// Values of C++ as Python holds them.
namespace femflex::python {

/// A model and what its views need beside it.
struct ModelBox {
  FeModel model;
  std::unique_ptr<SparseMatrix> stiffness, mass, damping;  ///< both triangles, once asked for
};
using Box = std::shared_ptr<ModelBox>;

}  // namespace femflex::python
