// Draws the hot spots of a run: a table of all, histories of the first ones, and the cycles of the
// first one.
#include "report/stress_page.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "document/table.h"
#include "report/html_report.h"

namespace femflex::report {
namespace {

/// Number of histories on the page; the table contains all hot spots.
constexpr std::size_t kPlots = 3;
/// Number of cells of the rainflow matrix in each direction.
constexpr Eigen::Index kCells = 32;

/// Logarithms of the numbers of cycles by range and mean, scaled to 0 to 1.
Eigen::MatrixXd matrix_of(const std::vector<durability::Cycle>& cycles) {
  double range = 0.0;
  double low = cycles.front().mean;
  double high = low;
  for (const durability::Cycle& cycle : cycles) {
    range = std::max(range, cycle.range);
    low = std::min(low, cycle.mean);
    high = std::max(high, cycle.mean);
  }
  const auto cell = [](double share) {
    return std::clamp(static_cast<Eigen::Index>(share * kCells), Eigen::Index{0}, kCells - 1);
  };
  Eigen::MatrixXd counts = Eigen::MatrixXd::Zero(kCells, kCells);
  for (const durability::Cycle& cycle : cycles)
    counts(kCells - 1 - cell(range > 0.0 ? cycle.range / range : 0.0),
           cell(high > low ? (cycle.mean - low) / (high - low) : 0.5)) += cycle.count;
  const double most = std::log1p(counts.maxCoeff());
  return counts.array().log1p() / (most > 0.0 ? most : 1.0);
}

}  // namespace

void write_stress_page(const verbs::StressPage& page, const std::filesystem::path& path) {
  const viewer::PageSpot* first = page.spots.empty() ? nullptr : &page.spots.front();
  std::string verdict = "no place has stresses";
  if (first != nullptr)
    verdict = fmt::format(
        "largest von Mises stress of body {}: {} Pa", page.body, tools::readable(first->von_mises));
  bool is_good = first != nullptr;
  if (first != nullptr && first->damage) {
    is_good = *first->damage < 1.0;
    verdict = fmt::format("largest damage of body {} in this run: {} at {}",
                          page.body,
                          tools::readable(*first->damage),
                          first->place);
  }
  HtmlReport out(page.title, is_good, verdict);
  out.paragraph(page.source);
  out.paragraph(
      fmt::format("{} places of elements. Signed von Mises stress has the sign of the "
                  "principal stress of largest size.",
                  page.places));
  if (!page.curve.empty())
    out.paragraph(fmt::format(
        "Damage: sum of cycles over cycles to failure by the curve {}; 1 is the end of the life.",
        page.curve));
  out.heading("Hot spots");
  std::vector<std::string> heads = {"place", "node", "von Mises [Pa]", "time [s]"};
  if (!page.curve.empty()) heads.insert(heads.end(), {"damage", "runs to damage 1"});
  tools::TextTable table(heads);
  for (const viewer::PageSpot& spot : page.spots) {
    std::vector<std::string> cells = {spot.place,
                                      std::to_string(spot.node),
                                      tools::readable(spot.von_mises),
                                      tools::readable(spot.time.value_or(0.0))};
    if (spot.damage) {
      cells.push_back(tools::readable(*spot.damage));
      cells.push_back(*spot.damage > 0.0 ? tools::readable(1.0 / *spot.damage) : "no end");
    }
    table.add(std::move(cells));
  }
  out.table(table);
  out.heading("Histories");
  for (std::size_t k = 0; k < std::min(kPlots, page.spots.size()); ++k) {
    const viewer::PageSpot& spot = page.spots[k];
    Plot plot;
    plot.title = spot.place;
    plot.x_label = "time [s]";
    plot.y_label = spot.criterion + " [Pa]";
    Curve curve;
    curve.name = spot.criterion;
    curve.x = page.time;
    curve.y = spot.history;
    plot.curves = {std::move(curve)};
    out.plot(plot);
  }
  if (first != nullptr && !first->cycles.empty()) {
    out.heading("Cycles of the first place");
    const auto largest = std::max_element(
        first->cycles.begin(), first->cycles.end(), [](const auto& a, const auto& b) {
          return a.range < b.range;
        });
    out.paragraph(
        fmt::format("Rainflow matrix of {}: the largest range, {} Pa, is at the top, the "
                    "smallest mean at the left; shades are logarithms of the number of "
                    "cycles.",
                    first->place,
                    tools::readable(largest->range)));
    out.heat_map(matrix_of(first->cycles), "range", "mean");
  }
  out.write(path);
}

}  // namespace femflex::report
