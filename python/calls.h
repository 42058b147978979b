// Calls from Python into the libraries: lock of the interpreter, progress, warnings, exceptions.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include <pybind11/pybind11.h>

#include "femflex/diagnostics.h"
#include "femflex/progress.h"

/// Calls from Python into the libraries. They run without the interpreter's lock, one at a time,
/// and can be stopped by Ctrl-C or by an exception in the progress callback.
namespace femflex::python {

namespace py = pybind11;

/// A Python string; bytes that are not UTF-8 become replacement characters.
py::str text_of(std::string_view bytes);

/// Passes progress to `callback(what, done, total, unit)`; total is None if not known. Enters
/// Python at most every 50 ms, so that long loops are not slowed down.
class PythonProgress : public Progress {
 public:
  /// @param callback  None: progress is not reported, but Ctrl-C still stops the work
  explicit PythonProgress(py::object callback);
  PythonProgress(const PythonProgress&) = delete;
  PythonProgress& operator=(const PythonProgress&) = delete;
  PythonProgress(PythonProgress&&) = delete;
  PythonProgress& operator=(PythonProgress&&) = delete;
  ~PythonProgress() override;

  void begin(std::string_view what, double total, std::string_view unit) override;
  void update(double done) override;
  void end() override;
  bool stop_requested() const override;

  /// Throws the Python exception that stopped the work, if one did. To be called with the
  /// interpreter's lock held.
  void rethrow();

 private:
  void report(double done) const;
  void check_signals() const;

  py::object callback_;
  std::string what_, unit_;
  double total_ = 0.0;
  // last check for signals and last call of the callback, [ns] of the steady clock
  mutable std::atomic<std::int64_t> checked_at_{0};
  std::atomic<std::int64_t> reported_at_{0};
  mutable std::atomic<bool> is_stopped_{false};
  mutable PyObject* type_ = nullptr;  // the exception that stopped the work
  mutable PyObject* value_ = nullptr;
  mutable PyObject* trace_ = nullptr;
};

/// Runs `work` without the interpreter's lock. HDF5 serves one thread at a time, so calls from
/// several Python threads queue; other Python threads continue meanwhile.
void call(PythonProgress& progress, const std::function<void()>& work);
/// The same without reports of progress.
void call(const std::function<void(Progress&)>& work);

/// Issues each warning as a FemflexWarning.
/// @param frames  number of Python frames up to the user's code: 1 if that code called us directly
void show(const Diagnostics& diagnostics, int frames);

/// Registers the translation of femflex exceptions into those of femflex/_errors.py.
void translate_errors();

}  // namespace femflex::python
