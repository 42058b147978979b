// Checks that the requested instants are within the run and that time steps are equal, then writes
// the exports.
#include "verbs/stress_exports.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "femflex/channel.h"
#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"
#include "femflex/text.h"

#include "document/rpc_file.h"
#include "document/table.h"
#include "results/load_cases.h"

namespace femflex::verbs {
namespace {

using tools::Json;

/// Relative tolerance of times: of steps, relative to a step; of instants, relative to the run.
/// Times in results are sums of steps.
constexpr double kUnequalStep = 1e-6;

bool ends_with(const std::filesystem::path& path, std::initializer_list<const char*> endings) {
  const std::string ending = lower_case(path.extension().string());
  return std::find(endings.begin(), endings.end(), ending) != endings.end();
}

void refuse_ending(const std::filesystem::path& path, const char* option, const char* endings) {
  throw UsageError(
      "usage",
      fmt::format("{}: the ending of '{}' is none that it writes", option, path.string()),
      {},
      fmt::format("use {}", endings));
}

}  // namespace

void check_exports(const StressRequest& request) {
  if (request.picture && !ends_with(*request.picture, {".vtu", ".pvd"}))
    refuse_ending(*request.picture, "--vtk", ".vtu (one picture) or .pvd (a series)");
  if (request.coordinates && !ends_with(*request.coordinates, {".rsp", ".rpc", ".drv", ".tim"}))
    refuse_ending(*request.coordinates, "--coordinates", ".rsp or .rpc (RPC III)");
  if (request.loads && !tools::is_load_file(*request.loads))
    refuse_ending(*request.loads, "--loads", ".inp (CalculiX) or .bdf, .nas, .dat (NASTRAN)");
  if (request.loads.has_value() == request.loads_at.empty())
    throw UsageError("usage",
                     "--loads-at TIMES and --loads FILE belong together",
                     {},
                     "give instants of the run, and the file for their load cases");
}

void export_coordinates(const StressRequest& request,
                        const std::string& name,
                        const Eigen::VectorXd& time,
                        const Eigen::MatrixXd& zeta,
                        StressOutcome& out) {
  if (!request.coordinates) return;
  const Eigen::Index rows = time.size();
  const double step = rows > 1 ? (time[rows - 1] - time[0]) / static_cast<double>(rows - 1) : 0.0;
  for (Eigen::Index k = 0; k < rows; ++k)
    if (!(step > 0.0) ||
        std::abs(time[k] - time[0] - static_cast<double>(k) * step) > kUnequalStep * step)
      throw UsageError("unequal-steps",
                       fmt::format("RPC III needs rows at equal steps, and row {} at t = {:.9g} s "
                                   "is none of them",
                                   k + 1,
                                   time[k]),
                       {},
                       "simulate with --output-step");
  tools::RpcFile file;
  file.step = step;
  for (Eigen::Index j = 0; j < zeta.cols(); ++j) {
    const Eigen::VectorXd values = zeta.col(j);
    file.channels.push_back({channel_text(name, "zeta", std::to_string(j + 1)),
                             "-",
                             std::vector<double>(values.begin(), values.end())});
  }
  const std::string bytes = tools::rpc_bytes(file);
  io::write_file(*request.coordinates, bytes);
  out.outputs.push_back(request.coordinates->string());
  Json item = Json::object();
  item["channels"] = zeta.cols();
  item["points"] = rows;
  item["written_points"] = tools::rpc_points(rows);
  item["step"] = step;
  out.document["coordinates"] = std::move(item);
  out.text += fmt::format(
      "{} modal coordinates, {} points of {} s; the last point is repeated to {} points\n",
      zeta.cols(),
      rows,
      tools::readable(step),
      tools::rpc_points(rows));
}

void export_load_cases(const StressRequest& request,
                       const FeModel& model,
                       const FlexBody& body,
                       const Eigen::VectorXd& time,
                       const Eigen::MatrixXd& zeta,
                       StressOutcome& out) {
  if (request.loads_at.empty()) return;
  std::vector<tools::InstantLoads> cases;
  Json list = Json::list();
  for (const double wanted : request.loads_at) {
    const double slack = kUnequalStep * (time[time.size() - 1] - time[0]);
    if (!(wanted >= time[0] - slack && wanted <= time[time.size() - 1] + slack))
      throw UsageError("no-such-time",
                       fmt::format("--loads-at: {} s is not in the run, which goes from {} to {} s",
                                   tools::readable(wanted),
                                   tools::readable(time[0]),
                                   tools::readable(time[time.size() - 1])),
                       {},
                       "give instants of the run");
    Eigen::Index row = 0;
    (time.array() - wanted).abs().minCoeff(&row);
    tools::InstantLoads each;
    each.id = static_cast<std::int64_t>(cases.size()) + 1;
    each.time = time[row];
    each.load = tools::equivalent_loads(model, body, zeta.row(row).transpose());
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (std::int64_t k = 0; k < model.dofs.size(); ++k)
      if (const int c = model.dofs[k].component; c >= 1 && c <= 3)
        sum[c - 1] += each.load[k] * model.units->force();
    Json item = Json::object();
    item["id"] = each.id;
    item["time"] = each.time;
    item["force_sum"] = Json::list_of(sum);
    list.push_back(std::move(item));
    out.text += fmt::format("load case {}: t = {} s, sum of forces ({}, {}, {}) N\n",
                            each.id,
                            tools::readable(each.time),
                            tools::readable(sum.x()),
                            tools::readable(sum.y()),
                            tools::readable(sum.z()));
    cases.push_back(std::move(each));
  }
  out.document["load_cases"] = std::move(list);
  tools::write_load_cases(
      model,
      cases,
      fmt::format("static loads that deform body {} as in the run: f = K u", body.name),
      *request.loads);
  out.outputs.push_back(request.loads->string());
}

}  // namespace femflex::verbs
