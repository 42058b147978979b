// Prepares the start state, runs the analysis that the job requests, and collects its numbers, text
// and files. q are positions, p momenta, one per node and axis.
#include "lattice/run_lattice.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/hamiltonian/lattice_statics.h"
#include "femflex/hamiltonian/lattice_to_fe.h"
#include "femflex/importer/fe_model_file.h"
#include "femflex/io/atomic_file.h"

#include "lattice/lattice_report.h"
#include "lattice/lattice_sinks.h"
#include "lattice/lattice_start.h"
#include "lattice/run_polynomial.h"
#include "lattice/static_factor.h"
#include "results/outputs.h"
#include "results/results_file.h"

namespace femflex::tools {
namespace {

using namespace hamiltonian;

constexpr std::size_t kFewNodes = 2000;    // largest lattice of which all nodes are listed
constexpr std::size_t kMostKept = 200000;  // largest lattice that is stored with its result

/// Indices of the nodes whose motion is written to the result.
std::vector<std::size_t> shown_nodes(const Lattice& lattice,
                                     const LatticeJob& job,
                                     Diagnostics& diagnostics) {
  std::vector<std::size_t> out;
  for (const std::int64_t id : job.nodes) {
    const std::int32_t found = find_node(lattice, id);
    if (found < 0)
      throw UsageError("unknown-node",
                       fmt::format("--nodes: there is no node {}", id),
                       {},
                       fmt::format("the ids of the {} nodes are in the model; without --nodes all "
                                   "of them are shown",
                                   lattice.nodes.size()));
    out.push_back(static_cast<std::size_t>(found));
  }
  if (!out.empty()) return out;
  if (lattice.nodes.size() > kFewNodes) {
    diagnostics.warn("nodes-not-shown",
                     fmt::format("{} nodes are too many to show all", lattice.nodes.size()),
                     {});
    return out;
  }
  for (std::size_t i = 0; i < lattice.nodes.size(); ++i)
    out.push_back(i);
  return out;
}

Json list_of(const std::vector<double>& values, std::size_t first, std::size_t count) {
  Json out = Json::list();
  for (std::size_t i = 0; i < count; ++i)
    out.push_back(values[first + i]);
  return out;
}

const char* kind_of(bool is_limit_point) {
  return is_limit_point ? "limit point" : "bifurcation";
}

std::string stability(const Equilibrium& found) {
  if (found.negative > 0) return fmt::format("unstable ({} negative eigenvalues)", found.negative);
  if (found.neutral > 0)
    return fmt::format("neutral: nothing holds it in {} {}",
                       found.neutral,
                       found.neutral == 1 ? "direction" : "directions");
  return "stable";
}

class Runner {
 public:
  Runner(const AnyLattice& input,
         const LatticeJob& job,
         Diagnostics& diagnostics,
         Progress& progress)
      : input_(input), job_(job), diagnostics_(diagnostics), progress_(progress) {}

  LatticeOutcome run() {
    LatticeSystem system(input_.document.lattice);
    State state;
    if (!job_.resume.empty())
      state = resumed(system);
    else
      state = job_.statics ? given_start(system, input_.document)
                           : start_of_run(system, input_.document, progress_, &diagnostics_);
    system.set_current_references(state);
    if (system.lattice().hub)
      diagnostics_.warn("idle-hub",
                        "R acts with its ports alone, in a host program or as a body of a system: "
                        "its springs are left out here");
    nodes_ = shown_nodes(system.lattice(), job_, diagnostics_);
    if (job_.buckling) buckle(system, state);
    if (!job_.branch.empty()) follow(system, state);
    if (job_.statics) rest(system, state);
    const bool goes = !job_.statics && !job_.buckling && job_.branch.empty() &&
                      (job_.to_fe.empty() || job_.run.end > 0.0);
    if (goes) move(system, state);
    if (!job_.to_fe.empty()) {
      FeModel model =
          to_fe_model(system, state, job_.keep_held ? HeldDofs::keep : HeldDofs::leave_out);
      model.provenance.options = job_.summary;
      importer::write_fe_model(model, job_.to_fe);
      outputs_.push_back(job_.to_fe.string());
      out_.text += fmt::format("{}: {} DOFs\n", job_.to_fe.string(), model.dofs.size());
    }
    if (!job_.save_state.empty()) {
      save(system, state);
      outputs_.push_back(job_.save_state.string());
    }
    show_nodes(system, state);
    show_beam(system, state);
    out_.document["outputs"] = outputs_;
    return std::move(out_);
  }

