// Writes parts of the modal benchmarks as FE models, for runs of the whole program (see
// docs/scale.md, docs/performance.md).
//
//   write_chassis DOFS clamped|free|block|faces FILE.fe.h5
//
// clamped: a ladder frame whose brackets have fixed edges. free: the same frame; 16 nodes of these
// edges are the interface. block: a bulky part of twenty-node bricks with one fixed face. faces:
// the same part of eight-node bricks, free, with three of its faces as the interface.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "femflex/importer/fe_model_file.h"

#include "bricks.h"

namespace {

constexpr std::size_t kInterfaceNodes = 16;

/// Nodes of the block on its faces x = 0, x = 1 and z = 0.
std::vector<std::int64_t> nodes_of_faces(const femflex::FeModel& block) {
  constexpr double kOnFace = 1e-9;
  std::vector<std::int64_t> out;
  for (const femflex::Node& node : block.nodes)
    if (node.position.x() < kOnFace || node.position.x() > 1.0 - kOnFace ||
        node.position.z() < kOnFace)
      out.push_back(node.id);
  return out;
}

void write(const std::string& dofs, const std::string& support, const std::string& file) {
  // the graph of eight-node bricks is that of shells
  constexpr int kLinear = 8;
  constexpr int kQuadratic = 20;
  const std::int64_t size = std::strtoll(dofs.c_str(), nullptr, 10);
  femflex::FeModel model =
      support == "block" ? femflex::bench::block_model(size, kQuadratic)
                         : (support == "faces" ? femflex::bench::block_model(size, kLinear)
                                               : femflex::bench::chassis_model(size, kLinear));
  model.units = femflex::Units{};
  if (support == "faces") {
    model.fixed.clear();
    model.interface_nodes = nodes_of_faces(model);
  }
  if (support == "free") {
    std::vector<std::int64_t> held;
    for (const femflex::Dof& dof : model.fixed)
      if (dof.component == 1) held.push_back(dof.node);
    model.fixed.clear();
    for (std::size_t k = 0; k < kInterfaceNodes; ++k)
      model.interface_nodes.push_back(held[k * held.size() / kInterfaceNodes]);
  }
  femflex::importer::write_fe_model(model, file);
  std::printf("%s: %lld DOFs\n", file.c_str(), static_cast<long long>(model.dofs.size()));
}

}  // namespace

int main(int count, char** words) {
  if (count != 4) {
    std::fprintf(stderr, "write_chassis DOFS clamped|free|block|faces FILE.fe.h5\n");
    return 2;
  }
  try {
    write(words[1], words[2], words[3]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
  return 0;
}
