// Measures how fast bodies are written and read. `.fbm` is compared with a plain write and read of
// the same bytes (warm page cache; ratio of wall times). For text formats, prints megabytes per
// second of processor time.
//
//   bench_flexfile [nodes, 200000] [modes, 60]
//
// SID is measured with a fortieth of the nodes, because its text is forty times as large as the
// shapes. Not measured: disks. Files are written to the temporary folder and removed afterwards.
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "femflex/flexfile/flexfile.h"
#include "femflex/inertia_invariants.h"

namespace {

namespace fs = std::filesystem;
using namespace femflex;  // NOLINT: a program of one file

double wall(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double cpu(const std::function<void()>& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

double best_of_three(const std::function<double()>& measure) {
  double best = measure();
  for (int k = 0; k < 2; ++k)
    best = std::min(best, measure());
  return best;
}

FlexBody sample(Eigen::Index nodes, Eigen::Index n) {
  FlexBody body;
  body.name = "bench";
  body.shapes.resize(6 * nodes, n);
  for (Eigen::Index j = 0; j < n; ++j)  // numbers without a pattern; faster than a random engine
    for (Eigen::Index i = 0; i < 6 * nodes; ++i)
      body.shapes(i, j) =
          std::fmod(0.6180339887498949 * static_cast<double>(i + 7919 * j + 1), 1.0) - 0.5;
  for (Eigen::Index k = 0; k < nodes; ++k)
    body.nodes.push_back({k + 1, body.shapes.col(0).segment<3>(6 * k)});
  body.modes.resize(static_cast<std::size_t>(n));
  body.mass = Eigen::MatrixXd::Identity(n, n);
  body.stiffness = 1e4 * Eigen::MatrixXd::Identity(n, n);
  body.lumped_mass = Eigen::MatrixXd::Ones(nodes, 6);
  body.invariants = zero_invariants(n);
  body.invariants.mass = static_cast<double>(nodes);
  body.invariants.inertia.setIdentity();
  return make_flex_body(std::move(body));
}

double plain_write(const fs::path& path, const FlexBody& body) {
  return wall([&] {
    const int file = ::open(path.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
    const auto* bytes = reinterpret_cast<const char*>(body.shapes.data());
    std::size_t left = static_cast<std::size_t>(body.shapes.size()) * sizeof(double);
    while (left > 0) {
      const ssize_t done = ::write(file, bytes, left);
      if (done <= 0) std::abort();
      bytes += done;
      left -= static_cast<std::size_t>(done);
    }
    ::close(file);
  });
}

double plain_read(const fs::path& path) {
  return wall([&] {
    std::vector<char> memory(static_cast<std::size_t>(fs::file_size(path)));
    const int file = ::open(path.c_str(), O_RDONLY);
    std::size_t at = 0;
    while (at < memory.size()) {
      const ssize_t done = ::read(file, memory.data() + at, memory.size() - at);
      if (done <= 0) std::abort();
      at += static_cast<std::size_t>(done);
    }
    ::close(file);
  });
}

void bench_text(const FlexBody& body, const fs::path& path) {
  Diagnostics diagnostics;
  flexfile::WriteOptions options;
  options.sidecar = false;
  const double write = cpu([&] { flexfile::write_body(body, path, options, diagnostics); });
  const double size = static_cast<double>(fs::file_size(path)) / 1e6;
  const double read = cpu([&] { flexfile::read_body(path, {}, diagnostics); });
  fmt::print("{:16} {:9.0f} MB   write {:6.0f} MB/s   read {:6.0f} MB/s   (cpu)\n",
             path.extension().string(),
             size,
             size / write,
             size / read);
  fs::remove(path);
}

}  // namespace

int main(int argc, char** argv) {
  const Eigen::Index nodes = argc > 1 ? std::atol(argv[1]) : 200000;
  const Eigen::Index modes = argc > 2 ? std::atol(argv[2]) : 60;
  const fs::path folder = fs::temp_directory_path() / fmt::format("femflex-bench-{}", ::getpid());
  fs::create_directories(folder);
  const FlexBody body = sample(nodes, modes);
  fmt::print("{} nodes, {} modes, shapes of {:.0f} MB\n",
             nodes,
             modes,
             static_cast<double>(body.shapes.size()) * 8e-6);
  Diagnostics diagnostics;
  // the two alternate, so that other load on the machine slows both equally
  const double plain_out = best_of_three([&] { return plain_write(folder / "plain", body); });
  const double fbm_out = best_of_three(
      [&] { return wall([&] { flexfile::write_body(body, folder / "b.fbm", {}, diagnostics); }); });
  const double plain_in = best_of_three([&] { return plain_read(folder / "plain"); });
  const double fbm_in = best_of_three(
      [&] { return wall([&] { flexfile::read_body(folder / "b.fbm", {}, diagnostics); }); });
  fmt::print(
      ".fbm   write {:.2f} s, {:.2f} of plain speed   read {:.2f} s, {:.2f} of plain speed\n",
      fbm_out,
      plain_out / fbm_out,
      fbm_in,
      plain_in / fbm_in);
  fs::remove(folder / "plain");
  fs::remove(folder / "b.fbm");
  bench_text(body, folder / "b.flex");
  bench_text(body, folder / "b.fem");
  bench_text(sample(std::max<Eigen::Index>(1, nodes / 40), modes), folder / "b.sid");
  fs::remove_all(folder);
  return 0;
}
