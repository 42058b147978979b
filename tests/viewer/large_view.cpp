// large_view N PAGE.html: writes the viewer page of a plate of N x N nodes with ten sine shapes,
// for tests of large pages.
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "femflex/flex_body.h"
#include "femflex/io/atomic_file.h"

#include "viewer/viewer_page.h"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const long n = std::strtol(argv[1], nullptr, 10);
  constexpr Eigen::Index kModes = 10;
  femflex::FlexBody body;
  body.name = "plate";
  femflex::ElementBlock quads{"CQUAD4", 4, {}, {}};
  body.shapes.setZero(6 * n * n, kModes);
  for (long j = 0; j < n; ++j) {
    for (long i = 0; i < n; ++i) {
      const std::int64_t id = j * n + i + 1;
      const double x = static_cast<double>(i) / static_cast<double>(n - 1);
      const double y = static_cast<double>(j) / static_cast<double>(n - 1);
      body.nodes.push_back({id, {x, y, 0.0}});
      for (Eigen::Index m = 0; m < kModes; ++m)
        body.shapes(6 * (id - 1) + 2, m) =
            std::sin(std::numbers::pi * x * static_cast<double>(1 + m % 4)) *
            std::sin(std::numbers::pi * y * static_cast<double>(1 + m / 4));
      if (i + 1 == n || j + 1 == n) continue;
      quads.ids.push_back(id);
      quads.connectivity.insert(quads.connectivity.end(), {id, id + 1, id + n + 1, id + n});
    }
  }
  body.elements.push_back(quads);
  for (Eigen::Index m = 0; m < kModes; ++m)
    body.modes.push_back({femflex::ModeKind::dynamic, {}, static_cast<double>(100 + m), 0.01});
  femflex::viewer::Blobs blobs;
  const femflex::viewer::View view = femflex::viewer::mode_view(body, blobs);
  femflex::io::write_file(argv[2], femflex::viewer::page_of({view}, blobs));
  return 0;
}
