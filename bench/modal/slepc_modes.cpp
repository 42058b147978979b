// Computes the lowest eigenvalues by SLEPc, the reference of the modal benchmarks. This is the only
// file that uses SLEPc.
#include "slepc_modes.h"

#include <stdexcept>

#include <Eigen/SparseCore>
#include <fmt/format.h>
#include <slepceps.h>

namespace femflex::bench {
namespace {

using Rows = Eigen::SparseMatrix<double, Eigen::RowMajor, PetscInt>;

void must(PetscErrorCode code) {
  if (code != 0) throw std::runtime_error(fmt::format("SLEPc failed with code {}", code));
}

/// Initialises SLEPc until the program ends.
void open_library() {
  struct Library {
    Library() { must(SlepcInitializeNoArguments()); }
    ~Library() { SlepcFinalize(); }
  };
  static const Library library;
}

Rows whole(const SparseMatrix& lower) {
  const SparseMatrix full = lower.selfadjointView<Eigen::Lower>();
  return full;
}

/// A matrix that uses the memory of `rows`, which must outlive it.
Mat view(Rows& rows) {
  Mat A = nullptr;
  must(MatCreateSeqAIJWithArrays(PETSC_COMM_SELF,
                                 static_cast<PetscInt>(rows.rows()),
                                 static_cast<PetscInt>(rows.cols()),
                                 rows.outerIndexPtr(),
                                 rows.innerIndexPtr(),
                                 rows.valuePtr(),
                                 &A));
  must(MatSetOption(A, MAT_SYMMETRIC, PETSC_TRUE));
  return A;
}

}  // namespace

std::optional<Eigen::VectorXd> slepc_modes(const SparseMatrix& K,
                                           const SparseMatrix& M,
                                           int count,
                                           double tolerance) {
  open_library();
  Rows K_rows = whole(K);
  Rows M_rows = whole(M);
  Mat A = view(K_rows);
  Mat B = view(M_rows);
  EPS solver = nullptr;
  must(EPSCreate(PETSC_COMM_SELF, &solver));
  must(EPSSetOperators(solver, A, B));
  must(EPSSetProblemType(solver, EPS_GHEP));
  must(EPSSetType(solver, EPSKRYLOVSCHUR));
  must(EPSSetWhichEigenpairs(solver, EPS_TARGET_MAGNITUDE));
  must(EPSSetTarget(solver, 0.0));
  must(EPSSetDimensions(solver, count, PETSC_DEFAULT, PETSC_DEFAULT));
  must(EPSSetTolerances(solver, tolerance, PETSC_DEFAULT));
  ST transform = nullptr;
  must(EPSGetST(solver, &transform));
  must(STSetType(transform, STSINVERT));
  KSP linear = nullptr;
  must(STGetKSP(transform, &linear));
  must(KSPSetType(linear, KSPPREONLY));
  PC factor = nullptr;
  must(KSPGetPC(linear, &factor));
  must(PCSetType(factor, PCCHOLESKY));
  must(PCFactorSetMatSolverType(factor, MATSOLVERCHOLMOD));
  must(EPSSolve(solver));
  PetscInt found = 0;
  must(EPSGetConverged(solver, &found));
  if (found < count)
    throw std::runtime_error(fmt::format("SLEPc found {} of {} modes", found, count));
  Eigen::VectorXd lambda(count);
  for (PetscInt k = 0; k < count; ++k)
    must(EPSGetEigenvalue(solver, k, &lambda[k], nullptr));
  must(EPSDestroy(&solver));
  must(MatDestroy(&A));
  must(MatDestroy(&B));
  return lambda;
}

}  // namespace femflex::bench
