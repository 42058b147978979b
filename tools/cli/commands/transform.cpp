#include "femflex/flexfile/transform.h"

#include <filesystem>
#include <numbers>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/flexfile/flexfile.h"
#include "femflex/number_list.h"

#include "arguments.h"
#include "body/body_by_run.h"
#include "body/inputs.h"
#include "commands/commands.h"

namespace femflex::cli {
namespace {

Eigen::Vector3d three_numbers(const Arguments& arguments, const char* option) {
  const std::vector<std::string> parts = split_at_commas({arguments.text(option)});
  if (parts.size() != 3)
    throw UsageError("usage",
                     fmt::format("{}: {} numbers where x,y,z was expected", option, parts.size()));
  return {number_of(parts[0], "m", option),
          number_of(parts[1], "m", option),
          number_of(parts[2], "m", option)};
}

// "zyx:90,0,0": turns about the moving axes in degrees.
Eigen::Matrix3d rotation_of(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string axes = text.substr(0, colon);
  const std::vector<std::string> angles = colon == std::string::npos
                                              ? std::vector<std::string>{}
                                              : split_at_commas({text.substr(colon + 1)});
  if (axes.empty() || axes.find_first_not_of("xyz") != std::string::npos ||
      angles.size() != axes.size())
    throw UsageError("usage",
                     fmt::format("--rotate: '{}' is no rotation", text),
                     {},
                     "write z:90 or zyx:30,0,-90 (degrees, moving axes)");
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  for (std::size_t i = 0; i < axes.size(); ++i)
    R = R * Eigen::AngleAxisd(number_of(angles[i], "deg", "--rotate") * std::numbers::pi / 180.0,
                              Eigen::Vector3d::Unit(axes[i] - 'x'))
                .toRotationMatrix();
  return R;
}

Outcome run_transform(const Arguments& arguments, Session& session) {
  static_cast<void>(arguments.need("--output"));
  const std::vector<std::string> outputs = arguments.texts("--output");
  for (const std::string& output : outputs)
    static_cast<void>(flexfile::format_for_writing(output, {}));
  FlexBody body =
      tools::load_body(arguments.input(), session.units, session.diagnostics, *session.progress);
  Outcome out;
  if (arguments.has("--run")) {
    if (arguments.has("--modes"))
      throw UsageError("usage",
                       "femflex transform: --run chooses its own shapes, --modes takes others",
                       {},
                       "give one of the two");
    const std::vector<std::string> names = arguments.texts("--run");
    const std::vector<std::filesystem::path> runs(names.begin(), names.end());
    const tools::RunModes found =
        tools::body_by_run(body,
                           arguments.input(),
                           runs,
                           static_cast<Eigen::Index>(arguments.number("--keep")),
                           arguments.maybe_number("--below", "Hz").value_or(0.0));
    body = found.body;
    out.document["kept_share"] = found.kept_share;
    out.document["seen_in"] = found.seen_in;
    out.text = fmt::format("{} shapes hold {:.6g} % of the mean square acceleration\n",
                           body.mode_count(),
                           100.0 * found.kept_share);
  } else if (arguments.has("--keep") || arguments.has("--below")) {
    throw UsageError("usage", "femflex transform: --keep and --below belong to --run");
  }
  if (arguments.has("--modes")) {
    std::vector<Eigen::Index> modes;
    for (const std::int64_t number : parse_number_list(arguments.text("--modes")))
      modes.push_back(static_cast<Eigen::Index>(number - 1));
    body = flexfile::with_modes(body, modes);
  }
  if (arguments.has("--nodes"))
    body = flexfile::with_nodes(body, parse_number_list(arguments.text("--nodes")));
  const Eigen::Vector3d none = Eigen::Vector3d::Zero();
  if (arguments.has("--mirror")) {
    const std::string& axis = arguments.text("--mirror");
    body = flexfile::transformed(
        body, flexfile::mirror(Eigen::Vector3d::Unit(axis[0] - 'x')), none, session.diagnostics);
  }
  if (arguments.has("--rotate"))
    body = flexfile::transformed(
        body, rotation_of(arguments.text("--rotate")), none, session.diagnostics);
  if (arguments.has("--move"))
    body = flexfile::transformed(
        body, Eigen::Matrix3d::Identity(), three_numbers(arguments, "--move"), session.diagnostics);
  if (arguments.has("--name")) body.name = arguments.text("--name");
  for (const std::string& output : outputs)
    flexfile::write_body(body, output, {}, session.diagnostics, *session.progress);
  out.document["nodes"] = body.node_count();
  out.document["modes"] = body.mode_count();
  out.document["mass"] = body.invariants.mass;
  const Eigen::Vector3d centre = body.centre_of_mass();
  out.document["centre"] = tools::Json::list_of(centre);
  out.document["outputs"] = outputs;
  out.text += fmt::format("{} nodes, {} modes, centre {} {} {}\n",
                          body.node_count(),
                          body.mode_count(),
                          centre.x(),
                          centre.y(),
                          centre.z());
  for (const std::string& output : outputs)
    out.text += output + "\n";
  return out;
}

}  // namespace

Verb transform_verb() {
  return {"transform",
          "moves, rotates, mirrors a body, or takes some of its modes and nodes",
          "BODY",
          1,
          1,
          {writes({"--output", "-o", "OUT", "body files to write", "", true}),
           {"--modes", "", "LIST", "modes to keep: 1-20,25", ""},
           {"--run",
            "",
            "R.h5",
            "the shapes that the body's motion in these runs is made of; they need BODY/zeta_ddot",
            "",
            true},
           {"--keep", "", "N", "so many of them", ""},
           {"--below", "", "HZ", "of the motion below this frequency", ""},
           {"--nodes", "", "LIST", "nodes to keep", ""},
           {"--mirror",
            "",
            "AXIS",
            "reflect in the plane through the origin normal to this axis",
            "",
            false,
            {"x", "y", "z"}},
           {"--rotate",
            "",
            "AXES:ANGLES",
            "turn about the moving axes in degrees: z:90, zyx:30,0,-90",
            ""},
           {"--move", "", "X,Y,Z", "shift of the body in its frame [m]; after the rotation", ""},
           {"--name", "", "NAME", "name of the body", ""}},
          {"femflex transform left.fbm --mirror y -o right.fbm",
           "femflex transform rich.fbm --run road.h5 --keep 20 --below 60Hz -o lean.fbm"},
          run_transform};
}

}  // namespace femflex::cli
