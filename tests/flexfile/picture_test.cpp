// Tests pictures of bodies (VTK, glTF). Truth: Euler's number of edges, the divergence theorem, and
// the layouts of the formats read in the test.
#include <cstdint>
#include <cstring>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "femflex/flexfile/flexfile.h"

#include "bodies.h"
#include "pictures/surface.h"
#include "support/support.h"

namespace femflex::flexfile {
namespace {

/// Two bricks on one another, a bar and a triangle: 12 nodes with ids 1..12 and one mode.
FlexBody bricks() {
  FlexBody body;
  body.name = "two \"bricks\"";
  for (std::int64_t k = 0; k < 12; ++k) {
    const std::int64_t corner = k % 4;
    body.nodes.push_back(
        {k + 1,
         Eigen::Vector3d(
             corner == 1 || corner == 2 ? 1 : 0, corner >= 2 ? 1 : 0, static_cast<double>(k / 4))});
  }
  body.shapes = Eigen::MatrixXd::Zero(72, 1);
  for (Eigen::Index k = 0; k < 12; ++k)
    body.shapes(6 * k, 0) = static_cast<double>(k / 4);
  body.modes.resize(1);
  body.modes[0].kind = ModeKind::dynamic;
  body.modes[0].eigenvalue = 4.0e4;
  body.mass = body.stiffness = Eigen::MatrixXd::Identity(1, 1);
  body.lumped_mass = Eigen::MatrixXd::Ones(12, 6);
  body.invariants = zero_invariants(1);
  body.elements = {{"CHEXA", 8, {1, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 5, 6, 7, 8, 9, 10, 11, 12}},
                   {"CBAR", 2, {3}, {1, 12}},
                   {"CTRIA3", 3, {4}, {1, 2, 9}},
                   {"CQUAD4", 4, {5}, {1, 2, 77, 3}}};
  return body;
}

template <class T>
T at(const std::string& bytes, std::size_t offset) {
  T value{};
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

// Truth: Euler: the skin of two bricks has 10 squares, so 20 triangles, and each edge lies in two.
TEST(Pictures, SkinOfSolidsIsClosedAndFacesOutwards) {
  FlexBody body = bricks();
  body.elements.resize(1);
  const Surface surface = surface_of(body);
  EXPECT_EQ(surface.triangles.size(), 20U);
  std::set<std::pair<int, int>> edges;
  double volume = 0.0;
  for (const auto& t : surface.triangles) {
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_TRUE(edges.insert({t[k], t[(k + 1) % 3]}).second);
    const auto p = [&](std::size_t k) {
      return body.nodes[static_cast<std::size_t>(t[k])].position;
    };
    volume += p(0).dot(p(1).cross(p(2))) / 6.0;
  }
  for (const auto& [a, b] : edges)
    EXPECT_TRUE(edges.count({b, a}) == 1);
  EXPECT_NEAR(volume, 2.0, 1e-12);  // divergence theorem: outward normals
}

TEST(Pictures, ElementsWithUnknownNodesAreLeftOut) {
  const Surface surface = surface_of(bricks());
  EXPECT_EQ(surface.triangles.size(), 21U);
  EXPECT_EQ(surface.lines.size(), 1U);
}

// Truth: the layout of VTK's XML files, read back by hand: offsets count from the underscore, every
// array has its size in bytes before it.
TEST(Pictures, VtuHoldsPointsCellsAndModesWhereItsOffsetsSay) {
  const testing::TemporaryFolder folder;
  Diagnostics diagnostics;
  write_body(bricks(), folder / "b.vtu", {}, diagnostics);
  const std::string text = testing::read_text(folder / "b.vtu");
  const std::size_t data = text.find("<AppendedData encoding=\"raw\">\n_") + 31;
  const auto offset_of = [&](const std::string& name) {
    const std::size_t array = text.find("Name=\"" + name + "\"");
    EXPECT_NE(array, std::string::npos) << name;
    return data + std::stoul(text.substr(text.find("offset=\"", array) + 8, 20));
  };
  EXPECT_NE(text.find("NumberOfPoints=\"12\" NumberOfCells=\"4\""), std::string::npos);
  EXPECT_EQ(at<std::uint64_t>(text, offset_of("Points")), 12U * 3 * 8);
  EXPECT_EQ(at<double>(text, offset_of("Points") + 8 + 8 * 35), 2.0);
  EXPECT_EQ(at<std::uint64_t>(text, offset_of("connectivity")), 21U * 8);
  EXPECT_EQ(at<std::int64_t>(text, offset_of("offsets") + 8 + 8), 16);
  EXPECT_EQ(at<std::uint8_t>(text, offset_of("types") + 8), 12);
  EXPECT_EQ(at<std::uint8_t>(text, offset_of("types") + 8 + 2), 3);
  EXPECT_EQ(at<std::int64_t>(text, offset_of("grid_id") + 8 + 8 * 11), 12);
  EXPECT_EQ(at<double>(text, offset_of("mode_001_31.83Hz") + 8 + 8 * 33), 2.0);
}

TEST(Pictures, PvdListsOneFileAMode) {
  const testing::TemporaryFolder folder;
  Diagnostics diagnostics;
  write_body(testing::random_body(1), folder / "b.pvd", {}, diagnostics);
  const std::string text = testing::read_text(folder / "b.pvd");
  EXPECT_NE(text.find("timestep=\"4\" part=\"0\" file=\"b_004.vtu\""), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(folder / "b_004.vtu"));
  EXPECT_FALSE(std::filesystem::exists(folder / "b_005.vtu"));
}

// Truth: the glTF 2.0 container and the rules of its accessors.
TEST(Pictures, GlbChunksAndAccessorsFitEachOther) {
  const testing::TemporaryFolder folder;
  Diagnostics diagnostics;
  write_body(bricks(), folder / "b.glb", {}, diagnostics);
  const std::string bytes = testing::read_text(folder / "b.glb");
  ASSERT_EQ(bytes.substr(0, 4), "glTF");
  EXPECT_EQ(at<std::uint32_t>(bytes, 8), bytes.size());
  const auto json_size = at<std::uint32_t>(bytes, 12);
  EXPECT_EQ(json_size % 4, 0U);
  const nlohmann::json json = nlohmann::json::parse(bytes.substr(20, json_size));
  EXPECT_EQ(at<std::uint32_t>(bytes, 20 + json_size), json["buffers"][0]["byteLength"]);
  EXPECT_EQ(json["nodes"][1]["name"], "two \"bricks\"");
  EXPECT_EQ(json["meshes"][0]["extras"]["targetNames"][0], "dynamic 1 (31.83 Hz)");
  const std::size_t bin = 28 + json_size;
  for (const nlohmann::json& accessor : json["accessors"]) {
    const nlohmann::json& view = json["bufferViews"][accessor["bufferView"].get<std::size_t>()];
    const std::size_t components = accessor["type"] == "VEC3" ? 3 : 1;
    EXPECT_EQ(view["byteLength"].get<std::size_t>(),
              accessor["count"].get<std::size_t>() * components * 4);
    EXPECT_LE(bin + view["byteOffset"].get<std::size_t>() + view["byteLength"].get<std::size_t>(),
              bytes.size());
  }
  for (const nlohmann::json& primitive : json["meshes"][0]["primitives"])
    EXPECT_EQ(primitive["targets"].size(), 1U);
  // the largest motion is a tenth of the diagonal of the box, sqrt(6)
  const std::size_t target = json["meshes"][0]["primitives"][0]["targets"][0]["POSITION"];
  EXPECT_NEAR(json["accessors"][target]["max"][0].get<double>(), 0.1 * std::sqrt(6.0), 1e-6);
}

}  // namespace
}  // namespace femflex::flexfile
