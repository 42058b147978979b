// Reads the member "solve" of an assembly file and writes each result that it requests. Parts too
// large for all their poles get some poles near a shift, and responses by time steps. Notation: H
// is a transfer function, s a pole.
#include "assembly/assembly_run.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/substructure/solve.h"
#include "femflex/substructure/text_form.h"

#include "assembly/assembly_findings.h"
#include "assembly/assembly_ways.h"
#include "assembly/part_offer.h"
#include "assembly/part_remarks.h"
#include "document/json_numbers.h"
#include "document/json_text.h"

namespace femflex::tools {

using substructure::DynamicStiffness;
using substructure::Hold;
using substructure::Input;
using substructure::Output;
using substructure::Poles;
using substructure::Supports;
using substructure::TransferFunction;

namespace {

Json pair(std::complex<double> value) {
  return Json(std::vector<double>{value.real(), value.imag()});
}

/// The text of member `key`, which must be one of `choices`; the first choice if it is missing.
std::string chosen(ObjectReader& reader,
                   std::string_view key,
                   const std::vector<std::string>& choices) {
  const Json* value = reader.find(key);
  return value == nullptr ? choices.front() : choice(*value, choices);
}

class Run {
 public:
  Run(PartBook& book,
      std::string number,
      const DynamicStiffness& part,
      const Json* solve,
      Progress& progress)
      : book_(book), number_(std::move(number)), part_(part), progress_(progress) {
    if (solve == nullptr || solve->is_null()) return;
    ObjectReader reader(*solve, "'solve'");
    reader.find("part");
    supports_.fixed = ports_of(reader.find("fixed"), part);
    supports_.prescribed = ports_of(reader.find("prescribed"), part);
    poles_ = reader.find("poles");
    transfer_ = reader.find("transfer");
    frf_ = reader.find("frf");
    step_ = reader.find("step");
    impulse_ = reader.find("impulse");
    simulate_ = reader.find("simulate");
    time_ = reader.find("time");
    wants_report_ = reader.boolean("report", false);
    reader.finish();
  }

  void hold(const std::vector<int>& fixed) { supports_.fixed = fixed; }
  void want_report() { wants_report_ = true; }
  /// The poles that result() used.
  const Poles& poles() const { return found_; }

  AssemblyResult result() {
    out_.document["part"] = part_.name;
    out_.document["ports"] = part_.ports;
    out_.document["inner"] = part_.inner_count();
    out_.document["order"] = part_.order();
    write_poles();
    write_transfer();
    write_frequency_response();
    write_responses();
    if (part_.size() <= kLargestText) out_.dynamics = substructure::write_text(part_);
    out_.document["outputs"] = Json::list();
    write_csv();
    out_.text += fmt::format("{}: {} ports, {} inner coordinates, order {}\n",
                             part_.name,
                             part_.port_count(),
                             part_.inner_count(),
                             part_.order());
    for (Eigen::Index k = 0; k < std::min<Eigen::Index>(found_.values.size(), 20); ++k) {
      const std::complex<double> s = found_.values(k);
      if (s.imag() < 0.0) continue;
      out_.text += fmt::format("  {:.6g} {:+.6g} i rad/s", s.real(), s.imag());
      if (s.imag() > 0.0) out_.text += fmt::format("   {:.6g} Hz", std::abs(s) / (2.0 * M_PI));
      out_.text += "\n";
    }
    if (wants_report_) {
      Findings findings = findings_of(book_, number_, part_);
      out_.document["report"] = std::move(findings.document);
      out_.text += findings.text;
    }
    return std::move(out_);
  }

 private:
  static constexpr Eigen::Index kLargestText = 2000;
  static constexpr Eigen::Index kDenseStates = 2000;

  /// True if the part is too large to compute all its poles; responses then come from time steps.
  bool is_large() const { return part_.size() * part_.order() > kDenseStates; }

