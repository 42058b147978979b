// Joins the meshes of all bodies to one mesh, and moves its nodes row by row, by the body frames
// and modal coordinates.
#include "motion_series.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "femflex/channel.h"
#include "femflex/diagnostics.h"
#include "femflex/errors.h"
#include "femflex/flexfile/field_pictures.h"

#include "body/inputs.h"
#include "document/json_text.h"
#include "playback.h"
#include "results/back_transform.h"

namespace femflex::viewer {
namespace {

using Eigen::Index;
using tools::Json;
using tools::ResultSeries;

/// A body of the series: its mesh, the index of its first node in the joined mesh, and its columns.
struct SeriesBody {
  FlexBody mesh;
  Index first = 0;                   ///< index of its first node in the joined mesh, counted from 0
  std::array<Index, 7> frame{};      ///< columns of kMotionChannels; -1: none
  std::vector<Index> zeta;           ///< columns of its modal coordinates; empty: none
  std::vector<Index> displacements;  ///< columns of its nodes' displacements, 3 per node; empty:
                                     ///< none
};

Eigen::Vector3d point_of(const Json& list) {
  const std::vector<Json>& items = list.items();
  if (items.size() < 3) list.fail("picture", "three numbers expected", "run the simulation again");
  return {items[0].number(), items[1].number(), items[2].number()};
}

void add_picture_element(FlexBody& mesh, const char* type, std::vector<std::int64_t> nodes) {
  ElementBlock block;
  block.type = type;
  block.nodes_per_element = static_cast<int>(nodes.size());
  block.connectivity = std::move(nodes);
  mesh.elements.push_back(std::move(block));
}

std::int64_t add_picture_node(FlexBody& mesh, const Eigen::Vector3d& position) {
  const auto id = static_cast<std::int64_t>(mesh.nodes.size() + 1);
  mesh.nodes.push_back({id, position});
  return id;
}

/// Box and bars that represent a rigid body; its origin if it has neither.
FlexBody mesh_of_rigid(const Json& scene_body) {
  FlexBody out;
  if (const Json* box = scene_body.find("box")) {
    const Eigen::Vector3d half = 0.5 * point_of(*box->find("size"));
    const Eigen::Vector3d centre = point_of(*box->find("centre"));
    const std::vector<Json>& turn = box->find("turn")->items();
    const Eigen::Quaterniond axes(
        turn[0].number(), turn[1].number(), turn[2].number(), turn[3].number());
    std::vector<std::int64_t> corners;
    for (const double z : {-1.0, 1.0})  // in the order of CHEXA: around the lower face, then around
                                        // the upper face
      for (const auto& [x, y] : {std::pair{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}})
        corners.push_back(
            add_picture_node(out, centre + axes * half.cwiseProduct(Eigen::Vector3d(x, y, z))));
    add_picture_element(out, "CHEXA", corners);
  }
  if (const Json* bars = scene_body.find("bars"))
    for (const Json& bar : bars->items()) {
      const std::int64_t from = add_picture_node(out, point_of(bar.items().front()));
      add_picture_element(out, "CBAR", {from, add_picture_node(out, point_of(bar.items().back()))});
    }
  if (out.nodes.empty()) add_picture_node(out, Eigen::Vector3d::Zero());
  return out;
}

class SeriesWriter {
 public:
  SeriesWriter(const ResultSeries& series, const ResultFiles& files, Index max_frames)
      : series_(series), files_(files), picture_(tools::read_picture(files.result)) {
    if (!picture_.lattice.empty() || is_lattice_result(series))
      throw UsageError("not-a-system",
                       "a lattice has no bodies with a mesh",
                       {files.result.string()},
                       "look at it with 'femflex view'");
    if (!picture_.scene.empty()) scene_ = tools::parse_json(picture_.scene, files.result.string());
    if (const std::string flex = series.attribute("flex"); !flex.empty())
      flex_ = tools::parse_json(flex, "flex");
    // frames_of() adds the last row to the requested number
    rows_ = frames_of(motion().time.size(), std::max<Index>(1, max_frames - 1));
    if (max_frames == 1 && !rows_.empty()) rows_ = {rows_.back()};
    for (const std::string& name : moving_bodies(motion(), scene_.is_object() ? &scene_ : nullptr))
      add(name);
    if (rows_.empty() || bodies_.empty())
      throw UsageError("nothing-to-show",
                       "the result holds no motion of a body",
                       {files.result.string()},
                       "run it again with this version");
  }

  MotionSeries write(const std::filesystem::path& output, Progress& progress) {
    progress.begin("writing instants", static_cast<double>(rows_.size()), "");
    flexfile::write_field_pvd(
        joined_,
        rows_.size(),
        [&](std::size_t k) {
          progress.step(static_cast<double>(k));
          return frame(rows_[k]);
        },
        output);
    progress.end();
    return {std::move(joined_), rows_.size()};
  }

 private:
  const ResultSeries& motion() const {
    return picture_.motion.time.size() > 0 ? picture_.motion : series_;
  }

