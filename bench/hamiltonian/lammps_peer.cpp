// Writes a LAMMPS data file and script to a temporary folder, runs them, and reads the loop time.
#include "lammps_peer.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include <unistd.h>

namespace femflex::bench {
namespace {

namespace fs = std::filesystem;

void write_data(const fs::path& path, const hamiltonian::Lattice& net, double side) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "w"),
                                                             &std::fclose);
  std::FILE* f = file.get();
  std::fprintf(f,
               "network\n\n%zu atoms\n%zu bonds\n1 atom types\n%zu bond types\n40 extra bond per "
               "atom\n600 extra special per atom\n\n",
               net.nodes.size(),
               net.springs.size(),
               net.springs.size());
  for (const char axis : {'x', 'y', 'z'})
    std::fprintf(f, "-2 %.17g %clo %chi\n", side + 2.0, axis, axis);
  std::fprintf(f, "\nMasses\n\n1 1\n\nBond Coeffs\n\n");
  for (std::size_t s = 0; s < net.springs.size(); ++s)  // the constant K of LAMMPS is k / 2
    std::fprintf(
        f, "%zu %.17g %.17g\n", s + 1, 0.5 * net.springs[s].stiffness, net.springs[s].rest_length);
  std::fprintf(f, "\nAtoms\n\n");
  for (std::size_t i = 0; i < net.nodes.size(); ++i) {
    const auto& p = net.nodes[i].position;
    std::fprintf(f, "%zu 1 1 %.17g %.17g %.17g\n", i + 1, p(0), p(1), p(2));
  }
  std::fprintf(f, "\nBonds\n\n");
  for (std::size_t s = 0; s < net.springs.size(); ++s)
    std::fprintf(f, "%zu %zu %d %d\n", s + 1, s + 1, net.springs[s].a + 1, net.springs[s].b + 1);
}

void write_script(const fs::path& path, const Case& one, std::int64_t steps) {
  std::ofstream out(path);
  out << "units lj\natom_style bond\nboundary f f f\nnewton on\n"
         "bond_style harmonic\npair_style none\ncomm_modify cutoff 3.0\n"
         "special_bonds lj/coul 1 1 1\nneighbor 1.0 bin\n"
         "neigh_modify delay 1000000 every 1000000 check no\nread_data net.data\n"
         "timestep 0.01\n";
  if (one.extra == Extra::friction) out << "fix damp all viscous 0.1\n";
  if (one.extra == Extra::histories)
    out << "group loaded id 1:" << 1000000000 << ":" << kLoadEvery
        << "\nvariable load equal 0.1*sin(3*time)\n"
           "fix push loaded addforce 0 v_load 0\n";
  if (one.extra == Extra::motions)
    out << "region face block INF 0.5 INF INF INF INF\ngroup face region face\n"
           "group rest subtract all face\nvariable way equal 0.05*sin(2*time)\n"
           "variable rate equal 0.1*cos(2*time)\n"
           "fix drive face move variable v_way NULL NULL v_rate NULL NULL\nfix go rest nve\n";
  else
    out << "fix go all nve\n";
  out << "thermo 1000000\nrun 2\nrun " << steps << "\n";
}

}  // namespace

std::optional<double> lammps_step(const Case& one,
                                  const hamiltonian::Lattice& net,
                                  std::int64_t steps) {
  if (!one.is_linear || one.extra == Extra::dampers ||
      std::system("command -v lmp >/dev/null") != 0)
    return std::nullopt;
  const fs::path folder =
      fs::temp_directory_path() / ("femflex-networks-" + std::to_string(::getpid()));
  fs::create_directory(folder);
  write_data(folder / "net.data", net, one.side);
  write_script(folder / "net.in", one, steps);
  const std::string command =
      "cd '" + folder.string() +
      "' && OMP_NUM_THREADS=1 lmp -in net.in -log log -screen none >/dev/null";
  std::optional<double> time;
  if (std::system(command.c_str()) == 0) {
    std::ifstream log(folder / "log");
    double loop = 0.0;
    for (std::string line; std::getline(log, line);) {
      double value = 0.0;
      if (std::sscanf(line.c_str(), "Loop time of %lf", &value) == 1) loop = value;
      if (std::sscanf(line.c_str(), "%lf%% CPU use", &value) == 1) time = 0.01 * value * loop;
    }
    if (time) *time /= static_cast<double>(steps);
  }
  fs::remove_all(folder);
  return time;
}

}  // namespace femflex::bench
