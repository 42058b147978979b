// Times of the output rows of a run, of kinematics and of series of equilibria: RowTimes numbers
// them.
#pragma once

#include <cmath>
#include <cstdint>

namespace femflex::mbd_solver {

/// Times of output rows, numbered from 0 at the start. For a step with a short decimal form these
/// are the doubles nearest to the decimal times, so that a run that ends at one of them ends
/// exactly on a row of a longer run. The last row is at the end, after less than a whole step if
/// need be.
class RowTimes {
 public:
  RowTimes(double start, double end, double interval)
      : start_(start), end_(end), interval_(interval) {
    count_ = static_cast<std::int64_t>(std::ceil((end - start) / interval - kRoundOff));
    constexpr int kDecimals = 15;
    constexpr double kMostDigits = 1e6;
    double scale = 1.0;
    for (int k = 0; k <= kDecimals; ++k, scale *= 10.0) {
      const double digits = std::nearbyint(interval * scale);
      if (digits > kMostDigits || digits / scale != interval) continue;
      digits_ = digits;
      scale_ = scale;
      return;
    }
  }
  /// Number of the last row.
  std::int64_t count() const { return count_; }
  double operator()(std::int64_t row) const {
    if (row == count_) return end_;
    const auto k = static_cast<double>(row);
    // interval = digits / scale, so that the product is rounded only once
    return start_ + (digits_ > 0.0 ? k * digits_ / scale_ : k * interval_);
  }
  /// The first row after a time.
  std::int64_t after(double time) const {
    return static_cast<std::int64_t>(std::floor((time - start_) / interval_ + kRoundOff)) + 1;
  }

 private:
  static constexpr double kRoundOff = 1e-9;  // a number of rows is an integer if it is off by less
  double start_, end_, interval_, digits_ = 0.0, scale_ = 1.0;
  std::int64_t count_ = 0;
};

}  // namespace femflex::mbd_solver
