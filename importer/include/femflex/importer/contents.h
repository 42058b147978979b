#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "femflex/dof_map.h"
#include "femflex/fe_model.h"

namespace femflex::importer {

/// The data of one file, as written: no unit, frame or meaning has been changed yet. Readers fill
/// it, `info` prints it, import_model() interprets it.

/// A matrix as stored. Dense ones are column-major in `values`; sparse ones are compressed by
/// columns, and only columns with entries are listed: a matrix of 10 million columns, 49 of which
/// have entries, takes the memory of 49 columns. Complex values are (re, im) pairs in `values`.
/// Build sparse ones with raw_matrix.h.
struct RawMatrix {
  enum class Triangle : std::uint8_t { all, lower, upper };  ///< stored part of a symmetric matrix

  /// Up to 9 the numbers of NASTRAN; other numbers are kept as they are.
  enum class Form : std::int64_t {
    square = 1,
    rectangular = 2,
    diagonal = 3,
    lower_factor = 4,
    upper_factor = 5,
    symmetric = 6,
    row = 7,
    identity = 8,
    pseudo_identity = 9,
    skew_symmetric = -1,
    hermitian = -2,
  };

  /// How the file arranges the values.
  enum class Layout : std::uint8_t {
    sparse,
    empty,           ///< OUTPUT4 before its first column
    dense,           ///< whole columns
    bigmat,          ///< strings of OUTPUT4, headers of two words
    nonbigmat,       ///< strings of OUTPUT4, headers of one word
    strings,         ///< of an OP2
    dmi,             ///< bulk entries by row and column
    dmig,            ///< bulk entries by node and component
    coordinate,      ///< row, column, value
    array,           ///< Matrix Market, all values
    labels,          ///< Abaqus: node, DOF, node, DOF, value
    lower_rows,      ///< Abaqus: the lower triangle row by row
    harwell_boeing,  ///< compressed columns
  };

  std::string name;
  std::string inner_name;  ///< where many blocks share a name (EXTDB): its own, MATK, MUG1, ...
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  Form form = Form::rectangular;
  Layout layout = Layout::sparse;
  bool is_complex = false;
  bool is_single = false;  ///< values carry single precision
  bool is_dense = false;
  Triangle triangle = Triangle::all;
  std::vector<std::int32_t> col;        ///< sparse: 0-based columns with entries, rising
  std::vector<std::int64_t> col_start;  ///< sparse: col.size() + 1 offsets into `row`
  std::vector<std::int32_t> row;        ///< sparse: 0-based, rising within a column
  std::vector<double> values;
  std::vector<Dof> row_dofs;  ///< DOFs of the rows, if the format gives them
  std::vector<Dof> col_dofs;
};

/// "square", "lower-factor", ...; "form-12" where NASTRAN's number has no name here.
std::string text_of(RawMatrix::Form form);
std::string_view text_of(RawMatrix::Layout layout);

/// A group of shapes of one table and subcase, as written.
struct RawModes {
  enum class Kind : std::uint8_t { normal, displacement, complex };
  enum class Frame : std::uint8_t { nodal, basic, unknown };  ///< nodal: each grid's CD system

