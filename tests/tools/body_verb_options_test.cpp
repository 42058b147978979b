// Tests that each command-line option of reduce, modes, import and similar verbs sets the right
// field of the request. Truth: the fields.
#include <cmath>
#include <filesystem>

#include "femflex/errors.h"

#include "option_table.h"
#include "verbs/compare.h"
#include "verbs/convert.h"
#include "verbs/import_files.h"
#include "verbs/info.h"
#include "verbs/modes.h"
#include "verbs/reduce.h"
#include "verbs/transform.h"
#include "verbs/validate.h"

namespace femflex::testing {
namespace {

using cli::Value;

TEST(ReduceOptions, FillTheirFields) {
  using R = verbs::ReduceRequest;
  expect_options_fill_their_fields<R>(
      cli::find_verb("reduce"),
      {
          {"--output",
           {"a.fbm", "b.flex"},
           "b.flex",
           [](const R& r) { return r.outputs.empty() ? "" : r.outputs.back().string(); }},
          {"--interface",
           {Value(Value::List{Value(std::int64_t{4}), Value(std::int64_t{9})})},
           "2",
           [](const R& r) { return std::to_string(r.parts.interface_nodes.size()); }},
          {"--spider",
           {"901=rbe3:4-6,9@1,2,-3"},
           "901 4 -3",
           [](const R& r) {
             if (r.parts.spiders.empty()) return std::string("-");
             const importer::Spider& spider = r.parts.spiders.front();
             return std::to_string(spider.node) + " " + std::to_string(spider.pick.ids.size()) +
                    " " + std::to_string(std::lround(spider.position->z()));
           }},
          {"--method",
           {"guyan"},
           "guyan",
           [](const R& r) { return std::string(name_of(r.options.method)); }},
          {"--select",
           {"static:2,dynamic:1-3"},
           "2",
           [](const R& r) { return std::to_string(r.options.select.size()); }},
          {"--orthogonalise",
           {},
           "1",
           [](const R& r) { return std::to_string(r.options.orthogonalise); }},
          {"--scale", {}, "1", [](const R& r) { return std::to_string(r.options.scale); }},
          {"--reject-below",
           {"2e3"},
           "2000.000000",
           [](const R& r) { return std::to_string(r.options.reject_below); }},
          {"--reject-above",
           {Value(5.5)},
           "5.500000",
           [](const R& r) { return std::to_string(r.options.reject_above); }},
          {"--drop-rigid",
           {},
           "1",
           [](const R& r) {
             return std::to_string(r.options.rigid_modes == modal::RigidModes::drop);
           }},
          {"--keep-rigid",
           {},
           "1",
           [](const R& r) {
             return std::to_string(r.options.rigid_modes == modal::RigidModes::keep);
           }},
          {"--damping",
           {"1:0.25"},
           "0.250000",
           [](const R& r) {
             return r.options.damping.by_mode.empty()
                        ? ""
                        : std::to_string(r.options.damping.by_mode.front().second);
           }},
          {"--geometric",
           {"spin-zz=spun.fe.h5@100"},
           "spun.fe.h5 100.000000",
           [](const R& r) {
             return r.preloaded.empty() ? ""
                                        : verbs::name_of(r.preloaded.front().model) + " " +
                                              std::to_string(r.preloaded.front().amount);
           }},
          {"--normal", {"7"}, "7", [](const R& r) { return shown(r.options.normal); }},
          {"--fmax", {"80 Hz"}, "80.000000", [](const R& r) { return shown(r.options.fmax_hz); }},
          {"--krylov",
           {Value(std::int64_t{2})},
           "2",
           [](const R& r) { return std::to_string(r.options.krylov); }},
          {"--tolerance",
           {"0.5"},
           "0.500000",
           [](const R& r) { return std::to_string(r.options.tolerance); }},
          {"--band",
           {"20-90Hz"},
           "90.000000",
           [](const R& r) { return r.options.band ? std::to_string(r.options.band->to_hz) : "-"; }},
          {"--interface-modes",
           {"300"},
           "300",
           [](const R& r) { return shown(r.options.interface_modes); }},
          {"--left-out", {"12"}, "12", [](const R& r) { return shown(r.options.left_out); }},
          {"--left-out-at",
           {"7,9"},
           "2",
           [](const R& r) { return std::to_string(r.options.left_out_at.size()); }},
          {"--backend",
           {"eigen"},
           "1",
           [](const R& r) {
             return std::to_string(r.options.solve.backend == modal::parse_backend("eigen"));
           }},
          {"--name", {"beam"}, "beam", [](const R& r) { return shown(r.name); }},
      });
}

// A number in a script and a word in a shell have the same meaning.
TEST(ReduceOptions, TakeNumbersAsTheyAre) {
  using R = verbs::ReduceRequest;
  const cli::Verb& verb = cli::find_verb("reduce");
  for (const Value& given : {Value(0.02), Value("0.02")}) {
    const R request = request_with<R>(verb, {{"--damping", {given}}});
    EXPECT_EQ(request.options.damping.kind, modal::DampingRule::Kind::uniform);
    EXPECT_EQ(request.options.damping.ratio, 0.02);
  }
  for (const Value& percent : {Value(35.0), Value("35")})
    EXPECT_THROW(request_with<R>(verb, {{"--damping", {percent}}}), UsageError);
  EXPECT_THROW(request_with<R>(verb, {{"--normal", {Value(2.5)}}}), UsageError);
  EXPECT_THROW(request_with<R>(verb, {{"--normal", {Value(std::int64_t{-1})}}}), UsageError);
  EXPECT_THROW(request_with<R>(verb, {{"--fmax", {"80 s"}}}), UsageError);
  EXPECT_THROW(request_with<R>(verb, {{"--drop-rigid", {}}, {"--keep-rigid", {}}}), UsageError);
}

TEST(ModesOptions, FillTheirFields) {
  using R = verbs::ModesRequest;
  const auto flag = [](const char* name, bool modal::ModeRequest::*field) {
    return OptionCase<R>{
        name, {}, "1", [field](const R& r) { return std::to_string(r.modes.*field); }};
  };
  expect_options_fill_their_fields<R>(
      cli::find_verb("modes"),
      {
          {"--output",
           {"m.fe.h5"},
           "m.fe.h5",
           [](const R& r) { return r.output ? r.output->string() : "-"; }},
          {"--normal", {"7"}, "7", [](const R& r) { return std::to_string(r.modes.normal); }},
          {"--fmax", {"80Hz"}, "80.000000", [](const R& r) { return shown(r.modes.fmax_hz); }},
          {"--band",
           {"20-90Hz"},
           "20.000000 90.000000",
           [](const R& r) { return shown(r.modes.fmin_hz) + " " + shown(r.modes.fmax_hz); }},
          {"--fixed",
           {"interface"},
           "1",
           [](const R& r) {
             return std::to_string(r.modes.fixed == modal::ModeRequest::Boundary::interface);
           }},
          flag("--constraint", &modal::ModeRequest::constraint),
          {"--sense",
           {"all-but-one"},
           "1",
           [](const R& r) {
             return std::to_string(r.modes.constraint_sense ==
                                   modal::ModeRequest::ConstraintSense::all_but_one);
           }},
          {"--unit-force",
           {Value(2.5)},
           "2.500000",
           [](const R& r) { return std::to_string(r.modes.unit_force); }},
          flag("--static", &modal::ModeRequest::static_loads),
          flag("--attachment", &modal::ModeRequest::attachment),
          flag("--residual", &modal::ModeRequest::residual_attachment),
          flag("--inertia-relief", &modal::ModeRequest::inertia_relief),
          flag("--modal-truncation", &modal::ModeRequest::modal_truncation),
          {"--krylov", {"3"}, "3", [](const R& r) { return std::to_string(r.modes.krylov); }},
          {"--dofs",
           {"3/T3,12"},
           "7",
           [](const R& r) { return std::to_string(r.modes.dofs.size()); }},
          {"--backend",
           {"eigen"},
           "1",
           [](const R& r) {
             return std::to_string(r.modes.solve.backend == modal::Backend::eigen);
           }},
          {"--shift", {"-2"}, "-2.000000", [](const R& r) { return shown(r.modes.solve.shift); }},
      });
}

TEST(ImportOptions, FillTheirFields) {
  using R = verbs::ImportFilesRequest;
  using Pick = std::optional<importer::MatrixPick>;
  const auto matrix = [](const char* name, Pick importer::ImportRequest::*field) {
    return OptionCase<R>{name, {"a.op4:KAA"}, "a.op4 KAA", [field](const R& r) {
                           const Pick& pick = r.parts.*field;
                           return pick ? pick->path.string() + " " + pick->name : "-";
                         }};
  };
  expect_options_fill_their_fields<R>(
      cli::find_verb("import"),
      {
          {"--keep-nodes",
           {"set:INTERFACE"},
           "INTERFACE",
           [](const R& r) { return r.parts.keep_nodes ? r.parts.keep_nodes->set : "-"; }},
          {"--output",
           {"m.fe.h5"},
           "m.fe.h5",
           [](const R& r) { return r.output ? r.output->string() : "-"; }},
          matrix("--stiffness", &importer::ImportRequest::stiffness),
          matrix("--mass", &importer::ImportRequest::mass),
          matrix("--damping", &importer::ImportRequest::damping),
          {"--modes",
           {"a.op2:static=2,5"},
           "a.op2 5",
           [](const R& r) {
             return r.parts.modes.empty()
                        ? "-"
                        : r.parts.modes.front().path.string() + " " +
                              std::to_string(r.parts.modes.front().numbers.back());
           }},
          {"--dof-order", {"cards"}, "cards", [](const R& r) { return r.parts.dof_order; }},
          {"--interface",
           {Value(Value::List{Value(std::int64_t{4}), Value(std::int64_t{9})})},
           "2",
           [](const R& r) { return std::to_string(r.parts.interface_nodes.size()); }},
          {"--spider",
           {"901=rbe3:4-6,9@1,2,-3"},
           "901 4 -3",
           [](const R& r) {
             if (r.parts.spiders.empty()) return std::string("-");
             const importer::Spider& spider = r.parts.spiders.front();
             return std::to_string(spider.node) + " " + std::to_string(spider.pick.ids.size()) +
                    " " + std::to_string(std::lround(spider.position->z()));
           }},
          {"--mpc", {"12"}, "12", [](const R& r) { return shown(r.parts.mpc); }},
          {"--name", {"beam"}, "beam", [](const R& r) { return shown(r.name); }},
          {"--force", {}, "1", [](const R& r) { return std::to_string(r.parts.force); }},
      });
  EXPECT_THROW(request_with<R>(cli::find_verb("import"), {{"--mpc", {"0"}}}), UsageError);
}

TEST(ConvertOptions, FillTheirFields) {
  using R = verbs::ConvertRequest;
  expect_options_fill_their_fields<R>(
      cli::find_verb("convert"),
      {
          {"--format", {"fbm"}, "fbm", [](const R& r) { return r.options.format; }},
          {"--mat73", {}, "1", [](const R& r) { return std::to_string(r.mat73); }},
          {"--no-sidecar", {}, "0", [](const R& r) { return std::to_string(r.options.sidecar); }},
          {"--mbdyn-invariants",
           {},
           "1",
           [](const R& r) { return std::to_string(r.options.mbdyn_invariants); }},
          {"--hold-frame",
           {},
           "1",
           [](const R& r) {
             return std::to_string(r.options.frame == flexfile::FrameMotion::held ? 1 : 0);
           }},
          {"--deflate", {"6"}, "6", [](const R& r) { return std::to_string(r.options.deflate); }},
          {"--flex",
           {"arm.fbm"},
           "arm.fbm",
           [](const R& r) { return r.flex.empty() ? "" : r.flex.front().string(); }},
          {"--frames", {"25"}, "25", [](const R& r) { return std::to_string(r.max_frames); }},
      });
}

TEST(ValidateOptions, FillTheirFields) {
  using R = verbs::ValidateRequest;
  const auto limit = [](const char* name, double modal::ValidateOptions::*field) {
    return OptionCase<R>{name, {"0.375"}, "0.375000", [field](const R& r) {
                           return std::to_string(r.options.*field);
                         }};
  };
  expect_options_fill_their_fields<R>(
      cli::find_verb("validate"),
      {
          {"--against",
           {"full.fe.h5"},
           "full.fe.h5",
           [](const R& r) { return verbs::name_of(r.against); }},
          {"--modes", {"4"}, "4", [](const R& r) { return std::to_string(r.options.modes); }},
          {"--band",
           {"20-90Hz"},
           "90.000000",
           [](const R& r) { return r.options.band ? std::to_string(r.options.band->to_hz) : "-"; }},
          limit("--frequency-limit", &modal::ValidateOptions::frequency_limit),
          limit("--mac-limit", &modal::ValidateOptions::mac_limit),
          limit("--static-limit", &modal::ValidateOptions::static_limit),
          limit("--frf-limit", &modal::ValidateOptions::frf_limit),
      });
}

TEST(CompareOptions, FillTheirFields) {
  using R = verbs::CompareRequest;
  expect_options_fill_their_fields<R>(
      cli::find_verb("compare"),
      {
          {"--channels",
           {"a/x,b/y", "c=d"},
           "3",
           [](const R& r) { return std::to_string(r.channels.size()); }},
          {"--below", {"50Hz"}, "50.000000", [](const R& r) { return shown(r.below_hz); }},
          {"--tol", {"0.25"}, "0.250000", [](const R& r) { return std::to_string(r.tolerance); }},
      });
}

TEST(TransformOptions, FillTheirFields) {
  using R = verbs::TransformRequest;
  const Value shift(Value::List{Value(1.0), Value(2.0), Value(std::int64_t{3})});
  expect_options_fill_their_fields<R>(
      cli::find_verb("transform"),
      {
          {"--output",
           {"a.fbm", "b.flex"},
           "b.flex",
           [](const R& r) { return r.outputs.empty() ? "" : r.outputs.back().string(); }},
          {"--modes",
           {"2-5,9"},
           "9",
           [](const R& r) { return r.modes ? std::to_string(r.modes->back()) : "-"; }},
          {"--run",
           {"a.h5", "b.h5"},
           "b.h5",
           [](const R& r) { return r.runs.empty() ? "" : r.runs.back().string(); }},
          {"--keep", {"4"}, "4", [](const R& r) { return std::to_string(r.keep); }},
          {"--below", {"60Hz"}, "60.000000", [](const R& r) { return std::to_string(r.below_hz); }},
          {"--nodes",
           {"7"},
           "7",
           [](const R& r) { return r.nodes ? std::to_string(r.nodes->back()) : "-"; }},
          {"--mirror",
           {"y"},
           "1.000000",
           [](const R& r) { return r.mirror_normal ? std::to_string(r.mirror_normal->y()) : "-"; }},
          {"--rotate",
           {"z:90"},
           "1.000000",
           [](const R& r) { return r.rotation ? std::to_string((*r.rotation)(1, 0)) : "-"; }},
          {"--move",
           {shift},
           "3.000000",
           [](const R& r) { return r.shift ? std::to_string(r.shift->z()) : "-"; }},
          {"--name", {"beam"}, "beam", [](const R& r) { return shown(r.name); }},
      });
  EXPECT_EQ(request_with<R>(cli::find_verb("transform"), {{"--move", {"1,2 m,3"}}}).shift->y(),
            2.0);
}

TEST(InfoOptions, FillTheirFields) {
  using R = verbs::InfoRequest;
  expect_options_fill_their_fields<R>(
      cli::find_verb("info"), {{"--samples", {"1,1;14,19"}, "14", [](const R& r) {
                                  return r.samples.empty() ? ""
                                                           : std::to_string(r.samples.back().row);
                                }}});
}

}  // namespace
}  // namespace femflex::testing
