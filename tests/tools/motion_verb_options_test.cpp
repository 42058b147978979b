// Tests that each command-line option of simulate, export, tyre and similar verbs sets the right
// field of the request. Truth: the fields.
#include <filesystem>

#include "femflex/errors.h"

#include "option_table.h"
#include "verbs/ask.h"
#include "verbs/assemble.h"
#include "verbs/back_transform.h"
#include "verbs/export_fmu.h"
#include "verbs/lattice.h"
#include "verbs/linearise.h"
#include "verbs/new_files.h"
#include "verbs/road.h"
#include "verbs/simulate.h"
#include "verbs/stress.h"
#include "verbs/study.h"
#include "verbs/tyre.h"
#include "verbs/view.h"

namespace femflex::testing {
namespace {

using cli::Value;

TEST(SimulateOptions, FillTheirFields) {
  using R = verbs::SimulateRequest;
  const auto time = [](const char* name, std::optional<double> tools::RunOverrides::*field) {
    return OptionCase<R>{
        name, {"0.5 s"}, "0.500000", [field](const R& r) { return shown(r.run.*field); }};
  };
  const auto flag = [](const char* name, bool tools::RunOverrides::*field) {
    return OptionCase<R>{
        name, {}, "1", [field](const R& r) { return std::to_string(r.run.*field); }};
  };
  expect_options_fill_their_fields<R>(
      cli::find_verb("simulate"),
      {
          {"--output", {"r.h5"}, "r.h5", [](const R& r) { return r.output.string(); }},
          {"--integrator", {"bdf"}, "bdf", [](const R& r) { return r.run.integrator; }},
          time("--end", &tools::RunOverrides::end),
          time("--step", &tools::RunOverrides::step),
          time("--output-step", &tools::RunOverrides::output_step),
          flag("--keep-states", &tools::RunOverrides::keep_states),
          flag("--force", &tools::RunOverrides::force),
          {"--restart", {"a.h5"}, "a.h5", [](const R& r) { return r.run.restart.string(); }},
          time("--from", &tools::RunOverrides::from),
          flag("--allow-changes", &tools::RunOverrides::allows_changes),
          {"--set",
           {"a=1", "b=2"},
           "b=2",
           [](const R& r) {
             return r.document.sets.empty() ? "" : text_of(r.document.sets.back());
           }},
          {"--variant", {"stiff"}, "stiff", [](const R& r) { return r.document.variant; }},
      });
  EXPECT_THROW(request_with<R>(cli::find_verb("simulate"), {{"--end", {"0"}}}), UsageError);
}

TEST(ExportOptions, FillTheirFields) {
  using R = verbs::ExportRequest;
  const cli::Verb& verb = cli::find_verb("export");
  expect_options_fill_their_fields<R>(
      verb,
      {
          {"--output", {"a.fmu"}, "a.fmu", [](const R& r) { return r.output.string(); }},
          {"--mat73", {}, "1", [](const R& r) { return std::to_string(r.mat73); }},
          {"--fmi", {"3"}, "3", [](const R& r) { return std::to_string(r.fmi.value_or(2)); }},
          {"--kind",
           {"model-exchange"},
           "2",
           [](const R& r) { return std::to_string(static_cast<int>(r.kind)); }},
          {"--loads",
           {"a/force/x", "b/force/y"},
           "2",
           [](const R& r) { return std::to_string(r.inputs.size()); }},
          {"--channels",
           {"a", "b"},
           "2",
           [](const R& r) { return std::to_string(r.outputs.size()); }},
          {"--step", {"0.5 s"}, "0.500000", [](const R& r) { return shown(r.step); }},
          {"--end", {"0.5 s"}, "0.500000", [](const R& r) { return shown(r.end); }},
          {"--set",
           {"a=1", "b=2"},
           "b=2",
           [](const R& r) {
             return r.document.sets.empty() ? "" : text_of(r.document.sets.back());
           }},
          {"--variant", {"stiff"}, "stiff", [](const R& r) { return r.document.variant; }},
      });
  EXPECT_THROW(request_with<R>(verb, {{"--fmi", {"two"}}}), UsageError);
}

TEST(TyreOptions, FillTheirFields) {
  using R = verbs::TyreRequest;
  const auto list = [](const char* name, std::vector<double> R::*field) {
    return OptionCase<R>{name, {"0.1,-0.2,3"}, "3 -0.200000", [field](const R& r) {
                           const std::vector<double>& all = r.*field;
                           return std::to_string(all.size()) + " " +
                                  (all.size() > 1 ? std::to_string(all[1]) : "");
                         }};
  };
  const cli::Verb& verb = cli::find_verb("tyre");
  expect_options_fill_their_fields<R>(
      verb,
      {
          {"--table", {"t.csv"}, "t.csv", [](const R& r) { return r.table.string(); }},
          list("--kappa", &R::kappa),
          list("--alpha", &R::alpha_deg),
          list("--gamma", &R::gamma_deg),
          list("--load", &R::load),
          {"--speed", {"12"}, "12.000000", [](const R& r) { return std::to_string(r.speed); }},
          {"--right", {}, "1", [](const R& r) { return std::to_string(r.is_right); }},
          {"--csv", {"f.csv"}, "f.csv", [](const R& r) { return r.csv.string(); }},
      });
  EXPECT_THROW(request_with<R>(verb, {{"--kappa", {"0,x"}}}), UsageError);
  EXPECT_THROW(request_with<R>(verb, {{"--speed", {"fast"}}}), UsageError);
}

TEST(RoadOptions, FillTheirFields) {
  using R = verbs::RoadRequest;
  const cli::Verb& verb = cli::find_verb("road");
  const auto count = [](const char* name, std::vector<std::string> R::*field) {
    return OptionCase<R>{name, {"1,2", "3,4"}, "2", [field](const R& r) {
                           return std::to_string((r.*field).size());
                         }};
  };
  expect_options_fill_their_fields<R>(
      verb,
      {
          count("--at", &R::at),
          count("--uv", &R::uv),
          {"--table", {"t.csv"}, "t.csv", [](const R& r) { return r.table.string(); }},
          {"--along", {"0.5"}, "0.500000", [](const R& r) { return shown(r.along); }},
          {"--track", {"1.8"}, "1.800000", [](const R& r) { return std::to_string(r.track); }},
          {"--csv", {"f.csv"}, "f.csv", [](const R& r) { return r.csv.string(); }},
      });
  EXPECT_THROW(request_with<R>(verb, {{"--along", {"0"}}}), UsageError);
  EXPECT_THROW(request_with<R>(verb, {{"--track", {"-1"}}}), UsageError);
}

TEST(StudyOptions, FillTheirFields) {
  using R = verbs::StudyRequest;
  expect_options_fill_their_fields<R>(
      cli::find_verb("study"),
      {
          {"--reference", {"full"}, "full", [](const R& r) { return r.options.reference; }},
          {"--variants",
           {"a,b", "c"},
           "3",
           [](const R& r) { return std::to_string(r.options.variants.size()); }},
          {"--channels",
           {"a,b"},
           "2",
           [](const R& r) { return std::to_string(r.options.channels.size()); }},
          {"--below",
           {"50Hz"},
           "50.000000",
           [](const R& r) { return std::to_string(r.options.below_hz); }},
          {"--tol",
           {"0.25"},
           "0.250000",
           [](const R& r) { return std::to_string(r.options.limit); }},
          {"--folder", {"runs"}, "runs", [](const R& r) { return r.options.folder.string(); }},
          {"--end", {"2"}, "2.000000", [](const R& r) { return shown(r.options.overrides.end); }},
          {"--integrator",
           {"bdf"},
           "bdf",
           [](const R& r) { return r.options.overrides.integrator; }},
          {"--set",
           {"a=1", "b=2"},
           "2",
           [](const R& r) { return std::to_string(r.options.document.sets.size()); }},
          {"--vary",
           {"k=1:2", "c=1,2"},
           "2",
           [](const R& r) { return std::to_string(r.runs.vary.size()); }},
          {"--table", {"t.csv"}, "t.csv", [](const R& r) { return r.runs.table.string(); }},
          {"--sample", {"lhs:9"}, "lhs:9", [](const R& r) { return r.runs.sample; }},
          {"--seed", {"7"}, "7", [](const R& r) { return std::to_string(r.runs.seed); }},
          {"--measure",
           {"a=max:c", "min:c"},
           "2",
           [](const R& r) { return std::to_string(r.runs.measure.size()); }},
          {"--output", {"t.h5"}, "t.h5", [](const R& r) { return r.runs.output.string(); }},
          {"--histories", {"d"}, "d", [](const R& r) { return r.runs.histories.string(); }},
          {"--shard",
           {"2/3"},
           "1 of 3",
           [](const R& r) {
             return std::to_string(r.runs.shard.part) + " of " + std::to_string(r.runs.shard.parts);
           }},
          {"--resume", {}, "1", [](const R& r) { return std::to_string(int{r.runs.resume}); }},
          {"--merge", {}, "1", [](const R& r) { return std::to_string(int{r.merge}); }},
          {"--gradient", {}, "1", [](const R& r) { return std::to_string(int{r.gradient}); }},
          {"--variant", {"rigid"}, "rigid", [](const R& r) { return r.runs.document.variant; }},
      });
  for (const char* shard : {"0/3", "4/3", "3", "a/b"})
    EXPECT_THROW(request_with<R>(cli::find_verb("study"), {{"--shard", {shard}}}), UsageError);
}

TEST(BackTransformOptions, FillTheirFields) {
  using R = verbs::BackTransformRequest;
  expect_options_fill_their_fields<R>(
      cli::find_verb("back-transform"),
      {
          {"--flex",
           {"a.fbm"},
           "a.fbm",
           [](const R& r) { return r.flex ? verbs::name_of(*r.flex) : "-"; }},
          {"--body", {"dms"}, "dms", [](const R& r) { return r.options.body; }},
          {"--nodes",
           {"2-3"},
           "2",
           [](const R& r) { return std::to_string(r.options.nodes.size()); }},
          {"--route", {"inverse"}, "inverse", [](const R& r) { return r.options.route; }},
          {"--model",
           {"m.fe.h5"},
           "m.fe.h5",
           [](const R& r) { return r.model ? verbs::name_of(*r.model) : "-"; }},
          {"--select",
           {"static:1,constraint:1-2"},
           "2",
           [](const R& r) { return std::to_string(r.select.size()); }},
          {"--channels",
           {"a,b", "c"},
           "c",
           [](const R& r) { return r.options.channels.empty() ? "-" : r.options.channels.back(); }},
          {"--output",
           {"r.h5"},
           "r.h5",
           [](const R& r) { return r.output ? r.output->string() : "-"; }},
      });
}

TEST(StressOptions, FillTheirFields) {
  using R = verbs::StressRequest;
  const auto path = [](const std::optional<std::filesystem::path>& p) {
    return p ? p->string() : "-";
  };
  expect_options_fill_their_fields<R>(
      cli::find_verb("stress"),
      {
          {"--body", {"dms"}, "dms", [](const R& r) { return r.body; }},
          {"--flex",
           {"a.fbm"},
           "a.fbm",
           [](const R& r) { return r.flex ? verbs::name_of(*r.flex) : "-"; }},
          {"--model",
           {"m.fe.h5"},
           "m.fe.h5",
           [](const R& r) { return r.model ? verbs::name_of(*r.model) : "-"; }},
          {"--source",
           {"read"},
           "1",
           [](const R& r) { return std::to_string(static_cast<int>(r.source)); }},
          {"--at",
           {"corners"},
           "1",
           [](const R& r) { return std::to_string(static_cast<int>(r.places)); }},
          {"--elements",
           {"2-4"},
           "3",
           [](const R& r) { return std::to_string(r.elements.size()); }},
          {"--top", {"3"}, "3", [](const R& r) { return std::to_string(r.top); }},
          {"--csv", {"a.csv"}, "a.csv", [path](const R& r) { return path(r.csv); }},
          {"--history",
           {"1,5"},
           "2",
           [](const R& r) { return std::to_string(r.histories.size()); }},
          {"--forces", {"3-5"}, "3", [](const R& r) { return std::to_string(r.forces.size()); }},
          {"--preload",
           {"p.fe.h5:2"},
           "p.fe.h5 2",
           [](const R& r) {
             return r.preload
                        ? verbs::name_of(r.preload->model) + " " + std::to_string(r.preload->shape)
                        : "-";
           }},
          {"--gauges", {"g.json"}, "g.json", [path](const R& r) { return path(r.gauges); }},
          {"--output", {"o.h5"}, "o.h5", [path](const R& r) { return path(r.output); }},
          {"--view", {"v.html"}, "v.html", [path](const R& r) { return path(r.page); }},
          {"--vtk", {"p.pvd"}, "p.pvd", [path](const R& r) { return path(r.picture); }},
          {"--coordinates", {"z.rsp"}, "z.rsp", [path](const R& r) { return path(r.coordinates); }},
          {"--loads-at",
           {"0.1,0.3"},
           "2",
           [](const R& r) { return std::to_string(r.loads_at.size()); }},
          {"--loads", {"l.inp"}, "l.inp", [path](const R& r) { return path(r.loads); }},
          {"--curve", {"w.json"}, "w.json", [path](const R& r) { return path(r.curve); }},
          {"--criterion",
           {"principal"},
           "1",
           [](const R& r) { return std::to_string(static_cast<int>(r.criterion)); }},
          {"--residue",
           {"repeated"},
           "1",
           [](const R& r) { return std::to_string(static_cast<int>(r.residue)); }},
          {"--schedule", {"s.json"}, "s.json", [path](const R& r) { return path(r.schedule); }},
          {"--rainflow", {"t.csv"}, "t.csv", [path](const R& r) { return path(r.signals); }},
          {"--spectrum", {"g.csv"}, "g.csv", [path](const R& r) { return path(r.spectrum); }},
          {"--spectral-method",
           {"narrow-band"},
           "0",
           [](const R& r) { return std::to_string(static_cast<int>(r.spectral_method)); }},
          {"--with-left-out", {}, "1", [](const R& r) { return std::to_string(r.with_left_out); }},
          {"--channels",
           {"a,b"},
           "b",
           [](const R& r) { return r.channels.empty() ? "-" : r.channels.back(); }},
      });
}

TEST(LineariseOptions, FillTheirFields) {
  using R = verbs::LineariseRequest;
  expect_options_fill_their_fields<R>(
      cli::find_verb("linearise"),
      {
          {"--up-to", {"60 Hz"}, "60.000000", [](const R& r) { return shown(r.up_to_hz); }},
          {"--shapes", {}, "1", [](const R& r) { return std::to_string(r.shapes); }},
          {"--frf",
           {"a/x:b/y,c/z", "a/x:d/y"},
           "2 c/z",
           [](const R& r) {
             return r.responses.empty() ? "-"
                                        : std::to_string(r.responses.size()) + " " +
                                              r.responses.front().outputs.back();
           }},
          {"--band",
           {"20-90Hz"},
           "90.000000",
           [](const R& r) { return r.band ? std::to_string(r.band->to_hz) : "-"; }},
          {"--points", {"7"}, "7", [](const R& r) { return std::to_string(r.points); }},
          {"--at",
           {Value(Value::List{Value(0.5), Value(std::int64_t{11})})},
           "11.000000",
           [](const R& r) { return r.at_hz ? std::to_string((*r.at_hz)(1)) : "-"; }},
          {"--about", {"r.h5"}, "r.h5", [](const R& r) { return r.about.string(); }},
          {"--from", {"2 s"}, "2.000000", [](const R& r) { return shown(r.from); }},
          {"--no-statics", {}, "0", [](const R& r) { return std::to_string(r.about_equilibrium); }},
          {"--state-space",
           {"a.mat"},
           "a.mat",
           [](const R& r) { return r.state_space ? r.state_space->string() : ""; }},
          {"--state-inputs",
           {"a,b"},
           "b",
           [](const R& r) { return r.inputs.empty() ? "" : r.inputs.back(); }},
          {"--state-outputs",
           {"c", "d"},
           "d",
           [](const R& r) { return r.outputs.empty() ? "" : r.outputs.back(); }},
          {"--sample-time", {"0.5 s"}, "0.500000", [](const R& r) { return shown(r.sample_time); }},
          {"--mat73", {}, "1", [](const R& r) { return std::to_string(r.mat73); }},
          {"--order", {"4"}, "4", [](const R& r) { return std::to_string(r.order.value_or(0)); }},
          {"--set",
           {"a=1", "b=2"},
           "b=2",
           [](const R& r) {
             return r.document.sets.empty() ? "" : text_of(r.document.sets.back());
           }},
          {"--variant", {"stiff"}, "stiff", [](const R& r) { return r.document.variant; }},
      });
  EXPECT_EQ((*request_with<R>(cli::find_verb("linearise"), {{"--at", {"1,2 Hz"}}}).at_hz)(1), 2.0);
  for (const char* points : {"1", "1e6"})
    EXPECT_THROW(request_with<R>(cli::find_verb("linearise"), {{"--points", {points}}}),
                 UsageError);
}

using LatticeCase = OptionCase<verbs::LatticeRequest>;

LatticeCase lattice_number(const char* name,
                           const char* given,
                           std::optional<double> verbs::LatticeRequest::*field) {
  return {name, {given}, "0.500000", [field](const verbs::LatticeRequest& r) {
            return shown(r.*field);
          }};
}

LatticeCase lattice_flag(const char* name, bool verbs::LatticeRequest::*field) {
  return {
      name, {}, "1", [field](const verbs::LatticeRequest& r) { return std::to_string(r.*field); }};
}

LatticeCase lattice_file(const char* name, std::filesystem::path verbs::LatticeRequest::*field) {
  return {name, {"file"}, "file", [field](const verbs::LatticeRequest& r) {
            return (r.*field).string();
          }};
}

TEST(LatticeOptions, FillTheirFields) {
  using R = verbs::LatticeRequest;
  expect_options_fill_their_fields<R>(
      cli::find_verb("lattice"),
      {
          lattice_file("--output", &R::output),
          lattice_file("--csv", &R::csv),
          {"--integrator", {"symplectic4"}, "symplectic4", [](const R& r) { return r.integrator; }},
          lattice_number("--dt", "0.5 s", &R::step),
          lattice_number("--end", "0.5", &R::end),
          lattice_number("--output-step", "0.5", &R::output_step),
          lattice_flag("--force", &R::force),
          lattice_number("--friction", "0.5", &R::friction),
          {"--nodes", {"3-4"}, "2", [](const R& r) { return std::to_string(r.nodes.size()); }},
          {"--show",
           {"nodes,mass"},
           "mass",
           [](const R& r) { return r.show.empty() ? "-" : r.show.back(); }},
          {"--springs", {"3-5"}, "3", [](const R& r) { return std::to_string(r.springs.size()); }},
          {"--group",
           {"shear=1-2"},
           "shear=1-2",
           [](const R& r) { return r.groups.empty() ? "-" : r.groups.back(); }},
          {"--centre",
           {"1,2"},
           "2",
           [](const R& r) { return r.centre ? std::to_string(r.centre->size()) : "-"; }},
          {"--beam", {"cantilever"}, "cantilever", [](const R& r) { return r.beam; }},
          lattice_flag("--statics", &R::statics),
          lattice_flag("--stay-on-branch", &R::stay_on_branch),
          lattice_number("--load-factor", "0.5", &R::load_factor),
          {"--load-steps", {"7"}, "7", [](const R& r) { return shown(r.load_steps); }},
          lattice_flag("--buckling", &R::buckling),
          lattice_file("--branch", &R::branch),
          lattice_number("--largest-factor", "0.5", &R::largest_factor),
          lattice_file("--to-fe", &R::to_fe),
          lattice_flag("--keep-held", &R::keep_held),
          {"--set",
           {"a=1", "b=2"},
           "b=2",
           [](const R& r) {
             return r.document.sets.empty() ? "" : text_of(r.document.sets.back());
           }},
          {"--variant", {"stiff"}, "stiff", [](const R& r) { return r.document.variant; }},
          lattice_file("--save-state", &R::save_state),
          lattice_file("--resume", &R::resume),
          {"--initial",
           {"0,0.1,0.3"},
           "3",
           [](const R& r) { return r.initial ? std::to_string(r.initial->size()) : "-"; }},
          {"--dimension", {"2"}, "2", [](const R& r) { return shown(r.dimension); }},
          lattice_flag("--rest-from-start", &R::rest_from_start),
          lattice_file("--write", &R::write),
          lattice_file("--to-polynomial", &R::to_polynomial),
          lattice_number("--rtol", "0.5", &R::relative_tolerance),
          lattice_number("--atol", "0.5", &R::absolute_tolerance),
      });
}

// The help shows the default values of a run. Truth: the defaults of LatticeJob.
TEST(LatticeOptions, FallbacksOfTheTableAreThoseOfTheRun) {
  const tools::LatticeJob job;
  const std::map<std::string, double> expected = {
      {"--load-factor", job.load_factor},
      {"--load-steps", job.load_steps},
      {"--largest-factor", job.largest_factor},
      {"--dimension", tools::LatticeReadOptions().polynomial_dimension},
      {"--rtol", job.run.relative_tolerance},
      {"--atol", job.run.absolute_tolerance}};
  std::size_t seen = 0;
  for (const cli::Option& option : cli::find_verb("lattice").options) {
    if (option.fallback.empty()) continue;
    EXPECT_EQ(std::stod(option.fallback), expected.at(option.name)) << option.name;
    ++seen;
  }
  EXPECT_EQ(seen, expected.size());
}

TEST(AssembleOptions, FillTheirFields) {
  using R = verbs::AssembleRequest;
  expect_options_fill_their_fields<R>(
      cli::find_verb("assemble"),
      {
          {"--part", {"B1"}, "B1", [](const R& r) { return r.part; }},
          {"--fixed",
           {"1-3,8"},
           "8",
           [](const R& r) { return r.fixed ? std::to_string(r.fixed->back()) : "-"; }},
          {"--report", {}, "1", [](const R& r) { return std::to_string(r.report); }},
          {"--ca", {"c.pem"}, "c.pem", [](const R& r) { return r.ca.string(); }},
          {"--output", {"a.txt"}, "a.txt", [](const R& r) { return r.output.string(); }},
          {"--csv", {"a.csv"}, "a.csv", [](const R& r) { return r.csv.string(); }},
          {"--frf-csv", {"f.csv"}, "f.csv", [](const R& r) { return r.frf_csv.string(); }},
      });
}

TEST(AskOptions, FillTheirFields) {
  using R = verbs::AskRequest;
  expect_options_fill_their_fields<R>(
      cli::find_verb("ask"),
      {
          {"--part", {"B1"}, "B1", [](const R& r) { return r.part; }},
          {"--registry", {}, "1", [](const R& r) { return std::to_string(r.is_registry); }},
          {"--token-env", {"T"}, "T", [](const R& r) { return r.token_env; }},
          {"--ca", {"c.pem"}, "c.pem", [](const R& r) { return r.ca.string(); }},
          {"--agent-timeout",
           {"2 s"},
           "2.000000",
           [](const R& r) { return std::to_string(r.timeout); }},
          {"--ports",
           {"3,2"},
           "3",
           [](const R& r) { return r.ports.empty() ? "-" : std::to_string(r.ports.front()); }},
          {"--fixed",
           {"1-3,8"},
           "8",
           [](const R& r) { return r.fixed.empty() ? "-" : std::to_string(r.fixed.back()); }},
          {"--frf",
           {"1-20Hz"},
           "20.000000",
           [](const R& r) { return r.band ? std::to_string(r.band->to_hz) : "-"; }},
          {"--points", {"7"}, "7", [](const R& r) { return std::to_string(r.points); }},
          {"--step", {}, "1", [](const R& r) { return std::to_string(r.step); }},
          {"--impulse", {}, "1", [](const R& r) { return std::to_string(r.impulse); }},
          {"--force", {"5 N"}, "5.000000", [](const R& r) { return std::to_string(r.force); }},
          {"--end", {"2 s"}, "2.000000", [](const R& r) { return shown(r.end); }},
          {"--dt", {"0.5 s"}, "0.500000", [](const R& r) { return shown(r.dt); }},
          {"--output", {"a.txt"}, "a.txt", [](const R& r) { return r.output.string(); }},
          {"--csv", {"a.csv"}, "a.csv", [](const R& r) { return r.csv.string(); }},
          {"--frf-csv", {"f.csv"}, "f.csv", [](const R& r) { return r.frf_csv.string(); }},
      });
}

TEST(NewOptions, FillTheirFields) {
  using R = verbs::NewFilesRequest;
  expect_options_fill_their_fields<R>(cli::find_verb("new"),
                                      {{"--output", {"a.json"}, "a.json", [](const R& r) {
                                          return r.output ? r.output->string() : "-";
                                        }}});
}

TEST(ViewOptions, FillTheirFields) {
  using R = verbs::ViewRequest;
  expect_options_fill_their_fields<R>(
      cli::find_verb("view"),
      {
          {"--output", {"p.html"}, "p.html", [](const R& r) { return r.output.string(); }},
          {"--flex",
           {"a.fbm", "b.fbm"},
           "b.fbm",
           [](const R& r) { return r.flex.empty() ? "" : r.flex.back().string(); }},
      });
}

}  // namespace
}  // namespace femflex::testing
