// Writes VTK files (ParaView) of a body and its modes: an XML description of the arrays, followed
// by their raw bytes.
#include "pictures/vtu.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/element_shape.h"
#include "femflex/flexfile/field_pictures.h"

#include "bytes/text_sink.h"
#include "derive.h"
#include "pictures/picture.h"
#include "pictures/surface.h"

namespace femflex::flexfile {
namespace {

using Eigen::Index;

/// The numbers as raw bytes.
template <class T>
std::string bytes_of(const std::vector<T>& values) {
  std::string out(values.size() * sizeof(T), '\0');
  if (!values.empty()) std::memcpy(out.data(), values.data(), out.size());
  return out;
}

/// Nodes of an element in the order of its VTK cell; of a bar its two ends.
std::vector<std::size_t> vtk_order(ElementShape shape) {
  std::vector<std::size_t> order = upper_mids_first(shape);
  if (topology_of(shape).dimension == 1) order.resize(2);
  return order;
}

/// Elements as VTK cells.
struct Cells {
  std::vector<std::int64_t> connectivity, offsets, ids;
  std::vector<std::uint8_t> types;
  std::vector<std::size_t> numbers;  ///< of the elements over all blocks; empty for cells of nodes
};

Cells cells_of(const FlexBody& body) {
  Cells cells;
  const auto end_cell = [&](std::uint8_t type, std::int64_t id) {
    cells.offsets.push_back(static_cast<std::int64_t>(cells.connectivity.size()));
    cells.types.push_back(type);
    cells.ids.push_back(id);
  };
  std::size_t first = 0;
  for (const ElementBlock& block : body.elements) {
    const std::size_t first_of_block = first;
    first += block.ids.size();
    const ElementShape shape = shape_of(block.type, block.nodes_per_element);
    if (shape == ElementShape::none) continue;
    const auto per = static_cast<std::size_t>(block.nodes_per_element);
    const std::vector<std::size_t> order = vtk_order(shape);
    const int corners = topology_of(shape).corner_count;
    for (std::size_t e = 0; e < block.ids.size(); ++e) {
      std::vector<std::int64_t> nodes;
      for (const std::size_t k : order)
        nodes.push_back(find_node(body, block.connectivity[e * per + k]));
      const auto missing = [](std::int64_t node) { return node < 0; };
      const bool has_all_nodes = std::none_of(nodes.begin(), nodes.end(), missing);
      if (!has_all_nodes)
        nodes.resize(static_cast<std::size_t>(corners));  // a mid node may be missing
      if (std::any_of(nodes.begin(), nodes.end(), missing)) continue;
      cells.connectivity.insert(cells.connectivity.end(), nodes.begin(), nodes.end());
      end_cell(topology_of(has_all_nodes ? shape : shape_of(block.type, corners)).vtk_cell,
               block.ids[e]);
      cells.numbers.push_back(first_of_block + e);
    }
  }
  if (cells.types.empty())
    for (Index k = 0; k < body.node_count(); ++k) {
      cells.connectivity.push_back(k);
      end_cell(1, body.nodes[static_cast<std::size_t>(k)].id);
    }
  return cells;
}

/// Collects arrays and writes their XML description, followed by their bytes.
class VtuWriter {
 public:
  /// @param positions  (3 nodes) where the nodes are drawn; empty: those of the body
  VtuWriter(const FlexBody& body, const Cells& cells, const Eigen::VectorXd& positions = {}) {
    std::vector<double> points(positions.begin(), positions.end());
    std::vector<std::int64_t> ids;
    for (const BodyNode& node : body.nodes) {
      if (positions.size() == 0)
        points.insert(points.end(), node.position.data(), node.position.data() + 3);
      ids.push_back(node.id);
    }
    points_ = declare("Float64", "Points", 3, bytes_of(points));
    connectivity_ = declare("Int64", "connectivity", 1, bytes_of(cells.connectivity));
    offsets_ = declare("Int64", "offsets", 1, bytes_of(cells.offsets));
    types_ = declare("UInt8", "types", 1, bytes_of(cells.types));
    cell_data_ = declare("Int64", "element_id", 1, bytes_of(cells.ids));
    point_data_ = declare("Int64", "grid_id", 1, bytes_of(ids));
    nodes_ = body.nodes.size();
    cell_count_ = cells.types.size();
  }

  void add_shape(const std::string& name, const FlexBody& body, Index mode, double factor) {
    std::vector<double> values;
    values.reserve(3 * nodes_);
    for (Index k = 0; k < body.node_count(); ++k)
      for (Index c = 0; c < 3; ++c)
        values.push_back(factor * body.shapes(6 * k + c, mode));
    point_data_ += declare("Float64", name, 3, bytes_of(values));
  }

