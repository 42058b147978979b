// Collects the equations and rigid bodies of CalculiX and Abaqus decks.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/errors.h"
#include "femflex/importer/contents.h"

#include "calculix/inp_sets.h"

namespace femflex::importer {

/// Reads *EQUATION and *RIGID BODY. Their nodes may be ids or sets, which the deck may define
/// later; finish() looks them up.
///
///   *EQUATION                       number of terms; then node, direction, factor of each term
///   *RIGID BODY, REF NODE=, ROT NODE=, NSET= or TIE NSET=, PIN NSET=, ELSET=
class InpConstraints {
 public:
  /// Takes a keyword line with its parameters, names in upper case.
  /// @throws ParseError  the equation before it has too few terms
  void begin(const std::string& keyword,
             const std::map<std::string, std::string>& parameters,
             const Where& where);
  /// Takes a data line of *EQUATION.
  /// @throws ParseError  at `where`
  void data(const std::vector<std::string_view>& fields, const Where& where);
  /// Adds all constraints to `contents`, whose elements and grids are complete. Warns of those
  /// whose sets are unknown, and leaves them out.
  void finish(InpSets& node_sets,
              const InpSets& element_sets,
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
  struct RigidBody {
    std::string reference, rotation, tied, pinned, elements;
    Where where;
  };
  void add_equation(const Equation& equation,
                    InpSets& node_sets,
                    FileContents& contents,
                    Diagnostics& diagnostics) const;
  void add_rigid_body(const RigidBody& body,
                      InpSets& node_sets,
                      const InpSets& element_sets,
                      FileContents& contents,
                      Diagnostics& diagnostics) const;
  void check_last() const;

  bool is_equation_ = false;  // the current keyword is *EQUATION
  std::vector<Equation> equations_;
  std::vector<RigidBody> bodies_;
};

}  // namespace femflex::importer
