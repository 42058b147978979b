// Contents of one input file as written: units and frames have not been converted yet. Readers fill
// them, `info` prints them, import_model() interprets them.
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

/// A matrix as stored. Dense ones are column-major in `values`; sparse ones are compressed by
/// columns, and only columns with entries are listed: a matrix of 10 million columns, 49 of which
/// have entries, takes the memory of 49 columns. Complex values are (re, im) pairs in `values`.
/// Build sparse ones with raw_matrix.h.
struct RawMatrix {
  enum class Triangle : std::uint8_t { all, lower, upper };  ///< stored part of a symmetric matrix

  /// Form of a matrix. Numbers 1 to 9 are NASTRAN's, negative ones are not; any other number that a
  /// file gives is kept.
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
    empty,           ///< no column read yet (OUTPUT4)
    dense,           ///< whole columns
    bigmat,          ///< OUTPUT4 strings with two-word headers
    nonbigmat,       ///< OUTPUT4 strings with one-word headers
    strings,         ///< OP2 strings
    dmi,             ///< bulk entries by row and column
    dmig,            ///< bulk entries by node and component
    coordinate,      ///< row, column, value
    array,           ///< Matrix Market, all values
    labels,          ///< Abaqus: node, DOF, node, DOF, value
    lower_rows,      ///< Abaqus: the lower triangle row by row
    harwell_boeing,  ///< compressed columns
  };

  std::string name;
  /// name (MATK, MUG1, ...) of a block that shares its name (EXTDB) with others
  std::string inner_name;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  Form form = Form::rectangular;
  Layout layout = Layout::sparse;
  bool is_complex = false;
  bool is_single = false;  ///< values have single precision
  bool is_dense = false;
  Triangle triangle = Triangle::all;
  /// sparse: 0-based columns with entries, in ascending order
  std::vector<std::int32_t> col;
  std::vector<std::int64_t> col_start;  ///< sparse: col.size() + 1 offsets into `row`
  std::vector<std::int32_t> row;        ///< sparse: 0-based, in ascending order within a column
  std::vector<double> values;
  std::vector<Dof> row_dofs;  ///< DOFs of the rows, if the format gives them
  std::vector<Dof> col_dofs;
};

/// "square", "lower-factor", ...; "form-12" if the number has no name here.
std::string text_of(RawMatrix::Form form);
std::string_view text_of(RawMatrix::Layout layout);

/// A group of shapes from one table and subcase, as written.
struct RawModes {
  enum class Kind : std::uint8_t { normal, displacement, complex };
  /// nodal: in the CD system of each grid
  enum class Frame : std::uint8_t { nodal, basic, unknown };

  std::string source;  ///< table or block name: OUGV1, EIGENVECTOR, DISP, ...
  Kind kind = Kind::normal;
  Frame frame = Frame::nodal;
  std::int64_t subcase = 0;
  std::vector<std::int64_t> points;  ///< ids, in file order
  /// one per point; for a scalar point only the first of its values is used
  std::vector<std::uint8_t> is_scalar;
  /// rows of each point in `shapes`: 6, or 3 where the file gives translations alone
  Eigen::Index components = 6;
  Eigen::MatrixXd shapes;           ///< (components * points x count), point-major
  Eigen::MatrixXd imaginary;        ///< same size for complex shapes, else empty
  std::vector<double> eigenvalues;  ///< one per shape, or empty [1/time^2]
  std::vector<double> eigenvalues_imaginary;
  std::vector<double> frequencies_hz;
  std::vector<double> generalised_mass;
  /// one per shape: mode number or load set, by which stresses find their shape; or empty
  std::vector<std::int64_t> numbers;
  bool single_precision = false;
};

/// Stresses or strains of shapes from one table, subcase and element type, as written.
struct RawStress {
  std::string source;  ///< table or block name: OES1X1, STRESS, ...
  std::string type;    ///< of the elements: CQUAD4; NODE for means at nodes
  bool is_strain = false;
  RawModes::Kind kind = RawModes::Kind::normal;
  std::int64_t subcase = 0;
  std::vector<std::int64_t> numbers;  ///< one per column, as RawModes::numbers
  std::vector<FeStressPlace> places;
  Eigen::MatrixXd values;  ///< (rows of all places x count); shear strain is gamma
};

/// A grid point as its card gives it.
struct RawGrid {
  std::int64_t id = 0;
  std::int64_t position_system = 0;      ///< id of the position system (CP)
  std::array<double, 3> x{};             ///< coordinates in CP; angles in degrees
  std::int64_t displacement_system = 0;  ///< id of the displacement system (CD); -1: a fluid point
  std::string fixed;                     ///< permanent constraints (PS), such as "123456"
  std::int64_t superelement = 0;
};