  const Poles& all_poles() {
    if (!has_poles_) {
      found_ = substructure::poles(part_, supports_);
      has_poles_ = true;
    }
    return found_;
  }

  void write_poles() {
    if (poles_ != nullptr && poles_->is_object()) {
      ObjectReader reader(*poles_, "'poles'");
      const double shift = reader.need("near").number();
      const Json& count = reader.need("count");
      if (count.number() < 1.0) count.fail("number", "at least one pole");
      reader.finish();
      found_ = substructure::poles_near(
          part_, supports_, shift, static_cast<Eigen::Index>(count.number()));
    } else if (poles_ == nullptr && is_large()) {
      // a small shift is not a pole of a part that is passive
      found_ = substructure::poles_near(part_, supports_, 1.0, 20);
    } else if (poles_ == nullptr || poles_->boolean()) {
      all_poles();
    }
    Json list = Json::list();
    for (Eigen::Index k = 0; k < found_.values.size(); ++k)
      list.push_back(pair(found_.values(k)));
    out_.document["poles"] = std::move(list);
    out_.document["poles_at_infinity"] = found_.infinite;
    out_.document["pole_residual"] = found_.residual;
  }

  void write_transfer() {
    Json all = Json::object();
    if (transfer_ != nullptr) {
      for (const Json& item : transfer_->items()) {
        ObjectReader reader(item, "'transfer'");
        const Way way = read_way(reader, part_);
        const std::string form = chosen(reader, "form", {"pole-residue", "polynomial"});
        reader.finish();
        all[way.name] = form == "polynomial" ? polynomials(way, item) : pole_residue(way);
      }
    }
    out_.document["transfer"] = std::move(all);
  }

  Json polynomials(const Way& way, const Json& item) {
    if (way.input.kind != Input::Kind::force || way.output.kind != Output::Kind::displacement) {
      item.fail("form", "polynomials go from forces to displacements");
    }
    const substructure::RationalFunction H =
        substructure::transfer_polynomials(part_, supports_, way.input.port, way.output.port);
    Json out = Json::object();
    out["numerator"] = H.numerator;
    out["denominator"] = H.denominator;
    return out;
  }

  Json pole_residue(const Way& way) {
    const TransferFunction H = transfer(way);
    Json terms = Json::list();
    for (const substructure::PoleTerm& term : H.terms) {
      Json one = Json::object();
      one["pole"] = pair(term.pole);
      Json residues = Json::list();
      for (const std::complex<double>& residue : term.residues)
        residues.push_back(pair(residue));
      one["residues"] = std::move(residues);
      terms.push_back(std::move(one));
    }
    Json out = Json::object();
    out["terms"] = std::move(terms);
    out["direct"] = H.direct;
    return out;
  }

  TransferFunction transfer(const Way& way) {
    return substructure::transfer_function(part_, supports_, all_poles(), way.input, way.output);
  }

  void write_frequency_response() {
    if (frf_ == nullptr) return;
    ObjectReader reader(*frf_, "'frf'");
    const Json& grid = reader.need("hz");
    std::vector<double> hz = numbers(grid);
    if (const Json* count = reader.find("points")) {
      const double points = count->number();
      if (hz.size() != 2 || points < 2.0 || points > 1e6) {
        grid.fail("grid", "with 'points' (2 to a million), 'hz' is [from, to]");
      }
      const double from = hz[0];
      const double to = hz[1];
      hz.clear();
      for (int k = 0; k < static_cast<int>(points); ++k) {
        hz.push_back(from + (to - from) * k / (points - 1.0));
      }
    }
    std::vector<double> omega;
    for (const double f : hz)
      omega.push_back(2.0 * M_PI * f);
    Json out = Json::object();
    out["hz"] = hz;
    std::vector<std::vector<std::complex<double>>> columns;
    out_.frf_csv = "hz";
    for (const Json& item : reader.need("ways").items()) {
      ObjectReader inner(item, "'ways'");
      const Way way = read_way(inner, part_);
      inner.finish();
      const std::vector<Eigen::MatrixXcd> H = substructure::frequency_response(
          part_, supports_, {&way.input, 1}, {&way.output, 1}, omega, progress_);
      Json values = Json::list();
      auto& column = columns.emplace_back();
      for (const Eigen::MatrixXcd& at : H) {
        values.push_back(pair(at(0, 0)));
        column.push_back(at(0, 0));
      }
      for (const char* what : {"real", "imaginary", "magnitude", "phase deg"})
        out_.frf_csv += fmt::format(",{} {}", way.name, what);
      out[way.name] = std::move(values);
    }
    reader.finish();
    out_.document["frf"] = std::move(out);
    write_frf_csv(hz, columns);
  }

