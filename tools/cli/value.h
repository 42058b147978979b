// Value: one value of an option or input: text from a shell, or a flag, number, list, model, body,
// result, document or change of a document from a script. Also converts it to text or to a number.
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

/// Models, bodies, results and documents are not copied; the caller keeps them until the verb has
/// finished.
class Value {
 public:
  using List = std::vector<Value>;

  Value(std::string text) : value_(std::move(text)) {}
  Value(const char* text) : value_(std::string(text)) {}
  explicit Value(bool flag) : value_(flag) {}
  explicit Value(std::int64_t number) : value_(number) {}
  explicit Value(double number) : value_(number) {}
  explicit Value(List list) : value_(std::move(list)) {}
  explicit Value(const FeModel* model) : value_(model) {}
  explicit Value(const FlexBody* body) : value_(body) {}
  explicit Value(const tools::ResultSeries* result) : value_(result) {}
  explicit Value(const tools::DocumentValue* document) : value_(document) {}
  explicit Value(const tools::DocumentChange* change) : value_(change) {}

  /// Null if the value is of another type.
  template <class T>
  const T* as() const {
    return std::get_if<T>(&value_);
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
      value_;
};

/// The word that a shell would pass for `value`. For a model, body, result or document, it is the
/// name that its file would have; for a change, its text; for a list, its items separated by
/// commas.
std::string text_of(const Value& value);

/// The number of a value. A text may contain a unit: "100", "1e3 Hz".
/// @param unit    unit of the returned number, which a text may contain; empty: none
/// @param option  name of the option, for messages
/// @throws UsageError  not a finite number, or another unit
double number_of(const Value& value, const std::string& unit, const std::string& option);

}  // namespace femflex::cli
