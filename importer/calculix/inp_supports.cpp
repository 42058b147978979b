// Unites the supports that hold in a step, and chooses the step whose supports the model has.
#include "calculix/inp_supports.h"

#include <algorithm>

#include <fmt/format.h>

namespace femflex::importer {

std::string_view inp_held_by(std::string_view condition) {
  static const std::map<std::string_view, std::string_view> kConditions{{"ENCASTRE", "123456"},
                                                                        {"PINNED", "123"},
                                                                        {"XSYMM", "156"},
                                                                        {"YSYMM", "246"},
                                                                        {"ZSYMM", "345"},
                                                                        {"XASYMM", "234"},
                                                                        {"YASYMM", "135"},
                                                                        {"ZASYMM", "126"}};
  const auto found = kConditions.find(condition);
  return found == kConditions.end() ? std::string_view() : found->second;
}

void InpSupports::begin(const std::string& keyword, std::int64_t step, bool is_new) {
  static const std::set<std::string> kMatrixSteps{
      "FREQUENCY", "MATRIXGENERATE", "SUBSTRUCTUREGENERATE"};
  if (kMatrixSteps.contains(keyword)) matrix_step_ = step;
  if (keyword == "BOUNDARY" && is_new) new_steps_.insert(step);
}

std::vector<InpSupports::Support> InpSupports::of_step(std::int64_t step) const {
  std::int64_t first = 0;
  for (const std::int64_t fresh : new_steps_)
    if (fresh <= step) first = fresh;
  std::vector<Support> out;
  for (const auto& [number, supports] : supports_)
    if (number >= first && number <= step) out.insert(out.end(), supports.begin(), supports.end());
  return out;
}

bool InpSupports::Motion::is_moved(std::int64_t own,
                                   std::int64_t step,
                                   const InpAmplitudes& amplitudes) const {
  return is_unknown ||
         (value != 0.0 && amplitudes.known_factor(amplitude, own, step).value_or(1.0) != 0.0);
}

std::set<std::int64_t> InpSupports::moving_steps(std::int64_t last_step,
                                                 const InpAmplitudes& amplitudes) const {
  std::set<std::int64_t> out;
  for (std::int64_t step = 1; step <= last_step; ++step) {
    std::map<Dof, bool> moves;  // a later line replaces an earlier one
    for (const Support& support : of_step(step))
      moves[support.dof] = support.motion.is_moved(support.step, step, amplitudes);
    if (std::any_of(moves.begin(), moves.end(), [](const auto& each) { return each.second; }))
      out.insert(step);
  }
  return out;
}

bool InpSupports::moves_by_itself(std::int64_t step, const InpAmplitudes& amplitudes) const {
  const auto found = supports_.find(step);
  return found != supports_.end() &&
         std::any_of(found->second.begin(), found->second.end(), [&](const Support& each) {
           return each.motion.is_moved(each.step, step, amplitudes);
         });
}

std::vector<Dof> InpSupports::finish(std::int64_t last_step,
                                     const std::string& file,
                                     Diagnostics& diagnostics) const {
  const std::int64_t chosen = matrix_step_ > 0 ? matrix_step_ : last_step;
  const auto dofs_of_step = [&](std::int64_t step) {
    std::vector<Dof> dofs;
    for (const Support& support : of_step(step))
      dofs.push_back(support.dof);
    return dofs;
  };
  std::vector<Dof> out = dofs_of_step(chosen);
  const std::set<Dof> held(out.begin(), out.end());
  for (std::int64_t step = 1; step <= last_step; ++step) {
    const std::vector<Dof> others = dofs_of_step(step);
    if (std::set<Dof>(others.begin(), others.end()) == held) continue;
    diagnostics.warn(
        "step-supports",
        fmt::format("the supports of steps {} and {} differ: those of step {} are taken, {}",
                    step,
                    chosen,
                    chosen,
                    matrix_step_ > 0 ? "the last that makes modes or matrices" : "the last"),
        {file});
    break;
  }
  return out;
}

}  // namespace femflex::importer
