// The compiled part of the Python package; femflex/__init__.py is what users import.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "femflex/number_list.h"
#include "femflex/units.h"
#include "femflex/version.h"

#include "bindings.h"
#include "calls.h"

PYBIND11_MODULE(_core, module) {
  namespace py = pybind11;
  using namespace femflex;
  module.doc() = "Compiled part of femflex.";
  module.attr("__version__") = std::string(kVersion);
  // numpy 2 has another layout of array types, which pybind11 knows from 2.12 on
  module.attr("serves_numpy_2") = PYBIND11_VERSION_HEX >= 0x020C0000;
  python::translate_errors();
  python::bind_fe_model(module);
  python::bind_body(module);
  python::bind_result(module);
  python::bind_contents(module);
  python::bind_verbs(module);

  module.def("unit_names", &unit_names, "Names of the unit sets that femflex knows.");
  module.def(
      "unit_factors",
      [](const std::string& name) {
        const Units units = parse_units(name);
        py::dict out;
        out["length"] = units.length;
        out["mass"] = units.mass;
        out["time"] = units.time;
        return out;
      },
      py::arg("name"),
      "Factors to SI of a unit set: length [m], mass [kg], time [s].");
  module.def(
      "parse_number_list",
      [](const std::string& text) { return parse_number_list(text); },
      py::arg("text"),
      "Numbers of a list such as '1-20,25,30-40:2'.");
  module.def("format_number_list",
             &format_number_list,
             py::arg("numbers"),
             "A list of numbers and ranges that parse_number_list() reads back.");
}
