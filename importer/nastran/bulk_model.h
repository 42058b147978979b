// Collects the model data of a NASTRAN deck card by card.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/importer/contents.h"

#include "nastran/bulk_cards.h"
#include "nastran/bulk_elements.h"
#include "nastran/bulk_fields.h"
#include "nastran/bulk_sections.h"
#include "nastran/bulk_units.h"
#include "nastran/dmig.h"

namespace femflex::importer {

/// Fills FileContents from bulk data cards. Cards may come in any order; finish() resolves
/// references to other cards: defaults of GRDSET, BAROR and BEAMOR, the selected constraint set,
/// ranges of ids.
class BulkModel : public CardSink {
 public:
  BulkModel(FileContents& contents, Diagnostics& diagnostics)
      : contents_(contents), diagnostics_(diagnostics) {}

  void card(const BulkCard& card) override;
  /// Takes `SUBCASE n` of the case control.
  void begin_subcase(std::int64_t subcase) { subcases_.push_back(subcase); }
  /// Takes `SPC = n` of the case control.
  /// @param subcase  0: before the first subcase, for all subcases that choose no other set
  void select_constraints(std::int64_t subcase, std::int64_t set) {
    selected_.push_back({subcase, set});
  }
  /// Takes `MPC = n` of the case control, as select_constraints().
  void select_equations(std::int64_t subcase, std::int64_t set) {
    selected_equations_.push_back({subcase, set});
  }
  /// Declares that the case control chooses temperatures, at which materials are evaluated.
  void has_temperatures() { has_temperatures_ = true; }
  /// Declares that the deck has a case control: only the constraint sets that it selects apply, and
  /// of those the one of the first subcase that chooses one.
  /// Without a case control every set applies.
  void has_case_control() { contents_.constraint_sets.case_control = true; }
  /// Resolves references between cards; to be called once, after the last card.
  /// @param file  for warnings
  void finish(const std::string& file);

 private:
  using Handler = void (BulkModel::*)(const BulkFields&, std::string_view);
  static const std::unordered_map<std::string_view, Handler>& handlers();

  void grid(const BulkFields& f, std::string_view name);
  void grdset(const BulkFields& f, std::string_view name);
  void baror(const BulkFields& f, std::string_view name);
  void spoint(const BulkFields& f, std::string_view name);
  void cord1(const BulkFields& f, std::string_view name);
  void cord2(const BulkFields& f, std::string_view name);
  void conm1(const BulkFields& f, std::string_view name);
  void conm2(const BulkFields& f, std::string_view name);
  void spc(const BulkFields& f, std::string_view name);
  void spc1(const BulkFields& f, std::string_view name);
  void spcadd(const BulkFields& f, std::string_view name);
  void set_pairs(const BulkFields& f, std::string_view name);
  void set_list(const BulkFields& f, std::string_view name);
  void extrn(const BulkFields& f, std::string_view name);
  void rbe2(const BulkFields& f, std::string_view name);
  void rbe3(const BulkFields& f, std::string_view name);
  void rbar(const BulkFields& f, std::string_view name);
  void rrod(const BulkFields& f, std::string_view name);
  void rjoint(const BulkFields& f, std::string_view name);
  void rbe1(const BulkFields& f, std::string_view name);
  void rtrplt(const BulkFields& f, std::string_view name);
  void rspline(const BulkFields& f, std::string_view name);
  void mpc(const BulkFields& f, std::string_view name);
  void mpcadd(const BulkFields& f, std::string_view name);
  void param(const BulkFields& f, std::string_view name);
  /// A point of RBAR or RTRPLT.
  struct RigidPoint {
    std::int64_t node = 0;
    /// fields that name its independent and dependent components
    std::size_t independent = 0, dependent = 0;
  };
  void rigid_body(const BulkFields& f,
                  std::string_view name,
                  const std::vector<RigidPoint>& points);
  void dti(const BulkFields& f, std::string_view name);
  void recovery_table(const BulkFields& f);
  void ignore(const BulkFields& /*f*/, std::string_view /*name*/) {}

  void plotel(const BulkFields& f, std::string_view name);
  void element(const BulkFields& f, const ElementKind& kind);
  /// Counts a card that is not read.
  void unread(std::string_view name);
  /// @param type  in memory that outlives this object
  void add_block_element(std::string_view type,
                         std::int64_t id,
                         std::span<const std::int64_t> nodes);
  /// The list to which an ASET, QSET, OMIT, SUPORT, ... card adds its DOFs.
  std::vector<Dof>* dof_set(std::string_view name);

  /// Components on ranges of ids, resolved when all points are known.
  struct Ranged {
    /// list to which the DOFs are added; null for SPC and SPC1: the fixed DOFs, if `set` is
    /// selected
    std::vector<Dof>* target = nullptr;
    std::int64_t set = 0;
    std::string components;
    std::vector<IdRange> ids;
    bool moves = false;  ///< SPC with a displacement other than 0
  };
  void resolve(const Ranged& ranged, std::vector<Dof>& out);
  void resolve_scalar_points();
  struct Selection {
    std::int64_t subcase = 0, set = 0;
  };
  std::optional<std::int64_t> chosen_by(const std::vector<Selection>& selections,
                                        std::int64_t subcase) const;
  std::vector<std::int64_t> chosen_sets(const std::vector<Selection>& selections) const;
  std::optional<std::int64_t> chosen_constraints(const std::set<std::int64_t>& defined);
  std::set<std::int64_t> defined_constraints() const;
  std::vector<std::int64_t> applied_constraints();
  void find_moving_supports(const std::vector<std::int64_t>& applied);
  void warn_of_all_constraints(const std::set<std::int64_t>& sets);
  void warn_of_unknown_supports();
  void judge_materials();
  void warn_of_empty_ranges();

  FileContents& contents_;
  Diagnostics& diagnostics_;
  DirectMatrices direct_;
  struct GridDefaults {
    std::int64_t position_system = 0;
    std::int64_t displacement_system = 0;
    std::string fixed;
  };
  std::map<std::int64_t, GridDefaults> grdset_;  ///< GRDSET defaults, by superelement
  BeamDefaults beam_defaults_;
  /// per grid, the sum of 1 if CP, 2 if CD and 4 if PS was left blank
  std::vector<std::uint8_t> blank_;
  std::vector<Ranged> ranged_;
  std::map<std::int64_t, std::vector<std::int64_t>> spcadd_;
  /// SPC and MPC sets of the case control, in its order
  std::vector<Selection> selected_, selected_equations_;
  std::vector<std::int64_t> subcases_;  ///< in the order of the case control
  bool has_temperatures_ = false;
  std::vector<std::string> tables_;  ///< materials that MATT1 or MATT8 make depend on temperature
  std::optional<DeclaredUnits> declared_units_;
  std::int64_t recovery_count_ = 0;  ///< rows of MUG1 by record 0 of DTI,TUG1
  std::map<std::string, std::int64_t, std::less<>> unread_;
  /// by card name, how many elements have a field that is not a node
  std::map<std::string, std::int64_t> invalid_elements_;
  /// index in FileContents::elements, by type and number of nodes
  std::map<std::pair<std::string_view, std::size_t>, std::size_t> blocks_;
  // filled by finish()
  std::string file_;
  std::int64_t empty_ranges_ = 0;  ///< ranges of ids without any point
  IdRange first_empty_;
  std::vector<std::int64_t> grid_ids_;    ///< sorted ids of all grid points
  std::vector<std::int64_t> scalar_ids_;  ///< sorted ids of all scalar points
  const BulkCard* current_card_ = nullptr;
};

}  // namespace femflex::importer
