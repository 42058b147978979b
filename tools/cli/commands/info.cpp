// `femflex info`: prints the content of any file that femflex reads. tools::describe() makes the
// document; this file formats it as text.
#include "verbs/info.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Core>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "femflex/errors.h"
#include "femflex/flexfile/flexfile.h"
#include "femflex/units.h"

#include "arguments.h"
#include "body/unread.h"
#include "document/table.h"
#include "document/whole_number.h"
#include "fields.h"
#include "lattice/lattice_describe.h"

namespace femflex::cli {
namespace {

using tools::Json;

/// Parses the number of a row or column, counted from 1.  @throws UsageError
std::int64_t index_of(const std::string& text) {
  const auto index = tools::whole_number(number_of(text, "", "--samples"), 1);
  if (!index)
    throw UsageError("usage",
                     fmt::format("--samples: '{}' is not a row or column number", text),
                     {},
                     "count rows and columns from 1: \"1,1;14,19\"");
  return *index;
}

/// Parses pairs "row,column;row,column".  @throws UsageError
std::vector<tools::Sample> parse_samples(const std::string& text) {
  std::vector<tools::Sample> out;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(';', at), text.size());
    const std::string pair = text.substr(at, end - at);
    const std::size_t comma = pair.find(',');
    if (comma == std::string::npos)
      throw UsageError("usage",
                       fmt::format("--samples: '{}' is not a pair row,column", pair),
                       {},
                       "write \"1,1;14,19\"");
    out.push_back({index_of(pair.substr(0, comma)), index_of(pair.substr(comma + 1))});
    at = end + 1;
  }
  return out;
}

std::string text_of(const Json& value) {
  if (value.is_null()) return "-";
  if (value.is_text()) return value.text();
  if (value.is_number())
    return std::isfinite(value.number()) ? tools::readable(value.number()) : "-";
  return value.dump_line();
}

/// The member `key`, or a null value if there is none.
const Json& member(const Json& object, const char* key) {
  static const Json nothing;
  const Json* found = object.find(key);
  return found == nullptr ? nothing : *found;
}

/// The unit of a number of a body or a result, which are in SI units.
const char* unit_of(std::string_view key) {
  if (key == "mass") return " kg";
  if (key == "centre") return " m";
  if (key == "gravity") return " m/s^2";
  return key == "start_time" || key == "end_time" || key == "print_step" ? " s" : "";
}

/// The size of a box in metres, ", 0.4 x 0.1 x 0.12 m"; empty if the unit of length is already the
/// metre or is unknown.
std::string size_in_metres(const Json& box, const Json& units) {
  if (!units.is_text() || !box.is_list() || box.items().size() != 2) return {};
  const std::vector<std::string> known = unit_names();
  if (std::find(known.begin(), known.end(), units.text()) == known.end()) return {};
  const double length = parse_units(units.text()).length;
  if (length == 1.0) return {};
  std::string out;
  const auto& low = box.items()[0].items();
  const auto& high = box.items()[1].items();
  for (std::size_t k = 0; k < low.size() && k < high.size(); ++k)
    out +=
        (k == 0 ? ", " : " x ") + tools::readable(length * (high[k].number() - low[k].number()), 4);
  return out + " m";
}

/// Parameters and measures of a table of runs or of a gradient.
std::string study_summary(const Json& file) {
  std::string out = "  system " + text_of(member(file, "name")) + "\n";
  const bool is_gradient = member(file, "runs").is_null();
  if (!is_gradient)
    out += fmt::format("  {} of {} runs, {} failed, {}\n",
                       text_of(member(file, "rows")),
                       text_of(member(file, "runs")),
                       member(file, "failures").items().size(),
                       text_of(member(file, "sample")));
  tools::TextTable parameters(is_gradient ? std::vector<std::string>{"parameter", "value"}
                                          : std::vector<std::string>{"parameter", "from", "to"});
  for (const Json& each : member(file, "parameters").items()) {
    const bool is_normal = text_of(member(each, "kind")) == "normal";
    if (is_gradient)
      parameters.add({text_of(member(each, "name")), text_of(member(each, "value"))});
    else if (member(each, "choices").is_list())
      parameters.add({text_of(member(each, "name")), member(each, "choices").dump_line(), ""});
    else
      parameters.add(
          {text_of(member(each, "name")),
           is_normal ? "mean " + text_of(member(each, "mean")) : text_of(member(each, "low")),
           is_normal ? "deviation " + text_of(member(each, "deviation"))
                     : text_of(member(each, "high"))});
  }
  out += parameters.text(40);
  if (is_gradient) {
    tools::TextTable slopes({"measure", "value", "unit", "parameter", "derivative"});
    for (const Json& each : member(file, "measures").items())
      for (const Json& slope : member(each, "gradient").items())
        slopes.add({text_of(member(each, "name")),
                    text_of(member(each, "value")),
                    text_of(member(each, "unit")),
                    text_of(member(slope, "parameter")),
                    text_of(member(slope, "slope"))});
    return out + slopes.text(40);
  }
  tools::TextTable measures({"measure", "unit", "min", "median", "max"});
  for (const Json& each : member(file, "measures").items())
    measures.add({text_of(member(each, "name")),
                  text_of(member(each, "unit")),
                  text_of(member(each, "min")),
                  text_of(member(each, "median")),
                  text_of(member(each, "max"))});
  return out + measures.text(40);
}

