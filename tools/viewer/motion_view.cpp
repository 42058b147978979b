// The playback view of a result: the motion of each body frame by frame, the scene stored with the
// result (joints, springs, wheels), and channels to plot. Declared in playback.h and viewer_page.h.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "femflex/channel.h"
#include "femflex/diagnostics.h"
#include "femflex/errors.h"
#include "femflex/progress.h"

#include "body/inputs.h"
#include "document/json_text.h"
#include "playback.h"
#include "results/back_transform.h"

namespace femflex::viewer {
namespace {

using tools::Json;
using tools::ResultSeries;

constexpr Eigen::Index kMaxFrames =
    1500;  // of a playback; more are not distinguishable and make pages large
using Columns = std::map<std::string, Eigen::Index, std::less<>>;

Columns columns_of(const ResultSeries& series) {
  Columns out;
  for (std::size_t c = 0; c < series.channels.size(); ++c)
    out.emplace(series.channels[c].name, static_cast<Eigen::Index>(c));
  return out;
}

const Json& member_of(const Json& value, const char* key) {
  const Json* found = value.is_object() ? value.find(key) : nullptr;
  if (!found)
    value.fail("picture", fmt::format("'{}' is missing", key), "run the simulation again");
  return *found;
}

class Playback {
 public:
  Playback(const ResultSeries& series,
           const ResultFiles& files,
           const ResultSeries& motion,
           const Json* scene,
           Blobs& blobs)
      : series_(series), files_(files), motion_(motion), scene_(scene), blobs_(blobs) {
    frames_ = frames_of(motion.time.size(), kMaxFrames);
    columns_ = columns_of(motion);
    if (const std::string flex = series.attribute("flex"); !flex.empty())
      flex_ = tools::parse_json(flex, "flex");
  }

  Json bodies() {
    Json out = Json::list();
    for (const std::string& name : moving_bodies(motion_, scene_))
      out.push_back(body(name));
    return out;
  }
  bool moves() const { return moves_; }
  Json notes() const { return notes_; }
  const std::vector<Eigen::Index>& frames() const { return frames_; }

 private:
  Eigen::Index column(const std::string& name) const {
    const auto found = columns_.find(name);
    return found == columns_.end() ? -1 : found->second;
  }

  Json body(const std::string& name) {
    const Json* scene_body = scene_ ? scene_->find("bodies") : nullptr;
    scene_body = scene_body ? scene_body->find(name) : nullptr;
    Json out = Json::object();
    Eigen::Index modes = 0;
    FlexBody mesh;
    if (flex_.is_object() && flex_.find(name)) {
      Diagnostics ignored;
      const FlexBody flex =
          tools::load_body(tools::flex_file_of(series_, files_.result, name, files_.flex),
                           std::nullopt,
                           ignored,
                           no_progress());
      while (column(channel_text(name, "zeta", std::to_string(modes + 1))) >= 0)
        ++modes;
      out = body_json(name, flex, blobs_);
      if (modes != flex.mode_count()) {
        notes_.push_back(fmt::format(
            "{}: {} modal coordinates in the result, {} modes in its body file; shown undeformed",
            name,
            modes,
            flex.mode_count()));
        modes = 0;
        out["shapes"] = Json::list();
        out["modes"] = Json::list();
      }
    } else if (const Json* stored_mesh = scene_body ? scene_body->find("mesh") : nullptr) {
      mesh = body_of_mesh(*stored_mesh);
      out = body_json(name, mesh, blobs_);
      add_displacements(name, mesh, out);
    }
    out["name"] = name;
    if (scene_body) {
      for (const Json::Member& member : scene_body->members()) {
        if (member.key != "mesh") out[member.key] = member.value;
      }
    }
    add_motion(name, modes, out);
    return out;
  }

  // Adds the node motion of a body without a file (a full FE model).
  void add_displacements(const std::string& name, const FlexBody& mesh, Json& out) {
    std::vector<Eigen::Index> columns;
    for (const BodyNode& node : mesh.nodes) {
      for (const char axis : {'x', 'y', 'z'})
        columns.push_back(
            column(to_text({name, std::to_string(node.id), "displacement", std::string(1, axis)})));
    }
    if (std::any_of(columns.begin(), columns.end(), [](Eigen::Index c) { return c < 0; })) {
      notes_.push_back(
          fmt::format("{}: node displacements are not in the result; shown undeformed", name));
      return;
    }
    std::vector<float> values;
    for (const Eigen::Index r : frames_) {
      for (const Eigen::Index c : columns)
        values.push_back(static_cast<float>(motion_.values(r, c)));
    }
    out["disp"] = blobs_.add(values);
    moves_ = true;
  }