 private:
  /// The stored state; the system then breaks and refers to what it did when the state was saved.
  State resumed(LatticeSystem& system) const {
    State state = read_state(job_.resume);
    if (state.q.size() != system.dof_count() || state.p.size() != system.dof_count() ||
        state.memory.angles.size() != system.lattice().hinges.size() ||
        state.memory.broken.size() != system.lattice().springs.size())
      throw UsageError("state-size",
                       fmt::format("is the state of another model: {} positions and {} springs, "
                                   "the model has {} and {}",
                                   state.q.size(),
                                   state.memory.broken.size(),
                                   system.dof_count(),
                                   system.lattice().springs.size()),
                       {job_.resume.string()},
                       "resume with the model that the state was saved from");
    // a spring without a limit stays broken too
    system.let_break(state.memory);
    keep_references(system);
    if (check_model_of_state(job_.resume, parts_of(input_.document.lattice), diagnostics_))
      go_on_with_changes(system, state);
    return state;
  }

  void keep_references(LatticeSystem& system) const {
    if (!has_current_references(system.lattice())) return;
    if (const auto known = read_references(job_.resume)) {
      if (known->lengths.size() != system.lattice().springs.size() ||
          known->angles.size() != system.lattice().hinges.size())
        throw ParseError("bad-state",
                         "/rest_lengths or /reference_angles has the size of another model",
                         {job_.resume.string()});
      system.keep_references(*known);
    } else
      diagnostics_.warn("references-anew",
                        "the state does not tell the lengths and angles that are \"current\": they "
                        "are those at which this run begins",
                        {job_.resume.string()});
  }

  void save(const LatticeSystem& system, const State& state) const {
    const Lattice& given = input_.document.lattice;
    std::optional<References> references;
    if (has_current_references(given)) references = system.current_references(given);
    write_state(state, parts_of(given), job_.save_state, references);
  }

  /// Stores the lattice with its motion, so that pictures can show the springs.
  void keep_lattice(const LatticeSystem& system, ResultRows& rows) const {
    if (nodes_.empty() || system.lattice().nodes.size() > kMostKept) return;
    rows.set_text("lattice", lattice_json(system.lattice()).dump_line());
  }

  bool is_static() const { return job_.statics || job_.buckling || !job_.branch.empty(); }
  double load_factor() const { return job_.statics ? job_.load_factor : 1.0; }

  LatticeChannels more_channels(const LatticeSystem& system) const {
    return {system, job_.channels, nodes_, load_factor(), is_static()};
  }

  /// Adds deflections and bending stiffnesses of the shown nodes in the final state.
  void show_beam(const LatticeSystem& system, const State& state) {
    if (!job_.channels.beam) return;
    const BeamBending beam(system, *job_.channels.beam);
    const Json table =
        beam_json(beam, system, nodes_, state, beam_instant(state, is_static()), load_factor());
    out_.text += beam_text(table);
    out_.document["beam"] = table;
  }

  void move(const LatticeSystem& system, State& state) {
    const RunOptions& options = job_.run;
    LatticeRecord record(job_, state.time, diagnostics_);
    std::unique_ptr<LatticeSink> sink;
    if (ResultRows* rows = record.rows(); rows != nullptr) {
      rows->set_attribute("name", system.lattice().name);
      keep_lattice(system, *rows);
      sink = std::make_unique<LatticeSink>(system, nodes_, more_channels(system), *rows);
    }
    const RunResult result = record.run(
        [&]() {
          return hamiltonian::run(system, state, options, sink.get(), diagnostics_, progress_);
        },
        [&](const State& stopped) { save(system, stopped); },
        outputs_);
    out_.series = record.series();
    state = result.state;
    report_run(result, options, out_, diagnostics_);
    const ExtremeStress stress = system.extreme_stress(state);
    if (stress.spring < 0) return;
    Json extreme = Json::object();
    extreme["spring"] = stress.spring + 1;
    extreme["stress"] = stress.stress;
    extreme["during_run"] = sink ? sink->worst().stress : stress.stress;
    out_.document["extreme_stress"] = extreme;
  }

