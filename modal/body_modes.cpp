// Puts the eigenmodes of a body on the DOFs of its model and separates the elastic ones from the
// rigid motions, by the mass matrix or, where rows of scalar points are not exact, by the
// invariants.
#include "body_modes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "femflex/dense.h"
#include "femflex/modal/correlation.h"
#include "femflex/modal/orthogonalise.h"

#include "dense/symmetric_eigen.h"
#include "solve/dense_pairs.h"
#include "solve/projection.h"
#include "solve/rigid_columns.h"
#include "solve/scalar_rows.h"

namespace femflex::modal {

BodyModes own_modes(const FlexBody& body,
                    const FeModel& model,
                    const ModeSet& normal,
                    std::int64_t rigid,
                    const Eigen::MatrixXd& R) {
  BodyModes out;
  const OrthogonalBasis basis = orthogonalise(body.mass, body.stiffness);
  const Eigen::VectorXd length =
      (basis.V.transpose() * body.mass * basis.V).diagonal().cwiseSqrt() /
      std::sqrt(model.units->inertia());
  out.lambda = basis.lambda;
  out.shapes = shapes_on_model(body, model, model.units->length) * basis.V *
               length.cwiseInverse().asDiagonal();
  if (has_scalar_points(model)) {
    const InertiaInvariants& i = body.invariants;
    out.participation.resize(6, body.mode_count());
    out.participation << i.translation / (model.units->mass * model.units->length),
        i.rotation / model.units->inertia();
    out.participation = (out.participation * basis.V * length.cwiseInverse().asDiagonal()).eval();
  }
  // limit of zero: a small share of the first elastic eigenvalue, or what the rounding of K leaves
  // of rigid motions
  constexpr double kShareOfElastic = 1e-6;
  constexpr double kTimesRounding = 30.0;  // combinations of rigid motions add up their errors
  if (normal.count() > rigid)
    out.floor = model.units->eigenvalue() *
                std::max(kShareOfElastic * normal.modes[static_cast<std::size_t>(rigid)].eigenvalue,
                         kTimesRounding * project(*model.stiffness, R).norm());
  return out;
}

Eigen::MatrixXd whole_rigid_modes(const FeModel& model, const Eigen::MatrixXd& R) {
  if (R.cols() <= 6) return R;
  const Eigen::MatrixXd T = rigid_body_shapes(model, model.dofs, middle(model));
  const Eigen::MatrixXd share = transposed_product(R, symmetric_product(*model.mass, T));
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(share);
  return R * Eigen::MatrixXd(qr.householderQ()).leftCols(qr.rank());
}

namespace {

/// R' M shapes, the rigid share of the modes of a body: by the invariants unless most of the shapes
/// that have the mass they should have contradict them (few may have it by chance), else by the
/// shapes.
Eigen::MatrixXd rigid_share(const BodyModes& own, const Eigen::MatrixXd& R, const FeModel& model) {
  constexpr double kExact = 1e-5;   // of the mass; text formats have seven digits
  constexpr double kAgrees = 1e-3;  // of unit shapes
  constexpr int kByChance = 2;
  constexpr double kInSpan = 1e-6;  // what is left of a rigid mode that moves the whole model
  const Eigen::MatrixXd MR = symmetric_product(*model.mass, R);
  Eigen::MatrixXd G = transposed_product(MR, own.shapes);
  if (own.participation.size() == 0 || R.cols() == 0) return G;
  const Eigen::MatrixXd T = rigid_body_shapes(model, model.dofs, Eigen::Vector3d::Zero());
  const Eigen::MatrixXd A = Eigen::ColPivHouseholderQR<Eigen::MatrixXd>(T).solve(R);
  if ((R - T * A).norm() > kInSpan * R.norm()) return G;
  const Eigen::MatrixXd by_invariants = A.transpose() * own.participation;
  int contradict = 0, agree = 0;
  for (Eigen::Index j = 0; j < own.shapes.cols(); ++j) {
    const Eigen::VectorXd shape = own.shapes.col(j);
    const double mass = shape.dot(symmetric_product(*model.mass, shape).col(0));
    if (!(std::abs(mass - 1.0) <= kExact)) continue;
    ++((by_invariants.col(j) - G.col(j)).norm() <= kAgrees ? agree : contradict);
  }
  return contradict > agree + kByChance ? G : by_invariants;
}

}  // namespace

BodyModes elastic_body_modes(const BodyModes& own,
                             const Eigen::MatrixXd& R,
                             const FeModel& model,
                             std::int64_t& zero_modes) {
  // remaining share of a shape that counts as contained; text formats have seven digits
  constexpr double kContained = 1e-5;
  const Eigen::MatrixXd G = rigid_share(own, R, model);
  const Eigen::Index n = own.lambda.size();
  const DenseEigen rest =
      symmetric_eigen(Eigen::MatrixXd::Identity(n, n) - transposed_product(G, G));
  Eigen::Index first = 0;
  while (first < n && rest.values(first) < kContained)
    ++first;
  zero_modes = (own.lambda.array() < own.floor).count() + R.cols() - std::min(first, R.cols());
  const Eigen::MatrixXd W = rest.vectors.rightCols(n - first) *
                            rest.values.tail(n - first).cwiseSqrt().cwiseInverse().asDiagonal();
  DenseEigen pairs = symmetric_eigen(transposed_product(W, own.lambda.asDiagonal() * W));
  BodyModes out_modes;
  out_modes.lambda = std::move(pairs.values);
  out_modes.floor = own.floor;
  out_modes.shapes = (own.shapes - R * G) * (W * pairs.vectors);
  return out_modes;
}

}  // namespace femflex::modal
