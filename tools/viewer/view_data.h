#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "femflex/flex_body.h"

#include "document/json.h"

namespace femflex::viewer {

/// The numbers of a page. They are base64 texts of their own after the JSON block, which
/// names them by number: a page of 100 000 nodes then opens without reading all of them at once.
class Blobs {
 public:
  tools::Json add(const std::vector<float>& values);
  tools::Json add(const std::vector<double>& values);
  tools::Json add(const std::vector<std::uint32_t>& values);
  tools::Json add(const std::vector<std::uint8_t>& values);
  /// The script elements "blob-0", "blob-1", ...
  std::string html() const;

 private:
  tools::Json add_bytes(const void* data, std::size_t size, const char* type);
  std::vector<std::string> texts_;
};

/// Lines and outer faces of a body's elements, as indices of nodes.
struct Mesh {
  std::vector<std::uint32_t> lines;      ///< edges of faces, two nodes a line, each once
  std::vector<std::uint32_t> beams;      ///< bars by their ends; of a small body of none: its nodes
  std::vector<std::uint32_t> triangles;  ///< three each, as skin_of() has the faces
};
Mesh mesh_of(const FlexBody& body);

/// Nodes, mesh, shapes and modes of a body. `modes` is the JSON list of label, kind, hz, damping.
tools::Json body_json(const std::string& name, const FlexBody& body, Blobs& blobs);

}  // namespace femflex::viewer
