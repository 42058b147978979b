// Texts of the templates truck, pendulum, slider-crank, servo, lattice, assembly and directory, for
// the verb new. Templates of planar mechanisms, leaf springs, trucks on wheels and job scripts are
// in other files (template_*.cpp).
#include "verbs/templates.h"

#include "verbs/template_jobs.h"
#include "verbs/template_planar.h"
#include "verbs/template_suspension.h"
#include "verbs/template_vehicles.h"

namespace femflex::verbs {
namespace {

constexpr const char* kPendulum =
    R"json(// A pendulum: a rigid bar on a hinge, released from the horizontal.
{ "femflex": 1, "name": "pendulum", "units": "m-kg-s", "gravity": [0, 0, -9.81],
  // numbers may be formulas of parameters: "=mass*length^2/12"; change them by --set parameters.length=2
  "parameters": { "length": 1.0, "mass": 2.0 },
  "bodies": {
    "bar": { "rigid": { "mass": "=mass", "com": ["=length/2", 0, 0],
                        "inertia": [1e-4, "=mass*length^2/12", "=mass*length^2/12", 0, 0, 0] },
             "at": [0, 0, 0], "markers": { "tip": { "at": ["=length", 0, 0] } } } },
  "joints": { "hinge": { "type": "revolute", "a": "ground", "b": "bar", "at": [0, 0, 0], "axis": [0, 1, 0] } },
  "analyses": [ { "type": "dynamic", "end": 2, "integrator": "runge-kutta", "output_step": 0.01 } ],
  "outputs": [ "bar/tip/position", "hinge/reaction", "energy" ],
  // femflex simulate pendulum.json --variant damped -o damped.h5
  "variants": { "damped": { "forces": { "friction": { "type": "torsional-spring", "joint": "hinge", "damping": 0.2 } } } } }
)json";

constexpr const char* kSliderCrank =
    R"json(// A slider-crank: a crank turned at a steady rate drives a slider through a rod.
{ "femflex": 1, "name": "slider-crank", "units": "m-kg-s", "planar": true, "gravity": [0, 0, 0],
  "parameters": { "crank": 0.1, "rod": 0.3, "rate": 20 },
  "bodies": {
    "crank":  { "rigid": { "mass": 0.5, "com": ["=crank/2", 0, 0], "inertia": [1e-4, 1e-3, 1e-3, 0, 0, 0] },
                "angular_velocity": [0, 0, "=rate"] },
    "rod":    { "rigid": { "mass": 0.8, "com": ["=rod/2", 0, 0], "inertia": [1e-4, 6e-3, 6e-3, 0, 0, 0] },
                "at": ["=crank", 0, 0],
                "velocity": [0, "=crank*rate", 0], "angular_velocity": [0, 0, "=-crank*rate/rod"] },
    "slider": { "rigid": { "mass": 0.4, "inertia": [1e-4, 1e-4, 1e-4, 0, 0, 0] }, "at": ["=crank+rod", 0, 0] } },
  "joints": {
    "shaft": { "type": "revolute",  "a": "ground", "b": "crank",  "at": [0, 0, 0],            "axis": [0, 0, 1] },
    "pin":   { "type": "revolute",  "a": "crank",  "b": "rod",    "at": ["=crank", 0, 0],     "axis": [0, 0, 1] },
    "wrist": { "type": "revolute",  "a": "rod",    "b": "slider", "at": ["=crank+rod", 0, 0], "axis": [0, 0, 1] },
    "guide": { "type": "prismatic", "a": "ground", "b": "slider", "at": ["=crank+rod", 0, 0], "axis": [1, 0, 0] } },
  "motions": { "drive": { "joint": "shaft", "angle": "rate*t" } },
  "analyses": [ { "type": "dynamic", "end": 1, "step": 1e-3, "output_step": 5e-3 } ],
  "outputs": [ "slider/position", "drive", "energy" ] }
)json";

constexpr const char* kTruck =
    R"json(// Half of the way to a truck: a flexible chassis on four tyres over a rough road.
