// Calls from Python into the libraries. Releases the interpreter's lock while a library works and
// takes it back for progress callbacks and to check for Ctrl-C. Turns femflex errors into the
// exceptions of femflex/_errors.py.
#include "calls.h"

#include <chrono>
#include <mutex>
#include <utility>

#include "femflex/errors.h"

namespace femflex::python {
namespace {

// Shortest time between two calls into Python [ns]: 50 ms, so that long loops are not slowed down.
constexpr std::int64_t kInterval = 50'000'000;

/// Time of the steady clock [ns].
std::int64_t now() {
  return std::chrono::steady_clock::now().time_since_epoch().count();
}

// One thread at a time may be in the libraries, because HDF5 serves only one. The mutex is
// recursive, because a callback may call femflex again from the same thread.
std::recursive_timed_mutex& one_at_a_time() {
  static std::recursive_timed_mutex mutex;
  return mutex;
}

/// Returns true at most once per interval: if kInterval has passed since the time `since`. Then
/// `since` becomes the present time.
bool take_turn(std::atomic<std::int64_t>& since) {
  const std::int64_t time = now();
  std::int64_t last = since.load(std::memory_order_relaxed);
  return time - last >= kInterval && since.compare_exchange_strong(last, time);
}

py::object or_none(std::int64_t number) {
  return number < 0 ? py::object(py::none()) : py::object(py::int_(number));
}

py::object or_none(const std::string& text) {
  return text.empty() ? py::object(py::none()) : py::object(text_of(text));
}

/// Sets the Python exception of femflex/_errors.py that corresponds to `error`.
void raise(const Error& error) {
  py::dict where;
  where["file"] = or_none(error.where().file);
  where["line"] = or_none(error.where().line);
  where["column"] = or_none(error.where().column);
  where["byte"] = or_none(error.where().byte);
  where["record"] = or_none(error.where().record);
  const std::string kind(error.kind());
  const py::object type = py::module_::import("femflex._errors").attr(kind.c_str());
  const py::object value = type(
      text_of(error.what()), error.code(), text_of(error.message()), where, or_none(error.fix()));
  PyErr_SetObject(type.ptr(), value.ptr());
}

}  // namespace

py::str text_of(std::string_view bytes) {
  PyObject* text =
      PyUnicode_DecodeUTF8(bytes.data(), static_cast<py::ssize_t>(bytes.size()), "replace");
  if (text == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(text);
}

PythonProgress::PythonProgress(py::object callback) : callback_(std::move(callback)) {}

PythonProgress::~PythonProgress() {
  Py_XDECREF(type_);
  Py_XDECREF(value_);
  Py_XDECREF(trace_);
}

// To be called with the interpreter's lock held.
void PythonProgress::check_signals() const {
  if (PyErr_CheckSignals() == 0 || is_stopped_) return;
  PyErr_Fetch(&type_, &value_, &trace_);
  is_stopped_ = true;
}

void PythonProgress::report(double done) const {
  const py::gil_scoped_acquire locked;
  check_signals();
  if (is_stopped_ || callback_.is_none()) return;
  try {
    const py::object total = total_ > 0.0 ? py::object(py::float_(total_)) : py::object(py::none());
    callback_(text_of(what_), done, total, unit_);
  } catch (py::error_already_set& error) {
    error.restore();
    PyErr_Fetch(&type_, &value_, &trace_);
    is_stopped_ = true;
  }
}

void PythonProgress::begin(std::string_view what, double total, std::string_view unit) {
  const py::gil_scoped_acquire locked;  // also guards what_ and unit_
  what_ = what;
  unit_ = unit;
  total_ = total;
  report(0.0);
}

void PythonProgress::update(double done) {
  if (take_turn(reported_at_)) report(done);
}

void PythonProgress::end() {
  if (total_ > 0.0) report(total_);
}

bool PythonProgress::stop_requested() const {
  if (is_stopped_) return true;
  if (take_turn(checked_at_)) {
    const py::gil_scoped_acquire locked;
    check_signals();
  }
  return is_stopped_;
}

void PythonProgress::rethrow() {
  if (type_ == nullptr) return;
  PyErr_Restore(std::exchange(type_, nullptr),
                std::exchange(value_, nullptr),
                std::exchange(trace_, nullptr));
  throw py::error_already_set();
}

void call(PythonProgress& progress, const std::function<void()>& work) {
  try {
    const py::gil_scoped_release unlocked;
    std::unique_lock turn(one_at_a_time(), std::defer_lock);
    while (!turn.try_lock_for(std::chrono::nanoseconds(kInterval))) {
      if (progress.stop_requested()) throw Cancelled();
    }
    work();
  } catch (const Cancelled&) {
    progress.rethrow();
    throw;
  } catch (const Error& error) {
    // A stopped run has stored its rows, and its message tells where. A warning carries this
    // message, because the Python exception that stopped the run (KeyboardInterrupt) cannot.
    if (error.kind() == "Cancelled") {
      const py::object category = py::module_::import("femflex._errors").attr("FemflexWarning");
      const std::string text = text_of(error.what());
      if (PyErr_WarnEx(category.ptr(), text.c_str(), 1) != 0) throw py::error_already_set();
      progress.rethrow();
    }
    throw;
  }
  progress.rethrow();
}

void call(const std::function<void(Progress&)>& work) {
  PythonProgress progress{py::none()};
  call(progress, [&]() { work(progress); });
}

void show(const Diagnostics& diagnostics, int frames) {
  if (diagnostics.empty()) return;
  const py::object category = py::module_::import("femflex._errors").attr("FemflexWarning");
  for (const Warning& warning : diagnostics.warnings()) {
    const std::string place = warning.where.text();
    const std::string text = place.empty() ? warning.message : place + ": " + warning.message;
    const std::string valid = text_of(text);
    if (PyErr_WarnEx(category.ptr(), valid.c_str(), frames) != 0) throw py::error_already_set();
  }
}

void translate_errors() {
  py::register_local_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(std::move(thrown));
    } catch (const Error& error) {
      raise(error);
    }
  });
}

}  // namespace femflex::python
