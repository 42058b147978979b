// Finds the body and its file, computes eta = V diag(alpha) zeta (or eta from the motion of nodes),
// then adds displacement, rotation and world position of the requested nodes.
#include "results/back_transform.h"

#include <algorithm>
#include <set>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "femflex/channel.h"
#include "femflex/errors.h"
#include "femflex/io/sha256.h"
#include "femflex/modal/back_transform.h"

#include "document/json_text.h"
#include "document/nearest_name.h"

namespace femflex::tools {
namespace {

// The channels NAME/COMPONENT of a result as (components x rows); empty if one is missing.
Eigen::MatrixXd group(const ResultSeries& result,
                      const std::string& name,
                      const std::vector<std::string>& components) {
  Eigen::MatrixXd out(static_cast<Eigen::Index>(components.size()), result.time.size());
  for (std::size_t c = 0; c < components.size(); ++c) {
    const Eigen::Index column = result.find(name + "/" + components[c]);
    if (column < 0) return {};
    out.row(static_cast<Eigen::Index>(c)) = result.values.col(column).transpose();
  }
  return out;
}

/// Modal coordinates (modes x rows) from the chosen columns of a table, or from all of them.
Eigen::MatrixXd listed_coordinates(const ResultSeries& result,
                                   const FlexBody& body,
                                   const BackOptions& options) {
  std::vector<std::string> known;
  for (const mbd_solver::Channel& channel : result.channels)
    known.push_back(channel.name);
  const std::vector<std::string>& names = options.channels.empty() ? known : options.channels;
  if (static_cast<Eigen::Index>(names.size()) != body.mode_count())
    throw UsageError(
        "mode-count",
        fmt::format(
            "{} columns are to be the coordinates of {} modes", names.size(), body.mode_count()),
        {},
        "name one column for each mode: --channels a,b");
  Eigen::MatrixXd zeta(body.mode_count(), result.time.size());
  for (std::size_t k = 0; k < names.size(); ++k) {
    const Eigen::Index column = result.find(names[k]);
    if (column < 0)
      throw UsageError("no-such-channel",
                       fmt::format("there is no column '{}'", names[k]),
                       {},
                       suggestion(names[k], known));
    zeta.row(static_cast<Eigen::Index>(k)) = result.values.col(column).transpose();
  }
  return zeta;
}

/// The name of the body in channels made from a table.
std::string body_name(const BackOptions& options, const FlexBody& body) {
  if (!options.body.empty()) return options.body;
  return body.name.empty() ? "body" : body.name;
}

/// Collects the channels of the new result; finish() stores them in the series.
class BackColumns {
 public:
  explicit BackColumns(ResultSeries& series) : series_(series) {}
  void add(const std::string& name, const std::string& unit, const Eigen::VectorXd& values) {
    series_.channels.push_back({name, unit});
    columns_.push_back(values);
  }
  void finish() {
    series_.values.resize(series_.time.size(), static_cast<Eigen::Index>(columns_.size()));
    for (std::size_t c = 0; c < columns_.size(); ++c)
      series_.values.col(static_cast<Eigen::Index>(c)) = columns_[c];
  }

