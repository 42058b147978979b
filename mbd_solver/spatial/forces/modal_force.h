// ModalLaw: the compiled force law ModalForce, a load on modal coordinates.
#pragma once

#include "femflex/mbd_solver/system.h"

#include "spatial/forces/law.h"

namespace femflex::mbd_solver {

/// The law acts on the modes of a body, not at a marker.
struct ModalLaw : LawBase {
  int body = -1;
  Eigen::VectorXd mode_load;  // load in xi
  Signal value;

  PairLoad load(const Model& model, const Workspace& ws) const;
  void add(const Model& model, Workspace& ws, const PairLoad& load) const;
  template <typename Visit>
  void for_each_signal(const Visit& visit) const {
    visit(value);
  }
  bool may_switch() const { return false; }
  bool can_let_go() const { return false; }
};

ModalLaw compile_law(const ModalForce& force, const std::string& user, Compiler& compiler);

}  // namespace femflex::mbd_solver