// CHASSIS.fe.h5 is a ladder frame of point masses on bars; CHASSIS.fbm came from it by:
//   femflex reduce CHASSIS.fe.h5 --method craig-chang --normal 20 --orthogonalise --scale --damping 0.02 -o CHASSIS.fbm
{ "femflex": 1, "name": "truck", "units": "m-kg-s", "gravity": [0, 0, -9.81],
  "parameters": { "k": 2e5, "c": 1e4, "speed": 15 },
  "road": { "iso8608": "C", "seed": 1, "length": 400 },
  "bodies": {
    // "as": "rigid" and "as": "full" change one word
    "chassis": { "flex": "CHASSIS.fbm", "model": "CHASSIS.fe.h5", "as": "flex", "at": [0, 0, 0.594],
                 "modes": { "below": "100 Hz" } } },
  "forces": {
    // the numbers after the slash are nodes of the FE model
    "right_rear":  { "type": "tyre", "on": "chassis/301",  "radius": 0.5, "stiffness": "=k", "damping": "=c", "speed": "=speed" },
    "left_rear":   { "type": "tyre", "on": "chassis/303",  "radius": 0.5, "stiffness": "=k", "damping": "=c", "speed": "=speed" },
    "right_front": { "type": "tyre", "on": "chassis/1101", "radius": 0.5, "stiffness": "=k", "damping": "=c", "speed": "=speed" },
    "left_front":  { "type": "tyre", "on": "chassis/1103", "radius": 0.5, "stiffness": "=k", "damping": "=c", "speed": "=speed" } },
  "analyses": [ { "type": "dynamic", "end": 2, "step": 1e-3, "output_step": 2e-3 } ],
  "outputs": [ "chassis/position", "chassis/301/position", "chassis/701/acceleration" ],
  "variants": { "rigid": { "bodies": { "chassis": { "as": "rigid" } } } } }
)json";

constexpr const char* kLattice =
    R"json(// A chain of three point masses on springs, the first one held.
{ "femflex": 1, "name": "chain", "dimension": 3, "gravity": [0, 0, 0],
  "nodes": [
    { "id": 1, "x": [0, 0, 0], "mass": 1, "fixed": true },
    { "id": 2, "x": [1, 0, 0], "mass": 1 },
    { "id": 3, "x": [2, 0, 0], "mass": 1, "v": [0.1, 0, 0] } ],
  "springs": [
    { "i": 1, "j": 2, "k": 100, "law": "linear" },
    { "i": 2, "j": 3, "k": 100, "law": "linear" } ],
  "end": 10 }
)json";

constexpr const char* kAssembly =
    R"json(// Parts by their dynamic stiffness: two bars joined end to end, held at one end.
{ "femflex": 1, "name": "assembly",
  // a registry gives the address of the agent of each part that "parts" does not define
  // "registry": "http://127.0.0.1:8080",
  // the parts that others may ask for: femflex serve OUTPUT.json --port 8081
  "offer": [ "BA2", "BA1" ],
  "parts": {
    "BA1": { "bar": { "mass": 166.77, "stiffness": 1.47e8, "damping": 22143 }, "attributes": { "cost": 12.5 } },
    // for each part the node of each of its ports; parts that name one node are joined there
    "BA2": { "assembly": { "parts": [ "BA1", "BA1" ], "objects": [ [1, 2], [2, 3] ] } } },
  "solve": {
    "part": "BA2", "fixed": [1],
    "frf": { "hz": [1, 500], "points": 500, "ways": [ { "in": 3, "out": 3 }, { "in": 3, "out": 2 } ] },
    "step": [ { "in": 3, "out": 3, "value": 1000 } ],
    "impulse": [ { "in": 3, "out": 3 } ],
    "time": { "dt": 1e-4, "end": 0.1 } } }
)json";

constexpr const char* kDirectory =
    R"json(// Which agent holds which part. A house that moves changes its line here, and no assembly.
{ "femflex": 1, "name": "trade",
  "houses": {
    "bars":   { "agent": "http://127.0.0.1:8081", "parts": [ "BA1", "BA2" ] },
    "frames": { "agent": "http://127.0.0.1:8082", "parts": [ "TR6x4" ] } } }
)json";
constexpr const char* kServo =
    R"json(// A servo that turns an arm to 90 degrees under gravity: PID with limits, a smoothed command and the
