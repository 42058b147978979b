// Measures speed model RED: the beam of speed model F1, reduced to 64 coordinates (6 constraint
// modes and 58 fixed-interface modes) with all reduced matrices and inertia integrals; K and M are
// given. Prints processor seconds, compared with those of the best open program on another machine
// of the same class. Not measured: reading the model and writing the body.
#include <array>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <numbers>
#include <string>

#include <fmt/format.h>

#include "femflex/modal/reduce.h"

#include "bricks.h"

int main(int argc, char** argv) {
  using namespace femflex;
  const int most = argc > 1 ? std::atoi(argv[1]) : 3;
  struct Size {
    int nx, ny;
    double goal, peer, hz;
  };
  const std::array<Size, 3> sizes{
      {{40, 4, 0.15, 0.34, 228.689}, {80, 8, 1.5, 5.4, 215.844}, {120, 12, 8.0, 32.3, 213.302}}};
  for (const Size& size : sizes) {
    if (&size - sizes.data() >= most) break;
    const FeModel model = bench::beam_model(size.nx, size.ny);
    modal::ReduceOptions options;
    options.method = modal::Method::craig_bampton;
    options.normal = 58;
    options.orthogonalise = true;
    options.scale = true;
    Diagnostics diagnostics;
    modal::ReduceReport report;
    const std::clock_t start = std::clock();
    const FlexBody body = modal::reduce(model, options, diagnostics, no_progress(), &report);
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    double first = 0.0;
    for (const ModeInfo& mode : body.back->chosen_modes)
      if (mode.kind == ModeKind::dynamic && mode.number == 1)
        first = std::sqrt(mode.eigenvalue) / (2.0 * std::numbers::pi);
    fmt::print(
        "{:6} DOFs, n = {}: {:.3f} CPU s (below {}: {}; best open program {} s); modes {:.2f}, "
        "projection "
        "{:.2f}, integrals {:.2f}; first frequency {:.3f} Hz (expected {:.3f})\n",
        model.dofs.size() - 6,
        body.modes.size(),
        seconds,
        size.goal,
        seconds <= size.goal ? "met" : "MISSED",
        size.peer,
        report.seconds_modes,
        report.seconds_project,
        report.seconds_invariants,
        first,
        size.hz);
  }
  return 0;
}
