// `femflex transform`: moves, rotates or mirrors a body, or keeps some of its modes and nodes.
// Defines the options, the JSON document and the text output.
#include "verbs/transform.h"

#include <numbers>
#include <utility>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "femflex/errors.h"

#include "arguments.h"
#include "commands/outputs.h"
#include "fields.h"

namespace femflex::cli {
namespace {

using verbs::TransformRequest;

/// A displacement from "x,y,z" or from three numbers.
Eigen::Vector3d shift_of(const Given& given) {
  const std::vector<double> parts = numbers_at_commas(given);
  if (parts.size() != 3)
    throw UsageError(
        "usage",
        fmt::format("{}: {} numbers where x,y,z was expected", given.option.name, parts.size()),
        {},
        "give three numbers, like 0,0,1.5");
  return {parts[0], parts[1], parts[2]};
}

// A rotation from "zyx:90,0,0": angles in degrees about the rotated axes.
Eigen::Matrix3d rotation_of(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string axes = text.substr(0, colon);
  const std::vector<std::string> angles = colon == std::string::npos
                                              ? std::vector<std::string>{}
                                              : split_at_commas({text.substr(colon + 1)});
  if (axes.empty() || axes.find_first_not_of("xyz") != std::string::npos ||
      angles.size() != axes.size())
    throw UsageError("usage",
                     fmt::format("--rotate: '{}' is not a rotation", text),
                     {},
                     "write z:90 or zyx:30,0,-90 (degrees, moving axes)");
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  for (std::size_t i = 0; i < axes.size(); ++i)
    R = R * Eigen::AngleAxisd(number_of(angles[i], "deg", "--rotate") * std::numbers::pi / 180.0,
                              Eigen::Vector3d::Unit(axes[i] - 'x'))
                .toRotationMatrix();
  return R;
}

/// The unit vector of an axis "x", "y" or "z".
Eigen::Vector3d axis_of(const std::string& text) {
  return Eigen::Vector3d::Unit(text[0] - 'x');
}

TransformRequest transform_request(const Arguments& arguments, const Session& session) {
  if (!arguments.is_script()) static_cast<void>(arguments.need("--output"));
  auto request = request_of<TransformRequest>(arguments);
  if (arguments.has("--run")) {
    if (arguments.has("--modes"))
      throw UsageError("usage",
                       "transform: --run and --modes both choose the shapes of the body",
                       {},
                       "give one of the two");
    static_cast<void>(arguments.need("--keep"));
  } else if (arguments.has("--keep") || arguments.has("--below")) {
    throw UsageError("usage",
                     "transform: --keep and --below need --run",
                     {},
                     "add --run R.h5, or leave them out");
  }
  request.body = body_input(arguments.input_value());
  request.units = session.units;
  return request;
}

Outcome run_transform(const Arguments& arguments, Session& session) {
  const TransformRequest request = transform_request(arguments, session);
  verbs::TransformOutcome done = verbs::transform(request, session.diagnostics, *session.progress);
  const FlexBody& body = done.body;
  Outcome out;
  if (!request.runs.empty()) {
    out.document["kept_share"] = done.kept_share;
    out.document["seen_in"] = done.seen_in;
    out.text = fmt::format("{} shapes hold {:.6g} % of the mean square acceleration\n",
                           request.keep,
                           100.0 * done.kept_share);
  }
  const Eigen::Vector3d centre = body.centre_of_mass();
  out.document["nodes"] = body.node_count();
  out.document["modes"] = body.mode_count();
  out.document["mass"] = body.invariants.mass;
  out.document["centre"] = tools::Json::list_of(centre);
  out.text += fmt::format("{} nodes, {} modes, centre {} {} {}\n",
                          body.node_count(),
                          body.mode_count(),
                          centre.x(),
                          centre.y(),
                          centre.z());
  list_outputs(out, texts_of(request.outputs));
  out.body = std::make_shared<FlexBody>(std::move(done.body));
  return out;
}

std::vector<Option> choosing_options() {
  return {
      {.name = "--output",
       .short_name = "-o",
       .value = "OUT",
       .help = "body files to write",
       .is_repeated = true,
       .is_output = true,
       .set = to(&TransformRequest::outputs)},
      {.name = "--modes",
       .value = "LIST",
       .help = "modes to keep: 1-20,25",
       .set = to(&TransformRequest::modes)},
      {.name = "--run",
       .value = "R.h5",
       .help = "results whose motion gives the new shapes; they need the output BODY/zeta_ddot",
       .is_repeated = true,
       .set = to(&TransformRequest::runs)},
      {.name = "--keep",
       .value = "N",
       .help = "with --run: number of new shapes",
       .set = to(&TransformRequest::keep)},
      {.name = "--below",
       .value = "HZ",
       .help = "with --run: use the motion below this frequency",
       .unit = "Hz",
       .set = to(at(&TransformRequest::below_hz), positive)},
      {.name = "--nodes",
       .value = "LIST",
       .help = "nodes to keep",
       .set = to(&TransformRequest::nodes)},
  };
}

std::vector<Option> moving_options() {
  return {
      {.name = "--mirror",
       .value = "AXIS",
       .help = "reflect in the plane through the origin normal to this axis",
       .choices = {"x", "y", "z"},
       .set = to(at(&TransformRequest::mirror_normal), axis_of)},
      {.name = "--rotate",
       .value = "AXES:ANGLES",
       .help = "turn about the moving axes in degrees: z:90, zyx:30,0,-90",
       .set = to(at(&TransformRequest::rotation), rotation_of)},
      {.name = "--move",
       .value = "X,Y,Z",
       .help = "shift of the body in its frame [m]; after the rotation",
       .unit = "m",
       .set = to(at(&TransformRequest::shift), shift_of)},
      {.name = "--name",
       .value = "NAME",
       .help = "name of the body",
       .set = to(&TransformRequest::name)},
  };
}

}  // namespace

Verb transform_verb() {
  return {.name = "transform",
          .summary = "moves, rotates, mirrors a body, or takes some of its modes and nodes",
          .inputs = "BODY",
          .fewest_inputs = 1,
          .most_inputs = 1,
          .options = joined({choosing_options(), moving_options()}),
          .examples = {"femflex transform left.fbm --mirror y -o right.fbm",
                       "femflex transform rich.fbm --run road.h5 --keep 20 --below 60Hz -o "
                       "lean.fbm"},
          .run = run_transform,
          .takes_values = true,
          .hands_over = true};
}

}  // namespace femflex::cli
