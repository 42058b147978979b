// Stresses of all shapes at all places: a table of all values, and the largest stress of each
// shape.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "document/table.h"
#include "results/stress_tables.h"
#include "verbs/stress_pictures.h"
#include "verbs/stress_subjects.h"

namespace femflex::verbs {
namespace {

using durability::StressSource;
using tools::Json;

/// Number of elements whose stresses are computed at once for all shapes.
constexpr std::size_t kShapeBlock = 64;

/// Goes through all shapes and all locations; keeps the largest stress of each shape.
class ShapeRows {
 public:
  ShapeRows(const StressSource& source,
            std::vector<std::string> labels,
            const StressRequest& request)
      : source_(source), labels_(std::move(labels)), largest_(labels_.size()) {
    if (!request.csv) return;
    csv_.emplace(*request.csv, source);
    csv_->add_shape_header();
  }

  void add(const durability::ModalStress& block) {
    const auto count = static_cast<Eigen::Index>(labels_.size());
    const Eigen::MatrixXd by_row = block.S.transpose();  // one column per component
    for (const durability::StressLocation& location : block.locations) {
      durability::SixHistories six{};
      for (std::size_t c = 0; c < 6; ++c)
        if (location.rows[c] >= 0) six[c] = by_row.col(location.rows[c]).data();
      compute_invariants(six, count, scalars_);
      for (Eigen::Index k = 0; k < count; ++k)
        add_row(location, six, k);
    }
    locations_ += block.locations.size();
  }

  const std::vector<tools::ShapeStress>& largest() const { return largest_; }

  void finish(StressOutcome& out) {
    if (csv_) csv_->commit();
    out.document["locations"] = locations_;
    Json rows = Json::list();
    tools::TextTable table({"shape", "element", "type", "place", "face", "von Mises [Pa]"});
    for (const tools::ShapeStress& row : largest_) {
      if (row.shape.empty()) continue;
      rows.push_back(tools::row_json(source_, row));
      table.add({row.shape,
                 element_of(source_, row.location),
                 source_.type(row.location.element),
                 place_of(row.location),
                 durability::face_of(row.location),
                 tools::readable(row.von_mises)});
    }
    out.document["rows"] = std::move(rows);
    out.text += table.text();
  }

 private:
  void add_row(const durability::StressLocation& location,
               const durability::SixHistories& six,
               Eigen::Index k) {
    const auto shape = static_cast<std::size_t>(k);
    tools::ShapeStress row{labels_[shape], location};
    for (std::size_t c = 0; c < 6; ++c)
      row.stress[c] = six[c] == nullptr ? 0.0 : six[c][k];
    row.signed_von_mises = scalars_.signed_von_mises[k];
    row.von_mises = std::abs(row.signed_von_mises);
    row.principal_max = scalars_.principal_max[k];
    row.principal_min = scalars_.principal_min[k];
    row.tresca = scalars_.tresca[k];
    if (csv_) csv_->add(row);
    tools::ShapeStress& largest = largest_[shape];
    if (largest.shape.empty() || row.von_mises > largest.von_mises) largest = row;
  }

  const StressSource& source_;
  std::vector<std::string> labels_;
  std::vector<tools::ShapeStress> largest_;
  std::optional<tools::StressCsv> csv_;
  durability::Invariants scalars_;
  std::size_t locations_ = 0;
};

}  // namespace

StressOutcome stress_of_shapes(const StressRequest& request,
                               const Recovery& recovery,
                               const ShapeSubject& subject,
                               Diagnostics& diagnostics,
                               Progress& progress) {
  const StressSource& source = *recovery.source;
  tell_left_out(source, diagnostics);
  StressOutcome out;
  out.document = subject_json(recovery, "shapes");
  out.text = recovery.text();
  ShapeRows rows(source, subject.labels, request);
  progress.begin("stress", static_cast<double>(source.size()), "elements");
  for (std::size_t first = 0; first < source.size(); first += kShapeBlock) {
    const std::size_t last = std::min(source.size(), first + kShapeBlock);
    rows.add(source.stress(first, last));
    progress.step(static_cast<double>(last));
  }
  progress.end();
  rows.finish(out);
  if (request.page || request.picture)
    picture_shapes(request, source, subject, rows.largest(), out);
  return out;
}

}  // namespace femflex::verbs
