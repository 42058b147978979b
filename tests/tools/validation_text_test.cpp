// What validate advises, from the modes that failed.
#include <gtest/gtest.h>

#include "body/validation_report.h"

namespace femflex::tools {
namespace {

/// A body that failed at these modes of 10, 20, 30 Hz; frequency responses end at 25 Hz.
modal::Validation failed_at(const std::vector<std::size_t>& modes) {
  modal::Validation out;
  for (const double hz : {10.0, 20.0, 30.0})
    out.frequencies.push_back({.full_hz = hz, .reduced_hz = hz, .mac = 1.0});
  for (const std::size_t k : modes) {
    out.frequencies[k].agrees = false;
    out.findings.push_back("mode " + std::to_string(k + 1) + " is off");
  }
  out.frf.push_back({.frequency_hz = 25.0});
  return out;
}

TEST(ValidationText, NamesTheModesOfTheBandIfOnlyOthersFailed) {
  EXPECT_NE(validation_text(failed_at({2})).find("--modes 2"), std::string::npos);
  for (const std::vector<std::size_t>& modes : {std::vector<std::size_t>{1}, {1, 2}, {0}}) {
    const std::string text = validation_text(failed_at(modes));
    EXPECT_EQ(text.find("--modes"), std::string::npos) << text;
    EXPECT_NE(text.find("take more normal modes"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace femflex::tools
