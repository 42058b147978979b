// Tables of runs as HDF5, CSV and lines of JSON. Numbers in JSON have enough digits to be read back
// exactly, so rows from a journal are bit for bit the same.
#include "runs/run_table.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"
#include "femflex/io/hdf5_file.h"
#include "femflex/io/sha256.h"

#include "document/csv.h"
#include "document/file_kind.h"
#include "document/json_numbers.h"
#include "document/json_text.h"
#include "runs/run_journal.h"

namespace femflex::tools {
namespace {

constexpr const char* kKindName = "runs";
constexpr std::size_t kKeyDigits = 32;  // 128 bits, so that equal keys by chance are practically
                                        // impossible

/// A whole number from 0 on that JSON holds exactly.
std::int64_t count_of(const Json& value) {
  return whole<std::int64_t>(value, 0, kMostWhole);
}

std::uint64_t seed_of(const Json& value) {
  const std::string& text = value.text();
  std::uint64_t out = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, out);
  if (error != std::errc() || rest != end)
    value.fail("number", fmt::format("the seed '{}' is not a whole number below 2^64", text));
  return out;
}

RunParameter parameter_of(const Json& json) {
  ObjectReader reader(json, "parameter");
  RunParameter out;
  out.name = reader.need("name").text();
  out.path = reader.text("path", "");
  out.kind = choice(reader.need("kind"), kVaryKinds);
  if (out.kind == RunParameter::Kind::choices) {
    out.choices = reader.need("choices").items();
    reader.finish();
    return out;
  }
  out.low = reader.need(out.kind == RunParameter::Kind::normal ? "mean" : "low").number();
  out.high = reader.need(out.kind == RunParameter::Kind::normal ? "deviation" : "high").number();
  reader.finish();
  return out;
}

std::string text_of_sample(const RunParameter& parameter, double sample) {
  const Json value = parameter.value(sample);
  return value.is_text() ? value.text() : value.dump_line();
}

/// The samples or measures of all rows, row by row; NaN where a run failed.
std::vector<double> flattened_rows(const std::vector<RunRow>& rows,
                                   std::size_t columns,
                                   std::vector<double> RunRow::*member) {
  std::vector<double> out;
  out.reserve(rows.size() * columns);
  for (const RunRow& row : rows) {
    const std::vector<double>& values = row.*member;
    if (values.empty())
      out.insert(out.end(), columns, std::nan(""));
    else
      out.insert(out.end(), values.begin(), values.end());
  }
  return out;
}

/// Whether two parts have the same rows. Parts without rows (more shards than rows) have not.
bool have_same_rows(const RunTable& a, const RunTable& b) {
  const auto indices = [](const RunTable& part) {
    std::set<std::int64_t> out;
    for (const RunRow& row : part.rows)
      out.insert(row.index);
    return out;
  };
  return !a.rows.empty() && indices(a) == indices(b);
}

}  // namespace

std::string key_of(const RunTable& table, const std::vector<double>& samples) {
  std::string text = table.model + "\n";
  for (const RunMeasure& measure : table.measures)
    text += measure.text + "\n";
  for (std::size_t p = 0; p < samples.size(); ++p)
    text +=
        table.parameters[p].name + "=" + table.parameters[p].value(samples[p]).dump_line() + "\n";
  return io::sha256_of(text).substr(0, kKeyDigits);
}

Json head_json(const RunTable& table) {
  Json out = Json::object();
  out["femflex"] = kKindName;
  out["name"] = table.name;
  out["model"] = table.model;
  Json parameters = Json::list();
  for (const RunParameter& each : table.parameters) {
    Json item = Json::object();
    item["name"] = each.name;
    item["path"] = each.path;
    item["kind"] = std::string(kVaryKinds.name_of(each.kind));
    if (each.kind == RunParameter::Kind::choices) {
      Json choices = Json::list();
      for (const Json& value : each.choices)
        choices.push_back(value);
      item["choices"] = std::move(choices);
    } else {
      item[each.kind == RunParameter::Kind::normal ? "mean" : "low"] = each.low;
      item[each.kind == RunParameter::Kind::normal ? "deviation" : "high"] = each.high;
    }
    parameters.push_back(std::move(item));
  }
  out["parameters"] = std::move(parameters);
  out["sample"] = std::string(kSampleRules.name_of(table.sample.kind));
  Json counts = Json::list();
  for (const std::int64_t count : table.sample.counts)
    counts.push_back(Json(count));
  out["counts"] = std::move(counts);
  out["seed"] = fmt::format("{}", table.sample.seed);
  Json measures = Json::list();
  for (std::size_t m = 0; m < table.measures.size(); ++m) {
    Json item = Json::object();
    item["name"] = table.measures[m].name;
    item["measure"] = table.measures[m].text;
    item["unit"] = table.units[m];
    measures.push_back(std::move(item));
  }
  out["measures"] = std::move(measures);
  out["runs"] = table.total;
  return out;
}

