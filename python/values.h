// C++ values as Python objects hold them.
#pragma once

#include <memory>
#include <utility>

#include "femflex/fe_model.h"
#include "femflex/sparse.h"

/// C++ values as Python objects hold them.
namespace femflex::python {

/// A model and the matrices that its views need.
struct ModelBox {
  FeModel model;
  std::unique_ptr<SparseMatrix> stiffness, mass,
      damping;  ///< both triangles; made when first requested
};
using ModelPtr = std::shared_ptr<ModelBox>;

}  // namespace femflex::python