/// A coordinate system as declared: by three points in another system, by three grids, or resolved.
struct RawSystem {
  std::int64_t id = 0;
  CoordinateSystem::Kind kind = CoordinateSystem::Kind::rectangular;
  std::int64_t reference = 0;                     ///< RID of CORD2x
  std::array<std::array<double, 3>, 3> points{};  ///< A, B, C of CORD2x in `reference`
  std::array<std::int64_t, 3> grids{};            ///< G1, G2, G3 of CORD1x, else 0
  /// set if the file gives origin and axes directly
  std::optional<CoordinateSystem> resolved;
};

/// A concentrated mass as its card gives it.
struct RawMass {
  std::int64_t id = 0;
  std::int64_t node = 0;
  std::int64_t system = 0;  ///< system of the offset (CID); -1: basic, and the offset is a position
  double mass = 0.0;
  std::array<double, 3> offset{};
  /// I11 I21 I22 I31 I32 I33 about the mass centre, as on CONM2: I21, I31 and I32 are the products
  /// of inertia, which the inertia tensor has with the opposite sign
  std::array<double, 6> inertia{};
};

/// A force or moment of a load set, as its card gives it.
struct RawForce {
  std::int64_t set = 0;
  std::int64_t node = 0;
  bool is_moment = false;
  bool is_scalar = false;         ///< on a scalar point; only value[0] is used
  std::int64_t system = 0;        ///< system of `value` (CID)
  std::array<double, 3> value{};  ///< in `system` [file force, file moment]
  /// for FORCE1 and MOMENT1: value[0] acts from the first of these grids towards the second; 0: not
  /// used
  std::array<std::int64_t, 2> towards{};
  /// for FORCE2 and MOMENT2: value[0] acts along (G2 - G1) x (G4 - G3); 0: not used
  std::array<std::int64_t, 4> across{};
};

/// GRAV: acceleration that acts on every mass.
struct RawGravity {
  std::int64_t set = 0;
  std::int64_t system = 0;
  std::array<double, 3> acceleration{};  ///< in `system` [file length / time^2]
};

/// A pressure on a face of an element or of a range of elements (PLOAD2, PLOAD4, *DLOAD), or on a
/// triangle or quadrangle of grids (PLOAD).
struct RawPressure {
  std::int64_t set = 0;
  std::int64_t element = 0;       ///< 0: on the grids `corners`, in their order
  std::int64_t last_element = 0;  ///< of a range of surface elements; 0: one element
  /// at the corners: in the order of a surface element, or from `corner` on, turning about the
  /// outward normal of a solid [file pressure]
  std::array<double, 4> values{};
  std::int64_t corner = 0;  ///< G1 of a solid's face
  /// opposite to `corner` on the face (G3), or not on the face of a tetrahedron (G4)
  std::int64_t second = 0;
  std::vector<std::int64_t> corners;  ///< of the face, in any order; empty: `corner` and `second`
  std::int64_t system = 0;            ///< system of `direction` (CID)
  std::array<double, 3> direction{};  ///< in which it acts, of any length; zero: along the normal
  bool is_upper = false;              ///< shells: on the face ahead of their normal (SPOS)
};

/// Forces of inertia of a rotation (*DLOAD CENTRIF, RFORCE, whose RACC acts as its opposite).
struct RawRotation {
  std::int64_t set = 0;
  std::int64_t node = 0;                 ///< on the axis; 0: `point`
  std::array<double, 3> point{};         ///< on the axis, basic [file length]
  std::int64_t system = 0;               ///< system of the axis (CID)
  std::array<double, 3> speed{};         ///< angular velocity, in `system` [rad / file time]
  std::array<double, 3> acceleration{};  ///< angular, in `system` [rad / file time^2]
};

/// LOAD: a weighted sum of load sets.
struct RawLoadSum {
  std::int64_t id = 0;
  std::vector<std::pair<double, std::int64_t>> terms;  ///< factor and set id of each term
};

/// `LOAD = set` in the case control.
struct RawLoadChoice {
  std::int64_t subcase = 0;  ///< 0: given before the first subcase, for all of them
  std::int64_t set = 0;
  std::string label;
  std::string unread;  ///< what else the subcase chooses, which is not read; empty: nothing
};

