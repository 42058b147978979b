// Texts of the template of a semitrailer, and of the tyre of all trucks, which is the one of
// data/tyres.
#include "verbs/template_vehicles.h"

namespace femflex::verbs {

const char* const kSemitrailer =
    R"json(// A semitrailer: a tractor of two axles and a trailer of three, each on a flexible frame. Its parts are templates of
// PARTS.json. Nodes of the frames are numbers; the kingpin is 11 m before the rear end of the trailer's frame.
{ "femflex": 1, "name": "semitrailer", "units": "m-kg-s", "gravity": [0, 0, -9.81],
  "include": "PARTS.json",
  "parameters": {
    "wheelbase": 4, "speed": 20, "frame": 520, "cab": 1000, "engine": 900, "trailer_frame": 1000, "payload": 16000, "payload_x": 5.5,
    // loads at rest: on the kingpin by moments about the middle axle of the trailer, on the springs of the tractor by those about its rear axle
    "pin": "=9.81*(payload*(payload_x - 2.5) + trailer_frame*3.5 + 150*8.5)/8.5",
    "trailer_weight": "=9.81*(payload + trailer_frame + 150) - pin",
    "front_weight": "=(9.81*(frame*2 + cab*4.5 + engine*3.9 + 210*0.5) + pin*0.5)/wheelbase",
    "rear_weight": "=9.81*(frame + cab + engine + 210) + pin - front_weight" },
  "limits": { "wheelbase": [1, 20], "speed": [0, 100], "cab": [1, 1e5], "engine": [1, 1e5], "payload": [1, 1e5] },
  "bodies": {
    "chassis": { "flex": "CHASSIS.fbm", "model": "CHASSIS.fe.h5", "modes": { "enable": "1-20" }, "damping": 0.02,
      "at": [0, 0, 0.91], "velocity": ["=speed", 0, 0],
      "markers": { "rear_left": { "node": 303 }, "rear_right": { "node": 301 },
                   "front_left": { "node": 1103, "at": ["=wheelbase-4", 0, 0] }, "front_right": { "node": 1101, "at": ["=wheelbase-4", 0, 0] } } },
    "trailer": { "flex": "TRAILER.fbm", "model": "TRAILER.fe.h5", "modes": { "enable": "1-20" }, "damping": 0.02,
      "at": [-9.5, 0, 1.38], "velocity": ["=speed", 0, 0] } },
  "parts": {
    "front": { "template": "steered_axle", "x": "=1+wheelbase", "radius": "=0.538-(front_weight/2+3237)/9.8e5", "seat_left": "chassis/front_left", "seat_right": "chassis/front_right",
      "load": "=front_weight/2", "tyre": "TYRE.tir", "speed": "=speed", "steer": "[driver_steer]", "brake": "[driver_brake]" },
    "rear": { "template": "driven_axle", "x": 1, "radius": "=0.538-(rear_weight/4+2551)/9.8e5", "seat_left": "chassis/rear_left", "seat_right": "chassis/rear_right",
      "load": "=rear_weight/2", "tyre": "TYRE.tir", "speed": "=speed", "drive": "[engine_drive]", "brake": "[driver_brake]" },
    // a lane change and back, at the speed
    "driver": { "template": "driver", "on": "chassis", "wheelbase": "=wheelbase", "target": "=speed",
      "path_x": [0, 40, 46, 52, 58, 64, 70, 76, 82, 88, 94, 100, 140, 146, 152, 158, 164, 170, 176, 182, 188, 194, 200, 400],
      "path_y": [0, 0, 0.086, 0.334, 0.721, 1.209, 1.75, 2.291, 2.779, 3.166, 3.414, 3.5, 3.5, 3.414, 3.166, 2.779, 2.291, 1.75, 1.209, 0.721, 0.334, 0.086, 0, 0] },
    "engine": { "template": "engine", "rate": "0.5*([rear_hub_left/angle_rate]+[rear_hub_right/angle_rate])", "throttle": "[driver_throttle]" },
    "cab": { "template": "mounted", "mass": "=cab", "inertia": [700, 650, 650, 0, 0, 0], "at": [5.5, 0, 2.0], "speed": "=speed", "front": 6, "rear": 5, "height": 1.1,
      "front_left": "chassis/1304", "front_right": "chassis/1302", "rear_left": "chassis/1104", "rear_right": "chassis/1102" },
    "motor": { "template": "mounted", "mass": "=engine", "inertia": [50, 90, 80, 0, 0, 0], "at": [4.9, 0, 1.1], "speed": "=speed", "stiffness": 1e6, "side_stiffness": 1e6, "front": 5.5, "rear": 4.5, "height": 0.95,
      "front_left": "chassis/1203", "front_right": "chassis/1201", "rear_left": "chassis/1003", "rear_right": "chassis/1001" },
    "coupling": { "template": "fifth_wheel", "x": 1.5, "z": 1.15, "speed": "=speed",
      "base_front_left": "chassis/504", "base_front_right": "chassis/502", "base_rear_left": "chassis/304", "base_rear_right": "chassis/302", "spread": 1,
      "upper_front_left": "trailer/2403", "upper_front_right": "trailer/2401", "upper_rear_left": "trailer/2203", "upper_rear_right": "trailer/2201" },
    "bogie_{1|2|3}": { "template": "trailer_axle", "x": "={-8.5|-7|-5.5}", "radius": "=0.538-(trailer_weight/6+3041)/9.8e5", "gap": 0.65,
      "seat_left": "trailer/{303|603|903}", "seat_right": "trailer/{301|601|901}", "load": "=trailer_weight/6", "tyre": "TYRE.tir", "speed": "=speed", "brake": "[driver_brake]" },
    "load": { "template": "mounted", "mass": "=payload", "inertia": ["=payload*0.9", "=payload*6", "=payload*6", 0, 0, 0], "at": ["=payload_x-9.5", 0, 2.3], "speed": "=speed", "stiffness": 6e6, "side_stiffness": 6e6, "damping": 3e4, "front": -0.5, "rear": -7.5, "height": 1.5,
      "front_left": "trailer/1904", "front_right": "trailer/1902", "rear_left": "trailer/504", "rear_right": "trailer/502" } },
  "analyses": [ { "type": "dynamic", "end": 12, "step": 2e-3, "output_step": 1e-2 } ],
  "outputs": [ "driver_steer", "driver_path/1", "engine_drive", "chassis/position", "chassis/velocity", "chassis/angular_velocity", "coupling_kingpin/angle", "coupling_pitch/angle", "trailer/angular_velocity", "front_tyre_{left|right}/wheel", "rear_outer_{left|right}/wheel", "bogie_2_tyre_{left|right}/wheel", "energy", "load/position/z" ],
  "variants": {
    "rigid": { "bodies": { "{chassis|trailer}": { "as": "rigid" } } },
    "full": { "bodies": { "{chassis|trailer}": { "as": "full", "modes": null } } },
    // straight on at constant speed: femflex simulate FILE --variant straight --keep-states, then linearise --about
    "straight": { "parts": { "driver": { "path_x": [0, 1000], "path_y": [0, 0] } } },
    // the wheels are turned by a step, without a driver on a path
    "step": { "parts": { "front": { "steer": "0.02*step(t, 2)" } } },
    // steering by a table of the angle at the wheels over time
    "table": { "blocks": { "handwheel": { "type": "table", "input": "t", "x": [0, 2, 2.5, 3, 3.5, 4, 100], "y": [0, 0, 0.03, 0, -0.03, 0, 0] } },
               "parts": { "front": { "steer": "[handwheel]" } } },
    // full brakes from 2 s on
    "brake": { "parts": { "driver": { "path_x": [0, 1000], "path_y": [0, 0] }, "front": { "brake": "step(t, 2)" },
                          "rear": { "brake": "step(t, 2)", "drive": "0" }, "bogie_{1|2|3}": { "brake": "step(t, 2)" } } },
    // with its brakes on, at rest uphill on a slope of 5 %, which gravity has against the level road
    "parked": { "gravity": [-0.489888, 0, -9.797761], "parameters": { "speed": 0 },
                "parts": { "front": { "steer": "0", "brake": "1" }, "rear": { "brake": "1", "drive": "0" }, "bogie_{1|2|3}": { "brake": "1" } },
                "analyses": [ { "type": "static" }, { "type": "dynamic", "end": 12, "step": 2e-3, "output_step": 1e-2 } ] } } }
)json";

