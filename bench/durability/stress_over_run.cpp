// Measures peaks and damage of a plate of shells (both faces, 60 modes, 10 s at 1 kHz) in processor
// time of one thread, compared with plain matrix products of the same size (sgemm and dgemm of
// OpenBLAS). Arguments: number of elements along a side (default 100; 447 for 200 000 shells);
// number of threads of a further run (0: measure only peaks and their memory).
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <numbers>
#include <random>

#include <Eigen/Core>
#include <fmt/format.h>
#include <sys/resource.h>
#if FEMFLEX_HAVE_LAPACK
#include <cblas.h>
#endif

#include "femflex/durability/run_stress.h"
#include "femflex/durability/stress_source.h"
#include "femflex/fe_model.h"
#include "femflex/progress.h"

namespace {

using namespace femflex;

constexpr Eigen::Index kModes = 60;
constexpr Eigen::Index kInstants = 10000;
constexpr double kStep = 1e-3;              // [s]
constexpr Eigen::Index kRowsOfBlock = 384;  // rows of a plain product, which is fastest with some
                                            // hundreds

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <class Work>
double cpu_of(const Work& work) {
  const double start = cpu_seconds();
  work();
  return cpu_seconds() - start;
}

/// A plate of 1 m x 1 m with sections and materials; node ids start at 1 and continue row by row.
FeModel plate(std::int64_t side) {
  FeModel model;
  model.units = Units{};
  const double h = 1.0 / static_cast<double>(side);
  std::vector<Dof> rows;
  for (std::int64_t j = 0; j <= side; ++j)
    for (std::int64_t i = 0; i <= side; ++i) {
      const std::int64_t id = j * (side + 1) + i + 1;
      model.nodes.push_back({id, {h * static_cast<double>(i), h * static_cast<double>(j), 0.0}, 0});
      for (std::int8_t c = 1; c <= 6; ++c)
        rows.push_back({id, c});
    }
  model.dofs = DofMap(rows);
  ElementBlock block{"CQUAD4", 4, {}, {}};
  for (std::int64_t j = 0; j < side; ++j)
    for (std::int64_t i = 0; i < side; ++i) {
      const std::int64_t first = j * (side + 1) + i + 1;
      block.ids.push_back(j * side + i + 1);
      for (const std::int64_t node : {first, first + 1, first + side + 2, first + side + 1})
        block.connectivity.push_back(node);
      ElementSection section;
      section.element = block.ids.back();
      section.property = 0;
      model.properties.elements.push_back(section);
    }
  model.elements = {block};
  FeMaterial steel;
  steel.name = "1";
  steel.constants = {210e9, 0.3, FeProperty::kNone};
  model.properties.materials = {steel};
  FeProperty shell;
  shell.name = "1";
  shell.kind = FeProperty::Kind::shell;
  shell.material = "1";
  shell.thickness = 0.01;
  model.properties.properties = {shell};
  return model;
}

/// Shapes: bending waves w = sin(a pi x) sin(b pi y) with their rotations, and some membrane
/// motion.
durability::ShapeSet waves(const FeModel& model) {
  durability::ShapeSet out;
  for (const Node& node : model.nodes)
    out.nodes.push_back({node.id, node.position});
  out.shapes.setZero(6 * static_cast<Eigen::Index>(model.nodes.size()), kModes);
  for (Eigen::Index k = 0; k < kModes; ++k) {
    const double a = std::numbers::pi * static_cast<double>(k % 8 + 1);
    const double b = std::numbers::pi * static_cast<double>(k / 8 + 1);
    for (std::size_t n = 0; n < out.nodes.size(); ++n) {
      const Eigen::Vector3d& x = out.nodes[n].position;
      const auto at = 6 * static_cast<Eigen::Index>(n);
      out.shapes(at, k) = 0.01 * std::sin(b * x.x());
      out.shapes(at + 2, k) = std::sin(a * x.x()) * std::sin(b * x.y());
      out.shapes(at + 3, k) = b * std::sin(a * x.x()) * std::cos(b * x.y());
      out.shapes(at + 4, k) = -a * std::cos(a * x.x()) * std::sin(b * x.y());
    }
  }
  return out;
}

/// Narrow-band random motion of each mode; lower modes have larger amplitudes.
Eigen::MatrixXd coordinates() {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  Eigen::MatrixXd out(kInstants, kModes);
  for (Eigen::Index k = 0; k < kModes; ++k) {
    const double w = 2.0 * std::numbers::pi * (5.0 + 2.0 * static_cast<double>(k)) * kStep;
    double last = 0.0;
    double before = 0.0;
    for (Eigen::Index t = 0; t < kInstants; ++t) {
      const double now = 2.0 * 0.995 * std::cos(w) * last - 0.99 * before + normal(random);
      before = last;
      last = now;
      out(t, k) = 1e-6 * now / static_cast<double>((k + 1) * (k + 1));
    }
  }
  return out;
}

#if FEMFLEX_HAVE_LAPACK
double bare_single(const Eigen::MatrixXd& zeta, Eigen::Index rows) {
  const Eigen::MatrixXf Z = zeta.cast<float>();
  const Eigen::MatrixXf S = Eigen::MatrixXf::Random(kRowsOfBlock, kModes);
  Eigen::MatrixXf H(kInstants, kRowsOfBlock);
  return cpu_of([&] {
    for (Eigen::Index first = 0; first < rows; first += kRowsOfBlock)
      cblas_sgemm(CblasColMajor,
                  CblasNoTrans,
                  CblasTrans,
                  kInstants,
                  static_cast<int>(std::min(kRowsOfBlock, rows - first)),
                  kModes,
                  1.0F,
                  Z.data(),
                  kInstants,
                  S.data(),
                  kRowsOfBlock,
                  0.0F,
                  H.data(),
                  kInstants);
  });
}
double bare_double(const Eigen::MatrixXd& Z, Eigen::Index rows) {
  const Eigen::MatrixXd S = Eigen::MatrixXd::Random(kRowsOfBlock, kModes);
  Eigen::MatrixXd H(kInstants, kRowsOfBlock);
  return cpu_of([&] {
    for (Eigen::Index first = 0; first < rows; first += kRowsOfBlock)
      cblas_dgemm(CblasColMajor,
                  CblasNoTrans,
                  CblasTrans,
                  kInstants,
                  static_cast<int>(std::min(kRowsOfBlock, rows - first)),
                  kModes,
                  1.0,
                  Z.data(),
                  kInstants,
                  S.data(),
                  kRowsOfBlock,
                  0.0,
                  H.data(),
                  kInstants);
  });
}
#endif

double memory_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

}  // namespace

