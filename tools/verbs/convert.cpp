// Checks the output format first, so that a wrong name fails before the body is read.
#include "verbs/convert.h"

namespace femflex::verbs {

ConvertOutcome convert(const ConvertRequest& request,
                       Diagnostics& diagnostics,
                       Progress& progress) {
  // throws for an unknown format; write_body() finds the format again
  static_cast<void>(flexfile::format_for_writing(request.output, request.options));
  ConvertOutcome out{load(request.body, request.units, diagnostics, progress).take()};
  flexfile::write_body(out.body, request.output, request.options, diagnostics, progress);
  return out;
}

}  // namespace femflex::verbs
