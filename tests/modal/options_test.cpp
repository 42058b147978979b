// Tests the reading of texts that users type for the modal stage.
#include <gtest/gtest.h>
#if FEMFLEX_HAVE_LAPACK
#include <cblas.h>
#endif

#include "femflex/modal/reduce.h"

#include "double_mass_spring.h"
#include "solve/memory.h"
#include "support/support.h"

namespace femflex::modal {
namespace {

TEST(Selection, KeepsTheOrderAskedForAcrossKindsAndLists) {
  const FeModel model = testing::double_mass_spring();
  EXPECT_EQ(columns_of(model.modes, parse_selection("constraint:1,dynamic:2,1")),
            (std::vector<Eigen::Index>{3, 1, 0}));
  EXPECT_EQ(columns_of(model.modes, parse_selection("dynamic,static")),
            (std::vector<Eigen::Index>{0, 1, 2}));
  EXPECT_EQ(columns_of(model.modes, parse_selection("all")).size(), 4u);
}

TEST(Selection, SaysWhichModesThereAre) {
  const FeModel model = testing::double_mass_spring();
  try {
    columns_of(model.modes, parse_selection("dynamic:3"));
    FAIL() << "dynamic:3 does not exist";
  } catch (const UsageError& error) {
    EXPECT_EQ(error.fix(),
              "it holds dynamic:1-2, static:1, constraint:1; 'femflex modes' computes more");
  }
  EXPECT_THROW(columns_of(model.modes, parse_selection("dynamic:1,1")), UsageError);
  EXPECT_THROW(parse_selection("1,2"), UsageError);
  EXPECT_THROW(parse_selection("dynamc:1"), UsageError);
  EXPECT_THROW(parse_selection(""), UsageError);
}

TEST(DampingRule, ReadsEveryWayOfSayingIt) {
  EXPECT_EQ(parse_damping("0.01").ratio, 0.01);
  EXPECT_EQ(parse_damping("adams").kind, DampingRule::Kind::adams);
  EXPECT_EQ(parse_damping("file").kind, DampingRule::Kind::matrix);
  const DampingRule rule = parse_damping("1-2:0.35,3:0.25");
  ASSERT_EQ(rule.by_mode.size(), 3u);
  EXPECT_EQ(rule.by_mode[2].second, 0.25);
  for (const char* bad : {"", "a", "-0.1", "1:", "1:0.2,3", "nan"})
    EXPECT_THROW(parse_damping(bad), UsageError) << bad;
}

// Truth: the range. Compared pair by pair, its numbers would take hours.
TEST(DampingRule, ALongRangeIsReadInOnePass) {
  const DampingRule rule = parse_damping("1-3000000:0.02,4000000:0.03");
  ASSERT_EQ(rule.by_mode.size(), 3'000'001U);
  EXPECT_EQ(rule.by_mode.back(), (std::pair<std::int64_t, double>(4'000'000, 0.03)));
  EXPECT_THROW(parse_damping("1-3000000:0.02,2999999:0.03"), UsageError);
}

// A ratio is a part of critical damping: 35 probably means 0.35 or 35 %, and must not be taken for
// 3500 %.
TEST(DampingRule, TakesPercentagesAndRefusesMoreThanCriticalDamping) {
  EXPECT_DOUBLE_EQ(parse_damping("2%").ratio, 0.02);
  EXPECT_DOUBLE_EQ(parse_damping("true:0.5%").ratio, 0.005);
  EXPECT_DOUBLE_EQ(parse_damping("1:35%,2:0.25").by_mode[0].second, 0.35);
  EXPECT_EQ(parse_damping("1").ratio, 1.0);
  for (const char* bad : {"35", "1.01", "true:2", "1:35,2:0.25", "101%", "%", "2%%", "2 %"})
    EXPECT_THROW(parse_damping(bad), UsageError) << bad;
  try {
    static_cast<void>(parse_damping("1:35,2:0.25"));
    ADD_FAILURE() << "accepted";
  } catch (const UsageError& error) {
    EXPECT_NE(error.message().find("35 in '1:35,2:0.25' is above 1"), std::string::npos);
    EXPECT_NE(error.fix().find("write 0.35 or 35%"), std::string::npos) << error.fix();
  }
}

// Truth: parse_damping() itself, which takes what its messages tell to write.
TEST(DampingRule, TellsOnlyWhatIsTaken) {
  const auto refusal = [](const char* text) {
    try {
      static_cast<void>(parse_damping(text));
    } catch (const UsageError& error) {
      EXPECT_EQ(error.code(), "damping") << text;
      return error.message() + "; " + error.fix();
    }
    return std::string("accepted");
  };
  EXPECT_NE(refusal("100").find("write 1 or 100%"), std::string::npos);
  EXPECT_EQ(refusal("250").find("per cent"), std::string::npos) << refusal("250");
  EXPECT_NE(refusal("250").find("damping matrix"), std::string::npos) << refusal("250");
  for (const char* text : {"x:0.1", "5-2:0.1", "1:0.2,:0.1"})
    EXPECT_NE(refusal(text).find("1:0.35,2:0.25"), std::string::npos) << refusal(text);
}

TEST(Band, ReadsWithAndWithoutUnit) {
  EXPECT_EQ(parse_band("0-100Hz").to_hz, 100.0);
  EXPECT_EQ(parse_band("20 - 2e3 Hz").from_hz, 20.0);
  for (const char* bad : {"", "100", "100-0", "0-", "0-1kHz"})
    EXPECT_THROW(parse_band(bad), UsageError) << bad;
}

TEST(Method, NamesRoundTrip) {
  for (const char* name : {"given", "craig-bampton", "craig-chang", "guyan", "auto"})
    EXPECT_EQ(name_of(parse_method(name)), name);
  EXPECT_THROW(parse_method("magic"), UsageError);
}

// Craig-Bampton of 54,243 DOF with 5,001 of them held was measured at 15.5 GB.
TEST(Memory, IsForetoldBeforeTheWork) {
  Diagnostics diagnostics;
  EXPECT_NEAR(shape_memory(54243, 5001), 15.5e9, 0.05 * 15.5e9);
  check_memory(54243, 5001, 64e9, diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  check_memory(54243, 5001, 16e9, diagnostics);
  EXPECT_EQ(diagnostics.warnings().size(), 1u);
  EXPECT_THROW(check_memory(54243, 5001, 8e9, diagnostics), NumericalError);
  EXPECT_GT(memory_limit(), 1e6);
}

// Truth: the measured size above. A few hundred interface DOFs are no matter for a warning.
TEST(Memory, OfAConstraintModeForEachOfThousandsOfInterfaceDofsIsForetoldWithAWayOut) {
  Diagnostics diagnostics;
  warn_of_large_interface(54243, 999, diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  warn_of_large_interface(54243, 5001, diagnostics);
  ASSERT_EQ(diagnostics.warnings().size(), 1u);
  const std::string& message = diagnostics.warnings().front().message;
  EXPECT_NE(message.find("5001 interface DOFs takes about 15 GB"), std::string::npos) << message;
  EXPECT_NE(message.find("--interface-modes 300 takes about"), std::string::npos) << message;
  try {
    check_memory(54243, 5001, 8e9, diagnostics, "reduce the interface");
    ADD_FAILURE() << "accepted";
  } catch (const NumericalError& error) {
    EXPECT_EQ(error.fix(), "reduce the interface");
  }
}

#if FEMFLEX_HAVE_LAPACK
// Truth: the number of threads that OpenBLAS reports. The choice of a host program is restored
// after our calls.
TEST(DenseThreads, AreThoseOfTheHostAgain) {
  const int before = openblas_get_num_threads();
  openblas_set_num_threads(2);
  const int host = openblas_get_num_threads();
  const FeModel model = testing::double_mass_spring();
  Diagnostics diagnostics;
  ReduceOptions options;
  options.solve.threads = 1;
  reduce(model, options, diagnostics, no_progress());
  EXPECT_EQ(openblas_get_num_threads(), host);
  ModeRequest request;
  request.normal = 1;
  compute_modes(model, request, diagnostics, no_progress());
  EXPECT_EQ(openblas_get_num_threads(), host);
  openblas_set_num_threads(before);
}
#endif

}  // namespace
}  // namespace femflex::modal