bool is_empty(const Json& value) {
  return value.is_null() || (value.is_number() && value.number() == 0) ||
         (value.is_object() && value.members().empty()) ||
         (value.is_list() && value.items().empty());
}

/// The members of `file` that have a line of their own, unless they are empty.
std::string lines_of_members(const Json& file) {
  std::string out;
  for (const char* key : {"title",
                          "elements",
                          "coordinate_systems",
                          "mass_elements",
                          "mass",
                          "centre",
                          "interface_nodes",
                          "rows",
                          "gravity",
                          "start_time",
                          "end_time",
                          "print_step",
                          "flexible",
                          "bodies",
                          "joints",
                          "forces",
                          "parts",
                          "houses"}) {
    const Json& value = member(file, key);
    if (!is_empty(value)) out += fmt::format("  {} {}{}\n", key, text_of(value), unit_of(key));
  }
  return out;
}

/// A column of a table: its heading, and the member of each item that it shows.
struct Column {
  const char* heading;
  const char* key;
};

/// The list `items` as a table with a row for each item; empty without items.
std::string table_of(const Json& items, const std::vector<Column>& columns) {
  if (!items.is_list() || items.items().empty()) return {};
  std::vector<std::string> headings;
  for (const Column& column : columns)
    headings.emplace_back(column.heading);
  tools::TextTable table(headings);
  for (const Json& item : items.items()) {
    std::vector<std::string> row;
    for (const Column& column : columns)
      row.push_back(text_of(member(item, column.key)));
    table.add(row);
  }
  return table.text(40);
}

std::string modes_table(const Json& modes) {
  if (!modes.is_list() || modes.items().empty()) return {};
  tools::TextTable table({"modes", "kind", "subcase", "count", "nodes", "first Hz", "last Hz"});
  for (const Json& m : modes.items()) {
    const Json& hz = member(m, "frequencies_hz");
    const bool has_frequencies = hz.is_list() && !hz.items().empty();
    table.add({text_of(member(m, "source")),
               text_of(member(m, "kind")),
               text_of(member(m, "subcase")),
               text_of(member(m, "count")),
               text_of(member(m, "nodes")),
               has_frequencies ? text_of(hz.items().front()) : "-",
               has_frequencies ? text_of(hz.items().back()) : "-"});
  }
  return table.text(40);
}

/// The names of the first channels, and how many more there are.
std::string list_of_channels(const Json& channels) {
  constexpr std::size_t kShown = 20;
  if (!channels.is_list()) return {};
  const std::size_t count = channels.items().size();
  std::string out;
  for (std::size_t i = 0; i < std::min(kShown, count); ++i)
    out += "  " + text_of(channels.items()[i]) + "\n";
  if (count > kShown) out += fmt::format("  ... {} more\n", count - kShown);
  return out;
}

/// The entries of the matrices that the user asked for, one a line.
std::string list_of_samples(const Json& matrices) {
  std::string out;
  if (!matrices.is_list()) return out;
  for (const Json& matrix : matrices.items()) {
    const Json& samples = member(matrix, "samples");
    if (!samples.is_list()) continue;
    for (const Json& entry : samples.items())
      out += fmt::format("  {}({},{}) = {}\n",
                         text_of(member(matrix, "name")),
                         text_of(entry.items()[0]),
                         text_of(entry.items()[1]),
                         entry.items()[2].dump());
  }
  return out;
}

