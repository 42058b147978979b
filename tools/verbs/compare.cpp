// Determines whether the inputs are bodies, results or CSV tables, loads them, filters results on
// request, and compares two inputs of the same kind.
#include "verbs/compare.h"

#include "femflex/errors.h"
#include "femflex/flexfile/flexfile.h"

#include "body/inputs.h"
#include "verbs/input.h"

namespace femflex::verbs {
namespace {

namespace fs = std::filesystem;
using tools::FileKind;
using tools::ResultSeries;

/// The kind of an input: body or result; for a CSV table, the kind that kind_of() returns.
/// @throws UsageError  neither a body nor a result nor a table
FileKind kind_of_input(const BodyOrResult& input) {
  const auto* path = std::get_if<fs::path>(&input);
  if (path == nullptr)
    return std::holds_alternative<const FlexBody*>(input) ? FileKind::body : FileKind::result;
  const FileKind kind = tools::kind_of(*path);
  const bool is_table = kind != FileKind::body && kind != FileKind::result;
  if (is_table && !tools::is_csv_table(*path))
    tools::refuse_kind(*path, kind, "a result (.h5 or .csv) or a body");
  return kind;
}

/// The path or the name of an input, for messages.
std::string name_of_compared(const BodyOrResult& input) {
  if (const auto* path = std::get_if<fs::path>(&input)) return path->string();
  if (const auto* body = std::get_if<const FlexBody*>(&input)) return (*body)->name;
  return std::get<const ResultSeries*>(input)->name;
}

Loaded<ResultSeries> load_series(const BodyOrResult& input,
                                 FileKind kind,
                                 Diagnostics& diagnostics) {
  const auto* path = std::get_if<fs::path>(&input);
  if (path == nullptr) return Loaded<ResultSeries>(std::get<const ResultSeries*>(input));
  return Loaded<ResultSeries>(kind == FileKind::result ? tools::read_results(*path, diagnostics)
                                                       : tools::read_csv(*path));
}

Loaded<FlexBody> load_body(const BodyOrResult& input,
                           const CompareRequest& request,
                           Diagnostics& diagnostics,
                           Progress& progress) {
  const auto* path = std::get_if<fs::path>(&input);
  if (path == nullptr) return Loaded<FlexBody>(std::get<const FlexBody*>(input));
  return load(BodyInput(*path), request.units, diagnostics, progress);
}

tools::BodyComparison compare_two_bodies(const CompareRequest& request,
                                         Diagnostics& diagnostics,
                                         Progress& progress) {
  const Loaded<FlexBody> a = load_body(request.a, request, diagnostics, progress);
  const Loaded<FlexBody> b = load_body(request.b, request, diagnostics, progress);
  std::vector<std::string> lacking;
  for (const BodyOrResult* input : {&request.a, &request.b}) {
    const auto* path = std::get_if<fs::path>(input);
    if (path == nullptr) continue;  // a body in memory contains all aspects
    for (const std::string& name : flexfile::aspects_lacking_in(*path))
      lacking.push_back(name);
  }
  return tools::compare_bodies(*a, *b, request.tolerance, lacking);
}

}  // namespace

CompareOutcome compare(const CompareRequest& request,
                       Diagnostics& diagnostics,
                       Progress& progress) {
  const FileKind kind_a = kind_of_input(request.a);
  const FileKind kind_b = kind_of_input(request.b);
  const bool has_body = kind_a == FileKind::body || kind_b == FileKind::body;
  if (has_body && kind_a != kind_b)
    throw UsageError("usage",
                     "a body and a result cannot be compared",
                     {name_of_compared(request.b)},
                     "give two bodies or two results");
  if (has_body) {
    if (!request.channels.empty() || request.below_hz)
      diagnostics.warn("no-effect",
                       "--channels and --below have no effect: they belong to results, and these "
                       "are bodies",
                       {name_of_compared(request.a)});
    return compare_two_bodies(request, diagnostics, progress);
  }
  Loaded<ResultSeries> a = load_series(request.a, kind_a, diagnostics);
  Loaded<ResultSeries> b = load_series(request.b, kind_b, diagnostics);
  if (!request.below_hz) return tools::compare_results(*a, *b, request.channels, request.tolerance);
  ResultSeries low_a = std::move(a).take();
  ResultSeries low_b = std::move(b).take();
  tools::low_pass(low_a, *request.below_hz);
  tools::low_pass(low_b, *request.below_hz);
  return tools::compare_results(low_a, low_b, request.channels, request.tolerance);
}

}  // namespace femflex::verbs
