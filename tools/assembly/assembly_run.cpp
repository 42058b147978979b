// Reads the member "solve" of an assembly file and computes each result that it requests. If a part
// is too large to compute all its poles, only poles near a shift are computed, and responses by
// time steps. Notation: H is a transfer function, s a pole.
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
#include "assembly/part_warnings.h"
#include "document/csv.h"
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

/// Refuses a way that is requested a second time: results are listed by the name of their way.
void refuse_again(const Json& results, const Way& way, const Json& request) {
  if (results.find(way.name) != nullptr)
    request.fail("way-twice",
                 fmt::format("the way {} is requested twice", way.name),
                 "keep one of them; responses are in proportion to 'value'");
}

/// The text of member `key`, which must be one of `choices`; the first choice if it is missing.
std::string choice_or_first(ObjectReader& reader,
                            std::string_view key,
                            const std::vector<std::string>& choices) {
  const Json* value = reader.find(key);
  return value == nullptr ? choices.front() : choice(*value, choices);
}

/// Solves one part. The constructor reads the requests of "solve"; result() computes them and is
/// called once.
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

  void set_fixed_ports(const std::vector<int>& fixed) { supports_.fixed = fixed; }
  void request_report() { wants_report_ = true; }
  /// The poles that result() used.
  const Poles& poles() const { return computed_poles_; }

  AssemblyResult result() {
    out_.document["part"] = part_.name;
    out_.document["ports"] = part_.ports;
    out_.document["inner"] = part_.inner_count();
    out_.document["order"] = part_.order();
    write_poles();
    write_transfer();
    write_frequency_response();
    write_responses();
    if (part_.size() <= kMaxTextSize) out_.dynamics = substructure::write_text(part_);
    out_.document["outputs"] = Json::list();
    write_csv();
    out_.text += fmt::format("{}: {} ports, {} inner coordinates, order {}\n",
                             part_.name,
                             part_.port_count(),
                             part_.inner_count(),
                             part_.order());
    for (Eigen::Index k = 0; k < std::min<Eigen::Index>(computed_poles_.values.size(), 20); ++k) {
      const std::complex<double> s = computed_poles_.values(k);
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
  static constexpr Eigen::Index kMaxTextSize = 2000;  // largest part, in coordinates, that is
                                                      // written as text
  static constexpr int kMaxPoles = 1'000'000;         // largest number of poles on request
  static constexpr int kMaxFrequencies = 1'000'000;   // largest number of frequencies of a grid

  /// True if the part is too large to compute all its poles; responses are then computed by time
  /// steps.
  bool is_large() const { return part_.size() * part_.order() > substructure::kMaxDenseStates; }

  const Poles& all_poles() {
    if (!has_poles_) {
      computed_poles_ = substructure::poles(part_, supports_);
      has_poles_ = true;
    }
    return computed_poles_;
  }

  void write_poles() {
    if (poles_ != nullptr && poles_->is_object()) {
      ObjectReader reader(*poles_, "'poles'");
      const double shift = reader.need("near").number();
      const int count = whole(reader.need("count"), 1, kMaxPoles);
      reader.finish();
      computed_poles_ = substructure::poles_near(part_, supports_, shift, count);
    } else if (poles_ == nullptr && is_large()) {
      // a passive part has no pole at a positive shift
      computed_poles_ = substructure::poles_near(part_, supports_, 1.0, 20);
    } else if (poles_ == nullptr || poles_->boolean()) {
      all_poles();
    }
    Json list = Json::list();
    for (Eigen::Index k = 0; k < computed_poles_.values.size(); ++k)
      list.push_back(pair(computed_poles_.values(k)));
    out_.document["poles"] = std::move(list);
    out_.document["poles_at_infinity"] = computed_poles_.infinite;
    out_.document["pole_residual"] = computed_poles_.residual;
  }

  void write_transfer() {
    Json transfers = Json::object();
    if (transfer_ != nullptr) {
      for (const Json& item : transfer_->items()) {
        ObjectReader reader(item, "'transfer'");
        const Way way = read_way(reader, part_);
        const std::string form = choice_or_first(reader, "form", {"pole-residue", "polynomial"});
        reader.finish();
        refuse_again(transfers, way, item);
        transfers[way.name] = form == "polynomial" ? polynomials(way, item) : pole_residue(way);
      }
    }
    out_.document["transfer"] = std::move(transfers);
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
      Json entry = Json::object();
      entry["pole"] = pair(term.pole);
      Json residues = Json::list();
      for (const std::complex<double>& residue : term.residues)
        residues.push_back(pair(residue));
      entry["residues"] = std::move(residues);
      terms.push_back(std::move(entry));
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
      const int points = whole(*count, 2, kMaxFrequencies);
      if (hz.size() != 2) grid.fail("grid", "with 'points', 'hz' is [from, to]");
      const double from = hz[0];
      const double to = hz[1];
      hz.clear();
      for (int k = 0; k < points; ++k)
        hz.push_back(from + (to - from) * k / (points - 1.0));
    }
    // a list may stand in any order; a band rises
    const bool has_falling_band = reader.find("points") != nullptr && !(hz.front() < hz.back());
    if (has_falling_band || std::any_of(hz.begin(), hz.end(), [](double f) { return f < 0.0; }))
      grid.fail("grid",
                "'hz' has a frequency below 0, or a band that does not rise",
                "give [from, to] with 0 <= from < to, or a list of frequencies from 0 on");
    std::vector<double> omega;
    for (const double f : hz)
      omega.push_back(2.0 * M_PI * f);
    Json out = Json::object();
    out["hz"] = hz;
    std::vector<std::vector<std::complex<double>>> columns;
    out_.frf_csv = "hz";
    for (const Json& item : reader.need("ways").items()) {
      ObjectReader item_reader(item, "'ways'");
      const Way way = read_way(item_reader, part_);
      item_reader.finish();
      refuse_again(out, way, item);
      const std::vector<Eigen::MatrixXcd> H = substructure::frequency_response(
          part_, supports_, {&way.input, 1}, {&way.output, 1}, omega, progress_);
      Json values = Json::list();
      auto& column = columns.emplace_back();
      for (const Eigen::MatrixXcd& value : H) {
        values.push_back(pair(value(0, 0)));
        column.push_back(value(0, 0));
      }
      for (const char* kind : {"real", "imaginary", "magnitude", "phase deg"})
        out_.frf_csv += "," + csv_cell(way.name + " " + kind);
      out[way.name] = std::move(values);
    }
    reader.finish();
    out_.document["frf"] = std::move(out);
    write_frf_csv(hz, columns);
  }

  /// Appends the rows to frf_csv, which already contains the line of names.
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
                  "'dt' must be positive and 'end' not negative, with 10 million steps at most");
    }
    const auto steps = static_cast<std::size_t>(std::llround(end / dt));
    for (std::size_t k = 0; k <= steps; ++k)
      times_.push_back(static_cast<double>(k) * dt);
    if (step_ != nullptr) {
      write_response_of(*step_, "step", [&](const TransferFunction& H, ObjectReader&) {
        return substructure::step_response(H, times_);
      });
    }
    if (impulse_ != nullptr) {
      write_response_of(*impulse_, "impulse", [&](const TransferFunction& H, ObjectReader& item) {
        // the form "sample" is an input of 1 in the first sample, else 0
        if (choice_or_first(item, "form", {"dirac", "sample"}) == "sample") {
          Eigen::VectorXd input = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(times_.size()));
          input(0) = 1.0;
          return substructure::simulate(H, input, dt, Hold::zero_order);
        }
        return substructure::impulse_response(H, times_);
      });
    }
    if (simulate_ != nullptr) {
      write_response_of(*simulate_, "simulate", [&](const TransferFunction& H, ObjectReader& item) {
        const Eigen::VectorXd input = samples_of(item);
        const bool is_zero_order = choice_or_first(item, "hold", {"first", "zero"}) == "zero";
        return substructure::simulate(
            H, input, dt, is_zero_order ? Hold::zero_order : Hold::first_order);
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

  /// The response of a part that is too large to compute all its poles, by time steps of the
  /// requested length.
  Eigen::VectorXd response_by_steps(const Way& way,
                                    const std::string& kind,
                                    const Json& item,
                                    ObjectReader& reader) {
    if (kind == "impulse") {
      item.fail("too-large",
                fmt::format("the impulse response needs all poles of {} coordinates", part_.size()),
                "ask for a step, or condense the part first");
    }
    Eigen::MatrixXd input(1, static_cast<Eigen::Index>(times_.size()));
    if (kind == "step") {
      input.setOnes();
    } else {
      input = samples_of(reader).transpose();
      if (choice_or_first(reader, "hold", {"first", "zero"}) == "zero") {
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
  void write_response_of(const Json& list, const std::string& kind, const Respond& response) {
    Json out = Json::object();
    out["time"] = times_;
    for (const Json& item : list.items()) {
      ObjectReader reader(item, "'" + kind + "'");
      const Way way = read_way(reader, part_);
      refuse_again(out, way, item);
      double value = 1.0;
      if (const Json* given = reader.find("value")) value = given->number();
      const Eigen::VectorXd y = value * (is_large() ? response_by_steps(way, kind, item, reader)
                                                    : response(transfer(way), reader));
      reader.finish();
      std::vector<double> samples(y.data(), y.data() + y.size());
      out[way.name] = samples;
      columns_.emplace_back(kind + " " + way.name, std::move(samples));
    }
    out_.document[kind] = std::move(out);
  }

  void write_csv() {
    if (columns_.empty()) return;
    out_.csv = "time";
    for (const auto& [name, unused] : columns_)
      out_.csv += "," + csv_cell(name);
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
  Poles computed_poles_;
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
  const std::string named_part = solved_part(book.file());
  const std::string number = part.empty() ? named_part : part;
  if (number.empty()) {
    throw UsageError("no-part",
                     "the file does not say which of its parts is to be solved",
                     {},
                     "name one: --part NUMBER, or \"part\" in \"solve\"");
  }
  RequestContext context;
  context.warnings = &diagnostics;
  const VersionedPart known = book.dynamics(number, context);
  Run run(book, number, *known.part, number == named_part ? &book.file().solve : nullptr, progress);
  if (fixed) run.set_fixed_ports(*fixed);
  if (report) run.request_report();
  AssemblyResult out = run.result();
  warn_about_poles(run.poles(), number, diagnostics);
  return out;
}

}  // namespace femflex::tools