/// Name, kinds and variables of an FMU: first what a system may connect.
std::string fmu_summary(const Json& file) {
  std::vector<std::string> kinds;
  for (const Json& kind : member(file, "kinds").items())
    kinds.push_back(kind.text());
  std::string out = fmt::format("  model {}, {}, {} continuous states\n",
                                text_of(member(file, "name")),
                                fmt::join(kinds, " and "),
                                text_of(member(file, "states")));
  if (const Json& step = member(file, "step"); !step.is_null())
    out += fmt::format("  step {} s\n", text_of(step));
  const auto is_outside = [](const Json& variable) {
    const std::string& causality = member(variable, "causality").text();
    return causality == "input" || causality == "output" || causality == "parameter";
  };
  Json shown = Json::list();
  std::size_t inside = 0;
  for (const Json& variable : member(file, "variables").items()) {
    if (is_outside(variable))
      shown.push_back(variable);
    else
      ++inside;
  }
  out += table_of(shown,
                  {{"variable", "name"},
                   {"causality", "causality"},
                   {"variability", "variability"},
                   {"unit", "unit"}});
  if (inside > 0) out += fmt::format("  {} variables inside; --json lists all\n", inside);
  return out;
}

/// The document of one file as text.
std::string summary_of(const Json& file) {
  std::string out =
      fmt::format("{}: {}", text_of(member(file, "path")), text_of(member(file, "format")));
  for (const char* key : {"encoding", "endian", "program", "units"}) {
    if (!member(file, key).is_null()) out += ", " + text_of(member(file, key));
  }
  out += "\n";
  if (!member(file, "springs").is_null() || !member(file, "terms").is_null())
    return out + tools::lattice_summary(file);
  if (!member(file, "variables").is_null()) return out + fmu_summary(file);
  if (!member(file, "measures").is_null()) return out + study_summary(file);
  if (const Json& nodes = member(file, "nodes");
      nodes.is_object() && member(nodes, "count").number() > 0)
    out += fmt::format("  nodes {} in {}{}\n",
                       text_of(member(nodes, "count")),
                       text_of(member(nodes, "bounding_box")),
                       size_in_metres(member(nodes, "bounding_box"), member(file, "units")));
  out += lines_of_members(file);
  if (const Json& complete = member(file, "complete"); !complete.is_null() && !complete.boolean())
    out += "  incomplete: the run did not reach its end\n";
  out += table_of(member(file, "matrices"),
                  {{"matrix", "name"},
                   {"rows", "rows"},
                   {"cols", "cols"},
                   {"nnz", "nnz"},
                   {"type", "type"},
                   {"form", "form"},
                   {"layout", "layout"},
                   {"norm", "frobenius"}});
  out += list_of_samples(member(file, "matrices"));
  out += modes_table(member(file, "modes"));
  out += table_of(member(file, "stresses"),
                  {{"stresses", "source"},
                   {"quantity", "quantity"},
                   {"type", "type"},
                   {"kind", "kind"},
                   {"subcase", "subcase"},
                   {"count", "count"},
                   {"places", "places"}});
  out += list_of_channels(member(file, "channels"));
  if (const Json& unread = member(file, "unread"); unread.is_list())
    out += tools::unread_text(unread);
  return out;
}

Outcome run_info(const Arguments& arguments, Session& session) {
  auto request = request_of<verbs::InfoRequest>(arguments);
  for (const std::string& file : arguments.inputs())
    request.files.emplace_back(file);
  request.units = session.units;
  Outcome out;
  Json files = Json::list();
  for (Json& file : verbs::info(request, session.diagnostics, *session.progress)) {
    out.text += summary_of(file);
    files.push_back(std::move(file));
  }
  out.document["files"] = std::move(files);
  return out;
}

}  // namespace

Verb info_verb() {
  return {.name = "info",
          .summary = "says what is in any file known to femflex",
          .inputs = "FILE...",
          .fewest_inputs = 1,
          .options = {{.name = "--samples",
                       .value = "R,C;R,C",
                       .help = "entries of the matrices to show, 1-based",
                       .set = to(at(&verbs::InfoRequest::samples), parse_samples)}},
          .examples = {"femflex info --json data/double_mass_spring/dms.ou1.op4"},
          .run = run_info};
}

}  // namespace femflex::cli
