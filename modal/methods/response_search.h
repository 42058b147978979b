// Chooses frequencies at which a response is evaluated, so that no peak of its error is missed, and
// refines the position of a peak.
#pragma once

#include <functional>
#include <vector>

#include "femflex/modal/reduce.h"

namespace femflex::modal {

/// Largest response in the third octave around each frequency: the scale of the error of a
/// frequency response. docs/theory/modal.md eq. (41).
///
/// The response itself is not a suitable scale, because it vanishes between two resonances, and a
/// round-off shift of that frequency would make the relative error arbitrarily large.
class ResponseEnvelope {
 public:
  struct Point {
    double frequency = 0.0;  ///< [Hz]
    double size = 0.0;       ///< norm of the receptance there
  };

  /// @param points in any order
  explicit ResponseEnvelope(std::vector<Point> points);

  /// @param own  norm of the receptance at `frequency`, which need not be one of the points
  double at(double frequency, double own) const;

 private:
  std::vector<Point> points_;  // in ascending order of frequency
};

/// The points at which a search for the largest error of a frequency response begins.
struct ResponseSearch {
  FrequencyBand band;
  int even_steps = 0;              ///< equal parts of the band, whose ends are further points
  std::vector<double> resonances;  ///< [Hz] known resonances; those outside the band are ignored
  double last_resonance;           ///< [Hz] beyond twice this, points are sparse
  double relative_step;            ///< relative step between points
  double nearest;                  ///< smallest relative distance of two points
};

/// Frequencies [Hz] in ascending order from half the first resonance in the band, or from a
/// hundredth of the band if that is lower, to its end: steps of `relative_step`, resonances, even
/// steps. Both ends of the band are included, except 0 Hz.
std::vector<double> response_frequencies(const ResponseSearch& search);

/// A maximum of a function of one variable.
struct Peak {
  double value = 0.0;
  double argument = 0.0;
};

/// The highest value of `f` between `low` and `high`; `middle` lies between them and has a higher
/// value.
Peak refine_peak(const std::function<double(double)>& f, double low, double middle, double high);

}  // namespace femflex::modal