  /// Rows under the line of names that frf_csv holds.
  void write_frf_csv(const std::vector<double>& hz,
                     const std::vector<std::vector<std::complex<double>>>& columns) {
    out_.frf_csv += "\n";
    for (std::size_t k = 0; k < hz.size(); ++k) {
      out_.frf_csv += shortest(hz[k]);
      for (const auto& column : columns) {
        const std::complex<double> H = column[k];
        for (const double value :
             {H.real(), H.imag(), std::abs(H), std::arg(H) * 180.0 / std::numbers::pi})
          out_.frf_csv += "," + shortest(value);
      }
      out_.frf_csv += "\n";
    }
  }

  void write_responses() {
    if (step_ == nullptr && impulse_ == nullptr && simulate_ == nullptr) return;
    if (time_ == nullptr) {
      throw ModelError("no-time",
                       "responses need 'time': { \"dt\": ..., \"end\": ... } in 'solve'");
    }
    ObjectReader reader(*time_, "'time'");
    const double dt = reader.need("dt").number();
    const double end = reader.need("end").number();
    reader.finish();
    if (!(dt > 0.0) || !(end >= 0.0) || end / dt > 1e7) {
      time_->fail("time",
                  "dt must be positive, end not negative, and both make 10 million steps at "
                  "most");
    }
    const auto steps = static_cast<std::size_t>(std::llround(end / dt));
    for (std::size_t k = 0; k <= steps; ++k)
      times_.push_back(static_cast<double>(k) * dt);
    if (step_ != nullptr) {
      respond(*step_, "step", [&](const TransferFunction& H, ObjectReader&) {
        return substructure::step_response(H, times_);
      });
    }
    if (impulse_ != nullptr) {
      respond(*impulse_, "impulse", [&](const TransferFunction& H, ObjectReader& item) {
        // in the thesis an impulse is an input of 1 in the first sample only
        if (chosen(item, "form", {"dirac", "sample"}) == "sample") {
          Eigen::VectorXd input = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(times_.size()));
          input(0) = 1.0;
          return substructure::simulate(H, input, dt, Hold::zero_order);
        }
        return substructure::impulse_response(H, times_);
      });
    }
    if (simulate_ != nullptr) {
      respond(*simulate_, "simulate", [&](const TransferFunction& H, ObjectReader& item) {
        const Eigen::VectorXd input = samples_of(item);
        const bool steps_only = chosen(item, "hold", {"first", "zero"}) == "zero";
        return substructure::simulate(
            H, input, dt, steps_only ? Hold::zero_order : Hold::first_order);
      });
    }
  }

  Eigen::VectorXd samples_of(ObjectReader& item) const {
    const Json& given = item.need("input");
    const std::vector<double> samples = numbers(given);
    if (samples.size() > times_.size()) {
      given.fail("samples", fmt::format("{} samples for {} times", samples.size(), times_.size()));
    }
    Eigen::VectorXd input = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(times_.size()));
    std::copy(samples.begin(), samples.end(), input.data());
    return input;
  }

