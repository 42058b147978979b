// add_stress(): shows stress and damage on a page of `femflex view`, as colours and as hot spots
// with histories and cycles. The verb stress calls it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/durability/rainflow.h"

#include "viewer_page.h"

namespace femflex::viewer {

/// Numbers that determine the colours of a body's nodes; NaN: no colour.
struct PageField {
  std::string name;
  std::string unit;
  bool is_logarithmic = false;
  /// one list of numbers, or one list per mode of the body
  std::vector<std::vector<double>> at_nodes;
};

/// An entry of the list of hot spots. A click on the entry shows the place.
struct PageSpot {
  std::string place;       ///< "element 12, corner 3, top"
  std::int64_t node = 0;   ///< node at the place, or a node of its element
  double von_mises = 0.0;  ///< [Pa]
  std::optional<double> damage;
  std::optional<double> time;        ///< time of the peak [s]
  std::optional<std::int64_t> mode;  ///< number of the mode, counted from 0
  std::string criterion;             ///< quantity shown by the history
  Eigen::VectorXd history;           ///< one value per time of the run [Pa]; empty: none
  std::vector<durability::Cycle> cycles;
};

/// Adds fields and spots to the body `name` of a view.
/// @param time  times of the histories [s]
void add_stress(View& view,
                const std::string& name,
                const std::vector<PageField>& fields,
                const std::vector<PageSpot>& spots,
                const Eigen::VectorXd& time,
                Blobs& blobs);

}  // namespace femflex::viewer
