// Collects the equations and rigid bodies of CalculiX and Abaqus decks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/errors.h"
#include "femflex/importer/contents.h"

#include "calculix/inp_keyword.h"
#include "calculix/inp_names.h"
#include "calculix/inp_sets.h"
#include "calculix/inp_surfaces.h"

namespace femflex::importer {

/// Nodes of the elements with the given ids, each once, in ascending order.
std::vector<std::int64_t> inp_nodes_of_elements(const std::vector<std::int64_t>& ids,
                                                const std::vector<ElementBlock>& blocks);

/// Reads *EQUATION, *RIGID BODY and *COUPLING. Their nodes may be ids or sets, which the deck may
/// define later; finish() looks them up.
///
///   *EQUATION                       number of terms; then node, direction, factor of each term
///   *RIGID BODY, REF NODE=, ROT NODE=, NSET= or TIE NSET=, PIN NSET=, ELSET=
///   *COUPLING, REF NODE=, SURFACE=  then *KINEMATIC with lines first, last direction (none: all);
///                                   the nodes of the surface follow the reference node
class InpConstraints {
 public:
  /// `names` and `surfaces` must outlive the constraints.
  InpConstraints(const InpNames& names, const InpSurfaces& surfaces)
      : names_(names), surfaces_(surfaces) {}
  /// Takes a keyword line with its parameters, names in upper case.
  /// @throws ParseError  the equation before it has too few terms
  void begin(const std::string& keyword, const InpParameters& parameters, const Where& where);
  /// True if the last keyword was *KINEMATIC of a coupling that is read.
  bool is_kinematic() const { return is_kinematic_; }
  /// Takes a data line of *EQUATION or *KINEMATIC.
  /// @throws ParseError  at `where`
  void data(const std::vector<std::string_view>& fields, const Where& where);
  /// Adds all constraints to `contents`, whose elements and grids are complete. Warns of those
  /// whose sets are unknown, and leaves them out.
  void finish(InpSets& node_sets,
              InpSets& element_sets,
              FileContents& contents,
              Diagnostics& diagnostics);

 private:
  struct Term {
    std::string node;  ///< id or set
    std::int8_t component = 0;
    double factor = 0.0;
  };
  struct Equation {
    std::int64_t announced = 0;  ///< number of terms that its first line gives
    std::vector<Term> terms;
    Where where;
  };
  /// A rigid body, or a kinematic coupling if it has a surface.
  struct RigidBody {
    std::string reference, rotation, tied, pinned, elements, surface;
    std::string directions;  ///< of a coupling; empty: all six
    bool has_axes = false;   ///< of a coupling: its directions are those of an ORIENTATION
    Where where;
  };
  void add_equation(const Equation& equation,
                    InpSets& node_sets,
                    FileContents& contents,
                    Diagnostics& diagnostics) const;
  void add_rigid_body(const RigidBody& body,
                      InpSets& node_sets,
                      InpSets& element_sets,
                      FileContents& contents,
                      Diagnostics& diagnostics) const;
  void add_coupling(const RigidBody& body,
                    const RawConstraint& rigid,
                    InpSets& node_sets,
                    InpSets& element_sets,
                    FileContents& contents,
                    Diagnostics& diagnostics) const;
  void equation_line(const std::vector<std::string_view>& fields, const Where& where);
  void check_last() const;

  const InpNames& names_;
  const InpSurfaces& surfaces_;
  bool is_equation_ = false;   // the current keyword is *EQUATION
  bool is_kinematic_ = false;  // the current keyword is *KINEMATIC
  RigidBody coupling_;         // the last *COUPLING
  std::vector<Equation> equations_;
  std::vector<RigidBody> bodies_;
};

}  // namespace femflex::importer
