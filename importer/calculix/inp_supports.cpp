// Unites the supports that hold in a step, and chooses the step whose supports the model has.
#include "calculix/inp_supports.h"

#include <fmt/format.h>

namespace femflex::importer {

void InpSupports::begin(const std::string& keyword, std::int64_t step, bool is_new) {
  static const std::set<std::string> kMatrixSteps{
      "FREQUENCY", "MATRIXGENERATE", "SUBSTRUCTUREGENERATE"};
  if (kMatrixSteps.contains(keyword)) matrix_step_ = step;
  if (keyword == "BOUNDARY" && is_new) new_steps_.insert(step);
}

std::vector<Dof> InpSupports::of_step(std::int64_t step) const {
  std::int64_t first = 0;
  for (const std::int64_t fresh : new_steps_)
    if (fresh <= step) first = fresh;
  std::vector<Dof> out;
  for (const auto& [number, dofs] : supports_)
    if (number >= first && number <= step) out.insert(out.end(), dofs.begin(), dofs.end());
  return out;
}

std::vector<Dof> InpSupports::finish(std::int64_t last_step,
                                     const std::string& file,
                                     Diagnostics& diagnostics) const {
  const std::int64_t chosen = matrix_step_ > 0 ? matrix_step_ : last_step;
  std::vector<Dof> out = of_step(chosen);
  const std::set<Dof> held(out.begin(), out.end());
  for (std::int64_t step = 1; step <= last_step; ++step) {
    const std::vector<Dof> others = of_step(step);
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