const char* const kTruckTyre =
    R"tir($ invented truck tyre of the size 315/80 R22.5, every coefficient of PAC2002
[UNITS]
LENGTH                   = 'meter'
FORCE                    = 'newton'
ANGLE                    = 'radians'
MASS                     = 'kg'
TIME                     = 'second'

[MODEL]
PROPERTY_FILE_FORMAT     = 'PAC2002'
TYRESIDE                 = 'LEFT'
USE_MODE                 = 14.0
LONGVL                   = 16.7
VXLOW                    = 1.0

[DIMENSION]
UNLOADED_RADIUS          = 0.538
WIDTH                    = 0.315

[VERTICAL]
FNOMIN                   = 32000.0
VERTICAL_STIFFNESS       = 980000.0
BREFF                    = 6.1
DREFF                    = 0.34
FREFF                    = 0.09
QV1                      = 0.00031

[LONGITUDINAL_COEFFICIENTS]
PCX1                     = 1.42
PDX1                     = 0.84
PDX2                     = -0.061
PDX3                     = 0.8
PEX1                     = 0.24
PEX2                     = 0.13
PEX3                     = -0.09
PEX4                     = 0.021
PKX1                     = 14.3
PKX2                     = -0.7
PKX3                     = 0.09
PHX1                     = -0.0006
PHX2                     = 0.0003
PVX1                     = 0.0008
PVX2                     = -0.0004
RBX1                     = 9.1
RBX2                     = 6.2
RCX1                     = 1.05
REX1                     = -0.21
REX2                     = -0.08
RHX1                     = -0.0016
PTX1                     = 1.73
PTX2                     = 0.31
PTX3                     = -0.22