RunTable table_of_head(const Json& head) {
  ObjectReader reader(head, "table of runs");
  RunTable out;
  static_cast<void>(choice(reader.need("femflex"), {kKindName}));
  out.name = reader.need("name").text();
  out.model = reader.need("model").text();
  for (const Json& each : reader.need("parameters").items())
    out.parameters.push_back(parameter_of(each));
  out.sample.kind = choice(reader.need("sample"), kSampleRules);
  for (const Json& count : reader.need("counts").items())
    out.sample.counts.push_back(count_of(count));
  out.sample.seed = seed_of(reader.need("seed"));
  for (const Json& each : reader.need("measures").items()) {
    ObjectReader inner(each, "measure");
    RunMeasure measure = parse_measure(inner.need("measure").text());
    measure.name = inner.need("name").text();
    out.measures.push_back(std::move(measure));
    out.units.push_back(inner.need("unit").text());
    inner.finish();
  }
  out.total = count_of(reader.need("runs"));
  reader.finish();
  return out;
}

void check_rows(const RunTable& table, const std::filesystem::path& path) {
  const auto damaged = [&](const std::string& what) {
    return ParseError("damaged", what, {path.string()}, "make the table again");
  };
  std::int64_t next = 0;
  for (const RunRow& row : table.rows) {
    if (row.index < next || row.index >= table.total)
      throw damaged(fmt::format("row {} is not from {} to {}: rows ascend, and the study has {}",
                                row.index,
                                next,
                                table.total - 1,
                                table.total));
    next = row.index + 1;
    for (std::size_t p = 0; p < row.samples.size(); ++p) {
      const RunParameter& parameter = table.parameters[p];
      if (parameter.kind != RunParameter::Kind::choices) continue;
      const double sample = row.samples[p];
      const auto count = static_cast<std::int64_t>(parameter.choices.size());
      if (!whole_number(sample, 0, count - 1))
        throw damaged(fmt::format("row {}: sample {} of '{}' is not a number of its {} choices",
                                  row.index,
                                  sample,
                                  parameter.name,
                                  parameter.choices.size()));
    }
  }
}

Json row_json(const RunRow& row) {
  Json out = Json::object();
  out["row"] = row.index;
  out["key"] = row.key;
  out["samples"] = row.samples;
  if (row.failure.empty())
    out["measures"] = row.measures;
  else
    out["failure"] = row.failure;
  return out;
}

RunRow row_of(const Json& json) {
  ObjectReader reader(json, "row");
  RunRow out;
  out.index = count_of(reader.need("row"));
  out.key = reader.need("key").text();
  for (const Json& each : reader.need("samples").items())
    out.samples.push_back(each.number());
  out.failure = reader.text("failure", "");
  if (out.failure.empty())
    for (const Json& each : reader.need("measures").items())
      out.measures.push_back(each.number());
  reader.finish();
  return out;
}

std::string marked_kind(const std::filesystem::path& path) {
  return io::root_attribute(path, "femflex");
}

bool is_run_table(const std::filesystem::path& path) {
  return marked_kind(path) == kKindName || is_run_journal(path);
}

void write_run_table(const RunTable& table, const std::filesystem::path& path) {
  io::Hdf5File file = io::Hdf5File::create(path);
  file.set_attribute("/", "femflex", kKindName);
  file.set_attribute("/", "complete", std::int64_t{table.is_whole() ? 1 : 0});
  file.write_text("/head", head_json(table).dump());
  std::vector<std::string> parameters, measures, keys, failures;
  std::vector<std::int64_t> indices;
  for (const RunParameter& each : table.parameters)
    parameters.push_back(each.name);
  for (const RunMeasure& each : table.measures)
    measures.push_back(each.name);
  for (const RunRow& row : table.rows) {
    indices.push_back(row.index);
    keys.push_back(row.key);
    failures.push_back(row.failure);
  }
  const std::uint64_t rows = table.rows.size();
  file.write("/parameter_names", parameters);
  file.write("/measure_names", measures);
  file.write("/measure_units", table.units);
  file.write("/row", indices, {rows});
  file.write("/key", keys);
  file.write("/failure", failures);
  file.write("/parameters",
             flattened_rows(table.rows, parameters.size(), &RunRow::samples),
             {rows, parameters.size()});
  file.write("/measures",
             flattened_rows(table.rows, measures.size(), &RunRow::measures),
             {rows, measures.size()});
  file.commit();
}

