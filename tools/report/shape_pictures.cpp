// Draws each edge of the elements once, in parallel projection. A body without elements is drawn as
// dots.
#include "shape_pictures.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/element_shape.h"
#include "femflex/frequency.h"
#include "femflex/text.h"

#include "body/fe_report.h"

namespace femflex::report {
namespace {

constexpr double kPanelWidth = 240.0, kPanelHeight = 150.0;  // of one picture [px]
constexpr double kCaption = 22.0, kMargin = 14.0;            // [px]
constexpr int kPanelsAcross = 3;
constexpr double kLargest = 0.12;        // largest drawn displacement relative to the size of the
                                         // body
constexpr std::size_t kMaxEdges = 3000;  // more edges make the page large and merge into a grey
                                         // area
constexpr Eigen::Index kMaxDots = 2000;  // most dots of a body without elements

using NodePair = std::pair<Eigen::Index, Eigen::Index>;

/// Edges of all elements as node indices; of very many edges, only every n-th.
std::vector<NodePair> edges_of_mesh(const FlexBody& body) {
  std::set<NodePair> edges;
  for (const ElementBlock& block : body.elements) {
    const ElementTopology& topology = topology_of(shape_of(block.type, block.nodes_per_element));
    const auto width = static_cast<std::size_t>(block.nodes_per_element);
    for (std::size_t at = 0; at + width <= block.connectivity.size(); at += width)
      for (const ElementEdge& edge : topology.edges) {
        const auto node = [&](int which) {
          return find_node(body, block.connectivity[at + static_cast<std::size_t>(which)]);
        };
        const Eigen::Index a = node(edge.corners[0]);
        const Eigen::Index b = node(edge.corners[1]);
        if (a >= 0 && b >= 0 && a != b) edges.insert(std::minmax(a, b));
      }
  }
  const std::size_t step = 1 + edges.size() / kMaxEdges;
  std::vector<NodePair> out;
  std::size_t k = 0;
  for (const NodePair& edge : edges)
    if (k++ % step == 0) out.push_back(edge);
  return out;
}

/// Right and up directions of the picture in the body frame, viewed from the front right above.
Eigen::Matrix<double, 2, 3> camera() {
  Eigen::Matrix<double, 2, 3> out;
  out << 0.80, 0.60, 0.0, -0.27, 0.36, 0.89;
  return out;
}

/// Maps projected points of the body to pixels of a picture.
class Panel {
 public:
  explicit Panel(const Eigen::Matrix2Xd& points) {
    const Eigen::Vector2d low = points.rowwise().minCoeff();
    const Eigen::Vector2d high = points.rowwise().maxCoeff();
    const Eigen::Vector2d room{kPanelWidth - 2.0 * kMargin, kPanelHeight - 2.0 * kMargin};
    const Eigen::Vector2d size = (high - low).cwiseMax(1e-9 * (high - low).norm() + 1e-30);
    scale_ = std::min(room.x() / size.x(), room.y() / size.y());
    middle_ = 0.5 * (low + high);
  }

  std::string at(const Eigen::Vector2d& p) const {
    return fmt::format("{:.1f} {:.1f}",
                       0.5 * kPanelWidth + scale_ * (p.x() - middle_.x()),
                       0.5 * kPanelHeight - scale_ * (p.y() - middle_.y()));
  }

 private:
  double scale_ = 1.0;
  Eigen::Vector2d middle_;
};

/// The mesh as one SVG path.
std::string mesh_path(const std::vector<NodePair>& edges,
                      const Eigen::Matrix2Xd& points,
                      const Panel& panel,
                      const char* colour) {
  std::string lines;
  for (const auto& [a, b] : edges)
    lines += "M" + panel.at(points.col(a)) + "L" + panel.at(points.col(b));
  if (edges.empty()) {
    const Eigen::Index step = 1 + points.cols() / kMaxDots;
    for (Eigen::Index i = 0; i < points.cols(); i += step)
      lines += "M" + panel.at(points.col(i)) + "h.01";
  }
  return fmt::format(
      "<path fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linecap=\"round\" d=\"{}\"/>\n",
      colour,
      edges.empty() ? 3.0 : 1.0,
      lines);
}

/// Picture and caption of one shape.
std::string shape_panel(const FlexBody& body,
                        Eigen::Index mode,
                        const std::vector<NodePair>& edges,
                        const Eigen::Matrix3Xd& places) {
  Eigen::Matrix3Xd moved = places;
  double largest = 0.0;
  for (Eigen::Index i = 0; i < body.node_count(); ++i)
    largest = std::max(largest, body.shapes.block<3, 1>(6 * i, mode).norm());
  const double size = (places.rowwise().maxCoeff() - places.rowwise().minCoeff()).norm();
  if (largest > 0.0)
    for (Eigen::Index i = 0; i < body.node_count(); ++i)
      moved.col(i) += kLargest * size / largest * body.shapes.block<3, 1>(6 * i, mode);
  const Eigen::Matrix2Xd still = camera() * places;
  const Eigen::Matrix2Xd shown = camera() * moved;
  Eigen::Matrix2Xd both(2, 2 * still.cols());
  both << still, shown;
  const Panel panel(both);
  const BodyMode& info = body.modes[static_cast<std::size_t>(mode)];
  const double hz = frequency_hz(info.eigenvalue);
  const std::string caption = fmt::format(
      "{}{}", mode + 1, std::isfinite(hz) ? fmt::format(": {} Hz", tools::readable(hz, 4)) : "");
  return mesh_path(edges, still, panel, "#c9d0d8") + mesh_path(edges, shown, panel, "#1b5494") +
         fmt::format("<text class=\"label\" text-anchor=\"middle\" x=\"{}\" y=\"{}\">{}</text>\n",
                     0.5 * kPanelWidth,
                     kPanelHeight + 12.0,
                     xml_escaped(caption));
}

}  // namespace

std::string svg_of_shapes(const FlexBody& body, Eigen::Index count) {
  count = std::min(count, body.mode_count());
  if (count <= 0 || body.node_count() < 2) return {};
  Eigen::Matrix3Xd places(3, body.node_count());
  for (Eigen::Index i = 0; i < body.node_count(); ++i)
    places.col(i) = body.nodes[static_cast<std::size_t>(i)].position;
  const std::vector<NodePair> edges = edges_of_mesh(body);
  const auto rows = static_cast<double>((count + kPanelsAcross - 1) / kPanelsAcross);
  std::string out = fmt::format(
      "<svg class=\"shapes\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"the first {} shapes "
      "of the body\">\n",
      kPanelsAcross * kPanelWidth,
      rows * (kPanelHeight + kCaption),
      count);
  for (Eigen::Index mode = 0; mode < count; ++mode)
    out += fmt::format("<g transform=\"translate({} {})\">\n",
                       static_cast<double>(mode % kPanelsAcross) * kPanelWidth,
                       static_cast<double>(mode / kPanelsAcross) * (kPanelHeight + kCaption)) +
           shape_panel(body, mode, edges, places) + "</g>\n";
  return out + "</svg>\n";
}

}  // namespace femflex::report
