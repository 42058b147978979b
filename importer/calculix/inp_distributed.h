// Reads the distributed loads of CalculiX and Abaqus decks: pressures on faces, gravity, rotation.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "femflex/errors.h"
#include "femflex/importer/contents.h"

#include "calculix/inp_amplitudes.h"
#include "calculix/inp_keyword.h"
#include "calculix/inp_names.h"
#include "calculix/inp_sets.h"
#include "calculix/inp_surfaces.h"

namespace femflex::importer {

/// Reads *DLOAD and *DSLOAD of the steps.
///
///   *DLOAD, OP=                  element or set, label, size, and for GRAV three components of the
///                                direction, for CENTRIF a point of the axis and its direction
///   *DSLOAD, OP=                 surface, P, pressure
///
/// Labels: P1 to P6 (faces of solids), P (shells), GRAV, CENTRIF (size omega^2). Loads stay over
/// steps as in both programs, until a later step gives another on the same face, or for GRAV and
/// CENTRIF along the same direction or axis on the same region, or begins anew. In CalculiX the
/// loads of a perturbation stay as well; in Abaqus a perturbation has the loads of its own lines
/// alone, and the steps after it go on from those before it. Of several axes of CENTRIF CalculiX
/// 2.20 applies one alone, so that their step is incomplete; there axes are the same if their
/// points and directions are, not their lines.
class InpDistributed {
 public:
  /// `names` and `surfaces` must outlive the loads.
  InpDistributed(const InpNames& names, const InpSurfaces& surfaces)
      : names_(names), surfaces_(surfaces) {}
  /// Takes a keyword line in step `step` (0: before the first) with its parameters, names in upper
  /// case.
  void begin(const std::string& keyword,
             const InpParameters& parameters,
             std::int64_t step,
             bool is_perturbation);
  /// Takes a data line below the keyword line.
  /// @throws ParseError  a size is not a number
  void data(const std::vector<std::string_view>& fields, const Where& where);

  /// Steps with lines of their own.
  std::set<std::int64_t> steps() const;
  /// Adds the loads of each of `steps` to `contents`, whose elements and masses are complete.
  /// Loads that cannot be applied make their step incomplete.
  /// @param is_abaqus   the deck is one of Abaqus
  /// @param amplitudes  give the size at the end of the step of each line
  void finish(const std::set<std::int64_t>& steps,
              bool is_abaqus,
              InpSets& element_sets,
              InpAmplitudes& amplitudes,
              FileContents& contents);

 private:
  struct Line {
    std::int64_t step = 0;
    bool is_surface = false;
    std::string region, label;       ///< in upper case; an empty region: all elements
    std::array<double, 7> values{};  ///< the direction of GRAV has length 1, or 0
    Where where;
    std::string amplitude;
    /// Elements of GRAV and CENTRIF; an unknown region has none.
    std::unordered_set<std::int64_t> elements{};
    bool is_inertia() const;
    /// True if gravity acts along the direction of the other, or a rotation about its axis.
    /// @param by_point  axes with another point or an opposite direction are others
    bool has_axis_of(const Line& other, bool by_point) const;
  };
  struct Faces;
  /// Step and pressure on each face, by element and number of the face.
  using Pressures = std::map<std::pair<std::int64_t, int>, std::pair<std::int64_t, double>>;
  struct Acting {  ///< the loads that act in a step
    bool is_abaqus = false;
    Pressures pressures{};
    std::vector<Line> inertia{};
    std::optional<std::string> refusal{};  ///< why a load cannot be applied
    /// True if rotations have more than one axis by point and direction.
    bool has_several_axes() const;
  };
  void take(const Line& line, InpSets& element_sets, Acting& acting) const;
  std::optional<std::string> take_pressure(const Line& line,
                                           InpSets& element_sets,
                                           Pressures& out) const;
  static void add(const Acting& acting,
                  std::int64_t step,
                  const Faces& faces,
                  FileContents& contents);
  static void add_inertia(const std::vector<const Line*>& lines,
                          std::int64_t step,
                          FileContents& contents);

  const InpNames& names_;
  const InpSurfaces& surfaces_;
  std::vector<Line> lines_;
  std::set<std::int64_t> new_steps_;  // steps that keep no loads of the step before (OP=NEW)
  std::set<std::int64_t> perturbations_;
  std::string keyword_;    // the current keyword
  std::string amplitude_;  // of the current keyword
  std::int64_t step_ = 0;
};

}  // namespace femflex::importer
