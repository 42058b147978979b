// The models that every live page offers, as JSON documents; flexible bodies are made here.
#include "live/live_gallery.h"

#include <memory>
#include <string>
#include <utility>

#include "femflex/diagnostics.h"
#include "femflex/hamiltonian/lattice_system.h"
#include "femflex/hamiltonian/lattice_to_fe.h"
#include "femflex/modal/reduce.h"
#include "femflex/progress.h"

#include "body/template_chassis.h"
#include "document/json_text.h"
#include "lattice/lattice_json.h"

namespace femflex::live {

using tools::Json;

namespace {

// A frame of rigid, hinged bars as in FyDiK; the rotational springs of the hinges resist bending.
constexpr const char* kFydik = R"json({ "dimension": 2, "gravity": 9.81,
  "parameters": { "k": 20000, "hinge": 60, "mass": 0.5, "c": 0.4 },
  "nodes": [ { "id": 1, "x": [0, 0], "mass": "=mass", "fixed": true }, { "id": 2, "x": [0.4, 0], "mass": "=mass", "fixed": true },
    { "id": 3, "x": [0.8, 0], "mass": "=mass", "damping": "=c" }, { "id": 4, "x": [1.2, 0], "mass": "=mass", "damping": "=c" },
    { "id": 5, "x": [1.6, 0], "mass": "=mass", "damping": "=c" }, { "id": 6, "x": [2.0, 0], "mass": "=mass", "damping": "=c" } ],
  "springs": [ { "i": 1, "j": 2, "k": "=k", "law": "linear" }, { "i": 2, "j": 3, "k": "=k", "law": "linear" }, { "i": 3, "j": 4, "k": "=k", "law": "linear" },
    { "i": 4, "j": 5, "k": "=k", "law": "linear" }, { "i": 5, "j": 6, "k": "=k", "law": "linear" } ],
  "rotational_springs": [ { "a": 1, "b": 2, "k": "=hinge" }, { "a": 2, "b": 3, "k": "=hinge" }, { "a": 3, "b": 4, "k": "=hinge" }, { "a": 4, "b": 5, "k": "=hinge" } ] })json";

constexpr const char* kChain = R"json({ "dimension": 2, "gravity": 9.81,
  "parameters": { "k": 500, "mass": 0.1, "end": 0.3 },
  "generate": { "type": "chain", "links": 16, "length": 0.25, "mass": "=mass", "end_mass": "=end", "k": "=k*10" },
  "nodes": [ { "id": 17, "v": [4, 0] } ] })json";

constexpr const char* kLadder = R"json({ "dimension": 2, "gravity": 0,
  "parameters": { "k": 200, "mass": 1 },
  "generate": { "type": "ladder", "columns": 9, "cell": 2, "mass": "=mass", "k_chord": "=k", "k_vertical": "=k", "k_diagonal": "=k" },
  "nodes": [ { "id": 1, "v": [1, 0] }, { "id": 10, "v": [1, 0] } ] })json";

constexpr const char* kCantilever = R"json({ "dimension": 2, "gravity": 0.2,
  "parameters": { "k": 200, "mass": 0.5, "c": 0.05 }, "friction_c": "=c",
  "generate": { "type": "ladder", "columns": 9, "cell": 2, "mass": "=mass", "k_chord": "=k", "k_vertical": "=k", "k_diagonal": "=k" },
  "fixed": { "xy": [1, 10] } })json";

constexpr const char* kWave = R"json({ "dimension": 2, "gravity": 0,
  "parameters": { "k": 200, "mass": 1 },
  "generate": { "type": "block", "nodes": [40, 3], "size": [39, 2], "k": "=k", "k_diagonal": "=k/2", "mass": "=mass" },
  "nodes": [ { "id": 1, "v": [8, 0] }, { "id": 41, "v": [8, 0] }, { "id": 81, "v": [8, 0] } ] })json";

