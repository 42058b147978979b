// Verbs as functions of values, without text or files between them.
#include <cmath>

#include <gtest/gtest.h>

#include "femflex/errors.h"

#include "support/support.h"
#include "verbs/check.h"
#include "verbs/compare.h"
#include "verbs/import_files.h"
#include "verbs/modes.h"
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

// The model says m-kg-s.
TEST(Verbs, OtherUnitsThanTheModelSaysAreRefused) {
  const FeModel model = chain();
  verbs::ReduceRequest request;
  request.model = &model;
  request.units = parse_units("mm-t-s");
  Diagnostics diagnostics;
  EXPECT_THROW(verbs::reduce(request, diagnostics, no_progress()), UsageError);
}

// A body and a result are two kinds.
TEST(Verbs, ABodyAndAResultAreNotCompared) {
  const FlexBody body;
  const tools::ResultSeries result;
  Diagnostics diagnostics;
  verbs::CompareRequest request;
  request.a = &body;
  request.b = &result;
  EXPECT_THROW(verbs::compare(request, diagnostics, no_progress()), UsageError);
}

}  // namespace
}  // namespace femflex::testing
