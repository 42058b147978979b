// `femflex convert`: writes a flexible body in another file format. Defines the options, the JSON
// document and the text output.
#include "verbs/convert.h"

#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "arguments.h"
#include "fields.h"

namespace femflex::cli {
namespace {

using flexfile::WriteOptions;
using verbs::ConvertRequest;

constexpr int kMaxDeflateLevel = 9;  // highest level of zlib

Outcome run_convert(const Arguments& arguments, Session& session) {
  auto request = request_of<ConvertRequest>(arguments);
  request.body = body_input(arguments.input_value());
  request.output = arguments.input(1);
  request.units = session.units;
  verbs::ConvertOutcome done = verbs::convert(request, session.diagnostics, *session.progress);
  const FlexBody& body = done.body;
  const std::string output = request.output.string();
  Outcome out;
  out.document["nodes"] = body.node_count();
  if (done.frames > 0)
    out.document["frames"] = static_cast<std::int64_t>(done.frames);
  else
    out.document["modes"] = body.mode_count();
  out.document["outputs"] = std::vector<std::string>{output};
  out.text =
      done.frames > 0
          ? fmt::format("{}: {} nodes, {} instants\n", output, body.node_count(), done.frames)
          : fmt::format("{}: {} nodes, {} modes\n", output, body.node_count(), body.mode_count());
  return out;
}

std::vector<std::string> writable_formats() {
  std::vector<std::string> names;
  for (const flexfile::Format& format : flexfile::formats()) {
    if (format.can_write) names.push_back(format.name);
  }
  return names;
}

/// The compression level of HDF5 datasets.
/// @throws UsageError  it is not between 0 and 9
int deflate_of(const Given& given) {
  const std::int64_t value = whole_number(given);
  if (value < 0 || value > kMaxDeflateLevel)
    throw UsageError("usage",
                     fmt::format("--deflate: {} is not a compression level", value),
                     {},
                     "give a whole number from 0 to 9");
  return static_cast<int>(value);
}

std::vector<Option> convert_options() {
  return {
      {.name = "--format",
       .value = "NAME",
       .help = "overrides the ending of OUT",
       .choices = writable_formats(),
       .set = to(at(&ConvertRequest::options, &WriteOptions::format))},
      {.name = "--no-sidecar",
       .help = "FLEX: leave out NAME.flex.h5 with what FLEX cannot hold",
       .set = means(at(&ConvertRequest::options, &WriteOptions::sidecar), false)},
      {.name = "--mbdyn-invariants",
       .help = "MBDyn: groups 14 to 18 (versions after 2021)",
       .set = to(at(&ConvertRequest::options, &WriteOptions::mbdyn_invariants))},
      {.name = "--hold-frame",
       .help = "superelements: supports of the FE model hold the part",
       .set =
           means(at(&ConvertRequest::options, &WriteOptions::frame), flexfile::FrameMotion::held)},
      {.name = "--deflate",
       .value = "N",
       .help = ".fbm: compression 0 to 9",
       .fallback = "0",
       .set = to(at(&ConvertRequest::options, &WriteOptions::deflate), deflate_of)},
      {.name = "--mat73",
       .help = ".mat: level 7.3 (HDF5), also without a matrix of 2 GB",
       .set = to(&ConvertRequest::mat73)},
      {.name = "--flex",
       .value = "BODY",
       .help = "of a result: body file of a flexible body; default: the one the simulation used",
       .is_repeated = true,
       .set = to(&ConvertRequest::flex)},
      {.name = "--frames",
       .value = "N",
       .help = "of a result: most instants in the series",
       .fallback = "300",
       .set = to(&ConvertRequest::max_frames)},
  };
}

}  // namespace

Verb convert_verb() {
  return {.name = "convert",
          .summary = "writes a body in another file format, or a motion as a series for ParaView",
          .inputs = "IN OUT",
          .fewest_inputs = 2,
          .most_inputs = 2,
          .options = convert_options(),
          .examples = {"femflex convert chassis.fbm chassis.fem",
                       "femflex convert chassis.fbm chassis.mat",
                       "femflex convert truck.h5 truck.pvd --frames 100"},
          .run = run_convert,
          .writes_last_input = true,
          .takes_values = true};
}

}  // namespace femflex::cli
