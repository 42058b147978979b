// Loads the inputs of a verb. A file is read. An object of the caller is used directly, or copied
// if it is a model whose units are set here.
#include "verbs/input.h"

#include "body/inputs.h"
#include "results/back_transform.h"

namespace femflex::verbs {
namespace fs = std::filesystem;
namespace {

template <class T>
std::string name_of_input(const Input<T>& input) {
  const auto* path = std::get_if<fs::path>(&input);
  return path != nullptr ? path->string() : std::get<const T*>(input)->name;
}

}  // namespace

std::string name_of(const ModelInput& input) {
  return name_of_input(input);
}

std::string name_of(const BodyInput& input) {
  return name_of_input(input);
}

std::string name_of(const ResultInput& input) {
  return name_of_input(input);
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

BodyInput body_of_run(const std::optional<BodyInput>& given,
                      const tools::ResultSeries& run,
                      const ResultInput& result,
                      const std::string& body) {
  if (!given) return tools::flex_file_of(run, name_of(result), body);
  if (const auto* path = std::get_if<fs::path>(&*given);
      path != nullptr && fs::is_regular_file(*path))
    tools::check_flex_file(run, name_of(result), body, *path);
  return *given;
}

Loaded<tools::ResultSeries> load(const ResultInput& input, Diagnostics& diagnostics) {
  if (const auto* path = std::get_if<fs::path>(&input))
    return Loaded<tools::ResultSeries>(tools::read_results(*path, diagnostics));
  return Loaded<tools::ResultSeries>(std::get<const tools::ResultSeries*>(input));
}

}  // namespace femflex::verbs