constexpr const char* kCrane = R"json({ "planar": true, "gravity": [0, -9.81, 0],
  "parameters": { "crab": 100, "load": 50, "rope": 4, "k": 400, "c": 0 },
  "bodies": { "crab": { "rigid": { "mass": "=crab", "inertia": 10 }, "velocity": [2, 0, 0] },
    "load": { "rigid": { "mass": "=load", "inertia": 1 }, "at": [0, "=-rope", 0], "velocity": [2, 0, 0] } },
  "joints": { "rail": { "type": "prismatic", "a": "ground", "b": "crab", "at": [0, 0, 0], "axis": [1, 0, 0] },
    "hook": { "type": "revolute", "a": "crab", "b": "load", "at": [0, 0, 0], "axis": [0, 0, 1] } },
  "ground": { "markers": { "wall": { "at": [-3, 0, 0] } } },
  "forces": { "buffer": { "type": "spring-damper", "a": "ground/wall", "b": "crab", "stiffness": "=k", "damping": "=c", "length": 3 } },
  "analyses": [ { "type": "dynamic", "end": 10, "integrator": "runge-kutta", "step": 0.004 } ] })json";

constexpr const char* kDouble = R"json({ "planar": true, "gravity": [0, -9.81, 0],
  "parameters": { "length": 1, "mass": 1, "c": 0 },
  "bodies": { "upper": { "rigid": { "mass": "=mass", "com": ["=length/2", 0, 0], "inertia": "=mass*length^2/12" } },
    "lower": { "rigid": { "mass": "=mass", "com": ["=length/2", 0, 0], "inertia": "=mass*length^2/12" }, "at": ["=length", 0, 0] } },
  "joints": { "top": { "type": "revolute", "a": "ground", "b": "upper", "at": [0, 0, 0], "axis": [0, 0, 1] },
    "elbow": { "type": "revolute", "a": "upper", "b": "lower", "at": ["=length", 0, 0], "axis": [0, 0, 1] } },
  "forces": { "friction": { "type": "torsional-spring", "joint": "top", "damping": "=c" } },
  "analyses": [ { "type": "dynamic", "end": 10, "integrator": "runge-kutta", "step": 0.004 } ] })json";

constexpr const char* kRod = R"json({ "dimension": 3,
  "generate": { "type": "beam", "length": 0.6, "cells": 12, "section": [0.02, 0.02], "law": "linear", "k": 2e5, "k_diagonal": 1e5, "total_mass": 0.8 } })json";

constexpr const char* kSlider = R"json({ "gravity": [0, 0, 0],
  "parameters": { "rate": 12, "crank": 0.5, "slider": 0.4 },
  "bodies": { "crank": { "rigid": { "mass": "=crank", "com": [0.05, 0, 0], "inertia": [1e-4, 1e-3, 1e-3, 0, 0, 0] }, "angular_velocity": [0, 0, "=rate"] },
    "rod": { "flex": "ROD", "at": [0.1, 0, 0], "velocity": [0, "=0.1*rate", 0], "angular_velocity": [0, 0, "=-0.1*rate/0.6"], "damping": 0.02 },
    "slider": { "rigid": { "mass": "=slider", "inertia": [1e-4, 1e-4, 1e-4, 0, 0, 0] }, "at": [0.7, 0, 0] } },
  "joints": { "shaft": { "type": "revolute", "a": "ground", "b": "crank", "at": [0, 0, 0], "axis": [0, 0, 1] },
    "pin": { "type": "universal", "a": "rod/1", "b": "crank", "at": [0.1, 0, 0], "axis": [0, 1, 0], "axis_b": [0, 0, 1] },
    "wrist": { "type": "spherical", "a": "rod/13", "b": "slider", "at": [0.7, 0, 0] },
    "guide": { "type": "prismatic", "a": "ground", "b": "slider", "at": [0.7, 0, 0], "axis": [1, 0, 0] } },
  "motions": { "drive": { "joint": "shaft", "angle": "rate*t" } },
  "analyses": [ { "type": "dynamic", "end": 1, "step": 5e-4 } ] })json";

