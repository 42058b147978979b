// Tests verbs as functions: values in, values out, without text or files in between.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/importer/fe_model_file.h"

#include "document/json_text.h"
#include "support/support.h"
#include "verbs/check.h"
#include "verbs/compare.h"
#include "verbs/import_files.h"
#include "verbs/modes.h"
#include "verbs/new_files.h"
#include "verbs/reduce.h"
#include "verbs/validate.h"

namespace femflex::testing {
namespace {

/// Two masses of 5 kg on springs of 20 and 10 N/m.
FeModel chain() {
  verbs::ImportFilesRequest request;
  request.parts.files = {data("double_mass_spring/dms.bdf"),
                         data("double_mass_spring/dms.ou1.op4")};
  request.parts.units = parse_units("m-kg-s");
  Diagnostics diagnostics;
  return verbs::import_files(request, diagnostics, no_progress()).model;
}

// The model written beside the computation is the one written after it, byte for byte. A
// computation that fails leaves no file.
TEST(Verbs, AModelIsWrittenWhileItsModesAreComputed) {
  const FeModel model = chain();
  const TemporaryFolder folder;
  const auto compute = [&](bool writes_early, std::int64_t count, const char* name) {
    Diagnostics diagnostics;
    verbs::ModesRequest request;
    request.model = &model;
    request.modes.normal = count;
    request.output = folder / name;
    request.writes_early = writes_early;
    (void)verbs::modes(request, diagnostics, no_progress());
  };
  compute(false, 2, "late.fe.h5");
  compute(true, 2, "early.fe.h5");
  EXPECT_EQ(read_text(folder / "early.fe.h5"), read_text(folder / "late.fe.h5"));
  EXPECT_EQ(importer::read_fe_model(folder / "early.fe.h5").modes.count(), 2);
  EXPECT_THROW(compute(true, 50, "none.fe.h5"), ModelError);
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"early.fe.h5", "late.fe.h5"}));
}

// Closed form: omega^2 = 4 -+ 2 sqrt 2.
TEST(Verbs, AModelGoesFromVerbToVerbAsAValue) {
  const FeModel model = chain();
  Diagnostics diagnostics;
  verbs::ModesRequest modes;
  modes.model = &model;
  modes.modes.normal = 2;
  const verbs::ModesOutcome computed = verbs::modes(modes, diagnostics, no_progress());
  EXPECT_EQ(computed.added, 2);
  EXPECT_EQ(model.modes.count(), 0);

  verbs::ReduceRequest reduce;
  reduce.model = &computed.model;
  reduce.name = "chain";
  const verbs::ReduceOutcome reduced = verbs::reduce(reduce, diagnostics, no_progress());
  ASSERT_EQ(reduced.body.mode_count(), 2);
  EXPECT_EQ(reduced.body.name, "chain");
  const double lowest = 4.0 - 2.0 * std::sqrt(2.0);
  EXPECT_NEAR(reduced.body.modes[0].eigenvalue, lowest, lowest * tolerance(1e-9));

  verbs::ValidateRequest validate;
  validate.body = &reduced.body;
  validate.against = &model;
  validate.options.modes = 2;
  EXPECT_TRUE(verbs::validate(validate, diagnostics, no_progress()).validation.pass);
  EXPECT_TRUE(verbs::check({&model, {}}, diagnostics, no_progress()).passes());

  verbs::CompareRequest compare;
  compare.a = compare.b = &reduced.body;
  const auto found =
      std::get<tools::BodyComparison>(verbs::compare(compare, diagnostics, no_progress()));
  EXPECT_TRUE(found.passes);
  EXPECT_EQ(found.mass_error, 0.0);
}

