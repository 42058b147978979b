// Checks and merges sets of mode shapes, transfers them to other rows, and gives the names of the
// mode kinds.
#include "femflex/mode_set.h"

#include <array>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/name_table.h"

namespace femflex {
namespace {

constexpr auto kNames = name_table<ModeKind>({
    {ModeKind::dynamic, "dynamic"},
    {ModeKind::static_, "static"},
    {ModeKind::constraint, "constraint"},
    {ModeKind::attachment, "attachment"},
    {ModeKind::residual_attachment, "residual-attachment"},
    {ModeKind::inertia_relief, "inertia-relief"},
    {ModeKind::modal_truncation, "modal-truncation"},
    {ModeKind::krylov, "krylov"},
    {ModeKind::rigid, "rigid"},
    {ModeKind::given, "given"},
});

}  // namespace

std::string_view name_of(ModeKind kind) {
  return kNames.name_of(kind);
}

ModeKind parse_mode_kind(std::string_view name) {
  constexpr const char* kWhat = "a kind of mode; normal modes are called dynamic here";
  return kNames.parse(name, "unknown-mode-kind", name == "normal" ? kWhat : "a kind of mode");
}

std::string label_of(const ModeInfo& mode) {
  return fmt::format("{}:{}", name_of(mode.kind), mode.number);
}

ModeSet make_mode_set(DofMap rows, Eigen::MatrixXd shapes, std::vector<ModeInfo> modes) {
  if (shapes.rows() != rows.size() || shapes.cols() != static_cast<Eigen::Index>(modes.size()))
    throw ModelError("mode-size",
                     fmt::format("shapes are {} x {}, but there are {} DOFs and {} modes",
                                 shapes.rows(),
                                 shapes.cols(),
                                 rows.size(),
                                 modes.size()));
  for (Eigen::Index mode = 0; mode < shapes.cols(); ++mode)
    if (!shapes.col(mode).allFinite())
      throw ModelError("not-finite",
                       fmt::format("shape {} holds a number that is not finite",
                                   label_of(modes[static_cast<std::size_t>(mode)])),
                       {},
                       "export the shapes again, or leave them out");
  return {std::move(rows), std::move(shapes), std::move(modes)};
}

Eigen::MatrixXd shapes_on(const ModeSet& modes, const DofMap& rows) {
  if (modes.rows == rows) return modes.shapes;
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(rows.size(), modes.shapes.cols());
  for (std::int64_t row = 0; row < rows.size(); ++row) {
    const std::int64_t source = modes.rows.find(rows[row]);
    if (source >= 0) out.row(row) = modes.shapes.row(source);
  }
  return out;
}

ModeSet merged(const ModeSet& set, const ModeSet& more) {
  if (set.count() == 0) return more;
  if (more.count() == 0) return set;
  std::vector<Dof> rows = set.rows.rows();
  for (const Dof& dof : more.rows.rows())
    if (set.rows.find(dof) < 0) rows.push_back(dof);
  ModeSet out;
  out.rows = DofMap(std::move(rows));
  out.shapes.resize(out.rows.size(), set.count() + more.count());
  out.shapes.leftCols(set.count()) = shapes_on(set, out.rows);
  out.shapes.rightCols(more.count()) = shapes_on(more, out.rows);
  out.modes = set.modes;
  std::map<ModeKind, std::int64_t> last;
  for (const ModeInfo& mode : set.modes)
    last[mode.kind] = std::max(last[mode.kind], mode.number);
  for (ModeInfo mode : more.modes) {
    mode.number = ++last[mode.kind];
    out.modes.push_back(std::move(mode));
  }
  return out;
}

}  // namespace femflex
