#include "verbs/back_transform.h"

#include "body/inputs.h"

namespace femflex::verbs {

tools::BackResult back_transform(const BackTransformRequest& request,
                                 Diagnostics& diagnostics,
                                 Progress& progress) {
  const tools::ResultSeries series = tools::read_results(request.result, diagnostics);
  tools::BackOptions options = request.options;
  options.body = tools::flexible_body_of(series, options.body);
  const std::filesystem::path flex =
      request.flex ? *request.flex : tools::flex_file_of(series, request.result, options.body);
  const FlexBody body = tools::load_body(flex, request.units, diagnostics, progress);
  tools::BackResult out = tools::back_transform(series, body, options);
  tools::write_results(out.series, request.output, request.provenance);
  return out;
}

}  // namespace femflex::verbs
