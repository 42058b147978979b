// Peaks of stress over a run: bounds in single precision show which panels of instants can contain
// a peak. Only these are computed in double precision, so the peaks are exact.
#pragma once

#include <array>
#include <vector>

#include <Eigen/Core>

#include "femflex/durability/invariants.h"
#include "femflex/durability/modal_stress.h"
#include "femflex/durability/run_stress.h"

#include "peak_panels.h"

namespace femflex::durability {

/// Finds the peaks of blocks of locations; one object per thread.
class PeakSearch {
 public:
  /// @param coordinates, time  must outlive this object
  PeakSearch(const PackedCoordinates& coordinates, const Eigen::VectorXd& time);

  /// Appends the peaks of all locations.
  void find(const ModalStress& stress, std::vector<LocationPeaks>& out);
  /// The scalars of one location of the last find() over the whole run.
  const Invariants& history(const StressLocation& at);
  /// Its components over the whole run, valid until the next call.
  SixHistories components(const StressLocation& at) { return exact(at, 0, coordinates_.panels); }
  Eigen::Index instants() const { return coordinates_.instants; }

 private:
  /// The largest value of one scalar of a location so far, and its instant.
  struct Best {
    double value = 0.0;
    Eigen::Index row = -1;  ///< -1: none
    void raise(double other, Eigen::Index at) {
      if (row < 0 || other > value || (other == value && at < row)) *this = {other, at};
    }
  };
  static constexpr std::size_t kScalars =
      5;  // signed von Mises up and down, principal up and down, Tresca
  using Bests = std::array<Best, kScalars>;
  struct Packed {
    std::vector<float> S;  ///< rows of S times the largest |zeta| of each mode, divided by `scale`
    double scale = 0.0;    ///< sum over rows and modes of |S| times the largest |zeta| [Pa]
    bool is_plane = true;
  };

  Packed packed(const StressLocation& at) const;
  /// Upper bounds of the scalars over a panel, in the order of kScalars; minima with reversed sign.
  std::array<double, kScalars> limits(const Packed& at, const PanelBounds& bounds) const;
  void evaluate(const StressLocation& at, int panel, Bests& best);
  LocationPeaks peaks(const StressLocation& at, const Packed& packed, const PanelBounds* bounds);
  const double* row(std::int32_t r) const { return by_row_.col(r).data(); }
  /// Histories of panels `first` to `last` - 1 in double precision; null where a component is zero.
  SixHistories exact(const StressLocation& at, int first, int last);

  const PackedCoordinates& coordinates_;
  const Eigen::VectorXd& time_;
  double slack_ = 0.0;  ///< error bound of single precision, as a share of Packed::scale
  Eigen::MatrixXd by_row_;
  std::vector<Packed> packed_;
  std::vector<PanelBounds> bounds_;  ///< (panels x locations)
  std::vector<std::uint8_t> done_;   ///< per panel of a location: 1 if it has been evaluated
  std::vector<double> exact_S_;      ///< rows of a location that are not zero, three by three
  std::array<std::vector<double>, 6> histories_;
  Invariants invariants_;
};

}  // namespace femflex::durability
