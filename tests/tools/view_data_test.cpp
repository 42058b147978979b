// Tests the mesh of the viewer page. Truth: VTK's list of cells, and the numbers of faces in
// pictures of other formats.
#include "viewer/view_data.h"

#include <cstring>

#include <gtest/gtest.h>

#include "femflex/flexfile/flexfile.h"

#include "document/json_text.h"
#include "report/html_report.h"
#include "support/one_element.h"
#include "support/support.h"
#include "viewer/stress_view.h"

namespace femflex::viewer {
namespace {

/// Indices of the triangles (mode 4) or lines (mode 1) of a binary glTF file.
std::size_t indices_in(const std::string& glb, double mode) {
  std::uint32_t size = 0;
  std::memcpy(&size, glb.data() + 12, sizeof size);
  const tools::Json json = tools::parse_json(glb.substr(20, size), "b.glb");
  const auto& primitives = json.find("meshes")->items()[0].find("primitives")->items();
  for (const tools::Json& primitive : primitives) {
    if (primitive.find("mode")->number() != mode) continue;
    const auto index = static_cast<std::size_t>(primitive.find("indices")->number());
    return static_cast<std::size_t>(json.find("accessors")->items()[index].find("count")->number());
  }
  return 0;
}

/// VTK's type number of the only cell in a .vtu file.
int cell_in(const std::string& vtu) {
  const std::size_t data = vtu.find("<AppendedData encoding=\"raw\">\n_") + 31;
  const std::size_t array = vtu.find("Name=\"types\"");
  const std::size_t offset = std::stoul(vtu.substr(vtu.find("offset=\"", array) + 8, 20));
  return static_cast<unsigned char>(vtu[data + offset + sizeof(std::uint64_t)]);
}

// Truth: a script element of HTML ends at "</script", and "<!--" before "<script" hides that end.
TEST(ViewPage, ATextWithTagsStaysInTheBlockOfData) {
  const std::string tags = "<!-- <script </script> -->";
  View view;
  view.data["name"] = tags;
  report::HtmlReport report("title", true, "good");
  report.data("name", tools::Json(tags));
  for (const std::string& page : {page_of({view}, Blobs()), report.text()}) {
    const std::string open = "id=\"femflex-data\">";
    const std::size_t from = page.find(open) + open.size();
    const std::string block = page.substr(from, page.find("</script>", from) - from);
    EXPECT_EQ(block.find('<'), std::string::npos) << block;
    const tools::Json data = tools::parse_json(block, "page");
    const tools::Json* views = data.find("views");
    EXPECT_EQ((views ? views->items().front() : data).find("name")->text(), tags);
  }
}

// Truth: the bodies named.
TEST(ViewPage, KeepsTheHotSpotsOfEveryBody) {
  View view;
  view.data["bodies"] = tools::Json::list();
  Blobs blobs;
  for (const char* name : {"left", "right"}) {
    tools::Json body = tools::Json::object();
    body["name"] = name;
    view.data["bodies"].push_back(std::move(body));
    PageSpot spot;
    spot.place = "element 1";
    add_stress(view, name, {}, {spot}, Eigen::VectorXd(), blobs);
  }
  const std::vector<tools::Json>& spots = view.data.find("spots")->items();
  ASSERT_EQ(spots.size(), 2U);
  EXPECT_EQ(spots[0].find("body")->text(), "left");
  EXPECT_EQ(spots[1].find("body")->text(), "right");
}

// Truth: VTK's list of cells. All pictures of one body must show the same faces.
TEST(ViewData, ThePageAndTheFilesForVtkAndGltfShowEachShapeAlike) {
  const std::map<ElementShape, int> cells{{ElementShape::bar2, 3},
                                          {ElementShape::bar3, 3},
                                          {ElementShape::triangle3, 5},
                                          {ElementShape::triangle6, 22},
                                          {ElementShape::quad4, 9},
                                          {ElementShape::quad8, 23},
                                          {ElementShape::quad9, 28},
                                          {ElementShape::tetrahedron4, 10},
                                          {ElementShape::tetrahedron10, 24},
                                          {ElementShape::pyramid5, 14},
                                          {ElementShape::pyramid13, 27},
                                          {ElementShape::wedge6, 13},
                                          {ElementShape::wedge15, 26},
                                          {ElementShape::hexahedron8, 12},
                                          {ElementShape::hexahedron20, 25}};
  const testing::TemporaryFolder folder;
  for (const auto& [shape, type] : testing::kNastranShapes) {
    const ElementTopology& topology = topology_of(shape);
    SCOPED_TRACE(topology.name);
    const FlexBody body = testing::one_element(shape, type);
    const Mesh mesh = mesh_of(body);
    std::size_t triangles = 0;
    for (const ElementFace& face : topology.faces)
      triangles += static_cast<std::size_t>(face.count) - 2;
    EXPECT_EQ(mesh.triangles.size(), 3 * triangles);
    EXPECT_EQ(mesh.beams.size(), topology.dimension == 1 ? 2U : 0U);
    EXPECT_EQ(mesh.lines.size(), topology.dimension == 1 ? 0U : 2 * topology.edges.size());
    Diagnostics diagnostics;
    flexfile::write_body(body, folder / "b.glb", {}, diagnostics);
    flexfile::write_body(body, folder / "b.vtu", {}, diagnostics);
    const std::string glb = testing::read_text(folder / "b.glb");
    EXPECT_EQ(indices_in(glb, 4), mesh.triangles.size());
    EXPECT_EQ(indices_in(glb, 1), mesh.beams.size());
    EXPECT_EQ(cell_in(testing::read_text(folder / "b.vtu")), cells.at(shape));
  }
}

}  // namespace
}  // namespace femflex::viewer
