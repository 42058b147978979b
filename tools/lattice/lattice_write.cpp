// Writes lattices in the format of the file's extension. Warns of content that the format cannot
// represent.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"

#include "lattice/lattice_matrix.h"
#include "lattice/polynomial_json.h"
#include "lattice/run_lattice.h"

namespace femflex::tools {
namespace {

namespace fs = std::filesystem;
using namespace hamiltonian;

class LeftOut {
 public:
  explicit LeftOut(const AnyLattice& lattice) : document_(lattice.document) {
    if (!lattice.fydik) return;
    kept_end_ = lattice.fydik->time_break;
    kept_output_step_ = lattice.fydik->frame_step;
  }

  std::vector<std::string> of_matrix() {
    kept_end_ = kept_output_step_ = 0.0;
    note(document_.start_time != 0.0, "the start time");
    both();
    note(!model_.name.empty(), "the name");
    note(model_.step > 0.0, "the step");
    note(!document_.integrator.empty(), "the integrator");
    note(!model_.loads.empty(), "loads");
    note(any(model_.nodes, [](const auto& n) { return n.velocity.norm() > 0.0; }),
         "start velocities");
    note(any(model_.nodes, [](const auto& n) { return n.damping.is_active(); }), "damping");
    note(any(model_.springs, [](const auto& s) { return s.area > 0.0; }), "sections of springs");
    std::int64_t row = 0;
    note(any(model_.nodes, [&](const auto& n) { return n.id != ++row; }),
         "the nodes' numbers (rows count from 1)");
    return std::move(lost_);
  }

  std::vector<std::string> of_fydik() {
    kept_end_ = document_.end;  // written as timeBreak
    both();
    note(!document_.integrator.empty() && !fydik_number_of(document_.integrator),
         fmt::format("the integrator {} (the file's own method or Runge-Kutta 4 stands there)",
                     document_.integrator));
    note(any(model_.springs, [](const auto& s) { return s.tension_only; }),
         "the limit of springs to tension");
    note(any(model_.springs,
             [](const auto& s) {
               return std::isfinite(s.break_force) || std::isfinite(s.break_elongation) ||
                      std::isfinite(s.break_stress);
             }),
         "limits at which springs break");
    note(any(model_.springs, [](const auto& s) { return s.reference == Reference::current; }) ||
             any(model_.hinges, [](const auto& h) { return h.reference == Reference::current; }),
         "rest lengths and angles of the state at hand (\"current\")");
    note(any(model_.loads,
             [](const auto& l) {
               return std::isfinite(l.from) || std::isfinite(l.until) ||
                      l.until_step != std::numeric_limits<std::int64_t>::max();
             }),
         "beginnings and ends of loads");
    return std::move(lost_);
  }

  /// Lists the content of the model that the text of a polynomial cannot represent.
  std::vector<std::string> of_polynomial() {
    kept_end_ = kept_output_step_ = 0.0;
    note(document_.start_time != 0.0, "the start time");
    note(!model_.name.empty(), "the name");
    note(model_.step > 0.0, "the step");
    note(!document_.integrator.empty(), "the integrator");
    run();
    note(model_.start_at_equilibrium, "the start at equilibrium");
    return std::move(lost_);
  }

 private:
  template <typename List, typename Claim>
  static bool any(const List& list, Claim claim) {
    return std::any_of(list.begin(), list.end(), claim);
  }
  void note(bool is_there, std::string what) {
    if (is_there) lost_.push_back(std::move(what));
  }
  void run() {
    note(document_.end > 0.0 && document_.end != kept_end_, "the end of the run");
    note(document_.output_step > 0.0 && document_.output_step != kept_output_step_,
         "the output step");
    note(!document_.ports.empty(), "ports");
    note(!document_.remarks.empty(), "remarks");
  }
  void both() {
    note(model_.gravity.norm() > 0.0, "gravity");
    note(model_.friction != 0.0, "friction");
    note(!model_.motions.empty(), "prescribed motions");
    note(model_.hub.has_value(), "the hub R");
    note(model_.start_at_equilibrium, "the start at equilibrium");
    run();
  }