  void add_motion(const std::string& name, Eigen::Index modes, Json& out) {
    const bool has_motion = column(channel_text(name, "position", "x")) >= 0;
    if (!has_motion) notes_.push_back(fmt::format("{}: its motion is not in the result", name));
    if (!has_motion && modes == 0) return;
    moves_ = true;
    std::array<Eigen::Index, kMotionChannels.size()> motion_columns{};
    for (std::size_t k = 0; k < kMotionChannels.size(); ++k)
      motion_columns[k] = column(name + "/" + kMotionChannels[k]);
    std::vector<float> zeta;
    std::vector<float> motion;
    for (const Eigen::Index r : frames_) {
      for (Eigen::Index j = 0; j < modes; ++j)
        zeta.push_back(static_cast<float>(
            motion_.values(r, column(channel_text(name, "zeta", std::to_string(j + 1))))));
      for (std::size_t k = 0; k < kMotionChannels.size(); ++k)
        motion.push_back(motion_columns[k] < 0
                             ? (k == 3 ? 1.0F : 0.0F)
                             : static_cast<float>(motion_.values(r, motion_columns[k])));
    }
    if (modes > 0) out["zeta"] = blobs_.add(zeta);
    if (has_motion) out["motion"] = blobs_.add(motion);
  }

  const ResultSeries& series_;
  const ResultFiles& files_;
  const ResultSeries& motion_;
  const Json* scene_;
  Blobs& blobs_;
  std::vector<Eigen::Index> frames_;
  Columns columns_;
  Json flex_;
  Json notes_ = Json::list();
  bool moves_ = false;
};

View system_view(const ResultSeries& series,
                 const ResultFiles& files,
                 const tools::ResultPicture& picture,
                 Blobs& blobs) {
  const std::filesystem::path& result_file = files.result;
  Json scene;
  if (!picture.scene.empty()) scene = tools::parse_json(picture.scene, result_file.string());
  const ResultSeries& motion = picture.motion.time.size() > 0 ? picture.motion : series;
  View view;
  view.title = series.name.empty() ? "simulation" : series.name;
  view.data["kind"] = "motion";
  view.data["title"] = view.title;
  Playback playback(series, files, motion, scene.is_object() ? &scene : nullptr, blobs);
  view.data["bodies"] = playback.bodies();
  if (!playback.moves())
    throw UsageError("nothing-to-show",
                     "the result holds no motion of a body or of a mass",
                     {result_file.string()},
                     "run it again with this version, or add BODY/position, BODY/orientation and "
                     "BODY/zeta to \"outputs\"");
  std::vector<double> times;
  for (const Eigen::Index r : playback.frames())
    times.push_back(motion.time(r));
  view.data["times"] = blobs.add(times);
  view.data["notes"] = playback.notes();
  if (scene.is_object()) {
    for (const char* key :
         {"planar", "scale", "joints", "links", "springs", "bushings", "wheels"}) {
      if (const Json* value = scene.find(key)) view.data[key] = *value;
    }
  }
  add_channels(series, view, blobs);
  return view;
}

}  // namespace

const std::array<const char*, 7> kMotionChannels = {"position/x",
                                                    "position/y",
                                                    "position/z",
                                                    "orientation/w",
                                                    "orientation/x",
                                                    "orientation/y",
                                                    "orientation/z"};

std::vector<std::string> moving_bodies(const ResultSeries& motion, const Json* scene) {
  std::vector<std::string> out;
  if (const Json* bodies = scene ? scene->find("bodies") : nullptr) {
    for (const Json::Member& member : bodies->members())
      out.push_back(member.key);
  }
  for (const mbd_solver::Channel& channel : motion.channels) {
    const ChannelName name = parse_channel(channel.name);
    const bool moves =
        name.place.empty() && ((name.quantity == "position" && name.component == "x") ||
                               (name.quantity == "zeta" && name.component == "1"));
    if (moves && std::find(out.begin(), out.end(), name.object) == out.end())
      out.push_back(name.object);
  }
  return out;
}

FlexBody body_of_mesh(const Json& mesh) {
  FlexBody out;
  const std::vector<Json>& ids = member_of(mesh, "ids").items();
  const std::vector<Json>& rest = member_of(mesh, "rest").items();
  if (rest.size() != 3 * ids.size())
    throw ParseError("row-count",
                     fmt::format("{} coordinates of {} nodes", rest.size(), ids.size()),
                     {.record = "/texts/picture"});
  for (std::size_t i = 0; i < ids.size(); ++i)
    out.nodes.push_back(
        {static_cast<std::int64_t>(ids[i].number()),
         {rest[3 * i].number(), rest[3 * i + 1].number(), rest[3 * i + 2].number()}});
  for (const Json& item : member_of(mesh, "elements").items()) {
    ElementBlock block;
    block.type = member_of(item, "type").text();
    block.nodes_per_element = static_cast<int>(member_of(item, "nodes_per_element").number());
    for (const Json& node : member_of(item, "connectivity").items())
      block.connectivity.push_back(static_cast<std::int64_t>(node.number()));
    out.elements.push_back(std::move(block));
  }
  return out;
}

std::vector<Eigen::Index> frames_of(Eigen::Index rows, Eigen::Index max_count) {
  const Eigen::Index stride =
      std::max<Eigen::Index>(1, (rows + max_count - 1) / std::max<Eigen::Index>(1, max_count));
  std::vector<Eigen::Index> out;
  for (Eigen::Index r = 0; r < rows; r += stride)
    out.push_back(r);
  if (rows > 0 && out.back() != rows - 1) out.push_back(rows - 1);
  return out;
}

void add_channels(const ResultSeries& series, View& view, Blobs& blobs) {
  constexpr Eigen::Index kMaxPlotRows = 2500;
  constexpr std::size_t kMaxPlottedNumbers = 6000000;
  constexpr std::size_t kMaxChannels = 3000;
  const std::vector<Eigen::Index> rows = frames_of(series.time.size(), kMaxPlotRows);
  // with thousands of masses, the page plots only the mass that the user selects
  const bool has_masses = series.channels.size() > kMaxChannels && is_lattice_result(series);
  std::vector<std::size_t> plotted;
  for (std::size_t c = 0; c < series.channels.size(); ++c) {
    const char first = series.channels[c].name.empty() ? ' ' : series.channels[c].name.front();
    if (has_masses && first >= '0' && first <= '9') continue;
    if (plotted.size() < kMaxChannels && (plotted.size() + 1) * rows.size() <= kMaxPlottedNumbers)
      plotted.push_back(c);
  }
  std::vector<double> times;
  for (const Eigen::Index r : rows)
    times.push_back(series.time(r));
  std::vector<float> values;
  values.reserve(plotted.size() * rows.size());
  Json channels = Json::list();
  for (const std::size_t c : plotted) {
    Json item = Json::object();
    item["name"] = series.channels[c].name;
    item["unit"] = series.channels[c].unit;
    channels.push_back(std::move(item));
    for (const Eigen::Index r : rows)
      values.push_back(static_cast<float>(series.values(r, static_cast<Eigen::Index>(c))));
  }
  if (plotted.size() < series.channels.size())
    view.data["notes"].push_back(
        fmt::format("{} of {} channels are on this page", plotted.size(), series.channels.size()));
  view.data["channels"] = std::move(channels);
  view.data["plotTimes"] = blobs.add(times);
  view.data["values"] = blobs.add(values);
}

View playback_view(const ResultSeries& series, const ResultFiles& files, Blobs& blobs) {
  const std::filesystem::path& result_file = files.result;
  if (series.time.size() == 0)
    throw UsageError("no-rows", "the result holds no row", {result_file.string()});
  const tools::ResultPicture picture = tools::read_picture(result_file);
  if (!picture.lattice.empty() || is_lattice_result(series))
    return lattice_view(series, result_file, picture.lattice, blobs);
  return system_view(series, files, picture, blobs);
}

}  // namespace femflex::viewer
