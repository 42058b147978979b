// One value of an option or input: text from a shell, or a number, list, model, body, result or
// document from a script. Converts it to text or to a number.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "femflex/fe_model.h"
#include "femflex/flex_body.h"

#include "document/document.h"
#include "results/results_file.h"

namespace femflex::cli {

/// What is given for an option or as an input: a word of a shell, or a value of a script. Models,
/// bodies, results and documents are not copied: the caller keeps them until the verb is done.
class Value {
 public:
  using List = std::vector<Value>;

  Value(std::string text) : held_(std::move(text)) {}
  Value(const char* text) : held_(std::string(text)) {}
  explicit Value(bool flag) : held_(flag) {}
  explicit Value(std::int64_t number) : held_(number) {}
  explicit Value(double number) : held_(number) {}
  explicit Value(List list) : held_(std::move(list)) {}
  explicit Value(const FeModel* model) : held_(model) {}
  explicit Value(const FlexBody* body) : held_(body) {}
  explicit Value(const tools::ResultSeries* result) : held_(result) {}
  explicit Value(const tools::DocumentValue* document) : held_(document) {}
  explicit Value(const tools::DocumentChange* change) : held_(change) {}

  /// Null if the value is of another type.
  template <class T>
  const T* as() const {
    return std::get_if<T>(&held_);
  }

 private:
  std::variant<std::string,
               bool,
               std::int64_t,
               double,
               List,
               const FeModel*,
               const FlexBody*,
               const tools::ResultSeries*,
               const tools::DocumentValue*,
               const tools::DocumentChange*>
      held_;
};

/// The word that a shell would give for `value`; of a model, body or result the name of the file
/// that would hold it.
std::string text_of(const Value& value);

/// A number, or a text with an optional unit: "100", "1e3 Hz".
/// @throws UsageError  `what` names the option in the message
double number_of(const Value& value, const std::string& unit, const std::string& what);

}  // namespace femflex::cli