  /// The mesh of a body, with the columns of its elastic motion.
  SeriesBody body_named(const std::string& name) const {
    SeriesBody out;
    const Json* scene_body = scene_.is_object() ? scene_.find("bodies") : nullptr;
    scene_body = scene_body ? scene_body->find(name) : nullptr;
    const Json* mesh = scene_body ? scene_body->find("mesh") : nullptr;
    if (flex_.is_object() && flex_.find(name)) {
      Diagnostics ignored;
      out.mesh = tools::load_body(tools::flex_file_of(series_, files_.result, name, files_.flex),
                                  std::nullopt,
                                  ignored,
                                  no_progress());
      for (Index j = 0; j < out.mesh.mode_count(); ++j)
        out.zeta.push_back(motion().find(channel_text(name, "zeta", std::to_string(j + 1))));
      if (std::any_of(out.zeta.begin(), out.zeta.end(), [](Index c) { return c < 0; }))
        out.zeta.clear();  // the number of modes differs, so the body is drawn undeformed
    } else if (mesh) {
      out.mesh = body_of_mesh(*mesh);
      for (const BodyNode& node : out.mesh.nodes)
        for (const char axis : {'x', 'y', 'z'})
          out.displacements.push_back(motion().find(
              to_text({name, std::to_string(node.id), "displacement", std::string(1, axis)})));
      if (std::any_of(
              out.displacements.begin(), out.displacements.end(), [](Index c) { return c < 0; }))
        out.displacements.clear();
    } else {
      out.mesh = mesh_of_rigid(scene_body ? *scene_body : Json::object());
    }
    for (std::size_t k = 0; k < kMotionChannels.size(); ++k)
      out.frame[k] = motion().find(name + "/" + kMotionChannels[k]);
    return out;
  }

  void add(const std::string& name) {
    SeriesBody body = body_named(name);
    body.first = joined_.node_count();
    for (const BodyNode& node : body.mesh.nodes) {
      joined_.nodes.push_back({joined_.node_count() + 1, node.position});
      node_numbers_.push_back(static_cast<double>(node.id));
    }
    for (ElementBlock block : body.mesh.elements) {
      const auto count = static_cast<std::size_t>(std::max(1, block.nodes_per_element));
      block.ids.clear();
      for (std::int64_t& node : block.connectivity) {
        const Index at = find_node(body.mesh, node);
        node = at < 0 ? 0 : body.first + at + 1;  // 0: not a node of the mesh
      }
      for (std::size_t e = 0; e < block.connectivity.size() / count; ++e) {
        block.ids.push_back(static_cast<std::int64_t>(body_numbers_.size() + 1));
        body_numbers_.push_back(static_cast<double>(bodies_.size() + 1));
      }
      joined_.elements.push_back(std::move(block));
    }
    bodies_.push_back(std::move(body));
  }

  double value(Index row, Index column, double fallback) const {
    return column < 0 ? fallback : motion().values(row, column);
  }

  /// Elastic displacement of all nodes of a body in body axes (3 per node) [m].
  Eigen::VectorXd displacement_of(const SeriesBody& body, Index row) const {
    Eigen::VectorXd u = Eigen::VectorXd::Zero(3 * body.mesh.node_count());
    for (std::size_t c = 0; c < body.displacements.size(); ++c)
      u(static_cast<Index>(c)) = motion().values(row, body.displacements[c]);
    for (std::size_t j = 0; j < body.zeta.size(); ++j) {
      const double zeta = motion().values(row, body.zeta[j]);
      for (Index k = 0; k < body.mesh.node_count(); ++k)
        u.segment<3>(3 * k) += zeta * body.mesh.shapes.col(static_cast<Index>(j)).segment<3>(6 * k);
    }
    return u;
  }

  flexfile::PictureFrame frame(Index row) const {
    flexfile::PictureFrame out;
    out.time = motion().time(row);
    out.positions.resize(3 * joined_.node_count());
    out.displacement.resize(3 * joined_.node_count());
    for (const SeriesBody& body : bodies_) {
      const Eigen::Vector3d p_WB(value(row, body.frame[0], 0.0),
                                 value(row, body.frame[1], 0.0),
                                 value(row, body.frame[2], 0.0));
      const Eigen::Matrix3d R_WB = Eigen::Quaterniond(value(row, body.frame[3], 1.0),
                                                      value(row, body.frame[4], 0.0),
                                                      value(row, body.frame[5], 0.0),
                                                      value(row, body.frame[6], 0.0))
                                       .normalized()
                                       .toRotationMatrix();
      const Eigen::VectorXd u = displacement_of(body, row);
      for (Index k = 0; k < body.mesh.node_count(); ++k) {
        const Eigen::Vector3d u_W = R_WB * u.segment<3>(3 * k);
        out.displacement.segment<3>(3 * (body.first + k)) = u_W;
        out.positions.segment<3>(3 * (body.first + k)) =
            p_WB + R_WB * body.mesh.nodes[static_cast<std::size_t>(k)].position + u_W;
      }
    }
    out.fields = {{"node", node_numbers_, {}}, {"body", {}, body_numbers_}};
    return out;
  }

  const ResultSeries& series_;
  const ResultFiles& files_;
  tools::ResultPicture picture_;
  Json scene_;
  Json flex_;
  std::vector<Index> rows_;
  std::vector<SeriesBody> bodies_;
  FlexBody joined_;
  std::vector<double> node_numbers_;  // per node of the joined mesh: its number in the body
  std::vector<double> body_numbers_;  // per element of the joined mesh: number of the body, counted
                                      // from 1
};

}  // namespace

MotionSeries write_motion_series(const ResultSeries& series,
                                 const ResultFiles& files,
                                 const std::filesystem::path& output,
                                 Eigen::Index max_frames,
                                 Progress& progress) {
  if (series.time.size() == 0)
    throw UsageError("no-rows", "the result holds no row", {files.result.string()});
  return SeriesWriter(series, files, max_frames).write(output, progress);
}

}  // namespace femflex::viewer