  void rest(const LatticeSystem& system, State& state) {
    EquilibriumOptions options;
    options.time = job_.run.end;
    options.stable = !job_.any_equilibrium;
    options.load_factor = job_.load_factor;
    options.load_steps = job_.load_steps;
    options.make_factor = static_factors(job_.run.threads);
    const Equilibrium found = find_equilibrium(system, state, options, progress_);
    state = found.state;
    Json statics = Json::object();
    statics["converged"] = found.converged;
    statics["iterations"] = found.iterations;
    statics["residual"] = found.residual;
    statics["load_factor"] = found.load_factor;
    statics["negative_eigenvalues"] = found.negative;
    statics["neutral_eigenvalues"] = found.neutral;
    statics["stable"] = found.negative == 0 && found.neutral == 0;
    statics["potential_energy"] = found.potential;
    const auto dim = static_cast<std::size_t>(system.lattice().dimension);
    Json reactions = Json::list();
    for (std::size_t i = 0; i < system.lattice().nodes.size(); ++i) {
      bool any = false;
      for (std::size_t axis = 0; axis < dim; ++axis)
        any = any || system.inverse_masses()[i * dim + axis] == 0.0;
      if (!any) continue;
      Json reaction = Json::object();
      reaction["id"] = system.lattice().nodes[i].id;
      reaction["force"] = list_of(found.reactions, i * dim, dim);
      reactions.push_back(reaction);
    }
    statics["reactions"] = reactions;
    out_.document["statics"] = statics;
    out_.text += fmt::format("equilibrium: {} iterations, unbalanced {:.3g} N, {}\n",
                             found.iterations,
                             found.residual,
                             stability(found));
    if (!found.converged) throw NumericalError("no-equilibrium", found.message);
    warn_of_broken(found, diagnostics_);
    LatticeRecord record(job_, state.time, diagnostics_);
    if (record.rows() == nullptr) return;
    keep_lattice(system, *record.rows());
    LatticeSink sink(system, nodes_, more_channels(system), *record.rows());
    static_cast<void>(record.run(
        [&]() {
          sink.sample({state, Energy{0.0, found.potential}, 0.0});
          return RunResult();
        },
        [&](const State& stopped) { save(system, stopped); },
        outputs_));
    out_.series = record.series();
  }

  BranchOptions branch_options() const {
    BranchOptions options;
    options.largest_factor = job_.largest_factor;
    return options;
  }

  void buckle(const LatticeSystem& system, State& state) {
    const Buckling found = find_buckling(system, state, branch_options(), progress_);
    Json buckling = Json::object();
    buckling["found"] = found.found;
    if (!found.found) {
      buckling["message"] = found.message;
      out_.text += found.message + "\n";
    } else {
      buckling["load_factor"] = found.load_factor;
      buckling["kind"] = kind_of(found.is_limit_point);
      const auto dim = static_cast<std::size_t>(system.lattice().dimension);
      Json shape = Json::list();
      for (const std::size_t node : nodes_) {
        Json entry = Json::object();
        entry["id"] = system.lattice().nodes[node].id;
        entry["displacement"] = list_of(found.shape, node * dim, dim);
        shape.push_back(entry);
      }
      buckling["shape"] = shape;
      out_.text += fmt::format("stability is lost at load factor {:.10g} ({})\n",
                               found.load_factor,
                               kind_of(found.is_limit_point));
      state = found.state;
    }
    out_.document["buckling"] = buckling;
  }

