// Writes and reads .fbm files and FLEX sidecars. Shapes are stored in chunks, so that single modes
// and nodes can be read quickly.
#include "formats/native_hdf5.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/io/sha256.h"
#include "femflex/version.h"

#include "formats/native_fields.h"

namespace femflex::flexfile {
namespace {

using Eigen::Index;
using io::Hdf5File;

/// Layout version of this reader and writer. A file tells in `oldest_reader` the lowest version of
/// readers that can read it.
constexpr std::int64_t kLayoutVersion = 1;

void put_format(Hdf5File& file, const FlexBody& body, std::string_view format) {
  file.set_attribute("/", "format", format);
  file.set_attribute("/", "format_version", kLayoutVersion);
  file.set_attribute("/", "oldest_reader", kLayoutVersion);
  file.set_attribute("/", "femflex_version", std::string_view(femflex::kVersion));
  file.set_attribute("/", "units", std::string_view("m-kg-s"));
  file.set_attribute("/", "name", std::string_view(body.name));
}

void check_format(const Hdf5File& file, std::string_view format) {
  const Where where{file.name(), -1, -1, -1, "/@format"};
  if (!file.has_attribute("/", "format") || file.text_attribute("/", "format") != format)
    throw ParseError(
        "wrong-kind",
        fmt::format("is not a {}: expected an attribute 'format' with that value", format),
        where);
  const std::int64_t oldest = file.integer_attribute("/", "oldest_reader");
  if (oldest > kLayoutVersion)
    throw ParseError(
        "too-new",
        fmt::format("needs a reader of layout {}, but this femflex reads layouts up to {}",
                    oldest,
                    kLayoutVersion),
        {file.name(), -1, -1, -1, "/@oldest_reader"},
        "use a newer femflex");
}

void put_shapes(Hdf5File& file, const FlexBody& body, int deflate) {
  const auto n = static_cast<std::uint64_t>(body.mode_count());
  const auto nodes = static_cast<std::uint64_t>(body.node_count());
  const std::span<const double> values(body.shapes.data(),
                                       static_cast<std::size_t>(body.shapes.size()));
  // Column-major shapes are already stored mode after mode, node after node, so no copy is needed.
  // One chunk is 8 modes of 2048 nodes (768 KiB), so that reading a few nodes or one mode touches
  // few chunks.
  file.write_chunked("/shapes",
                     values,
                     {n, nodes, 6},
                     {std::min<std::uint64_t>(n, 8), std::min<std::uint64_t>(nodes, 2048), 6},
                     deflate);
}

}  // namespace

bool is_fbm(const std::filesystem::path& path) {
  try {
    const Hdf5File file = Hdf5File::open(path);
    return file.has_attribute("/", "format") &&
           file.text_attribute("/", "format") == "femflex-body";
  } catch (const ParseError&) {
    return false;
  }
}

void write_fbm(const FlexBody& body, const std::filesystem::path& path, int deflate) {
  Hdf5File file = Hdf5File::create(path);
  put_format(file, body, "femflex-body");
  std::vector<std::int64_t> ids;
  Eigen::MatrixXd positions(body.node_count(), 3);
  for (const BodyNode& node : body.nodes) {
    positions.row(static_cast<Index>(ids.size())) = node.position.transpose();
    ids.push_back(node.id);
  }
  file.write("/nodes/id", std::span<const std::int64_t>(ids), {ids.size()});
  file.write_matrix("/nodes/position", positions);
  file.write_matrix("/nodes/lumped_mass", body.lumped_mass);
  put_shapes(file, body, deflate);
  file.write_matrix("/mass", body.mass);
  file.write_matrix("/stiffness", body.stiffness);
  put_vector(file, "/initial/zeta", body.initial_zeta);
  put_vector(file, "/initial/zeta_dot", body.initial_zeta_dot);
  put_fields(file, body);
  file.commit();
}

FlexBody read_fbm(const std::filesystem::path& path, Diagnostics& /*diagnostics*/) {
  const Hdf5File file = Hdf5File::open(path);
  check_format(file, "femflex-body");
  FlexBody body;
  body.name = file.text_attribute("/", "name");
  const std::vector<std::int64_t> ids = file.read_integers("/nodes/id");
  const auto nodes = static_cast<Index>(ids.size());
  const Eigen::MatrixXd positions = get_matrix(file, "/nodes/position", nodes, 3);
  body.nodes.resize(ids.size());
  for (std::size_t k = 0; k < ids.size(); ++k)
    body.nodes[k] = {ids[k], positions.row(static_cast<Index>(k)).transpose()};
  body.lumped_mass = get_matrix(file, "/nodes/lumped_mass", nodes, 6);

  const std::vector<std::uint64_t> extents = file.shape("/shapes");
  if (extents.size() != 3 || extents[1] != ids.size() || extents[2] != 6)
    throw ParseError("size",
                     fmt::format("expected (modes, {}, 6) numbers", nodes),
                     {file.name(), -1, -1, -1, "/shapes"});
  const std::uint64_t count = file.checked_count("/shapes");
  const Index n = static_cast<Index>(extents[0]);
  body.shapes.resize(6 * nodes, n);
  if (count > 0) file.read_box("/shapes", {0, 0, 0}, extents, {body.shapes.data(), count});
  body.mass = get_matrix(file, "/mass", n, n);
  body.stiffness = get_matrix(file, "/stiffness", n, n);
  body.initial_zeta = get_vector(file, "/initial/zeta", n);
  body.initial_zeta_dot = get_vector(file, "/initial/zeta_dot", n);
  body.modes.resize(static_cast<std::size_t>(n));
  get_fields(file, body);
  return body;
}

Hdf5File make_sidecar(const FlexBody& body,
                      const std::filesystem::path& path,
                      const std::string& flex_name,
                      const std::string& hash) {
  Hdf5File file = Hdf5File::create(path);
  put_format(file, body, "femflex-flex-sidecar");
  file.set_attribute("/", "flex_file", std::string_view(flex_name));
  file.set_attribute("/", "flex_sha256", std::string_view(hash));
  put_fields(file, body);
  return file;
}

bool read_sidecar(const std::filesystem::path& path,
                  std::string_view flex_text,
                  FlexBody& body,
                  Diagnostics& diagnostics) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return false;
  const Hdf5File file = Hdf5File::open(path);
  check_format(file, "femflex-flex-sidecar");
  if (file.text_attribute("/", "flex_sha256") != io::sha256_of(flex_text)) {
    diagnostics.warn("foreign-sidecar",
                     "was written for another state of the FLEX file and is ignored; invariants "
                     "are derived, damping and back-transformation are not available",
                     {path.string()});
    return false;
  }
  FlexBody complete = body;
  complete.name = file.text_attribute("/", "name");
  get_fields(file, complete);
  body = std::move(complete);
  return true;
}

}  // namespace femflex::flexfile