  std::string source;  ///< table or block name: OUGV1, EIGENVECTOR, DISP, ...
  Kind kind = Kind::normal;
  Frame frame = Frame::nodal;
  std::int64_t subcase = 0;
  std::vector<std::int64_t> points;     ///< ids, in file order
  std::vector<std::uint8_t> is_scalar;  ///< one per point: only the first of six values counts
  Eigen::MatrixXd shapes;               ///< (6 points x count), point-major
  Eigen::MatrixXd imaginary;            ///< same size for complex shapes, else empty
  std::vector<double> eigenvalues;      ///< one per shape, or empty [1/time^2]
  std::vector<double> eigenvalues_imaginary;
  std::vector<double> frequencies_hz;
  std::vector<double> generalised_mass;
  bool single_precision = false;
};

struct RawGrid {
  std::int64_t id = 0;
  std::int64_t position_system = 0;      ///< CP
  std::array<double, 3> x{};             ///< in CP; angles in degrees
  std::int64_t displacement_system = 0;  ///< CD; -1 a fluid point
  std::string fixed;                     ///< PS, "123456"
  std::int64_t superelement = 0;
};

/// A coordinate system as declared: by three points in another system, by three grids, or resolved.
struct RawSystem {
  std::int64_t id = 0;
  CoordinateSystem::Kind kind = CoordinateSystem::Kind::rectangular;
  std::int64_t reference = 0;                     ///< RID of CORD2x
  std::array<std::array<double, 3>, 3> points{};  ///< A, B, C of CORD2x in `reference`
  std::array<std::int64_t, 3> grids{};            ///< G1, G2, G3 of CORD1x, else 0
  std::optional<CoordinateSystem> resolved;       ///< when the file gives origin and axes
};

struct RawMass {
  std::int64_t id = 0;
  std::int64_t node = 0;
  std::int64_t system = 0;  ///< CID; -1: basic, and the offset is a position
  double mass = 0.0;
  std::array<double, 3> offset{};
  std::array<double, 6> inertia{};  ///< I11 I21 I22 I31 I32 I33 as on the card
};

/// A force or moment of a load set, as its card gives it.
struct RawForce {
  std::int64_t set = 0;
  std::int64_t node = 0;
  bool is_moment = false;
  bool is_scalar = false;         ///< on a scalar point: value[0] alone
  std::int64_t system = 0;        ///< CID
  std::array<double, 3> value{};  ///< in `system` [file force, file moment]
  /// FORCE1, MOMENT1: value[0] acts from the first of these grids towards the second; 0: not used
  std::array<std::int64_t, 2> towards{};
};

/// GRAV: acceleration that acts on every mass.
struct RawGravity {
  std::int64_t set = 0;
  std::int64_t system = 0;
  std::array<double, 3> acceleration{};  ///< in `system` [file length / time^2]
};

/// LOAD: a weighted sum of load sets.
struct RawLoadSum {
  std::int64_t id = 0;
  std::vector<std::pair<double, std::int64_t>> terms;  ///< factor, set
};

/// `LOAD = set` of the case control.
struct RawLoadChoice {
  std::int64_t subcase = 0;  ///< 0: above all subcases
  std::int64_t set = 0;
  std::string label;
};

struct RawLoads {
  std::vector<RawForce> forces;
  std::vector<RawGravity> gravity;
  std::vector<RawLoadSum> sums;
  std::vector<RawLoadChoice> chosen;
  std::map<std::int64_t, std::string> incomplete;  ///< sets with a card that is not read, its name
};

struct Unread {
  std::string what;
  std::int64_t count = 0;
};

/// A rigid element or an equation of a multipoint constraint, as its card gives it: DOFs along
/// the CD axes of their nodes.
struct RawConstraint : RigidElement {
  enum class Law : std::uint8_t {
    unknown,   ///< not applied: RSPLINE
    rigid,     ///< six independent DOFs move one rigid body, the dependent ones follow
    weighted,  ///< RBE3: a reference point follows the weighted mean of the independent DOFs
    equation,  ///< MPC: sum of factor * DOF = 0, the dependent one first
    rod,       ///< RROD: the distance between two points is constant
  };
  Law law = Law::unknown;
  std::vector<Dof> independent_dofs;
  std::vector<Dof> dependent_dofs;  ///< empty: `components` of the `dependent` nodes
  std::vector<Dof> reference_dofs;  ///< weighted: those of the reference point
  /// equation: of the dependent DOF, then of the independent ones; weighted: of the latter
  std::vector<double> factors;
};
/// The DOFs that the constraint makes dependent.
std::vector<Dof> dependent_dofs(const RawConstraint& constraint);

/// Which multipoint constraints of a deck apply.
struct RawConstraintSets {
  bool case_control = false;         ///< there is one: sets that it does not choose do not apply
  std::vector<std::int64_t> chosen;  ///< `MPC = set`
  std::map<std::int64_t, std::vector<std::int64_t>> sums;  ///< MPCADD
};

/// Cross section of surface or line elements that the FE code expands into solids.
struct RawSection {
  bool is_beam = false;
  std::string shape;                           ///< RECT, CIRC; empty for shells
  bool is_plain = true;                        ///< false: layers, other shapes, normals by the user
  std::array<double, 2> thickness{};           ///< along the normal; along axes 1 and 2 of a beam
  std::array<double, 2> offset{};              ///< of the nodes, in thicknesses
  std::array<double, 3> axis{0.0, 0.0, -1.0};  ///< axis 1 of a beam, basic
  std::vector<std::int64_t> elements;          ///< ids
};

/// Eigenvalues listed apart from shapes (LAMA, the table of an F06).
struct RawEigenvalues {
  std::string source;
  std::int64_t subcase = 0;
  std::vector<std::int64_t> mode;
  std::vector<double> eigenvalue;  ///< [1/time^2]
  std::vector<double> frequency_hz;
  std::vector<double> generalised_mass;
};

struct FileContents {
  std::string path;      ///< as given
  std::string format;    ///< op4, op2, bulk, punch, f06, msc-h5, calculix-matrix, frd, ...
  std::string encoding;  ///< "binary" or "ascii"
  std::string endian;    ///< "little", "big" or empty
  int word_bytes = 0;    ///< 4 or 8 for NASTRAN binaries
  std::string program;   ///< code and version where the file says so
  std::string title;
  std::optional<Units> units;  ///< DTI,UNITS and the like