 private:
  ResultSeries& series_;
  std::vector<Eigen::VectorXd> columns_;
};

[[noreturn]] void refuse_node(const FlexBody& body, const std::string& name, std::int64_t id) {
  throw ModelError("unknown-node",
                   fmt::format("--nodes: body '{}' has no node {}", name, id),
                   {},
                   body.nodes.empty() ? "it has no nodes: leave --nodes out"
                                      : fmt::format("it has {} nodes from {} to {}",
                                                    body.nodes.size(),
                                                    body.nodes.front().id,
                                                    body.nodes.back().id));
}

}  // namespace

bool has_modal_coordinates(const ResultSeries& result) {
  return std::any_of(
      result.channels.begin(), result.channels.end(), [](const mbd_solver::Channel& channel) {
        const ChannelName name = parse_channel(channel.name);
        return name.quantity == "zeta" && !name.component.empty();
      });
}

std::string flexible_body_of(const ResultSeries& result, const std::string& wanted) {
  std::set<std::string> bodies;
  for (const mbd_solver::Channel& channel : result.channels) {
    const ChannelName name = parse_channel(channel.name);
    if (name.quantity == "zeta" && !name.component.empty()) bodies.insert(name.owner());
  }
  const std::vector<std::string> names(bodies.begin(), bodies.end());
  if (names.empty())
    throw UsageError("no-modal-coordinates",
                     "the result holds no modal coordinates",
                     {},
                     "add \"BODY/zeta\" to the outputs of the system");
  if (wanted.empty() && names.size() > 1)
    throw UsageError("which-body",
                     "the result holds several flexible bodies",
                     {},
                     "choose with --body; " + suggestion("", names));
  if (wanted.empty()) return names.front();
  if (!bodies.contains(wanted))
    throw UsageError("no-such-body",
                     fmt::format("the result has no flexible body '{}'", wanted),
                     {},
                     suggestion(wanted, names));
  return wanted;
}

Eigen::MatrixXd modal_coordinates(const ResultSeries& result,
                                  const FlexBody& body,
                                  const std::string& name) {
  if (result.time.size() == 0)
    throw UsageError("no-rows",
                     fmt::format("the result has no rows of the coordinates of '{}'", name),
                     {},
                     "simulate again: the run ended before its first row");
  std::vector<std::string> numbers;
  for (Eigen::Index i = 0; i < body.mode_count(); ++i)
    numbers.push_back(std::to_string(i + 1));
  Eigen::MatrixXd zeta = group(result, channel_text(name, "zeta"), numbers);
  const bool has_more =
      result.find(channel_text(name, "zeta", std::to_string(body.mode_count() + 1))) >= 0;
  if (zeta.size() == 0 || has_more)
    throw ModelError(
        "mode-count",
        fmt::format("the body has {} modes, the result has another number of coordinates of '{}'",
                    body.mode_count(),
                    name),
        {},
        "give the body file of this simulation");
  return zeta;
}

std::filesystem::path flex_file_of(const ResultSeries& result,
                                   const std::filesystem::path& result_file,
                                   const std::string& body,
                                   const std::vector<std::filesystem::path>& given) {
  namespace fs = std::filesystem;
  const std::string remedy = "put it next to the result, or name it with --flex";
  for (const auto& [name, text] : result.attributes) {
    if (name != "flex") continue;
    const Json flex = parse_json(text, result_file.string());
    const Json* entry = flex.find(body);
    if (entry == nullptr) break;
    const Json* file = entry->find("file");
    const Json* digest = entry->find("sha256");
    if (file == nullptr || digest == nullptr) break;
    const fs::path recorded = file->text();
    const std::string& sha256 = digest->text();
    // a moved result usually has its body files next to it
    const fs::path folder = result_file.parent_path();
    std::vector<fs::path> candidates = given;
    candidates.insert(candidates.end(), {folder / recorded, folder / recorded.filename()});
    fs::path changed;
    for (const fs::path& candidate : candidates) {
      std::error_code ignored;
      if (!fs::exists(candidate, ignored)) continue;
      if (io::sha256_of_file(candidate) == sha256) return candidate;
      if (changed.empty()) changed = candidate;
    }
    if (!changed.empty())
      throw UsageError("changed-file",
                       fmt::format("is not the body file of '{}' that the simulation used", body),
                       {changed.string()},
                       remedy);
    throw UsageError("no-such-file",
                     fmt::format("the body file of '{}' does not exist", body),
                     {(folder / recorded).string()},
                     remedy);
  }
  throw UsageError("no-flex-file",
                   fmt::format("the result names no body file for '{}'", body),
                   {result_file.string()},
                   remedy);
}

void check_flex_file(const ResultSeries& result,
                     const std::string& result_name,
                     const std::string& body,
                     const std::filesystem::path& file) {
  std::string bodies;
  std::string files;
  const auto add = [](std::string& list, const std::string& item) {
    list += (list.empty() ? "" : ", ") + item;
  };
  for (const auto& [name, text] : result.attributes) {
    if (name != "flex") continue;
    const Json flex = parse_json(text, result_name);
    for (const Json::Member& member : flex.members()) {
      if (!body.empty() && member.key != body) continue;
      const Json* recorded = member.value.find("file");
      const Json* digest = member.value.find("sha256");
      if (digest == nullptr || io::sha256_of_file(file) == digest->text()) return;
      add(bodies, "'" + member.key + "'");
      add(files, recorded == nullptr ? "another file" : recorded->text());
    }
  }
  if (bodies.empty()) return;
  throw UsageError("other-body",
                   fmt::format("is not the body file of {} in {}, which was simulated with {}",
                               bodies,
                               result_name,
                               files),
                   {file.string()},
                   fmt::format("give {} with --flex, or simulate again with this body", files));
}

BackResult back_transform(const ResultSeries& result,
                          const FlexBody& body,
                          const BackOptions& options) {
  const bool is_of_run = std::any_of(result.attributes.begin(),
                                     result.attributes.end(),
                                     [](const auto& entry) { return entry.first == "flex"; });
  // a run without modal coordinates is not a table of them, whatever its number of columns
  const bool is_table = !options.channels.empty() || (!is_of_run && !has_modal_coordinates(result));
  const std::string name =
      is_table ? body_name(options, body) : flexible_body_of(result, options.body);
  const Eigen::MatrixXd zeta =
      is_table ? listed_coordinates(result, body, options) : modal_coordinates(result, body, name);
  for (const std::int64_t id : options.nodes)
    if (find_node(body, id) < 0) refuse_node(body, name, id);
  const modal::BackAdvice advice = modal::advise_back_transformation(body);
  BackResult out;
  out.route = options.route.empty() ? modal::name_of(advice.recommended) : options.route;
  out.recommended = modal::name_of(advice.recommended);
  out.why = advice.why;
  out.condition_V = advice.condition_V;
  out.condition_U = advice.condition_U;
  out.series.name = result.name;
  out.series.time = result.time;
  BackColumns columns(out.series);
  const Eigen::MatrixXd eta =
      modal::chosen_coordinates(body, zeta, modal::parse_back_route(out.route));
  for (Eigen::Index i = 0; i < eta.rows(); ++i)
    columns.add(fmt::format("{}/eta/{}", name, i + 1), "", eta.row(i).transpose());
  const Eigen::MatrixXd origin = group(result, name + "/position", {"x", "y", "z"});
  const Eigen::MatrixXd quaternion = group(result, name + "/orientation", {"w", "x", "y", "z"});
  constexpr const char* kAxes[] = {"x", "y", "z"};
  for (const std::int64_t id : options.nodes) {
    const Eigen::MatrixXd motion = modal::node_motion(body, id, zeta);
    for (Eigen::Index c = 0; c < 3; ++c)
      columns.add(
          fmt::format("{}/{}/displacement/{}", name, id, kAxes[c]), "m", motion.row(c).transpose());
    for (Eigen::Index c = 0; c < 3; ++c)
      columns.add(fmt::format("{}/{}/rotation/{}", name, id, kAxes[c]),
                  "rad",
                  motion.row(c + 3).transpose());
    if (origin.size() == 0 || quaternion.size() == 0) continue;
    const Eigen::Vector3d undeformed =
        body.nodes[static_cast<std::size_t>(find_node(body, id))].position;
    Eigen::Matrix3Xd world(3, result.time.size());
    for (Eigen::Index r = 0; r < result.time.size(); ++r) {
      const Eigen::Quaterniond q(
          quaternion(0, r), quaternion(1, r), quaternion(2, r), quaternion(3, r));
      world.col(r) = origin.col(r) + q.normalized() * (undeformed + motion.col(r).head<3>());
    }
    for (Eigen::Index c = 0; c < 3; ++c)
      columns.add(
          fmt::format("{}/{}/position/{}", name, id, kAxes[c]), "m", world.row(c).transpose());
  }
  columns.finish();
  return out;
}

}  // namespace femflex::tools
