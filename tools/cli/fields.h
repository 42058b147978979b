// The column `.set` of a verb's option table: functions that convert the value of an option and
// store it in a field of the verb's request. All files in cli/commands/ use them.
#pragma once

#include <any>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "femflex/importer/spider.h"

#include "arguments.h"
#include "option.h"
#include "verbs/input.h"

/// Example of a row of an option table:
///
/// {.name = "--fmax", .unit = "Hz", .set = to(at(&Request::options, &Options::fmax_hz))}
///
/// Texts from the command line are parsed by these functions; values from a script already have
/// their type.
namespace femflex::cli {

/// An integer.
/// @throws UsageError  (all functions of `Given`) the value is not of this kind; the message names
/// the option
std::int64_t whole_number(const Given& given);
/// An integer within the range of int.
int whole_int(const Given& given);
/// A non-negative integer.
std::int64_t count(const Given& given);
/// The number of frequencies in a band, from 2 (both ends) to 100 000. There is a limit because
/// each frequency is solved separately.
std::int64_t frequency_count(const Given& given);
/// A number above 0.
double positive(const Given& given);
/// A number that is 0 or above.
double not_negative(const Given& given);
/// The numbers of a text "x,y,z" or of a list.
std::vector<double> numbers_at_commas(const Given& given);
/// Spiders in the notation of importer::parse_spider().
std::vector<importer::Spider> spiders_of(const Given& given);
/// Numbers of interface nodes; the error for a name says how to use a set of nodes.
std::vector<std::int64_t> interface_ids(const Given& given);

/// Converts the value of an option to the type of `field` and stores it there.
/// @throws UsageError  the value cannot be converted
void read(const Given& given, bool& field);  ///< a flag: true
void read(const Given& given, double& field);
void read(const Given& given, std::int64_t& field);  ///< a count
void read(const Given& given, std::string& field);
void read(const Given& given, std::filesystem::path& field);
void read(const Given& given, std::vector<std::int64_t>& field);  ///< "1-20,25", or a list of
                                                                  ///< numbers
void read(const Given& given, std::vector<std::string>& field);
void read(const Given& given, std::vector<std::filesystem::path>& field);
void read(const Given& given,
          std::vector<tools::DocumentChange>& field);  ///< "place in the document=value"
void read(const Given& given, verbs::ModelInput& field);
void read(const Given& given, verbs::BodyInput& field);
template <class T>
void read(const Given& given, std::optional<T>& field) {
  T value{};
  read(given, value);
  field = std::move(value);
}

/// An input of a verb that takes models, bodies, results or documents.
/// @throws UsageError  a value of another kind
verbs::ModelInput model_input(const Value& value);
verbs::BodyInput body_input(const Value& value);
verbs::ResultInput result_input(const Value& value);
tools::DocumentInput document_input(const Value& value);

/// Access to a field of a request, or to a field of one of its members; created by at().
template <class Request, class T>
struct Field {
  std::function<T&(Request&)> of;
};

/// The field `member` of a request: at(&Request::options).
template <class Request, class T>
Field<Request, T> at(T Request::*member) {
  return {[member](Request& request) -> T& { return request.*member; }};
}

/// A field of a member of a request: at(&Request::options, &Options::step).
template <class Request, class Part, class... Rest>
auto at(Part Request::*part, Rest... rest) {
  auto inner = at(rest...);
  using T = std::remove_reference_t<decltype(inner.of(std::declval<Part&>()))>;
  return Field<Request, T>{
      [part, inner](Request& request) -> T& { return inner.of(request.*part); }};
}

/// A setter that converts the value of the option with read().
template <class Request, class T>
Setter to(Field<Request, T> field) {
  return [field](std::any& request, const Given& given) {
    read(given, field.of(std::any_cast<Request&>(request)));
  };
}

/// A setter that converts the value of the option with `parse`, a function of Given or of a text.
template <class Request, class T, class Parser>
Setter to(Field<Request, T> field, Parser parse) {
  return [field, parse](std::any& request, const Given& given) {
    T& target = field.of(std::any_cast<Request&>(request));
    if constexpr (std::is_invocable_v<Parser, const Given&>)
      target = parse(given);
    else
      target = parse(text_of(given.value()));
  };
}

template <class Request, class T>
Setter to(T Request::*member) {
  return to(at(member));
}

/// A setter for a flag: stores `value` in the field if the flag is given.
template <class Request, class T>
Setter means(Field<Request, T> field, T value) {
  return [field, value](std::any& request, const Given& /*given*/) {
    field.of(std::any_cast<Request&>(request)) = value;
  };
}

/// Applies `set` only if the user gave the option; otherwise the field stays empty. The fallback of
/// the table then appears in the help, but is not stored.
inline Setter where_given(Setter set) {
  return [set = std::move(set)](std::any& request, const Given& given) {
    if (!given.is_fallback) set(request, given);
  };
}

/// Joins several option tables to one.
std::vector<Option> joined(const std::vector<std::vector<Option>>& parts);

/// Splits texts at commas: "a, b" and "c" become a, b, c.
std::vector<std::string> split_at_commas(const std::vector<std::string>& texts);

/// Names given as a comma-separated list, as several values, or both.
std::vector<std::string> names_at_commas(const Given& given);

/// The paths as texts, for a document.
std::vector<std::string> texts_of(const std::vector<std::filesystem::path>& paths);

/// The request of a verb. Each row of the option table stores its given value, or else its
/// fallback.
template <class Request>
Request request_of(const Arguments& arguments) {
  std::any request = Request{};
  arguments.fill(request);
  return std::any_cast<Request>(std::move(request));
}

}  // namespace femflex::cli
