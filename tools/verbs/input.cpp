#include "verbs/input.h"

#include "body/inputs.h"

namespace femflex::verbs {
namespace fs = std::filesystem;

std::string name_of(const ModelInput& input) {
  const auto* path = std::get_if<fs::path>(&input);
  return path != nullptr ? path->string() : std::get<const FeModel*>(input)->name;
}

Loaded<FeModel> load(const ModelInput& input,
                     const std::optional<Units>& units,
                     Diagnostics& diagnostics,
                     Progress& progress) {
  if (const auto* path = std::get_if<fs::path>(&input))
    return Loaded<FeModel>(tools::load_model(*path, units, diagnostics, progress));
  const FeModel* model = std::get<const FeModel*>(input);
  if (!units || (model->units && *model->units == *units)) return Loaded<FeModel>(model);
  FeModel other = *model;
  tools::set_units(other, *units, model->name);
  return Loaded<FeModel>(std::move(other));
}

Loaded<FlexBody> load(const BodyInput& input,
                      const std::optional<Units>& units,
                      Diagnostics& diagnostics,
                      Progress& progress) {
  if (const auto* path = std::get_if<fs::path>(&input))
    return Loaded<FlexBody>(tools::load_body(*path, units, diagnostics, progress));
  return Loaded<FlexBody>(std::get<const FlexBody*>(input));
}

}  // namespace femflex::verbs