  void add_frame(const PictureFrame& frame, const Cells& cells) {
    if (frame.displacement.size() > 0)
      point_data_ += declare(
          "Float64",
          "displacement",
          3,
          bytes_of(std::vector<double>(frame.displacement.begin(), frame.displacement.end())));
    for (const PictureField& field : frame.fields) {
      if (!field.at_nodes.empty())
        point_data_ += declare("Float64", field.name, 1, bytes_of(field.at_nodes));
      if (field.at_elements.empty() || cells.numbers.empty()) continue;
      std::vector<double> of_cells;
      for (const std::size_t number : cells.numbers)
        of_cells.push_back(field.at_elements[number]);
      cell_data_ += declare("Float64", field.name, 1, bytes_of(of_cells));
    }
  }

  void write(const std::filesystem::path& path) const {
    TextSink out(path);
    out.put(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
        "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>\n");
    out.put(
        fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n", nodes_, cell_count_));
    out.put("<PointData>\n" + point_data_ + "</PointData>\n<CellData>\n" + cell_data_ +
            "</CellData>\n<Points>\n" + points_ + "</Points>\n<Cells>\n" + connectivity_ +
            offsets_ + types_ +
            "</Cells>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_");
    for (const std::string& data : data_) {
      const std::vector<std::uint64_t> size{data.size()};
      out.put(bytes_of(size));
      out.put(data);
    }
    out.put("\n</AppendedData>\n</VTKFile>\n");
    out.commit();
  }

 private:
  /// Stores the bytes of an array and returns its XML description.
  std::string declare(const char* type, const std::string& name, int components, std::string data) {
    std::string xml = fmt::format(
        "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" "
        "offset=\"{}\"/>\n",
        type,
        name,
        components,
        end_);
    end_ += sizeof(std::uint64_t) + data.size();
    data_.push_back(std::move(data));
    return xml;
  }

  std::string points_, connectivity_, offsets_, types_, cell_data_, point_data_;
  std::vector<std::string> data_;
  std::size_t end_ = 0;
  std::size_t nodes_ = 0;
  std::size_t cell_count_ = 0;
};

}  // namespace

void write_vtu(const FlexBody& body, const std::filesystem::path& path) {
  VtuWriter vtu(body, cells_of(body));
  for (Index k = 0; k < body.mode_count(); ++k) {
    const double hz = frequency_of(body.modes[static_cast<std::size_t>(k)]);
    const std::string name = std::isnan(hz) ? fmt::format("mode_{:03}", k + 1)
                                            : fmt::format("mode_{:03}_{:.4g}Hz", k + 1, hz);
    vtu.add_shape(name, body, k, 1.0);
  }
  vtu.write(path);
}

void write_pvd(const FlexBody& body, const std::filesystem::path& path, double amplitude) {
  const Cells cells = cells_of(body);
  // opened first to test the folder; the file appears only after all .vtu files
  TextSink out(path);
  out.put("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n");
  for (Index k = 0; k < body.mode_count(); ++k) {
    const std::string name = fmt::format("{}_{:03}.vtu", path.stem().string(), k + 1);
    VtuWriter vtu(body, cells);
    vtu.add_shape("displacement", body, k, picture_scale(body, k, amplitude));
    vtu.write(path.parent_path() / name);
    out.put(fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", k + 1, name));
  }
  out.put("</Collection>\n</VTKFile>\n");
  out.commit();
}

void write_field_vtu(const FlexBody& body,
                     const PictureFrame& frame,
                     const std::filesystem::path& path) {
  const Cells cells = cells_of(body);
  VtuWriter vtu(body, cells, frame.positions);
  vtu.add_frame(frame, cells);
  vtu.write(path);
}

void write_field_pvd(const FlexBody& body,
                     std::size_t count,
                     const std::function<PictureFrame(std::size_t)>& frame_of,
                     const std::filesystem::path& path) {
  const Cells cells = cells_of(body);
  TextSink out(path);  // as in write_pvd()
  out.put("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n");
  for (std::size_t k = 0; k < count; ++k) {
    const std::string name = fmt::format("{}_{:04}.vtu", path.stem().string(), k + 1);
    const PictureFrame frame = frame_of(k);
    VtuWriter vtu(body, cells, frame.positions);
    vtu.add_frame(frame, cells);
    vtu.write(path.parent_path() / name);
    out.put(fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", frame.time, name));
  }
  out.put("</Collection>\n</VTKFile>\n");
  out.commit();
}

}  // namespace femflex::flexfile
