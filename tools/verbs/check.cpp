// Selects the check of a model or a body by the kind of the file or value.
#include "verbs/check.h"

#include "body/inputs.h"
#include "verbs/input.h"

namespace femflex::verbs {
namespace {

namespace fs = std::filesystem;

bool is_body(const CheckRequest& request) {
  const auto* path = std::get_if<fs::path>(&request.part);
  return path != nullptr ? tools::kind_of(*path) == tools::FileKind::body
                         : std::holds_alternative<const FlexBody*>(request.part);
}

/// @throws UsageError  the file contains neither a model nor a body
void refuse_other_kinds(const fs::path& path) {
  using tools::FileKind;
  const FileKind kind = tools::kind_of(path);
  for (const FileKind each :
       {FileKind::body, FileKind::fe_model, FileKind::fe_source, FileKind::unknown})
    if (kind == each) return;
  tools::refuse_kind(path,
                     kind,
                     "an FE model or a flexible body",
                     "make one with 'femflex import' or 'femflex reduce'");
}

/// The part as an input of type T.
template <class T>
Input<T> input_of(const CheckRequest& request) {
  if (const auto* path = std::get_if<fs::path>(&request.part)) return *path;
  return std::get<const T*>(request.part);
}

}  // namespace

tools::CheckReport check(const CheckRequest& request,
                         Diagnostics& diagnostics,
                         Progress& progress) {
  if (const auto* path = std::get_if<fs::path>(&request.part)) refuse_other_kinds(*path);
  if (is_body(request))
    return tools::check_body(
        *load(input_of<FlexBody>(request), request.units, diagnostics, progress));
  return tools::check_model(*load(input_of<FeModel>(request), request.units, diagnostics, progress),
                            progress);
}

}  // namespace femflex::verbs