[OVERTURNING_COEFFICIENTS]
QSX1                     = -0.0031
QSX2                     = 0.64
QSX3                     = 0.041

[LATERAL_COEFFICIENTS]
PCY1                     = 1.24
PDY1                     = 0.79
PDY2                     = -0.09
PDY3                     = 0.7
PEY1                     = -0.52
PEY2                     = -0.31
PEY3                     = 0.06
PEY4                     = -1.4
PKY1                     = -9.6
PKY2                     = 1.94
PKY3                     = 0.31
PHY1                     = 0.0014
PHY2                     = -0.0006
PHY3                     = 0.024
PVY1                     = 0.009
PVY2                     = -0.005
PVY3                     = -0.11
PVY4                     = -0.06
RBY1                     = 7.7
RBY2                     = 5.1
RBY3                     = 0.008
RCY1                     = 1.04
REY1                     = 0.14
REY2                     = -0.07
RHY1                     = 0.0041
RHY2                     = -0.0013
RVY1                     = 0.018
RVY2                     = -0.006
RVY3                     = -0.21
RVY4                     = 7.6
RVY5                     = 1.6
RVY6                     = -12.4
PTY1                     = 2.1
PTY2                     = 1.83

[ROLLING_COEFFICIENTS]
QSY1                     = 0.0061
QSY2                     = 0.0017
QSY3                     = 0.0008
QSY4                     = 5e-05

[ALIGNING_COEFFICIENTS]
QBZ1                     = 7.2
QBZ2                     = -0.9
QBZ3                     = -0.14
QBZ4                     = 0.11
QBZ5                     = -0.18
QBZ9                     = 9.4
QBZ10                    = 0.07
QCZ1                     = 1.13
QDZ1                     = 0.084
QDZ2                     = -0.006
QDZ3                     = -0.07
QDZ4                     = 0.4
QDZ6                     = 0.0011
QDZ7                     = -0.0007
QDZ8                     = -0.041
QDZ9                     = -0.014
QEZ1                     = -1.6
QEZ2                     = 0.33
QEZ3                     = -0.12
QEZ4                     = 0.08
QEZ5                     = -0.6
QHZ1                     = 0.0017
QHZ2                     = -0.0008
QHZ3                     = 0.06
QHZ4                     = 0.021
SSZ1                     = 0.007
SSZ2                     = 0.004
SSZ3                     = 0.19
SSZ4                     = -0.08

[SCALING_COEFFICIENTS]
LFZO                     = 1.0
LCZ                      = 1.0
LCX                      = 1.0
LMUX                     = 1.0
LEX                      = 1.0
LKX                      = 1.0
LHX                      = 1.0
LVX                      = 1.0
LGAX                     = 1.0
LCY                      = 1.0
LMUY                     = 1.0
LEY                      = 1.0
LKY                      = 1.0
LHY                      = 1.0
LVY                      = 1.0
LGAY                     = 1.0
LTR                      = 1.0
LRES                     = 1.0
LGAZ                     = 1.0
LXAL                     = 1.0
LYKA                     = 1.0
LVYKA                    = 1.0
LS                       = 1.0
LSGKP                    = 1.0
LSGAL                    = 1.0
LMX                      = 1.0
LVMX                     = 1.0
LMY                      = 1.0

[LONG_SLIP_RANGE]
KPUMIN                   = -1.5
KPUMAX                   = 1.5

[SLIP_ANGLE_RANGE]
ALPMIN                   = -1.57
ALPMAX                   = 1.57

[INCLINATION_ANGLE_RANGE]
CAMMIN                   = -0.26
CAMMAX                   = 0.26

[VERTICAL_FORCE_RANGE]
FZMIN                    = 1000.0
FZMAX                    = 80000.0
)tir";

}  // namespace femflex::verbs
