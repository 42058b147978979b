// Flexible body in modal coordinates: shapes, modal matrices, invariants. The modal stage creates
// it; flexfile stores it; mbd_solver simulates it.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/fe_model.h"
#include "femflex/inertia_invariants.h"
#include "femflex/mode_set.h"
#include "femflex/provenance.h"

namespace femflex {

/// A node of a flexible body.
struct BodyNode {
  std::int64_t id = 0;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< p_BP0 [m], in the body frame
};

/// One column of FlexBody::shapes.
struct BodyMode {
  ModeKind kind = ModeKind::given;
  /// chosen modes from which it was made: {"static:1", "constraint:2"}
  std::vector<std::string> sources;
  double eigenvalue = std::numeric_limits<double>::quiet_NaN();  ///< k_ii / m_ii [rad^2/s^2]
  double damping_ratio =
      std::numeric_limits<double>::quiet_NaN();  ///< beta in b_ii = 2 beta sqrt(k_ii m_ii)
  bool enabled = true;
};

enum class RejectionReason : std::uint8_t { below_limit, above_limit, dependent, rigid };

/// A chosen or orthogonalised vector that was not kept in the body.
struct RejectedMode {
  std::string source;  ///< "static:3", or "orthogonal:2" for a column of U V
  RejectionReason reason = RejectionReason::dependent;
  double eigenvalue = std::numeric_limits<double>::quiet_NaN();  ///< [rad^2/s^2]
  /// if the reason is `dependent`: the chosen modes that it repeats
  std::vector<std::string> repeats;
};

/// Record of what the modal stage did, as FLEX files print it.
struct ProcessingPath {
  bool orthogonalised = false;
  bool scaled = false;
  double reject_below = 4e-3;  ///< [rad^2/s^2]
  double reject_above = 4e13;  ///< [rad^2/s^2]
  int rigid_modes = 0;         ///< "number of rigid body modes specified"
};

/// Transformation from zeta back to the modes that the user chose: u = U eta, eta = V diag(alpha)
/// zeta, shapes = U V diag(alpha).
struct BackTransformation {
  Eigen::MatrixXd chosen_shapes;  ///< U (6 nodes x n_eta) [m, rad], node-major as FlexBody::shapes
  std::vector<ModeInfo> chosen_modes;  ///< one per column of U; eigenvalues in SI
  Eigen::MatrixXd V;      ///< (n_eta x n_zeta); columns of the identity if not orthogonalised
  Eigen::VectorXd alpha;  ///< (n_zeta) column scale; all ones if not scaled
};

/// Stiffening of the body by a unit state of motion or load: k_total = k + sum amount * stiffness.
struct GeometricStiffness {
  enum class Cause : std::uint8_t {
    acceleration_x,
    acceleration_y,
    acceleration_z,  ///< per m/s^2 of the body frame
    angular_acceleration_x,
    angular_acceleration_y,
    angular_acceleration_z,  ///< per rad/s^2
    spin_xx,
    spin_yy,
    spin_zz,
    spin_xy,
    spin_yz,
    spin_xz,  ///< per (rad/s)^2 of w_i w_j
    force,    ///< per N or N m on `node`/`component`
  };
  Cause cause = Cause::spin_xx;
  std::int64_t node = 0;      ///< only for `force`: its node id
  std::int8_t component = 0;  ///< only for `force`: 1..6
  Eigen::MatrixXd stiffness;  ///< (n x n) [N/m] per unit of the cause
};

/// A flexible body in modal coordinates zeta: u = shapes * zeta. SI units, body frame B.
struct FlexBody {
  std::string name;
  std::vector<BodyNode> nodes;  ///< in ascending order of id
  Eigen::MatrixXd
      shapes;  ///< Phi (6 nodes x n): rows tx ty tz rx ry rz of node 1, node 2, ... [m, rad]
  std::vector<BodyMode> modes;  ///< n entries, one per column of `shapes`

  Eigen::MatrixXd mass;                    ///< m = Phi' M Phi (n x n) [kg]
  Eigen::MatrixXd stiffness;               ///< k = Phi' K Phi (n x n) [N/m]
  std::optional<Eigen::MatrixXd> damping;  ///< b (n x n) [N s/m]; overrides the ratios of `modes`
  std::vector<GeometricStiffness> geometric;

  Eigen::Matrix<double, Eigen::Dynamic, 6>
      lumped_mass;  ///< per node mx my mz [kg], Jx Jy Jz [kg m^2]
  InertiaInvariants invariants;

  std::vector<std::int64_t> interface_nodes;
  std::vector<ElementBlock> elements;  ///< used for pictures only
  std::vector<RejectedMode> rejected;
  ProcessingPath path;
  std::optional<BackTransformation> back;  ///< absent when a file format could not carry it
  Eigen::VectorXd initial_zeta;            ///< (n) [modal]
  Eigen::VectorXd initial_zeta_dot;        ///< (n) [modal/s]
  Provenance provenance;

  Eigen::Index mode_count() const { return shapes.cols(); }
  Eigen::Index node_count() const { return static_cast<Eigen::Index>(nodes.size()); }
  Eigen::Vector3d centre_of_mass() const {
    return invariants.first_moment / invariants.mass;
  }  ///< [m]
};

/// Checks that every size fits, that m and k are symmetric and every number is finite; sorts
/// nothing.
/// @throws ModelError
void check_flex_body(const FlexBody& body);
/// As check_flex_body(), after missing initial states have been set to zero.
/// @throws ModelError
FlexBody make_flex_body(FlexBody body);

/// Index of the node with this id, -1 if there is none.
Eigen::Index find_node(const FlexBody& body, std::int64_t id);

}  // namespace femflex
