// Conversions from the value of an option to the types of request fields: numbers, texts, paths,
// lists, models, bodies, results.
#include "fields.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/number_list.h"
#include "femflex/split.h"

#include "document/file_kind.h"
#include "document/number_text.h"
#include "document/whole_number.h"

namespace femflex::cli {
namespace {

[[noreturn]] void refuse_value(const Given& given, const std::string& message) {
  throw UsageError("usage",
                   fmt::format("{}: {}: {}", given.verb, given.option.name, message),
                   {},
                   fmt::format("see 'femflex {} --help'", given.verb));
}

tools::FileKind kind_of(const Value& value) {
  if (value.as<const FeModel*>() != nullptr) return tools::FileKind::fe_model;
  if (value.as<const FlexBody*>() != nullptr) return tools::FileKind::body;
  if (value.as<const tools::ResultSeries*>() != nullptr) return tools::FileKind::result;
  return tools::FileKind::unknown;
}

/// The value itself if it is a T, else a path.
/// @throws UsageError  a model, body or result that is not a T
template <class T>
verbs::Input<T> input_of(const Value& value, const char* expected, const char* fix) {
  if (const auto* object = value.as<const T*>()) return *object;
  if (const tools::FileKind kind = kind_of(value); kind != tools::FileKind::unknown)
    tools::refuse_kind(text_of(value), kind, expected, fix);
  return std::filesystem::path(text_of(value));
}

}  // namespace

std::int64_t whole_number(const Given& given) {
  const auto given_value = given.value();
  if (const auto* text = given_value.as<std::string>();
      text != nullptr && !tools::number_of_text(*text))
    refuse_value(given, fmt::format("'{}' is not a whole number", *text));
  const double value = number_of(given_value, "", given.option.name);
  const auto whole = tools::whole_number(value);
  if (!whole) refuse_value(given, fmt::format("{} is not a whole number", value));
  return *whole;
}

int whole_int(const Given& given) {
  const std::int64_t value = whole_number(given);
  if (value < std::numeric_limits<int>::min() || value > std::numeric_limits<int>::max())
    refuse_value(given, fmt::format("{} is too large", value));
  return static_cast<int>(value);
}

std::int64_t count(const Given& given) {
  const std::int64_t value = whole_number(given);
  if (value < 0)
    refuse_value(given, fmt::format("{} is negative where a count was expected", value));
  return value;
}

std::int64_t frequency_count(const Given& given) {
  constexpr std::int64_t kMinFrequencies = 2;
  constexpr std::int64_t kMaxFrequencies = 100'000;
  const std::int64_t points = whole_number(given);
  if (points < kMinFrequencies || points > kMaxFrequencies)
    throw UsageError("usage",
                     fmt::format("{}: {} is not between {} and {}",
                                 given.option.name,
                                 points,
                                 kMinFrequencies,
                                 kMaxFrequencies));
  return points;
}

double not_negative(const Given& given) {
  const double value = number_of(given.value(), given.option.unit, given.option.name);
  if (!(value >= 0.0))
    throw UsageError("usage",
                     fmt::format("{} is {}", given.option.name, value),
                     {},
                     "give a number that is not negative");
  return value;
}

double positive(const Given& given) {
  const double value = number_of(given.value(), given.option.unit, given.option.name);
  if (!(value > 0.0))
    throw UsageError(
        "usage",
        fmt::format("{}: {} is not above 0", given.option.name, text_of(given.value())),
        {},
        "give a number above 0");
  return value;
}

std::vector<double> numbers_at_commas(const Given& given) {
  const Value value = given.value();
  Value::List parts;
  if (const auto* list = value.as<Value::List>()) {
    parts = *list;
  } else {
    const std::vector<std::string> texts = split_at_commas({text_of(value)});
    parts.assign(texts.begin(), texts.end());
  }
  std::vector<double> out;
  for (const Value& part : parts)
    out.push_back(number_of(part, given.option.unit, given.option.name));
  return out;
}

void read(const Given& /*given*/, bool& field) {
  field = true;
}

void read(const Given& given, double& field) {
  field = number_of(given.value(), given.option.unit, given.option.name);
}

void read(const Given& given, std::int64_t& field) {
  field = count(given);
}

void read(const Given& given, std::string& field) {
  field = text_of(given.value());
}

void read(const Given& given, std::filesystem::path& field) {
  field = text_of(given.value());
}

void read(const Given& given, std::vector<std::int64_t>& field) {
  const Value value = given.value();
  const auto* list = value.as<Value::List>();
  const bool are_integers =
      list != nullptr && std::all_of(list->begin(), list->end(), [](const Value& item) {
        return item.as<std::int64_t>() != nullptr;
      });
  if (!are_integers) {
    try {
      field = parse_number_list(text_of(value));
    } catch (const UsageError& error) {
      throw UsageError(error.code(),
                       fmt::format("{}: {}: {}", given.verb, given.option.name, error.message()),
                       {},
                       error.fix());
    }
    return;
  }
  field.clear();
  for (const Value& item : *list)
    field.push_back(*item.as<std::int64_t>());
}

void read(const Given& given, std::vector<std::string>& field) {
  field.clear();
  for (const Value& value : given.values)
    field.push_back(text_of(value));
}

void read(const Given& given, std::vector<std::filesystem::path>& field) {
  field.clear();
  for (const Value& value : given.values)
    field.emplace_back(text_of(value));
}

void read(const Given& given, std::vector<tools::DocumentChange>& field) {
  field.clear();
  for (const Value& value : given.values) {
    const auto* change = value.as<const tools::DocumentChange*>();
    field.push_back(change != nullptr ? **change : tools::parse_change(text_of(value)));
  }
}

void read(const Given& given, verbs::ModelInput& field) {
  field = model_input(given.value());
}

void read(const Given& given, verbs::BodyInput& field) {
  field = body_input(given.value());
}

std::vector<Option> joined(const std::vector<std::vector<Option>>& parts) {
  std::vector<Option> out;
  for (const std::vector<Option>& part : parts)
    out.insert(out.end(), part.begin(), part.end());
  return out;
}

std::vector<std::string> split_at_commas(const std::vector<std::string>& texts) {
  std::vector<std::string> out;
  for (const std::string& text : texts)
    for (std::string& item : split(text, ','))
      out.push_back(std::move(item));
  return out;
}

std::vector<std::string> names_at_commas(const Given& given) {
  std::vector<std::string> texts;
  read(given, texts);
  return split_at_commas(texts);
}

std::vector<std::string> texts_of(const std::vector<std::filesystem::path>& paths) {
  return {paths.begin(), paths.end()};
}

verbs::ModelInput model_input(const Value& value) {
  return input_of<FeModel>(value, "an FE model", "make one with 'femflex import'");
}

verbs::BodyInput body_input(const Value& value) {
  return input_of<FlexBody>(value, "a flexible body", "make one with 'femflex reduce'");
}

verbs::ResultInput result_input(const Value& value) {
  return input_of<tools::ResultSeries>(value, "a result", "make one with 'femflex simulate'");
}

tools::DocumentInput document_input(const Value& value) {
  if (const auto* document = value.as<const tools::DocumentValue*>()) return *document;
  return std::filesystem::path(text_of(value));
}

std::vector<importer::Spider> spiders_of(const Given& given) {
  std::vector<importer::Spider> out;
  for (const Value& value : given.values)
    out.push_back(importer::parse_spider(text_of(value)));
  return out;
}

std::vector<std::int64_t> interface_ids(const Given& given) {
  std::vector<std::int64_t> ids;
  try {
    read(given, ids);
  } catch (const UsageError& error) {
    throw UsageError(
        error.code(),
        error.message(),
        {},
        error.fix() + "; of a set of nodes make one node by --spider 9001=rbe3:set:NAME");
  }
  return ids;
}

}  // namespace femflex::cli