  /// The response of a part too large to compute all its poles, by time steps of the requested
  /// length.
  Eigen::VectorXd stepped(const Way& way,
                          const std::string& what,
                          const Json& item,
                          ObjectReader& reader) {
    if (what == "impulse") {
      item.fail("too-large",
                fmt::format("the impulse response needs all poles of {} coordinates", part_.size()),
                "ask for a step, or condense the part first");
    }
    Eigen::MatrixXd input(1, static_cast<Eigen::Index>(times_.size()));
    if (what == "step") {
      input.setOnes();
    } else {
      input = samples_of(reader).transpose();
      if (chosen(reader, "hold", {"first", "zero"}) == "zero") {
        item.fail("too-large",
                  fmt::format("the response to held samples needs all poles of {} coordinates",
                              part_.size()),
                  "let the input be linear between samples, or condense the part first");
      }
    }
    const double dt = times_.size() > 1 ? times_[1] : 1.0;
    return substructure::simulate_sparse(
               part_, supports_, {&way.input, 1}, {&way.output, 1}, {input, dt}, progress_)
        .row(0)
        .transpose();
  }

  template <typename Respond>
  void respond(const Json& list, const std::string& what, const Respond& response) {
    Json out = Json::object();
    out["time"] = times_;
    for (const Json& item : list.items()) {
      ObjectReader reader(item, "'" + what + "'");
      const Way way = read_way(reader, part_);
      double value = 1.0;
      if (const Json* given = reader.find("value")) value = given->number();
      const Eigen::VectorXd y =
          value * (is_large() ? stepped(way, what, item, reader) : response(transfer(way), reader));
      reader.finish();
      std::vector<double> samples(y.data(), y.data() + y.size());
      out[way.name] = samples;
      columns_.emplace_back(what + " " + way.name, std::move(samples));
    }
    out_.document[what] = std::move(out);
  }

  void write_csv() {
    if (columns_.empty()) return;
    out_.csv = "time";
    for (const auto& [name, unused] : columns_)
      out_.csv += "," + name;
    out_.csv += "\n";
    for (std::size_t k = 0; k < times_.size(); ++k) {
      out_.csv += shortest(times_[k]);
      for (const auto& [unused, samples] : columns_)
        out_.csv += "," + shortest(samples[k]);
      out_.csv += "\n";
    }
  }

  PartBook& book_;
  std::string number_;
  const DynamicStiffness& part_;
  Progress& progress_;
  Supports supports_;
  const Json* poles_ = nullptr;
  const Json* transfer_ = nullptr;
  const Json* frf_ = nullptr;
  const Json* step_ = nullptr;
  const Json* impulse_ = nullptr;
  const Json* simulate_ = nullptr;
  const Json* time_ = nullptr;
  bool wants_report_ = false;
  Poles found_;
  bool has_poles_ = false;
  std::vector<double> times_;
  std::vector<std::pair<std::string, std::vector<double>>> columns_;
  AssemblyResult out_;
};

}  // namespace

AssemblyResult run_assembly(PartBook& book,
                            const std::string& part,
                            const std::optional<std::vector<int>>& fixed,
                            bool report,
                            Diagnostics& diagnostics,
                            Progress& progress) {
  const std::string own = solved_part(book.file());
  const std::string number = part.empty() ? own : part;
  if (number.empty()) {
    throw UsageError("no-part",
                     "the file does not say which of its parts is to be solved",
                     {},
                     "name one: --part NUMBER, or \"part\" in \"solve\"");
  }
  Ask ask;
  ask.remarks = &diagnostics;
  const KnownPart known = book.dynamics(number, ask);
  Run run(book, number, *known.part, number == own ? &book.file().solve : nullptr, progress);
  if (fixed) run.hold(*fixed);
  if (report) run.want_report();
  AssemblyResult out = run.result();
  remark_on_poles(run.poles(), number, diagnostics);
  return out;
}

}  // namespace femflex::tools