  const LatticeDocument& document_;
  const Lattice& model_ = document_.lattice;
  // end and output step in the written file [s]; if they differ from the document, they are lost
  double kept_end_ = 0.0, kept_output_step_ = 0.0;
  std::vector<std::string> lost_;
};

/// The polynomial as text. The format has no field for the start state, so a line "# start:"
/// contains it.
std::string polynomial_text(const AnyLattice& lattice) {
  const Lattice& model = lattice.document.lattice;
  const Polynomial polynomial =
      lattice.polynomial ? *lattice.polynomial : as_polynomial(model, PolynomialOrigin::absolute);
  const std::vector<double> states =
      lattice.polynomial ? lattice.start : start_states(model, PolynomialOrigin::absolute);
  std::string text = print_polynomial(polynomial);
  if (states.empty()) return text;
  std::vector<std::string> start;
  for (const double state : states)
    start.push_back(shortest(state));
  return text + fmt::format("# start: --dimension {} --initial {}\n",
                            polynomial.dimension,
                            fmt::join(start, ","));
}

std::string fydik_text(const AnyLattice& lattice) {
  const Lattice& model = lattice.document.lattice;
  FydikModel out = lattice.fydik.value_or(FydikModel{});
  if (!lattice.fydik && !model.name.empty()) out.name = model.name;
  if (model.step > 0.0) out.time_step = model.step;
  if (lattice.document.end > 0.0) out.time_break = lattice.document.end;
  out.time = lattice.document.start_time;
  if (const auto method = fydik_number_of(lattice.document.integrator)) out.method = *method;
  out.lattice = model;
  return print_fydik(out);
}

/// Warns that the content listed in `lost` is not in the file.
void warn_of_lost(const char* what,
                  const char* remedy,
                  const std::vector<std::string>& lost,
                  const fs::path& path,
                  Diagnostics& diagnostics) {
  if (lost.empty()) return;
  diagnostics.warn(
      "left-out",
      fmt::format("a {} has no place for {}: left out{}", what, fmt::join(lost, ", "), remedy),
      {path.string()});
}

/// The Hamiltonian of the model with its start and run options. Force ports on nodes are kept; a
/// warning lists the other ports.
PolynomialDocument polynomial_document(const AnyLattice& any,
                                       const fs::path& path,
                                       Diagnostics& diagnostics) {
  PolynomialDocument out;
  out.run = any.document;
  out.start = any.start;
  if (any.polynomial) {
    out.polynomial = *any.polynomial;
    return out;
  }
  const Lattice& lattice = any.document.lattice;
  out.polynomial = as_polynomial(lattice, PolynomialOrigin::absolute);
  out.start = start_states(lattice, PolynomialOrigin::absolute);
  std::vector<std::string> lost;
  out.run.ports.clear();
  for (const Port& port : any.document.ports)
    if (port.node >= 0 && port.causality == Causality::force_in) out.run.ports.push_back(port);
  if (out.run.ports.size() < any.document.ports.size())
    lost.emplace_back("ports of velocity and ports on R");
  if (lattice.start_at_equilibrium) lost.emplace_back("the start at equilibrium");
  warn_of_lost("polynomial", "", lost, path, diagnostics);
  return out;
}

}  // namespace

void write_polynomial(const AnyLattice& any, const fs::path& path, Diagnostics& diagnostics) {
  const std::string ending = path.extension().string();
  if (ending == ".json") {
    io::write_file(path,
                   polynomial_json(polynomial_document(any, path, diagnostics)).dump() + "\n");
    return;
  }
  if (ending != ".txt")
    throw UsageError(
        "usage",
        fmt::format("'{}': a polynomial is written as .json or .txt", path.filename().string()));
  warn_of_lost(
      "polynomial's text", "; JSON keeps more", LeftOut(any).of_polynomial(), path, diagnostics);
  io::write_file(path, polynomial_text(any));
}

void write_lattice(const AnyLattice& lattice, const fs::path& path, Diagnostics& diagnostics) {
  const std::string ending = path.extension().string();
  if (lattice.polynomial || ending == ".txt") {
    write_polynomial(lattice, path, diagnostics);
    return;
  }
  const auto warn = [&](const char* what, const std::vector<std::string>& lost) {
    warn_of_lost(what, "; JSON keeps all", lost, path, diagnostics);
  };
  std::string text;
  LeftOut lost(lattice);
  if (ending == ".csv") {
    text = lattice_matrix(lattice.document.lattice);
    warn("K/D matrix", lost.of_matrix());
  } else if (ending == ".fdk") {
    text = fydik_text(lattice);
    warn("FyDiK model", lost.of_fydik());
  } else if (ending == ".json") {
    text = lattice_json(lattice.document).dump() + "\n";
  } else {
    throw UsageError("usage",
                     fmt::format("'{}': a lattice is written as .json, .csv, .fdk or .txt",
                                 path.filename().string()));
  }
  io::write_file(path, text);
}

}  // namespace femflex::tools
