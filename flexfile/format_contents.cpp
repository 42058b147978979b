// Lists what the files of each body format cannot hold, and warns of contents of a body that are
// left out and change its motion.
#include "format_contents.h"

#include <algorithm>
#include <initializer_list>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "femflex/damping.h"

namespace femflex::flexfile {

std::vector<std::string> contents_lacking(std::string_view format) {
  std::vector<std::string> out;
  if (format == "fbm") return out;
  const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), format) != names.end();
  };
  const bool is_exudyn = is_one_of({"exudyn", "exudyn-hdf5"});
  const bool is_superelement = is_one_of(
      {"dmig", "calculix", "extptfm", "openfedem", "mbsim", "chrono", kSuperelementMatrices});
  if (is_exudyn) out.emplace_back("rotations");
  if (is_exudyn || is_one_of({"flex", "calculix", "openfedem"})) out.emplace_back("damping");
  if (is_exudyn || is_superelement || is_one_of({"flex", "mbdyn", "dads"}))
    out.emplace_back("stiffening");
  if (is_exudyn || is_superelement || format == "sid") out.emplace_back("initial state");
  if (!out.empty())
    out.insert(out.end(),
               {"acting modes", "back-transformation", "interface nodes", "nodal masses"});
  return out;
}

void warn_of_left_out(const FlexBody& body,
                      std::string_view format,
                      std::string_view title,
                      const std::string& file,
                      Diagnostics& diagnostics) {
  const std::vector<std::string> lacking = contents_lacking(format);
  const auto lacks = [&](std::string_view name) {
    return std::find(lacking.begin(), lacking.end(), name) != lacking.end();
  };
  std::vector<std::string_view> lost;
  // the writer of CalculiX decks tells of damping itself, and what helps
  if (lacks("damping") && format != "calculix" && !damping_matrix(body).isZero(0.0))
    lost.emplace_back("damping");
  if (lacks("stiffening") && !body.geometric.empty())
    lost.emplace_back("stiffening (geometric stiffness)");
  if (lacks("initial state") &&
      !(body.initial_zeta.isZero(0.0) && body.initial_zeta_dot.isZero(0.0)))
    lost.emplace_back("the initial state of the modes");
  if (lacks("acting modes") &&
      std::any_of(
          body.modes.begin(), body.modes.end(), [](const BodyMode& mode) { return !mode.enabled; }))
    lost.emplace_back("modes that do not act (all modes in the file act)");
  if (lost.empty()) return;
  diagnostics.warn("left-out",
                   fmt::format("{} has no place for {}: left out", title, fmt::join(lost, ", ")),
                   {file});
}

}  // namespace femflex::flexfile
