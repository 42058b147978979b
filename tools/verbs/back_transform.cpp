// Loads result and body, transforms the histories, and writes the new result if a file is named.
#include "verbs/back_transform.h"

namespace femflex::verbs {
namespace {

/// The path of the result, next to which its body files are looked for. A value has no path: its
/// name stands for a file in the current folder.
std::filesystem::path path_of_result(const ResultInput& result) {
  const auto* path = std::get_if<std::filesystem::path>(&result);
  return path == nullptr ? std::filesystem::path(name_of(result)) : *path;
}

}  // namespace

tools::BackResult back_transform(const BackTransformRequest& request,
                                 Diagnostics& diagnostics,
                                 Progress& progress) {
  const Loaded<tools::ResultSeries> series = load(request.result, diagnostics);
  tools::BackOptions options = request.options;
  options.body = tools::flexible_body_of(*series, options.body);
  const BodyInput flex =
      request.flex
          ? *request.flex
          : BodyInput(tools::flex_file_of(*series, path_of_result(request.result), options.body));
  const Loaded<FlexBody> body = load(flex, request.units, diagnostics, progress);
  tools::BackResult out = tools::back_transform(*series, *body, options);
  out.series.attributes.emplace_back("options", request.provenance);
  if (request.output) tools::write_results(out.series, *request.output, request.provenance);
  return out;
}

}  // namespace femflex::verbs