  std::vector<RawGrid> grids;
  /// Uncertainty of a coordinate due to the file's digits, relative to it: single precision and
  /// fields of eight columns hold seven digits.
  double position_precision = 2e-6;
  std::vector<std::int64_t> scalar_points;
  std::vector<RawSystem> systems;
  std::map<std::string, std::int64_t> element_counts;  ///< all element cards, by name
  std::vector<ElementBlock> elements;                  ///< those with a shape to draw
  std::vector<RawSection> sections;                    ///< those that CalculiX expands
  std::vector<RawConstraint> rigid_elements;           ///< with the MPCs of all sets
  RawConstraintSets constraint_sets;
  std::vector<RawMass> masses;
  RawLoads loads;
  std::vector<Dof> fixed;  ///< SPC, SPC1 and PS
  /// *TRANSFORM: axes (columns, basic) to which `fixed` of a node refers; its loads are already
  /// transformed
  std::map<std::int64_t, Eigen::Matrix3d> support_axes;
  std::vector<Dof> interface;    ///< ASET/BSET or EXTRN, in file order
  std::vector<Dof> generalised;  ///< QSET: modal DOFs of a superelement
  std::vector<Dof> omitted;      ///< OMIT
  std::vector<Dof> supports;     ///< SUPORT
  std::vector<Dof> row_map;      ///< DOFs of the matrix rows, from this file or its neighbour
  double mass_factor = 1.0;      ///< PARAM,WTMASS
  std::map<std::string, std::vector<std::int64_t>> node_sets;  ///< NSET and the like, by name
  /// *RIGID BODY: rotation node to reference node; directions 1..3 of the first are rotations 4..6
  /// of the second
  std::map<std::int64_t, std::int64_t> rotation_nodes;
  std::vector<std::int64_t> node_order;  ///< node of each block of 1..6 rows (ANSYS mapping vector)
  std::vector<std::uint32_t> row_sets;   ///< USET bits, one mask per row of `row_map`, or empty
  /// Rows of displacement sets where a file prints them (MYSTRAN's "G", "N", "F", "A", "L", ...).
  std::map<std::string, std::vector<Dof>> set_rows;
  std::vector<RawMatrix> matrices;  ///< in file order; names may repeat
  std::vector<RawModes> modes;
  std::vector<RawEigenvalues> eigenvalues;
  std::vector<Unread> unread;
};

}  // namespace femflex::importer