RunTable read_run_table(const std::filesystem::path& path) {
  std::error_code ignored;
  if (const std::filesystem::path journal = journal_of(path);
      !std::filesystem::exists(path, ignored) && std::filesystem::exists(journal, ignored))
    throw UsageError("unfinished",
                     "the study that makes this table was stopped or still runs",
                     {path.string()},
                     fmt::format("go on with --resume, or name {}", journal.string()));
  require_file(path);
  if (is_run_journal(path)) return read_run_journal(path);
  if (marked_kind(path) != kKindName)
    throw ParseError("wrong-file-kind",
                     "is not a table of runs",
                     {path.string()},
                     "make one with 'femflex study SYSTEM --vary ... -o FILE.h5'");
  const io::Hdf5File file = io::Hdf5File::open(path);
  const std::vector<std::string> head = file.read_texts("/head");
  RunTable out = table_of_head(parse_json(head.empty() ? "" : head.front(), path.string()));
  const std::vector<std::int64_t> indices = file.read_integers("/row");
  const std::vector<std::string> keys = file.read_texts("/key");
  const std::vector<std::string> failures = file.read_texts("/failure");
  const std::vector<double> samples = file.read_reals("/parameters");
  const std::vector<double> measures = file.read_reals("/measures");
  const std::size_t k = out.parameters.size(), m = out.measures.size(), n = indices.size();
  if (keys.size() != n || failures.size() != n || samples.size() != n * k ||
      measures.size() != n * m)
    throw ParseError("damaged", "the datasets have different numbers of rows", {path.string()});
  for (std::size_t r = 0; r < n; ++r) {
    RunRow row{indices[r], keys[r], {}, {}, failures[r]};
    const auto place = static_cast<std::ptrdiff_t>(r);
    const auto ks = static_cast<std::ptrdiff_t>(k), ms = static_cast<std::ptrdiff_t>(m);
    row.samples.assign(samples.begin() + place * ks, samples.begin() + (place + 1) * ks);
    if (row.failure.empty())
      row.measures.assign(measures.begin() + place * ms, measures.begin() + (place + 1) * ms);
    out.rows.push_back(std::move(row));
  }
  check_rows(out, path);
  return out;
}

void write_run_csv(const RunTable& table, const std::filesystem::path& path) {
  std::string out = "row";
  for (const RunParameter& each : table.parameters)
    out += "," + csv_cell(each.name);
  for (const RunMeasure& each : table.measures)
    out += "," + csv_cell(each.name);
  out += ",failure\n";
  for (const RunRow& row : table.rows) {
    out += fmt::format("{}", row.index);
    for (std::size_t p = 0; p < row.samples.size(); ++p)
      out += "," + csv_cell(text_of_sample(table.parameters[p], row.samples[p]));
    for (std::size_t m = 0; m < table.measures.size(); ++m)
      out += "," + (row.measures.empty() ? std::string() : shortest(row.measures[m]));
    out += "," + csv_cell(row.failure) + "\n";
  }
  io::write_file(path, out);
}

RunTable joined_tables(std::vector<RunTable> parts, const std::vector<std::string>& names) {
  RunTable out = parts.at(0);
  out.rows.clear();
  const std::string head = head_json(out).dump_line();
  std::map<std::int64_t, RunRow> rows;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (head_json(parts[i]).dump_line() != head)
      throw UsageError(
          "other-study",
          fmt::format("{} and {} are parts of different studies: {}",
                      names[0],
                      names[i],
                      parts[i].model != out.model ? "their models differ"
                                                  : "their parameters, samples or measures differ"),
          {names[i]},
          "join only what one command made with different --shard");
    for (std::size_t k = 0; k < i; ++k)
      if (have_same_rows(parts[k], parts[i]))
        throw UsageError("twin-parts",
                         fmt::format("{} and {} have the same rows", names[k], names[i]),
                         {names[i]},
                         "name each part once");
    for (RunRow& row : parts[i].rows) {
      const auto [found, is_new] = rows.try_emplace(row.index, row);
      if (!is_new && row_json(found->second).dump_line() != row_json(row).dump_line())
        throw UsageError(
            "other-row",
            fmt::format("row {} differs from the same row of an earlier file", row.index),
            {names[i]});
    }
  }
  for (auto& [index, row] : rows)
    out.rows.push_back(std::move(row));
  return out;
}

}  // namespace femflex::tools
