// Texts of the templates of planar mechanisms; examples/planar contains the same texts as files.
#include "verbs/template_planar.h"

namespace femflex::verbs {

const char* const kCraneCrab =
    R"json(// A crane crab: a trolley on a rail carries a load on a rigid rope; a damper ties the trolley to the wall.
// Angles and displacements count from the places given here: at angle 0 the rope hangs down.
{ "femflex": 1, "name": "crane-crab", "units": "m-kg-s", "planar": true, "gravity": [0, -9.81, 0],
  "parameters": { "trolley_mass": 1, "load_mass": 0.5, "load_inertia": 0.1, "rope": 1, "damping": 10,
                  "swing": "=150*pi/180" },
  "ground": { "markers": { "wall": { "at": [-3, 0, 0] } } },
  "bodies": {
    "trolley": { "rigid": { "mass": "=trolley_mass", "inertia": 0.1 },
                 "markers": { "left": { "at": [-0.2, 0, 0] }, "right": { "at": [0.2, 0, 0] } } },
    "load":    { "rigid": { "mass": "=load_mass", "com": [0, "=-rope", 0], "inertia": "=load_inertia" },
                 "markers": { "centre": { "at": [0, "=-rope", 0] } } } },
  "joints": {
    "rail":  { "type": "prismatic", "a": "ground",  "b": "trolley", "at": [0, 0, 0], "axis": [1, 0, 0],
               "initial": { "displacement": 0, "displacement_rate": 0 } },
    "pivot": { "type": "revolute",  "a": "trolley", "b": "load",    "at": [0, 0, 0], "axis": [0, 0, 1],
               "initial": { "angle": "=swing", "angle_rate": 0 } } },
  "forces": { "damper": { "type": "spring-damper", "a": "ground/wall", "b": "trolley", "damping": "=damping" } },
  "analyses": [ { "type": "dynamic", "end": 5, "integrator": "runge-kutta", "output_step": 0.01,
                  "relative_tolerance": 1e-9, "absolute_tolerance": 1e-9 } ],
  "outputs": [ "trolley", "load", "load/centre/position",
               "rail/displacement", "rail/displacement_rate", "rail/displacement_acceleration",
               "pivot/angle", "pivot/angle_rate", "pivot/angle_acceleration", "energy" ],
  // femflex simulate FILE --variant undamped -o RESULT.h5
  "variants": { "undamped": { "parameters": { "damping": 0 } } } }
)json";

const char* const kDoublePendulum =
    R"json(// A double pendulum: two bodies at the ends of two arms, both arms level at angles of 0.
// "regular" and "large" start two other double pendulums, the second one almost upright.
{ "femflex": 1, "name": "double-pendulum", "units": "m-kg-s", "planar": true, "gravity": [0, -9.81, 0],
  "parameters": { "m1": 1, "m2": 0.2, "inertia1": 0.1, "inertia2": 0.01, "arm1": 1, "arm2": 0.4,
                  "angle1": 0, "angle2": 0, "rate1": 0, "rate2": 0 },
  "bodies": {
    "upper": { "rigid": { "mass": "=m1", "com": ["=arm1", 0, 0], "inertia": "=inertia1" },
               "markers": { "tip": { "at": ["=arm1", 0, 0] } } },
    "lower": { "rigid": { "mass": "=m2", "com": ["=arm2", 0, 0], "inertia": "=inertia2" }, "at": ["=arm1", 0, 0],
               "markers": { "tip": { "at": ["=arm2", 0, 0] } } } },
  // angle 1 counts from the level, angle 2 from the upper arm
  "joints": {
    "shoulder": { "type": "revolute", "a": "ground", "b": "upper", "at": [0, 0, 0],       "axis": [0, 0, 1],
                  "initial": { "angle": "=angle1", "angle_rate": "=rate1" } },
    "elbow":    { "type": "revolute", "a": "upper",  "b": "lower", "at": ["=arm1", 0, 0], "axis": [0, 0, 1],
                  "initial": { "angle": "=angle2", "angle_rate": "=rate2" } } },
  "analyses": [ { "type": "dynamic", "end": 10, "integrator": "runge-kutta", "output_step": 0.01,
                  "relative_tolerance": 1e-10, "absolute_tolerance": 1e-10 } ],
  "outputs": [ "upper", "lower", "upper/tip/position", "lower/tip/position",
               "shoulder/angle", "shoulder/angle_rate", "shoulder/angle_acceleration",
               "elbow/angle", "elbow/angle_rate", "elbow/angle_acceleration", "energy" ],
  "variants": {
    "regular": { "parameters": { "m2": 0.5, "inertia2": 0.02, "arm2": 0.6, "angle1": "=1-pi/2", "angle2": -0.6 } },
    "large":   { "parameters": { "m2": 0.5, "inertia2": 0.02, "arm2": 0.6, "angle1": "=2.6-pi/2", "angle2": 0.3 } } } }
)json";

const char* const kFourBar =
    R"json(// A four-bar linkage: a short crank turns all round, a coupler moves the rocker to and fro.
// The crank starts at an angle and a rate; coupler and rocker follow from the loop.
{ "femflex": 1, "name": "four-bar", "units": "m-kg-s", "planar": true, "gravity": [0, -9.81, 0],
  "parameters": { "angle": 0.5, "rate": 20, "coupler_mass": 1 },
  "bodies": {
    "crank":   { "rigid": { "mass": 2, "com": [0, 0.05, 0], "inertia": 0.01 }, "at": [0, 0, 0] },
    "coupler": { "rigid": { "mass": "=coupler_mass", "com": [0.2, 0.1, 0], "inertia": "=coupler_mass*0.2/12" },
                 "at": [0, 0.1, 0], "markers": { "middle": { "at": [0.2, 0.1, 0] } } },
    "rocker":  { "rigid": { "mass": 1, "com": [0, 0.15, 0], "inertia": 0.0075 }, "at": [0.4, 0, 0] } },
  // at angle 0 the crank stands upright
  "joints": {
    "shaft": { "type": "revolute", "a": "ground",  "b": "crank",   "at": [0, 0, 0],     "axis": [0, 0, 1],
               "initial": { "angle": "=angle", "angle_rate": "=rate" } },
    "pin":   { "type": "revolute", "a": "crank",   "b": "coupler", "at": [0, 0.1, 0],   "axis": [0, 0, 1] },
    "wrist": { "type": "revolute", "a": "coupler", "b": "rocker",  "at": [0.4, 0.3, 0], "axis": [0, 0, 1] },
    "base":  { "type": "revolute", "a": "ground",  "b": "rocker",  "at": [0.4, 0, 0],   "axis": [0, 0, 1] } },
  "analyses": [ { "type": "dynamic", "end": 2, "integrator": "runge-kutta", "output_step": 0.005,
                  "relative_tolerance": 1e-9, "absolute_tolerance": 1e-9 } ],
  "outputs": [ "crank", "coupler", "rocker", "coupler/middle/position", "shaft/angle", "shaft/angle_rate",
               "shaft/angle_acceleration", "base/angle", "base/angle_rate", "shaft/reaction", "energy" ],
  // femflex simulate FILE --variant light: a coupler without mass
  "variants": { "light": { "parameters": { "coupler_mass": 0 } } } }
)json";

}  // namespace femflex::verbs
