// The sections of the compiled Python module, one function each.
#pragma once

#include <pybind11/pybind11.h>

/// One function for each section of the module; module.cpp calls them in turn. Sections that
/// compile slowly are in separate files.
namespace femflex::python {

void bind_fe_model(pybind11::module_& module);
void bind_body(pybind11::module_& module);
void bind_result(pybind11::module_& module);
void bind_contents(pybind11::module_& module);
void bind_verbs(pybind11::module_& module);

}  // namespace femflex::python
