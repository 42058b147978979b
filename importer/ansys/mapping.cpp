// Reads `.mapping` files of ANSYS, which name the DOF of each matrix row: one line per row with
// equation number, node, DOF label.
#include "ansys/mapping.h"

#include <array>
#include <string>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/lines.h"
#include "femflex/number.h"
#include "femflex/text.h"

#include "bytes/line_steps.h"

namespace femflex::importer {
namespace {

constexpr std::array<std::string_view, 6> kLabels{"UX", "UY", "UZ", "ROTX", "ROTY", "ROTZ"};

bool is_title(std::string_view line) {
  return line.find("Matrix Eqn") != std::string_view::npos &&
         line.find("Node") != std::string_view::npos && line.find("DOF") != std::string_view::npos;
}

}  // namespace

bool is_ansys_mapping(const FileHead& head) {
  return is_title(head.bytes.substr(0, head.bytes.find_first_of("\r\n")));
}

std::vector<Dof> read_mapping_lines(InputFile& file, Progress& progress) {
  Lines lines(file.bytes());
  const auto fail = [&](const std::string& what) {
    throw ParseError("mapping", what, {file.name(), lines.number()});
  };
  if (!lines.next() || !is_title(lines.line())) fail("there is no title 'Matrix Eqn, Node, DOF'");
  std::vector<Dof> dofs;
  while (lines.next()) {
    std::string_view line = lines.line();
    if (trimmed(line).empty()) continue;
    std::int64_t equation = 0;
    std::int64_t node = 0;
    if (!take_integer(line, equation) || !take_integer(line, node) || trimmed(line).empty())
      fail(fmt::format("'{}' is not 'equation node DOF'", lines.line().substr(0, 60)));
    if (equation != static_cast<std::int64_t>(dofs.size()) + 1)
      fail(fmt::format("equation {} follows {}", equation, dofs.size()));
    const std::string_view label = trimmed(line);
    Dof dof{node, 0};
    for (std::size_t k = 0; k < kLabels.size(); ++k)
      if (label == kLabels[k]) dof.component = static_cast<std::int8_t>(k + 1);
    dofs.push_back(dof);
    report_lines(file, lines, progress);
  }
  return dofs;
}

FileContents read_ansys_mapping(const std::filesystem::path& path,
                                const ReadOptions& /*options*/,
                                Diagnostics& /*diagnostics*/,
                                Progress& progress) {
  InputFile file(path);
  FileContents contents;
  contents.encoding = "ascii";
  contents.program = "ANSYS";
  contents.row_map = read_mapping_lines(file, progress);
  return contents;
}

}  // namespace femflex::importer
