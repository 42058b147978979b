// .fmx: a tag of 30 characters ("#FEDEM mass matrix", blanks after it), the integer 0x1234 of 2
// bytes, which tells the byte order, a zero of 4 bytes, a checksum of 4 bytes (0: none), the text
// ";1.0;\n", then doubles column by column. .ftl: text records LABEL{number fields}; a node whose
// second field is 1 is an interface node.
#include "openfedem.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"

#include "bytes/text_sink.h"

namespace femflex::flexfile {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr std::size_t kTag = 30;  // characters

void write_fmx(std::string_view what, const MatrixXd& matrix, const std::filesystem::path& path) {
  std::string head = fmt::format("#FEDEM {}", what);
  head.resize(kTag, ' ');
  constexpr std::uint16_t kByteOrder = 0x1234;
  constexpr std::array<std::uint32_t, 2> kChecksum = {0, 0};
  head.append(reinterpret_cast<const char*>(&kByteOrder), sizeof kByteOrder);      // NOLINT: bytes
  head.append(reinterpret_cast<const char*>(kChecksum.data()), sizeof kChecksum);  // NOLINT
  head += ";1.0;\n";
  io::AtomicFile file(path);
  file.append(head);
  file.append({reinterpret_cast<const char*>(matrix.data()),  // NOLINT: bytes of numbers
               static_cast<std::size_t>(matrix.size()) * sizeof(double)});
  file.commit();
}

void write_ftl(const FlexBody& body, const std::filesystem::path& path) {
  TextSink out(path);
  out.put(
      fmt::format("FTLVERSION{{7 ASCII}}\n# {}, reduced by femflex; SI units\n"
                  "#\n# Nodal coordinates\n#\n",
                  body.name.empty() ? "a body" : body.name));
  for (const BodyNode& node : body.nodes) {
    const bool is_interface =
        std::find(body.interface_nodes.begin(), body.interface_nodes.end(), node.id) !=
        body.interface_nodes.end();
    const Eigen::Vector3d& p = node.position;
    out.put(fmt::format(
        "NODE{{{} {} {} {} {}}}\n", node.id, is_interface ? 1 : 0, p.x(), p.y(), p.z()));
  }
  out.put("#\n# End of file\n");
  out.commit();
}

}  // namespace

void write_openfedem(const FlexBody& body, const std::filesystem::path& path, FrameMotion frame) {
  const Superelement element = superelement_of(body, frame);
  for (const SuperelementNode& each : element.nodes)
    if (each.components != 6)
      throw ModelError(
          "interface",
          fmt::format("node {} has no rotations, and a triad of openfedem has six DOFs",
                      each.node.id),
          {path.string()},
          "attach the part by a spider (import --spider)");
  const auto beside = [&](std::string_view ending) {
    return path.parent_path() / (path.stem().string() + std::string(ending));
  };
  write_fmx("stiffness matrix", element.stiffness, beside("_S.fmx"));
  write_fmx("mass matrix", element.mass, beside("_M.fmx"));
  write_fmx("gravity force vectors", element.gravity, beside("_G.fmx"));
  write_ftl(body, path);
}

}  // namespace femflex::flexfile