/// All loads of a deck.
struct RawLoads {
  std::vector<RawForce> forces;
  std::vector<RawGravity> gravity;
  std::vector<RawPressure> pressures;
  std::vector<RawRotation> rotations;
  std::vector<RawLoadSum> sums;
  std::vector<RawLoadChoice> chosen;
  /// key: set with a card that is not read; value: the card name
  std::map<std::int64_t, std::string> incomplete;
  std::string unread;  ///< what acts in every load case and is not read; empty: nothing
};

/// A card or block that is not read.
struct Unread {
  std::string what;  ///< its name
  std::int64_t count = 0;
};

/// A rigid element or an equation of a multipoint constraint, as its card gives it: DOFs along
/// the CD axes of their nodes.
struct RawConstraint : RigidElement {
  enum class Law : std::uint8_t {
    unknown,   ///< not applied: RSPLINE
    rigid,     ///< six independent DOFs move a rigid body, which the dependent DOFs follow
    weighted,  ///< RBE3: a reference point follows the weighted mean of the independent DOFs
    equation,  ///< MPC: sum of factor * DOF = 0, with the dependent DOF first
    rod,       ///< RROD: the distance between two points is constant
  };
  Law law = Law::unknown;
  std::vector<Dof> independent_dofs;
  /// dependent DOFs; empty: `components` of the `dependent` nodes
  std::vector<Dof> dependent_dofs;
  std::vector<Dof> reference_dofs;  ///< for `weighted`: DOFs of the reference point
  /// for `equation`: factor of the dependent DOF, then of the independent ones; for `weighted`: of
  /// the independent ones
  std::vector<double> factors;
};
/// The DOFs that the constraint makes dependent.
std::vector<Dof> dependent_dofs(const RawConstraint& constraint);

/// Which multipoint constraints of a deck apply.
struct RawConstraintSets {
  /// true if the file has a case control; then only the sets that it chooses apply
  bool case_control = false;
  std::vector<std::int64_t> chosen;                        ///< sets chosen by `MPC = set`; 0: none
  std::map<std::int64_t, std::vector<std::int64_t>> sums;  ///< sets that each MPCADD combines
};

/// Cross section of surface or line elements that the FE code expands into solids.
struct RawSection {
  bool is_beam = false;
  std::string shape;  ///< RECT, CIRC; empty for shells
  /// false if it has layers, another shape or user-defined normals, which are not supported
  bool is_plain = true;
  /// shell: along the normal; beam: along axes 1 and 2
  std::array<double, 2> thickness{};
  std::array<double, 2> offset{};              ///< offset of the nodes, relative to the thickness
  std::array<double, 3> axis{0.0, 0.0, -1.0};  ///< axis 1 of a beam, in basic directions
  std::vector<std::int64_t> elements;          ///< ids
};

/// A property of a deck; elements refer to its number.
struct RawProperty {
  std::int64_t id = 0;  ///< NASTRAN: PID; decks of sections: number of the section, from 1
  FeProperty values;
};

/// Section of one element as its card gives it; resolved when all files are read. Small, because
/// most of the millions of elements of a deck name their property and nothing else.
struct RawElementSection {
  std::int64_t element = 0;   ///< id
  std::int64_t property = 0;  ///< RawProperty::id
  std::int32_t fields = -1;   ///< index in FileContents::section_fields; -1: all are blank
  ElementIntegration integration = ElementIntegration::full;
};