  void follow(const LatticeSystem& system, State& state) {
    const Branch branch = follow_branch(system, state, branch_options(), progress_);
    std::string text = "load_factor,negative";
    constexpr std::array kAxes = {"x", "y", "z"};
    const auto dim = static_cast<std::size_t>(system.lattice().dimension);
    for (const std::size_t node : nodes_)
      for (std::size_t axis = 0; axis < dim; ++axis)
        text += fmt::format(",{}/{}", system.lattice().nodes[node].id, kAxes[axis]);
    text += "\n";
    for (const BranchPoint& point : branch.points) {
      text += fmt::format("{},{}", shortest(point.load_factor), point.negative);
      for (const std::size_t node : nodes_)
        for (std::size_t axis = 0; axis < dim; ++axis)
          text += "," + shortest(point.state.q[node * dim + axis]);
      text += "\n";
    }
    const std::filesystem::path place =
        branch.stopped ? io::path_for_unfinished(job_.branch) : job_.branch;
    io::write_file(place, text);
    outputs_.push_back(place.string());
    if (branch.stopped)
      throw UnfinishedRun(Cancelled(),
                          fmt::format("{} points are in {}", branch.points.size(), place.string()),
                          "a smaller --largest-factor ends sooner");
    out_.text += fmt::format("branch of {} points{}\n",
                             branch.points.size(),
                             branch.message.empty() ? "" : ": " + branch.message);
    Json critical = Json::list();
    for (const CriticalPoint& point : branch.critical) {
      const char* kind = kind_of(point.is_limit_point);
      Json entry = Json::object();
      entry["load_factor"] = point.load_factor;
      entry["kind"] = kind;
      entry["negative_before"] = point.negative_before;
      entry["negative_after"] = point.negative_after;
      critical.push_back(entry);
      out_.text += fmt::format("{} at load factor {:.10g}: {} to {} negative eigenvalues\n",
                               kind,
                               point.load_factor,
                               point.negative_before,
                               point.negative_after);
    }
    out_.document["critical_points"] = critical;
    if (!branch.points.empty()) state = branch.points.back().state;
    if (!branch.complete) throw NumericalError("branch-lost", branch.message);
  }

  void show_nodes(const LatticeSystem& system, const State& state) {
    const auto dim = static_cast<std::size_t>(system.lattice().dimension);
    Json list = Json::list();
    for (const std::size_t node : nodes_) {
      Json entry = Json::object();
      entry["id"] = system.lattice().nodes[node].id;
      entry["position"] = list_of(state.q, node * dim, dim);
      Json velocity = Json::list();
      for (std::size_t axis = 0; axis < dim; ++axis)
        velocity.push_back(state.p[node * dim + axis] / system.momentum_masses()[node]);
      entry["velocity"] = velocity;
      list.push_back(entry);
      if (nodes_.size() > 40) continue;
      out_.text += fmt::format("node {:>6}", system.lattice().nodes[node].id);
      for (std::size_t axis = 0; axis < dim; ++axis)
        out_.text += fmt::format(" {:>14.8g}", state.q[node * dim + axis]);
      out_.text += "\n";
    }
    out_.document["nodes"] = list;
    const auto broken = std::count(state.memory.broken.begin(), state.memory.broken.end(), 1);
    if (broken > 0) {
      out_.document["broken_springs"] = broken;
      out_.text += fmt::format("{} broke\n", springs_text(broken));
    }
  }

  const AnyLattice& input_;
  const LatticeJob& job_;
  Diagnostics& diagnostics_;
  Progress& progress_;
  LatticeOutcome out_;
  std::vector<std::size_t> nodes_;
  std::vector<std::string> outputs_;
};

}  // namespace

LatticeOutcome run_lattice(const AnyLattice& lattice,
                           const LatticeJob& job,
                           Diagnostics& diagnostics,
                           Progress& progress) {
  if (lattice.polynomial) return run_polynomial(*lattice.polynomial, job, diagnostics, progress);
  return Runner(lattice, job, diagnostics, progress).run();
}

}  // namespace femflex::tools