// At 15 m/s the road is 640 s long. Without numerical damping and with this step, the energy error
// is 0.2 % after ten minutes; with a step of 1 ms and the default damping it is 0.1 % per second.
constexpr const char* kTruck = R"json({ "gravity": [0, 0, -9.81],
  "parameters": { "k": 2e5, "c": 1e4, "speed": 15 },
  "road": { "iso8608": "C", "seed": 1, "length": 9600 },
  "bodies": { "chassis": { "flex": "CHASSIS", "at": [0, 0, 0.594], "damping": 0.02 } },
  "forces": { "right_rear": { "type": "tyre", "on": "chassis/301", "radius": 0.5, "stiffness": "=k", "damping": "=c", "speed": "=speed" },
    "left_rear": { "type": "tyre", "on": "chassis/303", "radius": 0.5, "stiffness": "=k", "damping": "=c", "speed": "=speed" },
    "right_front": { "type": "tyre", "on": "chassis/1101", "radius": 0.5, "stiffness": "=k", "damping": "=c", "speed": "=speed" },
    "left_front": { "type": "tyre", "on": "chassis/1103", "radius": 0.5, "stiffness": "=k", "damping": "=c", "speed": "=speed" } },
  "analyses": [ { "type": "dynamic", "end": 2, "step": 2.5e-4, "rho": 1 } ] })json";

LiveSource source(const char* name, const char* text, const char* units_of_system = nullptr) {
  Json document = tools::parse_json(text, name);
  document["name"] = name;
  if (units_of_system != nullptr) document["units"] = units_of_system;
  return live_source_of(std::move(document), name, {});
}

/// The frame of the truck template with 20 elastic modes.
FlexBody truck_frame() {
  constexpr std::int64_t kElastic = 20;
  constexpr std::int64_t kRigid = 6;
  Diagnostics ignored;
  modal::ReduceOptions options;
  options.method = modal::Method::dynamic;
  options.normal = kElastic + kRigid;
  options.orthogonalise = true;
  options.scale = true;
  return modal::reduce(tools::template_chassis(), options, ignored);
}

/// A rod of 0.6 m: a lattice with one cell across and twelve cells along it, reduced to its first
/// modes.
FlexBody rod() {
  constexpr std::int64_t kModes = 16;
  constexpr std::int64_t kEnd = 13;  // the last node of the row that begins with node 1
  const hamiltonian::LatticeSystem lattice(
      tools::read_lattice_json(tools::parse_json(kRod, "rod")).lattice);
  FeModel model = hamiltonian::to_fe_model(lattice, lattice.start(), hamiltonian::HeldDofs::keep);
  model.name = "rod";
  model.interface_nodes = {1, kEnd};
  Diagnostics ignored;
  modal::ReduceOptions options;
  options.method = modal::Method::dynamic;
  options.normal = kModes;
  options.orthogonalise = true;
  options.scale = true;
  return modal::reduce(model, options, ignored);
}

}  // namespace

std::vector<LiveSource> gallery() {
  std::vector<LiveSource> out;
  out.push_back(source("fydik-cantilever", kFydik));
  out.push_back(source("thrown-chain", kChain));
  out.push_back(source("ladder", kLadder));
  out.push_back(source("cantilever", kCantilever));
  out.push_back(source("wave", kWave));
  out.push_back(source("crane-crab", kCrane, "m-kg-s"));
  LiveSource damped = source("crane-crab-damped", kCrane, "m-kg-s");
  constexpr double kDamping = 60.0;  // [N s/m]
  damped.document["parameters"]["c"] = kDamping;
  out.push_back(std::move(damped));
  out.push_back(source("double-pendulum", kDouble, "m-kg-s"));
  LiveSource slider = source("slider-crank-flexible", kSlider, "m-kg-s");
  slider.bodies["ROD"] = std::make_shared<const FlexBody>(rod());
  out.push_back(std::move(slider));
  LiveSource truck = source("truck", kTruck, "m-kg-s");
  truck.bodies["CHASSIS"] = std::make_shared<const FlexBody>(truck_frame());
  out.push_back(std::move(truck));
  return out;
}

}  // namespace femflex::live
