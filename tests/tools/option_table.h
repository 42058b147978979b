// Checks by a table that every option of a command fills its own field of the request and has the
// default value of the request. Used by *_options_test.cpp.
#pragma once

#include <algorithm>
#include <any>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/arguments.h"
#include "cli/fields.h"
#include "cli/verbs.h"

namespace femflex::testing {

/// The values given to an option, and the text that its field of the request must then show.
template <class Request>
struct OptionCase {
  std::string option;
  std::vector<cli::Value> given;  ///< empty for a flag
  std::string expected;
  std::function<std::string(const Request&)> show;
};

/// The request of `verb` with the given options.
template <class Request>
Request request_with(const cli::Verb& verb,
                     const std::map<std::string, std::vector<cli::Value>>& given) {
  const std::vector<cli::Value> inputs(static_cast<std::size_t>(verb.fewest_inputs), "input");
  return cli::request_of<Request>(cli::Arguments(verb, given, inputs));
}

/// Checks that each option fills its own field, that the defaults in the table of options equal the
/// defaults of the request, and that `cases` contains every option that fills a field.
template <class Request>
void expect_options_fill_their_fields(const cli::Verb& verb,
                                      const std::vector<OptionCase<Request>>& cases) {
  const Request fresh{};
  const auto untouched = request_with<Request>(verb, {});
  for (const OptionCase<Request>& each : cases) {
    const auto filled = request_with<Request>(verb, {{each.option, each.given}});
    EXPECT_EQ(each.show(filled), each.expected) << each.option;
    EXPECT_NE(each.show(fresh), each.expected) << each.option << ": the case shows nothing";
    EXPECT_EQ(each.show(untouched), each.show(fresh)) << each.option << ": fallback and default";
  }
  for (const cli::Option& option : verb.options) {
    const bool is_tried =
        std::any_of(cases.begin(), cases.end(), [&](const OptionCase<Request>& each) {
          return each.option == option.name;
        });
    EXPECT_EQ(is_tried, static_cast<bool>(option.set)) << verb.name << " " << option.name;
  }
}

/// Text of a value; "-" without a value.
template <class T>
std::string shown(const std::optional<T>& value) {
  if (!value) return "-";
  if constexpr (std::is_convertible_v<T, std::string>)
    return *value;
  else
    return std::to_string(*value);
}

}  // namespace femflex::testing
