// The numbers of a viewer page: bodies as meshes with mode shapes, and arrays as base64 texts. The
// views of modes, motions and lattices use them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "femflex/flex_body.h"

#include "document/json.h"

namespace femflex::viewer {

/// Arrays of a page as separate base64 texts after the JSON block, which refers to them by number.
/// Thus a page of 100 000 nodes opens without decoding all arrays at once.
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

/// Lines and outer faces of a body's elements, with node indices.
struct Mesh {
  std::vector<std::uint32_t> lines;  ///< edges of faces, two nodes per line, without repetition
  /// Ends of bars; for a small body without elements, lines between its nodes.
  std::vector<std::uint32_t> beams;
  std::vector<std::uint32_t> triangles;  ///< three nodes each, oriented as the faces of skin_of()
};
Mesh mesh_of(const FlexBody& body);

/// Nodes, mesh, shapes and modes of a body. `modes` is the JSON list of label, kind, hz, damping.
tools::Json body_json(const std::string& name, const FlexBody& body, Blobs& blobs);

}  // namespace femflex::viewer