/// What element cards say of a section beside the property.
struct RawSectionFields {
  ElementSection values;  ///< what RawElementSection has, and directions in systems, are not set
  std::int64_t node = 0;  ///< bars, beams: GA, whose displacement system has the vectors below
  std::int64_t orientation_node = 0;  ///< bars, beams: G0; 0: `values.direction` is a vector
  bool is_basic_orientation = false;  ///< the vector is basic, not in the system of GA (OFFT)
  std::int64_t second_node = 0;       ///< bars, beams: GB, whose system has the offset of end B
  std::int64_t material_system = -1;  ///< shells: MCID; -1: none
  /// shells: T1, T2, ...; NaN: blank; infinite: not a number
  std::array<double, 4> corner_thickness{
      FeProperty::kNone, FeProperty::kNone, FeProperty::kNone, FeProperty::kNone};
  bool has_relative_thickness = false;  ///< T1, ... are shares of the property's (TFLAG = 1)
  std::size_t corners = 0;              ///< shells: number of T1, T2, ... of the card
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

/// Where the matrix of one element stands in a matrix of element matrices (KELM, MELM, BELM), one
/// column per element: the columns of its lower triangle one after the other.
struct RawElementMatrix {
  std::int64_t element = 0;
  std::int64_t type = 0;  ///< number that NASTRAN gives the kind of element: 34 is CBAR
  std::int64_t form = 0;  ///< 3: along the displacement systems of its nodes, 4: along `axes`
  std::array<std::int64_t, 2> address{};  ///< equal for elements that share a column
  std::int64_t dofs_per_node = 0;
  std::vector<std::int64_t> first_rows;                ///< of each node, 1-based in the g-set
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  ///< of the element, as columns in basic
};
/// KDICT, MDICT or BDICT: all elements of KELM, MELM or BELM.
struct RawElementDictionary {
  std::string matrix;  ///< KELM, MELM, BELM
  std::vector<RawElementMatrix> elements;
};

/// Everything read from one file.
struct FileContents {
  std::string path;      ///< path as given
  std::string format;    ///< op4, op2, bulk, punch, f06, msc-h5, calculix-matrix, frd, ...
  std::string encoding;  ///< "binary" or "ascii"
  std::string endian;    ///< "little", "big" or empty
  int word_bytes = 0;    ///< 4 or 8 for NASTRAN binaries
  std::string program;   ///< code and version if the file states them
  std::string title;
  std::optional<Units> units;  ///< from DTI,UNITS and the like

  std::vector<RawGrid> grids;
  /// Relative uncertainty of a coordinate due to the number of digits in the file. Single precision
  /// and fields of eight columns hold seven digits.
  double position_precision = 2e-6;
  std::vector<std::int64_t> scalar_points;
  std::vector<RawSystem> systems;
  std::map<std::string, std::int64_t> element_counts;  ///< number of element cards, by card name
  std::vector<ElementBlock> elements;                  ///< elements with a shape to draw
  /// sections of elements that CalculiX expands into solids
  std::vector<RawSection> sections;
  std::vector<FeMaterial> materials;
  std::vector<RawProperty> properties;
  std::vector<RawElementSection> element_sections;
  std::vector<RawSectionFields> section_fields;  ///< of the element sections that have any
  std::vector<RawConstraint> rigid_elements;     ///< including the MPCs of all sets
  RawConstraintSets constraint_sets;
  std::vector<RawMass> masses;
  RawLoads loads;
  std::vector<Dof> fixed;  ///< DOFs fixed by SPC, SPC1 and PS
  /// for each node under a *TRANSFORM: the axes (columns, in basic) to which its `fixed` DOFs
  /// refer; its loads are already transformed
  std::map<std::int64_t, Eigen::Matrix3d> support_axes;
  std::vector<Dof> interface;    ///< interface DOFs (ASET/BSET or EXTRN), in file order
  std::vector<Dof> generalised;  ///< modal DOFs of a superelement (QSET)
  std::vector<Dof> omitted;      ///< DOFs on OMIT cards
  std::vector<Dof> supports;     ///< DOFs on SUPORT cards
  std::vector<Dof> row_map;      ///< DOFs of the matrix rows, from this file or its neighbour
  double mass_factor = 1.0;      ///< value of PARAM,WTMASS
  std::map<std::string, std::vector<std::int64_t>> node_sets;  ///< NSET and the like, by name
  /// for *RIGID BODY, from rotation node to reference node: directions 1..3 of the rotation node
  /// are rotations 4..6 of the reference node
  std::map<std::int64_t, std::int64_t> rotation_nodes;
  /// reference nodes of *RIGID BODY and *COUPLING without a rotation node, in the order of the
  /// deck: CalculiX adds a node for the rotations of each
  std::vector<std::int64_t> unnamed_rotations;
  std::vector<std::int64_t> node_order;  ///< node of each block of 1..6 rows (ANSYS mapping vector)
  std::vector<std::uint32_t> row_sets;   ///< USET bits, one mask per row of `row_map`, or empty
  /// Rows of displacement sets ("G", "N", "F", "A", "L", ...) if the file prints them, as MYSTRAN
  /// does.
  std::map<std::string, std::vector<Dof>> set_rows;
  std::vector<RawMatrix> matrices;  ///< in file order; names may repeat
  std::vector<RawElementDictionary> dictionaries;
  /// DOFs of the rows of MUG1, the recovery of an external superelement (TUG1); component -1: no
  /// DOF
  std::vector<Dof> recovery_rows;
  std::vector<RawModes> modes;
  std::vector<RawStress> stresses;
  std::vector<RawEigenvalues> eigenvalues;
  std::vector<Unread> unread;
};

}  // namespace femflex::importer