// time constant of the motor.
{ "femflex": 1, "name": "servo", "units": "m-kg-s", "gravity": [0, 0, -9.81],
  "parameters": { "length": 0.6, "mass": 3, "limit": 40 },
  "bodies": {
    "arm": { "rigid": { "mass": "=mass", "com": ["=length/2", 0, 0],
                        "inertia": [1e-3, "=mass*length^2/12", "=mass*length^2/12", 0, 0, 0] },
             "markers": { "tip": { "at": ["=length", 0, 0] } } } },
  "joints": { "pivot": { "type": "revolute", "a": "ground", "b": "arm", "at": [0, 0, 0], "axis": [0, -1, 0] } },
  "blocks": {
    // inputs are formulas in t, channels (in SI units) and other blocks
    "command": { "type": "second-order-lag", "input": "pi/2*step(t, 0.1)", "frequency": "3 Hz", "damping_ratio": 1 },
    "controller": { "type": "pid", "input": "[command] - [pivot/angle]", "proportional": 220, "integral": 400,
                    "derivative": 30, "filter": 0.003, "min": "=-limit", "max": "=limit", "unit": "N m" },
    "motor": { "type": "lag", "input": "[controller]", "time": 0.004, "unit": "N m" } },
  "forces": { "drive": { "type": "torque", "on": "arm", "value": [0, "-[motor]", 0] } },
  "analyses": [ { "type": "dynamic", "end": 1.5, "integrator": "runge-kutta", "output_step": 0.005 } ],
  "outputs": [ "pivot/angle", "command", "controller", "motor", "arm/tip/position", "energy" ],
  "variants": {
    // the output of the controller is held for 2 ms
    "digital": {
      "blocks": { "held": { "type": "sample-and-hold", "input": "[controller]", "period": 0.002, "unit": "N m" },
                  "motor": { "input": "[held]" } } },
    // arm and motor alone, for the design of a controller
    "open": {
      "gravity": [0, 0, 0],
      "blocks": { "controller": { "proportional": 0, "integral": 0, "derivative": 0 } } } } }
)json";

constexpr const char* kShowMotion =
    "next: femflex simulate OUTPUT.json -o OUTPUT.h5\nthen: femflex view OUTPUT.h5 -o OUTPUT.html";

}  // namespace

const std::vector<Template>& templates() {
  static const TemplateFrame kFrame{"CHASSIS", "_chassis"};
  // 8 m long, loaded at the front axle and at the pivots of the tandem
  static const TemplateFrame kLongFrame{
      "CHASSIS",
      "_chassis",
      {.bays = 16, .rigidity = 2e8, .interface_nodes = {401, 403, 1301, 1303}}};
  // 12 m long, loaded at three axles, at the fifth wheel and by the payload
  static const TemplateFrame kTrailerFrame{
      "TRAILER",
      "_trailer",
      {.bays = 24,
       .rigidity = 3e8,
       .interface_nodes = {301, 303, 601, 603, 901, 903, 2201, 2203, 2401, 2403}}};
  static const std::vector<Template> table = {
      {"truck", kTruck, "next: femflex simulate OUTPUT.json -o OUTPUT.h5", {kFrame}},
      {"truck4x2", truck4x2(), kShowMotion, {kFrame}, ".json", true},
      {"truck6x4", kTruck6x4, kShowMotion, {kLongFrame}, ".json", true},
      {"semitrailer", kSemitrailer, kShowMotion, {kFrame, kTrailerFrame}, ".json", true},
      {"four-post",
       four_post(),
       "next: femflex simulate OUTPUT.json -o OUTPUT.h5 --report OUTPUT.html",
       {kFrame},
       ".json",
       true},
      {"pendulum",
       kPendulum,
       "next: femflex simulate OUTPUT.json -o OUTPUT.h5 --report OUTPUT.html"},
      {"slider-crank", kSliderCrank, "next: femflex simulate OUTPUT.json -o OUTPUT.h5"},
      {"servo", kServo, "next: femflex simulate OUTPUT.json -o OUTPUT.h5 --report OUTPUT.html"},
      {"crane-crab", kCraneCrab, kShowMotion},
      {"double-pendulum", kDoublePendulum, kShowMotion},
      {"four-bar", kFourBar, kShowMotion},
      {"three-link-leaf", kThreeLinkLeaf, kShowMotion},
      {"beam-leaf", kBeamLeaf, kShowMotion},
      {"lattice", kLattice, "next: femflex lattice OUTPUT.json -o OUTPUT.h5"},
      {"assembly", kAssembly, "next: femflex assemble OUTPUT.json --page OUTPUT.html"},
      {"directory", kDirectory, "next: femflex serve --registry OUTPUT.json --port 8080"},
      {"slurm", kSlurmJob, "next: sbatch OUTPUT.sh\nthen: sh OUTPUT.sh merge", {}, ".sh"},
      {"parallel", kParallelJob, "next: sh OUTPUT.sh", {}, ".sh"},
      {"mpi", kMpiJob, "next: mpiexec -n 4 sh OUTPUT.sh\nthen: sh OUTPUT.sh merge", {}, ".sh"},
      {"distributed",
       kDistributedJob,
       "next: sbatch OUTPUT.sh, or RANKS=4 sh OUTPUT.sh",
       {},
       ".sh"},
  };
  return table;
}

}  // namespace femflex::verbs