// A stiffness matrix with k12 = k21 + k11 is not symmetric.
TEST(Verbs, ABodyWithAMatrixThatIsNotSymmetricIsReported) {
  const FeModel model = chain();
  Diagnostics diagnostics;
  verbs::ReduceRequest reduce;
  reduce.model = &model;
  reduce.options.method = modal::Method::dynamic;
  FlexBody body = verbs::reduce(reduce, diagnostics, no_progress()).body;
  ASSERT_GE(body.mode_count(), 2);
  EXPECT_TRUE(verbs::check({&body, {}}, diagnostics, no_progress()).is_symmetric);
  body.stiffness(0, 1) += body.stiffness(0, 0);
  const tools::CheckReport report = verbs::check({&body, {}}, diagnostics, no_progress());
  EXPECT_FALSE(report.is_symmetric);
  EXPECT_FALSE(report.passes());
}

/// A result with the given times and one channel.
tools::ResultSeries series_at(const std::vector<double>& times) {
  tools::ResultSeries out;
  out.channels = {{"a/x", "m"}};
  out.time =
      Eigen::Map<const Eigen::VectorXd>(times.data(), static_cast<Eigen::Index>(times.size()));
  out.values = Eigen::MatrixXd::Ones(out.time.size(), 1);
  return out;
}

// A filter of order 4 that runs forwards and backwards needs eight rows at different times.
TEST(Verbs, ResultsThatCannotBeFilteredAreRefused) {
  const auto code = [](const std::vector<double>& times) -> std::string {
    const tools::ResultSeries series = series_at(times);
    verbs::CompareRequest request;
    request.a = request.b = &series;
    request.below_hz = 1.0;
    Diagnostics diagnostics;
    try {
      verbs::compare(request, diagnostics, no_progress());
    } catch (const UsageError& error) {
      return error.code();
    }
    return "";
  };
  EXPECT_EQ(code({0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7}), "");
  EXPECT_EQ(code({0.0, 0.1, 0.2}), "too-few-rows");
  EXPECT_EQ(code({0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0}), "uneven-times");
}

// The units of the model are m-kg-s.
TEST(Verbs, OtherUnitsThanTheModelSaysAreRefused) {
  const FeModel model = chain();
  verbs::ReduceRequest request;
  request.model = &model;
  request.units = parse_units("mm-t-s");
  Diagnostics diagnostics;
  EXPECT_THROW(verbs::reduce(request, diagnostics, no_progress()), UsageError);
}

// A body and a result are different kinds of input.
TEST(Verbs, ABodyAndAResultAreNotCompared) {
  const FlexBody body;
  const tools::ResultSeries result;
  Diagnostics diagnostics;
  verbs::CompareRequest request;
  request.a = &body;
  request.b = &result;
  EXPECT_THROW(verbs::compare(request, diagnostics, no_progress()), UsageError);
}

// Truth: the names of the files that are written beside the document, also where the name of the
// document holds words that stand for names in the template, or characters that JSON escapes.
TEST(Verbs, ANewVehicleRefersToTheFilesBesideIt) {
  const TemporaryFolder folder;
  for (const std::string stem : {"TRAILER", "CHASSIS_TYRE.tir", "a \"b\" \\ SCRIPT"}) {
    verbs::NewFilesRequest request{.name = "truck4x2", .output = folder / (stem + ".json")};
    if (stem == "TRAILER") request.name = "semitrailer";
    Diagnostics notes;
    const auto written = verbs::new_files(request, notes, no_progress()).outputs;
    EXPECT_EQ(written.front(), *request.output);
    const tools::Json document = tools::parse_json(read_text(*request.output), "new.json");
    EXPECT_EQ(document.find("include")->text(), stem + "_parts.json");
    std::size_t flexible = 0;
    for (const tools::Json::Member& body : document.find("bodies")->members())
      if (const tools::Json* flex = body.value.find("flex"); flex != nullptr) {
        ++flexible;
        EXPECT_TRUE(std::filesystem::exists(folder / flex->text())) << flex->text();
      }
    EXPECT_EQ(flexible, stem == "TRAILER" ? 2U : 1U);
  }
}

}  // namespace
}  // namespace femflex::testing
