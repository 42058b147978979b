// Input, Loaded and load(): inputs of verbs. A file to read and a value in memory are loaded in the
// same way.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "femflex/diagnostics.h"
#include "femflex/fe_model.h"
#include "femflex/flex_body.h"
#include "femflex/progress.h"
#include "femflex/units.h"

#include "results/results_file.h"

namespace femflex::verbs {

/// An input of a verb: a file to read, or a value that the caller keeps until the verb has
/// finished.
template <class T>
using Input = std::variant<std::filesystem::path, const T*>;
using ModelInput = Input<FeModel>;
using BodyInput = Input<FlexBody>;
using ResultInput = Input<tools::ResultSeries>;

/// An input after load(). It owns a value read from a file, or refers to a value of the caller.
template <class T>
class Loaded {
 public:
  explicit Loaded(T value) : own_(std::make_unique<T>(std::move(value))), value_(own_.get()) {}
  explicit Loaded(const T* value) : value_(value) {}

  const T& operator*() const { return *value_; }
  const T* operator->() const { return value_; }
  /// The value for modification: the value read from a file, or a copy of the caller's value.
  T take() && { return own_ ? std::move(*own_) : *value_; }

 private:
  std::unique_ptr<T> own_;
  const T* value_;
};

/// The name for messages: the path, or the name of the value.
std::string name_of(const ModelInput& input);
std::string name_of(const BodyInput& input);
std::string name_of(const ResultInput& input);

/// Reads the model from a file, or takes the value.
/// @param units  units of a model that gives none
/// @throws UsageError  no such file, a file of another kind, or other units than those of the model
Loaded<FeModel> load(const ModelInput& input,
                     const std::optional<Units>& units,
                     Diagnostics& diagnostics,
                     Progress& progress);
/// Reads the body from a file, or takes the value.
/// @param units  units of a file that gives none; no effect on a value, which is in SI units
Loaded<FlexBody> load(const BodyInput& input,
                      const std::optional<Units>& units,
                      Diagnostics& diagnostics,
                      Progress& progress);

/// The body of a run: the given one, which must be the one of the simulation, or the one to which
/// the run refers.
/// @param result  the input that gave `run`; body files are searched in its folder, or in the
///                current one if it is a value
/// @param body    name of the body in the run
/// @throws UsageError  see tools::check_flex_file(), tools::flex_file_of()
BodyInput body_of_run(const std::optional<BodyInput>& given,
                      const tools::ResultSeries& run,
                      const ResultInput& result,
                      const std::string& body);

/// Reads the result from a file, with a warning if it is incomplete, or takes the value.
/// @throws UsageError  no such file, or a file of another kind
Loaded<tools::ResultSeries> load(const ResultInput& input, Diagnostics& diagnostics);

}  // namespace femflex::verbs
