// Writes the ladder frame of the modal benchmarks as an FE model, for runs of the whole program
// (docs/scale.md).
//
//   write_chassis DOFS clamped|free FILE.fe.h5
//
// clamped: the edges of the brackets are fixed. free: 16 nodes of them are the interface instead.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "femflex/importer/fe_model_file.h"

#include "bricks.h"

namespace {

constexpr std::size_t kInterfaceNodes = 16;

void write(const std::string& dofs, const std::string& support, const std::string& file) {
  // eight-node bricks: the graph is that of shells
  constexpr int kNodesPerBrick = 8;
  femflex::FeModel model =
      femflex::bench::chassis_model(std::strtoll(dofs.c_str(), nullptr, 10), kNodesPerBrick);
  model.units = femflex::Units{};
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
    std::fprintf(stderr, "write_chassis DOFS clamped|free FILE.fe.h5\n");
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
