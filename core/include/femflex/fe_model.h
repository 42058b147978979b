// FE model of a component: nodes, elements, constraints, matrices, loads and modes. Made by the
// importer, or from arrays in Python; reduced by the modal stage.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/dof_map.h"
#include "femflex/element_properties.h"
#include "femflex/fe_stress.h"
#include "femflex/frames.h"
#include "femflex/mode_set.h"
#include "femflex/provenance.h"
#include "femflex/sparse.h"
#include "femflex/units.h"

namespace femflex {

/// A grid point of an FE model.
struct Node {
  std::int64_t id = 0;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< basic coordinates [model length]
  /// id of the coordinate system (NASTRAN's CD) in which the source gave displacements; all values
  /// in FeModel are already in the basic system
  std::int64_t displacement_system = 0;
};

/// Elements of one type. Node ids are stored element after element.
struct ElementBlock {
  std::string type;  ///< NASTRAN name: CBAR, CQUAD4, CHEXA, ...
  int nodes_per_element = 0;
  std::vector<std::int64_t> ids;
  std::vector<std::int64_t> connectivity;  ///< ids.size() * nodes_per_element node ids
};

/// Topology of an RBE2, RBE3, MPC or inclined support (`SPC`, which has no independent nodes):
/// which nodes depend on which. Their equations are in femflex/constraints.h.
struct RigidElement {
  std::string type;
  std::int64_t id = 0;
  std::vector<std::int64_t> independent;
  std::vector<std::int64_t> dependent;
  std::string components;  ///< components of the dependent nodes, such as "123456"
};

/// Equation of a dependent DOF for small motions, in basic directions: u = sum of factor * u_term.
struct ConstraintEquation {
  struct Term {
    Dof dof;
    double factor = 0.0;
  };
  Dof dependent;
  std::vector<Term> terms;
  std::int64_t element = -1;  ///< index in FeModel::rigid_elements
};

/// A mass of the deck (CONM1/2) on a node, in basic directions; I_xy = -sum m x y, as in a tensor.
struct ConcentratedMass {
  std::int64_t node = 0;
  double mass = 0.0;                                  ///< [model mass]
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();   ///< node to mass centre, basic [model length]
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< about mass centre [mass length^2]
};

struct LoadCase {
  std::int64_t id = 0;
  std::string label;
  Eigen::VectorXd load;  ///< one value per row of FeModel::dofs [model force, model moment]
};

/// A component as an FE code describes it, in the units of its source. All directions are basic.
struct FeModel {
  std::string name;
  std::optional<Units> units;  ///< absent until the file or the user states them
  std::vector<Node> nodes;     ///< in ascending order of id
  std::vector<CoordinateSystem> systems;
  std::vector<ElementBlock> elements;
  ElementProperties properties;  ///< materials and sections of `elements`, if a deck gave them
  std::vector<RigidElement> rigid_elements;
  /// Equations of the rigid elements that the rule of RBE2, u_P = u_I + theta_I x (P - I), does not
  /// describe; see femflex/constraints.h.
  std::vector<ConstraintEquation> constraints;
  std::vector<ConcentratedMass> concentrated_masses;
  std::vector<Dof> fixed;  ///< DOFs fixed by single-point constraints

  DofMap dofs;                            ///< rows of the matrices and loads below
  std::optional<SparseMatrix> stiffness;  ///< K, lower triangle
  std::optional<SparseMatrix> mass;       ///< M, lower triangle
  std::optional<SparseMatrix> damping;    ///< D, lower triangle
  std::vector<LoadCase> loads;

  ModeSet modes;
  FeStresses stresses;  ///< of `modes`, if the FE code wrote them
  std::vector<std::int64_t> interface_nodes;
  Provenance provenance;
};

/// Sorts the nodes by id and checks what every stage relies on: nodes unique, matrices lower
/// triangular with a row and a column per DOF of `dofs`, loads of that size, every DOF and
/// interface node on a known node. Scalar points need no node.
/// @throws ModelError
FeModel make_fe_model(FeModel model);

/// The node with this id, null if there is none. Takes logarithmic time.
const Node* find_node(const FeModel& model, std::int64_t id);

/// Six rigid-body motions on `rows` about `origin` (basic): translations x y z, rotations x y z.
Eigen::Matrix<double, Eigen::Dynamic, 6> rigid_body_shapes(const FeModel& model,
                                                           const DofMap& rows,
                                                           const Eigen::Vector3d& origin);

}  // namespace femflex