int main(int count, char** arguments) {
  const std::int64_t side = count > 1 ? std::atoll(arguments[1]) : 100;
  const int threads = count > 2 ? std::atoi(arguments[2]) : 2;
  const FeModel model = plate(side);
  const durability::ShapeSet shapes = waves(model);
  const durability::StressMesh mesh(model, shapes, {});
  const durability::ComputedStress source(mesh, durability::StressPlaces::centre);
  const Eigen::VectorXd time =
      Eigen::VectorXd::LinSpaced(kInstants, 0.0, kStep * static_cast<double>(kInstants - 1));
  const Eigen::MatrixXd zeta = coordinates();
  const auto rows = static_cast<Eigen::Index>(6 * source.size());
  fmt::print("{} shells, {} rows, {} modes, {} instants\n", source.size(), rows, kModes, kInstants);

  const double recovery = cpu_of([&] {
    for (std::size_t k = 0; k < source.size(); k += 64)
      static_cast<void>(source.stress(k, std::min(source.size(), k + 64)));
  });
  fmt::print("recovery of S     {:8.3f} s\n", recovery);
#if FEMFLEX_HAVE_LAPACK
  const double single = threads > 0 ? bare_single(zeta, rows) : 1.0;
  const double exact = threads > 0 ? bare_double(zeta, rows) : 1.0;
  fmt::print("bare sgemm        {:8.3f} s\nbare dgemm        {:8.3f} s\n", single, exact);
#else
  const double single = 1.0;
  const double exact = 1.0;
#endif
  durability::RunStressOptions options;
  const auto peaks_time = [&] {
    return cpu_of([&] { stress_over_run(source, time, zeta, options, no_progress()); });
  };
  const auto row = [&](const char* name, double seconds) {
    fmt::print("{:<17} {:8.3f} s   {:5.2f} of sgemm  {:5.2f} of dgemm\n",
               name,
               seconds,
               seconds / single,
               seconds / exact);
  };
  row("peaks", peaks_time());
  fmt::print("memory so far {:.0f} MB\n", memory_mb());
  if (threads == 0) return 0;
  for (const double knee : {10e6, 1e6}) {
    options.damage = durability::DamageRule{.curve = {.slope = 5.0,
                                                      .knee = knee,
                                                      .knee_cycles = 2e6,
                                                      .below = durability::BelowKnee::original}};
    durability::RunStress run;
    const double seconds =
        cpu_of([&] { run = stress_over_run(source, time, zeta, options, no_progress()); });
    row(fmt::format(
            "damage, {:2.0f} %",
            100.0 * static_cast<double>(run.counted) / static_cast<double>(run.locations.size()))
            .c_str(),
        seconds);
  }
  options.damage.reset();
  double start = wall_seconds();
  stress_over_run(source, time, zeta, options, no_progress());
  const double alone = wall_seconds() - start;
  options.threads = threads;
  start = wall_seconds();
  stress_over_run(source, time, zeta, options, no_progress());
  fmt::print(
      "{} threads: {:.2f} times as fast (wall time)\n", threads, alone / (wall_seconds() - start));
  fmt::print("largest memory {:.0f} MB\n", memory_mb());
}
