// Tests samples, measures and effects of many runs by closed forms, without simulations.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/errors.h"

#include "document/document.h"
#include "results/measures.h"
#include "runs/effects.h"
#include "runs/samples.h"
#include "runs/sobol_points.h"

namespace femflex::testing {
namespace {

using tools::parse_measure;
using tools::parse_vary;

std::vector<tools::RunParameter> unit_ranges(int count) {
  std::vector<tools::RunParameter> out;
  for (int p = 0; p < count; ++p)
    out.push_back(parse_vary("p" + std::to_string(p) + "=0:1"));
  return out;
}

// Truth: the definitions of a Latin hypercube, and of a Sobol' net in each of its coordinates. With
// N points, each of N equal intervals contains one point.
TEST(RunSamples, FillEveryIntervalOnce) {
  constexpr int kPoints = 256;
  const auto expect_one_in_each = [&](const tools::RunSamples& samples) {
    for (Eigen::Index c = 0; c < samples.cols(); ++c) {
      std::set<int> seen;
      for (Eigen::Index r = 0; r < samples.rows(); ++r)
        seen.insert(static_cast<int>(samples(r, c) * kPoints));
      EXPECT_EQ(seen.size(), static_cast<std::size_t>(kPoints)) << "column " << c;
      EXPECT_EQ(*seen.rbegin(), kPoints - 1);
    }
  };
  for (const char* rule : {"lhs:256", "sobol:256"})
    expect_one_in_each(tools::samples_of(tools::parse_sample(rule), unit_ranges(64)));
  EXPECT_THROW(tools::samples_of(tools::parse_sample("sobol:256"), unit_ranges(65)), UsageError);
}

// Truth: a net in base 2 with t = 0 in its first two coordinates. Every rectangle of 2^-a by 2^-(m
// - a) contains one of the 2^m points.
TEST(RunSamples, PointsOfSobolAreANetInTwoCoordinates) {
  const tools::SobolPoints points(2, 5);
  for (int a = 0; a <= 6; ++a) {
    std::set<std::pair<int, int>> seen;
    for (std::uint64_t i = 0; i < 64; ++i)
      seen.emplace(static_cast<int>(std::ldexp(points.at(i, 0), a)),
                   static_cast<int>(std::ldexp(points.at(i, 1), 6 - a)));
    EXPECT_EQ(seen.size(), 64U) << a;
  }
}

// Truth: the 0.975 quantile of the normal distribution (tables); the ends of ranges by hand.
TEST(RunSamples, FollowTheirDistributions) {
  const tools::RunSamples grid = tools::samples_of(tools::parse_sample("grid:20x3x9x2"),
                                                   {parse_vary("n=normal:10:2"),
                                                    parse_vary("l=log:1:100"),
                                                    parse_vary("c=a,b"),
                                                    parse_vary("r=2:5")});
  EXPECT_EQ(grid.rows(), 20 * 3 * 2 * 2);  // not more levels than choices
  EXPECT_NEAR(grid.col(0).maxCoeff(), 10.0 + 2.0 * 1.959963984540054, 1e-12);
  EXPECT_NEAR(grid.col(0).minCoeff(), 10.0 - 2.0 * 1.959963984540054, 1e-12);
  EXPECT_NEAR(grid(4, 1), 10.0, 1e-12);
  EXPECT_EQ(grid.col(3).minCoeff(), 2.0);
  EXPECT_EQ(grid.col(3).maxCoeff(), 5.0);
}

// Truth: a choice may be a list that contains commas.
TEST(RunSamples, ChoicesMayBeLists) {
  const tools::RunParameter two = parse_vary("at=[0,0,0],[1,0,0]");
  ASSERT_EQ(two.choices.size(), 2U);
  EXPECT_EQ(two.choices[1].dump_line(), "[1,0,0]");
  EXPECT_EQ(parse_vary("as=flex,rigid").choices[1].text(), "rigid");
  EXPECT_EQ(parse_vary("on=true,false").choices[0].dump_line(), "true");
}

// Truth: the digits of the text. What is typed after --set and --vary is one value.
TEST(RunSamples, ValuesAreReadAsThoseOfSet) {
  const auto set = [](const std::string& text) { return tools::parse_change("k=" + text).value; };
  const auto varied = [](const std::string& text) { return parse_vary("k=" + text).choices.at(0); };
  for (const std::string text : {".5", "+0.5", "5.", "1.5D2", " 5", "-2e3"}) {
    ASSERT_TRUE(set(text).is_number()) << text;
    ASSERT_TRUE(varied(text).is_number()) << text;
    EXPECT_EQ(set(text).number(), varied(text).number()) << text;
  }
  EXPECT_EQ(set("1.5D2").number(), 150.0);
  for (const std::string text : {"rigid", "5-10", "\"5\"", "true", "[1,2]", "nan", "=2*k"})
    EXPECT_EQ(set(text).dump_line(), varied(text).dump_line()) << text;
  EXPECT_TRUE(set("5-10").is_text());
}

TEST(RunSamples, RefuseWhatIsNoRange) {
  for (const char* text : {"k",
                           "=1:2",
                           "k=",
                           "k=2:1",
                           "k=1:1",
                           "k=a:b",
                           "k=log:0:1",
                           "k=nrmal:1:2",
                           "k=normal:1:0",
                           "k=1:2:3:4",
                           "k=10%:2",
                           "k=1,,2",
                           "k=nan:1",
                           "k=1:inf"})
    EXPECT_THROW(parse_vary(text), UsageError) << text;
  for (const char* text : {"lhs",
                           "lhs:",
                           "lhs:0",
                           "lhs:-3",
                           "lhs:1.5",
                           "lsh:10",
                           "grid:3x",
                           "sobol:1e3",
                           "lhs:100000000"})
    EXPECT_THROW(tools::parse_sample(text), UsageError) << text;
  EXPECT_THROW(tools::samples_of(tools::parse_sample("grid:2x3x4"), unit_ranges(2)), UsageError);
  EXPECT_THROW(tools::samples_of(tools::parse_sample("grid:1000"), unit_ranges(4)), UsageError);
}

/// A sum of two sines over a time.
struct Wave {
  std::vector<double> t, y;
  explicit Wave(double end, double step, double low, double high) {
    for (int k = 0; k * step <= end + 0.5 * step; ++k) {
      t.push_back(k * step);
      y.push_back(3.0 * std::sin(2.0 * std::numbers::pi * low * t.back()) +
                  0.5 * std::sin(2.0 * std::numbers::pi * high * t.back()));
    }
  }
  double operator()(const char* text) const { return tools::measure_of(parse_measure(text), t, y); }
};

// Truth: integrals of sines over whole periods; values at rows by hand.
TEST(RunMeasures, OfSinesAreTheirIntegrals) {
  const Wave wave(4.0, 1e-3, 2.0, 40.0);
  EXPECT_NEAR(wave("mean:c"), 0.0, 1e-12);
  EXPECT_NEAR(wave("rms:c"), std::sqrt((9.0 + 0.25) / 2.0), 1e-9);
  EXPECT_NEAR(wave("std:c@1-3s"), std::sqrt((9.0 + 0.25) / 2.0), 1e-9);
  EXPECT_NEAR(wave("rms:c@-10Hz@1-3s"), 3.0 / std::sqrt(2.0), 0.01);
  EXPECT_NEAR(wave("rms:c@15-120Hz@1-3s"), 0.5 / std::sqrt(2.0), 0.01);
  EXPECT_NEAR(wave("frequency:c"), 2.0, 0.5);
  EXPECT_NEAR(wave("frequency:c@20-100Hz"), 40.0, 0.5);
  EXPECT_EQ(wave("first:c"), wave.y.front());
  EXPECT_EQ(wave("final:c@-1s"), wave.y[1000]);
  EXPECT_EQ(wave("max:c"), *std::max_element(wave.y.begin(), wave.y.end()));
  EXPECT_NEAR(wave("range:c"), 2.0 * wave("absmax:c"), 1e-9);
  EXPECT_EQ(wave("p100:c"), wave("max:c"));
  EXPECT_EQ(wave("p0:c"), wave("min:c"));
}

// Truth: by Parseval's theorem the spectral densities add up to the mean square. A Hann window
// distributes a sine over three lines, of which the middle one contains 2/3.
TEST(RunMeasures, TheSpectrumHasTheMeanSquare) {
  std::vector<double> y;
  for (int k = 0; k < 4096; ++k)
    y.push_back(2.0 * std::sin(2.0 * std::numbers::pi * 16.0 * k / 512.0));
  const tools::Spectrum spectrum = tools::welch(y, 1e-2);
  const double width = spectrum.frequency[1];
  double sum = 0.0;
  for (const double each : spectrum.density)
    sum += each * width;
  EXPECT_NEAR(sum, 2.0, 1e-9);
  EXPECT_NEAR(
      *std::max_element(spectrum.density.begin(), spectrum.density.end()), 2.0 / 1.5 / width, 1e-9);
}

// Truth: 0 1 0 1 0 has four half cycles of range 1: (2 * 1^m)^(1/m).
TEST(RunMeasures, RainflowIsOneCycleOfTheSameDamage) {
  const std::vector<double> t = {0, 1, 2, 3, 4}, y = {0, 1, 0, 1, 0};
  EXPECT_NEAR(tools::measure_of(parse_measure("rainflow1:c"), t, y), 2.0, 1e-12);
  EXPECT_NEAR(tools::measure_of(parse_measure("rainflow:c"), t, y), std::pow(2.0, 0.2), 1e-12);
}

// Truth: fourth-order differences of the measure along the tangent; with an offset of 1000, which
// takes digits from the differences, the closed forms of the same history without it.
TEST(RunMeasures, HaveTheSlopesOfTheirDifferences) {
  Wave wave(4.0, 1e-3, 2.0, 40.0);
  for (std::size_t r = 0; r < wave.t.size(); ++r)
    wave.y[r] *= std::exp(-0.3 * wave.t[r]);  // no two peaks are equally high
  std::vector<double> tangent, far(wave.y);
  for (std::size_t r = 0; r < wave.t.size(); ++r)
    tangent.push_back(std::cos(1.7 * wave.t[r]) + 0.2 * wave.y[r]);
  for (double& each : far)
    each += 1000.0;
  for (const char* text : {"max:c@0.1-1.3s",
                           "min:c",
                           "absmax:c",
                           "range:c",
                           "mean:c",
                           "rms:c",
                           "rms:c@1-20Hz",
                           "std:c@0.2-3s",
                           "first:c",
                           "final:c",
                           "p90:c",
                           "psd:c",
                           "psd:c@20-60Hz"}) {
    const tools::RunMeasure measure = parse_measure(text);
    const auto at = [&](double amount) {
      std::vector<double> moved(wave.y);
      for (std::size_t r = 0; r < moved.size(); ++r)
        moved[r] += amount * tangent[r];
      return tools::measure_of(measure, wave.t, moved);
    };
    constexpr double kStep = 1e-6;
    const double difference =
        (8.0 * (at(kStep) - at(-kStep)) - (at(2.0 * kStep) - at(-2.0 * kStep))) / (12.0 * kStep);
    const auto slope = tools::measure_slope(measure, wave.t, wave.y, tangent);
    ASSERT_TRUE(slope.has_value()) << text;
    EXPECT_NEAR(*slope, difference, 1e-8 * std::max(1.0, std::abs(difference))) << text;
  }
  for (const char* text : {"max:c", "std:c", "p90:c", "psd:c@20-60Hz"}) {
    const tools::RunMeasure measure = parse_measure(text);
    const double near = *tools::measure_slope(measure, wave.t, wave.y, tangent);
    EXPECT_NEAR(*tools::measure_slope(measure, wave.t, far, tangent), near, 1e-9 * std::abs(near))
        << text;
  }
  for (const char* text : {"frequency:c", "rainflow:c"})
    EXPECT_FALSE(tools::measure_slope(parse_measure(text), wave.t, wave.y, tangent)) << text;
}

TEST(RunMeasures, RefuseWhatIsNone) {
  for (const char* text : {"max",
                           "maximum:c",
                           "p101:c",
                           "rainflow0:c",
                           "mode-hz:0",
                           "mode-hz:x",
                           "max:",
                           "max:c@",
                           "max:c@5",
                           "max:c@3-2Hz",
                           "max:c@-s1",
                           "=max:c",
                           "psd:c@-Hz"})
    EXPECT_THROW(parse_measure(text), UsageError) << text;
  const Wave wave(0.005, 1e-3, 2.0, 40.0);
  EXPECT_THROW(wave("rms:c@1-10Hz"), UsageError);  // too few rows
  EXPECT_THROW(wave("max:c@7-8s"), ModelError);
  Wave uneven(1.0, 1e-3, 2.0, 40.0);
  uneven.t[5] += 2e-4;
  EXPECT_THROW(uneven("psd:c"), UsageError);
  // above half the sampling rate
  EXPECT_THROW(Wave(1.0, 1e-3, 2.0, 40.0)("max:c@1-500Hz"), UsageError);
}

/// A table of samples with the values of f, without runs.
template <class Function>
tools::RunTable table_of(const char* rule,
                         const std::vector<tools::RunParameter>& parameters,
                         Function f) {
  tools::RunTable table;
  table.parameters = parameters;
  table.sample = tools::parse_sample(rule);
  table.measures = {parse_measure("f=final:c")};
  table.units = {""};
  const tools::RunSamples samples = tools::samples_of(table.sample, parameters);
  table.total = samples.rows();
  for (Eigen::Index r = 0; r < samples.rows(); ++r) {
    tools::RunRow row;
    row.index = r;
    row.samples.assign(samples.row(r).begin(), samples.row(r).end());
    row.measures = {f(row.samples)};
    table.rows.push_back(row);
  }
  return table;
}

// Truth: the design takes two dimensions of the 64 known ones for each parameter.
TEST(RunSamples, OfSaltelliSayHowManyParametersTheyTake) {
  std::vector<tools::RunParameter> parameters(33, parse_vary("a=0:1"));
  const tools::SampleRule rule = tools::parse_sample("saltelli:4");
  try {
    static_cast<void>(tools::samples_of(rule, parameters));
    FAIL() << "33 parameters";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("at most 32 parameters, here are 33"),
              std::string::npos)
        << error.what();
  }
  parameters.pop_back();
  EXPECT_EQ(tools::samples_of(rule, parameters).rows(), 4 * 34);
}

double ishigami(const std::vector<double>& x) {
  return std::sin(x[0]) + 7.0 * std::pow(std::sin(x[1]), 2) +
         0.1 * std::pow(x[2], 4) * std::sin(x[0]);
}

// Truth: indices of the Ishigami function in closed form [Ishigami 1990], for a = 7 and b = 0.1.
// The parts of the variance are a^2/8 from b, (1 + b pi^4/5)^2 / 2 from a, and 8 b^2 pi^8 / 225
// from a together with c.
TEST(RunEffects, OfIshigamiAreWithinTheirErrors) {
  const std::vector<tools::RunParameter> parameters = {
      parse_vary("a=-3.141592653589793:3.141592653589793"),
      parse_vary("b=-3.141592653589793:3.141592653589793"),
      parse_vary("c=-3.141592653589793:3.141592653589793")};
  const double pi4 = std::pow(std::numbers::pi, 4);
  const double of_a = 0.5 * std::pow(1.0 + 0.1 * pi4 / 5.0, 2), of_b = 49.0 / 8.0;
  const double of_ac = 0.08 * pi4 * pi4 / 225.0;
  const double all = of_a + of_b + of_ac;
  const double main[] = {of_a / all, of_b / all, 0.0};
  const double total[] = {(of_a + of_ac) / all, of_b / all, of_ac / all};
  const auto design = tools::summaries_of(table_of("saltelli:4096", parameters, ishigami)).front();
  const auto plain = tools::summaries_of(table_of("lhs:4096", parameters, ishigami)).front();
  for (std::size_t p = 0; p < 3; ++p) {
    const tools::RunEffect& effect = design.effects[p];
    EXPECT_LT(effect.main_error, 0.03);
    EXPECT_NEAR(effect.main, main[p], 3.0 * effect.main_error);
    EXPECT_NEAR(effect.total, total[p], 3.0 * effect.total_error);
    EXPECT_NEAR(plain.effects[p].main, main[p], 0.03);
    EXPECT_TRUE(std::isnan(plain.effects[p].total));
  }
  EXPECT_NEAR(design.mean, 3.5, 0.05);
}

// Truth: a line through the origin and its reverse.
// Truth: a constant has no deviation. The mean of 40 times 0.1 is not 0.1 in binary numbers.
TEST(RunEffects, OfAConstantAreNotKnown) {
  tools::RunTable table;
  table.parameters = unit_ranges(1);
  table.measures.push_back(parse_measure("max:z"));
  table.units.emplace_back();
  table.total = 40;
  for (int r = 0; r < 40; ++r)
    table.rows.push_back({r, "", {0.025 * r}, {0.1}, ""});
  const tools::MeasureSummary summary = tools::summaries_of(table).front();
  EXPECT_EQ(summary.mean, 0.1);
  EXPECT_EQ(summary.deviation, 0.0);
  EXPECT_TRUE(std::isnan(summary.effects.front().correlation));
  EXPECT_TRUE(std::isnan(summary.effects.front().main));
}

TEST(RunEffects, CorrelationOfALineIsOne) {
  const auto table = table_of("random:50", unit_ranges(2), [](const std::vector<double>& x) {
    return 5.0 - 2.0 * x[0] * x[0];
  });
  const tools::RunEffect effect = tools::summaries_of(table).front().effects[0];
  EXPECT_NEAR(effect.rank_correlation, -1.0, 1e-12);
  EXPECT_LT(effect.correlation, -0.9);
}

}  // namespace
}  // namespace femflex::testing
