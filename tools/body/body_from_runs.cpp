// Reads the modal accelerations zeta'' of the body from each result, low-pass filters them, and
// passes them as snapshots to modal::MotionSnapshots (proper orthogonal decomposition).
#include "body/body_from_runs.h"

#include <utility>

#include <fmt/format.h>

#include "femflex/channel.h"
#include "femflex/errors.h"
#include "femflex/io/sha256.h"
#include "femflex/modal/motion_modes.h"

#include "document/json_text.h"
#include "results/compare_results.h"

namespace femflex::tools {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// Names of the bodies of a run whose body file has the same SHA-256 as `body_file`.
/// @throws UsageError  there is none
std::vector<std::string> bodies_made_from(const std::filesystem::path& body_file,
                                          const ResultSeries& run,
                                          const std::filesystem::path& run_file) {
  const std::string wanted = io::sha256_of_file(body_file);
  std::vector<std::string> names;
  for (const auto& [attribute, text] : run.attributes) {
    if (attribute != "flex") continue;
    const Json flex = parse_json(text, run_file.string());
    for (const Json::Member& member : flex.members())
      if (const Json* sha = member.value.find("sha256"); sha != nullptr && sha->text() == wanted)
        names.push_back(member.key);
  }
  if (names.empty())
    throw UsageError("another-body",
                     fmt::format("no body of the run was made from {}", body_file.string()),
                     {run_file.string()},
                     "simulate with this body file, and do not change it afterwards");
  return names;
}

/// Modal accelerations zeta'' of a body in a run, one column per row of the run.
/// @throws UsageError  the run does not contain them
/// @throws ParseError  one of them is not finite
MatrixXd accelerations_of(const ResultSeries& run,
                          const std::filesystem::path& run_file,
                          const std::string& name,
                          Index n) {
  MatrixXd a(n, run.time.size());
  for (Index i = 0; i < n; ++i) {
    const std::string channel = channel_text(name, "zeta_ddot", std::to_string(i + 1));
    const Index column = run.find(channel);
    if (column < 0)
      throw UsageError("no-such-channel",
                       fmt::format("the run has no channel '{}'", channel),
                       {run_file.string()},
                       fmt::format("add \"{}/zeta_ddot\" to the outputs of the system, and run it "
                                   "with every mode of the body",
                                   name));
    a.row(i) = run.values.col(column).transpose();
    if (!a.row(i).allFinite())
      throw ParseError("not-finite",
                       fmt::format("channel '{}' has values that are not numbers", channel),
                       {run_file.string()},
                       "choose shapes from runs that ended well");
  }
  return a;
}

}  // namespace

RunModes body_from_runs(const FlexBody& body,
                        const std::filesystem::path& body_file,
                        const std::vector<std::filesystem::path>& runs,
                        Index count,
                        double below_hz) {
  const Index mode_count = body.mode_count();
  if (count < 1 || count > mode_count)
    throw UsageError("mode-count",
                     fmt::format("--keep {}: the body has {} modes", count, mode_count),
                     {body_file.string()},
                     fmt::format("keep 1 to {} shapes", mode_count));
  modal::MotionSnapshots snapshots(body);
  RunModes out;
  for (const std::filesystem::path& run_file : runs) {
    ResultSeries run = read_results(run_file);
    const std::vector<std::string> names = bodies_made_from(body_file, run, run_file);
    if (below_hz > 0.0) low_pass(run, below_hz);
    std::vector<MatrixXd> accelerations;
    for (const std::string& name : names) {
      accelerations.push_back(accelerations_of(run, run_file, name, mode_count));
      out.seen_in.push_back(name);
    }
    snapshots.add_run(accelerations);
  }
  modal::MotionModes found = snapshots.modes(body, count);
  if (!found.body)
    throw UsageError(
        "mode-count",
        fmt::format("--keep {}: the motion in the runs consists of {} shapes", count, found.moved),
        {runs.front().string()},
        "keep fewer, or add runs with other motion");
  out.body = std::move(*found.body);
  out.kept_share = found.kept_share;
  return out;
}

}  // namespace femflex::tools
